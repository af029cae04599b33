"""What came of checking a game: that all is right, or the first thing that is wrong."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from game.category import ROUNDS
from game.dice import NONE, POSITIONS, Dice, Positions
from game.fair import FairDice
from protocol.fairness import Play
from protocol.typed import visible


@dataclass(frozen=True, slots=True)
class Wrong:
    """The first thing that is wrong, in the order of the game; `told` is not what is `right`.

    Round and roll count from 1, and are 0 where it is about none.
    """

    told: str
    right: str
    nick: str = ""
    round: int = 0
    roll: int = 0

    def __str__(self) -> str:
        parts = (f"round {self.round}" * bool(self.round), self.nick, f"roll {self.roll}" * bool(self.roll))
        place = ", ".join(filter(None, parts))
        return visible(f"{place}: {self.told}, {self.right}" if place else f"{self.told}, {self.right}")


@dataclass(frozen=True, slots=True)
class Right:
    """All that could be checked is right."""

    game: str
    totals: tuple[int, ...] = ()
    """Of the seats in their order; none of a game that was stopped."""

    seats: int = 0
    rounds: int = 0
    rolls: int = 0
    dice: int = 0
    """That fell: five in a first roll, and fewer where some were kept."""

    unchecked: tuple[str, ...] = ()
    """What could not be checked, in words."""

    def rolled(self, kept: Positions) -> Right:
        """This, and one roll more."""
        return replace(self, rolls=self.rolls + 1, dice=self.dice + len(POSITIONS) - len(kept))

    def __str__(self) -> str:
        counted = (
            _number(self.seats, "seat"),
            _number(self.rounds, "round"),
            _number(self.rolls, "roll"),
            f"{self.dice} dice",
        )
        totals = f"totals {' '.join(map(str, self.totals))}" if self.totals else "stopped without a result"
        if not self.totals and self.rounds == ROUNDS:
            totals = "no totals"
        return f"game {self.game} is right: {', '.join(counted)}, {totals}"


@dataclass(frozen=True, slots=True)
class Unknown:
    """Nothing could be checked, since something is missing."""

    game: str
    why: str

    def __str__(self) -> str:
        return f"game {self.game} cannot be checked: {self.why}"


Verdict = Right | Wrong | Unknown


def _number(count: int, what: str) -> str:
    return f"{count} {what}{'' if count == 1 else 's'}"


def shown(dice: Dice) -> str:
    """`1 2 3 4 5`."""
    return " ".join(map(str, dice.faces))


def fallen(fair: FairDice, seat: int, round: int, play: Play) -> Iterator[tuple[Positions, Dice]]:
    """The rolls of a seat, from 0, in a round, from 1: what was kept, and the dice after it."""
    dice = fair.fall(seat, round, 1)
    yield NONE, dice
    for roll, kept in enumerate(play.kept, start=2):
        dice = dice.rolled(kept, fair.fall(seat, round, roll))
        yield kept, dice
