"""All 6^5 = 7,776 rolls: in every box, under every rule set, and in the states that jokers turn on."""

from collections.abc import Iterator
from functools import cache
from itertools import chain, combinations, permutations, product

import pytest

from game.dice import Dice
from tests.game import oracle
from tests.game.build import card_of, options_of

Faces = tuple[int, ...]

ROLLS: list[Faces] = list(product(range(1, 7), repeat=5))
EVERY_DICE = [Dice(faces) for faces in ROLLS]
SORTED: list[Faces] = [tuple(sorted(faces)) for faces in ROLLS]
YAHTZEES: list[Faces] = [(face,) * 5 for face in range(1, 7)]

# Points that a used box of a tested card holds; the rules look at the Yahtzee box alone.
HELD = {
    "aces": 3,
    "twos": 6,
    "threes": 9,
    "fours": 8,
    "fives": 15,
    "sixes": 18,
    "three_of_a_kind": 22,
    "four_of_a_kind": 0,
    "full_house": 25,
    "small_straight": 30,
    "large_straight": 40,
    "chance": 19,
}
NOT_YAHTZEE = list(HELD)
LOWER_BUT_YAHTZEE = [box for box in oracle.LOWER if box != "yahtzee"]


@cache
def on_empty_card(rules: str) -> list[dict[str, int]]:
    """What `game` offers for each of ROLLS on the empty card."""
    card = card_of(rules, {})
    return [options_of(card, dice) for dice in EVERY_DICE]


def test_there_are_7776_rolls() -> None:
    assert len(set(ROLLS)) == 6**5 == 7776


@pytest.mark.parametrize("rules", oracle.RULES)
def test_every_roll_in_every_box_of_the_empty_card(rules: str) -> None:
    card = card_of(rules, {})
    for faces, dice, offered in zip(ROLLS, EVERY_DICE, on_empty_card(rules), strict=True):
        assert offered == oracle.options(rules, faces, {}), faces
        assert card.bonus(dice) == 0, faces


# How many of the 7,776 rolls pay in a box, counted on paper.
#   Yahtzee: one for each face, 6.
#   Exactly four: the face (6), the place of the odd die (5), its face (5), 150; four or more 150 + 6 = 156.
#   Exactly three: the face (6), its three places (10), two other dice (5 * 5), 1,500; three or more
#       1,500 + 156 = 1,656.
#   Full house: the face of three (6), their places (10), the face of the pair (5), 300.
#   Large straight: 1-5 or 2-6 (2) in any order (5! = 120), 240.
#   Small straight: the four faces of one run and a fifth die that is new (2 * 5! = 240) or repeats one of
#       the four (4 * 5! / 2 = 240): 480 for a run, 1,440 for three runs. A large straight holds two of the
#       runs and was counted twice: 1,440 - 240 = 1,200.
COUNTS = {
    "three_of_a_kind": 1656,
    "four_of_a_kind": 156,
    "full_house": 300,
    "small_straight": 1200,
    "large_straight": 240,
    "yahtzee": 6,
    "chance": 7776,
}

# The points of all rolls together.
#   An upper box: each of five dice shows the face in a sixth of the rolls, 5 * 7,776 / 6 = 6,480 times it.
#   A box that pays the sum: swapping every face f for 7 - f keeps the kinds and turns a sum s into 35 - s, so
#       the mean is 17.5: 1,656 * 17.5 = 28,980, 156 * 17.5 = 2,730, 7,776 * 17.5 = 136,080.
#   A box with a fixed value: the count times the value.
SUMS = {
    "aces": 6480,
    "twos": 12960,
    "threes": 19440,
    "fours": 25920,
    "fives": 32400,
    "sixes": 38880,
    "three_of_a_kind": 28980,
    "four_of_a_kind": 2730,
    "full_house": 7500,
    "small_straight": 36000,
    "large_straight": 9600,
    "yahtzee": 300,
    "chance": 136080,
}


@pytest.mark.parametrize("rules", oracle.RULES)
def test_as_many_rolls_pay_as_counted_on_paper(rules: str) -> None:
    also_yahtzees = {"full_house": 306} if rules == "houston" else {}
    counted = {box: sum(offered[box] > 0 for offered in on_empty_card(rules)) for box in COUNTS}
    assert counted == {**COUNTS, **also_yahtzees}


@pytest.mark.parametrize("rules", oracle.RULES)
def test_all_rolls_together_pay_as_summed_on_paper(rules: str) -> None:
    also_yahtzees = {"full_house": 306 * 25} if rules == "houston" else {}
    summed = {box: sum(offered[box] for offered in on_empty_card(rules)) for box in oracle.BOXES}
    assert summed == {**SUMS, **also_yahtzees}


@pytest.mark.parametrize("rules", oracle.RULES)
def test_the_order_of_the_dice_does_not_matter(rules: str) -> None:
    offered = dict(zip(ROLLS, on_empty_card(rules), strict=True))
    for faces in ROLLS:
        if list(faces) == sorted(faces):
            assert all(offered[other] == offered[faces] for other in permutations(faces)), faces


# The states that jokers turn on.


def joker_states(own: str) -> Iterator[dict[str, int]]:
    """Cards with the Yahtzee box open, 0 or 50; `own` open or used; all other lower boxes open or used."""
    for yahtzee, uses_own, lower in product(
        [{}, {"yahtzee": 0}, {"yahtzee": 50}], [[], [own]], [False, True]
    ):
        used = uses_own + (LOWER_BUT_YAHTZEE if lower else [])
        yield {box: HELD[box] for box in used} | yahtzee


@cache
def oracle_says(rules: str, faces: Faces, state: int) -> tuple[dict[str, int], int]:
    """Return options and bonus of sorted `faces` on that joker state of their most frequent face."""
    card = list(joker_states(oracle.UPPER[most_frequent(faces) - 1]))[state]
    return oracle.options(rules, faces, card), oracle.bonus(rules, faces, card)


@cache
def most_frequent(faces: Faces) -> int:
    return max(range(1, 7), key=faces.count)


@pytest.mark.parametrize("state", range(12))
@pytest.mark.parametrize("rules", oracle.RULES)
def test_every_roll_in_every_joker_state(rules: str, state: int) -> None:
    cards = [card_of(rules, list(joker_states(own))[state]) for own in oracle.UPPER]
    for dice, faces in zip(EVERY_DICE, SORTED, strict=True):
        card = cards[most_frequent(faces) - 1]
        options, bonus = oracle_says(rules, faces, state)
        assert options_of(card, dice) == options, (faces, card)
        assert card.bonus(dice) == bonus, (faces, card)


@pytest.mark.parametrize("yahtzee", [{}, {"yahtzee": 0}, {"yahtzee": 50}], ids=["open", "0", "50"])
@pytest.mark.parametrize("rules", oracle.RULES)
def test_every_yahtzee_on_every_set_of_used_boxes(rules: str, yahtzee: dict[str, int]) -> None:
    """All six Yahtzees on all 2^12 sets of the other boxes."""
    yahtzees = [(faces, Dice(faces)) for faces in YAHTZEES]
    for used in chain.from_iterable(combinations(NOT_YAHTZEE, count) for count in range(13)):
        boxes = {box: HELD[box] for box in used} | yahtzee
        card = card_of(rules, boxes)
        for faces, dice in yahtzees:
            assert options_of(card, dice) == oracle.options(rules, faces, boxes), (faces, boxes)
            assert card.bonus(dice) == oracle.bonus(rules, faces, boxes), (faces, boxes)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_some_box_can_be_chosen_until_all_are_used(rules: str) -> None:
    """The last open box takes any roll, also a Yahtzee that must go elsewhere when it can."""
    for last in oracle.BOXES:
        for yahtzee in (0, 50):
            held = HELD | {"yahtzee": yahtzee}
            card = card_of(rules, {box: points for box, points in held.items() if box != last})
            for dice in EVERY_DICE[::7] + [Dice(faces) for faces in YAHTZEES]:
                assert list(options_of(card, dice)) == [last], (dice, card)


@pytest.mark.parametrize(
    "faces", [(), (1,), (1, 2, 3, 4), (1, 2, 3, 4, 5, 6), (0, 1, 2, 3, 4), (1, 2, 3, 4, 7), (1, 2, 3, 4, -1)]
)
def test_dice_are_five_faces_from_1_to_6(faces: tuple[int, ...]) -> None:
    with pytest.raises(ValueError, match=r".+"):
        Dice(faces)


def test_dice_keep_the_order_of_the_roll_and_cannot_change() -> None:
    dice = Dice((4, 4, 2, 6, 1))
    assert dice.faces == (4, 4, 2, 6, 1)
    with pytest.raises(AttributeError):
        dice.faces = (1, 1, 1, 1, 1)  # type: ignore[misc]
