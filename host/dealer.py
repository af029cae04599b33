"""Where the chance of a game comes from: fair dice, and streams under the same seed for all else.

Lots, and the errors of house players, take nothing from the streams of the dice.
"""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from game.fair import SEED_BYTES, FairDice
from host.journal import GameFile
from host.table import Table

_CHANCE_BYTES: Final = 6  # so that the quotient is exact, and below 1
_GAME_ID_LETTERS: Final = "abcdefghjkmnpqrstuvwxyz23456789"
_GAME_ID_LENGTH: Final = 8
_TOKEN_LENGTH: Final = 10
_CODE_LENGTH: Final = 4


class Dealer(FairDice):
    """The dice of one game, and whatever else is drawn in it."""

    __slots__ = ()

    def chance(self, seat: int, round: int, roll: int) -> float:
        """A number from 0 up to 1 that decides what a house player makes of the dice of a roll."""
        draws = self.numbers("house", str(seat + 1), str(round), str(roll))
        drawn = int.from_bytes(next(draws) for _ in range(_CHANCE_BYTES))
        return drawn / 256**_CHANCE_BYTES

    def lots(self, seats: int) -> tuple[int, ...]:
        """The seats, from 0, in an order drawn for the door prizes; every order is equally likely."""
        draws = self.numbers("lots")
        order = list(range(seats))
        for left in range(seats, 1, -1):
            fair = 256 - 256 % left
            drawn = next(byte for byte in draws if byte < fair) % left
            order[left - 1], order[drawn] = order[drawn], order[left - 1]
        return tuple(order)


def dealer_for(table: Table, file: GameFile) -> Dealer:
    """Whatever is drawn in a game whose seats and words are final."""
    return Dealer(file.game, file.seed, tuple(seat.word for seat in table.seats), table.settings.dice)


def new_seed() -> bytes:
    """A seed from the system's secure source."""
    return secrets.token_bytes(SEED_BYTES)


def new_token() -> str:
    """A secret of ten letters and digits that proves whose seat it is."""
    return "".join(secrets.choice(_GAME_ID_LETTERS) for _ in range(_TOKEN_LENGTH))


def new_code() -> str:
    """A word of four letters and digits that shows that a line was meant."""
    return "".join(secrets.choice(_GAME_ID_LETTERS) for _ in range(_CODE_LENGTH))


def token_hash(token: str) -> str:
    """What is kept of a token: SHA-256 in hex. Ten letters of 31 leave nothing to guess."""
    return hashlib.sha256(token.encode()).hexdigest()


def new_game_id() -> str:
    """A name for a game, easy to read aloud."""
    return "".join(secrets.choice(_GAME_ID_LETTERS) for _ in range(_GAME_ID_LENGTH))
