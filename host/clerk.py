"""Takes what one person types and does it: the command, the table that is meant, the answer.

Knows persons and tables, but nothing of connections.
"""

from __future__ import annotations

import logging
from dataclasses import replace
from typing import Final

from game.errors import GameError
from host import decide, room, views
from host.clock import Clock
from host.dealer import token_hash
from host.errors import (
    HostError,
    NoGame,
    NoSuchTable,
    NoSuchToken,
    NotBegun,
    NotInChannel,
    NotInGame,
    StoreError,
    WhichTable,
)
from host.events import Occupant
from host.journal import Journal
from host.keeper import Keeper
from host.manners import Doubles, Manners, Meter, Patience
from host.people import Person
from host.preference import Preference
from host.replies import DealtDice, PrivateReply, Stands, Unchanged, WelcomeBack
from host.room import Room
from host.speech import Speech
from host.table import Phase, Table
from host.wording import help as advice
from host.wording.refusals import Situation, refusal
from protocol.commands import (
    Help,
    Join,
    Keep,
    Leave,
    Look,
    LookAt,
    Reroll,
    Return,
    Score,
    SetNotice,
    SetStyle,
    Start,
)
from protocol.errors import (
    AmbiguousCommand,
    BadChoice,
    EmptyLine,
    ExtraWords,
    ProtocolError,
    UnknownCommand,
)
from protocol.parser import Line, parse
from protocol.typed import plain

log = logging.getLogger(__name__)

_MEANT_FOR_US: Final = (AmbiguousCommand, BadChoice, ExtraWords)
"""Mistakes that are answered even when made by someone without a seat; those about dice and boxes are not."""

_ANSWERS_TO_NONSENSE: Final = 5
_HINTS: Final = 1
_NONSENSE_SECONDS: Final = 600.0

_ANSWERS_AT_ONCE: Final = 200
_ANSWER_SECONDS: Final = 5.0
"""Answers that one person may have; moves that are accepted are never counted. No person asks for so many,
but a program that answers every line with a command would ask for ever."""


class Clerk:
    """Serves the persons of one network."""

    def __init__(self, place: Room, journal: Journal, clock: Clock) -> None:
        self._room = place
        self._clock = clock
        self.speech = Speech(place, journal)
        self._doubles = Doubles()
        self._nonsense = Manners(_ANSWERS_TO_NONSENSE, _NONSENSE_SECONDS)
        self._hints = Manners(_HINTS, _NONSENSE_SECONDS)
        self._meter = Meter(_ANSWERS_AT_ONCE, _ANSWER_SECONDS)

    def overhear(self, person: Person, keeper: Keeper, addressed: str | None, text: str) -> None:
        """Take a line that was said in a channel; `addressed` is what was said to the host by name.

        Without that and without the prefix it is talk: a sign of life.
        """
        if addressed:
            self._serve(person, addressed, keeper)
            return
        prefix = self._room.prefix(keeper)
        said = plain(text)
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
        said = plain(text)
        prefixes = {self._room.prefix(keeper) for keeper in self._room.keepers}
        before = [prefix for prefix in prefixes if said.startswith(prefix)]
        self._serve(person, said.removeprefix(max(before, key=len, default="")), None)

    def welcome_back(self, person: Person, keeper: Keeper) -> None:
        """Note that a player came into the channel again, and show the dice that wait for them."""
        if keeper in self._room.seats_of(person.id):
            self._alive(person, keeper)
            self.show_dice(person, keeper, WelcomeBack())

    def show_dice(
        self, person: Person, keeper: Keeper, lead: Stands | Unchanged | WelcomeBack | None = None
    ) -> None:
        """Show a player their dice in a game that is on, or what they scored in this round."""
        seat = keeper.table.seat_of(person.id)
        if seat is None or keeper.table.phase is not Phase.PLAYING or keeper.table.seats[seat].left:
            return
        about = room.label(self._room, person.id, keeper)
        self.speech.tell(person.nick, views.my_dice(keeper.table, seat, lead), about)

    # --- one line ---

    def _serve(self, person: Person, text: str | None, where: Keeper | None) -> None:
        sitting = [k for k in room.seated(self._room, person) if where in (None, k)]
        back = [keeper for keeper in sitting if self._alive(person, keeper)]
        line: Line | None = None
        problem: ProtocolError | None = None
        if text is not None:
            try:
                line = self._parsed(text, bool(sitting))
            except ProtocolError as error:
                problem = error
        shows_dice = line and (isinstance(line.command, Keep | Reroll | Score) or _asks_for_dice(line))
        if back and not shows_dice:
            for keeper in back:
                self.show_dice(person, keeper, WelcomeBack())
        elif problem:
            self._misunderstood(person, problem, where, bool(sitting))
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
        try:
            if line.channel:
                keeper = room.named(self._room, person, line.channel)
            self._do(person, line, text, keeper, in_private=where is None)
        except (HostError, GameError) as problem:
            if not isinstance(line.command, Keep | Reroll | Score) or self._spares(person):
                self._refuse(person, problem, keeper)

    def _do(self, person: Person, line: Line, text: str, named: Keeper | None, *, in_private: bool) -> None:
        match line.command:
            case Keep() | Reroll() | Score() as command:
                self._play(person, command, text, named)
            case _ if not self._spares(person):
                # Moves are always served; everything else costs one of the answers that a person may have.
                return
            case Join():
                keeper = named or room.to_join(self._room, person)
                self._join(person, keeper)
                if in_private and keeper.table.phase is Phase.LOBBY:
                    self.speech.tell(person.nick, views.who(keeper.table, self._clock.now()))
            case Return(token):
                self._return(person, token)
            case Leave():
                keeper = named or room.meant(self._room, person)
                keeper.act(lambda table, now: decide.leave(table, person.id))
            case Start():
                keeper = named or room.meant(self._room, person)
                keeper.act(lambda table, now: decide.start(table, person.id, now))
            case Look() | Help() | SetStyle() | SetNotice() as command:
                self._inform(person, command, named)

    def _join(self, person: Person, keeper: Keeper) -> None:
        if keeper not in self._room.tables_around(person):
            raise NotInChannel(keeper.channel)
        if keeper.table.seat_of(person.id) is None:
            keeper.act(lambda table, now: decide.play_out(table))
        token = keeper.new_token()
        occupant = replace(_occupant(person), token_hash=token_hash(token))
        keeper.act(lambda table, now: decide.join(table, occupant, keeper.opening()))
        seat = keeper.table.seat_of(person.id)
        if person.account is None and seat is not None and keeper.table.seats[seat].occupant == occupant:
            self.speech.say(person.nick, advice.token_line(token))

    def _return(self, person: Person, token: str) -> None:
        hashed = token_hash(token)
        for keeper in self._room.keepers:
            try:
                keeper.act(lambda table, now: decide.take_up(table, _occupant(person), hashed))
            except NoSuchToken:
                continue
            self.show_dice(person, keeper, WelcomeBack())
            return
        raise NoSuchToken

    def _play(self, person: Person, command: Keep | Reroll | Score, text: str, named: Keeper | None) -> None:
        now, line = self._clock.now(), text.casefold()
        # Before the table is chosen: the first of the two lines may have moved the choice on.
        channel = self._doubles.again(person.id, line, now)
        if channel and (named is None or named.channel == channel):
            self._unchanged(person, channel)
            return
        keeper = named or room.waiting_for(self._room, person)
        if isinstance(command, Score):
            score = command
            keeper.act(lambda table, now: decide.choose(table, person.id, score, now))
        else:
            hold = command
            if not keeper.act(lambda table, now: decide.hold(table, person.id, hold, now)):
                self.show_dice(person, keeper, Stands())
        within = keeper.table.settings.repeat_seconds
        self._doubles.accepted(person.id, line, keeper.channel, now, within)

    def _unchanged(self, person: Person, channel: str) -> None:
        keeper = self._room.keeper(channel)
        if keeper and keeper in self._room.seats_of(person.id):
            self.show_dice(person, keeper, Unchanged())
        else:
            self.speech.say(person.nick, advice.UNCHANGED)

    def _inform(
        self, person: Person, command: Look | Help | SetStyle | SetNotice, named: Keeper | None
    ) -> None:
        match command:
            case Look(LookAt.RULES):
                keeper = named or room.meant(self._room, person)
                self.speech.say(person.nick, *advice.rules_lines(keeper.rules))
            case Look(at):
                keeper = named or room.meant(self._room, person)
                about = room.label(self._room, person.id, keeper)
                self.speech.tell(person.nick, self._look(person, at, keeper.table), about)
            case Help(topic):
                where = self._situation(person, named)
                self.speech.say(
                    person.nick, *advice.help_lines(topic, where.rules, where.prefix, where.channel)
                )
            case SetStyle(style):
                preference = self.speech.preference(person.nick)
                self._prefer(person, replace(preference, style=style) if style else preference)
            case SetNotice(on):
                preference = self.speech.preference(person.nick)
                self._prefer(person, preference if on is None else replace(preference, notice=on))

    def _look(self, person: Person, at: LookAt, table: Table) -> PrivateReply:
        now = self._clock.now()
        if at is LookAt.WHO and table.open:
            return views.who(table, now)
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

    def _prefer(self, person: Person, preference: Preference) -> None:
        if preference != self.speech.preference(person.nick):
            self.speech.prefer(person.nick, preference)
        self.speech.say(person.nick, advice.preference_line(preference))

    def _alive(self, person: Person, keeper: Keeper) -> bool:
        """Note a sign of life; whether it brought the person back."""
        seat = keeper.table.seat_of(person.id)
        away = seat is not None and keeper.table.seats[seat].away
        try:
            return keeper.act(lambda table, now: decide.spoke(table, person.id)) and away
        except StoreError as error:
            log.error("a sign of life was not written down: %s", error)
            return False

    # --- what cannot be done ---

    def _misunderstood(
        self, person: Person, problem: ProtocolError, where: Keeper | None, sitting: bool
    ) -> None:
        near = isinstance(problem, UnknownCommand) and problem.close and where
        if isinstance(problem, EmptyLine) and where:
            return
        if not sitting and not near and not isinstance(problem, _MEANT_FOR_US):
            # In a channel such a line is meant for another bot; in private it is small talk.
            if where is None:
                self._hint(person)
            return
        if isinstance(problem, UnknownCommand):
            patience = self._nonsense.misunderstood(person.id, self._clock.now())
            if patience is Patience.LAST_ANSWER:
                self.speech.say(person.nick, advice.QUIET)
            if patience is not Patience.ANSWER:
                return
        if self._spares(person):
            self._refuse(person, problem, where)

    def _hint(self, person: Person) -> None:
        if self._hints.misunderstood(person.id, self._clock.now()) is not Patience.SILENCE:
            where = self._situation(person, None)
            self.speech.say(person.nick, advice.not_playing(where.prefix, where.channel))

    def _spares(self, person: Person) -> bool:
        """Whether there is an answer left for the person that changes nothing."""
        patience = self._meter.asked(person.id, self._clock.now())
        if patience is Patience.LAST_ANSWER:
            self.speech.say(person.nick, advice.TOO_MANY)
        return patience is Patience.ANSWER

    def _refuse(
        self, person: Person, problem: HostError | GameError | ProtocolError, keeper: Keeper | None
    ) -> None:
        if isinstance(problem, StoreError):
            log.error(
                "%s: a command of %r was not written down: %s", self._room.network, person.nick, problem
            )
        keeper = keeper or room.likely(self._room, person)
        where = self._situation(person, keeper)
        of_a_table = where.dice and not isinstance(problem, WhichTable | NoSuchTable)
        about = room.label(self._room, person.id, keeper) if keeper and of_a_table else ""
        self.speech.say(person.nick, about + refusal(problem, where))

    def _situation(self, person: Person, keeper: Keeper | None) -> Situation:
        keeper = keeper or room.likely(self._room, person)
        style = self.speech.preference(person.nick).style
        if keeper is None:
            return Situation(style=style)
        prefix = self._room.prefix(keeper)
        return Situation(keeper.rules, prefix, keeper.channel, style, self._dice(person, keeper))

    @staticmethod
    def _dice(person: Person, keeper: Keeper) -> DealtDice | None:
        seat = keeper.table.seat_of(person.id)
        if seat is None or keeper.table.seats[seat].left or not keeper.table.decides(seat):
            return None
        return views.dealt(keeper.table, seat)


def _is_command(text: str) -> bool:
    try:
        parse(text)
    except ProtocolError:
        return False
    return True


def _occupant(person: Person) -> Occupant:
    return Occupant(person.id, person.nick, person.user, person.host, account=person.account)


def _asks_for_dice(line: Line) -> bool:
    return line.command == Look(LookAt.DICE)
