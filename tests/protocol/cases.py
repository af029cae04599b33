"""What players type, and what it means: one table of lines for the parser."""

from __future__ import annotations

from typing import Final

from game.category import Category
from protocol.commands import (
    Command,
    Every,
    Faces,
    Help,
    Join,
    Keep,
    Leave,
    Look,
    LookAt,
    NoDice,
    Places,
    Reroll,
    Return,
    Score,
    SetNotice,
    SetStyle,
    Start,
    Style,
    Topic,
)
from protocol.errors import (
    AmbiguousBox,
    AmbiguousCommand,
    BadChoice,
    BadUsage,
    BareDice,
    EmptyLine,
    ExtraWords,
    MissingBox,
    MissingDice,
    MissingToken,
    MixedDice,
    NotDice,
    ProtocolError,
    Question,
    RepeatedLetter,
    UnknownBox,
    UnknownCommand,
)
from protocol.parser import Line

Meaning = Command | Line | ProtocolError

C = Category


def keep(*faces: int) -> Keep:
    return Keep(Faces(faces))


def reroll(*faces: int) -> Reroll:
    return Reroll(Faces(faces))


def places(letters: str) -> Places:
    return Places(frozenset("abcde".index(letter) for letter in letters))


LOBBY: Final[list[tuple[str, Meaning]]] = [
    ("join", Join()),
    ("register", Join()),
    ("$", Join()),
    ("$!", Join()),
    ("!$", Join()),
    ("JOIN", Join()),
    ("  join  ", Join()),
    ("j", Join()),
    ("jo", Join()),
    ("reg", Join()),
    ("leave", Leave()),
    ("lea", Leave()),
    ("return abc2345678", Return("abc2345678")),
    (" RETURN  ABC23-45678 ", Return("abc2345678")),
    ("ret abc23 45678", Return("abc2345678")),
    ("return", MissingToken()),
    ("start", Start()),
    ("sta", Start()),
    ("start!", Start()),
    ("join now", ExtraWords("join", "now")),
    ("start the game", ExtraWords("start", "the game")),
    ("leave me alone", ExtraWords("leave", "me alone")),
]

DICE: Final[list[tuple[str, Meaning]]] = [
    ("keep 4 4", keep(4, 4)),
    ("keep 4 and 4", keep(4, 4)),
    ("keep the 4 4", keep(4, 4)),
    ("hold 44", keep(4, 4)),
    ("k 44", keep(4, 4)),
    ("k44", keep(4, 4)),
    ("K44", keep(4, 4)),
    ("keep44", keep(4, 4)),
    ("hold4 4", keep(4, 4)),
    ("kee 44", keep(4, 4)),
    ("ho 44", keep(4, 4)),
    ("keep 6 1 4", keep(1, 4, 6)),
    ("keep 4,4", keep(4, 4)),
    ("keep 4, 4,", keep(4, 4)),
    ("keep (4 4)", keep(4, 4)),
    ("keep [4 4 2 6 1]", keep(1, 2, 4, 4, 6)),
    ("keep 4+4", keep(4, 4)),
    ("keep 4.", keep(4)),
    ("keep: 4 4", keep(4, 4)),
    ("keep 4 4 -", keep(4, 4)),
    ("reroll 2 6 1", reroll(1, 2, 6)),
    ("roll 261", reroll(1, 2, 6)),
    ("r 261", reroll(1, 2, 6)),
    ("r261", reroll(1, 2, 6)),
    ("r2 6 1", reroll(1, 2, 6)),
    ("ro 261", reroll(1, 2, 6)),
    ("rer 261", reroll(1, 2, 6)),
    ("reroll all", Reroll(Every())),
    ("r all", Reroll(Every())),
    ("keep all", Keep(Every())),
    ("hold all", Keep(Every())),
    ("reroll none", Reroll(NoDice())),
    ("keep none", Keep(NoDice())),
    ("keep a b", Keep(places("ab"))),
    ("keep AB", Keep(places("ab"))),
    ("k b, a", Keep(places("ab"))),
    ("reroll cde", Reroll(places("cde"))),
    ("roll e", Reroll(places("e"))),
    ("keep a", Keep(places("a"))),
    ("keep a b c d e", Keep(places("abcde"))),
    # More dice than there are: syntax knows nothing of what lies on the table.
    ("keep 4 4 4", keep(4, 4, 4)),
    ("keep 111111", keep(1, 1, 1, 1, 1, 1)),
    ("keep", MissingDice("keep")),
    ("k", MissingDice("k")),
    ("r", MissingDice("r")),
    ("roll", MissingDice("roll")),
    ("reroll ,", MissingDice("reroll")),
    ("keep 0", NotDice("keep", "0")),
    ("keep 7", NotDice("keep", "7")),
    ("k7", NotDice("k", "7")),
    ("keep 4 9 4", NotDice("keep", "9")),
    ("reroll ²", NotDice("reroll", "²")),
    ("reroll ٢", NotDice("reroll", "٢")),
    ("keep \N{FULLWIDTH DIGIT FOUR}", NotDice("keep", "\N{FULLWIDTH DIGIT FOUR}")),
    ("keep ④", NotDice("keep", "④")),
    ("keep ⚃ ⚃", NotDice("keep", "⚃")),
    ("keep f", NotDice("keep", "f")),
    ("keep fours", NotDice("keep", "fours")),
    ("keep ace", Keep(places("ace"))),
    ("k aces", NotDice("k", "aces")),
    ("keep all 4", NotDice("keep", "all")),
    ("keep 4 all", NotDice("keep", "all")),
    ("keep а", NotDice("keep", "а")),  # noqa: RUF001 - a Cyrillic letter
    ("keep 4 a", MixedDice("keep", "4 a")),
    ("keep a4", MixedDice("keep", "a4")),
    ("r 2d6", MixedDice("r", "2d6")),
    ("reroll 0 a", MixedDice("reroll", "0 a")),
    ("keep aa", RepeatedLetter("keep", "a")),
    ("keep a b A", RepeatedLetter("keep", "a")),
    ("reroll dcd", RepeatedLetter("reroll", "d")),
    ("keep a-c", NotDice("keep", "a-c")),
    ("hold a – e", NotDice("keep", "a – e")),  # noqa: RUF001 - an en dash
    ("r A..C", NotDice("reroll", "a..c")),
    ("keep a…c", NotDice("keep", "a…c")),
    ("reroll 2-4", NotDice("reroll", "2-4")),
    ("k4-4", NotDice("keep", "4-4")),
    ("keep - a", Keep(places("a"))),
    ("chance?", Question("chance?", C.CHANCE)),
    ("score fh ?", Question("score fh ?", C.FULL_HOUSE)),
    ("k a?", Question("k a?")),
    ("leave?", Question("leave?")),
    ("start ?", Question("start ?")),
    ("4", BareDice("4")),
    ("44", BareDice("44")),
    ("4 4", BareDice("4 4")),
    ("3", BareDice("3")),
    ("abc", BareDice("abc")),
    ("a b", BareDice("a b")),
    ("4 a", BareDice("4 a")),
]

_ALONE: Final[dict[Category, str]] = {
    C.ACES: "ac|1s|1 s|aces|ones|ace|one",
    C.TWOS: "tw|2s|twos|two|deuces|deuce",
    C.THREES: "th|3s|threes",
    C.FOURS: "fo|4s|fours",
    C.FIVES: "fi|5s|fives|five|fiv",
    C.SIXES: "si|6s|sixes|six",
    C.THREE_OF_A_KIND: "3k|tk|3 k|3 of a kind|three of a kind|3-of-a-kind|three kind|3oak|3ofakind"
    "|threeofakind|3kind|three of a k|the three of a kind",
    C.FOUR_OF_A_KIND: "4k|fk|4 of a kind|four of a kind|4-of-a-kind|four kind|4oak|4ofakind"
    "|fourofakind|4kind",
    C.FULL_HOUSE: "fh|f h|full house|full-house|fullhouse|full|ful|fullh|house|full h|my full house",
    C.SMALL_STRAIGHT: "ss|lo|small straight|low straight|short straight|small|low|sma|smallstraight"
    "|sm straight|sm str|sm. str.|low str|s straight",
    C.LARGE_STRAIGHT: "ls|large straight|high straight|long straight|big straight|large|high|big|lar"
    "|lg straight|lg str|high str|largestraight",
    C.YAHTZEE: "yz|yh|yahtzee|yardzee|yatzee|yatzy|yah|yard|five of a kind|5 of a kind|yahtzee!",
    C.CHANCE: "ch|chance|chan|cha",
}
# After `score` an abbreviation may be as short as one letter, and `hi` is no greeting.
_AFTER_SCORE: Final[dict[Category, str]] = {
    C.ACES: "1|a|o|the aces|in aces",
    C.TWOS: "2",
    C.FIVES: "5",
    C.SIXES: "6",
    C.LARGE_STRAIGHT: "hi|hi!",
    C.YAHTZEE: "y|as yahtzee|in my yahtzee box",
    C.CHANCE: "c|as chance",
}

BOXES: Final[list[tuple[str, Meaning]]] = [
    *((line, Score(box)) for box, lines in _ALONE.items() for line in lines.split("|") if line[:2] != "s "),
    *(
        (f"{verb} {line}", Score(box))
        for names in (_ALONE, _AFTER_SCORE)
        for box, lines in names.items()
        for line in lines.split("|")
        for verb in ("score", "s", "SCORE")
    ),
    ("hi", Score(C.LARGE_STRAIGHT, casual=True)),
    ("Hi!", Score(C.LARGE_STRAIGHT, casual=True)),
    ("sfh", UnknownCommand("sfh", ())),
    ("stop it", BadUsage("stop", "")),
    ("score 3", AmbiguousBox("3", (C.THREES, C.THREE_OF_A_KIND))),
    ("score three", AmbiguousBox("three", (C.THREES, C.THREE_OF_A_KIND))),
    ("three", AmbiguousBox("three", (C.THREES, C.THREE_OF_A_KIND))),
    ("score 4", AmbiguousBox("4", (C.FOURS, C.FOUR_OF_A_KIND))),
    ("score four", AmbiguousBox("four", (C.FOURS, C.FOUR_OF_A_KIND))),
    ("four", AmbiguousBox("four", (C.FOURS, C.FOUR_OF_A_KIND))),
    ("score f", AmbiguousBox("f", (C.FOURS, C.FIVES, C.FOUR_OF_A_KIND, C.FULL_HOUSE))),
    ("score kind", AmbiguousBox("kind", (C.THREE_OF_A_KIND, C.FOUR_OF_A_KIND))),
    ("of a kind", AmbiguousBox("of a kind", (C.THREE_OF_A_KIND, C.FOUR_OF_A_KIND))),
    ("straight", AmbiguousBox("straight", (C.SMALL_STRAIGHT, C.LARGE_STRAIGHT))),
    ("score str", AmbiguousBox("str", (C.SMALL_STRAIGHT, C.LARGE_STRAIGHT))),
    ("s s", AmbiguousBox("s", (C.SIXES, C.SMALL_STRAIGHT, C.LARGE_STRAIGHT))),
    ("score l", AmbiguousBox("l", (C.SMALL_STRAIGHT, C.LARGE_STRAIGHT))),
    ("score", MissingBox()),
    ("s", MissingBox()),
    ("score !", MissingBox()),
    ("score nonsense", UnknownBox("nonsense", ())),
    ("score full hoose", UnknownBox("full hoose", ("full house",))),
    ("score fh ch", UnknownBox("fh ch", ())),
    ("score 7", UnknownBox("7", ())),
    ("score 44", UnknownBox("44", ())),
    ("score \N{FULLWIDTH DIGIT THREE}k", UnknownBox("\N{FULLWIDTH DIGIT THREE}k", ())),
    ("score \N{KELVIN SIGN}ind", UnknownBox("\N{KELVIN SIGN}ind", ())),
]

LOOKS: Final[list[tuple[str, Meaning]]] = [
    *((at.value, Look(at)) for at in LookAt),
    *((at.value.upper() + " ? ", Look(at)) for at in LookAt),
    ("d", Look(LookAt.DICE)),
    ("w", Look(LookAt.WHO)),
    ("ti", Look(LookAt.TIME)),
    ("ru", Look(LookAt.RULES)),
    ("dice please", ExtraWords("dice", "please")),
    ("who are you", ExtraWords("who", "are you")),
    ("help", Help()),
    ("help!", Help()),
    ("he", Help()),
    *((f"help {topic.value}", Help(topic)) for topic in Topic),
    ("help join", Help(Topic.LOBBY)),
    ("help hold", Help(Topic.KEEP)),
    ("help roll", Help(Topic.REROLL)),
    ("help scores", Help(Topic.LOOK)),
    ("help notice", Help(Topic.STYLE)),
    ("help box", Help(Topic.BOXES)),
    ("help me", Help()),
    ("help please", Help()),
    ("help me please", Help()),
    ("help nobody", BadChoice("help", "nobody", tuple(topic.value for topic in Topic))),
    ("style", SetStyle(None)),
    ("style plain", SetStyle(Style.PLAIN)),
    ("style colour", SetStyle(Style.COLOUR)),
    ("style color", SetStyle(Style.COLOUR)),
    ("style c", SetStyle(Style.COLOUR)),
    ("Style Unicode", SetStyle(Style.UNICODE)),
    ("style blue", BadChoice("style", "blue", ("plain", "colour", "unicode"))),
    ("notice", SetNotice(None)),
    ("notice on", SetNotice(True)),
    ("notice off", SetNotice(False)),
    ("not of", SetNotice(False)),
    ("notice o", BadChoice("notice", "o", ("on", "off"))),
    ("notice maybe", BadChoice("notice", "maybe", ("on", "off"))),
]

TALK: Final[list[tuple[str, Meaning]]] = [
    ("", EmptyLine()),
    ("   ", EmptyLine()),
    ("!", EmptyLine()),
    ("?!…", EmptyLine()),
    ("\x03\x02\x0f", EmptyLine()),
    ("\N{ZERO WIDTH SPACE}", EmptyLine()),
    ("“”", EmptyLine()),
    # A box is spent only where somebody meant it.
    ("y", UnknownCommand("y", ())),
    ("on", UnknownCommand("on", ())),
    ("yes", UnknownCommand("yes", ())),
    ("ok", UnknownCommand("ok", ())),
    ("f", UnknownCommand("f", ())),
    ("fu", UnknownCommand("fu", ())),
    ("the", UnknownCommand("the", ())),
    ("hi there", UnknownCommand("hi", ())),
    ("one more", UnknownCommand("one", ())),
    ("hello", UnknownCommand("hello", ())),
    ("jion", UnknownCommand("jion", ("join",))),
    ("\N{KELVIN SIGN}44", UnknownCommand("\N{KELVIN SIGN}44", ())),
    ("\N{KELVIN SIGN}eep 4", UnknownCommand("\N{KELVIN SIGN}eep", ("keep",))),
    ("ſcore fh", UnknownCommand("ſcore", ("score", "scores"))),  # noqa: RUF001 - a long s
    ("k4a", UnknownCommand("k4a", ())),
    ("¡join!", UnknownCommand("¡join", ("join",))),
    ("h", AmbiguousCommand("h", ("hold", "help", "full house", "large straight"))),
    ("st", AmbiguousCommand("st", ("start", "style", "small straight", "large straight"))),
    ("l", AmbiguousCommand("l", ("leave", "small straight", "large straight"))),
    ("t", AmbiguousCommand("t", ("time", "twos", "threes", "three of a kind"))),
    ("c", AmbiguousCommand("c", ("card", "chance"))),
    ("re", AmbiguousCommand("re", ("register", "return", "reroll"))),
    ("sc fh", AmbiguousCommand("sc", ("score", "scores"))),
    ("l33t", UnknownCommand("l33t", ())),
]

DRESSED: Final[list[tuple[str, Meaning]]] = [
    ("reroll \x022 6\x02", reroll(2, 6)),
    ("reroll \x02\x032 6", reroll(6)),  # the colour takes the 2 that touches it
    ("reroll \x03042 6", reroll(2, 6)),  # at most two digits
    ("reroll \x0304,012 6", reroll(2, 6)),
    ("reroll \x0304,2 6", reroll(6)),
    ("reroll \x034,12 6", reroll(6)),
    ("\x0304keep\x03 4 4", keep(4, 4)),
    ("reroll \x04ff00002 6", reroll(2, 6)),
    ("reroll \x04ff0000,00FF002 6", reroll(2, 6)),
    ("\x1dscore\x1d \x1ffh\x0f", Score(C.FULL_HOUSE)),
    ("\x16k\x114\x1e4", keep(4, 4)),
    (" Score  Full House ", Score(C.FULL_HOUSE)),
    ("reroll 2, 6", reroll(2, 6)),
    ("score “full house”", Score(C.FULL_HOUSE)),
    ("score ‘full house’", Score(C.FULL_HOUSE)),  # noqa: RUF001
    ("score «full house»", Score(C.FULL_HOUSE)),
    ('"keep 4 4"', keep(4, 4)),
    ("`k44`", keep(4, 4)),
    ("keep\N{NO-BREAK SPACE}4\N{NARROW NO-BREAK SPACE}4", keep(4, 4)),
    ("keep\t4\u30004", keep(4, 4)),
    ("keep\N{ZERO WIDTH SPACE} 4\N{ZERO WIDTH JOINER} 4\N{WORD JOINER}", keep(4, 4)),
    ("\N{ZERO WIDTH NO-BREAK SPACE}keep 4 4", keep(4, 4)),
    ("\N{RIGHT-TO-LEFT MARK}keep 4 4\N{LEFT-TO-RIGHT MARK}", keep(4, 4)),
    ("\N{RIGHT-TO-LEFT OVERRIDE}k\N{SOFT HYPHEN}44\N{POP DIRECTIONAL FORMATTING}", keep(4, 4)),
    ("keep 4\N{VARIATION SELECTOR-16} 4\N{COMBINING GRAPHEME JOINER}", keep(4, 4)),
    ("keep 4\N{VARIATION SELECTOR-17}4", keep(4, 4)),
    ("\N{HANGUL FILLER}keep 4 4\N{HALFWIDTH HANGUL FILLER}\N{BRAILLE PATTERN BLANK}", keep(4, 4)),
    ("keep 4 4\N{MONGOLIAN FREE VARIATION SELECTOR ONE}\N{KHMER VOWEL INHERENT AQ}", keep(4, 4)),
    ("keep 4 4\N{TAG LATIN SMALL LETTER A}\ue000\ufffe", keep(4, 4)),
    ("keep\x00 4\x01 4\x7f", keep(4, 4)),
    ("!keep 4 4", keep(4, 4)),
]

CHANNELS: Final[list[tuple[str, Meaning]]] = [
    ("#y keep 4 4", Line(keep(4, 4), "#y")),
    ("#y k44", Line(keep(4, 4), "#y")),
    ("#y: k44", Line(keep(4, 4), "#y")),
    ("#y, k44", Line(keep(4, 4), "#y")),
    ("#y,k44", Line(keep(4, 4), "#y")),
    ("keep 4 4 #y", Line(keep(4, 4), "#y")),
    ("keep #y 4 4", Line(keep(4, 4), "#y")),
    ("join #y", Line(Join(), "#y")),
    ("$ #y", Line(Join(), "#y")),
    ("register #Y", Line(Join(), "#Y")),
    ("&local dice", Line(Look(LookAt.DICE), "&local")),
    ("##y-2_x [4] who", UnknownCommand("4", ())),
    ("##y-2_x{4} who", Line(Look(LookAt.WHO), "##y-2_x{4}")),
    ("“#y” \x0304score\x03 hi", Line(Score(C.LARGE_STRAIGHT), "#y")),
    ("#y hi", Line(Score(C.LARGE_STRAIGHT, casual=True), "#y")),
    ("#a-c keep 4", Line(keep(4), "#a-c")),
    ("#y", EmptyLine()),
    ("#y ²", UnknownCommand("²", ())),
    ("#y keep 7", NotDice("keep", "7")),
    ("#y #z keep 4 4", ExtraWords("#y", "#z")),
]

CASES: Final = [*LOBBY, *DICE, *BOXES, *LOOKS, *TALK, *DRESSED, *CHANNELS]
