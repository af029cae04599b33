"""Everybody's totals, who is still thinking, and what is said."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from rich.cells import set_cell_size
from rich.text import Text
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.widgets import Static

from card.notes import Note, Tone
from card.view import View
from game.match import places
from protocol.typed import visible

_KEPT: Final = 300
"""Lines that stay in a log."""

_STYLES: Final[Mapping[Tone, tuple[str, str]]] = MappingProxyType(
    {
        Tone.SAID: ("bold", ""),
        Tone.OWN: ("bold italic", ""),
        Tone.HOST: ("bold", "dim"),
        Tone.ROUND: ("bold", ""),
        Tone.PRIVATE: ("bold", "italic"),
        Tone.CARD: ("", "dim italic"),
        Tone.WARNING: ("", "italic"),
    }
)
"""How the name and the words of a line look. Attributes and no colours, which are the terminal's."""


class Players(VerticalScroll):
    """The seats by their totals, the most first. Dots mark who is still thinking."""

    can_focus = False

    def __init__(self) -> None:
        super().__init__()
        self._shown: Text | None = None

    def compose(self) -> ComposeResult:
        yield Static(markup=False)

    def show(self, view: View) -> None:
        """Show who plays."""
        seats = range(1, max(len(view.nicks), len(view.totals)) + 1)
        self.border_title = (
            f"Players {len(seats)}/{view.seats}" if view.seats and not view.playing else "Players"
        )
        totals = (*view.totals, *(0,) * (len(seats) - len(view.totals)))
        rows = sorted(zip(places(totals), seats, strict=True))
        text = Text("\n").join(self._row(view, place, seat) for place, seat in rows)
        if text != self._shown:
            self._shown = text
            self.query_one(Static).update(text or "Nobody sits here yet.")

    def _row(self, view: View, place: int, seat: int) -> Text:
        thinking = view.playing and (seat in view.awaited or (seat == view.seat and view.deciding))
        you = " (you)" if seat == view.seat else ""
        name = set_cell_size(visible(view.name(seat)), 18 - len(you)).rstrip()
        total = str(view.totals[seat - 1]) if seat <= len(view.totals) else ""
        row = f"{place if view.totals else '':>2} {set_cell_size(name + you, 19)}{total:>4}"
        return Text(f"{row} {'…' if thinking else ' '}", style="bold" if you else "", no_wrap=True)


class Log(VerticalScroll):
    """Lines of talk, the newest at the bottom."""

    can_focus = False

    def __init__(self, *, id: str, empty: str) -> None:
        super().__init__(id=id)
        self._empty = empty
        self._lines: list[Text] = []
        self._last: Note | None = None

    def compose(self) -> ComposeResult:
        yield Static(self._empty, markup=False, classes="empty")

    def on_mount(self) -> None:
        self.anchor()

    def add(self, note: Note) -> None:
        """Add a line; the same one again at once is not worth a second."""
        if note == self._last:
            return
        self._last = note
        name, words = _STYLES[note.tone]
        text = Text()
        if note.who:
            text.append(f"{note.who}: ", style=name)
        self._lines = [*self._lines[-_KEPT:], text.append(note.text, style=words)]
        content = self.query_one(Static)
        content.remove_class("empty")
        content.update(Text("\n").join(self._lines))
