"""Worked cases in files against the game and the oracle, and rules that chat-game hosts got wrong."""

import json
from collections import Counter

import pytest

from game.category import Category
from game.dice import Dice
from game.match import places
from game.rules import RULE_SETS
from tests.game import oracle
from tests.game.build import boxes_of, card_of, dice_of, options_of
from tests.game.vectors import FOLDER, Vector, read_vectors

FILES = {"options.jsonl": 80, "more.jsonl": 1000}


def cases(rules: str, name: str) -> list[Vector]:
    return [vector for vector in read_vectors(name) if vector.rules == rules]


@pytest.mark.parametrize(("name", "count"), FILES.items())
def test_a_file_holds_as_many_cases_for_each_rule_set(name: str, count: int) -> None:
    vectors = read_vectors(name)
    assert Counter(vector.rules for vector in vectors) == dict.fromkeys(oracle.RULES, count)


def test_no_made_case_is_there_twice() -> None:
    vectors = read_vectors("more.jsonl")
    assert len({vector.line() for vector in vectors}) == len(vectors)


@pytest.mark.parametrize("name", FILES)
def test_a_file_holds_plain_json_with_the_five_names(name: str) -> None:
    with (FOLDER / name).open(encoding="utf-8") as lines:
        assert all(list(json.loads(line)) == list(Vector._fields) for line in lines)


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rules", oracle.RULES)
def test_the_oracle_agrees(rules: str, name: str) -> None:
    for vector in cases(rules, name):
        assert oracle.options(rules, vector.dice, vector.card) == vector.options, vector
        assert oracle.bonus(rules, vector.dice, vector.card) == vector.bonus, vector


@pytest.mark.parametrize("name", FILES)
@pytest.mark.parametrize("rules", oracle.RULES)
def test_the_game_agrees(rules: str, name: str) -> None:
    for vector in cases(rules, name):
        card = card_of(rules, vector.card)
        assert options_of(card, Dice(vector.dice)) == vector.options, vector
        assert card.bonus(Dice(vector.dice)) == vector.bonus, vector


@pytest.mark.parametrize("rules", oracle.RULES)
def test_scoring_a_case_pays_what_the_case_says(rules: str) -> None:
    """Each option of each given case is chosen, each other box refused."""
    for vector in cases(rules, "options.jsonl"):
        before = card_of(rules, vector.card)
        dice = Dice(vector.dice)
        for key in oracle.BOXES:
            if key in vector.options:
                after = before.score(dice, Category(key))
                expected = {**vector.card, key: vector.options[key]}
                assert boxes_of(after) == expected, vector
                assert after.total == oracle.total(expected, vector.bonus // 100), vector
            else:
                with pytest.raises(ValueError, match=r".+"):
                    before.score(dice, Category(key))


def test_the_rule_sets_and_boxes_have_the_keys_of_the_documents() -> None:
    assert set(RULE_SETS) == set(oracle.RULES)
    assert [category.value for category in Category] == oracle.BOXES


# Single rules that hosts are known to have got wrong.


@pytest.mark.parametrize("rules", oracle.RULES)
@pytest.mark.parametrize(
    ("faces", "box", "points"),
    [
        ("1 2 3 4 4", "small_straight", 30),
        ("4 3 6 5 3", "small_straight", 30),
        ("1 3 4 5 6", "small_straight", 30),
        ("2 3 2 5 4", "small_straight", 30),
        ("1 2 3 4 5", "small_straight", 30),
        ("3 4 4 6 6", "small_straight", 0),
        ("1 2 3 5 6", "small_straight", 0),
        ("1 2 4 5 6", "small_straight", 0),
        ("1 3 4 5 6", "large_straight", 0),
        ("2 3 2 5 4", "large_straight", 0),
        ("6 5 4 3 2", "large_straight", 40),
        ("3 1 5 2 4", "large_straight", 40),
        ("5 3 5 3 5", "full_house", 25),
        ("3 3 2 3 2", "full_house", 25),
        ("3 5 5 5 5", "full_house", 0),
        ("3 3 5 5 6", "full_house", 0),
        ("3 3 3 5 6", "full_house", 0),
        ("3 5 5 5 5", "three_of_a_kind", 23),
        ("3 5 5 5 5", "four_of_a_kind", 23),
        ("3 5 5 5 3", "four_of_a_kind", 0),
        ("3 5 5 6 6", "three_of_a_kind", 0),
        ("2 2 2 2 2", "three_of_a_kind", 10),
        ("2 2 2 2 2", "four_of_a_kind", 10),
        ("2 2 2 2 2", "yahtzee", 50),
        ("2 2 2 2 1", "yahtzee", 0),
        ("2 2 2 2 2", "small_straight", 0),
        ("2 2 2 2 2", "large_straight", 0),
        ("5 2 5 6 5", "fives", 15),
        ("5 2 5 6 5", "aces", 0),
        ("5 2 5 6 5", "threes", 0),
        ("5 2 5 6 5", "fours", 0),
        ("5 2 5 6 5", "twos", 2),
        ("5 2 5 6 5", "sixes", 6),
        ("5 2 5 6 5", "chance", 23),
        ("2 3 3 4 6", "fives", 0),
    ],
)
def test_a_box_of_an_empty_card(rules: str, faces: str, box: str, points: int) -> None:
    assert options_of(card_of(rules, {}), dice_of(faces))[box] == points


@pytest.mark.parametrize(
    ("rules", "points"), [("hasbro", 0), ("yardzee", 0), ("hosted", 0), ("houston", 25), ("free_choice", 0)]
)
def test_five_equal_dice_as_a_full_house(rules: str, points: int) -> None:
    """Only houston pays a first Yahtzee as a full house; 1 1 1 1 1 is not two of one and three of another."""
    assert options_of(card_of(rules, {}), dice_of("1 1 1 1 1"))["full_house"] == points


@pytest.mark.parametrize(
    ("totals", "expected"),
    [
        ([200, 250, 250], [3, 1, 1]),
        ([250, 200, 250, 180], [1, 3, 1, 4]),
        ([99, 100], [2, 1]),
        ([7, 7, 7], [1, 1, 1]),
        ([300, 200, 200, 200, 100], [1, 2, 2, 2, 5]),
        ([0], [1]),
    ],
)
def test_equal_totals_share_the_place_and_the_next_is_skipped(totals: list[int], expected: list[int]) -> None:
    assert places(totals) == expected


FOURS = "4 4 4 4 4"
LOWER_USED = {
    "three_of_a_kind": 17,
    "four_of_a_kind": 0,
    "full_house": 25,
    "small_straight": 30,
    "large_straight": 0,
    "chance": 21,
}


def offer(rules: str, card: dict[str, int]) -> tuple[dict[str, int], int]:
    """Return options and bonus of five fours."""
    scorecard, dice = card_of(rules, card), dice_of(FOURS)
    return options_of(scorecard, dice), scorecard.bonus(dice)


JOKER_VALUES_BELOW = {
    "three_of_a_kind": 20,
    "four_of_a_kind": 20,
    "full_house": 25,
    "small_straight": 30,
    "large_straight": 40,
    "chance": 20,
}
PLAIN_VALUES_BELOW = {**JOKER_VALUES_BELOW, "full_house": 0, "small_straight": 0, "large_straight": 0}
OTHER_UPPER_AT_0 = {"aces": 0, "twos": 0, "threes": 0, "fives": 0, "sixes": 0}


class TestHasbro:
    def test_own_box_is_the_only_choice(self) -> None:
        assert offer("hasbro", {"yahtzee": 50}) == ({"fours": 20}, 100)
        assert offer("hasbro", {"yahtzee": 0}) == ({"fours": 20}, 0)
        assert offer("hasbro", {"yahtzee": 50, **LOWER_USED}) == ({"fours": 20}, 100)

    def test_then_the_lower_section(self) -> None:
        assert offer("hasbro", {"yahtzee": 50, "fours": 12}) == (JOKER_VALUES_BELOW, 100)
        assert offer("hasbro", {"yahtzee": 0, "fours": 0}) == (JOKER_VALUES_BELOW, 0)

    def test_then_a_zero_in_the_upper_section(self) -> None:
        assert offer("hasbro", {"yahtzee": 50, "fours": 12, **LOWER_USED}) == (OTHER_UPPER_AT_0, 100)
        assert offer("hasbro", {"yahtzee": 0, "fours": 12, **LOWER_USED}) == (OTHER_UPPER_AT_0, 0)


@pytest.mark.parametrize("rules", ["yardzee", "hosted"])
class TestYardzeeAndHosted:
    def test_own_box_is_the_only_choice(self, rules: str) -> None:
        assert offer(rules, {"yahtzee": 50}) == ({"fours": 20}, 100)

    def test_then_anywhere(self, rules: str) -> None:
        anywhere = {**OTHER_UPPER_AT_0, **JOKER_VALUES_BELOW}
        assert offer(rules, {"yahtzee": 50, "fours": 12}) == (anywhere, 100)

    def test_after_a_scratched_yahtzee_the_roll_is_ordinary(self, rules: str) -> None:
        others = {**OTHER_UPPER_AT_0, **PLAIN_VALUES_BELOW}
        assert offer(rules, {"yahtzee": 0, "fours": 12}) == (others, 0)
        assert offer(rules, {"yahtzee": 0}) == ({**others, "fours": 20}, 0)


class TestHouston:
    @pytest.mark.parametrize(("held", "bonus"), [(50, 100), (0, 0)])
    def test_wild_straights_need_own_box_used(self, held: int, bonus: int) -> None:
        plain = {**OTHER_UPPER_AT_0, **PLAIN_VALUES_BELOW, "full_house": 25}
        wild = {**plain, "small_straight": 30, "large_straight": 40}
        assert offer("houston", {"yahtzee": held}) == ({**plain, "fours": 20}, bonus)
        assert offer("houston", {"yahtzee": held, "fours": 12}) == (wild, bonus)

    def test_wild_straights_need_the_yahtzee_box_used(self) -> None:
        options, bonus = offer("houston", {"fours": 12})
        assert (options["small_straight"], options["large_straight"], options["yahtzee"]) == (0, 0, 50)
        assert bonus == 0


class TestFreeChoice:
    @pytest.mark.parametrize(("held", "bonus"), [(50, 100), (0, 0)])
    def test_joker_values_need_own_box_used(self, held: int, bonus: int) -> None:
        plain = {**OTHER_UPPER_AT_0, **PLAIN_VALUES_BELOW}
        jokers = {**OTHER_UPPER_AT_0, **JOKER_VALUES_BELOW}
        assert offer("free_choice", {"yahtzee": held}) == ({**plain, "fours": 20}, bonus)
        assert offer("free_choice", {"yahtzee": held, "fours": 12}) == (jokers, bonus)
