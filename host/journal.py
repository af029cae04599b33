"""What happened, on disk: every event of every game, written before anyone hears of it.

An append is one transaction. The key (game, version) makes it impossible to write two histories of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, Self

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, SQLAlchemyError

from host.errors import StoreError
from host.events import ENDINGS, Event, dump, load
from host.preference import Preference
from protocol.commands import Style

SCHEMA_VERSION: Final = 1
_PATIENCE: Final = 0.25
"""Seconds to wait for a lock that another process holds on the store. All networks wait as long."""

_TABLES: Final = sql.MetaData()

_META: Final = sql.Table(
    "yardzee",
    _TABLES,
    sql.Column("schema_version", sql.Integer, nullable=False),
)
_GAMES: Final = sql.Table(
    "games",
    _TABLES,
    sql.Column("game", sql.String(16), primary_key=True),
    sql.Column("network", sql.String, nullable=False),
    sql.Column("channel", sql.String, nullable=False),
    sql.Column("seed", sql.LargeBinary, nullable=False),
    sql.Column("ended", sql.Boolean, nullable=False, index=True),
)
_EVENTS: Final = sql.Table(
    "events",
    _TABLES,
    sql.Column("game", sql.ForeignKey("games.game"), primary_key=True),
    sql.Column("version", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("at", sql.Float, nullable=False, index=True),
    sql.Column("wall", sql.String(40), nullable=False),  # ISO 8601 with its zone; SQLite has no such type
    sql.Column("kind", sql.String(32), nullable=False),
    sql.Column("body", sql.Text, nullable=False),
)
_PREFERENCES: Final = sql.Table(
    "preferences",
    _TABLES,
    sql.Column("network", sql.String, primary_key=True),
    sql.Column("nick", sql.String, primary_key=True),
    sql.Column("style", sql.String(16), nullable=False),
    sql.Column("notice", sql.Boolean, nullable=False),
)


@dataclass(frozen=True, slots=True)
class GameFile:
    """What identifies a game in the store. The seed never shows in its repr."""

    game: str
    network: str
    channel: str
    seed: bytes = field(repr=False)


@dataclass(frozen=True, slots=True)
class History:
    """A game that was on when the host stopped: its events with the times they were recorded at."""

    file: GameFile
    events: tuple[tuple[float, Event], ...]


class Journal:
    """An open store.

    Every method raises StoreError when the store does not answer; nothing was written then.
    """

    def __init__(self, engine: sql.Engine) -> None:
        self._engine = engine

    @classmethod
    def open(cls, url: str, patience: float = _PATIENCE) -> Self:
        """Open the store of an SQLAlchemy URL, and make it if it is new.

        A lock that another process holds is waited for `patience` seconds.

        Raises StoreError when it cannot be used, or was written by another version of the schema; it is as
        it was then.
        """
        try:
            # Parameters show in messages otherwise, and so in the log, and the seed of a game is one.
            engine = sql.create_engine(url, hide_parameters=True)
        except (SQLAlchemyError, ImportError) as error:
            # Without the URL, which may hold a password.
            raise StoreError(f"the store cannot be used: {error}") from error
        if engine.dialect.name == "sqlite":
            sql.event.listen(engine, "connect", _set_up_sqlite(patience))
        journal = cls(engine)
        try:
            journal._check_schema()
            journal._prepare()
        except BaseException:
            journal.close()
            raise
        return journal

    def close(self) -> None:
        """Let go of the store; what was appended is in it."""
        self._engine.dispose()

    def append(
        self, file: GameFile, version: int, events: Sequence[Event], at: float, wall: datetime
    ) -> None:
        """Write events of a game in one transaction; `version` is the number of events it has so far.

        The game itself is written with its first events. Raises StoreError when it has another number.
        """
        with self._transaction(write=True) as connection:
            latest = sql.select(sql.func.max(_EVENTS.c.version)).where(_EVENTS.c.game == file.game)
            last: int | None = connection.execute(latest).scalar()
            known = 0 if last is None else last + 1
            if known != version:
                raise StoreError(f"game {file.game} has {known} events, not {version}")
            if version == 0:
                connection.execute(_GAMES.insert().values(_file_row(file)))
            rows = []
            for number, event in enumerate(events, start=version):
                kind, body = dump(event)
                rows.append(
                    {
                        "game": file.game,
                        "version": number,
                        "at": at,
                        "wall": wall.isoformat(),
                        "kind": kind,
                        "body": body,
                    }
                )
            connection.execute(_EVENTS.insert(), rows)
            if any(isinstance(event, ENDINGS) for event in events):
                ended = _GAMES.update().where(_GAMES.c.game == file.game).values(ended=True)
                connection.execute(ended)

    def unfinished(self) -> list[History]:
        """The games that were on, each with its whole history."""
        with self._transaction() as connection:
            return [self._history(connection, row) for row in self._open_games(connection)]

    def last_time(self) -> float:
        """The latest time of the host's clock that any event was recorded at; 0 for a new store."""
        with self._transaction() as connection:
            latest: float | None = connection.execute(sql.select(sql.func.max(_EVENTS.c.at))).scalar()
            return latest or 0.0

    def preference(self, network: str, nick: str) -> Preference:
        """What the player of this folded nick chose, or the default."""
        chosen = sql.select(_PREFERENCES).where(
            _PREFERENCES.c.network == network, _PREFERENCES.c.nick == nick
        )
        with self._transaction() as connection:
            row = connection.execute(chosen).one_or_none()
        return Preference(Style(row.style), row.notice) if row else Preference()

    def prefer(self, network: str, nick: str, preference: Preference) -> None:
        """Remember what the player of this folded nick chose."""
        key = (_PREFERENCES.c.network == network) & (_PREFERENCES.c.nick == nick)
        row = {
            "network": network,
            "nick": nick,
            "style": preference.style.value,
            "notice": preference.notice,
        }
        with self._transaction(write=True) as connection:
            connection.execute(_PREFERENCES.delete().where(key))
            connection.execute(_PREFERENCES.insert().values(row))

    def _check_schema(self) -> None:
        with self._transaction(write=True) as connection:
            known = sql.inspect(connection).get_table_names()
            if _META.name not in known:
                if known:
                    raise StoreError(f"{self._engine.url} holds tables of something else: {', '.join(known)}")
                _TABLES.create_all(connection)
                connection.execute(_META.insert().values(schema_version=SCHEMA_VERSION))
            version = connection.execute(sql.select(_META.c.schema_version)).scalar_one()
        if version != SCHEMA_VERSION:
            raise StoreError(
                f"{self._engine.url} has schema version {version}, this host reads {SCHEMA_VERSION}"
            )

    def _prepare(self) -> None:
        """Let others read while the host writes: a mode of the file itself, set once it is known as ours."""
        if self._sqlite:
            with self._connection() as connection:
                connection.exec_driver_sql("PRAGMA journal_mode=WAL")

    @staticmethod
    def _open_games(connection: sql.Connection) -> Sequence[sql.Row[Any]]:
        return connection.execute(sql.select(_GAMES).where(~_GAMES.c.ended)).all()

    @staticmethod
    def _history(connection: sql.Connection, game: sql.Row[Any]) -> History:
        file = GameFile(game.game, game.network, game.channel, game.seed)
        chosen = sql.select(_EVENTS).where(_EVENTS.c.game == file.game).order_by(_EVENTS.c.version)
        try:
            events = tuple((row.at, load(row.kind, row.body)) for row in connection.execute(chosen))
        except ValueError as error:
            raise StoreError(f"game {file.game} cannot be read: {error}") from error
        return History(file, events)

    @property
    def _sqlite(self) -> bool:
        return self._engine.dialect.name == "sqlite"

    @contextmanager
    def _transaction(self, *, write: bool = False) -> Iterator[sql.Connection]:
        with self._connection() as connection, connection.begin():
            if self._sqlite:
                # The driver begins by itself only before some statements, and never before CREATE TABLE.
                connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
            yield connection

    @contextmanager
    def _connection(self) -> Iterator[sql.Connection]:
        try:
            with self._engine.connect() as connection:
                yield connection
        except SQLAlchemyError as error:
            reason = error.orig if isinstance(error, DBAPIError) else error
            raise StoreError(f"{self._engine.url}: {reason}") from error


def _file_row(file: GameFile) -> dict[str, object]:
    return {
        "game": file.game,
        "network": file.network,
        "channel": file.channel,
        "seed": file.seed,
        "ended": False,
    }


def _set_up_sqlite(patience: float) -> Callable[[Any, object], None]:
    """Durable on every commit, patient with the locks of others, and transactions as they are asked for."""

    def set_up(connection: Any, _: object) -> None:
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={round(patience * 1000)}")
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    return set_up
