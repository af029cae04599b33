"""Where the host asks for perfect play: what a turn is worth for a card, or None while that is not known."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final

from game.scorecard import Scorecard
from solver.advice import Turn

Turns = Callable[[Scorecard], Turn | None]


def no_turns(card: Scorecard) -> Turn | None:
    """Know nothing of any card."""
    return None


_MOST: Final = 64  # turns of 8 kB


class Recent:
    """Remembers the turns that were asked for last: one decision after the other is about the same card."""

    def __init__(self, turns: Turns) -> None:
        self._turns = turns
        self._found: OrderedDict[Hashable, Turn] = OrderedDict()

    def turn(self, card: Scorecard) -> Turn | None:
        """As the function that it was made with; milliseconds sooner for a card that it has seen just now."""
        key = card.rules.key, frozenset(card.boxes.items()), card.yahtzee_bonus
        found = self._found.pop(key, None) or self._turns(card)
        if found:
            self._found[key] = found
            if len(self._found) > _MOST:
                self._found.popitem(last=False)
        return found
