"""A record as a file: what is none is refused with its place, and nothing breaks the reader."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.dice import Dice
from game.fair import DiceMode, commitment
from game.match import Pace
from protocol.record import Ending, Record, Roll, Seat, read, written
from protocol.shape import BadRecord

TIME = "2026-01-31T23:59:59.123Z"
SEED = bytes(32)
RECORD = Record(
    *(1, "game0001", "hasbro", Pace.FREE, DiceMode.OWN, commitment(SEED), SEED.hex(), TIME, TIME, TIME),
    Ending.STOPPED,
    (Seat("älice", "-", house=False),),
    (Roll(TIME, 1, 1, 1, frozenset(), Dice((1, 2, 3, 4, 5))),),
    (),
).sealed()
TEXT = written(RECORD)


def problem(data: bytes) -> str:
    with pytest.raises(BadRecord) as bad:
        read(data)
    return str(bad.value)


def test_it_is_read_as_it_was_written_and_a_line_holds_one_entry() -> None:
    assert read(TEXT.encode()) == read(b"\xef\xbb\xbf" + TEXT.encode()) == RECORD
    assert len(TEXT.splitlines()) == 21
    assert json.dumps(json.loads(TEXT), indent=3).encode() != TEXT.encode()
    assert read(json.dumps(json.loads(TEXT), indent=3).encode()) == RECORD, "the digest is not of its spaces"


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('"rules": "hasbro"', '"rules": "Hasbro"', "rules: one of hasbro yardzee hosted houston free_choice"),
        ('"pace": "free"', '"pace": "slow"', "pace: free or lockstep is possible"),
        ('"pace": "free"', '"pace": 1', "pace: free or lockstep is possible"),
        ('"record": 1', '"record": 2', "record: a number from 1 to 1 is possible"),
        ('"record": 1', '"record": true', "record: a number from 1 to 1 is possible"),
        ('"record": 1', '"record": 1.0', "1.0: whole numbers alone are possible"),
        ('"record": 1', '"record": NaN', "NaN: whole numbers alone are possible"),
        ('"record": 1', '"record": -Infinity', "-Infinity: whole numbers alone are possible"),
        ('"record": 1', '"record": 1e999', "1e999: whole numbers alone are possible"),
        ('"record": 1', '"record": ' + "9" * 5000, "a number is too large"),
        ('"record": 1', '"record": 1, "record": 1', "record: stands there twice"),
        ('"record": 1,', "", "record: is missing"),
        ('"record": 1', '"record": 1, "more": 1', "more: no such key; possible are record game rules"),
        ('"dice": "12345"', '"dice": "12347"', "log[0].dice: five faces from 1 to 6 are possible"),
        ('"dice": "12345"', '"dice": [1, 2, 3, 4, 5]', "log[0].dice: five faces is possible"),
        ('"kept": "-"', '"kept": ""', "log[0].kept: letters from a to e are possible"),
        ('"kept": "-"', '"kept": "ba"', "log[0].kept: letters from a to e in their order, or -, is possible"),
        ('"what": "roll"', '"what": "steal"', "log[0].what: possible are roll score amendment nick hint"),
        ('"what": "roll"', '"what": ["roll"]', "log[0].what: possible are roll score amendment nick hint"),
        ('"what": "roll", ', "", "log[0].what: possible are"),
        ('"seat": 1', '"seat": 0', "log[0].seat: a number from 1 to 50 is possible"),
        ('"time": "2026-01-31', '"time": "2026-01-31 ', "log[0].time: a time as 2026-01-31T23:59:59.000Z"),
        ('"time": "2026', '"time": "٢٠٢٦', "log[0].time: a time as"),
        ('"word": "-"', '"word": "a|b"', "seats[0].word: a word is possible"),
        ('"word": "-"', '"word": "-\\n"', "seats[0].word: a word is possible"),
        ('"nick": "älice"', '"nick": "\\ud800"', "seats[0].nick: half a character stands there"),
        ('"house": false', '"house": 0', "seats[0].house: true or false is possible"),
        ('"seats": [', '"seats": [' + "{}, " * 50, "seats: at most 50 are possible"),
        ('"results": []', '"results": {}', "results: a list is possible"),
        ('"results": []', '"results": [1]', "results[0]: an object is possible"),
        ('"log": [', '"log": [[], ', "log[0]: an object is possible"),
        ("{\n", "{{\n", "line 1: no JSON: Expecting property name"),
    ],
)
def test_what_is_wrong_is_told_with_its_place_and_what_is_possible(old: str, new: str, said: str) -> None:
    assert old in TEXT
    assert said in problem(TEXT.replace(old, new, 1).encode())


def test_what_is_no_record_at_all() -> None:
    assert problem(b"[]") == "an object is possible"
    assert problem(b"") == "line 1: no JSON: Expecting value"
    assert problem(TEXT.encode("latin-1")).endswith("is not UTF-8")
    assert problem(TEXT.encode("utf-16")).endswith("is not UTF-8")
    assert problem(b'{"record": ' + b"[" * 200_000) == "it is nested too deeply"
    assert len(problem(json.dumps({"x" * 9999: 1}).encode())) < 300


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner),
    max_leaves=8,
)


@given(st.data())
def test_any_json_anywhere_is_read_or_refused(data: st.DataObject) -> None:
    whole: Any = json.loads(TEXT)
    holder = data.draw(st.sampled_from([whole, whole["seats"][0], whole["log"][0]]))
    holder[data.draw(st.sampled_from(list(holder)))] = data.draw(JSON)
    try:
        read(json.dumps(whole).encode())
    except BadRecord as error:
        str(error).encode()


@given(st.binary() | st.text().map(str.encode))
def test_any_bytes_are_refused(data: bytes) -> None:
    problem(data)
