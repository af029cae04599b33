"""The host's own nick changes while people play."""

from __future__ import annotations

import pytest

from chat.events import Disconnected, Kicked
from host.letter import Lane
from tests.support.bench import CHANNEL, HOST, Bench, config, to


def playing() -> Bench:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    return bench


def now(nick: str) -> str:
    return f"{CHANNEL}: I am {nick} now; answer there."


AGAIN = f"{CHANNEL}: I am Hoster again; answer there."


def test_players_are_told_the_new_nick_and_the_old_one_when_it_is_back() -> None:
    bench = playing()
    assert bench.rename_host("Guest83712") == [now("Guest83712")]
    assert bench.tell("alice", "k1") != []
    assert bench.say("alice", "Guest83712: dice") != []
    assert bench.rename_host(HOST) == [AGAIN]


def test_in_another_case_it_is_the_same_nick() -> None:
    bench = playing()
    assert bench.rename_host("HOSTER") == []


def test_where_nothing_is_on_nobody_is_told_and_who_opens_a_table_sees_the_nick() -> None:
    bench = Bench(config('{"#a": {}, "#b": {}}'))
    bench.connect("alice")
    bench.say("alice", "!join", "#a")
    assert bench.rename_host("Guest1") == ["#a: I am Guest1 now; answer there."]
    bench.join("alice", "#b")
    assert "I am" not in "".join(bench.say("alice", "!join", "#b"))
    assert len(bench.rename_host(HOST)) == 2


def test_after_a_reconnect_under_another_nick_it_follows_where_the_game_stands() -> None:
    bench = playing()
    bench.heard(Disconnected("gone"))
    bench.wire.nick = "Hoster_"
    back, answer, *_ = bench.connect("alice", "bob")
    assert back.startswith(f"{CHANNEL}: I am back.")
    assert answer == now("Hoster_")
    bench.heard(Disconnected("gone"))
    assert now("Hoster_") not in bench.connect("alice", "bob"), "they know"


def test_after_a_start_players_know_the_host_by_its_wanted_nick() -> None:
    bench = playing()
    later = Bench(bench.config, bench.journal, start=100)
    later.wire.nick = "Hoster2"
    assert now("Hoster2") in later.connect("alice", "bob")


def test_a_channel_that_the_host_is_out_of_is_told_when_it_is_back() -> None:
    bench = playing()
    bench.heard(Kicked(HOST, CHANNEL, "op", "x"))
    assert bench.rename_host("Guest1") == []
    assert to(bench.connect("alice", "bob"), CHANNEL)[1] == "I am Guest1 now; answer there."


def test_services_that_rename_the_host_for_ever_are_told_of_six_times() -> None:
    bench = playing()
    lines = [line for _ in range(50) for nick in ("Guest1", HOST) for line in bench.rename_host(nick)]
    assert len(lines) == 6


@pytest.mark.parametrize(("given", "told"), [("YardzeeTh", False), ("YardzeeTh2", True), ("Yardzee", True)])
def test_as_much_of_the_nick_as_the_server_takes_is_the_nick(given: str, told: bool) -> None:
    bench = Bench(config())
    bench.desk._own._wanted = bench.desk._own.now = bench.wire.nick = "YardzeeTheHost"
    bench.connect("alice")
    bench.say("alice", "!join")
    assert bool(bench.rename_host(given)) is told


def test_no_line_loses_its_end_to_a_longer_nick() -> None:
    bench = Bench(config(send="{burst: 1, seconds: 1}"))
    bench.connect("alice")
    bench.begin("alice")
    full = "x" * bench.wire.budget("alice")
    bench.desk._voice.to_person("alice", full, notice=False, lane=Lane.ANSWER)
    bench.rename_host("Guest83712")
    assert "".join(line for line in to(bench.pass_(30), "alice") if set(line) == {"x"}) == full
