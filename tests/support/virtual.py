"""An event loop whose time leaps to whatever is due next: ten minutes of waiting take no time."""

from __future__ import annotations

import asyncio
import selectors
import socket
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime, timedelta
from typing import Any, TypeVar

T = TypeVar("T")
Open = Callable[[asyncio.Protocol, bool], Awaitable[asyncio.Transport]]
"""Opens a connection for a protocol, with TLS or without, or fails as a network does."""

_ADDRESS = (socket.AF_INET, socket.SOCK_STREAM, 0, "", ("192.0.2.1", 6667))


class _Leap(selectors.SelectSelector):
    """Waits for nothing: what is to come is due at once."""

    def __init__(self) -> None:
        super().__init__()
        self.now = 0.0

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        if timeout is None:
            raise AssertionError("everybody waits, and nothing is due")
        self.now += max(0.0, timeout)
        return super().select(0)


class VirtualLoop(asyncio.SelectorEventLoop):
    """A loop for what uses no sockets; `dial` is the network, and `resolve` fails where names do."""

    def __init__(self) -> None:
        self._leap = _Leap()
        super().__init__(self._leap)
        self.dial: Open | None = None
        self.resolve: Callable[[], None] = lambda: None

    def time(self) -> float:
        return self._leap.now

    async def getaddrinfo(self, *_: object, **__: object) -> Any:
        self.resolve()
        return [_ADDRESS]

    async def create_connection(  # type: ignore[override]
        self, protocol_factory: Callable[[], asyncio.Protocol], *_: object, ssl: object = None, **__: object
    ) -> tuple[asyncio.Transport, asyncio.Protocol]:
        assert self.dial is not None
        protocol = protocol_factory()
        return await self.dial(protocol, ssl is not None), protocol


class VirtualClock:
    """The host's clock on such a loop."""

    def __init__(self, loop: VirtualLoop, start: float = 0.0) -> None:
        self._loop = loop
        self._ahead = start - loop.time()

    def now(self) -> float:
        return self._loop.time() + self._ahead

    def wall(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC) + timedelta(seconds=self.now())

    def call_at(self, when: float, call: Callable[[], None]) -> asyncio.TimerHandle:
        return self._loop.call_at(when - self._ahead, call)


def run(story: Callable[[VirtualLoop], Coroutine[Any, Any, T]]) -> T:
    """Run a story to its end on a loop of its own."""
    with asyncio.Runner(loop_factory=VirtualLoop) as runner:
        loop = runner.get_loop()
        assert isinstance(loop, VirtualLoop)
        return runner.run(story(loop))
