"""A game as its channel was told of it, put together from the lines of its host.

This is what players have without the operator: the commitment, the seats with their words, the rounds, the
final table, and in the end the seed with all holds. `protocol.check` works it out once more.
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeVar

from game.category import CATEGORIES, ROUNDS, Category
from game.fair import DiceMode
from game.rules import RULE_SETS, RuleSet
from protocol.boxes import CODES
from protocol.fairness import Commit, Play, Plays, Reveal, Seats
from protocol.tags import Placing
from protocol.typed import visible

_BOXES: Final[Mapping[str, Category]] = {
    name: box
    for box in CATEGORIES
    for name in (*CODES[box], *(rules.label(box) for rules in RULE_SETS.values()))
}
_TITLES: Final[Mapping[str, RuleSet]] = {rules.title: rules for rules in RULE_SETS.values()}
_BOX: Final = "|".join(map(re.escape, sorted(_BOXES, key=len, reverse=True)))
_TITLE: Final = "|".join(map(re.escape, _TITLES))
_POINTS: Final = "[0-9]{1,4}"
_OPENED: Final = re.compile(rf"opens a game of \w+ \(({_TITLE})(, the same dice for all)?\)\.")
_ROUND: Final = re.compile(rf"Round ([0-9]{{1,2}})/{ROUNDS}: ")
_ENTRY: Final = re.compile(rf"(\S+?)\*{{0,2}} ({_BOX}) ({_POINTS})(?:\+{_POINTS})? \(({_POINTS})\)")
_AMENDED: Final = re.compile(rf"\S+ amends (\S+)'s ({_BOX}) from {_POINTS} to ({_POINTS}) \(")
_FINAL: Final = re.compile(r"Final result: ")
_PLACE: Final = re.compile(r"[0-9]+\. ")
_LEAD: Final = re.compile(r"The dice (?:are fixed|can be checked now): $")
_NEAR: Final = 30
"""Lines before the commitment among which the one is that opened the table."""

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Entry:
    """What a round brought a seat, as the channel was told."""

    nick: str
    box: Category
    points: int
    total: int


@dataclass(frozen=True, slots=True)
class Amended:
    """An operator put a box right."""

    nick: str
    box: Category
    points: int


@dataclass(slots=True)
class Round:
    """A round that closed, in the order of the seats."""

    number: int
    entries: list[Entry] = field(default_factory=list)


class Heard:
    """One game: `hear` takes what its host says, line after line."""

    def __init__(self, game: str, rules: RuleSet | None = None, mode: DiceMode = DiceMode.OWN) -> None:
        self.game, self.rules, self.mode = game, rules, mode
        self.commit = self.seed = ""
        self.late = False
        """Whether the commitment was heard only when the game was on."""

        self.seats: dict[int, tuple[str, str]] = {}
        """Nick and word, by the number of the seat from 1."""

        self.plays: dict[int, tuple[Play, ...]] = {}
        self.told: list[Round | Amended] = []
        self.final: dict[str, Placing] = {}
        self.twice = ""
        """What was told in two ways."""

    @property
    def complete(self) -> bool:
        """Whether the seed was told, and what every seat has played."""
        return bool(self.seed and self.seats) and self.seats.keys() == self.plays.keys()

    def hear(self, line: str) -> bool:
        """Take a line of the host; whether dice of this game are checked by it."""
        found = fragment(line)
        if found is None:
            self._hear_play(line)
        if found is None or found.game != self.game:
            return False
        match found:
            case Commit(_, digest):
                self.late = self.late or bool(self.seats and not self.commit)
                self.commit = self._same("commitments", self.commit, digest)
            case Reveal(_, seed):
                self.seed = self._same("seeds", self.seed, seed)
            case Seats(_, seats):
                self._once("holders of seat", self.seats, {one.seat: (one.nick, one.word) for one in seats})
            case Plays(_, seats):
                self._once("accounts of seat", self.plays, {one.seat: one.plays for one in seats})
        return True

    def _same(self, what: str, known: str, told: str) -> str:
        if known not in ("", told):
            self.twice = self.twice or f"two {what}"
        return known or told

    def _once(self, what: str, known: dict[int, T], told: Mapping[int, T]) -> None:
        for seat, one in told.items():
            if known.setdefault(seat, one) != one:
                self.twice = self.twice or f"two {what} {seat}"

    def _hear_play(self, line: str) -> None:
        if amended := _AMENDED.match(line):
            self.told.append(Amended(amended[1], _BOXES[amended[2]], int(amended[3])))
        elif head := _ROUND.match(line):
            self.told.append(Round(int(head[1]), list(_entries(line[head.end() :]))))
        elif _FINAL.match(line):
            self.final = {placing.nick: placing for placing in Placing.find(line)}
        elif self.final and _PLACE.match(line):
            # A long table goes on in further lines.
            self.final |= {placing.nick: placing for placing in Placing.find(line)}
        elif self.told and isinstance(last := self.told[-1], Round) and len(last.entries) < len(self.seats):
            last.entries += _entries(line)


def _entries(text: str) -> Iterator[Entry]:
    for item in text.split(" | "):
        if found := _ENTRY.fullmatch(item):
            yield Entry(found[1], _BOXES[found[2]], int(found[3]), int(found[4]))


def fragment(line: str) -> Commit | Reveal | Seats | Plays | None:
    """What a line holds that dice are checked by, if it does."""
    return Commit.find(line) or Reveal.find(line) or Seats.find(line) or Plays.find(line)


def opening(line: str) -> tuple[RuleSet, DiceMode] | None:
    """What a game is played by, where a line of the host opens one."""
    found = _OPENED.search(line)
    return (_TITLES[found[1]], DiceMode.SAME if found[2] else DiceMode.OWN) if found else None


def games(log: Iterable[str]) -> list[Heard]:
    """The games of which a log of a channel tells, in their order.

    Before what is said, a line may have the time and who said it. Who tells first of a game is its host, and
    nobody else is listened to.
    """
    found: dict[str, Heard] = {}
    latest: dict[_Speaker, Heard] = {}
    near = deque[str](maxlen=_NEAR)
    for line in map(visible, log):
        told = fragment(line)
        if told and told.game not in found:
            speaker = _Speaker.of(line[: line.index(f"game {told.game} ")])
            said_near = filter(None, map(speaker.said, reversed(near)))
            rules, mode = next(filter(None, map(opening, said_near)), (None, DiceMode.OWN))
            latest[speaker] = found[told.game] = Heard(told.game, rules, mode)
        near.append(line)
        for speaker, heard in latest.items():
            if said := speaker.said(line):
                heard.hear(said)
    return list(found.values())


@dataclass(frozen=True, slots=True)
class _Speaker:
    """Who says something in a log: the last of so many words before it."""

    name: str
    words: int

    @classmethod
    def of(cls, before: str) -> _Speaker:
        """Who stands before what is said."""
        words = _LEAD.sub("", before).split()
        return cls(words[-1] if words else "", len(words))

    def said(self, line: str) -> str:
        """What they say in a line; nothing in one of somebody else."""
        *before, said = line.split(" ", self.words)
        mine = len(before) == self.words and before[-1:] == ([self.name] if self.words else [])
        return said if mine else ""
