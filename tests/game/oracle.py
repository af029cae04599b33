"""A second reading of the rules, for the tests alone.

This is written from the prose of the rule documents, one small function for each sentence, and shares
nothing with the package `game`: no table of rule sets, no enum, no imports. It is slow and literal on
purpose. A box is its key, a card is a dict of the used boxes and their points.

Perfect solitaire play by these functions is worth 254.587729 under hasbro and 254.589609 under free_choice,
as published.
"""

from collections.abc import Sequence

Card = dict[str, int]
Points = dict[str, int]

UPPER = ["aces", "twos", "threes", "fours", "fives", "sixes"]
LOWER = [
    "three_of_a_kind",
    "four_of_a_kind",
    "full_house",
    "small_straight",
    "large_straight",
    "yahtzee",
    "chance",
]
BOXES = UPPER + LOWER
RULES = ["hasbro", "yardzee", "hosted", "houston", "free_choice"]


# What the dice show.


def five_equal(dice: Sequence[int]) -> bool:
    """Yahtzee: the dice show five of a kind."""
    return all(die == dice[0] for die in dice)


def some_face_shows(dice: Sequence[int], at_least: int) -> bool:
    """Three (four) of a kind: at least that many of the same die face."""
    return any(sum(1 for die in dice if die == wanted) >= at_least for wanted in range(1, 7))


def two_of_one_and_three_of_another(dice: Sequence[int]) -> bool:
    """Full house: two of one number and three of another number."""
    a, b, c, d, e = sorted(dice)
    return (a == b and c == d == e and b != c) or (a == b == c and d == e and c != d)


def shows_run(dice: Sequence[int], runs: list[str]) -> bool:
    """Straight: one of the runs, written out, lies among the faces of the dice."""
    faces = "".join(face for face in "123456" if int(face) in dice)
    return any(run in faces for run in runs)


# What a box pays, in the words of the scoring sections.


def upper_points(box: str, dice: Sequence[int]) -> int:
    """The total of the specified die face."""
    number = UPPER.index(box) + 1
    return sum(die for die in dice if die == number)


def ordinary(box: str, dice: Sequence[int]) -> int:
    """What `box` pays for `dice` when no rule about a further Yahtzee speaks."""
    points = 0
    if box in UPPER:
        points = upper_points(box, dice)
    if box == "three_of_a_kind" and some_face_shows(dice, 3):
        points = sum(dice)
    if box == "four_of_a_kind" and some_face_shows(dice, 4):
        points = sum(dice)
    if box == "full_house" and two_of_one_and_three_of_another(dice):
        points = 25
    if box == "small_straight" and shows_run(dice, ["1234", "2345", "3456"]):
        points = 30
    if box == "large_straight" and shows_run(dice, ["12345", "23456"]):
        points = 40
    if box == "yahtzee" and five_equal(dice):
        points = 50
    if box == "chance":
        points = sum(dice)
    return points


def as_joker(box: str, dice: Sequence[int]) -> int:
    """What `box` pays for a Yahtzee that may stand in for other combinations."""
    if box == "full_house":
        return 25
    if box == "small_straight":
        return 30
    if box == "large_straight":
        return 40
    if box in UPPER:
        return upper_points(box, dice)
    return sum(dice)


# What the player may choose, one function for each document.


def unused(boxes: list[str], card: Card) -> list[str]:
    return [box for box in boxes if box not in card]


def ordinary_roll(dice: Sequence[int], card: Card) -> Points:
    """Any roll may be scored in any category, even if the resulting score is zero."""
    return {box: ordinary(box, dice) for box in unused(BOXES, card)}


def own_upper_box(dice: Sequence[int]) -> str:
    """Return the upper box of the face that five equal dice show."""
    return UPPER[dice[0] - 1]


def how_to_play(dice: Sequence[int], card: Card) -> Points:
    """Read `how-to-play`: its joker rules hold as soon as the Yahtzee box is filled, with 50 or with 0."""
    if not five_equal(dice) or "yahtzee" not in card:
        return ordinary_roll(dice, card)
    own = own_upper_box(dice)
    if own not in card:
        return {own: sum(dice)}
    if unused(LOWER, card):
        return {box: as_joker(box, dice) for box in unused(LOWER, card)}
    return dict.fromkeys(unused(UPPER, card), 0)


def yardzee_instructions(dice: Sequence[int], card: Card) -> Points:
    """Read `yardzee-instructions`: the first Yardzee must have been scored in the Yardzee box."""
    if not five_equal(dice) or card.get("yahtzee") != 50:
        return ordinary_roll(dice, card)
    own = own_upper_box(dice)
    if own not in card:
        return {own: sum(dice)}
    anywhere_on_the_upper_section = dict.fromkeys(unused(UPPER, card), 0)
    below = {box: as_joker(box, dice) for box in unused(LOWER, card)}
    return {**anywhere_on_the_upper_section, **below}


def hosted_card_game(dice: Sequence[int], card: Card) -> Points:
    """Read `hosted-card-game`: the Yardzee instructions in other words, with Low and High straights."""
    second_yahtzee = five_equal(dice) and card.get("yahtzee", 0) > 0
    if not second_yahtzee:
        return ordinary_roll(dice, card)
    corresponding = own_upper_box(dice)
    if corresponding not in card:
        return {corresponding: 5 * dice[0]}
    choice: Points = {}
    for box in unused(UPPER, card):
        choice[box] = 0
    for box in unused(["three_of_a_kind", "four_of_a_kind", "chance"], card):
        choice[box] = 5 * dice[0]
    for box, fixed in [("small_straight", 30), ("large_straight", 40), ("full_house", 25)]:
        if box not in card:
            choice[box] = fixed
    return choice


def hoster_and_player_card(dice: Sequence[int], card: Card) -> Points:
    """Read `hoster-and-player-card`: five of a kind is a full house; wild straights need two used boxes."""
    choice = ordinary_roll(dice, card)
    if not five_equal(dice):
        return choice
    if "full_house" in choice:
        choice["full_house"] = 25
    if "yahtzee" in card and own_upper_box(dice) in card:
        if "small_straight" in choice:
            choice["small_straight"] = 30
        if "large_straight" in choice:
            choice["large_straight"] = 40
    return choice


def published_free_choice(dice: Sequence[int], card: Card) -> Points:
    """Any open box; joker values when both the Yahtzee box and the upper box of that face are used."""
    if five_equal(dice) and "yahtzee" in card and own_upper_box(dice) in card:
        return {box: as_joker(box, dice) for box in unused(BOXES, card)}
    return ordinary_roll(dice, card)


def options(rules: str, dice: Sequence[int], card: Card) -> Points:
    """Every box that may be chosen now, with the points it pays."""
    reading = {
        "hasbro": how_to_play,
        "yardzee": yardzee_instructions,
        "hosted": hosted_card_game,
        "houston": hoster_and_player_card,
        "free_choice": published_free_choice,
    }[rules]
    return reading(dice, card)


def bonus(rules: str, dice: Sequence[int], card: Card) -> int:
    """100 for each Yahtzee rolled while the Yahtzee box holds 50; all rule sets agree."""
    assert rules in RULES
    return 100 if five_equal(dice) and card.get("yahtzee") == 50 else 0


def upper_bonus(card: Card) -> int:
    """35 when the upper scores total 63 or more."""
    return 35 if sum(points for box, points in card.items() if box in UPPER) >= 63 else 0


def total(card: Card, further_yahtzees: int) -> int:
    """The grand total: both sections, the upper bonus, and 100 for each check mark."""
    upper = sum(points for box, points in card.items() if box in UPPER)
    lower = sum(points for box, points in card.items() if box in LOWER)
    return upper + upper_bonus(card) + lower + 100 * further_yahtzees
