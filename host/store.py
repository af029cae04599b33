"""A store that is opened by its URL: SQLite or PostgreSQL, for one host alone, or for a look beside it.

All that goes wrong comes out as a StoreError in one line, which names the store without its password.
"""

from __future__ import annotations

import secrets
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, Self

import sqlalchemy as sql
from sqlalchemy.exc import DBAPIError, SQLAlchemyError
from sqlalchemy.pool import StaticPool

from host import store_file, store_schema
from host.config_values import STORES
from host.errors import StoreError

_SQLITE: Final = ("sqlite", "sqlite+pysqlite")
_POSTGRESQL: Final = "postgresql+psycopg"
_LOCK: Final = 0x59617264
"""Of the advisory lock that a host holds in PostgreSQL; the other half of its key is the schema."""

PATIENCE: Final = 5.0
"""Seconds that a command waits for a lock; nobody else waits for it."""

_LOCK_NOT_AVAILABLE: Final = "55P03"
_WAITS: Final = {"connect_timeout": 3, "tcp_user_timeout": 10_000}
"""How long the host stands still for a server that does not answer. What the URL says comes first."""


class Store:
    """An open store. `transaction` is the way to it, and `close` ends what `open` or `look` began."""

    def __init__(
        self,
        engine: sql.Engine,
        name: str,
        *,
        path: Path | None = None,
        lease: store_file.Lease | None = None,
        still: tuple[int, int] | None = None,
    ) -> None:
        self.engine = engine
        self.name = name
        """The URL as people may see it."""

        self.is_file = path is not None
        """Whether it is an SQLite file."""

        self._path = path
        self._identity: tuple[int, int] | None = None
        """Which file it is, from the first writing on."""

        self._lease = lease
        self._still = still
        """How a file was that is read without locks, since nobody had it open."""

    @classmethod
    def open(cls, url: str, patience: float) -> Self:
        """Open the store of a URL for the one host, make it if there is none, and bring it up to date.

        A lock that another process holds on the data is waited for `patience` seconds.

        Raises StoreError when it cannot be used; it is as it was then.
        """
        address = parsed(url)
        name = shown(address)
        with told(name):
            if address.drivername == _POSTGRESQL:
                store = cls(_postgresql(address, _host_session(patience)), name)
            elif path := _path(address):
                store = cls._open_file(path, name, patience)
            else:
                store = cls(_sqlite("sqlite://", patience), name)
        return store._brought_up()

    @classmethod
    def look(cls, url: str | sql.URL, patience: float) -> Self | None:
        """Open the store of a URL for reading alone, also beside a host; None when there is none yet.

        Raises StoreError when it cannot be used.
        """
        address = parsed(url)
        name = shown(address)
        with told(name):
            if address.drivername == _POSTGRESQL:
                return cls(_postgresql(address, _reader_session(patience)), name)
            path = _path(address)
            if path is None or not store_file.check_place(path):
                return None
            store_file.check_file(path)
            still = store_file.stamp(path)
            return cls(_reading(path, patience, still=still is not None), name, path=path, still=still)

    @classmethod
    @contextmanager
    def reading(cls, url: str | sql.URL, patience: float = PATIENCE) -> Iterator[Self]:
        """As `look`, and closed at the end. Raises StoreError also when there is none."""
        store = cls.look(url, patience)
        if store is None:
            raise StoreError(f"{shown(parsed(url))} is not there yet")
        try:
            yield store
        finally:
            store.close()

    def close(self) -> None:
        """Let go of the store."""
        self.engine.dispose()
        if self._lease:
            self._lease.release()

    @contextmanager
    def transaction(self, *, write: bool = False) -> Iterator[sql.Connection]:
        """All of what is done with the connection, or nothing.

        Raises StoreError when the store does not answer or does not take it.
        """
        with self.connection() as connection, connection.begin():
            if self.engine.dialect.name == "sqlite":
                # The driver begins by itself only before some statements, and never before CREATE TABLE.
                connection.exec_driver_sql("BEGIN IMMEDIATE" if write else "BEGIN")
            if write and self._path:
                self._identity = self._identity or store_file.identity(self._path)
                store_file.check_identity(self._path, self._identity)
            yield connection

    @contextmanager
    def snapshot(self) -> Iterator[sql.Connection]:
        """What is in the store at one moment, however long it is read and whatever is written meanwhile.

        Raises StoreError as `transaction` does, and at the end when a host began to write in a file that
        nobody had open.
        """
        with self.connection() as connection:
            if self.engine.dialect.name == "postgresql":
                connection.execution_options(isolation_level="REPEATABLE READ")
            with connection.begin():
                if self.engine.dialect.name == "sqlite":
                    connection.exec_driver_sql("BEGIN")
                yield connection
            if self._still and self._path and store_file.changed(self._path, self._still):
                raise StoreError("a host began to write in it meanwhile; try again")

    @contextmanager
    def connection(self) -> Iterator[sql.Connection]:
        """A connection without a transaction; raises StoreError as `transaction` does."""
        with told(self.name), self.engine.connect() as connection:
            yield connection

    def settle(self) -> bool:
        """Bring all that is in SQLite's log into the file itself; whether that was possible now."""
        with self.connection() as connection:
            busy, pages, moved = connection.exec_driver_sql("PRAGMA wal_checkpoint(PASSIVE)").one()
            return not busy and pages == moved

    @classmethod
    def _open_file(cls, path: Path, name: str, patience: float) -> Self:
        store_file.check_place(path)
        lease = store_file.Lease.take(path)
        try:
            if store_file.check_place(path):
                store_file.check_file(path)
                reading = _reading(path, patience, still=store_file.stamp(path) is not None)
                try:
                    with reading.connect() as connection:
                        version = store_schema.find_version(connection)
                        if version is None:
                            raise StoreError("it is damaged: it holds no tables")
                        store_schema.check_tables(connection, version)
                finally:
                    reading.dispose()
            else:
                store_file.make(path, lambda new: _build(new, name, patience))
            store = cls(_sqlite(f"sqlite:///{path}", patience), name, path=path, lease=lease)
        except BaseException:
            lease.release()
            raise
        return store

    def _brought_up(self) -> Self:
        try:
            with self.transaction(write=True) as connection:
                store_schema.bring_up(connection)
            if self.is_file:
                # So that others read while the host writes. It is a mode of the file itself.
                with self.connection() as connection:
                    connection.exec_driver_sql("PRAGMA journal_mode=WAL")
        except BaseException:
            self.close()
            raise
        return self


def shown(url: sql.URL) -> str:
    """The URL without what is secret, or might be."""
    bare = sql.URL.create(url.drivername, url.username, None, url.host, url.port, url.database)
    return bare.render_as_string()


@contextmanager
def told(name: str) -> Iterator[None]:
    """Turn whatever goes wrong into a StoreError that begins with the name of the store."""
    try:
        yield
    except StoreError as error:
        if str(error).startswith(name):
            raise
        raise StoreError(f"{name}: {error}") from error.__cause__
    except ImportError:
        missing = "PostgreSQL needs a driver: pip install 'psycopg[binary]'"
        raise StoreError(f"{name}: {missing}") from None
    except DBAPIError as error:
        diagnosis = getattr(error.orig, "diag", None)
        if diagnosis and diagnosis.message_primary:
            # Without PostgreSQL's DETAIL, which may be the row that it did not take, with the seed in it.
            raise StoreError(f"{name}: {_line(diagnosis.message_primary)}") from None
        raise StoreError(f"{name}: {_line(error.orig)}") from error
    except (SQLAlchemyError, sqlite3.Error, OSError) as error:
        raise StoreError(f"{name}: {_line(error)}") from error


def _line(text: object) -> str:
    return " ".join(str(text).split())


def parsed(text: str | sql.URL) -> sql.URL:
    """A store's URL. Raises StoreError when it is none, or of a kind that is not known."""
    try:
        url = sql.make_url(text)
    except (SQLAlchemyError, ValueError):
        # Neither the URL nor the complaint is shown, nor kept as a cause: they may hold a password.
        raise StoreError(f"the store is not a URL; {STORES}") from None
    if url.drivername not in (*_SQLITE, _POSTGRESQL):
        raise StoreError(f"the store cannot be used: {url.drivername!r} is not known; {STORES}")
    return url


def _path(url: sql.URL) -> Path | None:
    """The file of an SQLite URL; None for memory."""
    if url.query or url.host:
        raise StoreError(f"it is no file; {STORES}")
    if not url.database or url.database == ":memory:":
        return None
    return Path(url.database).resolve()


# --- SQLite ---


def _sqlite(url: str, patience: float) -> sql.Engine:
    # Parameters show in messages otherwise, and so in the log, and the seed of a game is one.
    engine = sql.create_engine(url, hide_parameters=True)

    def set_up(connection: Any, _: object) -> None:
        """Durable on every commit, patient with others' locks, and transactions as they are asked for."""
        connection.isolation_level = None
        connection.execute(f"PRAGMA busy_timeout={round(patience * 1000)}")
        for pragma in ("synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    sql.event.listen(engine, "connect", set_up)
    return engine


def _reading(path: Path, patience: float, *, still: bool) -> sql.Engine:
    """A file that SQLite has looked through, on a connection that cannot write."""
    connection = store_file.connect_to_read(path, patience, still=still)
    try:
        store_file.check_pages(connection)
    except BaseException:
        connection.close()
        raise
    return sql.create_engine(
        "sqlite://", creator=lambda: connection, poolclass=StaticPool, hide_parameters=True
    )


def _build(path: Path, name: str, patience: float) -> None:
    Store(_sqlite(f"sqlite:///{path}", patience), name, path=path)._brought_up().close()


# --- PostgreSQL ---


def _postgresql(url: sql.URL, set_up: Callable[[Any], None]) -> sql.Engine:
    """One connection, which is tried before each use and made anew when it is broken."""
    waits = {key: value for key, value in _WAITS.items() if key not in url.query}
    engine = sql.create_engine(
        url, hide_parameters=True, pool_size=1, max_overflow=0, pool_pre_ping=True, connect_args=waits
    )

    def connected(connection: Any, _: object) -> None:
        try:
            set_up(connection)
            connection.commit()
        except BaseException:
            connection.close()
            raise

    sql.event.listen(engine, "connect", connected)
    return engine


def _host_session(patience: float) -> Callable[[Any], None]:
    myself = f"yardzee-host {secrets.token_hex(8)}"

    def set_up(connection: Any) -> None:
        run = connection.execute
        run("SELECT set_config('application_name', %s, false)", (myself,))
        run(f"SET lock_timeout = {max(1, round(patience * 1000))}")
        # A host that is gone with its network must not keep the next one out for hours.
        for setting in ("idle = 10", "interval = 5", "count = 3"):
            run(f"SET tcp_keepalives_{setting}")
        run(
            "SELECT set_config('synchronous_commit', 'on', false)"
            " WHERE current_setting('synchronous_commit') = 'off'"
        )
        # There is one connection at a time. Another of ours is a lost one, of which the server has not heard.
        run(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
            " WHERE application_name = %s AND usename = current_user AND pid <> pg_backend_pid()",
            (myself,),
        )
        # The connection that writes holds the lock to its end. So whoever has it reads all that the one
        # before has committed, and nothing of that comes later.
        try:
            run("SELECT pg_advisory_lock(%s, hashtext(coalesce(current_schema(), '')))", (_LOCK,))
        except Exception as error:
            if getattr(error, "sqlstate", None) != _LOCK_NOT_AVAILABLE:
                raise
            raise StoreError("another host runs on it; one store, one host") from None

    return set_up


def _reader_session(patience: float) -> Callable[[Any], None]:
    def set_up(connection: Any) -> None:
        connection.execute(f"SET lock_timeout = {max(1, round(patience * 1000))}")
        connection.execute("SET default_transaction_read_only = on")

    return set_up
