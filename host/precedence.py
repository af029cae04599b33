"""What of the host's public lines goes first, and which of them newer ones make stale."""

from __future__ import annotations

from typing import Final

from host.announcements import (
    GameBegan,
    LobbyEmpty,
    PlayerBack,
    PlayerLeft,
    PublicReply,
    SeatFreed,
    SeatTaken,
)
from host.letter import Lane, Showing

_CHATTER: Final = (SeatTaken, SeatFreed, PlayerBack, PlayerLeft)
_OF_THE_LOBBY: Final = (SeatTaken, SeatFreed)
_ENDS_THE_LOBBY: Final = (GameBegan, LobbyEmpty)
"""These name everybody who matters, so that what waits of the lobby is stale."""


def lane(reply: PublicReply) -> Lane:
    """What the reply goes before, and what goes before it."""
    return Lane.CHATTER if isinstance(reply, _CHATTER) else Lane.NEWS


def showing(reply: PublicReply) -> Showing | None:
    """What the reply is about, where that can go stale."""
    if isinstance(reply, _OF_THE_LOBBY):
        return Showing("lobby", rest="", outdates=False)
    return Showing("lobby") if isinstance(reply, _ENDS_THE_LOBBY) else None
