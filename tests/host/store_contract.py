"""What every store has to keep to as a whole: its versions, its one host, and what a look at it shows."""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Iterator
from typing import Any, Final

import pytest
import sqlalchemy as sql

from host import store_schema
from host.errors import StoreError
from host.events import Announced, Began, Finished, Stopped, dump
from host.journal import SCHEMA_VERSION, Journal, Seen
from host.preference import Preference
from host.store_tables import TABLES
from protocol.commands import Style
from tests.host.journal_tools import OPENING, WALL, append, file, history, opened, raw

VERSION_1: Final = """
CREATE TABLE yardzee (schema_version INTEGER NOT NULL);
INSERT INTO yardzee VALUES (1);
CREATE TABLE games (
    game VARCHAR(16) NOT NULL, network VARCHAR NOT NULL, channel VARCHAR NOT NULL, seed BLOB NOT NULL,
    ended BOOLEAN NOT NULL, PRIMARY KEY (game)
);
CREATE INDEX ix_games_ended ON games (ended);
CREATE TABLE preferences (
    network VARCHAR NOT NULL, nick VARCHAR NOT NULL, style VARCHAR(16) NOT NULL, notice BOOLEAN NOT NULL,
    PRIMARY KEY (network, nick)
);
INSERT INTO preferences VALUES ('local', 'alice', 'unicode', (1 = 1));
CREATE TABLE events (
    game VARCHAR(16) NOT NULL, version INTEGER NOT NULL, at FLOAT NOT NULL, wall VARCHAR(40) NOT NULL,
    kind VARCHAR(32) NOT NULL, body TEXT NOT NULL,
    PRIMARY KEY (game, version), FOREIGN KEY(game) REFERENCES games (game)
);
CREATE INDEX ix_events_at ON events (at)
"""


class StoreContract(ABC):
    """`url` names a store that is new in each test."""

    keeps: bool = True
    """Whether a store is still there when it was closed."""

    blob: str = "BLOB"
    """What its type of bytes is called."""

    @pytest.fixture
    @abstractmethod
    def url(self) -> Iterator[str] | str:
        """The URL of a new store."""

    # --- schema versions ---

    def test_a_store_of_version_1_becomes_one_of_today(self, url: str) -> None:
        if not self.keeps:
            return
        self.make_version_1(url)
        assert Journal.look(url) == Seen(1, None)
        with opened(url) as journal:
            found = journal.unfinished()
            assert [one.file for one in found] == [file()]
            assert found[0].events == tuple((1.5, event) for event in OPENING)
            assert journal.preference("local", "alice") == Preference(Style.UNICODE, notice=True)
            assert raw(journal, "SELECT schema_version FROM yardzee") == [(SCHEMA_VERSION,)]
            append(journal, 2, Began())
            migrated = columns(journal)
        assert Journal.look(url) == Seen(SCHEMA_VERSION, 1)
        with opened(url) as journal:
            assert history(journal) == [*OPENING, Began()]
            for table in reversed(TABLES.sorted_tables):
                raw(journal, f"DROP TABLE {table.name}")
            with journal._store.transaction(write=True) as connection:
                store_schema.bring_up(connection)
            # What the steps lead to is what a new store is.
            assert columns(journal) == migrated

    def test_a_result_of_an_older_store_is_not_told_again(self, url: str) -> None:
        if not self.keeps:
            return
        with opened(url) as journal:
            append(journal, 0, *OPENING, Began(), Finished())
            for table in reversed(TABLES.sorted_tables):
                if table.info.get("since", 1) > 2:
                    raw(journal, f"DROP TABLE {table.name}")
            raw(journal, "UPDATE yardzee SET schema_version = 2")
        with opened(url) as journal:
            result = journal.history("g1")
            assert result
            assert [event for _, event in result.events][-2:] == [Finished(), Announced()]

    def test_steps_are_all_taken_or_none(self, url: str, monkeypatch: pytest.MonkeyPatch) -> None:
        if not self.keeps:
            return
        self.make_version_1(url)

        def add(connection: sql.Connection) -> None:
            connection.exec_driver_sql("ALTER TABLE games ADD COLUMN prize VARCHAR")
            connection.exec_driver_sql("UPDATE games SET prize = 'a goose'")

        def fail(connection: sql.Connection) -> None:
            connection.exec_driver_sql("CREATE TABLE prizes (prize VARCHAR)")
            connection.exec_driver_sql("INSERT INTO nowhere VALUES (1)")

        steps = {**store_schema.STEPS, SCHEMA_VERSION + 1: add}
        monkeypatch.setattr(store_schema, "STEPS", {**steps, SCHEMA_VERSION + 2: fail})
        with pytest.raises(StoreError, match="nowhere"):
            Journal.open(url)
        assert Journal.look(url) == Seen(1, None)
        monkeypatch.setattr(store_schema, "STEPS", steps)
        with opened(url) as journal:
            assert raw(journal, "SELECT prize FROM games") == [("a goose",)]
            assert raw(journal, "SELECT schema_version FROM yardzee") == [(SCHEMA_VERSION + 1,)]
            assert history(journal) == list(OPENING)
        monkeypatch.undo()
        # An older host finds it newer, and leaves it alone.
        for use in (Journal.open, Journal.look):
            with pytest.raises(StoreError, match=f"newer host.* {SCHEMA_VERSION + 1}.* {SCHEMA_VERSION}"):
                use(url)

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            ("DROP TABLE preferences", "no table preferences"),
            ("ALTER TABLE events RENAME TO happenings", "no table events"),
            ("ALTER TABLE events RENAME COLUMN seal TO walrus", "events has no seal"),
            ("DELETE FROM yardzee", "does not say which"),
            ("INSERT INTO yardzee VALUES (1)", "does not say which"),
            ("UPDATE yardzee SET schema_version = 0", "version 0"),
            ("UPDATE yardzee SET schema_version = -5", "version -5"),
            ("ALTER TABLE yardzee RENAME TO dice", "something else: bans, dice, events"),
        ],
    )
    def test_a_store_that_lacks_something_is_refused(self, url: str, change: str, found: str) -> None:
        if not self.keeps:
            return
        with opened(url) as journal:
            append(journal, 0, *OPENING)
            raw(journal, change)
        for use in (Journal.open, Journal.look):
            with pytest.raises(StoreError, match=found):
                use(url)

    def make_version_1(self, url: str) -> None:
        """A store as the first version made it, with one game."""
        engine = sql.create_engine(url)
        with engine.begin() as connection:
            for line in VERSION_1.replace("BLOB", self.blob).split(";"):
                connection.exec_driver_sql(line)
            games, events = sql.table("games"), sql.table("events")
            for name in ("game", "network", "channel", "seed", "ended"):
                games.append_column(sql.column(name))
            for name in ("game", "version", "at", "wall", "kind", "body"):
                events.append_column(sql.column(name))
            row = dataclasses.asdict(file())
            connection.execute(sql.insert(games).values(ended=False, **row))
            for number, event in enumerate(OPENING):
                kind, body = dump(event)
                row = {"game": "g1", "version": number, "at": 1.5, "wall": WALL.isoformat()}
                connection.execute(sql.insert(events).values(kind=kind, body=body, **row))
        engine.dispose()

    # --- one host ---

    def test_a_second_host_is_refused_while_the_first_lives(self, url: str) -> None:
        if not self.keeps:
            return
        with opened(url) as first:
            append(first, 0, *OPENING)
            with pytest.raises(StoreError, match="another host runs on it"):
                Journal.open(url)
            # A look changes nothing, and is no host.
            assert Journal.look(url) == Seen(SCHEMA_VERSION, 1)
            append(first, 2, Began())
        with opened(url) as second:
            assert history(second) == [*OPENING, Began()]

    def test_the_store_is_free_after_a_start_that_failed(self, url: str) -> None:
        if not self.keeps:
            return
        with opened(url) as journal:
            raw(journal, "UPDATE yardzee SET schema_version = 0")
        with pytest.raises(StoreError, match="version 0"):
            Journal.open(url)
        with pytest.raises(StoreError, match="version 0"):
            Journal.open(url)

    # --- a look ---

    def test_a_look_at_what_is_not_there_yet_makes_nothing(self, url: str) -> None:
        assert Journal.look(url) is None
        assert Journal.look(url) is None

    def test_a_look_counts_the_games_that_are_on(self, url: str) -> None:
        if not self.keeps:
            return
        with opened(url) as journal:
            append(journal, 0, *OPENING)
            append(journal, 0, *OPENING, game="g2")
            append(journal, 0, *OPENING, Stopped(), game="g3")
        assert Journal.look(url) == Seen(SCHEMA_VERSION, 2)
        with opened(url) as journal:
            raw(journal, "UPDATE events SET body = '' WHERE game = 'g2'")
        with pytest.raises(StoreError, match="game g2 cannot be read"):
            Journal.look(url)


def columns(journal: Journal) -> dict[str, list[tuple[Any, ...]]]:
    """The columns, keys and indexes of each table, as a database describes them."""
    found = sql.inspect(journal._store.engine)
    described = {}
    for name in found.get_table_names():
        cells = [(c["name"], str(c["type"]), c["nullable"], c["default"]) for c in found.get_columns(name)]
        indexes = [(index["name"], index["column_names"]) for index in found.get_indexes(name)]
        described[name] = [*cells, *indexes, (found.get_pk_constraint(name)["constrained_columns"],)]
    return described
