"""The journal on SQLite, in a file and in memory, and what a file may hold instead of one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest
from sqlalchemy.sql import dml

from host.errors import StoreError
from host.events import Began
from host.journal import SCHEMA_VERSION, Journal, Seen
from host.preference import Preference
from protocol.commands import Style
from tests.host.journal_contract import JournalContract, test_every_event_has_a_strategy
from tests.host.journal_tools import OPENING, append, history, opened, raw

__all__ = ["test_every_event_has_a_strategy"]

ROOT: Final = Path(__file__).parents[2]
PATIENCE: Final = 0.2


class TestSqliteFile(JournalContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 'games.sqlite'}"


class TestSqliteMemory(JournalContract):
    keeps = False

    @pytest.fixture
    def url(self) -> str:
        return "sqlite://"

    def test_two_stores_in_memory_are_two(self) -> None:
        with opened("sqlite://") as one, opened("sqlite://") as other:
            append(one, 0, *OPENING)
            assert other.unfinished() == []


# --- files that are no store of ours ---


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "games.sqlite"


def url(path: Path) -> str:
    return f"sqlite:///{path}"


def refused(path: Path) -> str:
    """The message of the refusal to open the file, which must be as it was, with nothing beside it."""
    before = path.read_bytes()
    with pytest.raises(StoreError) as error:
        Journal.open(url(path), PATIENCE)
    assert path.read_bytes() == before
    assert [one.name for one in path.parent.iterdir()] == [path.name]
    message = str(error.value)
    assert "\n" not in message
    return message


def statements(path: Path, *lines: str) -> None:
    with closing(sqlite3.connect(path)) as connection:
        for line in lines:
            connection.execute(line)
        connection.commit()


def test_a_store_of_something_else_is_refused(path: Path) -> None:
    statements(path, "CREATE TABLE cats (name TEXT)", "INSERT INTO cats VALUES ('Tom')")
    assert "cats" in refused(path)


def test_a_store_of_something_else_with_a_table_of_our_name_is_refused(path: Path) -> None:
    statements(path, "CREATE TABLE yardzee (colour TEXT)", "INSERT INTO yardzee VALUES ('red')")
    refused(path)


def test_a_store_without_its_version_is_refused(path: Path) -> None:
    statements(path, "CREATE TABLE yardzee (schema_version INTEGER)")
    refused(path)


@pytest.mark.parametrize("version", [SCHEMA_VERSION + 1, 0, 999])
def test_a_store_of_another_schema_is_refused(path: Path, version: int) -> None:
    statements(
        path,
        "CREATE TABLE yardzee (schema_version INTEGER)",
        f"INSERT INTO yardzee VALUES ({version})",
        "CREATE TABLE games (game TEXT)",
    )
    assert str(version) in refused(path)


def test_our_own_store_with_a_newer_schema_is_refused(path: Path) -> None:
    with opened(url(path)) as journal:
        append(journal, 0, *OPENING)
        raw(journal, f"UPDATE yardzee SET schema_version = {SCHEMA_VERSION + 1}")
    with pytest.raises(StoreError, match="version"):
        Journal.open(url(path))
    statements(path, f"UPDATE yardzee SET schema_version = {SCHEMA_VERSION}")
    with opened(url(path)) as journal:
        assert history(journal) == list(OPENING)


@pytest.mark.parametrize(
    "content",
    [b"hello world, this is text\n" * 100, b"\x00" * 4096, b"SQLite format 3\x00" + b"\xff" * 4000, b"xy"],
    ids=["text", "zeros", "header and rubbish", "two bytes"],
)
def test_a_file_that_is_no_database_is_refused(path: Path, content: bytes) -> None:
    path.write_bytes(content)
    refused(path)


def test_half_a_store_is_refused_or_read_and_never_empty(path: Path) -> None:
    with opened(url(path)) as journal:
        for number in range(40):
            append(journal, 0, *OPENING, game=f"g{number}")
    whole = path.read_bytes()
    path.write_bytes(whole[: len(whole) // 2])
    try:
        with opened(url(path)) as journal:
            assert len(journal.unfinished()) == 40
    except StoreError:
        assert path.read_bytes() == whole[: len(whole) // 2]


@pytest.mark.parametrize(
    "address",
    [
        "nonsense",
        "sqlite:////nowhere/at/all/games.sqlite",
        "sqlite:////",
        "nosuch://alice:hunter2@localhost/games",
        "nosuch+driver://alice:hunter2@localhost/games",
    ],
)
def test_an_address_that_leads_nowhere_is_told_in_one_line_without_its_password(address: str) -> None:
    with pytest.raises(StoreError) as error:
        Journal.open(address)
    assert "\n" not in str(error.value)
    assert "hunter2" not in str(error.value)


def test_a_first_start_that_dies_leaves_nothing_that_is_in_the_way(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(dml.Insert, "values", fail)
        with pytest.raises(KeyboardInterrupt):
            Journal.open(url(path))
    assert list(path.parent.iterdir()) == []
    # Killed, it cannot clean up.
    for name in ("games.sqlite.new", "games.sqlite.new-journal", "games.sqlite.lock"):
        (path.parent / name).write_bytes(b"half of something")
    with opened(url(path)) as journal:
        assert journal.unfinished() == []
    assert [one.name for one in path.parent.iterdir()] == [path.name]


# --- locks ---


@contextmanager
def locked(path: Path) -> Iterator[sqlite3.Connection]:
    """Another process that writes and takes its time."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        try:
            yield other
        finally:
            other.execute("ROLLBACK")


def test_a_locked_store_is_an_error_after_its_patience_and_nothing_changes(path: Path) -> None:
    with opened(url(path), PATIENCE) as journal:
        append(journal, 0, *OPENING)
        with locked(path):
            began = time.monotonic()
            with pytest.raises(StoreError, match="locked"):
                append(journal, 2, Began())
            waited = time.monotonic() - began
            assert PATIENCE * 0.9 <= waited < PATIENCE + 2
            with pytest.raises(StoreError):
                journal.prefer("local", "alice", Preference(Style.COLOUR))
            # What others write does not keep the host from reading.
            assert history(journal) == list(OPENING)
            assert journal.preference("local", "alice") == Preference()
        assert history(journal) == list(OPENING)
        append(journal, 2, Began())
        assert history(journal) == [*OPENING, Began()]


def test_a_lock_that_goes_in_time_is_waited_for(path: Path) -> None:
    with opened(url(path), 20) as journal:
        append(journal, 0, *OPENING)
        with closing(sqlite3.connect(path, isolation_level=None, check_same_thread=False)) as other:
            other.execute("BEGIN IMMEDIATE")
            timer = threading.Timer(0.1, lambda: other.execute("ROLLBACK"))
            timer.start()
            append(journal, 2, Began())
            timer.join()
        assert history(journal) == [*OPENING, Began()]


def test_a_store_that_is_locked_at_the_start_is_told(path: Path) -> None:
    with opened(url(path)):
        pass
    with locked(path), pytest.raises(StoreError, match="locked"):
        Journal.open(url(path), PATIENCE)
    with opened(url(path)) as journal:
        assert journal.unfinished() == []


def test_a_reader_does_not_stop_the_host(path: Path) -> None:
    with opened(url(path), PATIENCE) as journal:
        append(journal, 0, *OPENING)
        with closing(sqlite3.connect(path, isolation_level=None)) as other:
            other.execute("BEGIN")
            assert len(other.execute("SELECT * FROM events").fetchall()) == 2
            append(journal, 2, Began())
            # A snapshot: the reader sees what was there when it began.
            assert len(other.execute("SELECT * FROM events").fetchall()) == 2
            other.execute("COMMIT")
            assert len(other.execute("SELECT * FROM events").fetchall()) == 3


def test_nobody_can_write_a_second_history(path: Path) -> None:
    """Were there two hosts all the same, the second to write is refused."""
    with opened(url(path)) as journal:
        append(journal, 0, *OPENING)
        (row,) = raw(journal, "SELECT * FROM events WHERE version = 1")
        with closing(sqlite3.connect(path)) as other:
            other.execute(f"INSERT INTO events VALUES ({', '.join('?' * len(row))})", (row[0], 2, *row[2:]))
            other.commit()
        with pytest.raises(StoreError, match="3 events, not 2"):
            append(journal, 2, Began())


def test_two_names_of_one_store_are_one(path: Path) -> None:
    other = path.parent / "folder" / "other.sqlite"
    other.parent.mkdir()
    other.symlink_to(path)
    with opened(url(other)) as journal:
        append(journal, 0, *OPENING)
        assert path.exists()
        for name in (path, other, path.parent / "folder" / ".." / path.name):
            with pytest.raises(StoreError, match=rf"another host runs on it \(process {os.getpid()}\)"):
                Journal.open(url(name))
    with opened(url(path)) as journal:
        assert history(journal) == list(OPENING)


def test_a_host_that_was_killed_does_not_keep_the_next_one_out(path: Path) -> None:
    code = (
        "import sys; from host.journal import Journal; journal = Journal.open(sys.argv[1]);"
        "print('open', flush=True); sys.stdin.read()"
    )
    with subprocess.Popen(
        [sys.executable, "-c", code, url(path)], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as other:
        assert other.stdout
        assert other.stdout.readline() == b"open\n"
        with pytest.raises(StoreError, match=rf"another host runs on it \(process {other.pid}\)"):
            Journal.open(url(path))
        assert Journal.look(url(path)) == Seen(SCHEMA_VERSION, 0)
        other.kill()
    assert (path.parent / "games.sqlite.lock").exists()
    with opened(url(path)) as journal:
        append(journal, 0, *OPENING)


def test_every_commit_is_on_the_disk(path: Path) -> None:
    with opened(url(path)) as journal:
        assert raw(journal, "PRAGMA journal_mode") == [("wal",)]
        assert raw(journal, "PRAGMA synchronous") == [(2,)]  # FULL
        assert raw(journal, "PRAGMA foreign_keys") == [(1,)]
