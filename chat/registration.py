"""The talk that opens a connection: from the first line to the welcome (RFC 2812 section 3.1, IRCv3 CAP)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from chat.capabilities import Capabilities
from chat.nicks import NickChoice
from chat.settings import LinkSettings
from chat.wire import Line

NICK_REFUSALS: Final = frozenset({"432", "433", "436", "437"})
"""Erroneous, in use, collision, unavailable."""


class Registration:
    """Drives one registration: it is shown the lines that come in, and sends what is to be said.

    Everything that must happen before the welcome belongs here. `failure` is set when there is no use in
    going on, `nick` once the server has welcomed the link. `capabilities` lives as long as the
    connection, and is shown the CAP lines by whoever has this.
    """

    def __init__(self, settings: LinkSettings, transmit: Callable[[str], None]) -> None:
        self._settings = settings
        self._transmit = transmit
        self._choice = NickChoice(settings.nick, settings.alternative_nicks)
        self._negotiating = False
        self.capabilities = Capabilities(transmit, self._settled)
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
        elif line.command in {"464", "465"}:
            self.failure = line.param(-1) or "refused by the server"
        elif line.command == "410":  # CAP is known, and how we use it is not
            self.capabilities.hurry()

    def _settled(self) -> None:
        # A login by SASL has its place here: the capabilities are on, and the server waits for CAP END.
        if self._negotiating:
            self._negotiating = False
            self._transmit("CAP END")

    def _ask_for_nick(self) -> None:
        nick = self._choice.next()
        if nick is None:
            self.failure = "no nick is free"
        else:
            self._transmit(f"NICK {nick}")
