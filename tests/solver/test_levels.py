"""Players who err: how they choose, and what the levels bring, which docs/solver.md tells."""

from __future__ import annotations

import re
from collections import Counter
from math import exp
from pathlib import Path

import numpy as np
import pytest

from game.category import Category
from game.dice import Dice
from game.level import Level
from game.rules import HASBRO
from game.scorecard import Scorecard
from solver.advice import Box, advise
from solver.levels import TEMPERATURES
from solver.simulate import simulate
from solver.values import Values

GAMES, PUBLISHED_GAMES = 20_000, 100_000
PAGE = Path(__file__).parent.parent.parent / "docs/solver.md"


@pytest.mark.slow
@pytest.mark.parametrize("level", Level, ids=lambda level: level.value)
def test_each_level_brings_what_the_page_says(hasbro: Values, level: Level) -> None:
    totals = simulate(hasbro, GAMES, np.random.default_rng(2026), TEMPERATURES[level])
    error = totals.std() / GAMES**0.5
    print(f"{level.value}: {totals.mean():.1f} ± {error:.1f}, standard deviation {totals.std():.0f}")  # noqa: T201 - the figures of docs/solver.md
    row = next(line for line in PAGE.read_text(encoding="utf-8").splitlines() if f"| `{level.value}`" in line)
    temperature, mean, published_error, deviation = map(float, re.findall(r"[\d.]+", row))
    assert temperature == TEMPERATURES[level]
    assert abs(totals.mean() - mean) < 3 * error
    assert published_error == pytest.approx(totals.std() / PUBLISHED_GAMES**0.5, abs=0.05)
    assert deviation == pytest.approx(totals.std(), abs=2)


def test_a_choice_is_as_likely_as_what_it_loses_allows(hasbro: Values) -> None:
    advice = advise(hasbro, Scorecard(HASBRO), Dice((4, 4, 4, 2, 6)), 1)
    steps, temperature = 20_000, 2.0
    found = Counter(advice.chosen(temperature, step / steps) for step in range(steps))
    holds = [hold for hold in advice.holds if len(hold.kept) < 5]
    scoring = advice.boxes[0].worth
    everything = sum(exp(hold.worth / temperature) for hold in holds) + exp(scoring / temperature)
    for hold in holds:
        assert found[hold] / steps == pytest.approx(exp(hold.worth / temperature) / everything, abs=2 / steps)
    boxes = sum(found[box] for box in advice.boxes) / steps
    assert boxes == pytest.approx(exp(scoring / temperature) / everything, abs=2 / steps)
    assert sum(found.values()) == steps


def test_without_rolls_a_box_is_chosen_and_without_errors_the_best(hasbro: Values) -> None:
    card = Scorecard(HASBRO, dict.fromkeys(set(Category) - {Category.ACES, Category.CHANCE}, 0))
    advice = advise(hasbro, card, Dice((1, 1, 1, 1, 2)), 0)
    chosen = Counter(advice.chosen(5.0, step / 1000) for step in range(1000))
    first, second = advice.boxes
    assert set(chosen) == {first, second}
    odds = chosen[second] / chosen[first]
    assert odds == pytest.approx(exp((second.worth - first.worth) / 5.0), rel=0.05)
    assert advice.chosen(0.0, 0.99) == advice.best == first
    assert advice.chosen(5.0, 1.0) == second


def test_five_dice_that_fit_are_scored_and_not_kept_to_no_end(hasbro: Values) -> None:
    advice = advise(hasbro, Scorecard(HASBRO), Dice((5, 5, 5, 5, 5)), 2)
    for step in range(100):
        chosen = advice.chosen(3.0, step / 100)
        assert isinstance(chosen, Box) or len(chosen.kept) < 5
    assert advice.chosen(0.1, 0.5) == advice.boxes[0]
