"""Paced sending: one outbox a connection, so that the host never floods itself off the network.

A bucket of tokens lets `burst` lines out at once and one more each `seconds`; another one bounds their bytes,
since servers count both. Answers to what players typed go before news, but only a few in a row, and within a
lane every target has its turn, so nobody starves. Lines to one target never overtake each other: news that
wait for somebody go out before the answer to them.
"""

from __future__ import annotations

import logging
from collections import OrderedDict, deque
from collections.abc import Callable
from dataclasses import dataclass
from enum import IntEnum
from typing import Final

from host.clock import Clock, Timer

log = logging.getLogger(__name__)

_MOST_WAITING: Final = 5000
"""Lines that may wait on one connection. A host that is further behind than this helps nobody."""

_MOST_TO_ONE: Final = 10
"""Lines that may wait for one person; of more the oldest are dropped. Nobody else waits for them."""

_ANSWERS_IN_A_ROW: Final = 3
"""Then a line of news that waits has its turn: while some play, others must get their dice."""


_LONGEST_LINE: Final = 512
"""Bytes of a line, the most that there can be (RFC 2812 section 2.3)."""


class Lane(IntEnum):
    """What goes first."""

    ANSWER = 0
    NEWS = 1


@dataclass(frozen=True, slots=True)
class Letter:
    """One line to a nick, when it is `personal`, or to a channel."""

    target: str
    text: str
    notice: bool = False
    personal: bool = True
    sent: Callable[[], None] | None = None
    """Called when it went out; never when it is dropped."""

    refused: Callable[[], None] | None = None
    """Called when the server may have refused it, and it is not tried again."""

    @property
    def size(self) -> int:
        """Bytes of the line that it becomes."""
        command = "NOTICE" if self.notice else "PRIVMSG"
        return len(f"{command} {self.target} :{self.text}\r\n".encode())


@dataclass(slots=True)
class _Bucket:
    """Holds `size` tokens, and is filled again from empty in `fill` seconds."""

    size: float
    fill: float
    full_at: float = 0.0
    """When it would be full again, if nothing more were taken."""

    def ready_at(self, now: float, need: float) -> float:
        """When so many tokens are in it, or all that it holds where that is less."""
        return max(self.full_at, now) - self.fill * (self.size - min(need, self.size)) / self.size

    def take(self, now: float, tokens: float) -> None:
        """Take tokens out of it."""
        self.full_at = max(self.full_at, now) + self.fill * tokens / self.size


class Outbox:
    """Lines on their way to one connection."""

    def __init__(
        self, send: Callable[[Letter], None], clock: Clock, burst: int, seconds: float, size: int = 2000
    ) -> None:
        self._send = send
        self._clock = clock
        self._lines = _Bucket(burst, burst * seconds)
        self._bytes = _Bucket(size, burst * seconds)
        self._queues: dict[str, deque[Letter]] = {}
        """What waits for each target."""

        self._turns: dict[Lane, OrderedDict[str, None]] = {lane: OrderedDict() for lane in Lane}
        """Whose turn is next; every waiting target is in one lane."""

        self._waiting = 0
        self._answers = 0
        """How many answers went out since the last line of news."""

        self._timer: Timer | None = None

    def __len__(self) -> int:
        return self._waiting

    def set_pace(self, burst: int, seconds: float, size: int) -> None:
        """Let so many lines of so many bytes out at once, and one more each so many seconds."""
        self._lines.size, self._bytes.size = burst, size
        self._lines.fill = self._bytes.fill = burst * seconds

    def post(self, letter: Letter, lane: Lane) -> None:
        """Send the line as soon as its turn comes, after all that waits for the same target."""
        if self._waiting >= _MOST_WAITING:
            log.warning("%d lines wait already: dropped one to %s", self._waiting, letter.target)
            return
        target = letter.target
        queue = self._queues.setdefault(target, deque())
        queue.append(letter)
        self._waiting += 1
        if letter.personal and len(queue) > _MOST_TO_ONE:
            queue.popleft()
            self._waiting -= 1
        if lane is Lane.ANSWER:
            self._turns[Lane.NEWS].pop(target, None)
            self._turns[Lane.ANSWER].setdefault(target)
        elif target not in self._turns[Lane.ANSWER]:
            self._turns[Lane.NEWS].setdefault(target)
        if self._timer is None:
            self._pump()

    def withdraw(self, target: str) -> list[Letter]:
        """Take back what waits for one target, in order: its nick is another's now, or nobody's."""
        letters = list(self._queues.pop(target, ()))
        for turns in self._turns.values():
            turns.pop(target, None)
        self._waiting -= len(letters)
        return letters

    def flush(self) -> None:
        """Send what waits for channels now, and forget the rest: the connection is about to end."""
        letters = [letter for queue in self._queues.values() for letter in queue if not letter.personal]
        self.clear()
        for letter in letters:
            self._send(letter)

    def clear(self) -> None:
        """Forget what waits: after a lost connection it would be stale."""
        self._queues.clear()
        for turns in self._turns.values():
            turns.clear()
        self._waiting = 0
        if self._timer:
            self._timer.cancel()
            self._timer = None

    def _pump(self) -> None:
        self._timer = None
        now = self._clock.now()
        while self._waiting:
            ready_at = max(self._lines.ready_at(now, 1), self._bytes.ready_at(now, _LONGEST_LINE))
            if ready_at > now:
                self._timer = self._clock.call_at(ready_at, self._pump)
                return
            letter = self._next()
            self._lines.take(now, 1)
            self._bytes.take(now, letter.size)
            try:
                self._send(letter)
            except Exception:
                # One line that cannot go out must not hold up those behind it.
                log.exception("a line to %r could not be sent", letter.target)

    def _next(self) -> Letter:
        answers, news = self._turns[Lane.ANSWER], self._turns[Lane.NEWS]
        is_answer = bool(answers) and (self._answers < _ANSWERS_IN_A_ROW or not news)
        self._answers = self._answers + 1 if is_answer else 0
        turns = answers if is_answer else news
        target, _ = turns.popitem(last=False)
        letter = self._queues[target].popleft()
        if self._queues[target]:
            turns[target] = None
        else:
            del self._queues[target]
        self._waiting -= 1
        return letter
