"""How long it takes; `pytest tests/solver/test_benchmark.py -rP` shows the figures.

Measured is the processor's time, so that a busy machine changes little; the limits leave room for a slow one.
"""

from __future__ import annotations

import time

from game.dice import Dice
from game.rules import HASBRO
from game.scorecard import Scorecard
from solver.advice import advise
from tests.solver.conftest import Solved


def test_a_rule_set_is_solved_in_seconds(solved: Solved) -> None:
    print(f"solve: {solved.seconds:.1f} s")  # noqa: T201
    assert solved.seconds < 20


def test_a_decision_takes_less_than_five_milliseconds(solved: Solved) -> None:
    def decide() -> float:
        began = time.process_time()
        advise(solved.values, Scorecard(HASBRO), Dice((4, 4, 2, 6, 1)), 2)
        return time.process_time() - began

    seconds = sorted(decide() for _ in range(50))
    print(f"decision: median {seconds[25] * 1000:.2f} ms, longest of 50 {seconds[-1] * 1000:.2f} ms")  # noqa: T201
    assert seconds[25] < 0.005
