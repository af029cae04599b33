"""Work beside the loop: in its order, bounded, and with a loop that goes on turning."""

from __future__ import annotations

import asyncio
import threading

import pytest

from game.dice import Dice
from game.match import Rolled, Scored
from game.rules import HASBRO
from game.scorecard import Scorecard
from host import hindsight
from host.aside import InThread
from host.record import Record
from solver.analysis import Analysis
from tests.support import perfect_play

LATE = 0.1
"""Seconds that the loop may be late at most; most of the time it is a tenth of that."""


async def test_one_piece_after_the_other_in_a_thread_and_told_on_the_loop() -> None:
    aside, done = InThread(), asyncio.Event()
    seen: list[tuple[int, bool, bool]] = []
    me = threading.get_ident()

    def piece(number: int) -> None:
        def then(where: int) -> None:
            seen.append((number, where != me, threading.get_ident() == me))
            if number == 3:
                done.set()

        assert aside(threading.get_ident, then)

    for number in range(4):
        piece(number)
    async with asyncio.timeout(10):
        await done.wait()
    assert seen == [(number, True, True) for number in range(4)]


async def test_no_more_than_some_wait_and_a_fault_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    aside, began, done, go = InThread(), asyncio.Event(), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()

    def fail() -> None:
        loop.call_soon_threadsafe(began.set)
        go.wait(10)
        raise ValueError("a fault")

    assert aside(fail, lambda _: None)
    async with asyncio.timeout(10):
        await began.wait()
    taken = [aside(lambda: None, lambda _: done.set()) for _ in range(20)]
    assert taken == [True] * 8 + [False] * 12
    go.set()
    async with asyncio.timeout(10):
        await done.wait()
    assert "work beside the loop failed" in caplog.text


async def test_nothing_is_handed_on_after_the_end() -> None:
    aside, began, go = InThread(), asyncio.Event(), threading.Event()
    loop = asyncio.get_running_loop()
    heard: list[object] = []

    def wait() -> None:
        loop.call_soon_threadsafe(began.set)
        go.wait(10)

    assert aside(wait, heard.append)
    assert aside(lambda: None, heard.append)
    async with asyncio.timeout(10):
        await began.wait()
    aside.close()
    go.set()
    await loop.shutdown_default_executor()
    assert heard == []


async def test_the_loop_turns_while_a_table_of_fifty_is_looked_at() -> None:
    """The work takes a second or so, most of it with the interpreter's lock."""
    empty = perfect_play.turns("hasbro")(Scorecard(HASBRO))
    assert empty is not None
    dice = Dice((1, 2, 3, 4, 6))
    events = [
        event
        for category in Scorecard(HASBRO).open
        for event in (Rolled(0, 1, frozenset(), dice), Scored(0, category, 0, 0, by_host=False))
    ]
    played = Record(events).turns(0)
    found: list[list[Analysis | None]] = []
    done = asyncio.Event()

    def work() -> list[Analysis | None]:
        return [hindsight.analysis(empty.values, HASBRO, played) for _ in range(50)]

    def then(some: list[Analysis | None]) -> None:
        found.append(some)
        done.set()

    assert InThread()(work, then)
    loop = asyncio.get_running_loop()
    late: list[float] = []
    while not done.is_set():
        due = loop.time() + 0.001
        await asyncio.sleep(0.001)
        late.append(loop.time() - due)
    assert len(found[0]) == 50
    assert all(found[0])
    assert sorted(late)[int(len(late) * 0.9)] < LATE
