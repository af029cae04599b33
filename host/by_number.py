"""From a card's decision to events. It names its round and roll, so that it hits these dice or none.

As pure as `host.decide`, for the lines of programs. Against a line that came late, twice, or just after the
clock rang the numbers are guard enough.
"""

from __future__ import annotations

from game.match import Chose
from host import decide, hints
from host.advice import Turns
from host.decide import Events
from host.errors import Outdated
from host.table import Table
from protocol.card.commands import AskHint, Hold, Score


def hold(table: Table, person: str, command: Hold, now: float) -> Events:
    """Keep dice and roll the others; no events when all are kept in the free pace.

    Raises what `decide.player` does, or Outdated, AlreadyScored, RolledOn or NoRollLeft.
    """
    seat = _seat(table, person, command, now)
    table.play.verify_hold(seat)
    return decide.held(table, seat, command.keep)


def score(table: Table, person: str, command: Score, now: float) -> Events:
    """Score the dice in a box.

    Raises what `decide.player` does, or Outdated, AlreadyScored, BoxUsed or BoxForbidden.
    """
    seat = _seat(table, person, command, now)
    table.play.verify_choice(seat, command.box)
    return (Chose(seat, command.box),)


def hint(table: Table, person: str, command: AskHint, now: float, turns: Turns) -> Events:
    """Note that a player has a hint about the dice.

    Raises what `hints.asked` does, or Outdated.
    """
    noted = hints.asked(table, person, now, turns)
    _verify(table, decide.seat_of(table, person), command)
    return noted


def _seat(table: Table, person: str, command: Hold | Score, now: float) -> int:
    seat = decide.player(table, person, now)
    _verify(table, seat, command)
    return seat


def _verify(table: Table, seat: int, command: Hold | Score | AskHint) -> None:
    turn = table.play.turns[seat]
    rolled_on = turn.roll != command.roll and turn.entry is None
    if table.game != command.game or table.play.round != command.round or rolled_on:
        raise Outdated
