"""What each value of the configuration may be: checks answer the value or raise ValueError with a sentence.

The sentences follow the key's path, so they have no subject: "networks.local.port: must be from 1 to …".
"""

import difflib
import ipaddress
import math
import re
from collections.abc import Callable, Iterable, Iterator
from enum import Enum
from typing import Final

from chat.settings import ACCOUNT_LIMIT, Mechanism
from chat.tls import normal_fingerprint
from game.fair import DiceMode
from game.level import Level
from game.match import Pace
from game.rules import RULE_SETS
from host import masks
from host.events import Hints

DAY: Final = 86_400.0
SECRET_MOST: Final = 400  # bytes of a password, so that it fits into a line of 512 with what stands around it

# RFC 2812, section 2.3.1, but for the length: networks allow 9 to 31 and more, and only they know.
_NICK: Final = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]*")
_NICK_MOST: Final = 63
# RFC 2812, section 1.3, with the 200 characters of RFC 1459, as bytes.
# Names with + and ! (RFC 2811) are left out: players could not tell them from words that they type.
_CHANNEL: Final = re.compile(r"[#&][^\x00-\x20\x7f,:]+")
_CHANNEL_MOST: Final = 200
_USERNAME: Final = re.compile(r"[!-?A-~]{1,32}")
_VARIABLE: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
# Visible ASCII less letters and digits; / belongs to clients and : to the protocol, # and & begin channels,
# $ is a command of its own, and quotes do not matter in what is typed.
_PREFIX: Final = re.compile(r"[!%(-.;-@\[-_{-~]{1,3}")
_CONTROL: Final = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]")
# RFC 1459's folding: on many servers []\~ are the capitals of {}|^.
_FOLDED: Final = str.maketrans("ABCDEFGHIJKLMNOPQRSTUVWXYZ[]\\~", "abcdefghijklmnopqrstuvwxyz{}|^")

# What follows postgresql+psycopg://. Only what is surely wrong is refused; the rest is libpq's to say.
_POSTGRESQL: Final = re.compile(
    r"(?:[^/@:]*(?::[^/@]*)?@)?(?:\[[^\]/]*\]|[^/@:\[\]]*)(?::\d*)?/[^/?@]+(?:\?.*)?"
)

STORES: Final = (
    "possible: sqlite:///PATH (sqlite:////PATH from the root on), sqlite:// for memory alone, or "
    "postgresql+psycopg://USER:PASSWORD@SERVER/DATABASE"
)


def shown(value: object) -> str:
    """A value as a message shows it: short, on one line, and safe to print."""
    match value:
        case bool():
            text = "true" if value else "false"
        case str():
            text = repr(value if len(value) <= 40 else value[:40] + "…")
        case int() | float():
            text = str(value) if abs(value) < 10**30 else "a number far too large"
        case list():
            text = "a list"
        case dict():
            text = "a mapping"
        case _:
            text = "nothing" if value is None else "a date"
    return text


def shown_kind(value: object) -> str:
    """A value of the wrong kind as a message shows it."""
    return f"the text {shown(value)}" if isinstance(value, str) else shown(value)


def listed(possible: Iterable[str], wrong: str = "") -> str:
    """`did you mean 'free'? possible: free, lockstep`, the first part only where something is near."""
    names = list(possible)
    near = difflib.get_close_matches(wrong.lower(), names, n=1)
    hint = f"did you mean {near[0]}? " if near else ""
    return f"{hint}possible: {', '.join(names)}"


def folded(channel: str) -> str:
    """A channel's name as servers compare it; where they differ, the way that finds more names equal."""
    return channel.translate(_FOLDED)


def whole(low: int, high: int | None = None) -> Callable[[int], int]:
    """A check for whole numbers from `low` to `high`."""

    def check(value: int) -> int:
        if value < low or (high is not None and value > high):
            limits = f"at least {low}" if high is None else f"from {low} to {high}"
            raise ValueError(f"must be {limits}, not {shown(value)}")
        return value

    return check


def seconds(*, zero: bool) -> Callable[[float], float]:
    """A check for a time up to a day; `zero` says whether none at all is possible."""

    def check(value: float) -> float:
        if not math.isfinite(value) or not 0 <= value <= DAY or (value == 0 and not zero):
            low = "from 0 to" if zero else "more than 0 and at most"
            raise ValueError(f"must be {low} {DAY:.0f} seconds (a day), not {shown(value)}")
        return value

    return check


def _one_of(possible: Iterable[str], fault: str) -> Callable[[str], str]:
    """A check for one of some words; `fault` is what is said of others."""
    words = tuple(possible)

    def check(value: str) -> str:
        if value not in words:
            raise ValueError(f"{shown(value)} {fault}; {listed(words, value)}")
        return value

    return check


def _values(kind: type[Enum]) -> Iterator[str]:
    return (member.value for member in kind)


rules: Final = _one_of(RULE_SETS, "is no rule set")
pace: Final = _one_of(_values(Pace), "is not a pace")
hints: Final = _one_of(_values(Hints), "is not possible")
dice: Final = _one_of(_values(DiceMode), "is not possible")
level: Final = _one_of(_values(Level), "is not a level")
mechanism: Final = _one_of(_values(Mechanism), "is no mechanism")


def nick(value: str) -> str:
    """A nick by RFC 2812's grammar."""
    if len(value) > _NICK_MOST or not _NICK.fullmatch(value):
        raise ValueError(
            f"{shown(value)} is not an IRC nick: up to {_NICK_MOST} letters, digits and -[]\\`_^{{|}}, "
            "with no digit or - at the start"
        )
    return value


def channel(value: str) -> str:
    """A channel's name by RFC 2812's grammar."""
    if len(value.encode(errors="replace")) > _CHANNEL_MOST or not _CHANNEL.fullmatch(value):
        raise ValueError(
            f"{shown(value)} is not a channel name: it starts with # or &, has no space, comma, colon or "
            f"control character, and at most {_CHANNEL_MOST} bytes"
        )
    return value


def server(value: str) -> str:
    """A host name or an address, and nothing more."""
    if not value or _CONTROL.search(value) or re.search(r"[\s/@]", value):
        raise ValueError(f"{shown(value)} is not a server: a host name or an address, like irc.libera.chat")
    if re.fullmatch(r"[^:]*:\d*", value) or value.startswith("["):
        raise ValueError(
            f"{shown(value)} is not a server: the port is a key of its own, and [ ] are not needed"
        )
    return value


def loopback(value: str) -> str:
    """An address that only programs on the same machine reach."""
    try:
        fits = ipaddress.ip_address(value).is_loopback
    except ValueError:
        fits = False
    if not fits:
        raise ValueError(
            f"{shown(value)} is not a loopback address, like 127.0.0.1 or ::1; nothing else may ask the host"
        )
    return value


def username(value: str) -> str:
    """What stands before the @ in the host's address."""
    if not _USERNAME.fullmatch(value):
        raise ValueError(f"{shown(value)} is not a username: 1 to 32 visible ASCII characters, but no @")
    return value


def realname(value: str) -> str:
    """The free text that WHOIS shows."""
    if not value.strip() or len(value.encode(errors="replace")) > 100 or _CONTROL.search(value):
        raise ValueError("must be 1 to 100 bytes of text on one line")
    return value


def prefix(value: str) -> str:
    """What stands before a command in the channel."""
    if not _PREFIX.fullmatch(value):
        raise ValueError(
            f"{shown(value)} is not a prefix: 1 to 3 signs like ! or ., no letters, digits or spaces, "
            "no quotes, and none of / : # & $, which mean other things"
        )
    return value


def admin(value: str) -> str:
    """Who may use hosting commands: a services account, or a mask that names a host."""
    if masks.is_mask(value):
        if not masks.names_a_host(value):
            raise ValueError(
                f"{shown(value)} would let anybody in: a mask is nick!user@host with more than * for the "
                "host, like *!*@staff.example.net"
            )
    elif not re.fullmatch(r"[^\s*?,:]{1,64}", value) or _CONTROL.search(value) or value == "0":  # 0: none
        raise ValueError(
            f"{shown(value)} is neither a services account nor a mask like *!*@staff.example.net"
        )
    return value


def prize(value: str) -> str:
    """What there is to win, as it is said in the channel."""
    if not value.strip() or len(value.encode(errors="replace")) > 100 or _CONTROL.search(value):
        raise ValueError("must be 1 to 100 bytes of text on one line")
    return value.strip()


def variable(value: str) -> str:
    """The name of an environment variable. The value is not shown: it may be the password itself."""
    if not _VARIABLE.fullmatch(value):
        raise ValueError("must be the name of an environment variable (letters, digits, _), not the password")
    return value


def file_name(value: str) -> str:
    """The path of a file. The value is not shown: it may be the password itself."""
    if not value or _CONTROL.search(value):
        raise ValueError("must be the path of a file")
    return value


def fingerprint(value: str) -> str:
    """The SHA-256 of a certificate, as 64 small hex digits."""
    try:
        return normal_fingerprint(value)
    except ValueError as error:
        hint = "as `openssl x509 -noout -fingerprint -sha256 -in FILE` shows it"
        raise ValueError(f"{error}, {hint}") from error


def account(value: str) -> str:
    """The name of a services account."""
    too_long = len(value.encode(errors="replace")) > ACCOUNT_LIMIT
    if too_long or not re.fullmatch(r"[^\s,:]+", value) or _CONTROL.search(value):
        raise ValueError(
            f"{shown(value)} is no account: at most {ACCOUNT_LIMIT} bytes, and no space, comma or colon"
        )
    return value


def store(value: str) -> str:
    """The URL of a journal. Only its scheme is shown: there may be a password in the rest."""
    if _CONTROL.search(value):
        raise ValueError(f"must be a URL on one line, without control characters; {STORES}")
    scheme, sign, rest = value.partition("://")
    if not sign:
        raise ValueError(f"is not a URL; {STORES}")
    if scheme == "postgresql+psycopg":
        if not _POSTGRESQL.fullmatch(rest):
            raise ValueError(f"is not complete (in a password, @ / : are written %40 %2F %3A); {STORES}")
    elif scheme != "sqlite":
        raise ValueError(f"stores of the kind {shown(scheme)} are not known; {STORES}")
    elif rest and (not rest.startswith("/") or rest == "/"):
        raise ValueError(f"a path follows three slashes; {STORES}")
    elif "?" in rest:
        raise ValueError(f"a path has no ? in it; {STORES}")
    return value


def secret(value: str) -> str:
    """A password that fits into one line of IRC. It is never shown."""
    if not value:
        raise ValueError("the password is empty")
    if len(value.encode(errors="replace")) > SECRET_MOST:
        raise ValueError(f"the password is longer than {SECRET_MOST} bytes")
    if _CONTROL.search(value):
        raise ValueError("the password has control characters or a second line in it")
    return value
