"""Enters finished games of the journal that are not in the records: those of before, and imported ones."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any

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


def catch_up(connection: sql.Connection, taken_in: datetime | None = None) -> None:
    """Enter all games that have finished and are not in the records, in the order in which they did.

    They count as the last so far, and as `taken_in` from elsewhere then, where that is said. A game that
    cannot be read, which nobody has noticed so far, is left out.
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
            _enter_result(connection, game, taken_in)
        except (StoreError, ValueError, LookupError, AssertionError) as error:
            log.warning("a finished game cannot be counted", game=game, error=str(error))
    unnoted = sql.select(GAMES.c.game, GAMES.c.network).where(
        GAMES.c.game.not_in(sql.select(MENTIONS.c.game))
    )
    for row in connection.execute(unnoted).all():
        _note_mentions(connection, row.game, row.network)


def _enter_result(connection: sql.Connection, game: str, taken_in: datetime | None) -> None:
    (history,) = histories(connection, GAMES.c.game == game)
    casemapping = books.casemapping(connection, history.file.network)
    results = outcomes(history.events, lambda name: fold(name, casemapping))
    ends = sql.select(EVENTS.c.kind, EVENTS.c.wall).where(
        EVENTS.c.game == game, EVENTS.c.kind.in_(["Opened", "Finished"])
    )
    walls = {row.kind: datetime.fromisoformat(row.wall) for row in connection.execute(ends)}
    times = books.Times(walls["Opened"], walls["Finished"], taken_in)
    books.enter(connection, history.file, results[0], times)
    if len(results) > 1:
        books.amend(connection, game, results[-1], times.entered)


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
