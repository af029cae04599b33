"""The record of a game that is over, with all that its dice and totals are checked by (docs/fairness.md).

Seats, rounds and rolls count from 1; before the first round it is 0. Times are UTC, and never go back.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final, TypeVar

from game.category import ROUNDS, Category
from game.dice import Dice, Positions
from game.fair import DiceMode
from game.match import Pace
from game.rules import RULE_SETS
from protocol.card import fields
from protocol.fairness import GAME_ID, WORD
from protocol.shape import BadRecord, Form, Json, Leaf, Many, OneOf, Shape, parsed

VERSION: Final = 1
_LARGEST: Final = 9_999
_MOST_SEATS: Final = 50
_TIME: Final = r"[0-9]{4}-[01][0-9]-[0-3][0-9]T[0-2][0-9]:[0-5][0-9]:[0-5][0-9]\.[0-9]{3}Z"


class Ending(Enum):
    """How a game ended."""

    FINISHED = "finished"
    STOPPED = "stopped"
    """Without a result."""


@dataclass(frozen=True, slots=True)
class Seat:
    """Who sat there when the game began, and the word that they added to the dice."""

    nick: str
    word: str
    house: bool
    """A player of the host's."""


@dataclass(frozen=True, slots=True)
class Roll:
    """Dice fell; those that were kept stayed where they were."""

    time: str
    round: int
    seat: int
    roll: int
    kept: Positions
    dice: Dice


@dataclass(frozen=True, slots=True)
class Score:
    """Dice were written into a box; `total` is that of the card then."""

    time: str
    round: int
    seat: int
    box: Category
    points: int
    bonus: int
    """For a further Yahtzee."""

    total: int
    by_host: bool
    """The host chose the box, since its player did not."""


@dataclass(frozen=True, slots=True)
class Amendment:
    """What is in a box was put right by an operator."""

    time: str
    round: int
    seat: int
    box: Category
    was: int
    points: int
    total: int
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class NewNick:
    """The player of a seat was called otherwise from then on."""

    time: str
    round: int
    seat: int
    nick: str


@dataclass(frozen=True, slots=True)
class HintTaken:
    """A player had a hint, for the first time in the game."""

    time: str
    round: int
    seat: int


Entry = Roll | Score | Amendment | NewNick | HintTaken


@dataclass(frozen=True, slots=True)
class Result:
    """What became of a seat."""

    nick: str
    boxes: tuple[int, ...]
    """In the order of the card."""

    upper_bonus: int
    yahtzee_bonus: int
    total: int
    place: int
    hinted: bool


@dataclass(frozen=True, slots=True)
class Record:
    """A whole game. `results` are of the seats in their order, and none of a game that was stopped."""

    record: int
    game: str
    rules: str
    pace: Pace
    dice: DiceMode
    commit: str
    seed: str
    opened: str
    began: str
    ended: str
    ending: Ending
    seats: tuple[Seat, ...]
    log: tuple[Entry, ...]
    results: tuple[Result, ...]
    digest: str = ""
    """SHA-256, in hex, of all else as JSON: in ASCII, without spaces, keys in the order of the alphabet."""

    @property
    def own_digest(self) -> str:
        """What the digest must be."""
        data = _RECORD.write(self)
        del data["digest"]
        text = json.dumps(data, sort_keys=True, separators=(",", ":"), ensure_ascii=True)
        return hashlib.sha256(text.encode("ascii")).hexdigest()

    def sealed(self) -> Record:
        """The record with its digest."""
        return replace(self, digest=self.own_digest)


E = TypeVar("E", bound=Enum)
V = TypeVar("V")


def _text(pattern: str, possible: str) -> Leaf[str]:
    def parse(text: str) -> str:
        if not re.fullmatch(pattern, text):
            raise ValueError(f"{possible} is possible")
        return text

    return Leaf(str, str, parse, possible)


def _number(least: int, most: int = _LARGEST) -> Leaf[int]:
    possible = f"a number from {least} to {most}"

    def parse(number: int) -> int:
        if not least <= number <= most:
            raise ValueError(f"{possible} is possible")
        return number

    return Leaf(int, int, parse, possible)


def _choice(kind: type[E]) -> Leaf[E]:
    possible = " or ".join(str(one.value) for one in kind)

    def parse(text: str) -> E:
        try:
            return kind(text)
        except ValueError:
            raise ValueError(f"{possible} is possible") from None

    return Leaf(str, lambda one: str(one.value), parse, possible)


def _as_in_lines(form: fields.Form[V], possible: str) -> Leaf[V]:
    """Written as in lines for programs, and in no other way that these can be read."""

    def parse(text: str) -> V:
        value = form.read(text)
        if form.write(value) != text:
            raise ValueError(f"{possible} is possible")
        return value

    return Leaf(str, form.write, parse, possible)


def _told(text: str) -> str:
    try:
        text.encode()
    except UnicodeEncodeError:
        raise ValueError("half a character stands there") from None
    return text


_SEAT: Final = _number(1, _MOST_SEATS)
_ROUND: Final = _number(0, ROUNDS)
_POINTS: Final = _number(0)
_HEX: Final = _text(r"[0-9a-f]{64}", "64 hex digits")
_AT: Final = _text(_TIME, "a time as 2026-01-31T23:59:59.000Z")
_ANY: Final = Leaf(str, str, _told, "a text")
_YES: Final[Leaf[bool]] = Leaf(bool, bool, bool, "true or false")
_BOX: Final = _as_in_lines(fields.BOX, "a box")
_DICE: Final = _as_in_lines(fields.DICE, "five faces")
_PLACES: Final = _as_in_lines(fields.PLACES, "letters from a to e in their order, or -,")
_WHEN: Final[Mapping[str, Form[object]]] = {"time": _AT, "round": _ROUND, "seat": _SEAT}

_LOG: Final = OneOf(
    "what",
    {
        "roll": Shape(Roll, {**_WHEN, "roll": _number(1, 3), "kept": _PLACES, "dice": _DICE}),
        "score": Shape(
            Score,
            {**_WHEN, "box": _BOX, "points": _POINTS, "bonus": _POINTS, "total": _POINTS, "by_host": _YES},
        ),
        "amendment": Shape(
            Amendment,
            {
                **_WHEN,
                "box": _BOX,
                "was": _POINTS,
                "points": _POINTS,
                "total": _POINTS,
                "by": _ANY,
                "reason": _ANY,
            },
        ),
        "nick": Shape(NewNick, {**_WHEN, "nick": _ANY}),
        "hint": Shape(HintTaken, _WHEN),
    },
)
_RESULT: Final = Shape(
    Result,
    {
        "nick": _ANY,
        "boxes": Many(_POINTS),
        "upper_bonus": _POINTS,
        "yahtzee_bonus": _POINTS,
        "total": _POINTS,
        "place": _SEAT,
        "hinted": _YES,
    },
)
_RECORD: Final = Shape(
    Record,
    {
        "record": _number(VERSION, VERSION),
        "game": _text(GAME_ID, "6 to 16 small letters and digits"),
        "rules": _text("|".join(RULE_SETS), f"one of {' '.join(RULE_SETS)}"),
        "pace": _choice(Pace),
        "dice": _choice(DiceMode),
        "commit": _HEX,
        "seed": _HEX,
        "opened": _AT,
        "began": _AT,
        "ended": _AT,
        "ending": _choice(Ending),
        "seats": Many(Shape(Seat, {"nick": _ANY, "word": _text(WORD, "a word"), "house": _YES}), _MOST_SEATS),
        "log": Many(_LOG),
        "results": Many(_RESULT),
        "digest": _HEX,
    },
)


def written(record: Record) -> str:
    """The record as JSON, an entry of its lists in each line."""
    parts = (f"{_short(key)}: {_spread(value)}" for key, value in _RECORD.write(record).items())
    return "{\n" + ",\n".join(parts) + "\n}\n"


def read(data: bytes) -> Record:
    """The record that a file holds.

    Raises BadRecord.
    """
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadRecord("", f"byte {error.start} is not UTF-8") from None
    return _RECORD.read(parsed(text), "")


def _spread(value: Json) -> str:
    if not isinstance(value, list) or not value:
        return _short(value)
    return "[\n" + ",\n".join(f"  {_short(one)}" for one in value) + "\n]"


_short: Final[Callable[[Json], str]] = json.JSONEncoder(ensure_ascii=False).encode
