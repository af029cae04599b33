"""Lines as a log may show them."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

NICKSERV: Final = "NickServ"
"""Who identifies nicks and accounts on networks with services."""

_SECRET_COMMANDS: Final = frozenset({"PASS", "AUTHENTICATE", "OPER", "NICKSERV", "NS", "IDENTIFY"})
_TALK: Final = frozenset({"PRIVMSG", "NOTICE", "SQUERY"})
_CHANNELS: Final = ("#", "&", "+", "!")
# Tags, source, command, first parameter; what follows is of no interest.
_PARTS: Final = re.compile(r" *(?:@[^ ]* +)?(?::([^ ]*) +)?([^ ]*) *:?([^ ]*)")


def is_nickserv(name: str) -> bool:
    """Tell whether a target or a source is NickServ: by its nick, whatever stands behind that."""
    return re.split("[!@]", name, maxsplit=1)[0].lower() == NICKSERV.lower()


def without(text: str, secrets: Iterable[str]) -> str:
    """Return `text` without any of the secrets: who is told one may repeat it."""
    for secret in secrets:
        text = text.replace(secret, "(not shown)")
    return text


def shown(line: str, secrets: Iterable[str] = ()) -> str:
    """Return a line that came or goes out as a log may show it.

    It is without what could hold a password, and without what is said between two alone.
    """
    parts = _PARTS.match(line)
    source, command, target = (part or "" for part in parts.groups()) if parts else ("", "", "")
    command = command.upper()
    if command in _SECRET_COMMANDS:
        return f"{command} (not shown)"
    if command in _TALK and (is_nickserv(target) or is_nickserv(source)):
        return f"{command} {'from' if is_nickserv(source) else 'to'} {NICKSERV} (not shown)"
    if command in _TALK and _is_user(source) and not target.startswith(_CHANNELS):
        other = source.partition("!")[0]
        return f"{command} {f'from {other}' if other else f'to {target}'} (not shown)"
    return without(line, secrets)


def _is_user(source: str) -> bool:
    """Tell whether a source is the link itself or somebody like it: servers have names with dots."""
    return "!" in source or "." not in source
