"""What is done for a player who does not decide.

At the least the open box that pays most for the dice is scored. Whoever knows better makes another `StandIn`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from game.category import CATEGORIES, Category
from game.dice import Dice, Positions
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


def _stand(card: Scorecard, dice: Dice, rolls_left: int) -> Positions | None:
    return None


@dataclass(frozen=True, slots=True)
class StandIn:
    """Who decides for those who do not. It is asked with a card that has an open box."""

    box: Callable[[Scorecard, Dice], Category] = best_box
    keep: Callable[[Scorecard, Dice, int], Positions | None] = _stand
    """What to keep while so many rolls are left, or None to roll no more."""


NO_MORE_ROLLS: Final = StandIn()
"""Scores the best-paying box for the dice as they lie."""
