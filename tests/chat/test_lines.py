import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.lines import (
    LINE_LIMIT,
    UnsafeLine,
    check_target,
    check_text,
    clip,
    clip_bytes,
    pack,
    split,
    text_budget,
)

TEXT = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0"), max_size=80)


@pytest.mark.parametrize("text", ["a\rb", "a\nb", "a\0b", "\r", "x\udc80"])
def test_unsafe_text(text: str) -> None:
    with pytest.raises(UnsafeLine) as caught:
        check_text(text)
    assert caught.value.data == text
    with pytest.raises(UnsafeLine):
        check_target(text)


@pytest.mark.parametrize("target", ["", " ", "a b", ":a", "a,b", "#a,#b", " #a"])
def test_unsafe_target(target: str) -> None:
    with pytest.raises(UnsafeLine) as caught:
        check_target(target)
    assert caught.value.data == target


@pytest.mark.parametrize("target", ["#y", "al", "[x]", "#a:b", "é\xa0x"])
def test_safe_target(target: str) -> None:
    assert check_target(target) == target


def test_budget_fills_the_line() -> None:
    budget = text_budget("nick!~user@host", "PRIVMSG", "#y")
    assert len(b":nick!~user@host PRIVMSG #y :" + b"x" * budget + b"\r\n") == LINE_LIMIT
    assert text_budget("é!u@h", "PRIVMSG", "#y") == text_budget("ab!u@h", "PRIVMSG", "#y")
    assert text_budget("n" * 600, "PRIVMSG", "#y") == 0


@given(TEXT, st.integers(0, 60))
def test_clip_is_the_longest_beginning(text: str, budget: int) -> None:
    clipped = clip(text, budget)
    assert text.startswith(clipped)
    assert len(clipped.encode()) <= budget
    if clipped != text:
        assert len((clipped + text[len(clipped)]).encode()) > budget


@given(st.binary(max_size=40), st.integers(0, 45))
def test_clip_bytes_of_anything(data: bytes, limit: int) -> None:
    clipped = clip_bytes(data, limit)
    assert data.startswith(clipped)
    assert min(limit, len(data)) - 3 <= len(clipped) <= limit


@given(TEXT, st.integers(4, 60))
def test_split_loses_only_spaces(text: str, budget: int) -> None:
    pieces = split(text, budget)
    assert "".join(pieces).replace(" ", "") == text.replace(" ", "")
    assert all(0 <= len(piece.encode()) <= budget for piece in pieces)


def test_split_prefers_a_space() -> None:
    assert split("roll the dice now", 9) == ["roll the", "dice now"]
    assert split("abcdefghij", 4) == ["abcd", "efgh", "ij"]
    assert split("⚀⚁⚂", 7) == ["⚀⚁", "⚂"]
    assert split("", 5) == []


@given(st.lists(TEXT, max_size=12), st.integers(30, 120), st.sampled_from(["", "Final: "]))
def test_pack_loses_nothing(items: list[str], budget: int, head: str) -> None:
    lines = pack(items, " | ", budget, head=head, continued="… ")
    assert all(len(line.encode()) <= budget for line in lines)
    packed = "".join(
        line.removeprefix(head) if i == 0 else line.removeprefix("… ") for i, line in enumerate(lines)
    )
    # A cut drops one separator or one space; every other character is there, in its place.
    wanted = "".join(items)
    for drop in (" ", "|"):
        packed, wanted = packed.replace(drop, ""), wanted.replace(drop, "")
    assert packed == wanted


@given(st.lists(st.text("abé⚀", min_size=1, max_size=9), min_size=1, max_size=30), st.integers(27, 80))
def test_pack_keeps_whole_what_fits(items: list[str], budget: int) -> None:
    lines = pack(items, ", ", budget)
    assert [item for line in lines for item in line.split(", ")] == items
    for line, after in itertools.pairwise(lines):
        following = after.split(", ")[0]
        assert len(f"{line}, {following}".encode()) > budget, "the line had room"


def test_pack_by_example() -> None:
    assert pack(["al 1", "bo 2", "cy 3"], ", ", 20, head="Total: ", continued="... ") == [
        "Total: al 1, bo 2",
        "... cy 3",
    ]
    assert pack([], ", ", 20) == []
    assert pack([], ", ", 20, head="Nobody") == ["Nobody"]
    assert pack(["a", "bbbbbbbbbb"], " ", 10, head="Header:") == ["Header:a", "bbbbbbbbbb"]
    assert pack(["bbbbbbbbbb"], " ", 10, head="Header:") == ["Header:", "bbbbbbbbbb"]
    assert pack(["abcd "], ",", 4) == ["abcd"]


def test_pack_without_room() -> None:
    with pytest.raises(ValueError, match="no room"):
        pack(["⚀⚀"], ",", 2)
    with pytest.raises(ValueError, match="longer"):
        pack(["a"], ",", 3, head="head")
