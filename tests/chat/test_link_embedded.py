"""The link on the embedded server: two ends of one's own making."""

import asyncio

from chat.embedded import EmbeddedServer
from chat.events import Connected, Disconnected, Joined, Kicked, Message, Names, NickChanged, Quit
from chat.lines import pack
from tests.chat.harness import Running, settings
from tests.support.client import Client

HOST = "127.0.0.1"


async def test_a_conversation() -> None:
    server = EmbeddedServer()
    await server.start()
    async with Running(settings(server.port)) as running:
        await running.next(Names)
        async with await Client.connect(HOST, server.port, "al") as al:
            await al.join("#Y")
            assert (await running.next(Joined)).user.nick == "al"
            al.say("#y", "!join")
            assert not (await running.next(Message)).private
            al.say("yardzee", "dice")
            assert (await running.next(Message)).private
            al.send_raw("NICK Al")
            assert (await running.next(NickChanged)).nick == "Al"
            running.link.send("Al", "⚀⚁⚂⚃⚄")
            assert (await al.wait_for("PRIVMSG")).raw == ":Yardzee!~yardzee@127.0.0.1 PRIVMSG Al :⚀⚁⚂⚃⚄"
            # The link was here first, and is operator: it is not kicked, but may be asked to.
            running.link.set_channels(["#y", "#z"])
            await running.next(Names, lambda names: names.channel == "#z")
        assert (await running.next(Quit)).user.nick == "Al"
        await server.stop()
        await running.next(Disconnected)


async def test_a_full_line_arrives_whole() -> None:
    server = EmbeddedServer()
    await server.start()
    async with Running(settings(server.port)) as running, await Client.connect(HOST, server.port, "al") as al:
        await running.next(Names)
        await al.join("#y")
        items = [f"player_with_a_long_nick_{i}: ⚀⚁⚂⚃⚄ {i * 17}" for i in range(12)]
        lines = pack(items, " | ", running.link.budget("#y"), head="Final: ", continued="… ")
        for line in lines:
            running.link.send("#y", line)
        heard = [(await al.wait_for("PRIVMSG")).text for _ in lines]
        assert heard == lines
        running.link.send("#y", "x" * running.link.budget("#y"))
        assert len((await al.wait_for("PRIVMSG")).raw) == 510
    await server.stop()


async def test_kicked_and_back() -> None:
    server = EmbeddedServer()
    await server.start()
    async with await Client.connect(HOST, server.port, "al") as al:
        await al.join("#y")
        async with Running(settings(server.port)) as running:
            await running.next(Names)
            al.send_raw("KICK #y Yardzee :out")
            assert await running.next(Kicked) == Kicked("Yardzee", "#y", "al", "out")
            await running.next(Joined)
    await server.stop()


async def test_a_netsplit() -> None:
    server = EmbeddedServer()
    await server.start()
    async with (
        Running(settings(server.port)) as running,
        await Client.connect(HOST, server.port, "al") as al,
        await Client.connect(HOST, server.port, "bo") as bo,
    ):
        await running.next(Names)
        await al.join("#y")
        await bo.join("#y")
        server.split("AL", "nobody")
        assert (await running.next(Quit)).netsplit
        bo.send_raw("QUIT :demo.yardzee lost.demo.yardzee")
        assert not (await running.next(Quit)).netsplit
    await server.stop()


async def test_two_links_and_one_nick() -> None:
    server = EmbeddedServer()
    await server.start()
    first = Running(settings(server.port))
    async with first:
        await first.next(Names)
        async with Running(settings(server.port)) as second:
            assert (await second.next(Connected)).nick == "Yardzee_"
            await second.next(Names)
            await first.link.stop("bye")
            event = await second.next(NickChanged)
            assert (event.user.nick, event.nick) == ("Yardzee_", "Yardzee")
            await asyncio.sleep(0)
            assert second.link.nick == "Yardzee"
    await server.stop()
