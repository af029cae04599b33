"""Games that were exported come into a store that no host uses: all of a file, or nothing of it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from typing import BinaryIO, Final

import sqlalchemy as sql

from host import aliases, archive, archive_line, entering
from host.errors import NotTakenIn
from host.store import Store
from host.store_tables import EVENTS

_LONGEST: Final = 16 * 1024 * 1024
"""Bytes of a line. A game of fifty takes one."""

_MOST_TOLD: Final = 20


@dataclass(frozen=True, slots=True)
class TakenIn:
    """How many games of a file are new, and how many were there already."""

    new: int = 0
    known: int = 0

    def plus(self, more: TakenIn) -> TakenIn:
        return TakenIn(self.new + more.new, self.known + more.known)


def take_in(store: Store, file: BinaryIO, wall: datetime) -> TakenIn:
    """Take in the games of a file, in one transaction, at this time of day.

    Raises NotTakenIn when anything is wrong with them, StoreError, and OSError when the file cannot be read.
    The store is as it was then.
    """
    taken, problems = TakenIn(), list[str]()
    with store.transaction(write=True) as connection:
        on, last = archive.on(connection), _last_time(connection)
        fresh = aliases.Fresh(connection)
        for number, line in _lines(file):
            try:
                taken = taken.plus(_take(connection, fresh, line))
            except ValueError as error:
                problems.append(f"line {number}: {error}")
                if len(problems) == _MOST_TOLD:
                    break
        if on and _last_time(connection) > last:
            # The next start would set the host's clock to then, and the time of all games would be up.
            problems.append(f"{on} game(s) are on in the store, and its clock would jump; let them end first")
        if problems:
            raise NotTakenIn(tuple(problems))
        if taken.new:
            entering.catch_up(connection, wall)
    return taken


def _lines(file: BinaryIO) -> Iterator[tuple[int, bytes]]:
    """The lines that are not empty, with their numbers. One that is too long comes in parts."""
    for number, line in enumerate(iter(lambda: file.readline(_LONGEST + 1), b""), start=1):
        if line.strip():
            yield number, line


def _take(connection: sql.Connection, fresh: aliases.Fresh, line: bytes) -> TakenIn:
    """Write the game of a line, unless it is there. Raises ValueError."""
    if len(line) > _LONGEST:
        raise ValueError(f"it is longer than {_LONGEST} bytes")
    game = archive_line.from_text(line)
    there = archive.find(connection, game.file.game)
    if there is None:
        archive.add(connection, fresh.of(game))
        return TakenIn(new=1)
    if not aliases.same(there, game):
        raise ValueError(f"game {game.file.game} is in the store already, and is not the same")
    return TakenIn(known=1)


def _last_time(connection: sql.Connection) -> float:
    return connection.execute(sql.select(sql.func.max(EVENTS.c.at))).scalar() or 0.0
