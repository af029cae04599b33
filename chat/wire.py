"""Bytes from a server to lines, and lines to their parts (RFC 2812 section 2.3.1, IRCv3 message tags)."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Final

from chat.lines import LINE_LIMIT

TAGS_LIMIT: Final = 8191
"""The longest tags in bytes, their `@` and the space after them counted (IRCv3 message-tags, Size limit)."""
BUFFER_LIMIT: Final = TAGS_LIMIT + LINE_LIMIT
"""A line longer than this many bytes is dropped."""

# <key> ::= [ '+' ] [ <vendor> '/' ] <letters, digits and hyphens>; a vendor is a host name.
_TAG_KEY: Final = re.compile(r"\+?(?:[^\s/=;+]+/)?[A-Za-z0-9-]+")
_TAG_ESCAPE: Final = re.compile(r"\\(.?)", re.DOTALL)
_TAG_ESCAPED: Final = {":": ";", "s": " ", "r": "\r", "n": "\n"}


class Framer:
    """Cuts a stream of bytes into decoded lines.

    A line ends at LF, and a CR before it belongs to the end. A line over `limit` bytes is dropped while it
    comes in, so that a peer cannot fill the memory; `dropped` counts such lines.
    """

    def __init__(self, limit: int = BUFFER_LIMIT) -> None:
        self._limit = limit
        self._pending = bytearray()
        self._skipping = False
        self.dropped = 0

    def feed(self, data: bytes) -> list[str]:
        """Return the lines that `data` completes, empty ones left out."""
        *ended, rest = data.split(b"\n")
        lines: list[str] = []
        for part in ended:
            self._add(part)
            if not self._skipping and (line := _decoded(bytes(self._pending))):
                lines.append(line)
            self._pending.clear()
            self._skipping = False
        self._add(rest)
        return lines

    def _add(self, part: bytes) -> None:
        if self._skipping:
            return
        if len(self._pending) + len(part) > self._limit:
            self._pending.clear()
            self._skipping = True
            self.dropped += 1
            return
        self._pending += part


@dataclass(frozen=True, slots=True)
class Line:
    """One line from a server.

    `source` is the prefix without its colon, or empty; `command` is upper case. `tags` are unescaped: a
    value, unlike all else in a line, may hold any character.
    """

    source: str
    command: str
    params: tuple[str, ...]
    tags: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def parse(cls, text: str) -> Line:
        """Read a line without its end.

        Only U+0020 separates: a nick may hold a no-break space, which `str.split` would split at.

        Raises:
            ValueError: there is no command.

        """
        tags = source = ""
        rest = text.lstrip(" ")
        if rest.startswith("@"):
            tags, _, rest = rest[1:].partition(" ")
            rest = rest.lstrip(" ")
        if rest.startswith(":"):
            source, _, rest = rest[1:].partition(" ")
            rest = rest.lstrip(" ")
        middle, colon, trailing = rest.partition(" :")
        command, *params = [word for word in middle.split(" ") if word] or [""]
        if not command:
            raise ValueError(f"no command in {text[:200]!r}")
        if colon:
            params.append(trailing)
        return cls(source, command.upper(), tuple(params), parse_tags(tags))

    def param(self, index: int) -> str:
        """Return a parameter, or an empty string where the server left it out."""
        return self.params[index] if -len(self.params) <= index < len(self.params) else ""


def parse_tags(text: str) -> dict[str, str]:
    """Read tags, without the `@` before and the space after them (IRCv3 message-tags, Rules for Tags).

    A tag without a value has an empty one, and of two with one key the last counts. What is no tag is
    passed over. Tags that are longer than tags may be are passed over as a whole.
    """
    if not text or len(text.encode("utf-8", "surrogatepass")) + len("@ ") > TAGS_LIMIT:
        return {}
    tags: dict[str, str] = {}
    for tag in text.split(";"):
        key, _, value = tag.partition("=")
        if _TAG_KEY.fullmatch(key):
            # A backslash before any other character, or before none, is dropped.
            tags[key] = _TAG_ESCAPE.sub(lambda match: _TAG_ESCAPED.get(match[1], match[1]), value)
    return tags


def _decoded(raw: bytes) -> str:
    """Decode a line as UTF-8 or else as Latin-1, which takes any bytes.

    A CR in the middle is no end of a line here: servers that let it through would else let people send
    us lines in the server's name. It becomes a space, as NUL does.
    """
    raw = raw.removesuffix(b"\r")
    try:
        text = raw.decode()
    except UnicodeDecodeError:
        text = raw.decode("latin-1")
    return text.replace("\r", " ").replace("\0", " ")
