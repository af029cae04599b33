"""Players who fall silent, leave the network, change their nicks, sit at two tables, or are many."""

from __future__ import annotations

import asyncio
import re

import pytest

from protocol.tags import DiceTag
from tests.support.client import Client
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.reading import final, public, results
from tests.support.referee import (
    PATIENCE,
    check_game,
    check_secrets,
    company,
    play_all,
    sit_down,
)


async def test_the_host_plays_for_the_silent_until_a_word_brings_them_back() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server, {CHANNEL: {"round_seconds": 2}}) as host,
        company(server, ("alice", "bob"), "hasbro") as (alice, bob),
    ):
        await sit_down([alice, bob])
        for number in (1, 2):
            await asyncio.gather(alice.play(number), bob.dealt())
            assert " left!" in (await bob.listen()).text
            assert "for you" in (await bob.listen()).text
        # From now on rounds are over as soon as alice has played.
        await alice.play(4)
        while len(bob.books) < 4:
            assert " left!" not in (await bob.listen()).text
        bob.client.say(CHANNEL, "sorry, I was asleep")
        assert "Welcome back" in (await bob.listen()).text
        await play_all([alice, bob])
        await host.watcher.sync()
        check_game([alice, bob], [host.watcher])
        assert [entry.by_host for entry in bob.books] == [True] * 4 + [False] * 9
        said = public(host.watcher)
        assert [text[:11] for text in said if "bob** " in text] == ["Round 2/13:"]
        assert said.count("bob is back.") == 1


async def test_lockstep_goes_on_without_the_silent() -> None:
    settings = {CHANNEL: {"pace": "lockstep", "rules": "hosted", "round_seconds": 1.5}}
    async with (
        Ngircd() as server,
        HostProcess(server, settings) as host,
        company(server, ("alice", "bob", "carol"), "hosted") as (alice, bob, carol),
    ):
        await sit_down([alice, bob, carol])
        await play_all([alice, bob])
        await host.watcher.sync()
        told = results(public(host.watcher))
        assert [told[number]["carol"].by_host for number in range(1, 14)] == [True] * 13
        assert {p.nick: p.total for p in final(public(host.watcher))} == {
            "alice": alice.total,
            "bob": bob.total,
            "carol": told[13]["carol"].total,
        }
        check_secrets(carol.client)


async def test_who_comes_back_from_a_lost_connection_gets_the_same_dice() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server),
        company(server, ("alice", "bob"), "hasbro") as (alice, bob),
    ):
        await sit_down([alice, bob])
        await play_all([alice, bob], 2)
        tag = await bob.dealt()
        bob.keep([0])
        await bob.listen()
        tag = await bob.dealt()
        assert (tag.round, tag.roll) == (3, 2)
        await alice.dealt()
        await bob.client.close()
        await alice.client.wait_for(":bob!.* QUIT")
        await alice.play(3)
        async with await Client.connect(server.host, server.port, "bob") as again:
            bob.client = again
            await again.join(CHANNEL)
            line = await bob.listen()
            assert "Welcome back" in line.text
            assert DiceTag.find(line.text) == tag == bob.tag
            await play_all([alice, bob])
            await asyncio.gather(*(player.client.sync() for player in (alice, bob)))
            assert {p.nick: p.total for p in final(public(alice.client))} == {
                "alice": alice.total,
                "bob": bob.total,
            }


async def test_a_stranger_under_the_nick_of_one_who_left_gets_nothing() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server),
        company(server, ("alice", "bob"), "hasbro") as (alice, bob),
    ):
        await sit_down([alice, bob])
        tag = await bob.dealt()
        await bob.client.close()
        await alice.client.wait_for(":bob!.* QUIT")
        async with await Client.connect(server.host, server.port, "mallory") as stranger:
            stranger.send_raw("NICK bob")
            stranger.nick = "bob"
            await stranger.join(CHANNEL)
            stranger.say(HOST, "dice")
            answer = await stranger.wait_for(f":{HOST}!.* PRIVMSG bob ")
            assert "no seat" in answer.text
            stranger.say(CHANNEL, "!score chance")
            answer = await stranger.wait_for(f":{HOST}!.* PRIVMSG bob ")
            assert "no seat" in answer.text
        await alice.client.wait_for(":bob!.* QUIT")
        async with await Client.connect(server.host, server.port, "bob") as again:
            await again.join(CHANNEL)
            bob.client = again
            assert DiceTag.find((await bob.listen()).text) == tag


async def test_a_player_is_followed_to_another_nick() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, ("alice", "bob", "carol"), "hasbro") as players,
    ):
        alice, bob, _ = players
        await sit_down(players)
        await play_all(players, 2)
        await asyncio.gather(*(player.dealt() for player in players))
        alice.client.send_raw("NICK `al|home`")
        await bob.client.wait_for("NICK :?`al.home`")
        alice.client.nick = "`al|home`"
        await play_all(players)
        await host.watcher.sync()
        said = public(host.watcher)
        assert {p.nick: p.total for p in final(said)} == {p.nick: p.total for p in players}
        told = results(said)
        for number in range(3, 14):
            assert told[number] == {player.nick: player.books[number - 1] for player in players}


async def test_two_players_swap_their_nicks_in_the_middle_of_a_round() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, ("alice", "bob"), "hasbro") as (alice, bob),
    ):
        await sit_down([alice, bob])
        await play_all([alice, bob], 1)
        await asyncio.gather(alice.dealt(), bob.dealt())
        for client, nick in ((alice.client, "between"), (bob.client, "alice"), (alice.client, "bob")):
            client.send_raw(f"NICK {nick}")
            for witness in (alice.client, bob.client):
                await witness.wait_for(rf"NICK :?{nick}$")
            client.nick = nick
        for player in (alice, bob):
            assert DiceTag.find(await player.ask("dice")) == player.tag
        await play_all([alice, bob])
        await host.watcher.sync()
        said = public(host.watcher)
        assert {p.nick: p.total for p in final(said)} == {"bob": alice.total, "alice": bob.total}
        for number, entries in results(said).items():
            first = number == 1
            names = ("alice", "bob") if first else ("bob", "alice")
            assert entries == dict(zip(names, (alice.books[number - 1], bob.books[number - 1]), strict=True))
        check_secrets(alice.client)
        check_secrets(bob.client)


async def test_lines_that_wait_follow_their_player_to_another_nick() -> None:
    # Two lines at once, and one more each half second: the dice of the last seats wait their turn.
    async with (
        Ngircd() as server,
        HostProcess(server, send={"burst": 2, "seconds": 0.5}),
        company(server, ("alice", "bob", "carol", "dave"), "hasbro") as players,
    ):
        *_, carol, dave = players
        await sit_down(players)
        await dave.client.wait_for("The game begins", PATIENCE)
        for client, nick in ((dave.client, "between"), (carol.client, "dave"), (dave.client, "carol")):
            client.send_raw(f"NICK {nick}")
            await client.wait_for(rf"NICK :?{nick}$")
            client.nick = nick
        seen = await asyncio.gather(*(player.dealt() for player in players))
        for player, tag in zip(players, seen, strict=True):
            player.say("dice")
            line = await player.client.wait_for(rf"PRIVMSG {player.nick} :.*\[", PATIENCE)
            assert DiceTag.find(line.text) == tag, f"{player.nick} saw the dice of somebody else"


async def test_two_tables_at_once() -> None:
    channels: dict[str, dict[str, object]] = {
        CHANNEL: {"rules": "hasbro"},
        "#Other": {"rules": "houston", "pace": "lockstep"},
    }
    async with (
        Ngircd() as server,
        HostProcess(server, channels),
        await Client.connect(server.host, server.port, "alice") as alice,
        await Client.connect(server.host, server.port, "bob") as bob,
    ):
        for client in (alice, bob):
            for channel in channels:
                await client.join(channel)
                client.say(channel.swapcase(), "!join")
                await client.wait_for(f"PRIVMSG {channel} :{client.nick} (opens|joins)")
        # The deals of the two tables are told apart by their order.
        dealt: dict[str, dict[str, DiceTag]] = {}
        for channel in channels:
            alice.say(channel, "!start")
            dealt[channel] = {}
            for client in (alice, bob):
                line = await client.wait_for(rf"PRIVMSG {client.nick} :.*\[")
                tag = DiceTag.find(line.text)
                assert tag is not None
                dealt[channel][client.nick] = tag
        alice.say(HOST, "keep a")
        answer = (await alice.wait_for("PRIVMSG alice ")).text
        assert re.search(f"{CHANNEL} or #Other", answer), answer
        for channel in channels:
            alice.say(HOST, f"{channel.lower()} dice")
            assert DiceTag.find((await alice.wait_for("PRIVMSG alice ")).text) == dealt[channel]["alice"]
        alice.say(CHANNEL, "!score chance")
        assert "Scored Chance" in (await alice.wait_for("PRIVMSG alice ")).text
        # Now only the other table waits for her, so that no name is needed.
        alice.say(HOST, "keep a b")
        answer = (await alice.wait_for("PRIVMSG alice ")).text
        assert DiceTag.find(answer) == dealt["#Other"]["alice"]
        bob.say(HOST, "#OTHER roll all")
        tag = DiceTag.find((await alice.wait_for("PRIVMSG alice ")).text)
        assert tag is not None
        assert tag.roll == 2
        assert tag.dice.faces[:2] == dealt["#Other"]["alice"].dice.faces[:2]
        assert tag == DiceTag.find(alice.lines[-1].text)


@pytest.mark.parametrize("length", [16, 30])
async def test_twelve_long_nicks_lose_nothing(length: int) -> None:
    nicks = tuple(f"{letter}{number}".ljust(length, "-") for number, letter in enumerate("abcdefghijkl"))
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, nicks, "hasbro") as players,
    ):
        await sit_down(players)
        await play_all(players)
        for client in (host.watcher, *(player.client for player in players)):
            await client.sync()
        check_game(players, [host.watcher])
        said = public(host.watcher)
        table = said[max(n for n, text in enumerate(said) if text.startswith("Final")) :]
        assert len(table) == (1 if length == 16 else 2)
        assert table[-1].endswith("opens the next game.")


async def test_the_last_hold_before_the_roll_counts() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server, {CHANNEL: {"pace": "lockstep"}}),
        company(server, ("alice", "bob"), "hasbro") as (alice, bob),
    ):
        await sit_down([alice, bob])
        await asyncio.gather(alice.dealt(), bob.dealt())
        for places in ([0, 1], [4], [1, 2, 3]):
            alice.keep(places)
            await alice.listen()
        bob.keep([])
        tag = await alice.dealt()
        assert tag.roll == 2
        alice.score("chance")
        await alice.listen()
        alice.keep([0])
        await alice.listen()
        await bob.dealt()
        bob.score("chance")
        assert (await alice.dealt()).roll == 3
