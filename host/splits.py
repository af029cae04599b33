"""Netsplits: many people go in one moment and come back in another, which is one event each way.

Their seats are kept, also in a lobby, the clock gets time for the servers to find each other again, and the
channel hears one line when they went and one when they are back. While all are gone, the clock stands.
"""

from __future__ import annotations

from typing import Final

from host import decide, views
from host.announcements import SplitOff, SplitOver
from host.clock import Clock
from host.events import Reason
from host.keeper import Keeper
from host.people import Person
from host.room import Room

_GATHER_SECONDS: Final = 2.0
"""How long lines of one split are gathered before they are spoken of."""


class Splits:
    """Who of the players of each table is on the other side of a split."""

    def __init__(self, place: Room, clock: Clock) -> None:
        self._room = place
        self._clock = clock
        self._went: dict[Keeper, list[str]] = {}
        self._back: dict[Keeper, list[str]] = {}
        """Whom the channel has still to hear of."""

        self._gone: dict[Keeper, set[str]] = {}

    def went(self, person: Person, keeper: Keeper) -> None:
        """Note that a split took a player of the table. The time is given before it is spoken of."""
        self._gone.setdefault(keeper, set()).add(person.id)
        if keeper not in self._went:
            keeper.note(decide.gather, self._clock.now())
            self._went[keeper] = []
            self._clock.call_at(self._clock.now() + _GATHER_SECONDS, lambda: self._tell_went(keeper))
        self._went[keeper].append(person.id)
        keeper.note(decide.lost, self._room.is_here)

    def seen(self, person: Person) -> None:
        """Note that somebody spoke or came, who may have been waited for."""
        for keeper in self._room.seats_of(person.id):
            if keeper.table.stands_for(Reason.SPLIT):
                keeper.note(decide.found)

    def came(self, person: Person, keeper: Keeper) -> None:
        """Note that somebody came into the table's channel, who may have been taken by a split."""
        self.seen(person)
        gone = self._gone.get(keeper, set())
        if person.id not in gone:
            return
        gone.discard(person.id)
        if keeper not in self._back:
            self._back[keeper] = []
            self._clock.call_at(self._clock.now() + _GATHER_SECONDS, lambda: self._tell_back(keeper))
        self._back[keeper].append(person.id)

    def clear(self) -> None:
        """Forget all splits: the host itself was away, and everything is told anew."""
        for noted in (self._went, self._back, self._gone):
            noted.clear()

    def _tell_went(self, keeper: Keeper) -> None:
        if nicks := views.nicks_of(keeper.table, self._went.pop(keeper, [])):
            waits = keeper.table.stands_for(Reason.SPLIT)
            self._room.say(keeper, SplitOff(nicks, None if waits else decide.SPLIT_SECONDS))

    def _tell_back(self, keeper: Keeper) -> None:
        if nicks := views.nicks_of(keeper.table, self._back.pop(keeper, [])):
            self._room.say(keeper, SplitOver(nicks))
