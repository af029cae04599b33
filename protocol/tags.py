"""The fragments of the host's lines that programs rely on, written and read in one place."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from game.category import ROUNDS
from game.dice import Dice
from game.match import ROLLS

_DICE: Final = re.compile(
    rf"Round ([0-9]{{1,2}})/{ROUNDS}, roll ([0-9])/{ROLLS}: .*?\[([1-6]) ([1-6]) ([1-6]) ([1-6]) ([1-6])\]"
)
_PLACING: Final = re.compile(r"(?<!\S)([0-9]{1,3})\. (\S+) ([0-9]{1,6})(?![0-9])")


@dataclass(frozen=True, slots=True)
class DiceTag:
    """Whose turn stands where: the round from 1, the roll from 1, and the dice in the order a to e."""

    round: int
    roll: int
    dice: Dice

    @property
    def brackets(self) -> str:
        return f"[{' '.join(map(str, self.dice.faces))}]"

    @property
    def head(self) -> str:
        return f"Round {self.round}/{ROUNDS}, roll {self.roll}/{ROLLS}:"

    def __str__(self) -> str:
        return f"{self.head} {self.brackets}"

    @classmethod
    def find(cls, line: str) -> DiceTag | None:
        """The dice that a private line of the host holds, or None."""
        found = _DICE.search(line)
        if not found:
            return None
        return cls(int(found[1]), int(found[2]), Dice(tuple(map(int, found.groups()[2:]))))


@dataclass(frozen=True, slots=True)
class Placing:
    """One player in the final table."""

    place: int
    nick: str
    total: int

    def __str__(self) -> str:
        return f"{self.place}. {self.nick} {self.total}"

    @classmethod
    def find(cls, line: str) -> list[Placing]:
        """All the placings that a line of the final table holds."""
        return [cls(int(place), nick, int(total)) for place, nick, total in _PLACING.findall(line)]
