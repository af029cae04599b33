"""tests/vectors/card.jsonl, which try cards in any language; docs/protocol.md says how it is read."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from protocol.card import commands, keys, news
from protocol.card.fields import LONGEST, BadLine, Message, write
from protocol.card.keys import By, Clock, Code, Exit, Lines, Phase
from tests.protocol.card_json import as_json
from tests.protocol.card_tables import keys_of

LINES = (Path(__file__).parents[1] / "vectors/card.jsonl").read_text(encoding="utf-8").splitlines()
VECTORS: Final[list[dict[str, Any]]] = [json.loads(line) for line in LINES]
READERS: Final[Mapping[str, Callable[[str], Message | None]]] = {"host": commands.read, "card": news.read}
KINDS: Final[Mapping[str, Mapping[str, type[Message]]]] = {"host": commands.KINDS, "card": news.KINDS}
OUTCOMES: Final = {"message", "reads", "bad", "unknown", "none"}


@pytest.mark.parametrize("vector", VECTORS, ids=range(len(VECTORS)))
def test_a_line_is_what_the_vector_says(vector: dict[str, Any]) -> None:
    (outcome,) = vector.keys() & OUTCOMES
    expected, line = vector[outcome], vector["line"]
    read = READERS[vector["to"]]
    if outcome == "bad":
        with pytest.raises(BadLine) as bad:
            read(line)
        assert (bad.value.key, bad.value.kind) == (expected, line.split()[1])
    elif outcome == "unknown":
        with pytest.raises(commands.UnknownKind) as unknown:
            read(line)
        assert unknown.value.kind == expected
    elif outcome == "none":
        assert read(line) is None
    else:
        message = read(line)
        assert message is not None
        assert as_json(message) == expected
        assert (write(message) == line) == (outcome == "message")
        assert as_json(read(write(message)) or message) == expected


def test_no_line_comes_twice_or_is_too_long() -> None:
    lines = [(vector["to"], vector["line"]) for vector in VECTORS]
    assert len(set(lines)) == len(lines)
    assert max(len(line.encode()) for _, line in lines) <= LONGEST


@pytest.mark.parametrize("to", KINDS)
def test_every_kind_and_key_occurs_with_and_without_what_may_be_missing(to: str) -> None:
    written = [vector for vector in VECTORS if vector["to"] == to and "message" in vector]
    broken = {(v["line"].split()[1], v["bad"]) for v in VECTORS if v["to"] == to and "bad" in v}
    assert {vector["message"]["kind"] for vector in written} == set(KINDS[to])
    for name, kind in KINDS[to].items():
        mine = [vector["line"] for vector in written if vector["message"]["kind"] == name]
        for _, key, optional in keys_of(kind):
            given = [f" {key.name}=" in line for line in mine]
            assert any(given), f"{name}: {key.name}"
            assert not optional or not all(given), f"{name}: {key.name}"
        required = [key.name for _, key, optional in keys_of(kind) if not optional]
        assert not required or broken & {(name, key) for key in required}, name


def test_every_key_is_seen_to_be_refused_but_those_that_may_be_any_word() -> None:
    everything = {
        key.name for kinds in KINDS.values() for kind in kinds.values() for _, key, _ in keys_of(kind)
    }
    seen = {vector["bad"] for vector in VECTORS if "bad" in vector}
    assert everything - seen == {"token"}


@pytest.mark.parametrize("words", [Code, Lines, Phase, By, Clock, Exit], ids=lambda kind: kind.__name__)
def test_every_word_that_is_possible_occurs(words: type[keys.Code]) -> None:
    shown = "\n".join(json.dumps(vector["message"]) for vector in VECTORS if "message" in vector)
    assert [word.value for word in words if f'"{word.value}"' not in shown] == []
