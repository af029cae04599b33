"""What a server says of itself in its 005 lines (draft-brocklesby-irc-isupport)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final

from chat.casemap import DEFAULT_CASEMAPPING

_TOKEN: Final = re.compile(r"(-?)([A-Za-z0-9./-]+)(?:=(.*))?", re.DOTALL)
_ESCAPE: Final = re.compile(r"\\x([0-9A-Fa-f]{2})")
_PREFIX: Final = re.compile(r"\(([^)]*)\)(.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class ISupport:
    """The tokens of one connection. Each connection starts with `ISupport()`, and 005 lines are fed to it.

    `tokens` maps a token in upper case to its decoded value, which is empty for a token without one.
    """

    tokens: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def fed(self, tokens: Iterable[str]) -> ISupport:
        """Return what is known after a further 005 line.

        `tokens` are its parameters without the nick before them. The closing remark ("are supported by
        this server") and what is no token are passed over; `-TOKEN` takes a token away.
        """
        known = dict(self.tokens)
        for token in tokens:
            match = _TOKEN.fullmatch(token)
            if match is None or " " in token:
                continue
            minus, name, value = match.groups()
            if minus:
                known.pop(name.upper(), None)
            else:
                known[name.upper()] = _decoded(value or "")
        return ISupport(MappingProxyType(known))

    @property
    def casemapping(self) -> str:
        """The name of the case mapping, for `chat.casemap.fold`."""
        return self.tokens.get("CASEMAPPING") or DEFAULT_CASEMAPPING

    @property
    def chantypes(self) -> str:
        """The characters a channel name begins with. Empty when the server has no channels."""
        return self.tokens.get("CHANTYPES", "#&")

    @property
    def prefix(self) -> str:
        """The characters that stand before a nick to show its status in a channel, such as `@+`."""
        value = self.tokens.get("PREFIX", "(ov)@+")
        match = _PREFIX.fullmatch(value)
        return match[2] if match else ""

    @property
    def statusmsg(self) -> str:
        """The characters that, before a channel name, address only those of that status."""
        return self.tokens.get("STATUSMSG", "")

    @property
    def nicklen(self) -> int | None:
        """The longest nick in bytes, or None when the server does not say."""
        return self._number("NICKLEN")

    @property
    def channellen(self) -> int | None:
        """The longest channel name in bytes, or None when the server does not say."""
        return self._number("CHANNELLEN")

    @property
    def network(self) -> str:
        """The name of the network, or empty."""
        return self.tokens.get("NETWORK", "")

    @property
    def bot(self) -> str:
        """The user mode letter that marks a bot (IRCv3 bot-mode), or empty."""
        value = self.tokens.get("BOT", "")
        return value if len(value) == 1 and value.isascii() and value.isalpha() else ""

    @property
    def whox(self) -> bool:
        """Whether WHO can be asked for chosen fields, such as accounts (IRCv3 documents this as WHOX)."""
        return "WHOX" in self.tokens

    def is_channel(self, target: str) -> bool:
        """Tell whether `target` is the name of a channel on this server."""
        return target[:1] in self.chantypes if target else False

    def _number(self, name: str) -> int | None:
        value = self.tokens.get(name, "")
        # isdecimal alone would let digits of other scripts through.
        if value.isascii() and value.isdecimal() and int(value[:6]) > 0:
            return int(value[:6])
        return None


def _decoded(value: str) -> str:
    return _ESCAPE.sub(lambda match: chr(int(match[1], 16)), value)
