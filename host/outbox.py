"""Paced sending: one outbox a connection, so that the host never floods itself off the network.

A bucket of tokens lets `burst` lines out at once and one more each `seconds`; another one bounds their bytes,
since servers count both. Answers to players go before news, and news before chatter, but only some in a row,
and within a lane every target has its turn, so nobody starves. Lines to one target never overtake each other:
what waits for somebody goes out before the answer to them. What has become stale does not go out.
"""

from __future__ import annotations

from collections import OrderedDict, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from chat.logger import logger
from host.clock import Clock, Timer
from host.letter import Lane, Letter
from host.watch import UNWATCHED, Watch

log = logger(__name__)

_MOST_WAITING: Final[Mapping[Lane, int]] = MappingProxyType(
    {Lane.ANSWER: 4000, Lane.NEWS: 5000, Lane.CHATTER: 500}
)
"""With how many waiting on one connection no more lines of a lane are taken. A host that is further behind
helps nobody, and strangers, however many they are, must leave room for those who play."""

_MOST_TO_ONE: Final = 30
"""Lines that may wait for one person; of more the oldest are dropped. Nobody else waits for them.

All that a card asks to know of a game with fifty players is a dozen.
"""

_PATIENCE: Final[Mapping[Lane, int]] = MappingProxyType({Lane.ANSWER: 0, Lane.NEWS: 3, Lane.CHATTER: 9})
"""How many lines a lane lets pass; then it has its turn. While some play, others must get their dice."""

_LONGEST_LINE: Final = 512
"""Bytes of a line, the most that there can be (RFC 2812 section 2.3)."""


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

    def __init__(  # noqa: PLR0913 - where to, when, how fast, and who watches
        self,
        send: Callable[[Letter], None],
        clock: Clock,
        burst: int,
        seconds: float,
        size: int = 2000,
        *,
        watch: Watch = UNWATCHED,
    ) -> None:
        self._send = send
        self._watch = watch
        self._clock = clock
        self._lines = _Bucket(burst, burst * seconds)
        self._bytes = _Bucket(size, burst * seconds)
        self._queues: dict[str, deque[Letter]] = {}
        """What waits for each target."""

        self._turns: dict[Lane, OrderedDict[str, None]] = {lane: OrderedDict() for lane in Lane}
        """Whose turn is next; every waiting target is in one lane, the best of its lines."""

        self._passed = dict.fromkeys(Lane, 0)
        """How many lines of better lanes went out since a lane had its turn."""

        self._waiting = 0
        self._timer: Timer | None = None

    def __len__(self) -> int:
        return self._waiting

    def set_pace(self, burst: int, seconds: float, size: int) -> None:
        """Let so many lines of so many bytes out at once, and one more each so many seconds."""
        self._lines.size, self._bytes.size = burst, size
        self._lines.fill = self._bytes.fill = burst * seconds

    def post(self, *letters: Letter) -> None:
        """Send the lines of one message as soon as their turn comes, after all that waits for its target.

        What waits there of the same subject is stale now, and is dropped but for its rest.
        """
        target, showing = letters[0].target, letters[0].showing
        dropped = self._outdate(target, showing.subject) if showing and showing.outdates else []
        queue = self._queues.setdefault(target, deque())
        for letter in letters:
            if self._waiting < _MOST_WAITING[letter.lane]:
                queue.append(replace(letter, posted=letter.posted or self._clock.now()))
                self._waiting += 1
                continue
            dropped.append(letter)
            if letter.lane is not Lane.CHATTER:
                log.warning("too many lines wait: dropped one", waiting=self._waiting, target=target)
        while letters[0].personal and len(queue) > _MOST_TO_ONE:
            dropped.append(queue.popleft())
            self._waiting -= 1
        self._line_up(target)
        self._drop(dropped)
        if self._timer is None:
            self._pump()

    def move(self, old: str, new: str) -> None:
        """Let what waits for one target go to another."""
        letters = self._take(old)
        if letters:
            self.post(*(replace(letter, target=new) for letter in letters))

    def withdraw(self, target: str) -> None:
        """Drop what waits for one target: its nick is another's now, or nobody's."""
        self._drop(self._take(target))

    def flush(self) -> None:
        """Send what waits for channels now, and drop the rest: the connection is about to end."""
        for target in [target for target, queue in self._queues.items() if not queue[0].personal]:
            for letter in self._take(target):
                self._let_go(letter)
        self.clear()

    def clear(self) -> None:
        """Drop what waits: after a lost connection it would be stale."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        for target in list(self._queues):
            self.withdraw(target)

    def _drop(self, letters: Iterable[Letter]) -> None:
        for letter in letters:
            self._watch.dropped()
            letter.over()

    def _take(self, target: str) -> list[Letter]:
        letters = list(self._queues.pop(target, ()))
        self._waiting -= len(letters)
        self._line_up(target)
        return letters

    def _outdate(self, target: str, subject: str) -> list[Letter]:
        """Leave of what waits for a target, and shows this subject, only what is news all the same."""
        stale: list[Letter] = []
        left: deque[Letter] = deque()
        for letter in self._queues.pop(target, ()):
            showing = letter.showing
            if showing is None or showing.subject != subject or showing.rest is None:
                left.append(letter)
                continue
            stale.append(letter)
            self._waiting -= 1
            if showing.rest:
                left.append(replace(letter, text=showing.rest, showing=None))
                self._waiting += 1
        self._queues[target] = left
        return stale

    def _line_up(self, target: str) -> None:
        """Put a target where the best of its lines belongs; a place that it has in there already it keeps."""
        queue = self._queues.get(target)
        if not queue:
            self._queues.pop(target, None)
        best = min((letter.lane for letter in queue), default=None) if queue else None
        for lane, turns in self._turns.items():
            if lane is best:
                turns.setdefault(target)
            else:
                turns.pop(target, None)

    def _pump(self) -> None:
        self._timer = None
        now = self._clock.now()
        while self._waiting:
            ready_at = max(self._lines.ready_at(now, 1), self._bytes.ready_at(now, _LONGEST_LINE))
            if ready_at > now:
                # What was posted because a line left may have set it already.
                self._timer = self._timer or self._clock.call_at(ready_at, self._pump)
                return
            letter = self._next()
            self._lines.take(now, 1)
            self._bytes.take(now, letter.size)
            try:
                self._let_go(letter)
            except Exception:
                # One line that cannot go out must not hold up those behind it.
                log.exception("a line could not be sent", target=letter.target)

    def _let_go(self, letter: Letter) -> None:
        try:
            self._send(letter)
        finally:
            letter.over()

    def _next(self) -> Letter:
        waiting = [lane for lane in Lane if self._turns[lane]]
        impatient = (lane for lane in reversed(waiting) if self._passed[lane] >= _PATIENCE[lane])
        lane = next(impatient, waiting[0])
        for other in Lane:
            self._passed[other] = self._passed[other] + 1 if other > lane else 0
        target, _ = self._turns[lane].popitem(last=False)
        letter = self._queues[target].popleft()
        self._waiting -= 1
        self._line_up(target)
        self._watch.waited(letter.lane.name.lower(), self._clock.now() - letter.posted)
        return letter
