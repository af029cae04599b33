"""Values of perfect play: on disk before a host starts, so that it is not busy with them, and for tables."""

from __future__ import annotations

import os
from collections.abc import Iterable

from game.rules import RULE_SETS
from game.scorecard import Scorecard
from host.advice import Turns
from host.advisor import folder
from solver import cache
from solver.advice import Turn
from solver.tables import scores
from solver.values import solve


def ready(rules: Iterable[str]) -> None:
    """Work out what is not there yet; some seconds a rule set, once until pytest's cache is cleared."""
    where = folder(os.environ)
    for key in sorted(set(rules)):
        wanted = scores(RULE_SETS[key])
        if not cache.place(where, wanted).exists():
            cache.save(where, solve(wanted))


def turns(key: str) -> Turns:
    """What turns are worth under a rule set."""
    ready([key])
    values = cache.load(folder(os.environ), scores(RULE_SETS[key]))
    assert values is not None

    def turn(card: Scorecard) -> Turn | None:
        return Turn.of(values, card) if card.rules.key == key and card.open else None

    return turn
