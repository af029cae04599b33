"""Which nick in the channel is the host: one that is known, one that looks like it, or whoever answers."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

from chat.events import User

ANSWERS_WITHIN: Final = 6.0
"""Seconds that somebody who was asked has to answer."""

_LOOKED_UP_WITHIN: Final = 4.0
"""Seconds after coming into the channel in which the server tells who is there."""

ASK_ALL_AGAIN: Final = 300.0
"""Seconds after which the whole channel is asked once more; people read that."""

_HOSTS_USER: Final = "yardzee"


class Finder:
    """Whom to greet. It sends nothing: `due` says to whom, and `greeted` who answered."""

    def __init__(self, channel: str, remembered: str, fold: Callable[[str], str], trusted: str = "") -> None:
        self._channel, self._remembered, self._fold = channel, trusted or remembered, fold
        self._trusts_one = bool(trusted)
        self.host: str | None = None
        self._forget()

    def _forget(self) -> None:
        self._here_since: float | None = None
        self._looked_up = False
        self._guesses: list[str] = []
        self._asked: set[str] = set()
        self._asked_at: float | None = None
        self._all_asked_at: float | None = None

    @property
    def asked_all(self) -> bool:
        """Whether nobody is left to ask but time."""
        return self._all_asked_at is not None

    def lost(self) -> None:
        """The connection is gone, and all that was known of who is there."""
        self._remembered, self.host = self.host or self._remembered, None
        self._forget()

    def names(self, nicks: Iterable[str], now: float) -> None:
        """The channel was joined, and these are in it."""
        self._here_since = now
        for nick in nicks:
            if self._fold(nick) == self._fold(self._remembered):
                self._guess(nick)

    def present(self, users: Iterable[User]) -> None:
        """Who those in the channel are."""
        self._looked_up = True
        for user in users:
            self._look(user)

    def joined(self, user: User) -> None:
        self._look(user)

    def left(self, nick: str, now: float) -> bool:
        """Somebody went; whether it was the host. It will be seen when it comes back."""
        key = self._fold(nick)
        self._guesses = [guess for guess in self._guesses if self._fold(guess) != key]
        if key in self._asked:
            self._asked.remove(key)
            self._asked_at = None
        if not self.is_host(nick):
            return False
        self._remembered, self.host = nick, None
        self._all_asked_at, self._asked_at = now, None
        return True

    def renamed(self, old: str, new: str) -> bool:
        """Somebody is called otherwise; whether it is the host."""
        if not self.is_host(old):
            return False
        self.host = self._remembered = new
        return True

    def is_host(self, nick: str) -> bool:
        return self.host is not None and self._fold(nick) == self._fold(self.host)

    def greeted(self, nick: str, now: float) -> bool:
        """Somebody says to be the host; whether that is believed. Only who was asked is."""
        if self.host is not None:
            return self.is_host(nick)
        asked_at = None if self._trusts_one else self._all_asked_at
        all_asked = asked_at is not None and now - asked_at < ANSWERS_WITHIN * 2
        if self._fold(nick) not in self._asked and not all_asked:
            return False
        self.host = self._remembered = nick
        self._guesses.clear()
        return True

    def due(self, now: float) -> str | None:
        """Whom to say hello to now: a nick, the channel, or nobody."""
        if self.host is not None or self._here_since is None:
            return None
        if self._asked_at is not None and now - self._asked_at < ANSWERS_WITHIN:
            return None
        if self._guesses:
            return self._ask(self._guesses.pop(0), now)
        if not self._looked_up and now - self._here_since < _LOOKED_UP_WITHIN:
            return None
        if self._all_asked_at is not None and now - self._all_asked_at < ASK_ALL_AGAIN:
            return None
        self._all_asked_at = now
        return None if self._trusts_one else self._ask(self._channel, now)

    def again(self) -> None:
        """Ask everybody once more, since the player wants it."""
        self._all_asked_at = self._asked_at = None

    def _ask(self, target: str, now: float) -> str:
        self._asked.add(self._fold(target))
        self._asked_at = now
        return target

    def _look(self, user: User) -> None:
        looks_like_it = user.user.lstrip("~").lower() == _HOSTS_USER and not self._trusts_one
        if looks_like_it or self._fold(user.nick) == self._fold(self._remembered):
            self._guess(user.nick)

    def _guess(self, nick: str) -> None:
        if self.host is None and nick not in self._guesses and nick:
            self._guesses.append(nick)
            if self._all_asked_at is not None:
                self._asked_at = None  # what everybody was asked need not be waited for
