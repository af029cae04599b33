"""The host's own nick: who plays is told when it becomes another, since that is where answers go."""

from __future__ import annotations

import logging
from typing import Final

from chat.logger import logger
from chat.nicks import SAFE_LENGTH
from host.announcements import CalledNow
from host.keeper import Keeper
from host.room import Room

log = logger(__name__)

_MOST_TOLD: Final = 6
"""How often a game hears of it. Services that rename the host whenever it takes its nick back would go on."""


class OwnName:
    """What the host is called on one network, and what each channel knows of it."""

    def __init__(self, wanted: str, place: Room) -> None:
        self.now = wanted
        self._wanted = wanted
        self._room = place
        self._known: dict[Keeper, str] = {}
        """The nick that was told last in the channel of each table. After a start it was the wanted one."""

        self._told: dict[Keeper, tuple[str, int]] = {}
        """How often each table was told, and in which game."""

    def became(self, nick: str) -> None:
        """Note the nick that the server gave, and tell it where something is on."""
        if nick != self.now:
            level = logging.INFO if self._is_wanted(nick) else logging.WARNING
            log.log(level, "called otherwise", network=self._room.network, nick=nick, wanted=self._wanted)
        self.now = nick
        for keeper in self._room.keepers:
            self.tell(keeper)

    def tell(self, keeper: Keeper) -> None:
        """Tell a channel under which nick to answer, if it knows another one and something is on."""
        if keeper.table.open and not self._room.is_in(keeper):
            return
        known, self._known[keeper] = self._known.get(keeper, self._wanted), self.now
        if not keeper.table.open or self._same(known, self.now):
            return
        game, times = self._told.get(keeper, ("", 0))
        times = times + 1 if game == keeper.table.game else 1
        self._told[keeper] = keeper.table.game, times
        if times <= _MOST_TOLD:
            self._room.say(keeper, CalledNow(self.now, again=self._is_wanted(self.now)))

    def _same(self, one: str, other: str) -> bool:
        fold = self._room.fold
        return fold(one) == fold(other) or (self._is_wanted(one) and self._is_wanted(other))

    def _is_wanted(self, nick: str) -> bool:
        """Whether this is the wanted nick, or as much of it as a server takes (NICKLEN)."""
        nick, wanted = self._room.fold(nick), self._room.fold(self._wanted)
        return nick == wanted or (len(nick.encode()) >= SAFE_LENGTH and wanted.startswith(nick))
