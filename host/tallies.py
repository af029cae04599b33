"""Running sums of finished games: for each person, in each period, of all rule sets and of each one."""

from __future__ import annotations

from calendar import monthrange
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from enum import Enum
from typing import Final

ALL_RULES: Final = ""
"""In place of a rule set: all of them together."""

ALL_TIME: Final = "all"

_FIRST: Final = datetime.min.replace(tzinfo=UTC)
_LAST: Final = datetime.max.replace(tzinfo=UTC)


class Span(Enum):
    """What a period is; those of the calendar are in UTC, and a week is that of ISO 8601."""

    DAY = "day"
    WEEK = "week"
    MONTH = "month"
    ALL = "all"


def period(span: Span, wall: datetime) -> str:
    """The name of the period that a time is in."""
    when = wall.astimezone(UTC)
    match span:
        case Span.DAY:
            return f"d:{when:%Y-%m-%d}"
        case Span.WEEK:
            return f"w:{when:%G-W%V}"
        case Span.MONTH:
            return f"m:{when:%Y-%m}"
        case Span.ALL:
            return ALL_TIME


def bounds(span: Span, wall: datetime) -> tuple[datetime, datetime]:
    """When the period that a time is in begins, and when it is over."""
    when = wall.astimezone(UTC)
    day = when.replace(hour=0, minute=0, second=0, microsecond=0)
    match span:
        case Span.DAY:
            first, days = day, 1
        case Span.WEEK:
            first, days = day - timedelta(days=day.weekday()), 7
        case Span.MONTH:
            first, days = day.replace(day=1), monthrange(day.year, day.month)[1]
        case Span.ALL:
            return _FIRST, _LAST
    return first, first + min(timedelta(days=days), _LAST - first)


def season_period(season: int) -> str:
    """The name of a season as a period."""
    return f"s:{season}"


def periods(wall: datetime) -> tuple[str, ...]:
    """All periods of the calendar that a time is in."""
    return tuple(period(span, wall) for span in Span)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a score counts for. `number` is that of its game, in the order in which games are entered."""

    number: int
    contest: bool
    """Whether somebody else was in the game: places and wins are of these."""

    played_out: bool
    """Whether it was the player's own; else the game is one that they left, and nothing more."""

    total: int
    place: int
    upper_bonus: bool
    yahtzees: int

    def came(self, place: int) -> bool:
        """Whether it took this place from others."""
        return self.played_out and self.contest and self.place == place


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over games. Means and rates are quotients of these."""

    games: int = 0
    """Games that were played out; all but `left`, `streak` and `last_number` is of these."""

    left: int = 0
    """Games that were not: the player left, or the host played more than a little of them."""

    points: int = 0
    """The sum of all totals."""

    best: int = 0
    best_number: int = 0
    """The first game with the best total."""

    yahtzees: int = 0
    bonuses: int = 0
    """Games with the bonus of the upper section."""

    contests: int = 0
    """Games with others: places and wins are of these."""

    wins: int = 0
    seconds: int = 0
    thirds: int = 0
    """Places, shared ones included."""

    streak: int = 0
    longest: int = 0
    """Contests won one after the other: up to now, and the most there ever were. To leave one ends it."""

    judged: int = 0
    """Games that perfect play has looked at, and that the host played nothing of: `lost` and `luck` are of
    these, in hundredths of a point."""

    lost: int = 0
    luck: int = 0
    last_number: int = 0

    def after(self, entry: Entry) -> Tally:
        """The sums with one game more, which is entered later than the others."""
        streak = (self.streak + 1 if entry.came(1) else 0) if entry.contest else self.streak
        if not entry.played_out:
            return replace(self, left=self.left + 1, streak=streak, last_number=entry.number)
        better = entry.total > self.best or not self.games
        return replace(
            self,
            games=self.games + 1,
            points=self.points + entry.total,
            best=entry.total if better else self.best,
            best_number=entry.number if better else self.best_number,
            yahtzees=self.yahtzees + entry.yahtzees,
            bonuses=self.bonuses + entry.upper_bonus,
            contests=self.contests + entry.contest,
            wins=self.wins + entry.came(1),
            seconds=self.seconds + entry.came(2),
            thirds=self.thirds + entry.came(3),
            streak=streak,
            longest=max(self.longest, streak),
            last_number=entry.number,
        )

    def put_right(self, was: Entry, now: Entry) -> Tally:
        """The sums when one of the games counts otherwise; what is best and the streaks stay as they are."""
        if not now.played_out:
            return self
        return replace(
            self,
            points=self.points + now.total - was.total,
            yahtzees=self.yahtzees + now.yahtzees - was.yahtzees,
            bonuses=self.bonuses + now.upper_bonus - was.upper_bonus,
            wins=self.wins + now.came(1) - was.came(1),
            seconds=self.seconds + now.came(2) - was.came(2),
            thirds=self.thirds + now.came(3) - was.came(3),
        )

    def judge(self, lost: int, luck: int) -> Tally:
        """The sums when it is known what decisions and luck of one of the games were worth."""
        return replace(self, judged=self.judged + 1, lost=self.lost + lost, luck=self.luck + luck)


def streaks(won: Iterable[bool]) -> tuple[int, int]:
    """Of contests in their order: how many were won in a row up to now, and the most there ever were."""
    streak = longest = 0
    for one in won:
        streak = streak + 1 if one else 0
        longest = max(longest, streak)
    return streak, longest
