"""Practice over a real server, with a host that is killed in the middle."""

from __future__ import annotations

import re

from protocol.tags import DiceTag
from tests.support.client import Client
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.referee import PATIENCE


async def told(client: Client, line: str) -> str:
    """The answer to a private line that has dice in it."""
    client.say(HOST, line)
    found = await client.wait_for(lambda one: DiceTag.find(one.text) is not None, PATIENCE)
    assert found.nick == HOST
    return found.text


async def test_it_outlives_the_host_and_nobody_else_hears_of_it() -> None:
    async with Ngircd() as server, HostProcess(server) as host:
        async with await Client.connect(server.host, server.port, "alice") as alice:
            await alice.join(CHANNEL)
            assert "Round 1/13, roll 1/3" in await told(alice, "practice")
            # In the first seconds the host may not know what was best.
            kept = await told(alice, "keep none")
            assert re.match(r"Rolled all five(: best|; .*)\. Round 1/13, roll 2/3", kept)
            await host.kill()
            await host.start()
            assert DiceTag.find(await told(alice, "practice")) == DiceTag.find(kept)
            assert "Round 2/13, roll 1/3" in await told(alice, "score chance")
            alice.say(HOST, "leave")
            await alice.wait_for("Your practice game has ended", PATIENCE)
        await host.watcher.sync()
        assert [one.text for one in host.watcher.lines if one.command == "PRIVMSG"] == []
