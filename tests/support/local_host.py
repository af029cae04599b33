"""A host in the process of the test, which can read its log and its configuration at hand."""

from __future__ import annotations

import asyncio

from host import service
from host.config import parse


class Host:
    """`async with Host(text) as host:` runs a host in this process."""

    def __init__(self, text: str, **environ: str) -> None:
        self._stop = asyncio.Event()
        self._run = service.run(parse(text, "c.yaml"), environ, self._stop)

    async def __aenter__(self) -> None:
        self._task = asyncio.create_task(self._run)

    async def __aexit__(self, *_: object) -> None:
        self._stop.set()
        await self._task
