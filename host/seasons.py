"""The seasons of one network: opened and closed, and told in its channels when they begin and end."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

from chat.casemap import fold
from chat.logger import logger
from host.announcements import SeasonBegan, SeasonOver
from host.books import Season
from host.clock import Clock, Timer
from host.errors import BadDays, NoSuchSeason, SeasonOn, StoreError
from host.records import Records
from host.room import Room
from host.tallies import season_period
from protocol.records import OpenSeason

log = logger(__name__)

_TOLD: Final = 3
"""How many are named when a season is over."""

_LONGEST: Final = 3600.0
"""Seconds until the calendar is looked at again: its clock may be set."""

_RETRY: Final = 60.0
"""Seconds after the store did not answer."""


class Seasons:
    """One for each network. What begins or ends while the host is down is not told."""

    def __init__(self, place: Room, records: Records, clock: Clock) -> None:
        self._room = place
        self._records = records
        self._clock = clock
        self._seen = clock.wall()
        """Up to when what begins or ends was told."""

        self._timer: Timer | None = None
        self._look()

    def stop(self) -> None:
        """Look at the calendar no more."""
        if self._timer:
            self._timer.cancel()

    def open(self, command: OpenSeason) -> Season:
        """Open a season. Raises BadDays, SeasonOn or StoreError."""
        now = self._clock.wall()
        starts, ends = _days(command, now)
        known = self._records.seasons(self._room.network)
        if any(_same(one.name, command.name) for one in known):
            # Of two with one name the older could not be asked for any more.
            raise SeasonOn(command.name)
        self._look()
        season = self._records.open_season(self._room.network, command.name, starts, ends, now)
        if season.has(now):
            self._tell(SeasonBegan(season.name, season.ends))
        self._see(now)
        return season

    def close(self, name: str) -> Season:
        """End a season now. Raises NoSuchSeason or StoreError."""
        self._look()
        now = self._clock.wall()
        season = self._records.close_season(self._room.network, name, now)
        if season.starts < now:
            self._tell(self._over(season))
        self._see(now)
        return season

    def find(self, name: str | None) -> Season:
        """A season by its name; without one that which is on, else which comes next, else which was last.

        Of several the one that was opened last. Raises NoSuchSeason or StoreError.
        """
        now = self._clock.wall()
        seasons = self._records.seasons(self._room.network)
        if name is not None:
            found = [one for one in seasons if _same(one.name, name)]
        else:
            on = [one for one in seasons if one.has(now)]
            # One that was closed before it began never comes.
            coming = [one for one in seasons if now < one.starts < one.ends]
            coming.sort(key=lambda one: one.starts)
            found = on or coming[:1] or sorted(seasons, key=lambda one: one.ends)
        if not found:
            raise NoSuchSeason(name or "")
        return found[-1]

    def _see(self, now: datetime) -> None:
        self._seen = max(self._seen, now)
        self._look()

    def _look(self) -> None:
        """Tell what began or ended since the last look, and look again when something will."""
        now = self._clock.wall()
        self.stop()
        try:
            seasons = self._records.seasons(self._room.network)
            for one in seasons:
                if self._seen < one.starts <= now < one.ends:
                    self._tell(SeasonBegan(one.name, one.ends))
                if self._seen < one.ends <= now:
                    self._tell(self._over(one))
        except StoreError as error:
            log.warning("the calendar waits", network=self._room.network, error=str(error))
            self._wait(_RETRY)
            return
        self._seen = max(self._seen, now)
        if due := [when for one in seasons for when in (one.starts, one.ends) if when > now]:
            self._wait(min((min(due) - now).total_seconds(), _LONGEST))

    def _wait(self, seconds: float) -> None:
        self._timer = self._clock.call_at(self._clock.now() + seconds, self._look)

    def _over(self, season: Season) -> SeasonOver:
        rows = self._records.top(self._room.network, season_period(season.season), limit=_TOLD)
        return SeasonOver(season.name, tuple((row.nick, row.tally.best) for row in rows))

    def _tell(self, reply: SeasonBegan | SeasonOver) -> None:
        for keeper in self._room.keepers:
            self._room.say(keeper, reply)


def _same(name: str, other: str) -> bool:
    return fold(name) == fold(other)


def _days(command: OpenSeason, now: datetime) -> tuple[datetime, datetime]:
    """Where the days begin, and where the last of them ends."""
    try:
        first, last = (_midnight(day) for day in (command.first, command.last))
        ends = last + timedelta(days=1)
    except (ValueError, OverflowError):
        raise BadDays(command.first, command.last) from None
    if first > last or ends <= now:
        raise BadDays(command.first, command.last)
    return first, ends


def _midnight(day: str) -> datetime:
    return datetime.fromisoformat(day).replace(tzinfo=UTC)
