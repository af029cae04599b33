"""What tests of the journal share: a game, and short ways to write and to read it."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sql

from host.events import Event, Occupant, Opened, Seated, TableSettings
from host.journal import GameFile, Journal

WALL: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)
SEED: Final = b"\x00\xff'very secret seed of a game\x80"
ALICE: Final = Occupant("p1", "alice", "~alice", "example.org")
OPENING: Final[tuple[Event, ...]] = (Opened("g1", TableSettings()), Seated(ALICE))


def file(game: str = "g1", channel: str = "#y", network: str = "local") -> GameFile:
    return GameFile(game, network, channel, SEED)


def append(journal: Journal, version: int, *events: Event, game: str = "g1", at: float = 1.0) -> None:
    journal.append(file(game), version, events, at, WALL)


def history(journal: Journal, game: str = "g1") -> list[Event] | None:
    """The events of a game that is on."""
    for found in journal.unfinished():
        if found.file.game == game:
            return [event for _, event in found.events]
    return None


@contextmanager
def opened(url: str, patience: float = 0.05) -> Iterator[Journal]:
    journal = Journal.open(url, patience)
    try:
        yield journal
    finally:
        journal.close()


def raw(journal: Journal, statement: str) -> list[tuple[object, ...]]:
    """Run a statement behind the journal's back."""
    with journal._store.engine.connect() as connection:
        result = connection.execute(sql.text(statement.replace(":", "\\:")))
        rows = [tuple(row) for row in result] if result.returns_rows else []
        connection.commit()
        return rows
