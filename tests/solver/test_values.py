"""Exact values: the published ones, and those of games that plain recursion can play to the end."""

from __future__ import annotations

import random

import numpy as np
import pytest

from game.category import Category
from game.dice import Dice
from game.rules import RULE_SETS, RuleSet
from solver.advice import Turn
from solver.tables import scores, used_boxes
from solver.values import Values, solve
from tests.game import oracle
from tests.game.build import card_of as card_of_game
from tests.solver.brute import Brute, Card, falls, parts
from tests.solver.small import Small, card_of

SIX_DECIMALS = 5e-7


class NoJokers(RuleSet):
    """A further Yahtzee is an ordinary roll."""

    def joker_points(self, category: Category, dice: Dice) -> int:
        return self.points(category, dice)


NO_JOKERS = NoJokers("no_jokers", "no jokers", "An ordinary roll.", yahtzee_bonus=0)


def test_hasbro_is_worth_what_was_published(hasbro: Values) -> None:
    assert hasbro.start == pytest.approx(254.587729, abs=SIX_DECIMALS)


def test_hasbro_without_jokers_and_their_bonus_is_worth_what_was_published() -> None:
    assert solve(scores(NO_JOKERS)).start == pytest.approx(245.870775, abs=SIX_DECIMALS)


# --- two dice, three boxes ---

SMALL = [
    Small(),
    Small(forced=False),
    Small(joker=2),
    Small(extra=0, joker=50),
    Small(bonus_at=6),
    Small(bonus_at=7, bonus=500),
    Small(bonus=0),
]


@pytest.mark.parametrize("game", SMALL, ids=repr)
def test_every_state_of_a_small_game_is_worth_what_recursion_says(game: Small) -> None:
    values, brute = solve(game.scores()), game.brute()
    compared = 0
    for used, fifty, total in np.argwhere(np.isfinite(values.table[:-1])).tolist():
        card = card_of(used, fifty, sixes=total)
        # The table is a multiple of 2**-30, rounded at each of three boxes.
        assert abs(values.table[used, fifty, total] - brute.value(card)) < 2e-9, card
        compared += 1
    assert compared >= 12


def test_progress_is_told_up_to_the_last_state() -> None:
    told: list[tuple[int, int]] = []
    values = solve(Small().scores(), lambda done, states: told.append((done, states)))
    assert [done for done, _ in told] == sorted({done for done, _ in told})
    assert {states for _, states in told} == {told[-1][0]} == {np.isfinite(values.table[:-1]).sum()}


def test_what_progress_raises_ends_the_work() -> None:
    def stop(done: int, states: int) -> None:
        calls.append(done)
        raise InterruptedError

    calls: list[int] = []
    with pytest.raises(InterruptedError):
        solve(Small().scores(), stop)
    assert len(calls) == 1


# --- five dice, three open boxes ---


def endings(rules: str) -> list[Card]:
    """Cards that play can lead to, with three open boxes, and the upper bonus near."""
    chance = random.Random(rules)
    must = [{"yahtzee": 50}, {"yahtzee": 50}, {"yahtzee": 0}, {"yahtzee": 0}, {}, None, None]
    cards = []
    for start in must:
        shut = {} if start is None else start
        free = {"yahtzee"} if start == {} else set()
        others = [box for box in oracle.BOXES if box not in {*shut, *free}]
        used = [*shut, *chance.sample(others, 10 - len(shut))]
        faces = {box: face for face, box in enumerate(oracle.UPPER, 1)}
        cards.append({box: chance.choice((3, 3, 4)) * faces.get(box, 0) for box in used} | shut)
    return cards


def recursion(rules: str) -> Brute:
    """Perfect play by the rules as the oracle reads them."""

    def state(card: Card) -> object:
        upper = sum(points for box, points in card.items() if box in oracle.UPPER)
        return frozenset(card), min(upper, 63), card.get("yahtzee")

    return Brute(
        5,
        lambda dice, card: oracle.options(rules, dice, card),
        lambda dice, card: oracle.bonus(rules, dice, card),
        oracle.upper_bonus,
        len(oracle.BOXES),
        state,
        float,
    )


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_end_of_a_game_is_worth_what_recursion_says(rules: str) -> None:
    brute = recursion(rules)
    for boxes in endings(rules):
        card = card_of_game(rules, boxes)
        values = solve(scores(RULE_SETS[rules]), start=used_boxes(card))
        assert values.to_come(card) == pytest.approx(brute.value(boxes), abs=1e-8), boxes


@pytest.mark.parametrize("rules", RULE_SETS)
def test_every_hold_and_box_is_worth_what_recursion_says(rules: str) -> None:
    brute, boxes = recursion(rules), endings(rules)[0]
    card = card_of_game(rules, boxes)
    turn = Turn.of(solve(scores(RULE_SETS[rules]), start=used_boxes(card)), card)
    for rolls_left in (1, 2):
        kept = brute.kept(boxes, rolls_left)
        for roll in falls(5):
            advice = turn.advice(Dice(roll), rolls_left)
            assert {hold.kept for hold in advice.holds} == parts(roll)
            for hold in advice.holds:
                assert hold.worth == pytest.approx(kept[hold.kept], abs=1e-8), (roll, hold)
            assert advice.boxes[0].worth == pytest.approx(brute.scored(roll, boxes), abs=1e-8)
