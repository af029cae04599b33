"""One network: what its link tells goes to persons and tables, what they say goes out through the outbox."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Final, Protocol

from chat.events import (
    AccountChanged,
    Connected,
    Disconnected,
    HostChanged,
    Joined,
    Kicked,
    LinkEvent,
    Message,
    Names,
    NickChanged,
    Parted,
    Present,
    Quit,
    Refused,
    User,
)
from chat.lines import pack, split
from game.match import Pace
from host import decide, room, views
from host.clerk import Clerk
from host.clock import Clock
from host.config import Channel, Network
from host.errors import StoreError
from host.events import TableSettings
from host.journal import History, Journal
from host.keeper import Keeper, Sources
from host.outbox import Lane, Letter, Outbox
from host.people import People, Person, new_person_id
from host.preference import Preference
from host.replies import SplitOff, SplitOver
from host.seat_index import SeatIndex
from host.splits import Splits
from host.table import Phase
from host.views import Private, Public, Said
from host.wording.public import public
from host.wording.words import Sentence
from protocol.typed import plain

log = logging.getLogger(__name__)

_NO_SUCH_NICK: Final = 401
_SPLIT_SECONDS: Final = 300.0
"""More time when a netsplit took players: servers mostly find each other again within minutes."""


class Wire(Protocol):
    """What the desk needs of a connection; `chat.link.Link` is one."""

    def fold(self, name: str) -> str:
        """The key of a nick or channel."""

    def is_me(self, nick: str) -> bool:
        """Whether the nick is the host's own."""

    def budget(self, target: str, *, notice: bool = False) -> int:
        """Bytes of text that fit in a line to the target."""

    def send(self, target: str, text: str, *, notice: bool = False) -> None:
        """Send one line now."""


class Desk:
    """The host's place on one network."""

    def __init__(  # noqa: PLR0913 - what a network stands on, and the sources of new games
        self,
        network: Network,
        connect: Callable[[Callable[[LinkEvent], None]], Wire],
        *,
        journal: Journal,
        clock: Clock,
        sources: Sources | None = None,
        person_id: Callable[[], str] = new_person_id,
    ) -> None:
        self._config = network
        self._clock = clock
        self._prefixes = {channel.name: channel.prefix for channel in network.channels}
        self._keepers = [
            Keeper(
                *(network.name, channel.name, _settings(channel)),
                journal=journal,
                clock=clock,
                speak=self._speak,
                sources=sources,
            )
            for channel in network.channels
        ]
        self._by_channel: dict[str, Keeper] = {}
        self._seats = SeatIndex()
        self._untold: set[Keeper] = set()  # tables whose last result may not have been heard
        self._returning: set[Keeper | None] = set()
        """Tables whose channel the host came into while something was on, until it is known who is there."""

        self._served: Person | None = None
        """Whose line is being served: what they hear of it is an answer."""

        self._wire = connect(self.hear)
        self._people = People(self._wire.fold, self._seats.__contains__, person_id)
        self._outbox = Outbox(self._send, clock, network.send.burst, network.send.seconds)
        self._clerk = Clerk(self, journal, clock)
        self._splits = Splits(clock, self._split_off, self._split_over)
        self._refold()

    # --- what the clerk asks (`host.room.Room`) ---

    @property
    def network(self) -> str:
        return self._config.name

    @property
    def keepers(self) -> Sequence[Keeper]:
        return self._keepers

    def keeper(self, channel: str) -> Keeper | None:
        return self._by_channel.get(self._wire.fold(channel))

    def prefix(self, keeper: Keeper) -> str:
        return self._prefixes[keeper.channel]

    def seats_of(self, person: str) -> Sequence[Keeper]:
        return self._seats.of(person)

    def tables_around(self, person: Person) -> Sequence[Keeper]:
        channels = self._people.channels_of(person.nick)
        return [self._by_channel[channel] for channel in sorted(channels) if channel in self._by_channel]

    def fold(self, name: str) -> str:
        return self._wire.fold(name)

    def send(self, nick: str, text: str, preference: Preference) -> None:
        served = self._served and self._wire.fold(self._served.nick) == self._wire.fold(nick)
        self._post_private(nick, text, preference.notice, Lane.ANSWER if served else Lane.NEWS)

    # --- life ---

    def restore(self, history: History) -> bool:
        """Go on with a game from the journal; False when its channel is no longer configured."""
        keeper = self.keeper(history.file.channel)
        if keeper is None:
            return False
        keeper.restore(history)
        self._seats.note(keeper)
        self._act(keeper, decide.suspend)
        for seat in keeper.table.seats:
            who = seat.occupant
            if not who.house:
                self._people.remember(Person(who.person, who.nick, who.user, who.host, who.account))
        return True

    def recall(self, history: History, *, just_ended: bool) -> None:
        """Keep the last result of a channel for `scores`.

        When it had just ended, and may not have been heard, it is told when the host is back there.
        """
        keeper = self.keeper(history.file.channel)
        if keeper and not keeper.table.open:
            keeper.restore(history)
            if just_ended:
                self._untold.add(keeper)

    def announce(self, text: str) -> None:
        """Say a line in every channel where something is on, at once: nothing comes after it.

        Results that still wait go out before it, and what waits for players is dropped.
        """
        self._outbox.flush()
        for keeper in self._keepers:
            if keeper.table.open:
                self._send(Letter(keeper.channel, text, personal=False))

    def close(self) -> None:
        """Stop all clocks; games stay in the journal."""
        self._outbox.clear()
        for keeper in self._keepers:
            keeper.stop()

    def hear(self, event: LinkEvent) -> None:
        """Take what the link tells."""
        match event:
            case Connected(nick):
                log.info("%s: connected as %s", self.network, nick)
                self._refold()
            case Disconnected(reason):
                log.info("%s: disconnected: %r", self.network, reason)
                self._outbox.clear()
                self._people.all_gone()
                self._splits.clear()
                self._suspend(self._keepers)
            case Names(channel, nicks):
                self._arrived(channel, nicks)
            case Present(channel, users):
                self._recognised(channel, users)
            case Joined(user, channel) if not self._wire.is_me(user.nick):
                person = self._people.joined(user, channel)
                if keeper := self.keeper(channel):
                    self._splits.came(person, keeper)
                    self._clerk.welcome_back(person, keeper)
            case Parted(User(nick), channel) | Kicked(nick, channel):
                self._left_channel(nick, channel)
            case Quit(user, netsplit=netsplit):
                self._quit(user.nick, netsplit)
            case NickChanged(user, nick) if not self._wire.is_me(nick):
                self._renamed(user, nick)
            case AccountChanged(user, account) if not self._wire.is_me(user.nick):
                self._logged_in(user, account)
            case HostChanged(_, user) if not self._wire.is_me(user.nick):
                self._people.see(user)
            case Message():
                self._heard(event)
            case Refused(numeric, target, text):
                log.warning("%s: the server refused %r: %d %r", self.network, target, numeric, text)
                if numeric == _NO_SUCH_NICK:
                    self._outbox.withdraw(target)

    def _heard(self, message: Message) -> None:
        keeper = None if message.private else self.keeper(message.target)
        if keeper is None and not message.private:
            return
        self._served = self._people.see(message.user)
        self._note_account(self._served)
        try:
            if keeper:
                self._clerk.overhear(self._served, keeper, self._addressed(message.text), message.text)
            else:
                self._clerk.hear(self._served, message.text)
        finally:
            self._served = None

    def _addressed(self, text: str) -> str | None:
        """What is said to the host by name, as in `Hoster: dice`, or None."""
        name, separator, rest = plain(text).partition(" ")
        said_to_me = name.endswith((":", ",")) and self._wire.is_me(name[:-1])
        return rest if separator and said_to_me else None

    def _arrived(self, channel: str, nicks: Sequence[str]) -> None:
        """The host is in a channel: whoever left the lobby meanwhile is gone, and a game goes on."""
        keeper = self.keeper(channel)
        if keeper is None:
            return
        log.info("%s: in %s", self.network, channel)
        self._people.arrived(channel, nicks)
        for seat in keeper.table.seats if keeper.table.phase is Phase.LOBBY else ():
            if not seat.house and not self._people.is_in(seat.nick, channel):
                self._act(keeper, decide.gone, seat.occupant.person)
        if keeper in self._untold:
            self._untold.discard(keeper)
            self._speak(keeper, [Public(views.final_table(keeper.table))])
        if keeper.table.open:
            self._returning.add(keeper)
            self._act(keeper, decide.resume)
            self._speak(keeper, [views.host_back(keeper.table, self._clock.now())])

    def _recognised(self, channel: str, users: Sequence[User]) -> None:
        """The masks of those in the channel: players are known again, and get their dice."""
        keeper = self.keeper(channel)
        back = keeper in self._returning
        self._returning.discard(keeper)
        for user in users:
            person = self._people.see(user)
            if back and keeper and keeper in self.seats_of(person.id):
                self._clerk.show_dice(person, keeper)
        for seat in keeper.table.seats if keeper and keeper.table.phase is Phase.LOBBY else ():
            # Somebody has the nick, and is not the one who sat down.
            if keeper and not seat.house and self._people.nick_of(seat.occupant.person) is None:
                self._act(keeper, decide.gone, seat.occupant.person)

    def _left_channel(self, nick: str, channel: str) -> None:
        if self._wire.is_me(nick):
            log.warning("%s: out of %s", self.network, channel)
            self._people.host_left(channel)
            self._suspend([mine] if (mine := self.keeper(channel)) else [])
            return
        person = self._people.left(nick, channel)
        if not self._people.channels_of(nick):
            # From now on nobody tells when the nick becomes another's, and what waits may hold dice.
            self._outbox.withdraw(nick)
        keeper = self.keeper(channel)
        if person and keeper and keeper in self.seats_of(person.id):
            self._act(keeper, decide.gone, person.id)

    def _quit(self, nick: str, netsplit: bool) -> None:
        person = self._people.quit(nick)
        self._outbox.withdraw(nick)
        if person:
            for keeper in self.seats_of(person.id):
                if netsplit:
                    self._splits.went(person, keeper)
                else:
                    self._act(keeper, decide.gone, person.id)

    def _logged_in(self, user: User, account: str | None) -> None:
        """Somebody logged in: a seat of theirs notes the account, or the account brings a seat."""
        before = self._people.see(user)
        person = self._people.see(replace(user, account=account))
        self._note_account(person)
        if person.id != before.id:
            for keeper in self.seats_of(person.id):
                self._clerk.welcome_back(person, keeper)

    def _note_account(self, person: Person) -> None:
        """Write the account of a player down, so that it brings the seat back wherever they come from."""
        if person.account:
            for keeper in self.seats_of(person.id):
                self._act(keeper, decide.identified, person.id, person.account)

    def _renamed(self, user: User, nick: str) -> None:
        person = self._people.rename(user, nick)
        # The old nick may be another's in a moment, and what waits may hold dice.
        for letter in self._outbox.withdraw(user.nick):
            self._post_private(nick, letter.text, letter.notice, Lane.NEWS)
        for keeper in self.seats_of(person.id):
            self._act(keeper, decide.renamed, person.id, nick)

    def _split_off(self, keeper: Keeper, people: list[str]) -> None:
        self._act(keeper, lambda table: decide.extend(table, _SPLIT_SECONDS))
        if nicks := views.nicks_of(keeper.table, people):
            self._say(keeper, Public(SplitOff(nicks, _SPLIT_SECONDS)))

    def _split_over(self, keeper: Keeper, people: list[str]) -> None:
        if nicks := views.nicks_of(keeper.table, people):
            self._say(keeper, Public(SplitOver(nicks)))

    def _suspend(self, keepers: Iterable[Keeper]) -> None:
        """Nobody can be heard there: nobody's time passes."""
        for keeper in keepers:
            self._act(keeper, decide.suspend)

    def _act(self, keeper: Keeper, wish: Callable[..., decide.Events], *told: str) -> None:
        """Record what nobody asked for; without the store there is nobody to apologise to."""
        try:
            keeper.act(lambda table, now: wish(table, *told))
        except StoreError as error:
            log.error("%s %s: not written down: %s", self.network, keeper.channel, error)

    def _refold(self) -> None:
        self._by_channel = {self._wire.fold(keeper.channel): keeper for keeper in self._keepers}

    # --- speaking ---

    def _speak(self, keeper: Keeper, said: Iterable[Said]) -> None:
        self._seats.note(keeper)
        for one in said:
            try:
                self._say(keeper, one)
            except Exception:
                # What happened is written down. Who cannot be told must not keep the others from hearing it.
                log.exception("%s %s: something could not be said", self.network, keeper.channel)

    def _say(self, keeper: Keeper, one: Said) -> None:
        match one:
            case Public(reply):
                self._post_public(keeper.channel, public(reply, self.prefix(keeper)))
            case Private(person, reply):
                if nick := self._nick_of(person):
                    self._clerk.speech.tell(nick, reply, room.label(self, person, keeper))

    def _post_private(self, nick: str, text: str, notice: bool, lane: Lane) -> None:
        for line in split(text, self._wire.budget(nick, notice=notice)):
            self._outbox.post(Letter(nick, line, notice), lane)

    def _nick_of(self, person: str) -> str | None:
        """Where a person can be told something: while they are here, or in answer to what they just said."""
        if self._served and self._served.id == person:
            return self._served.nick
        return self._people.nick_of(person)

    def _post_public(self, channel: str, sentence: Sentence) -> None:
        budget = self._wire.budget(channel)
        lines = pack(sentence.items, sentence.separator, budget, sentence.head)
        if sentence.short and len(lines) > 1:
            shorter = pack(sentence.short, sentence.separator, budget, sentence.head)
            lines = shorter if len(shorter) < len(lines) else lines
        for line in lines:
            self._outbox.post(Letter(channel, line, personal=False), Lane.NEWS)

    def _send(self, letter: Letter) -> None:
        self._wire.send(letter.target, letter.text, notice=letter.notice)


def _settings(channel: Channel) -> TableSettings:
    return TableSettings(
        rules=channel.rules,
        pace=Pace(channel.pace),
        seats=channel.seats,
        lobby_seconds=channel.lobby_seconds,
        round_seconds=channel.round_seconds,
        repeat_seconds=channel.repeat_seconds,
        house=channel.house_seats,
    )
