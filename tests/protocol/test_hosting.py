"""Hosting commands: what is typed, and what it means."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.category import CATEGORIES, Category
from game.level import Level
from protocol.commands import Score, Start, text
from protocol.errors import AmbiguousBox, BadUsage, ProtocolError, UnknownBox, UnknownCommand
from protocol.hosting import (
    VERBS,
    Amend,
    Ban,
    Extend,
    HostingCommand,
    House,
    Pause,
    Reload,
    Remove,
    Resume,
    Say,
    Shutdown,
    Status,
    Stop,
    Unban,
)
from protocol.parser import Line, parse

MEANINGS: list[tuple[str, HostingCommand]] = [
    ("pause", Pause()),
    (" PAUSE ", Pause()),
    ("\x02pause\x02", Pause()),
    ("stop!", Stop()),
    ("resume.", Resume()),
    ("extend 60", Extend(60)),
    ("house 2", House(2)),
    ("House 0", House(0)),
    ("house 1 Beginner", House(1, Level.BEGINNER)),
    ("house 3 expert", House(3, Level.EXPERT)),
    ("remove Bob", Remove("Bob")),
    ("remove [b]_o`b^", Remove("[b]_o`b^")),
    ("amend bob fours 12 misread dice", Amend("bob", Category.FOURS, 12, "misread dice")),
    ("amend bob 4s 12 #2 of 3", Amend("bob", Category.FOURS, 12, "#2 of 3")),
    ("amend bob 3 of a kind 18 x", Amend("bob", Category.THREE_OF_A_KIND, 18, "x")),
    ("amend bob Full House 0 no, 2 pairs", Amend("bob", Category.FULL_HOUSE, 0, "no, 2 pairs")),
    ("amend Pip(house) ch 30 x", Amend("Pip(house)", Category.CHANCE, 30, "x")),
    ("ban bob", Ban("bob")),
    ("ban *!*@Bad.Example", Ban("*!*@Bad.Example")),
    ("unban", Unban(None)),
    ("unban bob", Unban("bob")),
    ("say Don't forget: Sunday, 8 pm!", Say("Don't forget: Sunday, 8 pm!")),
    ("say keep 4 4", Say("keep 4 4")),
    ("status", Status()),
    ("reload", Reload()),
    ("shutdown", Shutdown()),
]


@pytest.mark.parametrize(("line", "meant"), MEANINGS, ids=[line for line, _ in MEANINGS])
def test_a_line_means(line: str, meant: HostingCommand) -> None:
    assert parse(line) == Line(meant)
    assert parse(f"#y {line.strip()}") == Line(meant, "#y")
    assert parse(text(meant)) == Line(meant)


def test_the_channel_may_stand_after_the_word_as_well() -> None:
    assert parse("pause #y") == Line(Pause(), "#y")
    assert parse("say #y see #other") == Line(Say("see #other"), "#y")
    assert parse("#y say #other is down") == Line(Say("#other is down"), "#y")
    assert parse("extend #y 60") == Line(Extend(60), "#y")


MISFITS = """
pause me|stop it please|status all|remove|remove bob carol|ban|ban a b|unban a b|say
house please|house -1|house 2 clubs|house 2 club now|house club
extend|extend soon|extend -5|extend 1.5|extend ٦٠|extend 9999999999
amend|amend bob|amend bob fours|amend bob fours 12|amend bob 12 x|amend bob fours twelve x
"""


@pytest.mark.parametrize("line", MISFITS.strip().replace("\n", "|").split("|"))
def test_what_does_not_fit_is_answered_with_what_does(line: str) -> None:
    with pytest.raises(BadUsage) as error:
        parse(line)
    verb = line.split(maxsplit=1)[0]
    assert (error.value.verb, error.value.usage) == (verb, VERBS[verb].usage)


def test_a_box_that_is_none_or_several_is_told() -> None:
    with pytest.raises(UnknownBox):
        parse("amend bob flush 12 x")
    with pytest.raises(AmbiguousBox):
        parse("amend bob three 12 x")


@pytest.mark.parametrize("word", ["pau", "sto", "resum", "shut", "stat", "rel", "pauses", "stop?"])
def test_no_word_is_shortened_and_a_question_does_nothing(word: str) -> None:
    with pytest.raises(UnknownCommand):
        parse(word)


@pytest.mark.parametrize("line", ["house", "house!", "#y house", "house #y"])
def test_house_alone_is_a_full_house(line: str) -> None:
    command = parse(line).command
    assert isinstance(command, Score)
    assert command.category is Category.FULL_HOUSE


def test_words_that_players_shorten_mean_what_they_did() -> None:
    assert parse("sta").command == Start()
    assert parse("star").command == Start()


@given(
    st.text("abcXYZ[]\\`_^{|}-09", min_size=1),
    st.sampled_from(CATEGORIES),
    st.integers(0, 999),
    st.lists(st.text("abc'0-9#", min_size=1), min_size=1).map(" ".join),
)
def test_an_amendment_that_is_written_is_read(nick: str, box: Category, points: int, reason: str) -> None:
    command = Amend(nick, box, points, reason)
    assert parse(text(command)).command == command


@given(st.sampled_from(sorted(VERBS)), st.text())
def test_whatever_follows_it_is_a_command_or_an_error_of_ours(verb: str, rest: str) -> None:
    with contextlib.suppress(ProtocolError):
        parse(f"{verb} {rest}")
