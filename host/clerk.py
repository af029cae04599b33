"""Takes what one person types and does it: the command, the table that is meant, the answer.

Knows persons and tables, but nothing of connections.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from chat.logger import logger
from game.errors import GameError
from host import decide, room, views
from host.almanac import Almanac
from host.answers import Answers
from host.aside import Aside, at_once
from host.ban import Ban
from host.bans import Bans
from host.card_clerk import CARD, CardClerk
from host.clock import Clock
from host.controls import Controls
from host.errors import HostError, NoPractice, NoSuchTable, NotAllowed, PrivateOnly
from host.forgetting import Forgetting
from host.journal import Journal
from host.keeper import Keeper
from host.manners import Doubles, Manners, Meter, Patience
from host.moves import Moves
from host.people import Person
from host.replies import Sign, Stands, Unchanged, WelcomeBack, WordNoted
from host.reviews import Reviews
from host.room import Room
from host.seasons import Seasons
from host.speech import Speech
from host.steward import Steward
from host.table import Phase
from host.watch import FAILED, IGNORED, OK, UNWATCHED, Watch
from host.wording import help as advice
from host.wording.refusals import refusal
from protocol.card.fields import is_line
from protocol.commands import (
    PRACTICE,
    Help,
    Hint,
    Join,
    Keep,
    Leave,
    Look,
    LookAt,
    Practice,
    Reroll,
    Return,
    Score,
    Seed,
    SetNotice,
    SetStyle,
    Start,
)
from protocol.errors import (
    AmbiguousBox,
    AmbiguousCommand,
    BadChoice,
    BadUsage,
    EmptyLine,
    ExtraWords,
    ProtocolError,
    UnknownBox,
    UnknownCommand,
)
from protocol.parser import Line, for_practice, parse
from protocol.records import ForgetMe, RecordsCommand
from protocol.typed import opened

log = logger(__name__)

_MEANT_FOR_US: Final = (AmbiguousCommand, BadChoice, ExtraWords)
"""Mistakes that are answered even when made by someone without a seat; those about dice and boxes are not."""

_OF_OPERATORS: Final = (BadUsage, AmbiguousBox, UnknownBox)
"""Mistakes in hosting commands, which are made without a seat."""

_NOT_NAMED: Final = (NoSuchTable, NoPractice, PrivateOnly)
"""Where it is not known for which table a line was meant, nothing is done for it."""

_ANSWERS_TO_NONSENSE: Final = 5
_HINTS: Final = 1
_NONSENSE_SECONDS: Final = 600.0

_ANSWERS_AT_ONCE: Final = 200
_ANSWER_SECONDS: Final = 5.0
"""Answers that one person may have; moves that are accepted are not counted, unless they only change what was
noted. No person asks for so many, but a program that answers every line with a command would ask for ever."""

_UNKNOWN: Final = "unknown"
"""The kind of a line that is no command, for those who watch; what became of one that is follows."""


class Clerk:
    """Serves the persons of one network."""

    def __init__(  # noqa: PLR0913 - what serving people stands on
        self,
        place: Room,
        journal: Journal,
        clock: Clock,
        controls: Controls,
        bans: Iterable[Ban],
        *,
        watch: Watch = UNWATCHED,
        aside: Aside = at_once,
    ) -> None:
        self._room = place
        self._watch = watch
        self._clock = clock
        self.speech = Speech(place, journal, clock)
        self.reviews = Reviews(place, self.speech, aside, journal.records)
        self.answers = Answers(place, self.speech, self.reviews, clock)
        self._moves = Moves(place, self.speech, self.answers)
        self._bans = Bans(bans, place.network, journal, clock, place.fold)
        self.seasons = Seasons(place, journal.records, clock)
        self._almanac = Almanac(place, self.speech, journal.records, self.seasons, clock)
        self._forgetting = Forgetting(place, self.speech, journal.records, clock)
        self._steward = Steward(
            place, self.speech, self._bans, controls, seasons=self.seasons, forgetting=self._forgetting
        )
        self._doubles = Doubles()
        self._nonsense = Manners(_ANSWERS_TO_NONSENSE, _NONSENSE_SECONDS)
        self._hints = Manners(_HINTS, _NONSENSE_SECONDS)
        self._meter = Meter(_ANSWERS_AT_ONCE, _ANSWER_SECONDS)
        self._cards = CardClerk(place, self.speech, self.answers, self._moves, spares=self._spares)

    def overhear(self, person: Person, keeper: Keeper, addressed: str | None, text: str) -> None:
        """Take a line that was said in a channel; `addressed` is what was said to the host by name.

        Without that and without the prefix it is talk: a sign of life.
        """
        said = opened(addressed or text)
        if is_line(said):
            self._serve_card(person, said, keeper)
            return
        if addressed:
            self._serve(person, addressed, keeper)
            return
        prefix = self._room.prefix(keeper)
        command = said.removeprefix(prefix) if said.startswith(prefix) else ""
        # `!!!` and `! well` are talk as well, and `! join` is a command.
        talk = (
            command in ("", "?")
            or command.startswith(prefix)
            or (command[0] == " " and not _is_command(command))
        )
        self._serve(person, None if talk else command, keeper)

    def hear(self, person: Person, text: str) -> None:
        """Take a line that was said in private. The prefix of channels may stand before it."""
        said = opened(text)
        if is_line(said):
            self._serve_card(person, said, None)
            return
        prefixes = {self._room.prefix(keeper) for keeper in self._room.keepers}
        before = [prefix for prefix in prefixes if said.startswith(prefix)]
        self._serve(person, said.removeprefix(max(before, key=len, default="")), None)

    def welcome_back(self, person: Person, keeper: Keeper) -> None:
        """Note that a player came into the channel again, and show the dice that wait for them."""
        if keeper in self._room.seats_of(person.id):
            self._moves.alive(person, keeper)
            self.speech.tell_of(keeper, person.id, person.nick, Sign.SEATED)
            self.answers.show_dice(person, keeper, WelcomeBack())

    # --- one line ---

    def _serve_card(self, person: Person, line: str, where: Keeper | None) -> None:
        banned = self._bans.of(person) is not None and not self._room.is_operator(person)
        kind, outcome = CARD, FAILED
        try:
            kind, outcome = self._cards.serve(person, line, in_private=where is None, banned=banned)
        finally:
            self._watch.commanded(kind, outcome)
            self._log(person, where, kind, outcome)

    def _serve(self, person: Person, text: str | None, where: Keeper | None) -> None:
        if self._bans.of(person) and not self._room.is_operator(person):
            if text is not None:
                self._log(person, where, _UNKNOWN, "Banned")
                self._once(person, advice.BANNED)
            return
        sitting = [k for k in room.seated(self._room, person) if where in (None, k)]
        back = [keeper for keeper in sitting if self._moves.alive(person, keeper)]
        line: Line | None = None
        problem: ProtocolError | None = None
        if text is not None:
            try:
                line = self._parsed(text, bool(sitting))
            except ProtocolError as error:
                problem = error
                self._watch.commanded(_UNKNOWN, type(error).__name__)
                self._log(person, where, _UNKNOWN, type(error).__name__)
        shows_dice = line and (isinstance(line.command, Keep | Reroll | Score) or _asks_for_dice(line))
        if back and not shows_dice:
            for keeper in back:
                self.answers.show_dice(person, keeper, WelcomeBack())
        elif problem and text is not None:
            self._misunderstood(person, problem, text, where, bool(sitting))
        if line and text is not None:
            self._nonsense.understood(person.id)
            self._obey(person, line, text, where)

    @staticmethod
    def _parsed(text: str, sitting: bool) -> Line:
        line = parse(text)
        if isinstance(line.command, Score) and line.command.casual and not sitting:
            raise UnknownCommand(text, ())
        return line

    def _obey(self, person: Person, line: Line, text: str, where: Keeper | None) -> None:
        keeper = where
        outcome = FAILED
        try:
            keeper = self._named(person, line, where)
            served = self._do(person, line, text, keeper, in_private=where is None)
            outcome = OK if served else IGNORED
        except (HostError, GameError) as problem:
            outcome = type(problem).__name__
            if isinstance(problem, NotAllowed) and not room.seated(self._room, person):
                # Words such as `!status` are mostly meant for another bot, and private ones are small talk.
                self._once(person, refusal(problem, self.answers.situation(person, keeper)))
            elif _paid_for(line, problem) or self._spares(person):
                self.answers.refuse(person, problem, keeper)
        finally:
            kind = type(line.command).__name__.lower()
            self._watch.commanded(kind, outcome)
            self._log(person, keeper, kind, outcome)

    def _named(self, person: Person, line: Line, where: Keeper | None) -> Keeper | None:
        """The table that a line names, or in whose channel it was said.

        Raises what `room.named` does, or PrivateOnly.
        """
        if where and (line.channel == PRACTICE or isinstance(line.command, Practice)):
            raise PrivateOnly
        return room.named(self._room, person, line.channel) if line.channel else where

    def _log(self, person: Person, keeper: Keeper | None, kind: str, outcome: str) -> None:
        """Log what became of a line, and never what was typed: it may be a token, or tell of dice."""
        keeper = keeper or room.likely(self._room, person)
        log.debug(
            "command",
            network=self._room.network,
            channel=keeper and keeper.channel,
            game=keeper and keeper.table.game,
            person=person.id,
            nick=person.nick,
            command=kind,
            outcome=outcome,
        )

    def _do(self, person: Person, line: Line, text: str, named: Keeper | None, *, in_private: bool) -> bool:
        """Do it; False when the person has no more answers and it was passed over."""
        match line.command:
            case Keep() | Reroll() | Score() as command:
                return self._play(person, command, text, named)
            case _ if not self._spares(person):
                # Moves are served; everything else costs one of the answers that a person may have.
                return False
            case Join():
                keeper = named or room.to_join(self._room, person)
                self._moves.join(person, keeper)
                if in_private and keeper.table.phase is Phase.LOBBY:
                    self.speech.tell(
                        person.nick, views.who(keeper.table, self._clock.now(), self._room.is_here)
                    )
            case Return(token):
                self._moves.take_up(person, token)
            case Leave():
                keeper = named or room.meant(self._room, person)
                keeper.act(lambda table, now: decide.leave(table, person.id))
            case Start():
                keeper = named or room.meant(self._room, person)
                here = self._room.is_here
                keeper.act(lambda table, now: decide.start(table, person.id, now, here))
            case Practice():
                keeper, begun = self._moves.practise(person, named)
                if not begun:
                    self.answers.show_dice(person, keeper)
            case Seed(str(word)):
                keeper = named or room.meant(self._room, person)
                keeper.act(lambda table, now: decide.add_word(table, person.id, word))
                self.speech.tell(person.nick, WordNoted(word))
            case Look() | Hint() | Seed() | Help() | SetStyle() | SetNotice() as command:
                self.answers.inform(person, command, named)
            case ForgetMe(code):
                self._forgetting.me(person, code)
            case RecordsCommand() as command:
                self._almanac.tell(person, command, named)
            case command:
                self._steward.obey(person, command, named, in_private=in_private)
        return True

    def _play(self, person: Person, command: Keep | Reroll | Score, text: str, named: Keeper | None) -> bool:
        now, line = self._clock.now(), text.casefold()
        # Before the table is chosen: the first of the two lines may have moved the choice on.
        channel = self._doubles.again(person.id, line, now)
        if channel and (named is None or named.channel == channel):
            self._unchanged(person, channel)
            return True
        keeper = named or room.waiting_for(self._room, person)
        if self._moves.noted(person, keeper) and not self._spares(person):
            return False
        if isinstance(command, Score):
            score = command
            keeper.act(lambda table, now: decide.choose(table, person.id, score, now))
        else:
            hold = command
            if not keeper.act(lambda table, now: decide.hold(table, person.id, hold, now)):
                self.answers.show_dice(person, keeper, Stands())
        within = keeper.table.settings.repeat_seconds
        self._doubles.accepted(person.id, line, keeper.channel, now, within)
        return True

    def _unchanged(self, person: Person, channel: str) -> None:
        tables = room.playing(self._room, person.id)
        if keeper := next((keeper for keeper in tables if keeper.channel == channel), None):
            self.answers.show_dice(person, keeper, Unchanged())
        else:
            self.speech.say(person.nick, advice.UNCHANGED)

    # --- what cannot be done ---

    def _misunderstood(
        self, person: Person, problem: ProtocolError, text: str, where: Keeper | None, sitting: bool
    ) -> None:
        near = isinstance(problem, UnknownCommand) and problem.close and where
        if isinstance(problem, EmptyLine) and where:
            return
        meant = _MEANT_FOR_US + (_OF_OPERATORS if self._room.is_operator(person) else ())
        if not sitting and not near and not isinstance(problem, meant):
            # In a channel such a line is meant for another bot; in private it is small talk.
            if where is None:
                self._hint(person)
            return
        if isinstance(problem, UnknownCommand) or not sitting:
            patience = self._nonsense.misunderstood(person.id, self._clock.now())
            if patience is Patience.LAST_ANSWER:
                self.speech.say(person.nick, advice.QUIET)
            if patience is not Patience.ANSWER:
                return
        if self._spares(person):
            practice = self._room.practice_of(person.id) if for_practice(text) else None
            self.answers.refuse(person, problem, where or practice)

    def _hint(self, person: Person) -> None:
        where = self.answers.situation(person, None)
        self._once(person, advice.not_playing(where.prefix, where.channel))

    def _once(self, person: Person, hint: str) -> None:
        """Say something that would only annoy if it were said each time."""
        if self._hints.misunderstood(person.id, self._clock.now()) is not Patience.SILENCE:
            self.speech.say(person.nick, hint)

    def _spares(self, person: Person) -> bool:
        """Whether there is an answer left for the person that changes nothing."""
        # Out of a game a person is somebody new after each PART and JOIN.
        seated = self._room.seats_of(person.id)
        key = person.id if seated else f"{person.user}@{person.host}"
        patience = self._meter.asked(key, self._clock.now())
        if patience is Patience.LAST_ANSWER:
            self.speech.say(person.nick, advice.TOO_MANY)
        return patience is Patience.ANSWER


def _is_command(text: str) -> bool:
    try:
        parse(text)
    except ProtocolError:
        return False
    return True


def _paid_for(line: Line, problem: HostError | GameError) -> bool:
    """Whether the answer to a command was counted before it failed."""
    return not isinstance(line.command, Keep | Reroll | Score) and not isinstance(problem, _NOT_NAMED)


def _asks_for_dice(line: Line) -> bool:
    return line.command == Look(LookAt.DICE)
