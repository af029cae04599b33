"""Short ways to make, and to read, the things that the rule tests talk about."""

from collections.abc import Mapping

from game.category import Category
from game.dice import Dice
from game.rules import RULE_SETS
from game.scorecard import Scorecard


def dice_of(faces: str) -> Dice:
    """Make dice from text: `dice_of("4 4 2 6 1")`."""
    return Dice(tuple(int(face) for face in faces.split()))


def card_of(rules: str, boxes: Mapping[str, int], further_yahtzees: int = 0) -> Scorecard:
    """Make a card from the keys of a rule set and of boxes."""
    used = {Category(key): points for key, points in boxes.items()}
    return Scorecard(RULE_SETS[rules], used, yahtzee_bonus=100 * further_yahtzees)


def options_of(card: Scorecard, dice: Dice) -> dict[str, int]:
    """Read the options under the keys of boxes."""
    return {category.value: points for category, points in card.options(dice).items()}


def boxes_of(card: Scorecard) -> dict[str, int]:
    """Read the used boxes under their keys."""
    return {category.value: points for category, points in card.boxes.items()}
