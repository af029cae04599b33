"""The thirteen boxes as a player wants to see them: written, worth so much now, or forbidden."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from enum import Enum

from card.view import View
from game.category import CATEGORIES, Category
from game.dice import Dice
from game.scorecard import Scorecard


class Kind(Enum):
    """What can be said of a box now."""

    OPEN = "open"
    """Nothing is written, and no dice are there."""

    PAYS = "pays"
    FORBIDDEN = "forbidden"
    """Open, but the rules for a further Yahtzee do not allow it now."""

    USED = "used"


@dataclass(frozen=True, slots=True)
class Box:
    """One box. `points` is what it holds or would pay; a `joker` pays more than the dice alone would."""

    category: Category
    label: str
    kind: Kind
    points: int | None = None
    joker: bool = False


def boxes(view: View) -> tuple[Box, ...]:
    """All thirteen, in card order."""
    return tuple(_box(view, category) for category in CATEGORIES)


def pays(view: View) -> Mapping[Category, int]:
    """What each box that is allowed now would pay; the host is right, should the card count otherwise."""
    return view.hand.pays if view.deciding and view.hand else {}


def differs(view: View) -> bool:
    """Whether the card counts otherwise than the host."""
    if not view.known or not view.sound or not view.deciding or view.hand is None:
        return False
    dice, card = view.hand.dice, view.card
    return dict(view.hand.pays) != card.options(dice) or view.hand.bonus != card.bonus(dice)


def is_joker(card: Scorecard, category: Category, dice: Dice, points: int) -> bool:
    """Whether a further Yahtzee stands in for what the box wants."""
    return dice.equal_face is not None and points > card.rules.points(category, dice)


def total_after(view: View, category: Category) -> int:
    """What the player's total would become, the bonuses counted.

    Raises KeyError when the box is not allowed now.
    """
    points = pays(view)[category]
    bonus = view.hand.bonus if view.hand else 0
    gain = view.card.written(category, points, bonus).total - view.card.total
    return view.total + gain


def _box(view: View, category: Category) -> Box:
    label = view.rules.label(category)
    if category in view.card.boxes:
        return Box(category, label, Kind.USED, view.card.boxes[category])
    if not view.deciding or view.hand is None:
        return Box(category, label, Kind.OPEN)
    if category not in view.hand.pays:
        return Box(category, label, Kind.FORBIDDEN)
    points = view.hand.pays[category]
    return Box(category, label, Kind.PAYS, points, is_joker(view.card, category, view.hand.dice, points))
