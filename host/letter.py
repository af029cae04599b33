"""Lines on their way out, what goes first of them, and what newer ones make stale."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import IntEnum


class Lane(IntEnum):
    """What goes first."""

    ANSWER = 0
    """To what a player has just typed."""

    NEWS = 1
    """Dice, results, and whatever else a game cannot go on without."""

    CHATTER = 2
    """Who comes and goes; answers to those who do not play, or who ask for too much."""


@dataclass(frozen=True, slots=True)
class Showing:
    """What a line is about: of two about the same `subject`, to one target, the older may be stale."""

    subject: str
    rest: str | None = None
    """What of the line is news also when it is stale; None when all of it is, so that it never goes stale."""

    outdates: bool = True
    """Whether it makes older lines stale."""

    over: Callable[[], None] | None = None
    """Called when it waits no more: it went out, or was dropped."""


@dataclass(frozen=True, slots=True)
class Letter:
    """One line to a nick, when it is `personal`, or to a channel."""

    target: str
    text: str
    lane: Lane = Lane.NEWS
    notice: bool = False
    personal: bool = True
    showing: Showing | None = None
    sent: Callable[[], None] | None = None
    """Called when it went out; never when it is dropped."""

    refused: Callable[[], None] | None = None
    """Called when the server may have refused it, and it is not tried again."""

    posted: float = field(default=0.0, compare=False)
    """When it came into the outbox, by the host's clock."""

    @property
    def size(self) -> int:
        """Bytes of the line that it becomes."""
        command = "NOTICE" if self.notice else "PRIVMSG"
        return len(f"{command} {self.target} :{self.text}\r\n".encode())

    def over(self) -> None:
        """Tell whoever wants to know that it waits no more."""
        if self.showing and self.showing.over:
            self.showing.over()
