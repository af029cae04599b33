"""The versions of a store, and how an older store becomes one of today.

A version is a number in the table `yardzee`. `STEPS` leads from each to the next, and all that are due run in
one transaction, so that a store is of one version or of another, and never of half a one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType, SimpleNamespace
from typing import Final

import sqlalchemy as sql

from chat.logger import logger
from host import entering, store_records
from host.errors import StoreError
from host.store_tables import META, TABLES, seal

log = logger(__name__)

_BATCH: Final = 1000
_RECORDS_SINCE: Final = 4
"""Games that finished under an older version are not in the records. They are entered after all steps, since
what enters them knows today's tables alone."""

Step = Callable[[sql.Connection], None]


def _sealed_tables() -> tuple[sql.TableClause, sql.TableClause]:
    """Games and events as they were from version 2 on, whatever becomes of them later."""
    games = sql.table("games", *map(sql.column, ("game", "network", "channel", "seed")))
    names = ("game", "version", "at", "wall", "kind", "body", "seal")
    return games, sql.table("events", *map(sql.column, names))


def _seal_events(connection: sql.Connection) -> None:
    """Version 2: a checksum for each event."""
    connection.exec_driver_sql("ALTER TABLE events ADD COLUMN seal BIGINT DEFAULT '0' NOT NULL")
    games, events = _sealed_tables()
    update = (
        events.update()
        .where(events.c.game == sql.bindparam("of_game"), events.c.version == sql.bindparam("of_version"))
        .values(seal=sql.bindparam("sealed"))
    )
    for game in connection.execute(sql.select(games)).all():
        rows = connection.execute(sql.select(events).where(events.c.game == game.game)).all()
        sealed = [{"of_game": row.game, "of_version": row.version, "sealed": seal(game, row)} for row in rows]
        for start in range(0, len(sealed), _BATCH):
            connection.execute(update, sealed[start : start + _BATCH])


def _add_bans(connection: sql.Connection) -> None:
    """Version 3: a table of bans; and results, which were told as they came, are noted as told."""
    connection.exec_driver_sql(
        "CREATE TABLE bans (network VARCHAR NOT NULL, name VARCHAR NOT NULL,"
        " mask VARCHAR NOT NULL, account VARCHAR, banned_by VARCHAR NOT NULL, wall VARCHAR(40) NOT NULL,"
        " PRIMARY KEY (network, name))"
    )
    games, events = _sealed_tables()
    finished = sql.select(events).where(events.c.kind == "Finished")
    for row in connection.execute(finished).all():
        game = connection.execute(sql.select(games).where(games.c.game == row.game)).one()
        told = {"game": row.game, "version": row.version + 1, "at": row.at, "wall": row.wall}
        told |= {"kind": "Announced", "body": "{}"}
        told["seal"] = seal(game, SimpleNamespace(**told))
        connection.execute(events.insert().values(told))


STEPS: Mapping[int, Step] = MappingProxyType({2: _seal_events, 3: _add_bans, 4: store_records.add_tables})
"""What makes a store of version N - 1 one of version N. A step that was released is never changed."""


def newest() -> int:
    """The version that this host reads and writes."""
    return max(STEPS, default=1)


SCHEMA_VERSION: Final = newest()


def find_version(connection: sql.Connection) -> int | None:
    """The version of the store; None where there is nothing at all.

    Raises StoreError when it is no store, or one that this host cannot read.
    """
    known = sql.inspect(connection).get_table_names()
    if META.name not in known:
        if known:
            raise StoreError(f"it holds tables of something else: {', '.join(sorted(known)[:5])}")
        return None
    versions = connection.execute(sql.select(META.c.schema_version).limit(2)).scalars().all()
    if len(versions) != 1:
        raise StoreError("it does not say which schema version it has")
    version: object = versions[0]
    if not isinstance(version, int) or version < 1:
        raise StoreError(f"schema version {version!r} is none that ever was")
    if version > newest():
        raise StoreError(f"a newer host wrote it: schema version {version}, this host reads {newest()}")
    return version


def check_tables(connection: sql.Connection, version: int) -> None:
    """Find what is missing in a store of this version.

    Raises StoreError.
    """
    inspector = sql.inspect(connection)
    known = set(inspector.get_table_names())
    expected = {name for name, table in TABLES.tables.items() if table.info.get("since", 1) <= version}
    if missing := sorted(expected - known):
        raise StoreError(f"it is damaged: no table {', '.join(missing)}")
    if version < newest():
        return  # its steps will say what they miss
    for table in TABLES.sorted_tables:
        found = {column["name"] for column in inspector.get_columns(table.name)}
        if lost := sorted(set(table.columns.keys()) - found):
            raise StoreError(f"it is damaged: {table.name} has no {', '.join(lost)}")


def check_today(connection: sql.Connection) -> None:
    """See that the store is one of today's version.

    Raises StoreError.
    """
    version = find_version(connection)
    if version is None:
        raise StoreError("it holds no tables yet")
    if version != newest():
        raise StoreError(f"schema version {version}; the next start of the host brings it to {newest()}")
    check_tables(connection, version)


def bring_up(connection: sql.Connection) -> None:
    """Make the tables, or make those of an older version today's. The caller's transaction holds it together.

    Raises StoreError as `find_version` and `check_tables` do.
    """
    version = find_version(connection)
    if version is None:
        TABLES.create_all(connection)
        connection.execute(META.insert().values(schema_version=newest()))
        return
    check_tables(connection, version)
    if version < newest():
        log.info("the store goes to a newer schema", version=version, to=newest())
        for number in range(version + 1, newest() + 1):
            STEPS[number](connection)
        connection.execute(META.update().values(schema_version=newest()))
        check_tables(connection, newest())
        if version < _RECORDS_SINCE:
            entering.catch_up(connection)
