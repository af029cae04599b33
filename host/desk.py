"""One network: what its link tells goes to persons and tables, what they say goes out through the outbox."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from chat.events import (
    Connected,
    Disconnected,
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
from host import decide, views
from host.clerk import Clerk
from host.clock import Clock
from host.config import Channel, Network
from host.errors import StoreError
from host.events import TableSettings
from host.journal import History, Journal, Preference
from host.keeper import Keeper, Sources
from host.outbox import Lane, Letter, Outbox
from host.people import People, Person
from host.table import Phase
from host.views import Private, Public, Said
from host.wording.public import public
from host.wording.words import Sentence

log = logging.getLogger(__name__)


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
        people_ids: Callable[[], str] | None = None,
    ) -> None:
        self._config = network
        self._wire = connect(self.hear)
        self._clock = clock
        self._outbox = Outbox(self._send, clock, network.send.burst, network.send.seconds)
        ids = {"new_id": people_ids} if people_ids else {}
        self._people = People(self._wire.fold, **ids)
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
        self._present: dict[str, set[str]] = {}
        """Folded nicks in each of our channels, by folded channel."""

        self._clerk = Clerk(self, journal, clock)
        self._typing: str | None = None
        """The person whose line is being served: what they hear of it is an answer."""

        self._refold()

    # --- what the clerk asks (`host.clerk.Room`) ---

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

    def present(self, person: Person, keeper: Keeper) -> bool:
        nicks = self._present.get(self._wire.fold(keeper.channel))
        return nicks is not None and self._wire.fold(person.nick) in nicks

    def fold(self, name: str) -> str:
        return self._wire.fold(name)

    def answer(self, person: str, text: str, preference: Preference) -> None:
        nick = self._people.nick_of(person)
        if nick is None:
            return
        lane = Lane.ANSWER if person == self._typing else Lane.NEWS
        self._post_private(nick, text, preference.notice, lane)

    # --- life ---

    def restore(self, history: History) -> bool:
        """Go on with a game from the journal; False when its channel is no longer configured."""
        keeper = self.keeper(history.file.channel)
        if keeper is None:
            return False
        keeper.restore(history)
        for seat in keeper.table.seats:
            who = seat.occupant
            if not who.house:
                self._people.remember(Person(who.person, who.nick, who.user, who.host))
        return True

    def announce(self, text: str) -> None:
        """Say a line in every channel where something is on, at once: nothing comes after it."""
        self._outbox.clear()
        for keeper in self._keepers:
            if keeper.table.open:
                self._send(Letter(keeper.channel, text))

    def close(self) -> None:
        """Stop all clocks; games stay in the journal."""
        self._outbox.clear()
        for keeper in self._keepers:
            keeper.stop()

    def hear(self, event: LinkEvent) -> None:
        """Take what the link tells."""
        match event:
            case Connected():
                self._refold()
            case Disconnected():
                self._outbox.clear()
                self._present.clear()
                self._people.all_gone(self._has_seat)
            case Names(channel, nicks):
                self._arrived(channel, nicks)
            case Present(channel, users):
                self._recognised(channel, users)
            case Joined(user, channel) if not self._wire.is_me(user.nick):
                self._present.setdefault(self._wire.fold(channel), set()).add(self._wire.fold(user.nick))
                self._clerk.welcome_back(self._people.see(user))
            case Parted(User(nick), channel) | Kicked(nick, channel):
                self._left_channel(nick, channel)
            case Quit(user):
                self._quit(user)
            case NickChanged(user, nick) if not self._wire.is_me(nick):
                self._renamed(user, nick)
            case Message():
                self._heard(event)
            case Refused(numeric, target, text):
                log.warning("%s: the server refused %s: %d %s", self.network, target, numeric, text)

    def _heard(self, message: Message) -> None:
        keeper = None if message.private else self.keeper(message.target)
        if keeper is None and not message.private:
            return
        person = self._people.see(message.user)
        self._typing = person.id
        try:
            if keeper:
                self._clerk.overhear(person, keeper, message.text)
            else:
                self._clerk.hear(person, message.text)
        finally:
            self._typing = None

    def _arrived(self, channel: str, nicks: Sequence[str]) -> None:
        """The host is in a channel: whoever left the lobby meanwhile is gone, and a game goes on."""
        keeper = self.keeper(channel)
        if keeper is None:
            return
        present = {self._wire.fold(nick) for nick in nicks}
        self._present[self._wire.fold(channel)] = present
        for seat in keeper.table.seats if keeper.table.phase is Phase.LOBBY else ():
            if not seat.house and self._wire.fold(seat.nick) not in present:
                self._act(keeper, lambda table, now, gone=seat.occupant.person: decide.gone(table, gone))
        if keeper.table.open:
            self._speak(keeper, [views.host_back(keeper.table, self._clock.now())])

    def _recognised(self, channel: str, users: Sequence[User]) -> None:
        """The masks of those in the channel: players are known again, and get their dice."""
        keeper = self.keeper(channel)
        for user in users if keeper else ():
            person = self._people.see(user)
            if keeper:
                self._clerk.show_dice(person, keeper)

    def _left_channel(self, nick: str, channel: str) -> None:
        key = self._wire.fold(channel)
        if self._wire.is_me(nick):
            self._present.pop(key, None)
            return
        self._present.get(key, set()).discard(self._wire.fold(nick))
        keeper = self.keeper(channel)
        if keeper:
            self._gone_from([keeper], nick)

    def _quit(self, user: User) -> None:
        for nicks in self._present.values():
            nicks.discard(self._wire.fold(user.nick))
        self._outbox.withdraw(user.nick)
        self._gone_from(self._keepers, user.nick)
        self._people.gone(user, self._has_seat)

    def _gone_from(self, keepers: Iterable[Keeper], nick: str) -> None:
        for keeper in keepers:
            for seat in keeper.table.seats:
                if not seat.house and self._wire.fold(seat.nick) == self._wire.fold(nick):
                    who = seat.occupant.person
                    self._act(keeper, lambda table, now, gone=who: decide.gone(table, gone))

    def _renamed(self, user: User, nick: str) -> None:
        person = self._people.rename(user, nick)
        for nicks in self._present.values():
            if self._wire.fold(user.nick) in nicks:
                nicks.discard(self._wire.fold(user.nick))
                nicks.add(self._wire.fold(nick))
        # The old nick may be another's in a moment, and what waits may hold dice.
        for letter, lane in self._outbox.withdraw(user.nick):
            self._post_private(nick, letter.text, letter.notice, lane)
        for keeper in self._keepers:
            self._act(keeper, lambda table, now: decide.renamed(table, person.id, nick))

    def _act(self, keeper: Keeper, wish: Callable[..., decide.Events]) -> None:
        """Record what nobody asked for; without the store there is nobody to apologise to."""
        try:
            keeper.act(wish)
        except StoreError:
            log.exception("%s %s: not written down", self.network, keeper.channel)

    def _has_seat(self, person: Person) -> bool:
        return any(k.table.open and k.table.seat_of(person.id) is not None for k in self._keepers)

    def _refold(self) -> None:
        self._by_channel = {self._wire.fold(keeper.channel): keeper for keeper in self._keepers}

    # --- speaking ---

    def _speak(self, keeper: Keeper, said: Iterable[Said]) -> None:
        for one in said:
            match one:
                case Public(reply):
                    self._post_public(keeper.channel, public(reply, self.prefix(keeper)))
                case Private(person, reply):
                    nick = self._people.nick_of(person)
                    if nick is not None:
                        self._clerk.tell(person, nick, reply)

    def _post_private(self, nick: str, text: str, notice: bool, lane: Lane) -> None:
        for line in split(text, self._wire.budget(nick, notice=notice)):
            self._outbox.post(Letter(nick, line, notice), lane)

    def _post_public(self, channel: str, sentence: Sentence) -> None:
        budget = self._wire.budget(channel)
        lines = pack(sentence.items, sentence.separator, budget, sentence.head)
        if sentence.short and len(lines) > 1:
            shorter = pack(sentence.short, sentence.separator, budget, sentence.head)
            lines = shorter if len(shorter) < len(lines) else lines
        for line in lines:
            self._outbox.post(Letter(channel, line), Lane.NEWS)

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
