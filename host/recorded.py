"""What the log tells of recorded events: a name for each kind, and the fields that anybody may read.

Dice, what is kept of them, and what is chosen of a round that is on are nobody's business here.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from game.match import Chose, Held, Rolled, RoundBegan, RoundEnded, Scored
from host.events import (
    Amended,
    Announced,
    Began,
    CameBack,
    Event,
    Extended,
    Finished,
    Hinted,
    HouseSeated,
    Hurried,
    Identified,
    Left,
    LobbyClosed,
    Opened,
    Reminded,
    Removed,
    Renamed,
    Resumed,
    Revealed,
    Seated,
    Spoke,
    Stopped,
    Suspended,
    TakenUp,
    TimeRanOut,
    Unheard,
    Unseated,
    Worded,
)
from host.passages import Passage
from host.table import Table


@dataclass(frozen=True, slots=True)
class _Form:
    """The name of a line, and the fields of the event that are in it as they are called there."""

    name: str
    fields: tuple[str, ...] = ()
    level: int = logging.INFO


FORMS: Final[Mapping[type[Event], _Form]] = MappingProxyType(
    {
        Opened: _Form("lobby opened"),
        Seated: _Form("seat taken"),
        Unseated: _Form("seat given up", ("by",)),
        HouseSeated: _Form("house players set", ("by",)),
        LobbyClosed: _Form("lobby closed", ("by",)),
        Worded: _Form("word added"),
        Began: _Form("game began"),
        Reminded: _Form("time nearly up"),
        TimeRanOut: _Form("time ran out"),
        Extended: _Form("time extended", ("seconds", "by")),
        Suspended: _Form("clock stopped", ("reason", "by", "seconds")),
        Resumed: _Form("clock released", ("reason", "by")),
        Spoke: _Form("player spoke again"),
        Hinted: _Form("player had a hint"),
        Left: _Form("player left"),
        CameBack: _Form("player came back"),
        Renamed: _Form("player renamed", ("nick",)),
        Identified: _Form("player logged in", ("account",)),
        TakenUp: _Form("seat taken up"),
        Removed: _Form("player removed", ("by",)),
        Amended: _Form("score amended", ("category", "points", "reason", "by")),
        Hurried: _Form("game hurried"),
        Finished: _Form("game finished"),
        Revealed: _Form("seed told"),
        Announced: _Form("result announced"),
        Unheard: _Form("result refused"),
        Stopped: _Form("game stopped", ("by",)),
        RoundBegan: _Form("round began", ("round",), logging.DEBUG),
        Held: _Form("dice held", (), logging.DEBUG),
        Rolled: _Form("dice rolled", ("roll",), logging.DEBUG),
        Chose: _Form("box chosen", (), logging.DEBUG),
        Scored: _Form("box scored", ("by_host",), logging.DEBUG),
        RoundEnded: _Form("round ended", ("round",), logging.DEBUG),
    }
)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One line of the log."""

    level: int
    name: str
    fields: Mapping[str, Any]


def log_lines(passages: Sequence[Passage]) -> Iterator[LogLine]:
    """The lines about events that were recorded together, one for each, in order."""
    for passage in passages:
        event, was, now = passage.event, passage.was, passage.now
        form = FORMS[type(event)]
        own = {name: _plain(getattr(event, name)) for name in form.fields}
        # What the host gives back for dice that were long on their way is nothing to look at.
        level = logging.DEBUG if isinstance(event, Extended) and not event.by else form.level
        yield LogLine(level, form.name, {"game": now.game or was.game} | _people(event, was, now) | own)


def _people(event: Event, was: Table, now: Table) -> dict[str, Any]:
    """Whom an event is about: the one in a seat, or all players."""
    match event:
        case Seated(occupant):
            return {"person": occupant.person, "nick": occupant.nick}
        case Unseated(person) | Identified(person) | Worded(person):
            return {"person": person, "nick": _nick(was, person)}
        case Renamed(person):
            return {"person": person, "was": _nick(was, person)}
        case TakenUp(number, occupant):
            was_nick = was.seats[number].nick
            return {"seat": number, "person": occupant.person, "was": was_nick, "nick": occupant.nick}
        case (
            Held(number)
            | Rolled(number)
            | Chose(number)
            | Scored(number)
            | Spoke(number)
            | Hinted(number)
            | Left(number)
            | CameBack(number)
            | Removed(number)
            | Amended(number)
        ):
            occupant = now.seats[number].occupant
            return {"seat": number, "person": occupant.person, "nick": occupant.nick}
        case HouseSeated(players):
            return {"players": [player.nick for player in players]}
        case TimeRanOut(numbers):
            return {"players": [now.seats[number].nick for number in numbers]}
        case Began() | Finished() | Stopped():
            return {"players": [seat.nick for seat in now.seats or was.seats]}
        case _:
            return {}


def _nick(table: Table, person: str) -> str:
    number = table.seat_of(person)
    return "" if number is None else table.seats[number].nick


def _plain(value: object) -> object:
    if isinstance(value, float):
        return round(value, 3)
    return value.value if isinstance(value, Enum) else value
