"""The host's own clock: seconds that only pass while the host runs.

It is monotonic, so a jump of the wall clock means nothing, and it goes on from where the journal stopped, so
the time that the host was down is nobody's fault. Wall time is for the record alone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from typing import Protocol


class Timer(Protocol):
    """A call that is to come."""

    def cancel(self) -> None:
        """Do not call; nothing happens when it has been called already."""


class Clock(Protocol):
    """What the host asks of time."""

    def now(self) -> float:
        """Seconds, never going back."""

    def wall(self) -> datetime:
        """The time of day, with its zone."""

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        """Call at `when` by this clock, or soon if that is past."""


class LoopClock:
    """The clock of a running event loop, counted from `start` seconds."""

    def __init__(self, loop: asyncio.AbstractEventLoop, start: float = 0.0) -> None:
        self._loop = loop
        self._ahead = start - time.monotonic()

    def now(self) -> float:
        return time.monotonic() + self._ahead

    def wall(self) -> datetime:
        return datetime.now(UTC)

    def call_at(self, when: float, call: Callable[[], None]) -> Timer:
        return self._loop.call_later(max(0.0, when - self.now()), call)
