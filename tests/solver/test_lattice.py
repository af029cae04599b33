"""The lattice of keeps, against their plain definitions."""

from __future__ import annotations

from collections import Counter
from itertools import product

import numpy as np
import pytest

from solver.lattice import Reals, lattice
from tests.solver.brute import outcomes, parts


def some_values(dice: int, width: int = 3) -> Reals:
    return np.random.default_rng(dice).normal(size=(len(lattice(dice).keeps), width))


def test_five_dice_have_462_keeps_and_252_rolls() -> None:
    five = lattice(5)
    assert len(five.keeps) == 462
    assert five.rolls == slice(210, 462)
    assert {five.index[keep] for keep in five.keeps} == set(range(462))
    assert set(five.keeps[five.rolls]) == {tuple(sorted(dice)) for dice in product(range(1, 7), repeat=5)}


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_a_keep_is_worth_the_mean_of_the_rolls_that_come_of_it(dice: int) -> None:
    keeps, values = lattice(dice), some_values(dice)
    keeps.expect(values)
    for keep in keeps.keeps:
        falls = [values[keeps.index[roll]] * ways for roll, ways in outcomes(keep, dice)]
        assert values[keeps.index[keep]] == pytest.approx(sum(falls) / 6 ** (dice - len(keep)))


@pytest.mark.parametrize("dice", [1, 2, 5])
def test_the_best_of_some_dice_is_the_best_of_all_their_parts(dice: int) -> None:
    keeps, values = lattice(dice), some_values(dice)
    before = values.copy()
    keeps.choose(values)
    for keep in keeps.keeps:
        held = [keeps.index[part] for part in parts(keep)]
        assert (values[keeps.index[keep]] == before[held].max(axis=0)).all()


def test_parts_and_one_die_more() -> None:
    five = lattice(5)
    for roll, row in zip(five.keeps[five.rolls], five.parts, strict=True):
        assert {five.keeps[part] for part in row} == parts(roll)
    for keep, row in zip(five.keeps, five.plus, strict=False):
        more = [Counter(five.keeps[number]) - Counter(keep) for number in row]
        assert more == [Counter([face]) for face in range(1, 7)]
