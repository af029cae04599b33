"""Which lines belong together, and what they are about (IRCv3 batch, netsplit, chathistory)."""

from __future__ import annotations

import re
from enum import Enum, auto
from typing import Final

from chat.wire import Line

OPEN_LIMIT: Final = 100
"""How many batches may be open. Of more than that the oldest are taken as ended."""

# Named by specifications (chathistory, netsplit), by vendors (znc.in/playback) and by drafts.
_HISTORY: Final = frozenset({"chathistory", "playback"})

_SERVER: Final = r"(?:\*|[\w-]+)(?:\.[\w-]+)*\.[A-Za-z][\w-]*"
_SERVERS: Final = re.compile(f"{_SERVER} {_SERVER}", re.ASCII)


class Batch(Enum):
    """What the lines of a batch are to the link."""

    OTHER = auto()
    """As if they came by themselves."""
    HISTORY = auto()
    """The past, played again: nobody says or does this now."""
    NETSPLIT = auto()
    """People lost because servers lost each other."""


class Batches:
    """The batches that are open on one connection."""

    def __init__(self) -> None:
        self._open: dict[str, Batch] = {}

    def see(self, line: Line) -> Batch:
        """Return what `line` is a part of. Shown every line, so that BATCH itself is noticed."""
        around = self._open.get(line.tags.get("batch", ""), Batch.OTHER)
        sign, reference = line.param(0)[:1], line.param(0)[1:]
        if line.command != "BATCH" or not reference:
            return around
        if sign == "-":
            self._open.pop(reference, None)
        elif sign == "+":
            self._open.pop(reference, None)
            if len(self._open) >= OPEN_LIMIT:
                del self._open[next(iter(self._open))]
            self._open[reference] = _inside(around, line.param(1).lower())
        return around


def names_servers(reason: str) -> bool:
    """Tell whether the reason of a QUIT is that of a netsplit where no batch says so.

    It is the names of the two servers that lost each other (RFC 2812 section 3.1.7), or what a server
    shows instead of them: `*.net *.split`. What people give as a reason stands after a mark (`Quit: `) on
    nearly all servers, so that they cannot make this up.
    """
    return _SERVERS.fullmatch(reason) is not None


def _inside(around: Batch, kind: str) -> Batch:
    """Return what a batch of `kind` is, which itself stands `around` another."""
    if around is Batch.HISTORY or kind.rpartition("/")[2] in _HISTORY:
        return Batch.HISTORY
    return Batch.NETSPLIT if kind == "netsplit" else around
