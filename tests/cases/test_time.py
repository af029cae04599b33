"""Lines at the deadline, lines that come twice, and games in which nobody does anything."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

from chat.events import Disconnected
from game.category import CATEGORIES
from game.match import Rolled, Scored
from host.decide import SPLIT_WAIT
from host.events import Began, Event, Seated
from host.journal import GameFile
from host.table import Phase
from tests.cases.tools import (
    PACES,
    Client,
    arrive,
    boxes,
    channel,
    come,
    game,
    lobby,
    missed,
    results,
    table,
    tag,
    written,
)
from tests.support.bench import CHANNEL, Bench, FakeTimer, config, to

TRIALS: Final = 1000
both_paces = pytest.mark.parametrize("pace", PACES)


# --- a line at the deadline ---


def due(bench: Bench) -> float:
    deadline = table(bench).deadline
    assert deadline is not None
    return deadline


@both_paces
def test_of_a_score_and_the_deadline_exactly_one_counts(pace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A thousand times within 50 ms of it, whether the timer or the line is first to be looked at."""
    rng = random.Random(pace)
    count = {True: 0, False: 0}
    while sum(count.values()) < (TRIALS * 4 // 5 if pace == "free" else TRIALS // 5):
        bench = Bench(config(channel(pace=pace)))
        entries = entries_of(bench, monkeypatch)
        (alice,) = game(bench, "alice")
        for number in range(1, 14):
            if pace == "lockstep":
                bench.pass_(240)  # to the third roll; whoever is silent keeps all
            play = table(bench).play
            box = next(iter(play.cards[0].options(play.turns[0].cup))).value
            moment = due(bench) + rng.uniform(-0.05, 0.05)
            in_time = moment < due(bench)
            if rng.random() < 0.5:
                bench.pass_(moment - bench.clock.now())
                alice.tell(f"score {box}")
            else:
                bench.clock.stall(moment - bench.clock.now())
                alice.tell(f"score {box}")
                bench.pass_(0)
            bench.pass_(0.1)
            assert len(entries) == boxes(bench) == number
            assert entries[-1].by_host is not in_time
            assert entries[-1].category.value == box or not in_time
            count[in_time] += 1
    assert min(count.values()) > sum(count.values()) // 4


def entries_of(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> list[Scored]:
    """What is written into cards from now on."""
    entries: list[Scored] = []
    append = bench.journal.append

    def noted(file: GameFile, version: int, events: Sequence[Event], *when: Any, **more: Any) -> None:
        append(file, version, events, *when, **more)
        entries.extend(event for event in events if isinstance(event, Scored))

    monkeypatch.setattr(bench.journal, "append", noted)
    return entries


@both_paces
@pytest.mark.parametrize("late", [0.0, 0.001, 0.05, 0.5, 0.99])
@pytest.mark.parametrize("line", ["score chance", "reroll all", "keep a"])
def test_what_comes_too_late_does_nothing_to_the_next_dice(pace: str, late: float, line: str) -> None:
    """It was written for the dice before."""
    bench = Bench(config(channel(pace=pace)))
    (alice,) = game(bench, "alice")
    bench.pass_(120 + late)
    before = tag(bench, 0)
    turn = table(bench).play.turns[0]
    (answer,) = to(alice.tell(line), "alice")
    assert answer.startswith("Too late")
    assert before in answer
    assert table(bench).play.turns[0] == turn


@both_paces
def test_timers_of_the_past_do_nothing(pace: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A clock is of one game, round and roll; called again at any later time it finds nothing to do."""
    bench = Bench(config(channel(pace=pace, round_seconds=40, repeat_seconds=0)))
    calls: list[Callable[[], None]] = []
    call_at = bench.clock.call_at
    ringing = False

    def noted(when: float, call: Callable[[], None]) -> FakeTimer:
        if ringing:
            return FakeTimer()  # the one that it stands for is still to come
        calls.append(call)
        return call_at(when, call)

    monkeypatch.setattr(bench.clock, "call_at", noted)
    alice, bob = come(bench, "alice", "bob")
    rung = 0

    def ring_all() -> None:
        nonlocal rung, ringing
        before, lines = table(bench), len(bench.wire.sent)
        ringing = True
        for call in calls:
            call()
            rung += 1
        ringing = False
        assert table(bench) == before
        assert len(bench.wire.sent) == lines

    for _ in range(2):  # two games
        for client in (alice, bob):
            client.say("!join")
        bench.pass_(20)
        ring_all()
        alice.say("!start")
        ring_all()
        for _ in range(3):
            bench.pass_(31)  # reminded
            ring_all()
            for client in (alice, bob):
                client.tell("keep a")
            ring_all()
            bench.pass_(5)
            for client in (alice, bob):
                seat = 0 if client is alice else 1
                client.tell(f"score {next(iter(table(bench).play.cards[seat].open)).value}")
            ring_all()
            bench.pass_(41)
            ring_all()
        bench.desk.hear(Disconnected("gone"))
        ring_all()
        bench.pass_(500)
        ring_all()
        arrive(bench, [alice, bob])
        ring_all()
        bench.pass_(13 * 40 * 3)
        assert table(bench).phase is Phase.OVER
        ring_all()
    assert rung > 500


# --- lines that come twice ---

DOUBLES: Final = [
    "reroll all",
    "reroll a b",
    "keep a",
    "r{face}",
    "k{face}",
    "score chance",
    "ch",
    "!reroll all",
]
GAPS: Final = [0.0, 0.08, 1.9]


@pytest.mark.parametrize("line", DOUBLES)
@pytest.mark.parametrize("gap", [0.08, 1.9])
@pytest.mark.parametrize("company", ["alone", "others have decided", "others have not"])
@both_paces
def test_a_line_twice_is_done_once(line: str, gap: float, company: str, pace: str) -> None:
    """Also where the first one brought the next roll, or the next round."""
    bench = Bench(config(channel(pace=pace)))
    alice, *others = game(bench, "alice", *([] if company == "alone" else ["bob"]))
    for other in others if company == "others have decided" else []:
        other.tell("score aces")
    line = line.format(face=table(bench).play.turns[0].cup.faces[0])
    first = alice.tell(line)
    then = table(bench)
    assert "already done" not in " ".join(first)
    bench.pass_(gap)
    (again,) = alice.tell(line)
    assert "already done" in again or "may still change" in again or "Scored Chance" in again
    assert table(bench) == then
    rolls = [event for event in written(bench) if isinstance(event, Rolled) and event.seat == 0]
    assert len(rolls) <= 2
    assert boxes(bench) <= 1


@both_paces
@pytest.mark.parametrize(
    "spellings", [("score chance", "Score  Chance"), ("ch", "!ch"), ("r a", "\x02r\x02 a")]
)
def test_a_line_twice_in_another_dress_is_done_once(pace: str, spellings: tuple[str, str]) -> None:
    """In private and in the channel alike."""
    bench = Bench(config(channel(pace=pace)))
    (alice,) = game(bench, "alice")
    alice.tell(spellings[0])
    then = table(bench)
    alice.tell(spellings[1])
    alice.say(f"!{spellings[0]}")
    assert table(bench) == then


@both_paces
def test_a_score_twice_at_the_deadline_is_one_box(pace: str) -> None:
    """The first in time, the second after the clock has closed the round."""
    bench = Bench(config(channel(pace=pace)))
    alice, _ = game(bench, "alice", "bob")
    bench.pass_(119.96 if pace == "free" else 359.96)
    alice.tell("score chance")
    bench.pass_(0.08)
    assert table(bench).play.round == 2
    assert "already done" in alice.tell("score chance")[0]
    assert boxes(bench) == 1
    assert missed(bench) == [0, 1]


def test_the_last_score_twice_ends_one_game() -> None:
    """And says nothing about a game that is not on."""
    bench = Bench()
    (alice,) = game(bench, "alice")
    for box in CATEGORIES[:-1]:
        alice.tell(f"score {box.value}")
        bench.pass_(3)
    last = f"score {CATEGORIES[-1].value}"
    assert len(results(alice.tell(last))) == 1
    bench.pass_(0.08)
    assert alice.tell(last) == ["alice: That was already done."]


@pytest.mark.parametrize("gap", GAPS)
def test_seats_and_starts_that_come_twice_are_one(gap: float) -> None:
    """The second `!join`, `!start`, `!leave` or `return` finds that there is nothing to do."""
    bench = Bench()
    alice, bob = come(bench, "alice", "bob")
    for client in (alice, bob):
        for _ in range(2):
            client.say("!join")
            bench.pass_(gap)
    for _ in range(2):
        alice.say("!start")
        bench.pass_(gap)
    events = written(bench)
    assert sum(isinstance(event, Seated) for event in events) == 2
    assert sum(isinstance(event, Began) for event in events) == 1
    told = [text for target, text, _ in bench.wire.sent if target == CHANNEL]
    assert [text.split(":")[0] for text in told if "begins" in text] == ["The game begins"]
    phone = Client(bench, "phone")
    phone.join()
    assert len(to(phone.tell("return token00001"), CHANNEL)) == 1
    bench.pass_(gap)
    phone.tell("return token00001")
    assert [seat.nick for seat in table(bench).seats] == ["phone", "bob"]
    assert len(to(bob.say("!leave"), CHANNEL)) == 1
    bench.pass_(gap)
    assert to(bob.say("!leave"), CHANNEL) == []
    assert sum(seat.left for seat in table(bench).seats) == 1


# --- nobody does anything ---


def silent(bench: Bench, clients: list[Client]) -> None:
    """They sit there and say nothing."""


def gone(bench: Bench, clients: list[Client]) -> None:
    for client in clients:
        client.go("quit")


def out(bench: Bench, clients: list[Client]) -> None:
    for client in clients:
        client.go("part")


def torn(bench: Bench, clients: list[Client]) -> None:
    for client in clients:
        client.split()


def hosts_reconnect(bench: Bench, clients: list[Client]) -> None:
    bench.desk.hear(Disconnected("gone"))
    bench.pass_(100)
    arrive(bench, clients)


def hosts_reconnect_to_nobody(bench: Bench, clients: list[Client]) -> None:
    bench.desk.hear(Disconnected("gone"))
    arrive(bench, [])


@both_paces
@pytest.mark.parametrize("players", [1, 3])
@pytest.mark.parametrize("begun", [True, False], ids=["in the game", "in the lobby"])
@pytest.mark.parametrize(
    "fate",
    [silent, gone, out, torn, hosts_reconnect, hosts_reconnect_to_nobody],
    ids=lambda fate: fate.__name__,
)
def test_what_nobody_plays_ends_all_the_same(
    pace: str, players: int, begun: bool, fate: Callable[[Bench, list[Client]], None]
) -> None:
    """In no more time than all deadlines, and the wait for a split's end; then the channel is free."""
    bench = Bench(config(channel(pace=pace, round_seconds=20)))
    clients = (game if begun else lobby)(bench, *["alice", "bob", "carol"][:players])
    fate(bench, clients)
    lines = bench.pass_(60 + 300 + 13 * 3 * 20 + (SPLIT_WAIT if fate is torn else 0))
    assert not table(bench).open
    if table(bench).phase is Phase.OVER:
        assert len(results(lines)) == 1
    zoe = Client(bench, "zoe")
    zoe.join()
    assert "zoe opens a game" in zoe.say("!join")[0]


@both_paces
@pytest.mark.parametrize("fate", [silent, hosts_reconnect], ids=lambda fate: fate.__name__)
def test_house_players_alone_end_as_well(pace: str, fate: Callable[[Bench, list[Client]], None]) -> None:
    """They play for company, and without any the clock ends it."""
    bench = Bench(config(channel(pace=pace, round_seconds=20, house="{seats: 1}")))
    fate(bench, game(bench, "alice"))
    lines = bench.pass_(13 * 3 * 20 + 30)
    assert len(results(lines)) == 1
    assert not table(bench).open


@both_paces
def test_talk_is_a_sign_of_life_and_holds_nothing_up(pace: str) -> None:
    """Who says something every ten seconds and never plays is waited for to each deadline, and no longer."""
    bench = Bench(config(channel(pace=pace, round_seconds=60)))
    clients = game(bench, "alice", "bob")
    for _ in range(13 * 3 * 6):
        bench.pass_(10)
        for client in clients:
            client.say("hm")
    assert table(bench).phase is Phase.OVER
