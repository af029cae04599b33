"""Answers to one person, in the style that they chose; the choices are remembered."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Final

from chat.logger import logger
from host import machine, precedence, room
from host.cards import Cards
from host.clock import Clock
from host.errors import StoreError
from host.journal import Journal
from host.keeper import Keeper
from host.letter import Lane, Showing
from host.people import Person
from host.preference import Preference
from host.replies import (
    Balance,
    Costliest,
    DealtDice,
    Dismissed,
    GameOver,
    GaveUp,
    Hurry,
    PracticeBegan,
    PracticeStopped,
    PrivateReply,
    RoundDone,
    Sign,
    WelcomeBack,
)
from host.room import Room
from host.wording.help import token_line
from host.wording.private import lasting, private
from protocol.card.fields import write
from protocol.card.keys import Lines
from protocol.card.news import News

log = logger(__name__)

_OF_A_TURN: Final = (DealtDice, RoundDone, GameOver, GaveUp, Dismissed)
"""Replies that tell how a player's turn stands, or that there is none any more."""

_OF_OLD_DICE: Final = (Hurry, WelcomeBack)
"""What leads dice that were dealt before: nobody gains time by going and coming back."""

_IN_SIGNS: Final = (PracticeBegan, PracticeStopped)
"""What signs tell programs."""

_REMEMBERED: Final = 10_000
"""Preferences that are kept at hand; more are looked up again."""


class Speech:
    """Speaks to the persons of one network, by their nicks."""

    def __init__(self, place: Room, journal: Journal, clock: Clock) -> None:
        self._room = place
        self._clock = clock
        self.cards = Cards(place.fold)
        self.shown: dict[Keeper, set[str]] = {}
        """Who was told how their turn stands, at tables whose people are just being found out."""

        self._journal = journal
        self._preferences: dict[str, Preference] = {}
        """Those looked up so far, by folded nick."""

    def tell(self, nick: str, reply: PrivateReply, *, lane: Lane | None = None, about: str = "") -> None:
        """Say a reply that is about no table, or does not go stale; `about` stands before it."""
        preference = self.preference(nick)
        text = about + private(reply, preference.style)
        self._room.send(nick, text, notice=preference.notice, lane=lane)

    def analysis(  # noqa: PLR0913 - to whom, of what, how much of it, and how
        self,
        nick: str,
        game: str,
        told: tuple[Balance, Costliest],
        most: int,
        *,
        lane: Lane | None = None,
        about: str = "",
    ) -> None:
        """Tell what became of a finished game, in words with at most so many decisions."""
        balance, costliest = told
        wants = self.cards.wants(nick)
        if wants:
            self.to_card(nick, [machine.analysis(game, balance, costliest)])
        if wants is not Lines.ONLY:
            short = replace(costliest, decisions=costliest.decisions[:most])
            self.tell(nick, balance, lane=lane, about=about)
            self.tell(nick, short, lane=lane, about=about)

    def tell_of(
        self, keeper: Keeper, person: str, nick: str, reply: PrivateReply | Sign, *, dealt: bool = False
    ) -> None:
        """Say a reply about a table, which is named to somebody who sits at several.

        Who plays with a card hears it in lines for programs too, or instead. Of what waits about the same
        turn it makes stale all that is not news any more. With `dealt` it tells what has just happened, and
        nobody asked: the table waits for dice to leave.
        """
        if keeper in self.shown and isinstance(reply, _OF_A_TURN):
            self.shown[keeper].add(person)
        wants = self.cards.wants(nick)
        lines = list(machine.lines(reply, self._place(keeper, person), dealt=dealt)) if wants else []
        deals = dealt and isinstance(reply, DealtDice) and not isinstance(reply.lead, _OF_OLD_DICE)
        over = keeper.dealing(person) if deals else None
        told = lines or isinstance(reply, _IN_SIGNS)
        if not isinstance(reply, Sign) and not (told and wants is Lines.ONLY):
            self._in_words(keeper, person, nick, reply, over)
            over = None
        self.to_card(nick, lines, keeper.channel, over)

    def to_card(
        self, nick: str, lines: Iterable[News], about: str = "", over: Callable[[], None] | None = None
    ) -> None:
        """Say lines for programs, about the table of a channel; `over` is for dice among them.

        As messages, also to who wants notices: many programs never see those.
        """
        for line in lines:
            showing = precedence.of_card(line, about, over)
            self._room.send(nick, write(line), notice=False, showing=showing, lane=precedence.card_lane(line))

    def seated(self, keeper: Keeper, person: Person, token: str) -> None:
        """Tell somebody who has just sat down the token of the seat, where there is one."""
        wants = self.cards.wants(person.nick)
        if wants:
            lines = machine.seated(self._place(keeper, person.id), token)
            self.to_card(person.nick, lines, keeper.channel)
        if token and wants is not Lines.ONLY:
            self.say(person.nick, token_line(token))

    def state(self, keeper: Keeper, person: Person) -> None:
        """Tell the card of a player all that there is to know of the game at a table."""
        self.to_card(person.nick, machine.state(self._place(keeper, person.id)), keeper.channel)

    def _place(self, keeper: Keeper, person: str) -> machine.Place:
        return machine.Place(keeper.channel, keeper.table, person, self._clock.now())

    def _in_words(
        self, keeper: Keeper, person: str, nick: str, reply: PrivateReply, over: Callable[[], None] | None
    ) -> None:
        preference = self.preference(nick)
        label = room.label(self._room, person, keeper)
        text = label + private(reply, preference.style)
        showing = None
        if isinstance(reply, _OF_A_TURN):
            rest = lasting(reply)
            showing = Showing(keeper.channel, rest and label + rest, over=over)
        self._room.send(nick, text, notice=preference.notice, showing=showing)

    def say(self, nick: str, *lines: str, lane: Lane | None = None) -> None:
        """Say lines that are worded already."""
        preference = self.preference(nick)
        for line in lines:
            self._room.send(nick, line, notice=preference.notice, lane=lane)

    def preference(self, nick: str) -> Preference:
        """What the person chose, or the default, also while the store does not answer."""
        key = self._room.fold(nick)
        if key not in self._preferences:
            if len(self._preferences) > _REMEMBERED:
                self._preferences.clear()
            try:
                self._preferences[key] = self._journal.preference(self._room.network, key)
            except StoreError as error:
                log.error(
                    "preferences cannot be read", network=self._room.network, nick=nick, error=str(error)
                )
                return Preference()
        return self._preferences[key]

    def forget(self, nick: str) -> None:
        """Know no more what was chosen under a nick; the store does not either."""
        self._preferences.pop(self._room.fold(nick), None)

    def prefer(self, nick: str, preference: Preference) -> None:
        """Remember what the person chose. Raises StoreError; nothing has changed then."""
        key = self._room.fold(nick)
        self._journal.prefer(self._room.network, key, preference)
        self._preferences[key] = preference
