"""A netsplit is one event and one line each way."""

from __future__ import annotations

from chat.events import Quit
from host.table import Phase
from tests.support.bench import CHANNEL, Bench, to, user

PLAYERS = ("alice", "bob", "carol", "dave", "eve", "frank")
TAKEN = PLAYERS[1:5]
KEPT = "Seats are kept, and everybody has 5 min at least."


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


def test_a_split_in_a_game_is_one_line_each_way_and_nobody_is_timed_out() -> None:
    bench = Bench()
    bench.connect(*PLAYERS)
    bench.begin(*PLAYERS)
    dealt = {nick: bench.dice(nick) for nick in PLAYERS}
    bench.pass_(100)
    assert split(bench) == [f"{CHANNEL}: A netsplit took bob, carol, dave and eve. {KEPT}"]
    bench.pass_(250)
    assert bench.keeper().table.play.round == 1
    lines = rejoin(bench)
    assert to(lines, CHANNEL) == ["bob, carol, dave and eve are back."]
    for nick in TAKEN:
        (shown,) = to(lines, nick)
        assert str(dealt[nick]) in shown
    assert all(seat.missed == 0 for seat in bench.keeper().table.seats)


def test_a_split_in_the_lobby_costs_no_seat() -> None:
    bench = Bench()
    bench.connect(*PLAYERS)
    for nick in PLAYERS:
        bench.say(nick, "!join")
    assert len(to(split(bench), CHANNEL)) == 1
    bench.pass_(100)
    assert len(bench.keeper().table.seats) == len(PLAYERS)
    assert to(rejoin(bench), CHANNEL) == ["bob, carol, dave and eve are back."]
    assert bench.keeper().table.phase is Phase.LOBBY


def test_a_split_in_the_last_second_times_nobody_out() -> None:
    bench = Bench()
    bench.connect(*PLAYERS)
    for nick in PLAYERS:
        bench.say(nick, "!join")
    bench.pass_(59)
    assert len(to(split(bench), CHANNEL)) == 1
    assert bench.keeper().table.phase is Phase.LOBBY
    rejoin(bench)
    bench.say("alice", "!start")
    bench.pass_(119)
    assert split(bench) == [f"{CHANNEL}: A netsplit took bob, carol, dave and eve. {KEPT}"]
    assert bench.keeper().table.play.round == 1


def test_a_split_that_does_not_heal_ends_like_any_absence() -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    split(bench)
    bench.say("alice", "!chance")
    assert bench.keeper().table.play.round == 1
    bench.pass_(300)
    assert bench.keeper().table.play.round == 2
    bench.say("alice", "!aces")
    bench.pass_(120)
    assert bench.keeper().table.seats[1].away


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
