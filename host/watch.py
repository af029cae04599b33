"""What the host tells whoever watches it: counts and times, and never who said what.

The classes here take it and do nothing with it; `host.monitor` has others, which count.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Final, Protocol

from host.events import Event
from host.table import Phase

OK: Final = "ok"
IGNORED: Final = "ignored"
FAILED: Final = "failed"
"""What became of a line: it was served, passed over, or ran into a fault of the host's own."""


class Watch:
    """Watches one network. Times are seconds."""

    def connected(self) -> None:
        """The host is on the network."""

    def disconnected(self) -> None:
        """It is not any more."""

    def commanded(self, kind: str, outcome: str) -> None:
        """A line was served; the outcome is one of those, or the class of the error that answered it."""

    def answered(self, seconds: float) -> None:
        """The first line of an answer left, so long after the line that it answers was heard."""

    def waited(self, lane: str, seconds: float) -> None:
        """A line left the outbox, in which it was so long."""

    def dropped(self) -> None:
        """A line left the outbox and does not go out: it was stale, too many, or for somebody who is gone."""

    def sent(self) -> None:
        """A line went to the server."""

    def refused(self) -> None:
        """The server refused something."""

    def recorded(self, events: Sequence[Event]) -> None:
        """These happened at a table, and are in the journal."""


class StoreWatch:
    """Watches the store."""

    def committed(self, seconds: float) -> None:
        """Something was written, in a transaction that took so long."""

    def failed(self) -> None:
        """Something could not be written."""


UNWATCHED: Final = Watch()
UNWATCHED_STORE: Final = StoreWatch()


@dataclass(frozen=True, slots=True)
class NetworkStatus:
    """How the host is on one network."""

    name: str
    connected: bool
    out_of: tuple[str, ...]
    """Channels that it should be in and is not."""

    tables: Mapping[Phase, int]
    """How many there are in each phase."""

    waiting: int
    """Lines in the outbox."""


class Watched(Protocol):
    """The host as a whole, as those see it who watch it; `host.service.Service` is one."""

    def networks(self) -> Sequence[NetworkStatus]:
        """How it is on each network."""

    def store_answers(self) -> float | None:
        """The milliseconds in which the store takes something; None when it does not."""


class Watchers:
    """All that watch one host."""

    store: StoreWatch = UNWATCHED_STORE

    def network(self, name: str) -> Watch:
        """Who watches the host on this network."""
        return UNWATCHED

    @asynccontextmanager
    async def watching(self, host: Watched) -> AsyncIterator[None]:
        """Show inside of the block how the host is. Raises ConfigError when that cannot be."""
        yield
