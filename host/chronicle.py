"""The record of a game that is over, folded from its events. It knows nicks, and nothing else of people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from game.category import CATEGORIES
from game.match import Rolled, Scored, places
from host.errors import HostError
from host.events import Amended, Began, Finished, Hinted, Opened, Renamed, Stopped, TakenUp
from host.journal import History
from host.passages import Passage
from host.table import Table
from protocol import record
from protocol.record import Ending, Entry, Record

_ENDINGS: Final = {Finished: Ending.FINISHED, Stopped: Ending.STOPPED}


class NoRecord(HostError):
    """There is nothing of the game that could be checked; the sentence says why."""


@dataclass(frozen=True, slots=True)
class _Told:
    """An event, and when it was written down."""

    passage: Passage
    time: str


def chronicle(history: History, walls: Sequence[datetime]) -> Record:
    """The record of a game; `walls` says when its events were written down.

    Raises NoRecord for a game that is on, that never began, or of which nothing was told beforehand.
    """
    table, told, time = Table(), list[_Told](), ""
    for (at, event), wall in zip(history.events, walls, strict=False):
        was, table = table, table.after(event, at)
        # A wall clock may be set back; what happened later was not earlier.
        time = max(time, _time(wall))
        told.append(_Told(Passage(event, was, table), time))
    game = history.file.game
    began = next((one for one in told if isinstance(one.passage.event, Began)), None)
    ended = next((one for one in told if type(one.passage.event) in _ENDINGS), None)
    if table.open:
        raise NoRecord(f"game {game} is on; its record can be had when it is over")
    if began is None or ended is None:
        raise NoRecord(f"game {game} never began")
    if not table.commit:
        raise NoRecord(f"game {game} is from before dice were committed to, so that they cannot be checked")
    if not table.seed:
        raise NoRecord(f"the seed of game {game} was not told yet; the host tells it when it next starts")
    seats = began.passage.now.seats
    ending = _ENDINGS[type(ended.passage.event)]
    return Record(
        record=record.VERSION,
        game=game,
        rules=table.settings.rules,
        pace=table.settings.pace,
        dice=table.settings.dice,
        commit=table.commit,
        seed=table.seed,
        opened=next(one.time for one in told if isinstance(one.passage.event, Opened)),
        began=began.time,
        ended=ended.time,
        ending=ending,
        seats=tuple(record.Seat(seat.nick, seat.word, seat.house) for seat in seats),
        log=tuple(entry for one in told if (entry := _entry(one))),
        results=_results(table) if ending is Ending.FINISHED else (),
    ).sealed()


def _entry(told: _Told) -> Entry | None:
    """What the record has of an event."""
    was, now, time = told.passage.was, told.passage.now, told.time
    round_ = now.match.round if now.match else 0
    match told.passage.event:
        case Rolled(seat, roll, kept, dice):
            return record.Roll(time, round_, seat + 1, roll, kept, dice)
        case Scored(seat, box, points, bonus, by_host):
            total = now.play.cards[seat].total
            return record.Score(time, round_, seat + 1, box, points, bonus, total, by_host)
        case Amended(seat, box, points, reason, by):
            before, total = was.play.cards[seat].boxes[box], now.play.cards[seat].total
            return record.Amendment(time, round_, seat + 1, box, before, points, total, by, reason)
        case Renamed(person) if now.match and (number := now.seat_of(person)) is not None:
            return record.NewNick(time, round_, number + 1, now.seats[number].nick)
        case TakenUp(seat) if now.match and now.seats[seat].nick != was.seats[seat].nick:
            return record.NewNick(time, round_, seat + 1, now.seats[seat].nick)
        case Hinted(seat):
            return record.HintTaken(time, round_, seat + 1)
        case _:
            return None


def _results(table: Table) -> tuple[record.Result, ...]:
    cards, ranks = table.play.cards, places(table.play.totals)
    return tuple(
        record.Result(
            seat.nick,
            tuple(card.boxes[category] for category in CATEGORIES),
            card.upper_bonus,
            card.yahtzee_bonus,
            card.total,
            place,
            seat.hinted,
        )
        for seat, card, place in zip(table.seats, cards, ranks, strict=True)
    )


def _time(wall: datetime) -> str:
    return wall.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
