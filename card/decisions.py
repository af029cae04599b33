"""What a player decides in a game, and what is sent of it: each thing once, and nothing that was not seen.

No I/O. Wishes come in as methods, the host's lines through `take`, and time through `overdue`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

from card import words
from card.boxes import differs
from card.notes import Tone
from card.view import View
from card.words import Trouble
from game.category import Category
from game.dice import ALL, Positions
from protocol.card import commands, news
from protocol.card.stages import Stage

ANSWERS_WITHIN: Final = 10.0
"""Seconds that the host has to answer a decision."""

SETTLES: Final = 0.6
"""Seconds after new dice in which no decision is sent: a second click was meant for the dice before."""

_ANSWERS: Final = (news.Accepted, news.Scored, news.Result, news.Gone, news.Refused, news.End)

_FOR_A_SEAT: Final = (commands.Register, commands.Practice)

_NO_DICE: Final = {Stage.LOBBY: Trouble.LOBBY, Stage.WAITING: Trouble.WAITING}
"""Why there is nothing to decide, at a stage."""


class Desk(Protocol):
    """What decisions need of the talk with the host."""

    channel: str

    def obstacle(self) -> Trouble | None:
        """Why nothing can be sent to the host now."""

    def post(self, command: commands.Command) -> None: ...

    def tell(self, tone: Tone, text: str) -> None: ...

    def redraw(self) -> None: ...


class Decisions:
    """The game that the player sits in, if any, and what was sent of it and is not answered yet."""

    def __init__(self, desk: Desk, clock: Callable[[], float]) -> None:
        self._desk, self._clock = desk, clock
        self.view = View()
        self.pending: commands.Command | None = None
        self._sent_at = 0.0
        self._fresh_at = -SETTLES
        """When what the player sees came."""

        self._asked: commands.Command | None = None
        """The wish for a hint that was sent last, while it is not answered."""

        self._asked_at = 0.0
        self._zero: commands.Command | None = None
        """A score of 0 that waits to be said twice."""

        self._differed = ""
        """The last game in which the card counted otherwise than the host."""

    # --- what the player wants ---

    def toggle(self, place: int) -> None:
        """Keep a die that was to roll, or let it roll."""
        if not self.view.can_roll:
            self._warn(self._why_no_decision() or Trouble.NO_ROLL)
        self._see(self.view.toggled(place))

    def keep(self, places: Positions) -> None:
        """Keep these dice and no others."""
        self._see(self.view.keeping(places))

    def mark(self, category: Category) -> None:
        """Choose the box that is to be scored; chosen again, it is none."""
        if self._warn(self._why_no_box(category)):
            return
        self._see(self.view.marking(None if self.view.marked is category else category))

    def step(self, by: int) -> None:
        """Choose the next of the boxes that are allowed, or one further on."""
        allowed = list(self.view.hand.pays) if self.view.deciding and self.view.hand else []
        if not allowed:
            self._warn(self._why_no_decision() or Trouble.WAITING)
            return
        marked = self.view.marked
        number = allowed.index(marked) + by if marked in allowed else min(by, 0)
        self._see(self.view.marking(allowed[number % len(allowed)]))

    def register(self) -> None:
        """Take a seat."""
        trouble = self._desk.obstacle() or self._unanswered()
        if self.view.at_table:
            trouble = trouble or Trouble.SEATED
        self._send(trouble, commands.Register(self._desk.channel))

    def practise(self) -> None:
        """Begin a game alone with the host, or go on with the one that is on."""
        trouble = self._desk.obstacle() or self._unanswered()
        if self.view.at_table:
            trouble = trouble or Trouble.SEATED
        self._send(trouble, commands.Practice(self._desk.channel))

    def why_no_start(self) -> Trouble | None:
        """Why the game cannot be begun now."""
        if self.view.playing:
            return Trouble.BEGUN
        if self.view.stage is not Stage.LOBBY:
            return Trouble.NOT_SEATED
        return self._settling()

    def send_rerolls(self) -> None:
        """Keep what is marked, and roll the others."""
        view, hand = self.view, self.view.hand
        trouble = self._why_no_decision()
        if not trouble and not view.can_roll:
            trouble = Trouble.NO_ROLL
        if not trouble and view.kept == ALL and view.pace == "free":
            trouble = Trouble.ALL_KEPT
        if hand is None or trouble:
            self._warn(trouble or Trouble.WAITING)
            return
        self._send(None, commands.Hold(view.game, hand.round, hand.roll, view.kept))

    def send_score(self) -> None:
        """Score the marked box. For nothing, it must be said twice."""
        view, hand = self.view, self.view.hand
        trouble = self._why_no_decision()
        if hand is None or view.marked is None or trouble:
            self._warn(trouble or Trouble.NO_BOX)
            return
        command = commands.Score(view.game, hand.round, hand.roll, view.marked)
        if not hand.pays.get(view.marked) and not hand.bonus and command != self._zero:
            self._zero, self._fresh_at = command, self._clock()
            self._desk.tell(Tone.WARNING, words.zero(view, view.marked))
            return
        self._send(None, command)

    def hint(self) -> None:
        """Ask for the best that these dice allow; once it is there, mark it. To send it is the player's."""
        view, hand = self.view, self.view.hand
        trouble = self._desk.obstacle() or self._unanswered()
        if hand is None or not view.deciding or trouble:
            self._warn(trouble or _NO_DICE.get(view.stage, Trouble.NOT_SEATED))
            return
        if view.hint is not None:
            self._see(view.advised)
            return
        wish = commands.AskHint(view.game, hand.round, hand.roll)
        if wish == self._asked and self._clock() - self._asked_at < ANSWERS_WITHIN:
            self._warn(Trouble.PENDING)
            return
        self._asked, self._asked_at = wish, self._clock()
        self._desk.post(wish)

    # --- what the host tells ---

    def take(self, line: news.News) -> None:
        """Take a line of the host."""
        if isinstance(line, news.Refused) and line.command == commands.AddWord.KIND:
            return  # no decision, and whoever asked says so
        begins = isinstance(line, news.Seated | news.Began)
        if not begins and getattr(line, "game", "") not in ("", self.view.game):
            return  # of a game that the card does not show
        now, before = self._clock(), self.view
        self.view = before.after(line, now)
        dealt = self.view.matter != before.matter
        if dealt:
            self._fresh_at = now
        registered = isinstance(line, news.Seated) and isinstance(self.pending, _FOR_A_SEAT)
        if isinstance(line, news.Refused) and line.command == commands.AskHint.KIND:
            self._asked = None
        elif isinstance(line, _ANSWERS) or dealt or registered:
            self.pending = None
        self._comment(line, before)

    def unseated(self) -> None:
        """The host knows of no seat of the player's in this game."""
        if self.view.stage not in (Stage.OUT, Stage.OVER):
            self._desk.tell(Tone.WARNING, "You have no seat in that game any more.")
            self.view = View()

    def overdue(self) -> bool:
        """Whether an answer has failed to come; it is not waited for any more then."""
        if self.pending is None or self._clock() - self._sent_at < ANSWERS_WITHIN:
            return False
        self.forget()
        return True

    def forget(self) -> None:
        """What was sent will not be answered."""
        self.pending = self._asked = self._zero = None

    # --- parts ---

    def _comment(self, line: news.News, before: View) -> None:
        """Say in the log what happened in the game."""
        view = self.view
        match line:
            case news.Began() if view.practice:
                self._desk.tell(Tone.CARD, words.practice(view))
            case news.Seated() if before.game != view.game and not view.practice:
                self._desk.tell(Tone.CARD, f"You have a seat: {view.rules.title}.")
            case news.Began():
                self._desk.tell(Tone.CARD, f"The game begins: {', '.join(view.nicks)}.")
            case news.Time() if view.clock is not before.clock:
                self._desk.tell(Tone.CARD, words.stands(view.clock))
            case news.Gone() if view.exit is not before.exit:
                self._desk.tell(Tone.CARD, words.gone(line.why))
            case news.Refused():
                self._desk.tell(Tone.WARNING, words.REFUSALS[line.code])
            case news.Verdict() if view.verdict is not before.verdict:
                self._desk.tell(Tone.ROUND, words.verdict(view, line))
            case news.Hint() if view.hint is not before.hint:
                self._desk.tell(Tone.CARD, words.hint(view))
            case news.Analysis() if view.analysis is not before.analysis:
                for said in (*words.analysis(view, line), words.start(view, line)):
                    self._desk.tell(Tone.ROUND, said)
        if view.last is not None and view.last != before.last:
            self._desk.tell(Tone.ROUND, words.written(view, view.last))
        if view.stage is Stage.OVER and before.stage is not Stage.OVER:
            self._desk.tell(Tone.ROUND, words.status(view))
        if differs(view) and self._differed != view.game:
            self._differed = view.game
            self._desk.tell(
                Tone.WARNING, "The card and the host count differently. What you see is the host's count."
            )

    def _settling(self) -> Trouble | None:
        return Trouble.SETTLING if self._clock() - self._fresh_at < SETTLES else None

    def _unanswered(self) -> Trouble | None:
        return Trouble.PENDING if self.pending is not None else None

    def _why_no_decision(self) -> Trouble | None:
        if trouble := self._desk.obstacle() or self._unanswered():
            return trouble
        if not self.view.deciding:
            return _NO_DICE.get(self.view.stage, Trouble.NOT_SEATED)
        return self._settling()

    def _why_no_box(self, category: Category) -> Trouble | None:
        view = self.view
        if view.hand is None or not view.deciding:
            return self._why_no_decision() or Trouble.WAITING
        if category in view.hand.pays:
            return None
        return Trouble.USED if category in view.card.boxes else Trouble.FORBIDDEN

    def _send(self, trouble: Trouble | None, command: commands.Command) -> None:
        if not self._warn(trouble):
            self.pending, self._sent_at, self._zero = command, self._clock(), None
            self._desk.post(command)
            self._desk.redraw()

    def _see(self, view: View) -> None:
        self.view = view
        self._desk.redraw()

    def _warn(self, trouble: Trouble | None) -> bool:
        if trouble:
            self._desk.tell(Tone.WARNING, trouble.value)
        return trouble is not None
