"""The one gate that secrets pass: what the channel may see of a table, and what one player may see.

Live dice are read in `dealt` and `hint` alone, for the seat they belong to; `_verdict` reads those before.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, replace
from typing import Final

from game.category import Category
from game.dice import POSITIONS, Positions
from game.match import ROLLS, Match, Scored, places
from game.scorecard import Scorecard
from game.standin import best_first
from host.advice import Turns
from host.announcements import (
    Award,
    FinalRow,
    FinalTable,
    HostBack,
    PlaysTold,
    PrizesWon,
    PublicReply,
    ResultLine,
    RoundResult,
    ScoreAmended,
    SeedTold,
)
from host.decide import seconds_left
from host.events import Amended, Hints, Reason
from host.hindsight import FELT
from host.record import Record
from host.replies import (
    CardShown,
    Choosing,
    DealtDice,
    Entered,
    Hint,
    Holding,
    Kept,
    Lead,
    LobbyShown,
    PlayersShown,
    PrivateReply,
    RoundDone,
    ScoresShown,
    Sign,
    TimeShown,
    Verdict,
    Worth,
)
from host.table import Phase, Table
from protocol.fairness import Commit, Play, Plays, Reveal, SeatPlays, Seats, SeatWord
from protocol.tags import DiceTag, Placing
from solver.advice import Choice, Turn


@dataclass(frozen=True, slots=True)
class Public:
    """For the channel."""

    reply: PublicReply


@dataclass(frozen=True, slots=True)
class Private:
    """For one person."""

    person: str
    reply: PrivateReply | Sign


Said = Public | Private

_SEATS_IN_A_LINE: Final = 5
"""Those with the longest nicks and words fit."""


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
        can_roll=_can_roll(match, seat),
        lead=lead,
        waiting=waiting(table, seat),
        tips=match.round == 1 and turn.roll == 1 and lead is None,
    )


def hint(table: Table, seat: int, perfect: Turn) -> Hint:
    """The best that a seat can do with its dice, for its own eyes; `perfect` is of its card."""
    match, turn = table.play, table.play.turns[seat]
    advice = perfect.advice(turn.cup, ROLLS - turn.roll if _can_roll(match, seat) else 0)
    # To keep all five is to score a little later.
    holds = [hold for hold in advice.holds if len(hold.kept) < len(POSITIONS)]
    choices: list[Choice] = [*advice.boxes, *holds]
    others = (choice for choice in choices if choice != advice.best)
    second = max(others, key=lambda choice: choice.worth, default=None)
    return Hint(DiceTag(match.round, turn.roll, turn.cup), table.rules, advice.best, second)


def rolled_on(was: Table, seat: int, kept: Positions, turns: Turns) -> Kept:
    """What a seat kept of the dice that it had `was`, and what perfect play says to it."""
    turn = was.play.turns[seat]
    faces, by_clock = turn.cup.at(kept), turn.hold is None
    verdict = None if by_clock else _verdict(was, seat, kept, turns)
    return Kept(faces, by_clock, verdict)


def judged(was: Table, seat: int, entry: Scored, turns: Turns) -> Verdict | None:
    """What perfect play says to a box that was chosen for the dice that the seat had `was`."""
    return None if entry.by_host else _verdict(was, seat, entry.category, turns)


def _verdict(was: Table, seat: int, made: Positions | Category, turns: Turns) -> Verdict | None:
    """What perfect play says to a decision; None where nobody is told."""
    if was.settings.hints is not Hints.PRACTICE or was.seats[seat].house:
        return None
    turn, perfect = was.play.turns[seat], turns(was.play.cards[seat])
    tag = DiceTag(was.play.round, turn.roll, turn.cup)
    if perfect is None:
        return Verdict(tag, made)
    advice = perfect.advice(turn.cup, ROLLS - turn.roll)
    choice = advice.box(made) if isinstance(made, Category) else advice.hold(turn.cup.at(made))
    lost = advice.best.worth - choice.worth
    return Verdict(tag, made, advice.best, lost if lost >= FELT else 0.0)


def _can_roll(match: Match, seat: int) -> bool:
    turn = match.turns[seat]
    return turn.roll < ROLLS and not (turn.choice and turn.roll < match.step)


def entered(table: Table, seat: int, *, now_away: bool = False, verdict: Verdict | None = None) -> Entered:
    """What the seat scored in the round that is on or was last."""
    entry = table.play.turns[seat].entry
    if entry is None:
        raise AssertionError("an entry is asked for before there is one")
    card, turn = table.play.cards[seat], table.play.turns[seat]
    unseen = entry.by_host and table.seats[seat].away and not now_away and turn.roll > 1
    return Entered(
        entry.category,
        entry.points,
        _bonus(card, entry),
        card.total,
        entry.by_host,
        now_away,
        turn.cup.faces if unseen else (),
        verdict,
    )


def _bonus(card: Scorecard, entry: Scored) -> int:
    """What an entry that is on the card brought on top: for a further Yahtzee, and for the upper section."""
    boxes = {category: points for category, points in card.boxes.items() if category is not entry.category}
    return entry.bonus + card.upper_bonus - replace(card, boxes=boxes).upper_bonus


def round_done(table: Table, seat: int, just: Entered | None = None) -> RoundDone:
    """The state of a seat that has scored, maybe `just` now."""
    return RoundDone(just or entered(table, seat), table.rules, waiting(table, seat))


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
    totals = table.play.totals
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
    hinted = tuple(seat.nick for seat in table.seats if seat.hinted)
    return FinalTable(tuple(rows), table.rules, hinted, table.settings.hints is Hints.PRACTICE)


def final(table: Table) -> Iterator[PublicReply]:
    """All that is said of a finished game; of one that was stopped nothing."""
    if table.phase is not Phase.OVER:
        return
    yield final_table(table)
    if awards := prizes(table):
        yield PrizesWon(awards)


def commit(table: Table) -> Commit:
    """What was told of the seed of the game."""
    return Commit(table.game, table.commit)


def seats(table: Table) -> Seats:
    """Who sits where, and the words that they add to the dice."""
    taken = (SeatWord(number, seat.nick, seat.word) for number, seat in enumerate(table.seats, start=1))
    return Seats(table.game, tuple(taken))


def fairness(table: Table, record: Record) -> tuple[Commit | Seats | Reveal | Plays, ...]:
    """What was told so far of the dice of a game, for who asks for it; `record` is of that game."""
    if not table.commit:
        return ()
    told = seats(table).seats if table.phase is not Phase.LOBBY else ()
    lines: list[Commit | Seats | Reveal | Plays] = [commit(table)]
    lines += [
        Seats(table.game, told[at : at + _SEATS_IN_A_LINE]) for at in range(0, len(told), _SEATS_IN_A_LINE)
    ]
    if table.seed:
        lines.append(Reveal(table.game, table.seed))
        lines += [Plays(table.game, (_plays(record, seat),)) for seat in record.seats]
    return tuple(lines)


def evidence(table: Table, record: Record) -> Iterator[PublicReply]:
    """What the dice of a game can be checked by, once its seed is told; `record` is of that game."""
    if not table.seed:
        return
    yield SeedTold(Reveal(table.game, table.seed))
    if record.seats:
        yield PlaysTold(Plays(table.game, tuple(_plays(record, seat) for seat in record.seats)))


def _plays(record: Record, seat: int) -> SeatPlays:
    return SeatPlays(seat + 1, tuple(Play(turn.kept, turn.category) for turn in record.turns(seat)))


def prizes(table: Table) -> tuple[Award, ...]:
    """Who has won what: those who played to the end, and most of it themselves, house players apart."""
    finishers = [number for number, seat in enumerate(table.seats) if not seat.house and seat.played_out]
    ranks = places([table.play.cards[seat].total for seat in finishers])
    awards = []
    for place, prize in enumerate(table.settings.prizes.places, start=1):
        nicks = (table.seats[seat].nick for seat, rank in zip(finishers, ranks, strict=True) if rank == place)
        awards.append(Award(place, prize, tuple(nicks)))
    drawn = (table.seats[seat].nick for seat in table.lots if seat in finishers)
    awards += [
        Award(0, prize, (nick,)) for prize, nick in zip(table.settings.prizes.door, drawn, strict=False)
    ]
    return tuple(award for award in awards if award.prize and award.nicks)


def amended(was: Table, now: Table, event: Amended) -> ScoreAmended:
    """What an operator put right."""
    before, card = was.play.cards[event.seat], now.play.cards[event.seat]
    return ScoreAmended(
        nick=now.seats[event.seat].nick,
        rules=now.rules,
        category=event.category,
        was=before.boxes[event.category],
        points=event.points,
        total=card.total,
        reason=event.reason,
        by=event.by,
    )


def host_back(table: Table, now: float) -> HostBack:
    """What is said when the host comes into the channel and something is on."""
    return HostBack(round_on(table), seconds_left(table, now), _paused_by(table))


def round_on(table: Table) -> int:
    return table.play.round if table.phase is Phase.PLAYING else 0


def _paused_by(table: Table) -> str:
    pause = table.stands_for(Reason.PAUSE)
    return pause.by if pause else ""


def my_dice(table: Table, seat: int, lead: Lead | None = None) -> DealtDice | RoundDone:
    """The dice of a seat with what was sent for them, or what was made of them."""
    if not table.decides(seat):
        return round_done(table, seat)
    return dealt(table, seat, sent(table, seat) or lead)


def sent(table: Table, seat: int) -> Holding | Choosing | None:
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


def who(table: Table, now: float, here: Callable[[str], bool]) -> LobbyShown | PlayersShown:
    """Who sits here, and who is waited for; `here` tells which persons are in sight."""
    if table.phase is Phase.LOBBY:
        nicks = tuple(seat.nick for seat in table.seats)
        leader = table.leader(here)
        return LobbyShown(
            nicks, table.settings.seats, leader.nick if leader else "", seconds_left(table, now)
        )
    awaited = waiting(table)
    away = tuple(seat.nick for seat in table.seats if seat.away)
    done = tuple(s.nick for s in table.seats if s.nick not in awaited and s.nick not in away)
    return PlayersShown(table.play.round, done, awaited, away, _paused_by(table))


def time_left(table: Table, now: float) -> TimeShown:
    """What is left of the lobby or the round."""
    return TimeShown(round_on(table), seconds_left(table, now), _paused_by(table))
