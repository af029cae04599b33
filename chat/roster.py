"""Who is in the link's channels, and the services account of each."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(slots=True)
class _Entry:
    nick: str
    account: str | None = None
    channels: dict[str, str] = field(default_factory=dict)  # names by folded name


class Roster:
    """The users whom the server tells the link about: those who share a channel with it.

    Of them alone it is certain that a nick stays with its owner until the link hears otherwise, so no
    one else is remembered. The link's own user is not in here. `fold` may change its mind: `refold`.
    """

    def __init__(self, fold: Callable[[str], str]) -> None:
        self._fold = fold
        self._entries: dict[str, _Entry] = {}

    def account(self, nick: str) -> str | None:
        """Return the account of `nick`, or None when there is none, or none is known."""
        entry = self._entries.get(self._fold(nick))
        return entry.account if entry else None

    def set_account(self, nick: str, account: str | None) -> None:
        """Learn the account of `nick`. Of users who are in no channel nothing is kept."""
        if entry := self._entries.get(self._fold(nick)):
            entry.account = account

    def joined(self, nick: str, channel: str) -> None:
        """Learn that `nick` is in `channel`. An account that is known stays."""
        entry = self._entries.setdefault(self._fold(nick), _Entry(nick))
        entry.channels[self._fold(channel)] = channel

    def left(self, nick: str, channel: str) -> None:
        """Learn that `nick` is out of `channel`."""
        if entry := self._entries.get(self._fold(nick)):
            entry.channels.pop(self._fold(channel), None)
            if not entry.channels:
                del self._entries[self._fold(nick)]

    def quit(self, nick: str) -> None:
        """Learn that `nick` is off the network."""
        self._entries.pop(self._fold(nick), None)

    def renamed(self, nick: str, new: str) -> None:
        """Learn that `nick` is called `new`. Whoever was thought to have that nick is gone."""
        entry = self._entries.pop(self._fold(nick), None)
        self._entries.pop(self._fold(new), None)
        if entry:
            entry.nick = new
            self._entries[self._fold(new)] = entry

    def closed(self, channel: str) -> None:
        """Learn that the link itself is out of `channel`."""
        for entry in list(self._entries.values()):
            self.left(entry.nick, channel)

    def refold(self) -> None:
        """Learn that names fold in another way now."""
        self._entries = {self._fold(entry.nick): entry for entry in self._entries.values()}
        for entry in self._entries.values():
            entry.channels = {self._fold(name): name for name in entry.channels.values()}


def account_name(text: str) -> str | None:
    """Return an account as the server wrote it, or None for the ways to write that there is none.

    `*` stands in JOIN and ACCOUNT (IRCv3 extended-join, account-notify), `0` in WHOX.
    """
    return None if text in {"", "*", "0"} else text
