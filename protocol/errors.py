"""What a typed line can get wrong. Every error carries data; people read its wording in the host."""

from __future__ import annotations

from game.category import Category


class ProtocolError(ValueError):
    """The line is not understood. Nothing has changed."""


class EmptyLine(ProtocolError):
    """Nothing is left once formatting and spaces are gone."""


class UnknownCommand(ProtocolError):
    """The first word is no command and the line no box; `close` are names that look alike."""

    def __init__(self, word: str, close: tuple[str, ...]) -> None:
        super().__init__(f"unknown command {word!r}")
        self.word, self.close = word, close


class AmbiguousCommand(ProtocolError):
    """An abbreviation that fits several names."""

    def __init__(self, word: str, names: tuple[str, ...]) -> None:
        super().__init__(f"{word!r} may be {', '.join(names)}")
        self.word, self.names = word, names


class Question(ProtocolError):
    """A line that ends with a question mark and would do something; a score says in which box."""

    def __init__(self, words: str, category: Category | None = None) -> None:
        super().__init__(f"{words!r} asks and does nothing")
        self.words, self.category = words, category


class BareDice(ProtocolError):
    """Digits or letters of dice without a word that says whether to keep or to roll them."""

    def __init__(self, dice: str) -> None:
        super().__init__(f"keep or reroll {dice!r}?")
        self.dice = dice


class MissingDice(ProtocolError):
    """Keep or reroll without dice."""

    def __init__(self, verb: str) -> None:
        super().__init__(f"{verb} which dice?")
        self.verb = verb


class NotDice(ProtocolError):
    """A word after keep or reroll that is neither faces nor letters of dice."""

    def __init__(self, verb: str, word: str) -> None:
        super().__init__(f"{word!r} is no dice to {verb}")
        self.verb, self.word = verb, word


class MixedDice(ProtocolError):
    """Faces and letters in one command."""

    def __init__(self, verb: str, words: str) -> None:
        super().__init__(f"{verb} {words!r} mixes faces and letters")
        self.verb, self.words = verb, words


class RepeatedLetter(ProtocolError):
    """A die was named twice."""

    def __init__(self, verb: str, letter: str) -> None:
        super().__init__(f"{verb} names die {letter} twice")
        self.verb, self.letter = verb, letter


class BadWord(ProtocolError):
    """No word that can be added to dice."""

    def __init__(self, word: str) -> None:
        super().__init__(f"{word!r} is no word")
        self.word = word


class MissingToken(ProtocolError):
    """Return without a token."""


class MissingBox(ProtocolError):
    """Score without a box."""


class UnknownBox(ProtocolError):
    """No box has such a name; `close` are names that look alike."""

    def __init__(self, words: str, close: tuple[str, ...]) -> None:
        super().__init__(f"unknown box {words!r}")
        self.words, self.close = words, close


class AmbiguousBox(ProtocolError):
    """A name that fits several boxes."""

    def __init__(self, words: str, categories: tuple[Category, ...]) -> None:
        super().__init__(f"{words!r} may be {', '.join(c.value for c in categories)}")
        self.words, self.categories = words, categories


class BadChoice(ProtocolError):
    """A setting's value, or a help topic, that does not exist."""

    def __init__(self, verb: str, word: str, possible: tuple[str, ...]) -> None:
        super().__init__(f"{verb} {word!r}: possible are {', '.join(possible)}")
        self.verb, self.word, self.possible = verb, word, possible


class ExtraWords(ProtocolError):
    """Words after a command that takes none."""

    def __init__(self, verb: str, words: str) -> None:
        super().__init__(f"{verb} takes nothing after it, not {words!r}")
        self.verb, self.words = verb, words


class BadUsage(ProtocolError):
    """A hosting command with something else after it than `usage`, which is empty where nothing belongs."""

    def __init__(self, verb: str, usage: str) -> None:
        super().__init__(f"{verb} {usage}".rstrip())
        self.verb, self.usage = verb, usage
