"""Perfect play by plain recursion over cards, rolls and holds: slow, literal, and without `solver` or numpy.

The rules come as functions in the manner of `tests.game.oracle`: a card is a dict of the used boxes and their
points.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from itertools import combinations, product
from typing import Any

Dice = tuple[int, ...]
Card = dict[str, int]
Number = Any
"""Fraction, or float for speed."""


@cache
def falls(dice: int) -> Mapping[Dice, int]:
    """The ways in which so many dice may lie, sorted, and how many of 6**dice are each."""
    return Counter(tuple(sorted(roll)) for roll in product(range(1, 7), repeat=dice))


@cache
def parts(roll: Dice) -> frozenset[Dice]:
    """All that may be kept of a roll."""
    return frozenset(part for size in range(len(roll) + 1) for part in combinations(roll, size))


@cache
def outcomes(kept: Dice, dice: int) -> tuple[tuple[Dice, int], ...]:
    """The rolls that may come of the kept dice, and in how many ways each."""
    rest = dice - len(kept)
    return tuple((tuple(sorted(kept + fall)), ways) for fall, ways in falls(rest).items())


@dataclass
class Brute:
    """Perfect play of one game; all numbers are made by `number`."""

    dice: int
    options: Callable[[Dice, Card], Mapping[str, int]]
    extra: Callable[[Dice, Card], int]
    end: Callable[[Card], int]
    """What a full card brings on top of its boxes."""

    boxes: int
    state: Callable[[Card], object]
    """What of a card matters for what is to come."""

    number: Callable[[int], Number]
    seen: dict[object, Number] = field(default_factory=dict)

    def value(self, card: Card) -> Number:
        """What is to come before the first roll of a turn."""
        if len(card) == self.boxes:
            return self.number(self.end(card))
        state = self.state(card)
        if state not in self.seen:
            self.seen[state] = self.kept(card, 3)[()]
        return self.seen[state]

    def kept(self, card: Card, rolls_left: int) -> dict[Dice, Number]:
        """What every keep is worth while so many rolls are left, 1 to 3."""
        if rolls_left == 1:
            worth = {roll: self.scored(roll, card) for roll in falls(self.dice)}
        else:
            later = self.kept(card, rolls_left - 1)
            worth = {roll: max(later[part] for part in parts(roll)) for roll in falls(self.dice)}
        return {
            kept: sum(
                (worth[roll] * self.number(ways) for roll, ways in outcomes(kept, self.dice)), self.number(0)
            )
            / self.number(6 ** (self.dice - len(kept)))
            for kept in {part for roll in falls(self.dice) for part in parts(roll)}
        }

    def scored(self, roll: Dice, card: Card) -> Number:
        """The best box for a roll."""
        return max(
            self.number(points + self.extra(roll, card)) + self.value({**card, box: points})
            for box, points in self.options(roll, card).items()
        )
