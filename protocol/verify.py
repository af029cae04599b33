"""A record worked out once more: its commitment, every die, every box and total, and its digest last."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final, NoReturn

from game.category import CATEGORIES, ROUNDS
from game.errors import BoxForbidden, BoxUsed
from game.fair import FairDice, commitment
from game.match import ROLLS, Match, RoundBegan, RoundEnded, places
from game.rules import RULE_SETS
from game.scorecard import Scorecard
from protocol.card.fields import PLACES
from protocol.record import Amendment, Ending, Entry, HintTaken, NewNick, Record, Result, Roll, Score
from protocol.verdict import Right, Verdict, Wrong, shown


def verify(record: Record) -> Verdict:
    """All of it, or the first thing that is wrong."""
    try:
        return _Replay(record).verdict()
    except _Mistake as mistake:
        return mistake.wrong


class _Mistake(Exception):
    """The first one."""

    def __init__(self, wrong: Wrong) -> None:
        super().__init__(str(wrong))
        self.wrong = wrong


def _wrong(told: str, right: str, nick: str = "", round: int = 0, roll: int = 0) -> NoReturn:
    raise _Mistake(Wrong(f"the record has {told}", right, nick, round, roll))


class _Replay:
    """The game as far as it was checked."""

    def __init__(self, record: Record) -> None:
        self._record = record
        self._rules = RULE_SETS[record.rules]
        words = tuple(seat.word for seat in record.seats)
        self._fair = FairDice(record.game, bytes.fromhex(record.seed), words, record.dice)
        self._match = Match.of(self._rules, record.pace, len(record.seats))
        self._nicks = [seat.nick for seat in record.seats]
        self._hinted: set[int] = set()
        self._time = record.opened
        self._played = record.began
        self._right = Right(record.game, seats=len(record.seats))

    def verdict(self) -> Right:
        """What was checked. Raises _Mistake."""
        record = self._record
        if (due := commitment(bytes.fromhex(record.seed))) != record.commit:
            _wrong(f"the commitment {record.commit}", f"the seed gives {due}")
        if not record.seats:
            _wrong("no seats", "a game has one at least")
        self._pass(record.began)
        for entry in record.log:
            self._take(entry)
        if record.ended < self._played:
            _wrong(f"{record.ended} as its end", f"it was played until {self._played}")
        self._check_results()
        if (due := record.own_digest) != record.digest:
            _wrong(f"the digest {record.digest}", f"all else gives {due}")
        totals = tuple(result.total for result in record.results)
        return replace(self._right, rounds=self._match.round, totals=totals)

    def _take(self, entry: Entry) -> None:
        if entry.seat > len(self._nicks):
            _wrong(f"seat {entry.seat}", f"there are {len(self._nicks)}", round=entry.round)
        self._pass(entry.time)
        if isinstance(entry, Roll) and self._match.closed and not self._match.over:
            self._match = self._match.after(RoundBegan(self._match.round + 1))
        if entry.round != self._match.round:
            self._not(entry, f"round {entry.round}", f"round {self._match.round} is on")
        match entry:
            case Roll():
                self._rolled(entry)
            case Score():
                self._scored(entry)
            case Amendment():
                self._amended(entry)
            case NewNick(_, _, seat, nick):
                self._nicks[seat - 1] = nick
            case HintTaken(_, _, seat):
                self._hinted.add(seat - 1)
        if isinstance(entry, Roll | Score):
            self._played = entry.time

    def _rolled(self, entry: Roll) -> None:
        seat = entry.seat - 1
        turn = self._turn(entry)
        if entry.roll != turn + 1 or entry.roll > ROLLS:
            self._not(
                entry, f"roll {entry.roll}", f"roll {turn + 1} is next" if turn < ROLLS else "it was the last"
            )
        if entry.roll == 1 and entry.kept:
            self._not(
                entry,
                f"{PLACES.write(entry.kept)} as kept",
                "nothing can be kept in a first roll",
                entry.roll,
            )
        due = self._match.rolled(seat, entry.kept, self._fair)
        if entry.dice != due.dice:
            kept = f" with {PLACES.write(entry.kept)} kept" * bool(entry.kept)
            self._not(entry, shown(entry.dice), f"the seed gives {shown(due.dice)}{kept}", entry.roll)
        self._match = self._match.after(due)
        self._right = self._right.rolled(entry.kept)

    def _scored(self, entry: Score) -> None:
        seat, label = entry.seat - 1, self._rules.label(entry.box)
        if not self._turn(entry):
            self._not(entry, f"{label} {entry.points}", "there are no dice")
        try:
            due = self._match.scored(seat, entry.box, by_host=entry.by_host)
        except BoxUsed:
            self._not(entry, label, "that box is used")
        except BoxForbidden:
            self._not(entry, label, "the rules for a further Yahtzee do not allow that box")
        if entry.points != due.points:
            dice = shown(self._match.turns[seat].cup)
            self._not(entry, f"{label} {entry.points}", f"{dice} pay {due.points}")
        if entry.bonus != due.bonus:
            self._not(entry, f"{entry.bonus} on top", f"the rules give {due.bonus}")
        self._match = self._match.after(due)
        self._check_total(entry)
        if not self._match.pending():
            self._match = self._match.after(RoundEnded(entry.round))

    def _amended(self, entry: Amendment) -> None:
        card, label = self._match.cards[entry.seat - 1], self._rules.label(entry.box)
        if entry.box not in card.boxes:
            self._not(entry, f"{label} amended", "that box is open")
        if entry.was != (was := card.boxes[entry.box]):
            self._not(entry, f"{label} amended from {entry.was}", f"it holds {was}")
        if entry.points not in self._rules.possible_points(entry.box):
            self._not(entry, f"{label} amended to {entry.points}", "it can never hold that")
        self._match = self._match.amended(entry.seat - 1, entry.box, entry.points)
        self._check_total(entry)

    def _check_total(self, entry: Score | Amendment) -> None:
        if entry.total != (total := self._match.cards[entry.seat - 1].total):
            self._not(entry, f"the total {entry.total}", f"the boxes make {total}")

    def _check_results(self) -> None:
        record = self._record
        if record.ending is Ending.STOPPED:
            if self._match.over:
                _wrong("a game that was stopped", f"all {ROUNDS} rounds of it are played")
            if record.results:
                _wrong("results of a game that was stopped", "it has none")
            return
        if not self._match.over:
            _wrong(f"a finished game of {self._match.round} rounds", f"all {ROUNDS} have to be played by all")
        if len(record.results) != len(self._nicks):
            _wrong(f"{len(record.results)} results", f"there are {len(self._nicks)} seats")
        for seat, result in enumerate(record.results):
            for what, told, due in self._compared(seat, result):
                if told != due:
                    _wrong(f"{what} {told} in the result", f"by its rounds it is {due}", self._nicks[seat])

    def _compared(self, seat: int, result: Result) -> list[tuple[str, object, object]]:
        card: Scorecard = self._match.cards[seat]
        place = places(self._match.totals)[seat]
        boxes = [card.boxes[category] for category in CATEGORIES]
        labels = [self._rules.label(category) for category in CATEGORIES]
        return [
            ("the nick", result.nick, self._nicks[seat]),
            ("boxes", len(result.boxes), len(boxes)),
            *zip(labels, result.boxes, boxes, strict=False),
            ("the upper bonus", result.upper_bonus, card.upper_bonus),
            (f"the {self._rules.game_name} bonus", result.yahtzee_bonus, card.yahtzee_bonus),
            ("the total", result.total, card.total),
            ("place", result.place, place),
            ("hints", _YES_NO[result.hinted], _YES_NO[seat in self._hinted]),
        ]

    def _turn(self, entry: Roll | Score) -> int:
        """The last roll of the seat in the round that is on."""
        turn = self._match.turns[entry.seat - 1]
        if self._match.closed or turn.entry:
            what = f"roll {entry.roll}" if isinstance(entry, Roll) else self._rules.label(entry.box)
            self._not(entry, what, "the game is over" if self._match.over else "the round is scored")
        return turn.roll

    def _not(self, entry: Entry, told: str, right: str, roll: int = 0) -> NoReturn:
        _wrong(told, right, self._nicks[entry.seat - 1], entry.round, roll)

    def _pass(self, time: str) -> None:
        if time < self._time:
            _wrong(f"the time {time}", f"it was {self._time} already")
        self._time = time


_YES_NO: Final[Mapping[bool, str]] = {False: "no", True: "yes"}
