"""What the host's lines say, read back with patterns of its own."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from protocol.tags import Placing
from tests.support import typist
from tests.support.client import Client
from tests.support.host_process import CHANNEL, HOST

LABELS: Final = {
    "Aces": "aces",
    "Twos": "twos",
    "Threes": "threes",
    "Fours": "fours",
    "Fives": "fives",
    "Sixes": "sixes",
    "3 of a Kind": "three_of_a_kind",
    "4 of a Kind": "four_of_a_kind",
    "Full House": "full_house",
    "Small Straight": "small_straight",
    "Low Straight": "small_straight",
    "Large Straight": "large_straight",
    "High Straight": "large_straight",
    "Yahtzee": "yahtzee",
    "Yardzee": "yahtzee",
    "Chance": "chance",
}
BOXES: Final = LABELS | {name: box for box, names in typist.BOX_NAMES.items() for name in names}
LABEL: Final = "|".join(map(re.escape, sorted(LABELS, key=len, reverse=True)))
SCORED: Final = re.compile(rf"Scored ({LABEL}) (\d+)(?:\+(\d+))?, total (\d+)\.")
FOR_YOU: Final = re.compile(rf"The host scored ({LABEL}) (\d+)(?:\+(\d+))? for you, total (\d+)\.")
_ITS_DICE: Final = re.compile(r"Its dice were ([1-6](?: [1-6]){4})\.")
OVER: Final = re.compile(r"The game is over: place \d+ of \d+ with (\d+) points\.")
WORTH: Final = re.compile(rf"\b({LABEL}) (\d+)")
RESULT: Final = re.compile(r"(\S+?)(\*{0,2}) (.+?) (\d+)(?:\+(\d+))? \((\d+)\)")
ROUND: Final = re.compile(r"Round (\d+)/13: ")
CHECKED_BY: Final = re.compile(r"\bgame \w{6,} (commit|seats|seed|plays) ")
FORMATTING: Final = re.compile(r"\x03\d{0,2}|[\x02\x0f]")


@dataclass(frozen=True)
class Entry:
    """What stands in a box of somebody, and the total with it."""

    box: str
    points: int
    bonus: int
    """What came on top, for a further Yahtzee and for the upper section."""

    total: int
    by_host: bool = False


# --- what the channel was told ---


def public(client: Client, channel: str = CHANNEL) -> list[str]:
    """What the host has said in the channel, from the last start of a game on.

    What its dice are checked by is for `tests.support.recomputed`.
    """
    said = [
        line.text
        for line in client.lines
        if line.nick == HOST and line.command == "PRIVMSG" and line.params[0] == channel
        if not CHECKED_BY.search(line.text)
    ]
    begin = max(number for number, text in enumerate(said) if text.startswith("The game begins"))
    return said[begin:]


def its_dice(text: str) -> tuple[int, ...]:
    """What the host scored for, where it rolled on for a player who was away."""
    said = _ITS_DICE.search(text)
    return tuple(map(int, said[1].split())) if said else ()


def results(said: Iterable[str]) -> dict[int, dict[str, Entry]]:
    """The round results among the lines, each with what every nick scored."""
    found: dict[int, dict[str, Entry]] = {}
    number = 0
    for text in said:
        head = ROUND.match(text)
        if head:
            number = int(head[1])
            assert number not in found, f"round {number} was told twice"
        for item in text[head.end() if head else 0 :].split(" | "):
            if line := RESULT.fullmatch(item):
                nick, star, box, points, bonus, total = line.groups()
                entry = Entry(BOXES[box], int(points), int(bonus or 0), int(total), bool(star))
                found.setdefault(number, {})[nick] = entry
    return found


def final(said: Sequence[str]) -> list[Placing]:
    """The final table among the lines."""
    begin = max(number for number, text in enumerate(said) if text.startswith("Final result"))
    return [placing for text in said[begin:] for placing in Placing.find(text)]
