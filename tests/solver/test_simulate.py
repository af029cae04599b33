"""Perfect games, dice by dice."""

import numpy as np
import pytest

from solver.simulate import simulate
from solver.values import Values, solve
from tests.solver.small import Small

STANDARD_DEVIATION = 59.6
"""Of a perfect game, as published."""


@pytest.mark.slow
def test_a_hundred_thousand_perfect_games_come_out_as_worked_out(hasbro: Values) -> None:
    totals = simulate(hasbro, 100_000, np.random.default_rng(2026))
    assert totals.std() == pytest.approx(STANDARD_DEVIATION, abs=1)
    assert abs(totals.mean() - hasbro.start) < 3 * totals.std() / 100_000**0.5
    assert 0 < totals.min() < totals.max() <= 1575


def test_games_of_two_dice() -> None:
    values = solve(Small().scores())
    totals = simulate(values, 50_000, np.random.default_rng(2026))
    assert abs(totals.mean() - values.start) < 3 * totals.std() / 50_000**0.5
