"""Lines about practice: the word alone, and before others as a channel's name."""

from __future__ import annotations

from typing import Final

import pytest

from game.category import Category
from protocol.commands import Help, Leave, Practice, Score, Topic
from protocol.errors import ExtraWords, NotDice, Question, UnknownCommand
from protocol.hosting import Pause
from protocol.parser import Line, for_practice
from tests.protocol.cases import Meaning, keep, reroll
from tests.protocol.test_parser import facts, meaning

CASES: Final[list[tuple[str, Meaning]]] = [
    ("practise!", Practice()),
    ("prac", Practice()),
    ("pr", UnknownCommand("pr", ())),
    ("practice?", Question("practice?", None)),
    ("#b practice", Line(Practice(), "#b")),
    ("practice #b", Line(Practice(), "#b")),
    ("practice keep 4 4", Line(keep(4, 4), "practice")),
    ("  \x02Practise\x02: r126", Line(reroll(1, 2, 6), "practice")),
    ('"practice fh"', Line(Score(Category.FULL_HOUSE), "practice")),
    ("practice leave", Line(Leave(), "practice")),
    ("practice pause", Line(Pause(), "practice")),
    ("practice start", Practice()),
    ("practice practice", Practice()),
    ("practice ?", Help(Topic.PRACTICE)),
    ("practice help keep", Line(Help(Topic.KEEP), "practice")),
    ("help practise", Help(Topic.PRACTICE)),
    ("practice keep 4 #b", ExtraWords("practice", "#b")),
    ("practice keep 7", NotDice("keep", "7")),
    ("practice makes perfect", UnknownCommand("makes", ())),
    ("practicekeep 4", UnknownCommand("practicekeep", ("practice", "practise"))),
    ("practice " * 1000, ExtraWords("practice", "practice " * 997 + "practice")),
]


@pytest.mark.parametrize(("line", "meant"), CASES, ids=[repr(line[:40]) for line, _ in CASES])
def test_a_line_means(line: str, meant: Meaning) -> None:
    assert facts(meaning(line)) == facts(meant)


def test_a_wrong_line_is_about_practice_all_the_same() -> None:
    assert for_practice("practice keep 7")
    assert not for_practice("practice")
    assert not for_practice("keep 4 4")
