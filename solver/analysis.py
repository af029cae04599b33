"""A finished game, looked at afterwards: the luck of each roll, and the points lost by each decision.

The luck of a roll is what the dice are worth in perfect play, less what was to be expected before they fell.
A decision loses what the best choice was worth, less what the choice made is. Therefore

    total = value of an empty card + all luck - all that was lost

and this holds exactly, with == on 64-bit floats: all numbers are multiples of `values.GRAIN`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from game.category import ROUNDS, Category
from game.dice import Dice, Positions
from game.match import ROLLS
from game.rules import RuleSet
from game.scorecard import Scorecard
from solver.advice import Choice, Turn
from solver.values import Values


@dataclass(frozen=True, slots=True)
class Played:
    """One turn of a player, as the record of the game has it."""

    dice: tuple[Dice, ...]
    """As they lay after each roll."""

    kept: tuple[Positions, ...]
    """What stayed where it was in the second roll, and in the third."""

    category: Category


@dataclass(frozen=True, slots=True)
class Fall:
    """A roll of the dice, and what it brought beyond what was to be expected."""

    round: int
    roll: int
    dice: Dice
    luck: float


@dataclass(frozen=True, slots=True)
class Decision:
    """What was done with the dice of a roll, and what was best."""

    round: int
    roll: int
    dice: Dice
    made: Choice
    best: Choice

    @property
    def lost(self) -> float:
        return self.best.worth - self.made.worth


@dataclass(frozen=True, slots=True)
class Analysis:
    """A game of one player."""

    start: float
    """The value of an empty card."""

    total: int
    falls: tuple[Fall, ...]
    decisions: tuple[Decision, ...]

    @property
    def luck(self) -> float:
        return sum(fall.luck for fall in self.falls)

    @property
    def lost(self) -> float:
        return sum(decision.lost for decision in self.decisions)

    def costliest(self, most: int) -> list[Decision]:
        """The decisions that lost most, at most so many, and none that lost nothing."""
        lost = [decision for decision in self.decisions if decision.lost > 0]
        return sorted(lost, key=lambda decision: -decision.lost)[:most]


def analyse(values: Values, rules: RuleSet, game: Sequence[Played]) -> Analysis:
    """Look at the 13 turns of a player; `values` are those of the rules.

    Raises ValueError for a record that no game leaves: another number of turns or rolls, kept dice that
    changed, a box (a GameError then) that could not be chosen.
    """
    if len(game) != ROUNDS:
        raise ValueError(f"{ROUNDS} turns are needed, not {len(game)}")
    card = Scorecard(rules)
    falls: list[Fall] = []
    decisions: list[Decision] = []
    for number, played in enumerate(game, 1):
        _verify(number, played)
        card_after = card.score(played.dice[-1], played.category)
        turn = Turn.of(values, card)
        expected = turn.before
        for roll, dice in enumerate(played.dice, 1):
            advice = turn.advice(dice, ROLLS - roll)
            kept = played.kept[roll - 1 : roll]
            made: Choice = advice.hold(dice.at(kept[0])) if kept else advice.box(played.category)
            falls.append(Fall(number, roll, dice, advice.best.worth - expected))
            decisions.append(Decision(number, roll, dice, made, advice.best))
            expected = made.worth
        card = card_after
    return Analysis(values.start, card.total, tuple(falls), tuple(decisions))


def _verify(number: int, played: Played) -> None:
    if not 1 <= len(played.dice) <= ROLLS or len(played.kept) != len(played.dice) - 1:
        raise ValueError(f"round {number}: {len(played.dice)} rolls and {len(played.kept)} holds")
    for kept, before, dice in zip(played.kept, played.dice, played.dice[1:], strict=False):
        if before.at(kept) != dice.at(kept):
            raise ValueError(
                f"round {number}: {sorted(kept)} was kept of {before.faces}, and is not in {dice.faces}"
            )
