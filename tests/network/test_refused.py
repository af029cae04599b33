"""Real servers that refuse the host's lines, and rename it."""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractAsyncContextManager, asynccontextmanager

import pytest

from chat.events import Joined, Names, Refused
from host.clock import LoopClock
from host.config import Send
from host.voice import Voice
from host.wording.words import Sentence
from protocol.tags import DiceTag
from tests.chat.harness import AL, FakeServer, Running, settings
from tests.support.client import Client
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.hybrid import Hybrid
from tests.support.inspircd import Inspircd, Services
from tests.support.local_host import Host
from tests.support.ngircd import Ngircd
from tests.support.reading import public

MODULES = "".join(f'<module name="{name}">\n' for name in ("callerid", "blockcolor"))
DICE = rf":{HOST}!\S+ PRIVMSG alice :.*Round 1/13, roll 1/3: "
NETWORK = """
store: sqlite://
networks:
  test:
    server: 127.0.0.1
    port: {server.port}
    tls: false
    nick: {nick}
    channels: {{"#yardzee": {{round_seconds: 600}}}}
    send: {{burst: 1000, seconds: 0}}
"""


def inspircd() -> Inspircd:
    return Inspircd(extra=MODULES)


@asynccontextmanager
async def refusing(
    start: Callable[[], AbstractAsyncContextManager[Inspircd | Hybrid | Ngircd]], mode: str
) -> AsyncIterator[Client]:
    """alice beside a host, under a user mode that keeps it from her; she has asked for a seat."""
    async with (
        start() as server,
        HostProcess(server),
        await Client.connect(server.host, server.port, "alice") as alice,
    ):
        alice.send_raw(f"MODE alice +{mode}")
        await alice.join(CHANNEL)
        alice.say(CHANNEL, "!join")
        yield alice


@pytest.mark.parametrize("start", [inspircd, Hybrid], ids=["inspircd", "hybrid"])
async def test_caller_id_is_one_hint_and_the_dice_come_when_the_host_is_accepted(
    start: Callable[[], AbstractAsyncContextManager[Inspircd | Hybrid]],
) -> None:
    async with refusing(start, "g") as alice:
        await alice.wait_for(r"alice: your client refuses my private messages \(caller-id\)")
        alice.say(CHANNEL, "!start")
        await alice.wait_for("The game begins")
        alice.say(CHANNEL, "!pause")
        await alice.wait_for("alice pauses the game")
        alice.say(CHANNEL, "!resume")
        await alice.wait_for("alice ends the pause")
        await alice.sync()
        assert not any(re.search(DICE, line.raw) for line in alice.lines)
        alice.send_raw(f"ACCEPT {HOST}")
        alice.say(HOST, "dice")
        await alice.wait_for(DICE)
        assert sum("your client refuses" in line.text for line in alice.lines) == 1


@pytest.mark.parametrize("start", [inspircd, Hybrid], ids=["inspircd", "hybrid"])
async def test_who_hears_registered_users_alone_is_told_which_mode_it_is(
    start: Callable[[], AbstractAsyncContextManager[Inspircd | Hybrid]],
) -> None:
    async with refusing(start, "R") as alice:
        hint = await alice.wait_for("alice: your mode")
        alice.say(CHANNEL, "!start")
        await alice.wait_for("The game begins")
        opened = re.search(r"/mode (alice -R)", hint.text)
        assert opened
        alice.send_raw(f"MODE {opened[1]}")
        alice.say(HOST, "dice")
        await alice.wait_for(DICE)
        assert sum("alice: your mode" in line.text for line in alice.lines) == 1


async def test_ngircd_says_in_words_alone_whom_it_refused() -> None:
    async with refusing(Ngircd, "b") as alice:
        await alice.wait_for("alice: your mode [+]b refuses .* /mode alice -b lets mine in")
        alice.send_raw("MODE alice -b")
        alice.say(CHANNEL, "!start")
        await alice.wait_for(DICE)


async def test_a_result_that_a_moderated_channel_refuses_is_had_with_scores_and_told_after_a_restart() -> (
    None
):
    async with (
        Ngircd() as server,
        HostProcess(server, {CHANNEL: {"round_seconds": 0.3}}) as host,
        await Client.connect(server.host, server.port, "alice") as alice,
    ):
        await alice.join(CHANNEL)
        alice.say(CHANNEL, "!join")
        await alice.wait_for("alice opens")
        alice.say(CHANNEL, "!start")
        await alice.wait_for("The game begins")
        host.watcher.send_raw(f"MODE {CHANNEL} +m")
        await alice.wait_for("PRIVMSG alice :.*The game is over", 30)
        alice.say(HOST, "scores")
        await alice.wait_for("Final result: alice ")
        assert host.log.count(f"refused a line   network=local target={CHANNEL} numeric=404 ") == 1
        await host.stop()
        host.watcher.send_raw(f"MODE {CHANNEL} -m")
        await host.watcher.sync()
        assert not any("Final result" in text for text in public(host.watcher))
        await host.start()
        await alice.wait_for(rf"PRIVMSG {CHANNEL} :Final result: 1\. alice ")


@pytest.mark.parametrize("start", [inspircd, Hybrid], ids=["inspircd", "hybrid"])
async def test_a_line_that_is_refused_for_its_colours_comes_in_plain_words(
    start: Callable[[], AbstractAsyncContextManager[Inspircd | Hybrid]],
) -> None:
    async with (
        start() as server,
        await Client.connect(server.host, server.port, "alice") as alice,
    ):
        await alice.join("#y")
        alice.send_raw("MODE #y +c")
        await alice.sync()
        async with Running(settings(server.port)) as running:
            voice = Voice(running.link, LoopClock(asyncio.get_running_loop()), Send(4, 1))
            await running.next(Joined)
            await running.next(Names)
            voice.to_channel("#y", Sentence("", ("\x0304red\x0f dice",)))
            refused = await running.next(Refused)
            voice.again(voice.recent.take(refused.target))
            await alice.wait_for("PRIVMSG #y :red dice")


async def test_services_rename_the_host_in_a_game_and_its_nick_comes_back(
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level(logging.INFO)
    async with (
        Inspircd() as server,
        Services(server) as services,
        await Client.connect(server.host, server.port, "alice") as alice,
    ):
        await alice.join(CHANNEL)
        async with Host(NETWORK.format(server=server, nick=HOST)):
            await alice.wait_for(f":{HOST}!.* JOIN")
            alice.say(CHANNEL, "!join")
            await alice.wait_for("alice opens")
            alice.say(CHANNEL, "!start")
            await alice.wait_for(DICE)
            await services.rename(HOST, "Guest83712")
            await alice.wait_for(f"PRIVMSG {CHANNEL} :I am Guest83712 now; answer there")
            async with await Client.connect(server.host, server.port, HOST) as squatter:
                await squatter.join(CHANNEL)
                alice.say("Guest83712", "keep none")
                await alice.wait_for(":Guest83712!.* PRIVMSG alice :.*roll 2/3")
                squatter.send_raw("QUIT :bye")
                await alice.wait_for(f":{HOST}!.* QUIT")
            await alice.wait_for(f":{HOST}!.* PRIVMSG {CHANNEL} :I am {HOST} again; answer there")
            alice.say(HOST, "chance")
            await alice.wait_for(f":{HOST}!.* PRIVMSG alice :Scored Chance")


async def test_a_nick_that_is_taken_and_one_that_is_too_long_are_played_under_another() -> None:
    async with (
        Ngircd(max_nick_length=9) as server,
        await Client.connect(server.host, server.port, "YardzeeTh") as holder,
        await Client.connect(server.host, server.port, "alice") as alice,
    ):
        await alice.join(CHANNEL)
        async with Host(NETWORK.format(server=server, nick="YardzeeTheHost")):
            await alice.wait_for(f"JOIN :?{CHANNEL}")
            await holder.join(CHANNEL)
            alice.say(CHANNEL, "!join")
            line = await alice.wait_for("alice opens")
            assert len(line.nick) <= 9
            alice.say(CHANNEL, "!start")
            alice.say(line.nick, "dice")
            await alice.wait_for(f":{re.escape(line.nick)}!.* PRIVMSG alice :.*roll 1/3")
            holder.send_raw("QUIT :bye")
            await alice.wait_for(f":YardzeeTh!.* PRIVMSG {CHANNEL} :I am YardzeeTh again; answer there")


async def test_dice_that_went_out_too_fast_come_again_after_the_time_that_the_server_names() -> None:
    async with FakeServer() as server, Host(NETWORK.format(server=server, nick=HOST)):
        peer = await server.accept()
        peer.greet(HOST)
        await peer.expect(f"JOIN {CHANNEL}")
        peer.joined(HOST, CHANNEL)
        peer.send(f"{AL} PRIVMSG {CHANNEL} :!join", f"{AL} PRIVMSG {CHANNEL} :!start")
        dealt = await peer.expect("PRIVMSG al :Round 1/13, roll 1/3: ")
        peer.send(f":irc.test 439 {HOST} al :Target change too fast. Please wait 1 seconds.")
        await peer.expect(f"PRIVMSG {CHANNEL} :al: the network holds my private messages back. They come")
        again = await peer.expect("PRIVMSG al :Round 1/13, roll 1/3: ")
        assert DiceTag.find(again) == DiceTag.find(dealt)
