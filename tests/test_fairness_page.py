"""docs/fairness.md is true: its game, its numbers, its formats."""

from __future__ import annotations

import hashlib
import json
import re
import shutil
import subprocess
from pathlib import Path

from game.dice import Dice
from protocol.check import check
from protocol.fairness import Commit, Plays, Reveal, Seats
from protocol.heard import games
from protocol.record import written
from protocol.verdict import Right, shown
from tests.support.fair_games import played, record_of
from tests.support.hmac import hmac_sha256
from tests.support.recomputed import faces

PAGE = (Path(__file__).parents[1] / "docs/fairness.md").read_text(encoding="utf-8")
TALK = re.findall(r"^<\w+>\s+.*", PAGE, re.MULTILINE)
SEED = bytes.fromhex(re.findall(r"seed ([0-9a-f]{64})", PAGE)[0])


def test_the_game_of_the_page_is_right() -> None:
    (heard,) = games(re.sub(r">\s+", "> ", line) for line in TALK)
    found = check(heard)
    assert isinstance(found, Right)
    assert (found.seats, found.rounds, found.rolls, found.unchecked) == (2, 1, 4, ())
    for kind in (Commit, Seats, Reveal, Plays):
        assert any(kind.find(line) for line in TALK)
    assert hashlib.sha256(SEED).hexdigest() == heard.commit


def test_the_roll_by_hand_is_worked_out_right() -> None:
    row = {
        name: cells.split(" | ")
        for name, cells in re.findall(r"^\| ([^|]+?) \| (.*) \|$", PAGE, re.MULTILINE)
    }
    numbers = list(map(int, row["as a number"]))
    (text,) = set(re.findall(r"k3v9x1ab\|1\|1\|1\|Lucky7,-\|0", PAGE))
    assert list(hmac_sha256(SEED, text.encode())[:5]) == numbers
    assert [int(cell.strip("`"), 16) for cell in row["byte (hex)"]] == numbers
    assert [number % 6 + 1 for number in numbers] == list(map(int, row["remainder by 6, and 1"]))
    rolls = [faces(SEED, f"k3v9x1ab|1|1|{roll}|Lucky7,-") for roll in (1, 2)]
    dealt, fall = (Dice(tuple(roll)) for roll in rolls)
    said = PAGE.split("So she was dealt")[1].split("\n\n")[0]
    assert re.findall(r"`([1-6](?: [1-6]){4})`", said) == [
        shown(dealt),
        shown(fall),
        shown(dealt.rolled(frozenset({0, 4}), fall)),
    ]
    assert f"the seed gives {shown(dealt.rolled(frozenset({0, 4}), fall))} with ae kept" in PAGE


def test_the_command_of_the_page_gives_the_same() -> None:
    (command,) = re.findall(r"```sh\n(printf .*?)```", PAGE, re.DOTALL)
    assert shutil.which("openssl")
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=True)
    assert done.stdout.split()[-1].startswith("fa9292dd10")


def test_every_key_of_a_record_is_on_the_page_and_no_other() -> None:
    record = json.loads(written(record_of(played(7))))
    tables = PAGE.split("**The record** is JSON")[1]
    whole, log = tables.split("Each entry of the `log`")
    keys = [
        key
        for row in re.findall(r"^\| (`.*?) \|", whole, re.MULTILINE)
        for key in re.findall(r"`(\w+)`", row)
    ]
    assert sorted(keys) == sorted(record)
    for part in ("seats", "results"):
        (row,) = re.findall(rf"^\| `{part}` \| (.*) \|$", whole, re.MULTILINE)
        assert [key for key in record[part][0] if f"`{key}`" not in row] == []
    assert {entry["what"] for entry in record["log"]} == {"roll", "score", "amendment", "nick", "hint"}
    for entry in record["log"]:
        (row,) = re.findall(rf"^\| `{entry['what']}` \| (.*) \|$", log, re.MULTILINE)
        assert [key for key in list(entry)[4:] if f"`{key}`" not in row] == []
