"""From a command to events: what may happen at a table. What follows by itself is in `host.follows`.

Each function is pure. It checks a wish against the table and answers with the events that it becomes, or
raises a HostError, GameError or ProtocolError and has changed nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from hmac import compare_digest
from typing import Final

from chat.casemap import fold
from game.dice import ALL, Positions
from game.match import Chose, Held, Pace
from host.errors import (
    AlreadySeated,
    Casual,
    GameOn,
    GamePaused,
    GivenUp,
    NoGame,
    NoSuchToken,
    NotBegun,
    NotInGame,
    NotOpener,
    StandsStill,
    TableFull,
    TakenAway,
    TooLate,
    WordsTaken,
)
from host.events import (
    Announced,
    Began,
    CameBack,
    Event,
    Extended,
    Hurried,
    Identified,
    Left,
    Occupant,
    Opened,
    Reason,
    Renamed,
    Resumed,
    Seated,
    Spoke,
    Suspended,
    TakenUp,
    Unheard,
    Unseated,
    Worded,
)
from host.table import Decision, Phase, Seat, Table
from protocol.commands import Keep, Reroll, Score

Events = tuple[Event, ...]

_LATE_SECONDS: Final = 1.0
"""A line that comes so soon after the clock rang was written for the dice before. Programs are faster than
that: where `repeat_seconds` is 0 they are taken at their word."""

SECONDS_TO_LOOK: Final = 30.0
"""What everybody has at least when the clock goes on after it stood."""

SPLIT_SECONDS: Final = 300.0
"""What everybody has at least when a netsplit took players: servers mostly find each other within minutes."""

REACHED_SECONDS: Final = 60.0
"""What a player has at least, once a round, when dice that the server had refused can reach them."""

_NOTICED: Final = 1.0
"""Seconds on the way that count. A few players are served at once, and that costs no event."""

SPLIT_WAIT: Final = 900.0
"""How long the clock stands at most while a netsplit has all the players: no game may stand for ever."""


def join(table: Table, occupant: Occupant, opening: tuple[Opened, tuple[Occupant, ...]]) -> Events:
    """Take a seat. `opening` is the game, with its house players, that opens when none is on.

    Raises AlreadySeated, TableFull, GameOn or TakenAway.
    """
    if not table.open:
        opened, house = opening
        return (opened, Seated(occupant), *(Seated(player) for player in house))
    seat = table.seat_of(occupant.person)
    if seat is not None and table.seats[seat].removed:
        raise TakenAway
    if seat is not None and table.seats[seat].left:
        return (CameBack(seat),)
    if seat is not None:
        raise AlreadySeated
    if table.phase is Phase.PLAYING:
        raise GameOn(table.play.round)
    if len(table.seats) >= table.settings.seats:
        raise TableFull(table.settings.seats)
    return (Seated(occupant), *found(table))


def practise(table: Table, occupant: Occupant, opened: Opened) -> Events:
    """Begin a practice game, unless one is on. `opened` is the game."""
    return () if table.open else (opened, Seated(occupant), Began())


def play_out(table: Table) -> Events:
    """Let the host play the rest of a game that all its players have gone away from; others wait for it."""
    if table.phase is not Phase.PLAYING or table.attended:
        return ()
    others = (why.reason for why in table.standing if why.reason is not Reason.HOST_OUT)
    return (*(Resumed(0, reason) for reason in others), Hurried())


def leave(table: Table, person: str) -> Events:
    """Give the seat up: it is free in the lobby, and the host's to play in a game.

    Raises NoGame, NotInGame or GivenUp.
    """
    seat = seat_of(table, person)
    return (Unseated(person),) if table.phase is Phase.LOBBY else (Left(seat),)


def add_word(table: Table, person: str, word: str) -> Events:
    """Add a word to the dice of the game to come.

    Raises what `seat_of` does, or WordsTaken.
    """
    seat = table.seats[seat_of(table, person)]
    if table.phase is not Phase.LOBBY:
        raise WordsTaken
    return () if seat.word == word else (Worded(person, word),)


def gone(table: Table, person: str) -> Events:
    """What it means for the table that the person is out of the channel: a seat in a lobby is free."""
    if table.phase is Phase.LOBBY and table.seat_of(person) is not None:
        return (Unseated(person),)
    return ()


def start(table: Table, person: str, now: float, here: Callable[[str], bool]) -> Events:
    """Begin the game of the lobby. `here` tells whether a person is in sight.

    Raises NoGame, NotInGame, GameOn or NotOpener.
    """
    seat = seat_of(table, person)
    if table.phase is Phase.PLAYING:
        raise GameOn(table.play.round)
    leader = table.leader(here)
    if leader is not None and table.seats[seat] != leader:
        raise NotOpener(leader.nick, seconds_left(table, now))
    pause = (Resumed(0, Reason.PAUSE),) if table.stands_for(Reason.PAUSE) else ()
    return (*pause, Began())


def hold(table: Table, person: str, command: Keep | Reroll, now: float) -> Events:
    """Keep dice and roll the others.

    No events when all are kept in the free pace: the player stands, and no roll is spent.

    Raises what `_player` does, or MissingFace, AlreadyScored, RolledOn or NoRollLeft.
    """
    seat = _player(table, person, now)
    table.play.verify_hold(seat)
    return held(table, seat, command.kept(table.play.turns[seat].cup))


def held(table: Table, seat: int, kept: Positions) -> Events:
    """What a hold that may be sent becomes."""
    stands = kept == ALL and table.settings.pace is Pace.FREE
    return () if stands else (Held(seat, kept),)


def choose(table: Table, person: str, command: Score, now: float) -> Events:
    """Score the dice in a box.

    Raises what `_player` does, or Casual, AlreadyScored, BoxUsed or BoxForbidden.
    """
    seat = _player(table, person, now)
    points = table.play.verify_choice(seat, command.category)
    if command.casual and not points:
        raise Casual(command.category)
    return (Chose(seat, command.category),)


def spoke(table: Table, person: str) -> Events:
    """Any word from a player who had missed a round counts as being there."""
    seat = table.seat_of(person)
    if table.phase is not Phase.PLAYING or seat is None:
        return ()
    there = table.seats[seat]
    return (Spoke(seat),) if there.missed and not there.left else ()


def renamed(table: Table, person: str, nick: str) -> Events:
    """Note a new nick of someone who sits here."""
    seat = table.seat_of(person)
    # Who was taken out has no say in what the others read.
    if not table.open or seat is None or table.seats[seat].removed or table.seats[seat].nick == nick:
        return ()
    return (*_apart(table, nick, seat), Renamed(person, nick))


def set_apart(seat: Seat) -> bool:
    """Whether a player is shown under a name that is none, since their nick went to another player."""
    return not seat.house and "(" in seat.nick  # which no nick has (RFC 2812 section 2.3.1)


def _apart(table: Table, nick: str, taken_by: int) -> Events:
    """Show seats whose players have lost a nick to another player under names that nobody can have."""
    return tuple(
        Renamed(seat.occupant.person, f"{seat.nick}({number + 1})")
        for number, seat in enumerate(table.seats)
        if number != taken_by and fold(seat.nick) == fold(nick)
    )


def identified(table: Table, person: str, account: str) -> Events:
    """Note the services account of someone who sits here."""
    seat = table.seat_of(person)
    if not table.open or seat is None or table.seats[seat].occupant.account == account:
        return ()
    return (Identified(person, account),)


def take_up(table: Table, newcomer: Occupant, token_hash: str) -> Events:
    """Take a seat up again by its token.

    Raises NoSuchToken, TakenAway, or AlreadySeated when the newcomer has another seat here.
    """
    for number, seat in enumerate(table.seats if table.open else ()):
        if seat.occupant.token_hash and compare_digest(seat.occupant.token_hash, token_hash):
            if seat.removed:
                raise TakenAway
            if table.seat_of(newcomer.person) not in (None, number):
                raise AlreadySeated
            taken_up = TakenUp(number, replace(newcomer, token_hash=seat.occupant.token_hash))
            return (*_apart(table, newcomer.nick, number), taken_up)
    raise NoSuchToken


def gather(table: Table, at: float) -> Events:
    """Give those whom a netsplit took, `at` this time, time to come back; no more than once over."""
    more = SPLIT_SECONDS - seconds_left(table, at)
    return (Extended(more),) if table.open and more > 0 else ()


def reached(table: Table, person: str, number: int, at: float) -> Events:
    """Give time, `at` this time, to a player whom the dice of a round can reach only now."""
    seat = table.seat_of(person)
    if seat is None or not table.decides(seat) or table.play.round != number or table.seats[seat].away:
        return ()
    more = min(REACHED_SECONDS, table.settings.round_seconds) - seconds_left(table, at)
    return (Extended(more),) if more > 0 else ()


def delivered(table: Table, decision: Decision, seconds: float) -> Events:
    """Give back the seconds that dice for a decision waited to be sent: time counts from when they left."""
    if seconds < _NOTICED or table.phase is not Phase.PLAYING or table.decision != decision:
        return ()
    # When the host is back the dice are sent again, and there is time to look at them; practice has a day.
    enough = table.stands_for(Reason.HOST_OUT) or table.settings.alone
    return () if enough else (Extended(seconds),)


def suspend(table: Table) -> Events:
    """Stop the clock while the host is out of the channel; nobody can play until `resume`."""
    return (Suspended(),) if table.open and not table.stands_for(Reason.HOST_OUT) else ()


def resume(table: Table) -> Events:
    """Let the clock go on with what was left, and time enough to look at the dice again."""
    return (Resumed(SECONDS_TO_LOOK),) if table.stands_for(Reason.HOST_OUT) else ()


def lost(table: Table, here: Callable[[str], bool]) -> Events:
    """Stop the clock when a netsplit took the last of those who play on; `here` tells who is in sight."""
    playing = [seat for seat in table.seats if not seat.house and not seat.away]
    if not table.open or table.stands_for(Reason.SPLIT) or not playing:
        return ()
    if any(here(seat.occupant.person) for seat in playing):
        return ()
    return (Suspended(Reason.SPLIT, seconds=SPLIT_WAIT),)


def found(table: Table) -> Events:
    """Let the clock go on when one of those whom a netsplit took is back, or somebody new sits down."""
    return (Resumed(SECONDS_TO_LOOK, Reason.SPLIT),) if table.stands_for(Reason.SPLIT) else ()


def untold(table: Table) -> bool:
    """Whether there is a result, or the seed of a stopped game, that may not have been heard."""
    return table.concluded and not table.announced


def announced(table: Table, game: str) -> Events:
    """Note that the result of a game was told, or is of no interest any more."""
    return (Announced(),) if untold(table) and table.game == game else ()


def unheard(table: Table, game: str) -> Events:
    """Note that the result of a game may not have been heard, since the server refused a line."""
    return (Unheard(),) if table.concluded and table.announced and table.game == game else ()


def seconds_left(table: Table, now: float) -> float:
    """Seconds until the deadline of the lobby or the round, 0 when it is past or there is none."""
    if table.suspended is not None:
        return table.suspended
    return max(0.0, (table.deadline or now) - now)


def seat_of(table: Table, person: str) -> int:
    """The seat of a person in the lobby or game that is on.

    Raises NoGame, NotInGame, TakenAway or GivenUp.
    """
    if not table.open:
        raise NoGame
    seat = table.seat_of(person)
    if seat is None:
        raise NotInGame
    if table.seats[seat].removed:
        raise TakenAway
    if table.seats[seat].left:
        raise GivenUp
    return seat


def player(table: Table, person: str, now: float) -> int:
    """The seat of a person who may play now.

    Raises NoGame, NotInGame, TakenAway, GivenUp, NotBegun, GamePaused or StandsStill.
    """
    seat = seat_of(table, person)
    if pause := table.stands_for(Reason.PAUSE):
        raise GamePaused(pause.by)
    if table.phase is Phase.LOBBY:
        raise NotBegun(seconds_left(table, now))
    if table.suspended is not None:
        raise StandsStill
    return seat


def _player(table: Table, person: str, now: float) -> int:
    """The seat of a person whose words may be meant for the dice that are there.

    Raises what `player` does, or TooLate.
    """
    seat = player(table, person, now)
    rang_at = table.seats[seat].rang_at
    settings = table.settings
    late = min(_LATE_SECONDS, settings.repeat_seconds, settings.round_seconds / 4)
    if rang_at is not None and now - rang_at < late:
        raise TooLate
    return seat
