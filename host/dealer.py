"""Where dice come from: a secret seed for each game, and a stream of faces for each roll.

A face is byte mod 6 + 1 of HMAC-SHA256 blocks under the seed, bytes of 252 and more skipped, so that every
face is equally likely. A roll is a function of seed, game, seat, round and roll: it falls the same whenever
and however often it is asked for, and nothing that players do can move it. Lots, and the errors of house
players, come from streams of their own, and take nothing from those of the dice.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from typing import Final

from game.dice import FACES, POSITIONS, Dice

SEED_BYTES: Final = 32
_FAIR_BYTES: Final = 256 - 256 % len(FACES)
_CHANCE_BYTES: Final = 6  # so that the quotient is exact, and below 1
_GAME_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GAME_ID_LENGTH: Final = 8
_TOKEN_LENGTH: Final = 10


@dataclass(frozen=True, slots=True)
class Dealer:
    """The dice of one game. The seed never shows in its repr."""

    game: str
    seed: bytes = field(repr=False)
    words: tuple[str, ...] = ()
    """What the players add to the stream, a word for each seat; `-` for none."""

    def fall(self, seat: int, round: int, roll: int) -> Dice:
        """Five faces, one for each place; seats count from 0, rounds and rolls from 1."""
        faces = self._faces(f"{self.game}|{seat + 1}|{round}|{roll}|{','.join(self.words)}")
        return Dice(tuple(next(faces) for _ in POSITIONS))

    def chance(self, seat: int, round: int, roll: int) -> float:
        """A number from 0 up to 1 that decides what a house player makes of the dice of a roll."""
        draws = self._numbers(f"{self.game}|house|{seat + 1}|{round}|{roll}|{','.join(self.words)}")
        drawn = int.from_bytes(next(draws) for _ in range(_CHANCE_BYTES))
        return drawn / 256**_CHANCE_BYTES

    def lots(self, seats: int) -> tuple[int, ...]:
        """The seats, from 0, in an order drawn for the door prizes; every order is equally likely."""
        draws = self._numbers(f"{self.game}|lots|{','.join(self.words)}")
        order = list(range(seats))
        for left in range(seats, 1, -1):
            fair = 256 - 256 % left
            drawn = next(byte for byte in draws if byte < fair) % left
            order[left - 1], order[drawn] = order[drawn], order[left - 1]
        return tuple(order)

    def _faces(self, label: str) -> Iterator[int]:
        return (byte % len(FACES) + 1 for byte in self._numbers(label) if byte < _FAIR_BYTES)

    def _numbers(self, label: str) -> Iterator[int]:
        """Bytes without end."""
        for block in count():
            yield from hmac.digest(self.seed, f"{label}|{block}".encode(), "sha256")


def new_seed() -> bytes:
    """A seed from the system's secure source."""
    return secrets.token_bytes(SEED_BYTES)


def new_token() -> str:
    """A secret of ten letters and digits that proves whose seat it is."""
    return "".join(secrets.choice(_GAME_ID_LETTERS) for _ in range(_TOKEN_LENGTH))


def token_hash(token: str) -> str:
    """What is kept of a token: SHA-256 in hex. Ten letters of 31 leave nothing to guess."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_game_id() -> str:
    """A name for a game, easy to read aloud."""
    return "".join(secrets.choice(_GAME_ID_LETTERS) for _ in range(_GAME_ID_LENGTH))
