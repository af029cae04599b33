"""Five dice that keep their places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final

from game.errors import MissingFace

FACES: Final = (1, 2, 3, 4, 5, 6)
POSITIONS: Final = (0, 1, 2, 3, 4)

Positions = frozenset[int]
"""Places of dice, 0 to 4; players call them a to e."""

ALL: Final[Positions] = frozenset(POSITIONS)
NONE: Final[Positions] = frozenset()


@dataclass(frozen=True, slots=True)
class Dice:
    """Five faces in the order of their places a to e.

    Raises ValueError when there are not five faces from 1 to 6.
    """

    faces: tuple[int, ...]

    def __post_init__(self) -> None:
        if len(self.faces) != len(POSITIONS) or any(face not in FACES for face in self.faces):
            raise ValueError(f"not five faces from 1 to 6: {self.faces!r}")

    @property
    def total(self) -> int:
        return sum(self.faces)

    @property
    def equal_face(self) -> int | None:
        """The face that all five dice show, or None."""
        return self.faces[0] if len(set(self.faces)) == 1 else None

    def count(self, face: int) -> int:
        return self.faces.count(face)

    def most_equal(self) -> int:
        """How many dice show the commonest face."""
        return max(Counter(self.faces).values())

    def longest_run(self) -> int:
        """How many faces in a row are there; 1 2 3 4 4 has four."""
        longest = run = 0
        for face in FACES:
            run = run + 1 if face in self.faces else 0
            longest = max(longest, run)
        return longest

    def find(self, faces: Iterable[int]) -> Positions:
        """The places of these faces; of equal dice the first ones, from a on, are meant.

        Raises MissingFace when a face is named more often than it is there.
        """
        found: set[int] = set()
        for face, named in Counter(faces).items():
            places = [place for place in POSITIONS if self.faces[place] == face]
            if named > len(places):
                raise MissingFace(face, named, len(places))
            found.update(places[:named])
        return frozenset(found)

    def at(self, positions: Positions) -> tuple[int, ...]:
        """The faces at these places, in order."""
        return tuple(self.faces[place] for place in sorted(positions))

    def rolled(self, kept: Positions, fall: Dice) -> Dice:
        """These dice after a roll: kept ones stay, every other takes the face of its place in `fall`."""
        pairs = zip(POSITIONS, self.faces, fall.faces, strict=True)
        return Dice(tuple(mine if place in kept else new for place, mine, new in pairs))
