"""Backup, export and import on SQLite; which games are meant; and rows for spreadsheets."""

from __future__ import annotations

import csv
import io
import os
import subprocess
import sys
from pathlib import Path

import pytest

from game.match import places
from host.cli import main
from host.errors import StoreError
from host.store import Store
from tests.host.archive_contract import ArchiveContract
from tests.host.archive_tools import ENDED, ON, Commands, evening, lines
from tests.host.journal_tools import OPENING, append, opened, raw
from tests.host.records_contract import older


class TestSqlite(ArchiveContract):
    @pytest.fixture
    def url(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 'games.sqlite'}"

    @pytest.fixture
    def other(self, tmp_path: Path) -> str:
        return f"sqlite:///{tmp_path / 'other.sqlite'}"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> str:
    """The store of the evening, which nobody changes."""
    url = f"sqlite:///{tmp_path_factory.mktemp('evening') / 'games.sqlite'}"
    evening(url)
    return url


@pytest.fixture
def run(store: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Commands:
    return Commands(store, tmp_path, capsys)


# --- files ---


def test_a_file_that_is_there_is_left_as_it_is(run: Commands, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.write_text("mine")
    why = f"{kept} is there already, and is left as it is; choose another name\n"
    assert run("backup", kept) == (1, "", why)
    assert run("export", "-o", kept) == (1, "", why)
    assert kept.read_text() == "mine"
    status, said, why = run("backup", tmp_path / "no" / "copy")
    assert (status, said, why) == (1, "", f"there is no folder {tmp_path}/no\n")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["kept", "my.yaml"]


def test_a_file_of_games_is_for_its_owner_alone(run: Commands, tmp_path: Path) -> None:
    games = tmp_path / "games.jsonl"
    assert run("export", "-o", games)[:2] == (0, "")
    assert games.read_text() == run("export")[1]
    assert games.stat().st_mode & 0o777 == 0o600


def test_a_file_that_could_not_be_made_is_not_there(store: str, run: Commands, tmp_path: Path) -> None:
    broken = tmp_path / "broken.sqlite"
    assert run("backup", broken)[0] == 0
    with opened(f"sqlite:///{broken}") as journal:
        raw(journal, f"UPDATE events SET body = '' WHERE game = '{ENDED[2]}' AND version = 1")
        raw(journal, f"UPDATE events SET body = '' WHERE game = '{ON}' AND version = 1")
    (tmp_path / "run").mkdir()
    of_broken = Commands(f"sqlite:///{broken}", tmp_path / "run", run.capsys)
    status, said, why = of_broken("export", "-o", tmp_path / "run" / "games.jsonl")
    assert (status, said) == (1, "")
    assert f"game {ENDED[2]} cannot be read: event 1 is not as it was written" in why
    status, said, why = of_broken("backup", tmp_path / "run" / "copy.sqlite")
    assert (status, said) == (1, "")
    assert f"game {ON} cannot be read: event 1 is not as it was written" in why
    assert [path.name for path in (tmp_path / "run").iterdir()] == ["my.yaml"]
    # In a stream the games before are out, which shows that they are not gathered first.
    assert len(lines(of_broken("export")[1])) == 2


def test_a_host_that_starts_meanwhile_is_noticed(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with opened(url) as journal:
        append(journal, 0, *OPENING)
    with (
        pytest.raises(StoreError, match="a host began to write in it meanwhile"),
        Store.reading(url) as reading,
        reading.snapshot(),
        opened(url) as journal,
    ):
        append(journal, 0, *OPENING, game="g2")
        assert journal._store.settle()


def test_an_older_store_is_copied_as_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    url = f"sqlite:///{tmp_path / 'games.sqlite'}"
    with opened(url) as journal:
        append(journal, 0, *OPENING)
    older(url, 2)
    run = Commands(url, tmp_path, capsys)
    assert run("backup", tmp_path / "copy.sqlite")[1].startswith(f"{tmp_path}/copy.sqlite: 1 game(s), 1 of")
    status, _, why = run("export")
    assert status == 1
    assert "schema version 2; the next start of the host brings it to" in why
    with opened(f"sqlite:///{tmp_path / 'copy.sqlite'}") as copied:
        assert len(copied.unfinished()) == 1


def test_the_reader_of_an_export_may_have_enough(store: str, tmp_path: Path, run: Commands) -> None:
    host = Path(sys.executable).parent / "yardzee-host"
    status = subprocess.run(
        [
            "bash",
            "-c",
            f"{host} export --config {run.config} | head -c 1 | wc -c; exit ${{PIPESTATUS[0]}}",
        ],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
        env=os.environ,
    )
    assert (status.returncode, status.stdout.strip(), status.stderr) == (1, "1", "")


def test_a_file_that_is_not_there_makes_no_store(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    run = Commands(f"sqlite:///{tmp_path / 'new.sqlite'}", tmp_path, capsys)
    missing = tmp_path / "missing"
    assert run("import", missing) == (1, "", f"{missing}: No such file or directory\n")
    assert [path.name for path in tmp_path.iterdir()] == ["my.yaml"]


# --- which games ---


def test_games_are_chosen_by_name_and_by_date(run: Commands) -> None:
    every = lines(run("export")[1])
    ended = next(entry["wall"] for entry in every[1]["events"] if entry["kind"] == "Finished")
    chosen = {
        ("--games", ENDED[3], ENDED[0]): (ENDED[0], ENDED[3]),
        ("--since", ended): ENDED[1:],
        ("--since", "2026-01-01"): ENDED,
        ("--since", "2026-01-02"): (),
    }
    for arguments, games in chosen.items():
        status, text, _ = run("export", *arguments)
        assert (status, [line["game"] for line in lines(text)]) == (0, list(games))


@pytest.mark.parametrize(
    ("game", "why"),
    [("nonsense", "there is no game 'nonsense'"), (ON, "is on, and its seed is secret until it ends")],
)
def test_a_game_that_cannot_be_had_is_told(run: Commands, game: str, why: str) -> None:
    status, said, told = run("export", "--games", ENDED[0], game)
    assert (status, said) == (1, "")
    assert why in told


def test_the_seed_of_a_game_that_is_on_does_not_leave(store: str, run: Commands) -> None:
    with opened(store) as journal:
        (history,) = journal.unfinished()
    text = run("export")[1] + run("export", "--format", "csv")[1]
    assert history.file.game == ON
    assert ON not in text


@pytest.mark.parametrize(
    "arguments",
    [
        ["backup"],
        ["import"],
        ["export", "--format", "xml"],
        ["export", "--since", "yesterday"],
        ["export", "--games"],
        ["export", "--games", "a", "--since", "2026-01-01"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert f"usage: yardzee-host {arguments[0]}" in capsys.readouterr().err


# --- rows ---


def test_a_row_is_a_seat_of_a_finished_game(store: str, run: Commands) -> None:
    status, text, said = run("export", "--format", "csv")
    assert (status, said) == (0, "2 game(s) exported; left out, since they are on: 1\n")
    rows = list(csv.DictReader(io.StringIO(text)))
    assert [(row["game"], row["seat"], row["nick"], row["house"]) for row in rows] == [
        (ENDED[0], "1", "alice", ""),
        (ENDED[0], "2", "'-bob", ""),
        (ENDED[1], "1", "alice", ""),
        (ENDED[1], "2", "Pip(house)", "expert"),
        (ENDED[1], "3", "'-bob", ""),
    ]
    assert [(row["rules"], row["pace"], row["dice"]) for row in rows[1:3]] == [
        ("hasbro", "free", "own"),
        ("houston", "lockstep", "same"),
    ]
    boxes = list(rows[0])[14:27]
    assert (boxes[0], boxes[-1]) == ("aces", "chance")
    for row in rows:
        parts = [int(row[name]) for name in (*boxes, "upper_bonus", "yahtzee_bonus")]
        assert sum(parts) == int(row["total"])
        assert row["opened"] < row["finished"]
        assert row["hinted"] == "0"
    # alice plays one round of the first game, and the host plays for whoever has missed two.
    assert [row["stood_in"] for row in rows] == ["10", "11", "11", "0", "11"]
    for game in ENDED[:2]:
        of_game = [row for row in rows if row["game"] == game]
        assert [int(row["place"]) for row in of_game] == places([int(row["total"]) for row in of_game])
