"""While the host cannot be reached nobody's time passes."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import Connected, Disconnected, Kicked, LinkEvent, Names, Parted, Present, Silence, User
from host.journal import Journal
from host.table import Phase
from tests.support.bench import CHANNEL, HOST, Bench, config, lines_of, to, user

AWAY: list[LinkEvent] = [
    Disconnected("gone"),
    Kicked(HOST, CHANNEL, "op", ""),
    Parted(User(HOST, "~h", "h"), CHANNEL),
]


def back(bench: Bench, *nicks: str) -> list[str]:
    before = len(bench.wire.sent)
    bench.desk.hear(Names(CHANNEL, (HOST, *nicks)))
    bench.desk.hear(Present(CHANNEL, tuple(map(user, nicks))))
    return [f"{target}: {text}" for target, text, _ in bench.wire.sent[before:]]


def game(*nicks: str) -> Bench:
    bench = Bench()
    bench.connect(*nicks)
    bench.begin(*nicks)
    return bench


@pytest.mark.parametrize("away", AWAY, ids=lambda event: type(event).__name__)
def test_the_clock_stands_still_and_goes_on_with_what_was_left(away: LinkEvent) -> None:
    bench = game("alice", "bob")
    bench.pass_(50)
    bench.desk.hear(away)
    assert bench.pass_(3600) == []
    assert bench.keeper().table.play.round == 1
    lines = back(bench, "alice", "bob")
    assert to(lines, CHANNEL) == ["I am back. Round 1/13 goes on with the same dice, 70 s left."]
    assert "Round 1/13, roll 1/3" in to(lines, "alice")[0]
    bench.pass_(69)
    assert bench.keeper().table.play.round == 1
    bench.pass_(2)
    assert bench.keeper().table.play.round == 2


def test_everybody_has_half_a_minute_to_look_again() -> None:
    bench = game("alice")
    bench.pass_(119)
    bench.desk.hear(AWAY[0])
    bench.pass_(10)
    assert "30 s left" in back(bench, "alice")[0]


def test_out_of_the_channel_private_commands_are_told_so() -> None:
    bench = game("alice", "bob")
    bench.desk.hear(AWAY[1])
    before = bench.keeper().table
    assert "stands still" in bench.tell("alice", "chance")[0]
    assert "stands still" in bench.tell("alice", "keep a")[0]
    assert bench.keeper().table == before
    back(bench, "alice", "bob")
    assert "Scored Chance" in bench.tell("alice", "chance")[0]


def test_a_lobby_waits_as_well() -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.say("alice", "!join")
    bench.desk.hear(AWAY[0])
    bench.pass_(600)
    assert bench.keeper().table.phase is Phase.LOBBY
    assert "The game starts in 60 s" in back(bench, "alice", "bob")[0]


def test_time_that_the_host_was_down_is_nobodys_fault(tmp_path: Path) -> None:
    settings = config(store=f"sqlite:///{tmp_path}/s.sqlite")
    bench = Bench(settings)
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    bench.pass_(40)
    bench.tell("alice", "reroll all")
    dealt = bench.dice("alice"), bench.dice("bob")
    bench.journal.close()

    journal = Journal.open(settings.store)
    again = Bench(settings, journal, start=journal.last_time())
    again.pass_(86_400)  # the network cannot be reached for a day
    assert again.keeper().table.play.round == 1
    lines = again.connect("alice", "bob")
    assert to(lines, CHANNEL) == ["I am back. Round 1/13 goes on with the same dice, 80 s left."]
    assert (again.dice("alice"), again.dice("bob")) == dealt
    again.pass_(81)
    assert again.keeper().table.play.round == 2
    journal.close()


def test_being_away_twice_is_not_counted_double() -> None:
    bench = game("alice")
    for _ in range(3):
        bench.desk.hear(AWAY[0])
        bench.desk.hear(AWAY[0])
        bench.pass_(100)
        back(bench, "alice")
        bench.pass_(10)
    assert bench.keeper().table.play.round == 1
    assert not bench.keeper().table.seats[0].away


def test_who_sits_at_the_second_table_gets_their_dice_too() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}'))
    bench.connect("alice", "bob")
    bench.begin("bob", channel="#other")
    bench.desk.hear(AWAY[0])
    lines = bench.connect("alice", "bob")
    assert [text for text in to(lines, "bob") if "Round 1/13, roll 1/3" in text] != []


def test_dice_say_which_table_they_are_of_where_there_are_several() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}'))
    bench.connect("alice")
    bench.begin("alice")
    bench.join("alice", "#other")
    bench.say("alice", "!join", "#other")
    dealt = to(bench.say("alice", "!start", "#other"), "alice")[-1]
    assert dealt.startswith("#other: Round 1/13, roll 1/3")
    assert to(bench.tell("alice", f"{CHANNEL} dice"), "alice")[0].startswith(f"{CHANNEL}: Round 1/13")
    refusal = to(bench.tell("alice", "keep 9"), "alice")[0]
    assert refusal.startswith(f"{CHANNEL}: ")
    assert str(bench.keeper().table.play.turns[0].cup.faces[0]) in refusal


def finished(send: str, store: str = "sqlite://") -> tuple[Bench, str]:
    """A game that has just ended, and its final table; with `send` the channel may not have it yet."""
    bench = Bench(config(send=send, store=store))
    bench.connect("alice")
    bench.begin("alice")
    if send == SLOW:
        bench.pass_(2 * 600)  # so long does a table wait for dice to leave, until alice counts as away
    bench.pass_(120 * 13)
    assert bench.keeper().table.phase is Phase.OVER
    table = bench.keeper().table
    return bench, f"Final result: 1. alice {table.play.cards[0].total} "


FAST, SLOW = "{burst: 1000, seconds: 0}", "{burst: 1, seconds: 1000}"


def test_a_result_outlives_the_host_and_is_not_told_twice(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    bench, final = finished(FAST, store)
    assert any(text.startswith(final) for text in to(lines_of(bench), CHANNEL))
    for _ in range(3):
        bench.journal.close()
        journal = Journal.open(store)
        bench = Bench(bench.config, journal, start=journal.last_time())
        assert bench.connect("alice") == []
        assert to(bench.say("alice", "!scores"), "alice")[0].startswith("Final result: alice ")
    assert "opens a game" in bench.say("alice", "!join")[0]
    bench.journal.close()


def test_a_result_that_nobody_could_hear_is_told_at_the_next_start_once(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    bench, final = finished(SLOW, store)
    assert not any(text.startswith(final) for text in to(lines_of(bench), CHANNEL))
    told = []
    for _ in range(3):
        bench.journal.close()
        journal = Journal.open(store)
        bench = Bench(config(store=store), journal, start=journal.last_time())
        told.append(to(bench.connect("alice"), CHANNEL))
    assert [len(lines) for lines in told] == [1, 0, 0]
    assert told[0][0].startswith(final)
    bench.journal.close()


@pytest.mark.parametrize("away", AWAY, ids=lambda event: type(event).__name__)
def test_a_result_that_was_still_to_be_sent_is_told_when_the_host_is_back(away: LinkEvent) -> None:
    bench, final = finished(SLOW)
    bench.desk.hear(away)
    bench.desk.hear(Names(CHANNEL, (HOST, "alice")))
    said = to(bench.pass_(100_000), CHANNEL)
    assert [text.startswith(final) for text in said] == [True]
    bench.desk.hear(away)
    bench.desk.hear(Names(CHANNEL, (HOST, "alice")))
    assert bench.pass_(100_000) == []


@pytest.mark.parametrize("begun", [True, False])
def test_a_result_is_not_told_again_in_the_next_game(tmp_path: Path, begun: bool) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    bench, _ = finished(FAST, store)
    bench.say("alice", "!join")
    if begun:
        bench.say("alice", "!start")
    bench.journal.close()

    journal = Journal.open(store)
    again = Bench(bench.config, journal, start=journal.last_time())
    (back,) = to(again.connect("alice"), CHANNEL)
    assert back.startswith("I am back.")
    journal.close()


def test_a_result_that_a_good_shutdown_still_sent_is_not_told_again(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    bench, final = finished(SLOW, store)
    bench.desk.announce("bye")
    assert any(text.startswith(final) for text in to(lines_of(bench), CHANNEL))
    bench.journal.close()
    journal = Journal.open(store)
    again = Bench(config(store=store), journal, start=journal.last_time())
    assert again.connect("alice") == []
    journal.close()


def test_a_result_that_was_to_be_sent_when_the_next_lobby_opened_is_not_told_much_later(
    tmp_path: Path,
) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    bench, _ = finished(SLOW, store)
    bench.say("alice", "!join")
    bench.say("alice", "!leave")
    assert bench.keeper().table.phase is Phase.CLOSED
    bench.journal.close()
    journal = Journal.open(store)
    again = Bench(config(store=store), journal, start=journal.last_time())
    assert again.connect("alice") == []
    journal.close()


def test_no_deadline_acts_while_nothing_is_heard() -> None:
    bench = game("alice", "bob")
    bench.pass_(50)
    bench.wire.silent = 20
    bench.pass_(110)
    assert bench.keeper().table.play.round == 1
    bench.desk.hear(Disconnected("dead", silent=110))
    bench.wire.silent = 0
    bench.pass_(500)
    assert "70 s left" in to(back(bench, "alice", "bob"), CHANNEL)[0]
    assert bench.keeper().table.seats[0].missed == 0


def test_a_server_that_is_heard_again_gives_the_time_back() -> None:
    bench = game("alice", "bob")
    bench.pass_(60)
    bench.wire.silent = 40
    bench.pass_(100)
    bench.wire.silent = 0
    bench.desk.hear(Silence(95))
    assert "55 s left" in bench.tell("alice", "time")[0]
    bench.pass_(54)
    assert bench.keeper().table.play.round == 1
    bench.pass_(2)
    assert bench.keeper().table.play.round == 2


def test_a_quiet_network_delays_a_deadline_by_no_more_than_its_answer() -> None:
    bench = game("alice")
    bench.wire.silent = 30
    bench.pass_(120)
    bench.wire.silent = 0
    bench.pass_(0.25)
    assert bench.keeper().table.play.round == 2


def test_who_has_spoken_since_the_host_is_back_is_not_shown_older_dice() -> None:
    bench = game("alice", "bob")
    bench.desk.hear(AWAY[1])
    bench.desk.hear(Connected(HOST))
    bench.desk.hear(Names(CHANNEL, (HOST, "alice", "bob")))
    bench.tell("alice", "keep a")
    lines = bench.heard(Present(CHANNEL, (user("alice"), user("bob"))))
    assert to(lines, "alice") == []
    assert "Round 1/13, roll 1/3" in to(lines, "bob")[0]
