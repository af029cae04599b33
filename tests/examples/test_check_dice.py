"""examples/check_dice.py: what strangers copy is short, needs nothing, and finds what does not fit."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
from functools import cache
from pathlib import Path

import pytest

from protocol.record import Roll
from tests.support.bench import CHANNEL, HOST, Bench
from tests.support.fair_games import GAME, played, record_of

EXAMPLE = Path(__file__).parents[2] / "examples/check_dice.py"


@cache
def game(pace: str, dice: str) -> Bench:
    return played(9, pace=pace, dice=dice, plain=True)


def log(pace: str = "free", dice: str = "own") -> str:
    """What the host says in the channel, as a client logs it."""
    said = (text for target, text, _ in game(pace, dice).wire.sent if target == CHANNEL)
    return "".join(f"12:03 <{HOST}> {text}\n12:03 <bob> nice\n" for text in said)


def checked(text: str) -> tuple[int, str]:
    """The exit status, and what is printed, of a process that sees nothing of this project."""
    done = subprocess.run(
        [sys.executable, "-I", "-S", "-W", "error", str(EXAMPLE)],
        input=text,
        capture_output=True,
        text=True,
        timeout=30,
        check=False,
    )
    assert done.stderr == ""
    return done.returncode, done.stdout


def test_it_is_short_and_needs_nothing_but_python() -> None:
    source = EXAMPLE.read_text(encoding="utf-8")
    assert len(source.splitlines()) < 100
    tree = ast.walk(ast.parse(source))
    names = {
        alias.name for node in tree if isinstance(node, ast.Import | ast.ImportFrom) for alias in node.names
    }
    assert names - {"Counter"} <= sys.stdlib_module_names


@pytest.mark.parametrize("dice", ["own", "same"])
@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_it_prints_every_roll_of_a_game(pace: str, dice: str) -> None:
    code, printed = checked(log(pace, dice))
    assert code == 0
    assert printed.endswith("1 game(s), 0 thing(s) that do not fit\n")
    record = record_of(game(pace, dice))
    true = sorted(" ".join(map(str, entry.dice.faces)) for entry in record.log if isinstance(entry, Roll))
    assert sorted(re.findall(r"[1-6](?: [1-6]){4}", printed)) == true


@pytest.mark.parametrize(
    ("old", "new", "wrong"),
    [
        (r"( seed )[0-9a-f]{4}", r"\g<1>0000", f"game {GAME}: no commitment was told to this seed"),
        (r"commit sha256:....", "commit sha256:0000", f"game {GAME}: no commitment was told to this seed"),
        (r"(?<=plays 1=)\S+", r"\g<0>,:ch", "round 14"),
        (r"(Round 7/13: alice \D+)\d+", r"\g<1>99", "round 7, alice: .. pays [0-9]+, told was 99"),
        (r"1=alice/Lucky.7", "1=alice/Lucky.8", "round [0-9]+, alice: "),
        (r"1=alice/Lucky.7", "", f"game {GAME}: who sat where was not told"),
        (r"$", f"\ngame {GAME} seed {'0' * 64}", f"game {GAME}: two seeds were told"),
        (
            r"(.*commit.*\n)((?s:.*begins.*?\n))",
            r"\2\1",
            f"game {GAME}: no commitment was told to this seed before",
        ),
        (r"(.*commit.*\n)((?s:.*))", r"\2\1", f"game {GAME}: no commitment was told to this seed before"),
    ],
)
def test_it_says_what_does_not_fit(old: str, new: str, wrong: str) -> None:
    code, printed = checked(re.sub(old, new, log(), count=1))
    if wrong == "round 14":
        assert f"game {GAME}, round 14, alice: " in printed
    else:
        assert code == 1
        assert re.search(f"^WRONG: {wrong}", printed, re.MULTILINE), printed[-300:]


def test_words_that_were_told_after_dice_had_fallen_are_named() -> None:
    text, seats = log(), f".*game {GAME} seats .*\n"
    (line,) = re.findall(seats, text)
    code, printed = checked(re.sub(seats, "", text) + line)
    assert code == 0
    assert f"NOT CHECKED: game {GAME}: words that were told only after dice had fallen\n" in printed
    code, printed = checked(text + line)
    assert (code, "NOT CHECKED" in printed) == (0, False), "told again"


def test_each_game_of_a_log_is_checked_by_itself() -> None:
    b = played(9, rounds=2)
    for word in ("!join", "!start", "!stop"):
        b.say("alice", word)
    code, printed = checked("\n".join(text for target, text, _ in b.wire.sent if target == CHANNEL))
    assert (code, printed.splitlines()[-1]) == (0, "2 game(s), 0 thing(s) that do not fit")


def test_a_log_without_games_is_no_success() -> None:
    assert checked("12:03 <bob> hello\n") == (1, "0 game(s), 0 thing(s) that do not fit\n")
