"""The host at its usual speed on a server that punishes floods."""

from __future__ import annotations

import asyncio

import pytest

from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.reading import public, results
from tests.support.referee import PATIENCE, company, play_all, sit_down

PENALTIES = "[Limits]\nMaxPenaltyTime = -1\n"


@pytest.mark.slow
async def test_nothing_is_lost_and_nobody_is_thrown_out() -> None:
    async with (
        Ngircd(extra=PENALTIES) as server,
        HostProcess(server, send={"burst": 4, "seconds": 1}) as host,
        company(server, ("alice", "bob", "carol", "dave"), "hasbro") as players,
    ):
        await sit_down(players)
        await play_all(players, 2)
        await host.watcher.wait_for("Round 2/13: ", PATIENCE)
        clients = [host.watcher, *(player.client for player in players)]
        await asyncio.gather(*(client.sync() for client in clients))
        for client in clients:
            told = results(public(client))
            assert told == {
                number: {player.nick: player.books[number - 1] for player in players} for number in (1, 2)
            }
            assert not [line.raw for line in client.lines if line.command in {"QUIT", "ERROR"}]
        assert HOST in (await names(host)).split()


async def names(host: HostProcess) -> str:
    host.watcher.send_raw(f"NAMES {CHANNEL}")
    return (await host.watcher.wait_for(" 353 ")).text.replace("@", "")
