"""Who comes and goes, the host among them, and what that means for the tables of a network."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from dataclasses import replace

from chat.events import (
    AccountChanged,
    HostChanged,
    Joined,
    Kicked,
    LinkEvent,
    Names,
    NickChanged,
    Parted,
    Present,
    Quit,
    User,
)
from chat.logger import logger
from host import decide, room, views
from host.announcements import Committed, WordsMixed
from host.clerk import Clerk
from host.clock import Clock
from host.people import People, Person
from host.room import Room
from host.splits import Splits
from host.table import Phase
from host.voice import Voice

log = logger(__name__)


class Attendance:
    """Follows the people of one network."""

    def __init__(self, place: Room, *, people: People, voice: Voice, clerk: Clerk, clock: Clock) -> None:
        self._room = place
        self._people = people
        self._voice = voice
        self._clerk = clerk
        self._clock = clock
        self._splits = Splits(place, clock)
        self._in: set[str] = set()
        """Folded channels that the host is in."""

    def hear(self, event: LinkEvent) -> None:
        """Take what the link tells of people."""
        match event:
            case Names(channel, nicks):
                self._arrived(channel, nicks)
            case Present(channel, users):
                self._recognised(channel, users)
            case Joined(user, channel) if not self._voice.is_me(user.nick):
                person = self._people.joined(user, channel)
                if keeper := self._room.keeper(channel):
                    self._splits.came(person, keeper)
                    self._clerk.welcome_back(person, keeper)
            case Kicked(nick, channel, by, reason):
                self._left_channel(nick, channel, f"kicked by {by}: {reason!r}")
            case Parted(User(nick), channel):
                self._left_channel(nick, channel, "parted")
            case Quit(user, netsplit=netsplit):
                self._quit(user.nick, netsplit)
            case NickChanged(user, nick) if not self._voice.is_me(nick):
                self._renamed(user, nick)
            case AccountChanged(user, account) if not self._voice.is_me(user.nick):
                self._logged_in(user, account)
            case HostChanged(_, user) if not self._voice.is_me(user.nick):
                self._people.see(user)

    def is_in(self, channel: str) -> bool:
        """Whether the host is in a channel."""
        return self._room.fold(channel) in self._in

    def deaf(self, seconds: float) -> None:
        """Nobody was heard for so many seconds: that time did not pass for those who play."""
        for keeper in self._room.keepers:
            keeper.note_at(self._clock.now() - seconds, decide.suspend)
            if self.is_in(keeper.channel):
                keeper.note(decide.resume)

    def host_gone(self, silent: float) -> None:
        """The host is off the network, and has heard nothing for so many seconds."""
        self._people.all_gone()
        self._clerk.speech.cards.clear()
        self._in.clear()
        self._splits.clear()
        for keeper in self._room.keepers:
            keeper.note_at(self._clock.now() - silent, decide.suspend)

    def note_seen(self, person: Person) -> None:
        """Note that a person spoke: the account of a player brings the seat back wherever they come from."""
        self._splits.seen(person)
        for keeper in room.playing(self._room, person.id):
            if person.account:
                keeper.note(decide.identified, person.id, person.account)
            seat = keeper.table.seat_of(person.id)
            if seat is not None and decide.set_apart(keeper.table.seats[seat]):
                keeper.note(decide.renamed, person.id, person.nick)

    def _arrived(self, channel: str, nicks: Sequence[str]) -> None:
        """The host is in a channel: whoever left the lobby meanwhile is gone, and a game goes on."""
        keeper = self._room.keeper(channel)
        if keeper is None:
            return
        log.info("in channel", network=self._room.network, channel=channel)
        self._in.add(self._room.fold(channel))
        self._people.arrived(channel, nicks)
        for seat in keeper.table.seats if keeper.table.phase is Phase.LOBBY else ():
            if not seat.house and not self._people.is_in(seat.nick, channel):
                keeper.note(decide.gone, seat.occupant.person)
        if decide.untold(keeper.table):
            self._room.say(keeper, *views.final(keeper.table), *views.evidence(keeper.table, keeper.record))
        if keeper.table.open:
            self._clerk.speech.shown[keeper] = set()
            keeper.note(decide.resume)
            self._room.say(keeper, views.host_back(keeper.table, self._clock.now()))
            if keeper.table.phase is Phase.LOBBY and keeper.table.commit:
                # It may not have been heard, and words are still taken.
                self._room.say(keeper, Committed(views.commit(keeper.table)))
            elif keeper.table.commit and keeper.words_told != keeper.table.game:
                self._room.say(keeper, WordsMixed(views.seats(keeper.table)))

    def _recognised(self, channel: str, users: Sequence[User]) -> None:
        """The masks of those in the channel: players are known again, and get their dice."""
        keeper = self._room.keeper(channel)
        shown = self._clerk.speech.shown.pop(keeper, None) if keeper else None
        for user in users:
            person = self._people.see(user)
            # Who has spoken since may have got their dice with the answer, and made up their mind.
            missing = shown is not None and person.id not in shown
            if missing and keeper and keeper in self._room.seats_of(person.id):
                self._clerk.answers.show_dice(person, keeper, dealt=True)
        for seat in keeper.table.seats if keeper and keeper.table.phase is Phase.LOBBY else ():
            # Somebody has the nick, and is not the one who sat down.
            if keeper and not seat.house and self._people.nick_of(seat.occupant.person) is None:
                keeper.note(decide.gone, seat.occupant.person)

    def _left_channel(self, nick: str, channel: str, how: str) -> None:
        if self._voice.is_me(nick):
            mine = self._room.keeper(channel)
            level = logging.WARNING if mine else logging.INFO
            log.log(level, "out of channel", network=self._room.network, channel=channel, how=how)
            self._people.host_left(channel)
            self._clerk.speech.cards.keep(lambda nick: self._people.find(nick) is not None)
            self._in.discard(self._room.fold(channel))
            self._voice.outbox.withdraw(mine.channel if mine else channel)
            if mine:
                mine.note(decide.suspend)
            return
        person = self._people.left(nick, channel)
        if not self._people.channels_of(nick):
            # From now on nobody tells when the nick becomes another's, and what waits may hold dice. A KICK
            # has the nick as an operator typed it.
            self._voice.outbox.withdraw(person.nick if person else nick)
            self._clerk.speech.cards.forget(nick)
        keeper = self._room.keeper(channel)
        if person and keeper and keeper in self._room.seats_of(person.id):
            keeper.note(decide.gone, person.id)

    def _quit(self, nick: str, netsplit: bool) -> None:
        person = self._people.quit(nick)
        self._voice.outbox.withdraw(nick)
        self._clerk.speech.cards.forget(nick)
        if person:
            for keeper in self._room.seats_of(person.id):
                if netsplit:
                    self._splits.went(person, keeper)
                else:
                    keeper.note(decide.gone, person.id)

    def _logged_in(self, user: User, account: str | None) -> None:
        """Somebody logged in: a seat of theirs notes the account, or the account brings a seat."""
        before = self._people.see(user)
        person = self._people.see(replace(user, account=account))
        self.note_seen(person)
        if person.id != before.id:
            for keeper in self._room.seats_of(person.id):
                self._clerk.welcome_back(person, keeper)

    def _renamed(self, user: User, nick: str) -> None:
        person = self._people.rename(user, nick)
        # The old nick may be another's in a moment, and what waits may hold dice.
        self._voice.outbox.move(user.nick, nick)
        self._clerk.speech.cards.renamed(user.nick, nick)
        for keeper in room.playing(self._room, person.id):
            keeper.note(decide.renamed, person.id, nick)
