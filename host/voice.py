"""What the host says on one network, cut into lines that fit and paced."""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from chat.lines import pack, split
from host.clock import Clock
from host.config import Send
from host.outbox import Lane, Letter, Outbox
from host.wording.words import Sentence


class Wire(Protocol):
    """What is needed of a connection; `chat.link.Link` is one."""

    @property
    def connected(self) -> bool:
        """Whether lines can be sent."""

    def fold(self, name: str) -> str:
        """The key of a nick or channel."""

    def is_me(self, nick: str) -> bool:
        """Whether the nick is the host's own."""

    def budget(self, target: str, *, notice: bool = False) -> int:
        """Bytes of text that fit in a line to the target."""

    def send(self, target: str, text: str, *, notice: bool = False) -> None:
        """Send one line now."""

    def set_channels(self, channels: list[str]) -> None:
        """Be in these channels from now on."""


class Voice:
    """Speaks over a wire."""

    def __init__(self, wire: Wire, clock: Clock, send: Send) -> None:
        self._wire = wire
        self._after_last: dict[str, list[Callable[[], None]]] = {}
        self.outbox = Outbox(self._send, clock, send.burst, send.seconds)

    def is_me(self, nick: str) -> bool:
        """Whether the nick is the host's own."""
        return self._wire.is_me(nick)

    def to_person(self, nick: str, text: str, *, notice: bool, lane: Lane) -> None:
        """Say something in private."""
        for line in split(text, self._wire.budget(nick, notice=notice)):
            self.outbox.post(Letter(nick, line, notice), lane)

    def to_channel(self, channel: str, sentence: Sentence) -> None:
        """Say something in a channel, in as few lines as it takes."""
        budget = self._wire.budget(channel)
        lines = pack(sentence.items, sentence.separator, budget, sentence.head)
        if sentence.short and len(lines) > 1:
            shorter = pack(sentence.short, sentence.separator, budget, sentence.head)
            lines = shorter if len(shorter) < len(lines) else lines
        for line in lines:
            self.outbox.post(Letter(channel, line, personal=False), Lane.NEWS)

    def at_once(self, channel: str, text: str) -> None:
        """Say something in a channel before all that waits."""
        self._send(Letter(channel, text, personal=False))

    def move(self, old: str, new: str) -> None:
        """Let what waits for a nick go to the one that its owner has now: the old may be another's soon."""
        for letter in self.outbox.withdraw(old):
            self.to_person(new, letter.text, notice=letter.notice, lane=Lane.NEWS)

    def after_last(self, target: str, call: Callable[[], None]) -> None:
        """Call when all that waits for the target is sent, which may be at once; never if it is dropped."""
        self._after_last.setdefault(target, []).append(call)
        self._check(target)

    def drop(self, target: str) -> None:
        """Forget what waits for a target."""
        self.outbox.withdraw(target)
        self._after_last.pop(target, None)

    def clear(self) -> None:
        """Forget what waits: the connection is lost, and later it would be stale."""
        self.outbox.clear()
        self._after_last.clear()

    def _send(self, letter: Letter) -> None:
        self._wire.send(letter.target, letter.text, notice=letter.notice)
        self._check(letter.target)

    def _check(self, target: str) -> None:
        if target in self._after_last and not self.outbox.waits_for(target):
            for call in self._after_last.pop(target):
                call()
