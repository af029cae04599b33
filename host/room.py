"""Which table somebody means: the one they name, the one that waits for them, the only one there is."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Final, Protocol

from host.announcements import PublicReply
from host.errors import NoPractice, NoSuchTable, WhichTable
from host.events import Occupant, TableSettings
from host.keeper import Keeper
from host.letter import Lane, Showing
from host.masks import Known
from host.people import Person
from host.table import Phase
from protocol.commands import PRACTICE

_MOST_NAMED: Final = 3
"""Channels that an answer names. Only those that the person is in: others may be secret."""


class Room(Protocol):
    """What serving people asks about the place that they are in."""

    @property
    def network(self) -> str:
        """The name of the network."""

    @property
    def keepers(self) -> Sequence[Keeper]:
        """All tables."""

    def keeper(self, channel: str) -> Keeper | None:
        """The table of a channel, however its name is written."""

    def prefix(self, keeper: Keeper) -> str:
        """What commands begin with in the channel of this table."""

    def seats_of(self, person: str) -> Sequence[Keeper]:
        """The open tables at which the person with this id has a seat."""

    def practice_of(self, person: str) -> Keeper | None:
        """The practice game of the person with this id that is on or was last."""

    def practise(self, occupant: Occupant, near: TableSettings) -> tuple[Keeper, bool]:
        """The practice game of a person, by the rules that are played `near`; and whether it has just begun.

        Raises StoreError.
        """

    def reread(self, games: Collection[str]) -> None:
        """Read these games anew where they are at hand: somebody in them was forgotten."""

    def find(self, nick: str) -> Person | None:
        """Who has this nick now, if they are in sight."""

    def in_sight(self) -> Sequence[Person]:
        """Everybody who shares a channel with the host and was recognised."""

    def is_here(self, person: str) -> bool:
        """Whether the person with this id is in sight."""

    def is_operator(self, person: Known) -> bool:
        """Whether the person may use every hosting command."""

    def is_in(self, keeper: Keeper) -> bool:
        """Whether the host is in the channel of a table."""

    def say(self, keeper: Keeper, *replies: PublicReply) -> None:
        """Say these in the channel of a table, if the host is there."""

    def tables_around(self, person: Person) -> Sequence[Keeper]:
        """The tables of the channels that the person is in."""

    def fold(self, name: str) -> str:
        """The name in the case that nicks are compared in."""

    def send(
        self,
        nick: str,
        text: str,
        *,
        notice: bool,
        showing: Showing | None = None,
        lane: Lane | None = None,
    ) -> None:
        """Say something to one person; it is `showing` what may become stale.

        Without a `lane` an answer goes with answers, and else it is news.
        """


def named(room: Room, person: Person, channel: str) -> Keeper:
    """The table of a channel, or the practice game. Raises NoSuchTable or NoPractice."""
    if channel == PRACTICE:
        if practice := room.practice_of(person.id):
            return practice
        raise NoPractice
    keeper = room.keeper(channel)
    if keeper is None:
        raise NoSuchTable(channel, _names(around(room, person)))
    return keeper


def seated(room: Room, person: Person) -> Sequence[Keeper]:
    """Open tables where the person sits, else their practice game, or else where they gave their seat up."""
    seats = [(keeper, keeper.table.seat_of(person.id)) for keeper in room.seats_of(person.id)]
    sitting = [keeper for keeper, seat in seats if seat is not None and not keeper.table.seats[seat].left]
    return sitting or _practising(room, person.id) or [keeper for keeper, _ in seats]


def playing(room: Room, person: str) -> Sequence[Keeper]:
    """All that is on for the person with this id: open tables, and their practice game."""
    return [*room.seats_of(person), *_practising(room, person)]


def last_played(room: Room, person: Person) -> Keeper:
    """The table to look back at: a practice game that has ended since, or the one that is meant.

    Raises WhichTable.
    """
    practice = room.practice_of(person.id)
    if practice is None or practice.table.phase is not Phase.OVER or seated(room, person):
        return meant(room, person)
    others = [k.last_at for k in room.tables_around(person) if k.table.seat_of(person.id) is not None]
    return practice if all(at < practice.last_at for at in others) else meant(room, person)


def around(room: Room, person: Person) -> Sequence[Keeper]:
    """Tables of the channels that the person is in, or the only table that there is."""
    return room.tables_around(person) or (room.keepers if len(room.keepers) == 1 else ())


def meant(room: Room, person: Person) -> Keeper:
    """The table where the person sits, or that they could go to. Raises WhichTable."""
    return _only(seated(room, person) or around(room, person))


def to_join(room: Room, person: Person) -> Keeper:
    """The table that is near. Raises WhichTable."""
    return _only(around(room, person))


def waiting_for(room: Room, person: Person) -> Keeper:
    """The table that a play can be meant for: one where the person has still to decide. Raises WhichTable."""
    sitting = seated(room, person)
    waiting = [
        keeper
        for keeper in sitting
        if (seat := keeper.table.seat_of(person.id)) is not None and keeper.table.decides(seat)
    ]
    return _only(waiting or sitting or around(room, person))


def likely(room: Room, person: Person) -> Keeper | None:
    """A table to speak of, where it does not matter much which; None when all are strange to the person."""
    return next(iter(seated(room, person) or around(room, person)), None)


def label(room: Room, person: str, keeper: Keeper) -> str:
    """What stands before a private line about a table: its channel, for someone who sits at several.

    A practice game counts for lines about it alone.
    """
    tables = len(room.seats_of(person)) + keeper.table.settings.alone
    return f"{keeper.channel}: " if tables > 1 else ""


def _practising(room: Room, person: str) -> list[Keeper]:
    practice = room.practice_of(person)
    return [practice] if practice and practice.table.open else []


def _only(keepers: Sequence[Keeper]) -> Keeper:
    if len(keepers) != 1:
        raise WhichTable(_names(keepers))
    return keepers[0]


def _names(keepers: Sequence[Keeper]) -> tuple[str, ...]:
    return tuple(keeper.channel for keeper in keepers[:_MOST_NAMED])
