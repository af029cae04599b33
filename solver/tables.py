"""What each box pays for each roll under a rule set, asked of `game` and laid out for the solver."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import cache, partial
from hashlib import sha256
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.category import CATEGORIES, UPPER, Category
from game.dice import FACES, POSITIONS, Dice
from game.rules import YAHTZEE_POINTS, RuleSet
from game.scorecard import Scorecard
from solver.lattice import Lattice, lattice

Points = NDArray[np.int64]

FORBIDDEN: Final = -1
"""In place of points: the box is used, or the rules for a further Yahtzee do not allow it now."""

FURTHER: Final = tuple(Dice((face,) * len(POSITIONS)) for face in FACES)
"""The rolls that can be a further Yahtzee."""


@dataclass(frozen=True, slots=True, eq=False)
class Scores:
    """All that the solver has to know of a game.

    Boxes are numbered in card order. `used` has bit b set when box b is used; `fifty` is 1 when the Yahtzee
    box holds 50, and else 0.
    """

    lattice: Lattice
    points: Points
    """For each roll and box, what the roll pays there when it is no further Yahtzee."""

    grades: tuple[tuple[Points, NDArray[np.intp]], ...]
    """For each box, the different points that it pays, and for each roll which of them."""

    further_rolls: NDArray[np.intp]
    """The rolls that are Yahtzees."""

    further: Callable[[int, int], Points]
    """For `used` with the Yahtzee box in it, and `fifty`: what each of these rolls pays in each box."""

    extra: int
    """What each of them pays on top while `fifty` is 1."""

    upper: tuple[bool, ...]
    """Whether the points of a box count towards the upper bonus."""

    yahtzee: int
    """The number of the Yahtzee box."""

    bonus: int
    bonus_at: int
    """The upper bonus, and the upper total that brings it."""

    key: str
    """Equal for games with equal values; part of a file's name."""

    @property
    def boxes(self) -> int:
        return len(self.upper)

    def open(self, used: int) -> list[int]:
        return [box for box in range(self.boxes) if not used >> box & 1]

    def fifties(self, used: int) -> range:
        """The values that `fifty` may have."""
        return range(1 + (used >> self.yahtzee & 1))


@cache
def scores(rules: RuleSet) -> Scores:
    """The scores of a rule set with five dice and thirteen boxes."""
    keeps = lattice(len(POSITIONS))
    empty = Scorecard(rules)
    points = np.array([_row(empty, Dice(faces)) for faces in keeps.keeps[keeps.rolls]])
    first = keeps.rolls.start
    further_rolls = np.array([keeps.index[dice.faces] - first for dice in FURTHER])
    further = partial(_further, rules)
    return Scores(
        lattice=keeps,
        points=points,
        grades=tuple(np.unique(column, return_inverse=True) for column in points.T),
        further_rolls=further_rolls,
        further=further,
        extra=Scorecard(rules, {Category.YAHTZEE: YAHTZEE_POINTS}).bonus(FURTHER[0]),
        upper=tuple(category in UPPER for category in CATEGORIES),
        yahtzee=CATEGORIES.index(Category.YAHTZEE),
        bonus=rules.upper_bonus,
        bonus_at=rules.upper_bonus_at,
        key=_key(rules, points, further),
    )


def used_boxes(card: Scorecard) -> int:
    """The boxes of the card as bits."""
    return sum(1 << box for box, category in enumerate(CATEGORIES) if category in card.boxes)


def holds_fifty(card: Scorecard) -> int:
    return int(card.boxes.get(Category.YAHTZEE) == YAHTZEE_POINTS)


def _row(card: Scorecard, dice: Dice) -> list[int]:
    options = card.options(dice)
    return [options.get(category, FORBIDDEN) for category in CATEGORIES]


def _further(rules: RuleSet, used: int, fifty: int) -> Points:
    boxes = {category: 0 for box, category in enumerate(CATEGORIES) if used >> box & 1}
    card = Scorecard(rules, boxes | {Category.YAHTZEE: YAHTZEE_POINTS * fifty})
    return np.array([_row(card, dice) for dice in FURTHER])


def _key(rules: RuleSet, points: Points, further: Callable[[int, int], Points]) -> str:
    """A digest of the rule set's numbers and of what it does with them, without its words.

    To ask for all that a further Yahtzee may do would take a second. Cards with at most two open boxes show
    every rule that there is, and the numbers and flags stand for themselves.
    """
    numbers = [getattr(rules, field.name) for field in fields(rules) if field.type in ("int", "bool")]
    digest = sha256(repr(numbers).encode())
    digest.update(points.astype("<i8").tobytes())
    full = (1 << len(CATEGORIES)) - 1
    others = [1 << box for box, category in enumerate(CATEGORIES) if category is not Category.YAHTZEE]
    for left in range(3):
        for free in combinations(others, left):
            for fifty in range(2):
                digest.update(further(full - sum(free), fifty).astype("<i8").tobytes())
    return digest.hexdigest()[:32]
