"""Games that have ended, whole, as they leave a store and come into another one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final

import sqlalchemy as sql

from host.errors import StoreError
from host.events import ENDINGS, Event
from host.histories import GameFile, game_file, read_event
from host.journal import event_row, file_row
from host.store_tables import EVENTS, GAMES
from host.table import Table

_BATCH: Final = 500
"""Games whose names are read at a time."""


@dataclass(frozen=True, slots=True)
class Entry:
    """An event, with the times of the host's clock and of day that it was recorded at."""

    at: float
    wall: datetime
    event: Event


@dataclass(frozen=True, slots=True)
class Archived:
    """All that the journal holds of a game."""

    file: GameFile
    entries: tuple[Entry, ...]

    def table(self) -> Table:
        """The table as the last event left it."""
        table = Table()
        for entry in self.entries:
            table = table.after(entry.event, entry.at)
        return table


@dataclass(frozen=True, slots=True)
class Wanted:
    """Which of the games that have ended are meant: all of them, but for what is said here."""

    games: tuple[str, ...] = ()
    """These alone; all when none is named."""

    since: datetime | None = None
    """Those that ended then or later, to the second."""

    def condition(self) -> sql.ColumnElement[bool]:
        """The same for the database."""
        meant: list[sql.ColumnElement[bool]] = [GAMES.c.ended]
        if self.games:
            meant.append(GAMES.c.game.in_(self.games))
        if self.since:
            # The journal's times are UTC in ISO 8601, which sort as text; a fraction and the zone come after.
            since = self.since.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S")
            kinds = [kind.__name__ for kind in ENDINGS]
            end = EVENTS.alias()
            ended = (end.c.game == GAMES.c.game) & end.c.kind.in_(kinds) & (end.c.wall >= since)
            meant.append(sql.exists().where(ended))
        return sql.and_(*meant)


def ended(connection: sql.Connection, wanted: Wanted) -> Iterator[Archived]:
    """The games that are meant, in the order in which they were opened; one at a time is in memory.

    Raises StoreError at the first that cannot be read.
    """
    first = (EVENTS.c.game == GAMES.c.game) & (EVENTS.c.version == 0)
    found = (
        sql.select(GAMES)
        .join(EVENTS, first, isouter=True)
        .where(wanted.condition())
        .order_by(EVENTS.c.at, GAMES.c.game)
        .execution_options(yield_per=_BATCH)
    )
    with connection.execute(found) as rows:
        for row in rows:
            yield _read(connection, row)


def on(connection: sql.Connection) -> int:
    """How many games are on."""
    counted = sql.select(sql.func.count()).select_from(GAMES).where(~GAMES.c.ended)
    return connection.execute(counted).scalar_one()


def check_named(connection: sql.Connection, wanted: Wanted) -> None:
    """See that each game that is named has ended. Raises StoreError for the first that has not."""
    for game in wanted.games:
        ended = connection.execute(sql.select(GAMES.c.ended).where(GAMES.c.game == game)).scalar()
        if ended is None:
            raise StoreError(f"there is no game {game!r}")
        if not ended:
            raise StoreError(f"game {game} is on, and its seed is secret until it ends")


def find(connection: sql.Connection, game: str) -> Archived | None:
    """A game, on or not; None when there is none of this name. Raises StoreError when it cannot be read."""
    row = connection.execute(sql.select(GAMES).where(GAMES.c.game == game)).one_or_none()
    return None if row is None else _read(connection, row)


def add(connection: sql.Connection, game: Archived) -> None:
    """Write a game that has ended and is not there yet; `entering.catch_up` enters it in the records."""
    connection.execute(GAMES.insert().values(file_row(game.file) | {"ended": True}))
    rows = [
        event_row(game.file, number, entry.event, entry.at, entry.wall)
        for number, entry in enumerate(game.entries)
    ]
    connection.execute(EVENTS.insert(), rows)


def _read(connection: sql.Connection, row: sql.Row[Any]) -> Archived:
    file = game_file(row)
    chosen = sql.select(EVENTS).where(EVENTS.c.game == file.game).order_by(EVENTS.c.version)
    try:
        entries = tuple(
            Entry(found.at, datetime.fromisoformat(found.wall), read_event(row, number, found))
            for number, found in enumerate(connection.execute(chosen).all())
        )
    except ValueError as error:
        raise StoreError(f"game {file.game} cannot be read: {error}") from error
    if row.ended != any(isinstance(entry.event, ENDINGS) for entry in entries):
        raise StoreError(f"game {file.game} cannot be read: its end is missing, or is not said")
    return Archived(file, entries)
