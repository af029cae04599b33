"""The embedded server, seen by raw clients."""

import asyncio
import contextlib
import random
from collections.abc import AsyncIterator

import pytest

from chat.embedded import EmbeddedServer, Limits
from tests.support.client import Client

HOST = "127.0.0.1"


@contextlib.asynccontextmanager
async def serving(limits: Limits | None = None) -> AsyncIterator[EmbeddedServer]:
    server = EmbeddedServer(limits=limits)
    await server.start()
    try:
        yield server
    finally:
        await server.stop()


@contextlib.asynccontextmanager
async def two_in_a_channel(
    limits: Limits | None = None,
) -> AsyncIterator[tuple[EmbeddedServer, Client, Client]]:
    async with (
        serving(limits) as server,
        await Client.connect(HOST, server.port, "al") as al,
        await Client.connect(HOST, server.port, "bo") as bo,
    ):
        await al.join("#y")
        await bo.join("#y")
        await al.wait_for("JOIN :#y$")
        yield server, al, bo


async def test_welcome() -> None:
    async with serving() as server, await Client.connect(HOST, server.port, "al") as al:
        assert [line.command for line in al.lines] == ["001", "002", "003", "004", "005", "422"]
        assert {"CASEMAPPING=ascii", "CHANTYPES=#", "PREFIX=(o)@", "NETWORK=Yardzee"} <= set(
            al.lines[4].params
        )


async def test_capability_negotiation_as_irssi_does_it() -> None:
    async with serving() as server, await Client.connect(HOST, server.port, "al", register=False) as al:
        al.send_raw("CAP LS 302", "NICK al", "USER al al localhost :Al")
        assert (await al.wait_for("CAP")).params == ("*", "LS", "")
        assert [line.command for line in await al.sync()] == []
        al.send_raw("CAP REQ :multi-prefix", "CAP BAD", "CAP LIST")
        assert (await al.wait_for("CAP")).params == ("al", "NAK", "multi-prefix")
        assert (await al.wait_for(" 410 ")).params == ("al", "BAD", "Invalid CAP subcommand")
        al.send_raw("CAP END")
        await al.wait_for(" 001 ")


async def test_names_are_the_same_in_any_case() -> None:
    async with (
        two_in_a_channel() as (server, al, bo),
        await Client.connect(HOST, server.port, "x", register=False) as cy,
    ):
        cy.send_raw("NICK AL", "USER x 0 * :x")
        assert (await cy.wait_for(" 433 ")).params[1] == "AL"
        cy.send_raw("NICK [x]", "JOIN #Y")
        assert (await cy.wait_for("JOIN")).text == "#y"
        cy.say("#Y", "hi")
        assert (await al.wait_for("hi")).raw == ":[x]!~x@127.0.0.1 PRIVMSG #y :hi"
        cy.say("BO", "psst")
        assert (await bo.wait_for("psst")).params == ("bo", "psst")
        async with await Client.connect(HOST, server.port, "{x}"):
            pass


async def test_nick_changes() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        bo.send_raw("NICK Bo", "NICK al", "NICK 1x", "NICK", f"NICK {'x' * 31}", "NICK bo\u0664")
        assert (await al.wait_for("NICK")).raw == ":bo!~bo@127.0.0.1 NICK :Bo"
        assert [line.command for line in await bo.sync()] == ["NICK", "433", "432", "431", "432", "432"]


async def test_join_part_names_and_operators() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        names = next(line for line in bo.lines if line.command == "353")
        assert names.params == ("bo", "=", "#y", "@al bo")
        bo.send_raw("KICK #y al :no")
        assert (await bo.wait_for(" 482 ")).params[1] == "#y"
        al.send_raw("KICK #y bo :out", "KICK #y bo")
        assert (await bo.wait_for("KICK")).params == ("#y", "bo", "out")
        await al.wait_for(" 441 ")
        bo.say("#y", "let me in")
        assert (await bo.wait_for(" 404 ")).params[1] == "#y"
        await bo.join("#y")
        al.send_raw("MODE #y +o bo", "PART #y :bye")
        assert (await bo.wait_for("MODE")).params == ("#y", "+o", "bo")
        assert (await bo.wait_for("PART")).params == ("#y", "bye")
        bo.send_raw("PART #y", "PART #y", "NAMES #y")
        await bo.wait_for(" 403 ")
        await bo.wait_for(" 366 ")
        await al.join("#y")
        assert next(line for line in reversed(al.lines) if line.command == "353").text == "@al"


@pytest.mark.parametrize("name", ["y", "#", "#a b"[:2] + "\x07", "#" + "x" * 50, "&y"])
async def test_names_that_are_no_channels(name: str) -> None:
    async with serving() as server, await Client.connect(HOST, server.port, "al") as al:
        al.send_raw(f"JOIN {name}")
        assert [line.command for line in await al.sync()] == ["403"]


async def test_the_queries_of_common_clients() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        bo.send_raw("AWAY :out")
        await bo.wait_for(" 306 ")
        al.send_raw(
            "MODE #y", "MODE #y b", "MODE #y +b", "MODE al", "MODE al +i", "MODE al", "WHO #y", "WHOIS bo bo",
            "WHOIS nobody", "ISON bo AL nobody", "USERHOST bo al", "LIST", "MOTD", "TOPIC #y", "TOPIC #y :T",
            "TOPIC #y", "PRIVMSG bo :hi", "NOTICE nobody :hi", "PRIVMSG nobody :hi", "PRIVMSG bo", "PRIVMSG",
            "BOGUS", "JOIN", "USER a b c d", "PING",
        )  # fmt: skip
        lines = await al.sync()
        assert [line.command for line in lines] == [
            "324", "329", "368", "368", "221", "MODE", "221", "352", "352", "315",
            "311", "319", "312", "301", "318", "401", "318", "303", "302",
            "321", "322", "323", "422", "331", "TOPIC", "332", "333", "301",
            "401", "412", "411", "421", "461", "462", "409",
        ]  # fmt: skip
        by_command = {line.command: line for line in lines}
        assert by_command["303"].text == "bo al"
        assert by_command["302"].text == "bo=-~bo@127.0.0.1 al=+~al@127.0.0.1"
        assert by_command["352"].params[1:7] == ("#y", "~bo", "127.0.0.1", "demo.yardzee", "bo", "G")
        assert by_command["319"].text == "#y"
        assert by_command["322"].params == ("al", "#y", "2", "")


async def test_quit_and_lost_connections_are_told_once() -> None:
    async with two_in_a_channel() as (server, al, bo):
        await bo.join("#z")
        await al.join("#z")
        bo.send_raw("QUIT :good night", "PRIVMSG #y :from beyond")
        assert (await al.wait_for("QUIT")).raw == ":bo!~bo@127.0.0.1 QUIT :Quit: good night"
        await bo.closed()
        assert bo.lines[-1].command == "ERROR"
        cy = await Client.connect(HOST, server.port, "bo")
        await cy.join("#y")
        await cy.close()
        await al.wait_for("QUIT")
        assert await al.sync() == []


async def test_lines_are_cut_at_512_bytes_and_no_character_is() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        al.say("#y", "⚀" * 160)
        text = (await bo.wait_for("⚀")).text
        assert set(text) == {"⚀"}
        assert 510 - 3 < len(f":al!~al@127.0.0.1 PRIVMSG #y :{text}".encode()) <= 510
        al.send_raw(b"PRIVMSG #y :" + b"x" * 100_000 + b"\r\nPRIVMSG #y :next\r\n")
        assert set((await bo.wait_for("xxx")).text) == {"x"}
        assert (await bo.wait_for("next")).text == "next"


async def test_bytes_are_relayed_as_they_are() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        al.send_raw(b"PRIVMSG #y :caf\xe9 \xff\x01\x02\r\n")
        assert (await bo.wait_for("caf")).text.encode("utf-8", "surrogateescape") == b"caf\xe9 \xff\x01\x02"


async def test_a_bare_cr_ends_a_line() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        al.send_raw(b"PRIVMSG #y :one\rPRIVMSG #y :two\nPRIVMSG #y :th\0ree\r\n")
        assert [(await bo.wait_for("PRIVMSG")).text for _ in range(3)] == ["one", "two", "three"]


async def test_a_line_in_many_packets() -> None:
    async with two_in_a_channel() as (_server, al, bo):
        for byte in "PRIVMSG #y :⚀ slow\r\n".encode():
            al.send_raw(bytes([byte]))
            await asyncio.sleep(0)
        assert (await bo.wait_for("slow")).text == "⚀ slow"


async def test_many_names_take_many_lines() -> None:
    async with serving() as server, contextlib.AsyncExitStack() as stack:
        nicks = [f"a_rather_long_nick_number_{i}" for i in range(30)]
        for nick in nicks:
            client = await stack.enter_async_context(await Client.connect(HOST, server.port, nick))
            await client.join("#y")
        lines = [line for line in client.lines if line.command == "353"]
        assert len(lines) > 1
        assert [nick.lstrip("@") for line in lines for nick in line.text.split()] == nicks


async def test_a_client_that_does_not_read_is_cut_off() -> None:
    async with two_in_a_channel(Limits(send_queue=10_000)) as (server, al, bo):
        reader, writer = await asyncio.open_connection(HOST, server.port, limit=1)
        writer.write(b"NICK deaf\r\nUSER d 0 * :d\r\nJOIN #y\r\n")
        await al.wait_for("deaf.*JOIN")
        writer.transport.pause_reading()  # type: ignore[attr-defined]

        async def talk() -> None:
            while True:
                al.send_raw(*["PRIVMSG #y :" + "x" * 400] * 50)
                await al.sync()

        talking = asyncio.create_task(talk())
        await bo.wait_for("deaf.* QUIT :Max SendQ exceeded", 20)
        talking.cancel()
        await asyncio.wait({talking})
        writer.transport.abort()
        assert reader is not None
        bo.say("#y", "on we go")
        await al.wait_for("on we go")


async def test_silent_clients_are_asked_and_then_cut_off() -> None:
    limits = Limits(ping_after=0.05, ping_timeout=0.05, tick=0.01)
    async with serving(limits) as server:
        al = await Client.connect(HOST, server.port, "al")  # answers
        reader, writer = await asyncio.open_connection(HOST, server.port)
        writer.write(b"NICK mute\r\nUSER m 0 * :m\r\n")
        said = await reader.read()
        assert b"PING :demo.yardzee\r\nERROR :Closing Link: 127.0.0.1 (Ping timeout)\r\n" in said
        await al.sync()
        await al.close()
        writer.close()
        await writer.wait_closed()


async def test_clients_that_never_register_are_cut_off() -> None:
    async with serving(Limits(register=0.05, tick=0.01)) as server:
        client = await Client.connect(HOST, server.port, "x", register=False)
        client.send_raw("JOIN #y", "CAP LS")
        await client.wait_for(" 451 ")
        await client.closed()
        assert "Registration timed out" in client.lines[-1].text
        await client.close()


async def test_too_many_clients() -> None:
    async with serving(Limits(clients=2)) as server:
        al = await Client.connect(HOST, server.port, "al")
        bo = await Client.connect(HOST, server.port, "bo")
        cy = await Client.connect(HOST, server.port, "cy", register=False)
        await cy.wait_for("ERROR.*Too many clients")
        await bo.close()
        await al.sync()
        for client in (al, cy, await Client.connect(HOST, server.port, "dee")):
            await client.close()


async def test_too_many_channels_and_targets() -> None:
    async with serving() as server, await Client.connect(HOST, server.port, "al") as al:
        al.send_raw("JOIN " + ",".join(f"#{i}" for i in range(21)), "PRIVMSG a,b,c,d,e :x", "JOIN 0", "LIST")
        commands = [line.command for line in await al.sync()]
        assert commands.count("405") == 1
        assert commands.count("407") == 1
        assert commands.count("PART") == 20
        assert "322" not in commands


async def test_stop_closes_everything() -> None:
    server = EmbeddedServer()
    await server.start()
    port = server.port
    al = await Client.connect(HOST, port, "al")
    late = await Client.connect(HOST, port, "late", register=False)
    await server.stop()
    await al.closed()
    assert al.lines[-1].text == "Closing Link: 127.0.0.1 (Server is shutting down)"
    with pytest.raises(ConnectionRefusedError):
        await Client.connect(HOST, port, "bo")
    await al.close()
    await late.close()
    await server.stop()
    with pytest.raises(RuntimeError):
        _ = server.port
    await server.start()
    bo = await Client.connect(HOST, server.port, "bo")
    await bo.close()
    await server.stop()


WORDS = (
    b"NICK USER JOIN PART KICK MODE WHO WHOIS TOPIC NAMES LIST ISON USERHOST AWAY NOTICE PRIVMSG CAP PING"
    b" PASS LS END REQ #y #z al fuzz x , : +o -o +b \xff\xe9 \xe2\x9a\x80 @ * 0 @a=b :al!a@b"
).split(b" ")


@pytest.mark.parametrize("seed", range(5))
async def test_any_bytes_leave_the_server_running(seed: int, caplog: pytest.LogCaptureFixture) -> None:
    dice = random.Random(seed)
    async with two_in_a_channel() as (server, al, bo):
        for _ in range(10):
            fuzz = await Client.connect(HOST, server.port, f"fuzz{seed}", register=dice.random() < 0.7)
            for _ in range(40):
                words = [dice.choice(WORDS) for _ in range(dice.randrange(1, 7))]
                noise = dice.randbytes(dice.randrange(30)) if dice.random() < 0.2 else b""
                fuzz.send_raw(b" ".join(words) + noise + dice.choice([b"\r\n", b"\n", b"\r", b"\r\n"]))
            fuzz.send_raw("QUIT")
            await fuzz.closed()
            await fuzz.close()
        bo.say("#y", "alive")
        await al.wait_for("PRIVMSG #y :alive")
        assert "skipped a line" not in caplog.text
