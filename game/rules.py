"""The rule sets, as data: what boxes pay, and what a further Yahtzee may do.

Sources: the rules booklet of the boxed game (`hasbro`), the Yardzee instructions (`yardzee`), the hosted
card game (`hosted`), the hoster and card by Houston (`houston`), and the rules under which T. Verhoeff
published the optimal solitaire strategy (`free_choice`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import combinations_with_replacement
from types import MappingProxyType
from typing import Final

from game.category import UPPER, Category
from game.dice import FACES, POSITIONS, Dice

FULL_HOUSE_POINTS: Final = 25
SMALL_STRAIGHT_POINTS: Final = 30
LARGE_STRAIGHT_POINTS: Final = 40
YAHTZEE_POINTS: Final = 50

FIXED_POINTS: Final[Mapping[Category, int]] = MappingProxyType(
    {
        Category.FULL_HOUSE: FULL_HOUSE_POINTS,
        Category.SMALL_STRAIGHT: SMALL_STRAIGHT_POINTS,
        Category.LARGE_STRAIGHT: LARGE_STRAIGHT_POINTS,
        Category.YAHTZEE: YAHTZEE_POINTS,
    }
)

_LABELS: Final[Mapping[Category, str]] = MappingProxyType(
    {
        Category.ACES: "Aces",
        Category.TWOS: "Twos",
        Category.THREES: "Threes",
        Category.FOURS: "Fours",
        Category.FIVES: "Fives",
        Category.SIXES: "Sixes",
        Category.THREE_OF_A_KIND: "3 of a Kind",
        Category.FOUR_OF_A_KIND: "4 of a Kind",
        Category.FULL_HOUSE: "Full House",
        Category.SMALL_STRAIGHT: "Small Straight",
        Category.LARGE_STRAIGHT: "Large Straight",
        Category.YAHTZEE: "Yahtzee",
        Category.CHANCE: "Chance",
    }
)

_LOW_HIGH: Final = {Category.SMALL_STRAIGHT: "Low Straight", Category.LARGE_STRAIGHT: "High Straight"}

_JOKER_BOXES: Final = frozenset({Category.FULL_HOUSE, Category.SMALL_STRAIGHT, Category.LARGE_STRAIGHT})


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One way to play. A further Yahtzee is five equal dice while the Yahtzee box is used."""

    key: str
    title: str
    further_yahtzee: str
    """One sentence for players: what a further Yahtzee may do."""

    game_name: str = "Yahtzee"
    labels: Mapping[Category, str] = field(default_factory=dict, hash=False)
    """Names of boxes that differ from the usual ones."""

    upper_bonus: int = 35
    upper_bonus_at: int = 63
    yahtzee_bonus: int = 100
    """Paid for each Yahtzee that is rolled while the Yahtzee box holds 50."""

    full_house_of_five_equal: bool = False
    """Five equal dice always pay as a full house."""

    joker_needs_fifty: bool = False
    """A further Yahtzee is an ordinary roll unless the Yahtzee box holds 50."""

    joker_upper_first: bool = False
    """The upper box of its face, while open, is the only choice for a further Yahtzee."""

    joker_lower_first: bool = False
    """A further Yahtzee goes into the upper section only when no lower box is open."""

    def label(self, category: Category) -> str:
        """The name that players of these rules know the box by."""
        return self.labels.get(category, _LABELS[category])

    def points(self, category: Category, dice: Dice) -> int:
        """What the dice pay in the box as an ordinary roll."""
        if category in UPPER:
            face = UPPER.index(category) + 1
            return face * dice.count(face)
        if category in FIXED_POINTS:
            return FIXED_POINTS[category] if self._made(category, dice) else 0
        return dice.total if self._made(category, dice) else 0

    def possible_points(self, category: Category) -> tuple[int, ...]:
        """Everything that the box can ever hold, in ascending order."""
        rolls = combinations_with_replacement(FACES, len(POSITIONS))
        return tuple(sorted({0, *(self.points(category, Dice(faces)) for faces in rolls)}))

    def joker_points(self, category: Category, dice: Dice) -> int:
        """What a further Yahtzee pays in the box once the upper box of its face is used."""
        return FIXED_POINTS[category] if category in _JOKER_BOXES else self.points(category, dice)

    def _made(self, category: Category, dice: Dice) -> bool:
        if category is Category.FULL_HOUSE and self.full_house_of_five_equal and dice.equal_face:
            return True
        return _MADE[category](dice)


_MADE: Final[Mapping[Category, Callable[[Dice], bool]]] = MappingProxyType(
    {
        Category.THREE_OF_A_KIND: lambda dice: dice.most_equal() >= 3,
        Category.FOUR_OF_A_KIND: lambda dice: dice.most_equal() >= 4,
        Category.FULL_HOUSE: lambda dice: dice.most_equal() == 3 and len(set(dice.faces)) == 2,
        Category.SMALL_STRAIGHT: lambda dice: dice.longest_run() >= 4,
        Category.LARGE_STRAIGHT: lambda dice: dice.longest_run() >= 5,
        Category.YAHTZEE: lambda dice: dice.most_equal() == 5,
        Category.CHANCE: lambda dice: True,
    }
)

HASBRO: Final = RuleSet(
    key="hasbro",
    title="Hasbro rules",
    further_yahtzee="A further Yahtzee must go into the upper box of its face; if that is used, it fills any"
    " lower box at full value; if those are used too, it is a 0 in an upper box.",
    joker_upper_first=True,
    joker_lower_first=True,
)
YARDZEE: Final = RuleSet(
    key="yardzee",
    title="Yardzee rules",
    game_name="Yardzee",
    labels={Category.YAHTZEE: "Yardzee"},
    further_yahtzee="With 50 in the Yardzee box, a further Yardzee must go into the upper box of its face; if"
    " that is used, any lower box pays full value and any upper box 0. With 0 there it is an ordinary roll.",
    joker_needs_fifty=True,
    joker_upper_first=True,
)
HOSTED: Final = RuleSet(
    key="hosted",
    title="hosted card game rules",
    labels=_LOW_HIGH,
    further_yahtzee="With 50 in the Yahtzee box, a further Yahtzee must go into the upper box of its face; if"
    " that is used, any lower box pays full value and any upper box 0. With 0 there it is an ordinary roll.",
    joker_needs_fifty=True,
    joker_upper_first=True,
)
HOUSTON: Final = RuleSet(
    key="houston",
    title="Houston's rules",
    labels=_LOW_HIGH,
    further_yahtzee="Five equal dice are also a full house. A further Yahtzee may go anywhere; once the upper"
    " box of its face is used, it is wild for the Low and the High Straight.",
    full_house_of_five_equal=True,
)
FREE_CHOICE: Final = RuleSet(
    key="free_choice",
    title="free choice rules",
    further_yahtzee="A further Yahtzee may go anywhere; once the upper box of its face is used, it fills a"
    " lower box at full value.",
)

RULE_SETS: Final[Mapping[str, RuleSet]] = MappingProxyType(
    {rules.key: rules for rules in (HASBRO, YARDZEE, HOSTED, HOUSTON, FREE_CHOICE)}
)
