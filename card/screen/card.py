"""The thirteen boxes: what is written, what the dice would pay, and what the rules forbid."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message
from textual.widgets import Static

from card.boxes import Box, Kind, boxes
from card.view import View
from game.category import LOWER, UPPER, Category

_POINTS: Final[Mapping[Kind, Callable[[Box], str]]] = MappingProxyType(
    {
        Kind.OPEN: lambda box: "·",
        Kind.PAYS: lambda box: f"{'J' if box.joker else ''}+{box.points}",
        Kind.FORBIDDEN: lambda box: "no",
        Kind.USED: lambda box: str(box.points),
    }
)
_WIDTH: Final = 22


def line(label: str, points: str, mark: str = "  ") -> str:
    """A row of the card: what it is on the left, what it is worth on the right."""
    room = _WIDTH - 3 - len(points)
    return f"{mark}{label[:room]:<{room}}{points} "


class BoxRow(Static):
    """One box."""

    class Clicked(Message):
        """The player clicked a box."""

        def __init__(self, category: Category) -> None:
            super().__init__()
            self.category = category

    def __init__(self, category: Category) -> None:
        super().__init__(markup=False, id=f"box-{category.value}")
        self.category = category
        self._shown: tuple[Box, bool, bool] | None = None

    def show(self, box: Box, *, marked: bool, best: bool) -> None:
        """Show what the box holds or would pay."""
        if self._shown == (box, marked, best):
            return  # to draw a box that is as it was takes a while
        self._shown = box, marked, best
        mark = f"{'▶' if marked else ' '}{'*' if best else ' '}"
        self.update(line(box.label, _POINTS[box.kind](box), mark), layout=False)
        looks = {
            box.kind.value: True,
            "marked": marked,
            "best": best,
            "joker": box.joker,
            "nothing": box.kind is Kind.PAYS and not box.points,
        }
        self.set_classes([name for name, on in looks.items() if on])

    def on_click(self, event: events.Click) -> None:
        event.stop()
        self.post_message(self.Clicked(self.category))


class CardPanel(Vertical):
    """The whole scorecard with its sums."""

    def compose(self) -> ComposeResult:
        with Horizontal(id="sections"):
            with Vertical():
                yield from map(BoxRow, UPPER)
                yield Static(markup=False, id="upper", classes="sum")
            with Vertical():
                yield from map(BoxRow, LOWER)
        with Horizontal(id="sums"):
            yield Static(markup=False, id="further", classes="sum")
            yield Static(markup=False, id="total", classes="sum")

    def show(self, view: View) -> None:
        """Show the card of a game."""
        rows = {row.category: row for row in self.query(BoxRow)}
        best = view.hint.best if view.hint else None
        for box in boxes(view):
            category = box.category
            rows[category].show(box, marked=view.marked is category, best=best is category)
        card, rules = view.card, view.rules
        upper = f"+{card.upper_bonus}" if card.upper_bonus else f"{card.upper_total}/{rules.upper_bonus_at}"
        self.query_one("#upper", Static).update(line(f"Bonus at {rules.upper_bonus_at}", upper), layout=False)
        coming = view.hand.bonus if view.deciding and view.hand else 0
        further = self.query_one("#further", Static)
        had = line("Yahtzee bonus", f"{card.yahtzee_bonus}")
        further.update(line(f"+{coming} in any box!", "") if coming else had, layout=False)
        further.set_class(bool(coming), "joker")
        self.query_one("#total", Static).update(line("TOTAL", str(view.total)), layout=False)
