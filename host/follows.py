"""What follows by itself at a table: by the rules, by the clock, and for those who are not there.

Pure, as `host.decide` is. Dice come from outside, and how the absent are played for with a `StandIn`.
"""

from __future__ import annotations

from collections.abc import Iterator

from game.dice import Positions
from game.match import ROLLS, Held, Pace, RoundBegan, RoundEnded
from game.standin import NO_MORE_ROLLS, StandIn
from host.decide import SECONDS_TO_LOOK, Events
from host.events import Began, LobbyClosed, Reminded, Resumed, Stopped, TimeRanOut
from host.table import Phase, Table


def rolls_due(table: Table, now: float) -> dict[int, Positions]:
    """Seats whose dice fall now, with what they keep."""
    if table.phase is not Phase.PLAYING or table.suspended is not None:
        return {}
    time_up = table.time_up(now)
    together = table.settings.pace is Pace.LOCKSTEP and table.play.step > 0
    if together and not table.attended and not time_up:
        # Else house players would roll on at once, and who comes back would find no roll left.
        return {}
    return table.play.rolls_due(table.absent, time_up)


def ends(table: Table) -> bool:
    """Whether all is played, and the game is finished once lots for the door prizes are drawn."""
    return table.phase is Phase.PLAYING and table.suspended is None and table.play.over


def consequences(table: Table, now: float, stand_in: StandIn = NO_MORE_ROLLS) -> Events:
    """The next thing that happens by itself, dice and lots apart; none when the table waits for somebody."""
    # Nobody is there to see how a game is played to its end at once, and nobody else should wait for that.
    return next(_consequences(table, now, NO_MORE_ROLLS if table.hurried else stand_in), ())


def _consequences(table: Table, now: float, stand_in: StandIn) -> Iterator[Events]:
    if lapsed := table.lapsed(now):
        yield (Resumed(SECONDS_TO_LOOK, lapsed.reason),)
    if table.phase is Phase.LOBBY:
        if table.opener is None:
            yield (LobbyClosed(),)
        elif table.time_up(now):
            yield (Began(),)
    if table.phase is not Phase.PLAYING:
        return
    given_up = table.settings.alone and table.time_up(now)
    if given_up or all(seat.left for seat in table.seats if not seat.house):
        yield (Stopped(),)
    match = table.play
    if table.suspended is not None:
        return
    if match.over:
        return
    if match.closed:
        yield (RoundBegan(match.round + 1),)
    if entries := match.entries_due():
        yield tuple(match.entry(seat) for seat in entries)
    time_up = table.time_up(now)
    if late := _late(table, now):
        yield (TimeRanOut(late),)
    closes = (table.attended or time_up) and match.round_closes(table.absent, time_up)
    rolls = rolls_due(table, now)
    if closes or (rolls and table.settings.pace is Pace.LOCKSTEP):
        yield from _held_for_absent(table, stand_in)
    if closes and not rolls:
        missing = (seat for seat, turn in enumerate(match.turns) if turn.entry is None)
        yield (*(match.entry(seat, stand_in) for seat in missing), RoundEnded(match.round))
    warning = table.warning_at
    if warning is not None and now >= warning and not time_up:
        yield (Reminded(),)


def _late(table: Table, now: float) -> tuple[int, ...]:
    """Seats that the clock rings for now and has not rung for yet."""
    if not table.time_up(now):
        return ()
    waiting = (seat for seat in table.waiting if not table.seats[seat].house)
    return tuple(seat for seat in waiting if table.seats[seat].rang_at != now)


def _held_for_absent(table: Table, stand_in: StandIn) -> Iterator[Events]:
    """What the host keeps for the absent, at the last moment: who comes back before it has all rolls left."""
    match = table.play
    held = []
    for seat in sorted(table.absent.intersection(match.undecided())):
        turn = match.turns[seat]
        if 0 < turn.roll < ROLLS:
            kept = stand_in.keep(match.cards[seat], turn.cup, ROLLS - turn.roll)
            held += [] if kept is None else [Held(seat, kept)]
    if held:
        yield tuple(held)
