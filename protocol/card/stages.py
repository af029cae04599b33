"""How a game goes for a card: what each line of the host makes of it, and which commands fit then.

A card takes part in a game from `seated` on. Lines that are not in `NEXT` change no stage.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from types import MappingProxyType
from typing import Final

from protocol.card import commands, news
from protocol.card.keys import Phase


class Stage(Enum):
    """Where a card stands in a game."""

    OUT = "out"
    """No seat."""

    LOBBY = "lobby"
    """Seated, and the game has not begun."""

    WAITING = "waiting"
    """For dice: the round is scored, or the first has still to come."""

    DECIDING = "deciding"
    """Dice are there, to hold or to score."""

    NOTED = "noted"
    """Lockstep: a hold or a box was sent, and may be changed while others have not sent theirs."""

    OVER = "over"
    """The result is told."""


_IN_A_GAME: Final = (Stage.WAITING, Stage.DECIDING, Stage.NOTED)

NEXT: Final[Mapping[Stage, Mapping[str, Stage]]] = MappingProxyType(
    {
        Stage.OUT: {"seated": Stage.LOBBY},
        Stage.LOBBY: {"began": Stage.WAITING, "gone": Stage.OUT},
        **{
            stage: {
                "dice": Stage.DECIDING,
                "accepted": Stage.NOTED,
                "scored": Stage.WAITING,
                "result": Stage.OVER,
                "gone": Stage.OUT,
            }
            for stage in _IN_A_GAME
        },
        Stage.OVER: {"seated": Stage.LOBBY},
    }
)
"""The stage after a line of the host, by its kind. What a line says may lead elsewhere: see `after`."""

ALWAYS: Final = frozenset({"hello", "practice", "state", "ping", "bye"})
"""Commands that fit in every stage."""

FITTING: Final[Mapping[Stage, frozenset[str]]] = MappingProxyType(
    {
        Stage.OUT: frozenset({"register"}),
        Stage.LOBBY: frozenset({"seed"}),
        Stage.WAITING: frozenset(),
        Stage.DECIDING: frozenset({"hold", "score", "hint"}),
        Stage.NOTED: frozenset({"hold", "score", "hint"}),
        Stage.OVER: frozenset({"register"}),
    }
)
"""Commands that fit in each stage besides those; any other is refused."""

_OF_PHASE: Final[Mapping[Phase, Stage]] = MappingProxyType(
    {Phase.LOBBY: Stage.LOBBY, Phase.PLAYING: Stage.WAITING, Phase.OVER: Stage.OVER}
)


def after(stage: Stage, line: news.News) -> Stage:
    """The stage after a line about the game."""
    match line:
        case news.Seated(stage=phase):
            return _OF_PHASE[phase]
        case news.Rolled(keep=keep, box=box) if stage in _IN_A_GAME and (keep, box) != (None, None):
            return Stage.NOTED
        case _:
            return NEXT[stage].get(line.KIND, stage)


def fits(stage: Stage, command: commands.Command) -> bool:
    """Whether the host may take the command in this stage."""
    return command.KIND in ALWAYS | FITTING[stage]
