"""What a dialogue is given: a wire, who listens to it, and what it remembers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

from card.notes import Note


class Where(Enum):
    """How far the card has come."""

    OFFLINE = "connecting"
    SEEKING = "looking for the host"
    HERE = "at the table"


class Wire(Protocol):
    """Where lines go; `card.session.Session` is one."""

    @property
    def nick(self) -> str: ...

    def fold(self, name: str) -> str: ...

    def is_me(self, nick: str) -> bool: ...

    def send(self, target: str, text: str) -> None: ...


@dataclass(frozen=True, slots=True)
class Memory:
    """What outlives the program: the host's nick, and the token of a seat with the nick that gave it."""

    host: str = ""
    token: str = field(default="", repr=False)
    giver: str = ""


@dataclass(frozen=True, slots=True)
class Listener:
    """Who is told: each line for the log, that something is to be drawn anew, what is to be remembered."""

    note: Callable[[Note], None] = lambda _: None
    changed: Callable[[], None] = lambda: None
    remember: Callable[[Memory], None] = lambda _: None
