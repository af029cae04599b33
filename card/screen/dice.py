"""Five dice that are kept or let go with a click."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Static

from card.view import View
from game.dice import POSITIONS
from protocol.commands import LETTERS

_PIPS: Final[Mapping[int, str]] = MappingProxyType(
    {
        0: "\n   ?\n",
        1: "\n   ●\n",
        2: " ●\n\n     ●",
        3: " ●\n   ●\n     ●",
        4: " ●   ●\n\n ●   ●",
        5: " ●   ●\n   ●\n ●   ●",
        6: " ●   ●\n ●   ●\n ●   ●",
    }
)


class Die(Vertical):
    """One die, and under it its letter. Without a face it has not been rolled."""

    class Clicked(Message):
        """The player clicked a die."""

        def __init__(self, place: int) -> None:
            super().__init__()
            self.place = place

    def __init__(self, place: int) -> None:
        super().__init__(id=f"die-{LETTERS[place]}")
        self.place = place
        self._shown: tuple[int, bool, bool, bool] | None = None

    def compose(self) -> ComposeResult:
        yield Static(_PIPS[0], markup=False, classes="face")
        yield Static(LETTERS[self.place], markup=False, classes="letter")

    def show(self, face: int, *, kept: bool, live: bool, best: bool) -> None:
        """Show a face; what is `kept` or `best` to keep says so, and what is not `live` cannot be changed."""
        if self._shown == (face, kept, live, best):
            return
        self._shown = face, kept, live, best
        self.query_one(".face", Static).update(_PIPS[face], layout=False)
        # Not by colour alone: a word stands there, and the frame is another.
        letter = f"{'*' if best else ''}{LETTERS[self.place]}"
        self.query_one(".letter", Static).update(f" {letter} KEEP " if kept else letter, layout=False)
        self.set_class(kept, "kept")
        self.set_class(best, "best")
        self.set_class(live, "live")
        self.set_class(face == 0, "none")

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self.place))


class DiceRow(Horizontal):
    """The five dice, in the places a to e."""

    def compose(self) -> ComposeResult:
        yield from map(Die, POSITIONS)

    def show(self, view: View) -> None:
        """Show the dice of a game, and which of them are to be kept."""
        for die in self.query(Die):
            face = view.hand.dice.faces[die.place] if view.hand else 0
            kept = view.can_roll and die.place in view.kept
            die.show(face, kept=kept, live=view.can_roll, best=die.place in view.best)
