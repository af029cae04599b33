"""Answers to one person, in the style that they chose; the choices are remembered."""

from __future__ import annotations

from typing import Final

from chat.logger import logger
from host import room
from host.errors import StoreError
from host.journal import Journal
from host.keeper import Keeper
from host.letter import Showing
from host.preference import Preference
from host.replies import DealtDice, Dismissed, GameOver, GaveUp, PrivateReply, RoundDone
from host.room import Room
from host.wording.private import lasting, private

log = logger(__name__)

_OF_A_TURN: Final = (DealtDice, RoundDone, GameOver, GaveUp, Dismissed)
"""Replies that tell how a player's turn stands, or that there is none any more."""

_REMEMBERED: Final = 10_000
"""Preferences that are kept at hand; more are looked up again."""


class Speech:
    """Speaks to the persons of one network, by their nicks."""

    def __init__(self, place: Room, journal: Journal) -> None:
        self._room = place
        self._journal = journal
        self._preferences: dict[str, Preference] = {}
        """Those looked up so far, by folded nick."""

    def tell(self, nick: str, reply: PrivateReply) -> None:
        """Say a reply that is about no table, or does not go stale."""
        preference = self.preference(nick)
        self._room.send(nick, private(reply, preference.style), preference)

    def tell_of(
        self, keeper: Keeper, person: str, nick: str, reply: PrivateReply, *, dealt: bool = False
    ) -> None:
        """Say a reply about a table, which is named to somebody who sits at several.

        Of what waits about the same turn it makes stale all that is not news any more. When dice are `dealt`,
        and not asked for, the table waits for them to leave.
        """
        preference = self.preference(nick)
        label = room.label(self._room, person, keeper)
        text = label + private(reply, preference.style)
        showing = None
        if isinstance(reply, _OF_A_TURN):
            rest = lasting(reply)
            over = keeper.dealing(person) if dealt and isinstance(reply, DealtDice) else None
            showing = Showing(keeper.channel, rest and label + rest, over=over)
        self._room.send(nick, text, preference, showing)

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
                log.error(
                    "preferences cannot be read", network=self._room.network, nick=nick, error=str(error)
                )
                return Preference()
        return self._preferences[key]

    def prefer(self, nick: str, preference: Preference) -> None:
        """Remember what the person chose. Raises StoreError; nothing has changed then."""
        key = self._room.fold(nick)
        self._journal.prefer(self._room.network, key, preference)
        self._preferences[key] = preference
