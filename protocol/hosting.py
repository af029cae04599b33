"""What those who run a table, or the host, can type: hosting commands and how they are read.

Their words are never shortened, and what stands after them keeps its case and its signs: it is a nick, a
mask, or a text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, TypeVar

from game.category import Category
from game.level import Level
from protocol import boxes
from protocol.errors import AmbiguousBox, BadUsage, UnknownBox
from protocol.typed import words

CHANNEL: Final = re.compile(r"[#&][^ ,:]+")
_ALSO_A_BOX: Final = "house"  # alone it is short for full house
_NUMBER: Final = re.compile(r"[0-9]{1,9}")


@dataclass(frozen=True, slots=True)
class Pause:
    """Stop the clock of the table."""


@dataclass(frozen=True, slots=True)
class Resume:
    """Let the clock go on."""


@dataclass(frozen=True, slots=True)
class Stop:
    """End the game without a result."""


@dataclass(frozen=True, slots=True)
class Extend:
    """Give everybody more time."""

    seconds: int


@dataclass(frozen=True, slots=True)
class House:
    """Have so many house players at the table, of a level or of the table's own."""

    players: int
    level: Level | None = None


@dataclass(frozen=True, slots=True)
class Remove:
    """Take a player out of the game."""

    nick: str


@dataclass(frozen=True, slots=True)
class Amend:
    """Put what is written in a used box right."""

    nick: str
    category: Category
    points: int
    reason: str


@dataclass(frozen=True, slots=True)
class Ban:
    """Do not serve a person: by nick, or by a mask such as `*!*@host.example`."""

    who: str


@dataclass(frozen=True, slots=True)
class Unban:
    """Serve them again; without a name, tell who is banned."""

    who: str | None


@dataclass(frozen=True, slots=True)
class Say:
    """Say something in the channel."""

    text: str


@dataclass(frozen=True, slots=True)
class Status:
    """Tell how the host is."""


@dataclass(frozen=True, slots=True)
class Reload:
    """Read the configuration again."""


@dataclass(frozen=True, slots=True)
class Shutdown:
    """End the host; games go on when it is started again."""


HostingCommand = (
    Pause | Resume | Stop | Extend | House | Remove | Amend | Ban | Unban | Say | Status | Reload | Shutdown
)


@dataclass(frozen=True, slots=True)
class HostingVerb:
    """A word, what stands after it, and what reads that; reading raises ValueError when it does not fit."""

    usage: str
    read: Callable[[Sequence[str]], HostingCommand]


Verb = TypeVar("Verb")

OF_THE_LEADER: Final = ("pause", "resume", "stop", "extend", "house")
"""What a player may type who has the say at a table."""


def read(line: str) -> tuple[HostingCommand, str | None] | None:
    """The hosting command of a plain line, with the channel that stands before or after its first word.

    None when it begins with another word. Raises BadUsage, AmbiguousBox or UnknownBox.
    """
    found = find_verb(line, VERBS)
    if found is None:
        return None
    name, verb, rest, channel = found
    if name == _ALSO_A_BOX and not rest:
        return None
    try:
        return verb.read(rest), channel
    except (AmbiguousBox, UnknownBox):
        raise
    except ValueError:
        raise BadUsage(name, verb.usage) from None


def find_verb(line: str, verbs: Mapping[str, Verb]) -> tuple[str, Verb, list[str], str | None] | None:
    """Of a plain line its first word, what that stands for, the words after it, and the channel.

    None when it begins with another word.
    """
    said = line.split(" ")
    channel = said.pop(0) if CHANNEL.fullmatch(said[0]) else None
    name = said[0].lower().rstrip(".!,:;") if said else ""
    verb = verbs.get(name)
    if verb is None:
        return None
    rest = said[1:]
    if rest and channel is None and CHANNEL.fullmatch(rest[0]):
        channel = rest.pop(0)
    return name, verb, rest, channel


def text(command: HostingCommand) -> str:
    """The typed form of a command; `read` gives it back."""
    match command:
        case Extend(seconds):
            return f"extend {seconds}"
        case House(players, level):
            return f"house {players} {level.value}" if level else f"house {players}"
        case Remove(nick):
            return f"remove {nick}"
        case Amend(nick, category, points, reason):
            return f"amend {nick} {boxes.name(category)} {points} {reason}"
        case Ban(who):
            return f"ban {who}"
        case Unban(who):
            return f"unban {who}" if who else "unban"
        case Say(said):
            return f"say {said}"
    return type(command).__name__.lower()


def _alone(command: HostingCommand) -> HostingVerb:
    def read_nothing(rest: Sequence[str]) -> HostingCommand:
        if rest:
            raise ValueError
        return command

    return HostingVerb("", read_nothing)


def _word(rest: Sequence[str]) -> str:
    (word,) = rest
    return word


def _number(rest: Sequence[str]) -> int:
    if not _NUMBER.fullmatch(_word(rest)):
        raise ValueError
    return int(_word(rest))


def _house(rest: Sequence[str]) -> House:
    number, *level = rest
    return House(_number([number]), Level(_word(level).lower()) if level else None)


def _text(rest: Sequence[str]) -> str:
    if not rest:
        raise ValueError
    return " ".join(rest)


def _amend(rest: Sequence[str]) -> Amend:
    """The points are the first number that has a box before it: `3 of a kind 18` has one in its name."""
    nick, *about = rest
    numbers = [n for n, word in enumerate(about) if n and _NUMBER.fullmatch(word)]
    for number in numbers:
        found = boxes.fitting(words(" ".join(about[:number])))
        if len(found) == 1 and about[number + 1 :]:
            return Amend(nick, found[0], int(about[number]), " ".join(about[number + 1 :]))
    if numbers:
        boxes.find(words(" ".join(about[: numbers[0]])))
    raise ValueError


VERBS: Final[Mapping[str, HostingVerb]] = MappingProxyType(
    {
        "pause": _alone(Pause()),
        "resume": _alone(Resume()),
        "stop": _alone(Stop()),
        "extend": HostingVerb("SECONDS", lambda rest: Extend(_number(rest))),
        "house": HostingVerb("NUMBER, or NUMBER LEVEL with expert, club or beginner", _house),
        "remove": HostingVerb("NICK", lambda rest: Remove(_word(rest))),
        "amend": HostingVerb("NICK BOX POINTS REASON", _amend),
        "ban": HostingVerb("NICK or MASK", lambda rest: Ban(_word(rest))),
        "unban": HostingVerb("NICK or MASK", lambda rest: Unban(_word(rest) if rest else None)),
        "say": HostingVerb("TEXT", lambda rest: Say(_text(rest))),
        "status": _alone(Status()),
        "reload": _alone(Reload()),
        "shutdown": _alone(Shutdown()),
    }
)
