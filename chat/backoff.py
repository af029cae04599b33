"""Growing gaps between attempts."""

from __future__ import annotations

from collections.abc import Callable


class Backoff:
    """Gaps in seconds that double from `first` to `longest`.

    `jitter` returns numbers from 0 to 1. Each gap is shortened by up to half, so that many clients that
    one server dropped together do not come back together, and yet no gap is shorter than the one before.
    """

    def __init__(self, first: float, longest: float, jitter: Callable[[], float]) -> None:
        self._first = first
        self._longest = longest
        self._jitter = jitter
        self._next = first

    def next(self) -> float:
        """Return the next gap in seconds."""
        gap = self._next
        self._next = min(gap * 2, self._longest)
        return gap * (1 + self._jitter()) / 2

    def reset(self) -> None:
        """Begin again at the first gap."""
        self._next = self._first
