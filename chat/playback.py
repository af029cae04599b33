"""What was said in the past and comes again, as bouncers and some servers do for those who join.

Two rules tell it from what is said now. A line in a batch of history is never live (`chat.batches`).
And a message is old when its time tag is more than `MAX_AGE` behind the server's clock (`ServerClock`).
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from chat.wire import Line

MAX_AGE: Final = 60.0
"""Seconds after which a message is no longer taken for one that was just sent."""

_ASK_TIME: Final = 60.0
"""At most so often, in seconds, is the server asked for its time."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


class ServerClock:
    """What time it is for the server, as far as its lines tell (IRCv3 server-time).

    Its clock and ours may differ by hours, so times are compared with its own. What the server makes for
    the link at this moment (a numeric, PONG, the link's own JOIN) shows its clock, which runs on by the
    monotonic `clock`. Until there is such a reading, `wall` is taken: our own time of day.
    """

    def __init__(
        self,
        clock: Callable[[], float],
        wall: Callable[[], float],
        ask: Callable[[], None] = lambda: None,
    ) -> None:
        self._clock = clock
        self._wall = wall
        self._ask = ask
        self._asked_at: float | None = None
        self._ahead: float | None = None  # of the monotonic clock

    def see(self, line: Line, *, mine: bool) -> None:
        """Learn the time from `line`. `mine` tells that it is about the link's own user."""
        time = _read(line)
        fresh = line.command == "PONG" or line.command.isdecimal() or (mine and line.command == "JOIN")
        if fresh and time is not None:
            self._ahead = time - self._clock()

    def is_old(self, line: Line) -> bool:
        """Tell whether `line` is from the past. A line without a time is not.

        Or else the server's clock was set back: `ask` is called, now and then, to have it tell the time.
        """
        time, now = _read(line), self._clock()
        here = self._wall() if self._ahead is None else now + self._ahead
        if time is None or here - time <= MAX_AGE:
            return False
        if self._asked_at is None or now - self._asked_at >= _ASK_TIME:
            self._asked_at = now
            self._ask()
        return True


def _read(line: Line) -> float | None:
    """Return the time in the tag of `line` as seconds since 1970, or None."""
    try:
        time = datetime.fromisoformat(line.tags.get("time", ""))
    except ValueError:
        return None
    return None if time.tzinfo is None else (time - _EPOCH).total_seconds()
