"""House players: they take seats so that nobody plays alone, and never make anyone wait.

Where perfect play is known they play it, or err from it as their level does. Else all play greedily: a roll
is worth the most that any open box would gain over what that box brings on average, and dice are kept for the
best such gain after one more roll.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import factorial, prod
from typing import Final

from game.category import Category
from game.dice import ALL, FACES, POSITIONS, Dice, Positions
from game.level import Level
from game.match import ROLLS, Chose, Held, Match
from game.scorecard import Scorecard
from game.standin import MEAN_POINTS, StandIn, best_box
from host.advice import Turns, no_turns
from host.events import Occupant
from solver.advice import Hold
from solver.levels import TEMPERATURES

# Parentheses cannot stand in a nick (RFC 2812 section 2.3.1): nobody can pass for a house player.
NAMES: Final = ("Pip(house)", "Dot(house)", "Ace(house)", "Boxcar(house)", "Snake(house)", "Cup(house)")


def occupants(seats: int, level: Level = Level.EXPERT) -> tuple[Occupant, ...]:
    """As many house players as are asked for."""
    names = (NAMES[n] if n < len(NAMES) else f"House{n + 1}(house)" for n in range(seats))
    return tuple(
        Occupant(person=f"house:{n}", nick=name, house=True, level=level) for n, name in enumerate(names)
    )


def move(
    match: Match, seat: int, turns: Turns = no_turns, level: Level = Level.EXPERT, chance: float = 0.0
) -> Held | Chose:
    """What a house player does with the dice of its seat; `chance` from 0 to 1 decides whether it errs."""
    turn, card = match.turns[seat], match.cards[seat]
    if perfect := turns(card):
        chosen = perfect.advice(turn.cup, ROLLS - turn.roll).chosen(TEMPERATURES[level], chance)
        if isinstance(chosen, Hold):
            return Held(seat, turn.cup.find(chosen.kept))
        return Chose(seat, chosen.category)
    category, gain = _best(card, turn.cup)
    if turn.roll < ROLLS:
        kept, hope = max(_hopes(card, turn.cup), key=lambda pair: pair[1])
        if kept != ALL and hope > gain:
            return Held(seat, kept)
    return Chose(seat, category)


def stand_in(turns: Turns) -> StandIn:
    """Perfect play for those who are not there, where it is known."""

    def box(card: Scorecard, dice: Dice) -> Category:
        perfect = turns(card)
        return perfect.advice(dice, 0).boxes[0].category if perfect else best_box(card, dice)

    def keep(card: Scorecard, dice: Dice, rolls_left: int) -> Positions | None:
        perfect = turns(card)
        best = perfect.advice(dice, rolls_left).best if perfect else None
        return dice.find(best.kept) if isinstance(best, Hold) else None

    return StandIn(box, keep)


def _best(card: Scorecard, dice: Dice) -> tuple[Category, float]:
    """The box that gains most over its average, and that gain."""
    gains = {
        category: points + card.bonus(dice) - MEAN_POINTS[category]
        for category, points in card.options(dice).items()
    }
    return max(gains.items(), key=lambda pair: pair[1])


def _hopes(card: Scorecard, dice: Dice) -> Iterator[tuple[Positions, float]]:
    """Every different choice of dice to keep, with the mean gain after one more roll."""
    gains: dict[tuple[int, ...], float] = {}
    seen: set[tuple[int, ...]] = set()
    for number in range(len(POSITIONS) + 1):
        for places in combinations(POSITIONS, number):
            kept = tuple(sorted(dice.faces[place] for place in places))
            if kept in seen:
                continue
            seen.add(kept)
            hope = 0.0
            for fallen, chance in _rolls(len(POSITIONS) - number):
                key = tuple(sorted(kept + fallen))
                if key not in gains:
                    gains[key] = _best(card, Dice(key))[1]
                hope += chance * gains[key]
            yield frozenset(places), hope


@cache
def _rolls(number: int) -> tuple[tuple[tuple[int, ...], float], ...]:
    """All that so many dice can show, order apart, with its probability."""
    rolls = []
    for faces in combinations_with_replacement(FACES, number):
        orders = factorial(number) // prod(factorial(faces.count(face)) for face in FACES)
        rolls.append((faces, orders / len(FACES) ** number))
    return tuple(rolls)
