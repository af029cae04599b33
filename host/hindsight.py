"""A finished game, looked at afterwards: what its turns were worth, and what is told of that."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from game.errors import GameError
from game.rules import RuleSet
from host.announcements import DecidedBest
from host.replies import Balance, Costliest
from host.table import Table
from solver.analysis import Analysis, Played, analyse
from solver.values import Values

FELT: Final = 0.005
"""Points: to lose less is told as nothing."""


def analysis(values: Values, rules: RuleSet, turns: Sequence[Played]) -> Analysis | None:
    """What the turns of a seat were worth; None when an amended score made them such as no rules allow."""
    try:
        return analyse(values, rules, turns)
    except (ValueError, GameError):
        return None


def judged(found: Mapping[int, Analysis | None]) -> dict[int, tuple[int, int]]:
    """What decisions lost and what luck brought by seat, in hundredths of a point, where it is known."""
    return {seat: (round(one.lost * 100), round(one.luck * 100)) for seat, one in found.items() if one}


def told(table: Table, seat: int, found: Analysis, most: int) -> tuple[Balance, Costliest]:
    """What a player is told of their game, with at most so many decisions."""
    total = table.play.cards[seat].total
    balance = Balance(found.start, found.luck, found.lost, total if total == found.total else None)
    costly = (decision for decision in found.costliest(most) if decision.lost >= FELT)
    return balance, Costliest(table.rules, tuple(costly))


def best(table: Table, found: Mapping[int, Analysis]) -> DecidedBest | None:
    """Who decided best of those who played to the end; None where there is nobody to compare them with."""
    lost = {seat: one.lost for seat, one in found.items() if not table.seats[seat].away}
    if len(lost) < 2:
        return None
    least = min(lost.values())
    return DecidedBest(tuple(table.seats[seat].nick for seat in lost if lost[seat] == least), least)
