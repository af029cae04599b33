"""The host is killed at random moments of running games, and loses nothing.

Three tables of one host play game after game on a real ngircd. SIGKILL comes while the host starts, in the
lobby, in the middle of a round, with the final table, whenever; then the host is started again. Players keep
books of all that they are told. At the moment of a kill all of it has to be in the store, and at the end of
each game books, channel and store have to agree. In the end the records are counted anew.

YARDZEE_KILLS says how many kills shall hit a running game on SQLite; on PostgreSQL it is a third. CI makes do
with a few, and `YARDZEE_KILLS=200 scripts/test tests/network/test_kills.py` takes some minutes.
YARDZEE_KILLS_SEED is a text that the moments and the moves of players follow from, and is told when a test
fails. The same one gives the same plan; what that meets depends on the machine, and dice are new each time.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import Counter
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager, contextmanager
from itertools import count
from random import Random
from typing import Final

import pytest

from tests.support.circle import Circle
from tests.support.client import Client
from tests.support.host_process import HostProcess
from tests.support.ledger import Ledger
from tests.support.ngircd import Ngircd
from tests.support.postgres import Postgres
from tests.support.referee import check_secrets

log = logging.getLogger(__name__)

KILLS: Final = int(os.environ.get("YARDZEE_KILLS", "30"))
SEED: Final = os.environ.get("YARDZEE_KILLS_SEED", "kills")
PATIENCE: Final = 60.0

MOMENTS: Final = {"start": 5, "play": 7, "line": 4, "lobby": 1, "end": 3}
"""When to kill, and how often of how many times: see `moment`."""

STARTING: Final = 1.2
"""Seconds; a start takes about as long, until games go on."""

TABLES: Final = {
    "#free": {"pace": "free", "rules": "hasbro"},
    "#lockstep": {"pace": "lockstep", "rules": "hosted"},
    "#choice": {"pace": "free", "rules": "free_choice"},
}
NICKS: Final = {
    "#free": ("alice", "bob", "carol"),
    "#lockstep": ("dave", "erin", "frank"),
    "#choice": ("grace", "heidi"),
}


@pytest.mark.slow
@pytest.mark.parametrize(("database", "kills"), [("sqlite", KILLS), ("postgresql", KILLS // 3)])
async def test_no_kill_loses_or_changes_anything(database: str, kills: int) -> None:
    plan = Random(f"{SEED} {database}")
    done: Counter[str] = Counter()
    try:
        with store_of(database) as store:
            async with Ngircd() as server, HostProcess(server, TABLES, store=store) as host:
                ledger = Ledger(host.store)
                async with circles_on(server, ledger) as circles:
                    while done["hits"] < kills:
                        await one_life(host, circles, plan, done)
                        if plan.random() < 0.5:
                            # Else the next start finds the files as the kill left them.
                            for circle in circles:
                                ledger.check_so_far(circle.channel, len(circle.finals), circle.players)
                        await host.launch()
                    await host.arrived()
                    await play(circles, last=True)
                    await host.watcher.sync()
                    check_secrets(host.watcher)
                    for circle in circles:
                        ledger.check_all(circle.channel, circle.finals)
                        done["games"] += len(circle.finals)
                    assert ledger.recount() == done["games"]
    except BaseException as error:
        error.add_note(f"YARDZEE_KILLS_SEED={SEED!r}, so far: {dict(done)}")
        raise
    log.info("%s: %s", database, dict(done))


async def one_life(host: HostProcess, circles: Sequence[Circle], plan: Random, done: Counter[str]) -> None:
    """From a launch to a kill."""
    kind = plan.choices(list(MOMENTS), list(MOMENTS.values()))[0]
    up = asyncio.Event()
    living = asyncio.create_task(live(host, circles, up, arrived=not done))
    waiting = asyncio.create_task(moment(kind, host, circles, up, plan))
    try:
        await asyncio.wait({living, waiting}, return_when=asyncio.FIRST_COMPLETED)
        if not living.done():
            waiting.result()
            killing = asyncio.create_task(host.kill())
            living.cancel()
            await killing
    finally:
        for task in (living, waiting):
            task.cancel()
        outcomes = await asyncio.gather(living, waiting, return_exceptions=True)
    for outcome in outcomes:
        if isinstance(outcome, Exception):
            raise outcome
    for circle in circles:
        await circle.fell()
    host.check_log()
    done[kind] += 1
    done["hits"] += any(circle.playing for circle in circles)


async def live(host: HostProcess, circles: Sequence[Circle], up: asyncio.Event, *, arrived: bool) -> None:
    """Play from the moment that the host is in its channels."""
    if not arrived:
        await host.arrived()
    up.set()
    await play(circles)


async def play(circles: Sequence[Circle], *, last: bool = False) -> None:
    async with asyncio.TaskGroup() as group:
        for circle in circles:
            group.create_task(circle.live(last=last))


async def moment(
    kind: str, host: HostProcess, circles: Sequence[Circle], up: asyncio.Event, plan: Random
) -> None:
    """Wait for a moment to kill the host in."""
    if kind == "start":
        # Python starts, games are taken up, channels are joined, the first dice are shown.
        await asyncio.sleep(plan.uniform(0, STARTING))
        return
    await up.wait()
    match kind:
        case "play":
            await asyncio.sleep(plan.uniform(0, 0.4))
        case "line":
            number, lines = plan.randint(1, 40), count(1)
            await host.watcher.wait_for(
                lambda line: line.command == "PRIVMSG" and next(lines) == number, PATIENCE
            )
        case "lobby":
            await host.watcher.wait_for(" opens a game ", PATIENCE)
            await asyncio.sleep(plan.uniform(0, 0.03))
        case "end":
            async with asyncio.timeout(PATIENCE):
                await plan.choice(circles).ending.wait()
            await asyncio.sleep(plan.uniform(0, 0.03))


@contextmanager
def store_of(database: str) -> Iterator[str | None]:
    """The URL of a new store, or None for a file of the host's own."""
    if database == "sqlite":
        yield None
        return
    with Postgres() as server:
        yield server.new_url()


@asynccontextmanager
async def circles_on(server: Ngircd, ledger: Ledger) -> AsyncIterator[list[Circle]]:
    """A circle of people in each channel."""
    async with AsyncExitStack() as stack:
        circles = []
        for channel, settings in TABLES.items():
            clients = []
            for nick in NICKS[channel]:
                client = await Client.connect(server.host, server.port, nick)
                clients.append(await stack.enter_async_context(client))
                await client.join(channel)
            circles.append(Circle(channel, settings["rules"], clients, SEED, ledger))
        yield circles
