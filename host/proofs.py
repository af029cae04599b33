"""What anybody can check: the record of a game out of a store, and what a record or a log proves."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from host.chronicle import NoRecord, chronicle
from host.journal import Journal
from protocol.check import check
from protocol.heard import games
from protocol.record import Record, read
from protocol.shape import BadRecord
from protocol.verdict import Right, Verdict, Wrong
from protocol.verify import verify


def recorded(store: str, game: str) -> Record:
    """The record of a game in the store of a URL, which a host may be using.

    Raises NoRecord or StoreError.
    """
    with Journal.reading(store) as journal:
        # Events that come in between are of no record: a game that is over gets amendments at most.
        history, walls = journal.history(game), journal.walls(game)
        if history is None:
            raise NoRecord(f"there is no game {game} in {journal.name}")
    return chronicle(history, walls)


Judged = tuple[str, Verdict]
"""A game, and the verdict on it."""


def judged(data: bytes) -> list[Judged]:
    """The verdicts on what a file holds: on a record, or on the games in the log of a channel.

    Raises BadRecord when it is neither.
    """
    if data.lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"{"):
        record = read(data)
        return [(record.game, verify(record))]
    heard = games(data.decode("utf-8", "replace").splitlines())
    # A lobby in which nobody stayed has a commitment, and no game.
    if found := [(one.game, check(one)) for one in heard if one.seats or one.seed]:
        return found
    raise BadRecord("", "it is no record, and no log of a channel with the lines that dice are checked by")


def told(verdicts: Iterable[Judged]) -> Iterator[str]:
    """What is said of them, line by line."""
    for game, verdict in verdicts:
        yield f"game {game}: {verdict}" if isinstance(verdict, Wrong) else str(verdict)
        if isinstance(verdict, Right):
            yield from (f"not checked: {what}" for what in verdict.unchecked)
