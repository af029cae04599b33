"""What of the host's lines goes first, and which of them newer ones make stale."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from host.announcements import (
    Committed,
    DecidedBest,
    GameBegan,
    GameStopped,
    HouseSet,
    LobbyEmpty,
    LobbyOpened,
    OnSameDice,
    PauseBegan,
    PauseOver,
    PlayerBack,
    PlayerLeft,
    PublicReply,
    SeatFreed,
    SeatTaken,
    WordsMixed,
)
from host.letter import Lane, Showing
from protocol.card import news
from protocol.card.fields import write

_CHATTER: Final = (
    DecidedBest,
    OnSameDice,
    SeatTaken,
    SeatFreed,
    HouseSet,
    PlayerBack,
    PlayerLeft,
    WordsMixed,
)


def lane(reply: PublicReply) -> Lane:
    """What the reply goes before, and what goes before it."""
    return Lane.CHATTER if isinstance(reply, _CHATTER) else Lane.NEWS


def showing(reply: PublicReply) -> Showing | None:
    """What the reply is about, where that can go stale."""
    match reply:
        case LobbyOpened() | SeatTaken() | SeatFreed() | HouseSet():
            return Showing("lobby", rest="", outdates=False)
        case GameBegan() | GameStopped() | LobbyEmpty():
            # These name everybody who matters, so that what waits of the lobby is stale; and so are they
            # themselves when lobbies come and go faster than lines leave.
            return Showing("lobby", rest="")
        case Committed():
            # One table, one game: whoever opens the next one so soon has played none.
            return Showing("dice", rest="")
        case WordsMixed():
            return Showing("dice", rest="", outdates=False)
        case PauseBegan() | PauseOver():
            return Showing("pause", rest="")
        case PlayerLeft(nick) | PlayerBack(nick):
            return Showing(f"presence of {nick}", rest="")
        case _:
            return None


def card_lane(line: news.News) -> Lane | None:
    """As `lane`, of a line for programs; None where it depends on whether it is an answer."""
    return Lane.CHATTER if isinstance(line, news.Waiting | news.Analysis) else None


def of_card(line: news.News, table: str, over: Callable[[], None] | None = None) -> Showing | None:
    """As `showing`, of a line for programs about a table. `over` is called when dice wait no more."""
    match line:
        case news.Waiting():
            return Showing(f"{table} waiting", rest="")
        case news.Time():
            return Showing(f"{table} clock", rest="")
        case news.Rolled(wrote=wrote) if wrote:
            rest = write(news.Scored(line.game, line.round - 1, wrote))
            return Showing(f"{table} turn", rest, over=over)
        case news.Rolled():
            rest = write(news.Standings(line.game, line.round, line.totals)) if line.totals else ""
            return Showing(f"{table} turn", rest, over=over)
        case news.Scored() | news.Result() | news.Gone():
            return Showing(f"{table} turn")
        case _:
            return None
