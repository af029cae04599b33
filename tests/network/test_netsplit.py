"""Servers that lose each other and link again while a game is on, as the players see it."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from typing import Final

import pytest

from protocol.tags import DiceTag
from tests.support.client import Client, Server
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.linked import FAR, NEAR, Linked, linked_inspircds, linked_ngircds
from tests.support.reading import public, results
from tests.support.referee import (
    PATIENCE,
    Player,
    check_books,
    check_game,
    check_secrets,
    company,
    play_all,
    sit_down,
)

OTHER: Final = "#Other"
OFF: Final = "A netsplit took {}. Seats are kept, and everybody has 5 min at least."
ALL_OFF = "A netsplit took {}. Seats are kept, and the game waits."


@dataclass
class Scene:
    """Linked servers, the host and its watcher on the near one, and players on both."""

    servers: Linked
    host: HostProcess
    near: list[Player]
    far: list[Player]
    guests: list[Client]
    """They are on the near server, and not in the channel."""

    _told: int = 0

    @property
    def players(self) -> list[Player]:
        return [*self.near, *self.far]

    async def split(self, *channels: str) -> list[str]:
        """Break the link; what the host then says in the channels."""
        await self.servers.split()
        return await self.told("netsplit", *channels)

    async def heal(self, *channels: str) -> list[str]:
        """Make the link again; what the host then says in the channels."""
        await self.servers.heal()
        return await self.told("back", *channels)

    async def told(self, word: str, *channels: str) -> list[str]:
        """Wait until the host has said the word in each channel; its lines about splits since last time."""
        missing = set(channels or (CHANNEL,))
        while missing:
            line = await self.host.watcher.wait_for(f":{HOST}!.* PRIVMSG #.*{word}", PATIENCE)
            missing.discard(line.params[0])
        start, self._told = self._told, len(self.host.watcher.lines)
        told = (said(self.host.watcher, channel, start) for channel in channels or (CHANNEL,))
        return about_splits([text for lines in told for text in lines])


@asynccontextmanager
async def scene(
    network: AbstractAsyncContextManager[Linked],
    near: Sequence[str],
    far: Sequence[str],
    *,
    guests: Sequence[str] = (),
    channels: Sequence[str] = (CHANNEL,),
) -> AsyncIterator[Scene]:
    """The servers are linked, and the players and the host have come into the channel."""
    async with network as servers, AsyncExitStack() as stack:
        host = HostProcess(servers.near, {channel: {} for channel in channels})
        async with asyncio.TaskGroup() as group:
            group.create_task(servers.link())
            group.create_task(stack.enter_async_context(host))
            at_near = group.create_task(stack.enter_async_context(company(servers.near, near, "hasbro")))
            at_far = group.create_task(stack.enter_async_context(company(servers.far, far, "hasbro")))
            outside = [group.create_task(visit(stack, servers.near, nick)) for nick in guests]
        yield Scene(servers, host, at_near.result(), at_far.result(), [task.result() for task in outside])


async def visit(stack: AsyncExitStack, server: Server, nick: str) -> Client:
    """A client who stays until the stack closes."""
    return await stack.enter_async_context(await Client.connect(server.host, server.port, nick))


def said(client: Client, channel: str = CHANNEL, start: int = 0) -> list[str]:
    """What the host has said in a channel, of the lines that a client got from `start` on."""
    return [
        line.text
        for line in client.lines[start:]
        if (line.nick, line.command, line.params[0]) == (HOST, "PRIVMSG", channel)
    ]


def about_splits(lines: Sequence[str]) -> list[str]:
    """Those of the host's lines that speak of a split, or of people who are back."""
    return [text for text in lines if "netsplit" in text or "back" in text]


async def third_round(players: Sequence[Player]) -> list[DiceTag]:
    """Play until the first dice of the third round lie; what they show."""
    await sit_down(players)
    await play_all(players, 2)
    return await asyncio.gather(*(player.dealt() for player in players))


async def finish_third_round(game: Scene) -> None:
    """Let all play on, and see that the result of the round has the seats and totals of all."""
    await play_all(game.players, 3)
    await game.host.watcher.wait_for("Round 3/13", PATIENCE)
    told = results(public(game.host.watcher))
    assert told[3] == {player.nick: player.books[2] for player in game.players}


async def is_shown(player: Player, tag: DiceTag) -> None:
    """See that the next line to a player shows their dice, which are what they were."""
    line = await player.listen()
    assert DiceTag.find(line.text) == tag == player.tag, line.raw


async def gets_nothing(thief: Client) -> None:
    """See that somebody has no seat."""
    for command in ("dice", "score chance"):
        thief.say(HOST, command)
        answer = await thief.wait_for(f":{HOST}!.* PRIVMSG {thief.nick} ")
        assert "no seat" in answer.text
    assert not any(DiceTag.find(line.text) for line in thief.lines if line.nick == HOST)


async def change_nick(client: Client, nick: str, *witnesses: Client) -> None:
    """Let somebody have another nick."""
    client.send_raw(f"NICK {nick}")
    for witness in (client, *witnesses):
        await witness.wait_for(f"NICK :?{nick}$")
    client.nick = nick


def token(player: Player) -> str:
    """The token that a player was told for their seat."""
    told = [found for line in player.client.lines if (found := re.search(r"return (\S+) brings", line.text))]
    return told[-1][1]


@pytest.mark.parametrize("network", [linked_ngircds, linked_inspircds])
async def test_a_split_is_one_line_each_way_and_the_game_goes_on_with_the_same_dice(
    network: Callable[[], AbstractAsyncContextManager[Linked]],
) -> None:
    async with scene(network(), ("alice", "bob"), ("carol", "dave", "eve", "frank")) as game:
        alice = game.near[0]
        await third_round(game.players)
        for player in game.far:
            player.keep([0])
        tags = await asyncio.gather(*(player.dealt() for player in game.far))
        assert await game.split() == [OFF.format("carol, dave, eve and frank")]
        reasons = {line.text for line in game.host.watcher.lines if line.command == "QUIT"}
        assert reasons == {f"{NEAR} {FAR}"}
        await play_all(game.near, 3)
        assert "waiting for carol, dave, eve and frank" in (who := await alice.ask("who")), who
        left = re.search(r"(\d+) min", await alice.ask("time"))
        assert left
        assert int(left[1]) >= 4
        assert await game.heal() == ["carol, dave, eve and frank are back."]
        for player, tag in zip(game.far, tags, strict=True):
            await is_shown(player, tag)
        await play_all(game.players)
        for client in (game.host.watcher, *(player.client for player in game.players)):
            await client.sync()
        heard = public(game.host.watcher)
        check_books(game.players, heard)
        assert not any(entry.by_host for player in game.players for entry in player.books)
        assert about_splits(heard) == [
            OFF.format("carol, dave, eve and frank"),
            "carol, dave, eve and frank are back.",
        ]
        for player in game.players:
            missed = [] if player in game.near else [OFF.format("carol, dave, eve and frank")]
            assert public(player.client) == [text for text in heard if text not in missed]
            check_secrets(player.client)


async def test_a_host_that_is_split_from_everybody_keeps_a_game_and_a_lobby() -> None:
    async with scene(
        linked_ngircds(), (), ("alice", "bob", "carol", "dave"), channels=(CHANNEL, OTHER)
    ) as game:
        players, lobby = game.far[:2], game.far[2:]
        tags = await third_round(players)
        for player in lobby:
            player.channel = OTHER
            await player.client.join(OTHER)
        await sit_down(lobby, start=False)
        assert await game.split(CHANNEL, OTHER) == [
            ALL_OFF.format("alice and bob"),
            ALL_OFF.format("carol and dave"),
        ]
        for player in game.far:
            assert (await player.client.wait_for(f":{HOST}!.* QUIT")).text == f"{FAR} {NEAR}"
        assert await game.heal(CHANNEL, OTHER) == ["alice and bob are back.", "carol and dave are back."]
        for player, tag in zip(players, tags, strict=True):
            await is_shown(player, tag)
        lobby[0].client.say(OTHER, "!start")
        await play_all(game.far)
        for player in players:
            assert about_splits(said(player.client)) == ["alice and bob are back."]
        for player in lobby:
            assert about_splits(said(player.client, OTHER)) == ["carol and dave are back."]
        check_game(players)
        check_game(lobby, channel=OTHER)


async def test_a_collision_of_nicks_that_kills_both_costs_nobody_a_seat() -> None:
    network = linked_ngircds()
    async with scene(network, ("alice",), ("bob", "carol", "dave"), guests=("bob_", "mallory")) as game:
        near, far = game.servers.near, game.servers.far
        alice, bob, carol, dave = game.players
        again, mallory = game.guests
        tags = await third_round(game.players)
        await game.servers.split()
        bob.client, at_far = again, bob.client
        for client, nick in ((again, "bob"), (mallory, "carol")):
            await change_nick(client, nick)
            await client.join(CHANNEL)
        await is_shown(bob, tags[1])
        await gets_nothing(mallory)
        await play_all([alice, bob], 3)
        assert await game.told("bob is back") == [OFF.format("bob, carol and dave"), "bob is back."]
        assert await game.heal() == ["dave is back."]
        await is_shown(dave, tags[3])
        for client in (again, at_far, carol.client, mallory):
            await client.wait_for("ERROR .*collision")
        async with (
            await Client.connect(far.host, far.port, "bob") as bob.client,
            await Client.connect(near.host, near.port, "carol2") as back,
        ):
            await bob.client.join(CHANNEL)
            assert "Scored" in (await bob.listen()).text
            await back.join(CHANNEL)
            back.say(HOST, f"return {token(carol)}")
            carol.client = back
            await is_shown(carol, tags[2])
            await change_nick(back, "carol", alice.client)
            await finish_third_round(game)


async def test_a_collision_of_nicks_that_renames_one_costs_nobody_a_seat() -> None:
    network, far = linked_inspircds(hide=True), ("bob", "carol", "dave", "eve")
    async with scene(network, ("alice",), far, guests=("bob_", "mallory", "trent")) as game:
        alice, bob, carol, dave, eve = game.players
        again, mallory, trent = game.guests
        tags = await third_round(game.players)
        await game.servers.split()
        bob.client, at_far = again, bob.client
        for client, nick in ((again, "bob"), (mallory, "carol"), (trent, "dave")):
            await change_nick(client, nick)
            await client.join(CHANNEL)
        await is_shown(bob, tags[1])
        await play_all([alice, bob], 3)
        assert await game.told("bob is back") == [OFF.format("bob, carol, dave and eve"), "bob is back."]
        assert {line.text for line in alice.client.lines if line.command == "QUIT"} == {"*.net *.split"}
        # From now on his nick is younger than that of the other dave.
        for nick in ("d", "dave"):
            await change_nick(dave.client, nick)
        assert await game.heal() == ["carol and eve are back."]
        await is_shown(carol, tags[2])
        await is_shown(eve, tags[4])
        await at_far.wait_for(":bob!.* NICK ")
        mallory.nick = (await mallory.wait_for(":carol!.* NICK ")).text
        dave.client.nick = (await dave.client.wait_for(":dave!.* NICK ")).text
        await gets_nothing(mallory)
        await gets_nothing(trent)
        dave.say(f"return {token(dave)}")
        await is_shown(dave, tags[3])
        trent.send_raw("QUIT")
        await dave.client.wait_for(":dave!.* QUIT")
        await change_nick(dave.client, "dave", alice.client)
        await finish_third_round(game)


async def test_a_host_whose_nick_was_taken_on_the_other_side_comes_back_and_the_game_goes_on() -> None:
    async with scene(linked_ngircds(), ("alice",), ("bob", "carol")) as game:
        far = game.servers.far
        tags = await third_round(game.players)
        await game.servers.split()
        async with await Client.connect(far.host, far.port, HOST) as thief:
            await thief.join(CHANNEL)
            (line,) = await game.heal()
            assert line.startswith("I am back. Round 3/13 goes on with the same dice, ")
            await thief.wait_for("ERROR .*collision")
        for player, tag in zip(game.players, tags, strict=True):
            await is_shown(player, tag)
        await finish_third_round(game)
