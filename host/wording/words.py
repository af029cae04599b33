"""Small words that several sentences share."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, timedelta
from typing import Final

from game.category import Category
from game.rules import RuleSet
from host.replies import Worth
from protocol import boxes

_MOST_NAMES: Final = 6

ITEM: Final = " | "
"""Between the items of a public line."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """One reply to a channel: items that may be spread over lines, never cut inside while they fit one.

    `short` holds the same items in fewer letters, for when that saves a line.
    """

    head: str
    items: tuple[str, ...]
    short: tuple[str, ...] = ()
    separator: str = ITEM
    continued: str = ""
    """What every further line begins with."""


def names(nicks: Sequence[str]) -> str:
    """`a`, `a and b`, `a, b and c`, or of many the first ones and `12 more`."""
    if len(nicks) > _MOST_NAMES:
        nicks = (*nicks[: _MOST_NAMES - 1], f"{len(nicks) - _MOST_NAMES + 1} more")
    if len(nicks) < 2:
        return "".join(nicks)
    return f"{', '.join(nicks[:-1])} and {nicks[-1]}"


def either(words: Sequence[str]) -> str:
    """`a`, `a or b`, or `a, b or c`."""
    if len(words) < 2:
        return "".join(words)
    return f"{', '.join(words[:-1])} or {words[-1]}"


def seconds(number: float) -> str:
    """A time that people can take in: `45 s`, `2 min`, `1 min 30 s`, `23 h 59 min`."""
    whole = round(number)
    if whole < 120:
        return f"{whole} s"
    if whole >= 7200:
        return duration(whole)
    minutes, rest = divmod(whole, 60)
    return f"{minutes} min {rest} s" if rest else f"{minutes} min"


def duration(number: float) -> str:
    """A long time in its two largest units: `3 d 4 h`, `2 h 5 min`."""
    minutes, hours, days = round(number) // 60, round(number) // 3600, round(number) // 86_400
    if days:
        return f"{days} d {hours % 24} h"
    return f"{hours} h {minutes % 60} min" if hours else f"{minutes} min"


def moment(when: datetime) -> str:
    """A time of the calendar: `2026-03-01 12:00 UTC`."""
    return f"{when.astimezone(UTC):%Y-%m-%d %H:%M} UTC"


def until(end: datetime) -> str:
    """A time that is not included; midnight is that of the day which ends: `2026-05-31 24:00 UTC`."""
    when = end.astimezone(UTC)
    if when.time() != time(0):
        return moment(when)
    return f"{when - timedelta(days=1):%Y-%m-%d} 24:00 UTC"


def plus(points: int, bonus: int) -> str:
    """`20`, or `20+100` with a bonus."""
    return f"{points}+{bonus}" if bonus else str(points)


def worths(rules: RuleSet, options: Sequence[Worth]) -> str:
    """`Chance 17, Fours 8`."""
    return ", ".join(f"{rules.label(worth.category)} {worth.points}" for worth in options)


def code(rules: RuleSet, category: Category) -> str:
    """The short form to type that begins as the players' name for the box does: `lo` for Low Straight."""
    codes = boxes.CODES[category]
    initial = rules.label(category)[0].lower()
    return next((short for short in codes if short.startswith(initial)), codes[0])
