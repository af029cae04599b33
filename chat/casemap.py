"""Which names are one name: case folding as the server does it (RFC 2812 section 2.2, CASEMAPPING of 005)."""

from __future__ import annotations

from typing import Final

DEFAULT_CASEMAPPING: Final = "rfc1459"
"""What a server that names no mapping, or one that nobody knows, is taken to use."""

_UPPER: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ASCII: Final = str.maketrans(_UPPER, _UPPER.lower())
_STRICT: Final = str.maketrans(_UPPER + "[]\\", _UPPER.lower() + "{}|")
_RFC1459: Final = str.maketrans(_UPPER + "[]\\~", _UPPER.lower() + "{}|^")


def fold(name: str, casemapping: str = DEFAULT_CASEMAPPING) -> str:
    """Return the key under which `name` (a nick or a channel) is the same as its other spellings.

    Only the characters that the mapping lists change: `str.lower` would make U+212A KELVIN SIGN a `k`
    and so two people one. `casemapping` is compared without regard to case; an unknown one counts as
    rfc1459, the default of the 005 draft (draft-brocklesby-irc-isupport, CASEMAPPING).

    The result is a key for comparing and looking up. It is never sent: on the wire goes the name as the
    server wrote it.
    """
    match casemapping.lower().replace("_", "-"):
        case "ascii":
            return name.translate(_ASCII)
        # Both word orders are in use: the draft says strict-rfc1459, later documents rfc1459-strict.
        case "strict-rfc1459" | "rfc1459-strict":
            return name.translate(_STRICT)
        case _:
            return name.translate(_RFC1459)
