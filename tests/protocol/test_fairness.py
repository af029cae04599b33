"""The lines that dice are checked by: written and read back."""

from __future__ import annotations

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.category import CATEGORIES
from protocol.fairness import WORD, Commit, Play, Plays, Reveal, SeatPlays, Seats, SeatWord
from protocol.typed import visible

games = st.from_regex(r"[a-z0-9]{6,16}", fullmatch=True)
digests = st.from_regex(r"[0-9a-f]{64}", fullmatch=True)
nicks = st.from_regex(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]{0,29}", fullmatch=True) | st.just(
    "Pip(house)"
)
seats = st.integers(1, 50)
kept = st.sampled_from([frozenset(some) for number in range(6) for some in combinations(range(5), number)])
plays = st.builds(Play, st.lists(kept, max_size=2).map(tuple), st.sampled_from(CATEGORIES))
LINES = st.one_of(
    st.builds(Commit, games, digests),
    st.builds(Reveal, games, digests),
    st.builds(
        Seats,
        games,
        st.lists(
            st.builds(SeatWord, seats, nicks, st.from_regex(WORD, fullmatch=True)), min_size=1, max_size=6
        ).map(tuple),
    ),
    st.builds(
        Plays,
        games,
        st.lists(
            st.builds(SeatPlays, seats, st.lists(plays, min_size=1, max_size=13).map(tuple)),
            min_size=1,
            max_size=3,
        ).map(tuple),
    ),
)
KINDS = (Commit, Seats, Reveal, Plays)


@given(
    line=LINES,
    before=st.sampled_from(["", "The dice are fixed: ", "(x) "]),
    after=st.sampled_from(["", ". Go on."]),
)
def test_each_line_is_read_back_wherever_it_stands_and_as_nothing_else(
    line: Commit | Seats | Reveal | Plays, before: str, after: str
) -> None:
    text = before + str(line) + (after if isinstance(line, Commit | Reveal) else "")
    assert [kind.find(text) for kind in KINDS] == [line if kind is type(line) else None for kind in KINDS]
    assert visible(text) == text


@pytest.mark.parametrize(
    "line",
    [
        "game abc123 commit sha256:" + "0" * 63,
        "game abc123 commit sha256:" + "0" * 65,
        "game abc123 commit sha256:" + "G" * 64,
        "game abc commit sha256:" + "0" * 64,
        "game ABC123 seed " + "0" * 64,
        "gamesgame abc123 seed " + "0" * 64,
        "game abc123 seats ",
        "game abc123 seats 1=alice",
        "game abc123 seats 1=alice/two,words",
        "game abc123 seats 1=alice/" + "x" * 33,
        "game abc123 plays 1=",
        "game abc123 plays 1=ab/abd/abde:fo",
        "game abc123 plays 1=abb:fo",
        "game abc123 plays 1=abf:fo",
        "game abc123 plays 1=ab:zz",
        "game abc123 plays 1=ab",
        "game abc123 plays 1=/ab:fo",
        "game abc123 plays 1=:ch 999999999=:ch",
        "game abc123 plays 0=:ch",
        "game abc123 seats 1=alice/- 100=bob/-",
        "game abc123 seats 01=alice/-",
    ],
)
def test_what_is_no_such_line_is_none(line: str) -> None:
    assert [kind.find(line) for kind in KINDS] == [None] * 4
