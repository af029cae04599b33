"""The line that is being served: whose it is, where answers to it go, and when the first of them leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Final

from host.clock import Clock
from host.letter import Lane
from host.manners import Meter, Patience
from host.people import Person
from host.watch import UNWATCHED, Watch

_PROMPT_ANSWERS: Final = 20
_PROMPT_SECONDS: Final = 1.0
"""Lines of a player that are answered before all else: some at once, and one more each so many seconds."""


class Serving:
    """One for each network. `plays` tells whether the person with an id has a seat at a table."""

    def __init__(self, clock: Clock, plays: Callable[[str], bool], *, watch: Watch = UNWATCHED) -> None:
        self._clock = clock
        self._plays = plays
        self._watch = watch
        self.person: Person | None = None
        """Who said the line; what they hear of it is an answer."""

        self.lane = Lane.ANSWER
        """Where what they hear goes."""

        self.dice_shown = False
        """Whether an answer to it held dice."""

        self._heard_at: float | None = None
        """When it was heard, until something is said to it."""

        self._prompt = Meter(_PROMPT_ANSWERS, _PROMPT_SECONDS)

    @contextmanager
    def line_of(self, person: Person) -> Iterator[None]:
        """Serve a line of this person inside of the block."""
        self.person, self.dice_shown = person, False
        self.lane = self._lane_for(person)
        self._heard_at = self._clock.now()
        try:
            yield
        finally:
            self.person = None

    def timer(self) -> Callable[[], None] | None:
        """What to call when the first line of an answer leaves; None for the lines after it."""
        heard_at, self._heard_at = self._heard_at, None
        return None if heard_at is None else lambda: self._watch.answered(self._clock.now() - heard_at)

    def _lane_for(self, person: Person) -> Lane:
        """Where answers to the line of a person go: those who play come first, while they take their time."""
        if not self._plays(person.id):
            return Lane.CHATTER
        calm = self._prompt.asked(person.id, self._clock.now()) is Patience.ANSWER
        return Lane.ANSWER if calm else Lane.CHATTER
