"""What people ask of the records of finished games, and what operators do to them, as it is typed.

Like hosting commands these words are never shortened, and a nick keeps its case and its signs.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from game.fair import DiceMode
from game.rules import RULE_SETS
from protocol.errors import BadChoice, BadUsage, ExtraWords, Question
from protocol.hosting import CHANNEL, find_verb

LONGEST_NAME: Final = 32
"""Characters of a season's name."""

_SIGNS: Final = '.,;:!?"'
_LITTLE_WORDS: Final = frozenset({"of", "the", "for", "by", "this"})
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")
_RULES: Final = {key: key for key in RULE_SETS}
_DICE: Final = {mode.value: mode for mode in DiceMode}
_OPEN: Final = "NAME FIRST-DAY LAST-DAY, as in season open Spring 2027-03-01 2027-05-31"


class Period(Enum):
    """A time whose games are asked for; the value is the word for it."""

    TODAY = "today"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    ALL = "all"


_PERIODS: Final = {period.value: period for period in Period}


@dataclass(frozen=True, slots=True)
class RecordsCommand:
    """What anybody may ask."""


@dataclass(frozen=True, slots=True)
class Stats(RecordsCommand):
    """Tell the record of somebody, or mine; of all rule sets or of one.

    A nick may also be `account:NAME` or `nick:NAME`, where both have a record.
    """

    nick: str | None = None
    rules: str | None = None
    period: Period = Period.ALL


@dataclass(frozen=True, slots=True)
class Top(RecordsCommand):
    """List the best, by their best total or by games won."""

    rules: str | None = None
    period: Period = Period.ALL
    wins: bool = False


@dataclass(frozen=True, slots=True)
class Ratings(RecordsCommand):
    """List the highest ratings of a rule set and a dice mode, or of those that are played here."""

    rules: str | None = None
    dice: DiceMode | None = None


@dataclass(frozen=True, slots=True)
class Last(RecordsCommand):
    """Show the game that was finished last in a channel."""


@dataclass(frozen=True, slots=True)
class Games(RecordsCommand):
    """List the games that were finished last."""


@dataclass(frozen=True, slots=True)
class Game(RecordsCommand):
    """Show a finished game, by its name or the beginning of it."""

    name: str


@dataclass(frozen=True, slots=True)
class Season(RecordsCommand):
    """Show the table of a season; None for the one that is on."""

    name: str | None = None


@dataclass(frozen=True, slots=True)
class ForgetMe(RecordsCommand):
    """Take my name out of the records; without the code, tell what that means, and the code."""

    code: str | None = None


@dataclass(frozen=True, slots=True)
class KeepingCommand:
    """What operators may do."""


@dataclass(frozen=True, slots=True)
class OpenSeason(KeepingCommand):
    """Have games count for a season from a day to another, both included, as YYYY-MM-DD."""

    name: str
    first: str
    last: str


@dataclass(frozen=True, slots=True)
class CloseSeason(KeepingCommand):
    """End a season now."""

    name: str


@dataclass(frozen=True, slots=True)
class Forget(KeepingCommand):
    """Take somebody's name out of the records; `nick` and `code` are as with Stats and ForgetMe."""

    nick: str
    code: str | None = None


def read(line: str) -> tuple[RecordsCommand | KeepingCommand, str | None] | None:
    """The command of a plain line, with the channel that stands in it.

    None when it begins with another word. Raises BadChoice, BadUsage, ExtraWords or Question.
    """
    found = find_verb(line.rstrip("? "), VERBS)
    if found is None:
        return None
    name, verb, said, channel = found
    said = [word for word in (word.rstrip(_SIGNS) for word in said) if word]
    channels = [*filter(None, [channel]), *filter(CHANNEL.fullmatch, said)]
    if len(channels) > 1:
        raise ExtraWords(channels[0], channels[1])
    command = verb(name, [word for word in said if word not in channels])
    if line.endswith("?") and isinstance(command, ForgetMe | KeepingCommand):
        raise Question(line)
    return command, channels[0] if channels else None


def text(command: RecordsCommand | KeepingCommand) -> str:
    """The typed form of a command; `read` gives it back."""
    match command:
        case Stats(nick, rules, period):
            words = ["stats", nick, rules, _word(period)]
        case Top(rules, period, wins):
            words = ["top", rules, _word(period), "wins" if wins else None]
        case Ratings(rules, dice):
            words = ["ratings", rules, dice and dice.value]
        case Game(name):
            words = ["game", name]
        case Season(name):
            words = ["season", name]
        case ForgetMe(code):
            words = ["forget me", code]
        case OpenSeason(name, first, last):
            words = ["season open", name, first, last]
        case CloseSeason(name):
            words = ["season close", name]
        case Forget(nick, code):
            words = ["forget", nick, code]
        case _:
            words = [type(command).__name__.lower()]
    return " ".join(filter(None, words))


def _word(period: Period) -> str | None:
    return None if period is Period.ALL else period.value


def _chosen(
    verb: str, said: Sequence[str], options: Mapping[str, Mapping[str, object]], others: int = 0
) -> tuple[list[str], dict[str, Any]]:
    """What the words choose of options, each once at most, and as many others as there may be."""
    rest: list[str] = []
    found: dict[str, object] = {}
    for word in said:
        lower = word.lower()
        option = next((name for name, values in options.items() if lower in values), None)
        if lower in _LITTLE_WORDS:
            continue
        if option in found:
            raise ExtraWords(verb, word)
        if option:
            found[option] = options[option][lower]
        elif len(rest) < others:
            rest.append(word)
        else:
            raise BadChoice(verb, word, tuple(word for values in options.values() for word in values))
    return rest, found


def _stats(verb: str, said: Sequence[str]) -> Stats:
    said = said[1:] if said and said[0].lower() == "me" else said
    rest, found = _chosen(verb, said, {"rules": _RULES, "period": _PERIODS}, others=1)
    return Stats(rest[0] if rest else None, **found)


def _top(verb: str, said: Sequence[str]) -> Top:
    _, found = _chosen(verb, said, {"period": _PERIODS, "rules": _RULES, "wins": {"wins": True}})
    return Top(**found)


def _ratings(verb: str, said: Sequence[str]) -> Ratings:
    _, found = _chosen(verb, said, {"rules": _RULES, "dice": _DICE})
    return Ratings(**found)


def _game(verb: str, said: Sequence[str]) -> Game | Last:
    """The last one where none is named."""
    return Game(_only(verb, said).lower()) if said else Last()


def _season(verb: str, said: Sequence[str]) -> Season | OpenSeason | CloseSeason:
    match [said[0].lower() if said else "", *said[1:]]:
        case ["open", *name, first, last] if name and _DAY.fullmatch(first) and _DAY.fullmatch(last):
            return OpenSeason(_name("season open", _OPEN, name), first, last)
        case ["open", *_]:
            raise BadUsage("season open", _OPEN)
        case ["close", *name]:
            return CloseSeason(_name("season close", "NAME", name))
    return Season(" ".join(said) or None)


def _name(verb: str, usage: str, said: Sequence[str]) -> str:
    name = " ".join(said)
    # A name that begins so could not be asked for.
    if not name or len(name) > LONGEST_NAME or said[0].lower() in ("open", "close"):
        raise BadUsage(verb, usage)
    return name


def _forget(verb: str, said: Sequence[str]) -> ForgetMe | Forget:
    who, *code = said or ["me"]
    whole = _only(verb, code).lower() if code else None
    return ForgetMe(whole) if who.lower() == "me" else Forget(who, whole)


def _only(verb: str, said: Sequence[str]) -> str:
    if len(said) > 1:
        raise ExtraWords(verb, " ".join(said[1:]))
    return said[0]


def _alone(command: RecordsCommand) -> Callable[[str, Sequence[str]], RecordsCommand]:
    def read_nothing(verb: str, said: Sequence[str]) -> RecordsCommand:
        if said:
            raise ExtraWords(verb, " ".join(said))
        return command

    return read_nothing


VERBS: Final[Mapping[str, Callable[[str, Sequence[str]], RecordsCommand | KeepingCommand]]] = (
    MappingProxyType(
        {
            "stats": _stats,
            "top": _top,
            "ratings": _ratings,
            "last": _alone(Last()),
            "games": _alone(Games()),
            "game": _game,
            "season": _season,
            "forget": _forget,
        }
    )
)
