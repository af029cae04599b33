"""Netsplits: many people go in one moment and come back in another, which is one event each way.

Their seats are kept, also in a lobby, the clock gets time for the servers to find each other again, and the
channel hears one line when they went and one when they are back.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from host.clock import Clock
from host.keeper import Keeper
from host.people import Person

_GATHER_SECONDS: Final = 2.0
"""How long lines of one split are gathered before they are spoken of."""


class Splits:
    """Who of the players of each table is on the other side of a split.

    `went` and `back` are called with a table and the ids of its players, some time after the first of them
    went or came.
    """

    def __init__(
        self,
        clock: Clock,
        went: Callable[[Keeper, list[str]], None],
        back: Callable[[Keeper, list[str]], None],
    ) -> None:
        self._clock = clock
        self._tellers = {"went": went, "back": back}
        self._gathered: dict[tuple[str, Keeper], list[str]] = {}
        self._gone: dict[Keeper, set[str]] = {}

    def went(self, person: Person, keeper: Keeper) -> bool:
        """Note that a split took a player of the table; whether they are the first whom this one took."""
        self._gone.setdefault(keeper, set()).add(person.id)
        return self._gather("went", person, keeper)

    def came(self, person: Person, keeper: Keeper) -> None:
        """Note that somebody came into the table's channel, who may have been taken by a split."""
        gone = self._gone.get(keeper, set())
        if person.id in gone:
            gone.discard(person.id)
            self._gather("back", person, keeper)

    def clear(self) -> None:
        """Forget all splits: the host itself was away, and everything is told anew."""
        self._gathered.clear()
        self._gone.clear()

    def _gather(self, way: str, person: Person, keeper: Keeper) -> bool:
        key = way, keeper
        first = key not in self._gathered
        if first:
            self._gathered[key] = []
            self._clock.call_at(self._clock.now() + _GATHER_SECONDS, lambda: self._tell(way, keeper))
        self._gathered[key].append(person.id)
        return first

    def _tell(self, way: str, keeper: Keeper) -> None:
        if people := self._gathered.pop((way, keeper), []):
            self._tellers[way](keeper, people)
