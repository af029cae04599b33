"""Paced sending: one outbox a connection, so that the host never floods itself off the network.

A token bucket lets `burst` lines out at once and one more each `seconds`. Answers to what players typed go
before news, and within a lane every target has its turn, so nobody starves.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from host.clock import Clock, Timer

_MOST_WAITING: Final = 5000
"""Lines that may wait on one connection. A host that is further behind than this helps nobody."""


class Lane(IntEnum):
    """What goes first."""

    ANSWER = 0
    NEWS = 1


@dataclass(frozen=True, slots=True)
class Letter:
    """One line to one target."""

    target: str
    text: str
    notice: bool = False


class Outbox:
    """Lines on their way to one connection."""

    def __init__(self, send: Callable[[Letter], None], clock: Clock, burst: int, seconds: float) -> None:
        self._send = send
        self._clock = clock
        self._burst = burst
        self._seconds = seconds
        self._lanes: dict[Lane, OrderedDict[str, deque[Letter]]] = {lane: OrderedDict() for lane in Lane}
        self._waiting = 0
        self._free_at = 0.0
        """When the bucket would be full again."""

        self._timer: Timer | None = None

    def __len__(self) -> int:
        return self._waiting

    def post(self, letter: Letter, lane: Lane) -> None:
        """Send the line as soon as its turn comes. Lines to one target in one lane keep their order."""
        if self._waiting >= _MOST_WAITING:
            return
        self._lanes[lane].setdefault(letter.target, deque()).append(letter)
        self._waiting += 1
        if self._timer is None:
            self._pump()

    def withdraw(self, target: str) -> list[tuple[Letter, Lane]]:
        """Take back what waits for one target, in order: its nick is another's now, or nobody's."""
        waiting = [(letter, lane) for lane in Lane for letter in self._lanes[lane].pop(target, ())]
        self._waiting -= len(waiting)
        return waiting

    def clear(self) -> None:
        """Forget what waits: after a lost connection it would be stale."""
        for lane in self._lanes.values():
            lane.clear()
        self._waiting = 0
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _pump(self) -> None:
        self._timer = None
        now = self._clock.now()
        while self._waiting:
            # A full bucket holds `burst` lines; each line empties it by one for `seconds`.
            ready_at = max(self._free_at, now) - (self._burst - 1) * self._seconds
            if ready_at > now:
                self._timer = self._clock.call_at(ready_at, self._pump)
                return
            self._free_at = max(self._free_at, now) + self._seconds
            self._send(self._next())

    def _next(self) -> Letter:
        lane = next(lane for lane in self._lanes.values() if lane)
        target, letters = lane.popitem(last=False)
        letter = letters.popleft()
        if letters:
            lane[target] = letters
        self._waiting -= 1
        return letter
