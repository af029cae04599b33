"""The thirteen boxes of a scorecard."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Category(Enum):
    """A box; the value is its key in files and in JSON."""

    ACES = "aces"
    TWOS = "twos"
    THREES = "threes"
    FOURS = "fours"
    FIVES = "fives"
    SIXES = "sixes"
    THREE_OF_A_KIND = "three_of_a_kind"
    FOUR_OF_A_KIND = "four_of_a_kind"
    FULL_HOUSE = "full_house"
    SMALL_STRAIGHT = "small_straight"
    LARGE_STRAIGHT = "large_straight"
    YAHTZEE = "yahtzee"
    CHANCE = "chance"


CATEGORIES: Final = tuple(Category)
UPPER: Final = CATEGORIES[:6]
LOWER: Final = CATEGORIES[6:]
ROUNDS: Final = len(CATEGORIES)


def upper_box(face: int) -> Category:
    """The upper box of a face from 1 to 6."""
    return UPPER[face - 1]
