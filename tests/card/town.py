"""A small host on a wire in memory. It speaks the language of cards, and plays by `game.match`."""

from __future__ import annotations

import asyncio
import random
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from card.dialogue import Dialogue
from card.notes import Note, Tone
from card.ports import Memory
from chat.casemap import fold
from chat.events import Connected, Disconnected, Joined, LinkEvent, Message, Names, Present, Quit, User
from game.dice import Dice
from game.errors import AlreadyScored, BoxForbidden, BoxUsed, NoRollLeft
from game.match import (
    Chose,
    Held,
    Match,
    Pace,
    Rolled,
    RoundBegan,
    RoundEnded,
    Scored,
    places,
)
from game.rules import HASBRO, RuleSet
from protocol.card import commands, fields, news
from protocol.card.keys import By, Clock, Code, Entry, Exit, Phase

CHANNEL = "#yardzee"
HOST = "Hoster"
ME = "alice"
TOKEN = "k7m2xq9abd"
ROUND_SECONDS = 120


class FakeTime:
    """A clock that goes when it is told to."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def falls(seed: int) -> Iterator[Dice]:
    """Dice without end."""
    chance = random.Random(seed)
    while True:
        yield Dice(tuple(chance.randint(1, 6) for _ in range(5)))


class Town:
    """A channel with a host, the player's dialogue, and others who score their first roll at once."""

    def __init__(
        self,
        *,
        rules: RuleSet = HASBRO,
        pace: Pace = Pace.FREE,
        others: tuple[str, ...] = ("bob",),
        dice: Iterator[Dice] | None = None,
        memory: Memory | None = None,
        trusted: str = "",
        host: User | None = None,
        live: bool = False,
    ) -> None:
        self.clock = FakeTime()
        self.rules, self.pace = rules, pace
        self.nicks = (ME, *others)
        self.dice = dice or falls(7)
        self.host = host or User(HOST, "~yardzee", "host.example.net")
        self.live = live
        """Whether lines come by themselves on the running loop, and not with `deliver`."""

        self.nick = ME
        self.sent: list[tuple[str, str]] = []
        self.notes: list[Note] = []
        self.remembered: list[Memory] = []
        self.deaf = False
        """Whether the host hears nothing."""

        self.here = self.away = False
        """Whether it is in the channel, and whether the player's seat waits for its token."""

        self.hasty = True
        """Whether the others score as soon as they have dice."""

        self.knows_card = False
        self.game = ""
        self.match = Match.of(rules, pace, len(self.nicks))
        self.wrote: Entry | None = None
        self._on_the_way: deque[LinkEvent] = deque()
        self.dialogue = Dialogue(self, CHANNEL, self.clock, memory, trusted)
        self.listen()

    def listen(self) -> None:
        """Note what the dialogue tells, where no app does."""
        self.dialogue.listener = replace(
            self.dialogue.listener, note=self.notes.append, remember=self.remembered.append
        )

    # --- the wire ---

    def fold(self, name: str) -> str:
        return fold(name)

    def is_me(self, nick: str) -> bool:
        return fold(nick) == fold(self.nick)

    def send(self, target: str, text: str) -> None:
        assert not set(text) & set("\r\n\0")
        self.sent.append((target, text))
        if self.here and not self.deaf and fold(target) in (fold(self.host.nick), fold(CHANNEL)):
            self._hear(target, text)

    def tell(self, event: LinkEvent) -> None:
        """Let something happen on the network."""
        self._on_the_way.append(event)
        if self.live:
            asyncio.get_running_loop().call_soon(self.deliver)
        else:
            self.deliver()

    def deliver(self) -> None:
        while self._on_the_way:
            self.dialogue.hear(self._on_the_way.popleft())

    def say(self, text: str, who: User | None = None) -> None:
        """A private line to the player, from the host if from nobody else."""
        self.tell(Message(who or self.host, self.nick, text, private=True))

    def tell_all(self, text: str, who: User | None = None) -> None:
        self.tell(Message(who or self.host, CHANNEL, text, private=False))

    def post(self, line: news.News) -> None:
        text = fields.write(line)
        assert len(text.encode()) <= fields.LONGEST
        self.say(text)

    # --- what happens ---

    def connect(self, *, here: bool = True) -> None:
        """The card comes into the channel, where the host is or is not."""
        self.here = here
        self.tell(Connected(self.nick))
        there = [self.host] if here else []
        self.tell(Names(CHANNEL, (self.nick, *(user.nick for user in there))))
        self.tell(Present(CHANNEL, tuple(there)))

    def cut(self) -> None:
        """The card's connection is lost; the host sees it go."""
        self.knows_card = False
        self.tell(Disconnected("Connection reset by peer"))

    def restart(self) -> None:
        """The host goes and comes back, and knows of games but of no card."""
        self.knows_card = False
        self.go()
        self.come()

    def go(self) -> None:
        """The host leaves the network."""
        self.here = False
        self.tell(Quit(self.host, "restart"))

    def come(self) -> None:
        """The host comes into the channel."""
        self.here = True
        self.tell(Joined(self.host, CHANNEL))

    def settle(self) -> None:
        """Let a moment go by in which a person sees what is new."""
        self.clock.now += 5
        self.dialogue.tick()

    def begin(self) -> None:
        """The lobby becomes a game."""
        self.settle()
        self.match = Match.of(self.rules, self.pace, len(self.nicks))
        rest = (self.rules.key, self.pace.value, ROUND_SECONDS, 1, len(self.nicks), self.nicks)
        self.post(news.Began(self.game, CHANNEL, *rest))
        self.tell_all(f"The game begins: {', '.join(self.nicks)}.")
        self._open_round()
        self.settle()

    def seat(self) -> None:
        """Connect, find the host, take a seat, and begin."""
        self.connect()
        self.settle()
        self.dialogue.play.register()
        self.begin()

    def let_others_score(self) -> None:
        for seat in self.match.pending():
            if seat:
                self._score(seat)
        self._go_on()

    # --- the host ---

    def _hear(self, target: str, text: str) -> None:
        command = commands.read(text)
        if isinstance(command, commands.Hello):
            self.knows_card = True
            self.post(news.Greeting(command.version, command.lines, "yardzee/0"))
        elif fold(target) == fold(CHANNEL):
            return
        elif command is None:
            if text.endswith(" start"):
                self.begin()
            elif text == f"return {TOKEN}" and self.away:
                self.game = "game"
        elif not self.knows_card:
            self.say("I do not know that card.")
        elif isinstance(command, commands.AskState):
            self.tell_state()
        elif isinstance(command, commands.Register):
            self.game = f"game{len(self.sent)}"
            self._seated(Phase.LOBBY, TOKEN)
        elif isinstance(command, commands.Hold | commands.Score):
            self._decided(command)

    def _decided(self, command: commands.Hold | commands.Score) -> None:
        code = self._verify(command)
        if code:
            self.post(news.Refused(code, command.KIND, command.game))
            self._show()
            return
        if isinstance(command, commands.Hold):
            self._after(Held(0, command.keep))
        else:
            self._after(Chose(0, command.box))
        if self.pace is Pace.LOCKSTEP and self.match.undecided():
            keep = command.keep if isinstance(command, commands.Hold) else None
            box = command.box if isinstance(command, commands.Score) else None
            self.post(news.Accepted(command.game, command.round, command.roll, keep, box, self._awaited()))
        self._go_on()

    def _verify(self, command: commands.Hold | commands.Score) -> Code | None:
        turn = self.match.turns[0]
        if command.game != self.game:
            return Code.GAME
        if turn.entry:
            return Code.SCORED
        if (command.round, command.roll) != (self.match.round, turn.roll):
            return Code.LATE
        try:
            if isinstance(command, commands.Hold):
                self.match.verify_hold(0)
            else:
                self.match.verify_choice(0, command.box)
        except NoRollLeft:
            return Code.ROLLS
        except AlreadyScored:
            return Code.SCORED
        except BoxUsed:
            return Code.USED
        except BoxForbidden:
            return Code.FORBIDDEN
        return None

    def _go_on(self) -> None:
        for seat, kept in self.match.rolls_due().items():
            turn = self.match.turns[seat]
            dice = turn.cup.rolled(kept, next(self.dice)) if turn.dice else next(self.dice)
            self._after(Rolled(seat, turn.roll + 1, kept, dice))
            if seat == 0:
                self._show()
        if self.hasty and any(seat for seat in self.match.pending()):
            self.let_others_score()
            return
        for seat in self.match.entries_due():
            self._write(seat)
        if self.match.round_closes():
            for seat, turn in enumerate(self.match.turns):
                if not turn.entry:
                    self._write(seat)
            self._close()
        elif self.match.turns[0].entry and self.wrote:
            self.post(news.Scored(self.game, self.match.round, self.wrote, self._awaited()))

    def _score(self, seat: int) -> None:
        self._after(Chose(seat, self.match.entry(seat).category))

    def _write(self, seat: int) -> None:
        before = self.match.cards[seat].total
        entry = self.match.entry(seat)
        self._after(entry)
        if seat == 0:
            total = self.match.cards[0].total
            by = By.HOST if entry.by_host else By.PLAYER
            self.wrote = Entry(entry.category, entry.points, total - before - entry.points, total, by)

    def _close(self) -> None:
        parts = [
            f"{nick} {self.rules.label(turn.entry.category)} {turn.entry.points} ({card.total})"
            for nick, turn, card in zip(self.nicks, self.match.turns, self.match.cards, strict=True)
            if turn.entry
        ]
        self.tell_all(f"Round {self.match.round}/13: {' | '.join(parts)}")
        self._after(RoundEnded(self.match.round))
        if not self.match.over:
            self._open_round()
            return
        totals = self._totals()
        self.post(news.Result(self.game, places(totals)[0], totals, self.wrote))

    def _open_round(self) -> None:
        self._after(RoundBegan(self.match.round + 1))
        self._go_on()
        self.wrote = None

    def _after(self, event: RoundBegan | Held | Rolled | Chose | Scored | RoundEnded) -> None:
        self.match = self.match.after(event)

    def _awaited(self) -> tuple[int, ...]:
        return tuple(seat + 1 for seat in self.match.undecided() if seat)

    def _totals(self) -> tuple[int, ...]:
        return tuple(card.total for card in self.match.cards)

    def _seated(self, phase: Phase, token: str = "") -> None:
        rest = (self.rules.key, self.pace.value, ROUND_SECONDS, 1, len(self.nicks), ROUND_SECONDS)
        self.post(news.Seated(self.game, CHANNEL, phase, *rest, self.nicks, token))

    def _show(self) -> None:
        """The player's dice, or that their round is scored."""
        turn, card = self.match.turns[0], self.match.cards[0]
        if turn.entry and self.wrote:
            self.post(news.Scored(self.game, self.match.round, self.wrote, self._awaited()))
            return
        pays = tuple(card.options(turn.cup).items())
        self.post(
            news.Rolled(
                self.game,
                self.match.round,
                turn.roll,
                turn.cup,
                ROUND_SECONDS,
                pays,
                card.bonus(turn.cup),
                turn.hold,
                turn.choice,
                self._awaited(),
                self._totals() if turn.roll == 1 else (),
                self.wrote if turn.roll == 1 else None,
            )
        )

    def tell_state(self) -> None:
        """All that there is to know."""
        if not self.game:
            self.post(news.End(0))
            return
        if not self.match.round:
            self._seated(Phase.LOBBY)
        else:
            self._seated(Phase.PLAYING)
            card = self.match.cards[0]
            used = tuple(card.boxes.items())
            self.post(news.Card(self.game, used, card.upper_bonus, card.yahtzee_bonus, card.total))
            self.post(news.Standings(self.game, self.match.round, self._totals()))
            self._show()
        self.post(news.End(1))

    def stop_clock(self, clock: Clock) -> None:
        self.post(news.Time(self.game, 57, clock))

    def drop(self, why: Exit) -> None:
        self.post(news.Gone(self.game, why))

    # --- what tests ask ---

    def said(self, tone: Tone) -> list[str]:
        return [note.text for note in self.notes if note.tone is tone]

    def asked(self, kind: str) -> list[commands.Command]:
        """Commands of a kind that the card sent."""
        read = [commands.read(text) for _, text in self.sent]
        return [command for command in read if command is not None and kind == command.KIND]


def seated(**how: Any) -> Town:
    """A town in which the player sits in a game and has dice."""
    town = Town(**how)
    town.seat()
    return town


def wait(town: Town, seconds: float) -> None:
    """Let time go by, and the card do what is due."""
    town.clock.now += seconds
    town.dialogue.tick()
