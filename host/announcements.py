"""What the host says to a channel, as values without wording. None of it has a place for live dice."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from enum import Enum

from game.category import Category
from game.fair import DiceMode
from game.level import Level
from game.match import Pace
from game.rules import RuleSet
from protocol.fairness import Commit, Plays, Reveal, Seats
from protocol.tags import Placing


@dataclass(frozen=True, slots=True)
class LobbyOpened:
    nick: str
    house: tuple[str, ...]
    level: Level
    rules: RuleSet
    pace: Pace
    seconds: float
    dice: DiceMode


@dataclass(frozen=True, slots=True)
class Committed:
    """The seed of a game that opens is fixed."""

    commit: Commit


@dataclass(frozen=True, slots=True)
class WordsMixed:
    """The game begins with these words in its dice."""

    seats: Seats


@dataclass(frozen=True, slots=True)
class SeedTold:
    """The game is over, and anybody may check its dice."""

    reveal: Reveal


@dataclass(frozen=True, slots=True)
class PlaysTold:
    """All holds and boxes of a game that is over: with the seed these make every die."""

    plays: Plays


@dataclass(frozen=True, slots=True)
class SeatTaken:
    nick: str
    taken: int
    seats: int


@dataclass(frozen=True, slots=True)
class SeatFreed:
    nick: str
    new_opener: str | None
    """Who may start the game now, when that changed."""

    by: str = ""
    """Who took the seat away; empty when it was given up."""


@dataclass(frozen=True, slots=True)
class HouseSet:
    """Who of the house sits in the lobby now."""

    by: str
    house: tuple[str, ...]
    level: Level
    taken: int
    seats: int


@dataclass(frozen=True, slots=True)
class LobbyEmpty:
    nick: str
    by: str = ""


@dataclass(frozen=True, slots=True)
class GameBegan:
    nicks: tuple[str, ...]
    rules: RuleSet
    pace: Pace
    seconds: float


@dataclass(frozen=True, slots=True)
class ResultLine:
    """What one seat scored in a round."""

    nick: str
    category: Category
    points: int
    bonus: int
    total: int
    by_host: bool
    now_away: bool
    """From now on the game does not wait for this one."""


@dataclass(frozen=True, slots=True)
class RoundResult:
    round: int
    rules: RuleSet
    lines: tuple[ResultLine, ...]
    leaders: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class FinalRow:
    placing: Placing
    upper_bonus: int
    yahtzee_bonus: int


@dataclass(frozen=True, slots=True)
class FinalTable:
    rows: tuple[FinalRow, ...]
    rules: RuleSet
    hinted: tuple[str, ...] = ()
    """Who played with hints."""

    all_hinted: bool = False
    """Everybody was told after each decision what was best."""


@dataclass(frozen=True, slots=True)
class DecidedBest:
    """Who lost least by their decisions, and how much of a game's points."""

    nicks: tuple[str, ...]
    lost: float


@dataclass(frozen=True, slots=True)
class SameDiceRow:
    """How many points a player was ahead, or behind where it is negative, on dice that all had alike."""

    nick: str
    field: float | None
    """Of the mean of the others; None for who played alone."""

    perfect: int | None
    """Of perfect play, where that is known."""


@dataclass(frozen=True, slots=True)
class OnSameDice:
    """What skill made of the same dice, the best first."""

    rows: tuple[SameDiceRow, ...]
    perfect: int | None
    """The total of perfect play on these dice, where it is known."""


@dataclass(frozen=True, slots=True)
class PlayerBack:
    nick: str
    now: str = ""
    """The nick that they are back under, when it is another."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    nick: str


@dataclass(frozen=True, slots=True)
class PlayerRemoved:
    nick: str
    by: str


@dataclass(frozen=True, slots=True)
class GameStopped:
    """Somebody stopped the game or the lobby, or all players left."""

    by: str
    begun: bool


@dataclass(frozen=True, slots=True)
class PauseBegan:
    by: str
    round: int
    """0 in a lobby."""

    seconds: float | None
    """After which it ends by itself."""


@dataclass(frozen=True, slots=True)
class PauseOver:
    """Somebody ended the pause, or nobody did; `round` is the one that is on, 0 in a lobby."""

    by: str
    round: int
    seconds: float
    still: bool
    """The clock stands for another reason."""


@dataclass(frozen=True, slots=True)
class MoreTime:
    by: str
    seconds: float


@dataclass(frozen=True, slots=True)
class ScoreAmended:
    """What was written in a box `was` wrong."""

    nick: str
    rules: RuleSet
    category: Category
    was: int
    points: int
    total: int
    reason: str
    by: str


@dataclass(frozen=True, slots=True)
class Award:
    """A prize for a place, or a door prize when `place` is 0; equal totals share one."""

    place: int
    prize: str
    nicks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PrizesWon:
    awards: tuple[Award, ...]


@dataclass(frozen=True, slots=True)
class Announcement:
    """An operator's own words."""

    by: str
    text: str


@dataclass(frozen=True, slots=True)
class LastGame:
    """The host leaves the channel when this game has ended."""


@dataclass(frozen=True, slots=True)
class StaysHere:
    """The host does not leave the channel after all."""


@dataclass(frozen=True, slots=True)
class Goodbye:
    """The host leaves the channel."""


@dataclass(frozen=True, slots=True)
class SplitOff:
    """A netsplit took players. There are so many seconds at least; where it took all, the clock stands."""

    nicks: tuple[str, ...]
    seconds: float | None


@dataclass(frozen=True, slots=True)
class SplitOver:
    """Players whom a netsplit took are back."""

    nicks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HostBack:
    """The host is in the channel again; `round` is the one that is on, 0 in a lobby."""

    round: int
    seconds: float
    paused_by: str = ""


class Obstacle(Enum):
    """What keeps private lines from somebody."""

    CALLER_ID = "caller-id"
    """Their client takes them from those alone whom it has accepted."""

    REGISTERED_ONLY = "registered only"
    """They take them from those alone who are logged in to services."""

    THROTTLED = "throttled"
    """The server lets nobody write to so many people so fast."""


@dataclass(frozen=True, slots=True)
class OutOfReach:
    """Private lines do not come through to `nick`, whether `seated` or a stranger."""

    nick: str
    obstacle: Obstacle
    host: str
    """The host's own nick."""

    seconds: float
    """After which a throttled line is sent again."""

    mode: str
    """The letter of the user mode that lets only registered users through."""

    seated: bool


@dataclass(frozen=True, slots=True)
class CalledNow:
    """The host has another nick than the channel knows; `again` when it is the one it should have."""

    nick: str
    again: bool


@dataclass(frozen=True, slots=True)
class SeasonBegan:
    """From now on games count for a season."""

    name: str
    ends: datetime


@dataclass(frozen=True, slots=True)
class SeasonOver:
    """A season has ended, with its best players and their best totals."""

    name: str
    best: tuple[tuple[str, int], ...]


PublicReply = (
    LobbyOpened
    | Committed
    | WordsMixed
    | SeedTold
    | PlaysTold
    | SeatTaken
    | SeatFreed
    | HouseSet
    | LobbyEmpty
    | GameBegan
    | RoundResult
    | FinalTable
    | DecidedBest
    | OnSameDice
    | PlayerBack
    | PlayerLeft
    | PlayerRemoved
    | GameStopped
    | PauseBegan
    | PauseOver
    | MoreTime
    | ScoreAmended
    | PrizesWon
    | Announcement
    | LastGame
    | StaysHere
    | Goodbye
    | SplitOff
    | SplitOver
    | HostBack
    | OutOfReach
    | CalledNow
    | SeasonBegan
    | SeasonOver
)
