"""The talk that opens a connection: from the first line to the welcome (RFC 2812 section 3.1, IRCv3 CAP)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from chat.capabilities import WANTED, Capabilities
from chat.nicks import NickChoice
from chat.settings import LinkSettings, Mechanism
from chat.wire import Line

NICK_REFUSALS: Final = frozenset({"432", "433", "436", "437"})
"""Erroneous, in use, collision, unavailable."""
_REFUSALS: Final[Mapping[str, str]] = {
    "464": "check the server's password (password_env or password_file)",
    "465": "the host is banned there: ask the staff of the network",
}


class Registration:
    """Drives one registration: it is shown the lines that come in, and sends what is to be said.

    `failure` is set when there is no use in going on, `nick` once the server has welcomed the link.
    `settled` is called once it is known which capabilities are on and the server waits for `end`: what
    else must happen before the welcome has its time then. `capabilities` lives as long as the connection,
    and is shown the CAP lines by whoever has this.
    """

    def __init__(
        self, settings: LinkSettings, transmit: Callable[[str], None], settled: Callable[[], None]
    ) -> None:
        self._settings = settings
        self._transmit = transmit
        self._choice = NickChoice(settings.nick, settings.alternative_nicks)
        self._tell_settled = settled
        self._negotiating = False
        by_sasl = settings.account is not None and settings.account.mechanism is not Mechanism.NICKSERV
        wanted = (*WANTED, "sasl") if by_sasl else WANTED
        self.capabilities = Capabilities(transmit, self._settled, wanted)
        self.nick: str | None = None
        self.failure: str | None = None

    def begin(self) -> None:
        """Say who we are, without waiting for an answer to CAP: a server that does not know it gives none."""
        self._negotiating = True
        self.capabilities.begin()
        if self._settings.password is not None:
            self._transmit(f"PASS :{self._settings.password}")
        self._ask_for_nick()
        self._transmit(f"USER {self._settings.username} 0 * :{self._settings.realname}")

    def hurry(self) -> None:
        """Wait no longer for what is not needed: the server has had its time to answer."""
        self.capabilities.hurry()

    def handle(self, line: Line) -> None:
        """Take notice of a line. Lines that do not concern registration are ignored."""
        if line.command == "001":
            # The nick that counts is the one in here: servers may cut the one that was asked for.
            self.nick = line.param(0) or self._settings.nick
            self._negotiating = False
        elif line.command in NICK_REFUSALS:
            if line.command == "432":
                self._choice.erroneous()
            self._ask_for_nick()
        elif line.command in _REFUSALS:
            self.failure = f"refused by the server ({line.param(-1)}): {_REFUSALS[line.command]}"
        elif line.command == "410":  # CAP is known, and how we use it is not
            self.capabilities.hurry()

    def end(self) -> None:
        """Let the server complete the registration. Without effect when it does not wait for that."""
        if self._negotiating:
            self._negotiating = False
            self._transmit("CAP END")

    def _settled(self) -> None:
        if self._negotiating:
            self._tell_settled()

    def _ask_for_nick(self) -> None:
        nick = self._choice.next()
        if nick is None:
            self.failure = "no nick is free: name others as alternative_nicks"
        else:
            self._transmit(f"NICK {nick}")
