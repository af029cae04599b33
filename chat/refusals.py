"""What a server refuses, as events: an error numeric, or a NOTICE where a server has no numeric for it."""

from __future__ import annotations

import re
from typing import Final

from chat.events import Refused
from chat.wire import Line

# Refusals outside of 400 to 599: the other side takes messages only from those it has accepted (716, 717),
# and the server lets nobody write to so many people so fast (707, on ircd-hybrid and its kin).
_BEYOND: Final = frozenset({707, 716, 717})
_TOO_FAST: Final = 439
_THROTTLED: Final = re.compile(r"\bMessage to (\S+) throttled\b")
_WAIT: Final = re.compile(r"\bwait (\d{1,6}) sec", re.IGNORECASE)


def from_numeric(line: Line) -> Refused | None:
    """The refusal that a line with a numeric tells of, or None."""
    numeric = int(line.command)
    if not 400 <= numeric <= 599 and numeric not in _BEYOND:
        return None
    target = line.param(1) if len(line.params) > 2 else ""
    return _refused(numeric, target, line.param(-1))


def from_notice(line: Line) -> Refused | None:
    """The refusal that a server's NOTICE tells of, as others tell it by 439; or None."""
    if "!" in line.source:
        return None
    throttled = _THROTTLED.search(line.param(-1))
    return _refused(_TOO_FAST, throttled[1], line.param(-1)) if throttled else None


def _refused(numeric: int, target: str, text: str) -> Refused:
    wait = _WAIT.search(text)
    return Refused(numeric, target, text, float(wait[1]) if wait else None)
