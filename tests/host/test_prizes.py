"""Prizes: for places and at the door, told at the end."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import pytest

from game.category import Category
from game.match import Match, Pace
from game.rules import HASBRO
from game.scorecard import Scorecard
from host.announcements import Award
from host.dealer import Dealer
from host.events import Occupant, Prizes, TableSettings
from host.table import Phase, Seat, Table
from host.views import prizes
from tests.support.bench import CHANNEL, Bench, config, to

NICKS = ("alice", "bob", "carol", "Pip(house)")
ALL = Prizes(("mug", "pen", "cap"), ("tea", "salt"))


def over(totals: tuple[int, ...], *, what: Prizes = ALL, lots: tuple[int, ...] = (3, 2, 1, 0)) -> Table:
    """A finished game of these players with such totals."""
    cards = tuple(Scorecard(HASBRO, {Category.CHANCE: total}) for total in totals)
    seats = tuple(Seat(Occupant(nick, nick, house="house" in nick)) for nick in NICKS[: len(totals)])
    match = replace(Match.of(HASBRO, Pace.FREE, len(totals)), cards=cards)
    return Table(TableSettings(prizes=what), Phase.OVER, seats=seats, match=match, lots=lots)


def test_the_first_three_and_the_drawn_ones_win() -> None:
    assert prizes(over((20, 30, 10))) == (
        Award(1, "mug", ("bob",)),
        Award(2, "pen", ("alice",)),
        Award(3, "cap", ("carol",)),
        Award(0, "tea", ("carol",)),
        Award(0, "salt", ("bob",)),
    )


def test_equal_totals_share_a_prize_and_the_next_place_has_none() -> None:
    assert prizes(over((20, 20, 10), what=Prizes(("mug", "pen", "cap")))) == (
        Award(1, "mug", ("alice", "bob")),
        Award(3, "cap", ("carol",)),
    )


def test_house_players_win_nothing_and_stand_in_nobodys_way() -> None:
    awards = prizes(over((20, 10, 5, 99)))
    assert [award.nicks for award in awards] == [("alice",), ("bob",), ("carol",), ("carol",), ("bob",)]


ALICE = Occupant("alice", "alice")
GONE = (Seat(ALICE, left=True), Seat(ALICE, missed=2), Seat(ALICE, removed=True, left=True))


@pytest.mark.parametrize("gone", GONE)
def test_who_did_not_finish_wins_nothing(gone: Seat) -> None:
    table = over((99, 10, 5))
    awards = prizes(replace(table, seats=(gone, *table.seats[1:])))
    assert {nick for award in awards for nick in award.nicks} == {"bob", "carol"}
    assert awards[0] == Award(1, "mug", ("bob",))


@pytest.mark.parametrize(("rounds", "wins"), [(3, True), (4, False)])
def test_the_host_may_have_played_three_rounds_for_who_wins_and_no_more(rounds: int, wins: bool) -> None:
    table = over((99, 10, 5))
    awards = prizes(replace(table, seats=(Seat(ALICE, stood_in=rounds), *table.seats[1:])))
    assert ("alice" in {nick for award in awards for nick in award.nicks}) is wins


def test_rounds_that_the_host_plays_for_the_absent_are_counted_and_house_players_play_themselves() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{house: {{seats: 1}}}}}}'))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    bench.tell("bob", "leave")
    for box in ("ac", "tw"):
        bench.tell("alice", f"score {box}")
    assert [seat.stood_in for seat in bench.keeper().table.seats] == [0, 0, 2]


def test_more_prizes_than_players_stay_where_they_are() -> None:
    awards = prizes(over((7,), what=Prizes(("", "pen", ""), ("tea", "salt", "fish")), lots=(0,)))
    assert awards == (Award(0, "tea", ("alice",)),)


def test_every_order_of_lots_is_equally_likely_and_only_the_seed_decides() -> None:
    orders = Counter(Dealer("g", number.to_bytes(32), ("-",) * 3).lots(3) for number in range(6000))
    assert len(orders) == 6
    # Chi-square with 5 degrees of freedom: 20.5 is exceeded once in a thousand; the seeds are fixed.
    assert sum((count - 1000) ** 2 / 1000 for count in orders.values()) < 20.5
    assert Dealer("g", bytes(32), ("-",)).lots(50) == Dealer("g", bytes(32), ("-",)).lots(50)
    assert sorted(Dealer("g", bytes(32)).lots(50)) == list(range(50))


def test_the_channel_hears_of_them_after_the_final_table() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0, prizes: {{first: a mug, door: [a pen]}}}}}}'))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    for box in ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]:
        lines = [line for nick in ("alice", "bob") for line in bench.tell(nick, f"score {box}")]
    final, won = to(lines, CHANNEL)[-2:]
    assert final.startswith("Final result: 1. ")
    winner = final.split("1. ")[1].split()[0]
    assert won.startswith(f"Prizes: first (a mug): {winner} | door prize (a pen): ")
    assert won.split(": ")[-1] in ("alice", "bob")


def test_a_table_without_prizes_says_nothing_of_them() -> None:
    assert prizes(over((20, 30), what=Prizes())) == ()
