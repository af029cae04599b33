"""Backup, export and import on a real PostgreSQL."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
import sqlalchemy as sql

from host import backup
from host.store_schema import check_today
from tests.host.archive_contract import ArchiveContract
from tests.host.archive_tools import Commands
from tests.host.journal_tools import OPENING, append, history, opened, raw
from tests.support.postgres import Postgres


@pytest.fixture(scope="module")
def server() -> Iterator[Postgres]:
    with Postgres() as server:
        yield server


class TestPostgresql(ArchiveContract):
    @pytest.fixture
    def url(self, server: Postgres) -> str:
        return server.new_schema_url()

    @pytest.fixture
    def other(self, server: Postgres) -> str:
        return server.new_schema_url()

    def test_what_is_committed_meanwhile_is_not_in_the_copy(
        self, url: str, run: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        with opened(url) as journal:
            append(journal, 0, *OPENING)

            def check_and_write(connection: sql.Connection) -> None:
                check_today(connection)
                append(journal, 0, *OPENING, game="late")

            monkeypatch.setattr(backup, "check_today", check_and_write)
            assert run("backup", tmp_path / "copy.sqlite")[0] == 0
            assert history(journal, "late") is not None
        with opened(f"sqlite:///{tmp_path / 'copy.sqlite'}") as copied:
            assert [found.file.game for found in copied.unfinished()] == ["g1"]

    def test_a_store_of_another_version_is_not_copied(self, url: str, run: Commands, tmp_path: Path) -> None:
        with opened(url) as journal:
            raw(journal, "UPDATE yardzee SET schema_version = 2")
        status, _, why = run("backup", tmp_path / "copy.sqlite")
        assert status == 1
        assert "schema version 2; the next start of the host brings it to" in why
        assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]
