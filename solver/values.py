"""The exact value of every state: what perfect play is worth from there on.

A state is (`used`, `fifty`, `total`), the index of the table:

- `used`: bit b is set when box b, in card order, is used: 0 to 8191.
- `fifty`: 1 when the Yahtzee box holds 50; 0 when it holds 0 or is open.
- `total`: the points of the upper boxes, 0 to 63; 63 stands for more as well.

The value is the expected number of points still to come, the upper bonus and further Yahtzees included. The
upper bonus comes with the last box. Totals that the used boxes cannot add up to are left out, and are
not-a-number in the table.

A state leads to states with one box more. So the layers, by the number of used boxes, are worked out from the
last to the first, thousands of states of a layer side by side.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.match import ROLLS
from game.scorecard import Scorecard
from solver.lattice import Reals
from solver.tables import FORBIDDEN, Points, Scores, holds_fifty, used_boxes

WIDTH: Final = 2048
"""States side by side: enough that numpy's calls do not count, few enough for the processor's cache."""

GRAIN: Final = 2.0**-30
"""Values are whole multiples of it, so that their sums and differences are exact in 64-bit floats."""

Progress = Callable[[int, int], object]
"""Told how many states are done, and of how many. What it raises ends the work; nothing is left behind."""


def shape(scores: Scores) -> tuple[int, int, int]:
    """The shape of the table."""
    return 1 << scores.boxes, 2, scores.bonus_at + 1


@dataclass(frozen=True, slots=True, eq=False)
class Values:
    """The values of all states of a game."""

    scores: Scores
    table: Reals
    """By `used`, `fifty` and `total`."""

    @property
    def start(self) -> float:
        """The value of an empty card."""
        return float(self.table[0, 0, 0])

    def to_come(self, card: Scorecard) -> float:
        """The points that perfect play is still worth; the upper bonus is among them, even if it is certain.

        Raises ValueError when the upper boxes cannot hold what they do.
        """
        total = min(card.upper_total, self.scores.bonus_at)
        value = float(self.table[used_boxes(card), holds_fifty(card), total])
        if np.isnan(value):
            raise ValueError(f"no game leads to an upper total of {card.upper_total} in these boxes")
        return value


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """The states that differ in nothing but the upper total."""

    used: int
    fifty: int
    totals: NDArray[np.intp]


def grained(values: Reals) -> Reals:
    """The nearest multiples of GRAIN."""
    return np.round(values / GRAIN) * GRAIN


def solve(scores: Scores, progress: Progress | None = None, start: int = 0) -> Values:
    """Work out all states in which at least the boxes of `start` are used.

    Takes seconds, and a core. It shares nothing, so that it may run in any thread or process.
    """
    table = np.full(shape(scores), np.nan)
    table[-1] = 0
    table[-1, :, scores.bonus_at :] = scores.bonus
    values = Values(scores, table)
    layers = _layers(scores, start)
    states = sum(group.totals.size for layer in layers for group in layer)
    done = 0
    for layer in layers:
        for block in _blocks(layer):
            *_, work = stages(values, block)
            for group, columns in _columns(block):
                table[group.used, group.fifty, group.totals] = grained(work[0, columns])
            done += work.shape[1]
            if progress:
                progress(done, states)
    return values


def scored(values: Values, group: Group) -> Reals:
    """For each roll and each state of the group, what the roll is worth when it is scored in the best box."""
    scores = values.scores
    boxes = scores.open(group.used)
    best = np.full((len(scores.points), group.totals.size), -np.inf)
    for box in boxes:
        points, which = scores.grades[box]
        np.maximum(best, after(values, group, box, points[:, np.newaxis])[which], out=best)
    if group.used >> scores.yahtzee & 1:
        further = scores.further(group.used, group.fifty)
        worth = [after(values, group, box, further[:, box, np.newaxis]) for box in boxes]
        best[scores.further_rolls] = np.max(worth, axis=0) + scores.extra * group.fifty
    return best


def after(values: Values, group: Group, box: int, points: Points) -> Reals:
    """These points in the box, and what is to come then, for each state; minus infinity where forbidden.

    `points` are for one state each, or with one more axis for all of them.
    """
    scores = values.scores
    fifty = np.where(points > 0, 1, 0) if box == scores.yahtzee else group.fifty
    counted = np.maximum(points, 0) if scores.upper[box] else 0
    total = np.minimum(group.totals + counted, scores.bonus_at)
    worth = points + values.table[group.used | 1 << box, fifty, total]
    return np.where(points == FORBIDDEN, -np.inf, worth)


def stages(values: Values, block: Sequence[Group]) -> Iterator[Reals]:
    """What each keep is worth in each state while 1, 2, 3 rolls are left.

    With 3 rolls left row 0 is the value of the states. It is one array, which the next stage is made in.
    """
    lattice = values.scores.lattice
    work = np.empty((len(lattice.keeps), sum(group.totals.size for group in block)))
    for group, columns in _columns(block):
        work[lattice.rolls, columns] = scored(values, group)
    for stage in range(ROLLS):
        if stage:
            lattice.choose(work)
        lattice.expect(work)
        yield work


def _layers(scores: Scores, start: int) -> list[list[Group]]:
    """The groups by how many boxes are used, the most first; full cards are left out."""
    totals = _totals(scores)
    layers: list[list[Group]] = [[] for _ in range(scores.boxes)]
    for used in range((1 << scores.boxes) - 1):
        if used & start == start:
            layers[used.bit_count()] += [Group(used, fifty, totals(used)) for fifty in scores.fifties(used)]
    return layers[::-1]


def _totals(scores: Scores) -> Callable[[int], NDArray[np.intp]]:
    """The upper totals that used boxes can add up to, in ascending order."""

    @cache
    def of(used: int) -> NDArray[np.intp]:
        if not used:
            return np.zeros(1, np.intp)
        box = used.bit_length() - 1
        points = scores.grades[box][0] if scores.upper[box] else np.zeros(1, np.intp)
        sums = of(used - (1 << box))[:, np.newaxis] + points
        return np.unique(np.minimum(sums, scores.bonus_at))

    return of


def _blocks(groups: Sequence[Group]) -> Iterator[list[Group]]:
    """The groups in blocks of about WIDTH states."""
    block: list[Group] = []
    width = 0
    for group in groups:
        block.append(group)
        width += group.totals.size
        if width >= WIDTH:
            yield block
            block, width = [], 0
    if block:
        yield block


def _columns(block: Sequence[Group]) -> Iterator[tuple[Group, slice]]:
    """Each group with its place among the states of the block."""
    column = 0
    for group in block:
        yield group, slice(column, column + group.totals.size)
        column += group.totals.size
