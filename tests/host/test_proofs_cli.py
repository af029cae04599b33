"""`record` and `verify` as people use them: processes, what they print, and how they end."""

from __future__ import annotations

import re
import subprocess
from contextlib import closing
from pathlib import Path

import pytest

from host.cli import main
from host.journal import Journal
from protocol.record import read, written
from tests.host.processes import COMMAND, ROOT
from tests.host.test_cli import config as config_file
from tests.host.test_cli import run
from tests.support.bench import Bench, config
from tests.support.fair_games import GAME, log_of, played, record_of

NO_ENVIRONMENT = {"PYTHONPATH": str(ROOT)}


def url(tmp_path: Path) -> str:
    return f"sqlite:///{tmp_path / 'g.sqlite'}"


def settings(tmp_path: Path) -> str:
    return str(config_file(tmp_path / "my.yaml", store=url(tmp_path)))


def main_says(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, str, str]:
    code = main(arguments)
    said = capsys.readouterr()
    return code, said.out, said.err


def test_a_record_is_printed_beside_the_host_and_verified_with_neither_store_nor_network(
    tmp_path: Path,
) -> None:
    b = played(7, store=url(tmp_path))
    done = run("record", GAME, "--config", settings(tmp_path))
    assert (done.returncode, done.stderr) == (0, "")
    assert read(done.stdout.encode()) == record_of(b)
    b.journal.close()
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    file = elsewhere / "game.json"
    file.write_text(done.stdout, "utf-8")
    (tmp_path / "g.sqlite").unlink()
    good = subprocess.run(
        [*COMMAND, "verify", file.name],
        cwd=elsewhere,
        env=NO_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
    )
    totals = " ".join(str(card.total) for card in b.keeper().table.play.cards)
    assert (good.returncode, good.stderr) == (0, "")
    assert re.fullmatch(
        rf"game {GAME} is right: 3 seats, 13 rounds, \d+ rolls, \d+ dice, totals {totals}\n", good.stdout
    )
    assert [path.name for path in elsewhere.iterdir()] == [file.name]


def verified(text: str) -> subprocess.CompletedProcess[str]:
    """What is said of a record on standard input."""
    return subprocess.run(
        [*COMMAND, "verify", "-"], input=text, env=NO_ENVIRONMENT, capture_output=True, text=True, check=False
    )


def test_what_is_wrong_is_told_first_and_ends_with_1() -> None:
    text = written(record_of(played(11, rounds=2, plain=True)))
    dice = re.findall(r'"dice": "([1-6]{5})"', text)[0]
    other = dice[:4] + str(int(dice[4]) % 6 + 1)
    done = verified(text.replace(f'"{dice}"', f'"{other}"', 1))
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout == (
        f"game {GAME}: round 1, alice, roll 1: the record has {' '.join(other)},"
        f" the seed gives {' '.join(dice)}\n"
    )
    done = verified(text)
    assert (done.returncode, done.stdout.split(":")[0]) == (0, f"game {GAME} is right")


def test_a_log_of_the_channel_does_as_well(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    log = tmp_path / "channel.log"
    lines = log_of(played(5))
    log.write_bytes("\n".join(lines).encode() + b"\n12:00 <bob> \xff\xfe\n")
    code, said, _ = main_says(capsys, "verify", str(log))
    assert (code, said.startswith(f"game {GAME} is right: 3 seats, 13 rounds, ")) == (0, True)
    log.write_text("\n".join(line for line in lines if "commit" not in line))
    code, said, _ = main_says(capsys, "verify", str(log))
    assert (code, said.splitlines()[-1]) == (
        0,
        "not checked: that the seed was fixed before the game: no commitment was heard",
    )
    log.write_text("\n".join(line for line in lines if " seed " not in line))
    code, said, _ = main_says(capsys, "verify", str(log))
    assert (code, said) == (1, f"game {GAME} cannot be checked: its seed was not told\n")


@pytest.mark.parametrize(
    ("data", "problem"),
    [
        (b"", "it is no record, and no log of a channel with the lines that dice are checked by"),
        (b"\x00\xff", "it is no record, and no log of a channel"),
        (b"{}", "record: is missing"),
        (b'{"record": ' + b"[" * 100_000, "it is nested too deeply"),
        (b'{"record": \xff}', "byte 11 is not UTF-8"),
    ],
)
def test_what_is_neither_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes, problem: str
) -> None:
    file = tmp_path / "game"
    file.write_bytes(data)
    code, said, error = main_says(capsys, "verify", str(file))
    assert (code, said) == (1, "")
    assert error.startswith(f"{file}: {problem}")
    assert len(error.splitlines()) == 1


def test_a_file_that_cannot_be_read_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for name, why in ((tmp_path / "none", "No such file or directory"), (tmp_path, "Is a directory")):
        assert main_says(capsys, "verify", str(name)) == (1, "", f"{name} cannot be read: {why}\n")


def test_why_there_is_no_record_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    def said(game: str) -> str:
        code, out, error = main_says(capsys, "record", game, "--config", settings(tmp_path))
        assert (code, out) == (1, "")
        return error

    assert said(GAME) == f"{url(tmp_path)} is not there yet\n"
    with closing(Journal.open(url(tmp_path))) as journal:
        b = Bench(config(store=url(tmp_path)), journal)
        b.connect("alice")
        b.begin("alice")
        assert said(GAME) == f"game {GAME} is on; its record can be had when it is over\n"
        assert said("' OR 1=1") == f"there is no game ' OR 1=1 in {url(tmp_path)}\n"
    assert main_says(capsys, "record", GAME, "--config", str(tmp_path / "no.yaml"))[0] == 1
