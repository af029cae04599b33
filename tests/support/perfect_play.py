"""Values of perfect play on disk before a host starts, so that it is not busy with them at first."""

from __future__ import annotations

import os
from collections.abc import Iterable

from game.rules import RULE_SETS
from host.advisor import folder
from solver import cache
from solver.tables import scores
from solver.values import solve


def ready(rules: Iterable[str]) -> None:
    """Work out what is not there yet; some seconds a rule set, once until pytest's cache is cleared."""
    where = folder(os.environ)
    for key in sorted(set(rules)):
        wanted = scores(RULE_SETS[key])
        if not cache.place(where, wanted).exists():
            cache.save(where, solve(wanted))
