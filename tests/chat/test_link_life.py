"""The life of a link: lost, frozen, refused, stopped."""

import asyncio
import dataclasses
import itertools
import time

import pytest

from chat.events import (
    Connected,
    Disconnected,
    Joined,
    Names,
)
from chat.link import Link, Timings
from tests.chat.harness import AL, FAST, Attempts, FakeServer, Running, scripted, settings


async def test_error_gives_the_reason() -> None:
    async with scripted() as (running, peer):
        peer.send("ERROR :Closing Link (Excess Flood)")
        assert await running.next(Disconnected) == Disconnected("Closing Link (Excess Flood)")
        assert not running.link.connected


async def test_comes_back_and_joins_again() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        for _ in range(3):
            peer = await server.accept()
            await peer.welcome()
            await running.next(Joined)
            peer.close()
            await running.next(Disconnected)
        assert server.waiting <= 1


async def test_gaps_grow_while_the_server_throws_it_out() -> None:
    """A link that gets in and is thrown out at once must not come back ever faster, or as fast as before."""
    timings = dataclasses.replace(FAST, retry_first=0.05, retry_longest=10)
    async with FakeServer() as server, Running(settings(server.port), timings) as running:
        times = []
        for _ in range(4):
            peer = await server.accept()
            times.append(time.monotonic())
            await peer.welcome()
            await running.next(Connected)
            peer.send("ERROR :Excess Flood")
            peer.close()
        gaps = [b - a for a, b in itertools.pairwise(times)]
        assert gaps[0] < gaps[1] < gaps[2], gaps
        assert gaps[2] >= 0.2


async def test_gaps_begin_anew_after_a_good_connection() -> None:
    timings = dataclasses.replace(FAST, retry_first=0.05, retry_longest=1000, stable=0)
    async with FakeServer() as server, Running(settings(server.port), timings) as running:
        for _ in range(6):
            peer = await server.accept()
            await peer.welcome()
            await running.next(Connected)
            peer.close()


async def test_refused_connections_make_no_storm() -> None:
    async with FakeServer() as server:
        port = server.port
    timings = dataclasses.replace(FAST, retry_first=0.02, retry_longest=0.16)
    with Attempts() as attempts:
        async with Running(settings(port), timings) as running:
            gaps = [await attempts.gap() for _ in range(6)]
        assert running.events == []
    assert gaps == [0.02, 0.04, 0.08, 0.16, 0.16, 0.16]


async def test_a_frozen_server_is_noticed() -> None:
    timings = dataclasses.replace(FAST, ping_after=0.1, ping_timeout=0.1)
    async with FakeServer() as server, Running(settings(server.port), timings) as running:
        peer = await server.accept()
        await peer.welcome()
        await running.next(Joined)
        for _ in range(3):
            token = (await peer.expect("PING")).partition(" ")[2]
            peer.send(f":irc.test PONG irc.test {token}")
        await peer.expect("PING")
        began = time.monotonic()
        # Bytes that make no line are no sign of life.
        peer.send(b"x")
        assert await running.next(Disconnected) == Disconnected("the server does not answer")
        assert time.monotonic() - began < 1
        await server.accept()


def test_a_dead_link_is_noticed_within_two_minutes() -> None:
    timings = Timings()
    assert timings.ping_after + timings.ping_timeout + 2 * timings.tick < 120


async def test_a_server_that_never_welcomes() -> None:
    timings = dataclasses.replace(FAST, register=0.1)
    async with FakeServer() as server, Running(settings(server.port), timings) as running:
        peer = await server.accept()
        await peer.closed()
        await server.accept()
        assert running.events == []


async def test_a_motd_that_never_ends() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test 001 Yardzee :hi", ":irc.test 372 Yardzee :- endless")
        await running.next(Connected)
        await peer.expect("JOIN #y")


async def test_a_tls_handshake_that_never_ends() -> None:
    timings = dataclasses.replace(FAST, connect=0.1)
    async with FakeServer() as server, Running(settings(server.port, tls=True), timings):
        await server.accept()
        await server.accept()


async def test_a_server_that_does_not_read() -> None:
    async with scripted() as (running, peer):
        peer.writer.transport.pause_reading()  # type: ignore[attr-defined]
        for _ in range(20_000):
            running.link.send("#y", "x" * 400)
            if not running.link.connected:
                break
        assert await running.next(Disconnected) == Disconnected("the server reads nothing")


@pytest.mark.parametrize(
    ("refusal", "advice"),
    [
        (":irc.test 464 * :Password incorrect", "(Password incorrect): check the server's password"),
        (":irc.test 465 * :You are banned", "(You are banned): the host is banned there"),
        (":irc.test 433 * Yardzee :in use", "no nick is free: name others as alternative_nicks"),
    ],
)
async def test_who_is_refused_says_what_to_do_and_comes_back_slowly(refusal: str, advice: str) -> None:
    timings = dataclasses.replace(FAST, refused_first=1000, refused_longest=1000)
    with Attempts() as attempts:
        async with FakeServer() as server, Running(settings(server.port, password="x"), timings) as running:
            peer = await server.accept()
            await peer.expect("USER")
            peer.send(*[refusal] * 200, "ERROR :Closing Link")
            assert await attempts.gap() == 1000
            assert running.events == []
    assert advice in attempts.last


async def test_lines_after_the_end_are_not_told() -> None:
    async with scripted() as (running, peer):
        await running.next(Names)
        told = len(running.events)
        peer.send("ERROR :bye", f"{AL} PRIVMSG #y :late")
        await running.next(Disconnected)
        assert len(running.events) == told + 1


async def test_stop_says_quit_and_is_told() -> None:
    async with scripted() as (running, peer):
        stopping = asyncio.create_task(running.link.stop("good\r\n night"))
        assert await peer.expect("QUIT") == "QUIT :good night"
        peer.send("ERROR :Closing Link: Quit")
        await stopping
        assert running.task is not None
        await running.task
        assert running.events[-1] == Disconnected("Closing Link: Quit")
        await running.link.stop("again")


async def test_stop_waits_no_longer_than_it_should() -> None:
    timings = dataclasses.replace(FAST, quit=0.1)
    async with scripted(timings) as (running, peer):
        began = time.monotonic()
        await running.link.stop("bye")
        assert time.monotonic() - began < 1
        assert await peer.closed() == ["QUIT :bye"]


async def test_stop_from_the_listener() -> None:
    async with scripted() as (running, peer):
        tasks: list[asyncio.Task[None]] = []
        running.react = lambda _event: tasks.append(asyncio.create_task(running.link.stop()))
        peer.send(f"{AL} PRIVMSG #y :stop")
        assert await peer.expect("QUIT") == "QUIT :"
        peer.close()
        assert running.task is not None
        await running.task
        await asyncio.gather(*tasks)


async def test_stop_while_waiting_for_the_next_attempt() -> None:
    async with FakeServer() as server:
        port = server.port
    timings = dataclasses.replace(FAST, retry_first=1000, retry_longest=1000)
    with Attempts() as attempts:
        async with asyncio.timeout(5), Running(settings(port), timings):
            await attempts.gap()


async def test_stop_while_connecting() -> None:
    async with FakeServer() as server, asyncio.timeout(5), Running(settings(server.port, tls=True)):
        await server.accept()


async def test_stop_while_registering_or_before_anything() -> None:
    async with FakeServer() as server, asyncio.timeout(5):
        async with Running(settings(server.port)):
            await server.accept()
        async with Running(settings(server.port)):
            pass
        link = Link(settings(server.port), lambda _event: None)
        await link.stop()
        await link.run()


async def test_cancelled() -> None:
    async with scripted() as (running, peer):
        assert running.task is not None
        running.task.cancel()
        await asyncio.wait({running.task})
        assert running.events[-1] == Disconnected("stopped")
        assert await peer.closed() == []
        running.task = asyncio.create_task(asyncio.sleep(0))


async def test_runs_only_once() -> None:
    async with scripted() as (running, _peer):
        with pytest.raises(RuntimeError):
            await running.link.run()
