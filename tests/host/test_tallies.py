"""Sums of games, ratings, and what a game counts for, as values."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone

import pytest

from game.level import Level
from host.events import Occupant
from host.outcome import person_key
from host.rating import Rating, rate, rated
from host.tallies import Entry, Span, Tally, bounds, period, periods, streaks
from tests.host.records_contract import score
from tests.support.recount import ascii_fold


@pytest.mark.parametrize(
    ("wall", "names"),
    [
        (datetime(2026, 1, 1, tzinfo=UTC), ("d:2026-01-01", "w:2026-W01", "m:2026-01", "all")),
        (datetime(2027, 1, 3, 23, 59, 59, tzinfo=UTC), ("d:2027-01-03", "w:2026-W53", "m:2027-01", "all")),
        (
            datetime(2026, 3, 1, 1, tzinfo=timezone(timedelta(hours=2))),
            ("d:2026-02-28", "w:2026-W09", "m:2026-02", "all"),
        ),
    ],
)
def test_periods_are_those_of_the_calendar_in_utc(wall: datetime, names: tuple[str, ...]) -> None:
    assert periods(wall) == tuple(period(span, wall) for span in Span) == names


def played(number: int, total: int, place: int, *, contest: bool = True, out: bool = True) -> Entry:
    return Entry(number, contest, out, total, place, upper_bonus=False, yahtzees=1)


def test_a_streak_is_of_games_with_others() -> None:
    tally = Tally()
    entries = [played(1, 0, 1), played(2, 200, 1), played(3, 90, 1, contest=False), played(4, 200, 1)]
    for entry in entries:
        tally = tally.after(entry)
    assert (tally.games, tally.contests, tally.wins, tally.streak, tally.longest) == (4, 3, 3, 3, 3)
    assert (tally.best, tally.best_number) == (200, 2)
    tally = tally.after(played(5, 10, 2)).after(played(6, 10, 3)).after(played(7, 10, 1))
    assert (tally.seconds, tally.thirds, tally.streak, tally.longest) == (1, 1, 1, 3)


def test_a_first_game_of_no_points_is_the_best_so_far() -> None:
    assert Tally().after(played(7, 0, 1)).best_number == 7


def test_a_game_that_was_not_played_out_is_left_and_ends_a_streak() -> None:
    tally = Tally().after(played(1, 200, 1)).after(played(2, 200, 1))
    left = tally.after(played(3, 300, 1, out=False))
    assert left == replace(tally, left=1, streak=0, last_number=3)
    assert tally.after(played(3, 300, 1, contest=False, out=False)).streak == 2
    assert left.put_right(played(3, 300, 1, out=False), played(3, 9, 2, out=False)) == left
    assert Tally(left=1).after(played(4, 0, 1)).best_number == 4


def test_a_score_that_is_put_right_changes_the_sums_as_if_it_had_been_so() -> None:
    was, now = played(2, 90, 2), replace(played(2, 140, 1), upper_bonus=True, yahtzees=0)
    before, after = (Tally().after(played(1, 200, 3)).after(entry) for entry in (was, now))
    streak, longest = streaks([False, True])
    assert replace(before.put_right(was, now), streak=streak, longest=longest) == after


@pytest.mark.parametrize(
    ("won", "found"),
    [("", (0, 0)), ("w", (1, 1)), ("ww.w", (1, 2)), ("www.", (0, 3)), (".w.ww", (2, 2))],
)
def test_streaks_of_contests_in_their_order(won: str, found: tuple[int, int]) -> None:
    assert streaks(one == "w" for one in won) == found


@pytest.mark.parametrize(
    "wall", [datetime(2026, 1, 1, tzinfo=UTC), datetime(2024, 2, 29, 23, 59, 59, 999, UTC)]
)
@pytest.mark.parametrize("span", Span)
def test_a_period_is_what_lies_within_its_bounds(span: Span, wall: datetime) -> None:
    first, end = bounds(span, wall)
    last = end - timedelta(microseconds=1)
    assert period(span, first) == period(span, wall) == period(span, last)
    if span is not Span.ALL:
        assert period(span, wall) not in (period(span, first - timedelta(microseconds=1)), period(span, end))


def test_the_end_of_time_is_in_its_periods() -> None:
    wall = datetime(9999, 12, 31, 12, tzinfo=UTC)
    assert all(first <= wall < end for first, end in (bounds(span, wall) for span in Span))


def test_who_did_not_play_to_the_end_is_behind_all_who_did() -> None:
    left = replace(score("n:left", 300), played_out=False)
    gone = replace(score("n:gone", 1), played_out=False)
    scores = [left, score("n:alice", 100), gone, score("n:bob", 100)]
    after = rate(scores, [Rating()] * 4)
    assert after[0].mu == after[2].mu < after[1].mu == after[3].mu
    assert {one.games for one in after} == {1}


def test_one_key_is_rated_once_and_nobody_is_rated_alone() -> None:
    house = [score("house:club", 300, level=Level.CLUB), score("house:club", 1, level=Level.CLUB)]
    assert rated(house) == rated([]) == {}
    assert rated([score("n:alice", 5), *house]) == {"n:alice": score("n:alice", 5), "house:club": house[0]}


def test_ten_games_make_a_rating_sure() -> None:
    assert [Rating(games=games).provisional for games in (9, 10)] == [True, False]


@pytest.mark.parametrize(
    ("who", "key"),
    [
        (Occupant("p1", "Alice[1]"), "n:alice[1]"),
        (Occupant("p1", "Alice", account="Ann"), "a:ann"),
        (Occupant("house:0", "Pip(house)", house=True, level=Level.BEGINNER), "house:beginner"),
        (Occupant("x:12", "(somebody)"), "x:12"),
        (Occupant("x:12/1", "(somebody)"), "x:12"),
    ],
)
def test_who_is_who(who: Occupant, key: str) -> None:
    assert person_key(who, ascii_fold) == key
