"""Asks who is in a channel, and puts the answers together (RFC 2812 sections 3.2.5 and 3.6.1, WHOX)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chat.events import Names, Present, User
from chat.isupport import ISupport
from chat.roster import Roster, account_name
from chat.wire import Line

_QUERY: Final = "739"
"""Marks the answers to our question of fields. Any one to three digits do."""


class Census:
    """Gathers NAMES and then WHO for each channel that the link comes into.

    Each method but `left` takes in one numeric. What is learned goes into the roster, and is told as
    `Names` and `Present`.
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
    ) -> None:
        self._roster = roster
        self._fold = fold
        self._is_me = is_me
        self._is_in = is_in
        self._isupport = isupport
        self._transmit = transmit
        self._tell = tell
        self._names: dict[str, dict[str, None]] = {}  # nicks in order, by folded channel
        self._who: dict[str, list[User]] = {}  # users, by the folded channel that was asked about

    def left(self, channel: str) -> None:
        """Forget what was gathered of `channel`, which the link is out of."""
        self._names.pop(self._fold(channel), None)
        self._who.pop(self._fold(channel), None)

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
            self._who[self._fold(channel)] = []
            fields = f" %tcuhna,{_QUERY}" if self._isupport().whox else ""
            self._transmit(f"WHO {channel}{fields}")

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
        if users is not None and self._is_in(channel):
            self._tell(Present(channel, tuple(users)))

    def _add(self, channel: str, user: User) -> None:
        users = self._who.get(self._fold(channel))
        if users is not None and user.nick and not self._is_me(user.nick):
            users.append(user)
