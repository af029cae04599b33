"""Whole games on real servers: thirteen rounds, checked from the clients' side."""

from __future__ import annotations

import contextlib
import re
import sqlite3
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager

import pytest

from tests.support.client import Client, Server
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.hybrid import Hybrid
from tests.support.inspircd import Inspircd, Services
from tests.support.ngircd import Ngircd
from tests.support.recomputed import recomputed
from tests.support.referee import Player, check_game, company, play_all, sit_down
from tests.support.small_services import HYBRID, NGIRCD, RFC_2813, TS_6, SmallServices

NICKS = ("[^o^]", "score", "{0}", "a-nick_of_thirty_letters-or-so")
SECRET = "hunter2"
ACCOUNTS = {"alice": "Alice", "bob": "Robert", HOST: "Houston"}
PASSWORDS = dict.fromkeys(ACCOUNTS.values(), SECRET)


async def play(host: HostProcess, players: Sequence[Player]) -> None:
    await sit_down(players, start=False)
    players[-1].client.say(HOST, "seed Lucky-7")
    await players[-1].client.wait_for("Your word in the dice: Lucky-7")
    players[0].client.say(CHANNEL, "!start")
    await play_all(players)
    while len(_seats_told(host.watcher)) < len(players):
        await host.watcher.wait_for(r" plays \d+=")
    for client in (host.watcher, *(player.client for player in players)):
        await client.sync()
    check_game(players, [host.watcher])
    totals = recomputed(_said(host.watcher), players[0].rules)
    assert totals == {player.nick: player.total for player in players}


def _said(client: Client) -> list[str]:
    return [line.text for line in client.lines if line.nick == HOST and line.params[:1] == (CHANNEL,)]


def _seats_told(client: Client) -> list[str]:
    return re.findall(r" (\d+)=[-a-e]*[:/]", " ".join(line for line in _said(client) if " plays " in line))


@pytest.mark.parametrize(
    ("pace", "rules"),
    [
        ("free", "hasbro"),
        ("free", "houston"),
        ("free", "free_choice"),
        ("lockstep", "hosted"),
        ("lockstep", "yardzee"),
    ],
)
async def test_every_total_is_right(pace: str, rules: str) -> None:
    async with (
        Ngircd() as server,
        HostProcess(server, {CHANNEL: {"pace": pace, "rules": rules}}) as host,
        company(server, NICKS, rules, mischief=0.3) as players,
    ):
        styles = ("style colour", "style unicode", "notice on", "style plain")
        for player, style in zip(players, styles, strict=True):
            assert "Your lines come in" in await player.ask(style)
        await play(host, players)


@pytest.mark.parametrize("start", [Inspircd, Hybrid])
async def test_other_servers_without_services(
    start: Callable[[], AbstractAsyncContextManager[Inspircd | Hybrid]],
) -> None:
    async with (
        start() as server,
        HostProcess(server) as host,
        company(server, ("alice", "bob"), "hasbro") as players,
    ):
        await play(host, players)


# --- with services: the host logs in, and so do its players ---


@contextlib.asynccontextmanager
async def ngircd() -> AsyncIterator[Server]:
    async with Ngircd(extra=NGIRCD) as server, SmallServices(server, RFC_2813, PASSWORDS):
        yield server


@contextlib.asynccontextmanager
async def hybrid() -> AsyncIterator[Server]:
    async with Hybrid(HYBRID) as server, SmallServices(server, TS_6, PASSWORDS):
        yield server


@contextlib.asynccontextmanager
async def inspircd() -> AsyncIterator[Server]:
    """Where the host logs in by SASL."""
    async with (
        Inspircd(extra='<module name="botmode">') as server,
        Services(server, passwords=PASSWORDS) as services,
    ):
        services.bring_nickserv()
        yield server


async def whois(client: Client, nick: str) -> dict[str, str]:
    """What the server says of somebody: by its numeric, the parameter after the nick."""
    client.send_raw(f"WHOIS {nick}")
    await client.wait_for(" 318 ")
    return {line.command: line.params[2] for line in client.lines if line.params[1:2] == (nick,)}


@pytest.mark.parametrize(
    ("network", "seen", "bot"), [(ngircd, False, False), (inspircd, True, True), (hybrid, True, True)]
)
async def test_with_services(
    network: Callable[[], AbstractAsyncContextManager[Server]], *, seen: bool, bot: bool
) -> None:
    """`seen`: the server shows the host the accounts of players; `bot`: it has a mode for bots."""
    async with (
        network() as server,
        HostProcess(server, account={"mechanism": "plain", "user": "Houston"}, password=SECRET) as host,
        company(server, ("alice", "bob"), "hasbro") as players,
    ):
        for player in players:
            player.client.say("NickServ", f"IDENTIFY {ACCOUNTS[player.nick]} {SECRET}")
            await player.client.wait_for("You are now identified")
        await play(host, players)
        for nick, account in ACCOUNTS.items():
            assert (await whois(host.watcher, nick))["330"] == account
        assert ("335" in await whois(host.watcher, HOST)) is bot
        with contextlib.closing(sqlite3.connect(host.store.removeprefix("sqlite:///"))) as store:
            written = " ".join(body for (body,) in store.execute("SELECT body FROM events"))
        assert [account in written for account in ("Alice", "Robert")] == [seen, seen]
        assert SECRET not in host.log + written
