"""How well a player without a person plays: perfectly, or with errors as people make them."""

from enum import Enum


class Level(Enum):
    """How much a player errs."""

    EXPERT = "expert"
    CLUB = "club"
    BEGINNER = "beginner"
