"""A game as its channel was told of it, put together from the lines of its host.

This is what players have without the operator: the commitment, the seats with their words, the rounds, the
final table, and in the end the seed with all holds. `protocol.check` works it out once more.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
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
_OPENED: Final = re.compile(rf"(?<!\S)\S+ opens a game of \w+ \(({_TITLE})(, the same dice for all)?\)\.")
_BEGAN: Final = re.compile(r"The game begins: ")
_ROUND: Final = re.compile(rf"Round ([0-9]{{1,2}})/{ROUNDS}: ")
_ENTRY: Final = re.compile(rf"(\S+?)\*{{0,2}} ({_BOX}) ({_POINTS})(?:\+{_POINTS})? \(({_POINTS})\)")
_AMENDED: Final = re.compile(rf"\S+ amends (\S+)'s ({_BOX}) from {_POINTS} to ({_POINTS}) \(")
_FINAL: Final = re.compile(r"Final result: ")
_PLACE: Final = re.compile(r"[0-9]+\. ")
_LEAD: Final = re.compile(r"The dice (?:are fixed|can be checked now): $")
_MODES: Final = re.compile(r"(?<=^[<(\[])[~&@%+!]+|^[~&@%+!]+")
"""What clients show before the nick of who is somebody in the channel."""

_PADDED: Final = re.compile(r"(?<!\S)< (?=[^\s>]+>)")
"""Where irssi shows that somebody is nobody."""

_MOST_WORDS: Final = 8
"""Before what is said in a log."""

_Speaker = tuple[int, str]
"""Who says something in a log: the last of so many words before it."""

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
        self.opened = rules is not None
        """Whether all was heard that the channel was told since the table opened."""

        self.commit = self.seed = ""
        self.began = self.late = self.words_late = False
        """Whether the beginning was heard; and whether the commitment came only behind it, or a word only
        behind a round."""

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
                self.late = self.late or (not self.commit and self._on)
                self.commit = self._same("commitments", self.commit, digest)
            case Reveal(_, seed):
                self.seed = self._same("seeds", self.seed, seed)
            case Seats(_, seats):
                new = any(one.seat not in self.seats for one in seats)
                self.words_late = self.words_late or (new and self._played)
                self._once("holders of seat", self.seats, {one.seat: (one.nick, one.word) for one in seats})
            case Plays(_, seats):
                self._once("accounts of seat", self.plays, {one.seat: one.plays for one in seats})
        return True

    @property
    def _on(self) -> bool:
        return bool(self.began or self.seats or self._played)

    @property
    def _played(self) -> bool:
        return bool(self.told or self.final or self.seed)

    def _same(self, what: str, known: str, told: str) -> str:
        if known not in ("", told):
            self.twice = self.twice or f"two {what}"
        return known or told

    def _once(self, what: str, known: dict[int, T], told: Mapping[int, T]) -> None:
        for seat, one in told.items():
            if known.setdefault(seat, one) != one:
                self.twice = self.twice or f"two {what} {seat}"

    def _hear_play(self, line: str) -> None:
        if _BEGAN.match(line):
            self.began = True
        elif amended := _AMENDED.match(line):
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


def games(log: Iterable[str]) -> list[Heard]:
    """The games of which a log of a channel tells, in their order.

    Before what is said, a line may have the time and who said it. Who tells first of a game is its host, and
    nobody else is listened to.
    """
    found: dict[str, Heard] = {}
    spoken_of: dict[tuple[_Speaker, str], Heard] = {}
    """By host and game; without a game its latest, which it may not have named yet."""

    for line in (_PADDED.sub("<", visible(line), count=1) for line in log):
        told = fragment(line)
        if opened := _OPENED.search(line):
            mode = DiceMode.SAME if opened[2] else DiceMode.OWN
            spoken_of[_before(line[: opened.start()]), ""] = Heard("", _TITLES[opened[1]], mode)
        if told and told.game not in found:
            host = _before(line[: line.index(f"game {told.game} ")])
            heard = spoken_of.get((host, ""))
            if heard is None or heard.game:
                heard = Heard("")
            heard.game = told.game
            found[told.game] = spoken_of[host, told.game] = spoken_of[host, ""] = heard
        before = line.split(" ", _MOST_WORDS + 1)[:-1]
        for words in range(len(before) + 1):
            if one := spoken_of.get((_speaker(before[:words]), told.game if told else "")):
                one.hear(line.split(" ", words)[-1])
    return list(found.values())


def _before(said: str) -> _Speaker:
    """Who stands before what is said."""
    return _speaker(_LEAD.sub("", said).split())


def _speaker(before: Sequence[str]) -> _Speaker:
    return len(before), _MODES.sub("", before[-1]) if before else ""
