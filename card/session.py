"""The card's place on the network: a link that is kept, lines that leave calmly, and time that goes by."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import secrets
import time
from collections import deque
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from card.dialogue import Dialogue
from card.notes import Tone
from card.ports import Memory
from card.witness import Witness
from chat.events import Connected, Disconnected, LinkEvent
from chat.lines import split
from chat.link import Link
from chat.settings import LinkSettings
from protocol.typed import visible

BURST: Final = 4
SECONDS: Final = 1.0
"""So many lines leave at once, and one more each so many seconds."""

_TICK: Final = 0.2
_CTCP: Final = "\x01"
_WORD_BYTES: Final = 8
"""Of chance in the word that the card adds to the dice."""


class Calm:
    """Lines that wait for their turn, so that no server takes the player for a flood."""

    def __init__(self, transmit: Callable[[str, str], None], clock: Callable[[], float]) -> None:
        self._transmit, self._clock = transmit, clock
        self._waiting: deque[tuple[str, str]] = deque()
        self._free_at = -BURST * SECONDS
        """When the last of the lines that left is paid for."""

    def post(self, target: str, text: str) -> None:
        """Send a line as soon as it may."""
        self._waiting.append((target, text))
        self.pump()

    def pump(self) -> None:
        """Send what may leave now."""
        now = self._clock()
        while self._waiting and self._free_at - now <= (BURST - 1) * SECONDS:
            self._free_at = max(self._free_at, now) + SECONDS
            self._transmit(*self._waiting.popleft())

    def clear(self) -> None:
        """Drop what waits: after a lost connection it would be stale."""
        self._waiting.clear()


class Session(logging.Handler):
    """A dialogue on a network. What the link logs as a warning is told to the player."""

    def __init__(
        self,
        settings: LinkSettings,
        channel: str,
        memory: Memory | None = None,
        clock: Callable[[], float] = time.monotonic,
        *,
        trusted: str = "",
    ) -> None:
        super().__init__(logging.WARNING)
        self._settings = replace(settings, channels=(channel,))
        self._link = Link(self._settings, self._hear)
        self._calm = Calm(self._transmit, clock)
        self._next_nick: str | None = None
        self._leaving = False
        self.dialogue = Dialogue(self, channel, clock, memory, trusted)
        self.witness = Witness(self.dialogue, lambda: secrets.token_hex(_WORD_BYTES))

    # --- the wire of the dialogue ---

    @property
    def nick(self) -> str:
        return self._link.nick

    def fold(self, name: str) -> str:
        return self._link.fold(name)

    def is_me(self, nick: str) -> bool:
        return self._link.is_me(nick)

    def send(self, target: str, text: str) -> None:
        """Say something; what is too long for a line goes out in several."""
        whole = text.startswith(_CTCP)
        for piece in [text] if whole else split(text, self._link.budget(target)):
            self._calm.post(target, piece)

    # --- life ---

    async def run(self) -> None:
        """Stay on the network until `stop`."""
        ticking = asyncio.create_task(self._tick())
        logger = logging.getLogger("chat")
        logger.addHandler(self)
        try:
            while True:
                await self._link.run()
                if self._next_nick is None:
                    return
                self._settings = replace(self._settings, nick=self._next_nick)
                self._next_nick = None
                self._link = Link(self._settings, self._hear)
        finally:
            logger.removeHandler(self)
            ticking.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await ticking

    async def rename(self, nick: str) -> None:
        """Come back under another nick.

        Raises UnsafeLine when nobody can be called so.
        """
        replace(self._settings, nick=nick)
        self._next_nick = nick
        await self._link.stop("back in a moment under another nick")

    async def stop(self) -> None:
        """Leave the network, with a farewell."""
        self._next_nick, self._leaving = None, True
        await self._link.stop("The card is put away.")

    def emit(self, record: logging.LogRecord) -> None:
        """Show the player what the link logs, such as why there is no connection."""
        reason, gap = getattr(record, "reason", ""), getattr(record, "next_in", None)
        then = f" The next attempt is in {gap:.0f} s." if gap is not None else ""
        text = f"{self._settings.server}: {record.getMessage()}{f', {reason}' if reason else ''}.{then}"
        self.dialogue.tell(Tone.WARNING, visible(text))

    def _transmit(self, target: str, text: str) -> None:
        self._link.send(target, text)  # of the link that there is now

    def _hear(self, event: LinkEvent) -> None:
        if isinstance(event, Disconnected):
            self._calm.clear()
        wanted = self._settings.nick
        if isinstance(event, Connected) and not self.is_me(wanted):
            self.dialogue.tell(Tone.CARD, f"You are {visible(self.nick)} here: {wanted} is not to be had.")
        if not self._leaving:
            self.dialogue.hear(event)
            self.witness.hear(event)

    async def _tick(self) -> None:
        while True:
            self._calm.pump()
            self.dialogue.tick()
            self.witness.tick()
            await asyncio.sleep(_TICK)
