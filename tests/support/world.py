"""A network with one host where chance decides what people say, who comes and goes, and what fails."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random
from typing import Any

from chat import events as chat
from chat.events import LinkEvent, User
from game.category import Category
from host.errors import StoreError
from host.events import Event
from host.journal import GameFile, Journal
from host.table import Phase
from tests.support.bench import HOST, Bench, config

CHANNELS = ("#a", "#b")
NICKS = ("alice", "bob", "carol", "boss", "[x]", "score")
LOOKS = [
    "keep all",
    "reroll all",
    "keep a",
    "r1",
    "dice",
    "card",
    "scores",
    "who",
    "time",
    "hint",
    "analysis",
    "hi",
    "help",
    "pst",
]
WORDS = (
    ["join"] * 6
    + ["start"] * 2
    + ["leave", "pause", "resume", "status", "reload", "unban", "extend 9999", "house 2"]
    + ["practice", "keep none", "chance"]
)
REASONS = ("misread", "\x01ACTION x\x01", "\r\nQUIT", "#b", "é" * 150, "\x02\x034,5b")


@dataclass
class Soul:
    nick: str
    host: str = "h1.example"
    account: str | None = None
    channels: set[str] = field(default_factory=lambda: set(CHANNELS))

    def shown(self) -> User:
        return User(self.nick, "~u", self.host, self.account)


class Flaky(Journal):
    """Takes nothing while it is `locked`; when it `lies` it says so of what it took."""

    locked = lies = False

    def append(self, file: GameFile, version: int, events: Sequence[Event], *when: Any, **more: Any) -> None:
        if not self.locked:
            super().append(file, version, events, *when, **more)
        if self.locked or self.lies:
            self.lies = False
            raise StoreError("locked, or the answer was lost")


class World:
    def __init__(self, random: Random) -> None:
        self.random = random
        self.souls = [Soul(nick, "staff.example" if nick == "boss" else "h1.example") for nick in NICKS]
        self.journal = Flaky.open("sqlite://")
        self.choose_settings(CHANNELS)
        self.start(0.0)

    def choose_settings(self, names: Sequence[str]) -> None:
        pick = self.random.choice
        keys = ", ".join(
            f'"{name}": {{rules: {pick(["hasbro", "yardzee", "hosted"])}, pace: {pick(["free", "lockstep"])},'
            f" house: {{seats: {pick([0] * 9 + [1])}}}, seats: 4, repeat_seconds: 0, prizes: {{door: [a]}}}}"
            for name in names
        )
        self.config = config(f"{{{keys}}}", admins='["*!*@staff.example", Houston]')

    def start(self, at: float) -> None:
        self.inside: set[str] = set()
        self.bench = Bench(self.config, self.journal, start=at)
        self.bench.wire.channels = [channel.name for channel in self.config.networks[0].channels]
        self.hear(chat.Connected(self.bench.wire.nick))
        self.arrive()

    def hear(self, event: LinkEvent) -> None:
        self.bench.desk.hear(event)

    def arrive(self) -> None:
        """Be in the channels that the link was told to be in, and in no others."""
        wanted = set(self.bench.wire.channels)
        for channel in sorted(self.inside ^ wanted):
            self.inside ^= {channel}
            if channel not in wanted:
                self.hear(chat.Parted(User(self.bench.wire.nick), channel))
                continue
            there = [soul.shown() for soul in self.souls if channel in soul.channels]
            self.hear(chat.Names(channel, (self.bench.wire.nick, *(user.nick for user in there))))
            self.hear(chat.Present(channel, tuple(there)))

    def step(self) -> None:
        pick, soul = self.random.random(), self.random.choice(self.souls)
        self.journal.locked &= self.random.random() < 0.7
        if pick < 0.86:
            self.speak(soul)
        elif pick < 0.90:
            self.bench.pass_(self.random.choice([0.1, 1, 5, 31, 121, 1 if self.journal.locked else 3601]))
        elif pick < 0.96:
            self.move(soul)
        elif pick < 0.97:
            self.journal.locked = True
        elif pick < 0.98:
            self.journal.lies = True
        elif not self.journal.locked:
            self.journal.lies = False
            self.move_host()
        if self.random.random() < 0.2:
            self.arrive()
        if self.random.random() < 0.05:
            self.refuse()

    def speak(self, soul: Soul) -> None:
        pick, channel, text = (
            self.random.choice,
            self.random.choice(CHANNELS),
            self.random.choice(LOOKS + WORDS),
        )
        playing = [k for k in self.bench.desk.keepers if k.table.phase is Phase.PLAYING and k.table.waiting]
        kind = self.random.random()
        if kind < 0.5 and playing:
            keeper = pick(playing)
            seat, channel = pick(keeper.table.waiting), keeper.channel
            soul = next((one for one in self.souls if one.nick == keeper.table.seats[seat].nick), soul)
            options = keeper.table.play.cards[seat].options(keeper.table.play.turns[seat].cup)
            text = "score " + pick(list(options)).value.replace("_", " ")
        elif kind > 0.75:
            soul, text = self.souls[NICKS.index("boss")] if kind > 0.8 else soul, self.hosting()
        if kind % 0.1 < 0.02:
            named = pick(["", f"{channel} ", "practice "])
            self.hear(chat.Message(soul.shown(), HOST, named + text, private=True))
        elif channel in self.inside & soul.channels:
            self.hear(chat.Message(soul.shown(), channel, f"!{text}", private=False))

    def hosting(self) -> str:
        pick = self.random.choice
        who, points = (
            pick([*NICKS, "ghost", "*!*@h2.example", "boss!*@h1.example"]),
            pick([0, 50, 25, 12, 10**8]),
        )
        bans = [ban.name for ban in self.journal.bans("local")] or ["x"]
        tokens = [t.split("return ")[1][:10] for _, t, _ in self.bench.wire.sent if "return token" in t] or [
            "x"
        ]
        tables = [k.table for k in self.bench.desk.keepers if k.table.match]
        used = [
            f"amend {seat.nick} {box.value.replace('_', ' ')} {pick(table.rules.possible_points(box))}"
            for table in tables
            for seat, card in zip(table.seats, table.play.cards, strict=True)
            for box in (*card.boxes, *(box for box in [Category.YAHTZEE] * 9 if box in card.boxes))
        ] or [f"amend {who} fours {points}"]
        rare = pick(
            [f"ban {who}", f"remove {who}", "stop", "pause", f"say {who}", f"amend {who} yz {points} x"]
        )
        amend = f"{pick(used)} {pick(REASONS)}"
        return pick([amend, amend, amend, f"unban {pick(bans)}", f"return {pick(tokens)}", "resume", rare])

    def refuse(self) -> None:
        """The server gives something back, or has another nick for the host."""
        if self.random.random() < 0.2:
            old, self.bench.wire.nick = self.bench.wire.nick, self.random.choice([HOST, "Guest1", "Guest2"])
            self.hear(chat.NickChanged(User(old), self.bench.wire.nick))
            return
        numeric = self.random.choice([401, 404, 407, 408, 439, 477, 486, 531, 707, 716, 717])
        target = self.random.choice([*NICKS, *CHANNELS, ""])
        wait = self.random.choice([None, 1.0, 40.0, 10.0**6])
        self.hear(chat.Refused(numeric, target, "to alice (+b)", wait))

    def move(self, soul: Soul) -> None:
        before, seen, channel = soul.shown(), soul.channels & self.inside, self.random.choice(CHANNELS)
        match self.random.choice(["join"] * 6 + ["part", "quit", "split", "nick", "host", "account"]):
            case "join":
                soul.channels = set(CHANNELS)
                for name in sorted(self.inside):
                    self.hear(chat.Joined(before, name))
                return
            case "part":
                soul.channels.discard(channel)
                event: LinkEvent = chat.Parted(before, channel)
                seen &= {channel}
            case "quit" | "split" as how:
                soul.channels.clear()
                event = chat.Quit(before, "a.b c.d", netsplit=how == "split")
            case "nick":
                taken = {one.nick for one in self.souls}
                soul.nick = next(
                    (nick for nick in (*NICKS, f"n{len(before.nick)}") if nick not in taken), soul.nick
                )
                event = chat.NickChanged(before, soul.nick)
            case "host":
                soul.host = self.random.choice(["h1.example", "h2.example"])
                event = chat.HostChanged(before, soul.shown())
            case _:
                soul.account = self.random.choice([None, "Acc", "Houston"])
                event = chat.AccountChanged(before, soul.account)
        if seen:
            self.hear(event)

    def move_host(self) -> None:
        """Killed and started; kicked; off the network; or by another configuration."""
        channel = self.random.choice(CHANNELS)
        match self.random.choice(["kill", "kick", "reload", "lost"]):
            case "kill":
                self.start(self.bench.clock.now())
            case "kick" if channel in self.inside:
                self.inside.discard(channel)
                self.hear(chat.Kicked(self.bench.wire.nick, channel, "x", ""))
            case "lost":
                self.inside.clear()
                self.hear(chat.Disconnected("x"))
                self.bench.pass_(100)
                self.hear(chat.Connected(self.bench.wire.nick))
            case "reload":
                self.choose_settings(self.random.choice([CHANNELS, CHANNELS[:1]]))
                new = self.bench.desk.configure(self.config.networks[0])
                for history in [h for h in self.journal.last_results() if h.file.channel in new]:
                    self.bench.desk.recall(history)
                for history in [h for h in self.journal.unfinished() if h.file.channel in new]:
                    self.bench.desk.restore(history)
