"""Channels: joined, kept, asked for again, left."""

import asyncio
import dataclasses
import time

import pytest

from chat.events import (
    Connected,
    Disconnected,
    Joined,
    Kicked,
    Message,
    Names,
    Parted,
    Refused,
)
from chat.lines import UnsafeLine
from tests.chat.harness import AL, FAST, FakeServer, Running, scripted, settings


async def test_kick_rejoins_at_once_and_then_with_growing_gaps() -> None:
    timings = dataclasses.replace(FAST, join_first=0.02, join_longest=10)
    async with scripted(timings) as (running, peer):
        gaps = []
        for _ in range(4):
            await running.next(Joined)
            peer.send(":al!a@h KICK #y yardzee :out")
            kicked = time.monotonic()
            event = await running.next(Kicked)
            assert event == Kicked("yardzee", "#y", "al", "out")
            await peer.expect("JOIN #y")
            gaps.append(time.monotonic() - kicked)
            peer.joined()
        assert gaps[0] < 0.05
        assert 0.04 <= gaps[1] < gaps[2] < gaps[3], gaps


async def test_after_a_long_stay_a_kick_is_answered_at_once_again() -> None:
    timings = dataclasses.replace(FAST, stable=0, join_first=1000, join_longest=1000)
    async with scripted(timings) as (running, peer):
        for _ in range(3):
            await running.next(Joined)
            peer.send(":al!a@h KICK #y Yardzee :out")
            await peer.expect("JOIN #y")
            peer.joined()


@pytest.mark.parametrize("numeric", [403, 405, 437, 471, 473, 474, 475, 476, 477, 480, 489])
async def test_a_refused_join_is_tried_again(numeric: int) -> None:
    timings = dataclasses.replace(FAST, join_first=0.01, join_longest=0.04)
    async with FakeServer() as server, Running(settings(server.port), timings) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.greet()
        for _ in range(3):
            await peer.expect("JOIN #y")
            peer.send(f":irc.test {numeric} Yardzee #y :Cannot join channel")
            assert await running.next(Refused) == Refused(numeric, "#y", "Cannot join channel")
        await peer.expect("JOIN #y")
        peer.joined(channel="#Y")
        assert (await running.next(Joined)).channel == "#Y"
        await peer.expect("WHO #Y")
        await asyncio.sleep(2 * timings.join_longest)  # that nothing comes takes time to see
        running.link.send("#y", "end")
        assert await peer.line() == "PRIVMSG #y :end"


async def test_a_forwarded_join_starts_nothing_elsewhere() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.greet()
        await peer.expect("JOIN #y")
        peer.send(":irc.test 470 Yardzee #y ##y :Forwarding to another channel")
        peer.joined(channel="##y")
        assert await peer.expect("PART") == "PART ##y"
        peer.send(f"{AL} PRIVMSG ##y :!join", ":Yardzee!~yardzee@host.test PART ##y")
        await peer.expect("JOIN #y")
        peer.joined()
        await running.next(Names)
        assert [type(event) for event in running.events] == [Connected, Refused, Joined, Names]


async def test_set_channels_joins_and_parts_the_difference() -> None:
    async with scripted() as (running, peer):
        await running.next(Names)
        running.link.set_channels(["#Y", "#z", "#ü"])
        assert await peer.line() == "JOIN #z,#ü"
        peer.joined(channel="#z")
        peer.joined(channel="#ü")
        running.link.set_channels(["#ü", "#z"])
        assert await peer.line() == "PART #y"
        peer.send(f"{AL} PRIVMSG #y :too late", ":Yardzee!~yardzee@host.test PART #y")
        await running.next(Parted)
        assert Message not in map(type, running.events)
        with pytest.raises(UnsafeLine):
            running.link.set_channels(["#a", "#b c"])
        peer.close()
        await running.next(Disconnected)


async def test_parted_by_another_hand() -> None:
    async with scripted() as (running, peer):
        await running.next(Names)
        peer.send(":Yardzee!~yardzee@host.test PART #y :SAPART")
        await running.next(Parted)
        await peer.expect("JOIN #y")


async def test_many_channels_fit_their_lines() -> None:
    channels = tuple(f"#{'c' * 40}{i}" for i in range(25))
    async with FakeServer() as server, Running(settings(server.port, channels=channels)):
        peer = await server.accept()
        await peer.expect("USER")
        peer.greet()
        asked: list[str] = []
        while len(asked) < 25:
            line = await peer.expect("JOIN")
            assert len(line) < 500
            asked += line[5:].split(",")
        assert tuple(asked) == channels


async def test_names_over_many_lines_and_with_prefixes() -> None:
    async with scripted() as (running, peer):
        await running.next(Names)
        peer.send(
            ":irc.test 005 Yardzee PREFIX=(qaohv)~&@%+ :are supported",
            ":irc.test 353 Yardzee = #y :@+Yardzee ~al ",
            ":irc.test 353 Yardzee @ #y :&bo!b@h %[cy] al",
            ":irc.test 366 Yardzee #y :End",
        )
        assert await running.next(Names) == Names("#y", ("Yardzee", "al", "bo", "[cy]"))
