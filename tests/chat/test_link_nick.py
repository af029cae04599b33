"""The nick: another one when it is taken, and the wanted one back."""

import dataclasses

import pytest

from chat.events import (
    Connected,
    Joined,
    NickChanged,
    Refused,
)
from tests.chat.harness import FAST, FakeServer, Running, hears, scripted, settings


async def test_433_for_the_nick_and_the_next_three() -> None:
    async with (
        FakeServer() as server,
        Running(settings(server.port, alternative_nicks=("Dicey",))) as running,
    ):
        peer = await server.accept()
        for taken in ("Yardzee", "Dicey", "Yardzee_", "Yardzee__"):
            assert await peer.expect("NICK") == f"NICK {taken}"
            peer.send(f":irc.test 433 * {taken} :Nickname is already in use")
        assert await peer.expect("NICK") == "NICK Yardzee2"
        peer.greet("Yardzee2")
        assert await running.next(Connected) == Connected("Yardzee2")
        assert running.link.nick == "Yardzee2"


async def test_a_nick_too_long_for_the_server() -> None:
    async with FakeServer() as server, Running(settings(server.port, nick="YardzeeTheHost")) as running:
        peer = await server.accept()
        await peer.expect("NICK YardzeeTheHost")
        peer.send(":irc.test 432 * YardzeeTheHost :Nickname too long, max. 9 characters")
        assert await peer.expect("NICK") == "NICK YardzeeTh"
        peer.send(":irc.test 433 * YardzeeTh :in use")
        assert await peer.expect("NICK") == "NICK YardzeeT_"
        peer.send(":irc.test 437 * YardzeeT_ :unavailable")
        assert await peer.expect("NICK") == "NICK Yardzee__"
        peer.greet("Yardzee__", "NICKLEN=9")
        await running.next(Connected)
        assert await peer.expect("NICK") == "NICK YardzeeTh", "taken back as far as the server lets it"


async def test_a_server_that_cuts_the_nick() -> None:
    async with FakeServer() as server, Running(settings(server.port, nick="YardzeeTheHost")) as running:
        peer = await server.accept()
        await peer.welcome("YardzeeTh", "NICKLEN=9")
        assert await running.next(Connected) == Connected("YardzeeTh")
        await running.next(Joined)
        await hears(running, peer)
        assert running.link.is_me("yardzeeth")


@pytest.mark.parametrize("gives_up", [":Yardzee!x@y QUIT :bye", ":yardzee!x@y NICK :other"])
async def test_the_nick_comes_back_when_its_holder_gives_it_up(gives_up: str) -> None:
    slow = dataclasses.replace(FAST, regain_first=1000, regain_longest=1000)
    async with FakeServer() as server, Running(settings(server.port), slow) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test 433 * Yardzee :in use")
        await peer.expect("NICK Yardzee_")
        peer.greet("Yardzee_")
        await peer.expect("JOIN")
        peer.joined("Yardzee_")
        await peer.expect("WHO #y")
        peer.send(gives_up)
        assert await peer.line() == "NICK Yardzee"
        peer.send(":Yardzee_!~yardzee@host.test NICK :Yardzee")
        event = await running.next(NickChanged, lambda event: event.user.nick == "Yardzee_")
        assert event.nick == running.link.nick == "Yardzee"
        await hears(running, peer)


async def test_the_nick_is_asked_for_again_after_services_took_it() -> None:
    async with scripted() as (running, peer):
        peer.send(":Yardzee!~yardzee@host.test NICK :Guest83712")
        event = await running.next(NickChanged)
        assert event.nick == "Guest83712"
        assert running.link.is_me("guest83712")
        for refusal in ("433", "432", "437", "438"):
            assert await peer.line() == "NICK Yardzee"
            peer.send(f":irc.test {refusal} Guest83712 Yardzee :no")
        await hears(running, peer)
        assert Refused not in map(type, running.events)
        peer.send(":Guest83712!~yardzee@host.test NICK :Yardzee")
        await running.next(NickChanged, lambda event: event.nick == "Yardzee")


async def test_no_nick_is_free() -> None:
    slow = dataclasses.replace(FAST, retry_first=1000, retry_longest=1000)
    async with FakeServer() as server, Running(settings(server.port), slow):
        peer = await server.accept()
        refused = 0
        while (line := await peer.line()) != "":
            if line.startswith("NICK"):
                refused += 1
                peer.send(f":irc.test 433 * {line[5:]} :in use")
        assert 100 <= refused <= 110
