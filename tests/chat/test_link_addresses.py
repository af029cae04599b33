"""A name with several addresses, of which some are dead in one way or another."""

from __future__ import annotations

import asyncio
import contextlib
import dataclasses
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from chat.addresses import Addresses
from chat.events import Joined
from chat.settings import Timings
from tests.chat.harness import FAST, Attempts, FakeServer, Running, settings

LIVE, DEAD = "127.0.0.1", "127.0.0.2"
Names = Callable[..., None]


@pytest.fixture
def names(monkeypatch: pytest.MonkeyPatch) -> Names:
    """Says which addresses every name has; none means that it is not found."""

    def have(*addresses: str) -> None:
        async def getaddrinfo(_host: str, port: int, **_: object) -> list[tuple[Any, ...]]:
            if not addresses:
                raise socket.gaierror(-2, "Name or service not known")
            return [(socket.AF_INET, socket.SOCK_STREAM, 6, "", (address, port)) for address in addresses]

        monkeypatch.setattr(asyncio.get_running_loop(), "getaddrinfo", getaddrinfo)

    return have


@contextlib.contextmanager
def mute(port: int) -> Iterator[socket.socket]:
    """Takes connections at the dead address, and says nothing on them."""
    with socket.create_server((DEAD, port), backlog=5) as listening:
        yield listening


@contextlib.contextmanager
def hanging(port: int) -> Iterator[None]:
    """Takes no more connections at the dead address, and refuses none: the queue is full."""
    with socket.create_server((DEAD, port), backlog=0), contextlib.ExitStack() as queue:
        for _ in range(3):
            waiting = queue.enter_context(socket.socket())
            waiting.setblocking(False)
            waiting.connect_ex((DEAD, port))
        yield


@pytest.mark.parametrize("dead", [lambda _port: contextlib.nullcontext(), hanging], ids=["refuses", "hangs"])
async def test_an_address_where_nobody_answers_costs_no_attempt(
    dead: Callable[[int], contextlib.AbstractContextManager[None]], names: Names
) -> None:
    names(DEAD, LIVE)
    timings = dataclasses.replace(FAST, connect=0.4, address=0.2, retry_first=1000, retry_longest=1000)
    async with FakeServer() as server:
        with dead(server.port):
            async with Running(settings(server.port, server="irc.example"), timings) as running:
                peer = await server.accept()
                await peer.welcome()
                await running.next(Joined)
                assert server.waiting == 0


async def test_an_address_where_nothing_is_said_costs_one_attempt(names: Names) -> None:
    names(DEAD, LIVE)
    timings = dataclasses.replace(FAST, register=0.1)
    async with FakeServer() as server:
        with mute(server.port):
            async with Running(settings(server.port, server="irc.example"), timings) as running:
                peer = await server.accept()
                await peer.welcome()
                await running.next(Joined)


async def test_where_all_are_dead_the_log_says_so_and_a_name_that_is_mended_is_found(names: Names) -> None:
    timings = dataclasses.replace(FAST, connect=0.4, address=0.1)
    with Attempts() as attempts:
        async with FakeServer() as server, Running(settings(server.port, server="irc.example"), timings):
            names()
            await attempts.gap()
            assert "Name or service not known" in attempts.last
            names(DEAD, "127.0.0.3")
            async with asyncio.timeout(10):
                while "Connection refused" not in attempts.last:
                    await attempts.gap()
            names(LIVE)
            await server.accept()


async def test_the_address_that_was_tried_least_is_next(names: Names) -> None:
    addresses = Addresses("irc.example", 6667, lambda _: 1.0)
    tried = []
    for there in ("ab", "ab", "ab", "bca", "bca", "c", "ca"):
        names(*there)
        first = (await addresses.found())[0]
        addresses.tried(first)
        tried.append(first)
    assert tried == ["a", "b", "a", "c", "b", "c", "a"]


def test_one_address_has_all_the_time_and_many_have_enough() -> None:
    assert [Timings().each_of(number) for number in (1, 2, 3, 10)] == [30, 15, 10, 10]
