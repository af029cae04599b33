"""Answers to one person, in the style that they chose; the choices are remembered."""

from __future__ import annotations

import logging
from typing import Final

from host.errors import StoreError
from host.journal import Journal
from host.preference import Preference
from host.replies import PrivateReply
from host.room import Room
from host.wording.private import private

log = logging.getLogger(__name__)

_REMEMBERED: Final = 10_000
"""Preferences that are kept at hand; more are looked up again."""


class Speech:
    """Speaks to the persons of one network, by their nicks."""

    def __init__(self, room: Room, journal: Journal) -> None:
        self._room = room
        self._journal = journal
        self._preferences: dict[str, Preference] = {}
        """Those looked up so far, by folded nick."""

    def tell(self, nick: str, reply: PrivateReply, label: str = "") -> None:
        """Say a reply; `label` stands before it and says which table it is about."""
        preference = self.preference(nick)
        self._room.send(nick, label + private(reply, preference.style), preference)

    def say(self, nick: str, *lines: str) -> None:
        """Say lines that are worded already."""
        preference = self.preference(nick)
        for line in lines:
            self._room.send(nick, line, preference)

    def preference(self, nick: str) -> Preference:
        """What the person chose, or the default, also while the store does not answer."""
        key = self._room.fold(nick)
        if key not in self._preferences:
            if len(self._preferences) > _REMEMBERED:
                self._preferences.clear()
            try:
                self._preferences[key] = self._journal.preference(self._room.network, key)
            except StoreError as error:
                log.error("preferences cannot be read: %s", error)
                return Preference()
        return self._preferences[key]

    def prefer(self, nick: str, preference: Preference) -> None:
        """Remember what the person chose. Raises StoreError; nothing has changed then."""
        key = self._room.fold(nick)
        self._journal.prefer(self._room.network, key, preference)
        self._preferences[key] = preference
