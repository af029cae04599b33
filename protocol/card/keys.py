"""What lines for programs are made of. A key means the same in every line.

Seats, rounds and rolls count from 1, seats in the order in which a game names its players. Times are seconds.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from typing import Annotated, Final

from game.category import Category
from game.dice import Dice, Positions
from protocol import fairness
from protocol.card.fields import (
    BOX,
    BOXES,
    DECIMAL,
    DICE,
    NUMBER,
    NUMBERS,
    PLACES,
    PLAY,
    TAG,
    WORD,
    WORDS,
    Form,
    Key,
    Play,
    choice,
    listed,
)

VERSION: Final = 1


class Lines(Enum):
    """Which lines a card wants from the host."""

    ONLY = "only"
    """These, where there are these."""

    BOTH = "both"
    """These, and what is said to people."""


class Phase(Enum):
    """Where a game stands."""

    LOBBY = "lobby"
    PLAYING = "playing"
    OVER = "over"


class By(Enum):
    """Who chose a box."""

    PLAYER = "player"
    HOST = "host"


class Clock(Enum):
    """Whether time goes by, or why it stands."""

    RUNS = "runs"
    PAUSE = "pause"
    SPLIT = "split"
    OUT = "out"
    """The host is out of the channel."""


class Exit(Enum):
    """Why somebody plays no more."""

    LEFT = "left"
    REMOVED = "removed"
    TAKEN = "taken"
    """Somebody showed the token of the seat, and has it from now on."""

    STOPPED = "stopped"
    """The game ended for all, without a result."""


class Code(Enum):
    """Why a command was refused."""

    VERSION = "version"
    """The host does not speak that version; `v` is the one that it speaks."""

    UNKNOWN = "unknown"
    """No command of this language."""

    FIELD = "field"
    """The field that `key` names is missing or makes no sense."""

    GAME = "game"
    """No such game is on at a table of this host."""

    SEAT = "seat"
    """No seat in a game, or it was given up."""

    LATE = "late"
    """Another round or roll is on by now."""

    SCORED = "scored"
    """The round is scored already."""

    ROLLS = "rolls"
    """All three rolls are made; only a box is left to choose."""

    USED = "used"
    """The box is not open."""

    FORBIDDEN = "forbidden"
    """The rules for a further Yahtzee do not allow the box now."""

    HINTS = "hints"
    """The table plays without hints."""

    SOON = "soon"
    """What is best is not known, or not yet: ask again in some seconds."""

    CLOCK = "clock"
    """The game is paused, or the host is out of the channel."""

    FULL = "full"
    """No seat is free."""

    ON = "on"
    """A game is on; the next one can be joined when it is over."""

    CHANNEL = "channel"
    """There is no table, the player is not in the channel, or several tables could be meant."""

    BUSY = "busy"
    """It could not be written down, or too much was asked. Try again soon."""

    BANNED = "banned"
    """The host does not serve this player."""

    NO = "no"
    """Any other reason."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What was written into a box: `fh:25:0:120:player`."""

    box: Category
    points: int
    extra: int
    """What came on top: for a further Yahtzee, and for the upper section."""

    total: int
    """Of the card, now."""

    by: By


@dataclass(frozen=True, slots=True)
class Loss:
    """A decision that was not the best: `3:2:44261:hold:ab:score:ch:1.24`."""

    round: int
    roll: int
    dice: Dice
    made: Play
    best: Play
    cost: Decimal
    """By how many points the best one was better."""


def _write_loss(loss: Loss) -> str:
    said = (DICE.write(loss.dice), PLAY.write(loss.made), PLAY.write(loss.best), DECIMAL.write(loss.cost))
    return f"{loss.round}:{loss.roll}:{':'.join(said)}"


def _read_loss(text: str) -> Loss:
    parts = text.split(":")
    if len(parts) < 8:
        raise ValueError("ROUND:ROLL:DICE:MADE:BEST:COST is possible, with two parts in MADE and BEST")
    made, best = PLAY.read(":".join(parts[3:5])), PLAY.read(":".join(parts[5:7]))
    numbers = NUMBER.read(parts[0]), NUMBER.read(parts[1])
    return Loss(*numbers, DICE.read(parts[2]), made, best, DECIMAL.read(parts[7]))


LOSSES: Final = listed(Form(_write_loss, _read_loss))


def _write_entry(entry: Entry) -> str:
    return f"{BOX.write(entry.box)}:{entry.points}:{entry.extra}:{entry.total}:{entry.by.value}"


def _read_entry(text: str) -> Entry:
    parts = text.split(":")
    if len(parts) < 5:
        raise ValueError("BOX:POINTS:EXTRA:TOTAL:BY is possible")
    points, extra, total = map(NUMBER.read, parts[1:4])
    return Entry(BOX.read(parts[0]), points, extra, total, choice(By).read(parts[4]))


def _read_dice_word(text: str) -> str:
    if not re.fullmatch(fairness.WORD, text):
        raise ValueError("1 to 32 letters, digits and . _ - are possible")
    return text


DICE_WORD: Final = Form(str, _read_dice_word)

Version = Annotated[int, Key("v", NUMBER)]
"""The version of this language."""

WhichLines = Annotated[Lines, Key("lines", choice(Lines))]

CardName = Annotated[str, Key("card", TAG)]
"""A program with its version."""

HostName = Annotated[str, Key("host", TAG)]
"""The host's program with its version."""

Token = Annotated[str, Key("t", TAG)]
"""Anything; it comes back."""

GameId = Annotated[str, Key("g", WORD)]
"""The game; no other ever has the same."""

Channel = Annotated[str, Key("c", WORD)]
"""Where the table is."""

Round = Annotated[int, Key("r", NUMBER)]
"""The round, 1 to 13."""

Roll = Annotated[int, Key("k", NUMBER)]
"""The roll in the round, 1 to 3."""

Stage = Annotated[Phase, Key("stage", choice(Phase))]

Rules = Annotated[str, Key("rules", WORD)]
"""The rule set."""

Pace = Annotated[str, Key("pace", WORD)]
"""`free` or `lockstep`."""

Mode = Annotated[str, Key("mode", WORD)]
"""Whose dice fall alike: `own` for nobody's, or `same` for all of a round, roll and place."""

DiceWord = Annotated[str, Key("word", DICE_WORD)]
"""What a player adds to the dice of a game before it begins; `-` is nothing."""

Seconds = Annotated[int, Key("s", NUMBER)]
"""What is left of the lobby, the round or the roll, at least: no time passes while dice are on their way."""

Limit = Annotated[int, Key("each", NUMBER)]
"""What each round has (`free`), or each roll (`lockstep`)."""

Seat = Annotated[int, Key("you", NUMBER)]
"""The player's own seat."""

Seats = Annotated[int, Key("of", NUMBER)]
"""How many play; in the lobby how many can."""

First = Annotated[int, Key("from", NUMBER)]
"""The seat of the first of these."""

Nicks = Annotated[tuple[str, ...], Key("nicks", WORDS)]
"""Who plays, in the order of the seats."""

SeatToken = Annotated[str, Key("token", WORD)]
"""Proof of the seat, for `return TOKEN` under another nick; a secret."""

FiveDice = Annotated[Dice, Key("d", DICE)]
"""The dice, in their places."""

Keep = Annotated[Positions, Key("keep", PLACES)]
"""The places that stay."""

Noted = Annotated[Positions | None, Key("keep", PLACES)]
"""The hold that was noted for this roll, and may still be changed."""

Box = Annotated[Category, Key("box", BOX)]
"""The box to fill."""

NotedBox = Annotated[Category | None, Key("box", BOX)]
"""The box that was noted for this round, and may still be changed."""

Pays = Annotated[tuple[tuple[Category, int], ...], Key("pay", BOXES)]
"""What the dice would pay in each box that the rules allow now."""

Bonus = Annotated[int, Key("bonus", NUMBER)]
"""What comes on top in any box, for a further Yahtzee."""

Wrote = Annotated[Entry, Key("wrote", Form(_write_entry, _read_entry))]
"""What was written."""

JustWrote = Annotated[Entry | None, Key("wrote", Form(_write_entry, _read_entry))]
"""What was written in the same moment."""

Awaited = Annotated[tuple[int, ...], Key("w", NUMBERS)]
"""Seats besides the player's own that have still to decide."""

Totals = Annotated[tuple[int, ...], Key("tot", NUMBERS)]
"""Of all seats in their order."""

Used = Annotated[tuple[tuple[Category, int], ...], Key("used", BOXES)]
"""The boxes that are filled, and what they hold."""

Upper = Annotated[int, Key("up", NUMBER)]
"""The bonus for the upper section that is on the card."""

Yahtzees = Annotated[int, Key("yb", NUMBER)]
"""The bonus for further Yahtzees that is on the card."""

Total = Annotated[int, Key("total", NUMBER)]
"""Of the player's card."""

Place = Annotated[int, Key("place", NUMBER)]
"""The player's, from 1; equal totals share one."""

Why = Annotated[Exit, Key("why", choice(Exit))]
WhyNot = Annotated[Code, Key("code", choice(Code, Code.NO))]

Command = Annotated[str, Key("cmd", WORD)]
"""The kind of the command that was refused."""

BadKey = Annotated[str, Key("key", WORD)]
"""The key of the field that is wrong."""

State = Annotated[Clock, Key("clock", choice(Clock))]

Games = Annotated[int, Key("games", NUMBER)]
"""How many games were told of."""

Best = Annotated[Play, Key("best", PLAY)]
"""What is worth most."""

Worth = Annotated[Decimal, Key("worth", DECIMAL)]
"""Points from here to the end of the game, when all that follows is played best."""

Next = Annotated[Play | None, Key("next", PLAY)]
"""What is worth most but for that."""

Cost = Annotated[Decimal | None, Key("cost", DECIMAL)]
"""By how many points `next` is worth less."""

Start = Annotated[Decimal | None, Key("start", DECIMAL)]
"""What an empty card is worth. `start` + `luck` - `lost` is the total."""

Made = Annotated[Play, Key("made", PLAY)]
"""What was made of the dice."""

BestThen = Annotated[Play | None, Key("best", PLAY)]
"""What was worth most; missing while that is not known."""

LostThen = Annotated[Decimal | None, Key("lost", DECIMAL)]
"""By how many points `made` was worth less; missing as `best` is."""

Luck = Annotated[Decimal, Key("luck", DECIMAL)]
"""Points that the dice brought beyond what was to be expected; less than 0 where they took some."""

Lost = Annotated[Decimal, Key("lost", DECIMAL)]
"""Points lost by decisions that were not the best."""

Costly = Annotated[tuple[Loss, ...], Key("costly", LOSSES)]
"""The decisions that lost most, the worst first, at most three."""
