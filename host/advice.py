"""Where the host asks for perfect play: what a turn is worth for a card, or None while that is not known."""

from __future__ import annotations

from collections.abc import Callable

from game.scorecard import Scorecard
from solver.advice import Turn

Turns = Callable[[Scorecard], Turn | None]


def no_turns(card: Scorecard) -> Turn | None:
    """Know nothing of any card."""
    return None
