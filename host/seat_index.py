"""Who sits where: the open tables of each person, without asking every table."""

from __future__ import annotations

from collections.abc import Sequence

from host.keeper import Keeper


class SeatIndex:
    """The open tables at which each person of a network has a seat."""

    def __init__(self) -> None:
        self._tables: dict[str, list[Keeper]] = {}
        """By the person's id; never an empty list."""

        self._people: dict[Keeper, set[str]] = {}

    def __contains__(self, person: str) -> bool:
        return person in self._tables

    def of(self, person: str) -> Sequence[Keeper]:
        """The open tables of the person with this id."""
        return tuple(self._tables.get(person, ()))

    def note(self, keeper: Keeper) -> None:
        """Note who sits at this table now."""
        table = keeper.table
        sitting = {seat.occupant.person for seat in table.seats if not seat.house} if table.open else set()
        before = self._people.get(keeper, set())
        for person in before - sitting:
            self._tables[person].remove(keeper)
            if not self._tables[person]:
                del self._tables[person]
        for person in sitting - before:
            self._tables.setdefault(person, []).append(keeper)
        self._people[keeper] = sitting

    def forget(self, keeper: Keeper) -> None:
        """Forget a table at which nobody sits."""
        self._people.pop(keeper, None)
