"""What people type, made plain: formatting codes, invisible characters, quotes and case do not matter."""

from __future__ import annotations

import re
import unicodedata
from typing import Final

# mIRC formatting (modern.ircdocs.horse/formatting): a colour takes at most two digits, and two more after a
# comma; a hex colour takes six. What follows belongs to the text.
_FORMATTING: Final = re.compile(
    r"\x03(?:[0-9]{1,2}(?:,[0-9]{1,2})?)?"
    r"|\x04(?:[0-9A-Fa-f]{6}(?:,[0-9A-Fa-f]{6})?)?"
    r"|[\x02\x0f\x11\x16\x1d\x1e\x1f]"
)
QUOTES: Final = frozenset("\"'`´‘’‚‛“”„‟‹›«»")
# Letters and marks that show nothing (Default_Ignorable_Code_Point in the Unicode data, and the empty braille
# cell); all others like them are of category C.
_BLANKS: Final = frozenset(
    map(
        chr,
        [
            *(0x034F, 0x115F, 0x1160, 0x17B4, 0x17B5, 0x2800, 0x3164, 0xFFA0),
            *range(0x180B, 0x1810),
            *range(0xFE00, 0xFE10),
            *range(0xE0100, 0xE01F0),
        ],
    )
)
_SEPARATORS: Final = re.compile(r"[\s,;:.!?/+&*()\[\]{}_\-–—…]+")
_SPAN: Final = re.compile(r"(?:(?<![a-z])[a-e]|[0-9]) ?(?:[-–—…]|\.\.+) ?(?:[a-e](?![a-z])|[0-9])")
# ASCII only: KELVIN SIGN lowers to k elsewhere, and nobody types it.
_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def visible(line: str) -> str:
    """The line without formatting codes and invisible characters; one space between words."""
    kept = (_visible_character(character) for character in _FORMATTING.sub("", line))
    return " ".join("".join(kept).split())


def unquoted(line: str) -> str:
    """A line that `visible` made, without quotes: a plain line."""
    return " ".join("".join(sign for sign in line if sign not in QUOTES).split())


def opened(line: str) -> str:
    """The line as `visible` makes it, and without quotes before it."""
    return visible(line).lstrip("".join(QUOTES)).lstrip()


def words(line: str) -> list[str]:
    """The words of a plain line in lower case; punctuation only separates."""
    return [word for word in _SEPARATORS.split(line.translate(_LOWER)) if word]


def span_of_dice(line: str) -> str | None:
    """Something like `a-c` or `2-4` in a plain line, which may mean two dice or more."""
    found = _SPAN.search(line.translate(_LOWER))
    return found[0] if found else None


def _visible_character(character: str) -> str:
    if character.isspace():
        return " "
    if character in _BLANKS:
        return ""
    # Cc: control, Cf: format (zero width, direction marks), Cn/Co/Cs: nothing that a person can mean
    return "" if unicodedata.category(character).startswith("C") else character
