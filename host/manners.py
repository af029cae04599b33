"""When to be silent: doubled lines, small talk, and other programs that answer every line."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

_FORGET_ABOVE: Final = 1000


class Doubles:
    """Lines that were accepted just now, so that a doubled send does nothing."""

    def __init__(self) -> None:
        self._accepted: dict[tuple[str, str], tuple[str, float]] = {}

    def accepted(self, table: str, person: str, line: str, now: float) -> None:
        """Note a line that did something at a table."""
        if len(self._accepted) > _FORGET_ABOVE:
            self._accepted = {}
        self._accepted[table, person] = line, now

    def again(self, table: str, person: str, line: str, now: float, within: float) -> bool:
        """Whether this is the line that was accepted last, less than `within` seconds ago."""
        last, at = self._accepted.get((table, person), ("", 0.0))
        return last == line and now - at < within


class Patience(Enum):
    """How to take a line that is not understood."""

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
        if len(self._moods) > _FORGET_ABOVE:
            self._moods = {who: mood for who, mood in self._moods.items() if mood.until > now}
        mood = self._moods.get(person)
        if mood is None or now >= mood.until:
            mood = self._moods[person] = _Mood(0, 0.0)
        mood.lines += 1
        mood.until = now + self._seconds
        if mood.lines < self._answers:
            return Patience.ANSWER
        return Patience.LAST_ANSWER if mood.lines == self._answers else Patience.SILENCE

    def understood(self, person: str) -> None:
        """Forget what came before a line that made sense."""
        self._moods.pop(person, None)
