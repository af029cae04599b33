"""The tables of one network: one for each channel of the configuration, and those whose last game is on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from game.fair import DiceMode
from game.level import Level
from game.match import Pace
from host.config import Channel
from host.events import Hints, Prizes, TableSettings
from host.keeper import Keeper
from host.seat_index import SeatIndex


class Tables:
    """Tables by their channels.

    `fold` makes the key of a channel's name, and `new` a keeper for a table of these settings.
    """

    def __init__(self, fold: Callable[[str], str], new: Callable[[str, TableSettings], Keeper]) -> None:
        self._fold = fold
        self._new = new
        self._keepers: dict[str, Keeper] = {}
        self._prefixes: dict[Keeper, str] = {}
        self.seats = SeatIndex()

    @property
    def all(self) -> Sequence[Keeper]:
        return tuple(self._keepers.values())

    def find(self, channel: str) -> Keeper | None:
        """The table of a channel, however its name is written."""
        return self._keepers.get(self._fold(channel))

    def near(self, channels: Iterable[str]) -> Sequence[Keeper]:
        """The tables of those of these channels that have one, in the order of their names."""
        found = map(self.find, sorted(channels))
        return [keeper for keeper in found if keeper]

    def prefix(self, keeper: Keeper) -> str:
        """What commands begin with in the channel of this table."""
        return self._prefixes.get(keeper, "!")

    def configure(self, channels: Sequence[Channel]) -> Sequence[Keeper]:
        """Have a table for each of these channels, and answer the new ones.

        The next game of each is played by its settings. Tables of other channels take no new game.
        """
        before = self.all
        for channel in channels:
            keeper = self.find(channel.name)
            if keeper is None:
                keeper = self._new(channel.name, settings(channel))
                self._keepers[self._fold(channel.name)] = keeper
            keeper.settings = settings(channel)
            self._prefixes[keeper] = channel.prefix
        wanted = {self._fold(channel.name) for channel in channels}
        for key, keeper in self._keepers.items():
            keeper.closing = key not in wanted
        return [keeper for keeper in self.all if keeper not in before]

    def drop(self, keeper: Keeper) -> None:
        """Forget a table that nothing is going on at."""
        keeper.stop()
        self._keepers = {key: other for key, other in self._keepers.items() if other is not keeper}
        self._prefixes.pop(keeper, None)
        self.seats.forget(keeper)

    def refold(self) -> None:
        """Make the keys anew: another server may compare names otherwise."""
        self._keepers = {self._fold(keeper.channel): keeper for keeper in self._keepers.values()}


def settings(channel: Channel) -> TableSettings:
    """How the games of a channel are played."""
    return TableSettings(
        rules=channel.rules,
        pace=Pace(channel.pace),
        seats=channel.seats,
        lobby_seconds=channel.lobby_seconds,
        round_seconds=channel.round_seconds,
        repeat_seconds=channel.repeat_seconds,
        house=channel.house_seats,
        house_level=Level(channel.house_level),
        prizes=Prizes(channel.places, channel.door),
        hints=Hints(channel.hints),
        dice=DiceMode(channel.dice),
    )
