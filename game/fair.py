"""Fair dice: every roll of a game as a function of a secret seed, and what is said of that seed beforehand.

Nothing that players do moves a roll, and nobody can choose a seed whose dice suit them once its commitment is
told. docs/fairness.md has the same in words, for whoever writes another program that checks a game.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from itertools import count
from typing import Final

from game.dice import FACES, POSITIONS, Dice

SEED_BYTES: Final = 32
NO_WORD: Final = "-"
"""What stands for a seat that adds no word."""

_FAIR_BYTES: Final = 256 - 256 % len(FACES)
"""Bytes from here on are skipped: the others divide evenly among the faces."""


class DiceMode(Enum):
    """Whose dice fall alike."""

    OWN = "own"
    """Every seat has a stream of its own."""

    SAME = "same"
    """A die at the same round, roll and place falls alike for all, as cards are dealt in duplicate bridge."""


@dataclass(frozen=True, slots=True)
class FairDice:
    """The dice of one game. The seed never shows in its repr."""

    game: str
    seed: bytes = field(repr=False)
    words: tuple[str, ...] = ()
    """What the players add, a word for each seat; `NO_WORD` for none."""

    mode: DiceMode = DiceMode.OWN

    def fall(self, seat: int, round: int, roll: int) -> Dice:
        """Five faces, one for each place; seats count from 0, rounds and rolls from 1."""
        stream = 0 if self.mode is DiceMode.SAME else seat + 1
        draws = self.numbers(str(stream), str(round), str(roll))
        faces = (byte % len(FACES) + 1 for byte in draws if byte < _FAIR_BYTES)
        return Dice(tuple(next(faces) for _ in POSITIONS))

    def numbers(self, *labels: str) -> Iterator[int]:
        """Bytes without end: blocks of HMAC-SHA256 (RFC 2104) under the seed, of the labels of a stream."""
        text = "|".join((self.game, *labels, ",".join(self.words)))
        for block in count():
            yield from hmac.digest(self.seed, f"{text}|{block}".encode("ascii"), "sha256")


def commitment(seed: bytes) -> str:
    """What is told of a seed before anybody adds a word: its SHA-256 in hex."""
    return hashlib.sha256(seed).hexdigest()
