"""Values on disk: whole, of this game, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from solver import cache
from solver.values import Values, solve
from tests.solver.small import Small

GAME = Small().scores()


@pytest.fixture(scope="module")
def values() -> Values:
    return solve(GAME)


def test_what_was_saved_is_read_as_32_bit_floats(values: Values, tmp_path: Path) -> None:
    path = cache.save(tmp_path / "new" / "folder", values)
    assert path == cache.place(tmp_path / "new" / "folder", GAME)
    read = cache.load(path.parent, GAME)
    assert read is not None
    np.testing.assert_allclose(read.table, values.table, rtol=2**-24)
    assert list(path.parent.iterdir()) == [path]


def test_there_may_be_none(tmp_path: Path) -> None:
    assert cache.load(tmp_path, GAME) is None
    assert cache.load(tmp_path / "no such folder", GAME) is None


def test_every_damage_is_seen(values: Values, tmp_path: Path) -> None:
    path = cache.save(tmp_path, values)
    whole = path.read_bytes()
    for place in range(len(whole)):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
        assert cache.load(tmp_path, GAME) is None, place
    for length in range(len(whole)):
        path.write_bytes(whole[:length])
        assert cache.load(tmp_path, GAME) is None, length
    path.write_bytes(whole + b"\0")
    assert cache.load(tmp_path, GAME) is None
    path.write_bytes(whole)
    assert cache.load(tmp_path, GAME) is not None


def test_a_file_of_another_game_is_none(values: Values, tmp_path: Path) -> None:
    other = Small(joker=2).scores()
    cache.save(tmp_path, values).rename(cache.place(tmp_path, other))
    assert cache.load(tmp_path, other) is None


def test_what_cannot_be_written_leaves_all_as_it_was(
    values: Values, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(_: int) -> None:
        raise OSError("no space left on device")

    before = cache.save(tmp_path, values).read_bytes()
    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="no space left"):
        cache.save(tmp_path, values)
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]
