"""A typed line to a command.

Lenient in form (case, spaces, punctuation, formatting, unique abbreviations), strict in meaning: digits are
always faces, letters always places, and where two things can be meant nothing is done.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from game.dice import FACES
from protocol import boxes
from protocol.commands import (
    LETTERS,
    PRACTICE,
    Command,
    Every,
    Faces,
    Help,
    Hint,
    Join,
    Keep,
    Leave,
    Look,
    LookAt,
    NoDice,
    Places,
    Practice,
    Reroll,
    Return,
    Score,
    Seed,
    Selection,
    SetNotice,
    SetStyle,
    Start,
    Style,
    Topic,
)
from protocol.commands import text as typed
from protocol.errors import (
    AmbiguousBox,
    AmbiguousCommand,
    BadChoice,
    BadWord,
    BareDice,
    EmptyLine,
    ExtraWords,
    MissingDice,
    MissingToken,
    MixedDice,
    NotDice,
    Question,
    RepeatedLetter,
    UnknownCommand,
)
from protocol.fairness import WORD
from protocol.hosting import CHANNEL, OF_THE_LEADER, HostingCommand
from protocol.hosting import VERBS as HOSTING_VERBS
from protocol.hosting import read as read_hosting
from protocol.records import VERBS as RECORDS_VERBS
from protocol.records import KeepingCommand, RecordsCommand
from protocol.records import read as read_records
from protocol.typed import QUOTES, span_of_dice, unquoted, visible, words

_JOINED: Final = re.compile(r"([a-z]+)([0-9]+)")
_FOR_PRACTICE: Final = re.compile(
    rf"[ {re.escape(''.join(QUOTES))}]*practi[cs]e[ ,:]+(?=[a-z0-9$?])", re.IGNORECASE | re.ASCII
)
"""What stands before a line about the practice game."""

_CASUAL_CODES: Final = frozenset({"hi", "lo", "si"})
"""Codes of boxes that are greetings, or a yes, somewhere."""

_DOES_SOMETHING: Final = (Join, Leave, Start, Seed, Practice, Keep, Reroll, Score)
_LITTLE_WORDS: Final = frozenset({"and", "the"})
_SHORTEST_BARE_ABBREVIATION: Final = 3
"""`y` may be a yes and `on` a word; a box is spent only where somebody meant it."""


@dataclass(frozen=True, slots=True)
class Line:
    """A parsed line: the command, and the channel when one was named as in `#y keep 4 4`.

    In `practice keep 4 4` that is PRACTICE.
    """

    command: Command | HostingCommand | RecordsCommand | KeepingCommand
    channel: str | None = None


@dataclass(frozen=True, slots=True)
class Verb:
    """A word of the language: its names, the canonical one first, and what reads the words after it."""

    names: tuple[str, ...]
    read: Callable[[str, Sequence[str]], Command]
    shortest: int = 1
    """Letters that an abbreviation has at least."""

    def begins(self, letters: str) -> bool:
        """Whether one of the names begins so."""
        return len(letters) >= self.shortest and any(name.startswith(letters) for name in self.names)


def parse(line: str) -> Line:
    """The command that a typed line means, without its prefix.

    Raises a ProtocolError; nothing of the line has been done then.
    """
    shown = visible(line)
    if before := _FOR_PRACTICE.match(shown):
        return _practised(_parsed(shown[before.end() :]))
    return _parsed(shown)


def _parsed(line: str) -> Line:
    """Of a visible line."""
    if found := read_hosting(line) or read_records(line):
        return Line(*found)
    text = unquoted(line)
    named = CHANNEL.findall(text)
    rest = CHANNEL.sub(" ", text)
    said = words(rest)
    command = Help() if rest.strip() == "?" else _command(said)
    if isinstance(command, Seed):
        command = Seed(_word(rest))
    if rest.rstrip().endswith("?") and isinstance(command, _DOES_SOMETHING):
        raise Question(rest.strip(), command.category if isinstance(command, Score) else None)
    if rest.rstrip().endswith("!") and isinstance(command, Score) and said[0] not in _BY_NAME:
        command = replace(command, casual=True)
    if isinstance(command, Keep | Reroll) and (span := span_of_dice(rest)):
        raise NotDice(type(command).__name__.lower(), span)
    if len(named) > 1:
        raise ExtraWords(named[0], named[1])
    return Line(command, named[0] if named else None)


def for_practice(line: str) -> bool:
    """Whether a typed line is about the practice game, whatever else it says."""
    return _FOR_PRACTICE.match(visible(line)) is not None


def _practised(line: Line) -> Line:
    if line.channel:
        raise ExtraWords(PRACTICE, line.channel)
    match line.command:
        case Practice() | Join() | Start():
            return Line(Practice())
        case Help(None):
            return Line(Help(Topic.PRACTICE))
        case RecordsCommand() | KeepingCommand():
            raise ExtraWords(PRACTICE, typed(line.command))
    return replace(line, channel=PRACTICE)


def _command(said: Sequence[str]) -> Command:
    if not said:
        raise EmptyLine
    first, rest = said[0], said[1:]
    joined = _JOINED.fullmatch(first)
    if joined and joined[1] in _DICE_WORDS:
        first, rest = joined[1], [joined[2], *rest]
    if first in _BY_NAME:
        return _BY_NAME[first].read(first, rest)
    box = boxes.in_full(said)
    if box:
        return Score(box, casual=len(said) == 1 and first in _CASUAL_CODES)
    return _abbreviated(first, rest, said)


def _abbreviated(first: str, rest: Sequence[str], said: Sequence[str]) -> Command:
    verbs = [verb for verb in VERBS if verb.begins(first)]
    found = boxes.fitting(said)
    if len(verbs) == 1 and not found:
        return verbs[0].read(verbs[0].names[0], rest)
    if not verbs and len("".join(said)) >= _SHORTEST_BARE_ABBREVIATION:
        if len(found) == 1:
            return Score(found[0], casual=True)
        if found:
            raise AmbiguousBox(" ".join(said), found)
    if verbs:
        names = [next(name for name in verb.names if name.startswith(first)) for verb in verbs]
        raise AmbiguousCommand(first, (*names, *map(boxes.name, found)))
    if all(set(word) <= set("0123456789") or set(word) <= set(LETTERS) for word in said):
        raise BareDice(" ".join(said))
    known = [name for verb in VERBS for name in verb.names if name not in _NOT_GUESSED]
    known += [boxes.name(c) for c in boxes.CODES]
    known += OF_THE_LEADER
    raise UnknownCommand(first, tuple(difflib.get_close_matches(first, known, n=2, cutoff=0.7)))


def _selection(verb: str, said: Sequence[str]) -> Selection:
    """Dice from words such as `4 4`, `44`, `a b`, `ab`, `all` and `none`."""
    said = [word for word in said if word not in _LITTLE_WORDS]
    if not said:
        raise MissingDice(verb)
    if list(said) == ["all"]:
        return Every()
    if list(said) == ["none"]:
        return NoDice()
    marks = "".join(said)
    digits = [mark for mark in marks if mark in "0123456789"]
    letters = [mark for mark in marks if mark in LETTERS]
    strangers = [word for word in said if not set(word) <= set("0123456789" + LETTERS)]
    if strangers:
        raise NotDice(verb, strangers[0])
    if digits and letters:
        raise MixedDice(verb, " ".join(said))
    if letters:
        twice = [letter for letter in LETTERS if letters.count(letter) > 1]
        if twice:
            raise RepeatedLetter(verb, twice[0])
        return Places(frozenset(LETTERS.index(letter) for letter in letters))
    no_faces = [digit for digit in digits if int(digit) not in FACES]
    if no_faces:
        raise NotDice(verb, no_faces[0])
    return Faces(tuple(sorted(map(int, digits))))


def _choice(verb: str, said: Sequence[str], possible: dict[str, str]) -> str | None:
    """One of the possible words, by its name or a unique abbreviation; None when nothing was said."""
    if not said:
        return None
    word = "".join(said)
    fits = {possible[word]} if word in possible else {v for k, v in possible.items() if k.startswith(word)}
    if len(fits) != 1:
        raise BadChoice(verb, " ".join(said), tuple(dict.fromkeys(possible.values())))
    return fits.pop()


def _alone(command: Command) -> Callable[[str, Sequence[str]], Command]:
    def read(verb: str, rest: Sequence[str]) -> Command:
        if rest:
            raise ExtraWords(verb, " ".join(rest))
        return command

    return read


def _return(verb: str, rest: Sequence[str]) -> Command:
    token = "".join(rest)
    if not token:
        raise MissingToken
    return Return(token)


def _word(line: str) -> str | None:
    """What stands after the first word of a line, with its case and its signs."""
    parts = (part.strip(",;:") for part in line.split()[1:])
    word = "-".join(filter(None, parts))
    if word and not re.fullmatch(WORD, word):
        raise BadWord(word)
    return word or None


def _style(verb: str, rest: Sequence[str]) -> Command:
    possible = {style.value: style.value for style in Style} | {"color": Style.COLOUR.value}
    chosen = _choice(verb, rest, possible)
    return SetStyle(Style(chosen) if chosen else None)


def _notice(verb: str, rest: Sequence[str]) -> Command:
    chosen = _choice(verb, rest, {"on": "on", "off": "off"})
    return SetNotice(None if chosen is None else chosen == "on")


def _help(verb: str, rest: Sequence[str]) -> Command:
    """Topics, and every word of the language that belongs to one."""
    possible = {topic.value: topic.value for topic in Topic}
    possible |= {word: topic.value for topic, said in _TOPIC_WORDS.items() for word in said}
    if len(rest) == 1 and rest[0] in RECORDS_VERBS:
        return Help(Topic.RECORDS)
    if boxes.in_full(rest):
        return Help(Topic.BOXES)
    if set(rest) <= _ASKING:
        return Help()
    chosen = _choice(verb, rest, possible)
    return Help(Topic(chosen) if chosen else None)


_ASKING: Final = frozenset({"help", "me", "please", "pls", "commands"})
_TOPIC_WORDS: Final = {
    Topic.LOBBY: ("join", "register", "leave", "start", "return"),
    Topic.KEEP: ("hold",),
    Topic.REROLL: ("roll",),
    Topic.SCORE: (),
    Topic.BOXES: ("names",),
    Topic.LOOK: ("dice", "card", "scores", "who", "time", "hint", "analysis"),
    Topic.STYLE: ("notice",),
    Topic.RULES: (),
    Topic.FAIR: ("seed", "fairness"),
    Topic.PRACTICE: ("practise",),
    Topic.RECORDS: (),  # its words are taken in full only, since others are shortened
    Topic.HOSTING: (*HOSTING_VERBS, "operator"),
}

_NOT_GUESSED: Final = ("seed",)
"""Words that other bots' commands are too close to, such as `seen`."""

_SHORTEST: Final = {"analysis": 2, "hint": 3, PRACTICE: 3}
"""Where fewer letters may be meant otherwise: `a` is the place of a die, `hi` a greeting, and `p` a slip."""

VERBS: Final = (
    Verb(("join", "register", "$"), _alone(Join())),
    Verb(("leave",), _alone(Leave())),
    Verb(("start",), _alone(Start())),
    Verb(("return",), _return),
    # What comes after it is read with its case, where the line is still whole.
    Verb(("seed",), lambda verb, rest: Seed()),
    Verb(("keep", "hold", "k"), lambda verb, rest: Keep(_selection(verb, rest))),
    Verb(("reroll", "roll", "r"), lambda verb, rest: Reroll(_selection(verb, rest))),
    Verb(("score", "s"), lambda verb, rest: Score(boxes.find(rest))),
    *(Verb((at.value,), _alone(Look(at)), _SHORTEST.get(at.value, 1)) for at in LookAt),
    Verb(("hint",), _alone(Hint()), _SHORTEST["hint"]),
    Verb((PRACTICE, "practise"), _alone(Practice()), _SHORTEST[PRACTICE]),
    Verb(("help",), _help),
    Verb(("style",), _style),
    Verb(("notice",), _notice),
)

_BY_NAME: Final = {name: verb for verb in VERBS for name in verb.names}
_DICE_WORDS: Final = ("keep", "hold", "k", "reroll", "roll", "r")
