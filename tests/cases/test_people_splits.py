"""A netsplit takes many at once: it is nobody's fault, and one line each way."""

from __future__ import annotations

from typing import Final

import pytest

from host.table import Phase
from tests.cases.tools import PACES, Client, channel, come, game, lobby, missed, table, tag
from tests.support.bench import CHANNEL, Bench, config, to

SIX: Final = ("alice", "bob", "carol", "dave", "eve", "frank")
TAKEN: Final = {"the opener among them": [0, 1, 3, 4], "not the opener": [1, 2, 3, 5]}
both_paces = pytest.mark.parametrize("pace", PACES)
with_and_without_the_opener = pytest.mark.parametrize("taken", TAKEN.values(), ids=TAKEN)


def names(taken: list[int]) -> str:
    first = [SIX[seat] for seat in sorted(taken)]
    return f"{', '.join(first[:-1])} and {first[-1]}"


def split(bench: Bench, clients: list[Client], taken: list[int]) -> list[str]:
    """The quits come within a second; what is said until all are told of."""
    lines = []
    for seat in taken:
        lines += clients[seat].split()
        lines += bench.pass_(0.2)
    return lines + bench.pass_(3)


def heal(bench: Bench, clients: list[Client], taken: list[int]) -> list[str]:
    lines = []
    for seat in reversed(taken):
        lines += clients[seat].join()
        lines += bench.pass_(0.2)
    return lines + bench.pass_(3)


@both_paces
@with_and_without_the_opener
@pytest.mark.parametrize("left", [119.95, 30, 2.5, 1.0, 0.05])
def test_nobody_is_timed_out_for_a_split(pace: str, taken: list[int], left: float) -> None:
    """However near the deadline it came, those who are back in time find their seat and their dice."""
    bench = Bench(config(channel(pace=pace)))
    clients = game(bench, *SIX)
    dealt = [tag(bench, seat) for seat in range(6)]
    bench.pass_(120 - left)
    (told,) = to(split(bench, clients, taken), CHANNEL)
    assert told == f"A netsplit took {names(taken)}. Seats are kept, and everybody has 5 min at least."
    bench.pass_(280)
    lines = heal(bench, clients, taken)
    assert to(lines, CHANNEL) == [f"{names(taken)} are back."]
    for seat in taken:
        assert dealt[seat] in to(lines, SIX[seat])[0]
    assert [tag(bench, seat) for seat in range(6)] == dealt
    assert missed(bench) == [0] * 6


@both_paces
def test_a_second_split_gets_the_full_time_again(pace: str) -> None:
    """What the first one took or gave does not matter to the next; and many do not add up."""
    bench = Bench(config(channel(pace=pace)))
    clients = game(bench, *SIX)
    for _ in range(3):
        bench.pass_(30)
        now = bench.clock.now()
        assert len(to(split(bench, clients, [1, 2, 3, 4]), CHANNEL)) == 1
        assert table(bench).deadline == now + 300
        bench.pass_(250)
        assert len(to(heal(bench, clients, [1, 2, 3, 4]), CHANNEL)) == 1
    assert table(bench).play.round == 1
    assert missed(bench) == [0] * 6


def test_a_split_that_is_over_before_it_was_told_of_is_one_line_each_way_too() -> None:
    """The lines come in their order."""
    bench = Bench()
    clients = game(bench, *SIX)
    for seat in (1, 2):
        clients[seat].split()
    lines = bench.pass_(1)
    for seat in (2, 1):
        lines += clients[seat].join()
    lines += bench.pass_(5)
    assert [line.split(" are ")[0].split(". ")[0] for line in to(lines, CHANNEL)] == [
        "A netsplit took bob and carol",
        "bob and carol",
    ]


@with_and_without_the_opener
def test_a_lobby_keeps_its_seats_and_starts_in_the_end(taken: list[int]) -> None:
    """Who is left is told when it starts; if the opener is back before, it is still theirs to start."""
    bench = Bench()
    clients = lobby(bench, *SIX)
    bench.pass_(58)
    opener = 0 in taken
    assert len(to(split(bench, clients, taken), CHANNEL)) == 1
    assert [seat.nick for seat in table(bench).seats] == list(SIX)
    if opener:
        assert "it starts by itself in" in clients[5].say("!start")[0]
    bench.pass_(200)
    assert table(bench).phase is Phase.LOBBY
    assert to(heal(bench, clients, taken), CHANNEL) == [f"{names(taken)} are back."]
    for seat in taken:
        (answer,) = clients[seat].say("!join")
        assert answer == f"{SIX[seat]}: You have a seat already."
    assert "The game begins: alice, bob," in clients[0].say("!start")[0]


@both_paces
@with_and_without_the_opener
def test_a_split_that_does_not_heal_holds_nobody_up_for_ever(pace: str, taken: list[int]) -> None:
    """In the end it is an absence like any other, in a lobby and in a game."""
    bench = Bench(config(channel(pace=pace)))
    clients = lobby(bench, *SIX)
    split(bench, clients, taken)
    bench.pass_(60 + 300)
    assert table(bench).phase is Phase.PLAYING
    bench.pass_(13 * 360)
    assert table(bench).phase is Phase.OVER


def test_some_are_back_and_some_are_not() -> None:
    """Only those who are back are named, and the others have their line when they come."""
    bench = Bench()
    clients = game(bench, *SIX)
    split(bench, clients, [1, 2, 3, 4])
    assert to(heal(bench, clients, [1, 2]), CHANNEL) == ["bob and carol are back."]
    assert to(heal(bench, clients, [3]), CHANNEL) == ["dave is back."]
    clients[1].go("quit")
    assert to(heal(bench, clients, [1]), CHANNEL) == []


def test_a_split_of_two_tables_is_told_once_in_each() -> None:
    """Each table hears of its own players alone."""
    bench = Bench(config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}'))
    alice, bob, carol = come(bench, "alice", "bob", "carol")
    for client in (alice, bob, carol):
        client.join("#other")
    for where, who in ((CHANNEL, (alice, bob)), ("#other", (bob, carol))):
        for client in who:
            client.say("!join", where)
        who[0].say("!start", where)
    lines = [line for client in (bob, carol) for line in client.split()] + bench.pass_(3)
    assert [text.split(". ")[0] for text in to(lines, CHANNEL)] == ["A netsplit took bob"]
    assert [text.split(". ")[0] for text in to(lines, "#other")] == ["A netsplit took bob and carol"]
    lines = [line for where in (CHANNEL, "#other") for client in (bob, carol) for line in client.join(where)]
    lines += bench.pass_(3)
    assert to(lines, CHANNEL) == ["bob is back."]
    assert to(lines, "#other") == ["bob and carol are back."]
