"""A real server that freezes, dies without a word, or is out of reach, while a game is on."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import signal
import socket
from collections.abc import AsyncIterator, Callable

import pytest

from chat.events import Disconnected, LinkEvent, Present
from chat.link import Link
from host.clock import LoopClock
from host.desk import Desk
from host.journal import Journal
from protocol.tags import DiceTag
from tests.chat.harness import FAST, settings
from tests.support.bench import CHANNEL, HOST, FakeControls, config
from tests.support.client import Client, Server
from tests.support.linked import Cable
from tests.support.ngircd import Ngircd
from tests.support.town import no_faults

TIMINGS = dataclasses.replace(FAST, connect=1, register=0.5, ping_after=0.3, ping_timeout=0.3)
PATIENCE = 15.0
BACK = "I am back. Round 1/13 goes on with the same dice"


class Place:
    """A host in this process, and when it lost the network and was in its channel."""

    def __init__(self, port: int, journal: Journal) -> None:
        self.lost = asyncio.Event()
        self.there = asyncio.Event()

        def connect(listener: Callable[[LinkEvent], None]) -> Link:
            def hear(event: LinkEvent) -> None:
                listener(event)
                if isinstance(event, Disconnected):
                    self.there.clear()
                    self.lost.set()
                elif isinstance(event, Present):
                    self.there.set()

            self.link = Link(settings(port, nick=HOST, channels=(CHANNEL,)), hear, TIMINGS)
            return self.link

        self.desk = Desk(
            config().networks[0],
            connect,
            journal=journal,
            clock=LoopClock(asyncio.get_running_loop()),
            controls=FakeControls(),
        )


@contextlib.asynccontextmanager
async def hosted(server: Server) -> AsyncIterator[Place]:
    journal = Journal.open("sqlite://")
    place = Place(server.port, journal)
    task = asyncio.create_task(place.link.run())
    try:
        async with asyncio.timeout(PATIENCE):
            await place.there.wait()
        yield place
    finally:
        await place.link.stop()
        await task
        place.desk.close()
        journal.close()


async def dealt(alice: Client) -> DiceTag:
    line = await alice.wait_for(lambda line: DiceTag.find(line.text) is not None, PATIENCE)
    tag = DiceTag.find(line.text)
    assert tag is not None
    return tag


async def begun(alice: Client) -> DiceTag:
    await alice.join(CHANNEL)
    alice.say(CHANNEL, "!join")
    alice.say(CHANNEL, "!start")
    return await dealt(alice)


async def goes_on(alice: Client, dice: DiceTag, place: Place) -> None:
    assert await dealt(alice) == dice
    alice.say(place.link.nick, "chance")
    await alice.wait_for(f"Scored Chance {dice.dice.total}, total {dice.dice.total}", PATIENCE)


async def test_a_server_that_freezes_is_left_and_found_again_when_it_thaws() -> None:
    with no_faults():
        async with (
            Ngircd() as server,
            hosted(server) as place,
            await Client.connect(server.host, server.port, "alice") as alice,
        ):
            dice = await begun(alice)
            place.lost.clear()
            server.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(PATIENCE):
                await place.lost.wait()
            stood = place.desk.keepers[0].table
            server.send_signal(signal.SIGCONT)
            await alice.wait_for(BACK, PATIENCE)
            assert stood.play == place.desk.keepers[0].table.play
            await goes_on(alice, dice, place)
            await alice.sync()
            assert len([line for line in alice.lines if BACK in line.text]) == 1


async def test_a_server_that_is_killed_and_comes_back_finds_the_game_as_it_was() -> None:
    with no_faults():
        async with Ngircd() as server, hosted(server) as place:
            async with await Client.connect(server.host, server.port, "alice") as alice:
                dice = await begun(alice)
                await server.kill()
                async with asyncio.timeout(PATIENCE):
                    await place.lost.wait()
            place.there.clear()
            await server.restart()
            async with asyncio.timeout(PATIENCE):
                await place.there.wait()
            async with await Client.connect(server.host, server.port, "alice") as alice:
                await alice.join(CHANNEL)
                await goes_on(alice, dice, place)


async def test_a_connection_that_is_half_open_is_left_for_one_that_works() -> None:
    with no_faults():
        async with Ngircd() as server, Cable() as cable:
            cable.end = server.port
            async with (
                hosted(cable) as place,
                await Client.connect(server.host, server.port, "alice") as alice,
            ):
                dice = await begun(alice)
                # What either side sends from now on gets nowhere, and nobody is told.
                cable.hold()
                async with asyncio.timeout(PATIENCE):
                    await place.lost.wait()
                stood = place.desk.keepers[0].table
                cable.mend()
                await alice.wait_for(BACK, PATIENCE)
                assert stood.play == place.desk.keepers[0].table.play
                await goes_on(alice, dice, place)


async def test_a_name_that_is_not_found_for_a_while_is_asked_for_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    asked = asyncio.Event()

    async def unknown(*_: object, **__: object) -> None:
        asked.set()
        raise socket.gaierror(-3, "Temporary failure in name resolution")

    with no_faults():
        async with (
            Ngircd() as server,
            Cable() as cable,
            await Client.connect(server.host, server.port, "alice") as alice,
        ):
            cable.end = server.port
            async with hosted(cable) as place:
                dice = await begun(alice)
                with monkeypatch.context() as patch:
                    patch.setattr(asyncio.get_running_loop(), "getaddrinfo", unknown)
                    cable.cut()
                    async with asyncio.timeout(PATIENCE):
                        await place.lost.wait()
                        for _ in range(3):
                            asked.clear()
                            await asked.wait()
                    cable.mend()
                await alice.wait_for(BACK, PATIENCE)
                await goes_on(alice, dice, place)
