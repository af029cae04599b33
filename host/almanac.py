"""Answers from the records of finished games. They change nothing, and go behind all that games wait for."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from game.fair import DiceMode
from host import room
from host.books import PRACTICE
from host.clock import Clock
from host.errors import NoRecord, NoSuchGame
from host.events import TableSettings
from host.keeper import Keeper
from host.letter import Lane
from host.outcome import own_key
from host.people import Person
from host.records import Records
from host.room import Room
from host.seasons import Seasons
from host.speech import Speech
from host.standings import By
from host.tallies import ALL_RULES, Span, period, season_period
from host.wording import records as wording
from protocol.records import Game, Games, Last, Period, Ratings, RecordsCommand, Season, Stats, Top

_SPANS: Final = {
    Period.TODAY: Span.DAY,
    Period.WEEK: Span.WEEK,
    Period.MONTH: Span.MONTH,
    Period.ALL: Span.ALL,
}


class Almanac:
    """One for each network."""

    def __init__(self, place: Room, speech: Speech, records: Records, seasons: Seasons, clock: Clock) -> None:
        self._room = place
        self._speech = speech
        self._records = records
        self._seasons = seasons
        self._clock = clock

    def tell(self, person: Person, command: RecordsCommand, named: Keeper | None) -> None:
        """Tell what was asked for. Raises a HostError where there is nothing to tell."""
        self._speech.say(person.nick, *self._answer(person, command, named), lane=Lane.CHATTER)

    def _answer(self, person: Person, command: RecordsCommand, named: Keeper | None) -> Sequence[str]:
        match command:
            case Stats():
                return self._stats(person, command)
            case Top(rules, span, wins):
                by = By.WINS if wins else By.BEST
                head = wording.top_head(self._label(span), rules, by)
                return self._top(person, head, self._period(span), rules or ALL_RULES, by)
            case Season(name):
                return self._season(person, name)
            case Ratings():
                return self._ratings(person, command, named)
            case Last():
                return self._last(person, named)
            case Games():
                return wording.games(self._records.games(self._room.network))
            case Game(name):
                return self._game(person, name)
        raise AssertionError(command)

    def _me(self, person: Person) -> str:
        return own_key(person.nick, person.account, self._room.fold)

    def _period(self, span: Period) -> str:
        if span is Period.SEASON:
            return season_period(self._seasons.find(None).season)
        return period(_SPANS[span], self._clock.wall())

    def _label(self, span: Period) -> str:
        return f"season {self._seasons.find(None).name}" if span is Period.SEASON else wording.SPANS[span]

    def _stats(self, person: Person, command: Stats) -> Sequence[str]:
        name = command.nick
        key = self._records.meant(self._room.network, name, self._room.fold) if name else self._me(person)
        rules = command.rules or ALL_RULES
        found = self._records.person(self._room.network, key, self._period(command.period), rules)
        if found is None:
            raise NoRecord(name or person.account or person.nick)
        return wording.stats(found, self._label(command.period), command.rules, command.period is Period.ALL)

    def _top(self, person: Person, head: str, span: str, rules: str, by: By) -> Sequence[str]:
        rows = self._records.top(self._room.network, span, rules, by)
        mine = self._records.person(self._room.network, self._me(person), span, rules, by)
        if mine and any(row.person == mine.person for row in rows):
            mine = None
        return wording.top(head, rows, mine, by)

    def _season(self, person: Person, name: str | None) -> Sequence[str]:
        season = self._seasons.find(name)
        others = [] if name else [one for one in self._records.seasons(self._room.network) if one != season]
        head = wording.season_head(season, self._clock.wall())
        rows = self._top(person, head, season_period(season.season), ALL_RULES, By.BEST)
        return [*rows, *wording.other_seasons(others)]

    def _ratings(self, person: Person, command: Ratings, named: Keeper | None) -> Sequence[str]:
        near = named or room.likely(self._room, person)
        how = near.settings if near else TableSettings()
        rules = command.rules or how.rules
        dice = command.dice or (DiceMode.OWN if command.rules else how.dice)
        rows = self._records.ratings(self._room.network, rules, dice)
        found = self._records.person(self._room.network, self._me(person), rules=rules)
        listed = {row.person for row in rows}
        mine = (
            [one for one in found.ratings if one.dice is dice and one.person not in listed] if found else []
        )
        return wording.ratings(rules, dice, rows, mine[0] if mine else None)

    def _last(self, person: Person, named: Keeper | None) -> Sequence[str]:
        keeper = named or room.meant(self._room, person)
        if keeper.table.settings.alone:
            keeper = room.to_join(self._room, person)
        found = self._records.last(self._room.network, keeper.channel)
        return wording.game(found, keeper.channel) if found else [wording.none_yet(keeper.channel)]

    def _game(self, person: Person, name: str) -> Sequence[str]:
        found = self._records.game(self._room.network, name)
        # Practice is its player's alone, and channels may be secret.
        if found.channel == PRACTICE and all(seat.person != self._me(person) for seat in found.seats):
            raise NoSuchGame(name)
        near = {keeper.channel for keeper in self._room.tables_around(person)}
        return wording.game(found, found.channel if found.channel in near | {PRACTICE} else "")
