"""What the solver believes that boxes pay is what the game pays; and what a table is known by."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.category import CATEGORIES, Category
from game.dice import Dice
from game.rules import HASBRO, RULE_SETS, RuleSet
from game.scorecard import Scorecard
from solver.tables import FORBIDDEN, holds_fifty, scores, used_boxes

faces = st.integers(1, 6)
dice = st.one_of(
    st.tuples(*[faces] * 5).map(Dice),
    faces.map(lambda face: Dice((face,) * 5)),
)


@settings(deadline=None)
@given(st.sampled_from(sorted(RULE_SETS)), st.sets(st.sampled_from(CATEGORIES)), st.booleans(), dice)
def test_every_box_pays_what_the_game_pays(key: str, used: set[Category], fifty: bool, thrown: Dice) -> None:
    boxes = {category: 50 if category is Category.YAHTZEE and fifty else 0 for category in used}
    card, table = Scorecard(RULE_SETS[key], boxes), scores(RULE_SETS[key])
    roll = table.lattice.index[tuple(sorted(thrown.faces))] - table.lattice.rolls.start
    bits, points, extra = used_boxes(card), table.points[roll], 0
    if roll in table.further_rolls and Category.YAHTZEE in used:
        points = table.further(bits, holds_fifty(card))[thrown.faces[0] - 1]
        extra = table.extra * holds_fifty(card)
    paid = {CATEGORIES[box]: points[box] for box in table.open(bits) if points[box] != FORBIDDEN}
    assert (paid, extra) == (card.options(thrown), card.bonus(thrown))


def test_words_make_no_other_game() -> None:
    assert scores(RULE_SETS["hosted"]).key == scores(RULE_SETS["yardzee"]).key
    assert scores(replace(HASBRO, key="other", title="other")).key == scores(HASBRO).key


class OtherFullHouse(RuleSet):
    """The same numbers and flags, and another use of them."""

    def joker_points(self, category: Category, dice: Dice) -> int:
        return self.points(category, dice)


def test_whatever_changes_a_value_makes_another_game() -> None:
    others = [
        replace(HASBRO, upper_bonus=36),
        replace(HASBRO, upper_bonus_at=62),
        replace(HASBRO, yahtzee_bonus=0),
        replace(HASBRO, full_house_of_five_equal=True),
        replace(HASBRO, joker_needs_fifty=True),
        replace(HASBRO, joker_upper_first=False),
        replace(HASBRO, joker_lower_first=False),
        OtherFullHouse(HASBRO.key, HASBRO.title, "", joker_upper_first=True, joker_lower_first=True),
        RULE_SETS["yardzee"],
        RULE_SETS["houston"],
        RULE_SETS["free_choice"],
    ]
    keys = [scores(rules).key for rules in (HASBRO, *others)]
    assert len(set(keys)) == len(keys)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_key_is_fit_for_a_file_name(rules: str) -> None:
    assert scores(RULE_SETS[rules]).key.isalnum()
