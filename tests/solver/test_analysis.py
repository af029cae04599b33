"""A finished game afterwards: the identity, and who is to blame."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.category import CATEGORIES, Category
from game.dice import ALL, POSITIONS, Dice
from game.errors import BoxUsed
from game.rules import HASBRO, RULE_SETS, RuleSet
from game.scorecard import Scorecard
from solver import cache
from solver.advice import Advice, Box, Choice, Turn, advise
from solver.analysis import Played, analyse
from solver.tables import scores
from solver.values import Values, grained, shape
from tests.solver.brute import falls

Player = Callable[[Advice], Choice]


def throw(chance: random.Random) -> Dice:
    """Dice that often enough are a Yahtzee."""
    if chance.random() < 0.2:
        return Dice((chance.randint(1, 6),) * 5)
    return Dice(tuple(chance.randint(1, 6) for _ in POSITIONS))


def game(
    values: Values, chance: random.Random, player: Player, rules: RuleSet = HASBRO
) -> tuple[list[Played], Scorecard]:
    """A whole game of a player who chooses among all that the advice knows of."""
    card, turns = Scorecard(rules), []
    while card.open:
        turn, dice, kept = Turn.of(values, card), [throw(chance)], []
        for rolls_left in (2, 1, 0):
            choice = player(turn.advice(dice[-1], rolls_left))
            if isinstance(choice, Box):
                break
            kept.append(dice[-1].find(choice.kept))
            dice.append(dice[-1].rolled(kept[-1], throw(chance)))
        assert isinstance(choice, Box)
        card = card.score(dice[-1], choice.category)
        turns.append(Played(tuple(dice), tuple(kept), choice.category))
    return turns, card


def random_player(chance: random.Random) -> Player:
    def choose(advice: Advice) -> Choice:
        choices: list[Choice] = [*advice.holds, *advice.boxes]
        return chance.choice(choices)

    return choose


@settings(max_examples=25, deadline=None)
@given(st.integers(0, 2**32), st.floats(0, 1))
def test_total_is_the_value_of_an_empty_card_and_luck_less_what_was_lost(
    hasbro: Values, seed: int, skill: float
) -> None:
    chance = random.Random(seed)
    any_choice = random_player(chance)
    turns, card = game(
        hasbro, chance, lambda advice: advice.best if chance.random() < skill else any_choice(advice)
    )
    found = analyse(hasbro, HASBRO, turns)
    assert found.total == card.total
    assert found.total == found.start + found.luck - found.lost  # exactly, not nearly
    assert all(decision.lost >= 0 for decision in found.decisions)
    assert len(found.falls) == len(found.decisions) == sum(len(turn.dice) for turn in turns)


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.key)
def test_the_identity_holds_for_every_rule_set_and_any_values_of_what_lies_ahead(rules: RuleSet) -> None:
    table = np.random.default_rng(1).normal(100, 30, shape(scores(rules)))
    table[-1] = 0
    table[-1, :, rules.upper_bonus_at] = rules.upper_bonus
    values = Values(scores(rules), grained(table))
    for seed in range(5):
        chance = random.Random(seed)
        turns, card = game(values, chance, random_player(chance), rules)
        found = analyse(values, rules, turns)
        assert found.total == card.total == found.start + found.luck - found.lost


def test_the_identity_is_exact_with_values_that_were_kept_as_32_bit_floats(
    hasbro: Values, tmp_path: Path
) -> None:
    cache.save(tmp_path, hasbro)
    values = cache.load(tmp_path, hasbro.scores)
    assert values is not None
    assert values.start == pytest.approx(hasbro.start, abs=1e-5)
    for seed in range(5):
        chance = random.Random(seed)
        turns, _ = game(values, chance, random_player(chance))
        found = analyse(values, HASBRO, turns)
        assert found.total == found.start + found.luck - found.lost


def test_perfect_play_loses_nothing(hasbro: Values) -> None:
    turns, _ = game(hasbro, random.Random(1), lambda advice: advice.best)
    found = analyse(hasbro, HASBRO, turns)
    assert (found.lost, found.costliest(3)) == (0, [])


def test_the_costliest_decisions_and_what_was_better(hasbro: Values) -> None:
    turns, _ = game(hasbro, random.Random(2), lambda advice: advice.best)
    ones, sixes = Dice((1,) * 5), Dice((6,) * 5)
    first = next(number for number, turn in enumerate(turns) if turn.category is Category.ACES)
    last = next(number for number, turn in enumerate(turns) if turn.category is Category.SIXES)
    turns = [turn for number, turn in enumerate(turns) if number not in {first, last}]
    turns = [Played((sixes,), (), Category.ACES), Played((ones,), (), Category.SIXES), *turns]
    found = analyse(hasbro, HASBRO, turns)
    worst, second = found.costliest(2)
    assert {(worst.round, worst.roll), (second.round, second.roll)} == {(1, 1), (2, 1)}
    assert worst.lost >= second.lost > 20
    in_first = worst if worst.round == 1 else second
    assert isinstance(in_first.made, Box)
    assert isinstance(in_first.best, Box)
    assert (in_first.made.category, in_first.made.points) == (Category.ACES, 0)
    assert (in_first.best.category, in_first.best.points) == (Category.YAHTZEE, 50)
    assert [decision.lost for decision in found.costliest(99)] == sorted(
        (decision.lost for decision in found.decisions if decision.lost), reverse=True
    )


def test_luck_is_nothing_on_average(hasbro: Values) -> None:
    """Over all 7,776 first rolls of a turn, what is won and what is lost even out."""
    card = Scorecard(HASBRO, {Category.YAHTZEE: 50, Category.SIXES: 24, Category.CHANCE: 21})
    turn, keeps = Turn.of(hasbro, card), hasbro.scores.lattice
    assert turn.kept[-1].size == len(keeps.keeps)
    worth = {roll: turn.advice(Dice(roll), 2).best.worth for roll in keeps.keeps[keeps.rolls]}
    assert len(worth) == 252
    mean = sum(worth[roll] * ways for roll, ways in falls(5).items()) / 6**5
    assert mean == pytest.approx(turn.before, abs=1e-8)


# --- what is no record, and what is no card ---


def record() -> list[Played]:
    straight = Dice((1, 2, 3, 4, 5))
    return [Played((straight, straight), (ALL,), category) for category in CATEGORIES]


def test_a_record_that_no_game_leaves_is_refused(hasbro: Values) -> None:
    good = record()
    assert analyse(hasbro, HASBRO, good).total == 1 + 2 + 3 + 4 + 5 + 30 + 40 + 15
    other = Dice((1, 2, 3, 4, 6))
    wrong = [
        good[:-1],
        [*good, good[0]],
        [*good[:-1], replace(good[-1], kept=())],
        [*good[:-1], replace(good[-1], dice=good[-1].dice * 2, kept=(ALL,) * 3)],
        [*good[:-1], Played((), (), Category.CHANCE)],
        [*good[:-1], replace(good[-1], dice=(good[-1].dice[0], other))],
    ]
    for turns in wrong:
        with pytest.raises(ValueError, match=r"turns|rolls|kept"):
            analyse(hasbro, HASBRO, turns)
    with pytest.raises(BoxUsed):
        analyse(hasbro, HASBRO, [*good[:-1], good[0]])


def test_a_card_that_no_game_leads_to_has_no_value(hasbro: Values) -> None:
    card = Scorecard(HASBRO, {Category.SIXES: 5})
    with pytest.raises(ValueError, match="upper total of 5"):
        advise(hasbro, card, Dice((1, 2, 3, 4, 5)), 2)
