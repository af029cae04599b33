"""A table from one event to the next, for whoever tells of what happened."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from host.events import Event
from host.table import Table


@dataclass(frozen=True, slots=True)
class Passage:
    """A table before and after an event."""

    event: Event
    was: Table
    now: Table


def passages(table: Table, events: Iterable[Event], at: float) -> list[Passage]:
    """What events that were recorded together make of a table, one after the other."""
    found, was = list[Passage](), table
    for event in events:
        now = was.after(event, at)
        found.append(Passage(event, was, now))
        was = now
    return found
