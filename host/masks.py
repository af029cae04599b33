"""Persons as operators write them: by a services account, or by a mask such as `*!*@staff.example`."""

from __future__ import annotations

import re
from collections.abc import Callable
from fnmatch import fnmatchcase
from typing import Final, Protocol

Fold = Callable[[str], str]

_PARTS: Final = re.compile(r"([^!@\s]+)!([^!@\s]+)@([^!@\s]+)")


class Known(Protocol):
    """What is known of a person; `host.people.Person` and `host.events.Occupant` are two."""

    @property
    def nick(self) -> str: ...

    @property
    def user(self) -> str: ...

    @property
    def host(self) -> str: ...

    @property
    def account(self) -> str | None: ...


def is_mask(entry: str) -> bool:
    """Whether it is meant as nick!user@host, and not as a nick or an account."""
    return "!" in entry or "@" in entry


def names_a_host(mask: str) -> bool:
    """Whether it is a whole mask with more than wildcards for the host: anyone can take a nick or a user."""
    parts = _PARTS.fullmatch(mask)
    return parts is not None and bool(re.search(r"[^*?.:]", parts[3]))


def fits(entry: str, who: Known, fold: Fold) -> bool:
    """Whether a person is meant by an entry: by their mask where it is one, else by their account."""
    if not is_mask(entry):
        return who.account is not None and fold(who.account) == fold(entry)
    # [ is a letter of nicks here, and the beginning of a set to fnmatch.
    return fnmatchcase(fold(f"{who.nick}!{who.user}@{who.host}"), fold(entry).replace("[", "[[]"))
