"""Typed lines to commands and back."""

from __future__ import annotations

import time
from itertools import combinations_with_replacement
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.category import CATEGORIES, Category
from protocol import boxes
from protocol.commands import (
    PRACTICE,
    Command,
    Every,
    Faces,
    Help,
    Hint,
    Join,
    Keep,
    Leave,
    Look,
    LookAt,
    NoDice,
    Places,
    Practice,
    Reroll,
    Return,
    Score,
    Seed,
    Selection,
    SetNotice,
    SetStyle,
    Start,
    Style,
    Topic,
    text,
)
from protocol.errors import AmbiguousBox, AmbiguousCommand, BareDice, ProtocolError, UnknownCommand
from protocol.parser import VERBS, Line, parse
from protocol.typed import unquoted, visible
from tests.protocol.cases import CASES, Meaning

SECONDS: Final = 0.05
"""What a line of 10 kB may take, which is twenty times as long as a line can be."""


def meaning(line: str) -> Line | ProtocolError:
    try:
        return parse(line)
    except ProtocolError as error:
        return error


def facts(meant: Meaning) -> object:
    """What two meanings have to agree in: errors are equal when their class and data are."""
    if isinstance(meant, ProtocolError):
        return type(meant), vars(meant)
    return meant if isinstance(meant, Line) else Line(meant)


@pytest.mark.parametrize(("line", "meant"), CASES, ids=[repr(line) for line, _ in CASES])
def test_a_line_means(line: str, meant: Meaning) -> None:
    assert facts(meaning(line)) == facts(meant)


CASUAL: Final = (
    ("hi", True),
    ("Hi!", True),
    ("lo", True),
    ("si", True),
    ("big", True),
    ("full", True),
    ("one", True),
    ("score hi", False),
    ("s lo", False),
    ("score big", False),
    ("ls", False),
    ("fh", False),
    ("ch", False),
    ("chance", False),
    ("full house", False),
    ("small straight", False),
)


@pytest.mark.parametrize(("line", "casual"), CASUAL)
def test_a_box_may_be_named_without_being_meant(line: str, casual: bool) -> None:
    command = parse(line).command
    assert isinstance(command, Score)
    assert command.casual is casual


def test_every_error_says_what_was_typed_in_its_message() -> None:
    for line, meant in CASES:
        if isinstance(meant, ProtocolError) and vars(meant):
            said = str(meaning(line))
            assert any(str(value) in said for value in vars(meant).values()), (line, said)


def test_every_class_of_error_is_in_the_table() -> None:
    assert {type(meant) for _, meant in CASES if isinstance(meant, ProtocolError)} == set(
        ProtocolError.__subclasses__()
    )


# --- there and back ---

FACES: Final = [faces for n in range(1, 6) for faces in combinations_with_replacement(range(1, 7), n)]
SELECTIONS: Final[list[Selection]] = [
    Every(),
    NoDice(),
    *map(Faces, FACES),
    *(Places(frozenset(p for p in range(5) if n >> p & 1)) for n in range(1, 32)),
]
COMMANDS: Final[list[Command]] = [
    *(Join(), Leave(), Return("abc2345678"), Start(), Hint(), Practice(), Seed(), Seed("7")),
    *(Score(category) for category in CATEGORIES),
    *map(Look, LookAt),
    *(Help(topic) for topic in (None, *Topic)),
    *(SetStyle(style) for style in (None, *Style)),
    *map(SetNotice, (None, True, False)),
    *map(Keep, SELECTIONS),
    *map(Reroll, SELECTIONS),
]


def test_every_command_is_read_back_from_its_text() -> None:
    for command in COMMANDS:
        assert parse(text(command)) == Line(command), text(command)


def test_the_list_of_commands_is_complete() -> None:
    assert {type(command) for command in COMMANDS} == set(Command.__args__)


# Nothing that players see a difference in. Colours have both their parts: a digit or a comma that touches a
# shorter one would be its own.
INVISIBLE: Final = [
    *"\x02\x0f\x11\x16\x1d\x1e\x1f\x01\x7f",
    *("\x0304,12", "\x0300,01", "\x04ff0000,00ff7f"),
    *"\u00ad\u034f\u061c\u115f\u180b\u180e\u200b\u200d\u200e\u200f\u202e\u2060\u2800\u3164\ufe0f\ufeff\ue000",
    *("\U000e0101", "\U000e0041"),
    *"\"'`´‘’“”„«»",  # noqa: RUF001
]
GAPS: Final = [" ", "  ", "\t", "\u00a0", "\u3000", ", ", " , ", ",", "; "]


@st.composite
def dressed(draw: st.DrawFn, line: str) -> str:
    """The line with other case, spaces and commas, and with invisible things in it."""
    # Joined with nothing, digits stay digits and letters stay letters: `keep 4 4`, `keep 44`, `keep4 4`.
    dressing = st.lists(st.sampled_from(INVISIBLE), max_size=2).map("".join)
    parts = []
    for mark in line:
        whole = draw(st.sampled_from(GAPS)) if mark == " " else draw(st.sampled_from([mark, mark.upper()]))
        parts += [draw(dressing), whole]
    around = st.sampled_from(["", " ", "\u00a0 ", "\t"])
    return draw(around) + "".join(parts) + draw(dressing) + draw(around)


@given(st.data(), st.sampled_from(COMMANDS))
def test_dress_does_not_matter(data: st.DataObject, command: Command) -> None:
    line = data.draw(dressed(text(command)))
    assert parse(line) == Line(command)


@given(st.data(), st.sampled_from(COMMANDS), st.sampled_from(["#y", "#Y-a", "&b", "##c.d"]), st.booleans())
def test_a_channel_may_stand_first_or_last(
    data: st.DataObject, command: Command, channel: str, first: bool
) -> None:
    said = text(command)
    line = f"{channel} {said}" if first else f"{said} {channel}"
    assert parse(line) == Line(command, channel)


@given(st.permutations([2, 6, 1, 2, 5]), st.integers(1, 5), st.data())
def test_the_order_of_faces_does_not_matter(faces: list[int], number: int, data: st.DataObject) -> None:
    named = faces[:number]
    gaps = [data.draw(st.sampled_from(["", " ", ","])) for _ in named]
    said = "".join(f"{gap}{face}" for gap, face in zip(gaps, named, strict=True))
    assert parse(f"k{said}").command == Keep(Faces(tuple(sorted(named))))
    assert parse(f"roll {said}").command == Reroll(Faces(tuple(sorted(named))))


# --- abbreviations ---

WORDS: Final = {name for verb in VERBS for name in verb.names}
DICE: Final = {"keep", "hold", "reroll", "roll"}
SLIPS: Final = {"p", "pr"}
"""Of `pause` as well, which is never shortened."""


@pytest.mark.parametrize("word", sorted(WORDS))
def test_a_shortened_verb_means_that_verb_or_nothing(word: str) -> None:
    rest = {"score": " chance", "s": " chance", "return": " abc2345678"}.get(
        word, " a b" if word in DICE | {"k", "r"} else ""
    )
    whole = parse(word + rest)
    for length in range(1, len(word)):
        short = word[:length]
        if short not in WORDS | SLIPS and boxes.in_full([short]) is None:
            found = meaning(short + rest)
            # `a` is a place.
            assert found == whole or isinstance(found, AmbiguousCommand | BareDice), short


@pytest.mark.parametrize("category", CATEGORIES)
def test_a_shortened_box_means_that_box_or_nothing(category: Category) -> None:
    for name in boxes.NAMES[category]:
        run = name.replace(" ", "")
        for length in range(1, len(run) + 1):
            short = run[:length]
            found = meaning(f"score {short}")
            if boxes.in_full([short]) is None:
                ambiguous = isinstance(found, AmbiguousBox) and category in found.categories
                assert found == Line(Score(category)) or ambiguous, short
            alone = meaning(short)
            if isinstance(alone, Line) and isinstance(alone.command, Score):
                assert length >= 3 or boxes.in_full([short]), short
                assert boxes.in_full([short]) or alone.command.category is category, short


# --- anything at all ---

PIECES: Final = [
    *sorted(WORDS),
    *(code for codes in boxes.CODES.values() for code in codes),
    *(name for names in boxes.NAMES.values() for name in names),
    *("all", "none", "on", "off", "plain", "of", "a", "4", "0", "٢", "²", "#", "&", "#y"),
    *("!", "-", "\u2013", "..", ",", "\u200b", "\x03", "\x04", "\x034", "{0}", "%s", "[^o^]"),
    *("\N{KELVIN SIGN}", "x" * 600, "4" * 600),
]


@given(st.one_of(st.text(), st.lists(st.sampled_from(PIECES)).map(" ".join)))
def test_any_text_is_a_command_or_an_error_of_ours(line: str) -> None:
    found = meaning(line)
    if isinstance(found, Line):
        assert found.channel in (None, PRACTICE) or found.channel in unquoted(visible(line))
        assert parse(text(found.command)).command == Line(found.command).command


@given(st.lists(st.sampled_from(PIECES)).map("".join))
def test_pieces_that_touch_are_a_command_or_an_error_of_ours(line: str) -> None:
    assert isinstance(meaning(line), Line | ProtocolError)


@given(st.text(alphabet=st.characters(min_codepoint=0, max_codepoint=0x24F), max_size=40))
def test_a_box_is_never_scored_by_one_or_two_letters_that_are_no_code(line: str) -> None:
    found = meaning(line)
    if isinstance(found, Line) and isinstance(found.command, Score):
        marks = [mark for mark in line if mark.isalnum()]
        assert len(marks) >= 2, line


LONG: Final = {
    "one word": "x" * 10_000,
    "a word that begins well": "keep" + "p" * 10_000,
    "a code and digits": "k" + "4" * 10_000,
    "digits": "4" * 10_000,
    "letters": "keep " + "ab" * 5_000,
    "small words": "a " * 5_000,
    "words of a box": "score " + "of a " * 2_000,
    "names of boxes": "three " * 1_600,
    "spaces": " " * 10_000 + "k",
    "colours": "\x0304,12" * 1_600,
    "invisible": "\u200b" * 10_000,
    "channels": "#y " * 3_300,
    "marks": "!" * 10_000 + "x",
    "dashes": "keep " + "a -" * 3_000,
    "dots": "keep 4" + "." * 10_000,
    "nearly a box": "score " + "full house" * 1_000,
    "nearly a command": "joinjoin" * 1_250,
    "emoji": "🎲" * 2_500,
}


@pytest.mark.parametrize("line", LONG.values(), ids=LONG)
def test_a_long_line_takes_no_time(line: str) -> None:
    def took() -> float:
        began = time.perf_counter()
        meaning(line)
        return time.perf_counter() - began

    # The best of a few: what else the machine does is no fault of the parser's.
    assert min(took() for _ in range(3)) < SECONDS


def test_the_error_of_a_bare_word_knows_what_comes_near() -> None:
    found = meaning("dise")
    assert isinstance(found, UnknownCommand)
    assert found.close == ("dice",)
    assert isinstance(meaning("123"), BareDice)
