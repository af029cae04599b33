"""How much players of each level err."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from game.level import Level

TEMPERATURES: Final[Mapping[Level, float]] = MappingProxyType(
    {Level.EXPERT: 0.0, Level.CLUB: 1.1, Level.BEGINNER: 2.5}
)
"""For `Advice.chosen`, in points: what loses so many against the best choice is e times less likely than it.

They are chosen by what the levels bring on average, which docs/solver.md tells.
"""
