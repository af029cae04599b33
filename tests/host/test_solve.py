"""The command `solve`."""

from __future__ import annotations

import re
import subprocess
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pytest
from rich.console import Console

from game.rules import FREE_CHOICE, RULE_SETS
from host import solve
from host.cli import main
from solver import cache
from solver.tables import Scores, scores
from solver.values import Progress, Values, shape
from tests.host.processes import ROOT

MEGABYTES = 500


def test_it_tells_the_published_value_keeps_the_table_and_takes_little_memory(tmp_path: Path) -> None:
    code = (
        "import pathlib, re, sys; from host.cli import main; status = main(sys.argv[1:]);"
        # Of this program alone: ru_maxrss is at first that of whoever started it.
        "peak = re.search(r'VmHWM:\\s*(\\d+) kB', pathlib.Path('/proc/self/status').read_text());"
        "print(int(peak[1]) // 1024); sys.exit(status)"
    )
    done = subprocess.run(
        [sys.executable, "-W", "error", "-c", code, "solve", "free_choice", "--folder", str(tmp_path)],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    told, memory = done.stdout.splitlines()
    assert re.fullmatch(r"free_choice 254\.589609 \d+\.\d s", told)
    assert int(memory) < MEGABYTES
    values = cache.load(tmp_path, scores(FREE_CHOICE))
    assert values is not None
    assert values.start == pytest.approx(254.589609, abs=1e-5)


def quick(table: Scores, progress: Progress | None = None) -> Values:
    """Stands in for the work of seconds."""
    assert progress
    progress(1, 2)
    progress(2, 2)
    return Values(table, np.zeros(shape(table)))


@pytest.fixture
def _quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(solve, "solve", quick)


@pytest.mark.usefixtures("_quick")
def test_without_names_all_rule_sets_are_solved(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["solve", "--folder", str(tmp_path)]) == 0
    said = capsys.readouterr()
    assert [line.split()[:2] for line in said.out.splitlines()] == [[key, "0.000000"] for key in RULE_SETS]
    assert said.err == ""
    # yardzee and hosted differ in words only.
    assert len(list(tmp_path.iterdir())) == len(RULE_SETS) - 1


@pytest.mark.usefixtures("_quick")
def test_a_folder_that_cannot_be_written_to_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "file").touch()
    assert main(["solve", "hasbro", "--folder", str(tmp_path / "file")]) == 1
    said = capsys.readouterr()
    assert said.out.startswith("hasbro 0.000000")
    assert said.err == f"the table cannot be kept in {tmp_path / 'file'}: File exists\n"


@pytest.mark.usefixtures("_quick")
def test_a_bar_shows_on_a_terminal(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = StringIO()
    monkeypatch.setattr(solve, "Console", lambda stderr: Console(file=terminal, force_terminal=True))
    list(solve.solved(["houston"], tmp_path))
    assert "houston" in terminal.getvalue()
    assert "100%" in terminal.getvalue()
