"""examples/tiny_card.py: what strangers copy is short, needs nothing, and plays a game to its end."""

from __future__ import annotations

import ast
import asyncio
import re
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from chat.embedded import EmbeddedServer
from tests.support.card_host import CardHost
from tests.support.client import Client
from tests.support.local_host import Host
from tests.support.reading import final, public, results
from tests.support.referee import Player

CARD = Path(__file__).parents[2] / "examples/tiny_card.py"
ADDRESS, CHANNEL = "127.0.0.1", "#yardzee"
CONFIG = """
networks:
  local:
    server: 127.0.0.1
    port: {port}
    tls: false
    nick: Hoster
    channels: {{"#yardzee": {{pace: {pace}, repeat_seconds: 0}}}}
    send: {{burst: 1000, seconds: 0}}
store: "sqlite://"
"""


@asynccontextmanager
async def server() -> AsyncIterator[EmbeddedServer]:
    embedded = EmbeddedServer(ADDRESS)
    await embedded.start()
    try:
        yield embedded
    finally:
        await embedded.stop()


@asynccontextmanager
async def card(port: int, *arguments: str) -> AsyncIterator[asyncio.subprocess.Process]:
    """The card as a process of its own, which sees nothing of this project."""
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", "-W", "error", str(CARD)),
        *("--server", ADDRESS, "--port", str(port), "--channel", CHANNEL, *arguments),
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def ended(process: asyncio.subprocess.Process) -> tuple[int | None, str]:
    """The exit status, and all that was printed."""
    async with asyncio.timeout(10):
        printed, _ = await process.communicate()
    return process.returncode, printed.decode()


def test_it_is_short_and_needs_nothing_but_python() -> None:
    source = CARD.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 150
    imports = [node for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Import | ast.ImportFrom)]
    names = {alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names} | {
        node.module for node in imports if isinstance(node, ast.ImportFrom)
    }
    assert names <= sys.stdlib_module_names


@pytest.mark.parametrize("pace", ["free", "lockstep"])
async def test_a_whole_game(pace: str) -> None:
    async with server() as irc, await Client.connect(ADDRESS, irc.port, "Hoster") as client:
        await client.join(CHANNEL)
        host = CardHost(client, CHANNEL, "tiny", pace)
        async with card(irc.port, "--nick", "tiny") as process:
            await host.play()
            status, printed = await ended(process)
        assert (status, printed.splitlines()[-3:]) == (
            0,
            ["The game is over: place 1.", f"  tiny {host.scorecard.total}", "  bob 7"],
        )
        assert len(host.scorecard.boxes) == 13
        assert len(re.findall("^Scored ", printed, re.MULTILINE)) == 13


@pytest.mark.parametrize("pace", ["free", "lockstep"])
async def test_a_whole_game_with_the_host_and_somebody_who_types(pace: str) -> None:
    async with server() as irc, await Client.connect(ADDRESS, irc.port, "bob") as client:
        await client.join(CHANNEL)
        async with Host(CONFIG.format(port=irc.port, pace=pace)):
            await client.wait_for("Hoster!.* JOIN")
            client.say(CHANNEL, "!join")
            await client.wait_for("bob opens")
            async with card(irc.port) as process:
                await client.wait_for("tiny joins")
                client.say(CHANNEL, "!start")
                bob = Player(client, "hasbro")
                await bob.play()
                status, printed = await ended(process)
        said = public(client, CHANNEL)
        assert status == 0, printed
        totals = {placing.nick: placing.total for placing in final(said)}
        assert totals == {
            "bob": bob.total,
            "tiny": int(re.findall(r"^  tiny (\d+)$", printed, re.MULTILINE)[0]),
        }
        wrote = [entry["tiny"] for entry in results(said).values()]
        assert len(wrote) == 13
        assert [
            int(total) for total in re.findall(r"^Scored \w+:\d+:\d+:(\d+):player", printed, re.MULTILINE)
        ] == [entry.total for entry in wrote]
        assert "Refused" not in printed


async def test_nobody_but_the_host_is_listened_to() -> None:
    async with server() as irc, await Client.connect(ADDRESS, irc.port, "mallory") as mallory:
        await mallory.join(CHANNEL)
        async with (
            await Client.connect(ADDRESS, irc.port, "tiny"),
            card(irc.port, "--host", "Hoster") as process,
        ):
            # The nick was taken, so that it has another.
            await mallory.wait_for(r"tiny_!\S+ JOIN")
            mallory.say("tiny_", "ycp hello v=1 lines=only host=evil/1")
            mallory.say("tiny_", "ycp result g=evil place=1 tot=0")
            await mallory.sync()
            async with await Client.connect(ADDRESS, irc.port, "Hoster") as client:
                await client.join(CHANNEL)
                await client.wait_for("PRIVMSG Hoster :ycp hello v=1 lines=only card=tiny/1$")
                client.say("tiny_", "ycp hello v=1 lines=only host=scripted/1")
                await client.wait_for(f"PRIVMSG Hoster :ycp register c={CHANNEL}$")
                client.send_raw("NICK Hoster2")
                client.say("tiny_", "ycp refused code=full cmd=register")
                assert await ended(process) == (1, "Hoster is the host (scripted/1).\nRefused: full.\n")


async def test_a_late_host_is_greeted_and_a_lost_connection_is_no_result() -> None:
    async with server() as irc, await Client.connect(ADDRESS, irc.port, "bob") as bob:
        await bob.join(CHANNEL)
        async with card(irc.port) as process:
            await bob.wait_for(r"tiny!\S+ PRIVMSG #yardzee :ycp hello v=1 lines=only card=tiny/1")
            async with await Client.connect(ADDRESS, irc.port, "yardzee") as host:
                await host.join(CHANNEL)
                await host.wait_for(r"tiny!\S+ PRIVMSG #yardzee :ycp hello ")
            irc.split("tiny")
            assert await ended(process) == (1, "The connection has ended.\n")
