"""Being forgotten: who may ask for it, and the word that confirms it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from host import room
from host.clock import Clock
from host.dealer import new_code
from host.errors import NoRecord, NotYours, StillSeated, WrongCode
from host.outcome import own_key
from host.people import Person
from host.records import Records
from host.room import Room
from host.speech import Speech
from host.wording import records as wording

_SECONDS: Final = 120.0
"""How long a code may be used."""

_SWEEP_ABOVE: Final = 1000
"""Codes above which those that are over are swept out."""


@dataclass(frozen=True, slots=True)
class _Asked:
    """Whose name is to go, called `nick` last, and what confirms it until a time of the host's clock."""

    key: str
    nick: str
    code: str
    until: float


class Forgetting:
    """One for each network."""

    def __init__(self, place: Room, speech: Speech, records: Records, clock: Clock) -> None:
        self._room = place
        self._speech = speech
        self._records = records
        self._clock = clock
        self._asked: dict[str, _Asked] = {}
        """By who asked: an account, or else a whole mask. It is another one when they are somebody else."""

    def me(self, person: Person, code: str | None) -> None:
        """Forget the person who asks, under the account that they are logged in to or under their nick.

        A nick anybody can take. So it has to have been theirs from where they are now, at the first and at
        the last of its games. Raises StillSeated, NoRecord, NotYours, WrongCode or StoreError.
        """
        key = own_key(person.nick, person.account, self._room.fold)
        if code is not None:
            self._confirmed(person, key, code)
            return
        if playing := room.playing(self._room, person.id):
            raise StillSeated(tuple(keeper.channel for keeper in playing))
        if person.account is None:
            played_from = self._records.played_from(self._room.network, key, self._room.fold)
            if not played_from:
                raise NoRecord(person.nick)
            if played_from != {(person.user, person.host)}:
                raise NotYours(person.nick)
        self._say(person, *wording.forget_me(*self._ask(person, key, person.nick)))

    def somebody(self, person: Person, name: str, code: str | None) -> None:
        """Forget somebody for an operator. Raises NoRecord, StillSeated, WrongCode or StoreError."""
        key = self._records.meant(self._room.network, name, self._room.fold)
        if code is not None:
            self._confirmed(person, key, code)
            return
        self._say(person, wording.forget(*self._ask(person, key, key.partition(":")[2]), name))

    def _ask(self, person: Person, key: str, nick: str) -> tuple[str, int, str]:
        """Have it confirmed: whose name it is, how many games it is in, and the code.

        The nick is theirs where the records know none.
        """
        now = self._clock.now()
        if len(self._asked) > _SWEEP_ABOVE:
            self._asked = {who: one for who, one in self._asked.items() if one.until > now}
        found = self._records.person(self._room.network, key)
        asked = _Asked(key, found.nick if found else nick, new_code(), now + _SECONDS)
        self._asked[self._who(person)] = asked
        return key, found.tally.games if found else 0, asked.code

    def _confirmed(self, person: Person, key: str, code: str) -> None:
        """Do it. The loop stands meanwhile, about a second for 500 games."""
        asked = self._asked.get(self._who(person))
        if asked is None or (asked.key, asked.code) != (key, code) or self._clock.now() >= asked.until:
            raise WrongCode
        games = self._records.forget(self._room.network, key, asked.nick, self._room.fold)
        del self._asked[self._who(person)]
        self._speech.forget(asked.nick)
        self._room.reread(games)
        self._say(person, wording.forgotten(key, len(games)))

    def _who(self, person: Person) -> str:
        mask = f"{person.nick}!{person.user}@{person.host}"
        return own_key(mask, person.account, self._room.fold)

    def _say(self, person: Person, *lines: str) -> None:
        self._speech.say(person.nick, *lines)
