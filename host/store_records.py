"""Version 4 of a store: tables for the records of finished games, and those of before entered in them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sql

from chat.casemap import fold
from chat.logger import logger
from host import books
from host.errors import StoreError
from host.events import Event, load
from host.histories import histories
from host.mentions import NAMING, mentions
from host.outcome import outcomes
from host.store_tables import EVENTS, GAMES, MENTIONS, RESULTS

log = logger(__name__)

_TABLES: Final = """
CREATE TABLE mentions (network {key} NOT NULL, name {key} NOT NULL, game VARCHAR(16) NOT NULL,
    version INTEGER NOT NULL, PRIMARY KEY (network, name, game, version));
CREATE TABLE results (number INTEGER NOT NULL, game {key} NOT NULL, network {key} NOT NULL,
    channel {key} NOT NULL, listed BOOLEAN NOT NULL, rules {key} NOT NULL, dice {key} NOT NULL,
    pace {key} NOT NULL, seats INTEGER NOT NULL, opened VARCHAR(40) NOT NULL, finished VARCHAR(40) NOT NULL,
    looked BOOLEAN NOT NULL, PRIMARY KEY (number));
CREATE UNIQUE INDEX ix_results_game ON results (game);
CREATE INDEX ix_results_name ON results (network, game);
CREATE INDEX ix_results_channel ON results (network, channel, number);
CREATE INDEX ix_results_listed ON results (network, listed, number);
CREATE INDEX ix_results_looked ON results (looked, rules, number);
CREATE TABLE scores (number INTEGER NOT NULL, seat INTEGER NOT NULL, network {key} NOT NULL,
    person {key} NOT NULL, nick VARCHAR NOT NULL, level VARCHAR(16), total INTEGER NOT NULL,
    place INTEGER NOT NULL, boxes VARCHAR(80) NOT NULL, upper_bonus BOOLEAN NOT NULL,
    yahtzees INTEGER NOT NULL, yahtzee_bonus INTEGER NOT NULL, stood_in INTEGER NOT NULL,
    hinted BOOLEAN NOT NULL, played_out BOOLEAN NOT NULL, lost INTEGER, luck INTEGER,
    PRIMARY KEY (number, seat), FOREIGN KEY(number) REFERENCES results (number));
CREATE INDEX ix_scores_person ON scores (network, person, number);
CREATE TABLE tallies (network {key} NOT NULL, person {key} NOT NULL, period {key} NOT NULL,
    rules {key} NOT NULL, games INTEGER NOT NULL, points INTEGER NOT NULL, best INTEGER NOT NULL,
    best_number INTEGER NOT NULL, yahtzees INTEGER NOT NULL, bonuses INTEGER NOT NULL,
    contests INTEGER NOT NULL, wins INTEGER NOT NULL, seconds INTEGER NOT NULL, thirds INTEGER NOT NULL,
    streak INTEGER NOT NULL, longest INTEGER NOT NULL, judged INTEGER NOT NULL, lost INTEGER NOT NULL,
    luck INTEGER NOT NULL, last_number INTEGER NOT NULL, PRIMARY KEY (network, person, period, rules));
CREATE INDEX ix_tallies_best ON tallies (network, period, rules, best DESC, best_number, person);
CREATE INDEX ix_tallies_wins ON tallies (network, period, rules, wins DESC, best DESC, best_number, person);
CREATE TABLE ratings (network {key} NOT NULL, person {key} NOT NULL, rules {key} NOT NULL,
    dice {key} NOT NULL, mu FLOAT NOT NULL, sigma FLOAT NOT NULL, games INTEGER NOT NULL,
    shown FLOAT, PRIMARY KEY (network, person, rules, dice));
CREATE INDEX ix_ratings_shown ON ratings (network, rules, dice, shown DESC, person);
CREATE TABLE seasons (season INTEGER NOT NULL, network {key} NOT NULL, name VARCHAR NOT NULL,
    starts VARCHAR(40) NOT NULL, ends VARCHAR(40) NOT NULL, PRIMARY KEY (season));
CREATE INDEX ix_seasons_network ON seasons (network);
CREATE TABLE persons (network {key} NOT NULL, person {key} NOT NULL, nick VARCHAR NOT NULL,
    folded {key} NOT NULL, PRIMARY KEY (network, person));
CREATE INDEX ix_persons_folded ON persons (network, folded)
"""
_KEY: Final = {"postgresql": 'VARCHAR COLLATE "C"'}


def add_tables(connection: sql.Connection) -> None:
    """Version 4: the tables alone."""
    key = _KEY.get(connection.dialect.name, "VARCHAR")
    for statement in _TABLES.format(key=key).split(";"):
        connection.exec_driver_sql(statement)


def catch_up(connection: sql.Connection) -> None:
    """Enter all games that have finished and are not in the records, in the order in which they did.

    They count as the last so far. Nothing is known of how the network compares names; it is taken to do it as
    most do. A game that cannot be read, which nobody has noticed so far, is left out.
    """
    finished = (
        sql.select(EVENTS.c.game)
        .where(EVENTS.c.kind == "Finished", EVENTS.c.game.not_in(sql.select(RESULTS.c.game)))
        .order_by(EVENTS.c.at, EVENTS.c.game)
    )
    games = connection.execute(finished).scalars().all()
    if games:
        log.info("finished games are counted", games=len(games))
    for game in games:
        try:
            _enter_result(connection, game)
        except (StoreError, ValueError, LookupError, AssertionError) as error:
            log.warning("a finished game cannot be counted", game=game, error=str(error))
    unnoted = sql.select(GAMES.c.game, GAMES.c.network).where(
        GAMES.c.game.not_in(sql.select(MENTIONS.c.game))
    )
    for row in connection.execute(unnoted).all():
        _note_mentions(connection, row.game, row.network)


def _enter_result(connection: sql.Connection, game: str) -> None:
    (history,) = histories(connection, GAMES.c.game == game)
    results = outcomes(history.events, fold)
    ends = sql.select(EVENTS.c.kind, EVENTS.c.wall).where(
        EVENTS.c.game == game, EVENTS.c.kind.in_(["Opened", "Finished"])
    )
    walls = {row.kind: datetime.fromisoformat(row.wall) for row in connection.execute(ends)}
    books.enter(connection, history.file, results[0], walls["Opened"], walls["Finished"])
    if len(results) > 1:
        books.amend(connection, game, results[-1], walls["Finished"])


def _note_mentions(connection: sql.Connection, game: str, network: str) -> None:
    kinds = [kind.__name__ for kind in NAMING]
    chosen = sql.select(EVENTS).where(EVENTS.c.game == game, EVENTS.c.kind.in_(kinds))
    if rows := mentions(network, game, _events(connection.execute(chosen).all())):
        connection.execute(MENTIONS.insert(), rows)


def _events(rows: Iterable[sql.Row[Any]]) -> Iterator[tuple[int, Event]]:
    for row in rows:
        try:
            yield row.version, load(row.kind, row.body)
        except ValueError:  # whoever reads the game will be told
            continue
