"""A login without SASL: what is said to NickServ, and what its many versions answer."""

from __future__ import annotations

import re
from typing import Final

from chat.masking import NICKSERV, is_nickserv
from chat.settings import Account
from chat.wire import Line

ABSENT: Final = frozenset({"401", "402", "407", "408", "440"})
"""The numerics by which a server says that there is no NickServ to talk to."""

_FORMATTING: Final = re.compile(r"\x03(?:\d{1,2}(?:,\d{1,2})?)?|[\x00-\x1f\x7f]")
# Of Anope, Atheme, Ergo, DALnet and others. A refusal is looked for first: "You are not identified".
_REFUSED: Final = re.compile(
    r"\b(?:invalid|incorrect|wrong|denied|fail(?:ed|ure)|unknown|suspended|frozen|forbidden|expired|too many|"
    r"insufficient|syntax|(?:isn't|not) (?:a |yet |been )*(?:registered|identified|logged in|confirmed|"
    r"verified|activated)|(?:doesn't|not) exist)\b",
    re.IGNORECASE,
)
_ACCEPTED: Final = re.compile(
    r"\byou(?:'re| are) (?:now |already |successfully )+(?:identified|logged[ -]in|recogni[sz]ed)\b|"
    r"\bpassword accepted\b|\bsuccessfully (?:identified|logged[ -]in|authenticated)\b",
    re.IGNORECASE,
)


def identify(account: Account) -> str:
    """Return the line that logs in to `account`. It goes to the nick NickServ and nowhere else.

    Raises:
        ValueError: the password has a space in it, where the services would cut it.

    """
    if account.password is None or " " in account.password:
        raise ValueError("NickServ takes no password with a space in it: change the password")
    return f"PRIVMSG {NICKSERV} :IDENTIFY {account.user} {account.password}"


def verdict(line: Line) -> bool | None:
    """Tell whether a NOTICE is NickServ's word that the login went well or failed, or neither."""
    if not is_nickserv(line.source):
        return None
    text = plain(line.param(1))
    if _REFUSED.search(text):
        return False
    return True if _ACCEPTED.search(text) else None


def plain(text: str) -> str:
    """Return a text without colours and other formatting."""
    return _FORMATTING.sub("", text)


def grants_registered(modes: str) -> bool:
    """Tell whether a change of user modes sets `r`, which on most servers marks a nick as identified."""
    sign, granted = "+", False
    for mode in modes:
        if mode in "+-":
            sign = mode
        elif mode == "r":
            granted = sign == "+"
    return granted
