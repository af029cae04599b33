"""When to be silent: doubled lines, small talk, and other programs that answer every line.

Times are seconds of the host's clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

_SWEEP_ABOVE: Final = 1000
"""Entries above which those that are over are swept out."""


class Doubles:
    """Lines that were accepted just now, so that a doubled send does nothing."""

    def __init__(self) -> None:
        self._accepted: dict[tuple[str, str], tuple[str, float]] = {}

    def accepted(self, person: str, line: str, table: str, now: float, within: float) -> None:
        """Note a line that did something at a table; for `within` seconds the same one is a doubled send."""
        if len(self._accepted) > _SWEEP_ABOVE:
            self._accepted = {key: entry for key, entry in self._accepted.items() if entry[1] > now}
        self._accepted[person, line] = table, now + within

    def again(self, person: str, line: str, now: float) -> str | None:
        """The table at which this line was accepted just now, or None."""
        table, until = self._accepted.get((person, line), ("", now))
        return table if now < until else None


class Patience(Enum):
    """How to take a line that is not understood, or asks for something once more."""

    ANSWER = "answer"
    LAST_ANSWER = "last answer"
    SILENCE = "silence"


@dataclass(slots=True)
class _Mood:
    lines: int
    until: float


class Manners:
    """How many answers a person gets to lines that mean nothing, until they make sense again.

    Two programs must not talk for ever, and nobody wants an error for every word of small talk.
    """

    def __init__(self, answers: int, seconds: float) -> None:
        self._answers = answers
        self._seconds = seconds
        self._moods: dict[str, _Mood] = {}

    def misunderstood(self, person: str, now: float) -> Patience:
        """Count a line that was not understood."""
        if len(self._moods) > _SWEEP_ABOVE:
            self._moods = {who: mood for who, mood in self._moods.items() if mood.until > now}
        mood = self._moods.get(person)
        if mood is None or now >= mood.until:
            mood = self._moods[person] = _Mood(0, 0.0)
        mood.lines += 1
        mood.until = now + self._seconds
        return _patience(mood.lines, self._answers)

    def understood(self, person: str) -> None:
        """Forget what came before a line that made sense."""
        self._moods.pop(person, None)


class Meter:
    """How many answers a person may have to lines that change nothing: some at once, more as time goes by."""

    def __init__(self, answers: int, seconds: float) -> None:
        self._answers = answers
        self._seconds = seconds
        self._free_at: dict[str, float] = {}
        """When each person may have the full number again."""

    def asked(self, person: str, now: float) -> Patience:
        """Count a line that asks for an answer."""
        if len(self._free_at) > _SWEEP_ABOVE:
            self._free_at = {who: at for who, at in self._free_at.items() if at > now}
        free_at = max(self._free_at.get(person, now), now)
        owed = round((free_at - now) / self._seconds) + 1
        if owed <= self._answers + 1:
            self._free_at[person] = free_at + self._seconds
        return _patience(owed, self._answers)


def _patience(line: int, answers: int) -> Patience:
    if line < answers:
        return Patience.ANSWER
    return Patience.LAST_ANSWER if line == answers else Patience.SILENCE
