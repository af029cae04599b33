"""Finished games as rows for a spreadsheet: one for each seat."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from game.category import CATEGORIES
from game.match import places
from host.archive import Archived
from host.events import Finished, Opened

COLUMNS: Final = (
    *("game", "network", "channel", "rules", "dice", "pace", "opened", "finished"),
    *("seat", "nick", "account", "house", "total", "place"),
    *(category.value for category in CATEGORIES),
    *("upper_bonus", "yahtzee_bonus", "stood_in", "hinted"),
)

_FORMULAS: Final = ("=", "+", "-", "@", "\t", "\r", "\n")
"""What makes a spreadsheet take a text for a formula. A nick may begin so."""

Cell = str | int


def rows(game: Archived) -> Iterator[tuple[Cell, ...]]:
    """The rows of a game, in the order of its seats; none when it has no result."""
    finished = next((e.wall.isoformat() for e in game.entries if isinstance(e.event, Finished)), None)
    if finished is None:
        return
    table, file = game.table(), game.file
    settings, cards = table.settings, table.play.cards
    opened = next(e.wall.isoformat() for e in game.entries if isinstance(e.event, Opened))
    about = (file.game, file.network, file.channel, settings.rules, settings.dice.value, settings.pace.value)
    ranks = places(table.play.totals)
    for number, (seat, card, place) in enumerate(zip(table.seats, cards, ranks, strict=True), start=1):
        who = seat.occupant
        house = who.level.value if who.house else ""
        row: tuple[Cell, ...] = (
            *(*about, opened, finished),
            *(number, who.nick, who.account or "", house, card.total, place),
            *(card.boxes.get(category, "") for category in CATEGORIES),
            *(card.upper_bonus, card.yahtzee_bonus, seat.stood_in, int(seat.hinted)),
        )
        yield tuple(map(_defused, row))


def _defused(cell: Cell) -> Cell:
    return f"'{cell}" if isinstance(cell, str) and cell.startswith(_FORMULAS) else cell
