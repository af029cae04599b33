"""A host that is killed and started again, and a wall clock that jumps, cost nobody dice, rolls or time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import pytest

from chat.events import Disconnected, Kicked
from host import clock
from host.dealer import Dealer
from host.events import Suspended, TimeRanOut
from host.table import Phase, Table
from protocol.tags import DiceTag
from tests.cases.tools import (
    PACES,
    Client,
    arrive,
    at,
    boxes,
    channel,
    copied,
    game,
    lobby,
    missed,
    results,
    started,
    table,
    tag,
    totals,
    written,
)
from tests.support.bench import CHANNEL, HOST, Bench, config, to

both_paces = pytest.mark.parametrize("pace", PACES)
DOWN: Final = {"5 s": 5.0, "an hour": 3600.0, "two days": 172_800.0, "a clock set back": -3600.0}
however_long = pytest.mark.parametrize("down", DOWN.values(), ids=DOWN)


def seed_of(faces: list[int]) -> bytes:
    """A seed under which the second roll of the first player of the first game is this one, in some order."""
    for number in range(100_000):
        seed = number.to_bytes(32)
        if sorted(Dealer("game0001", seed, ("-", "-")).fall(0, 1, 2).faces) == sorted(faces):
            return seed
    raise AssertionError("no such seed")


@however_long
@pytest.mark.parametrize("unreached", [0.0, 90.0], ids=["network at once", "network later"])
def test_killed_with_a_roll_used_and_some_time_left(folder: Path, down: float, unreached: float) -> None:
    """The same dice and rolls, the time that was left, one line, no blame; and the clock goes on."""
    settings = config(store=at(folder / "s.sqlite"))
    bench = Bench(settings, seed=seed_of([6, 6, 6, 2, 1]))
    clients = game(bench, "alice", "bob")
    bench.pass_(80)
    clients[0].tell("reroll all")
    dice = tag(bench, 0), tag(bench, 1)
    assert sorted(table(bench).play.turns[0].cup.faces) == [1, 2, 6, 6, 6]
    path = copied(folder / "s.sqlite", folder / "killed")
    bench.journal.close()

    again = started(path, down=down)
    with closing(again.journal):
        assert again.pass_(unreached) == []
        lines = arrive(again, clients)
        assert to(lines, CHANNEL) == ["I am back. Round 1/13 goes on with the same dice, 40 s left."]
        for client, shown in zip(clients, dice, strict=True):
            (line,) = to(lines, client.nick)
            assert shown in line
        assert "roll 2/3" in dice[0]
        assert missed(again) == [0, 0]
        again.pass_(39)
        assert table(again).play.round == 1
        again.pass_(2)
        assert table(again).play.round == 2
        assert missed(again) == [1, 1]


def test_killed_some_time_after_the_last_word(folder: Path) -> None:
    """What nobody wrote down did not pass: there is never less time than there was, nor more than a round."""
    bench = Bench(config(store=at(folder / "s.sqlite")))
    clients = game(bench, "alice", "bob")
    bench.pass_(80)
    path = copied(folder / "s.sqlite", folder / "killed")
    bench.journal.close()
    again = started(path, down=5)
    with closing(again.journal):
        arrive(again, clients)
        assert 40 <= (table(again).deadline or 0) - again.clock.now() <= 120


# --- killed in any state ---


def in_the_lobby(bench: Bench) -> list[Client]:
    clients = lobby(bench, "alice", "bob")
    bench.pass_(25)
    bench.join("carol")
    bench.say("carol", "!join")
    return clients


def just_begun(bench: Bench) -> list[Client]:
    return game(bench, "alice", "bob")


def a_hold_is_noted(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    clients[0].tell("keep a b")
    return clients


def a_box_is_noted(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    clients[1].tell("score chance")
    return clients


def reminded(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    bench.pass_(91)
    return clients


def the_clock_just_rang(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    bench.pass_(120)
    return clients


def all_are_away(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    bench.pass_(720)
    return clients


def one_has_left(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    clients[0].say("!leave")
    return clients


def out_of_the_channel(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    bench.pass_(50)
    bench.desk.hear(Kicked(HOST, CHANNEL, "op", ""))
    bench.pass_(500)
    return clients


def out_of_the_channel_in_the_lobby(bench: Bench) -> list[Client]:
    clients = lobby(bench, "alice", "bob")
    bench.desk.hear(Disconnected("gone"))
    return clients


def back_in_the_channel(bench: Bench) -> list[Client]:
    clients = out_of_the_channel(bench)
    arrive(bench, clients)
    return clients


def split(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    bench.pass_(110)
    clients[1].split()
    return clients


def renamed(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    clients[0].rename("tmp")
    clients[1].rename("alice")
    clients[0].rename("bob")
    return clients


def in_the_last_round(bench: Bench) -> list[Client]:
    clients = game(bench, "alice", "bob")
    while table(bench).play.round < 13:
        clients[0].tell(f"score {next(iter(table(bench).play.cards[0].open)).value}")
        bench.pass_(120)
    clients[0].tell(f"score {next(iter(table(bench).play.cards[0].open)).value}")
    return clients


STATES: Final = [
    *(in_the_lobby, just_begun, a_hold_is_noted, a_box_is_noted, reminded, the_clock_just_rang, all_are_away),
    *(one_has_left, out_of_the_channel, out_of_the_channel_in_the_lobby, back_in_the_channel, split, renamed),
    in_the_last_round,
]


@pytest.mark.parametrize("state", STATES, ids=lambda state: state.__name__)
@pytest.mark.parametrize(("pace", "kills"), [("free", 1), ("lockstep", 3)])
def test_killed_in_any_state(
    folder: Path, state: Callable[[Bench], list[Client]], pace: str, kills: int
) -> None:
    """Once or several times before the network is reached: the table is as it was, but for its clock."""
    path = folder / "s.sqlite"
    keys = channel(pace=pace)
    bench = Bench(config(keys, store=at(path)))
    clients = state(bench)
    before, stopped = table(bench), bench.journal.last_time()
    for number in range(kills):
        path = copied(path, folder / f"killed{number}")
        bench.journal.close()
        bench = started(path, config(keys, store=at(path)), down=3600)
        bench.pass_(7)
    with closing(bench.journal):
        suspended = before if before.suspended is not None else before.after(Suspended(), stopped)
        assert table(bench) == suspended
        if before.phase is Phase.LOBBY:
            clients.append(Client(bench, "carol"))
        lines = arrive(bench, clients)
        assert len(to(lines, CHANNEL)) == 1
        assert to(lines, CHANNEL)[0].startswith("I am back. ")
        after = table(bench)
        assert (after.seats, after.match) == (before.seats, before.match)
        assert (after.deadline or 0) - bench.clock.now() == max(30, suspended.suspended or 0)
        if before.phase is Phase.PLAYING:
            for seat, client in enumerate(clients):
                shown = [text for text in to(lines, client.nick) if DiceTag.find(text)]
                decides = before.decides(seat) and not before.seats[seat].left
                assert [tag(bench, seat) in text for text in shown] == [True] * decides
        end = bench.pass_(60 + 300 + 13 * 360)
        assert len(results(end)) == 1
        assert table(bench).phase is Phase.OVER
        assert all(boxes(bench, seat) == 13 for seat in range(len(table(bench).seats)))


# --- the wall clock is wrong ---

JUMPS: Final = [3600.0, -3600.0, 2 * 86_400.0, -2 * 86_400.0]


@both_paces
@pytest.mark.parametrize("jump", JUMPS)
def test_deadlines_do_not_care_for_the_time_of_day(jump: float, pace: str) -> None:
    """With or without a jump in every phase, the same happens at the same moments."""

    def evening(by: float) -> list[tuple[Table, int]]:
        bench = Bench(config(channel(pace=pace), send="{burst: 2, seconds: 0.5}"))
        lobby(bench, "alice", "bob")
        seen = []
        for moment in range(60 + 2 * 360):
            if moment % 50 == 7:
                bench.clock.jump(by)
            bench.pass_(1)
            seen.append((table(bench), len(bench.wire.sent)))
        return seen

    assert evening(jump) == evening(0)


@pytest.mark.parametrize("jump", JUMPS)
def test_a_start_does_not_care_for_the_time_of_day(jump: float) -> None:
    """Also when it jumped while the host was down, and when the last event seems to be of tomorrow."""
    bench = Bench()
    clients = game(bench, "alice", "bob")
    bench.pass_(50)
    bench.clock.jump(jump)
    clients[0].tell("score chance")
    again = Bench(journal=bench.journal, start=bench.journal.last_time(), ahead=-jump)
    assert to(arrive(again, clients), CHANNEL) == [
        "I am back. Round 1/13 goes on with the same dice, 70 s left."
    ]
    again.pass_(71)
    assert table(again).play.round == 2
    assert totals(again)[0] > 0
    assert [event.seats for event in written(again) if isinstance(event, TimeRanOut)] == [(1,)]


@pytest.mark.parametrize("jump", JUMPS)
async def test_the_live_clock_is_not_the_time_of_day(jump: float, monkeypatch: pytest.MonkeyPatch) -> None:
    """It goes on where it was, and only the record has the other time."""

    class Jumped:
        @staticmethod
        def now(zone: object) -> datetime:
            return datetime.now(UTC) + timedelta(seconds=jump)

    live = clock.LoopClock(asyncio.get_running_loop(), 1000.0)
    monkeypatch.setattr(clock, "datetime", Jumped)
    assert 1000.0 <= live.now() < 1005.0
    assert abs((live.wall() - datetime.now(UTC)).total_seconds() - jump) < 5
    rang = asyncio.Event()
    live.call_at(live.now() + 0.01, rang.set)
    async with asyncio.timeout(5):
        await rang.wait()
