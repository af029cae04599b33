"""Looks at the games of one network when they are over, and tells their players what perfect play says."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final
from weakref import WeakKeyDictionary

from chat.logger import logger
from game.scorecard import Scorecard
from host import hindsight, room, same_dice
from host.aside import Aside
from host.errors import NotInGame, NotKnown, StoreError
from host.keeper import Keeper
from host.letter import Lane
from host.people import Person
from host.records import Records
from host.replies import Balance, Costliest
from host.room import Room
from host.speech import Speech
from host.table import Table
from solver.analysis import Analysis

log = logger(__name__)

_SHORT: Final = 1
LONG: Final = 3
"""How many of the costliest decisions are told unasked, and to cards and to those who ask."""

Found = Mapping[int, Analysis]
"""By seat, of people."""


class Reviews:
    """One for each network. Where perfect play is not known, nothing is said."""

    def __init__(self, place: Room, speech: Speech, aside: Aside, records: Records) -> None:
        self._room = place
        self._speech = speech
        self._aside = aside
        self._records = records
        self._found: WeakKeyDictionary[Keeper, tuple[str, Found]] = WeakKeyDictionary()
        """For each table that there still is the game that was looked at last."""

        self._looking: set[str] = set()
        """Games that are being looked at."""

    def over(self, keeper: Keeper) -> None:
        """Look at the game that has just finished, and tell its players."""
        self._look(keeper, lambda table, found: self._tell(keeper, table, found))
        if same_dice.asked_for(keeper.table):
            self._compare(keeper, keeper.table)

    def _compare(self, keeper: Keeper, table: Table) -> None:
        """Tell the channel what skill made of dice that were the same for all."""

        def tell(perfect: int | None) -> None:
            if keeper.table.game == table.game and keeper in self._room.keepers:
                self._room.say(keeper, same_dice.compared(table, perfect))

        empty = keeper.turns(Scorecard(table.rules))
        if empty is None or not self._aside(lambda: same_dice.perfect_total(empty.values, table), tell):
            tell(None)

    def of(self, person: Person, keeper: Keeper) -> tuple[Balance, Costliest]:
        """What a player is told who asks about the last game of a table.

        Raises NotInGame or NotKnown; in a moment it may be known then.
        """
        seat = keeper.table.seat_of(person.id)
        if seat is None:
            raise NotInGame
        game, found = self._found.get(keeper, ("", {}))
        if game != keeper.table.game:
            # The host was started since, or too much waited.
            self._look(keeper, lambda _table, _found: None)
        if game != keeper.table.game or seat not in found:
            raise NotKnown
        return hindsight.told(keeper.table, seat, found[seat], LONG)

    def _look(self, keeper: Keeper, then: Callable[[Table, Found], None]) -> None:
        table = keeper.table
        empty = keeper.turns(Scorecard(table.rules))
        if empty is None or table.game in self._looking:
            return
        people = [seat for seat, who in enumerate(table.seats) if not who.house]
        turns = {seat: keeper.record.turns(seat) for seat in people}

        def work() -> Found:
            found = ((seat, hindsight.analysis(empty.values, table.rules, turns[seat])) for seat in people)
            return {seat: one for seat, one in found if one}

        def done(found: Found) -> None:
            self._looking.discard(table.game)
            self._found[keeper] = table.game, found
            self._keep(table.game, found)
            then(table, found)

        self._looking.add(table.game)
        if not self._aside(work, done):
            self._looking.discard(table.game)

    def _keep(self, game: str, found: Found) -> None:
        try:
            self._records.judge(game, hindsight.judged(found))
        except StoreError as error:
            # It is done again some time after the next start.
            log.warning("a game that was looked at is not written down", game=game, error=str(error))

    def _tell(self, keeper: Keeper, table: Table, found: Found) -> None:
        for seat, one in found.items():
            who = table.seats[seat]
            person = self._room.find(who.nick)
            # The nick may be another's by now.
            if who.left or person is None or person.id != who.occupant.person:
                continue
            told = hindsight.told(table, seat, one, LONG)
            about = room.label(self._room, person.id, keeper)
            self._speech.analysis(who.nick, table.game, told, _SHORT, lane=Lane.CHATTER, about=about)
        best = hindsight.best(table, found)
        if best and keeper.table.game == table.game and keeper in self._room.keepers:
            self._room.say(keeper, best)
