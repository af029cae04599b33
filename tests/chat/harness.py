"""A link whose events can be awaited, and a server that says exactly what a test tells it to."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import ssl
import time
from collections.abc import AsyncIterator, Callable
from typing import TypeVar

from chat.events import Connected, LinkEvent, Message
from chat.link import Link, LinkSettings, Timings

AL = ":al!~al@host.al"
"""The prefix of a user in the scripts."""

E = TypeVar("E", bound=LinkEvent)

FAST = Timings(
    connect=5,
    register=5,
    motd=0.2,
    tick=0.01,
    ping_after=30,
    ping_timeout=30,
    quit=0.02,
    retry_first=0.01,
    retry_longest=0.05,
    refused_first=0.01,
    refused_longest=0.05,
    stable=60,
    join_first=0.05,
    join_longest=0.2,
    regain_first=0.05,
    regain_longest=0.1,
)


def settings(port: int, **other: object) -> LinkSettings:
    values: dict[str, object] = {
        "server": "127.0.0.1",
        "port": port,
        "tls": False,
        "nick": "Yardzee",
        "channels": ("#y",),
    }
    return LinkSettings(**(values | other))  # type: ignore[arg-type]


class Attempts(logging.Handler):
    """The gaps that a link announces in its log, which is where failed attempts are told."""

    def __init__(self) -> None:
        super().__init__()
        self.last = ""
        """Why the last one failed."""

        self._gaps: asyncio.Queue[float] = asyncio.Queue()

    def __enter__(self) -> Attempts:
        logging.getLogger("chat.link").addHandler(self)
        return self

    def __exit__(self, *_: object) -> None:
        logging.getLogger("chat.link").removeHandler(self)

    def emit(self, record: logging.LogRecord) -> None:
        if record.msg == "not connected":
            self.last = vars(record)["reason"]
            self._gaps.put_nowait(vars(record)["next_in"])

    async def gap(self) -> float:
        async with asyncio.timeout(5):
            return await self._gaps.get()


class Running:
    """A link that runs, and what it told."""

    def __init__(
        self,
        link_settings: LinkSettings,
        timings: Timings = FAST,
        *,
        jitter: Callable[[], float] = lambda: 1.0,
        wall: Callable[[], float] = time.time,
    ) -> None:
        self.events: list[LinkEvent] = []
        self.react: Callable[[LinkEvent], None] = lambda _event: None
        self._news = asyncio.Event()
        self._seen = 0
        self.link = Link(link_settings, self._listen, timings, jitter=jitter, wall=wall)
        self.task: asyncio.Task[None] | None = None

    def _listen(self, event: LinkEvent) -> None:
        self.events.append(event)
        self._news.set()
        self.react(event)

    async def next(
        self, kind: type[E], test: Callable[[E], bool] = lambda _event: True, seconds: float = 5.0
    ) -> E:
        """Return the next event of that kind not looked at yet, and pass over those before it."""
        start = self._seen
        try:
            async with asyncio.timeout(seconds):
                while True:
                    while self._seen < len(self.events):
                        event = self.events[self._seen]
                        self._seen += 1
                        if isinstance(event, kind) and test(event):
                            return event
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            raise AssertionError(f"no {kind.__name__}; got {self.events[start:]}") from None

    async def __aenter__(self) -> Running:
        self.task = asyncio.create_task(self.link.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self.task is not None
        await self.link.stop()
        await self.task


class Peer:
    """The server's end of one connection."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self.writer = writer

    def send(self, *lines: str | bytes) -> None:
        """Send lines in one packet. Bytes go out as they are."""
        self.writer.write(
            b"".join(line if isinstance(line, bytes) else line.encode() + b"\r\n" for line in lines)
        )

    async def line(self) -> str:
        """Return the next line from the link, or an empty string when it has closed."""
        async with asyncio.timeout(5):
            with contextlib.suppress(ConnectionError):
                return (await self._reader.readline()).decode().removesuffix("\r\n")
        return ""

    async def expect(self, start: str) -> str:
        """Return the next line that begins with `start`, and pass over those before it."""
        passed: list[str] = []
        while line := await self.line():
            if line.startswith(start):
                return line
            passed.append(line)
        raise AssertionError(f"closed without {start!r}; got {passed}")

    async def closed(self) -> list[str]:
        """Wait until the link closes, and return what it said before."""
        lines: list[str] = []
        while line := await self.line():
            lines.append(line)
        return lines

    async def negotiate(self, offered: str) -> None:
        """Offer capabilities, grant all that is asked for, and wait for the end of it."""
        await self.expect("CAP LS 302")
        self.send(f":irc.test CAP * LS :{offered}")
        while line := await self.expect("CAP "):
            if line == "CAP END":
                return
            self.send(f":irc.test CAP * ACK {line.removeprefix('CAP REQ ')} ")

    async def welcome(self, nick: str = "Yardzee", *tokens: str, offered: str | None = None) -> None:
        """Let the link register and join #y. WHO goes unanswered, and CAP too where nothing is `offered`."""
        if offered is None:
            await self.expect("USER ")
        else:
            await self.negotiate(offered)
        self.greet(nick, *tokens)
        await self.expect("JOIN #y")
        self.joined(nick)
        await self.expect("WHO #y")

    def greet(self, nick: str = "Yardzee", *tokens: str) -> None:
        self.send(
            f":irc.test 001 {nick} :Welcome",
            f":irc.test 005 {nick} CASEMAPPING=ascii NICKLEN=16 {' '.join(tokens)} :are supported",
            f":irc.test 422 {nick} :No MOTD",
        )

    def joined(self, nick: str = "Yardzee", channel: str = "#y") -> None:
        self.send(
            f":{nick}!~yardzee@host.test JOIN {channel}",
            f":irc.test 353 {nick} = {channel} :{nick} @al",
            f":irc.test 366 {nick} {channel} :End",
        )

    def close(self) -> None:
        self.writer.close()


class FakeServer:
    """Accepts links, one after the other: `await server.accept()`."""

    def __init__(self, tls: ssl.SSLContext | None = None) -> None:
        self._tls = tls
        self._accepted: asyncio.Queue[Peer] = asyncio.Queue()
        self._peers: list[Peer] = []
        self._server: asyncio.Server | None = None
        self.port = 0

    async def __aenter__(self) -> FakeServer:
        self._server = await asyncio.start_server(
            self._connected, "127.0.0.1", 0, ssl=self._tls, limit=1 << 25
        )
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(self, *_: object) -> None:
        assert self._server is not None
        self._server.close()
        for peer in self._peers:
            peer.writer.transport.abort()
            with contextlib.suppress(OSError):
                await peer.writer.wait_closed()
        await self._server.wait_closed()

    async def accept(self) -> Peer:
        async with asyncio.timeout(5):
            return await self._accepted.get()

    @property
    def waiting(self) -> int:
        """How many connections nobody has taken yet."""
        return self._accepted.qsize()

    def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        peer = Peer(reader, writer)
        self._peers.append(peer)
        self._accepted.put_nowait(peer)


@contextlib.asynccontextmanager
async def scripted(
    timings: Timings = FAST, *tokens: str, offered: str | None = None, **other: object
) -> AsyncIterator[tuple[Running, Peer]]:
    """A link in #y on a fake server, as everything that comes after the welcome needs it."""
    async with FakeServer() as server, Running(settings(server.port, **other), timings) as running:
        peer = await server.accept()
        await peer.welcome("Yardzee", *tokens, offered=offered)
        await running.next(Connected)
        yield running, peer


async def hears(running: Running, peer: Peer, token: str = "still there") -> None:
    """Show that the link lives and heard all before."""
    peer.send(f"{AL} PRIVMSG #y :{token}")
    await running.next(Message, lambda message: message.text == token)
