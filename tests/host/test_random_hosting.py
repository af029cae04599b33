"""All commands in any order, people and hosts that come and go, a store that fails: no table breaks.

`YARDZEE_STEPS` is the number of steps for each seed, `YARDZEE_SEEDS` that of the seeds.
"""

from __future__ import annotations

import logging
import os
import re
from dataclasses import replace
from itertools import count
from random import Random

import pytest

from game.dice import Dice
from host.dealer import Dealer
from host.events import Reason, Suspended
from host.journal import Journal
from host.keeper import Keeper
from host.table import Phase, Table
from tests.support import recount
from tests.support.bench import Bench
from tests.support.world import CHANNELS, NICKS, World

STEPS, SEEDS = int(os.environ.get("YARDZEE_STEPS", "150")), int(os.environ.get("YARDZEE_SEEDS", "12"))
SECRET = re.compile(r"\[[1-6](?: [1-6]){4}\]|token\d")


def check(world: World, keeper: Keeper) -> None:
    """The journal gives the same table, and the clock of a table that is open goes or will go."""
    table = keeper.table
    if table.phase is not Phase.CLOSED:
        history, told = world.journal.history(table.game), Table(keeper.settings)
        for at, event in history.events if history else ():
            told = told.after(event, at)
        assert told == table
    assert (
        not table.open
        or table.stands_for(Reason.HOST_OUT)
        or (table.due_at is not None and keeper._timer is not None)
    )


def check_fork(world: World) -> None:
    """Another host, started on a copy of the store, has the same tables and plays them to their end."""
    copy, now = Journal.open("sqlite://"), world.bench.clock.now()
    with world.journal._store.engine.connect() as ours, copy._store.engine.connect() as theirs:
        ours.connection.driver_connection.backup(theirs.connection.driver_connection)  # type: ignore[union-attr]
    other = Bench(world.config, copy, start=now)
    for keeper in world.bench.desk.keepers:
        found = other.desk.keeper(keeper.channel)
        if keeper.table.open and found:
            same = (
                keeper.table
                if keeper.table.stands_for(Reason.HOST_OUT)
                else keeper.table.after(Suspended(), now)
            )
            assert replace(found.table, settings=same.settings) == same
    practising = other.desk._practices._keepers
    for person, keeper in world.bench.desk._practices._keepers.items():
        if keeper.table.open:
            assert practising[person].table == keeper.table
    other.connect(*NICKS)
    other.pass_(3600 * 40)
    assert not any(keeper.table.open for keeper in (*other.desk.keepers, *practising.values()))
    copy.close()


def rigged(dealer: Dealer, seat: int, round: int, roll: int) -> Dice:
    """Five equal dice more often than chance gives them, since rules differ there."""
    random = Random(f"{dealer.game} {seat} {round} {roll}")
    faces = [random.randint(1, 6) for _ in range(5)]
    return Dice((faces[0],) * 5 if random.random() < 0.4 else tuple(faces))


@pytest.mark.parametrize("seed", range(SEEDS))
def test_whatever_anybody_says(
    seed: int, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    numbers = count(1)
    monkeypatch.setattr("tests.support.bench.count", lambda *_: numbers)  # no id twice, also after a restart
    monkeypatch.setattr(Dealer, "fall", rigged)
    caplog.set_level(logging.INFO)
    world = World(Random(seed))
    for number in range(STEPS):
        world.step()
        keepers = [*world.bench.desk.keepers, *world.bench.desk._practices._keepers.values()]
        owing = world.journal.locked or any(keeper._owed or keeper._doubtful for keeper in keepers)
        for keeper in () if owing else keepers:
            check(world, keeper)
        if number % 25 == 0 and not owing:
            check_fork(world)
        for target, text, _ in world.bench.wire.sent[-40:]:
            assert text.isprintable() and not (target in CHANNELS and SECRET.search(text)), text
        for record in caplog.records:
            line = caplog.handler.format(record)
            assert record.exc_info is None and line.isprintable() and not SECRET.search(line), line
        caplog.clear()
    recount.check(world.journal._store)
