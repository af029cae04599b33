"""What is scored for a player who does not decide: the open box that pays most for the dice."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from game.category import CATEGORIES, Category
from game.dice import Dice
from game.scorecard import Scorecard

_MEANS: Final = (1.88, 5.28, 8.57, 12.16, 15.69, 19.19, 21.66, 13.10, 22.59, 29.46, 32.71, 16.87, 22.01)
MEAN_POINTS: Final[Mapping[Category, float]] = MappingProxyType(dict(zip(CATEGORIES, _MEANS, strict=True)))
"""What each box brings on average in optimal solitaire play (T. Verhoeff, "Optimal Solitaire Yahtzee")."""


def best_first(options: Mapping[Category, int]) -> list[tuple[Category, int]]:
    """Boxes with their points, the most first; of equal ones the box that is worth least on average."""
    return sorted(options.items(), key=lambda option: (-option[1], MEAN_POINTS[option[0]]))


def best_box(card: Scorecard, dice: Dice) -> Category:
    """The first of `best_first`. The card must have an open box."""
    return best_first(card.options(dice))[0][0]
