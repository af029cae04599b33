"""What is said of events that were recorded: to the channel, and to each player in private."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from game.match import Chose, Held, Rolled, RoundEnded, Scored
from host.advice import Turns, no_turns
from host.announcements import (
    Committed,
    GameBegan,
    GameStopped,
    HouseSet,
    LobbyEmpty,
    LobbyOpened,
    MoreTime,
    PauseBegan,
    PauseOver,
    PlayerBack,
    PlayerLeft,
    PlayerRemoved,
    SeatFreed,
    SeatTaken,
    WordsMixed,
)
from host.decide import seconds_left
from host.events import (
    Amended,
    Began,
    CameBack,
    Event,
    Extended,
    Finished,
    HouseSeated,
    Left,
    LobbyClosed,
    Opened,
    Reason,
    Reminded,
    Removed,
    Resumed,
    Revealed,
    Seated,
    Spoke,
    Stopped,
    Suspended,
    TakenUp,
    Unseated,
)
from host.passages import Passage
from host.record import Record
from host.replies import Dismissed, Entered, GameOver, GaveUp, Hurry, PrivateReply, Sign, WelcomeBack
from host.table import Phase, Table
from host.views import (
    Private,
    Public,
    Said,
    amended,
    commit,
    dealt,
    entered,
    evidence,
    final,
    judged,
    rolled_on,
    round_done,
    round_on,
    round_result,
    seats,
    sent,
    standings,
)

_WATCHED_SEATS: Final = 8
"""At larger tables nobody is told of each decision: that would be more lines than all the dice."""


@dataclass(frozen=True, slots=True)
class _Step:
    """One of several events that were recorded together."""

    event: Event
    was: Table
    now: Table
    before: Table
    """The table before the first of them."""

    after: Table
    """The table after the last."""

    written: Mapping[int, Entered]
    """What they have brought the seats so far."""

    at: float
    record: Record
    turns: Turns


def told(passages: Sequence[Passage], at: float, record: Record, turns: Turns = no_turns) -> Iterator[Said]:
    """What is said of events that were recorded together, in order; there is at least one.

    `record` is of the game that they belong to. `turns` is asked for perfect play where players are told
    after each decision what was best.
    """
    before, after = passages[0].was, passages[-1].now
    written: dict[int, Entered] = {}
    for passage in passages:
        event, was, now = passage.event, passage.was, passage.now
        if isinstance(event, Scored):
            who = now.seats[event.seat]
            newly_away = who.away and not who.left and not was.seats[event.seat].away
            verdict = judged(was, event.seat, event, turns)
            written[event.seat] = entered(now, event.seat, now_away=newly_away, verdict=verdict)
        step = _Step(event, was, now, before, after, written, at, record, turns)
        yield from _public(step)
        yield from _of_the_dice(step)
        yield from _private(step)
        yield from _signs(step)
    if any(isinstance(passage.event, Began) for passage in passages):
        # After the dice, which are waited for.
        if after.commit:
            yield Public(WordsMixed(seats(after)))
        yield from _to_all(after, Sign.MORE_NICKS)


def _public(step: _Step) -> Iterator[Public]:
    was, now, after = step.was, step.now, step.after
    match step.event:
        case Opened(_, settings):
            house = tuple(seat.nick for seat in after.seats if seat.house)
            nick = after.seats[0].nick
            level = settings.house_level
            yield Public(
                LobbyOpened(
                    nick, house, level, now.rules, settings.pace, settings.lobby_seconds, settings.dice
                )
            )
        case Seated(occupant) if not occupant.house and was.opener:
            yield Public(SeatTaken(occupant.nick, len(now.seats), now.settings.seats))
        case Unseated(person, by) if now.opener:
            nick = next(seat.nick for seat in was.seats if seat.occupant.person == person)
            changed = now.opener != was.opener
            yield Public(SeatFreed(nick, now.opener.nick if changed else None, by))
        case HouseSeated(players, by):
            house = tuple(player.nick for player in players)
            level = players[0].level if players else now.settings.house_level
            yield Public(HouseSet(by, house, level, len(now.seats), now.settings.seats))
        case LobbyClosed(by) if step.before.opener:
            yield Public(LobbyEmpty(step.before.opener.nick, by))
        case Began():
            nicks = tuple(seat.nick for seat in now.seats)
            yield Public(GameBegan(nicks, now.rules, now.settings.pace, now.settings.round_seconds))
        case RoundEnded():
            yield Public(round_result(now, step.before))
        case Finished():
            yield from map(Public, final(now))
        case Left(seat) if after.open:
            yield Public(PlayerLeft(now.seats[seat].nick))
        case Removed(seat, by) if after.open:
            yield Public(PlayerRemoved(now.seats[seat].nick, by))
        case Amended():
            yield Public(amended(was, now, step.event))
            if now.phase is Phase.OVER:
                yield from map(Public, final(now))
        case Suspended(Reason.PAUSE, by, seconds):
            yield Public(PauseBegan(by, round_on(now), seconds))
        case Resumed(_, Reason.PAUSE, by) if not after.hurried and after.phase is was.phase:
            yield Public(PauseOver(by, round_on(now), seconds_left(now, step.at), bool(now.standing)))
        case Extended(seconds, by) if by:
            yield Public(MoreTime(by, seconds))
        case CameBack(seat):
            yield Public(PlayerBack(now.seats[seat].nick))
        case Spoke(seat) if was.seats[seat].away:
            yield Public(PlayerBack(now.seats[seat].nick))
        case TakenUp(seat, occupant):
            yield Public(PlayerBack(was.seats[seat].nick, occupant.nick))
        case Stopped(by):
            yield Public(GameStopped(by, was.phase is Phase.PLAYING))


def _of_the_dice(step: _Step) -> Iterator[Public]:
    """What anybody needs to check the dice."""
    match step.event:
        case Opened():
            yield Public(Committed(commit(step.now)))
        case Revealed():
            yield from map(Public, evidence(step.now, step.record))


def _private(step: _Step) -> Iterator[Private]:
    was, now, after = step.was, step.now, step.after
    match step.event:
        # As it is after all that follows: others may have rolled on by it.
        case Held(seat, kept) if after.play.turns[seat].hold == kept:
            yield from _to(now, seat, dealt(after, seat, sent(after, seat)))
            yield from _still_deciding(after, seat)
        case Chose(seat) if after.play.turns[seat].choice and not after.play.turns[seat].entry:
            yield from _to(now, seat, dealt(after, seat, sent(after, seat)))
            yield from _still_deciding(after, seat)
        case Rolled(seat, 1) if not now.seats[seat].left:
            yield from _to(now, seat, dealt(now, seat, step.written.get(seat)))
        case Rolled(seat, _, kept) if not now.seats[seat].away:
            yield from _to(now, seat, dealt(now, seat, rolled_on(was, seat, kept, step.turns)))
        case Scored(seat) if not now.seats[seat].left:
            # New dice, or the end, tell in the same instant what was scored; else it takes a line of its own.
            if after.phase is Phase.PLAYING and after.play.turns[seat].entry == step.event:
                yield from _to(now, seat, round_done(now, seat, step.written[seat]))
                yield from _still_deciding(after, seat)
        case Finished():
            for placing, seat in standings(now):
                if not now.seats[seat].left:
                    last, alone = step.written.get(seat), now.settings.alone
                    over = GameOver(last, now.rules, placing, len(now.seats), alone)
                    yield from _to(now, seat, over)
        case Left(seat) if after.open:
            yield from _to(now, seat, GaveUp())
        case Amended(seat) if (
            now.phase is Phase.PLAYING and now.play.turns != was.play.turns and now.decides(seat)
        ):
            yield from _to(now, seat, dealt(now, seat))
        case Removed(seat, by):
            yield from _to(now, seat, Dismissed(by))
        case Resumed(_, Reason.PAUSE) if (
            now.phase is Phase.PLAYING and not after.hurried and not now.standing
        ):
            for seat in now.waiting:
                yield from _to(now, seat, dealt(now, seat, sent(now, seat)))
        case Reminded():
            for seat in now.waiting:
                yield from _to(now, seat, dealt(now, seat, Hurry(seconds_left(now, step.at))))
        case CameBack(seat):
            yield from _to(now, seat, Sign.SEATED)
            if now.decides(seat):
                yield from _to(now, seat, dealt(now, seat, WelcomeBack()))
        case TakenUp(seat, occupant):
            if (before := was.seats[seat].occupant.person) != occupant.person:
                yield Private(before, Sign.TAKEN)
            yield from _to(now, seat, Sign.SEATED)


def _signs(step: _Step) -> Iterator[Private]:
    """What only programs are told."""
    was, now, after = step.was, step.now, step.after
    match step.event:
        case Began():
            yield from _to_all(now, Sign.BEGAN)
        case Stopped():
            yield from _to_all(was, Sign.STOPPED)
        case Unseated(person, by):
            yield Private(person, Sign.DISMISSED if by else Sign.UNSEATED)
        case Left(seat) if not after.open:
            yield from _to(now, seat, Sign.UNSEATED)
        case Suspended() | Resumed():
            yield from _to_all(now, Sign.CLOCK)
        case Extended(_, by) if by:
            yield from _to_all(now, Sign.CLOCK)
        case Amended(seat):
            yield from _to(now, seat, Sign.CARD)
            yield from _to_all(now, Sign.TOTALS)


def _still_deciding(table: Table, decided: int) -> Iterator[Private]:
    """Let those who wait know that one more has decided."""
    if len(table.seats) > _WATCHED_SEATS or table.play.closed:
        return
    for seat, turn in enumerate(table.play.turns):
        if seat != decided and (turn.hold is not None or turn.choice or turn.entry):
            yield from _to(table, seat, Sign.STILL_DECIDING)


def _to_all(table: Table, reply: Sign) -> Iterator[Private]:
    for number, seat in enumerate(table.seats):
        if not seat.left:
            yield from _to(table, number, reply)


def _to(table: Table, seat: int, reply: PrivateReply | Sign) -> Iterator[Private]:
    if not table.seats[seat].house:
        yield Private(table.seats[seat].occupant.person, reply)
