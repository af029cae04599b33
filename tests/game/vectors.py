"""Worked cases in files: one JSON object a line.

`rules`, `dice` (five faces in the order rolled), `card` (used boxes and their points), `options` (every box
the player may choose now, with the points it would pay), `bonus` (0 or 100, paid on top).
"""

import json
from pathlib import Path
from typing import NamedTuple

FOLDER = Path(__file__).parent.parent / "vectors"


class Vector(NamedTuple):
    """One worked case."""

    rules: str
    dice: tuple[int, ...]
    card: dict[str, int]
    options: dict[str, int]
    bonus: int

    @classmethod
    def from_line(cls, line: str) -> "Vector":
        read = json.loads(line)
        return cls(read["rules"], tuple(read["dice"]), read["card"], read["options"], read["bonus"])

    def line(self) -> str:
        return json.dumps(self._asdict(), separators=(",", ":"))


def read_vectors(name: str) -> list[Vector]:
    """Read every case of the file `name` in tests/vectors."""
    with (FOLDER / name).open(encoding="utf-8") as lines:
        return [Vector.from_line(line) for line in lines]
