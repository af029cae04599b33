"""Pages for programs that watch the host, on a loopback port: its numbers, and whether all is well.

They are served by the loop that the games run on, so that a host that stands still does not answer.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass
from functools import partial
from typing import Final

from aiohttp import web

from host import config
from host.metrics import Metrics
from host.watch import NetworkStatus, Watch, Watched, Watchers

_REMEMBERED: Final = 10.0
"""Seconds in which the store is asked once, however many ask: whoever asks it stops the host for a moment."""

_BEAT: Final = 1.0
"""Seconds between two looks at how late the loop is."""

_MOST_CONNECTIONS: Final = 32
"""One more closes the oldest. A page takes milliseconds; and who holds connections open must not use up the
files that the host may have open, which its networks need."""

_BACKLOG: Final = 16
"""Connections that are taken at once, before they count."""

_CLOSING: Final = 1.0
"""Seconds that a page may still take when the host stops."""


@dataclass(frozen=True, slots=True)
class Health:
    """What is wrong with the host; all of it is empty, or as it should be, when nothing is."""

    networks_off: tuple[str, ...]
    channels_out: tuple[str, ...]
    """Of networks that it is on."""

    store_answers: bool

    @property
    def ok(self) -> bool:
        return self.store_answers and not self.networks_off and not self.channels_out


class Monitor(Watchers):
    """Counts what happens, and serves pages about it."""

    def __init__(self, where: config.Metrics) -> None:
        self._where = where
        self._metrics = Metrics()
        self.store = self._metrics.store
        self._store_answered = True
        self._asked_at = -_REMEMBERED

    def network(self, name: str) -> Watch:
        return self._metrics.network(name)

    @asynccontextmanager
    async def watching(self, host: Watched) -> AsyncIterator[None]:
        self._metrics.show(host.networks, partial(self._store_answers, host))
        app = web.Application()
        app.router.add_get("/metrics", self._numbers)
        app.router.add_get("/health", partial(self._health, host))
        app.router.add_get("/live", _live)
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=_CLOSING)
        await runner.setup()
        beating = asyncio.create_task(self._beat())
        try:
            listening = await self._listen(runner)
            try:
                yield
            finally:
                listening.close()
        finally:
            beating.cancel()
            await runner.cleanup()

    async def _listen(self, runner: web.AppRunner) -> asyncio.Server:
        where = self._where.address, self._where.port
        try:
            return await asyncio.get_running_loop().create_server(
                partial(_taken, runner), *where, backlog=_BACKLOG
            )
        except OSError as error:
            reason = os.strerror(error.errno) if error.errno else str(error)
            raise self._where.unusable(reason) from error

    async def _numbers(self, request: web.Request) -> web.Response:
        body, content_type = self._metrics.page(request.headers.get("Accept", ""))
        return web.Response(body=body, headers={"Content-Type": content_type})

    async def _health(self, host: Watched, _: web.Request) -> web.Response:
        health = _judged(host.networks(), store_answers=self._store_answers(host))
        said = {"status": "ok" if health.ok else "failing"} | asdict(health)
        return web.json_response(said, status=200 if health.ok else 503)

    def _store_answers(self, host: Watched) -> bool:
        now = asyncio.get_running_loop().time()
        if now - self._asked_at >= _REMEMBERED:
            self._asked_at = now
            self._store_answered = host.store_answers() is not None
        return self._store_answered

    async def _beat(self) -> None:
        loop = asyncio.get_running_loop()
        while True:
            due = loop.time() + _BEAT
            await asyncio.sleep(_BEAT)
            self._metrics.loop_delay.observe(max(0.0, loop.time() - due))


def _taken(runner: web.AppRunner) -> asyncio.Protocol:
    """Serve a connection that was just made."""
    server = runner.server
    if server is None:
        raise AssertionError("not set up")
    for oldest in server.connections[: max(0, len(server.connections) - _MOST_CONNECTIONS + 1)]:
        oldest.force_close()
    return server()


async def _live(_: web.Request) -> web.Response:
    return web.Response(text="alive\n")


def _judged(networks: Sequence[NetworkStatus], *, store_answers: bool) -> Health:
    return Health(
        networks_off=tuple(network.name for network in networks if not network.connected),
        channels_out=tuple(
            f"{channel} on {network.name}"
            for network in networks
            if network.connected
            for channel in network.out_of
        ),
        store_answers=store_answers,
    )
