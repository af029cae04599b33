"""How services are asked for the wanted nick, which they give to the account that owns it: by no password."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chat.backoff import Backoff
from chat.masking import NICKSERV

COMMANDS: Final = ("REGAIN", "RECOVER", "GHOST")
"""What NickServ may understand: Atheme the first and the last, Anope 2 the second, older ones the last."""


class Recovery:
    """Asks with each of `COMMANDS` in turn, a round of them at a time. Outlives connections.

    Within a round one follows when the nick is refused once more; the answers are words in the language of
    the network, and are not read. Between rounds there are the gaps of `backoff`, whatever the connections
    do: two hosts with one account must not put each other out without end. After `calm` seconds in which
    none was needed, though one might have begun, the gaps begin anew.
    """

    def __init__(self, backoff: Backoff, calm: float, clock: Callable[[], float]) -> None:
        self._backoff = backoff
        self._calm = calm
        self._clock = clock
        self._left: list[str] = []
        self._due = clock()
        """When the next round may begin."""

        self._waiting = False

    def refused(self, nick: str) -> str | None:
        """Return the line to send when the server does not give the link `nick`, or None for none."""
        now = self._clock()
        if not self._left and now >= self._due:
            if now - self._due >= self._calm:
                self._backoff.reset()
            self._left = list(COMMANDS)
            self._due = now + self._backoff.next()
        if not self._left:
            return None
        self._waiting = True
        return f"PRIVMSG {NICKSERV} :{self._left.pop(0)} {nick}"

    def answered(self) -> bool:
        """Learn that NickServ said something, and tell whether that may be the answer to the last command."""
        waiting, self._waiting = self._waiting, False
        return waiting

    def over(self) -> None:
        """Learn that the link has the nick, or that the connection is gone."""
        self._left, self._waiting = [], False
