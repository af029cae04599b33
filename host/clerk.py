"""Takes what one person types and does it: the command, the table that is meant, the answer.

Knows persons and tables, but nothing of connections: answers are replies and lines for a person.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from game.errors import GameError
from host import decide, views
from host.clock import Clock
from host.errors import (
    HostError,
    NoGame,
    NoSuchTable,
    NotBegun,
    NotInChannel,
    NotInGame,
    StoreError,
    WhichTable,
)
from host.events import Occupant
from host.journal import Journal, Preference
from host.keeper import Keeper
from host.manners import Doubles, Manners, Patience
from host.people import Person
from host.replies import (
    DealtDice,
    LobbyShown,
    PlayersShown,
    PrivateReply,
    Stands,
    TimeShown,
    Unchanged,
    WelcomeBack,
)
from host.table import Phase, Table
from host.wording.help import NOT_PLAYING, QUIET, help_lines, preference_line, rules_lines
from host.wording.private import private
from host.wording.refusals import Situation, refusal
from protocol.commands import (
    Help,
    Join,
    Keep,
    Leave,
    Look,
    LookAt,
    Reroll,
    Score,
    SetNotice,
    SetStyle,
    Start,
    Style,
)
from protocol.errors import AmbiguousCommand, BadChoice, ExtraWords, ProtocolError, UnknownCommand
from protocol.parser import Line, parse
from protocol.typed import plain

log = logging.getLogger(__name__)

_MEANT_FOR_US: Final = (AmbiguousCommand, BadChoice, ExtraWords)
"""Mistakes that are answered even when made by someone without a seat; those about dice and boxes are not."""

_ANSWERS_TO_NONSENSE: Final = 4
_ANSWERS_TO_MISTAKES: Final = 20
"""Lines that begin with a command and go wrong; a person may err a lot, but an echo never ends."""

_HINTS: Final = 1
_NONSENSE_SECONDS: Final = 600.0
_REMEMBERED: Final = 10_000


class Room(Protocol):
    """What the clerk asks about the place that people are in."""

    @property
    def network(self) -> str:
        """The name of the network."""

    @property
    def keepers(self) -> Sequence[Keeper]:
        """All tables."""

    def keeper(self, channel: str) -> Keeper | None:
        """The table of a channel, however its name is written."""

    def prefix(self, keeper: Keeper) -> str:
        """What commands begin with in the channel of this table."""

    def present(self, person: Person, keeper: Keeper) -> bool:
        """Whether the person is in the table's channel."""

    def fold(self, name: str) -> str:
        """The name in the case that nicks are compared in."""

    def answer(self, person: str, text: str, preference: Preference) -> None:
        """Say something to one person."""


class Clerk:
    """Serves the persons of one network."""

    def __init__(self, room: Room, journal: Journal, clock: Clock) -> None:
        self._room = room
        self._journal = journal
        self._clock = clock
        self._preferences: dict[str, Preference] = {}
        """Those looked up so far, by folded nick."""

        self._doubles = Doubles()
        self._nonsense = Manners(_ANSWERS_TO_NONSENSE, _NONSENSE_SECONDS)
        self._mistakes = Manners(_ANSWERS_TO_MISTAKES, _NONSENSE_SECONDS)
        self._hints = Manners(_HINTS, _NONSENSE_SECONDS)

    def overhear(self, person: Person, keeper: Keeper, text: str) -> None:
        """Take a line that was said in a channel. Without the prefix it is talk: a sign of life."""
        prefix = self._room.prefix(keeper)
        said = plain(text)
        command = said.removeprefix(prefix) if said.startswith(prefix) else None
        self._serve(person, command, keeper)

    def hear(self, person: Person, text: str) -> None:
        """Take a line that was said in private. The prefix of channels may stand before it."""
        said = plain(text)
        prefixes = {self._room.prefix(keeper) for keeper in self._room.keepers}
        stripped = next((said.removeprefix(p) for p in prefixes if said.startswith(p)), said)
        self._serve(person, stripped, None)

    def welcome_back(self, person: Person) -> None:
        """Note that a seated person is here again, and show the dice that wait for them."""
        for keeper in self._seated(person):
            self._alive(person, keeper)
            self.show_dice(person, keeper, WelcomeBack())

    def show_dice(
        self, person: Person, keeper: Keeper, lead: Stands | Unchanged | WelcomeBack | None = None
    ) -> None:
        """Show a player their dice in a game that is on, or what they scored in this round."""
        seat = keeper.table.seat_of(person.id)
        if seat is None or keeper.table.phase is not Phase.PLAYING or keeper.table.seats[seat].left:
            return
        self.tell(person.id, person.nick, views.my_dice(keeper.table, seat, lead))

    def tell(self, person: str, nick: str, reply: PrivateReply) -> None:
        """Say a reply to someone in the style they like."""
        preference = self._preference(nick)
        self._room.answer(person, private(reply, Style(preference.style)), preference)

    # --- one line ---

    def _serve(self, person: Person, text: str | None, where: Keeper | None) -> None:
        back = [k for k in self._seated(person) if where in (None, k) and self._alive(person, k)]
        if text is None:
            for returned in back:
                self.show_dice(person, returned, WelcomeBack())
            return
        try:
            line = parse(text)
        except ProtocolError as problem:
            self._misunderstood(person, problem, where, back)
            return
        self._nonsense.understood(person.id)
        self._mistakes.understood(person.id)
        if not isinstance(line.command, Keep | Reroll | Score) and line.command != Look(LookAt.DICE):
            for returned in back:
                self.show_dice(person, returned, WelcomeBack())
        keeper: Keeper | None = where
        try:
            if line.channel:
                keeper = self._named(line.channel)
            self._do(person, line, text, keeper)
        except (HostError, GameError) as problem:
            self._refuse(person, problem, keeper or self._likely(person))

    def _do(self, person: Person, line: Line, text: str, named: Keeper | None) -> None:
        match line.command:
            case Join():
                self._join(person, named or self._only(self._around(person)))
            case Leave():
                keeper = named or self._only(self._seated(person) or self._around(person))
                keeper.act(lambda table, now: decide.leave(table, person.id))
            case Start():
                keeper = named or self._only(self._seated(person) or self._around(person))
                keeper.act(lambda table, now: decide.start(table, person.id, now))
            case Keep() | Reroll() | Score() as command:
                self._play(person, command, text, named or self._waiting_for(person))
            case Look(LookAt.RULES):
                keeper = named or self._only(self._seated(person) or self._around(person))
                self._say(person, *rules_lines(self._rules_table(keeper).rules))
            case Look(at):
                keeper = named or self._only(self._seated(person) or self._around(person))
                self.tell(person.id, person.nick, self._look(person, at, keeper.table))
            case Help(topic):
                keeper = named or self._likely(person)
                rules = self._rules_table(keeper).rules
                self._say(person, *help_lines(topic, rules, self._room.prefix(keeper), keeper.channel))
            case SetStyle() | SetNotice() as command:
                self._prefer(person, command)

    def _join(self, person: Person, keeper: Keeper) -> None:
        if not self._room.present(person, keeper):
            raise NotInChannel(keeper.channel)
        occupant = Occupant(person.id, person.nick, person.user, person.host)
        keeper.act(lambda table, now: decide.join(table, occupant, keeper.opening()))

    def _play(self, person: Person, command: Keep | Reroll | Score, text: str, keeper: Keeper) -> None:
        now, line = self._clock.now(), text.casefold()
        if self._doubles.again(keeper.channel, person.id, line, now, keeper.table.settings.repeat_seconds):
            self.show_dice(person, keeper, Unchanged())
            return
        if isinstance(command, Score):
            score = command
            keeper.act(lambda table, now: decide.choose(table, person.id, score, now))
        else:
            hold = command
            if not keeper.act(lambda table, now: decide.hold(table, person.id, hold, now)):
                self.show_dice(person, keeper, Stands())
        self._doubles.accepted(keeper.channel, person.id, line, now)

    def _look(self, person: Person, at: LookAt, table: Table) -> PrivateReply:
        now = self._clock.now()
        if at in (LookAt.WHO, LookAt.TIME):
            if not table.open:
                raise NoGame
            looks: dict[LookAt, Callable[[Table, float], LobbyShown | PlayersShown | TimeShown]] = {
                LookAt.WHO: views.who,
                LookAt.TIME: views.time_left,
            }
            return looks[at](table, now)
        if table.phase is Phase.LOBBY:
            decide.seat_of(table, person.id)
            raise NotBegun(decide.seconds_left(table, now))
        if at is LookAt.DICE:
            return views.my_dice(table, decide.seat_of(table, person.id))
        if table.match is None:
            raise NoGame
        if at is LookAt.SCORES:
            return views.scores(table)
        seat = table.seat_of(person.id)
        if seat is None:
            raise NotInGame
        return views.card(table, seat)

    def _prefer(self, person: Person, command: SetStyle | SetNotice) -> None:
        preference = self._preference(person.nick)
        match command:
            case SetStyle(style) if style:
                preference = replace(preference, style=style.value)
            case SetNotice(on) if on is not None:
                preference = replace(preference, notice=on)
        key = self._room.fold(person.nick)
        self._journal.prefer(self._room.network, key, preference)
        self._preferences[key] = preference
        self._say(person, preference_line(preference))

    # --- which table ---

    def _named(self, channel: str) -> Keeper:
        keeper = self._room.keeper(channel)
        if keeper is None:
            raise NoSuchTable(channel, tuple(keeper.channel for keeper in self._room.keepers))
        return keeper

    def _seated(self, person: Person) -> list[Keeper]:
        """Tables with something on where the person has a seat; one that they gave up only if there is no other."""
        seats = [(k, k.table.seat_of(person.id)) for k in self._room.keepers if k.table.open]
        seated = [(k, seat) for k, seat in seats if seat is not None]
        playing = [k for k, seat in seated if not k.table.seats[seat].left]
        return playing or [k for k, _ in seated]

    def _around(self, person: Person) -> list[Keeper]:
        """Tables of the channels that the person is in; all of them when it is in none."""
        present = [keeper for keeper in self._room.keepers if self._room.present(person, keeper)]
        return present or list(self._room.keepers)

    def _waiting_for(self, person: Person) -> Keeper:
        """The table that a play can be meant for: one where the person has still to decide."""
        seated = self._seated(person)
        waiting = [k for k in seated if k.table.decides(k.table.seat_of(person.id) or 0)]
        return self._only(waiting or seated or self._around(person))

    def _likely(self, person: Person) -> Keeper:
        return (self._seated(person) or self._around(person))[0]

    @staticmethod
    def _only(keepers: Sequence[Keeper]) -> Keeper:
        if len(keepers) > 1:
            raise WhichTable(tuple(keeper.channel for keeper in keepers))
        return keepers[0]

    @staticmethod
    def _rules_table(keeper: Keeper) -> Table:
        """The table as it is played now, or will be next."""
        return keeper.table if keeper.table.open else Table(keeper.settings)

    # --- answers ---

    def _alive(self, person: Person, keeper: Keeper) -> bool:
        """Note a sign of life; whether it brought the person back."""
        seat = keeper.table.seat_of(person.id)
        away = seat is not None and keeper.table.seats[seat].away
        try:
            return keeper.act(lambda table, now: decide.spoke(table, person.id)) and away
        except StoreError:
            log.exception("a sign of life was not written down")
            return False

    def _misunderstood(
        self, person: Person, problem: ProtocolError, where: Keeper | None, back: Sequence[Keeper]
    ) -> None:
        for keeper in back:
            self.show_dice(person, keeper, WelcomeBack())
        if back:
            return
        near = isinstance(problem, UnknownCommand) and problem.close and where
        seated = any(where in (None, keeper) for keeper in self._seated(person))
        if not seated and not near and not isinstance(problem, _MEANT_FOR_US):
            # In a channel such a line is meant for another bot; in private it is small talk.
            if (
                where is None
                and self._hints.misunderstood(person.id, self._clock.now()) is not Patience.SILENCE
            ):
                keeper = self._likely(person)
                hint = NOT_PLAYING.format(prefix=self._room.prefix(keeper), channel=keeper.channel)
                self._say(person, hint)
            return
        manners = self._nonsense if isinstance(problem, UnknownCommand) else self._mistakes
        patience = manners.misunderstood(person.id, self._clock.now())
        if patience is Patience.LAST_ANSWER:
            self._say(person, QUIET)
        elif patience is Patience.ANSWER:
            self._refuse(person, problem, where or self._likely(person))

    def _refuse(self, person: Person, problem: HostError | GameError | ProtocolError, keeper: Keeper) -> None:
        preference = self._preference(person.nick)
        situation = Situation(
            self._room.prefix(keeper), keeper.channel, Style(preference.style), self._dice(person, keeper)
        )
        self._room.answer(person.id, refusal(problem, situation), preference)

    def _dice(self, person: Person, keeper: Keeper) -> DealtDice | None:
        seat = keeper.table.seat_of(person.id)
        if seat is None or keeper.table.seats[seat].left or not keeper.table.decides(seat):
            return None
        return views.dealt(keeper.table, seat)

    def _say(self, person: Person, *lines: str) -> None:
        preference = self._preference(person.nick)
        for line in lines:
            self._room.answer(person.id, line, preference)

    def _preference(self, nick: str) -> Preference:
        key = self._room.fold(nick)
        if key not in self._preferences:
            if len(self._preferences) > _REMEMBERED:
                self._preferences.clear()
            try:
                self._preferences[key] = self._journal.preference(self._room.network, key)
            except StoreError:
                log.exception("preferences cannot be read")
                return Preference()
        return self._preferences[key]
