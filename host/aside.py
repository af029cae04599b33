"""Long work beside the host's loop, so that nobody waits for it."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Awaitable, Callable
from typing import Final, Protocol, TypeVar

from chat.logger import logger

log = logger(__name__)

T = TypeVar("T")

_MOST_WAITING: Final = 8


class Aside(Protocol):
    """Does work whose result may come later, and hands it on; False when there is too much of it."""

    def __call__(self, work: Callable[[], T], then: Callable[[T], None]) -> bool: ...


def at_once(work: Callable[[], T], then: Callable[[T], None]) -> bool:
    """Do it here and now, where nobody waits."""
    then(work())
    return True


class InThread:
    """Does it in a thread, piece after piece, while no more than a few wait; `then` runs on the loop."""

    def __init__(self) -> None:
        self._waiting: deque[Callable[[], Awaitable[None]]] = deque()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, work: Callable[[], T], then: Callable[[T], None]) -> bool:
        if len(self._waiting) >= _MOST_WAITING:
            return False

        async def piece() -> None:
            then(await asyncio.to_thread(work))

        self._waiting.append(piece)
        if self._task is None or self._task.done():
            self._task = asyncio.create_task(self._run())
        return True

    def close(self) -> None:
        """Begin nothing more, and hand nothing on."""
        self._waiting.clear()
        if self._task:
            self._task.cancel()

    async def _run(self) -> None:
        while self._waiting:
            piece = self._waiting.popleft()
            try:
                await piece()
            except Exception:
                log.exception("work beside the loop failed")
