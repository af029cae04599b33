"""Games as they are read from a store. An event that is not as it was written is told, never passed over."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any, Final

import sqlalchemy as sql

from host.errors import StoreError
from host.events import ENDINGS, Event, load
from host.store_tables import EVENTS, GAMES, seal

_BATCH: Final = 2000
"""Rows that are read at a time."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """What identifies a game in the store. The seed never shows in its repr."""

    game: str
    network: str
    channel: str
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class History:
    """A game as it is in the store: its events with the times they were recorded at."""

    file: GameFile
    events: tuple[tuple[float, Event], ...]
    told: bool = field(default=False, compare=False)
    """Whether its result is no news, whatever the events say: it came from elsewhere."""


@dataclass(frozen=True, slots=True)
class Sealed:
    """A game as rows that were read and not looked at yet, which is most of the work."""

    game: sql.Row[Any] = field(repr=False)
    rows: Sequence[sql.Row[Any]] = field(repr=False)

    @property
    def name(self) -> str:
        return str(self.game.game)

    def history(self) -> History:
        """The game. Raises StoreError when it is not as it was written."""
        return _history(self.game, self.rows, on=False)


def sealed(connection: sql.Connection, game: str) -> Sealed | None:
    """A game that is in the store, however it stands."""
    found = connection.execute(sql.select(GAMES).where(GAMES.c.game == game)).one_or_none()
    rows = sql.select(EVENTS).where(EVENTS.c.game == game).order_by(EVENTS.c.version)
    return Sealed(found, connection.execute(rows).all()) if found else None


def histories(
    connection: sql.Connection, which: sql.ColumnElement[bool], *, on: bool = False
) -> Iterator[History]:
    """The games that are meant, read at one go; `on` says that none of them may have ended."""
    games = {row.game: row for row in connection.execute(sql.select(GAMES).where(which))}
    chosen = (
        sql.select(EVENTS)
        .join(GAMES, GAMES.c.game == EVENTS.c.game)
        .where(which)
        .order_by(EVENTS.c.game, EVENTS.c.version)
        .execution_options(yield_per=_BATCH)
    )
    with connection.execute(chosen) as found:
        for name, rows in groupby(found, key=lambda row: row.game):
            yield _history(games.pop(name), rows, on=on)
    if games:
        raise StoreError(f"game {min(games)} cannot be read: it has no events")


def _history(game: sql.Row[Any], rows: Iterable[sql.Row[Any]], *, on: bool) -> History:
    file = game_file(game)
    events: list[tuple[float, Event]] = []
    try:
        for number, row in enumerate(rows):
            events.append((row.at, read_event(game, number, row)))
            if on and isinstance(events[-1][1], ENDINGS):
                raise ValueError("it has ended, and does not say so")
    except ValueError as error:
        raise StoreError(f"game {file.game} cannot be read: {error}") from error
    return History(file, tuple(events))


def read_event(game: sql.Row[Any], number: int, row: sql.Row[Any]) -> Event:
    """The event of a row, which has to be this one of the game. Raises ValueError when it is not."""
    if row.version != number:
        raise ValueError(f"event {number} is missing")
    if row.seal != seal(game, row):
        raise ValueError(f"event {number} is not as it was written")
    return load(row.kind, row.body)


def game_file(game: sql.Row[Any]) -> GameFile:
    """What the row of a game says. Raises StoreError when its seed is none."""
    if not isinstance(game.seed, bytes | memoryview):
        raise StoreError(f"game {game.game} cannot be read: its seed is no bytes")
    return GameFile(game.game, game.network, game.channel, bytes(game.seed))
