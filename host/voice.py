"""What the host says on one network, cut into lines that fit and paced."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Protocol

from chat.lines import pack, split
from host.clock import Clock
from host.config import Send
from host.letter import Lane, Letter, Showing
from host.outbox import Outbox
from host.recent import Recent
from host.watch import UNWATCHED, Watch
from host.wording.words import Sentence
from protocol.typed import visible


class Wire(Protocol):
    """What is needed of a connection; `chat.link.Link` is one."""

    @property
    def casemapping(self) -> str:
        """The name of how the server compares nicks and channels."""

    def fold(self, name: str) -> str:
        """The key of a nick or channel."""

    def is_me(self, nick: str) -> bool:
        """Whether the nick is the host's own."""

    def budget(self, target: str, *, notice: bool = False) -> int:
        """Bytes of text that fit in a line to the target."""

    def send(self, target: str, text: str, *, notice: bool = False) -> None:
        """Send one line now."""

    def silent_for(self) -> float:
        """Seconds since the server was heard; one that is silent for long is asked for a sign of life."""

    def set_channels(self, channels: list[str]) -> None:
        """Be in these channels from now on."""


class Voice:
    """Speaks over a wire."""

    def __init__(self, wire: Wire, clock: Clock, send: Send, *, watch: Watch = UNWATCHED) -> None:
        self._wire = wire
        self._watch = watch
        self.outbox = Outbox(self._send, clock, send.burst, send.seconds, send.bytes, watch=watch)
        self.recent = Recent(clock)

    def is_me(self, nick: str) -> bool:
        """Whether the nick is the host's own."""
        return self._wire.is_me(nick)

    def to_person(  # noqa: PLR0913 - what is said, what it goes before, and who wants to know what became of it
        self,
        nick: str,
        text: str,
        *,
        notice: bool,
        lane: Lane,
        showing: Showing | None = None,
        sent: Callable[[], None] | None = None,
    ) -> None:
        """Say something in private. `sent` is called when the first line of it went out."""
        lines = split(text, self._wire.budget(nick, notice=notice))
        letters = [Letter(nick, line, lane, notice, showing=showing) for line in lines]
        if showing and len(lines) > 1:
            # The first tells the rest, and when the last is out all is.
            first, others = replace(showing, over=None), replace(showing, rest=showing.rest and "")
            shown = [first, *(replace(others, over=None) for _ in lines[2:]), others]
            letters = [replace(letter, showing=one) for letter, one in zip(letters, shown, strict=True)]
        if letters:
            letters[0] = replace(letters[0], sent=sent)
            self.outbox.post(*letters)

    def to_channel(  # noqa: PLR0913 - as with `to_person`
        self,
        channel: str,
        sentence: Sentence,
        lane: Lane = Lane.NEWS,
        showing: Showing | None = None,
        *,
        sent: Callable[[], None] | None = None,
        refused: Callable[[], None] | None = None,
    ) -> None:
        """Say something in a channel, in as few lines as it takes.

        `sent` is called when all went out, and `refused` when the server may have refused some of it.
        """
        lines = self._packed(sentence, sentence.items, channel)
        if sentence.short and len(lines) > 1:
            shorter = self._packed(sentence, sentence.short, channel)
            lines = shorter if len(shorter) < len(lines) else lines
        letters = [
            Letter(channel, line, lane, personal=False, showing=showing, refused=refused) for line in lines
        ]
        letters[-1] = replace(letters[-1], sent=sent)
        self.outbox.post(*letters)

    def again(self, letters: Iterable[Letter]) -> None:
        """Try lines once more that were refused, and of these only what is formatted: in plain words."""
        for letter in letters:
            text = visible(letter.text)
            if text != letter.text:
                self.outbox.post(replace(letter, text=text))
            elif letter.refused:
                letter.refused()

    def at_once(self, channel: str, text: str) -> None:
        """Say something in a channel before all that waits."""
        self._send(Letter(channel, text, personal=False))

    def _packed(self, sentence: Sentence, items: Sequence[str], channel: str) -> list[str]:
        budget = self._wire.budget(channel)
        return pack(items, sentence.separator, budget, sentence.head, sentence.continued)

    def _send(self, letter: Letter) -> None:
        # The host's own nick may have become longer since the line was measured.
        for line in split(letter.text, self._wire.budget(letter.target, notice=letter.notice)):
            self._wire.send(letter.target, line, notice=letter.notice)
            self._watch.sent()
        self.recent.note(letter)
        if letter.sent:
            letter.sent()
