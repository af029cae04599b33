"""One decision: what each hold and each box is worth, best first.

Worth is the expected number of points still to come in perfect play from there on, with this turn's.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass
from itertools import accumulate, islice
from math import exp
from typing import TypeVar

import numpy as np

from game.category import CATEGORIES, Category
from game.dice import POSITIONS, Dice
from game.match import ROLLS
from game.scorecard import Scorecard
from solver.lattice import Keep, Reals
from solver.tables import holds_fifty, used_boxes
from solver.values import Group, Values, after, grained, stages


@dataclass(frozen=True, slots=True)
class Hold:
    """To keep these faces, in ascending order, and to roll the other dice."""

    kept: Keep
    worth: float


@dataclass(frozen=True, slots=True)
class Box:
    """To score now, for these points and what a further Yahtzee pays on top."""

    category: Category
    points: int
    worth: float


Choice = Hold | Box
C = TypeVar("C", Hold, Box)


@dataclass(frozen=True, slots=True)
class Advice:
    """All that may be done with some dice. Of equal worth, more dice kept come first."""

    holds: tuple[Hold, ...]
    """None after the third roll."""

    boxes: tuple[Box, ...]

    @property
    def best(self) -> Choice:
        """To score, when no hold is worth more."""
        box, holds = self.boxes[0], self.holds
        return holds[0] if holds and holds[0].worth > box.worth else box

    def chosen(self, temperature: float, chance: float) -> Choice:
        """A choice by what it loses against the best one, in points: as likely as exp(-lost / temperature).

        To score at all is one choice like each hold, and loses what its best box does; of the boxes one is
        chosen likewise. All five dice are never rolled on to no end. `chance` is from 0 to 1, and decides.
        """
        if not temperature:
            return self.best
        best, box = self.best.worth, self.boxes[0].worth
        holds = [hold for hold in self.holds if len(hold.kept) < len(POSITIONS)]
        likely = [exp((hold.worth - best) / temperature) for hold in holds]
        boxes = [exp((other.worth - box) / temperature) for other in self.boxes]
        scoring = exp((box - best) / temperature) / sum(boxes)
        reached = list(accumulate([*likely, *(scoring * share for share in boxes)]))
        found = bisect_right(reached, chance * reached[-1])
        choices: list[Choice] = [*holds, *self.boxes]
        return choices[min(found, len(choices) - 1)]

    def hold(self, kept: Keep) -> Hold:
        return next(hold for hold in self.holds if hold.kept == tuple(sorted(kept)))

    def box(self, category: Category) -> Box:
        return next(box for box in self.boxes if box.category is category)


@dataclass(frozen=True, slots=True, eq=False)
class Turn:
    """What one turn is worth at every point, for a card with an open box."""

    values: Values
    card: Scorecard
    before: float
    """Before the first roll."""

    kept: tuple[Reals, ...]
    """For 1, 2 rolls left: what each keep is worth, held before the next of these."""

    @classmethod
    def of(cls, values: Values, card: Scorecard) -> Turn:
        """Takes milliseconds. Raises ValueError as `Values.to_come` does."""
        before = values.to_come(card)
        kept = (grained(work[:, 0]) for work in islice(stages(values, [_group(values, card)]), ROLLS - 1))
        return cls(values, card, before, tuple(kept))

    def advice(self, dice: Dice, rolls_left: int) -> Advice:
        """What may be done with the dice while so many rolls are left, 0 to 2."""
        return Advice(self._holds(dice, rolls_left) if rolls_left else (), self._boxes(dice))

    def _holds(self, dice: Dice, rolls_left: int) -> tuple[Hold, ...]:
        lattice, worth = self.values.scores.lattice, self.kept[rolls_left - 1]
        roll = lattice.index[tuple(sorted(dice.faces))] - lattice.rolls.start
        parts = sorted(set(lattice.parts[roll].tolist()), reverse=True)
        return _best_first(Hold(lattice.keeps[part], float(worth[part])) for part in parts)

    def _boxes(self, dice: Dice) -> tuple[Box, ...]:
        group, extra = _group(self.values, self.card), self.card.bonus(dice)
        boxes = []
        for category, points in self.card.options(dice).items():
            worth = after(self.values, group, CATEGORIES.index(category), np.array([points]))
            boxes.append(Box(category, points, float(worth[0]) + extra))
        return _best_first(boxes)


def advise(values: Values, card: Scorecard, dice: Dice, rolls_left: int) -> Advice:
    """What may be done with the dice while so many rolls are left, 0 to 2.

    Takes milliseconds. Raises ValueError as `Values.to_come` does.
    """
    return Turn.of(values, card).advice(dice, rolls_left)


def _group(values: Values, card: Scorecard) -> Group:
    total = min(card.upper_total, values.scores.bonus_at)
    return Group(used_boxes(card), holds_fifty(card), np.array([total]))


def _best_first(choices: Iterable[C]) -> tuple[C, ...]:
    return tuple(sorted(choices, key=lambda choice: -choice.worth))
