"""Lines that went out a moment ago, which the server may still refuse.

A refusal names a target and never the line. So every line that left for the target lately is in doubt, and
is given back once: what a second refusal is about has been given back with the first.
"""

from __future__ import annotations

from collections import deque
from typing import Final

from host.clock import Clock
from host.letter import Letter

_SECONDS: Final = 30.0
"""After which a line counts as taken. Servers answer at once, but may hold lines back for seconds."""

_MOST: Final = 200


class Recent:
    """What one connection sent lately."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._sent: deque[tuple[float, Letter]] = deque(maxlen=_MOST)

    def note(self, letter: Letter) -> None:
        """Note a line that goes out now."""
        self._sent.append((self._clock.now(), letter))

    def take(self, target: str) -> list[Letter]:
        """The lines to a target that a refusal may be about, in order; each is given back once."""
        lately = [(at, letter) for at, letter in self._sent if self._clock.now() - at <= _SECONDS]
        self._sent = deque((one for one in lately if one[1].target != target), _MOST)
        return [letter for _, letter in lately if letter.target == target]

    def addressee(self, text: str) -> str:
        """Whom a refusal is about that names its target in its words alone (486 on ngircd), or nobody."""
        words = text.split()
        nicks = (letter.target for _, letter in reversed(self._sent) if letter.personal)
        return next((nick for nick in nicks if nick in words), "")

    def clear(self) -> None:
        """Forget all: the connection is gone."""
        self._sent.clear()
