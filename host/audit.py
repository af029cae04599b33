"""Whether a game that has ended is one that a host could have written.

Folding takes events as facts, since they were verified before they were recorded. Those that come from
elsewhere are verified here, so that whoever reads the game later may do the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, get_args

from game.dice import ALL
from game.errors import GameError
from game.fair import commitment
from game.match import ROLLS, Held, MatchEvent, Rolled, RoundBegan, RoundEnded, Scored
from game.rules import RULE_SETS
from host.archive import Archived
from host.dealer import dealer_for
from host.events import (
    Amended,
    Announced,
    Began,
    ClockEvent,
    Event,
    Finished,
    HouseSeated,
    LobbyEvent,
    Occupant,
    Opened,
    PersonEvent,
    PlayEvent,
    Renamed,
    Revealed,
    Seated,
    Stopped,
    TakenUp,
    Unheard,
    Worded,
)
from host.journal import GameFile
from host.table import Phase, Table
from protocol.fairness import WORD

_MOST_SEATS: Final = 100
"""More than any configuration allows; the time that folding takes grows with them."""

_Kinds = frozenset[type[Event]]
_ALWAYS: Final[_Kinds] = frozenset({*get_args(ClockEvent), *get_args(PersonEvent), Stopped})
_AFTERWARDS: Final[_Kinds] = frozenset({Revealed, Announced, Unheard, Amended})

POSSIBLE: Final[Mapping[Phase, _Kinds]] = MappingProxyType(
    {
        Phase.CLOSED: frozenset({Opened, Revealed, Announced, Unheard}),
        Phase.LOBBY: (_ALWAYS | {*get_args(LobbyEvent)}) - {Opened},
        Phase.PLAYING: (_ALWAYS | {*get_args(PlayEvent), *get_args(MatchEvent)})
        - {Revealed, Announced, Unheard},
        Phase.OVER: _AFTERWARDS,
    }
)
"""What may happen at a table."""


def check(game: Archived) -> None:
    """Verify each event against the table as the ones before left it.

    Raises ValueError when something could not have happened, or the game has not ended.
    """
    table, at = Table(), 0.0
    for number, entry in enumerate(game.entries):
        if number and table.phase is Phase.CLOSED and not (table.owes_seed or table.concluded):
            raise ValueError(f"event {number}: the game had ended")
        try:
            _must(entry.at >= at, "earlier than the event before")
            _verify(table, entry.event, game.file)
            table, at = table.after(entry.event, entry.at), entry.at
            _must(len(table.seats) <= _MOST_SEATS, "too many seats")
        except (ValueError, GameError) as error:
            raise ValueError(f"event {number}, {type(entry.event).__name__}: {error}") from None
    if table.open:
        raise ValueError("the game has not ended")


def _verify(table: Table, event: Event, file: GameFile) -> None:
    """Raises ValueError or GameError."""
    _must(type(event) in POSSIBLE[table.phase], f"impossible while the table is {table.phase.value}")
    seat = getattr(event, "seat", None)
    _must(seat is None or seat in range(len(table.seats)), "no such seat")
    match event:
        case Opened(name, settings, commit):
            _must(not table.game, "the game was opened before")
            _must(name == file.game, "another game")
            _must(commit in ("", commitment(file.seed)), "not the commitment to the seed")
            _must(settings.rules in RULE_SETS, "unknown rules")
        case Worded(_, word):
            _must(re.fullmatch(WORD, word) is not None, "no word")
        case Revealed(seed):
            _must(table.owes_seed, "no seed is owed")
            _must(seed == file.seed.hex(), "not the seed")
        case Began():
            _must(bool(table.seats), "nobody is there")
        case RoundBegan(number):
            _must(table.play.closed and not table.play.over, "a round is on, or all are played")
            _must(number == table.play.round + 1, "not the next round")
        case RoundEnded(number):
            _must(not table.play.closed and number == table.play.round, "not the round that is on")
            _must(all(turn.entry for turn in table.play.turns), "not everybody has scored")
        case Held() | Rolled() | Scored():
            _verify_move(table, event, file)
        case Amended(seat, category, points):
            _must(category in table.play.cards[seat].boxes, "the box is not used")
            _must(points in table.rules.possible_points(category), "impossible points")
        case Seated(Occupant(nick=nick)) | TakenUp(_, Occupant(nick=nick)) | Renamed(_, nick):
            _must_be_a_nick(nick)
        case HouseSeated(players):
            for player in players:
                _must_be_a_nick(player.nick)
        case Stopped():
            _must(table.match is None or not table.match.over, "all is played")
        case Finished(lots):
            _must(table.play.over, "not all is played")
            drawn = dealer_for(table, file).lots(len(table.seats))
            # The first versions drew none.
            _must(lots == drawn or not (lots or table.commit), "not the lots of the seed")


def _verify_move(table: Table, event: Held | Rolled | Scored, file: GameFile) -> None:
    turn = table.play.turns[event.seat]
    _must(not table.play.closed and turn.entry is None, "no turn of this seat is on")
    match event:
        case Held(_, kept):
            _must(kept <= ALL, "no such dice")
        case Rolled(_, roll, kept, dice):
            _must(kept <= ALL, "no such dice")
            _must(roll == turn.roll + 1 <= ROLLS, "not the next roll")
            due = table.play.rolled(event.seat, kept, dealer_for(table, file))
            _must(dice == due.dice and (turn.dice is not None or not kept), "not the dice of the seed")
        case Scored(_, category, points, bonus, by_host):
            _must(turn.dice is not None, "no dice have fallen")
            written = table.play.scored(event.seat, category, by_host=by_host)
            _must(points == written.points, "not what the dice pay")
            _must(bonus == written.bonus, "not the bonus that the dice pay")


def _must_be_a_nick(nick: str) -> None:
    _must(nick.isprintable() and nick != "" and " " not in nick, "no nick")


def _must(holds: bool, otherwise: str) -> None:
    if not holds:
        raise ValueError(otherwise)
