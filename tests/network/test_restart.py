"""The host goes down in the middle of a game and comes back on the same store."""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import Sequence
from random import Random

import pytest

from tests.support.host_process import CHANNEL, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.referee import PATIENCE, Player, check_game, company, play_all, resume_all, sit_down

NICKS = ("alice", "bob", "carol", "dave")
FALLS = 3


async def test_a_round_goes_on_with_the_same_dice() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, NICKS, "hasbro") as players,
    ):
        alice, bob, carol, dave = players
        await sit_down(players)
        await play_all(players, 2)
        await asyncio.gather(*(player.dealt() for player in players))
        alice.score(alice.best())
        await alice.listen()
        for player, rolls in ((bob, 1), (carol, 2)):
            for _ in range(rolls):
                player.keep([1, 3])
                await player.listen()
        tags = [player.tag for player in players]
        assert [player.roll for player in players] == [1, 2, 3, 1]

        await host.stop()
        await dave.client.wait_for(f"PRIVMSG {CHANNEL} :The host stops for now", PATIENCE)
        await host.start()
        back = await host.watcher.wait_for(f"PRIVMSG {CHANNEL} :I am back", PATIENCE)
        assert "Round 3/13" in back.text
        lines = [await player.listen() for player in players]
        assert ["Scored" in line.text for line in lines] == [True, False, False, False]
        assert [player.tag for player in players] == tags

        await play_all(players)
        await asyncio.gather(*(client.sync() for client in (host.watcher, *(p.client for p in players))))
        check_game(players, [host.watcher])


@pytest.mark.parametrize("pace", ["free", "lockstep"])
@pytest.mark.parametrize("how", ["SIGTERM", "SIGKILL"])
async def test_at_any_moment_nothing_that_was_done_is_lost(how: str, pace: str) -> None:
    random = Random(how + pace)
    async with (
        Ngircd() as server,
        HostProcess(server, {CHANNEL: {"pace": pace}}) as host,
        company(server, NICKS, "hasbro") as players,
    ):
        await sit_down(players)
        await host.watcher.wait_for("The game begins", PATIENCE)
        for _ in range(FALLS):
            # Not the last round: a final table that was never told is not told later.
            playing = asyncio.create_task(play_all(players, 12))
            try:
                await some_lines(host, random.randint(1, 10))
                await (host.stop() if how == "SIGTERM" else host.kill())
            finally:
                playing.cancel()
                (outcome,) = await asyncio.gather(playing, return_exceptions=True)
                if isinstance(outcome, Exception):
                    raise outcome
            for player in players:
                await player.settle()
            await host.start()
            await resume_all(players)
        await play_all(players)
        await asyncio.gather(*(client.sync() for client in (host.watcher, *(p.client for p in players))))
        check_game(players, [host.watcher], untold=FALLS)


async def test_a_lobby_is_still_open() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, NICKS, "hasbro") as players,
    ):
        await sit_down(players[:2], start=False)
        await host.kill()
        await host.start()
        await host.watcher.wait_for(f"PRIVMSG {CHANNEL} :I am back", PATIENCE)
        await sit_down_later(players[2:])
        players[0].client.say(CHANNEL, "!start")
        await play_all(players, 1)


async def sit_down_later(players: Sequence[Player]) -> None:
    for player in players:
        player.say("join")
        await player.client.wait_for(f"PRIVMSG {CHANNEL} :{player.nick} joins", PATIENCE)


async def some_lines(host: HostProcess, number: int) -> None:
    """Wait for so many lines in the channel: commands of players and results of rounds."""
    count = itertools.count(1)
    await host.watcher.wait_for(lambda line: line.command == "PRIVMSG" and next(count) == number, PATIENCE)
