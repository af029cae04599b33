"""Practice games in tests: where they are, what the journal has of them, and what perfect play says."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from game.rules import RuleSet
from game.scorecard import Scorecard
from host.advice import Turns
from host.events import Event
from host.keeper import Keeper
from host.record import Record
from solver.advice import Hold
from solver.analysis import Analysis, Decision, analyse
from tests.support.bench import CHANNEL, Bench, config, to

VERDICT: Final = re.compile(r"(?:Kept|Rolled|Scored) .*?(: best\.|; [a-z0-9() ]+ was [\d.]+ better\.)")
"""What was done, and what perfect play says to it."""


def bench(turns: Turns, *nicks: str, keys: str = "repeat_seconds: 0", store: str = "sqlite://") -> Bench:
    """A channel with these people in it."""
    made = Bench(config(f'{{"{CHANNEL}": {{{keys}}}}}', store=store), turns=turns)
    made.connect(*nicks)
    return made


def practice(b: Bench, nick: str) -> Keeper:
    person = b.desk.find(nick)
    assert person is not None
    keeper = b.desk.practice_of(person.id)
    assert keeper is not None
    return keeper


def events(b: Bench, game: str) -> Sequence[Event]:
    history = b.journal.history(game)
    assert history is not None
    return [event for _, event in history.events]


def analysed(b: Bench, keeper: Keeper, seat: int, turns: Turns) -> Analysis:
    """A finished game, looked at from its events in the journal."""
    empty = turns(Scorecard(keeper.table.rules))
    assert empty is not None
    record = Record(events(b, keeper.table.game))
    return analyse(empty.values, keeper.table.rules, record.turns(seat))


def verdict(decision: Decision, rules: RuleSet) -> str:
    """How the line ends that tells what was made of a decision."""
    best = decision.best
    if decision.lost < 0.005:
        return ": best."
    if isinstance(best, Hold):
        return f"; keep {' '.join(map(str, best.kept)) or 'none'} was {decision.lost:.2f} better."
    return f"; score {rules.label(best.category).lower()} ({best.points}) was {decision.lost:.2f} better."


def public(b: Bench) -> list[str]:
    return to(b.since(0), CHANNEL)
