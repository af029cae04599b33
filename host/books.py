"""Keeps the records of finished games: results and scores, and the sums and ratings that follow from them.

All of it is done in a transaction of the caller's, on the loop, so that it has to be quick.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sql

from chat.casemap import DEFAULT_CASEMAPPING, fold
from host.histories import GameFile
from host.outcome import Outcome, Score, first_seats
from host.rating import Rating, rate, rated
from host.store_tables import NETWORKS, PERSONS, RATINGS, RESULTS, SCORES, SEASONS, TALLIES
from host.tallies import ALL_RULES, Entry, Span, Tally, bounds, period, periods, season_period, streaks

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


@dataclass(frozen=True, slots=True)
class Times:
    """When a game was opened, when it finished, and when it was taken in from elsewhere, if it was."""

    opened: datetime
    finished: datetime
    taken_in: datetime | None = None

    @property
    def entered(self) -> datetime:
        """When it came into the records."""
        return self.taken_in or self.finished

    def count_for(self, season: Season) -> bool:
        """Whether it is of a season. One that is over takes in nothing more."""
        return season.has(self.finished) and self.entered < season.ends


def enter(connection: sql.Connection, file: GameFile, outcome: Outcome, times: Times) -> None:
    """Write down a game that has finished, with all that it counts for."""
    latest: int | None = connection.execute(sql.select(sql.func.max(RESULTS.c.number))).scalar()
    number, listed = (latest or 0) + 1, file.channel != PRACTICE
    first = first_seats(outcome.scores)
    contest = len(first) > 1
    row: dict[str, object] = {"number": number, "game": file.game, "network": file.network}
    row |= {"channel": file.channel, "listed": listed, "looked": False, "contest": contest}
    row |= {"rules": outcome.rules, "dice": outcome.dice.value, "pace": outcome.pace.value}
    row |= {"opened": times.opened.isoformat(), "finished": times.finished.isoformat()}
    row |= {"taken_in": times.taken_in and times.taken_in.isoformat()}
    connection.execute(RESULTS.insert().values(row))
    people = [score for seat, score in enumerate(outcome.scores) if not score.level]
    counted = {seat for person, seat in first.items() if listed and not outcome.scores[seat].level}
    rows = [
        {"number": number, "seat": seat, "network": file.network, "person": score.person, "nick": score.nick}
        | {"level": score.level.value if score.level else None, "counts": seat in counted}
        | {"stood_in": score.stood_in, "hinted": score.hinted, "played_out": score.played_out}
        | {"lost": None, "luck": None}
        | _points(score)
        for seat, score in enumerate(outcome.scores)
    ]
    connection.execute(SCORES.insert(), rows)
    if not listed:
        return
    _name(connection, file.network, people)
    spans = _spans(times, all_seasons(connection, file.network))
    found = _tallies(connection, file.network, {one.person for one in people}, spans, outcome.rules)
    new = dict(found)
    for seat in counted:
        score = outcome.scores[seat]
        for cell in cells(score.person, spans, outcome.rules):
            new[cell] = new.get(cell, Tally()).after(_entry(number, contest, score))
    _keep_tallies(connection, file.network, new, found)
    _rate(connection, file.network, outcome)


def amend(connection: sql.Connection, game: str, outcome: Outcome, wall: datetime) -> None:
    """Write down what a game came to now that a score was put right; names stay as they are written.

    Ratings stay, and so do the tables of seasons that are over.
    """
    result = _result(connection, game)
    if result is None:
        return
    before = connection.execute(
        sql.select(SCORES).where(SCORES.c.number == result.number, SCORES.c.counts == sql.true())
    ).all()
    update = SCORES.update().where(
        SCORES.c.number == result.number, SCORES.c.seat == sql.bindparam("of_seat")
    )
    rows = [_points(score) | {"of_seat": seat} for seat, score in enumerate(outcome.scores)]
    connection.execute(update.values({key: sql.bindparam(key) for key in _points(outcome.scores[0])}), rows)
    finished = datetime.fromisoformat(result.finished)
    within = {period(span, finished): bounds(span, finished) for span in Span}
    for season in all_seasons(connection, result.network):
        if season.has(finished) and wall < season.ends:
            within[season_period(season.season)] = season.starts, season.ends
    people = {row.person for row in before}
    found = _tallies(connection, result.network, people, within, result.rules)
    new = dict(found)
    for row in before:
        was = _entry(result.number, result.contest, row)
        now = _entry(result.number, result.contest, outcome.scores[row.seat])
        for cell in cells(row.person, within, result.rules):
            if cell in new:
                games = _counted(result.network, cell, within[cell[1]])
                new[cell] = _put_right(connection, new[cell], was, now, games)
    _keep_tallies(connection, result.network, new, found)


def _put_right(
    connection: sql.Connection, tally: Tally, was: Entry, now: Entry, games: sql.Select[Any]
) -> Tally:
    """Sums with one of their `games` otherwise, which are read where the best or a streak may be another."""
    tally = tally.put_right(was, now)
    may_be_best = tally.best_number == now.number or now.total >= tally.best
    if now.played_out and was.total != now.total and may_be_best:
        chosen = games.with_only_columns(SCORES.c.total, SCORES.c.number)
        best = chosen.where(SCORES.c.played_out).order_by(SCORES.c.total.desc(), SCORES.c.number).limit(1)
        total, number = connection.execute(best).one()
        tally = replace(tally, best=total, best_number=number)
    if was.came(1) != now.came(1):
        chosen = games.with_only_columns(SCORES.c.played_out, SCORES.c.place).where(RESULTS.c.contest)
        contests = connection.execute(chosen.order_by(SCORES.c.number))
        streak, longest = streaks(played_out and place == 1 for played_out, place in contests)
        tally = replace(tally, streak=streak, longest=longest)
    return tally


def judge(connection: sql.Connection, game: str, judged: Judged) -> None:
    """Write down what perfect play says of a game, once; of seats that are not there it says nothing.

    Nor is anything written of a seat that the host has played rounds of, since these decided well.
    """
    result = _result(connection, game)
    if result is None or result.looked:
        return
    looked = RESULTS.update().where(RESULTS.c.number == result.number).values(looked=True)
    connection.execute(looked)
    chosen = sql.select(SCORES).where(SCORES.c.number == result.number, SCORES.c.stood_in == 0)
    own = {row.seat: row for row in connection.execute(chosen) if row.seat in judged}
    if not own:
        return
    update = SCORES.update().where(
        SCORES.c.number == result.number, SCORES.c.seat == sql.bindparam("of_seat")
    )
    connection.execute(
        update.values(lost=sql.bindparam("lost"), luck=sql.bindparam("luck")),
        [dict(zip(("of_seat", "lost", "luck"), (seat, *judged[seat]), strict=True)) for seat in own],
    )
    people = {row.person: seat for seat, row in own.items() if row.counts and row.played_out}
    walls = (result.opened, result.finished, result.taken_in)
    times = Times(*(datetime.fromisoformat(wall) for wall in walls if wall))
    spans = _spans(times, all_seasons(connection, result.network))
    found = _tallies(connection, result.network, people, spans, result.rules)
    new = {cell: tally.judge(*judged[people[cell[0]]]) for cell, tally in found.items()}
    _keep_tallies(connection, result.network, new, found)


def casemapping(connection: sql.Connection, network: str) -> str:
    """How a network compares names; as most do where that is not known."""
    chosen = sql.select(NETWORKS.c.casemapping).where(NETWORKS.c.network == network)
    return connection.execute(chosen).scalar() or DEFAULT_CASEMAPPING


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


def _result(connection: sql.Connection, game: str) -> sql.Row[Any] | None:
    return connection.execute(sql.select(RESULTS).where(RESULTS.c.game == game)).one_or_none()


def _spans(times: Times, seasons: Iterable[Season]) -> tuple[str, ...]:
    within = (season_period(one.season) for one in seasons if times.count_for(one))
    return (*periods(times.finished), *within)


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


def _entry(number: int, contest: bool, score: Score | sql.Row[Any]) -> Entry:
    """What a score counts for; a row of SCORES says it by the same names."""
    return Entry(
        number, contest, score.played_out, score.total, score.place, score.upper_bonus, score.yahtzees
    )


def _counted(network: str, cell: Cell, within: tuple[datetime, datetime]) -> sql.Select[Any]:
    """The scores that a sum is of, and their results."""
    person, _, rules = cell
    first, end = (when.astimezone(UTC).isoformat() for when in within)
    chosen = (
        sql.select(SCORES)
        .join(RESULTS, SCORES.c.number == RESULTS.c.number)
        .where(SCORES.c.network == network, SCORES.c.person == person, SCORES.c.counts == sql.true())
        .where(RESULTS.c.finished >= first, RESULTS.c.finished < end)
    )
    return chosen if rules == ALL_RULES else chosen.where(RESULTS.c.rules == rules)


def _name(connection: sql.Connection, network: str, people: Sequence[Score]) -> None:
    """Remember how people were called last."""
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
