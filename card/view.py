"""A game as its player sees it: what the host told, and what the player has marked and not sent yet."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from game.category import Category
from game.dice import NONE, Dice, Positions
from game.match import ROLLS
from game.rules import HASBRO, RULE_SETS, RuleSet
from game.scorecard import Scorecard
from protocol.card import news
from protocol.card.keys import Clock, Entry, Exit, Phase
from protocol.card.stages import Stage, after
from protocol.commands import PRACTICE

_GRACE: Final = 15.0
"""Seconds after the end of the time in which the host says what becomes of the game."""


@dataclass(frozen=True, slots=True)
class Hand:
    """Dice of one roll, and what the host says that they would pay."""

    round: int
    roll: int
    dice: Dice
    pays: Mapping[Category, int]
    bonus: int


@dataclass(frozen=True, slots=True)
class View:
    """One game. `after` folds in what the host says; times are seconds of the clock of whoever folds."""

    game: str = ""
    channel: str = ""
    stage: Stage = Stage.OUT
    rules: RuleSet = HASBRO
    known: bool = True
    """Whether the card knows the rule set. If not, only the host can say what pays."""

    pace: str = "free"
    mode: str = "own"
    """Whose dice fall alike."""

    seat: int = 0
    seats: int = 0
    """How many play; in the lobby how many can."""

    nicks: tuple[str, ...] = ()
    totals: tuple[int, ...] = ()
    awaited: tuple[int, ...] = ()
    """Other seats that have still to decide."""

    card: Scorecard = field(default_factory=lambda: Scorecard(HASBRO))
    round: int = 0
    hand: Hand | None = None
    kept: Positions = NONE
    """Dice that the player wants to keep."""

    marked: Category | None = None
    """The box that the player wants to fill."""

    verdict: news.Verdict | None = None
    """What the decision was worth that led to these dice."""

    hint: news.Hint | None = None
    """What the host says is best for these dice."""

    noted_keep: Positions | None = None
    noted_box: Category | None = None
    last: Entry | None = None
    """What was written last."""

    sound: bool = True
    """Whether the card adds up to what the host says; if not, something was missed."""

    clock: Clock = Clock.RUNS
    seconds: int = 0
    told_at: float = 0.0
    place: int = 0
    """In the result, from 1; 0 before there is one."""

    exit: Exit | None = None
    analysis: news.Analysis | None = None
    """What luck and decisions made of the game, once it is over."""

    @property
    def deciding(self) -> bool:
        """Whether dice are there to hold or to score."""
        return self.hand is not None and self.stage in (Stage.DECIDING, Stage.NOTED)

    @property
    def matter(self) -> tuple[object, ...]:
        """What the player decides on; while it is the same, what they do is meant for it."""
        roll = (self.hand.round, self.hand.roll) if self.hand else ()
        return self.game, self.playing or self.stage, roll

    @property
    def playing(self) -> bool:
        return self.stage in (Stage.WAITING, Stage.DECIDING, Stage.NOTED)

    @property
    def practice(self) -> bool:
        """Whether this is a game alone with the host."""
        return self.channel == PRACTICE

    @property
    def at_table(self) -> bool:
        """Whether the player has a seat where others are."""
        return not self.practice and (self.playing or self.stage is Stage.LOBBY)

    @property
    def can_roll(self) -> bool:
        return self.deciding and self.hand is not None and self.hand.roll < ROLLS

    @property
    def total(self) -> int:
        """The player's own, as the host last said."""
        return self.totals[self.seat - 1] if 0 < self.seat <= len(self.totals) else self.card.total

    @property
    def best(self) -> Positions:
        """The dice that the hint says to keep; none where it says to score, or there is no hint."""
        return self.hint.best if self.hint and isinstance(self.hint.best, frozenset) else NONE

    @property
    def advised(self) -> View:
        """The view when what the hint says is marked."""
        if self.hint is None:
            return self
        if isinstance(self.hint.best, Category):
            return self.marking(self.hint.best)
        return self.keeping(self.hint.best).marking(None)

    def left(self, now: float) -> int:
        """Seconds until the time is up."""
        passed = now - self.told_at if self.clock is Clock.RUNS else 0.0
        return max(0, round(self.seconds - passed))

    def is_overdue(self, now: float) -> bool:
        """Whether the time was up long ago, and nothing came of it."""
        waits = self.playing or self.stage is Stage.LOBBY
        return waits and self.clock is Clock.RUNS and now - self.told_at > self.seconds + _GRACE

    def name(self, seat: int) -> str:
        """The nick of a seat, from 1."""
        return self.nicks[seat - 1] if 0 < seat <= len(self.nicks) else f"seat {seat}"

    def renamed(self, old: str, new: str, fold: Callable[[str], str]) -> View:
        """The view when somebody has another nick."""
        nicks = tuple(new if fold(nick) == fold(old) else nick for nick in self.nicks)
        return replace(self, nicks=nicks)

    def toggled(self, place: int) -> View:
        """The view when a die is kept that was not, or the other way round."""
        return replace(self, kept=self.kept ^ {place}) if self.can_roll else self

    def keeping(self, places: Positions) -> View:
        return replace(self, kept=places) if self.can_roll else self

    def marking(self, category: Category | None) -> View:
        return replace(self, marked=category) if self.deciding else self

    def after(self, line: news.News, now: float) -> View:
        """The view after a line of the host; a line about another game changes nothing."""
        # A seat is the beginning of a game, and of what is known of it.
        if not isinstance(line, news.Seated | news.Began) and getattr(line, "game", None) != self.game:
            return self
        told = _FOLDS[type(line)](self, line, now) if type(line) in _FOLDS else self
        return replace(told, stage=after(told.stage, line))

    @property
    def _handless(self) -> View:
        return replace(self, hand=None, awaited=(), kept=NONE, marked=None, hint=None)

    def _timed(self, seconds: int, now: float) -> View:
        return replace(self, seconds=seconds, told_at=now)

    def _written(self, entry: Entry | None) -> View:
        """The view with what was written; it may have been told before."""
        if entry is None:
            return self
        card = self.card
        if entry.box not in card.boxes:
            plain = card.written(entry.box, entry.points, 0)
            upper = plain.upper_bonus - card.upper_bonus
            card = card.written(entry.box, entry.points, max(0, entry.extra - upper))
        totals = list(self.totals)
        if 0 < self.seat <= len(totals):
            totals[self.seat - 1] = entry.total
        sound = not self.known or card.total == entry.total
        return replace(self, card=card, totals=tuple(totals), last=entry, sound=sound)


def _seated(view: View, line: news.Seated | news.Began, now: float) -> View:
    rules = RULE_SETS.get(line.rules)
    fresh = View(
        line.game,
        line.channel,
        rules=rules or HASBRO,
        known=rules is not None,
        card=Scorecard(rules or HASBRO),
        totals=(0,) * line.seats if isinstance(line, news.Began) else (),
        # Who comes into a game that is on has still to hear what is on the card.
        sound=isinstance(line, news.Began) or line.stage is not Phase.PLAYING,
    )
    # What has begun goes on: a seat is told again with the whole state.
    told_again = isinstance(line, news.Seated) and view.game == line.game
    goes_on = told_again and view.stage not in (Stage.OUT, Stage.LOBBY)
    kept = view if goes_on else fresh
    kept = replace(
        kept,
        pace=line.pace,
        mode=line.mode,
        seat=line.seat,
        seats=line.seats,
        nicks=line.nicks,
        clock=Clock.RUNS,
        exit=None,
    )
    if isinstance(line, news.Began):
        return replace(kept._timed(line.limit, now), stage=Stage.LOBBY)
    return kept._timed(line.seconds, now)


def _more_nicks(view: View, line: news.MoreNicks, now: float) -> View:
    before = line.first - 1
    nicks = (*view.nicks[:before], *("?",) * (before - len(view.nicks)), *line.nicks)
    return replace(view, nicks=nicks + view.nicks[len(nicks) :])


def _rolled(view: View, line: news.Rolled, now: float) -> View:
    hand = Hand(line.round, line.roll, line.dice, dict(line.pays), line.bonus)
    same_round = view.round == line.round and view.hand is not None and view.hand.round == line.round
    same_roll = same_round and view.hand is not None and view.hand.roll == line.roll
    kept = view.kept if same_round else NONE
    marked = view.marked if same_round and view.marked in hand.pays else None
    view = replace(
        view._written(line.wrote)._timed(line.seconds, now),
        round=line.round,
        hand=hand,
        kept=kept if line.keep is None else line.keep,
        marked=marked if line.box is None else line.box,
        hint=view.hint if same_roll else None,
        verdict=view.verdict if same_roll or _led_here(view) else None,
        noted_keep=line.keep,
        noted_box=line.box,
        awaited=line.waiting,
        clock=view.clock if same_roll else Clock.RUNS,
    )
    return replace(view, totals=line.totals) if line.totals else view


def _led_here(view: View) -> bool:
    """Whether the verdict is of the dice that were there last; else the clock has decided since then."""
    told, hand = view.verdict, view.hand
    return told is not None and hand is not None and (told.round, told.roll) == (hand.round, hand.roll)


def _accepted(view: View, line: news.Accepted, now: float) -> View:
    return replace(view, noted_keep=line.keep, noted_box=line.box, awaited=line.waiting, verdict=None)


def _scored(view: View, line: news.Scored, now: float) -> View:
    view = view._written(line.wrote)
    return replace(view, round=line.round, awaited=line.waiting, kept=NONE, marked=None, hint=None)


def _hint(view: View, line: news.Hint, now: float) -> View:
    hand = view.hand
    for_these = view.deciding and hand is not None and (hand.round, hand.roll) == (line.round, line.roll)
    return replace(view, hint=line) if for_these else view


def _verdict(view: View, line: news.Verdict, now: float) -> View:
    return replace(view, verdict=line)


def _waiting(view: View, line: news.Waiting, now: float) -> View:
    return replace(view, awaited=line.waiting) if line.round == view.round else view


def _standings(view: View, line: news.Standings, now: float) -> View:
    return replace(view, totals=line.totals, round=line.round)


def _card(view: View, line: news.Card, now: float) -> View:
    return replace(view, card=Scorecard(view.rules, dict(line.used), line.yahtzees), sound=True)


def _time(view: View, line: news.Time, now: float) -> View:
    return replace(view._timed(line.seconds, now), clock=line.clock)


def _result(view: View, line: news.Result, now: float) -> View:
    view = view._written(line.wrote)
    return replace(view._handless, totals=line.totals, place=line.place)


def _analysis(view: View, line: news.Analysis, now: float) -> View:
    return replace(view, analysis=line)


def _gone(view: View, line: news.Gone, now: float) -> View:
    return replace(view._handless, exit=line.why)


_FOLDS: Final[Mapping[type, Callable[[View, Any, float], View]]] = {
    news.Seated: _seated,
    news.Began: _seated,
    news.MoreNicks: _more_nicks,
    news.Rolled: _rolled,
    news.Accepted: _accepted,
    news.Scored: _scored,
    news.Hint: _hint,
    news.Verdict: _verdict,
    news.Waiting: _waiting,
    news.Standings: _standings,
    news.Card: _card,
    news.Time: _time,
    news.Result: _result,
    news.Analysis: _analysis,
    news.Gone: _gone,
}
