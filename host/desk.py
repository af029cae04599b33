"""One network: what its link tells goes to persons and tables, what they say goes out through the outbox."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence

from chat.events import (
    Connected,
    Disconnected,
    LinkEvent,
    Message,
    Names,
    NickChanged,
    Refused,
    Silence,
)
from chat.logger import logger
from host import decide, masks, precedence
from host.advice import Turns, no_turns
from host.announcements import FinalTable, Goodbye, LastGame, PublicReply, SeedTold, StaysHere, WordsMixed
from host.aside import Aside, at_once
from host.attendance import Attendance
from host.ban import Ban
from host.bounces import Bounces
from host.clerk import Clerk
from host.clock import Clock
from host.config import Network
from host.controls import Controls
from host.errors import StoreError
from host.events import Occupant, TableSettings
from host.journal import History, Journal
from host.keeper import Keeper, Sources
from host.letter import Lane, Showing
from host.own_name import OwnName
from host.people import People, Person, new_person_id
from host.practices import Practices, Speak
from host.result import Result
from host.serving import Serving
from host.tables import Tables
from host.views import Private, Public, Said
from host.voice import Voice, Wire
from host.watch import UNWATCHED, Watch
from host.wording.public import public
from protocol.card.news import shows_dice
from protocol.commands import PRACTICE
from protocol.tags import DiceTag
from protocol.typed import opened

log = logger(__name__)


class Desk:
    """The host's place on one network."""

    def __init__(  # noqa: PLR0913 - what a network stands on, and the sources of new games
        self,
        network: Network,
        connect: Callable[[Callable[[LinkEvent], None]], Wire],
        *,
        journal: Journal,
        clock: Clock,
        controls: Controls,
        bans: Iterable[Ban] = (),
        sources: Sources | None = None,
        person_id: Callable[[], str] = new_person_id,
        watch: Watch = UNWATCHED,
        turns: Turns = no_turns,
        aside: Aside = at_once,
    ) -> None:
        self._config = network
        self._journal = journal
        self._clock = clock
        self._controls = controls
        self._watch = watch

        def new_keeper(channel: str, settings: TableSettings, speak: Speak = self._speak) -> Keeper:
            place = network.name, channel, settings
            return Keeper(
                *place,
                journal=journal,
                clock=clock,
                speak=speak,
                sources=sources,
                silent_for=self._wire.silent_for,
                turns=turns,
                finished=self._clerk.reviews.over,
                fold=self.fold,
                watch=watch,
            )

        self._leaving: set[str] = set()
        """Channels that the host leaves when all that waits for them is said."""

        self._wire = connect(self.hear)
        self._tables = Tables(self._wire.fold, new_keeper)
        self._practices = Practices(lambda speak, how: new_keeper(PRACTICE, how, speak), self._tell)
        self._serving = Serving(clock, self._tables.seats.__contains__, watch=watch)
        self._people = People(
            self._wire.fold, self._tables.seats.__contains__, person_id, self._practices.__contains__
        )
        self._voice = Voice(self._wire, clock, network.send, watch=watch)
        self._clerk = Clerk(self, journal, clock, controls, bans, watch=watch, aside=aside)
        self._attendance = Attendance(
            self, people=self._people, voice=self._voice, clerk=self._clerk, clock=clock
        )
        self._own = OwnName(network.nick, self)
        self._bounces = Bounces(
            self, people=self._people, voice=self._voice, clerk=self._clerk, clock=clock, own=self._own
        )
        self._tables.configure(network.channels)

    # --- what the clerk asks (`host.room.Room`) ---

    @property
    def network(self) -> str:
        return self._config.name

    @property
    def keepers(self) -> Sequence[Keeper]:
        return self._tables.all

    def keeper(self, channel: str) -> Keeper | None:
        return self._tables.find(channel)

    def prefix(self, keeper: Keeper) -> str:
        return self._tables.prefix(keeper)

    def seats_of(self, person: str) -> Sequence[Keeper]:
        return self._tables.seats.of(person)

    def practice_of(self, person: str) -> Keeper | None:
        return self._practices.of(person)

    def practise(self, occupant: Occupant, near: TableSettings) -> tuple[Keeper, bool]:
        found = self._practices.begin(occupant, near)
        if not self.is_here(occupant.person):
            self._remember(occupant)
        return found

    def reread(self, games: Collection[str]) -> None:
        for keeper in (*self.keepers, *self._practices.all):
            if keeper.table.game in games:
                try:
                    keeper.reread()
                except StoreError as error:
                    # The names are gone all the same, and from here at the next start.
                    log.error("a game is not read anew", game=keeper.table.game, error=str(error))

    def find(self, nick: str) -> Person | None:
        return self._people.find(nick)

    def in_sight(self) -> Sequence[Person]:
        return self._people.all

    def is_here(self, person: str) -> bool:
        return self._people.nick_of(person) is not None

    def is_operator(self, person: masks.Known) -> bool:
        return any(masks.fits(entry, person, self._wire.fold) for entry in self._config.admins)

    def tables_around(self, person: Person) -> Sequence[Keeper]:
        return self._tables.near(self._people.channels_of(person.nick))

    def fold(self, name: str) -> str:
        return self._wire.fold(name)

    def send(
        self,
        nick: str,
        text: str,
        *,
        notice: bool,
        showing: Showing | None = None,
        lane: Lane | None = None,
    ) -> None:
        serving = self._serving
        served = serving.person and self._wire.fold(serving.person.nick) == self._wire.fold(nick)
        lane = lane if lane is not None else serving.lane if served else Lane.NEWS
        serving.dice_shown |= bool(served and (DiceTag.find(text) or shows_dice(text)))
        sent = serving.timer() if served else None
        self._voice.to_person(nick, text, notice=notice, lane=lane, showing=showing, sent=sent)

    def is_in(self, keeper: Keeper) -> bool:
        return self._attendance.is_in(keeper.channel)

    def say(self, keeper: Keeper, *replies: PublicReply) -> None:
        self._speak(keeper, map(Public, replies))

    # --- life ---

    @property
    def waiting(self) -> int:
        """Lines that wait to be sent."""
        return len(self._voice.outbox)

    def configure(self, network: Network) -> Sequence[str]:
        """Go by another configuration of this network; the channels that are new.

        Games that are on end as they began. Channels that are no longer configured are left when nothing is
        going on there.
        """
        self._config = network
        self._voice.outbox.set_pace(network.send.burst, network.send.seconds, network.send.bytes)
        closing = {keeper for keeper in self.keepers if keeper.closing}
        new = self._tables.configure(network.channels)
        self._leaving -= {keeper.channel for keeper in new}
        self._wire.set_channels(self._channels())
        for keeper in self.keepers:
            if keeper.closing and not keeper.table.open:
                self._drop(keeper)
            elif keeper.closing != (keeper in closing):
                self.say(keeper, LastGame() if keeper.closing else StaysHere())
        return [keeper.channel for keeper in new]

    def restore(self, history: History) -> bool:
        """Go on with a game from the journal; False when its channel has no table that is free."""
        if history.file.channel == PRACTICE:
            practice = self._practices.restore(history)
            if practice:
                self._remember(practice.table.seats[0].occupant)
            return practice is not None
        keeper = self.keeper(history.file.channel)
        if keeper is None or keeper.table.open:
            return keeper is not None and keeper.table.game == history.file.game
        keeper.restore(history)
        self._tables.seats.note(keeper)
        keeper.note(decide.suspend)
        for seat in keeper.table.seats:
            if not seat.house:
                self._remember(seat.occupant)
        return True

    def _remember(self, who: Occupant) -> None:
        self._people.remember(Person(who.person, who.nick, who.user, who.host, who.account))

    def recall(self, history: History) -> None:
        """Keep the last result of a channel for `scores`, and to tell it where it may not have been heard."""
        keeper = self.keeper(history.file.channel)
        if keeper and not keeper.table.open:
            keeper.restore(history)

    def announce(self, text: str) -> None:
        """Say a line in every channel where something is on, at once: nothing comes after it.

        Results that still wait go out before it, and what waits for players is dropped.
        """
        self._voice.outbox.flush()
        for keeper in self.keepers:
            if keeper.table.open:
                self._voice.at_once(keeper.channel, text)

    def close(self) -> None:
        """Stop all clocks; games stay in the journal."""
        self._voice.outbox.clear()
        self._bounces.forget()
        for keeper in self.keepers:
            keeper.stop()
        self._practices.stop()
        self._clerk.seasons.stop()

    def hear(self, event: LinkEvent) -> None:
        """Take what the link tells."""
        match event:
            case Connected(nick):
                log.info("connected", network=self.network, nick=nick)
                self._watch.connected()
                self._tables.refold()
                self._own.became(nick)
                self._journal.records.compares_by(self.network, self._wire.casemapping)
            case Disconnected(reason, silent):
                log.info("disconnected", network=self.network, reason=reason)
                self._watch.disconnected()
                self._attendance.host_gone(silent)
                self._voice.outbox.clear()
                self._bounces.forget()
                self._leave_others()
            case Silence(seconds):
                log.warning("nothing was heard", network=self.network, seconds=round(seconds))
                self._attendance.deaf(seconds)
            case Message():
                self._heard(event)
            case Refused():
                self._watch.refused()
                self._bounces.refused(event)
            case NickChanged(_, nick) if self._wire.is_me(nick):
                self._own.became(nick)
            case Names(channel) if keeper := self.keeper(channel):
                self._attendance.hear(event)
                self._own.tell(keeper)
            case _:
                self._attendance.hear(event)
                self._leave_others()

    def _heard(self, message: Message) -> None:
        keeper = None if message.private else self.keeper(message.target)
        if keeper is None and not message.private:
            return
        person = self._people.see(message.user)
        with self._serving.line_of(person):
            self._attendance.note_seen(person)
            if keeper:
                self._clerk.overhear(person, keeper, self._addressed(message.text), message.text)
            else:
                self._clerk.hear(person, message.text)
            if message.private or self._serving.dice_shown:
                self._bounces.spoke(person, shown=self._serving.dice_shown)

    def _addressed(self, text: str) -> str | None:
        """What is said to the host by name, as in `Hoster: dice`, or None."""
        name, separator, rest = opened(text).partition(" ")
        said_to_me = name.endswith((":", ",")) and self._wire.is_me(name[:-1])
        return rest if separator and said_to_me else None

    # --- speaking ---

    def _speak(self, keeper: Keeper, said: Iterable[Said]) -> None:
        self._tables.seats.note(keeper)
        replies = list(said)
        last = next((one for one in reversed(replies) if isinstance(one, Public)), None)
        tells = any(
            isinstance(one, Public) and isinstance(one.reply, FinalTable | SeedTold) for one in replies
        )
        result = Result(keeper, keeper.table.game) if tells and decide.untold(keeper.table) else None
        self._tell(keeper, replies, result, last)
        if keeper.closing and not keeper.table.open and keeper in self.keepers:
            self._drop(keeper)

    def _tell(
        self, keeper: Keeper, said: Iterable[Said], result: Result | None = None, last: Said | None = None
    ) -> None:
        """Say it to those whom it is for; some may be of a `result`, which the `last` one closes."""
        for one in said:
            try:
                match one:
                    case Public(reply):
                        self._say(keeper, reply, result, closes=one is last)
                    case Private(person, reply):
                        if nick := self._nick_of(person):
                            self._clerk.speech.tell_of(keeper, person, nick, reply, dealt=True)
            except Exception:
                # What happened is written down. Who cannot be told must not keep the others from hearing it.
                log.exception(
                    "something could not be said",
                    network=self.network,
                    channel=keeper.channel,
                    game=keeper.table.game,
                )

    def _say(
        self, keeper: Keeper, reply: PublicReply, result: Result | None, *, closes: bool = False
    ) -> None:
        """Say something in the channel of a table; it may be of a `result`, which it `closes`."""
        sent = result.sent if result and closes else None
        if isinstance(reply, WordsMixed):
            sent = keeper.words_left
        self._post(keeper, reply, sent=sent, refused=result.refused if result else None)

    def _post(
        self,
        keeper: Keeper,
        reply: PublicReply,
        *,
        sent: Callable[[], None] | None = None,
        refused: Callable[[], None] | None = None,
    ) -> None:
        # Where the host is not, the server would refuse it, and later it would be stale.
        if self.is_in(keeper):
            sentence = public(reply, self.prefix(keeper), more=not keeper.closing)
            about = precedence.lane(reply), precedence.showing(reply)
            self._voice.to_channel(keeper.channel, sentence, *about, sent=sent, refused=refused)

    def _nick_of(self, person: str) -> str | None:
        """Where a person can be told something: while they are here, or in answer to what they just said."""
        served = self._serving.person
        if served and served.id == person:
            return served.nick
        return self._people.nick_of(person)

    # --- leaving channels ---

    def _drop(self, keeper: Keeper) -> None:
        """Leave the channel of a table, once all that waits for it is said."""
        self._leaving.add(keeper.channel)
        self._tables.drop(keeper)
        self._post(keeper, Goodbye(), sent=lambda: self._leave(keeper.channel))
        self._leave_others()

    def _leave_others(self) -> None:
        """Give up channels that the host is to leave and is not in."""
        for channel in [channel for channel in self._leaving if not self._attendance.is_in(channel)]:
            self._leave(channel)

    def _leave(self, channel: str) -> None:
        self._leaving.discard(channel)
        self._wire.set_channels(self._channels())
        if not self._channels():
            self._controls.vacated(self.network)

    def _channels(self) -> list[str]:
        return [*(keeper.channel for keeper in self.keepers), *self._leaving]
