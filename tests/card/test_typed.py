"""Lines for the channel, and commands with a slash."""

from __future__ import annotations

import pytest

from card.notes import Tone
from card.typed import Doors, enter
from tests.card.town import CHANNEL, HOST, Town, seated


def entered(town: Town, line: str) -> list[str]:
    """Type a line; which doors it went through."""
    doors: list[str] = []
    enter(
        line,
        town.dialogue,
        Doors(lambda: doors.append("help"), lambda: doors.append("quit"), doors.append),
    )
    return doors


@pytest.mark.parametrize(
    ("line", "target", "text"),
    [
        ("hello there", CHANNEL, "hello there"),
        ("  !scores ", CHANNEL, "!scores"),
        ("//shrug", CHANNEL, "/shrug"),
        ("/me waves", CHANNEL, "\x01ACTION waves\x01"),
        ("/say /x", CHANNEL, "/x"),
        ("/HOST keep 4 4", HOST, "keep 4 4"),
        ("/start", "", ""),
        ("/leave", HOST, f"{CHANNEL} leave"),
        ("/state", HOST, "ycp state"),
        ("/register", "", ""),
    ],
)
def test_what_is_typed_goes_where_it_belongs(line: str, target: str, text: str) -> None:
    town = seated()
    town.deaf = True
    before = len(town.sent)
    assert entered(town, line) == []
    assert town.sent[before:] == ([(target, text)] if target else [])


def test_some_lines_are_for_the_program() -> None:
    town = seated()
    assert entered(town, "/help") == ["help"]
    assert entered(town, "/quit now") == ["quit"]
    assert entered(town, "/nick alice2") == ["alice2"]


@pytest.mark.parametrize("line", ["/dance", "/me", "/host  ", "/nick", "/"])
def test_what_makes_no_sense_is_said_and_sends_nothing(line: str) -> None:
    town = seated()
    before = len(town.sent)
    assert entered(town, line) == []
    assert len(town.sent) == before
    assert len(town.said(Tone.WARNING)) == 1


def test_nothing_is_nothing() -> None:
    town = seated()
    before = len(town.sent)
    entered(town, "   ")
    assert len(town.sent) == before
