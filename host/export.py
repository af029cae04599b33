"""Games that have ended leave the store: as JSON lines that can be taken in again, or as rows."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Generator, Iterable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from host import archive, archive_line, archive_rows
from host.archive import Archived, Wanted
from host.store import Store
from host.store_schema import check_today


@dataclass(frozen=True, slots=True)
class Form:
    """How games are written: what stands before the first, and each of them; no text for one left out."""

    head: str
    text: Callable[[Archived], str]


def _line(game: Archived) -> str:
    return f"{archive_line.to_text(game)}\n"


def _csv(rows: Iterable[tuple[archive_rows.Cell, ...]]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="\n").writerows(rows)
    return out.getvalue()


FORMS: Final[Mapping[str, Form]] = MappingProxyType(
    {
        "jsonl": Form("", _line),
        "csv": Form(_csv([archive_rows.COLUMNS]), lambda game: _csv(archive_rows.rows(game))),
    }
)


@dataclass(slots=True)
class Export:
    """The games of a store that are wanted, as they are at one moment; a host may use it meanwhile."""

    store: Store
    wanted: Wanted
    form: Form
    games: int = 0
    """How many were written so far."""

    on: int = 0
    """How many were left out because they are on."""

    def texts(self) -> Generator[str, None, None]:
        """All of it in parts, of which one at a time is in memory.

        Raises StoreError, after some parts where a game cannot be read.
        """
        with self.store.snapshot() as connection:
            check_today(connection)
            archive.check_named(connection, self.wanted)
            self.on = archive.on(connection)
            yield self.form.head
            for game in archive.ended(connection, self.wanted):
                text = self.form.text(game)
                self.games += bool(text)
                yield text
