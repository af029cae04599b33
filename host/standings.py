"""What the records answer with: values without a word of what is said of them."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from game.category import Category
from game.fair import DiceMode
from game.level import Level
from game.match import Pace
from host.rating import Rating
from host.tallies import Tally


class By(Enum):
    """What people are ranked by."""

    BEST = "best"
    """The best total of a game."""

    WINS = "wins"


@dataclass(frozen=True, slots=True)
class Rank:
    """A row of a list."""

    place: int
    person: str
    nick: str
    """As the person was called last."""

    tally: Tally
    best_game: str


@dataclass(frozen=True, slots=True)
class Rated:
    """A rating, and its place: None while it is provisional, and where all rule sets were asked for.

    House players have one for each level, and no nick.
    """

    person: str
    nick: str
    rules: str
    dice: DiceMode
    rating: Rating
    place: int | None


@dataclass(frozen=True, slots=True)
class Statistics:
    """A person's record, in a period and of some rules."""

    person: str
    nick: str
    tally: Tally
    place: int | None
    """By the best total, or what was asked for; None without a game that was played out."""

    best_game: str
    last_game: str
    ratings: tuple[Rated, ...]
    """Of all rule sets and dice modes, or of those that were asked for."""

    @property
    def left(self) -> int:
        """Games that were not played out, and count for nothing else."""
        return self.tally.left


@dataclass(frozen=True, slots=True)
class SeatScore:
    """A seat of a finished game."""

    person: str
    nick: str
    level: Level | None
    total: int
    place: int
    boxes: tuple[tuple[Category, int], ...]
    upper_bonus: bool
    yahtzees: int
    yahtzee_bonus: int
    stood_in: int
    hinted: bool
    played_out: bool
    lost: float | None
    luck: float | None
    """Points; None while that is not known, and where the host played rounds of it."""


@dataclass(frozen=True, slots=True)
class FinishedGame:
    """A finished game. Its seats are in the order of the table."""

    number: int
    game: str
    channel: str
    rules: str
    dice: DiceMode
    pace: Pace
    opened: datetime
    finished: datetime
    seats: tuple[SeatScore, ...]
