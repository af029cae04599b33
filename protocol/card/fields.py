"""Lines that programs read: a mark, a kind, and `key=value` fields, parted by single spaces.

`ycp dice g=k3v9x1 r=3 k=1 d=44231`. All is printable ASCII, but for nicks and channels, which are as the
network has them; a list has commas, and an empty one is `-`. A message is a frozen dataclass whose fields say
with `Annotated` which key they have and how they are written.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import MISSING, dataclass, fields
from decimal import Decimal
from enum import Enum
from functools import cache
from typing import Any, ClassVar, Final, Generic, TypeVar, get_args, get_type_hints

from game.category import Category
from game.dice import POSITIONS, Dice, Positions
from protocol.boxes import CODES
from protocol.commands import LETTERS

MARK: Final = "ycp"
"""The first word of every line, which no typed command begins with."""

LONGEST: Final = 360
"""Bytes that a line has at most, so that the prefix a server adds never makes it too long.

Of 512 that takes 150: nicks of 30 bytes at both ends, a user name of 10 with its `~`, and a host of 63.
"""

_WORD: Final = re.compile(r"[^\x00-\x20\x7f]+")
_TAG: Final = re.compile(r"[!-~]{1,32}")
_NUMBER: Final = re.compile(r"[0-9]{1,9}")
_DECIMAL: Final = re.compile(r"-?[0-9]{1,9}\.[0-9]{2}")
_NOTHING: Final = "-"
_HOLD: Final = "hold"
_SCORE: Final = "score"
_BOXES: Final[Mapping[str, Category]] = {codes[0]: category for category, codes in CODES.items()}

Play = Positions | Category
"""What can be made of dice: to keep those in these places and roll the others, or to fill a box."""

T = TypeVar("T")
E = TypeVar("E", bound=Enum)


class BadLine(ValueError):
    """A line for programs that is none: the key that is wrong, and what is possible there."""

    def __init__(self, kind: str, key: str, problem: str) -> None:
        super().__init__(f"{kind}: {key}: {problem}")
        self.kind, self.key, self.problem = kind, key, problem


@dataclass(frozen=True, slots=True)
class Form(Generic[T]):
    """How the value of a field is written and read; `read` raises ValueError with what is possible."""

    write: Callable[[T], str]
    read: Callable[[str], T]


@dataclass(frozen=True, slots=True)
class Key:
    """The name of a field in a line, and how its value is written there."""

    name: str
    form: Form[Any]


@dataclass(frozen=True, slots=True)
class Message:
    """What a line says. Fields at their defaults are left out of it."""

    KIND: ClassVar[str]


M = TypeVar("M", bound=Message)


def _keys(kind: type[Message]) -> tuple[tuple[str, Key, Any], ...]:
    """The fields of a message: name, key, and default or MISSING."""
    return _keys_of(kind)  # type: ignore[arg-type] # mypy takes the hash of its values for its own


@cache
def _keys_of(kind: type[Message]) -> tuple[tuple[str, Key, Any], ...]:
    hints = get_type_hints(kind, include_extras=True)
    return tuple((one.name, get_args(hints[one.name])[-1], one.default) for one in fields(kind))


def write(message: Message) -> str:
    """The line of a message."""
    words = [MARK, message.KIND]
    for name, key, default in _keys(type(message)):
        value = getattr(message, name)
        if value != default:
            words.append(f"{key.name}={key.form.write(value)}")
    return " ".join(words)


def is_line(text: str) -> bool:
    """Whether a text is a line for programs, of whatever kind."""
    return parts(text) is not None


def parts(line: str) -> tuple[str, Mapping[str, str]] | None:
    """The kind of a line and the text of its fields; None when it is no line for programs.

    Of a key that comes twice the first counts, and a word without `=` says nothing.
    """
    mark, *words = line.split(" ")
    words = [word for word in words if word]
    if mark.lower() != MARK or not words:
        return None
    found: dict[str, str] = {}
    for word in words[1:]:
        key, separator, value = word.partition("=")
        if separator:
            found.setdefault(key.lower(), value)
    return words[0].lower(), found


def fill(kind: type[M], found: Mapping[str, str]) -> M:
    """The message of this kind with these fields; keys that it does not have are passed over.

    Raises BadLine for a field that is missing or makes no sense.
    """
    values = {}
    for name, key, default in _keys(kind):
        if key.name in found:
            try:
                values[name] = key.form.read(found[key.name])
            except ValueError as error:
                raise BadLine(kind.KIND, key.name, str(error)) from error
        elif default is MISSING:
            raise BadLine(kind.KIND, key.name, "is missing")
    return kind(**values)


def _read_word(text: str) -> str:
    if not _WORD.fullmatch(text):
        raise ValueError("a word without spaces is possible")
    return text


def _read_tag(text: str) -> str:
    if not _TAG.fullmatch(text):
        raise ValueError("a word of 1 to 32 printable ASCII characters is possible")
    return text


def _read_number(text: str) -> int:
    if not _NUMBER.fullmatch(text):
        raise ValueError("a number is possible")
    return int(text)


def _read_decimal(text: str) -> Decimal:
    if not _DECIMAL.fullmatch(text):
        raise ValueError("a number with two digits behind the point is possible")
    return Decimal(text)


def _read_dice(text: str) -> Dice:
    if not re.fullmatch(r"[1-6]{5}", text):
        raise ValueError("five faces from 1 to 6 are possible, as in 44231")
    return Dice(tuple(map(int, text)))


def _read_places(text: str) -> Positions:
    letters = "" if text == _NOTHING else text
    if not text or len(set(letters)) != len(letters) or not set(letters) <= set(LETTERS):
        raise ValueError("letters from a to e are possible, each once, and - for none")
    return frozenset(LETTERS.index(letter) for letter in letters)


def _write_places(places: Positions) -> str:
    return "".join(LETTERS[place] for place in POSITIONS if place in places) or _NOTHING


def _read_box(text: str) -> Category:
    if text not in _BOXES:
        raise ValueError(f"possible are {' '.join(_BOXES)}")
    return _BOXES[text]


def _write_box(category: Category) -> str:
    return CODES[category][0]


def _read_points(text: str) -> tuple[Category, int]:
    box, _, points = text.partition(":")
    return _read_box(box), _read_number(points)


def _read_play(text: str) -> Play:
    what, _, which = text.partition(":")
    if what not in _PLAYS:
        raise ValueError("hold:PLACES and score:BOX are possible")
    return _PLAYS[what](which)


def _write_play(play: Play) -> str:
    if isinstance(play, Category):
        return f"{_SCORE}:{_write_box(play)}"
    return f"{_HOLD}:{_write_places(play)}"


def choice(kind: type[E], other: E | None = None) -> Form[E]:
    """One of the words that are the values of an enumeration; `other` is what all other words mean."""

    def read(text: str) -> E:
        try:
            return kind(text)
        except ValueError:
            if other is not None:
                return other
            raise ValueError(f"possible are {' '.join(member.value for member in kind)}") from None

    return Form(lambda member: str(member.value), read)


def listed(form: Form[T]) -> Form[tuple[T, ...]]:
    """Several values with commas between them."""

    def read(text: str) -> tuple[T, ...]:
        return () if text == _NOTHING else tuple(map(form.read, text.split(",")))

    return Form(lambda values: ",".join(map(form.write, values)) or _NOTHING, read)


WORD: Final = Form(str, _read_word)
TAG: Final = Form(str, _read_tag)
"""A word that comes from the other end and may be shown, so that it must be harmless."""

NUMBER: Final = Form(str, _read_number)
DECIMAL: Final[Form[Decimal]] = Form("{:.2f}".format, _read_decimal)
DICE: Final[Form[Dice]] = Form(lambda dice: "".join(map(str, dice.faces)), _read_dice)
PLACES: Final = Form(_write_places, _read_places)
BOX: Final = Form(_write_box, _read_box)
_PLAYS: Final[Mapping[str, Callable[[str], Play]]] = {_HOLD: _read_places, _SCORE: _read_box}
PLAY: Final = Form(_write_play, _read_play)
"""As the commands for it are called: `hold:abd` or `score:fh`."""

POINTS: Final[Form[tuple[Category, int]]] = Form(
    lambda pair: f"{_write_box(pair[0])}:{pair[1]}", _read_points
)
WORDS: Final = listed(WORD)
NUMBERS: Final = listed(NUMBER)
BOXES: Final = listed(POINTS)
"""Boxes with points, as in `fh:25,ch:17`."""
