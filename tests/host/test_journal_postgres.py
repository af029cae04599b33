"""The journal on a real PostgreSQL: the contract, passwords, restarts, and commits of which nobody knows."""

from __future__ import annotations

import logging
import signal
import socket
import sys
import threading
import traceback
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Final

import pytest

from host.cli import main
from host.errors import StoreError
from host.events import Began
from host.journal import SCHEMA_VERSION, Journal
from host.proofs import recorded
from protocol.verdict import Right
from protocol.verify import verify
from tests.host.journal_contract import JournalContract
from tests.host.journal_tools import OPENING, append, history, opened, raw
from tests.support.bench import Bench, config
from tests.support.fair_games import GAME, record_of
from tests.support.postgres import PASSWORD, QUOTED, USER, Postgres

SECRETS: Final = (PASSWORD, QUOTED, "hunter2")


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with Postgres() as server:
        yield server


@pytest.fixture
def url(server: Postgres) -> str:
    return server.new_url()


class TestPostgresql(JournalContract):
    blob = "BYTEA"

    @pytest.fixture
    def url(self, server: Postgres) -> str:
        return server.new_schema_url()


def refused(url: str) -> str:
    """Why it is refused: one line, and no password in it or in what a log would show."""
    with pytest.raises(StoreError) as error:
        Journal.open(url)
    shown = "".join(traceback.format_exception(error.value))
    assert not [secret for secret in SECRETS if secret in shown]
    assert "\n" not in str(error.value)
    return str(error.value)


def test_the_record_of_a_game_is_read_beside_its_host(url: str) -> None:
    with pytest.raises(StoreError, match="holds no tables yet"):
        recorded(url, GAME)
    with opened(url) as journal:
        b = Bench(config(store=url), journal)
        b.connect("alice")
        b.begin("alice")
        b.tell("alice", "keep none")
        b.say("alice", "!stop")
        record = recorded(url, GAME)
        assert record == record_of(b)
        assert isinstance(verify(record), Right)


# --- passwords ---


def test_the_password_may_come_from_the_environment_or_a_file(
    server: Postgres, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    bare = server.url(url.rpartition("/")[2], password="")
    assert "password" in refused(bare)
    with monkeypatch.context() as patch:
        patch.setenv("PGPASSWORD", PASSWORD)
        with opened(bare) as journal:
            append(journal, 0, *OPENING)
    escaped = PASSWORD.replace("\\", "\\\\").replace(":", "\\:")
    passes = tmp_path / "pgpass"
    passes.write_text(f"{server.host}:{server.port}:*:{USER}:{escaped}\n")
    passes.chmod(0o600)
    monkeypatch.setenv("PGPASSFILE", str(passes))
    with opened(bare) as journal:
        assert history(journal) == list(OPENING)


def test_the_password_is_never_shown(server: Postgres, url: str, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    assert f"{USER}@127.0.0.1" in refused(server.url("nosuchdatabase"))
    assert "authentication failed" in refused(server.url("postgres", password=f":{QUOTED}wrong"))
    refused(f"{server.url('postgres')}?nosuchoption=1")
    refused(f"{server.url('postgres', password='')}?password={QUOTED}x")
    refused(f"postgresql+psycopg://{USER}:x@127.0.0.1:hunter2/db")
    refused(f"postgresql://{USER}:{QUOTED}@127.0.0.1/db")
    with opened(url) as journal:
        append(journal, 0, *OPENING)
        with pytest.raises(StoreError) as error:
            append(journal, 0, *OPENING)
        assert not [secret for secret in SECRETS if secret in str(error.value)]
    assert not [secret for secret in SECRETS if secret in caplog.text]


def test_a_server_that_is_not_there_is_told(server: Postgres) -> None:
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        assert "refused" in refused(server.url("x", port=bound.getsockname()[1]))


def test_a_missing_driver_is_told_with_what_to_install(
    server: Postgres, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert "pip install 'psycopg[binary]'" in refused(server.url("x"))


def test_a_row_that_is_not_taken_is_not_shown(url: str) -> None:
    """PostgreSQL tells the whole row, and the seed of a game is in it."""
    with opened(url) as journal:
        raw(journal, "ALTER TABLE games ADD CHECK (channel = '#other')")
        with pytest.raises(StoreError, match="check constraint") as error:
            append(journal, 0, *OPENING)
        assert "Failing row" not in "".join(traceback.format_exception(error.value))


# --- what is there ---


def test_a_database_of_something_else_is_refused(server: Postgres, url: str) -> None:
    with server.connect(url.rpartition("/")[2]) as other:
        other.execute("CREATE TABLE cats (name TEXT)")
        assert "cats" in refused(url)
        assert other.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall() == [
            ("cats",)
        ]


def test_a_look_makes_nothing(server: Postgres, url: str) -> None:
    assert Journal.look(url) is None
    with server.connect(url.rpartition("/")[2]) as other:
        assert other.execute("SELECT * FROM pg_tables WHERE schemaname = 'public'").fetchall() == []


def test_stores_in_two_schemas_are_two(server: Postgres) -> None:
    with opened(server.new_schema_url()) as one, opened(server.new_schema_url()) as other:
        append(one, 0, *OPENING)
        assert other.unfinished() == []


# --- restarts ---


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGQUIT])
def test_a_server_that_restarts_is_come_back_to(server: Postgres, url: str, number: signal.Signals) -> None:
    with opened(url) as journal:
        append(journal, 0, *OPENING)
        server.restart(number)
        append(journal, 2, Began())  # the connection is tried before it is used
        server.stop(number)
        with pytest.raises(StoreError):
            append(journal, 3, Began())
        server.restart()
        append(journal, 3, Began())
        assert history(journal) == [*OPENING, Began(), Began()]
        # It is the only host still, or again.
        assert "another host" in refused(url)


def test_another_host_that_came_in_between_has_it(server: Postgres, url: str) -> None:
    with opened(url) as first:
        append(first, 0, *OPENING)
        server.restart()
        with opened(url) as second:
            with pytest.raises(StoreError, match="another host"):
                append(first, 2, Began())
            append(second, 2, Began())
        assert history(first) == [*OPENING, Began()]


# --- a connection that is lost while it commits ---


class Cutter:
    """A port before the server's, that cuts the connection at the next COMMIT: before it or after it."""

    def __init__(self, server: Postgres) -> None:
        self._target = (server.host, server.port)
        self._listening = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listening.getsockname()[1]
        self.cut: str | None = None
        self._threads = [threading.Thread(target=self._accept)]
        self._threads[0].start()

    def close(self) -> None:
        self._listening.shutdown(socket.SHUT_RDWR)
        self._listening.close()
        for thread in self._threads:
            thread.join()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                client, _ = self._listening.accept()
                server = socket.create_connection(self._target)
                for one in ((client, server, True), (server, client, False)):
                    self._threads.append(threading.Thread(target=self._carry, args=one))
                    self._threads[-1].start()

    def _carry(self, source: socket.socket, target: socket.socket, asks: bool) -> None:
        committing = False
        with suppress(OSError):
            while data := source.recv(65_536):
                if asks and b"COMMIT" in data and self.cut == "before":
                    break
                committing = not asks and b"COMMIT" in data and self.cut == "after"
                if committing:
                    break  # the server's word that it is done stays here
                target.sendall(data)
        if self.cut:
            self.cut = None
        for one in (source, target):
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
        source.close()


@pytest.mark.parametrize(("when", "written"), [("before", False), ("after", True)])
def test_a_commit_that_nobody_heard_of_is_found_out(
    server: Postgres, url: str, when: str, written: bool
) -> None:
    cutter = Cutter(server)
    try:
        with opened(server.url(url.rpartition("/")[2], port=cutter.port)) as journal:
            append(journal, 0, *OPENING)
            cutter.cut = when
            with pytest.raises(StoreError):
                append(journal, 2, Began())
            found = journal.history("g1")
            assert found
            events = [event for _, event in found.events]
            assert events == [*OPENING, Began()] if written else events == list(OPENING)
            append(journal, len(events), Began())
            assert len(history(journal) or ()) == len(events) + 1
            cutter.cut = when
            with pytest.raises(StoreError):
                append(journal, 0, *OPENING, game="g2")
            assert (journal.history("g2") is not None) == written
    finally:
        cutter.close()


# --- the command line ---


def test_check_says_what_is_there_without_the_password(
    server: Postgres, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    def check(store: str) -> tuple[int, str]:
        path = tmp_path / "my.yaml"
        network = "networks: {a: {server: irc.example.org, nick: Hoster, channels: {'#y': }}}"
        path.write_text(f"{network}\nstore: {store}\n")
        status = main(["check", "--config", str(path)])
        return status, capsys.readouterr().out.splitlines()[-1]

    name = server.url(url.rpartition("/")[2], password="")
    assert check(url) == (0, f"store: {name} is not there yet; it will be made")
    with opened(url) as journal:
        append(journal, 0, *OPENING)
        assert check(url) == (0, f"store: {name}, schema version {SCHEMA_VERSION}, 1 game(s) on")
        append(journal, 2, Began())
        assert journal.name == name
    status, said = check(server.url("nosuchdatabase"))
    assert status == 1
    assert said.startswith(server.url("nosuchdatabase", password=""))
    assert "does not exist" in said
