"""One channel's table: the lobby, the match, and the result that stands until the next game.

A frozen value. `after` folds recorded events in; `host.decide` says which events a command becomes.
Times are seconds of the host's own clock (`host.clock`).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Final

from game.fair import NO_WORD
from game.match import Chose, Held, Match, Pace, Rolled, RoundBegan, RoundEnded, Scored
from game.rules import RULE_SETS, RuleSet
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
    Occupant,
    Opened,
    Reason,
    Reminded,
    Removed,
    Renamed,
    Resumed,
    Revealed,
    Seated,
    Spoke,
    Stopped,
    Suspended,
    TableSettings,
    TakenUp,
    TimeRanOut,
    Unheard,
    Unseated,
    Worded,
)

MISSES_UNTIL_AWAY: Final = 2
_MOST_STOOD_IN: Final = 3
"""Rounds that the host may have played for somebody who wins a prize: it plays better than most people."""

_LONGEST_WARNING: Final = 30.0
"""Seconds before the deadline at which the undecided are reminded; a quarter of a short time."""


Decision = tuple[str, int, int]
"""What the clock of a table runs for: the game, the round, and in lockstep the roll."""


class Phase(Enum):
    """Where a table stands."""

    CLOSED = "closed"
    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"


@dataclass(frozen=True, slots=True)
class Seat:
    """A place in the game, and how its player has been lately."""

    occupant: Occupant
    missed: int = 0
    """Rounds running that the host had to score."""

    left: bool = False
    removed: bool = False
    """Taken away from its player, who may not come back."""

    word: str = NO_WORD
    """What its player adds to the dice."""

    hinted: bool = False
    """Whether its player had a hint in this game."""

    stood_in: int = 0
    """Rounds that the host played because its player was away."""

    rang_at: float | None = None
    """When the clock last rang while this seat had not decided."""

    @property
    def nick(self) -> str:
        return self.occupant.nick

    @property
    def house(self) -> bool:
        return self.occupant.house

    @property
    def away(self) -> bool:
        """The game does not wait for this seat."""
        return self.left or self.missed >= MISSES_UNTIL_AWAY

    @property
    def played_out(self) -> bool:
        """At the end: whether its player is there, and has played most of it."""
        return not self.away and self.stood_in <= _MOST_STOOD_IN


@dataclass(frozen=True, slots=True)
class Standing:
    """One reason why the clock stands, who gave it, and when it is no reason any more."""

    reason: Reason
    by: str
    since: float
    until: float | None


@dataclass(frozen=True, slots=True)
class Table:
    """The state of a channel's table."""

    settings: TableSettings = field(default_factory=TableSettings)
    phase: Phase = Phase.CLOSED
    game: str = ""
    seats: tuple[Seat, ...] = ()
    match: Match | None = None
    deadline: float | None = None
    """When the lobby starts, or the time for this decision is up; None while no clock runs."""

    suspended: float | None = None
    """The seconds that were left when the clock was stopped; None while it runs."""

    standing: tuple[Standing, ...] = ()
    """Why the clock stands; empty while it runs."""

    paused_for: float = 0.0
    """Seconds that pauses of this game took."""

    reminded: bool = False
    hurried: bool = False
    """Nobody is waited for any more, and time is always up."""

    announced: bool = False
    """Whether the result, or of a stopped game the seed, left for the channel."""

    commit: str = ""
    """SHA-256 of the seed, in hex; empty where none was told, and for a lobby that is closed."""

    seed: str = ""
    """The seed, in hex, once it is no secret any more."""

    lots: tuple[int, ...] = ()
    """Once the game has finished: the seats in the order in which door prizes find them."""

    @property
    def rules(self) -> RuleSet:
        return RULE_SETS[self.settings.rules]

    @property
    def play(self) -> Match:
        """The match that is on or was played last."""
        if self.match is None:
            raise AssertionError("a match is asked for before one began")
        return self.match

    @property
    def decision(self) -> Decision:
        """What the game waits for."""
        if self.match is None:
            return self.game, 0, 0
        return self.game, self.match.round, self.match.step if self.settings.pace is Pace.LOCKSTEP else 0

    @property
    def open(self) -> bool:
        """Something is going on here."""
        return self.phase in (Phase.LOBBY, Phase.PLAYING)

    @property
    def owes_seed(self) -> bool:
        """Whether a game is over that began with a commitment, and the seed was not told yet."""
        return bool(self.commit) and not self.seed and not self.open

    @property
    def concluded(self) -> bool:
        """Whether a game is over of which the channel is to hear: how it ended, and its seed."""
        return self.phase is Phase.OVER or bool(self.seed)

    @property
    def opener(self) -> Seat | None:
        """Of the people at the table the one who came first."""
        return next((seat for seat in self.seats if not seat.house), None)

    def leader(self, here: Callable[[str], bool]) -> Seat | None:
        """Who has the say: of the people who play on the one who came first, in sight before out of sight.

        `here` tells whether the person with an id is in sight.
        """
        playing = [seat for seat in self.seats if not seat.house and not seat.away]
        in_sight = (seat for seat in playing if here(seat.occupant.person))
        return next(in_sight, playing[0] if playing else None)

    @property
    def absent(self) -> frozenset[int]:
        return frozenset(number for number, seat in enumerate(self.seats) if seat.away)

    @property
    def attended(self) -> bool:
        """Whether any person is there. While nobody is, rounds go by the clock alone."""
        return any(not seat.house and not seat.away for seat in self.seats)

    @property
    def waiting(self) -> tuple[int, ...]:
        """Seats that the game waits for now."""
        if self.phase is not Phase.PLAYING or self.play.closed:
            return ()
        return tuple(number for number in self.play.undecided() if number not in self.absent)

    @property
    def warning_at(self) -> float | None:
        """When the undecided are reminded, or None when there is nothing to remind of."""
        if self.phase is not Phase.PLAYING or self.deadline is None or self.reminded or self.settings.alone:
            return None
        return self.deadline - min(_LONGEST_WARNING, self.settings.round_seconds / 4)

    @property
    def due_at(self) -> float | None:
        """When the clock has something to do here next."""
        if self.standing:
            return self._lapses_at
        return self.deadline if self.warning_at is None else self.warning_at

    @property
    def _lapses_at(self) -> float | None:
        """When a reason for which the clock stands is none any more; while the host is out, none lapses."""
        times = [why.until for why in self.standing if why.until is not None]
        return None if self.stands_for(Reason.HOST_OUT) else min(times, default=None)

    def lapsed(self, now: float) -> Standing | None:
        """A reason that has lasted as long as it may."""
        lapses_at = self._lapses_at
        if lapses_at is None or now < lapses_at:
            return None
        return next(why for why in self.standing if why.until == lapses_at)

    def stands_for(self, reason: Reason) -> Standing | None:
        """The reason for which the clock stands, or None when it does not stand for that."""
        return next((why for why in self.standing if why.reason is reason), None)

    def seat_of(self, person: str) -> int | None:
        """The number of the person's seat, or None."""
        for number, seat in enumerate(self.seats):
            if seat.occupant.person == person:
                return number
        return None

    def decides(self, seat: int) -> bool:
        """Whether the seat may still hold or score in this round."""
        if self.phase is not Phase.PLAYING or self.play.closed:
            return False
        return self.play.turns[seat].entry is None

    def time_up(self, now: float) -> bool:
        return self.hurried or (self.deadline is not None and now >= self.deadline)

    def after(self, event: Event, at: float) -> Table:
        """The table after an event that was recorded `at` a time of the host's clock."""
        match event:
            case Opened(game, settings, commit):
                deadline = at + settings.lobby_seconds
                return Table(settings, Phase.LOBBY, game, deadline=deadline, commit=commit)
            case Seated(occupant):
                return replace(self, seats=(*self.seats, Seat(occupant)))
            case Unseated(person):
                return replace(self, seats=tuple(s for s in self.seats if s.occupant.person != person))
            case HouseSeated(players):
                people = (seat for seat in self.seats if not seat.house)
                return replace(self, seats=(*people, *map(Seat, players)))
            case Worded(person, word):
                return self._of(person, lambda there: replace(there, word=word))
            case LobbyClosed() | Stopped():
                commit = self.commit if self.phase is Phase.PLAYING else ""
                return Table(self.settings, game=self.game, commit=commit)
            case Revealed(seed):
                return replace(self, seed=seed)
            case Began():
                match_ = Match.of(self.rules, self.settings.pace, len(self.seats))
                return replace(self, phase=Phase.PLAYING, match=match_, deadline=None)
            case Reminded():
                return replace(self, reminded=True)
            case TimeRanOut(late):
                seats = (replace(s, rang_at=at) if n in late else s for n, s in enumerate(self.seats))
                return replace(self, seats=tuple(seats))
            case Extended(seconds) if self.suspended is not None:
                return replace(self, suspended=self.suspended + seconds, reminded=False)
            case Extended(seconds):
                later = None if self.deadline is None else self.deadline + seconds
                return replace(self, deadline=later, reminded=False)
            case Suspended(reason, by, seconds):
                until = None if seconds is None else at + seconds
                left = self._left(at)
                standing = (*self.standing, Standing(reason, by, at, until))
                return replace(self, deadline=None, suspended=left, standing=standing)
            case Resumed(at_least, reason):
                left = max(self._left(at), at_least)
                gone = self.stands_for(reason)
                paused = at - gone.since if gone and reason is Reason.PAUSE else 0.0
                standing = tuple(why for why in self.standing if why is not gone)
                rested = replace(self, standing=standing, paused_for=self.paused_for + paused)
                if standing:
                    return replace(rested, suspended=left)
                return replace(rested, deadline=at + left, suspended=None)
            case Spoke(seat):
                return self._reseated(seat, lambda there: replace(there, missed=0))
            case Hinted(seat):
                return self._reseated(seat, lambda there: replace(there, hinted=True))
            case Left(seat):
                return self._reseated(seat, lambda there: replace(there, left=True))
            case Removed(seat):
                return self._reseated(seat, lambda there: replace(there, left=True, removed=True))
            case Amended(seat, category, points):
                return replace(self, match=self.play.amended(seat, category, points), announced=False)
            case CameBack(seat):
                return self._reseated(seat, lambda there: replace(there, left=False, missed=0))
            case TakenUp(seat, occupant):
                return self._reseated(
                    seat, lambda there: replace(there, occupant=occupant, left=False, missed=0)
                )
            case Hurried():
                return replace(self, hurried=True)
            case Renamed(person, nick):
                return self._known_as(person, lambda who: replace(who, nick=nick))
            case Identified(person, account):
                return self._known_as(person, lambda who: replace(who, account=account))
            case Finished(lots):
                return replace(self, phase=Phase.OVER, deadline=None, lots=lots)
            case Announced():
                return replace(self, announced=True)
            case Unheard():
                return replace(self, announced=False)
            case RoundBegan() | Rolled() | Held() | Chose() | Scored() | RoundEnded():
                return self._played(event, at)

    def _played(self, event: RoundBegan | Rolled | Held | Chose | Scored | RoundEnded, at: float) -> Table:
        table = replace(self, match=self.play.after(event))
        match event:
            case RoundBegan():
                return table._clocked(at)
            case Rolled() if self.settings.pace is Pace.LOCKSTEP:
                return table._clocked(at)
            case Scored(seat, by_host=True):
                return table._reseated(seat, _missing)
            case Scored(seat):
                return table._reseated(seat, lambda there: replace(there, missed=0))
        return table

    def _left(self, at: float) -> float:
        """Seconds that are left of the lobby or the round."""
        return max(0.0, (self.deadline or at) - at) if self.suspended is None else self.suspended

    def _clocked(self, at: float) -> Table:
        return replace(self, deadline=at + self.settings.round_seconds, reminded=False)

    def _known_as(self, person: str, change: Callable[[Occupant], Occupant]) -> Table:
        return self._of(person, lambda there: replace(there, occupant=change(there.occupant)))

    def _of(self, person: str, change: Callable[[Seat], Seat]) -> Table:
        number = self.seat_of(person)
        return self if number is None else self._reseated(number, change)

    def _reseated(self, number: int, change: Callable[[Seat], Seat]) -> Table:
        seats = (*self.seats[:number], change(self.seats[number]), *self.seats[number + 1 :])
        return replace(self, seats=seats)


def _missing(seat: Seat) -> Seat:
    """The seat after the host scored for it; house players score for themselves."""
    return replace(seat, missed=seat.missed + 1, stood_in=seat.stood_in + seat.away)
