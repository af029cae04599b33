"""Serves cards: takes the lines of programs, does what they ask for, and answers in such lines.

What a card says by itself, such as the question how things stand, is no sign of its player's life.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.metadata import version
from types import MappingProxyType
from typing import Final

from game import errors as game
from game.errors import GameError
from host import by_number, decide, errors, room
from host.answers import Answers
from host.errors import AlreadySeated, HostError, NotInChannel
from host.keeper import Keeper
from host.moves import Moves
from host.people import Person
from host.replies import Stands
from host.room import Room
from host.speech import Speech
from host.table import Phase
from host.watch import IGNORED, OK
from protocol.card import commands, news
from protocol.card.commands import (
    AddWord,
    AskHint,
    AskState,
    Bye,
    Command,
    Hello,
    Hold,
    Ping,
    Practice,
    Register,
    Score,
    UnknownKind,
)
from protocol.card.fields import BadLine
from protocol.card.keys import VERSION, Code, Lines

CARD: Final = "card"
"""The kind of a line of which no more is known, for those who watch."""

_CODES: Final[Mapping[type[HostError | GameError], Code]] = MappingProxyType(
    {
        game.AlreadyScored: Code.SCORED,
        game.NoRollLeft: Code.ROLLS,
        game.RolledOn: Code.LATE,
        game.BoxUsed: Code.USED,
        game.BoxForbidden: Code.FORBIDDEN,
        errors.Outdated: Code.LATE,
        errors.NotBegun: Code.LATE,
        errors.WordsTaken: Code.LATE,
        errors.NoGame: Code.GAME,
        errors.NotInGame: Code.SEAT,
        errors.GivenUp: Code.SEAT,
        errors.TakenAway: Code.SEAT,
        errors.NoHints: Code.HINTS,
        errors.NotKnown: Code.SOON,
        errors.GamePaused: Code.CLOCK,
        errors.StandsStill: Code.CLOCK,
        errors.TableFull: Code.FULL,
        errors.GameOn: Code.ON,
        errors.NotInChannel: Code.CHANNEL,
        errors.NoSuchTable: Code.CHANNEL,
        errors.NoPractice: Code.CHANNEL,
        errors.WhichTable: Code.CHANNEL,
        errors.TableCloses: Code.CHANNEL,
        errors.StoreError: Code.BUSY,
    }
)


class CardClerk:
    """Serves the cards of one network. `spares` tells whether a person has an answer left."""

    def __init__(
        self,
        place: Room,
        speech: Speech,
        answers: Answers,
        moves: Moves,
        *,
        spares: Callable[[Person], bool],
    ) -> None:
        self._room = place
        self._speech = speech
        self._answers = answers
        self._moves = moves
        self._spares = spares

    def serve(self, person: Person, line: str, *, in_private: bool, banned: bool) -> tuple[str, str]:
        """Take a line of a program; the kind of it and what became of it, as for `Watch.commanded`.

        In a channel, where a card asks who the host is, nothing but a hello is answered.
        """
        try:
            command = commands.read(line)
        except UnknownKind as problem:
            return self._nonsense(person, news.Refused(Code.UNKNOWN), type(problem).__name__, in_private)
        except BadLine as problem:
            refused = news.Refused(Code.FIELD, problem.kind, key=problem.key)
            return self._nonsense(person, refused, type(problem).__name__, in_private)
        if command is None or not (in_private or isinstance(command, Hello)):
            return CARD, IGNORED
        kind = f"card {command.KIND}"
        if banned or self._room.find(person.nick) is None:
            # Out of sight nobody could tell when the nick is another's.
            refused = news.Refused(Code.BANNED if banned else Code.CHANNEL, command.KIND)
            why = "Banned" if banned else NotInChannel.__name__
            return kind, why if self._refuse(person, refused) else IGNORED
        if self._speech.cards.wants(person.nick) is None and not isinstance(command, Hello):
            self._speech.cards.greet(person.nick, Lines.BOTH)
        try:
            return kind, OK if self._obey(person, command) else IGNORED
        except (HostError, GameError) as error:
            self._cannot(person, command, error)
            return kind, type(error).__name__

    def _nonsense(
        self, person: Person, refused: news.Refused, outcome: str, in_private: bool
    ) -> tuple[str, str]:
        return CARD, outcome if in_private and self._refuse(person, refused) else IGNORED

    def _obey(self, person: Person, command: Command) -> bool:
        """Do it; False when the person has no more answers and it was passed over."""
        match command:
            case Hold() | Score():
                return self._decide(person, command)
            case _ if not self._spares(person):
                return False
            case Hello():
                self._greet(person, command)
            case Register(channel):
                self._register(person, channel)
            case Practice(channel):
                near = room.named(self._room, person, channel) if channel else None
                keeper, begun = self._moves.practise(person, near)
                if not begun:
                    self._speech.state(keeper, person)
            case AddWord(game_id, word):
                self._game(person, game_id).act(lambda table, now: decide.add_word(table, person.id, word))
                self._speech.to_card(person.nick, [news.WordAdded(game_id, word)])
            case AskHint():
                self._hint(person, command)
            case AskState():
                self._tell_state(person)
            case Ping(token):
                self._speech.to_card(person.nick, [news.Pong(token)])
            case Bye():
                self._speech.cards.forget(person.nick)
        return True

    def _greet(self, person: Person, hello: Hello) -> None:
        if hello.version != VERSION:
            self._speech.to_card(person.nick, [news.Refused(Code.VERSION, hello.KIND, version=VERSION)])
            return
        self._speech.cards.greet(person.nick, hello.lines)
        greeting = news.Greeting(VERSION, hello.lines, f"yardzee/{version('yardzee')}")
        self._speech.to_card(person.nick, [greeting])

    def _register(self, person: Person, channel: str) -> None:
        keeper = room.named(self._room, person, channel) if channel else room.to_join(self._room, person)
        self._moves.alive(person, keeper)
        try:
            self._moves.join(person, keeper)
        except AlreadySeated:
            self._speech.state(keeper, person)

    def _decide(self, person: Person, command: Hold | Score) -> bool:
        keeper = self._game(person, command.game)
        if self._moves.noted(person, keeper) and not self._spares(person):
            return False
        self._moves.alive(person, keeper)
        match command:
            case Hold():
                if not keeper.act(lambda table, now: by_number.hold(table, person.id, command, now)):
                    self._answers.show_dice(person, keeper, Stands())
            case Score():
                keeper.act(lambda table, now: by_number.score(table, person.id, command, now))
        return True

    def _hint(self, person: Person, command: AskHint) -> None:
        keeper = self._game(person, command.game)
        self._moves.alive(person, keeper)
        keeper.act(lambda table, now: by_number.hint(table, person.id, command, now, keeper.turns))
        self._answers.show_hint(person, keeper)

    def _tell_state(self, person: Person) -> None:
        around = self._room.tables_around(person)
        over = [keeper for keeper in around if keeper.table.phase is Phase.OVER]
        sitting = [*room.playing(self._room, person.id), *over]
        told = [keeper for keeper in sitting if keeper.table.seat_of(person.id) is not None]
        for keeper in told:
            self._speech.state(keeper, person)
        self._speech.to_card(person.nick, [news.End(len(told))])

    def _game(self, person: Person, game: str) -> Keeper:
        """The table of a game at which the person sits. Raises NoGame or NotInGame."""
        for keeper in room.playing(self._room, person.id):
            if keeper.table.game == game:
                return keeper
        on = any(keeper.table.open and keeper.table.game == game for keeper in self._room.keepers)
        raise errors.NotInGame if on else errors.NoGame

    def _cannot(self, person: Person, command: Command, problem: HostError | GameError) -> None:
        self._answers.log_failure(person, problem, room.likely(self._room, person))
        game_id = command.game if isinstance(command, Hold | Score | AskHint) else ""
        refused = news.Refused(_CODES.get(type(problem), Code.NO), command.KIND, game_id)
        if not self._refuse(person, refused):
            return
        for keeper in room.playing(self._room, person.id):
            if game_id and keeper.table.game == game_id:
                self._answers.show_dice(person, keeper)

    def _refuse(self, person: Person, refused: news.Refused) -> bool:
        """Say that a command did nothing, if the person has an answer left."""
        spares = self._spares(person)
        if spares:
            self._speech.to_card(person.nick, [refused])
        return spares
