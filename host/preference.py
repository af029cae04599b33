"""How a player likes private lines."""

from __future__ import annotations

from dataclasses import dataclass

from protocol.commands import Style


@dataclass(frozen=True, slots=True)
class Preference:
    """A player's own choice; the default is what everybody begins with."""

    style: Style = Style.PLAIN
    notice: bool = False
