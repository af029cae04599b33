"""The fragments that other programs rely on: written and found again, in any dress and company."""

from __future__ import annotations

import re
from itertools import product
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.lines import pack
from game.category import CATEGORIES
from game.dice import Dice
from game.rules import HASBRO, RULE_SETS, RuleSet
from host.announcements import FinalRow, FinalTable, ResultLine, RoundResult
from host.replies import DealtDice, Entered, Holding, Kept, Lead, Worth
from host.wording.private import private
from host.wording.private import tag as dressed
from host.wording.public import public
from protocol.commands import Style
from protocol.tags import DiceTag, Placing

NICKS: Final = ("alice", "{0}", "%s", "[^o^]", "score", "|", "a|b", "`x`", "^_^", "Pip(house)", "o" * 30)
"""What a server may let people be called, and a little more."""

faces = st.tuples(*[st.integers(1, 6)] * 5)
tags = st.builds(DiceTag, st.integers(1, 13), st.integers(1, 3), faces.map(Dice))
nicks = st.one_of(
    st.sampled_from((*NICKS, "1.", "231", "1")),
    st.from_regex(r"[A-Za-z\[\]\\`_^{|}][\w\[\]\\`^{|}-]{0,15}", fullmatch=True),
)
placings = st.builds(Placing, st.integers(1, 50), nicks, st.integers(0, 1575))


def test_the_dice_are_written_as_the_documents_say() -> None:
    assert str(DiceTag(1, 2, Dice((4, 4, 2, 6, 1)))) == "Round 1/13, roll 2/3: [4 4 2 6 1]"


def test_every_round_roll_and_dice_are_found_again() -> None:
    for round_, roll in product(range(1, 14), range(1, 4)):
        for five in product(range(1, 7), repeat=5):
            if sum(five) % 13 + 1 == round_:  # each of the 7,776 once
                tag = DiceTag(round_, roll, Dice(five))
                assert DiceTag.find(str(tag)) == tag


@pytest.mark.parametrize("style", Style)
@given(tag=tags)
def test_dice_are_found_in_every_style(style: Style, tag: DiceTag) -> None:
    line = dressed(tag, style)
    assert DiceTag.find(line) == tag
    assert f"Round {tag.round}/13" in line
    assert f"roll {tag.roll}/3" in line
    assert "[" + " ".join(map(str, tag.dice.faces)) + "]" in line


@given(
    tag=tags,
    style=st.sampled_from(Style),
    lead=st.one_of(
        st.none(),
        st.builds(Kept, st.tuples(st.integers(1, 6), st.integers(1, 6))),
        st.builds(Holding, faces),
        st.just(Entered(CATEGORIES[0], 5, 100, 231, by_host=True, now_away=True)),
        st.builds(lambda faces: Entered(CATEGORIES[0], 5, 0, 231, by_host=True, dice=faces), faces),
    ),
    waiting=st.lists(nicks, max_size=3).map(tuple),
)
def test_dice_are_found_in_whole_lines(
    tag: DiceTag, style: Style, lead: Lead | None, waiting: tuple[str, ...]
) -> None:
    options = tuple(Worth(category, 5) for category in CATEGORIES)
    reply = DealtDice(tag, HASBRO, options, 13, 100, True, lead, waiting, tips=tag.round == 1)
    assert DiceTag.find(private(reply, style)) == tag


@given(before=st.text(max_size=40), tag=tags, after=st.text(max_size=40))
def test_dice_are_found_in_any_line(before: str, tag: DiceTag, after: str) -> None:
    assert DiceTag.find(f"{before} {tag} {after}") == tag


@pytest.mark.parametrize(
    "line",
    [
        "",
        "[4 4 2 6 1]",
        "Round 1/13, roll 2/3: ",
        "Round 1/13, roll 2/3: [4 4 2 6]",
        "Round 1/13, roll 2/3: [4 4 2 6 7]",
        "Round 1/13, roll 2/3: [4 4 2 6 0]",
        "Round 1/13, roll 2/3: [44261]",
        "Round 1/13: alice Fours 8 (8)",
        "Round \N{ARABIC-INDIC DIGIT ONE}/13, roll 2/3: [4 4 2 6 1]",
        "roll 2/3: [4 4 2 6 1]",
    ],
)
def test_other_lines_hold_no_dice(line: str) -> None:
    assert DiceTag.find(line) is None


@given(placings)
def test_a_placing_is_found_again(placing: Placing) -> None:
    assert Placing.find(str(placing)) == [placing]


@given(st.lists(placings, max_size=8))
def test_all_placings_of_a_line_are_found_in_order(rows: list[Placing]) -> None:
    assert Placing.find("Final result: " + " | ".join(map(str, rows)) + " | Thanks!") == rows


def test_a_placing_is_written_as_the_documents_say() -> None:
    assert str(Placing(1, "alice", 231)) == "1. alice 231"


@given(
    rows=st.lists(
        st.builds(FinalRow, placings, st.sampled_from([0, 35]), st.sampled_from([0, 100, 1200])),
        min_size=1,
        max_size=50,
    ),
    budget=st.integers(120, 480),
)
def test_a_final_table_of_any_length_holds_every_placing(rows: list[FinalRow], budget: int) -> None:
    sentence = public(FinalTable(tuple(rows), HASBRO), "!")
    lines = pack(sentence.items, sentence.separator, budget, sentence.head)
    found = [placing for line in lines for placing in Placing.find(line)]
    assert found == [row.placing for row in rows]


@given(
    who=st.lists(st.sampled_from(NICKS), min_size=1, max_size=12, unique=True),
    rules=st.sampled_from(list(RULE_SETS.values())),
    round_=st.integers(1, 13),
    data=st.data(),
)
def test_the_result_of_a_round_holds_no_placing_and_no_dice(
    who: list[str], rules: RuleSet, round_: int, data: st.DataObject
) -> None:
    boxes, bonuses = st.sampled_from(CATEGORIES), st.sampled_from([0, 100])
    rest = st.tuples(boxes, st.integers(0, 50), bonuses, st.integers(0, 1575), st.booleans(), st.booleans())
    lines = tuple(ResultLine(nick, *data.draw(rest)) for nick in who)
    sentence = public(RoundResult(round_, rules, lines, tuple(who[:2])), "!")
    for items in (sentence.items, sentence.short):
        for line in pack(items, sentence.separator, 400, sentence.head):
            assert Placing.find(line) == []
            assert DiceTag.find(line) is None
            assert not re.search(r"\[[1-6] ", line)
