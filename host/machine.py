"""What the host says to one player, in lines for programs (docs/protocol.md), as `host.wording` has words."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from math import ceil
from typing import Final

from game.category import CATEGORIES
from game.dice import Dice
from game.match import places
from host.decide import seconds_left
from host.events import Reason
from host.replies import (
    Balance,
    Choosing,
    Costliest,
    DealtDice,
    Dismissed,
    Entered,
    GameOver,
    GaveUp,
    Hint,
    Holding,
    Kept,
    PrivateReply,
    RoundDone,
    Sign,
    Verdict,
)
from host.table import Phase, Table
from host.views import my_dice
from protocol.card import keys, news
from protocol.card.fields import Play
from protocol.card.keys import By, Clock, Entry, Exit, Loss
from protocol.card.news import News
from solver.advice import Box, Choice

_NICKS_BYTES: Final = 170
"""Of nicks in one line; the others follow in lines of their own."""

_ROOMY_SEATS: Final = 8
"""At larger tables a line with all totals has no room for who is waited for: on a deal, everybody."""

_CLOCKS: Final = {Reason.PAUSE: Clock.PAUSE, Reason.SPLIT: Clock.SPLIT, Reason.HOST_OUT: Clock.OUT}
_PHASES: Final = {
    Phase.LOBBY: keys.Phase.LOBBY,
    Phase.PLAYING: keys.Phase.PLAYING,
    Phase.OVER: keys.Phase.OVER,
}
_EXITS: Final = {
    Sign.STOPPED: Exit.STOPPED,
    Sign.UNSEATED: Exit.LEFT,
    Sign.DISMISSED: Exit.REMOVED,
    Sign.TAKEN: Exit.TAKEN,
    GaveUp: Exit.LEFT,
    Dismissed: Exit.REMOVED,
}


@dataclass(frozen=True, slots=True)
class Place:
    """Where a person sits, as it is at a time of the host's clock."""

    channel: str
    table: Table
    person: str
    now: float

    @property
    def seat(self) -> int | None:
        return self.table.seat_of(self.person)


def lines(reply: PrivateReply | Sign, place: Place, *, dealt: bool = False) -> Iterator[News]:
    """The lines that say what a reply does; none where there are no such lines.

    With `dealt` they tell what has just happened, and else how it stands.
    """
    table, seat, now = place.table, place.seat, place.now
    key = reply if isinstance(reply, Sign) else type(reply)
    if key in _EXITS:
        yield news.Gone(table.game, _EXITS[key])
        return
    if seat is None:
        return
    if verdict := _verdict_of(reply):
        yield _judged(table.game, verdict)
    match reply:
        case DealtDice(lead=Holding() | Choosing()) if dealt:
            turn = table.play.turns[seat]
            numbers = table.game, table.play.round, turn.roll
            yield news.Accepted(*numbers, turn.hold, turn.choice, _awaited(table, seat))
        case DealtDice():
            yield _rolled(reply, table, seat, now)
        case Hint():
            yield _hint(table.game, reply)
        case RoundDone(entered):
            yield news.Scored(table.game, table.play.round, _entry(entered), _awaited(table, seat))
        case GameOver(entered, _, placing):
            wrote = _entry(entered) if entered else None
            yield news.Result(table.game, placing.place, table.play.totals, wrote)
        case Sign.SEATED:
            yield from seated(place)
        case Sign.BEGAN:
            yield from _began(place.channel, table, seat)
        case Sign.MORE_NICKS:
            yield from _nicks(table)[1]
        case Sign.STILL_DECIDING:
            yield news.Waiting(table.game, table.play.round, _awaited(table, seat))
        case Sign.CLOCK:
            yield _time(table, now)
        case Sign.TOTALS:
            yield news.Standings(table.game, table.play.round, table.play.totals)
        case Sign.CARD:
            yield _card(table, seat)


def seated(place: Place, token: str = "") -> Iterator[News]:
    """Where a player sits; the token is proof of the seat."""
    table, seat = place.table, place.seat
    if seat is None:
        return
    nicks, more = _nicks(table)
    yield news.Seated(
        game=table.game,
        channel=place.channel,
        stage=_PHASES[table.phase],
        rules=table.settings.rules,
        pace=table.settings.pace.value,
        limit=ceil(table.settings.round_seconds),
        seat=seat + 1,
        seats=table.settings.seats if table.phase is Phase.LOBBY else len(table.seats),
        seconds=ceil(seconds_left(table, place.now)),
        nicks=nicks,
        token=token,
        mode=table.settings.dice.value,
    )
    yield from more


def _began(channel: str, table: Table, seat: int) -> Iterator[News]:
    nicks, _ = _nicks(table)
    yield news.Began(
        game=table.game,
        channel=channel,
        rules=table.settings.rules,
        pace=table.settings.pace.value,
        limit=ceil(table.settings.round_seconds),
        seat=seat + 1,
        seats=len(table.seats),
        nicks=nicks,
        mode=table.settings.dice.value,
    )


def state(place: Place) -> Iterator[News]:
    """All that there is to know of a game, for one of its players."""
    table, seat = place.table, place.seat
    if seat is None:
        return
    yield from seated(place)
    if table.match is not None:
        yield from _match(place, seat)
    if table.open and table.standing:
        yield _time(table, place.now)


def _match(place: Place, seat: int) -> Iterator[News]:
    table = place.table
    yield _card(table, seat)
    yield news.Standings(table.game, table.play.round, table.play.totals)
    if table.phase is not Phase.PLAYING:
        ranks = places(table.play.totals)
        yield news.Result(table.game, ranks[seat], table.play.totals)
    elif table.seats[seat].left:
        yield news.Gone(table.game, Exit.REMOVED if table.seats[seat].removed else Exit.LEFT)
    else:
        yield from lines(my_dice(table, seat), place)


def analysis(game: str, balance: Balance, costliest: Costliest) -> News:
    """What luck and decisions made of a finished game."""
    start, luck, lost = map(_points, balance.cents)
    losses = tuple(
        Loss(
            one.round,
            one.roll,
            one.dice,
            _play(one.made, one.dice),
            _play(one.best, one.dice),
            _points(one.lost * 100),
        )
        for one in costliest.decisions
    )
    return news.Analysis(game, luck, lost, start if balance.total is not None else None, losses)


def _hint(game: str, hint: Hint) -> News:
    dice, best, second = hint.tag.dice, hint.best, hint.second
    other = (_play(second, dice), _points((best.worth - second.worth) * 100)) if second else ()
    numbers = hint.tag.round, hint.tag.roll
    return news.Hint(game, *numbers, _play(best, dice), _points(best.worth * 100), *other)


def _verdict_of(reply: PrivateReply | Sign) -> Verdict | None:
    match reply:
        case (
            DealtDice(lead=Kept(verdict=verdict) | Entered(verdict=verdict))
            | RoundDone(Entered(verdict=verdict))
            | GameOver(Entered(verdict=verdict))
        ):
            return verdict
    return None


def _judged(game: str, verdict: Verdict) -> News:
    tag, best = verdict.tag, verdict.best
    told = (_play(best, tag.dice), _points(verdict.lost * 100)) if best else ()
    return news.Verdict(game, tag.round, tag.roll, tag.dice, verdict.made, *told)


def _play(choice: Choice, dice: Dice) -> Play:
    return choice.category if isinstance(choice, Box) else dice.find(choice.kept)


def _points(cents: float) -> Decimal:
    return Decimal(round(cents)) / 100


def _rolled(reply: DealtDice, table: Table, seat: int, now: float) -> News:
    turn = table.play.turns[seat]
    pays = {worth.category: worth.points for worth in reply.options}
    totals = table.play.totals if reply.tag.roll == 1 else ()
    return news.Rolled(
        game=table.game,
        round=reply.tag.round,
        roll=reply.tag.roll,
        dice=reply.tag.dice,
        seconds=ceil(seconds_left(table, now)),
        pays=tuple((category, pays[category]) for category in CATEGORIES if category in pays),
        bonus=reply.bonus,
        keep=turn.hold if isinstance(reply.lead, Holding) else None,
        box=turn.choice if isinstance(reply.lead, Choosing) else None,
        waiting=() if len(totals) > _ROOMY_SEATS else _awaited(table, seat),
        totals=totals,
        wrote=_entry(reply.lead) if isinstance(reply.lead, Entered) else None,
    )


def _entry(entered: Entered) -> Entry:
    by = By.HOST if entered.by_host else By.PLAYER
    return Entry(entered.category, entered.points, entered.bonus, entered.total, by)


def _awaited(table: Table, seat: int) -> tuple[int, ...]:
    return tuple(other + 1 for other in table.waiting if other != seat)


def _card(table: Table, seat: int) -> News:
    card = table.play.cards[seat]
    used = tuple((category, card.boxes[category]) for category in CATEGORIES if category in card.boxes)
    return news.Card(table.game, used, card.upper_bonus, card.yahtzee_bonus, card.total)


def _time(table: Table, now: float) -> News:
    clock = next((_CLOCKS[why.reason] for why in table.standing), Clock.RUNS)
    return news.Time(table.game, ceil(seconds_left(table, now)), clock)


def _nicks(table: Table) -> tuple[tuple[str, ...], list[News]]:
    """The nicks for the line of a game, and lines with those that do not fit."""
    groups: list[list[str]] = [[]]
    room = _NICKS_BYTES
    for seat in table.seats:
        size = len(seat.nick.encode()) + 1
        if size > room:
            groups.append([])
            room = _NICKS_BYTES
        groups[-1].append(seat.nick)
        room -= size
    first, more = len(groups[0]), list[News]()
    for group in groups[1:]:
        more.append(news.MoreNicks(table.game, first + 1, tuple(group)))
        first += len(group)
    return tuple(groups[0]), more
