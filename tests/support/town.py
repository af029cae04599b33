"""A network without sockets, on a loop whose time leaps: a server that fails in every way, and a host on it.

Between the two is all that stands between them in earnest but the socket: the real link, desk and journal.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from enum import Enum, auto
from itertools import count
from random import Random
from typing import Final

from chat.link import Link, LinkSettings, Timings
from chat.settings import Account
from host.config import Config
from host.desk import Desk
from host.journal import Journal
from host.keeper import Keeper, Sources
from host.table import Table
from tests.support.bench import CHANNEL, HOST, FakeControls, config
from tests.support.virtual import VirtualClock, VirtualLoop

CAPS: Final = (
    "account-notify account-tag batch cap-notify chghost extended-join message-tags multi-prefix server-time"
    " userhost-in-names"
)
FLOOD: Final = "ERROR :Closing Link (Excess Flood)"
_PATIENCE: Final = 3600
"""Seconds of virtual time."""

UNSAFE: Final = (b"\r", b"\n", b"\0")


class Mood(Enum):
    """What the server does."""

    SERVES = auto()
    FROZEN = auto()
    """Takes connections and bytes, and says nothing on any of them."""
    REFUSES = auto()
    NO_NAME = auto()
    """Its name is not found."""
    HANGS = auto()
    """Connections never come about: packets are lost, or the TLS handshake never ends."""
    THROWS_OUT = auto()
    """Ends each connection with an ERROR when it has heard who is there."""


class Wire(asyncio.Transport):
    """The host's end of a connection."""

    def __init__(self, town: Town, protocol: asyncio.Protocol) -> None:
        # With TLS it is asked for the certificate of the other end.
        super().__init__({"ssl_object": self})
        self.town = town
        self.protocol = protocol
        self.silent = False
        """Half open: the other end is gone, and nobody tells."""
        self.open = True

    def write(self, data: bytes | bytearray | memoryview) -> None:
        line = bytes(data)
        assert line.endswith(b"\r\n"), line
        assert not any(end in line[:-2] for end in UNSAFE), line
        assert len(line) <= 512, line
        self.town.written += 1
        if self.open and not self.silent:
            self.town.take(line[:-2].decode())

    def get_write_buffer_size(self) -> int:
        return 0

    def getpeercert(self, *, binary_form: bool) -> bytes:
        assert binary_form
        return b""

    def abort(self) -> None:
        self.lose(None)

    def close(self) -> None:
        self.lose(None)

    def lose(self, error: Exception | None) -> None:
        if self.open:
            self.open = False
            asyncio.get_running_loop().call_soon(self.protocol.connection_lost, error)


class Town:
    """The server: who is in the channel, what the host said, and when it came."""

    def __init__(self, loop: VirtualLoop, people: tuple[str, ...] = (), caps: str = CAPS) -> None:
        self.loop = loop
        self.people = list(people)
        self.caps = caps
        self.mood = Mood.SERVES
        self.nick = HOST
        """What the host is called."""
        self.wires: list[Wire] = []
        self.attempts: list[float] = []
        """When the host tried to connect."""
        self.pending = 0
        self.most_at_once = 0
        self.written = 0
        self.lines: list[str] = []
        """What the host sent."""
        self.told: list[tuple[str, str]] = []
        """Of it what it said: to whom, and what."""
        self.news = asyncio.Event()
        """Set with each line that the host sends and each attempt to connect."""
        self._cap_asked = False
        loop.resolve, loop.dial = self.resolve, self.dial

    # --- the connection ---

    def resolve(self) -> None:
        self.attempts.append(self.loop.time())
        self.news.set()
        if self.mood is Mood.NO_NAME:
            raise socket.gaierror(-3, "Temporary failure in name resolution")

    async def dial(self, protocol: asyncio.Protocol, tls: bool) -> asyncio.Transport:
        self.pending += 1
        try:
            self.most_at_once = max(self.most_at_once, self.pending + sum(wire.open for wire in self.wires))
            match self.mood:
                case Mood.REFUSES:
                    raise ConnectionRefusedError(111, "Connection refused")
                case Mood.HANGS:
                    await asyncio.Event().wait()
            wire = Wire(self, protocol)
        finally:
            self.pending -= 1
        self.wires = [*(one for one in self.wires if one.open), wire]
        self._cap_asked = False
        protocol.connection_made(wire)
        return wire

    @property
    def wire(self) -> Wire:
        return self.wires[-1]

    def send(self, *lines: str | bytes) -> None:
        """Send lines on the latest connection, in one packet; bytes go as they are."""
        data = b"".join(one if isinstance(one, bytes) else one.encode() + b"\r\n" for one in lines)
        if self.wire.open:
            self.wire.protocol.data_received(data)

    def say(self, nick: str, text: str, target: str = HOST) -> None:
        self.send(f":{mask(nick)} PRIVMSG {target} :{text}")

    # --- what the host sends ---

    def take(self, line: str) -> None:
        self.lines.append(line)
        self.news.set()
        if self.mood is Mood.SERVES:
            # Never while the host is in the middle of something: a network takes its time.
            self.loop.call_soon(self.answer, line)
        elif self.mood is Mood.THROWS_OUT and line.startswith("USER"):
            self.loop.call_soon(self.send, FLOOD)

    def answer(self, line: str) -> None:
        """Do what a server does about a line."""
        head, _, rest = line.partition(" ")
        match head:
            case "CAP" if rest.startswith("LS"):
                self._cap_asked = bool(self.caps)
                self.send(*([f":irc.test CAP * LS :{self.caps}"] if self.caps else []))
            case "CAP" if rest.startswith("REQ"):
                self.send(f":irc.test CAP * ACK {rest.removeprefix('REQ ')}")
            case "CAP" if rest == "END":
                self._greet()
            case "USER" if not self._cap_asked:
                self._greet()
            case "JOIN":
                self.join_host(rest)
            case "WHO":
                self._who(*rest.split(" "))
            case "PING":
                self.send(f":irc.test PONG irc.test {rest}")
            case "PRIVMSG" | "NOTICE":
                target, _, text = rest.partition(" :")
                self.told.append((target, text))

    def _greet(self) -> None:
        self.send(
            f":irc.test 001 {self.nick} :Welcome",
            f":irc.test 005 {self.nick} CASEMAPPING=ascii CHANTYPES=# PREFIX=(ov)@+ NICKLEN=30 WHOX :are",
            f":irc.test 422 {self.nick} :No MOTD",
        )

    def join_host(self, channel: str) -> None:
        names = " ".join([self.nick, *map(mask, self.people)])
        self.send(
            f":{self.nick}!~yardzee@host.test JOIN {channel} * :Yardzee",
            f":irc.test 353 {self.nick} = {channel} :{names}",
            f":irc.test 366 {self.nick} {channel} :End",
        )

    def _who(self, channel: str, *_fields: str) -> None:
        rows = [
            f":irc.test 354 {self.nick} 739 {channel} ~{nick} {nick}.example {nick} 0" for nick in self.people
        ]
        self.send(*rows, f":irc.test 315 {self.nick} {channel} :End")

    def fits(self) -> bool:
        """Whether every line is short enough for a server that puts the host's mask before it."""
        return all(len(f":{HOST}!~yardzee@host.test {line}\r\n".encode()) <= 512 for line in self.lines)

    def to(self, target: str, since: int = 0) -> list[str]:
        return [text for who, text in self.told[since:] if who == target]


class Hosted:
    """A host with one network on a town."""

    def __init__(
        self,
        town: Town,
        settings: Config | None = None,
        journal: Journal | None = None,
        *,
        timings: Timings | None = None,
        tls: bool = False,
        account: Account | None = None,
        seed: int = 1,
    ) -> None:
        self.town = town
        self.config = settings or config()
        self.journal = journal or Journal.open("sqlite://")
        self.clock = VirtualClock(town.loop, self.journal.last_time())
        self.controls = FakeControls()
        random = Random(seed)
        games, people, tokens = count(1), count(1), count(1)
        (network,) = self.config.networks
        links: list[Link] = []

        def connect(listener: object) -> Link:
            names = tuple(channel.name for channel in network.channels)
            link_settings = LinkSettings("irc.test.example", 6667, tls, HOST, channels=names, account=account)
            links.append(
                Link(
                    link_settings,
                    listener,  # type: ignore[arg-type]
                    timings,
                    clock=town.loop.time,
                    wall=lambda: self.clock.wall().timestamp(),
                    jitter=random.random,
                )
            )
            return links[-1]

        self.desk = Desk(
            network,
            connect,
            journal=self.journal,
            clock=self.clock,
            controls=self.controls,
            bans=self.journal.bans(network.name),
            sources=Sources(
                lambda: f"game{next(games):06}",
                lambda: random.randbytes(32),
                lambda: f"token{next(tokens):06}",
            ),
            person_id=lambda: f"person{next(people)}",
        )
        self.link = links[0]
        for history in self.journal.unfinished():
            self.desk.restore(history)

    @contextlib.asynccontextmanager
    async def running(self) -> AsyncIterator[None]:
        """The link runs, and the host is in its channels."""
        task = asyncio.create_task(self.link.run())
        try:
            yield
        finally:
            await self.link.stop()
            await task
            self.desk.close()
            self.journal.close()

    async def until_back(self, channel: str = CHANNEL) -> None:
        """Wait until the host is in its channel, and all that it says at once is said."""
        await until(lambda: self.desk.is_in(self.keeper(channel)))
        await asyncio.sleep(10)

    def keeper(self, channel: str = CHANNEL) -> Keeper:
        keeper = self.desk.keeper(channel)
        assert keeper is not None
        return keeper

    @property
    def table(self) -> Table:
        return self.keeper().table

    def written(self) -> Table:
        """What the journal says of the table."""
        table = Table()
        history = self.journal.history(self.table.game)
        for at, event in history.events if history else ():
            table = table.after(event, at)
        return table


class Faults(logging.Handler):
    """Tracebacks and errors that anything logs."""

    def __init__(self) -> None:
        super().__init__(logging.WARNING)
        self.found: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info or record.levelno >= logging.ERROR:
            self.found.append(self.format(record))


@contextlib.contextmanager
def no_faults() -> Iterator[Faults]:
    """Nothing is logged with a traceback meanwhile, and nothing as an error. Of the rest nothing is kept."""
    faults = Faults()
    loggers = [logging.getLogger(name) for name in ("asyncio", "chat", "host")]
    for logger in loggers:
        logger.addHandler(faults)
        # Or pytest would keep every warning for its report.
        logger.propagate = False
    try:
        yield faults
    finally:
        for logger in loggers:
            logger.removeHandler(faults)
            logger.propagate = True
    assert not faults.found, "\n".join(faults.found[:3])


async def until(test: Callable[[], bool]) -> None:
    """Let time go by until something is so."""
    for _ in range(_PATIENCE):
        if test():
            return
        await asyncio.sleep(1)
    raise AssertionError(f"it has not come about in {_PATIENCE} s")


def mask(nick: str) -> str:
    return f"{nick}!~{nick}@{nick}.example"
