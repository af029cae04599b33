"""What those who have the say at a table can do to it: pure decisions, as in `host.decide`.

Whether somebody has the say is not asked here (`host.steward`); `by` is their nick, for the record.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from host.decide import SECONDS_TO_LOOK, Events, extend
from host.errors import BadSeconds, BoxOpen, GamePaused, NoGame, NoSuchPlayer, NoSuchPoints, NotPaused
from host.events import Amended, Continued, Paused, Removed, Stopped, Unseated
from host.table import Phase, Seat, Table
from protocol.hosting import Amend

Which = Callable[[Seat], bool]
"""Tells whether a seat is the one that is meant."""

PAUSE_SECONDS: Final = 3600.0
"""A pause ends by itself after so long, since no game may stand for ever."""

MOST_SECONDS: Final = 3600
"""The most time that one word can give."""


def pause(table: Table, by: str) -> Events:
    """Stop the clock of a lobby or a game.

    Raises NoGame or GamePaused.
    """
    _check_open(table)
    if table.paused:
        raise GamePaused(table.paused.by)
    return (Paused(by, PAUSE_SECONDS),)


def unpause(table: Table, by: str) -> Events:
    """Let the clock go on with what was left, and time enough to look at the dice again.

    Raises NoGame or NotPaused.
    """
    _check_open(table)
    if not table.paused:
        raise NotPaused
    return (Continued(SECONDS_TO_LOOK, by),)


def stop(table: Table, by: str) -> Events:
    """End a lobby or a game without a result.

    Raises NoGame.
    """
    _check_open(table)
    return (Stopped(by),)


def give(table: Table, seconds: int, by: str) -> Events:
    """Give everybody more time.

    Raises NoGame or BadSeconds.
    """
    _check_open(table)
    if not 1 <= seconds <= MOST_SECONDS:
        raise BadSeconds(seconds, MOST_SECONDS)
    return extend(table, seconds, by)


def remove(table: Table, called: Which, nick: str, by: str) -> Events:
    """Take a player out: the seat in a lobby is free, and the host's to play in a game.

    Raises NoGame or NoSuchPlayer.
    """
    _check_open(table)
    people = [(n, seat) for n, seat in enumerate(table.seats) if not seat.house and not seat.removed]
    for number, seat in people:
        if called(seat):
            lobby = table.phase is Phase.LOBBY
            return (Unseated(seat.occupant.person, by) if lobby else Removed(number, by),)
    raise NoSuchPlayer(nick, tuple(seat.nick for _, seat in people))


def amend(table: Table, called: Which, command: Amend, by: str) -> Events:
    """Put a score right, in a game that is on or in the last result.

    Raises NoGame, NoSuchPlayer, BoxOpen or NoSuchPoints.
    """
    if table.phase not in (Phase.PLAYING, Phase.OVER):
        raise NoGame
    number = next((n for n, seat in enumerate(table.seats) if called(seat)), None)
    if number is None:
        raise NoSuchPlayer(command.nick, tuple(seat.nick for seat in table.seats))
    category, points = command.category, command.points
    card = table.play.cards[number]
    if category not in card.boxes:
        raise BoxOpen(table.seats[number].nick, category, tuple(card.boxes))
    possible = table.rules.possible_points(category)
    if points not in possible:
        raise NoSuchPoints(category, points, possible)
    return (Amended(number, category, points, command.reason, by),)


def _check_open(table: Table) -> None:
    if not table.open:
        raise NoGame
