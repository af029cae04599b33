"""What the rules refuse. Every error carries data; people read its wording in the host."""

from __future__ import annotations

from collections.abc import Mapping

from game.category import Category


class GameError(ValueError):
    """The rules do not allow it. Nothing has changed."""


class MissingFace(GameError):
    """More dice of a face were named than are there."""

    def __init__(self, face: int, named: int, there: int) -> None:
        super().__init__(f"{named} dice of face {face} named, {there} there")
        self.face, self.named, self.there = face, named, there


class NoRollLeft(GameError):
    """The dice were rolled three times; only scoring is left."""


class RolledOn(GameError):
    """Lockstep: a box was chosen, and the others' dice have been rolled since."""


class AlreadyScored(GameError):
    """The seat has scored in this round."""

    def __init__(self, category: Category) -> None:
        super().__init__(f"this round is scored in {category.value}")
        self.category = category


class BoxUsed(GameError):
    """The box was filled in an earlier round."""

    def __init__(self, category: Category, points: int, options: Mapping[Category, int]) -> None:
        super().__init__(f"{category.value} holds {points}")
        self.category, self.points, self.options = category, points, options


class BoxForbidden(GameError):
    """The box is open, but the rules for a further Yahtzee do not allow it now."""

    def __init__(self, category: Category, options: Mapping[Category, int]) -> None:
        super().__init__(f"{category.value} is not among {[c.value for c in options]}")
        self.category, self.options = category, options
