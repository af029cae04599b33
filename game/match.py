"""One game from the first round to the last: who holds what, who rolled, who scored.

A command is verified against the match (`verify_…` raises a GameError and changes nothing), becomes an
event, and `after` folds the event in. What follows by itself (dice that fall, a round that closes) is asked
for with `rolls_due` and `round_closes`. The dice of a roll come from outside.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from enum import Enum
from typing import Final

from game.category import ROUNDS, Category
from game.dice import ALL, Dice, Positions
from game.errors import AlreadyScored, NoRollLeft, RolledOn
from game.fair import FairDice
from game.rules import RuleSet
from game.scorecard import Scorecard
from game.standin import NO_MORE_ROLLS, StandIn

ROLLS: Final = 3


class Pace(Enum):
    """How the rolls of a round go together."""

    FREE = "free"
    """Every player rolls and scores at their own speed."""

    LOCKSTEP = "lockstep"
    """Holds are collected, and all dice are rolled again together; scores likewise."""


@dataclass(frozen=True, slots=True)
class RoundBegan:
    round: int


@dataclass(frozen=True, slots=True)
class Held:
    """A player sent which dice to keep; the others are to be rolled."""

    seat: int
    kept: Positions


@dataclass(frozen=True, slots=True)
class Rolled:
    """The dice of a seat fell; `kept` stayed where they were."""

    seat: int
    roll: int
    kept: Positions
    dice: Dice


@dataclass(frozen=True, slots=True)
class Chose:
    """A player sent the box to score."""

    seat: int
    category: Category


@dataclass(frozen=True, slots=True)
class Scored:
    """The dice of a seat were written into a box; `bonus` came on top."""

    seat: int
    category: Category
    points: int
    bonus: int
    by_host: bool


@dataclass(frozen=True, slots=True)
class RoundEnded:
    round: int


MatchEvent = RoundBegan | Held | Rolled | Chose | Scored | RoundEnded


@dataclass(frozen=True, slots=True)
class Turn:
    """One seat in one round."""

    roll: int = 0
    dice: Dice | None = None
    hold: Positions | None = None
    """What to keep in the roll to come; None when nothing was sent since the last one."""

    choice: Category | None = None
    """The box to score; None when none was sent."""

    entry: Scored | None = None

    @property
    def cup(self) -> Dice:
        """The dice, once they have fallen."""
        if self.dice is None:
            raise AssertionError("dice are asked for before the first roll")
        return self.dice


@dataclass(frozen=True, slots=True)
class Match:
    """A game of 13 rounds for one or more seats, numbered from 0."""

    pace: Pace
    cards: tuple[Scorecard, ...]
    turns: tuple[Turn, ...]
    round: int = 0
    """The round that is on or was last, from 1; 0 before the first."""

    closed: bool = True
    """Between rounds: nothing can be held or scored."""

    @classmethod
    def of(cls, rules: RuleSet, pace: Pace, seats: int) -> Match:
        return cls(pace, (Scorecard(rules),) * seats, (Turn(),) * seats)

    @property
    def over(self) -> bool:
        return self.closed and self.round == ROUNDS

    @property
    def step(self) -> int:
        """The latest roll that any seat has made in this round, 0 to 3."""
        return max(turn.roll for turn in self.turns)

    @property
    def totals(self) -> tuple[int, ...]:
        return tuple(card.total for card in self.cards)

    def verify_hold(self, seat: int) -> None:
        """Whether the seat may send a hold now.

        Raises AlreadyScored, RolledOn or NoRollLeft.
        """
        turn = self.turns[seat]
        if turn.entry:
            raise AlreadyScored(turn.entry.category)
        if turn.choice and turn.roll < self.step:
            raise RolledOn
        if turn.roll == ROLLS:
            raise NoRollLeft

    def verify_choice(self, seat: int, category: Category) -> int:
        """The points that the seat's dice would pay in the box.

        Raises AlreadyScored, BoxUsed or BoxForbidden.
        """
        turn = self.turns[seat]
        if turn.entry:
            raise AlreadyScored(turn.entry.category)
        return self.cards[seat].verify_score(turn.cup, category)

    def pending(self) -> tuple[int, ...]:
        """Seats that have not said yet where to score."""
        return tuple(seat for seat, turn in enumerate(self.turns) if not turn.choice and not turn.entry)

    def undecided(self) -> tuple[int, ...]:
        """Seats that the next thing to happen waits for: neither hold nor box was sent."""
        return tuple(seat for seat in self.pending() if self.turns[seat].hold is None)

    def rolls_due(self, absent: Collection[int] = (), time_up: bool = False) -> dict[int, Positions]:
        """Seats whose dice fall now, with what they keep.

        `absent` seats are not waited for; `time_up` says that nobody is. Whoever sent no hold keeps all, and
        rolls no more when nobody is waited for at all.
        """
        if self.closed:
            return {}
        if self.step == 0:
            return {seat: frozenset() for seat in range(len(self.turns))}
        pending = self.pending()
        if self.pace is Pace.FREE:
            return {seat: hold for seat in pending if (hold := self.turns[seat].hold) is not None}
        waited = [seat for seat in pending if seat not in absent]
        all_in = all(self.turns[seat].hold is not None for seat in waited)
        if self.step == ROLLS or not (all_in or time_up):
            return {}
        holds = {seat: self.turns[seat].hold for seat in pending}
        return {
            seat: ALL if hold is None else hold for seat, hold in holds.items() if waited or hold is not None
        }

    def entries_due(self) -> tuple[int, ...]:
        """Seats whose choice is written down at once, without waiting for the others."""
        if self.pace is Pace.LOCKSTEP:
            return ()
        return tuple(seat for seat, turn in enumerate(self.turns) if turn.choice and not turn.entry)

    def round_closes(self, absent: Collection[int] = (), time_up: bool = False) -> bool:
        """Whether the round is over: nobody who is waited for has still to choose a box."""
        if self.closed or self.step == 0:
            return False
        waited = [seat for seat in self.pending() if seat not in absent]
        return not waited or (time_up and (self.pace is Pace.FREE or self.step == ROLLS))

    def entry(self, seat: int, stand_in: StandIn = NO_MORE_ROLLS) -> Scored:
        """What is written for the seat: its choice, or the box that the stand-in chooses."""
        turn = self.turns[seat]
        category = turn.choice or stand_in.box(self.cards[seat], turn.cup)
        return self.scored(seat, category, by_host=turn.choice is None)

    def rolled(self, seat: int, kept: Positions, fair: FairDice) -> Rolled:
        """The next roll of the seat."""
        turn = self.turns[seat]
        fall = fair.fall(seat, self.round, turn.roll + 1)
        dice = fall if turn.dice is None else turn.dice.rolled(kept, fall)
        return Rolled(seat, turn.roll + 1, kept, dice)

    def scored(self, seat: int, category: Category, *, by_host: bool) -> Scored:
        """What the seat's dice bring it in the box.

        Raises BoxUsed or BoxForbidden.
        """
        card, dice = self.cards[seat], self.turns[seat].cup
        return Scored(seat, category, card.verify_score(dice, category), card.bonus(dice), by_host)

    def after(self, event: MatchEvent) -> Match:
        """The match after the event. Events that were recorded are facts: they are not verified again."""
        match event:
            case RoundBegan(number):
                return replace(self, round=number, closed=False, turns=(Turn(),) * len(self.turns))
            case Held(seat, kept):
                return self._turned(seat, replace(self.turns[seat], hold=kept, choice=None))
            case Rolled(seat, roll, _, dice):
                return self._turned(seat, Turn(roll, dice))
            case Chose(seat, category):
                return self._turned(seat, replace(self.turns[seat], hold=None, choice=category))
            case Scored(seat):
                turned = self._turned(seat, replace(self.turns[seat], choice=event.category, entry=event))
                return turned._written(event)
            case RoundEnded():
                return replace(self, closed=True)

    def amended(self, seat: int, category: Category, points: int) -> Match:
        """The match with other points in a box that is used.

        A choice that the card does not allow any more, as for a further Yahtzee, is none: the seat decides.
        """
        turn, card = self.turns[seat], self.cards[seat].written(category, points, 0)
        match = self._carded(seat, card)
        if turn.entry and turn.entry.category is category:
            return match._turned(seat, replace(turn, entry=replace(turn.entry, points=points)))
        if turn.choice and not turn.entry and turn.choice not in card.options(turn.cup):
            return match._turned(seat, replace(turn, choice=None))
        return match

    def _turned(self, seat: int, turn: Turn) -> Match:
        return replace(self, turns=(*self.turns[:seat], turn, *self.turns[seat + 1 :]))

    def _written(self, entry: Scored) -> Match:
        card = self.cards[entry.seat].written(entry.category, entry.points, entry.bonus)
        return self._carded(entry.seat, card)

    def _carded(self, seat: int, card: Scorecard) -> Match:
        return replace(self, cards=(*self.cards[:seat], card, *self.cards[seat + 1 :]))


def places(totals: Collection[int]) -> list[int]:
    """The place of each total, from 1; equal totals share one, and the next place is skipped."""
    return [1 + sum(other > total for other in totals) for total in totals]
