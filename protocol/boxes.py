"""The names that players have for boxes."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Final

from game.category import CATEGORIES, Category
from protocol.errors import AmbiguousBox, MissingBox, UnknownBox

# The first code is the canonical short form.
CODES: Final[Mapping[Category, tuple[str, ...]]] = {
    Category.ACES: ("ac", "1s"),
    Category.TWOS: ("tw", "2s"),
    Category.THREES: ("th", "3s"),
    Category.FOURS: ("fo", "4s"),
    Category.FIVES: ("fi", "5s"),
    Category.SIXES: ("si", "6s"),
    Category.THREE_OF_A_KIND: ("3k", "tk"),
    Category.FOUR_OF_A_KIND: ("4k", "fk"),
    Category.FULL_HOUSE: ("fh",),
    Category.SMALL_STRAIGHT: ("ss", "lo"),
    Category.LARGE_STRAIGHT: ("ls", "hi"),
    Category.YAHTZEE: ("yz", "yh"),
    Category.CHANCE: ("ch",),
}

# Names that may be shortened. The first one is canonical. Little words ("of", "a") are left out.
NAMES: Final[Mapping[Category, tuple[str, ...]]] = {
    Category.ACES: ("aces", "ones"),
    Category.TWOS: ("twos",),
    Category.THREES: ("threes",),
    Category.FOURS: ("fours",),
    Category.FIVES: ("fives",),
    Category.SIXES: ("sixes",),
    Category.THREE_OF_A_KIND: ("three kind", "3 kind"),
    Category.FOUR_OF_A_KIND: ("four kind", "4 kind"),
    Category.FULL_HOUSE: ("full house",),
    Category.SMALL_STRAIGHT: ("small straight", "low straight", "short straight"),
    Category.LARGE_STRAIGHT: ("large straight", "high straight", "long straight", "big straight"),
    Category.YAHTZEE: ("yahtzee", "yardzee", "yatzee", "yatzy"),
    Category.CHANCE: ("chance",),
}

# Names that count only in full: shortened, they would throw doubt on others ("five" is Fives).
_ONLY_IN_FULL: Final[Mapping[str, Category]] = {
    "five kind": Category.YAHTZEE,
    "5 kind": Category.YAHTZEE,
    "sm straight": Category.SMALL_STRAIGHT,
    "sm str": Category.SMALL_STRAIGHT,
    "lg straight": Category.LARGE_STRAIGHT,
    "lg str": Category.LARGE_STRAIGHT,
    "deuces": Category.TWOS,
    "deuce": Category.TWOS,
    "3oak": Category.THREE_OF_A_KIND,
    "4oak": Category.FOUR_OF_A_KIND,
    "3ofakind": Category.THREE_OF_A_KIND,
    "4ofakind": Category.FOUR_OF_A_KIND,
    "threeofakind": Category.THREE_OF_A_KIND,
    "fourofakind": Category.FOUR_OF_A_KIND,
}

_LITTLE_WORDS: Final = frozenset({"of", "a", "the", "in", "as", "my", "box"})


def name(category: Category) -> str:
    """The canonical typed name of a box."""
    return category.value.replace("_", " ")


def in_full(words: Sequence[str]) -> Category | None:
    """The box that the words name by a code or in full, or None."""
    return _IN_FULL.get("".join(_significant(words)))


def fitting(words: Sequence[str]) -> tuple[Category, ...]:
    """All boxes that the words name or shorten, in card order."""
    exact = in_full(words)
    if exact:
        return (exact,)
    said = _significant(words)
    return tuple(c for c in CATEGORIES if any(_shortens(said, box.split()) for box in NAMES[c] + CODES[c]))


def find(words: Sequence[str]) -> Category:
    """The box that the words mean.

    Raises MissingBox, UnknownBox or AmbiguousBox.
    """
    if not words:
        raise MissingBox
    found = fitting(words)
    said = " ".join(words)
    if not found:
        close = difflib.get_close_matches(said, [name(category) for category in CATEGORIES], n=2)
        raise UnknownBox(said, tuple(close))
    if len(found) > 1:
        raise AmbiguousBox(said, found)
    return found[0]


def _significant(words: Sequence[str]) -> list[str]:
    return [word for word in words if word not in _LITTLE_WORDS] or list(words)


def _shortens(said: Sequence[str], box: Sequence[str]) -> bool:
    """Whether the words begin words of the box's name in the same order, or run together begin it."""
    if "".join(box).startswith("".join(said)):
        return True
    rest = iter(box)
    return all(any(word.startswith(part) for word in rest) for part in said)


_IN_FULL: Final[Mapping[str, Category]] = {
    "".join(_significant(text.split())): category
    for category in CATEGORIES
    for text in (*CODES[category], *NAMES[category], name(category))
} | {"".join(text.split()): category for text, category in _ONLY_IN_FULL.items()}
