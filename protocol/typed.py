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
_QUOTES: Final = frozenset("\"'`´‘’‚‛“”„‟‹›«»")
_VARIATION_SELECTORS: Final = range(0xFE00, 0xFE10)
_SEPARATORS: Final = re.compile(r"[\s,;:.!?/+&*()\[\]{}_\-–—…]+")
# ASCII only: KELVIN SIGN lowers to k elsewhere, and nobody types it.
_LOWER: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ", "abcdefghijklmnopqrstuvwxyz")


def plain(line: str) -> str:
    """The line without formatting codes, invisible characters and quotes; one space between words."""
    kept = (_plain_character(character) for character in _FORMATTING.sub("", line))
    return " ".join("".join(kept).split())


def words(line: str) -> list[str]:
    """The words of a plain line in lower case; punctuation only separates."""
    return [word for word in _SEPARATORS.split(line.translate(_LOWER)) if word]


def _plain_character(character: str) -> str:
    if character.isspace():
        return " "
    if character in _QUOTES or ord(character) in _VARIATION_SELECTORS:
        return ""
    # Cc: control, Cf: format (zero width, direction marks), Cn/Co/Cs: nothing that a person can mean
    return "" if unicodedata.category(character).startswith("C") else character
