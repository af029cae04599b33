"""What happened, on disk: every event of every game, written before anyone hears of it.

An append is one transaction. The key (game, version) makes it impossible to write two histories of a game.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from datetime import datetime
from types import SimpleNamespace
from typing import Final, Self

import sqlalchemy as sql

from chat.logger import logger
from host import books
from host.ban import Ban
from host.errors import StoreError
from host.events import ENDINGS, Event, Finished, dump
from host.histories import GameFile, History, game_file, histories
from host.mentions import mentions
from host.outcome import Outcome
from host.preference import Preference
from host.records import Records, last_of_each
from host.store import PATIENCE, Store, parsed, shown
from host.store_schema import SCHEMA_VERSION, check_tables, check_today, find_version
from host.store_tables import BANS, EVENTS, GAMES, MENTIONS, META, PREFERENCES, seal
from host.watch import UNWATCHED_STORE, StoreWatch
from protocol.commands import Style

__all__ = ["SCHEMA_VERSION", "GameFile", "History", "Journal", "Seen"]

log = logger(__name__)

_PATIENCE: Final = 0.25
"""Seconds to wait for a lock that another process holds on the store. All networks wait as long."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a look at a store shows; `games` are on, and None where an older version was not read."""

    version: int
    games: int | None


def shown_store(url: str) -> str:
    """The URL of a store without what is secret. Raises StoreError when it is none."""
    return shown(parsed(url))


class Journal:
    """An open store.

    Every method raises StoreError when the store does not answer or cannot be read; nothing was written then.
    One case is left: a connection that breaks during a commit. `append` raises StoreError, and only `history`
    tells what became of it.
    """

    def __init__(self, store: Store, watch: StoreWatch = UNWATCHED_STORE) -> None:
        self._store = store
        self._watch = watch
        self._young = store.is_file and not self._any_events()
        self.records = Records(store, self._writing)
        """What came of all games that have finished."""

    @classmethod
    def open(cls, url: str, patience: float = _PATIENCE, watch: StoreWatch = UNWATCHED_STORE) -> Self:
        """Open the store of an SQLAlchemy URL, and make it if it is new. There is one host for a store.

        A lock that another process holds is waited for `patience` seconds.

        Raises StoreError when it cannot be used: it cannot be reached, another host has it, it is damaged, or
        something else, or of a newer version. It is as it was then. An older version becomes today's.
        """
        store = Store.open(url, patience)
        try:
            return cls(store, watch)
        except BaseException:
            store.close()
            raise

    @staticmethod
    def look(url: str, patience: float = _PATIENCE) -> Seen | None:
        """What is in the store of a URL, without a change to it; None if there is none yet.

        A host may run on it. Raises StoreError as `open` does.
        """
        store = Store.look(url, patience)
        if store is None:
            return None
        try:
            with store.transaction() as connection:
                version = find_version(connection)
                if version is None:
                    if store.is_file:
                        raise StoreError("it is damaged: it holds no tables")
                    return None
                check_tables(connection, version)
                games = sum(1 for _ in _unfinished(connection)) if version == SCHEMA_VERSION else None
                return Seen(version, games)
        finally:
            store.close()

    @classmethod
    @contextmanager
    def reading(cls, url: str, patience: float = PATIENCE) -> Iterator[Self]:
        """The store of a URL for reading alone; a host may run on it. Raises StoreError as `open` does."""
        with Store.reading(url, patience) as store:
            with store.transaction() as connection:
                check_today(connection)
            yield cls(store)

    @property
    def name(self) -> str:
        """The store's URL as people may see it, without a password."""
        return self._store.name

    def close(self) -> None:
        """Let go of the store; what was appended is in it."""
        self._store.close()

    def append(  # noqa: PLR0913 - an event is of a game, at a time of two clocks
        self,
        file: GameFile,
        version: int,
        events: Sequence[Event],
        at: float,
        wall: datetime,
        *,
        outcome: Outcome | None = None,
    ) -> None:
        """Write events of a game in one transaction; `version` is the number of events it has so far.

        The game itself is written with its first events, and its `outcome` with the one that ends it or puts
        a score right later. Raises StoreError when it has another number of events.
        """
        with self._writing() as connection:
            latest = sql.select(sql.func.max(EVENTS.c.version)).where(EVENTS.c.game == file.game)
            last: int | None = connection.execute(latest).scalar()
            known = 0 if last is None else last + 1
            if known != version:
                raise StoreError(f"game {file.game} has {known} events, not {version}")
            if version == 0:
                connection.execute(GAMES.insert().values(file_row(file)))
            rows = [
                event_row(file, number, event, at, wall) for number, event in enumerate(events, start=version)
            ]
            connection.execute(EVENTS.insert(), rows)
            if named := mentions(file.network, file.game, enumerate(events, start=version)):
                connection.execute(MENTIONS.insert(), named)
            if any(isinstance(event, ENDINGS) for event in events):
                ended = GAMES.update().where(GAMES.c.game == file.game).values(ended=True)
                connection.execute(ended)
            if outcome is not None:
                _keep(connection, file, events, outcome, wall)
        if self._young:
            self._settle()

    def unfinished(self, wanted: Callable[[GameFile], bool] | None = None) -> list[History]:
        """The games that are on, each with its whole history; of some only those that are `wanted`."""
        with self._store.transaction() as connection:
            if wanted is None:
                return list(_unfinished(connection))
            files = map(game_file, connection.execute(sql.select(GAMES).where(~GAMES.c.ended)).all())
            names = [file.game for file in files if wanted(file)]
            return list(histories(connection, GAMES.c.game.in_(names), on=True))

    def history(self, game: str) -> History | None:
        """A game, whether it is on or has ended, with all that is written of it; None if nothing is."""
        with self._store.transaction() as connection:
            found = list(histories(connection, GAMES.c.game == game))
            return found[0] if found else None

    def walls(self, game: str) -> list[datetime]:
        """When the events of a game were written down, by the wall clock."""
        chosen = sql.select(EVENTS.c.wall).where(EVENTS.c.game == game).order_by(EVENTS.c.version)
        with self._store.transaction() as connection:
            return [datetime.fromisoformat(wall) for wall in connection.execute(chosen).scalars()]

    def last_results(self) -> list[History]:
        """Of each channel the game that was finished last, if there is one; imported ones count as told."""
        with self._store.transaction() as connection:
            taken_in = {row.game: row.taken_in is not None for row in connection.execute(last_of_each())}
            found = histories(connection, GAMES.c.game.in_(list(taken_in)))
            return [replace(history, told=taken_in[history.file.game]) for history in found]

    def last_time(self) -> float:
        """The latest time of the host's clock that any event was recorded at; 0 for a new store."""
        with self._store.transaction() as connection:
            latest: float | None = connection.execute(sql.select(sql.func.max(EVENTS.c.at))).scalar()
            return latest or 0.0

    def check(self) -> None:
        """See that the store takes something."""
        with self._store.transaction(write=True) as connection:
            connection.execute(META.update().values(schema_version=META.c.schema_version))

    def preference(self, network: str, nick: str) -> Preference:
        """What the player of this folded nick chose, or the default."""
        chosen = sql.select(PREFERENCES).where(PREFERENCES.c.network == network, PREFERENCES.c.nick == nick)
        with self._store.transaction() as connection:
            row = connection.execute(chosen).one_or_none()
            try:
                return Preference(Style(row.style), row.notice) if row else Preference()
            except ValueError as error:
                raise StoreError(f"the preference of {nick} cannot be read: {error}") from error

    def prefer(self, network: str, nick: str, preference: Preference) -> None:
        """Remember what the player of this folded nick chose."""
        key = (PREFERENCES.c.network == network) & (PREFERENCES.c.nick == nick)
        row = {
            "network": network,
            "nick": nick,
            "style": preference.style.value,
            "notice": preference.notice,
        }
        with self._writing() as connection:
            connection.execute(PREFERENCES.delete().where(key))
            connection.execute(PREFERENCES.insert().values(row))

    def bans(self, network: str) -> list[Ban]:
        """Whom the host does not serve on a network, in the order of their names."""
        chosen = sql.select(BANS).where(BANS.c.network == network).order_by(BANS.c.name)
        with self._store.transaction() as connection:
            rows = connection.execute(chosen).all()
            return [Ban(row.name, row.mask, row.account, row.banned_by) for row in rows]

    def ban(self, network: str, ban: Ban, wall: datetime) -> None:
        """Write a ban down, in place of one that has its name."""
        row: dict[str, object] = {"network": network, "name": ban.name, "mask": ban.mask}
        row |= {"account": ban.account, "banned_by": ban.by, "wall": wall.isoformat()}
        with self._writing() as connection:
            connection.execute(BANS.delete().where(_ban_key(network, ban.name)))
            connection.execute(BANS.insert().values(row))

    def unban(self, network: str, name: str) -> None:
        """Strike out the ban with this name."""
        with self._writing() as connection:
            connection.execute(BANS.delete().where(_ban_key(network, name)))

    @contextmanager
    def _writing(self) -> Iterator[sql.Connection]:
        """A transaction that writes; those who watch are told how long it took."""
        began = time.perf_counter()
        try:
            with self._store.transaction(write=True) as connection:
                yield connection
        except StoreError:
            self._watch.failed()
            raise
        self._watch.committed(time.perf_counter() - began)

    def _any_events(self) -> bool:
        with self._store.transaction() as connection:
            return connection.execute(sql.select(EVENTS.c.version).limit(1)).first() is not None

    def _settle(self) -> None:
        """Bring the first events into the file itself: whoever loses its -wal does not find it empty."""
        try:
            self._young = not self._store.settle()
        except StoreError as error:
            log.warning("the first game is only in the -wal", error=str(error))


def _ban_key(network: str, name: str) -> sql.ColumnElement[bool]:
    return (BANS.c.network == network) & (BANS.c.name == name)


def _unfinished(connection: sql.Connection) -> Iterator[History]:
    return histories(connection, ~GAMES.c.ended, on=True)


def _keep(
    connection: sql.Connection, file: GameFile, events: Sequence[Event], outcome: Outcome, wall: datetime
) -> None:
    """Have the outcome of a game in the records, for the first time or anew."""
    if not any(isinstance(event, Finished) for event in events):
        books.amend(connection, file.game, outcome, wall)
        return
    first = sql.select(EVENTS.c.wall).where(EVENTS.c.game == file.game, EVENTS.c.version == 0)
    opened = datetime.fromisoformat(connection.execute(first).scalar_one())
    books.enter(connection, file, outcome, books.Times(opened, wall))


def file_row(file: GameFile) -> dict[str, object]:
    """The row of a game that is on."""
    return {
        "game": file.game,
        "network": file.network,
        "channel": file.channel,
        "seed": file.seed,
        "ended": False,
    }


def event_row(file: GameFile, version: int, event: Event, at: float, wall: datetime) -> dict[str, object]:
    """The row of an event, sealed."""
    kind, body = dump(event)
    row = {
        "game": file.game,
        "version": version,
        "at": float(at),
        "wall": wall.isoformat(),
        "kind": kind,
        "body": body,
    }
    return row | {"seal": seal(file, SimpleNamespace(**row))}
