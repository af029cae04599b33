"""The link on a real server."""

import dataclasses

import pytest

from chat.events import (
    Connected,
    Disconnected,
    Joined,
    Kicked,
    Message,
    Names,
    NickChanged,
    Parted,
    Quit,
    Refused,
)
from tests.chat.harness import FAST, Running, settings
from tests.support.client import Client
from tests.support.ngircd import Ngircd

PATIENT = dataclasses.replace(FAST, quit=2)


async def test_a_conversation() -> None:
    async with Ngircd() as server, Running(settings(server.port), PATIENT) as running:
        assert await running.next(Connected) == Connected("Yardzee")
        assert (await running.next(Names)).nicks == ("Yardzee",)
        async with await Client.connect(server.host, server.port, "[al]") as al:
            await al.join("#Y")
            assert (await running.next(Joined)).user.nick == "[al]"
            al.say("#y", "!join")
            message = await running.next(Message)
            assert (message.text, message.private, message.user.user) == ("!join", False, "~al")
            al.say("Yardzee", "dice")
            assert (await running.next(Message)).private
            al.send_raw(b"PRIVMSG #y :caf\xe9\r\n")
            assert (await running.next(Message)).text == "café"
            al.send_raw("NICK Al")
            assert (await running.next(NickChanged)).nick == "Al"
            running.link.send("#y", "⚀ " + "x" * 2000)
            raw = (await al.wait_for("PRIVMSG")).raw
            assert len(raw.encode()) == 510
            running.link.send("nobody", "hello?")
            assert (await running.next(Refused)).numeric == 401
            al.send_raw("PART #y")
            await running.next(Parted)
            await al.join("#y")
            al.send_raw("QUIT :bye")
            assert (await running.next(Quit)).user.nick == "Al"
        await running.link.stop("good night")
        assert running.events[-1] == Disconnected('"good night"')


async def test_no_line_is_lost_at_full_length() -> None:
    async with (
        Ngircd() as server,
        Running(settings(server.port)) as running,
        await Client.connect(server.host, server.port, "al") as al,
    ):
        await running.next(Names)
        await al.join("#y")
        for length in range(-2, 1):
            text = "x" * (running.link.budget("#y") + length - 1) + "$"
            running.link.send("#y", text)
            assert (await al.wait_for("PRIVMSG")).text == text
        assert running.link.connected


async def test_nicklen_9_and_the_nick_taken() -> None:
    async with (
        Ngircd(max_nick_length=9) as server,
        await Client.connect(server.host, server.port, "YardzeeTh") as holder,
        Running(settings(server.port, nick="YardzeeTheHost")) as running,
    ):
        connected = await running.next(Connected)
        assert connected.nick == "YardzeeT_"
        await running.next(Names)
        holder.send_raw("NICK other")
        assert (
            await running.next(NickChanged, lambda event: running.link.is_me(event.nick))
        ).nick == "YardzeeTh"


async def test_the_nick_comes_back_when_its_holder_quits() -> None:
    slow = dataclasses.replace(FAST, regain_first=1000, regain_longest=1000)
    async with (
        Ngircd() as server,
        await Client.connect(server.host, server.port, "yARDZEE") as holder,
        Running(settings(server.port), slow) as running,
    ):
        await holder.join("#y")
        assert (await running.next(Connected)).nick == "Yardzee_"
        await running.next(Names)
        holder.send_raw("QUIT")
        assert (await running.next(NickChanged)).nick == "Yardzee"


async def test_kick_ban_and_return() -> None:
    async with (
        Ngircd() as server,
        await Client.connect(server.host, server.port, "al") as al,
    ):
        await al.join("#y")
        async with Running(settings(server.port)) as running:
            await running.next(Names)
            al.send_raw("MODE #y +b *!*@*", "KICK #y Yardzee :out")
            assert await running.next(Kicked) == Kicked("Yardzee", "#y", "al", "out")
            for _ in range(2):
                refused = await running.next(Refused)
                assert (refused.numeric, refused.target) == (474, "#y")
            al.send_raw("MODE #y -b *!*@*")
            await running.next(Joined)
            al.send_raw("MODE #y +m")
            await al.wait_for(r"MODE #y \+m")
            running.link.send("#y", "unheard")
            refused = await running.next(Refused)
            assert (refused.numeric, refused.target) == (404, "#y")


async def test_the_server_goes_and_comes_back() -> None:
    async with Ngircd() as server, Running(settings(server.port)) as running:
        await running.next(Names)
        await server.stop()
        await running.next(Disconnected)
        assert not running.link.connected
        await server.restart()
        await running.next(Names)
        assert running.link.connected


@pytest.mark.parametrize("password", ["sesame", "two words"])
async def test_a_server_with_a_password(password: str) -> None:
    async with (
        Ngircd(password=password) as server,
        Running(settings(server.port, password=password)) as running,
    ):
        await running.next(Names)


async def test_a_mode_that_hides_the_host_is_learned() -> None:
    async with (
        Ngircd(extra="[Options]\nCloakHost = cloak.test.example\n") as server,
        Running(settings(server.port)) as running,
        await Client.connect(server.host, server.port, "al") as al,
    ):
        await running.next(Names)
        await al.join("#y")
        text = "x" * (running.link.budget("#y") - 1) + "$"
        running.link.send("#y", text)
        assert (await al.wait_for("PRIVMSG")).text == text
