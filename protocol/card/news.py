"""What the host tells a card."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import ClassVar, Final

from game.fair import DiceMode
from protocol.card import fields
from protocol.card.fields import Message
from protocol.card.keys import (
    Awaited,
    BadKey,
    Best,
    BestThen,
    Bonus,
    Channel,
    Command,
    Cost,
    Costly,
    DiceWord,
    First,
    FiveDice,
    GameId,
    Games,
    HostName,
    JustWrote,
    Limit,
    Lost,
    LostThen,
    Luck,
    Made,
    Mode,
    Next,
    Nicks,
    Noted,
    NotedBox,
    Pace,
    Pays,
    Place,
    Roll,
    Round,
    Rules,
    Seat,
    Seats,
    SeatToken,
    Seconds,
    Stage,
    Start,
    State,
    Token,
    Total,
    Totals,
    Upper,
    Used,
    Version,
    WhichLines,
    Why,
    WhyNot,
    Worth,
    Wrote,
    Yahtzees,
)


@dataclass(frozen=True, slots=True)
class Greeting(Message):
    """The host knows of the card."""

    KIND: ClassVar[str] = "hello"
    version: Version
    lines: WhichLines
    host: HostName
    """What a card never says: so two cards do not take each other for a host."""


@dataclass(frozen=True, slots=True)
class Seated(Message):
    """The player sits in a lobby, or again in a game: on taking the seat, and in the whole state."""

    KIND: ClassVar[str] = "seated"
    game: GameId
    channel: Channel
    stage: Stage
    rules: Rules
    pace: Pace
    limit: Limit
    seat: Seat
    """In a lobby it may still become a lower one."""

    seats: Seats
    seconds: Seconds
    nicks: Nicks = ()
    """Where they do not all fit, `nicks` lines follow."""

    token: SeatToken = field(default="", repr=False)
    mode: Mode = DiceMode.OWN.value


@dataclass(frozen=True, slots=True)
class Began(Message):
    """The lobby became a game: seats are final."""

    KIND: ClassVar[str] = "began"
    game: GameId
    channel: Channel
    rules: Rules
    pace: Pace
    limit: Limit
    seat: Seat
    seats: Seats
    nicks: Nicks = ()
    """Where they do not all fit, `nicks` lines follow the first dice."""

    mode: Mode = DiceMode.OWN.value


@dataclass(frozen=True, slots=True)
class MoreNicks(Message):
    """More players of a game."""

    KIND: ClassVar[str] = "nicks"
    game: GameId
    first: First
    nicks: Nicks


@dataclass(frozen=True, slots=True)
class Rolled(Message):
    """The player's dice: on the deal, after each roll of theirs, and on request."""

    KIND: ClassVar[str] = "dice"
    game: GameId
    round: Round
    roll: Roll
    dice: FiveDice
    seconds: Seconds
    pays: Pays
    bonus: Bonus = 0
    keep: Noted = None
    box: NotedBox = None
    waiting: Awaited = ()
    totals: Totals = ()
    """On the first roll of a round."""

    wrote: JustWrote = None
    """How the round before ended for the player."""


@dataclass(frozen=True, slots=True)
class Accepted(Message):
    """Lockstep: a hold or a box was noted, and may be changed until all have sent theirs."""

    KIND: ClassVar[str] = "accepted"
    game: GameId
    round: Round
    roll: Roll
    keep: Noted = None
    box: NotedBox = None
    waiting: Awaited = ()


@dataclass(frozen=True, slots=True)
class Scored(Message):
    """A box was written, and the round waits for others."""

    KIND: ClassVar[str] = "scored"
    game: GameId
    round: Round
    wrote: Wrote
    waiting: Awaited = ()


@dataclass(frozen=True, slots=True)
class WordAdded(Message):
    """The player's word goes into the dice of the game to come."""

    KIND: ClassVar[str] = "word"
    game: GameId
    word: DiceWord


@dataclass(frozen=True, slots=True)
class Refused(Message):
    """A command did nothing.

    After a decision or the wish for a hint in a game of the player's their dice follow, as they are.
    """

    KIND: ClassVar[str] = "refused"
    code: WhyNot
    command: Command = ""
    game: GameId = ""
    key: BadKey = ""
    version: Version = 0


@dataclass(frozen=True, slots=True)
class Hint(Message):
    """The best that the player can do with the dice of this roll."""

    KIND: ClassVar[str] = "hint"
    game: GameId
    round: Round
    roll: Roll
    best: Best
    worth: Worth
    next: Next = None
    """Missing where there is no other choice."""

    cost: Cost = None


@dataclass(frozen=True, slots=True)
class Verdict(Message):
    """What a decision of the player was worth, in practice: before the line that tells what came of it."""

    KIND: ClassVar[str] = "verdict"
    game: GameId
    round: Round
    roll: Roll
    dice: FiveDice
    """Those that it was made for."""

    made: Made
    best: BestThen = None
    lost: LostThen = None


@dataclass(frozen=True, slots=True)
class Waiting(Message):
    """Somebody else has decided; these have not."""

    KIND: ClassVar[str] = "wait"
    game: GameId
    round: Round
    waiting: Awaited


@dataclass(frozen=True, slots=True)
class Standings(Message):
    """All totals: in the whole state, and after an amendment."""

    KIND: ClassVar[str] = "standings"
    game: GameId
    round: Round
    totals: Totals


@dataclass(frozen=True, slots=True)
class Card(Message):
    """The player's scorecard: in the whole state, and after an amendment."""

    KIND: ClassVar[str] = "card"
    game: GameId
    used: Used
    upper: Upper
    yahtzees: Yahtzees
    total: Total


@dataclass(frozen=True, slots=True)
class Time(Message):
    """The clock was stopped, goes on, or there is more time."""

    KIND: ClassVar[str] = "time"
    game: GameId
    seconds: Seconds
    clock: State


@dataclass(frozen=True, slots=True)
class Result(Message):
    """The game is over."""

    KIND: ClassVar[str] = "result"
    game: GameId
    place: Place
    totals: Totals
    wrote: JustWrote = None


@dataclass(frozen=True, slots=True)
class Analysis(Message):
    """What luck and decisions made of the player's game: after the result, and when it is asked for."""

    KIND: ClassVar[str] = "analysis"
    game: GameId
    luck: Luck
    lost: Lost
    start: Start = None
    """Missing where a score was amended, so that it is no such sum."""

    costly: Costly = ()


@dataclass(frozen=True, slots=True)
class Gone(Message):
    """The player has no part in the game any more."""

    KIND: ClassVar[str] = "gone"
    game: GameId
    why: Why


@dataclass(frozen=True, slots=True)
class End(Message):
    """The whole state was told, of so many games."""

    KIND: ClassVar[str] = "end"
    games: Games


@dataclass(frozen=True, slots=True)
class Pong(Message):
    """The host is there."""

    KIND: ClassVar[str] = "pong"
    token: Token = ""


News = (
    Greeting
    | Seated
    | Began
    | MoreNicks
    | Rolled
    | Accepted
    | Scored
    | WordAdded
    | Refused
    | Hint
    | Verdict
    | Waiting
    | Standings
    | Card
    | Time
    | Result
    | Analysis
    | Gone
    | End
    | Pong
)

KINDS: Final[Mapping[str, type[News]]] = {
    kind.KIND: kind
    for kind in (
        *(Greeting, Seated, Began, MoreNicks, Rolled, Accepted, Scored, WordAdded, Refused),
        *(Hint, Verdict, Waiting, Standings, Card, Time, Result, Analysis, Gone, End, Pong),
    )
}


def read(line: str) -> News | None:
    """What the host tells; None when the line is for people, or of a kind that is not known here.

    Raises BadLine.
    """
    found = fields.parts(line)
    if found is None or found[0] not in KINDS:
        return None
    return fields.fill(KINDS[found[0]], found[1])


def shows_dice(line: str) -> bool:
    """Whether a line of the host, of any kind, shows dice to a program."""
    found = fields.parts(line)
    return found is not None and found[0] == Rolled.KIND
