"""Asks who is in a channel, and puts the answers together (RFC 2812 sections 3.2.5 and 3.6.1, WHOX)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chat.events import Names, Present, User
from chat.isupport import ISupport
from chat.roster import Roster, account_name
from chat.wire import Line

_PATIENCE: Final = 10.0
"""Seconds after which an answer that has not ended is not waited for; what comes of it later still counts."""

_MOST_TRIES: Final = 3
"""How often it is asked about a channel where the server has too much to do (263)."""

_QUERY: Final = "739"
"""Marks the answers to our question of fields. Any one to three digits do."""


class Census:
    """Gathers NAMES and then WHO for each channel that the link comes into.

    It asks about one channel at a time: answers to hundreds of questions would be a flood on either side.
    Each method but `left` and `tick` takes in one numeric. What is learned goes into the roster, and is told
    as `Names` and `Present`.
    """

    def __init__(  # noqa: PLR0913 - what it may know of the session and do for it, all named
        self,
        roster: Roster,
        *,
        fold: Callable[[str], str],
        is_me: Callable[[str], bool],
        is_in: Callable[[str], bool],
        isupport: Callable[[], ISupport],
        transmit: Callable[[str], None],
        tell: Callable[[Names | Present], None],
        clock: Callable[[], float],
    ) -> None:
        self._roster = roster
        self._fold = fold
        self._is_me = is_me
        self._is_in = is_in
        self._isupport = isupport
        self._transmit = transmit
        self._tell = tell
        self._clock = clock
        self._to_ask: dict[str, str] = {}  # channels, by their folded names
        self._tries: dict[str, int] = {}  # how often each was asked about
        self._asked: str | None = None  # the folded name of the one that is asked about now
        self._asked_at = 0.0
        self._names: dict[str, dict[str, None]] = {}  # nicks in order, by folded channel
        self._who: dict[str, list[User]] = {}  # users, by the folded channel that was asked about

    def left(self, channel: str) -> None:
        """Forget what was gathered of `channel`, which the link is out of."""
        for gathered in (self._names, self._who, self._to_ask, self._tries):
            gathered.pop(self._fold(channel), None)

    def tick(self) -> None:
        """Go on with the next channel when the answer about one does not end."""
        if self._asked is not None and self._clock() - self._asked_at >= _PATIENCE:
            self._asked = None
            self._ask()

    def try_again(self, line: Line) -> None:
        """263: client, command, words. The channel has its turn again after all the others."""
        if line.param(1) == "WHO" and self._asked in self._who and self._tries[self._asked] < _MOST_TRIES:
            self._to_ask.setdefault(self._asked, self._asked)

    def names(self, line: Line) -> None:
        """353: client, kind of channel, channel, names."""
        channel = line.param(-2)
        if not self._is_in(channel):
            return
        names = self._names.setdefault(self._fold(channel), {})
        for shown in line.param(-1).split(" "):
            # multi-prefix shows every status, and userhost-in-names the whole mask.
            nick = User.from_mask(shown.lstrip(self._isupport().prefix)).nick
            if nick:
                names[nick] = None
                if not self._is_me(nick):
                    self._roster.joined(nick, channel)

    def end_of_names(self, line: Line) -> None:
        """366: client, channel, words."""
        channel = line.param(1)
        names = self._names.pop(self._fold(channel), None)
        if names and self._is_in(channel):
            self._tell(Names(channel, tuple(names)))
            key = self._fold(channel)
            self._to_ask[key] = channel
            if self._asked == key:
                # The answer to come is about who was there before.
                self._asked = None
            self._ask()

    def who(self, line: Line) -> None:
        """352: client, channel, user, host, server, nick, flags, hops and real name."""
        nick = line.param(5)
        # It does not tell accounts: one that is known from elsewhere stays.
        self._add(line.param(1), User(nick, line.param(2), line.param(3), self._roster.account(nick)))

    def who_fields(self, line: Line) -> None:
        """354: client, and what was asked for: query, channel, user, host, nick, account."""
        if line.param(1) == _QUERY:
            user = User(line.param(5), line.param(3), line.param(4), account_name(line.param(6)))
            self._roster.set_account(user.nick, user.account)
            self._add(line.param(2), user)

    def end_of_who(self, line: Line) -> None:
        """315: client, what was asked about, words."""
        channel = line.param(1)
        users = self._who.pop(self._fold(channel), None)
        if self._asked == self._fold(channel):
            self._asked = None
        if users is not None and self._is_in(channel):
            self._tell(Present(channel, tuple(users)))
        self._ask()

    def _ask(self) -> None:
        if self._asked is not None or not self._to_ask:
            return
        self._asked, self._asked_at = next(iter(self._to_ask)), self._clock()
        channel = self._to_ask.pop(self._asked)
        self._who[self._asked] = []
        self._tries[self._asked] = self._tries.get(self._asked, 0) + 1
        fields = f" %tcuhna,{_QUERY}" if self._isupport().whox else ""
        self._transmit(f"WHO {channel}{fields}")

    def _add(self, channel: str, user: User) -> None:
        users = self._who.get(self._fold(channel))
        if users is not None and user.nick and not self._is_me(user.nick):
            users.append(user)
