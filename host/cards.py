"""Which people of a network play with a card, a program that reads lines of its own."""

from __future__ import annotations

from collections.abc import Callable

from protocol.card.keys import Lines


class Cards:
    """The cards in sight, by nick. Who goes out of sight may come back with another program."""

    def __init__(self, fold: Callable[[str], str]) -> None:
        self._fold = fold
        self._lines: dict[str, Lines] = {}

    def greet(self, nick: str, lines: Lines) -> None:
        """Note that a card is there, and which lines it wants."""
        self._lines[self._fold(nick)] = lines

    def wants(self, nick: str) -> Lines | None:
        """The lines that a card under this nick wants; None when there is none."""
        return self._lines.get(self._fold(nick))

    def renamed(self, old: str, new: str) -> None:
        """Follow a card to its new nick."""
        if lines := self.forget(old):
            self.greet(new, lines)

    def forget(self, nick: str) -> Lines | None:
        """Know of no card under this nick any more."""
        return self._lines.pop(self._fold(nick), None)

    def keep(self, in_sight: Callable[[str], bool]) -> None:
        """Forget those that are out of sight."""
        self._lines = {nick: lines for nick, lines in self._lines.items() if in_sight(nick)}

    def clear(self) -> None:
        """Know of none: the host is off the network."""
        self._lines.clear()
