"""A game worked out once more from what its channel was told: `protocol.heard` has it together."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from game.category import ROUNDS, Category
from game.dice import Dice
from game.fair import FairDice, commitment
from game.match import places
from game.rules import HASBRO
from game.scorecard import Scorecard
from protocol.fairness import Play
from protocol.heard import Amended, Entry, Heard, Round
from protocol.verdict import Right, Unknown, Verdict, Wrong, fallen, shown

_TOLD: Final = "the channel was told"


@dataclass(frozen=True, slots=True)
class Own:
    """What a player knows besides."""

    seat: int = 0
    """Theirs, from 1."""

    seats: int = 0
    """How many play."""

    word: str = ""
    """That the host took from them."""

    sent: str = ""
    """That they sent last, taken or not."""

    dice: Mapping[tuple[int, int], Dice] = field(default_factory=dict)
    """That they were shown, by round and roll."""

    totals: tuple[int, ...] = ()
    """That they were told in the end."""


def check(heard: Heard, own: Own | None = None) -> Verdict:
    """All that was told, or the first thing that is wrong."""
    return _Check(heard, own or Own()).verdict()


class _Check:
    """The game as far as it was worked out."""

    def __init__(self, heard: Heard, own: Own) -> None:
        self._heard, self._own = heard, own
        self._count = len(heard.seats)
        self._fair = FairDice(
            heard.game,
            bytes.fromhex(heard.seed),
            tuple(heard.seats[seat][1] for seat in sorted(heard.seats)),
            heard.mode,
        )
        self._nicks = [heard.seats[seat][0] for seat in sorted(heard.seats)]
        self._cards = [Scorecard(heard.rules or HASBRO)] * self._count
        self._earlier: list[list[Scorecard]] = [[] for _ in self._nicks]
        """As cards were before they were amended in the round that is on: it may have been scored then."""

        self._ahead: dict[tuple[int, object], int] = {}
        """What was amended before the round that it is of was told."""

        self._round = 0
        self._right = Right(heard.game, seats=self._count)
        self._unchecked: list[str] = []
        self._counts = heard.rules is not None
        """Whether points can be counted."""

        rounds = (told for told in heard.told if isinstance(told, Round))
        self._rounds: dict[int, Sequence[Entry]] = {told.number: told.entries for told in rounds}
        self._silent = False
        """Whether nothing was told of what anybody played."""

    def verdict(self) -> Verdict:
        heard = self._heard
        if heard.twice:
            return Wrong(f"{_TOLD} {heard.twice} of game {heard.game}", "there can be one")
        if not heard.seed:
            return Unknown(heard.game, "its seed was not told")
        if heard.commit and (due := commitment(bytes.fromhex(heard.seed))) != heard.commit:
            return Wrong(f"{_TOLD} the commitment {heard.commit}", f"the seed gives {due}")
        if heard.late and heard.opened:
            return Wrong(f"{_TOLD} the commitment after the beginning", "then it proves nothing")
        if not heard.commit or heard.late or not heard.began:
            when = "its commitment was heard later" if heard.late else "its beginning was not heard"
            why = when if heard.commit else "no commitment was heard"
            self._unchecked.append(f"that the seed was fixed before the game: {why}")
        if heard.words_late:
            self._unchecked.append("that the words were fixed before the dice: they were heard later")
        known = max(self._own.seats, *heard.plays, *map(len, self._rounds.values()), 0)
        if not heard.seats or sorted(heard.seats) != list(range(1, max(known, self._count) + 1)):
            return Unknown(heard.game, "not all seats and their words were heard")
        if max(map(len, heard.plays.values()), default=0) > ROUNDS:
            return Wrong(f"{_TOLD} of more than {ROUNDS} rounds", "that is all there are")
        nick, word = heard.seats.get(self._own.seat, ("", ""))
        if self._own.word and word != self._own.word:
            return Wrong(f"{_TOLD} the word {word}", f"you said {self._own.word}", nick)
        if self._own.sent not in ("", word):
            self._unchecked.append("that the host did not choose the words: your word is not in the dice")
        return next(self._mistakes(), None) or self._fine()

    def _fine(self) -> Right | Unknown:
        if self._silent:
            return Unknown(self._heard.game, "what was played was not told")
        finished = self._round == ROUNDS and self._counts
        totals = tuple(card.total for card in self._cards) if finished else ()
        return replace(
            self._right, rounds=self._round, totals=totals, unchecked=tuple(dict.fromkeys(self._unchecked))
        )

    def _mistakes(self) -> Iterator[Wrong]:
        heard = self._heard
        rounds = {seat: len(heard.plays.get(seat, ())) for seat in heard.seats}
        # Of a game that was stopped in its first round nothing is told of who had not scored.
        silent = [seat for seat in rounds if not rounds[seat] and (max(rounds.values()) > 1 or self._rounds)]
        self._silent = len(silent) == self._count
        self._unchecked += [f"what {self._nicks[seat - 1]} played: it was not told" for seat in silent]
        if heard.rules is None:
            self._unchecked.append("points and totals: the line that opened the game was not heard")
        for told in heard.told:
            match told:
                case Round(number, entries):
                    yield from self._played(min(number, ROUNDS), entries)
                case Amended():
                    self._amend(told)
        last = max(*rounds.values(), *(number for number, _ in self._own.dice), 0)
        yield from self._played(min(last, ROUNDS), ())
        closed = min((rounds[seat] for seat in rounds if seat not in silent), default=0)
        told_of = {number for number, entries in self._rounds.items() if len(entries) == self._count}
        missed = [str(number) for number in range(1, closed + 1) if number not in told_of]
        if missed:
            self._unchecked.append(f"what the channel was told of round {', '.join(missed)}: not heard")
        if self._round == ROUNDS and self._counts and len(heard.plays) == self._count:
            yield from self._ended()

    def _played(self, until: int, entries: Sequence[Entry]) -> Iterator[Wrong]:
        """The rounds that follow up to one of which the channel was told these entries."""
        while self._round < until:
            self._round += 1
            told = entries if self._round == until and len(entries) == self._count else ()
            for seat in range(self._count):
                plays = self._heard.plays.get(seat + 1, ())
                play = plays[self._round - 1] if self._round <= len(plays) else None
                yield from self._dice(seat, play)
                if told:
                    self._nicks[seat] = told[seat].nick
                if play and self._counts:
                    yield from self._scored(seat, play, told[seat] if told else None)
            self._earlier = [[] for _ in self._nicks]

    def _dice(self, seat: int, play: Play | None) -> Iterator[Wrong]:
        """The dice of a seat in the round; of an unfinished one the first roll alone is known."""
        rolls = list(fallen(self._fair, seat, self._round, play or Play((), Category.CHANCE)))
        for roll, (kept, dice) in enumerate(rolls, start=1):
            self._right = self._right.rolled(kept) if play else self._right
            seen = self._own.dice.get((self._round, roll)) if seat + 1 == self._own.seat else None
            if seen not in (None, dice):
                yield self._wrong(
                    seat, f"you were shown {shown(seen)}", f"the seed gives {shown(dice)}", roll
                )
        if play and seat + 1 == self._own.seat and (self._round, len(rolls) + 1) in self._own.dice:
            yield self._wrong(
                seat, "you were shown a further roll", f"{_TOLD} of {len(rolls)}", len(rolls) + 1
            )

    def _scored(self, seat: int, play: Play, told: Entry | None) -> Iterator[Wrong]:
        *_, (_, dice) = fallen(self._fair, seat, self._round, play)
        card, box = self._cards[seat], play.category
        label = card.rules.label(box)
        amended = self._ahead.pop((seat, box), None)
        worth = [
            (points, card.written(box, points if amended is None else amended, seen.bonus(dice)))
            for seen in (card, *self._earlier[seat])
            if (points := seen.options(dice).get(box)) is not None
        ]
        if not worth:
            yield self._wrong(seat, f"{_TOLD} {label}", f"{shown(dice)} cannot be scored there")
            return
        fits = (
            one for one in worth if told and (told.points, told.total) == (one[1].boxes[box], one[1].total)
        )
        points, card = next(fits, worth[0])
        self._cards[seat] = card
        if told and told.box is not box:
            yield self._wrong(seat, f"{_TOLD} {card.rules.label(told.box)}", f"in the end {label}")
        elif told and told.points != card.boxes[box]:
            yield self._wrong(seat, f"{_TOLD} {label} {told.points}", f"{shown(dice)} pay {points}")
        elif told and told.total != card.total:
            yield self._wrong(seat, f"{_TOLD} the total {told.total}", f"the boxes make {card.total}")

    def _amend(self, told: Amended) -> None:
        seat = self._seat_of(told.nick)
        if seat is None:
            self._unchecked.append(
                f"points and totals after an amendment for {told.nick}, who was not heard of"
            )
            self._counts = False
        elif told.box in (card := self._cards[seat]).boxes:
            self._earlier[seat].append(card)
            self._cards[seat] = card.written(told.box, told.points, 0)
        else:
            self._ahead[seat, told.box] = told.points

    def _seat_of(self, nick: str) -> int | None:
        """The seat of who is called so, or will be when the next round is told."""
        rounds = (tuple(entry.nick for entry in entries) for entries in self._rounds.values())
        for nicks in (tuple(self._nicks), *(one for one in rounds if len(one) == self._count)):
            if nick in nicks:
                return nicks.index(nick)
        return None

    def _ended(self) -> Iterator[Wrong]:
        totals = [card.total for card in self._cards]
        for seat, (nick, total, place) in enumerate(zip(self._nicks, totals, places(totals), strict=True)):
            row = self._heard.final.get(nick)
            if row is None:
                self._unchecked.append(f"the total of {nick} in the final table: not heard")
            elif row.total != total:
                yield self._wrong(
                    seat, f"{_TOLD} the total {row.total} in the end", f"the boxes make {total}"
                )
            elif row.place != place:
                yield self._wrong(seat, f"{_TOLD} place {row.place}", f"it is {place}")
            if (own := self._own.totals[seat : seat + 1]) not in ((), (total,)):
                yield self._wrong(seat, f"you were told {own[0]}", f"the boxes make {total}")

    def _wrong(self, seat: int, told: str, right: str, roll: int = 0) -> Wrong:
        return Wrong(told, right, self._nicks[seat], self._round, roll)
