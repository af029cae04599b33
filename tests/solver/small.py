"""A game of two dice and three boxes with all that the great one has, small enough for exact fractions."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solver.lattice import lattice
from solver.tables import FORBIDDEN, Scores
from tests.solver.brute import Brute, Card, Dice

BOXES = ["sixes", "pair", "chance"]
"""An upper box, one in the place of Yahtzee, and one that takes everything."""


@dataclass(frozen=True)
class Small:
    """The rules: what boxes bring, and what a further pair may do."""

    bonus: int = 35
    bonus_at: int = 12
    extra: int = 100
    forced: bool = True
    """A further pair of sixes goes into their box."""

    joker: int = 30
    """What a further pair brings in the chance box."""

    def options(self, dice: Dice, card: Card) -> dict[str, int]:
        pair = dice[0] == dice[1]
        pays = {"sixes": 6 * dice.count(6), "pair": 20 if pair else 0, "chance": sum(dice)}
        if pair and "pair" in card:
            pays["chance"] = self.joker
            if dice[0] == 6 and "sixes" not in card and self.forced:
                return {"sixes": 12}
        return {box: points for box, points in pays.items() if box not in card}

    def further(self, dice: Dice, card: Card) -> int:
        return self.extra if dice[0] == dice[1] and card.get("pair") == 20 else 0

    def end(self, card: Card) -> int:
        return self.bonus if card["sixes"] >= self.bonus_at else 0

    def brute(self) -> Brute:
        return Brute(
            2,
            self.options,
            self.further,
            self.end,
            len(BOXES),
            lambda card: tuple(sorted(card.items())),
            Fraction,
        )

    def scores(self) -> Scores:
        keeps = lattice(2)
        rolls = keeps.keeps[keeps.rolls]
        points = np.array([self._row(roll, {}) for roll in rolls])
        pairs = [number for number, roll in enumerate(rolls) if roll[0] == roll[1]]
        return Scores(
            lattice=keeps,
            points=points,
            grades=tuple(np.unique(column, return_inverse=True) for column in points.T),
            further_rolls=np.array(pairs),
            further=lambda used, fifty: np.array(
                [self._row(rolls[pair], card_of(used, fifty)) for pair in pairs]
            ),
            extra=self.extra,
            upper=(True, False, False),
            yahtzee=1,
            bonus=self.bonus,
            bonus_at=self.bonus_at,
            key=f"{self.bonus}-{self.bonus_at}-{self.extra}-{self.forced}-{self.joker}",
        )

    def _row(self, roll: Dice, card: Card) -> list[int]:
        options = self.options(roll, card)
        return [options.get(box, FORBIDDEN) for box in BOXES]


def card_of(used: int, fifty: int, sixes: int = 0) -> Card:
    """A card of a state of the solver."""
    points = {"sixes": sixes, "pair": 20 * fifty, "chance": 7}
    return {box: points[box] for number, box in enumerate(BOXES) if used >> number & 1}
