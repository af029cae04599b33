"""Perfect play for the games of this host, from when its values are there.

They are read from disk, or worked out once in a thread, a rule set after the other, while games go on. Until
then, and for a card that no legal game leads to, there is no advice, and simpler play stands in.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Final

from platformdirs import user_cache_path

from chat.logger import logger
from game.rules import RULE_SETS
from game.scorecard import Scorecard
from solver import cache
from solver.advice import Turn
from solver.tables import scores
from solver.values import Values, solve

log = logger(__name__)

_NICE: Final = 0.0005
"""Seconds that the thread sleeps now and then, so that the loop has its turn at once."""

_FIRST: Final = 3.0
"""Seconds in which players get their dice again after a start, before anything is worked out."""


class _Ended(Exception):
    """The host ends, and nobody wants the values any more."""


def folder(environ: Mapping[str, str]) -> Path:
    """Where values are kept: where the service manager says, or in the user's folder for such things.

    The first is CacheDirectory of systemd.exec(5).
    """
    named = environ.get("CACHE_DIRECTORY", "").partition(":")[0]
    return Path(named) if named else user_cache_path("yardzee")


class Advisor:
    """The values of perfect play by rule set, kept in a folder between starts."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._values: dict[str, Values] = {}
        self._ended = False

    def turn(self, card: Scorecard) -> Turn | None:
        """What a turn is worth for a card; takes milliseconds. None when that is not known."""
        values = self._values.get(card.rules.key)
        if values is None or not card.open:
            return None
        try:
            return Turn.of(values, card)
        except ValueError:
            # An operator amended it to points that no dice pay.
            return None

    async def prepare(self, keys: Iterable[str]) -> None:
        """Get the values of these rule sets. That they cannot be kept on disk is logged, and no more."""
        for key in dict.fromkeys(keys):
            if key not in self._values:
                try:
                    self._values[key] = await asyncio.to_thread(self._get, key)
                except _Ended:
                    return

    def end(self) -> None:
        """Have `prepare` return soon, with what there is."""
        self._ended = True

    @asynccontextmanager
    async def preparing(self, keys: Iterable[str]) -> AsyncIterator[None]:
        """Inside of the block `prepare` in the background, once those are served who waited for a start."""

        async def later() -> None:
            await asyncio.sleep(_FIRST)
            await self.prepare(keys)

        task = asyncio.create_task(later())
        try:
            yield
        finally:
            self.end()
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def _get(self, key: str) -> Values:
        wanted = scores(RULE_SETS[key])
        if found := cache.load(self._folder, wanted):
            return found
        began = time.monotonic()
        values = solve(wanted, self._progress)
        seconds = round(time.monotonic() - began, 1)
        log.info("perfect play worked out", rules=key, value=round(values.start, 6), seconds=seconds)
        try:
            cache.save(self._folder, values)
        except OSError as error:
            log.warning("perfect play could not be kept", folder=str(self._folder), error=str(error))
        return values

    def _progress(self, _done: int, _states: int) -> None:
        if self._ended:
            raise _Ended
        time.sleep(_NICE)
