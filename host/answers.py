"""Answers that change nothing at a table: what somebody looks at, and why something cannot be done."""

from __future__ import annotations

from dataclasses import replace

from chat.logger import logger
from game.errors import GameError
from host import decide, hints, room, views
from host.clock import Clock
from host.errors import (
    HostError,
    NoCommitment,
    NoGame,
    NoPractice,
    NotBegun,
    NotInGame,
    NotOver,
    StoreError,
)
from host.keeper import Keeper
from host.people import Person
from host.preference import Preference
from host.replies import DealtDice, PrivateReply, Stands, Unchanged, WelcomeBack
from host.reviews import LONG, Reviews
from host.room import Room
from host.speech import Speech
from host.table import Phase, Table
from host.wording import help as advice
from host.wording.refusals import NO_TABLE, Situation, refusal
from protocol.commands import Help, Hint, Look, LookAt, Seed, SetNotice, SetStyle
from protocol.errors import ProtocolError

log = logger(__name__)


class Answers:
    """Answers the persons of one network."""

    def __init__(self, place: Room, speech: Speech, reviews: Reviews, clock: Clock) -> None:
        self._room = place
        self._speech = speech
        self._reviews = reviews
        self._clock = clock

    def show_dice(
        self,
        person: Person,
        keeper: Keeper,
        lead: Stands | Unchanged | WelcomeBack | None = None,
        *,
        dealt: bool = False,
    ) -> None:
        """Show a player their dice in a game that is on, or what they scored in this round.

        When they are `dealt`, which the player did not ask for, the table waits for them to leave.
        """
        seat = keeper.table.seat_of(person.id)
        if seat is None or keeper.table.phase is not Phase.PLAYING or keeper.table.seats[seat].left:
            return
        dice = views.my_dice(keeper.table, seat, lead)
        self._speech.tell_of(keeper, person.id, person.nick, dice, dealt=dealt)

    def inform(
        self, person: Person, command: Look | Hint | Seed | Help | SetStyle | SetNotice, named: Keeper | None
    ) -> None:
        """Tell what was asked for. Raises a HostError where there is nothing to tell."""
        match command:
            case Look(LookAt.RULES):
                keeper = named or room.meant(self._room, person)
                self._speech.say(person.nick, *advice.rules_lines(keeper.rules))
            case Look(LookAt.ANALYSIS):
                self._analysis(person, named or room.last_played(self._room, person))
            case Look(LookAt.CARD):
                keeper = named or room.last_played(self._room, person)
                card = self._look(person, LookAt.CARD, keeper.table)
                self._speech.tell_of(keeper, person.id, person.nick, card)
            case Look(at):
                keeper = named or room.meant(self._room, person)
                self._speech.tell_of(keeper, person.id, person.nick, self._look(person, at, keeper.table))
            case Hint():
                self._hint(person, named or room.waiting_for(self._room, person))
            case Seed():
                self._fairness(person, named or room.meant(self._room, person))
            case Help(topic):
                where = self.situation(person, named)
                self._speech.say(
                    person.nick, *advice.help_lines(topic, where.rules, where.prefix, where.channel)
                )
            case SetStyle(style):
                preference = self._speech.preference(person.nick)
                self._prefer(person, replace(preference, style=style) if style else preference)
            case SetNotice(on):
                preference = self._speech.preference(person.nick)
                self._prefer(person, preference if on is None else replace(preference, notice=on))

    def _look(self, person: Person, at: LookAt, table: Table) -> PrivateReply:
        now = self._clock.now()
        if at is LookAt.WHO and table.open:
            return views.who(table, now, self._room.is_here)
        if at is LookAt.TIME and table.open:
            return views.time_left(table, now)
        if table.phase is Phase.LOBBY:
            decide.seat_of(table, person.id)
            raise NotBegun(decide.seconds_left(table, now))
        if at is LookAt.DICE:
            return views.my_dice(table, decide.seat_of(table, person.id))
        if table.match is None or at in (LookAt.WHO, LookAt.TIME):
            raise NoGame
        if at is LookAt.SCORES:
            return views.scores(table)
        seat = table.seat_of(person.id)
        if seat is None:
            raise NotInGame
        return views.card(table, seat)

    def _analysis(self, person: Person, keeper: Keeper) -> None:
        if keeper.table.open:
            raise NotOver
        if keeper.table.phase is not Phase.OVER:
            raise NoGame
        self._speech.analysis(person.nick, keeper.table.game, self._reviews.of(person, keeper), LONG)

    def _fairness(self, person: Person, keeper: Keeper) -> None:
        """Tell what the dice of a table can be checked by. Raises NoGame or NoCommitment."""
        lines = views.fairness(keeper.table, keeper.record)
        if not lines:
            raise NoCommitment if keeper.table.open else NoGame
        self._speech.say(person.nick, *map(str, lines))

    def _hint(self, person: Person, keeper: Keeper) -> None:
        keeper.act(lambda table, now: hints.asked(table, person.id, now, keeper.turns))
        self.show_hint(person, keeper)

    def show_hint(self, person: Person, keeper: Keeper) -> None:
        """Tell a player the best that they can do, once it is noted that they have a hint."""
        seat = decide.seat_of(keeper.table, person.id)
        if perfect := keeper.turns(keeper.table.play.cards[seat]):
            hint = views.hint(keeper.table, seat, perfect)
            self._speech.tell_of(keeper, person.id, person.nick, hint)

    def _prefer(self, person: Person, preference: Preference) -> None:
        if preference != self._speech.preference(person.nick):
            self._speech.prefer(person.nick, preference)
        self._speech.say(person.nick, advice.preference_line(preference))

    def refuse(
        self, person: Person, problem: HostError | GameError | ProtocolError, keeper: Keeper | None
    ) -> None:
        """Say why something cannot be done, and what can."""
        self.log_failure(person, problem, keeper)
        keeper = keeper or room.likely(self._room, person)
        where = self.situation(person, keeper)
        if isinstance(problem, NoGame) and keeper and keeper.table.settings.alone:
            problem = NoPractice()
        of_a_table = where.dice and not isinstance(problem, NO_TABLE)
        about = room.label(self._room, person.id, keeper) if keeper and of_a_table else ""
        self._speech.say(person.nick, about + refusal(problem, where))

    def log_failure(self, person: Person, problem: Exception, keeper: Keeper | None) -> None:
        """Log that a command was not written down, when that is the problem."""
        if isinstance(problem, StoreError):
            log.error(
                "command not written down",
                network=self._room.network,
                channel=keeper and keeper.channel,
                person=person.id,
                nick=person.nick,
                error=str(problem),
            )

    def situation(self, person: Person, keeper: Keeper | None) -> Situation:
        """Where a person stands: at this table, or at the one they most likely think of."""
        keeper = keeper or room.likely(self._room, person)
        style = self._speech.preference(person.nick).style
        if keeper is None:
            return Situation(style=style)
        where = Situation(rules=keeper.rules, style=style, dice=self._dice(person, keeper))
        alone = keeper.table.settings.alone
        near = next(iter(room.around(self._room, person)), None) if alone else keeper
        return replace(where, prefix=self._room.prefix(near), channel=near.channel) if near else where

    @staticmethod
    def _dice(person: Person, keeper: Keeper) -> DealtDice | None:
        seat = keeper.table.seat_of(person.id)
        if seat is None or keeper.table.seats[seat].left or not keeper.table.decides(seat):
            return None
        return views.dealt(keeper.table, seat)
