"""Where perfect play comes from while the host runs."""

from __future__ import annotations

import asyncio
from pathlib import Path

import numpy as np
import pytest

from game.category import Category
from game.rules import HASBRO, HOUSTON
from game.scorecard import Scorecard
from host import advisor
from host.advice import Recent
from host.advisor import Advisor, folder
from solver import cache
from solver.advice import Turn
from solver.tables import Scores, scores
from solver.values import Progress, Values, shape


def flat(wanted: Scores, progress: Progress | None = None) -> Values:
    """Values that took no time, told to be worked out in three steps."""
    for step in range(3):
        if progress:
            progress(step, 3)
    return Values(wanted, np.zeros(shape(wanted)))


@pytest.fixture
def solved(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Which games were worked out."""
    done: list[str] = []

    def solve(wanted: Scores, progress: Progress | None = None) -> Values:
        done.append(wanted.key)
        return flat(wanted, progress)

    monkeypatch.setattr(advisor, "solve", solve)
    return done


async def test_values_are_worked_out_once_and_kept(tmp_path: Path, solved: list[str]) -> None:
    first = Advisor(tmp_path)
    assert first.turn(Scorecard(HASBRO)) is None
    await first.prepare(["hasbro", "hasbro"])
    assert solved == [scores(HASBRO).key]
    assert first.turn(Scorecard(HASBRO)) is not None
    assert first.turn(Scorecard(HOUSTON)) is None
    second = Advisor(tmp_path)
    await second.prepare(["hasbro", "houston"])
    assert solved == [scores(HASBRO).key, scores(HOUSTON).key]
    assert second.turn(Scorecard(HOUSTON)) is not None


async def test_damaged_values_are_worked_out_anew(tmp_path: Path, solved: list[str]) -> None:
    await Advisor(tmp_path).prepare(["hasbro"])
    cache.place(tmp_path, scores(HASBRO)).write_bytes(b"x" * 1000)
    await Advisor(tmp_path).prepare(["hasbro"])
    assert len(solved) == 2


async def test_a_folder_that_takes_nothing_costs_no_advice(
    tmp_path: Path, solved: list[str], caplog: pytest.LogCaptureFixture
) -> None:
    blocked = tmp_path / "file"
    blocked.touch()
    there = Advisor(blocked / "folder")
    await there.prepare(["hasbro"])
    assert there.turn(Scorecard(HASBRO)) is not None
    assert "could not be kept" in caplog.text


async def test_a_host_that_ends_does_not_wait_for_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    working = asyncio.Event()
    loop = asyncio.get_running_loop()

    def solve(wanted: Scores, progress: Progress) -> Values:
        for step in range(1_000_000):
            loop.call_soon_threadsafe(working.set)
            progress(step, 1_000_000)
        return flat(wanted)

    monkeypatch.setattr(advisor, "solve", solve)
    there = Advisor(tmp_path)
    preparing = asyncio.create_task(there.prepare(["hasbro", "houston"]))
    async with asyncio.timeout(10):
        await working.wait()
        there.end()
        await preparing
    assert there.turn(Scorecard(HASBRO)) is None


async def test_a_card_that_no_game_leads_to_has_no_turn(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def solve(wanted: Scores, progress: Progress | None = None) -> Values:
        values = flat(wanted)
        values.table[1, 0, 4] = np.nan
        return values

    monkeypatch.setattr(advisor, "solve", solve)
    there = Advisor(tmp_path)
    await there.prepare(["hasbro"])
    assert there.turn(Scorecard(HASBRO, {Category.ACES: 3})) is not None
    assert there.turn(Scorecard(HASBRO, {Category.ACES: 4})) is None
    full = dict.fromkeys(Category, 0)
    assert there.turn(Scorecard(HASBRO, full)) is None


def test_the_folder_is_the_service_managers_or_the_users(tmp_path: Path) -> None:
    assert folder({"CACHE_DIRECTORY": f"{tmp_path}:/other"}) == tmp_path
    assert folder({}).name == "yardzee"


def test_a_turn_is_remembered_for_a_while_and_that_there_is_none_is_not() -> None:
    values = flat(scores(HASBRO))
    asked: list[Scorecard] = []

    def turns(card: Scorecard) -> Turn | None:
        asked.append(card)
        return None if len(asked) == 1 else Turn.of(values, card)

    recent, card = Recent(turns), Scorecard(HASBRO, {Category.CHANCE: 20})
    assert recent.turn(card) is None
    found = recent.turn(card)
    assert found is not None
    assert recent.turn(Scorecard(HASBRO, {Category.CHANCE: 20})) is found
    assert len(asked) == 2
    for points in range(70):
        other = recent.turn(Scorecard(HASBRO, {Category.CHANCE: 20}, points * 100 + 100))
        assert other is not found
    assert recent.turn(card) is not found
