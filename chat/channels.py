"""Which channels the link should be in and which it is in, and when to ask to be let in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Final

from chat.backoff import Backoff
from chat.casemap import DEFAULT_CASEMAPPING, fold
from chat.lines import check_target
from chat.settings import NAME_LIMIT, check_length

JOIN_LINE_LIMIT: Final = 400
"""Bytes of channel names in one JOIN."""


@dataclass(slots=True)
class _Place:
    """One channel that the link should be in."""

    name: str
    backoff: Backoff
    at_once: bool = True  # whether the next JOIN after a KICK need not wait
    joined_at: float | None = None
    due: float | None = 0.0  # when to send the next JOIN; None while joined


class Channels:
    """The channels of a link. Outlives connections; `lost` tells it that one ended.

    `casemapping` is that of the server, or of the last one while there is none: names must not change
    their keys because a connection ended. `now` is in seconds, of any one clock. `stable` is how many
    seconds a stay must last for the gaps between JOINs to begin anew.
    """

    def __init__(self, new_backoff: Callable[[], Backoff], stable: float) -> None:
        self.casemapping: str = DEFAULT_CASEMAPPING
        self._new_backoff = new_backoff
        self._stable = stable
        self._places: dict[str, _Place] = {}
        self._leaving: set[str] = set()  # folded names of those no longer wanted, until we are out

    def _fold(self, name: str) -> str:
        return fold(name, self.casemapping)

    def wants(self, channel: str) -> bool:
        """Tell whether the link should be in `channel`."""
        return self._fold(channel) in self._places

    def is_in(self, channel: str) -> bool:
        """Tell whether the link is in `channel`."""
        place = self._places.get(self._fold(channel))
        return place is not None and place.joined_at is not None

    def set_wanted(self, channels: Iterable[str]) -> list[str]:
        """Take `channels` as the whole list from now on, and return those to part from.

        Raises:
            UnsafeLine: a name is no channel name; nothing is changed then.

        """
        names = list(channels)
        for name in names:
            check_target(name)
            check_length(name, NAME_LIMIT)
        wanted = {self._fold(name): name for name in names}
        gone = {
            key: place.name
            for key, place in self._places.items()
            if key not in wanted and place.joined_at is not None
        }
        self._leaving.update(gone)
        self._places = {
            key: self._places.get(key) or _Place(name, self._new_backoff()) for key, name in wanted.items()
        }
        return list(gone.values())

    def set_casemapping(self, casemapping: str) -> None:
        """Compare names by `casemapping` from now on."""
        if casemapping == self.casemapping:
            return
        self.casemapping = casemapping
        self._places = {self._fold(place.name): place for place in self._places.values()}
        self._leaving = {self._fold(name) for name in self._leaving}

    def joined(self, channel: str, now: float) -> None:
        """Learn that the link came into `channel`."""
        if place := self._places.get(self._fold(channel)):
            place.joined_at, place.due = now, None

    def left(self, channel: str, now: float) -> bool:
        """Learn that the link is out of `channel`, and tell whether it had been in as wanted.

        Where it is still wanted, JOIN is due at once the first time and after a long stay, else after a
        gap that grows each time.
        """
        key = self._fold(channel)
        if key in self._leaving:
            self._leaving.remove(key)
            return True
        place = self._places.get(key)
        if place is None or place.joined_at is None:
            return False
        if now - place.joined_at >= self._stable:
            place.at_once = True
        if place.at_once:
            place.backoff.reset()
        place.due = now if place.at_once else now + place.backoff.next()
        place.at_once, place.joined_at = False, None
        return True

    def lost(self) -> None:
        """Learn that the connection ended, and with it every stay."""
        self._leaving.clear()
        for place in self._places.values():
            place.at_once, place.joined_at, place.due = True, None, 0.0
            place.backoff.reset()

    def due(self, now: float) -> list[str]:
        """Return the parameters of the JOINs to send now, each one or more names with commas between.

        An answer is not waited for: until `joined` tells of success the next attempt follows after a gap.
        """
        lists: list[str] = []
        for place in self._places.values():
            if place.due is None or now < place.due:
                continue
            place.due = now + place.backoff.next()
            if lists and len((lists[-1] + place.name).encode()) < JOIN_LINE_LIMIT:
                lists[-1] += "," + place.name
            else:
                lists.append(place.name)
        return lists
