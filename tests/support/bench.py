"""A host without a network: a fake clock, a fake wire, real tables, wording and journal."""

from __future__ import annotations

import heapq
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from itertools import count

from chat.casemap import fold
from chat.events import (
    Connected,
    Joined,
    LinkEvent,
    Message,
    Names,
    NickChanged,
    Present,
    Quit,
    Refused,
    User,
)
from host.advice import Turns, no_turns
from host.aside import Aside, at_once
from host.config import Config, parse
from host.desk import Desk
from host.journal import Journal
from host.keeper import Keeper, Sources
from host.replies import HostStatus, Reloaded
from host.watch import UNWATCHED, Watch
from protocol.fairness import Commit, Plays, Reveal, Seats
from protocol.tags import DiceTag

HOST = "Hoster"
CHANNEL = "#yardzee"


class FakeTimer:
    def __init__(self) -> None:
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class FakeClock:
    """Time that passes when it is told to. The wall clock is `ahead` of it, and may jump alone."""

    def __init__(self, start: float = 0.0, ahead: float = 0.0) -> None:
        self._now = start
        self._ahead = ahead
        self._calls: list[tuple[float, int, FakeTimer, Callable[[], None]]] = []
        self._order = count()

    def now(self) -> float:
        return self._now

    def wall(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self._now + self._ahead)

    def jump(self, seconds: float) -> None:
        """Set the wall clock forth or back; no time goes by."""
        self._ahead += seconds

    def stall(self, seconds: float) -> None:
        """Let time go by while the host is busy: what is due is called with the next `pass_`."""
        self._now += seconds

    def call_at(self, when: float, call: Callable[[], None]) -> FakeTimer:
        timer = FakeTimer()
        heapq.heappush(self._calls, (when, next(self._order), timer, call))
        return timer

    def pass_(self, seconds: float) -> None:
        """Let time go by, and call what is due in its order."""
        end = self._now + seconds
        while self._calls and self._calls[0][0] <= end:
            when, _, timer, call = heapq.heappop(self._calls)
            self._now = max(self._now, when)
            if not timer.cancelled:
                call()
        self._now = end


class FakeWire:
    """A connection that keeps what is sent."""

    def __init__(self, listener: Callable[[LinkEvent], None], casemapping: str = "ascii") -> None:
        self.listener = listener
        self.casemapping = casemapping
        self.nick = HOST
        self.sent: list[tuple[str, str, bool]] = []
        self.silent = 0.0
        self.channels: list[str] = []
        """What it was told to be in, once it was told."""

    def silent_for(self) -> float:
        return self.silent

    def set_channels(self, channels: list[str]) -> None:
        self.channels = channels

    def fold(self, name: str) -> str:
        return fold(name, self.casemapping)

    def is_me(self, nick: str) -> bool:
        return self.fold(nick) == self.fold(self.nick)

    def budget(self, target: str, *, notice: bool = False) -> int:
        prefix = f":{self.nick}!~yardzee@host.example.net {'NOTICE' if notice else 'PRIVMSG'} {target} :\r\n"
        return 512 - len(prefix.encode())

    def send(self, target: str, text: str, *, notice: bool = False) -> None:
        assert not set(text) & set("\r\n\0"), text
        assert len(text.encode()) <= self.budget(target, notice=notice), text
        self.sent.append((target, text, notice))


class FakeControls:
    """A host as a whole that notes what is asked of it."""

    def __init__(self) -> None:
        self.asked: list[str] = []
        self.reloaded = Reloaded()

    def status(self) -> HostStatus:
        networks = (("local", True), ("far", False))
        return HostStatus("1.2", 7500, networks, ("#far",), 5, 1, 2, 17, "sqlite://", 0.25)

    def reload(self) -> Reloaded:
        self.asked.append("reload")
        return self.reloaded

    def shutdown(self) -> None:
        self.asked.append("shutdown")

    def vacated(self, network: str) -> None:
        self.asked.append(f"vacated {network}")


def config(
    channels: str = "",
    *,
    send: str = "{burst: 1000, seconds: 0}",
    store: str = "sqlite://",
    admins: str = "[]",
) -> Config:
    """A configuration with one network; `channels` and `admins` are YAML in flow style."""
    return parse(
        f"""
networks:
  local:
    server: 127.0.0.1
    tls: false
    nick: {HOST}
    channels: {channels or f'{{"{CHANNEL}": {{}}}}'}
    send: {send}
    admins: {admins}
store: "{store}"
""",
        "bench",
    )


class Bench:
    """One network's desk at work, with people who talk to it."""

    def __init__(
        self,
        settings: Config | None = None,
        journal: Journal | None = None,
        start: float = 0.0,
        seed: bytes = bytes(32),
        *,
        ahead: float = 0.0,
        casemapping: str = "ascii",
        watch: Watch = UNWATCHED,
        turns: Turns = no_turns,
        aside: Aside = at_once,
    ) -> None:
        self.config = settings or config()
        self.journal = journal or Journal.open(self.config.store)
        self.clock = FakeClock(start, ahead)
        self.controls = FakeControls()
        self.present: dict[str, list[str]] = {c.name: [] for c in self.config.networks[0].channels}
        self.wires: list[FakeWire] = []
        games, people, tokens = count(1 + int(start)), count(1), count(1)

        def connect(listener: Callable[[LinkEvent], None]) -> FakeWire:
            self.wires.append(FakeWire(listener, casemapping))
            return self.wires[-1]

        self.desk = Desk(
            self.config.networks[0],
            connect,
            journal=self.journal,
            clock=self.clock,
            controls=self.controls,
            bans=self.journal.bans(self.config.networks[0].name),
            sources=Sources(lambda: f"game{next(games):04}", lambda: seed, lambda: f"token{next(tokens):05}"),
            person_id=lambda: f"person{next(people)}@{start}",
            watch=watch,
            turns=turns,
            aside=aside,
        )
        for history in self.journal.last_results():
            self.desk.recall(history)
        for history in self.journal.unfinished():
            self.desk.restore(history)

    @property
    def wire(self) -> FakeWire:
        return self.wires[-1]

    def connect(self, *nicks: str) -> list[str]:
        """The host comes to the network and finds these people in each of its channels."""
        before = len(self.wire.sent)
        self.desk.hear(Connected(self.wire.nick))
        for channel, present in self.present.items():
            present[:] = list(nicks)
            self.desk.hear(Names(channel, (self.wire.nick, *nicks)))
            self.desk.hear(Present(channel, tuple(map(user, nicks))))
        return self.since(before)

    def join(self, nick: str, channel: str = CHANNEL) -> list[str]:
        return self.heard(Joined(user(nick), channel))

    def quit(self, nick: str) -> list[str]:
        return self.heard(Quit(user(nick), "gone"))

    def rename(self, nick: str, new: str) -> list[str]:
        # The mask keeps the user of the first nick, as on a real network.
        return self.heard(NickChanged(user(nick), new))

    def rename_host(self, new: str) -> list[str]:
        old, self.wire.nick = self.wire.nick, new
        return self.heard(NickChanged(user(old), new))

    def refuse(self, numeric: int, target: str, text: str = "no", wait: float | None = None) -> list[str]:
        """The server refuses a line to a nick or channel."""
        return self.heard(Refused(numeric, target, text, wait))

    def say(self, nick: str, text: str, channel: str = CHANNEL, *, mask: User | None = None) -> list[str]:
        """A line in the channel; returns what the host said to it, as `target: text`."""
        return self.heard(Message(mask or user(nick), channel, text, private=False))

    def tell(self, nick: str, text: str, *, mask: User | None = None) -> list[str]:
        """A private line to the host."""
        return self.heard(Message(mask or user(nick), HOST, text, private=True))

    def pass_(self, seconds: float) -> list[str]:
        before = len(self.wire.sent)
        self.clock.pass_(seconds)
        return self.since(before)

    def keeper(self, channel: str = CHANNEL) -> Keeper:
        keeper = self.desk.keeper(channel)
        assert keeper is not None
        return keeper

    def dice(self, nick: str) -> DiceTag:
        """The dice that the player was shown last."""
        for target, text, _ in reversed(self.wire.sent):
            if target == nick and (found := DiceTag.find(text)):
                return found
        raise AssertionError(f"{nick} has seen no dice")

    def begin(self, *nicks: str, channel: str = CHANNEL) -> None:
        """A game with these players, the first one its opener."""
        for nick in nicks:
            self.join(nick, channel)
            self.say(nick, "!join", channel)
        self.say(nicks[0], "!start", channel)

    def heard(self, event: LinkEvent) -> list[str]:
        before = len(self.wire.sent)
        self.desk.hear(event)
        return self.since(before)

    def since(self, number: int) -> list[str]:
        return [f"{target}: {text}" for target, text, _ in self.wire.sent[number:]]


def user(nick: str, host: str = "example.org") -> User:
    return User(nick, f"~{nick.lower()}", host)


def to(lines: list[str], target: str) -> list[str]:
    """Of lines as `Bench` gives them those to one target, but for what dice are checked by (`of_dice`)."""
    return [text for who, _, text in _parted(lines) if who == target and not checks_dice(text)]


def of_dice(lines: list[str]) -> list[str]:
    """Of lines as `Bench` gives them those that dice are checked by."""
    return [text for _, _, text in _parted(lines) if checks_dice(text)]


def checks_dice(text: str) -> bool:
    """Whether a line holds what dice are checked by."""
    return any(kind.find(text) for kind in (Commit, Seats, Reveal, Plays))


def _parted(lines: list[str]) -> Iterator[tuple[str, str, str]]:
    return (line.partition(": ") for line in lines)


def lines_of(bench: Bench) -> list[str]:
    """All that was said so far, as `Bench` gives it."""
    return [f"{target}: {text}" for target, text, _ in bench.wire.sent]
