"""Hints: whether a player may have one now, and that they had it. As pure as `host.decide`."""

from __future__ import annotations

from game.errors import AlreadyScored
from host.advice import Turns
from host.decide import Events, seat_of, seconds_left
from host.errors import NoHints, NotBegun, NotKnown, StandsStill
from host.events import Hinted, Hints
from host.table import Phase, Table


def asked(table: Table, person: str, now: float, turns: Turns) -> Events:
    """Note that a player has a hint, once a game.

    Raises what `seat_of` does, or NoHints, NotBegun, AlreadyScored, StandsStill or NotKnown.
    """
    seat = seat_of(table, person)
    if table.settings.hints is Hints.OFF:
        raise NoHints
    if table.phase is Phase.LOBBY:
        raise NotBegun(seconds_left(table, now))
    turn = table.play.turns[seat]
    if turn.entry:
        raise AlreadyScored(turn.entry.category)
    if turn.dice is None:
        raise StandsStill
    if turns(table.play.cards[seat]) is None:
        raise NotKnown
    return () if table.seats[seat].hinted else (Hinted(seat),)
