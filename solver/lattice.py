"""The dice that may be kept, as a lattice: from none to all, each one die more than those below it.

A keep is a multiset of faces. All keeps of a number of dice are numbered: the smaller ones first, and among
those of one size by the largest face, then the next. The last ones, with all dice, are the rolls: of five
dice 462 keeps and 252 rolls.

Values live in an array with a row for each keep and a column for each thing that is worked out at the same
time. Two sweeps over it are all that a roll of the dice takes:

- What a keep is worth is the mean over the six faces of the keep that has this die as well.
- The best that may be kept of some dice is they themselves, or the best of those with a die less.

In the order above, keeps that follow one another still do when a large face is added to each. So a sweep is
a few hundred sums of slices instead of thousands of sums of rows.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

from game.dice import FACES

Reals = NDArray[np.float64]
Keep = tuple[int, ...]
"""Faces in ascending order."""

_SIXTH: Final = 1 / len(FACES)


@dataclass(frozen=True, slots=True, eq=False)
class Lattice:
    """The keeps of a number of dice."""

    keeps: tuple[Keep, ...]
    index: dict[Keep, int]
    levels: tuple[slice, ...]
    """Where the keeps of 0, 1, … dice are."""

    plus: NDArray[np.intp]
    """For each keep with fewer than all dice, and each face less 1: the keep with this die as well."""

    parts: NDArray[np.intp]
    """For each roll, every keep that it holds, the roll itself repeated to fill the row."""

    steps: tuple[tuple[tuple[slice, slice], ...], ...]
    """For each size but the last: slices of its keeps, and where they are with one die more."""

    @property
    def rolls(self) -> slice:
        return self.levels[-1]

    def expect(self, values: Reals) -> None:
        """From the values of the rolls to those of all smaller keeps, whose dice are still to fall."""
        for level, steps in zip(reversed(self.levels[:-1]), reversed(self.steps), strict=True):
            values[level] = 0
            for keeps, more in steps:
                np.add(values[keeps], values[more], out=values[keeps])
            np.multiply(values[level], _SIXTH, out=values[level])

    def choose(self, values: Reals) -> None:
        """From the values of the keeps to those of the best that may be kept of them."""
        for steps in self.steps:
            for keeps, more in steps:
                np.maximum(values[more], values[keeps], out=values[more])


@cache
def lattice(dice: int) -> Lattice:
    """The keeps of so many dice."""
    sizes = [
        sorted(combinations_with_replacement(FACES, size), key=lambda keep: keep[::-1])
        for size in range(dice + 1)
    ]
    keeps = tuple(keep for size in sizes for keep in size)
    index = {keep: number for number, keep in enumerate(keeps)}
    ends = np.cumsum([len(size) for size in sizes]).tolist()
    levels = tuple(slice(start, end) for start, end in pairwise([0, *ends]))
    smaller = keeps[: levels[-1].start]
    plus = np.array([[index[tuple(sorted((*keep, face)))] for face in FACES] for keep in smaller])
    steps = tuple(
        tuple(step for row in plus[level].T for step in _runs(level.start, row)) for level in levels[:-1]
    )
    parts = [
        sorted({index[part] for size in range(dice + 1) for part in combinations(roll, size)})
        for roll in sizes[-1]
    ]
    most = max(map(len, parts))
    padded = np.array([found + found[-1:] * (most - len(found)) for found in parts])
    return Lattice(keeps, index, levels, plus, padded, steps)


def _runs(first: int, more: NDArray[np.intp]) -> list[tuple[slice, slice]]:
    """Keeps from `first` on, and the ones in `more`, in slices in which both follow one another."""
    cuts = [0, *(np.flatnonzero(np.diff(more) != 1) + 1).tolist(), len(more)]
    return [
        (slice(first + start, first + end), slice(more[start], more[start] + end - start))
        for start, end in pairwise(cuts)
    ]
