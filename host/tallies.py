"""Running sums of finished games: for each person, in each period, of all rule sets and of each one."""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from enum import Enum
from typing import Final

ALL_RULES: Final = ""
"""In place of a rule set: all of them together."""

ALL_TIME: Final = "all"


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


def season_period(season: int) -> str:
    """The name of a season as a period."""
    return f"s:{season}"


def periods(wall: datetime) -> tuple[str, ...]:
    """All periods of the calendar that a time is in."""
    return tuple(period(span, wall) for span in Span)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a score counts for. `number` is that of its game, in the order in which games finish."""

    number: int
    seats: int
    total: int
    place: int
    upper_bonus: bool
    yahtzees: int
    lost: int | None
    luck: int | None
    """Hundredths of a point, so that sums are exact; None until perfect play was asked."""


@dataclass(frozen=True, slots=True)
class Tally:
    """Sums over games. Means and rates are quotients of these."""

    games: int = 0
    points: int = 0
    """The sum of all totals."""

    best: int = 0
    best_number: int = 0
    """The first game with the best total."""

    yahtzees: int = 0
    bonuses: int = 0
    """Games with the bonus of the upper section."""

    contests: int = 0
    """Games with at least two seats: places and wins are of these."""

    wins: int = 0
    seconds: int = 0
    thirds: int = 0
    """Places, shared ones included."""

    streak: int = 0
    longest: int = 0
    """Contests won one after the other: up to now, and the most there ever were."""

    judged: int = 0
    """Games that perfect play has looked at: `lost` and `luck` are of these, in hundredths of a point."""

    lost: int = 0
    luck: int = 0
    last_number: int = 0

    def after(self, entry: Entry) -> Tally:
        """The sums with one game more, which finished later than the others."""
        better = entry.total > self.best or not self.games
        contest = entry.seats > 1
        won = contest and entry.place == 1
        streak = (self.streak + 1 if won else 0) if contest else self.streak
        counted = replace(
            self,
            games=self.games + 1,
            points=self.points + entry.total,
            best=entry.total if better else self.best,
            best_number=entry.number if better else self.best_number,
            yahtzees=self.yahtzees + entry.yahtzees,
            bonuses=self.bonuses + entry.upper_bonus,
            contests=self.contests + contest,
            wins=self.wins + won,
            seconds=self.seconds + (contest and entry.place == 2),
            thirds=self.thirds + (contest and entry.place == 3),
            streak=streak,
            longest=max(self.longest, streak),
            last_number=entry.number,
        )
        return counted.judge(entry.lost, entry.luck)

    def judge(self, lost: int | None, luck: int | None) -> Tally:
        """The sums when it is known what decisions and luck of one of the games were worth."""
        if lost is None or luck is None:
            return self
        return replace(self, judged=self.judged + 1, lost=self.lost + lost, luck=self.luck + luck)
