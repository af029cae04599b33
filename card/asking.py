"""When the host is to be asked how things stand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

_GAP: Final = 3.0
"""Seconds between two questions for the state, since the host counts them."""

_WITHIN: Final = 10.0
"""Seconds in which its next line comes; after twice, three times … as long it is asked for again."""

_MOST_PATIENT: Final = 6


class Asking:
    """The questions for the whole state: when the next is due, and whether the last was answered."""

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._at: float | None = None
        """When it was asked for last."""

        self._due: float | None = None
        self._heard_at = 0.0
        """When the host's last line for programs came."""

        self.unanswered = 0
        """How often running it was asked for without having been told to its end."""

    def want(self) -> None:
        """Something may have been missed."""
        if self._due is None:
            self._due = self._clock()

    def insist(self, *, at_once: bool = False) -> None:
        """Ask now, whatever was to be asked later; `at_once` even where it was asked just before."""
        self._due = self._clock()
        if at_once:
            self._at = None

    def spare(self) -> None:
        """What was to be asked is known."""
        self._due = None

    def heard(self) -> None:
        """A line of the host came."""
        self._heard_at = self._clock()

    def answered(self) -> None:
        """The state was told to its end, or is not going to be told."""
        self.unanswered = 0

    def forget(self) -> None:
        """What was asked will not be answered."""
        self._due = self._at = None
        self.unanswered = 0

    def take(self) -> bool:
        """Whether it is to be asked now; then it counts as asked."""
        now, due = self._clock(), self._due
        if self.unanswered and self._at is not None:
            # While it is being told, a second question would only have it told all over again.
            due = max(self._at, self._heard_at) + _WITHIN * self.unanswered
        if due is None or now < due:
            return False
        if self._at is not None and now - self._at < _GAP:
            self._due = self._at + _GAP
            return False
        self._at, self._due = now, None
        self.unanswered = min(_MOST_PATIENT, self.unanswered + 1)
        return True
