"""House players at a table: how many and how good they are, and who says so."""

from __future__ import annotations

from statistics import mean

import pytest

from game.level import Level
from game.match import Held, Scored
from host.advice import Turns
from host.events import HouseSeated
from host.journal import Journal
from host.table import Phase
from tests.host.hosting_tools import bench, boss
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config, to

KEYS = "repeat_seconds: 0, seats: 4, house: {seats: 1, level: club}"


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def house(b: Bench) -> list[tuple[str, Level]]:
    seats = b.keeper().table.seats
    return [(seat.nick, seat.occupant.level) for seat in seats if seat.house]


def test_the_level_of_the_table_is_told() -> None:
    b = bench(KEYS)
    (line,) = to(b.say("alice", "!join"), CHANNEL)
    assert "Pip(house) sits down too at club level. !join to play" in line
    assert house(b) == [("Pip(house)", Level.CLUB)]


def test_experts_are_not_worth_a_word() -> None:
    b = bench("house: {seats: 2}")
    (line,) = to(b.say("alice", "!join"), CHANNEL)
    assert "Pip(house) and Dot(house) sit down too. !join to play" in line
    assert {level for _, level in house(b)} == {Level.EXPERT}


def test_whoever_opened_the_table_says_how_many_there_are() -> None:
    b = bench(KEYS)
    b.say("alice", "!join")
    assert b.say("alice", "!house 2") == [
        f"{CHANNEL}: alice asks Pip(house) and Dot(house) to the table at club level (3 of 4 seats)."
    ]
    assert b.tell("alice", "house 1 beginner") == [
        f"{CHANNEL}: alice asks Pip(house) to the table at beginner's level (2 of 4 seats).",
        f"alice: Done in {CHANNEL}.",
    ]
    assert house(b) == [("Pip(house)", Level.BEGINNER)]
    assert b.say("alice", "!house 1 beginner") == []
    assert b.say("alice", "!house 0") == [f"{CHANNEL}: alice wants no house players (1 of 4 seats)."]
    assert b.say("alice", "!house 3 expert") == [
        f"{CHANNEL}: alice asks Pip(house), Dot(house) and Ace(house) to the table (4 of 4 seats)."
    ]
    assert b.say("bob", "!join") == ["bob: All 4 seats are taken; the next game has room again."]
    b.say("alice", "!house 2")
    b.say("bob", "!join")
    assert [seat.nick for seat in b.keeper().table.seats] == ["alice", "Pip(house)", "Dot(house)", "bob"]
    assert b.say("alice", "!house 3") == [
        "alice: 3 is not possible: there is room for 2 of the house at this table."
    ]


def test_others_may_not_and_operators_may() -> None:
    b = bench(KEYS)
    assert b.say("alice", "!house 2") == ["alice: No game is on in #yardzee. !join there opens one."]
    b.say("alice", "!join")
    b.say("bob", "!join")
    assert b.say("bob", "!house 0") == ["bob: That is for alice to say at this table."]
    assert b.tell("bob", "house of cards")[0].startswith("bob: Say house NUMBER")
    assert "boss wants no house players" in boss(b, "house 0")[0]
    b.say("alice", "!start")
    assert b.say("alice", "!house 1")[0].startswith("alice: The game is on already.")
    assert house(b) == []


def test_six_are_the_most() -> None:
    b = bench("seats: 12")
    b.say("alice", "!join")
    assert "room for 6 of the house" in b.say("alice", "!house 7")[0]
    b.say("alice", "!house 6")
    assert len(house(b)) == 6


def test_one_person_plays_at_any_hour_and_nobody_waits(turns: Turns) -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{{KEYS}}}}}'), turns=turns)
    b.connect("alice")
    b.say("alice", "!join")
    b.say("alice", "!house 2 beginner")
    b.say("alice", "!start")
    for box in ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]:
        lines = b.tell("alice", f"score {box}")
    assert b.keeper().table.phase is Phase.OVER
    assert "Dot(house)" in " ".join(to(lines, CHANNEL))
    scored = [e for e in _events(b.journal) if isinstance(e, Scored)]
    assert not any(event.by_host for event in scored)


def _events(journal: Journal, game: str = "game0001") -> list[object]:
    history = journal.history(game)
    return [event for _, event in history.events] if history else []


def test_a_host_that_is_started_again_has_them_as_they_were_and_errs_in_the_same_way(turns: Turns) -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{{KEYS}}}}}'), turns=turns)
    b.connect("alice")
    b.say("alice", "!join")
    b.say("alice", "!house 2 beginner")
    assert any(isinstance(event, HouseSeated) for event in _events(b.journal))
    other = Bench(b.config, b.journal, start=10, turns=turns)
    other.connect("alice")
    assert house(other) == house(b)
    other.say("alice", "!start")
    again = Bench(b.config, turns=turns)
    again.connect("alice")
    again.say("alice", "!join")
    again.say("alice", "!house 2 beginner")
    again.say("alice", "!start")
    assert again.keeper().table.play == other.keeper().table.play


@pytest.mark.slow
@pytest.mark.parametrize(("level", "least", "most"), [(Level.CLUB, 204, 258), (Level.BEGINNER, 168, 216)])
def test_the_levels_bring_at_a_table_what_they_bring_in_simulations(
    turns: Turns, level: Level, least: int, most: int
) -> None:
    """Within three standard errors of the means that docs/solver.md tells, 8 points for 40 games."""
    b = Bench(
        config(f'{{"{CHANNEL}": {{repeat_seconds: 0, house: {{seats: 6, level: {level.value}}}}}}}'),
        turns=turns,
    )
    b.connect("alice")
    totals: list[int] = []
    while len(totals) < 40:
        b.begin("alice")
        for box in ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]:
            b.tell("alice", f"score {box}")
        table = b.keeper().table
        assert table.phase is Phase.OVER
        totals += [card.total for card, seat in zip(table.play.cards, table.seats, strict=True) if seat.house]
    assert least < mean(totals) < most
    held = [event for event in _events(b.journal) if isinstance(event, Held)]
    assert all(len(event.kept) < 5 for event in held)
