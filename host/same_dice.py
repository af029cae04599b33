"""What players made of dice that were the same for all, against each other and against perfect play."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

from game.category import ROUNDS
from game.dice import Dice
from game.fair import DiceMode, FairDice
from game.match import ROLLS
from game.scorecard import Scorecard
from host.announcements import OnSameDice, SameDiceRow
from host.table import Table
from host.views import standings
from solver.advice import Hold, Turn
from solver.values import Values


def asked_for(table: Table) -> bool:
    """Whether a finished game was one to compare."""
    return table.settings.dice is DiceMode.SAME and bool(table.seed)


def perfect_total(values: Values, table: Table) -> int:
    """The total of perfect play on the dice of a game whose seed is told. Takes a tenth of a second."""
    words = tuple(seat.word for seat in table.seats)
    dice = FairDice(table.game, bytes.fromhex(table.seed), words, table.settings.dice)
    card = Scorecard(table.rules)
    for number in range(1, ROUNDS + 1):
        card = _played(Turn.of(values, card), [dice.fall(0, number, roll + 1) for roll in range(ROLLS)])
    return card.total


def _played(turn: Turn, falls: Sequence[Dice]) -> Scorecard:
    """The card after a round of perfect play, where the dice of each roll are known."""
    dice, *others = falls
    for left, fall in zip((2, 1), others, strict=True):
        best = turn.advice(dice, left).best
        if not isinstance(best, Hold):
            break
        dice = dice.rolled(dice.find(best.kept), fall)
    return turn.card.score(dice, turn.advice(dice, 0).boxes[0].category)


def compared(table: Table, perfect: int | None) -> OnSameDice:
    """How far each was ahead of the mean of the others, and of perfect play where that is known."""
    placings = [placing for placing, _ in standings(table)]
    rows = []
    for row in placings:
        others = [other.total for other in placings if other is not row]
        field = row.total - fmean(others) if others else None
        rows.append(SameDiceRow(row.nick, field, None if perfect is None else row.total - perfect))
    return OnSameDice(tuple(rows), perfect)
