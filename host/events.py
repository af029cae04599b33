"""What happens at a table, as facts that are written down, and their form in the journal.

The events of a match come from the rules (`game.match`); these are the ones around it. A recorded event is
never changed: new facts are new events, and a field that is added later gets a default.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Any, Final, get_args

from pydantic import TypeAdapter

from game.category import Category
from game.fair import DiceMode
from game.level import Level
from game.match import MatchEvent, Pace


@dataclass(frozen=True, slots=True)
class Prizes:
    """What there is to win at a table."""

    places: tuple[str, ...] = ()
    """For the first, the second and the third."""

    door: tuple[str, ...] = ()
    """Drawn among all who finish."""


class Hints(Enum):
    """Who may ask the host for the best that they can do."""

    PRIVATE = "private"
    """Everybody, and they alone hear it."""

    OFF = "off"
    PRACTICE = "practice"
    """Everybody, and each is told after every decision what would have been best."""


@dataclass(frozen=True, slots=True)
class TableSettings:
    """How a table is played; fixed when it opens. Times are in seconds."""

    rules: str = "hasbro"
    pace: Pace = Pace.FREE
    seats: int = 12
    lobby_seconds: float = 60
    round_seconds: float = 120
    """`free`: for the whole round. `lockstep`: for each hold and each score."""

    repeat_seconds: float = 2
    house: int = 0
    """House players that take seats when the table opens."""

    house_level: Level = Level.EXPERT

    prizes: Prizes = Prizes()
    hints: Hints = Hints.PRIVATE
    dice: DiceMode = DiceMode.OWN
    alone: bool = False
    """A practice game: one person's, in no channel. When the time is up it ends, and nobody is played for."""


@dataclass(frozen=True, slots=True)
class Occupant:
    """Who takes a seat: a person with the mask they were seen under, or a house player without one."""

    person: str
    nick: str
    user: str = ""
    host: str = ""
    house: bool = False
    level: Level = Level.EXPERT
    """How well a house player plays."""

    account: str | None = None
    """The services account, which is the person wherever they come from."""

    token_hash: str = field(default="", repr=False)
    """SHA-256 of the seat's token in hex; the token itself is known to its owner alone."""


@dataclass(frozen=True, slots=True)
class Opened:
    """Somebody wants to play: a lobby with a new game."""

    game: str
    settings: TableSettings
    commit: str = ""
    """What was told of the secret seed: its SHA-256 in hex. The first versions told nothing."""


@dataclass(frozen=True, slots=True)
class Seated:
    """A seat was taken in the lobby."""

    occupant: Occupant


@dataclass(frozen=True, slots=True)
class Unseated:
    """A seat in the lobby was given up, or taken away `by` somebody."""

    person: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class HouseSeated:
    """The house players of a lobby are these now, `by` somebody."""

    players: tuple[Occupant, ...]
    by: str


@dataclass(frozen=True, slots=True)
class LobbyClosed:
    """Nobody is left in the lobby; there is no game. The last one went, or was taken out `by` somebody."""

    by: str = ""


@dataclass(frozen=True, slots=True)
class Worded:
    """A player in the lobby adds a word to the dice, or takes it back with `NO_WORD`."""

    person: str
    word: str


@dataclass(frozen=True, slots=True)
class Began:
    """The lobby became a game; seats are numbered in their order now."""


@dataclass(frozen=True, slots=True)
class Reminded:
    """The undecided were told that the time is nearly up."""


@dataclass(frozen=True, slots=True)
class TimeRanOut:
    """The clock rang; these seats had not decided."""

    seats: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Spoke:
    """Someone who had missed a round said something."""

    seat: int


@dataclass(frozen=True, slots=True)
class Hinted:
    """A player asked for the best that they can do: for the first time in this game."""

    seat: int


@dataclass(frozen=True, slots=True)
class Left:
    """A player gave up a game that is on; the host plays their dice."""

    seat: int


@dataclass(frozen=True, slots=True)
class CameBack:
    """A player who had left the game takes their seat again."""

    seat: int


@dataclass(frozen=True, slots=True)
class Renamed:
    """A seated person is called otherwise now."""

    person: str
    nick: str


@dataclass(frozen=True, slots=True)
class Identified:
    """A seated person logged in to services."""

    person: str
    account: str


@dataclass(frozen=True, slots=True)
class TakenUp:
    """Somebody showed the token of a seat: it is theirs from now on."""

    seat: int
    occupant: Occupant


@dataclass(frozen=True, slots=True)
class Removed:
    """A player was taken out of a game that is on, for good; the host plays their dice."""

    seat: int
    by: str


@dataclass(frozen=True, slots=True)
class Amended:
    """What is written in a used box is another number of points now."""

    seat: int
    category: Category
    points: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Hurried:
    """Nobody is there, and others want to play: the rest is played by the host at once."""


@dataclass(frozen=True, slots=True)
class Extended:
    """There is more time, in seconds; `by` somebody, or on account of a netsplit."""

    seconds: float
    by: str = ""


class Reason(Enum):
    """Why a clock stands."""

    HOST_OUT = "host out"
    """The host is not in the channel, and nobody can play."""

    PAUSE = "pause"
    """Somebody asked for it."""

    SPLIT = "split"
    """A netsplit has all the players."""


@dataclass(frozen=True, slots=True)
class Suspended:
    """The clock stands still for a reason, for so many `seconds` at most where that is said."""

    reason: Reason = Reason.HOST_OUT
    by: str = ""
    seconds: float | None = None


@dataclass(frozen=True, slots=True)
class Resumed:
    """A reason is gone. When it was the last one the clock goes on, with `at_least` so many seconds."""

    at_least: float = 0.0
    reason: Reason = Reason.HOST_OUT
    by: str = ""


@dataclass(frozen=True, slots=True)
class Finished:
    """Thirteen rounds are played; the totals are final, unless they are amended."""

    lots: tuple[int, ...] = ()
    """The seats in the order in which door prizes find them."""


@dataclass(frozen=True, slots=True)
class Revealed:
    """A game that began is over, and its seed, in hex, is no secret any more."""

    seed: str


@dataclass(frozen=True, slots=True)
class Announced:
    """The result left for the channel; until then it is told again whenever the host comes there."""


@dataclass(frozen=True, slots=True)
class Unheard:
    """The server refused a line of the result, or one that left with it: it is not `Announced` after all."""


@dataclass(frozen=True, slots=True)
class Stopped:
    """The game ended without a result: `by` somebody, or since all its players left it."""

    by: str = ""


LobbyEvent = Opened | Seated | Unseated | HouseSeated | Worded | LobbyClosed | Began
ClockEvent = Reminded | TimeRanOut | Extended | Suspended | Resumed
PersonEvent = Spoke | Hinted | Left | CameBack | Renamed | Identified | TakenUp | Removed
PlayEvent = PersonEvent | Amended | Hurried | Finished | Stopped | Revealed | Announced | Unheard
Event = LobbyEvent | ClockEvent | PlayEvent | MatchEvent

ENDINGS: Final = (LobbyClosed, Finished, Stopped)
"""Events that end a game. Only `Revealed`, `Announced`, `Unheard` and `Amended` may come later."""

_ADAPTERS: Final[Mapping[str, TypeAdapter[Any]]] = MappingProxyType(
    {kind.__name__: TypeAdapter(kind) for kind in get_args(Event)}
)


def dump(event: Event) -> tuple[str, str]:
    """The event as its kind and a JSON object."""
    kind = type(event).__name__
    return kind, _ADAPTERS[kind].dump_json(event).decode()


def load(kind: str, body: str) -> Event:
    """Read back what `dump` wrote.

    Raises ValueError when the kind is unknown or the body does not fit it.
    """
    adapter = _ADAPTERS.get(kind)
    if adapter is None:
        raise ValueError(f"unknown kind of event {kind!r}")
    event: Event = adapter.validate_json(body)
    return event
