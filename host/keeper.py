"""One channel's table kept: decide, record, then speak.

A wish becomes events with all that follows from them, the journal takes them in one transaction, the table
moves on, and only then does anyone hear of it. When the journal refuses, nothing has happened.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Concatenate, ParamSpec

from chat.casemap import fold as fold_case
from chat.logger import logger
from game.fair import commitment
from game.match import Chose, Held
from game.rules import RULE_SETS, RuleSet
from host import decide, follows, house
from host.advice import Turns, no_turns
from host.clock import Clock, Timer
from host.dealer import Dealer, dealer_for, new_game_id, new_seed, new_token
from host.deals import Deals
from host.errors import StoreError
from host.events import Began, Event, Finished, Occupant, Opened, Revealed, TableSettings
from host.journal import GameFile, History, Journal
from host.outcome import Fold, outcome_due
from host.passages import passages
from host.record import Record
from host.recorded import log_lines
from host.table import Decision, Phase, Table
from host.telling import told as told_of
from host.views import Said
from host.watch import UNWATCHED, Watch

log = logger(__name__)

_RETRY_SECONDS = 5.0
"""After the journal did not take what a clock, or the network, meant."""

_DEAF_SECONDS = 15.0
"""Silence of the network in which no deadline acts, until it is clear whether people can be heard."""

_LISTEN_SECONDS = 0.25
"""How soon that is looked at again."""

Facts = ParamSpec("Facts")
Wish = Callable[[Table, float], decide.Events]
"""What somebody wants of a table at a time of the host's clock, as the events that it becomes."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where a new game gets its name and its secret."""

    game_id: Callable[[], str] = new_game_id
    seed: Callable[[], bytes] = new_seed
    token: Callable[[], str] = new_token


class Keeper:
    """The only one who changes a channel's table.

    `speak` is called with what is to be said, after it was recorded, and `finished` when a game was played to
    its end and that was said.
    """

    def __init__(  # noqa: PLR0913 - one of each thing that a table stands on
        self,
        network: str,
        channel: str,
        settings: TableSettings,
        *,
        journal: Journal,
        clock: Clock,
        speak: Callable[[Keeper, Iterable[Said]], None],
        sources: Sources | None = None,
        silent_for: Callable[[], float] = lambda: 0.0,
        watch: Watch = UNWATCHED,
        turns: Turns = no_turns,
        finished: Callable[[Keeper], None] = lambda _: None,
        fold: Fold = fold_case,
    ) -> None:
        self.turns = turns
        """What a turn is worth, as far as that is known."""

        self._stand_in = house.stand_in(turns)
        self.network = network
        self.channel = channel
        self.settings = settings
        """How the next game is played."""

        self.closing = False
        """Whether there is no next game: the host leaves the channel after this one."""

        self.table = Table(settings)
        """The state that is in the journal. `act` alone changes it."""

        self.record = Record()
        """What was played in the game of `table`."""

        self.words_told = ""
        """The game whose words, and who sits where, left for the channel since this host was started."""

        self._log = log.bind(network=network, channel=channel)
        self._journal = journal
        self._clock = clock
        self._speak = speak
        self._sources = sources or Sources()
        self._silent_for = silent_for
        self._watch = watch
        self._finished = finished
        self._fold = fold
        self._last_at = 0.0
        """When the last event of the game was recorded."""

        self._file: GameFile | None = None
        self._dealer: Dealer | None = None
        self._version = 0
        self._deals = Deals(clock, self._delivered)
        self._doubtful: tuple[GameFile, Wish | None] | None = None
        """A game whose last events may be in the journal although it said otherwise, and their wish."""

        self._owed: list[tuple[float, Wish]] = []
        """What happened, and the journal has still to take, each with its time."""

        self._retrying = False
        """Whether the timer is set for what the journal did not take."""

        self._timer: Timer | None = None

    def restore(self, history: History) -> None:
        """Take up what the journal holds: a game that was on, or a result that stands until the next one.

        Raises StoreError when the events make no sense; the table is as it was then.
        """
        table = Table(self.settings)
        try:
            for at, event in history.events:
                table = table.after(event, at)
        except Exception as error:
            raise StoreError(f"game {history.file.game} cannot be read: {error!r}") from error
        table = replace(table, announced=True) if history.told else table
        self.table, self._file, self._version = table, history.file, len(history.events)
        self.record = Record(event for _, event in history.events)
        self._last_at = history.events[-1][0] if history.events else 0.0
        self._dealer = dealer_for(table, history.file)
        self._wind()

    def reread(self) -> None:
        """Take up the game anew that is at hand: names in it are others now. Raises StoreError."""
        if found := self._journal.history(self.table.game):
            self.restore(found)

    @property
    def last_at(self) -> float:
        """When the last event of the game was recorded."""
        return self._last_at

    @property
    def rules(self) -> RuleSet:
        """What is played here now, or will be next."""
        return self.table.rules if self.table.open else RULE_SETS[self.settings.rules]

    def new_token(self) -> str:
        """A token for a seat that is to be taken."""
        return self._sources.token()

    def opening(self) -> tuple[Opened, tuple[Occupant, ...]]:
        """A new game for this table, should one open now."""
        settings = self.settings
        players = house.occupants(settings.house, settings.house_level)
        return Opened(self._sources.game_id(), settings), players

    def act(self, wish: Wish) -> bool:
        """Do what somebody wishes, if the table allows it; whether anything happened.

        What the clock has to do is done first, so that a line after the deadline finds the table as the
        deadline left it.

        Raises HostError, GameError or ProtocolError as `wish` does, and StoreError; nothing has changed.
        """
        self._catch_up()
        return self._do(wish, self._clock.now())

    def note(
        self,
        wish: Callable[Concatenate[Table, Facts], decide.Events],
        *facts: Facts.args,
        **more: Facts.kwargs,
    ) -> None:
        """Record what happened, which nobody asked for: what `wish` makes of the table and these facts.

        What the journal does not take now it takes later, before anything else that happens here.
        """
        self._owe(self._clock.now(), lambda table, now: wish(table, *facts, **more))

    def note_at(self, at: float, wish: Callable[[Table], decide.Events]) -> None:
        """Record what happened at a time that is past, as `note` does."""
        self._owe(at, lambda table, now: wish(table))

    def _owe(self, at: float, wish: Wish) -> None:
        behind = bool(self._owed)
        self._owed.append((at, wish))
        if behind and self._retrying:
            return
        try:
            self._catch_up()
        except StoreError as error:
            self._log.error("not written down yet", game=self.table.game, error=str(error))
            self._try_again()

    def dealing(self, person: str) -> Callable[[], None] | None:
        """Note that dice are posted to a person who is waited for: until they leave no deadline acts.

        What comes back is to be called then, or when they are dropped; None for whom nobody waits.
        """
        awaited = any(self.table.seats[seat].occupant.person == person for seat in self.table.waiting)
        return self._deals.post(self.table.decision) if awaited else None

    def _delivered(self, decision: Decision, seconds: float) -> None:
        self.note(decide.delivered, decision, seconds)

    def words_left(self) -> None:
        """Note that the channel has heard of the words in the dice."""
        self.words_told = self.table.game

    def stop(self) -> None:
        """Stop the clock. The game stays as it is in the journal."""
        if self._timer:
            self._timer.cancel()
            self._timer = None
        self._retrying = False

    def _do(self, wish: Wish, now: float) -> bool:
        try:
            self._go_on(now)
        except StoreError:
            raise
        except Exception:
            # A table that cannot go on must still be one that can be stopped.
            self._log.exception("the table cannot go on", game=self.table.game)
        events = wish(self.table, now)
        if events:
            self._record(events, now, wish)
        return bool(events)

    def _catch_up(self) -> None:
        """Record what is owed to the journal. Raises StoreError while it does not take it."""
        self._make_sure()
        while self._owed:
            at, wish = self._owed.pop(0)
            try:
                # No event is earlier than the one before it.
                self._do(wish, max(at, self._last_at))
            except StoreError:
                self._owed.insert(0, (at, wish))
                raise
        self._deals.written()

    def _go_on(self, now: float) -> None:
        if events := self._next(self.table, self._dealer, now):
            self._record(events, now)

    def _record(self, events: decide.Events, now: float, wish: Wish | None = None) -> None:
        if isinstance(events[0], Opened) and (told := decide.announced(self.table, self.table.game)):
            # Who opens the next game knows that the last one is over.
            self._record(told, now)
        before, table = self.table, self.table
        file, version, dealer = self._file, self._version, self._dealer
        if isinstance(opened := events[0], Opened):
            file = GameFile(opened.game, self.network, self.channel, self._sources.seed())
            version = 0
            events = (replace(opened, commit=commitment(file.seed)), *events[1:])
        if file is None:
            raise AssertionError("events without a game")
        recorded: list[Event] = []
        while events:
            for event in events:
                table = table.after(event, now)
                if isinstance(event, Began):
                    dealer = dealer_for(table, file)
            recorded += events
            events = self._next(table, dealer, now)
        try:
            outcome = outcome_due(table, recorded, self._fold)
            self._journal.append(file, version, recorded, now, self._clock.wall(), outcome=outcome)
        except StoreError:
            self._doubtful = file, wish
            raise
        self.table, self._file, self._dealer = table, file, dealer
        self._version, self._last_at = version + len(recorded), now
        self.record.note(recorded)
        self._wind()
        self._tell(before, recorded, now)

    def _tell(self, before: Table, events: Sequence[Event], at: float) -> None:
        steps = passages(before, events, at)
        for line in log_lines(steps):
            self._log.log(line.level, line.name, **line.fields)
        self._watch.recorded(events)
        self._speak(self, told_of(steps, at, self.record, self.turns))
        if any(isinstance(event, Finished) for event in events):
            self._finished(self)

    def _make_sure(self) -> None:
        """After an error: what is in the journal did happen, also when its answer to the commit was lost.

        Raises StoreError while it still does not answer.
        """
        if self._doubtful is None:
            return
        doubtful, wish = self._doubtful
        found = self._journal.history(doubtful.game)
        same = self._file is not None and self._file.game == doubtful.game
        self._doubtful = None
        late = found.events[self._version if same else 0 :] if found else ()
        if found is None or not late:
            return
        if wish is not None and self._owed and self._owed[0][1] is wish:
            del self._owed[0]
        before, (at, _) = self.table, late[-1]
        events = [event for _, event in late]
        self.restore(found)
        self._tell(before, events, at)

    def _next(self, table: Table, dealer: Dealer | None, now: float) -> decide.Events:
        """What follows by itself: by the rules, by the dice, or by what house players do."""
        if (posted_at := self._deals.since(table.decision)) is not None:
            now = min(now, posted_at)
        if events := follows.consequences(table, now, self._stand_in):
            return events
        if dealer and table.owes_seed:
            return (Revealed(dealer.seed.hex()),)
        if table.phase is not Phase.PLAYING or dealer is None:
            return ()
        if follows.ends(table):
            return (Finished(dealer.lots(len(table.seats))),)
        if rolls := follows.rolls_due(table, now):
            return tuple(table.play.rolled(seat, kept, dealer) for seat, kept in rolls.items())
        waiting = (seat for seat in table.waiting if table.seats[seat].house)
        return tuple(self._house_move(table, dealer, seat) for seat in waiting)

    def _house_move(self, table: Table, dealer: Dealer, seat: int) -> Held | Chose:
        chance = dealer.chance(seat, table.play.round, table.play.turns[seat].roll)
        return house.move(table.play, seat, self.turns, table.seats[seat].occupant.level, chance)

    def _wind(self) -> None:
        self.stop()
        if self.table.due_at is not None:
            at = self.table.due_at
            if self._deals.since(self.table.decision) is not None:
                at = max(at, self._clock.now() + _LISTEN_SECONDS)
            self._timer = self._clock.call_at(at, self._ring)

    def _ring(self) -> None:
        """Do what the clock says is due. A timer that comes too early is set again."""
        self._timer, self._retrying = None, False
        if self.table.open and self._silent_for() >= _DEAF_SECONDS:
            # Nobody can be heard, so nobody is late. The network answers soon, or is given up.
            self._timer = self._clock.call_at(self._clock.now() + _LISTEN_SECONDS, self._ring)
            return
        try:
            self._catch_up()
            self._go_on(self._clock.now())
        except Exception as error:
            # Whatever it is, a table whose clock stands still would stand for ever.
            trace = None if isinstance(error, StoreError) else error
            self._log.error("tried again in 5 s", game=self.table.game, error=str(error), exc_info=trace)
            self._try_again()
        else:
            self._wind()

    def _try_again(self) -> None:
        self.stop()
        self._retrying = True
        self._timer = self._clock.call_at(self._clock.now() + _RETRY_SECONDS, self._ring)
