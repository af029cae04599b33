"""The fragments of public lines by which anybody can check the dice of a game, written and read in one place.

docs/fairness.md tells what they prove. Seats count from 1, in the order of the start line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from game.category import Category
from game.dice import Positions
from game.fair import NO_WORD
from game.match import ROLLS
from protocol.card.fields import BOX, PLACES

GAME_ID: Final = r"[a-z0-9]{6,16}"
GAME: Final = rf"game ({GAME_ID})"
WORD: Final = r"[A-Za-z0-9._-]{1,32}"
"""What a player may add to the dice."""

_COMMIT: Final = re.compile(rf"(?<!\S){GAME} commit sha256:([0-9a-f]{{64}})(?!\w)")
_SEED: Final = re.compile(rf"(?<!\S){GAME} seed ([0-9a-f]{{64}})(?!\w)")
_SEATS: Final = re.compile(rf"(?<!\S){GAME} seats((?: [0-9]+=\S+)+)")
_PLAYS: Final = re.compile(rf"(?<!\S){GAME} plays((?: [0-9]+=\S+)+)")
_NUMBER: Final = "([1-9][0-9]?)"
_SEAT: Final = re.compile(rf"{_NUMBER}=(\S+)/({WORD})")
_ACCOUNT: Final = re.compile(rf"{_NUMBER}=(\S+)")
_MOST_HOLDS: Final = ROLLS - 1


@dataclass(frozen=True, slots=True)
class Commit:
    """The seed of a game is fixed, and this is its SHA-256 in hex."""

    game: str
    digest: str

    def __str__(self) -> str:
        return f"game {self.game} commit sha256:{self.digest}"

    @classmethod
    def find(cls, line: str) -> Commit | None:
        """The commitment that a line of the host holds, or None."""
        found = _COMMIT.search(line)
        return cls(found[1], found[2]) if found else None


@dataclass(frozen=True, slots=True)
class Reveal:
    """The seed of a game that is over, in hex."""

    game: str
    seed: str

    def __str__(self) -> str:
        return f"game {self.game} seed {self.seed}"

    @classmethod
    def find(cls, line: str) -> Reveal | None:
        """The seed that a line of the host holds, or None."""
        found = _SEED.search(line)
        return cls(found[1], found[2]) if found else None


@dataclass(frozen=True, slots=True)
class SeatWord:
    """Who sits where, and the word that they add; `NO_WORD` for none."""

    seat: int
    nick: str
    word: str = NO_WORD

    def __str__(self) -> str:
        return f"{self.seat}={self.nick}/{self.word}"


@dataclass(frozen=True, slots=True)
class Seats:
    """All seats of a game, or those of them that one line holds."""

    game: str
    seats: tuple[SeatWord, ...]

    @property
    def head(self) -> str:
        return f"game {self.game} seats "

    def __str__(self) -> str:
        return self.head + " ".join(map(str, self.seats))

    @classmethod
    def find(cls, line: str) -> Seats | None:
        """The seats that a line of the host holds, or None."""
        found = _SEATS.search(line)
        parts = [_SEAT.fullmatch(part) for part in found[2].split()] if found else []
        if not found or not all(parts):
            return None
        return cls(found[1], tuple(SeatWord(int(p[1]), p[2], p[3]) for p in parts if p))


@dataclass(frozen=True, slots=True)
class Play:
    """What a seat did in a round: which dice stayed in each further roll, and the box."""

    kept: tuple[Positions, ...]
    category: Category

    def __str__(self) -> str:
        return f"{'/'.join(map(PLACES.write, self.kept))}:{BOX.write(self.category)}"


@dataclass(frozen=True, slots=True)
class SeatPlays:
    """All that a seat did, a round after the other."""

    seat: int
    plays: tuple[Play, ...]

    def __str__(self) -> str:
        return f"{self.seat}={','.join(map(str, self.plays))}"


@dataclass(frozen=True, slots=True)
class Plays:
    """What all seats did, or those of them that one line holds."""

    game: str
    seats: tuple[SeatPlays, ...]

    @property
    def head(self) -> str:
        return f"game {self.game} plays "

    def __str__(self) -> str:
        return self.head + " ".join(map(str, self.seats))

    @classmethod
    def find(cls, line: str) -> Plays | None:
        """What a line of the host tells of holds and boxes, or None."""
        found = _PLAYS.search(line)
        if not found:
            return None
        try:
            return cls(found[1], tuple(_seat_plays(part) for part in found[2].split()))
        except ValueError:
            return None


def _seat_plays(part: str) -> SeatPlays:
    found = _ACCOUNT.fullmatch(part)
    if not found:
        raise ValueError(f"{part!r} is of no seat")
    return SeatPlays(int(found[1]), tuple(_plays(found[2].split(","))))


def _plays(texts: Sequence[str]) -> Iterator[Play]:
    for text in texts:
        held, _, box = text.partition(":")
        kept = tuple(map(PLACES.read, held.split("/"))) if held else ()
        if len(kept) > _MOST_HOLDS:
            raise ValueError(f"{text!r} has too many rolls")
        yield Play(kept, BOX.read(box))
