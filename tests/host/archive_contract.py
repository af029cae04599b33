"""What backup, export and import keep to on every kind of store."""

from __future__ import annotations

import json
import threading
from abc import ABC, abstractmethod
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.events import Connected
from host import cli
from host.errors import StoreError
from host.events import Began
from host.journal import Journal
from host.outcome import nick_key
from host.store_tables import META
from tests.host.archive_tools import ENDED, NICKS, ON, Commands, bench, evening, evening_at_once, lines
from tests.host.journal_tools import OPENING, append, opened, raw
from tests.host.records_contract import NET
from tests.support import recount
from tests.support.bench import HOST


class Writer:
    """A host that commits all the time, until the end of the `with`; it does not wait long for any lock."""

    def __init__(self, url: str) -> None:
        self._url, self._end = url, threading.Event()
        self._thread = threading.Thread(target=self._write)
        self._moved = threading.Condition()
        self.commits = 0
        self.errors: list[StoreError] = []

    def __enter__(self) -> Writer:
        self._thread.start()
        self.wait()
        return self

    def __exit__(self, *_: object) -> None:
        self._end.set()
        self._thread.join()

    def wait(self) -> None:
        """Until it has committed once more."""
        with self._moved:
            was = self.commits
            assert self._moved.wait_for(lambda: self.commits > was or self.errors, timeout=30)

    def _write(self) -> None:
        with opened(self._url, patience=0.05) as journal:
            while not self._end.is_set():
                try:
                    append(journal, 0, *OPENING, game=f"w{self.commits}")
                except StoreError as error:
                    self.errors.append(error)
                    self._end.set()
                with self._moved:
                    self.commits += 1
                    self._moved.notify_all()


class ArchiveContract(ABC):
    """`url` and `other` name stores that are new in each test."""

    @pytest.fixture
    @abstractmethod
    def url(self) -> Iterator[str] | str: ...

    @pytest.fixture
    @abstractmethod
    def other(self) -> Iterator[str] | str: ...

    @pytest.fixture
    def run(self, url: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
        return Commands(url, tmp_path, capsys)

    # --- backup ---

    def test_the_copy_of_a_store_that_is_written_is_of_one_moment(
        self, url: str, run: Commands, tmp_path: Path
    ) -> None:
        with Writer(url) as writer:
            for number in range(3):
                copy = tmp_path / f"copy{number}.sqlite"
                before = writer.commits
                status, said, _ = run("backup", copy)
                writer.wait()
                assert status == 0
                with opened(f"sqlite:///{copy}") as journal:
                    found = {history.file.game: len(history.events) for history in journal.unfinished()}
                assert found == dict.fromkeys((f"w{n}" for n in range(len(found))), len(OPENING))
                assert before <= len(found) <= writer.commits
                assert said.startswith(f"{copy}: {len(found)} game(s), {len(found)} of them on, copied in ")
                assert copy.stat().st_mode & 0o777 == 0o600
        assert writer.errors == []

    def test_games_go_on_from_the_copy(self, url: str, run: Commands, tmp_path: Path) -> None:
        evening(url)
        copy = tmp_path / "copy.sqlite"
        status, said, _ = run("backup", copy)
        assert (status, said.partition(", copied")[0]) == (0, f"{copy}: 5 game(s), 1 of them on")
        told = []
        for store in (url, f"sqlite:///{copy}"):
            with opened(store) as journal:
                made = bench(journal, journal.last_time())
                shown = [made.dice("alice")]
                made.tell("alice", f"keep {shown[0].dice.faces[0]}")
                shown.append(made.dice("alice"))
                assert [tag.roll for tag in shown] == [1, 2]
                made.pass_(14 * 120)
                assert journal.unfinished() == []
                history = journal.history(ON)
                assert history
                told.append((shown, [event for _, event in history.events]))
        assert told[0] == told[1]

    def test_every_table_is_copied(self, url: str, run: Commands, tmp_path: Path) -> None:
        evening_at_once(url)
        copy = tmp_path / "copy.sqlite"
        with opened(url) as journal:
            raw(journal, "INSERT INTO preferences VALUES ('local', 'alice', 'unicode', (1 = 1))")
            raw(journal, "INSERT INTO bans VALUES ('local', 'pest', '*!*@pest', NULL, 'boss', '2026-01-01')")
            assert run("backup", copy)[0] == 0
            with opened(f"sqlite:///{copy}") as copied:
                for table in META.metadata.tables:
                    assert contents(copied, table) == contents(journal, table)
                assert all(contents(copied, table) for table in ("games", "events", "preferences", "bans"))

    def test_there_is_nothing_to_copy_or_export(self, run: Commands, tmp_path: Path) -> None:
        for command in (("backup", tmp_path / "copy.sqlite"), ("export",)):
            status, said, why = run(*command)
            assert (status, said) == (1, "")
            assert "yet" in why
            assert len(why.splitlines()) == 1
        assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]

    # --- export and import ---

    def test_what_was_exported_comes_in_as_it_was(
        self, url: str, other: str, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        evening(url)
        status, text, said = run("export")
        assert (status, said) == (0, "4 game(s) exported; left out, since they are on: 1\n")
        assert [line["game"] for line in lines(text)] == list(ENDED)
        games = tmp_path / "games.jsonl"
        games.write_text(text)
        (tmp_path / "other").mkdir()
        into = Commands(other, tmp_path / "other", capsys)
        assert into("import", games) == (0, f"{games}: 4 game(s) taken in, 0 there already\n", "")
        assert into("export") == (0, text, "4 game(s) exported; left out, since they are on: 0\n")
        assert into("import", games) == (0, f"{games}: 0 game(s) taken in, 4 there already\n", "")
        with opened(url) as one, opened(other) as two:
            for game in ENDED:
                assert one.history(game) == two.history(game)
                rows = "SELECT version, at, wall, kind, body, seal FROM events WHERE game = '{}' ORDER BY 1"
                assert raw(one, rows.format(game)) == raw(two, rows.format(game))
            assert one.last_results() == two.last_results()
            assert recount.check(one._store) == recount.check(two._store) == 2
            noted = [recount.tables(journal._store)["mentions"] for journal in (one, two)]
            assert [row for row in noted[0] if row["game"] in ENDED] == noted[1]

    def test_a_file_comes_in_whole_or_not_at_all(
        self, url: str, other: str, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        evening_at_once(url)
        text = run("export")[1]
        games = tmp_path / "games.jsonl"
        games.write_text(text + "no game\n\n" + text.splitlines()[1][:-9] + "\n")
        (tmp_path / "other").mkdir()
        into = Commands(other, tmp_path / "other", capsys)
        why = f"{games}: line 5: it is no JSON\n{games}: line 7: it is no JSON\n"
        assert into("import", games) == (1, "", why)
        assert into("export")[1] == ""

    def test_a_game_that_is_there_and_differs_is_refused_by_name(
        self, url: str, run: Commands, tmp_path: Path
    ) -> None:
        evening_at_once(url)
        text = run("export")[1]
        games = tmp_path / "games.jsonl"
        games.write_text(text.replace('"channel":"#free"', '"channel":"#tree"', 1))
        status, _, why = run("import", games)
        assert (status, why) == (
            1,
            f"{games}: line 1: game game0001 is in the store already, and is not the same\n",
        )
        assert run("export")[1] == text

    def test_who_was_forgotten_elsewhere_is_somebody_else(
        self, url: str, other: str, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        evening(url)
        with opened(url) as journal:
            bench(journal, journal.last_time()).pass_(14 * 120)
            for nick in NICKS:
                assert journal.records.forget(NET, nick_key(nick), nick, recount.ascii_fold)
            assert recount.check(journal._store) == 3
        text = run("export")[1]
        games = tmp_path / "games.jsonl"
        games.write_text(text)
        with opened(other) as journal:
            made = bench(journal)
            for _ in range(8):  # so that the game has another name than those that come in
                made.say("alice", "!join", "#free")
                made.say("alice", "!leave", "#free")
            made.connect("carol", "dave")
            made.begin("carol", "dave", channel="#free")
            made.pass_(14 * 120)
            (own,) = journal.records.forget(NET, nick_key("carol"), "carol", recount.ascii_fold)
            for table in ("mentions", "events", "games"):
                raw(journal, f"DELETE FROM {table} WHERE game < '{own}'")
        (tmp_path / "other").mkdir()
        into = Commands(other, tmp_path / "other", capsys)
        assert into("import", games) == (0, f"{games}: 5 game(s) taken in, 0 there already\n", "")
        for again in (into, run):
            assert again("import", games) == (0, f"{games}: 0 game(s) taken in, 5 there already\n", "")
        with opened(other) as journal:
            assert journal.records.forget(NET, nick_key("dave"), "dave", recount.ascii_fold)
            assert recount.check(journal._store) == 4
            played = {f"x:{n}": journal.records.person(NET, f"x:{n}") for n in range(1, 5)}
            assert [one and one.tally.games + one.left for one in played.values()] == [1, 3, 3, 1]

    def test_a_result_from_elsewhere_is_no_news(
        self, url: str, other: str, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        evening_at_once(url)
        exported = lines(run("export")[1])
        for line in exported:
            line["events"] = [event for event in line["events"] if event["kind"] != "Announced"]
        games = tmp_path / "games.jsonl"
        games.write_text("".join(f"{json.dumps(line)}\n" for line in exported))
        (tmp_path / "other").mkdir()
        assert Commands(other, tmp_path / "other", capsys)("import", games)[0] == 0
        with opened(other) as journal:
            made = bench(journal, journal.last_time())
            assert made.wire.sent == []
            (told,) = made.say("alice", "!scores", "#free")
            assert told.startswith("alice: Final result: ")

    def test_names_are_compared_as_the_network_was_seen_to(
        self, url: str, other: str, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        with opened(url) as journal:
            made = bench(journal)
            made.connect("al[x]")
            made.begin("al[x]", channel="#free")
            made.pass_(14 * 120)
        games = tmp_path / "games.jsonl"
        games.write_text(run("export")[1])
        with opened(other) as journal:
            bench(journal).heard(Connected(HOST))
        (tmp_path / "other").mkdir()
        assert Commands(other, tmp_path / "other", capsys)("import", games)[0] == 0
        with opened(other) as journal:
            assert journal.records.find(NET, "AL[X]", recount.ascii_fold) == "n:al[x]"
            assert recount.check(journal._store) == 1

    def test_nothing_comes_in_beside_a_host(
        self, url: str, run: Commands, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(cli, "PATIENCE", 0.05)
        evening_at_once(url)
        games = tmp_path / "games.jsonl"
        games.write_text(run("export")[1])
        with opened(url) as journal:
            status, said, why = run("import", games)
            assert (status, said) == (1, "")
            assert "another host runs on it" in why
            # To look at it is another matter.
            assert run("export")[1] == games.read_text()
            assert len(journal.unfinished()) == 1

    def test_the_clock_of_games_that_are_on_does_not_jump(
        self, url: str, other: str, run: Commands, tmp_path: Path, capsys: pytest.CaptureFixture[str]
    ) -> None:
        evening_at_once(url)
        games = tmp_path / "games.jsonl"
        games.write_text(run("export")[1])
        with opened(other) as journal:
            append(journal, 0, *OPENING, at=100)
        (tmp_path / "other").mkdir()
        into = Commands(other, tmp_path / "other", capsys)
        status, _, why = into("import", games)
        assert status == 1
        assert "1 game(s) are on in the store, and its clock would jump" in why
        assert Journal.look(other) is not None
        assert into("export")[1] == ""
        with opened(other) as journal:
            assert journal.last_time() == 100
            append(journal, 2, Began(), at=1e6)
        assert into("import", games)[0] == 0


def contents(journal: Journal, table: str) -> list[str]:
    """The rows of a table; SQLite says 1 for true."""
    rows = raw(journal, f"SELECT * FROM {table}")
    return sorted(repr([int(cell) if isinstance(cell, bool) else cell for cell in row]) for row in rows)
