"""One player's card: used boxes, bonuses, and what a roll may be scored as."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from game.category import CATEGORIES, LOWER, UPPER, Category, upper_box
from game.dice import Dice
from game.errors import BoxForbidden, BoxUsed
from game.rules import YAHTZEE_POINTS, RuleSet


@dataclass(frozen=True, slots=True)
class Scorecard:
    """What is written down under a rule set. Immutable: scoring gives a new card."""

    rules: RuleSet
    boxes: Mapping[Category, int] = field(default_factory=dict)
    """Used boxes and their points, without the further-Yahtzee bonus."""

    yahtzee_bonus: int = 0
    """Points from further Yahtzees."""

    def __post_init__(self) -> None:
        object.__setattr__(self, "boxes", MappingProxyType(dict(self.boxes)))

    @property
    def open(self) -> tuple[Category, ...]:
        return tuple(category for category in CATEGORIES if category not in self.boxes)

    @property
    def upper_total(self) -> int:
        """Points of the upper boxes, without the bonus."""
        return sum(self.boxes.get(category, 0) for category in UPPER)

    @property
    def upper_bonus(self) -> int:
        return self.rules.upper_bonus if self.upper_total >= self.rules.upper_bonus_at else 0

    @property
    def lower_total(self) -> int:
        """Points of the lower boxes, without the further-Yahtzee bonus."""
        return sum(self.boxes.get(category, 0) for category in LOWER)

    @property
    def total(self) -> int:
        return self.upper_total + self.upper_bonus + self.lower_total + self.yahtzee_bonus

    def options(self, dice: Dice) -> dict[Category, int]:
        """Every box that these dice may be scored in now, with the points it would pay, in card order."""
        face = self._joker_face(dice)
        if face is None:
            return {category: self.rules.points(category, dice) for category in self.open}
        own = upper_box(face)
        allowed = self.open
        if self.rules.joker_upper_first and own in allowed:
            allowed = (own,)
        elif self.rules.joker_lower_first:
            allowed = tuple(category for category in allowed if category in LOWER) or allowed
        points = self.rules.joker_points if own in self.boxes else self.rules.points
        return {category: points(category, dice) for category in allowed}

    def bonus(self, dice: Dice) -> int:
        """What these dice pay on top, in whatever box they are scored."""
        if dice.equal_face is not None and self.boxes.get(Category.YAHTZEE) == YAHTZEE_POINTS:
            return self.rules.yahtzee_bonus
        return 0

    def verify_score(self, dice: Dice, category: Category) -> int:
        """The points that the box would pay.

        Raises BoxUsed or BoxForbidden, which carry the options there are.
        """
        options = self.options(dice)
        if category in self.boxes:
            raise BoxUsed(category, self.boxes[category], options)
        if category not in options:
            raise BoxForbidden(category, options)
        return options[category]

    def score(self, dice: Dice, category: Category) -> Scorecard:
        """The card after these dice are scored in the box. Raises as verify_score does."""
        return self.written(category, self.verify_score(dice, category), self.bonus(dice))

    def written(self, category: Category, points: int, bonus: int) -> Scorecard:
        """The card with an entry that is known to be right."""
        boxes = {**self.boxes, category: points}
        return Scorecard(self.rules, boxes, self.yahtzee_bonus + bonus)

    def _joker_face(self, dice: Dice) -> int | None:
        """The face of a further Yahtzee that follows the rules for one, or None for an ordinary roll."""
        written = self.boxes.get(Category.YAHTZEE)
        if written is None or (self.rules.joker_needs_fifty and written != YAHTZEE_POINTS):
            return None
        return dice.equal_face
