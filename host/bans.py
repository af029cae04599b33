"""The bans of a network: at hand, and kept in the journal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from host import masks
from host.ban import Ban
from host.clock import Clock
from host.errors import NoSuchBan
from host.journal import Journal


class Bans:
    """The bans of one network, at hand and in the journal; `bans` are those that it holds now.

    Whatever changes them raises StoreError as the journal does, and has changed nothing then.
    """

    def __init__(
        self, bans: Iterable[Ban], network: str, journal: Journal, clock: Clock, fold: masks.Fold
    ) -> None:
        self._bans = list(bans)
        self._network = network
        self._journal = journal
        self._clock = clock
        self._fold = fold

    @property
    def all(self) -> Sequence[Ban]:
        return sorted(self._bans, key=lambda ban: ban.name)

    def of(self, who: masks.Known) -> Ban | None:
        """The ban that a person is under, or None."""
        return next((ban for ban in self._bans if ban.fits(who, self._fold)), None)

    def add(self, ban: Ban) -> Ban:
        """Ban somebody; the ban as it is kept.

        One that means the same is replaced. Where another person's ban has the name, its mask names this one.
        """
        for other in self._named(ban.name):
            if (other.mask, other.account) == (ban.mask, ban.account) or other.name == other.mask:
                self._strike(other)
            else:
                ban = replace(ban, name=ban.mask)
        for other in self._named(ban.name):
            self._strike(other)
        self._journal.ban(self._network, ban, self._clock.wall())
        self._bans.append(ban)
        return ban

    def lift(self, name: str) -> Ban:
        """Lift the ban with this name, in whatever case. Raises NoSuchBan."""
        for ban in self._named(name):
            self._strike(ban)
            return ban
        raise NoSuchBan(name, tuple(ban.name for ban in self.all))

    def _named(self, name: str) -> list[Ban]:
        return [ban for ban in self._bans if self._fold(ban.name) == self._fold(name)]

    def _strike(self, ban: Ban) -> None:
        self._journal.unban(self._network, ban.name)
        self._bans.remove(ban)
