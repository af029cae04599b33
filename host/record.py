"""The turns of a game as they are played, for whoever looks at it afterwards.

They are kept at hand: to read a game of fifty back from the store takes longer than anybody should wait.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence

from game.match import Rolled, Scored
from host.events import Event, Opened
from solver.analysis import Played


class Record:
    """Of one table: it is told all events in their order, and keeps those of the last game."""

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self._turns: defaultdict[int, list[Played]] = defaultdict(list)
        self._rolls: defaultdict[int, list[Rolled]] = defaultdict(list)
        self.note(events)

    def note(self, events: Iterable[Event]) -> None:
        """Take what was recorded."""
        for event in events:
            match event:
                case Opened():
                    self._turns.clear()
                    self._rolls.clear()
                case Rolled(seat):
                    self._rolls[seat].append(event)
                case Scored(seat, category):
                    rolls = self._rolls.pop(seat, [])
                    dice, kept = (roll.dice for roll in rolls), (roll.kept for roll in rolls[1:])
                    self._turns[seat].append(Played(tuple(dice), tuple(kept), category))

    @property
    def seats(self) -> Sequence[int]:
        """Those that have played a round."""
        return sorted(self._turns)

    def turns(self, seat: int) -> tuple[Played, ...]:
        """What a seat has played so far."""
        return tuple(self._turns.get(seat, ()))
