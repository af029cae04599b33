"""What can be asked of finished games: statistics, lists of the best, ratings, seasons, and single games.

Nothing here reads the games themselves: all of it stands in sums that are kept as games finish.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from contextlib import AbstractContextManager
from dataclasses import fields
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sql

from chat.casemap import fold as widely
from chat.logger import logger
from game.category import CATEGORIES
from game.fair import DiceMode
from game.level import Level
from game.match import Pace
from host import books, mentions
from host.books import Judged, Season
from host.errors import NoRecord, NoSuchGame, NoSuchSeason, SeasonOn, StoreError
from host.histories import Sealed, sealed
from host.outcome import FORGOTTEN, Fold, account_key, key_named
from host.rating import Rating
from host.standings import By, FinishedGame, Rank, Rated, SeatScore, Statistics
from host.store import Store
from host.store_tables import NETWORKS, PERSONS, PREFERENCES, RATINGS, RESULTS, SCORES, SEASONS, TALLIES
from host.tallies import ALL_RULES, ALL_TIME, Tally

log = logger(__name__)

_SHORTEST: Final = 4
"""Letters of a game's name that are enough where it is the only one."""

_TALLY: Final = tuple(TALLIES.c[field.name] for field in fields(Tally))


# Equal in the first they share a place; the others only make the order stable.
_ORDERS: Final = {
    By.BEST: (TALLIES.c.best, TALLIES.c.best_number, TALLIES.c.person),
    By.WINS: (TALLIES.c.wins, TALLIES.c.best.desc(), TALLIES.c.best_number, TALLIES.c.person),
}


class Records:
    """The records of a store; `writing` begins a transaction of the journal's.

    Every method but `compares_by` raises StoreError as the journal does.
    """

    def __init__(self, store: Store, writing: Callable[[], AbstractContextManager[sql.Connection]]) -> None:
        self._store = store
        self._writing = writing

    # --- people ---

    def find(self, network: str, name: str, fold: Fold) -> str | None:
        """The key of whoever was called so when they played last, or else has an account of that name."""
        account = account_key(fold(name))
        people = sql.select(PERSONS.c.person, PERSONS.c.nick).where(PERSONS.c.network == network)
        with self._store.transaction() as connection:
            called = connection.execute(people.where(PERSONS.c.folded == widely(name))).all()
            found = [row.person for row in called if fold(row.nick) == fold(name)]
            found = found or list(connection.execute(people.where(PERSONS.c.person == account)).scalars())
            last = sql.select(TALLIES.c.person, TALLIES.c.last_number).where(
                TALLIES.c.person.in_(found), *_group(network, ALL_TIME, ALL_RULES)
            )
            played = connection.execute(last).all()
        return max(played, key=lambda row: row.last_number).person if played else None

    def meant(self, network: str, name: str, fold: Fold) -> str:
        """The key that a typed name asks for: as with `find`, or with `account:NAME` and `nick:NAME`.

        Raises NoRecord.
        """
        found = key_named(name, fold) or self.find(network, name, fold)
        if found is None or found.startswith(FORGOTTEN):
            raise NoRecord(name)
        return found

    def person(
        self,
        network: str,
        person: str,
        period: str = ALL_TIME,
        rules: str = ALL_RULES,
        by: By = By.BEST,
    ) -> Statistics | None:
        """The statistics of a person; None when the records do not know them."""
        value = _ORDERS[by][0]
        known = sql.select(PERSONS.c.nick).where(PERSONS.c.network == network, PERSONS.c.person == person)
        with self._store.transaction() as connection:
            nick = connection.execute(known).scalar()
            if nick is None:
                return None
            group = _group(network, period, rules)
            row = connection.execute(
                sql.select(*_TALLY).where(TALLIES.c.person == person, *group)
            ).one_or_none()
            tally = Tally(*row) if row else Tally()
            mine: int = getattr(tally, by.value)
            better = sql.select(sql.func.count()).where(*group, value > mine)
            place = connection.execute(better).scalar_one() + 1 if tally.games else None
            games = _game_names(connection, {tally.best_number, tally.last_number})
            ratings = _ratings_of(connection, network, person, rules)
        best, last = games.get(tally.best_number, ""), games.get(tally.last_number, "")
        rated = tuple(_rated(row, nick, place) for row, place in ratings)
        return Statistics(person, nick, tally, place, best, last, rated)

    def top(  # noqa: PLR0913 - one of each thing that a list may be narrowed by
        self,
        network: str,
        period: str = ALL_TIME,
        rules: str = ALL_RULES,
        by: By = By.BEST,
        *,
        limit: int = 10,
        skip: int = 0,
    ) -> tuple[Rank, ...]:
        """The best of a period, best first, after so many others; who has none of it is not in it."""
        value, *rest = _ORDERS[by]
        group = _group(network, period, rules)
        chosen = (
            sql.select(TALLIES.c.person, *_TALLY)
            .where(*group, value > 0)
            .order_by(value.desc(), *rest)
            .limit(limit)
            .offset(skip)
        )
        with self._store.transaction() as connection:
            rows = connection.execute(chosen).all()
            if not rows:
                return ()
            first = getattr(rows[0], value.name)
            better = sql.select(sql.func.count()).where(*group, value > first)
            place = connection.execute(better).scalar_one() + 1
            nicks = _nicks(connection, network, [row.person for row in rows])
            games = _game_names(connection, {row.best_number for row in rows})
        ranks = []
        for number, row in enumerate(rows):
            if number and getattr(row, value.name) != getattr(rows[number - 1], value.name):
                place = skip + number + 1
            ranks.append(Rank(place, row.person, nicks[row.person], Tally(*row[1:]), games[row.best_number]))
        return tuple(ranks)

    def ratings(
        self, network: str, rules: str, dice: DiceMode = DiceMode.OWN, *, limit: int = 10
    ) -> tuple[Rated, ...]:
        """The highest ratings that are not provisional, house players among them."""
        chosen = (
            sql.select(RATINGS)
            .where(*_sure(network, rules, dice.value))
            .order_by(RATINGS.c.shown.desc(), RATINGS.c.person)
            .limit(limit)
        )
        with self._store.transaction() as connection:
            rows = connection.execute(chosen).all()
            nicks = _nicks(connection, network, [row.person for row in rows])
        places = [1 + sum(other.shown > row.shown for other in rows) for row in rows]
        return tuple(
            _rated(row, nicks.get(row.person, ""), place) for row, place in zip(rows, places, strict=True)
        )

    def compares_by(self, network: str, casemapping: str) -> None:
        """Remember how a network compares names, for games of it that are imported.

        What the store does not take is remembered at the next connection.
        """
        try:
            with self._store.transaction() as connection:
                if books.casemapping(connection, network) == casemapping:
                    return
            with self._writing() as connection:
                connection.execute(NETWORKS.delete().where(NETWORKS.c.network == network))
                connection.execute(NETWORKS.insert().values(network=network, casemapping=casemapping))
        except StoreError as error:
            log.warning("it was not noted how names are compared", network=network, error=str(error))

    # --- games ---

    def last(self, network: str, channel: str) -> FinishedGame | None:
        """The game that was finished last in a channel."""
        chosen = sql.select(RESULTS).where(RESULTS.c.network == network, RESULTS.c.channel == channel)
        found = self._games(chosen.order_by(RESULTS.c.finished.desc(), RESULTS.c.number.desc()).limit(1))
        return found[0] if found else None

    def games(self, network: str, *, before: int | None = None, limit: int = 10) -> tuple[FinishedGame, ...]:
        """The games that were entered last on a network, the latest first; or those before a number."""
        chosen = sql.select(RESULTS).where(RESULTS.c.network == network, RESULTS.c.listed == sql.true())
        if before is not None:
            chosen = chosen.where(RESULTS.c.number < before)
        return self._games(chosen.order_by(RESULTS.c.number.desc()).limit(limit))

    def game(self, network: str, prefix: str) -> FinishedGame:
        """The game whose name is this or, from four letters on, begins so. Raises NoSuchGame."""
        # Names of games are of letters and digits, which all come before the last of ASCII.
        begins = (RESULTS.c.game >= prefix) & (RESULTS.c.game < prefix + "\x7f")
        chosen = sql.select(RESULTS).where(RESULTS.c.network == network)
        found = self._games(chosen.where(RESULTS.c.game == prefix))
        if not found and len(prefix) >= _SHORTEST:
            found = self._games(chosen.where(begins).order_by(RESULTS.c.game).limit(_SHORTEST))
        if len(found) != 1:
            raise NoSuchGame(prefix, tuple(game.game for game in found))
        return found[0]

    # --- seasons ---

    def seasons(self, network: str) -> tuple[Season, ...]:
        """All seasons, in the order in which they were opened; those that are over keep their tables."""
        with self._store.transaction() as connection:
            return tuple(books.all_seasons(connection, network))

    def open_season(
        self, network: str, name: str, starts: datetime, ends: datetime, wall: datetime
    ) -> Season:
        """Have the games of a network count for a season, from now on at the earliest.

        Raises SeasonOn when one of this name is not over.
        """
        with self._writing() as connection:
            known = books.all_seasons(connection, network)
            if any(widely(one.name) == widely(name) and one.ends > wall for one in known):
                raise SeasonOn(name)
            last = connection.execute(sql.select(sql.func.max(SEASONS.c.season))).scalar()
            season = Season((last or 0) + 1, name, max(starts, wall), ends)
            row = {"season": season.season, "network": network, "name": name}
            row |= {"starts": season.starts.isoformat(), "ends": ends.isoformat()}
            connection.execute(SEASONS.insert().values(row))
            return season

    def close_season(self, network: str, name: str, wall: datetime) -> Season:
        """End a season before its time. Raises NoSuchSeason when none of this name is on or to come."""
        with self._writing() as connection:
            for one in books.all_seasons(connection, network):
                if widely(one.name) == widely(name) and one.ends > wall:
                    ended = SEASONS.update().where(SEASONS.c.season == one.season)
                    connection.execute(ended.values(ends=wall.isoformat()))
                    return Season(one.season, one.name, one.starts, wall)
        raise NoSuchSeason(name)

    # --- what perfect play says ---

    def judge(self, game: str, judged: Judged) -> None:
        """Write down what decisions lost and luck brought, once for a game; seats may be left out."""
        with self._writing() as connection:
            books.judge(connection, game, judged)

    def unjudged(self, rules: str, after: int = 0) -> tuple[int, Sealed] | None:
        """Of the finished games of a rule set the first after a number that is not judged, with its own."""
        chosen = (
            sql.select(RESULTS.c.number, RESULTS.c.game)
            .where(RESULTS.c.looked == sql.false(), RESULTS.c.rules == rules, RESULTS.c.number > after)
            .order_by(RESULTS.c.number)
            .limit(1)
        )
        with self._store.transaction() as connection:
            row = connection.execute(chosen).one_or_none()
            found = row and sealed(connection, row.game)
        return (row.number, found) if row and found else None

    # --- being forgotten ---

    def played_from(self, network: str, person: str, fold: Fold) -> set[tuple[str, str]]:
        """From which user@host a person played the first and the last of their games."""
        ends = sql.select(sql.func.min(SCORES.c.number), sql.func.max(SCORES.c.number)).where(
            SCORES.c.network == network, SCORES.c.person == person
        )
        with self._store.transaction() as connection:
            games = _game_names(connection, set(connection.execute(ends).one()))
            return mentions.played_from(connection, sorted(games.values()), person, fold)

    def forget(self, network: str, person: str, nick: str, fold: Fold) -> tuple[str, ...]:
        """Have the name of a person, called `nick` last, in no record; the games that are otherwise now.

        Games, totals and sums stay, of somebody. Tables that have one of these games in memory read it anew.

        Raises StillSeated when they sit at a table that is open.
        """
        with self._writing() as connection:
            alias = mentions.new_alias(connection, network)
            games = mentions.forget(connection, mentions.Whom(network, person, nick, fold), alias)
            somebody = {"person": alias, "nick": mentions.SOMEBODY}
            named: dict[sql.Table, dict[str, str]] = {SCORES: somebody, TALLIES: {}, RATINGS: {}}
            for table, row in named.items():
                key = (table.c.network == network) & (table.c.person == person)
                connection.execute(table.update().where(key).values({"person": alias} | row))
            key = (PERSONS.c.network == network) & (PERSONS.c.person == person)
            if not connection.execute(PERSONS.delete().where(key)).rowcount and not games:
                unused = (PERSONS.c.network == network) & (PERSONS.c.person == alias)
                connection.execute(PERSONS.delete().where(unused))
            chose = (PREFERENCES.c.network == network) & (PREFERENCES.c.nick == fold(nick))
            connection.execute(PREFERENCES.delete().where(chose))
            return tuple(games)

    # --- reading ---

    def _games(self, chosen: sql.Select[Any]) -> tuple[FinishedGame, ...]:
        with self._store.transaction() as connection:
            rows = connection.execute(chosen).all()
            scores = (
                sql.select(SCORES)
                .where(SCORES.c.number.in_([row.number for row in rows]))
                .order_by(SCORES.c.number, SCORES.c.seat)
            )
            seats: dict[int, list[SeatScore]] = {}
            for score in connection.execute(scores) if rows else ():
                seats.setdefault(score.number, []).append(_seat_score(score))
        return tuple(_finished_game(row, tuple(seats.get(row.number, ()))) for row in rows)


def last_of_each() -> sql.Select[Any]:
    """Of each channel the result of the game that was finished last."""
    channels = (
        sql.select(RESULTS.c.network, RESULTS.c.channel)
        .where(RESULTS.c.channel != books.PRACTICE)
        .distinct()
        .subquery()
    )
    of_one = RESULTS.alias()
    last = (
        sql.select(of_one.c.number)
        .where(of_one.c.network == channels.c.network, of_one.c.channel == channels.c.channel)
        .order_by(of_one.c.finished.desc(), of_one.c.number.desc())
        .limit(1)
        .correlate(channels)
        .scalar_subquery()
    )
    return sql.select(RESULTS).where(RESULTS.c.number.in_(sql.select(last).select_from(channels)))


def _group(network: str, period: str, rules: str) -> tuple[sql.ColumnElement[bool], ...]:
    return TALLIES.c.network == network, TALLIES.c.period == period, TALLIES.c.rules == rules


def _sure(network: str, rules: str, dice: str) -> tuple[sql.ColumnElement[bool], ...]:
    kind = RATINGS.c.network == network, RATINGS.c.rules == rules, RATINGS.c.dice == dice
    return (*kind, RATINGS.c.shown.is_not(None))


def _nicks(connection: sql.Connection, network: str, people: Collection[str]) -> dict[str, str]:
    chosen = sql.select(PERSONS.c.person, PERSONS.c.nick).where(
        PERSONS.c.network == network, PERSONS.c.person.in_(list(people))
    )
    return {row.person: row.nick for row in connection.execute(chosen)}


def _game_names(connection: sql.Connection, numbers: Collection[int]) -> dict[int, str]:
    chosen = sql.select(RESULTS.c.number, RESULTS.c.game).where(RESULTS.c.number.in_(list(numbers)))
    return {row.number: row.game for row in connection.execute(chosen)}


def _ratings_of(
    connection: sql.Connection, network: str, person: str, rules: str
) -> tuple[tuple[sql.Row[Any], int | None], ...]:
    """Ratings of a person; with their places for one rule set, since each has to be counted."""
    chosen = sql.select(RATINGS).where(RATINGS.c.network == network, RATINGS.c.person == person)
    if rules != ALL_RULES:
        chosen = chosen.where(RATINGS.c.rules == rules)
    found = []
    for row in connection.execute(chosen.order_by(RATINGS.c.rules, RATINGS.c.dice)).all():
        place = None
        if row.shown is not None and rules != ALL_RULES:
            better = (*_sure(network, row.rules, row.dice), RATINGS.c.shown > row.shown)
            place = connection.execute(sql.select(sql.func.count()).where(*better)).scalar_one() + 1
        found.append((row, place))
    return tuple(found)


def _rated(row: sql.Row[Any], nick: str, place: int | None) -> Rated:
    rating = Rating(row.mu, row.sigma, row.games)
    return Rated(row.person, nick, row.rules, DiceMode(row.dice), rating, place)


def _finished_game(row: sql.Row[Any], seats: tuple[SeatScore, ...]) -> FinishedGame:
    times = datetime.fromisoformat(row.opened), datetime.fromisoformat(row.finished)
    how = row.rules, DiceMode(row.dice), Pace(row.pace)
    return FinishedGame(row.number, row.game, row.channel, *how, *times, seats)


def _seat_score(row: sql.Row[Any]) -> SeatScore:
    return SeatScore(
        person=row.person,
        nick=row.nick,
        level=Level(row.level) if row.level else None,
        total=row.total,
        place=row.place,
        boxes=tuple(zip(CATEGORIES, map(int, row.boxes.split(",")), strict=True)),
        upper_bonus=row.upper_bonus,
        yahtzees=row.yahtzees,
        yahtzee_bonus=row.yahtzee_bonus,
        stood_in=row.stood_in,
        hinted=row.hinted,
        played_out=row.played_out,
        lost=None if row.lost is None else row.lost / 100,
        luck=None if row.luck is None else row.luck / 100,
    )
