"""Whose seat, dice and rights these are, whatever nicks do and whoever goes and comes."""

from __future__ import annotations

import re
from typing import Final

import pytest

from chat.events import Disconnected
from game.category import Category
from host.table import Phase
from protocol.tags import DiceTag
from tests.cases.tools import (
    PACES,
    WAYS_OUT,
    Client,
    arrive,
    channel,
    game,
    lobby,
    missed,
    results,
    table,
    tag,
    totals,
)
from tests.support.bench import CHANNEL, Bench, config, to

NICKS: Final = ("alice", "bob", "carol")

Steps = list[tuple[str, str]]
WANDERINGS: Final[dict[str, Steps]] = {
    "the second takes the first's": [("alice", "al"), ("bob", "alice")],
    "the first takes the second's": [("bob", "bo"), ("alice", "bob")],
    "swap": [("alice", "tmp"), ("bob", "alice"), ("tmp", "bob")],
    "swap from the other side": [("bob", "tmp"), ("alice", "bob"), ("tmp", "alice")],
    "round": [("alice", "tmp"), ("carol", "alice"), ("bob", "carol"), ("tmp", "bob")],
    "round the other way": [("alice", "tmp"), ("bob", "alice"), ("carol", "bob"), ("tmp", "carol")],
    "case alone": [("alice", "ALICE"), ("carol", "Carol"), ("ALICE", "Alice")],
    "swap and back": [
        ("alice", "x"),
        ("bob", "alice"),
        ("x", "bob"),
        ("alice", "y"),
        ("bob", "alice"),
        ("y", "bob"),
    ],
    "swap and case": [("alice", "tmp"), ("bob", "ALICE"), ("tmp", "BOB")],
}
every_wandering = pytest.mark.parametrize("steps", WANDERINGS.values(), ids=WANDERINGS)
both_paces = pytest.mark.parametrize("pace", PACES)
one_place_or_many = pytest.mark.parametrize("one_place", [False, True], ids=["places", "one place"])
every_way_out = pytest.mark.parametrize("way", WAYS_OUT)


def wander(clients: list[Client], steps: Steps) -> None:
    for old, new in steps:
        next(client for client in clients if client.nick == old).rename(new)


def words(text: str) -> set[str]:
    return set(re.findall(r"[A-Za-z_]+", text))


# --- nicks that wander ---


@every_wandering
@both_paces
@one_place_or_many
def test_scores_and_dice_are_their_owners_and_lines_have_the_nicks_of_today(
    steps: Steps, pace: str, one_place: bool
) -> None:
    """A seat is a person's, and a nick is only what they are called."""
    bench = Bench(config(channel(pace=pace, repeat_seconds=0)))
    clients = game(bench, *NICKS, one_place=one_place)
    assert len({tag(bench, seat) for seat in range(3)}) == 3
    wander(clients, steps)
    for seat, client in enumerate(clients):
        (answer,) = client.tell("dice")
        assert answer.startswith(f"{client.nick}: ")
        assert tag(bench, seat) in answer
    for client in clients:
        client.tell("keep a b")
    dice = [turn.cup for turn in table(bench).play.turns]
    lines = [line for client in clients for line in client.tell("score chance")]
    (told,) = to(lines, CHANNEL)
    for seat, client in enumerate(clients):
        assert table(bench).play.cards[seat].boxes == {Category.CHANCE: dice[seat].total}
        assert f"{client.nick} Chance {dice[seat].total} ({dice[seat].total})" in told
        assert tag(bench, seat) in to(lines, client.nick)[-1]
    known = set(NICKS) | {nick for step in steps for nick in step}
    assert not words(told) & (known - {client.nick for client in clients})


@every_wandering
@both_paces
def test_the_clock_reminds_and_plays_for_the_one_who_is_silent(steps: Steps, pace: str) -> None:
    """Time that runs out is that person's time, under whatever nick they sit there."""
    bench = Bench(config(channel(pace=pace)))
    clients = game(bench, *NICKS)
    for client in (clients[0], clients[2]):
        client.tell("score chance")
    wander(clients, steps)
    lines = bench.pass_(120 if pace == "free" else 360)
    assert [client.nick for client in clients if "30 s left!" in " ".join(to(lines, client.nick))] == [
        clients[1].nick
    ]
    assert re.findall(r"(\w+)\*", to(lines, CHANNEL)[0]) == [clients[1].nick]
    assert missed(bench) == [0, 1, 0]


@every_wandering
@one_place_or_many
def test_the_right_to_start_goes_with_the_opener(steps: Steps, one_place: bool) -> None:
    """Who opened the table may start it, and not whoever has that nick now."""
    bench = Bench()
    clients = lobby(bench, *NICKS, one_place=one_place)
    wander(clients, steps)
    for other in clients[1:]:
        assert other.say("!start")[0].startswith(f"{other.nick}: {clients[0].nick} opened the table")
    begun = to(clients[0].say("!start"), CHANNEL)[0]
    assert begun.startswith(f"The game begins: {', '.join(client.nick for client in clients)}, ")


@every_wandering
@both_paces
def test_lines_that_wait_find_their_owner(steps: Steps, pace: str) -> None:
    """Dice that are still to be sent go to their player's new nick, at every step of the way."""
    bench = Bench(config(channel(pace=pace), send="{burst: 1, seconds: 0.7}"))
    clients = game(bench, *NICKS)
    seen, shown = 0, set()
    for old, new in [*steps, ("", "")]:
        for client in clients:
            client.tell("dice")
        for client in clients:
            if client.nick == old:
                client.rename(new)
        bench.pass_(0.8 if old else 30)
        for target, text, _ in bench.wire.sent[seen:]:
            if DiceTag.find(text):
                (seat,) = [number for number, client in enumerate(clients) if client.nick == target]
                assert tag(bench, seat) in text
                shown.add(seat)
        seen = len(bench.wire.sent)
    assert shown == {0, 1, 2}


@every_wandering
@both_paces
def test_the_result_has_the_nicks_of_today(steps: Steps, pace: str) -> None:
    """What counts for a person is added up for that person."""
    bench = Bench(config(channel(pace=pace, round_seconds=30)))
    clients = game(bench, *NICKS)
    bench.pass_(30 * 5)
    wander(clients, steps)
    lines = bench.pass_(30 * 39)
    assert table(bench).phase is Phase.OVER
    (result,) = results(lines)
    assert result == dict(zip((client.nick for client in clients), totals(bench), strict=True))


@every_wandering
@one_place_or_many
def test_a_host_that_starts_again_knows_who_is_who(steps: Steps, one_place: bool) -> None:
    """The journal knows of every change of a nick."""
    bench = Bench()
    clients = game(bench, *NICKS, one_place=one_place)
    wander(clients, steps)
    again = Bench(journal=bench.journal, start=1.0)
    lines = arrive(again, clients)
    for seat, client in enumerate(clients):
        (shown,) = to(lines, client.nick)
        assert tag(again, seat) in shown


@pytest.mark.parametrize("proof", ["token", "account"])
def test_who_finds_their_nick_taken_has_their_seat_all_the_same(proof: str) -> None:
    """The player who took it keeps their own seat."""
    bench = Bench()
    bench.connect()
    account = "Alice" if proof == "account" else None
    alice, bob = Client(bench, "alice", account=account), Client(bench, "bob")
    for client in (alice, bob):
        client.join()
        client.say("!join")
    alice.say("!start")
    alice.go("quit")
    bob.rename("alice")
    alice.nick, alice.user, alice.host = "alice_", "~other", "elsewhere.example"
    lines = alice.join()
    if proof == "token":
        assert to(lines, "alice_") == []
        lines = alice.tell("return token00001")
    assert tag(bench, 0) in to(lines, "alice_")[0]
    assert tag(bench, 1) in bob.tell("dice")[0]


# --- out of the lobby and back ---


@pytest.mark.parametrize("way", [*WAYS_OUT, "!leave"])
@pytest.mark.parametrize("who", [0, 1, 2], ids=["opener", "second", "last"])
@pytest.mark.parametrize("host", ["example.org", "elsewhere.example"])
def test_who_goes_from_the_lobby_and_comes_back_has_one_seat(way: str, who: int, host: str) -> None:
    """No seat is left behind, and none is held against the one who had it."""
    bench = Bench()
    clients = lobby(bench, *NICKS)
    client = clients[who]
    client.go(way)
    assert client.nick not in [seat.nick for seat in table(bench).seats]
    client.host = host
    if way != "!leave":
        assert client.join() == []
    lines = client.say("!join")
    assert to(lines, CHANNEL) == [f"{client.nick} joins (3 of 12 seats)."]
    assert "already" not in " ".join(lines)
    assert sorted(seat.nick for seat in table(bench).seats) == sorted(NICKS)
    assert table(bench).seats[-1].nick == client.nick


@pytest.mark.parametrize("way", [*WAYS_OUT, "!leave"])
@pytest.mark.parametrize("house", [0, 2])
@pytest.mark.parametrize("host", ["example.org", "elsewhere.example"])
def test_an_empty_lobby_is_no_game_and_the_next_one_is_new(way: str, house: int, host: str) -> None:
    """House players keep no table open. Nothing of the old table holds for the new one, its clock least."""
    bench = Bench(config(channel(house=f"{{seats: {house}}}")))
    (alice,) = lobby(bench, "alice")
    old = table(bench).game
    bench.pass_(50)
    (told,) = to(alice.go(way), CHANNEL)
    assert "closes" in told
    assert table(bench).phase is Phase.CLOSED
    bob = Client(bench, "bob")
    bob.join()
    alice.host = host
    if way != "!leave":
        alice.join()
    assert to(bob.say("!join"), CHANNEL)[0].startswith("bob opens a game")
    assert to(alice.say("!join"), CHANNEL) == [f"alice joins ({house + 2} of 12 seats)."]
    assert table(bench).game != old
    assert alice.say("!start")[0].startswith("alice: bob opened the table")
    assert bench.pass_(59) == []
    assert table(bench).phase is Phase.LOBBY
    bench.pass_(2)
    assert table(bench).phase is Phase.PLAYING


# --- out of a game and back ---


@every_way_out
@both_paces
def test_a_return_in_time_leaves_no_timer_behind(way: str, pace: str) -> None:
    """Who was away for some seconds sees their dice, plays on, and hears no more of it."""
    bench = Bench(config(channel(pace=pace)))
    alice, _ = game(bench, "alice", "bob")
    deadline = table(bench).deadline
    for _ in range(3):  # each time is as good as the first
        assert alice.go(way) == []
        bench.pass_(7)
        (shown,) = to(alice.join(), "alice")
        assert tag(bench, 0) in shown
        bench.pass_(6)
    alice.tell("score chance")
    then = table(bench)
    assert bench.pass_(50) == []  # 89 s; who has not played is reminded at 90 s
    assert table(bench) == then
    assert table(bench).deadline == deadline
    assert missed(bench) == [0, 0]


@every_way_out
@both_paces
def test_every_absence_is_waited_for_as_long_as_the_first(way: str, pace: str) -> None:
    """What was missed before a return does not count against the next absence."""
    bench = Bench(config(channel(pace=pace, round_seconds=60)))
    alice, bob = game(bench, "alice", "bob")

    def a_round() -> None:
        bob.tell(f"score {next(iter(table(bench).play.cards[1].open)).value}")
        number = table(bench).play.round
        bench.pass_(60 if pace == "free" else 180)
        assert table(bench).play.round == number + 1

    for _ in range(3):
        alice.go(way)
        a_round()
        assert missed(bench) == [1, 0]
        alice.join()
        assert missed(bench) == [0, 0]
    alice.go(way)
    a_round()
    assert not table(bench).seats[0].away
    a_round()
    assert table(bench).seats[0].away


# --- the opener goes ---


@pytest.mark.parametrize("way", [*WAYS_OUT, "!leave"])
@pytest.mark.parametrize("heir", ["stranger", "player", "opener again", "opener from elsewhere"])
def test_the_right_to_start_passes_on_and_stays_with_no_nick(way: str, heir: str) -> None:
    """The channel is told who may start now; the old nick, and even the old opener, may not."""
    bench = Bench()
    alice, bob, carol = lobby(bench, *NICKS)
    assert to(alice.go(way), CHANNEL) == ["alice leaves; bob may !start now."]
    if heir == "stranger":
        if way in ("part", "!leave"):
            alice.rename("al")
        claimant = Client(bench, "alice", host="elsewhere.example")
        claimant.join()
        assert claimant.say("!start")[0].startswith("alice: You have no seat")
        claimant.say("!join")
    elif heir == "player":
        if way in ("part", "!leave"):
            alice.rename("al")
        claimant = carol
        carol.rename("alice")
    else:
        claimant = alice
        alice.host = "elsewhere.example" if "elsewhere" in heir else alice.host
        if way != "!leave":
            alice.join()
        alice.say("!join")
    assert claimant.say("!start")[0].startswith("alice: bob opened the table")
    assert table(bench).phase is Phase.LOBBY
    assert to(bob.say("!start"), CHANNEL)[0].startswith("The game begins: bob, ")


@every_way_out
def test_the_right_passes_on_as_often_as_it_must(way: str) -> None:
    """It goes to the person who came first of those who are left."""
    bench = Bench(config(channel(house="{seats: 1}")))
    alice, bob, carol = lobby(bench, *NICKS)
    alice.go(way)
    assert to(bob.go(way), CHANNEL) == ["bob leaves; carol may !start now."]
    assert "The game begins: " in carol.say("!start")[0]


def test_an_opener_who_went_while_the_host_was_away_has_no_rights_left() -> None:
    """It is announced when the host is back, though nobody saw the opener go."""
    bench = Bench()
    _, bob, _ = lobby(bench, *NICKS)
    bench.desk.hear(Disconnected("gone"))
    impostor = Client(bench, "alice", host="elsewhere.example")
    lines = arrive(bench, [impostor, bob])
    assert "bob may !start now." in " ".join(to(lines, CHANNEL))
    assert impostor.say("!start")[0].startswith("alice: You have no seat")
    assert "The game begins: bob" in bob.say("!start")[0]


def test_the_right_goes_with_the_seat_when_its_token_moves_it() -> None:
    """A token is the seat, with all that belongs to it."""
    bench = Bench()
    alice, bob = lobby(bench, "alice", "bob")
    phone = Client(bench, "phone", host="mobile.example")
    phone.join()
    phone.tell("return token00001")
    assert alice.say("!start")[0].startswith("alice: You have no seat")
    assert bob.say("!start")[0].startswith("bob: phone opened the table")
    assert "The game begins: phone, bob" in phone.say("!start")[0]
