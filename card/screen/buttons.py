"""The buttons under the dice: those that have a place now, and which of them can be pressed."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Button

from card.view import View
from protocol.card.stages import Stage


class Buttons(Horizontal):
    """A button is called as the action of the app that it is for."""

    def __init__(self) -> None:
        super().__init__(id="buttons")

    def compose(self) -> ComposeResult:
        yield Button("Register", id="register", variant="primary")
        yield Button("Practice", id="practice", variant="primary")
        yield Button("Start", id="start", variant="primary")
        yield Button("Send Rerolls", id="rerolls")
        yield Button("Send Score", id="score")

    def on_mount(self) -> None:
        # Keys are for the dice until somebody wants to talk.
        for button in self.query(Button):
            button.can_focus = False

    def show(self, view: View, *, free: bool) -> None:
        """Show what fits a game; nothing can be pressed but while the card is `free` to send."""
        lobby, idle = view.stage is Stage.LOBBY, view.stage in (Stage.OUT, Stage.OVER)
        shown = {
            "register": (idle, True),
            "practice": (idle, True),
            "start": (lobby, True),
            "rerolls": (not idle, view.can_roll),
            "score": (not idle, view.deciding and view.marked is not None),
        }
        for name, (has_a_place, possible) in shown.items():
            button = self.query_one(f"#{name}", Button)
            button.display = has_a_place
            button.disabled = not (free and has_a_place and possible)
