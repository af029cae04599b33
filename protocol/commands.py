"""What a player can ask for. Commands are imperatives; `text` writes each the way the parser knows best."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import Enum
from typing import Final

from game.category import Category
from game.dice import ALL, NONE, Dice, Positions
from protocol import boxes, hosting, records
from protocol.hosting import HostingCommand
from protocol.records import KeepingCommand, RecordsCommand

LETTERS: Final = "abcde"

PRACTICE: Final = "practice"
"""Stands before a line as a channel does, for the practice game; no channel is called so."""


@dataclass(frozen=True, slots=True)
class Faces:
    """Dice named by what they show, in ascending order."""

    faces: tuple[int, ...]

    def find(self, dice: Dice) -> Positions:
        """The places that are meant. Raises MissingFace."""
        return dice.find(self.faces)

    def __str__(self) -> str:
        return " ".join(map(str, self.faces))


@dataclass(frozen=True, slots=True)
class Places:
    """Dice named by their letters: 0 is a, 4 is e."""

    places: Positions

    def find(self, dice: Dice) -> Positions:
        return self.places

    def __str__(self) -> str:
        return " ".join(LETTERS[place] for place in sorted(self.places))


@dataclass(frozen=True, slots=True)
class Every:
    """All five dice."""

    def find(self, dice: Dice) -> Positions:
        return ALL

    def __str__(self) -> str:
        return "all"


@dataclass(frozen=True, slots=True)
class NoDice:
    """None of the dice."""

    def find(self, dice: Dice) -> Positions:
        return NONE

    def __str__(self) -> str:
        return "none"


Selection = Faces | Places | Every | NoDice


class LookAt(Enum):
    """Things to look at; the value is the word for it."""

    DICE = "dice"
    CARD = "card"
    SCORES = "scores"
    WHO = "who"
    TIME = "time"
    RULES = "rules"
    ANALYSIS = "analysis"


class Style(Enum):
    """How a player's private lines are dressed."""

    PLAIN = "plain"
    COLOUR = "colour"
    UNICODE = "unicode"


class Topic(Enum):
    """What there is help on."""

    LOBBY = "lobby"
    KEEP = "keep"
    REROLL = "reroll"
    SCORE = "score"
    BOXES = "boxes"
    LOOK = "look"
    STYLE = "style"
    RULES = "rules"
    FAIR = "fair"
    PRACTICE = "practice"
    RECORDS = "records"
    HOSTING = "hosting"


@dataclass(frozen=True, slots=True)
class Join:
    """Take a seat; the first one opens the table."""


@dataclass(frozen=True, slots=True)
class Leave:
    """Give the seat up."""


@dataclass(frozen=True, slots=True)
class Return:
    """Take a seat up again by its token, a secret of its owner."""

    token: str = field(repr=False)


@dataclass(frozen=True, slots=True)
class Seed:
    """Add my word to the dice of the game; without one, show what there is to check them by."""

    word: str | None = None


@dataclass(frozen=True, slots=True)
class Start:
    """Begin the game now."""


@dataclass(frozen=True, slots=True)
class Keep:
    """Keep these dice, roll the others."""

    selection: Selection

    def kept(self, dice: Dice) -> Positions:
        """The places that stay. Raises MissingFace."""
        return self.selection.find(dice)


@dataclass(frozen=True, slots=True)
class Reroll:
    """Roll these dice again, keep the others."""

    selection: Selection

    def kept(self, dice: Dice) -> Positions:
        """The places that stay. Raises MissingFace."""
        return ALL - self.selection.find(dice)


@dataclass(frozen=True, slots=True)
class Score:
    """Write the dice into a box."""

    category: Category
    casual: bool = field(default=False, compare=False)
    """The line was only a shortened name, or a code such as `hi`: it may be said without meaning a box."""


@dataclass(frozen=True, slots=True)
class Look:
    """Show something; nothing changes."""

    at: LookAt


@dataclass(frozen=True, slots=True)
class Hint:
    """Tell what is best to do with my dice."""


@dataclass(frozen=True, slots=True)
class Practice:
    """Begin a game alone with the host, or show the dice of the one that is on."""


@dataclass(frozen=True, slots=True)
class Help:
    """Explain the commands, or one topic."""

    topic: Topic | None = None


@dataclass(frozen=True, slots=True)
class SetStyle:
    """Dress my private lines so; None asks how they are."""

    style: Style | None


@dataclass(frozen=True, slots=True)
class SetNotice:
    """Send my private lines as notices, or as messages; None asks which."""

    on: bool | None


Command = (
    Join
    | Leave
    | Return
    | Start
    | Seed
    | Keep
    | Reroll
    | Score
    | Look
    | Hint
    | Practice
    | Help
    | SetStyle
    | SetNotice
)


def text(command: Command | HostingCommand | RecordsCommand | KeepingCommand) -> str:
    """The canonical typed form; `parse` gives the command back."""
    match command:
        case Keep(selection):
            return f"keep {selection}"
        case Reroll(selection):
            return f"reroll {selection}"
        case Score(category):
            return f"score {boxes.name(category)}"
        case Look(at):
            return at.value
        case Help(topic):
            return f"help {topic.value}" if topic else "help"
        case SetStyle(style):
            return f"style {style.value}" if style else "style"
        case SetNotice(on):
            return "notice" if on is None else f"notice {'on' if on else 'off'}"
        case Return(token):
            return f"return {token}"
        case Seed(word):
            return f"seed {word}" if word else "seed"
        case Join() | Leave() | Start() | Hint() | Practice():
            return type(command).__name__.lower()
        case RecordsCommand() | KeepingCommand():
            return records.text(command)
        case _:
            return hosting.text(command)
