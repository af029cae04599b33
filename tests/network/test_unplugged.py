"""A network that is away for ten minutes in the middle of a game, in each way in which networks go."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import pytest

from host import decide
from host.table import Phase
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, config
from tests.support.town import FLOOD, Hosted, Mood, Town, no_faults, until
from tests.support.virtual import VirtualLoop, run

NICKS: Final = ("alice", "bob", "carol", "dave")
AWAY: Final = 600.0
PACED: Final = "{burst: 4, seconds: 1}"
NOTICED: Final = 120.0
MOST_ATTEMPTS: Final = 12


def frozen(town: Town) -> None:
    town.mood = Mood.FROZEN


def killed(town: Town) -> None:
    town.mood = Mood.REFUSES
    town.wire.lose(ConnectionResetError(104, "Connection reset by peer"))


def half_open(town: Town) -> None:
    town.mood = Mood.HANGS
    town.wire.silent = True


def refusing(town: Town) -> None:
    town.mood = Mood.REFUSES
    town.send("ERROR :Server going down")


def without_a_name(town: Town) -> None:
    town.mood = Mood.NO_NAME
    town.wire.lose(None)


def without_a_handshake(town: Town) -> None:
    town.mood = Mood.HANGS
    town.wire.lose(None)


def throwing_out(town: Town) -> None:
    town.mood = Mood.THROWS_OUT
    town.send(FLOOD)


Unplug = Callable[[Town], None]
ways = pytest.mark.parametrize(
    "unplug",
    [frozen, killed, half_open, refusing, without_a_name, without_a_handshake, throwing_out],
    ids=lambda way: way.__name__.replace("_", " "),
)


async def game(loop: VirtualLoop, *, tls: bool = False, seed: int = 1) -> Hosted:
    return Hosted(Town(loop, NICKS), config(send=PACED), tls=tls, seed=seed)


async def begun(host: Hosted) -> dict[str, DiceTag]:
    """A game is on, and everybody has dice; those of each."""
    await host.until_back()
    for nick in NICKS:
        host.town.say(nick, "!join", CHANNEL)
    host.town.say("alice", "!start", CHANNEL)
    await asyncio.sleep(20)
    return {nick: dealt(host.town, nick)[-1] for nick in NICKS}


def dealt(town: Town, nick: str, since: int = 0) -> list[DiceTag]:
    return [tag for text in town.to(nick, since) if (tag := DiceTag.find(text))]


def queue(host: Hosted) -> None:
    """More is asked than can be said in a moment."""
    for text in ("card", "scores", "help", "rules", "who", "help scoring", "time", "help keep"):
        for nick in NICKS:
            host.town.say(nick, text)
    assert host.desk.waiting >= 25


async def until_noticed(host: Hosted) -> float:
    began = host.town.loop.time()
    await until(lambda: not host.desk.is_in(host.keeper()))
    return host.town.loop.time() - began


async def outage(loop: VirtualLoop, unplug: Unplug, seed: int) -> list[float]:
    """Ten minutes of it. Returns when the host tried to come back, in seconds from the beginning."""
    host = await game(loop, tls=unplug is without_a_handshake, seed=seed)
    town = host.town
    async with host.running():
        dice = await begun(host)
        queue(host)
        town.attempts.clear()
        began = loop.time()
        unplug(town)
        assert await until_noticed(host) < NOTICED
        assert host.desk.waiting == 0
        left = decide.seconds_left(host.table, host.clock.now())
        assert left is not None
        stood = host.table
        await asyncio.sleep(began + AWAY - loop.time())

        assert host.table == stood
        assert host.table.play.round == 1
        assert host.written() == host.table
        attempts = [at - began for at in town.attempts]
        assert town.most_at_once == 1
        heard = len(town.told)
        town.mood = Mood.SERVES
        await host.until_back()
        assert sum(wire.open for wire in town.wires) == 1
        said = town.told[heard:]
        (back,) = town.to(CHANNEL, heard)
        # Nobody has less than what was left, and all have time to look at their dice again.
        assert back == f"I am back. Round 1/13 goes on with the same dice, {max(30, round(left))} s left."
        # Nothing of what was to be said before.
        assert sorted(who for who, _ in said) == sorted((CHANNEL, *NICKS))
        assert {nick: dealt(town, nick, heard) for nick in NICKS} == {nick: [dice[nick]] for nick in NICKS}

        for nick in NICKS:
            town.say(nick, "chance")
        await asyncio.sleep(10)
        for nick in NICKS:
            assert f"Scored Chance {dice[nick].dice.total}," in " ".join(town.to(nick, heard))
        assert host.table.play.round == 2
        assert [seat.missed for seat in host.table.seats] == [0, 0, 0, 0]
        assert host.written() == host.table
    return attempts


@ways
def test_ten_minutes_without_the_network_cost_nobody_anything(unplug: Unplug) -> None:
    with no_faults():
        attempts = run(lambda loop: outage(loop, unplug, 1))
        # Not all at once with the other hosts of the network.
        others = run(lambda loop: outage(loop, unplug, 2))
    for times in (attempts, others):
        assert 3 <= len(times) <= MOST_ATTEMPTS, times
        gaps = [later - earlier for earlier, later in pairwise(times)]
        # The longest gaps are all of one length, give or take the half of it.
        grown = [gap for gap in gaps if gap < 150]
        assert grown == sorted(grown), gaps
        assert gaps[-1] > 4 * gaps[0] or min(gaps) > 30, gaps
    assert not set(attempts) & set(others)


def test_thrown_out_for_flooding_it_comes_back_once_and_says_nothing_of_before() -> None:
    async def story(loop: VirtualLoop) -> None:
        host = await game(loop)
        town = host.town
        async with host.running():
            dice = await begun(host)
            queue(host)
            town.attempts.clear()
            town.send(FLOOD)
            await until_noticed(host)
            assert host.desk.waiting == 0
            heard = len(town.told)
            await host.until_back()
            assert len(town.attempts) == 1
            assert sorted(who for who, _ in town.told[heard:]) == sorted((CHANNEL, *NICKS))
            assert {nick: dealt(town, nick, heard) for nick in NICKS} == {
                nick: [dice[nick]] for nick in NICKS
            }

    with no_faults():
        run(story)


def test_thrown_out_again_and_again_the_gaps_grow_though_it_gets_into_the_channel() -> None:
    async def story(loop: VirtualLoop) -> None:
        host = await game(loop)
        town = host.town
        async with host.running():
            await begun(host)
            town.attempts.clear()
            began = loop.time()
            while loop.time() - began < AWAY:
                town.send(FLOOD)
                await until_noticed(host)
                await host.until_back()
            assert len(town.attempts) <= MOST_ATTEMPTS
            gaps = [later - earlier for earlier, later in pairwise(town.attempts)]
            assert gaps[-1] > 4 * gaps[0], gaps
            assert host.table.play.round == 1
            assert host.written() == host.table

    with no_faults():
        run(story)


def test_a_host_that_starts_without_the_network_goes_on_when_it_is_there() -> None:
    async def story(loop: VirtualLoop) -> None:
        host = await game(loop)
        host.town.mood = Mood.NO_NAME
        async with host.running():
            await asyncio.sleep(AWAY)
            assert len(host.town.attempts) <= MOST_ATTEMPTS
            host.town.mood = Mood.SERVES
            await begun(host)
            assert host.table.phase is Phase.PLAYING

    with no_faults():
        run(story)


@pytest.mark.parametrize("at", [30, 80, 99])
@pytest.mark.parametrize("thaws", [True, False])
def test_a_silence_before_the_deadline_is_nobodys_fault(at: int, thaws: bool) -> None:
    """Also before it is noticed, and also when lines that were sent in it come after all."""

    async def story(loop: VirtualLoop) -> None:
        host = await game(loop)
        async with host.running():
            dice = await begun(host)
            await asyncio.sleep(at - 20)
            frozen(host.town)
            if thaws:
                await asyncio.sleep(60)
                host.town.mood = Mood.SERVES
                await asyncio.sleep(5)
            else:
                await until_noticed(host)
                host.town.mood = Mood.SERVES
                await host.until_back()
            assert host.table.play.round == 1
            assert [seat.missed for seat in host.table.seats] == [0, 0, 0, 0]
            for nick in NICKS:
                host.town.say(nick, "dice")
            await asyncio.sleep(10)
            assert {nick: dealt(host.town, nick)[-1] for nick in NICKS} == dice

    run(story)
