"""Private lines that the server refuses: one hint, the dice again, and a fair clock."""

from __future__ import annotations

import logging

import pytest

from chat.events import Disconnected
from host.decide import seconds_left
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, Bench, config, to

CALLER_ID = (
    "alice: your client refuses my private messages (caller-id). /accept Hoster lets them in;"
    " then say dice to Hoster."
)
REGISTERED = (
    "alice: your mode +R refuses private messages from people who are not registered."
    " /mode alice -R lets mine in; then say dice to Hoster."
)
THROTTLED = (
    "alice: the network holds my private messages back."
    " They come again in {}, or when you say dice to Hoster."
)


def playing(*nicks: str, bench: Bench | None = None) -> Bench:
    bench = bench or Bench()
    nicks = nicks or ("alice", "bob")
    bench.connect(*nicks)
    bench.begin(*nicks)
    return bench


def left(bench: Bench) -> float:
    return seconds_left(bench.keeper().table, bench.clock.now())


def dice_in(lines: list[str]) -> list[DiceTag]:
    return [tag for line in to(lines, "alice") if (tag := DiceTag.find(line))]


@pytest.mark.parametrize(
    ("numeric", "text", "hint"),
    [
        (716, "is in +g mode", CALLER_ID),
        (717, "has been informed that you messaged them", CALLER_ID),
        (477, "You need to be identified to a registered account", REGISTERED),
        (486, "You must identify", REGISTERED),
        (531, "Cannot send to user", REGISTERED),
        (404, "Cannot send", THROTTLED.format("60 s")),
        (407, "Too many targets", THROTTLED.format("60 s")),
        (439, "Target change too fast", THROTTLED.format("60 s")),
        (707, "Targets changing too fast, message dropped", THROTTLED.format("60 s")),
    ],
)
def test_a_player_is_told_once_a_game_how_to_open_the_way(numeric: int, text: str, hint: str) -> None:
    bench = playing()
    assert bench.refuse(numeric, "alice", text) == [f"{CHANNEL}: {hint}"]
    for _ in range(20):
        assert bench.refuse(numeric, "alice", text) == []
        assert bench.refuse(716, "ALICE") == []
    bench.say("alice", "!stop")
    bench.begin("alice", "bob")
    assert bench.refuse(numeric, "alice", text) == [f"{CHANNEL}: {hint}"]


def test_of_a_refusal_in_the_lobby_nothing_more_is_said_in_the_game() -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.say("alice", "!join")
    assert bench.refuse(716, "alice") == [f"{CHANNEL}: {CALLER_ID}"]
    bench.say("alice", "!start")
    assert bench.refuse(716, "alice") == []


def test_a_refusal_that_names_nobody_is_about_the_nick_in_its_words() -> None:
    bench = playing()
    text = "Cannot send to user (+b) -- You must identify to a registered nick to private message alice"
    (line,) = bench.refuse(486, "", text)
    assert "alice: your mode +b " in line
    assert " /mode alice -b " in line
    assert bench.refuse(486, "", "You must identify") == []


def test_everybody_has_a_hint_of_their_own_and_it_names_the_nick_of_today() -> None:
    bench = playing("alice", "bob")
    bench.rename("alice", "al")
    bench.rename_host("Guest1")
    assert to(bench.refuse(716, "al"), CHANNEL) == [
        CALLER_ID.replace("alice", "al").replace("Hoster", "Guest1")
    ]
    assert len(bench.refuse(716, "bob")) == 1


@pytest.mark.parametrize("word", ["dice", "hello", "card"])
def test_the_dice_come_again_when_the_player_speaks_to_the_host(word: str) -> None:
    bench = playing()
    dealt = bench.dice("alice")
    bench.refuse(716, "alice")
    assert dice_in(bench.tell("alice", word)) == [dealt]


def test_they_come_again_each_time_that_they_are_refused_and_asked_for_and_never_unasked() -> None:
    bench = playing()
    for _ in range(5):
        assert bench.refuse(716, "alice", "is in +g mode")[1:] == []
        assert bench.pass_(1) == []
        assert len(dice_in(bench.tell("alice", "card"))) == 1
    assert dice_in(bench.tell("alice", "card")) == [], "they came through, so there is nothing to repeat"


def test_who_could_not_see_the_dice_has_time_to_play_once_they_can() -> None:
    bench = playing()
    bench.refuse(716, "alice")
    bench.pass_(100)
    assert left(bench) == 20
    bench.tell("alice", "dice")
    assert left(bench) == 60


def test_the_dice_in_the_channel_do_as_well() -> None:
    bench = playing()
    bench.refuse(716, "alice")
    bench.pass_(100)
    assert len(dice_in(bench.say("alice", "!dice"))) == 1
    assert left(bench) == 60


def test_time_is_given_once_a_round_and_never_to_those_whose_dice_came() -> None:
    bench = playing()
    bench.pass_(100)
    bench.tell("alice", "dice")
    assert left(bench) == 20
    bench.refuse(716, "alice")
    bench.tell("alice", "dice")
    assert left(bench) == 60
    bench.pass_(50)
    bench.refuse(716, "alice")
    bench.tell("alice", "dice")
    assert left(bench) == 10
    for nick in ("alice", "bob"):
        bench.tell(nick, "score chance")
    bench.refuse(716, "alice")
    bench.pass_(110)
    bench.tell("alice", "dice")
    assert left(bench) == 60


def test_dice_of_a_round_that_is_over_are_nobodys_loss() -> None:
    bench = playing()
    bench.refuse(716, "alice")
    bench.pass_(120)
    assert bench.keeper().table.play.round == 2
    bench.pass_(100)
    bench.tell("alice", "dice")
    assert left(bench) == 20


def test_a_short_round_is_made_no_longer_than_it_is() -> None:
    bench = playing(bench=Bench(config(f'{{"{CHANNEL}": {{round_seconds: 20}}}}')))
    bench.refuse(716, "alice")
    bench.pass_(15)
    bench.tell("alice", "dice")
    assert left(bench) == 20


def test_a_game_whose_player_is_never_reached_ends_in_bounded_time() -> None:
    bench = playing("alice")
    for _ in range(13 * 200):
        if not bench.keeper().table.open:
            break
        bench.refuse(716, "alice")
        bench.tell("alice", "dice")
        bench.pass_(1)
    assert not bench.keeper().table.open


def test_after_the_time_that_the_server_names_the_dice_come_by_themselves() -> None:
    bench = playing()
    dealt = bench.dice("alice")
    assert bench.refuse(439, "alice", "Please wait 70 seconds.", 70) == [
        f"{CHANNEL}: {THROTTLED.format('70 s')}"
    ]
    assert bench.pass_(70) == []
    lines = bench.pass_(3)
    assert dice_in(lines) == [dealt]
    assert left(bench) == pytest.approx(60, abs=2)


def test_who_asked_meanwhile_is_not_sent_them_twice() -> None:
    bench = playing()
    bench.refuse(439, "alice", "wait", 40)
    assert len(dice_in(bench.tell("alice", "dice"))) == 1
    assert bench.pass_(45) == []


def test_a_server_that_always_refuses_is_tried_three_times_a_game() -> None:
    bench = playing(bench=Bench(config(f'{{"{CHANNEL}": {{round_seconds: 3600}}}}')))
    tries = 0
    bench.refuse(439, "alice", "wait", 10)
    for _ in range(100):
        if dice_in(bench.pass_(11)):
            tries += 1
            assert bench.refuse(439, "alice", "wait", 10) == []
    assert tries == 3


def test_several_refusals_at_once_are_one_try() -> None:
    bench = playing(bench=Bench(config(f'{{"{CHANNEL}": {{round_seconds: 3600}}}}')))
    for _ in range(3):
        tries = [bench.refuse(439, "alice", "wait", 10) for _ in range(5)]
        assert not any(map(dice_in, tries))
        assert len(dice_in(bench.pass_(60))) == 1


def test_after_a_lost_connection_no_old_timer_sends_anything() -> None:
    bench = playing()
    bench.refuse(439, "alice", "wait", 10)
    bench.heard(Disconnected("gone"))
    assert len(dice_in(bench.connect("alice", "bob"))) == 1
    assert bench.pass_(20) == []


def test_at_two_tables_both_come_again_and_the_hint_once() -> None:
    bench = Bench(config('{"#a": {}, "#b": {}}'))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob", channel="#a")
    bench.begin("alice", "bob", channel="#b")
    assert len(bench.refuse(716, "alice")) == 1
    assert bench.refuse(716, "alice") == []
    lines = to(bench.tell("alice", "hello"), "alice")
    assert sum("#a: Round" in line for line in lines) == 1
    assert sum("#b: Round" in line for line in lines) == 1


def test_strangers_are_told_once_in_ten_minutes_and_channel() -> None:
    bench = playing()
    for nick in ("carol", "dave", "eve"):
        bench.join(nick)
    said = [line for nick in ("carol", "dave", "eve") for line in bench.refuse(716, nick)]
    assert said == [
        f"{CHANNEL}: "
        + CALLER_ID.replace("alice", "carol").replace("then say dice to Hoster", "then ask again")
    ]
    assert bench.refuse(716, "nobody") == []
    assert bench.refuse(716, "bob") != [], "bob plays"


def test_a_stranger_for_whom_the_server_is_too_slow_is_told_nothing_of_dice() -> None:
    bench = Bench()
    bench.connect("carol")
    (line,) = bench.refuse(439, "carol", "wait", 30)
    assert line == f"{CHANNEL}: carol: the network holds my private messages back. Ask again in 30 s."
    assert bench.pass_(100) == []


def test_who_gave_the_seat_up_is_a_stranger() -> None:
    bench = playing()
    bench.tell("alice", "leave")
    (line,) = bench.refuse(716, "alice")
    assert line.endswith("then ask again.")


def test_what_waits_for_who_is_gone_is_withdrawn() -> None:
    bench = Bench(config(send="{burst: 1, seconds: 1}"))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    assert bench.refuse(401, "alice", "No such nick") == []
    assert to(bench.pass_(30), "alice") == []


def test_the_log_has_one_line_for_many_refusals(caplog: pytest.LogCaptureFixture) -> None:
    bench = playing()
    with caplog.at_level(logging.INFO):
        for _ in range(50):
            bench.refuse(716, "alice", "is in +g mode")
    assert [line.partition("Z ")[2] for line in caplog.text.splitlines() if "refused" in line] == [
        "warning the server refused a line   network=local target=alice numeric=716 text='is in +g mode'"
    ]
