"""The scorecard: the two bonuses, the total, and whole random games under every rule set."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.category import Category
from game.dice import Dice
from tests.game import oracle
from tests.game.build import boxes_of, card_of, dice_of, options_of

UPPER_63 = {"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}


# The upper bonus.


@pytest.mark.parametrize("rules", oracle.RULES)
@pytest.mark.parametrize(
    ("boxes", "upper", "bonus"),
    [
        ({"aces": 2, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}, 62, 0),
        ({"aces": 3, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}, 63, 35),
        ({"aces": 4, "twos": 6, "threes": 9, "fours": 12, "fives": 15, "sixes": 18}, 64, 35),
        ({"threes": 15, "fours": 20, "fives": 10, "sixes": 18}, 63, 35),
        ({"aces": 2, "fours": 20, "fives": 10, "sixes": 30}, 62, 0),
        ({"fours": 4, "fives": 25, "sixes": 30, "threes": 3, "twos": 2}, 64, 35),
        ({}, 0, 0),
    ],
)
def test_upper_bonus_at_the_edge(rules: str, boxes: dict[str, int], upper: int, bonus: int) -> None:
    card = card_of(rules, boxes)
    assert (card.upper_total, card.upper_bonus, card.total) == (upper, bonus, upper + bonus)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_lower_points_do_not_count_towards_the_upper_bonus(rules: str) -> None:
    card = card_of(rules, {"aces": 3, "yahtzee": 50, "chance": 30, "large_straight": 40}, further_yahtzees=2)
    assert (card.upper_total, card.upper_bonus, card.total) == (3, 0, 323)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_upper_bonus_is_paid_once(rules: str) -> None:
    """It comes with the box that reaches 63, and no later upper or lower score brings it again."""
    card = card_of(rules, {"threes": 9, "fours": 16, "fives": 20})
    card = card.score(dice_of("6 6 6 1 1"), Category("sixes"))
    assert (card.upper_total, card.upper_bonus, card.total) == (63, 35, 98)
    card = card.score(dice_of("2 2 2 1 1"), Category("twos"))
    assert (card.upper_total, card.upper_bonus, card.total) == (69, 35, 104)
    card = card.score(dice_of("2 2 2 1 1"), Category("aces"))
    assert (card.upper_total, card.upper_bonus, card.total) == (71, 35, 106)
    card = card.score(dice_of("2 2 2 1 1"), Category("full_house"))
    assert (card.upper_total, card.upper_bonus, card.total) == (71, 35, 131)


# The bonus for further Yahtzees.


@pytest.mark.parametrize("rules", oracle.RULES)
def test_first_yahtzee_pays_no_bonus(rules: str) -> None:
    card = card_of(rules, {})
    assert card.bonus(dice_of("4 4 4 4 4")) == 0
    card = card.score(dice_of("4 4 4 4 4"), Category("yahtzee"))
    assert (card.yahtzee_bonus, card.total) == (0, 50)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_a_yahtzee_scored_above_opens_no_bonus(rules: str) -> None:
    """The Yahtzee box decides, not how many Yahtzees were rolled."""
    card = card_of(rules, {}).score(dice_of("4 4 4 4 4"), Category("fours"))
    assert card.bonus(dice_of("3 3 3 3 3")) == 0
    card = card.score(dice_of("3 3 3 3 3"), Category("threes"))
    assert (card.yahtzee_bonus, card.total) == (0, 35)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_every_further_yahtzee_pays_100(rules: str) -> None:
    card = card_of(rules, {}).score(dice_of("4 4 4 4 4"), Category("yahtzee"))
    for times, (face, box) in enumerate(zip("123456", oracle.UPPER, strict=True), start=1):
        dice = dice_of(" ".join(face * 5))
        assert card.bonus(dice) == 100
        card = card.score(dice, Category(box))
        assert card.yahtzee_bonus == 100 * times
    assert card.total == 50 + 105 + 35 + 600


@pytest.mark.parametrize("rules", oracle.RULES)
def test_no_bonus_after_a_scratched_yahtzee_box(rules: str) -> None:
    card = card_of(rules, {}).score(dice_of("1 2 3 4 6"), Category("yahtzee"))
    assert card.bonus(dice_of("4 4 4 4 4")) == 0
    card = card.score(dice_of("4 4 4 4 4"), Category("fours"))
    assert (card.yahtzee_bonus, card.total) == (0, 20)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_the_bonus_is_paid_although_the_yahtzee_scores_0(rules: str) -> None:
    """Only Aces are left for five fours."""
    used = {box: 0 for box in oracle.BOXES if box != "aces"} | {"yahtzee": 50}
    card = card_of(rules, used, further_yahtzees=1)
    assert (card.yahtzee_bonus, card.total) == (100, 150)
    assert card.bonus(dice_of("4 4 4 4 4")) == 100
    card = card.score(dice_of("4 4 4 4 4"), Category("aces"))
    assert card.boxes[Category("aces")] == 0
    assert (card.yahtzee_bonus, card.total) == (200, 250)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_no_bonus_for_another_roll(rules: str) -> None:
    card = card_of(rules, {"yahtzee": 50})
    for faces in ("4 4 4 4 1", "1 2 3 4 5", "3 3 3 2 2", "1 4 4 4 4"):
        assert card.bonus(dice_of(faces)) == 0
        after = card.score(dice_of(faces), Category("sixes"))
        assert (after.yahtzee_bonus, after.total) == (0, 50)


# Choices that are refused.


@pytest.mark.parametrize(
    ("rules", "boxes", "faces", "refused"),
    [
        ("hasbro", {"chance": 11}, "1 2 3 4 6", ["chance"]),
        ("houston", {"yahtzee": 50}, "4 4 4 4 4", ["yahtzee"]),
        ("free_choice", {"yahtzee": 0}, "4 4 4 4 4", ["yahtzee"]),
        ("hasbro", {"yahtzee": 50}, "4 4 4 4 4", [box for box in oracle.BOXES if box != "fours"]),
        ("hasbro", {"yahtzee": 0}, "4 4 4 4 4", [box for box in oracle.BOXES if box != "fours"]),
        ("yardzee", {"yahtzee": 50}, "4 4 4 4 4", [box for box in oracle.BOXES if box != "fours"]),
        ("hosted", {"yahtzee": 50}, "4 4 4 4 4", [box for box in oracle.BOXES if box != "fours"]),
        ("hasbro", {"yahtzee": 50, "fours": 8}, "4 4 4 4 4", [*oracle.UPPER, "yahtzee"]),
        ("hasbro", {"yahtzee": 0, "fours": 8}, "4 4 4 4 4", [*oracle.UPPER, "yahtzee"]),
    ],
)
def test_an_illegal_choice_is_refused_and_changes_nothing(
    rules: str, boxes: dict[str, int], faces: str, refused: list[str]
) -> None:
    card = card_of(rules, boxes)
    for box in refused:
        with pytest.raises(ValueError, match=r".+"):
            card.score(dice_of(faces), Category(box))
        assert boxes_of(card) == boxes
        assert (card.total, card.yahtzee_bonus) == (oracle.total(boxes, 0), 0)
        assert card == card_of(rules, boxes)


@pytest.mark.parametrize("rules", oracle.RULES)
def test_a_full_card_takes_nothing_more(rules: str) -> None:
    card = card_of(rules, {**UPPER_63, **dict.fromkeys(oracle.LOWER, 0)})
    for faces in ("1 2 3 4 5", "6 6 6 6 6"):
        for category in Category:
            with pytest.raises(ValueError, match=r".+"):
                card.score(dice_of(faces), category)
    assert card.total == 98


# Whole games.

FACE = st.integers(1, 6)
ANY_ROLL = st.tuples(FACE, FACE, FACE, FACE, FACE)
YAHTZEE = FACE.map(lambda face: (face, face, face, face, face))
ROLL = st.one_of(YAHTZEE, YAHTZEE, ANY_ROLL)
TURN = st.tuples(ROLL, st.integers(0, 1000), st.booleans())


@pytest.mark.parametrize("rules", oracle.RULES)
@settings(max_examples=150, deadline=None)
@given(turns=st.lists(TURN, min_size=13, max_size=13))
def test_a_random_legal_game_never_breaks_a_total(
    rules: str, turns: list[tuple[tuple[int, int, int, int, int], int, bool]]
) -> None:
    """Thirteen rounds of any choices; the flag of a turn takes the Yahtzee box as soon as it pays 50."""
    card = card_of(rules, {})
    used: dict[str, int] = {}
    further = 0
    for faces, pick, eager in turns:
        dice = Dice(faces)
        options = options_of(card, dice)
        assert options == oracle.options(rules, faces, used)
        assert options, "every round has a choice"
        assert not set(options) & set(used)
        bonus = card.bonus(dice)
        assert bonus == oracle.bonus(rules, faces, used)

        for key in oracle.BOXES:
            if key not in options:
                with pytest.raises(ValueError, match=r".+"):
                    card.score(dice, Category(key))
        assert boxes_of(card) == used

        box = "yahtzee" if eager and options.get("yahtzee") == 50 else sorted(options)[pick % len(options)]
        before, card = card, card.score(dice, Category(box))
        assert boxes_of(before) == used
        used[box] = options[box]
        further += bonus // 100

        upper = sum(used[key] for key in oracle.UPPER if key in used)
        assert boxes_of(card) == used
        assert card.upper_total == upper
        assert card.upper_bonus == (35 if upper >= 63 else 0)
        assert card.yahtzee_bonus == 100 * further
        assert card.total == sum(used.values()) + 35 * (upper >= 63) + 100 * further
        assert card.total == oracle.total(used, further)
    assert set(used) == set(oracle.BOXES)
    # The highest total under any rule set: 375 for the boxes and the upper bonus, twelve further Yahtzees.
    assert card.total <= 1575
