"""What the card shows is what the rules say, for all dice and every state of the boxes that matters."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import chain, combinations, combinations_with_replacement, product

import pytest

from card.boxes import Kind, boxes, differs, total_after
from card.view import Hand, View
from game.category import CATEGORIES, LOWER, UPPER, Category, upper_box
from game.dice import FACES, Dice
from game.rules import RULE_SETS, RuleSet
from game.scorecard import Scorecard
from protocol.card import fields, news
from protocol.card.keys import Phase
from protocol.card.stages import Stage
from tests.game import oracle

ALL_DICE = [Dice(faces) for faces in combinations_with_replacement(FACES, 5)]
Boxes = dict[Category, int]


def view_of(rules: RuleSet, used: Boxes, dice: Dice) -> View:
    """The view of a player with this card, to whom the host showed these dice."""
    card = {box.value: points for box, points in used.items()}
    told = oracle.options(rules.key, dice.faces, card)
    hand = Hand(
        *(1, 1, dice),
        {Category(box): points for box, points in told.items()},
        oracle.bonus(rules.key, dice.faces, card),
    )
    return View("g", stage=Stage.DECIDING, rules=rules, card=Scorecard(rules, used), hand=hand)


def for_ordinary_dice() -> Iterator[Boxes]:
    """Each box counts for itself there: none used, all but one, and the Yahtzee box with 0 and with 50."""
    full = dict.fromkeys(CATEGORIES, 5) | {Category.YAHTZEE: 50}
    yield {}
    for category in CATEGORIES:
        yield {other: points for other, points in full.items() if other is not category}
    yield {Category.YAHTZEE: 0}
    yield {Category.YAHTZEE: 50}


def for_five_equal(dice: Dice) -> Iterator[Boxes]:
    """The Yahtzee box, the upper box of the face, and others below and above: none, one, some, all."""
    own = upper_box(dice.faces[0])
    lower = [category for category in LOWER if category is not Category.YAHTZEE]
    others = [category for category in UPPER if category is not own]
    sets = chain.from_iterable(combinations(lower, size) for size in (0, 1, len(lower) - 1, len(lower)))
    yahtzee: list[Boxes] = [{}, {Category.YAHTZEE: 0}, {Category.YAHTZEE: 50}]
    above: list[Boxes] = [{}, {own: 3}]
    beside: list[Boxes] = [{}, {others[0]: 6}, dict.fromkeys(others, 12)]
    for used, first, second, third in product(list(sets), yahtzee, above, beside):
        if len(used) + len(first) + len(second) + len(third) < len(CATEGORIES):
            yield dict.fromkeys(used, 20) | first | second | third


@pytest.mark.parametrize("rules", RULE_SETS.values(), ids=lambda rules: rules.key)
def test_every_box_shows_what_the_rules_say(rules: RuleSet) -> None:
    checked = 0
    for dice in ALL_DICE:
        states = for_ordinary_dice() if dice.equal_face is None else for_five_equal(dice)
        for used in states:
            view = view_of(rules, used, dice)
            assert not differs(view), (dice, used)
            card = {category.value: points for category, points in used.items()}
            options = oracle.options(rules.key, dice.faces, card)
            for box in boxes(view):
                kind, points = shown(box.category, card, options)
                assert (box.kind, box.points) == (kind, points), (dice, used, box)
            for key, points in options.items():
                extra = oracle.bonus(rules.key, dice.faces, card) // 100
                total = oracle.total({**card, key: points}, extra)
                assert total_after(view, Category(key)) == total, (dice, used, key)
            checked += 1
    assert checked > 5_000


def shown(category: Category, card: oracle.Card, options: oracle.Points) -> tuple[Kind, int | None]:
    """What the oracle would show of a box."""
    key = category.value
    if key in card:
        return Kind.USED, card[key]
    return (Kind.PAYS, options[key]) if key in options else (Kind.FORBIDDEN, None)


def test_a_joker_is_shown_as_one() -> None:
    used = {Category.YAHTZEE: 50, Category.FOURS: 12}
    rows = {box.category: box for box in boxes(view_of(RULE_SETS["hasbro"], used, Dice((4,) * 5)))}
    assert {category for category, box in rows.items() if box.joker} == {
        Category.FULL_HOUSE,
        Category.SMALL_STRAIGHT,
        Category.LARGE_STRAIGHT,
    }
    assert rows[Category.CHANCE].points == 20
    assert rows[Category.TWOS].kind is Kind.FORBIDDEN


def test_the_host_is_right_where_the_card_counts_otherwise() -> None:
    view = view_of(RULE_SETS["hasbro"], {}, Dice((1, 2, 3, 4, 6)))
    assert view.hand
    view = replace(view, hand=replace(view.hand, pays={Category.CHANCE: 99}))
    assert differs(view)
    rows = {box.category: box for box in boxes(view)}
    assert rows[Category.CHANCE].points == 99
    assert rows[Category.ACES].kind is Kind.FORBIDDEN


def test_of_rules_that_the_card_does_not_know_the_host_alone_counts() -> None:
    line = fields.write(news.Seated("g", "#y", Phase.PLAYING, "martian", "free", 120, 1, 1, 100))
    seated = news.read(line)
    assert seated is not None
    view = View().after(seated, 0)
    view = view.after(news.Rolled("g", 1, 1, Dice((1, 1, 1, 1, 1)), 9, ((Category.ACES, 77),)), 0)
    assert not view.known
    assert not differs(view)
    assert {box.points for box in boxes(view) if box.kind is Kind.PAYS} == {77}
