"""The many ways in which people type the same thing, and lines that must change nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from tests.game import oracle

BOX_NAMES: Final[dict[str, tuple[str, ...]]] = {
    "aces": ("ac", "1s", "aces", "ones", "Aces"),
    "twos": ("tw", "2s", "twos", "deuces"),
    "threes": ("th", "3s", "threes", "THREES"),
    "fours": ("fo", "4s", "fours", "four s"),
    "fives": ("fi", "5s", "fives", "Fives."),
    "sixes": ("si", "6s", "sixes", "SIXES;"),
    "three_of_a_kind": ("3k", "tk", "three of a kind", "3 of a kind", "Three-of-a-Kind"),
    "four_of_a_kind": ("4k", "fk", "four of a kind", "4 of a kind", "4oak"),
    "full_house": ("fh", "full house", "Full  House", "“full house”", "fullhouse"),
    "small_straight": ("ss", "lo", "small straight", "low straight", "Small Straight "),
    "large_straight": ("ls", "large straight", "high straight", "LARGE STRAIGHT"),
    "yahtzee": ("yz", "yh", "yahtzee", "Yardzee", "five of a kind"),
    "chance": ("ch", "chance", "CHANCE"),
}
_GREETINGS: Final = {"lo", "si"}
"""Alone they are not taken for boxes that pay nothing."""

_LETTERS: Final = "abcde"


@dataclass(frozen=True)
class BadLine:
    """A whole IRC line that must change nothing; `answered` tells whether the host says so."""

    raw: str | bytes
    answered: bool = True


def holds(dice: Sequence[int], kept: Sequence[int], random: Random) -> str:
    """One of the ways to say: keep the dice in these places, and roll the rest."""
    rest = [place for place in range(5) if place not in kept]
    ways = [*_named(["keep", "hold", "k", "Keep", "KEEP"], dice, kept)]
    ways += _named(["reroll", "roll", "r", "Roll", "REROLL"], dice, rest)
    return _dressed(random.choice(ways), random)


def scores(box: str, random: Random) -> str:
    """One of the ways to name a box to score in."""
    name = random.choice(BOX_NAMES[box])
    ways = [f"score {name}", f"s {name}", f"SCORE {name}"]
    if name not in _GREETINGS:
        ways += [name] * 2
    return _dressed(random.choice(ways), random)


def bad_lines(
    host: str, channel: str, *, dice: Sequence[int], roll: int, card: oracle.Card, rules: str
) -> list[BadLine]:
    """Lines that anyone may send while these dice are theirs to play."""
    missing = next(face for face in range(1, 7) if face not in dice)
    there = Counter(dice).most_common(1)[0]
    options = oracle.options(rules, dice, card)
    forbidden = [box for box in oracle.BOXES if box not in card and box not in options]
    wrong = [f"score {BOX_NAMES[box][0]}" for box in (*card, *forbidden)]
    wrong += ["score banana", "score 3", "score three", "score", "xyzzy", "keep 7", "keep 0", "keep 4 a"]
    wrong += ["reroll aa", "reroll ²", "reroll ٢", "44", "style loud", "dice now", "x" * 480]
    if roll < 3:
        wrong += [f"keep {missing}", f"reroll {missing}", f"k{str(there[0]) * (there[1] + 1)}"]
    else:
        wrong += ["keep a", "roll all"]
    best = BOX_NAMES[max(options, key=lambda box: options[box])][0]
    return [
        *(BadLine(f"PRIVMSG {host} :{text}") for text in wrong),
        *(BadLine(f"PRIVMSG {channel} :!{text}") for text in wrong),
        BadLine(f"PRIVMSG {host} :caf".encode() + b"\xe9 \xff\xfe\r\n"),
        BadLine(f"NOTICE {host} :score {best}", answered=False),
        BadLine(f"NOTICE {channel} :!score {best}", answered=False),
        BadLine(f"PRIVMSG {host} :\x01ACTION score {best}\x01", answered=False),
        BadLine(f"PRIVMSG {channel} :\x01ACTION !score {best}\x01", answered=False),
        BadLine(f"PRIVMSG {host} :\x01VERSION\x01", answered=False),
        BadLine(f"PRIVMSG {host} :\x01DCC\x01", answered=False),
        BadLine(f"PRIVMSG {channel} :score {best}", answered=False),
        BadLine(f"PRIVMSG {channel} :<{host}> Round 1/13, roll 1/3: [6 6 6 6 6]", answered=False),
    ]


def _named(verbs: Sequence[str], dice: Sequence[int], places: Sequence[int]) -> Iterator[str]:
    """The places by letters, and by faces where these mean the same dice, after each of the verbs."""
    letters = [_LETTERS[place] for place in sorted(places)]
    faces = [str(dice[place]) for place in sorted(places)]
    for verb in verbs:
        if not places:
            yield f"{verb} none"
            continue
        if len(places) == 5:
            yield f"{verb} all"
        yield f"{verb} {' '.join(letters)}"
        yield f"{verb} {''.join(letters).upper()}"
        if _are_first(dice, places):
            yield f"{verb} {' '.join(faces)}"
            yield f"{verb} {', '.join(reversed(faces))}"
            yield f"{verb}{''.join(faces)}"


def _are_first(dice: Sequence[int], places: Sequence[int]) -> bool:
    """Whether the faces in these places, named as faces, mean these places."""
    return all(
        place in places
        or not any(later in places and dice[later] == dice[place] for later in range(place, 5))
        for place in range(5)
    )


def _dressed(text: str, random: Random) -> str:
    return random.choice(
        [
            text,
            text,
            text,
            f" {text}  ",
            f"\x02{text}\x02",
            f"\x0304,01{text}\x0f",
            f"\u200b{text}\u200e",
            text.replace(" ", "\u00a0"),
            text.replace(" ", "   "),
        ]
    )
