"""What those who have the say at a table can do to it: pure decisions, as in `host.decide`.

Whether somebody has the say is not asked here (`host.steward`); `by` is their nick, for the record.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final

from game.level import Level
from host import house
from host.decide import SECONDS_TO_LOOK, Events, seconds_left
from host.errors import (
    BadHouse,
    BadSeconds,
    BoxOpen,
    GameOn,
    GamePaused,
    NextLobbyOpen,
    NoGame,
    NoPauseLeft,
    NoSuchPlayer,
    NoSuchPoints,
    NotPaused,
)
from host.events import (
    Amended,
    Extended,
    HouseSeated,
    LobbyClosed,
    Reason,
    Removed,
    Resumed,
    Stopped,
    Suspended,
    Unseated,
)
from host.table import Phase, Table
from protocol.hosting import Amend

_PAUSE_SECONDS: Final = 3600.0
"""A pause ends by itself after so long, since no game may stand for ever."""

_MOST_SECONDS: Final = 3600
"""The most time that there may be after somebody gave more."""


def pause(table: Table, by: str, *, operator: bool) -> Events:
    """Stop the clock of a lobby or a game. But for an operator, all pauses of a game are an hour together.

    Raises NoGame, GamePaused or NoPauseLeft.
    """
    _check_open(table)
    if there_is := table.stands_for(Reason.PAUSE):
        raise GamePaused(there_is.by)
    seconds = _PAUSE_SECONDS if operator else _PAUSE_SECONDS - table.paused_for
    if seconds < 1:
        raise NoPauseLeft
    return (Suspended(Reason.PAUSE, by, seconds),)


def resume(table: Table, by: str) -> Events:
    """Let the clock go on with what was left, and time enough to look at the dice again.

    Raises NoGame or NotPaused.
    """
    _check_open(table)
    if not table.stands_for(Reason.PAUSE):
        raise NotPaused
    return (Resumed(SECONDS_TO_LOOK, Reason.PAUSE, by),)


def stop(table: Table, by: str) -> Events:
    """End a lobby or a game without a result.

    Raises NoGame.
    """
    _check_open(table)
    return (Stopped(by),)


def give(table: Table, seconds: int, by: str, now: float) -> Events:
    """Give everybody more time, up to an hour from now.

    Raises NoGame or BadSeconds.
    """
    _check_open(table)
    most = max(0, _MOST_SECONDS - math.ceil(seconds_left(table, now)))
    if not 1 <= seconds <= most:
        raise BadSeconds(seconds, most)
    return (Extended(seconds, by),)


def seat_house(table: Table, players: int, level: Level | None, by: str) -> Events:
    """Have so many house players in a lobby, of a level or of the table's own.

    Raises NoGame, GameOn or BadHouse.
    """
    _check_open(table)
    if table.phase is Phase.PLAYING:
        raise GameOn(table.play.round)
    people = sum(not seat.house for seat in table.seats)
    most = min(len(house.NAMES), table.settings.seats - people)
    if players > most:
        raise BadHouse(players, most)
    seated = house.occupants(players, level or table.settings.house_level)
    same = seated == tuple(seat.occupant for seat in table.seats if seat.house)
    return () if same else (HouseSeated(seated, by),)


def remove(table: Table, seat: int, by: str) -> Events:
    """Take a player out: the seat in a lobby is free, and the host's to play in a game.

    Raises NoGame, or NoSuchPlayer when it is no person's seat any more.
    """
    _check_open(table)
    if table.seats[seat].house or table.seats[seat].removed:
        raise NoSuchPlayer(table.seats[seat].nick, _people(table))
    if table.phase is Phase.PLAYING:
        return (Removed(seat, by),)
    last = sum(not other.house for other in table.seats) == 1
    unseated = Unseated(table.seats[seat].occupant.person, by)
    return (unseated, LobbyClosed(by)) if last else (unseated,)


def shut_out(table: Table, person: str, by: str) -> Events:
    """Take a person out who may not play here any more; nothing where they have no seat."""
    seat = table.seat_of(person)
    if not table.open or seat is None or table.seats[seat].removed:
        return ()
    return remove(table, seat, by)


def amend(table: Table, seat: int, command: Amend, by: str) -> Events:
    """Put a score right, in a game that is on or in the last result.

    Raises NoGame, NextLobbyOpen, BoxOpen or NoSuchPoints.
    """
    if table.phase is Phase.LOBBY:
        raise NextLobbyOpen
    if table.phase is Phase.CLOSED:
        raise NoGame
    category, points = command.category, command.points
    card = table.play.cards[seat]
    if category not in card.boxes:
        raise BoxOpen(table.seats[seat].nick, category, tuple(card.boxes))
    possible = table.rules.possible_points(category)
    if points not in possible:
        raise NoSuchPoints(category, points, possible)
    return (Amended(seat, category, points, command.reason, by),)


def seat_called(table: Table, nick: str, fold: Callable[[str], str], here: Callable[[str], bool]) -> int:
    """The seat of who is called so: of two, one may have gone and left the nick to the other, who is `here`.

    Raises NoGame or NoSuchPlayer.
    """
    if table.phase is Phase.CLOSED:
        raise NoGame
    called = [n for n, seat in enumerate(table.seats) if fold(seat.nick) == fold(nick)]
    in_sight = (n for n in called if here(table.seats[n].occupant.person))
    found = next(in_sight, called[0] if called else None)
    if found is None:
        raise NoSuchPlayer(nick, _people(table))
    return found


def _people(table: Table) -> tuple[str, ...]:
    return tuple(seat.nick for seat in table.seats if not seat.house and not seat.removed)


def _check_open(table: Table) -> None:
    if not table.open:
        raise NoGame
