"""A netsplit that takes all players of a table, or none."""

from __future__ import annotations

from chat.events import Quit
from host.table import Phase
from tests.support.bench import CHANNEL, Bench, to, user

PLAYERS = ("alice", "bob", "carol", "dave", "eve", "frank")
TAKEN = PLAYERS[1:5]


def split(bench: Bench) -> list[str]:
    before = len(bench.wire.sent)
    for nick in TAKEN:
        bench.desk.hear(Quit(user(nick), "a.example b.example", netsplit=True))
    bench.pass_(3)
    return [f"{target}: {text}" for target, text, _ in bench.wire.sent[before:]]


def rejoin(bench: Bench) -> list[str]:
    before = len(bench.wire.sent)
    for nick in TAKEN:
        bench.join(nick)
    bench.pass_(3)
    return [f"{target}: {text}" for target, text, _ in bench.wire.sent[before:]]


def test_strangers_who_split_are_not_spoken_of() -> None:
    bench = Bench()
    bench.connect("alice", *TAKEN)
    bench.begin("alice")
    assert split(bench) == []
    assert rejoin(bench) == []


def test_a_split_that_takes_everybody_stops_the_clock() -> None:
    bench = Bench()
    bench.connect(*TAKEN)
    bench.begin(*TAKEN)
    dealt = [bench.dice(nick) for nick in TAKEN]
    bench.pass_(50)
    assert split(bench) == [
        f"{CHANNEL}: A netsplit took bob, carol, dave and eve. Seats are kept, and the game waits."
    ]
    assert bench.pass_(800) == []
    assert to(rejoin(bench), CHANNEL) == ["bob, carol, dave and eve are back."]
    assert [bench.dice(nick) for nick in TAKEN] == dealt
    assert bench.keeper().table.play.round == 1
    assert "4 min 57 s left" in bench.tell("bob", "time")[0]
    bench.pass_(400)
    assert bench.keeper().table.play.round == 2


def test_it_stands_for_a_quarter_of_an_hour_at_most_and_until_the_first_word() -> None:
    bench = Bench()
    bench.connect("alice", *TAKEN)
    bench.begin(*TAKEN)
    split(bench)
    bench.pass_(900 + 350)
    assert bench.keeper().table.play.round == 2
    bench.pass_(13 * 120)
    assert bench.keeper().table.phase is Phase.OVER

    bench = Bench()
    bench.connect("alice", *TAKEN)
    bench.begin(*TAKEN)
    split(bench)
    assert "Scored Chance" in bench.tell("bob", "chance")[0]
    bench.pass_(600)
    assert bench.keeper().table.play.round > 1


def test_a_second_split_is_waited_for_in_full_again() -> None:
    bench = Bench()
    bench.connect(*TAKEN)
    bench.begin(*TAKEN)
    split(bench)
    bench.pass_(800)
    rejoin(bench)
    split(bench)
    bench.pass_(850)
    assert bench.keeper().table.play.round == 1
