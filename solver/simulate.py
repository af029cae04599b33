"""Games by the thousand, side by side: perfect ones, and ones with errors."""

from __future__ import annotations

from itertools import islice, pairwise

import numpy as np
from numpy.typing import NDArray

from game.dice import FACES
from game.match import ROLLS
from solver.lattice import Lattice, Reals
from solver.values import WIDTH, Group, Values, after, stages

Ints = NDArray[np.int64]


def simulate(values: Values, games: int, chance: np.random.Generator, temperature: float = 0.0) -> Ints:
    """The totals of so many games from an empty card.

    Every decision is the best one, or made as `Advice.chosen` does with a temperature. 100,000 games take
    seconds, and with a temperature three times as long.
    """
    state = np.zeros(games, np.int64)
    points = np.zeros(games, np.int64)
    for _ in range(values.scores.boxes):
        order = np.argsort(state)
        first = np.flatnonzero(np.diff(state[order], prepend=-1))  # of each state
        for some in np.split(order, first[WIDTH::WIDTH]):
            state[some], paid = _round(values, state[some], chance, temperature)
            points[some] += paid
    scores = values.scores
    return points + np.where(state % (scores.bonus_at + 1) == scores.bonus_at, scores.bonus, 0)


def _round(values: Values, state: Ints, chance: np.random.Generator, temperature: float) -> tuple[Ints, Ints]:
    """One round of games in the order of their states: the states after it, and what was paid.

    A state is its place in the table of values.
    """
    lattice = values.scores.lattice
    found, columns = np.unique(state, return_inverse=True)
    block = _groups(values, found)
    kept = [work.copy() for work in islice(stages(values, block), ROLLS - 1)]
    dice = _rolled(lattice, np.zeros(state.size, np.intp), chance)
    done = np.zeros(state.size, np.bool_)  # who keeps all the dice is to score, and rolls no more
    for worth in reversed(kept):
        parts = lattice.parts[dice - lattice.rolls.start]
        places = parts, columns[:, np.newaxis]
        gains = np.where(parts < lattice.rolls.start, worth[places], kept[0][places])
        gains[:, 1:][parts[:, 1:] == parts[:, :-1]] = -np.inf  # what only fills the rows
        best = _chosen(gains, chance, temperature)
        keep = np.where(done, dice, parts[np.arange(state.size), best])
        done |= keep == dice
        dice = _rolled(lattice, keep, chance)
    groups = _groups(values, state)
    ends = np.cumsum([group.totals.size for group in groups])[:-1]
    rolls = np.split(dice - lattice.rolls.start, ends)
    scored = [
        _scored(values, group, some, chance, temperature) for group, some in zip(groups, rolls, strict=True)
    ]
    return np.concatenate([after for after, _ in scored]), np.concatenate([paid for _, paid in scored])


def _chosen(worth: Reals, chance: np.random.Generator, temperature: float) -> NDArray[np.intp]:
    """A column for each row: the best, or one as likely as exp(worth / temperature).

    The largest of numbers with Gumbel noise is drawn with just these odds.
    """
    if temperature:
        worth = worth + chance.gumbel(scale=temperature, size=worth.shape)
    best: NDArray[np.intp] = worth.argmax(axis=1)
    return best


def _groups(values: Values, state: Ints) -> list[Group]:
    used, fifty, totals = np.unravel_index(state, values.table.shape)
    cuts = np.flatnonzero(np.diff(2 * used + fifty)) + 1
    return [
        Group(int(used[start]), int(fifty[start]), totals[start:end])
        for start, end in pairwise([0, *cuts.tolist(), state.size])
    ]


def _rolled(lattice: Lattice, keep: NDArray[np.intp], chance: np.random.Generator) -> NDArray[np.intp]:
    """The dice once those that are not kept have fallen."""
    keep = keep.copy()
    while (short := np.flatnonzero(keep < lattice.rolls.start)).size:
        keep[short] = lattice.plus[keep[short], chance.integers(len(FACES), size=short.size)]
    return keep


def _scored(
    values: Values,
    group: Group,
    rolls: NDArray[np.intp],
    chance: np.random.Generator,
    temperature: float,
) -> tuple[Ints, Ints]:
    """A box for each roll: the state after it, and what was paid."""
    scores = values.scores
    points, extra = scores.points.copy(), np.zeros(len(scores.points), np.int64)
    if group.used >> scores.yahtzee & 1:
        points[scores.further_rolls] = scores.further(group.used, group.fifty)
        extra[scores.further_rolls] = scores.extra * group.fifty
    boxes = scores.open(group.used)
    worth = np.stack([after(values, group, box, points[rolls, box]) for box in boxes], axis=1)
    box = np.array(boxes)[_chosen(worth, chance, temperature)]
    paid = points[rolls, box]
    fifty = group.fifty | ((box == scores.yahtzee) & (paid > 0))
    total = np.minimum(group.totals + paid * np.array(scores.upper)[box], scores.bonus_at)
    state = np.ravel_multi_index((group.used | 1 << box, fifty, total), values.table.shape)
    return state, paid + extra[rolls]
