"""Write tests/vectors/more.jsonl: a thousand cases for each rule set, answered by the oracle.

Run it from the top of the repository, after a change of the oracle only, and read the difference before
keeping it:

    python -m tests.game.make_vectors

The generator is seeded, so an unchanged oracle writes the same file. The cases lean towards what is easy to
get wrong: half of the rolls are Yahtzees, most Yahtzee boxes are used, and whole sections are often full.
"""

from collections.abc import Iterator
from random import Random

from tests.game import oracle
from tests.game.vectors import FOLDER, Vector

FOR_EACH_RULE_SET = 1000


def any_roll(random: Random) -> list[int]:
    return [random.randint(1, 6) for _ in range(5)]


def likely_roll(random: Random) -> tuple[int, ...]:
    """Half Yahtzees; among the others many kinds, full houses, straights and near misses of each."""
    kind = random.random()
    one, other = random.sample(range(1, 7), 2)
    if kind < 0.5:
        dice = [one] * 5
    elif kind < 0.65:
        dice = random.choice([[one] * 3 + [other] * 2, [one] * 4 + [other], [one] * 3 + any_roll(random)[:2]])
    elif kind < 0.8:
        low = random.randint(1, 3)
        dice = [*range(low, low + 4), random.randint(1, 6)]
        if random.random() < 0.3:
            dice[random.randrange(4)] = random.randint(1, 6)
    else:
        dice = any_roll(random)
    random.shuffle(dice)
    return tuple(dice)


def plausible_points(random: Random, box: str) -> int:
    """Points that a player may really have in `box`: often the good value, sometimes a scratch."""
    if box in oracle.UPPER:
        return (oracle.UPPER.index(box) + 1) * random.choice([0, 1, 2, 2, 3, 3, 3, 4, 4, 5])
    if box == "chance":
        return sum(any_roll(random))
    if random.random() < 0.35:
        return 0
    if box in ("three_of_a_kind", "four_of_a_kind"):
        equal = 3 if box == "three_of_a_kind" else 4
        return random.randint(1, 6) * equal + sum(any_roll(random)[equal:])
    return {"full_house": 25, "small_straight": 30, "large_straight": 40, "yahtzee": 50}[box]


def likely_card(random: Random, dice: tuple[int, ...]) -> oracle.Card:
    """Make a card with 0 to 12 used boxes."""
    used = set(random.sample(oracle.BOXES, random.randint(0, 12)))
    whim = random.random()
    if whim < 0.2:
        used |= set(oracle.LOWER)
    elif whim < 0.3:
        used |= set(oracle.UPPER)
    (used.add if random.random() < 0.8 else used.discard)("yahtzee")
    own = oracle.UPPER[dice[0] - 1]
    (used.add if random.random() < 0.6 else used.discard)(own)
    while len(used) > 12:
        used.remove(
            random.choice([box for box in oracle.BOXES if box in used and box not in ("yahtzee", own)])
        )
    card = {box: plausible_points(random, box) for box in oracle.BOXES if box in used}
    if "yahtzee" in card:
        card["yahtzee"] = random.choice([0, 50])
    return card


def make(rules: str, count: int) -> Iterator[Vector]:
    """Make `count` different cases for one rule set."""
    random = Random(f"more vectors for {rules}")
    seen: set[str] = set()
    while len(seen) < count:
        dice = likely_roll(random)
        card = likely_card(random, dice)
        vector = Vector(rules, dice, card, oracle.options(rules, dice, card), oracle.bonus(rules, dice, card))
        if vector.line() not in seen:
            seen.add(vector.line())
            yield vector


def main() -> None:
    with (FOLDER / "more.jsonl").open("w", encoding="utf-8", newline="\n") as file:
        for rules in oracle.RULES:
            file.writelines(vector.line() + "\n" for vector in make(rules, FOR_EACH_RULE_SET))


if __name__ == "__main__":
    main()
