"""The one gate that secrets pass: what the channel may see of a table, and what one player may see.

`told` turns recorded events into replies. Live dice are read in `dealt` alone, for the seat they belong to.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from game.match import ROLLS, Chose, Held, Rolled, RoundEnded, Scored, places
from game.scorecard import Scorecard
from game.standin import best_first
from host.decide import seconds_left
from host.events import (
    Began,
    CameBack,
    Event,
    Finished,
    Left,
    LobbyClosed,
    Opened,
    Reminded,
    Seated,
    Spoke,
    Stopped,
    TakenUp,
    Unseated,
)
from host.replies import (
    CardShown,
    Choosing,
    DealtDice,
    Entered,
    FinalRow,
    FinalTable,
    GameBegan,
    GameOver,
    GameStopped,
    GaveUp,
    Holding,
    HostBack,
    Hurry,
    Kept,
    Lead,
    LobbyEmpty,
    LobbyOpened,
    LobbyShown,
    PlayerBack,
    PlayerLeft,
    PlayersShown,
    PrivateReply,
    PublicReply,
    ResultLine,
    RoundDone,
    RoundResult,
    ScoresShown,
    SeatFreed,
    SeatTaken,
    TimeShown,
    WelcomeBack,
    Worth,
)
from host.table import Phase, Table
from protocol.tags import DiceTag, Placing


@dataclass(frozen=True, slots=True)
class Public:
    """For the channel."""

    reply: PublicReply


@dataclass(frozen=True, slots=True)
class Private:
    """For one person."""

    person: str
    reply: PrivateReply


Said = Public | Private


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


def told(before: Table, events: Sequence[Event], at: float) -> Iterator[Said]:
    """What is said of events that were recorded together, in order."""
    table = before
    tables = [table := table.after(event, at) for event in events]
    after = tables[-1] if tables else before
    written: dict[int, Entered] = {}
    for event, was, now in zip(events, [before, *tables], tables, strict=False):
        if isinstance(event, Scored):
            who = now.seats[event.seat]
            newly_away = who.away and not who.left and not was.seats[event.seat].away
            written[event.seat] = entered(now, event.seat, now_away=newly_away)
        step = _Step(event, was, now, before, after, written, at)
        yield from _public(step)
        yield from _private(step)


def _public(step: _Step) -> Iterator[Public]:
    was, now, after = step.was, step.now, step.after
    match step.event:
        case Opened(_, settings):
            house = tuple(seat.nick for seat in after.seats if seat.house)
            nick = after.seats[0].nick
            yield Public(LobbyOpened(nick, house, now.rules, settings.pace, settings.lobby_seconds))
        case Seated(occupant) if not occupant.house and was.opener:
            yield Public(SeatTaken(occupant.nick, len(now.seats), now.settings.seats))
        case Unseated(person) if now.opener:
            nick = next(seat.nick for seat in was.seats if seat.occupant.person == person)
            changed = now.opener != was.opener
            yield Public(SeatFreed(nick, now.opener.nick if changed else None))
        case LobbyClosed() if step.before.opener:
            yield Public(LobbyEmpty(step.before.opener.nick))
        case Began():
            nicks = tuple(seat.nick for seat in now.seats)
            yield Public(GameBegan(nicks, now.rules, now.settings.pace, now.settings.round_seconds))
        case RoundEnded():
            yield Public(round_result(now, step.before))
        case Finished():
            yield Public(final_table(now))
        case Left(seat) if after.open:
            yield Public(PlayerLeft(now.seats[seat].nick))
        case CameBack(seat):
            yield Public(PlayerBack(now.seats[seat].nick))
        case Spoke(seat) if was.seats[seat].away:
            yield Public(PlayerBack(now.seats[seat].nick))
        case TakenUp(seat, occupant):
            yield Public(PlayerBack(was.seats[seat].nick, occupant.nick))
        case Stopped():
            yield Public(GameStopped())


def _private(step: _Step) -> Iterator[Private]:
    was, now, after = step.was, step.now, step.after
    match step.event:
        case Held(seat, kept) if after.play.turns[seat].hold == kept:
            yield from _to(now, seat, dealt(now, seat, _sent(now, seat)))
        case Chose(seat) if after.play.turns[seat].choice and not after.play.turns[seat].entry:
            yield from _to(now, seat, dealt(now, seat, _sent(now, seat)))
        case Rolled(seat, 1) if not now.seats[seat].left:
            yield from _to(now, seat, dealt(now, seat, step.written.get(seat)))
        case Rolled(seat, _, kept, dice) if not now.seats[seat].away:
            by_clock = was.play.turns[seat].hold is None
            yield from _to(now, seat, dealt(now, seat, Kept(dice.at(kept), by_clock)))
        case Scored(seat) if not now.seats[seat].left:
            # New dice, or the end, tell in the same instant what was scored; else it takes a line of its own.
            if after.phase is Phase.PLAYING and after.play.turns[seat].entry == step.event:
                yield from _to(now, seat, round_done(now, seat))
        case Finished():
            for placing, seat in standings(now):
                if not now.seats[seat].left:
                    over = GameOver(step.written.get(seat), now.rules, placing, len(now.seats))
                    yield from _to(now, seat, over)
        case Left(seat) if after.open:
            yield from _to(now, seat, GaveUp())
        case Reminded():
            for seat in now.waiting:
                yield from _to(now, seat, dealt(now, seat, Hurry(seconds_left(now, step.at))))
        case CameBack(seat) if now.decides(seat):
            yield from _to(now, seat, dealt(now, seat, WelcomeBack()))


def _to(table: Table, seat: int, reply: PrivateReply) -> Iterator[Private]:
    if not table.seats[seat].house:
        yield Private(table.seats[seat].occupant.person, reply)


def dealt(table: Table, seat: int, lead: Lead | None = None) -> DealtDice:
    """The dice of a seat, for its own eyes."""
    match, rules = table.play, table.rules
    turn, card = match.turns[seat], match.cards[seat]
    return DealtDice(
        tag=DiceTag(match.round, turn.roll, turn.cup),
        rules=rules,
        options=tuple(Worth(*option) for option in best_first(card.options(turn.cup))),
        open_boxes=len(card.open),
        bonus=card.bonus(turn.cup),
        can_roll=turn.roll < ROLLS and not (turn.choice and turn.roll < match.step),
        lead=lead,
        waiting=waiting(table, seat),
        tips=match.round == 1 and turn.roll == 1 and lead is None,
    )


def entered(table: Table, seat: int, *, now_away: bool = False) -> Entered:
    """What the seat scored in the round that is on or was last."""
    entry = table.play.turns[seat].entry
    if entry is None:
        raise AssertionError("an entry is asked for before there is one")
    card = table.play.cards[seat]
    bonus = _bonus(card, entry)
    return Entered(entry.category, entry.points, bonus, card.total, entry.by_host, now_away)


def _bonus(card: Scorecard, entry: Scored) -> int:
    """What an entry that is on the card brought on top: for a further Yahtzee, and for the upper section."""
    boxes = {category: points for category, points in card.boxes.items() if category is not entry.category}
    return entry.bonus + card.upper_bonus - replace(card, boxes=boxes).upper_bonus


def round_done(table: Table, seat: int) -> RoundDone:
    """The state of a seat that has scored."""
    return RoundDone(entered(table, seat), table.rules, waiting(table, seat))


def waiting(table: Table, seat: int | None = None) -> tuple[str, ...]:
    """Nicks of those that the table waits for, but for one seat."""
    return tuple(table.seats[other].nick for other in table.waiting if other != seat)


def nicks_of(table: Table, people: Collection[str]) -> tuple[str, ...]:
    """Today's nicks of those of these persons who sit at a table that is open."""
    return tuple(seat.nick for seat in table.seats if table.open and seat.occupant.person in people)


def round_result(table: Table, before: Table) -> RoundResult:
    """The round that just closed, in the order of the seats; `before` is the table when that began."""
    lines = []
    for seat, (turn, card) in enumerate(zip(table.play.turns, table.play.cards, strict=True)):
        entry, who = turn.entry, table.seats[seat]
        if entry:
            now_away = who.away and not who.left and not before.seats[seat].away
            bonus = _bonus(card, entry)
            line = (who.nick, entry.category, entry.points, bonus, card.total, entry.by_host, now_away)
            lines.append(ResultLine(*line))
    best = max(line.total for line in lines)
    leaders = tuple(line.nick for line in lines if line.total == best)
    return RoundResult(table.play.round, table.rules, tuple(lines), leaders)


def standings(table: Table) -> list[tuple[Placing, int]]:
    """Placings with the number of their seat, best first; equal totals in the order of the seats."""
    totals = [card.total for card in table.play.cards]
    rows = [
        (Placing(place, table.seats[seat].nick, totals[seat]), seat)
        for seat, place in enumerate(places(totals))
    ]
    return sorted(rows, key=lambda row: row[0].place)


def final_table(table: Table) -> FinalTable:
    """The result of the game."""
    rows = []
    for placing, seat in standings(table):
        card = table.play.cards[seat]
        rows.append(FinalRow(placing, card.upper_bonus, card.yahtzee_bonus))
    return FinalTable(tuple(rows), table.rules)


def host_back(table: Table, now: float) -> Public:
    """What is said when the host comes into the channel and something is on."""
    number = table.play.round if table.phase is Phase.PLAYING else 0
    return Public(HostBack(number, seconds_left(table, now)))


def my_dice(table: Table, seat: int, lead: Lead | None = None) -> DealtDice | RoundDone:
    """The dice of a seat with what was sent for them, or what was made of them."""
    if not table.decides(seat):
        return round_done(table, seat)
    return dealt(table, seat, _sent(table, seat) or lead)


def _sent(table: Table, seat: int) -> Holding | Choosing | None:
    """What a seat has sent in lockstep, and may still change."""
    turn, card = table.play.turns[seat], table.play.cards[seat]
    if turn.hold is not None:
        return Holding(turn.cup.at(turn.hold))
    if turn.choice:
        worth = Worth(turn.choice, card.options(turn.cup)[turn.choice])
        return Choosing(worth, card.bonus(turn.cup))
    return None


def card(table: Table, seat: int) -> CardShown:
    """The scorecard of a seat."""
    return CardShown(table.play.cards[seat])


def scores(table: Table) -> ScoresShown:
    """Everybody's totals."""
    rows = tuple(placing for placing, _ in standings(table))
    return ScoresShown(rows, table.play.round, table.phase is not Phase.PLAYING)


def who(table: Table, now: float) -> LobbyShown | PlayersShown:
    """Who sits here, and who is waited for."""
    if table.phase is Phase.LOBBY:
        nicks = tuple(seat.nick for seat in table.seats)
        opener = table.opener.nick if table.opener else ""
        return LobbyShown(nicks, table.settings.seats, opener, seconds_left(table, now))
    awaited = waiting(table)
    away = tuple(seat.nick for seat in table.seats if seat.away)
    done = tuple(s.nick for s in table.seats if s.nick not in awaited and s.nick not in away)
    return PlayersShown(table.play.round, done, awaited, away)


def time_left(table: Table, now: float) -> TimeShown:
    """What is left of the lobby or the round."""
    number = table.play.round if table.phase is Phase.PLAYING else 0
    return TimeShown(number, seconds_left(table, now))
