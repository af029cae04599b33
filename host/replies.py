"""What the host says, as values without wording: replies are nouns.

Public replies go to the channel and private ones to one player. Only private replies have a place for dice
that are still in play.
"""

from __future__ import annotations

from dataclasses import dataclass

from game.category import Category
from game.match import Pace
from game.rules import RuleSet
from game.scorecard import Scorecard
from protocol.tags import DiceTag, Placing

# --- to the channel ---


@dataclass(frozen=True, slots=True)
class LobbyOpened:
    nick: str
    house: tuple[str, ...]
    rules: RuleSet
    pace: Pace
    seconds: float


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


@dataclass(frozen=True, slots=True)
class LobbyEmpty:
    nick: str


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


@dataclass(frozen=True, slots=True)
class PlayerBack:
    nick: str
    now: str = ""
    """The nick that they are back under, when it is another."""


@dataclass(frozen=True, slots=True)
class PlayerLeft:
    nick: str


@dataclass(frozen=True, slots=True)
class GameStopped:
    """All players left."""


@dataclass(frozen=True, slots=True)
class SplitOff:
    """A netsplit took players; there is more time, in seconds."""

    nicks: tuple[str, ...]
    seconds: float


@dataclass(frozen=True, slots=True)
class SplitOver:
    """Players whom a netsplit took are back."""

    nicks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class HostBack:
    """The host is in the channel again; `round` is the one that is on, 0 in a lobby."""

    round: int
    seconds: float


PublicReply = (
    LobbyOpened
    | SeatTaken
    | SeatFreed
    | LobbyEmpty
    | GameBegan
    | RoundResult
    | FinalTable
    | PlayerBack
    | PlayerLeft
    | GameStopped
    | SplitOff
    | SplitOver
    | HostBack
)

# --- to one player ---


@dataclass(frozen=True, slots=True)
class Worth:
    """What the dice would pay in a box."""

    category: Category
    points: int


@dataclass(frozen=True, slots=True)
class Entered:
    """What was scored for the player, by themselves or, when time ran out, by the host."""

    category: Category
    points: int
    bonus: int
    total: int
    by_host: bool
    now_away: bool = False
    """This was one miss too many: the game does not wait for the player any more."""


@dataclass(frozen=True, slots=True)
class Kept:
    """The player's dice were rolled, all but these."""

    faces: tuple[int, ...]
    by_clock: bool = False
    """Nothing was sent in time, in lockstep, so all stayed."""


@dataclass(frozen=True, slots=True)
class Holding:
    """A hold was noted, and waits for the others."""

    faces: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Choosing:
    """A box was noted, and is written when the round closes."""

    worth: Worth
    bonus: int


@dataclass(frozen=True, slots=True)
class Stands:
    """All dice are kept, and no roll is spent."""


@dataclass(frozen=True, slots=True)
class Unchanged:
    """A doubled line changed nothing."""


@dataclass(frozen=True, slots=True)
class Hurry:
    """The time is nearly up."""

    seconds: float


@dataclass(frozen=True, slots=True)
class WelcomeBack:
    """The player is waited for again."""


Lead = Entered | Kept | Holding | Choosing | Stands | Unchanged | Hurry | WelcomeBack
"""Why dice are shown; None when they were dealt or asked for."""


@dataclass(frozen=True, slots=True)
class DealtDice:
    """The player's dice as they lie."""

    tag: DiceTag
    rules: RuleSet
    options: tuple[Worth, ...]
    """All that the rules allow, best first."""

    open_boxes: int
    bonus: int
    can_roll: bool
    lead: Lead | None = None
    waiting: tuple[str, ...] = ()
    tips: bool = False
    """The player may not know yet what to type."""


@dataclass(frozen=True, slots=True)
class RoundDone:
    """The player has scored, and the round waits for others."""

    entered: Entered
    rules: RuleSet
    waiting: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GameOver:
    """How the game ended for the player, with what was scored last when that is news."""

    entered: Entered | None
    rules: RuleSet
    placing: Placing
    players: int


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The player left a game that is on."""


@dataclass(frozen=True, slots=True)
class CardShown:
    card: Scorecard


@dataclass(frozen=True, slots=True)
class ScoresShown:
    """Totals, highest first."""

    rows: tuple[Placing, ...]
    round: int
    over: bool


@dataclass(frozen=True, slots=True)
class LobbyShown:
    nicks: tuple[str, ...]
    seats: int
    opener: str
    seconds: float


@dataclass(frozen=True, slots=True)
class PlayersShown:
    round: int
    done: tuple[str, ...]
    waiting: tuple[str, ...]
    away: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class TimeShown:
    """What is left of a round, or of the lobby when `round` is 0."""

    round: int
    seconds: float


PrivateReply = (
    DealtDice
    | RoundDone
    | GameOver
    | GaveUp
    | CardShown
    | ScoresShown
    | LobbyShown
    | PlayersShown
    | TimeShown
)
