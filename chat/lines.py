"""The rules of one IRC line, in bytes: what may go out, how much fits, where to cut (RFC 2812 2.3)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

LINE_LIMIT: Final = 512
"""The longest line in bytes, with its CR LF and with the prefix that the server puts before it."""

_LONGEST_CHARACTER: Final = 4  # bytes of UTF-8


class UnsafeLine(ValueError):
    """Something that must not go out: it would end the line early, or change who is addressed.

    `data` is what was refused and `reason` says why.
    """

    def __init__(self, reason: str, data: str) -> None:
        super().__init__(f"{reason}: {data!r}")
        self.reason = reason
        self.data = data


def check_text(text: str) -> str:
    """Return `text` when it may stand at the end of a line.

    Raises:
        UnsafeLine: it holds CR, LF or NUL, or something that has no UTF-8 (a lone surrogate).

    """
    # A bare CR matters as much as CR LF: ngircd and ircd-hybrid end a line there, so that text
    # with a CR in it is a second command of the sender's choice.
    if "\r" in text or "\n" in text or "\0" in text:
        raise UnsafeLine("CR, LF or NUL in a line", text)
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise UnsafeLine("not expressible in UTF-8", text) from error
    return text


def check_target(target: str) -> str:
    """Return `target` when it is one middle parameter: one nick, one channel, one user name.

    Raises:
        UnsafeLine: it is empty, begins with `:`, holds a space or a comma (which would make it two
            targets), or `check_text` refuses it.

    """
    check_text(target)
    if not target:
        raise UnsafeLine("empty target", target)
    if target.startswith(":"):
        raise UnsafeLine("target begins with a colon", target)
    if " " in target or "," in target:
        raise UnsafeLine("space or comma in a target", target)
    return target


def text_budget(prefix: str, command: str, target: str) -> int:
    """Return how many bytes of text fit in `:prefix COMMAND target :text` CR LF.

    `prefix` is `nick!user@host` as the server shows the sender: the server adds it to the line, and
    cuts what is then longer than `LINE_LIMIT`. Never negative.
    """
    frame = f":{prefix} {command} {target} :\r\n"
    return max(0, LINE_LIMIT - len(frame.encode()))


def clip_bytes(data: bytes, limit: int) -> bytes:
    """Return the longest beginning of `data` of at most `limit` bytes that cuts no UTF-8 character.

    Data that is no UTF-8 is cut at `limit`, or up to three bytes before it.
    """
    if len(data) <= limit:
        return data
    end = max(0, limit)
    # 10xxxxxx continues a character. A character has at most three such bytes: a longer run is no
    # UTF-8, and is cut where the limit falls.
    for back in range(min(_LONGEST_CHARACTER, end + 1)):
        if data[end - back] & 0xC0 != 0x80:
            return data[: end - back]
    return data[:end]


def clip(text: str, budget: int) -> str:
    """Return the longest beginning of `text` that takes at most `budget` bytes as UTF-8."""
    return clip_bytes(text.encode(), budget).decode()


def split(text: str, budget: int) -> list[str]:
    """Return `text` in pieces of at most `budget` bytes each, cut at a space where there is one.

    The space at which a cut falls is dropped; nothing else is. Empty text gives no piece.

    Raises:
        ValueError: `budget` is too small for one character (which takes up to 4 bytes).

    """
    pieces: list[str] = []
    while text:
        piece, text = _first_piece(text, budget)
        pieces.append(piece)
    return pieces


def pack(items: Sequence[str], separator: str, budget: int, head: str = "", continued: str = "") -> list[str]:
    """Join `items` with `separator` into as few lines as fit, in their order.

    The first line begins with `head` and each further one with `continued`, both within the budget of
    `budget` bytes for a line. A line ends between two items, and the separator there is dropped. Only
    an item that is longer than a whole line is itself cut, as `split` cuts. No items: one line with
    the head, or none when there is no head.

    Raises:
        ValueError: `continued` leaves too little of the budget for one character, or `head` is longer
            than the budget.

    """
    if not _fits(head, budget):
        raise ValueError(f"head {head!r} is longer than {budget} bytes")
    lines: list[str] = []
    line = head
    empty = True  # whether `line` holds no item yet
    for item in items:
        joined = line + item if empty else line + separator + item
        if len(joined.encode()) <= budget:
            line, empty = joined, False
            continue
        if not empty:
            lines.append(line)
            line = continued
        elif line and (_fits(continued + item, budget) or not _has_room(line, budget)):
            # After this head there is less room than on a line of its own, which can hold it whole,
            # or there is no room at all.
            lines.append(line)
            line = continued
        rest = item
        while not _fits(line + rest, budget):
            piece, rest = _first_piece(rest, budget - len(line.encode()))
            lines.append(line + piece)
            line = continued
        # The last cut may have fallen at a space that ends the item: then nothing is left of it.
        line, empty = line + rest, not rest and bool(item)
    if not empty or (head and not lines):
        lines.append(line)
    return lines


def _fits(text: str, budget: int) -> bool:
    return len(text.encode()) <= budget


def _has_room(line: str, budget: int) -> bool:
    return budget - len(line.encode()) >= _LONGEST_CHARACTER


def _first_piece(text: str, budget: int) -> tuple[str, str]:
    """Return the first `budget` bytes of `text` at most, and what comes after them."""
    if _fits(text, budget):
        return text, ""
    piece = clip(text, budget)
    if not piece:
        raise ValueError(f"no room for a character of {text[:20]!r} in {budget} bytes")
    if text[len(piece)] == " ":
        return piece, text[len(piece) + 1 :]
    space = piece.rfind(" ")
    # A space far to the left would waste most of the line, and a leading one would leave it empty.
    if space > len(piece) // 2:
        return piece[:space], piece[space + 1 :] + text[len(piece) :]
    return piece, text[len(piece) :]
