"""What a card asks of the host. A decision names game, round and roll, so that it can hit no other."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import ClassVar, Final

from protocol.card import fields
from protocol.card.fields import Message
from protocol.card.keys import (
    Box,
    CardName,
    Channel,
    DiceWord,
    GameId,
    Keep,
    Lines,
    Roll,
    Round,
    Token,
    Version,
    WhichLines,
)


class UnknownKind(ValueError):
    """A line for programs that is no command of this version."""

    def __init__(self, kind: str) -> None:
        super().__init__(f"unknown kind {kind!r}")
        self.kind = kind


@dataclass(frozen=True, slots=True)
class Hello(Message):
    """A card is here; from now on the host answers this player in lines for programs too."""

    KIND: ClassVar[str] = "hello"
    version: Version
    lines: WhichLines = Lines.BOTH
    card: CardName = ""


@dataclass(frozen=True, slots=True)
class Register(Message):
    """Take a seat; the channel is needed only where several are possible."""

    KIND: ClassVar[str] = "register"
    channel: Channel = ""


@dataclass(frozen=True, slots=True)
class Practice(Message):
    """Begin a game alone with the host, by the rules of a channel near, or tell all of the one that is on."""

    KIND: ClassVar[str] = "practice"
    channel: Channel = ""


@dataclass(frozen=True, slots=True)
class Hold(Message):
    """Keep these dice of this roll, and roll the others. All five: no roll is spent."""

    KIND: ClassVar[str] = "hold"
    game: GameId
    round: Round
    roll: Roll
    keep: Keep


@dataclass(frozen=True, slots=True)
class Score(Message):
    """Score the dice of this roll in a box."""

    KIND: ClassVar[str] = "score"
    game: GameId
    round: Round
    roll: Roll
    box: Box


@dataclass(frozen=True, slots=True)
class AddWord(Message):
    """Add a word to the dice of the game to come, in the place of one before it."""

    KIND: ClassVar[str] = "seed"
    game: GameId
    word: DiceWord


@dataclass(frozen=True, slots=True)
class AskHint(Message):
    """What is the best that these dice allow? The result says who had hints."""

    KIND: ClassVar[str] = "hint"
    game: GameId
    round: Round
    roll: Roll


@dataclass(frozen=True, slots=True)
class AskState(Message):
    """Tell all that there is to know of my games."""

    KIND: ClassVar[str] = "state"


@dataclass(frozen=True, slots=True)
class Ping(Message):
    """Are you there?"""

    KIND: ClassVar[str] = "ping"
    token: Token = ""


@dataclass(frozen=True, slots=True)
class Bye(Message):
    """No more lines for programs."""

    KIND: ClassVar[str] = "bye"


Command = Hello | Register | Practice | Hold | Score | AddWord | AskHint | AskState | Ping | Bye

KINDS: Final[Mapping[str, type[Command]]] = {
    kind.KIND: kind
    for kind in (Hello, Register, Practice, Hold, Score, AddWord, AskHint, AskState, Ping, Bye)
}


def read(line: str) -> Command | None:
    """What a card asks for; None when the line is none of a program.

    Raises UnknownKind or BadLine.
    """
    found = fields.parts(line)
    if found is None:
        return None
    kind, values = found
    if kind not in KINDS:
        raise UnknownKind(kind)
    return fields.fill(KINDS[kind], values)
