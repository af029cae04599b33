"""Which nick to ask for: a free one while registering, and later the wanted one back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from chat.backoff import Backoff
from chat.casemap import fold
from chat.lines import clip
from chat.recovery import Recovery

SAFE_LENGTH: Final = 9
"""The length in bytes that every server takes (RFC 2812 section 1.2.1)."""

_HIGHEST_SUFFIX: Final = 99


class NickChoice:
    """The nicks to try in turn while registering, when NICKLEN is not known yet.

    First the wanted one, then the alternatives, then the wanted one with `_`, `__` and numbers. A suffix
    takes the place of the last characters, so a made-up nick is no longer than the wanted one, or than
    `SAFE_LENGTH` where that is more.
    """

    def __init__(self, wanted: str, alternatives: tuple[str, ...]) -> None:
        self._wanted = wanted
        self._limit = max(SAFE_LENGTH, len(wanted.encode()))
        self._tried: set[str] = set()
        self._candidates = self._all(wanted, alternatives)

    def next(self) -> str | None:
        """Return the next nick to ask for, or None when there is none left."""
        for nick in self._candidates:
            if nick not in self._tried:
                self._tried.add(nick)
                return nick
        return None

    def erroneous(self) -> None:
        """Learn that the last nick was refused as such (432), which may mean that it is too long."""
        self._limit = SAFE_LENGTH

    def _all(self, wanted: str, alternatives: tuple[str, ...]) -> Iterator[str]:
        yield wanted
        yield from alternatives
        # Not merely cut: when the wanted one is refused for its length, its beginning is free as a rule.
        yield clip(wanted, self._limit)
        for suffix in ("_", "__", *map(str, range(2, _HIGHEST_SUFFIX + 1))):
            yield clip(wanted, self._limit - len(suffix)) + suffix


class NickKeeper:
    """Takes the wanted nick back: at once when its holder gives it up, else with growing gaps."""

    def __init__(self, wanted: str, backoff: Backoff, clock: Callable[[], float], recovery: Recovery) -> None:
        self._wanted = wanted
        self._backoff = backoff
        self._clock = clock
        self._recovery = recovery
        self._due: float | None = None
        self.nicklen: int | None = None

    @property
    def wanted(self) -> str:
        """The wanted nick, or as much of it as the server takes."""
        return self._wanted if self.nicklen is None else clip(self._wanted, self.nicklen)

    def has_nick(self, nick: str, casemapping: str) -> None:
        """Learn the nick that the link has now."""
        if fold(nick, casemapping) == fold(self.wanted, casemapping):
            self._due = None
            self._backoff.reset()
            self._recovery.over()
        elif self._due is None:
            self._due = self._clock() + self._backoff.next()

    def refused(self) -> str | None:
        """Return what to say to services when the server does not give the wanted nick to the link."""
        return None if self._due is None else self._recovery.refused(self.wanted)

    def given_up(self, nick: str, casemapping: str) -> bool:
        """Tell whether `nick`, which its holder has just given up, is one to ask for now."""
        return self._due is not None and fold(nick, casemapping) == fold(self.wanted, casemapping)

    def due(self) -> str | None:
        """Return the nick to ask for when it is time for another attempt, else None."""
        if self._due is None or self._clock() < self._due:
            return None
        self._due = self._clock() + self._backoff.next()
        return self.wanted
