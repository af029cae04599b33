"""`yardzee-host options`: JSON lines in, JSON lines out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.category import Category
from game.rules import RULE_SETS
from host.options import answer, answers

ROOT: Final = Path(__file__).parents[2]
VECTORS: Final = ROOT / "tests" / "vectors"
COMMAND: Final = (sys.executable, "-W", "error", "-m", "host", "options")
GOOD: Final = '{"rules": "hasbro", "dice": [4, 4, 4, 4, 4], "card": {"fours": 12, "yahtzee": 50}}'
ANSWER: Final = {"small_straight": 30, "large_straight": 40, "full_house": 25}


def asked(**other: Any) -> str:
    return json.dumps({"rules": "hasbro", "dice": [3, 3, 3, 4, 4], "card": {}} | other)


def run(lines: bytes) -> list[dict[str, Any]]:
    """Answers of one process; it must end well, and say nothing else."""
    done = subprocess.run(COMMAND, cwd=ROOT, input=lines, capture_output=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    return [json.loads(line) for line in done.stdout.splitlines()]


@pytest.mark.parametrize("name", ["options.jsonl", "more.jsonl"])
def test_every_vector_is_answered_by_one_process(name: str) -> None:
    lines = (VECTORS / name).read_bytes()
    vectors = [json.loads(line) for line in lines.splitlines()]
    assert run(lines) == [{"options": v["options"], "bonus": v["bonus"]} for v in vectors]
    assert len(vectors) >= 400


# What is wrong, and a word that the error has to hold.
BAD: Final[list[tuple[str | bytes, str]]] = [
    ("nonsense", "not JSON"),
    ("{", "not JSON"),
    (GOOD + " x", "not JSON"),
    ("", "not JSON"),
    ("   \t", "not JSON"),
    ("{'rules': 'hasbro'}", "not JSON"),
    ("\x00", "not JSON"),
    (b"\xff\xfe\x00", "not JSON"),
    (b'{"rules": "caf\xe9", "dice": [1, 2, 3, 4, 5], "card": {}}', "rules"),
    (b'{"rules": "hasbro", "dice": [1, 2, 3, 4, 5], "card": {"ac\xe9s": 1}}', "card"),
    ("[" * 100_000, "nested"),
    ('{"rules": ' + "[" * 3_000 + "]" * 3_000 + "}", "nested"),
    ("9" * 5_000, "digits"),
    ("null", "object"),
    ("[]", "object"),
    ("3", "object"),
    ('"text"', "object"),
    ("NaN", "object"),
    ("{}", "rules is missing"),
    ('{"rules": "hasbro", "card": {}}', "dice is missing"),
    ('{"rules": "hasbro", "dice": [1, 2, 3, 4, 5]}', "card is missing"),
    (asked(rules="Hasbro"), "possible are hasbro"),
    (asked(rules=None), "rules"),
    (asked(rules=1), "rules"),
    (asked(rules=["hasbro"]), "rules"),
    (asked(rules={}), "rules"),
    (asked(rules="x" * 100_000), "rules"),
    (asked(rules="\ud800"), "rules"),
    (asked(dice=[1, 2, 3, 4]), "dice"),
    (asked(dice=[1, 2, 3, 4, 5, 6]), "dice"),
    (asked(dice=[]), "dice"),
    (asked(dice=[0, 2, 3, 4, 5]), "dice"),
    (asked(dice=[7, 2, 3, 4, 5]), "dice"),
    (asked(dice=[-1, 2, 3, 4, 5]), "dice"),
    (asked(dice=[True, 1, 1, 1, 1]), "dice"),
    (asked(dice=[1.0, 1, 1, 1, 1]), "dice"),
    (asked(dice=["1", 1, 1, 1, 1]), "dice"),
    (asked(dice=[None] * 5), "dice"),
    (asked(dice=[[1]] * 5), "dice"),
    (asked(dice=float("nan")), "dice"),
    (asked(dice=[float("nan"), 1, 1, 1, 1]), "dice"),
    (asked(dice=[float("inf"), 1, 1, 1, 1]), "dice"),
    (asked(dice=[10**4000, 1, 1, 1, 1]), "dice"),
    (asked(dice="12345"), "dice"),
    (asked(dice=12345), "dice"),
    (asked(dice={"a": 1}), "dice"),
    (asked(dice=None), "dice"),
    (asked(card=None), "card"),
    (asked(card=[]), "card"),
    (asked(card="aces"), "card"),
    (asked(card={"Aces": 3}), "card"),
    (asked(card={"nonsense": 3}), "possible are aces"),
    (asked(card={"aces": None}), "card.aces"),
    (asked(card={"aces": "3"}), "card.aces"),
    (asked(card={"aces": 3.0}), "card.aces"),
    (asked(card={"aces": True}), "card.aces"),
    (asked(card={"aces": -1}), "card.aces"),
    (asked(card={"aces": float("nan")}), "card.aces"),
    (asked(card={"aces": [[]]}), "card.aces"),
]


def test_a_bad_line_is_answered_with_an_error_and_the_run_goes_on() -> None:
    lines = b""
    for bad, _ in BAD:
        lines += (bad if isinstance(bad, bytes) else bad.encode()) + b"\n" + GOOD.encode() + b"\n"
    found = run(lines)
    assert len(found) == 2 * len(BAD)
    for (bad, word), error, good in zip(BAD, found[::2], found[1::2], strict=True):
        assert list(error) == ["error"], bad[:80]
        assert word in error["error"], bad[:80]
        assert len(error["error"]) < 400, bad[:80]
        assert "\n" not in error["error"]
        assert good == {"options": good["options"], "bonus": 100}
        assert good["options"].items() >= ANSWER.items()


def test_other_keys_and_the_order_of_keys_do_not_matter() -> None:
    line = '{"note": [1, {"x": null}], "card": {}, "dice": [1, 1, 1, 1, 1], "options": 0, "rules": "houston"}'
    plain = '{"rules": "houston", "dice": [1, 1, 1, 1, 1], "card": {}}'
    first, second = run(f"{line}\n{plain}\n".encode())
    assert first == second
    assert first["options"]["full_house"] == 25


def test_windows_line_ends_and_a_last_line_without_one_are_read() -> None:
    assert len(run(GOOD.encode() + b"\r\n" + GOOD.encode())) == 2
    assert all("options" in found for found in run(GOOD.encode() + b"\r\n" + GOOD.encode()))


def test_a_full_card_has_no_options() -> None:
    full = {category.value: 0 for category in Category}
    assert answer(asked(card=full)) == {"options": {}, "bonus": 0}


def test_huge_points_are_points() -> None:
    assert answer(asked(card={"aces": 10**400}))["bonus"] == 0


def test_nothing_in_gives_nothing_out() -> None:
    assert run(b"") == []


def test_each_line_is_answered_before_the_next_is_sent() -> None:
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    with subprocess.Popen(
        COMMAND, cwd=ROOT, env=buffered, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    ) as process:
        # An answer that stays in a buffer would never come while the input is open.
        patience = threading.Timer(20, process.kill)
        patience.start()
        try:
            assert process.stdin
            assert process.stdout
            for line, key in ((GOOD, "options"), ("nonsense", "error"), (GOOD, "options")):
                process.stdin.write(line.encode() + b"\n")
                process.stdin.flush()
                assert key in process.stdout.readline().decode()
            process.stdin.close()
            assert process.wait() == 0
        finally:
            patience.cancel()
            process.kill()


def test_a_reader_that_goes_away_ends_the_run_quietly() -> None:
    with subprocess.Popen(
        COMMAND, cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        try:
            assert process.stdout
            process.stdout.close()
            _, complaint = process.communicate((GOOD.encode() + b"\n") * 2000, timeout=20)
            assert (process.returncode, complaint) == (1, b"")
        finally:
            process.kill()


json_values = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text()),
    lambda inner: st.one_of(st.lists(inner), st.dictionaries(st.text(), inner)),
    max_leaves=8,
)


@given(st.text())
def test_any_line_has_one_answer(line: str) -> None:
    found = list(answers([line]))
    assert len(found) == 1
    assert json.loads(found[0]).keys() in ({"error"}, {"options", "bonus"})


@given(
    rules=st.one_of(st.sampled_from(list(RULE_SETS)), json_values),
    dice=st.one_of(st.lists(st.integers(0, 7), min_size=4, max_size=6), json_values),
    card=st.one_of(
        st.dictionaries(st.sampled_from([c.value for c in Category]), st.one_of(st.integers(), json_values)),
        json_values,
    ),
)
def test_any_values_have_an_answer(rules: object, dice: object, card: object) -> None:
    found = answer(json.dumps({"rules": rules, "dice": dice, "card": card}))
    assert found.keys() in ({"error"}, {"options", "bonus"})
    if "options" in found:
        assert isinstance(card, dict)
        assert not found["options"].keys() & card.keys()
