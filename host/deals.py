"""Dice of one table on their way to its players: a player's time counts from when their dice went out."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from host.clock import Clock
from host.table import Decision

_LONGEST: Final = 600.0
"""Seconds that a table waits for its dice to leave; no table may stand for ever."""


class Deals:
    """The dice of a table that are posted and have not left yet.

    `left` is called when all of them have, with the decision that they are for and how long it took. They
    count until that is `written`.
    """

    def __init__(self, clock: Clock, left: Callable[[Decision, float], None]) -> None:
        self._clock = clock
        self._tell_left = left
        self._decision: Decision | None = None
        self._waiting = 0
        self._unwritten = False
        """Whether they have left, and the journal does not know of it yet."""

        self._since = 0.0

    def since(self, decision: Decision) -> float | None:
        """When the first of the dice was posted that wait for this decision; None when none wait."""
        on_their_way = (self._waiting or self._unwritten) and decision == self._decision
        return self._since if on_their_way and self._clock.now() - self._since < _LONGEST else None

    def written(self) -> None:
        """Note that nothing is owed to the journal any more."""
        self._unwritten = False

    def post(self, decision: Decision) -> Callable[[], None]:
        """Note that dice are posted. What comes back is to be called once, when they do not wait any more."""
        if decision != self._decision:
            self._decision, self._waiting, self._unwritten = decision, 0, False
        if not (self._waiting or self._unwritten):
            self._since = self._clock.now()
        self._waiting += 1
        return lambda: self._one_left(decision)

    def _one_left(self, decision: Decision) -> None:
        if decision != self._decision:
            return
        self._waiting -= 1
        if not self._waiting:
            # Until it is written down that there is more time, the deadline still must not act.
            self._unwritten = True
            self._tell_left(decision, min(self._clock.now() - self._since, _LONGEST))
