"""Netsplits: many people go in one moment and come back in another, which is one event each way.

Their seats are kept, also in a lobby, the clock gets time for the servers to find each other again, and the
channel hears one line when they went and one when they are back. While all are gone, the clock stands.
"""

from __future__ import annotations

from typing import Final

from host import decide, views
from host.announcements import SplitOff, SplitOver
from host.clock import Clock
from host.keeper import Keeper
from host.people import Person
from host.room import Room

_GATHER_SECONDS: Final = 2.0
"""How long lines of one split are gathered before they are spoken of."""

_SPLIT_SECONDS: Final = 300.0
"""More time when a netsplit took players: servers mostly find each other again within minutes."""

_LONGEST_WAIT: Final = 3600.0
"""How long the clock stands when it took all of them: no game may stand for ever."""


class Splits:
    """Who of the players of each table is on the other side of a split."""

    def __init__(self, place: Room, clock: Clock) -> None:
        self._room = place
        self._clock = clock
        self._went: dict[Keeper, list[str]] = {}
        self._back: dict[Keeper, list[str]] = {}
        """Whom the channel has still to hear of."""

        self._gone: dict[Keeper, set[str]] = {}
        self._alone: dict[Keeper, float] = {}
        """Tables whose players are all gone, and until when they are waited for."""

    def went(self, person: Person, keeper: Keeper) -> None:
        """Note that a split took a player of the table. The time is given before it is spoken of."""
        self._gone.setdefault(keeper, set()).add(person.id)
        if keeper not in self._went:
            keeper.note(decide.extend, _SPLIT_SECONDS)
            self._went[keeper] = []
            self._clock.call_at(self._clock.now() + _GATHER_SECONDS, lambda: self._tell_went(keeper))
        self._went[keeper].append(person.id)
        playing = (seat for seat in keeper.table.seats if not seat.house and not seat.left)
        if not any(self._room.is_here(seat.occupant.person) for seat in playing):
            self._wait(keeper)

    def seen(self, person: Person) -> None:
        """Note that somebody spoke or came, who may have been waited for."""
        for keeper in self._room.seats_of(person.id):
            if keeper in self._alone:
                self._go_on(keeper)

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
        for noted in (self._went, self._back, self._gone, self._alone):
            noted.clear()

    def _wait(self, keeper: Keeper) -> None:
        until = self._alone[keeper] = self._clock.now() + _LONGEST_WAIT
        keeper.note(decide.suspend)

        def end() -> None:
            if self._alone.get(keeper) == until:
                self._go_on(keeper)

        self._clock.call_at(until, end)

    def _go_on(self, keeper: Keeper) -> None:
        del self._alone[keeper]
        keeper.note(decide.resume)

    def _tell_went(self, keeper: Keeper) -> None:
        if nicks := views.nicks_of(keeper.table, self._went.pop(keeper, [])):
            self._room.say(keeper, SplitOff(nicks, None if keeper in self._alone else _SPLIT_SECONDS))

    def _tell_back(self, keeper: Keeper) -> None:
        if nicks := views.nicks_of(keeper.table, self._back.pop(keeper, [])):
            self._room.say(keeper, SplitOver(nicks))
