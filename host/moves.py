"""What people do at the tables of one network that both typed lines and cards can ask for."""

from __future__ import annotations

from dataclasses import replace

from host import decide
from host.answers import Answers
from host.dealer import token_hash
from host.errors import NoSuchToken, NotInChannel, TableCloses
from host.events import Occupant, TableSettings
from host.keeper import Keeper
from host.people import Person
from host.replies import WelcomeBack
from host.room import Room
from host.speech import Speech


class Moves:
    """Does it, and tells the person what only they may know."""

    def __init__(self, place: Room, speech: Speech, answers: Answers) -> None:
        self._room = place
        self._speech = speech
        self._answers = answers

    def alive(self, person: Person, keeper: Keeper) -> bool:
        """Note a sign of life; whether it brought the person back."""
        seat = keeper.table.seat_of(person.id)
        away = seat is not None and keeper.table.seats[seat].away
        if decide.spoke(keeper.table, person.id):
            keeper.note(decide.spoke, person.id)
        return seat is not None and away and not keeper.table.seats[seat].away

    def noted(self, person: Person, keeper: Keeper) -> bool:
        """Whether a decision of the person is noted, so that the next one only changes it."""
        table, seat = keeper.table, keeper.table.seat_of(person.id)
        if seat is None or not table.decides(seat):
            return False
        turn = table.play.turns[seat]
        return turn.hold is not None or turn.choice is not None

    def join(self, person: Person, keeper: Keeper) -> None:
        """Take a seat.

        Raises NotInChannel, TableCloses, or what `decide.join` does.
        """
        if keeper not in self._room.tables_around(person):
            raise NotInChannel(keeper.channel)
        if keeper.table.seat_of(person.id) is None:
            keeper.act(lambda table, now: decide.play_out(table))
        if keeper.closing and not keeper.table.open:
            raise TableCloses
        token = keeper.new_token()
        occupant = replace(_occupant(person), token_hash=token_hash(token))
        keeper.act(lambda table, now: decide.join(table, occupant, keeper.opening()))
        seat = keeper.table.seat_of(person.id)
        if seat is not None and keeper.table.seats[seat].occupant == occupant:
            self._speech.seated(keeper, person, token if person.account is None else "")

    def practise(self, person: Person, near: Keeper | None) -> tuple[Keeper, bool]:
        """The person's game alone with the host, by the rules of a table `near`; whether it has just begun.

        Raises StoreError.
        """
        tables = [near] if near else self._room.tables_around(person) or self._room.keepers
        how = next((keeper.settings for keeper in tables), TableSettings())
        return self._room.practise(_occupant(person), how)

    def take_up(self, person: Person, token: str) -> None:
        """Take a seat up again by its token.

        Raises NoSuchToken, or what `decide.take_up` does.
        """
        hashed = token_hash(token)
        for keeper in self._room.keepers:
            try:
                keeper.act(lambda table, now: decide.take_up(table, _occupant(person), hashed))
            except NoSuchToken:
                continue
            self._answers.show_dice(person, keeper, WelcomeBack())
            return
        raise NoSuchToken


def _occupant(person: Person) -> Occupant:
    return Occupant(person.id, person.nick, person.user, person.host, account=person.account)
