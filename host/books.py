"""Keeps the records of finished games: results and scores, and the sums and ratings that follow from them.

All of it is done in a transaction of the caller's, on the loop, so that it has to be quick.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sql

from chat.casemap import fold
from host.histories import GameFile
from host.outcome import Outcome, Score
from host.rating import Rating, rate, rated
from host.store_tables import PERSONS, RATINGS, RESULTS, SCORES, SEASONS, TALLIES
from host.tallies import ALL_RULES, Entry, Tally, periods, season_period

PRACTICE: Final = "practice"
"""The word in place of a channel for games that count for nothing."""

_TALLY: Final = tuple(TALLIES.c[field.name] for field in fields(Tally))
_SUMS: Final = tuple(column.name for column in _TALLY)

Cell = tuple[str, str, str]
"""Which sums: person, period, rules."""

Rows = Mapping[Any, dict[str, Any]]
"""What is in a table of a network, by the rest of its key."""

Judged = Mapping[int, tuple[int, int]]
"""What decisions lost and what luck brought, in hundredths of a point, by seat."""


@dataclass(frozen=True, slots=True)
class Season:
    """A league for a time. What finishes from its start on and before its end counts."""

    season: int
    name: str
    starts: datetime
    ends: datetime

    def has(self, wall: datetime) -> bool:
        return self.starts <= wall < self.ends


def enter(
    connection: sql.Connection, file: GameFile, outcome: Outcome, opened: datetime, finished: datetime
) -> None:
    """Write down a game that has just finished, with all that it counts for."""
    latest: int | None = connection.execute(sql.select(sql.func.max(RESULTS.c.number))).scalar()
    number, listed = (latest or 0) + 1, file.channel != PRACTICE
    row: dict[str, object] = {"number": number, "game": file.game, "network": file.network}
    row |= {"channel": file.channel, "listed": listed, "looked": False, "seats": len(outcome.scores)}
    row |= {"rules": outcome.rules, "dice": outcome.dice.value, "pace": outcome.pace.value}
    row |= {"opened": opened.isoformat(), "finished": finished.isoformat()}
    connection.execute(RESULTS.insert().values(row))
    rows = [
        {"number": number, "seat": seat, "network": file.network, "person": score.person, "nick": score.nick}
        | {"level": score.level.value if score.level else None, "stood_in": score.stood_in}
        | {"hinted": score.hinted, "played_out": score.played_out, "lost": None, "luck": None}
        | _points(score)
        for seat, score in enumerate(outcome.scores)
    ]
    connection.execute(SCORES.insert(), rows)
    if not listed:
        return
    _name(connection, file.network, outcome.scores)
    seasons = [season for season in all_seasons(connection, file.network) if season.has(finished)]
    spans = (*periods(finished), *(season_period(one.season) for one in seasons))
    people = [score for score in outcome.scores if score.level is None]
    found = _tallies(connection, file.network, {one.person for one in people}, spans, outcome.rules)
    new = dict(found)
    for score in people:
        entry = _entry(number, len(outcome.scores), score)
        for cell in cells(score.person, spans, outcome.rules):
            new[cell] = new.get(cell, Tally()).after(entry)
    _keep_tallies(connection, file.network, new, found)
    _rate(connection, file.network, outcome)


def amend(connection: sql.Connection, game: str, outcome: Outcome, wall: datetime) -> None:
    """Write down what a game came to now that a score was put right; names stay as they are written.

    Ratings stay, and so do the tables of seasons that are over.
    """
    result = connection.execute(sql.select(RESULTS).where(RESULTS.c.game == game)).one_or_none()
    if result is None:
        return
    update = SCORES.update().where(
        SCORES.c.number == result.number, SCORES.c.seat == sql.bindparam("of_seat")
    )
    rows = [_points(score) | {"of_seat": seat} for seat, score in enumerate(outcome.scores)]
    connection.execute(update.values({key: sql.bindparam(key) for key in _points(outcome.scores[0])}), rows)
    if not result.listed:
        return
    finished = datetime.fromisoformat(result.finished)
    open_ = [one for one in all_seasons(connection, result.network) if one.has(wall) and one.has(finished)]
    spans = {*periods(finished), *(season_period(one.season) for one in open_)}
    players = sql.select(SCORES.c.person).where(SCORES.c.number == result.number, SCORES.c.level.is_(None))
    people = set(connection.execute(players).scalars())
    found = _tallies(connection, result.network, people, spans, result.rules)
    new: dict[Cell, Tally] = {}
    for person in people:
        for row in connection.execute(_games_of(result.network, person)):
            entry = Entry(*(getattr(row, field.name) for field in fields(Entry)))
            for cell in cells(person, _spans(datetime.fromisoformat(row.finished), open_), row.rules):
                if cell in found:
                    new[cell] = new.get(cell, Tally()).after(entry)
    _keep_tallies(connection, result.network, new, found)


def judge(connection: sql.Connection, game: str, judged: Judged) -> None:
    """Write down what perfect play says of a game, once; of seats that are not there it says nothing."""
    result = connection.execute(sql.select(RESULTS).where(RESULTS.c.game == game)).one_or_none()
    if result is None or result.looked:
        return
    looked = RESULTS.update().where(RESULTS.c.number == result.number).values(looked=True)
    connection.execute(looked)
    if not judged:
        return
    update = SCORES.update().where(
        SCORES.c.number == result.number, SCORES.c.seat == sql.bindparam("of_seat")
    )
    connection.execute(
        update.values(lost=sql.bindparam("lost"), luck=sql.bindparam("luck")),
        [{"of_seat": seat, "lost": lost, "luck": luck} for seat, (lost, luck) in judged.items()],
    )
    if not result.listed:
        return
    players = sql.select(SCORES.c.seat, SCORES.c.person).where(
        SCORES.c.number == result.number, SCORES.c.level.is_(None)
    )
    people = {row.seat: row.person for row in connection.execute(players) if row.seat in judged}
    finished = datetime.fromisoformat(result.finished)
    spans = _spans(finished, all_seasons(connection, result.network))
    found = _tallies(connection, result.network, set(people.values()), spans, result.rules)
    new = dict(found)
    for seat, person in people.items():
        for cell in cells(person, spans, result.rules):
            if cell in new:  # a season that was over before the game was written down has none
                new[cell] = new[cell].judge(*judged[seat])
    _keep_tallies(connection, result.network, new, found)


def all_seasons(connection: sql.Connection, network: str) -> list[Season]:
    """The seasons of a network, those that are over too, in the order in which they were opened."""
    chosen = sql.select(SEASONS).where(SEASONS.c.network == network).order_by(SEASONS.c.season)
    return [
        Season(row.season, row.name, datetime.fromisoformat(row.starts), datetime.fromisoformat(row.ends))
        for row in connection.execute(chosen)
    ]


def cells(person: str, spans: Iterable[str], rules: str) -> Iterator[Cell]:
    """All sums that a game of these rules and periods is in."""
    return ((person, span, which) for span in spans for which in (ALL_RULES, rules))


def _spans(finished: datetime, seasons: Iterable[Season]) -> tuple[str, ...]:
    within = (season_period(one.season) for one in seasons if one.has(finished))
    return (*periods(finished), *within)


def _points(score: Score) -> dict[str, object]:
    """What an amended box may change."""
    return {
        "total": score.total,
        "place": score.place,
        "boxes": ",".join(map(str, score.boxes)),
        "upper_bonus": score.upper_bonus,
        "yahtzees": score.yahtzees,
        "yahtzee_bonus": score.yahtzee_bonus,
    }


def _entry(number: int, seats: int, score: Score) -> Entry:
    return Entry(
        number, seats, score.total, score.place, score.upper_bonus, score.yahtzees, lost=None, luck=None
    )


def _games_of(network: str, person: str) -> sql.Select[Any]:
    scores = (SCORES.c[name] for name in ("total", "place", "upper_bonus", "yahtzees", "lost", "luck"))
    return (
        sql.select(RESULTS.c.number, RESULTS.c.seats, RESULTS.c.rules, RESULTS.c.finished, *scores)
        .join(SCORES, SCORES.c.number == RESULTS.c.number)
        .where(SCORES.c.network == network, SCORES.c.person == person, RESULTS.c.listed == sql.true())
        .order_by(SCORES.c.number, SCORES.c.seat)
    )


def _name(connection: sql.Connection, network: str, scores: Sequence[Score]) -> None:
    """Remember how people were called last."""
    people = [score for score in scores if score.level is None]
    chosen = sql.select(PERSONS).where(
        PERSONS.c.network == network, PERSONS.c.person.in_([score.person for score in people])
    )
    known = {row.person: row.nick for row in connection.execute(chosen)}
    rows, found = (
        {(person,): {"nick": nick, "folded": fold(nick)} for person, nick in one.items()}
        for one in ({score.person: score.nick for score in people}, known)
    )
    _keep(connection, PERSONS, network, rows, found)


def _tallies(
    connection: sql.Connection, network: str, people: Collection[str], spans: Collection[str], rules: str
) -> dict[Cell, Tally]:
    chosen = sql.select(TALLIES.c.person, TALLIES.c.period, TALLIES.c.rules, *_TALLY).where(
        TALLIES.c.network == network,
        TALLIES.c.person.in_(list(people)),
        TALLIES.c.period.in_(list(spans)),
        TALLIES.c.rules.in_([ALL_RULES, rules]),
    )
    return {(row[0], row[1], row[2]): Tally(*row[3:]) for row in connection.execute(chosen)}


def _keep_tallies(
    connection: sql.Connection, network: str, new: Mapping[Cell, Tally], old: Mapping[Cell, Tally]
) -> None:
    rows, found = ({cell: _tally_row(tally) for cell, tally in one.items()} for one in (new, old))
    _keep(connection, TALLIES, network, rows, found)


def _tally_row(tally: Tally) -> dict[str, int]:
    return {name: getattr(tally, name) for name in _SUMS}  # asdict takes half of the time of all


def _rate(connection: sql.Connection, network: str, outcome: Outcome) -> None:
    scores = rated(outcome.scores)
    if not scores:
        return
    kind = {"rules": outcome.rules, "dice": outcome.dice.value}
    chosen = sql.select(RATINGS).where(
        RATINGS.c.network == network,
        RATINGS.c.person.in_(list(scores)),
        RATINGS.c.rules == kind["rules"],
        RATINGS.c.dice == kind["dice"],
    )
    found = {row.person: Rating(row.mu, row.sigma, row.games) for row in connection.execute(chosen)}
    after = rate(list(scores.values()), [found.get(person, Rating()) for person in scores])
    cell = (*kind.values(),)
    rows = {(person, *cell): _rating_row(one) for person, one in zip(scores, after, strict=True)}
    old = {(person, *cell): _rating_row(one) for person, one in found.items()}
    _keep(connection, RATINGS, network, rows, old)


def _rating_row(rating: Rating) -> dict[str, object]:
    return {
        "mu": rating.mu,
        "sigma": rating.sigma,
        "games": rating.games,
        "shown": None if rating.provisional else rating.shown,
    }


def _keep(
    connection: sql.Connection,
    table: sql.Table,
    network: str,
    rows: Rows,
    found: Rows,
) -> None:
    """Have these rows in a table of a network, in place of those that were `found` there."""
    keys = [column.name for column in table.primary_key if column.name != "network"]
    new = [
        {"network": network, **dict(zip(keys, key, strict=True)), **row}
        for key, row in rows.items()
        if key not in found
    ]
    if new:
        connection.execute(table.insert(), new)
    changed = {key: row for key, row in rows.items() if key in found and found[key] != row}
    if changed:
        names = next(iter(changed.values()))
        update = table.update().where(
            table.c.network == network, *(table.c[key] == sql.bindparam(f"of_{key}") for key in keys)
        )
        connection.execute(
            update.values({name: sql.bindparam(name) for name in names}),
            [
                {f"of_{name}": part for name, part in zip(keys, key, strict=True)} | row
                for key, row in changed.items()
            ],
        )
