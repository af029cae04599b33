"""A copy of a store, of one moment, while a host goes on writing in it."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import sqlalchemy as sql

from host import store_file
from host.errors import StoreError
from host.journal import SCHEMA_VERSION, Journal
from host.store import Store, told
from host.store_schema import check_tables, check_today, find_version
from host.store_tables import GAMES, META

_BATCH: Final = 2000
"""Rows that are copied at a time."""


@dataclass(frozen=True, slots=True)
class Copied:
    """How many games a copy holds, and how many of them are on."""

    games: int
    on: int


def back_up(store: Store, path: Path) -> Copied:
    """Make the copy: an SQLite store, which has its name when it is whole and a host could start on it.

    Raises StoreError, also when there is a file of this name, and OSError.
    """

    def build(new: Path) -> Copied:
        with store.snapshot() as connection, told(str(path)):
            if connection.dialect.name == "sqlite":
                _copy_pages(connection, new)
            else:
                _copy_rows(connection, new)
        return _checked(new)

    return store_file.make_new(path, build)


def _copy_pages(connection: sql.Connection, new: Path) -> None:
    # All in one step: between two, every commit of the host would have it begin again.
    source: sqlite3.Connection = connection.connection.driver_connection  # type: ignore[assignment]
    with closing(sqlite3.connect(new)) as copy:
        source.backup(copy, pages=-1)


def _copy_rows(connection: sql.Connection, new: Path) -> None:
    check_today(connection)
    engine = sql.create_engine(_url(new), hide_parameters=True)
    try:
        META.metadata.create_all(engine)
        with engine.begin() as copy:
            for table in META.metadata.sorted_tables:
                found = connection.execute(sql.select(table), execution_options={"yield_per": _BATCH})
                for rows in found.mappings().partitions():
                    copy.execute(table.insert(), [dict(row) for row in rows])
    finally:
        engine.dispose()


def _checked(new: Path) -> Copied:
    """Read what a host reads at its start. Raises StoreError."""
    with Store.reading(_url(new)) as store:
        with store.transaction() as connection:
            version = find_version(connection)
            if version is None:
                raise StoreError("it holds no tables")
            check_tables(connection, version)
            ended = sql.select(GAMES.c.ended, sql.func.count()).group_by(GAMES.c.ended)
            counted = {row[0]: row[1] for row in connection.execute(ended)}
        if version == SCHEMA_VERSION:
            journal = Journal(store)
            journal.unfinished()
            journal.last_results()
    return Copied(sum(counted.values()), counted.get(False, 0))


def _url(path: Path) -> sql.URL:
    return sql.URL.create("sqlite", database=str(path))
