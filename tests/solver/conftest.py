"""The values of a whole game, worked out once for all tests of the solver."""

import time
from dataclasses import dataclass

import pytest

from game.rules import HASBRO
from solver.tables import scores
from solver.values import Values, solve


@dataclass(frozen=True)
class Solved:
    values: Values
    seconds: float
    """Of the processor."""


@pytest.fixture(scope="session")
def solved() -> Solved:
    began = time.process_time()
    values = solve(scores(HASBRO))
    return Solved(values, time.process_time() - began)


@pytest.fixture(scope="session")
def hasbro(solved: Solved) -> Values:
    return solved.values
