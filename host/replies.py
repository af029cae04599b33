"""What the host says to one player, as values without wording: replies are nouns.

Only these have a place for dice that are still in play; `host.announcements` are for the channel.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from game.category import Category
from game.rules import RuleSet
from game.scorecard import Scorecard
from host.ban import Ban
from protocol.card.fields import Play
from protocol.tags import DiceTag, Placing
from solver.advice import Choice
from solver.analysis import Decision


@dataclass(frozen=True, slots=True)
class Worth:
    """What the dice would pay in a box."""

    category: Category
    points: int


@dataclass(frozen=True, slots=True)
class Verdict:
    """What perfect play says to a decision of the player: what was `made` of the dice of the tag."""

    tag: DiceTag
    made: Play
    best: Choice | None = None
    """None while that is not known."""

    lost: float = 0.0
    """Points to the end of the game that the decision is worth less."""


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

    dice: tuple[int, ...] = ()
    """What it was scored for, where the player was away and has not seen how the dice fell."""

    verdict: Verdict | None = None


@dataclass(frozen=True, slots=True)
class Kept:
    """The player's dice were rolled, all but these."""

    faces: tuple[int, ...]
    by_clock: bool = False
    """Nothing was sent in time, in lockstep, so all stayed."""

    verdict: Verdict | None = None


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
class Hint:
    """The best that the player can do with their dice, and the next best where there is another choice."""

    tag: DiceTag
    rules: RuleSet
    best: Choice
    second: Choice | None


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
    alone: bool = False
    """It was a practice game."""


@dataclass(frozen=True, slots=True)
class PracticeBegan:
    rules: RuleSet


@dataclass(frozen=True, slots=True)
class PracticeStopped:
    """The player left the practice game, or it had to end."""


@dataclass(frozen=True, slots=True)
class GaveUp:
    """The player left a game that is on."""


@dataclass(frozen=True, slots=True)
class Dismissed:
    """The player was taken out of the game."""

    by: str


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
    paused_by: str = ""


@dataclass(frozen=True, slots=True)
class TimeShown:
    """What is left of a round, or of the lobby when `round` is 0."""

    round: int
    seconds: float
    paused_by: str = ""


@dataclass(frozen=True, slots=True)
class HostStatus:
    """How the host is, for operators."""

    version: str
    uptime: float
    """Seconds since the start."""

    networks: tuple[tuple[str, bool], ...]
    """Each with whether it is connected."""

    out_of: tuple[str, ...]
    """Channels that it should be in and is not."""

    tables: int
    lobbies: int
    games: int
    waiting: int
    """Lines in the outboxes."""

    store: str
    store_answers: float | None
    """Milliseconds in which the store took something; None when it did not."""


@dataclass(frozen=True, slots=True)
class Reloaded:
    """What came of reading the configuration again; with problems nothing is changed."""

    problems: tuple[str, ...] = ()
    joined: tuple[str, ...] = ()
    leaving: tuple[str, ...] = ()
    """Channels that are left when nothing is going on there."""

    later: tuple[str, ...] = ()
    """Keys whose change takes effect at the next start."""


@dataclass(frozen=True, slots=True)
class Banned:
    """Somebody is not served any more."""

    ban: Ban
    hits: int
    """How many of those in sight it fits."""


@dataclass(frozen=True, slots=True)
class Unbanned:
    """Somebody is served again, unless there are other bans of the same person."""

    ban: Ban
    others: tuple[Ban, ...]


@dataclass(frozen=True, slots=True)
class BansShown:
    bans: tuple[Ban, ...]


@dataclass(frozen=True, slots=True)
class Done:
    """A hosting command did what it says, where whoever sent it may not see it."""

    channel: str


@dataclass(frozen=True, slots=True)
class Balance:
    """Where the points of a finished game came from: total = start + luck - lost."""

    start: float
    """What an empty card is worth in perfect play."""

    luck: float
    lost: float
    """By decisions that were not the best."""

    total: int | None
    """None for a score that was amended: then it is no such sum."""

    @property
    def cents(self) -> tuple[int, int, int]:
        """Start, luck and lost in hundredths of a point, which add up as well when they are read."""
        start, lost = round(self.start * 100), round(self.lost * 100)
        luck = round(self.luck * 100) if self.total is None else self.total * 100 - start + lost
        return start, luck, lost


@dataclass(frozen=True, slots=True)
class WordNoted:
    """The player's word, `NO_WORD` for none, goes into the dice of the game to come."""

    word: str


@dataclass(frozen=True, slots=True)
class Costliest:
    """The decisions of a finished game that lost most; none when all were the best."""

    rules: RuleSet
    decisions: tuple[Decision, ...]


class Sign(Enum):
    """What only programs are told; the table says the rest. People hear of it in the channel."""

    SEATED = "seated"
    """The player has a seat in the game again."""

    BEGAN = "began"
    MORE_NICKS = "more nicks"
    """Those that a line about the begin of a game has no room for: after the dice, which are waited for."""

    STOPPED = "stopped"
    UNSEATED = "unseated"
    """The player gave up a seat in a lobby, or was the last to play on."""

    DISMISSED = "dismissed"
    """A seat in a lobby was taken away."""

    TAKEN = "taken"
    """Somebody else has the seat now, by its token."""

    STILL_DECIDING = "still deciding"
    """Another player has decided."""

    CLOCK = "clock"
    TOTALS = "totals"
    CARD = "card"


PrivateReply = (
    DealtDice
    | Hint
    | Balance
    | WordNoted
    | Costliest
    | RoundDone
    | GameOver
    | PracticeBegan
    | PracticeStopped
    | GaveUp
    | Dismissed
    | CardShown
    | ScoresShown
    | LobbyShown
    | PlayersShown
    | TimeShown
    | HostStatus
    | Reloaded
    | Banned
    | Unbanned
    | BansShown
    | Done
)
