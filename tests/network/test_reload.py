"""The configuration is read again, and operators run the host, while games are on."""

from __future__ import annotations

import asyncio
import re
import signal

from tests.support.client import Client, Received
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.referee import PATIENCE, check_game, company, play_all, resume_all, sit_down

NICKS = ("alice", "bob")
OTHER = "#other"
LOCAL = "*!*boss@127.0.0.1"
"""The operator: without an ident server the user name is what a client says, with a ~ before it."""


def joins(channel: str) -> str:
    return f":{HOST}![^ ]* JOIN :?{channel}"


def parts(channel: str) -> str:
    return f":{HOST}![^ ]* PART :?{channel}"


async def test_a_channel_that_is_taken_out_is_left_when_its_game_has_ended() -> None:
    async with Ngircd() as server, HostProcess(server) as host, company(server, NICKS, "hasbro") as players:
        await host.watcher.join(OTHER)
        await sit_down(players)
        await play_all(players, 2)
        configuration = host.configuration()
        configuration["networks"]["local"]["channels"] = {OTHER: {"prefix": "."}}
        host.write(configuration)
        host.reload()
        for wanted in (joins(OTHER), f"PRIVMSG {CHANNEL} :I leave this channel when the game has ended"):
            await host.watcher.wait_for(wanted, PATIENCE)
        await play_all(players)
        await host.watcher.wait_for(parts(CHANNEL), PATIENCE)
        await asyncio.gather(*(player.client.sync() for player in players), host.watcher.sync())
        check_game(players, [host.watcher])
        alice = players[0].client
        await alice.join(OTHER)
        alice.say(OTHER, ".join")
        await alice.wait_for(f"PRIVMSG {OTHER} :alice opens a game", PATIENCE)


async def test_a_game_that_waits_goes_on_when_its_channel_is_back() -> None:
    async with Ngircd() as server, HostProcess(server) as host, company(server, NICKS, "hasbro") as players:
        await sit_down(players)
        await play_all(players, 2)
        await asyncio.gather(*(player.dealt() for player in players))
        await host.stop()
        before, changed = host.configuration(), host.configuration()
        changed["networks"]["local"]["channels"] = {OTHER: {}}
        host.write(changed)
        await host.watcher.join(OTHER)
        await host.start([OTHER])
        assert "game waits for a table   network=local channel=#yardzee " in host.log
        host.write(before)
        host.reload()
        await host.watcher.wait_for(f"PRIVMSG {CHANNEL} :I am back. Round 3/13", PATIENCE)
        await resume_all(players)
        await play_all(players)
        await asyncio.gather(*(player.client.sync() for player in players), host.watcher.sync())
        check_game(players, [host.watcher])
        assert any(re.search(parts(OTHER), line.raw) for line in host.watcher.lines)


async def test_a_wrong_configuration_changes_nothing_and_is_told() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server, admins=[LOCAL]) as host,
        await Client.connect(server.host, server.port, "boss") as boss,
    ):
        host.write("networks: {local: {}}\n")
        boss.say(HOST, "reload")
        answer = await boss.wait_for(f":{HOST}![^ ]* PRIVMSG boss :", PATIENCE)
        assert "Nothing has changed, since the configuration is wrong" in answer.text
        assert "networks.local.server: this key is missing" in answer.text
        boss.say(HOST, "status")
        answer = await boss.wait_for(f":{HOST}![^ ]* PRIVMSG boss :", PATIENCE)
        assert "Networks: local connected. Tables: 1," in answer.text
        assert " error   the configuration stays as it was " in host.log
        host.forgiven.append("the configuration stays as it was")


async def test_networks_come_and_go() -> None:
    async with (
        Ngircd() as server,
        Ngircd() as second,
        HostProcess(server, admins=[LOCAL]) as host,
        await Client.connect(second.host, second.port, "watcher2") as watcher,
        company(second, NICKS, "hasbro") as players,
    ):
        await watcher.join(CHANNEL)
        before, changed = host.configuration(), host.configuration()
        changed["networks"]["two"] = changed["networks"]["local"] | {"port": second.port}
        changed["networks"]["local"]["nick"] = "Other"
        host.write(changed)
        host.reload()
        await watcher.wait_for(joins(CHANNEL), PATIENCE)
        await sit_down(players)
        await play_all(players, 1)
        host.write(before)
        host.reload()
        await watcher.wait_for("I leave this channel when the game has ended", PATIENCE)
        await play_all(players)
        await watcher.wait_for(parts(CHANNEL), PATIENCE)
        await gone(watcher)
        for player in players:
            await player.client.sync()
        check_game(players)
        assert "Only a restart" not in host.log
        assert "networks.local.nick" in host.log
        # The first network never noticed.
        assert [line for line in await host.watcher.sync() if line.command in ("QUIT", "PART")] == []


async def test_an_operator_shuts_the_host_down_and_the_game_is_saved() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server, admins=[LOCAL]) as host,
        await Client.connect(server.host, server.port, "boss") as boss,
        company(server, NICKS, "hasbro") as players,
    ):
        await sit_down(players)
        await play_all(players, 1)
        await boss.join(CHANNEL)
        players[0].client.say(CHANNEL, "!shutdown")
        await players[0].client.wait_for("PRIVMSG alice :That is not for you to say here", PATIENCE)
        boss.say(CHANNEL, "!shutdown")
        await boss.wait_for(f"PRIVMSG {CHANNEL} :The host stops for now. Games are saved", PATIENCE)
        await boss.wait_for(_host_quits, PATIENCE)
        assert await host.ended() == 0
        for player in players:
            await player.settle()
        await host.start()
        await resume_all(players)
        await play_all(players)
        check_game(players, untold=1)


async def test_a_second_signal_while_it_stops_does_no_harm() -> None:
    async with Ngircd() as server, HostProcess(server) as host:
        host.reload()
        host.send_signal(signal.SIGTERM)
        host.send_signal(signal.SIGHUP)
        assert await host.ended() == 0


async def gone(client: Client) -> None:
    """Wait until the host is off the client's network, where they share no channel any more."""
    async with asyncio.timeout(PATIENCE):
        while True:
            client.send_raw(f"ISON {HOST}")
            if HOST not in (await client.wait_for(lambda line: line.command == "303")).text:
                return


def _host_quits(line: Received) -> bool:
    return line.command == "QUIT" and line.nick == HOST
