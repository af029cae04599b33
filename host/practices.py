"""Practice games of one network: each is one person's, alone with the host, and belongs to no channel."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator
from typing import Final

from game.match import Pace
from host import decide
from host.announcements import GameBegan, GameStopped, LobbyOpened
from host.events import Hints, Occupant, Seated, Stopped, TableSettings
from host.journal import History
from host.keeper import Keeper
from host.replies import PracticeBegan, PracticeStopped, Sign
from host.views import Private, Public, Said

MOST: Final = 200
"""Games that are at hand on a network, the last one of each person: strangers must not fill the memory."""

_OF_ONE_HOST: Final = 20
"""Those of people from one host, so that who changes nicks pushes out nobody else's."""

_ROUND_SECONDS: Final = 86_400.0
"""Nobody is in a hurry, and no game is on for ever."""

Speak = Callable[[Keeper, Iterable[Said]], None]


class Practices:
    """Keeps these games.

    `new` makes the keeper of a game from what speaks for it and how it is played; `speak` is told all that a
    game has to say, which is for its player alone.
    """

    def __init__(self, new: Callable[[Speak, TableSettings], Keeper], speak: Speak, most: int = MOST) -> None:
        self._new = new
        self._speak = speak
        self._most = most
        self._keepers: dict[str, Keeper] = {}
        """By the person's id."""

    def __contains__(self, person: str) -> bool:
        keeper = self._keepers.get(person)
        return keeper is not None and keeper.table.open

    def of(self, person: str) -> Keeper | None:
        """The game of a person that is on or was last, if it is at hand."""
        return self._keepers.get(person)

    @property
    def all(self) -> Collection[Keeper]:
        """The games that are at hand."""
        return self._keepers.values()

    def begin(self, occupant: Occupant, near: TableSettings) -> tuple[Keeper, bool]:
        """The game of a person, by the rules that are played `near`; and whether it has just begun.

        Raises StoreError.
        """
        keeper = self._keepers.get(occupant.person)
        if keeper is None:
            keeper = self._keeper(occupant.person, settings(near))
            self._add(occupant.person, occupant.host, keeper)
        keeper.settings = settings(near)
        return keeper, keeper.act(lambda table, now: decide.practise(table, occupant, keeper.opening()[0]))

    def restore(self, history: History) -> Keeper | None:
        """Go on with a game from the journal; None when its player has another one.

        Raises StoreError as `Keeper.restore` does.
        """
        people = (event.occupant.person for _, event in history.events if isinstance(event, Seated))
        person = next(people, "")
        if person in self:
            keeper = self._keepers[person]
            return keeper if keeper.table.game == history.file.game else None
        keeper = self._keeper(person, TableSettings(alone=True))
        keeper.restore(history)
        self._add(person, _host(keeper), keeper)
        return keeper

    def stop(self) -> None:
        """Stop all clocks; games stay in the journal."""
        for keeper in self._keepers.values():
            keeper.stop()

    def _keeper(self, person: str, how: TableSettings) -> Keeper:
        return self._new(lambda keeper, said: self._speak(keeper, _heard(person, said)), how)

    def _add(self, person: str, host: str, keeper: Keeper) -> None:
        near = [one for one, other in self._keepers.items() if _host(other) == host]
        if len(near) >= _OF_ONE_HOST:
            self._give_up_one(near)
        while len(self._keepers) >= self._most:
            self._give_up_one(self._keepers)
        self._keepers[person] = keeper

    def _give_up_one(self, people: Iterable[str]) -> None:
        """Forget a game of these people that has ended, or end the one that was left alone for longest."""
        games = ((one, self._keepers[one]) for one in people)
        person, keeper = min(games, key=lambda one: (one[1].table.open, one[1].last_at))
        keeper.note(lambda table: (Stopped(),) if table.open else ())
        del self._keepers[person]


def _host(keeper: Keeper) -> str:
    """Where the player of a game comes from."""
    return next((seat.occupant.host for seat in keeper.table.seats), "")


def settings(near: TableSettings) -> TableSettings:
    """How somebody practises who would play by these settings."""
    return TableSettings(
        rules=near.rules,
        pace=Pace.FREE,
        seats=1,
        round_seconds=_ROUND_SECONDS,
        repeat_seconds=near.repeat_seconds,
        hints=Hints.PRACTICE,
        alone=True,
    )


def _heard(person: str, said: Iterable[Said]) -> Iterator[Private]:
    """What a player hears of what a table says: there is no channel."""
    for one in said:
        match one:
            case Private():
                yield one
            case Public(LobbyOpened()):
                yield Private(person, Sign.SEATED)
            case Public(GameBegan(rules=rules)):
                yield Private(person, PracticeBegan(rules))
            case Public(GameStopped()):
                yield Private(person, PracticeStopped())
