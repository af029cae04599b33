"""A plain IRC client for tests, on asyncio streams: it keeps what it received and waits for what it wants."""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Callable
from dataclasses import dataclass
from types import TracebackType
from typing import Protocol


class Server(Protocol):
    """Where clients can connect to."""

    host: str
    port: int


@dataclass(frozen=True)
class Received:
    """One line as it came: decoded, and its parts."""

    raw: str
    prefix: str
    command: str
    params: tuple[str, ...]

    @property
    def nick(self) -> str:
        """The nick in the prefix."""
        return self.prefix.partition("!")[0]

    @property
    def text(self) -> str:
        """The last parameter."""
        return self.params[-1] if self.params else ""

    @classmethod
    def parse(cls, raw: str) -> Received:
        rest, prefix = raw, ""
        if rest.startswith("@"):
            rest = rest.partition(" ")[2]
        if rest.startswith(":"):
            prefix, _, rest = rest[1:].partition(" ")
        middle, colon, trailing = rest.partition(" :")
        command, *params = middle.split(" ")
        if colon:
            params.append(trailing)
        return cls(raw, prefix, command, tuple(params))


Wanted = str | re.Pattern[str] | Callable[[Received], bool]


class Client:
    """Connect with `await Client.connect(...)`; use it as an async context manager, or `await close()`.

    `lines` holds every line received. `wait_for` looks at each line once: a second wait for the same
    thing waits for a second line. Every received line must keep to 512 bytes; one that does not fails
    the next `wait_for` or `close`.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, nick: str) -> None:
        self.nick = nick
        self.lines: list[Received] = []
        self._seen = 0
        self._reader = reader
        self._writer = writer
        self._news = asyncio.Event()
        self._fault: BaseException | None = None
        self._closed = False
        self._reading = asyncio.create_task(self._read())

    @classmethod
    async def connect(cls, host: str, port: int, nick: str, *, register: bool = True) -> Client:
        """Connect, and unless told otherwise register as `nick` and wait for the welcome."""
        reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
        client = cls(reader, writer, nick)
        if register:
            # A user name may hold less than a nick, on ngircd letters and digits only.
            user = "".join(c for c in nick if c.isascii() and c.isalnum())[:9] or "x"
            client.send_raw(f"NICK {nick}", f"USER {user} 0 * :{nick}")
            try:
                await client.wait_for(lambda line: line.command in {"376", "422"})
            except BaseException:
                await client.close()
                raise
        return client

    async def __aenter__(self) -> Client:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.close()

    def send_raw(self, *lines: str | bytes) -> None:
        """Send lines. Bytes go out as they are, text as UTF-8 with CR LF after it."""
        for line in lines:
            self._writer.write(line if isinstance(line, bytes) else line.encode() + b"\r\n")

    def say(self, target: str, text: str) -> None:
        """Say something to a nick or channel."""
        self.send_raw(f"PRIVMSG {target} :{text}")

    async def join(self, channel: str) -> Received:
        """Join a channel, and wait until the list of names is through."""
        self.send_raw(f"JOIN {channel}")
        return await self.wait_for(
            lambda line: line.command == "366" and line.params[1].lower() == channel.lower()
        )

    # ASYNC109 wants asyncio.timeout at the caller, which is no place to say what came instead.
    async def wait_for(self, wanted: Wanted, timeout: float = 5.0) -> Received:  # noqa: ASYNC109
        """Return the first line not looked at yet that is `wanted`.

        A text or pattern is searched for, as a regular expression, in the whole raw line.

        Raises AssertionError, with the lines that came instead, when none comes in `timeout` seconds or
        the connection ends.
        """
        matches = _matcher(wanted)
        start = self._seen
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(timeout):
                while True:
                    while self._seen < len(self.lines):
                        self._seen += 1
                        if matches(self.lines[self._seen - 1]):
                            return self.lines[self._seen - 1]
                    self._check()
                    if self._closed:
                        break
                    self._news.clear()
                    await self._news.wait()
        got = "\n".join(line.raw for line in self.lines[start:]) or "(nothing)"
        ended = " before the connection ended" if self._closed else f" within {timeout} s"
        raise AssertionError(f"{self.nick}: no {wanted!r}{ended}; got:\n{got}")

    async def sync(self) -> list[Received]:
        """Wait for the answer to a PING of our own, and return the lines not looked at before it.

        What the server sent us before is here then, so this shows that something did not come.
        """
        token = f"sync-{len(self.lines)}"
        start = self._seen
        self.send_raw(f"PING :{token}")
        try:
            await self.wait_for(lambda line: line.command == "PONG" and line.text == token)
        except asyncio.CancelledError:
            self._seen = start  # nobody has seen what came meanwhile
            raise
        return self.lines[start : self._seen - 1]

    async def closed(self, timeout: float = 5.0) -> None:  # noqa: ASYNC109
        """Wait until the server has closed the connection."""
        async with asyncio.timeout(timeout):
            await asyncio.wait({self._reading})
        self._check()

    async def close(self) -> None:
        """Close the connection without a QUIT."""
        self._reading.cancel()
        await asyncio.wait({self._reading})
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()
        self._check()

    async def _read(self) -> None:
        try:
            while raw := await self._reader.readline():
                assert len(raw) <= 512, f"line of {len(raw)} bytes: {raw!r}"
                assert raw.endswith(b"\r\n"), f"no CR LF: {raw!r}"
                text = raw[:-2].decode("utf-8", "surrogateescape")
                line = Received.parse(text)
                if line.command == "PING":
                    self.send_raw(f"PONG :{line.text}")
                self.lines.append(line)
                self._news.set()
        except OSError:
            pass
        except AssertionError as fault:
            self._fault = fault
        finally:
            self._closed = True
            self._news.set()

    def _check(self) -> None:
        if self._fault is not None:
            fault, self._fault = self._fault, None
            raise fault


def _matcher(wanted: Wanted) -> Callable[[Received], bool]:
    if callable(wanted):
        return wanted
    pattern = re.compile(wanted)
    return lambda line: pattern.search(line.raw) is not None
