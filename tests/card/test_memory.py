"""What is remembered: whole, private, and never in the way."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from card import memory
from card.memory import Remembered

PLACE = Remembered("irc.example.net", 6697, True, "alice", "#yardzee", True, "Hoster", "k7m2xq9abd", "Hoster")


def test_it_comes_back(tmp_path: Path) -> None:
    path = tmp_path / "new" / "card.json"
    memory.save(path, PLACE)
    assert memory.load(path) == PLACE
    assert [one.name for one in path.parent.iterdir()] == ["card.json"]


def test_nobody_else_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text("{}")
    path.chmod(0o644)
    memory.save(path, PLACE)
    assert path.stat().st_mode & 0o777 == 0o600


def test_the_token_never_shows() -> None:
    assert PLACE.token not in repr(PLACE)
    assert PLACE.token not in repr(PLACE.memory)


@pytest.mark.parametrize("text", ["", "{", "[]", "null", '{"port": "x", "nick": 5, "token": null}', "\x00"])
def test_what_makes_no_sense_is_forgotten(tmp_path: Path, text: str) -> None:
    path = tmp_path / "card.json"
    path.write_text(text)
    assert memory.load(path) == Remembered()


def test_what_is_known_counts_beside_what_is_not(tmp_path: Path) -> None:
    path = tmp_path / "card.json"
    path.write_text(json.dumps({"server": "irc.example.net", "port": True, "tls": 1, "colour": "red"}))
    assert memory.load(path) == Remembered("irc.example.net")


def test_a_file_that_cannot_be_replaced_stays_as_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "card.json"
    memory.save(path, PLACE)

    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("json.dump", full)
    with pytest.raises(OSError, match="No space"):
        memory.save(path, Remembered())
    assert memory.load(path) == PLACE
    assert len(list(tmp_path.iterdir())) == 1
