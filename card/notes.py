"""What the card tells its player besides the game itself: talk, the host's words, its own sentences."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum


class Tone(Enum):
    """Who speaks."""

    SAID = "said"
    """Somebody in the channel."""

    OWN = "own"
    """The player."""

    HOST = "host"
    """The host, in the channel."""

    ROUND = "round"
    """The host, in the channel: how a round or the game ended."""

    PRIVATE = "private"
    """The host, to the player alone."""

    CARD = "card"
    """The card itself."""

    WARNING = "warning"
    """The card: something did not happen."""


@dataclass(frozen=True, slots=True)
class Note:
    """One line; `text` holds nothing that a terminal would take for a command."""

    tone: Tone
    text: str
    who: str = ""

    def __str__(self) -> str:
        return f"{self.who}: {self.text}" if self.who else self.text
