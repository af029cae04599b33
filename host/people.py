"""Who is who on one network: persons behind nicks that change, leave and come back.

Somebody is *here* while they share a channel with the host: only then does the server tell of every QUIT and
NICK, and only then does their nick surely mean them. Who goes and has a seat is remembered.

Who is logged in to services *is* their account, under any nick and from anywhere, also from two places at
once. Everybody else is the same person when the same nick!user@host comes back; anyone else under that nick
is somebody else.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from chat.events import User


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, under the mask they were seen with last."""

    id: str
    nick: str
    user: str
    host: str
    account: str | None = None


Fold = Callable[[str], str]
"""Folds the case of a nick or channel by the server's CASEMAPPING, which may change on reconnecting."""


def new_person_id() -> str:
    """An id that no other person has."""
    return secrets.token_hex(8)


class People:
    """The persons that one network's host sees, or has a reason to remember.

    `seated` tells whether the person with an id has a seat at a table that is open, and `practises` whether
    they play alone.
    """

    def __init__(
        self,
        fold: Fold,
        seated: Callable[[str], bool],
        new_id: Callable[[], str] = new_person_id,
        practises: Callable[[str], bool] = lambda _: False,
    ) -> None:
        self._fold = fold
        self._seated = seated
        self._new_id = new_id
        self._practises = practises
        self._where: dict[str, set[str]] = {}
        """Folded channels that each folded nick shares with the host; never an empty set."""

        self._here: dict[str, Person] = {}
        """Those of them who were recognised, by folded nick."""

        self._nicks: dict[str, list[str]] = {}
        """Nicks of those who are here, by id; the one seen last comes last."""

        self._away: dict[str, Person] = {}
        """Persons with a seat or a practice game who are not here, by id."""

    def remember(self, person: Person) -> None:
        """Know somebody with a seat or a practice game who is not here."""
        self._away[person.id] = person

    def see(self, user: User) -> Person:
        """The person who is this user, now."""
        key = self._fold(user.nick)
        known = self._here.get(key)
        person = known
        # Under our eyes all the time, it is the same connection, whatever became of its user or host. But who
        # logs in may turn out to be somebody with a seat.
        if not known or (known.account != user.account and not self._seated(known.id)):
            person = self._owner(user) or self._returning(user) or known
        if key in self._where:
            return self._place(_shown(person.id if person else self._new_id(), user))
        # Nobody can follow this one; the mask is all that there is, and nothing is kept.
        return _shown(person.id if person else f"{key}!{user.user}@{user.host}", user)

    def nick_of(self, person: str) -> str | None:
        """The nick of the person with this id now, or None while they are not here."""
        nicks = self._nicks.get(person)
        return nicks[-1] if nicks else None

    @property
    def all(self) -> Sequence[Person]:
        """Those who are here and were recognised."""
        return tuple(self._here.values())

    def find(self, nick: str) -> Person | None:
        """Who has this nick now, if they are here and recognised."""
        return self._here.get(self._fold(nick))

    def is_in(self, nick: str, channel: str) -> bool:
        """Whether someone of this nick is in the channel, as far as the host sees."""
        return self._fold(channel) in self._where.get(self._fold(nick), ())

    def channels_of(self, nick: str) -> frozenset[str]:
        """The folded channels that someone of this nick shares with the host."""
        return frozenset(self._where.get(self._fold(nick), ()))

    # --- coming and going ---

    def arrived(self, channel: str, nicks: Iterable[str]) -> None:
        """Note who is in a channel that the host came into."""
        self.host_left(channel)
        for nick in nicks:
            self._where.setdefault(self._fold(nick), set()).add(self._fold(channel))

    def joined(self, user: User, channel: str) -> Person:
        """Note that somebody came into a channel."""
        self._where.setdefault(self._fold(user.nick), set()).add(self._fold(channel))
        return self.see(user)

    def left(self, nick: str, channel: str) -> Person | None:
        """Note that somebody went out of a channel; the person, if they had been recognised."""
        return self._drop(self._fold(nick), {self._fold(channel)})

    def quit(self, nick: str) -> Person | None:
        """Note that somebody left the network; the person, if they had been recognised."""
        return self._drop(self._fold(nick), self.channels_of(nick))

    def rename(self, user: User, nick: str) -> Person:
        """Follow a person to another nick."""
        person = self.see(user)
        old, new = self._fold(user.nick), self._fold(nick)
        channels = self._where.pop(old, set())
        self._unplace(old)
        if channels:
            self._where[new] = channels
        taken_up = self._returning(User(nick, user.user, user.host, user.account))
        if taken_up and not self._seated(person.id):
            # They came back under another nick first.
            person = taken_up
        return self._place(replace(person, nick=nick)) if channels else replace(person, nick=nick)

    def host_left(self, channel: str) -> None:
        """Note that the host is not in a channel any more: those who were only there are out of sight."""
        key = self._fold(channel)
        for nick in [nick for nick, channels in self._where.items() if key in channels]:
            self._drop(nick, {key})

    def all_gone(self) -> None:
        """Note that the host itself left the network."""
        for nick in list(self._where):
            self._drop(nick, frozenset(self._where[nick]))

    def _place(self, person: Person) -> Person:
        key = self._fold(person.nick)
        self._away.pop(person.id, None)
        self._unplace(key)
        self._here[key] = person
        self._nicks.setdefault(person.id, []).append(person.nick)
        return person

    def _unplace(self, key: str) -> Person | None:
        person = self._here.pop(key, None)
        if person:
            others = [nick for nick in self._nicks[person.id] if self._fold(nick) != key]
            if others:
                self._nicks[person.id] = others
            else:
                del self._nicks[person.id]
        return person

    def _plays(self, person: str) -> bool:
        return self._seated(person) or self._practises(person)

    def _drop(self, nick: str, channels: Iterable[str]) -> Person | None:
        """Take a folded nick out of channels; the person, if they had been recognised."""
        left = self._where.get(nick, set()) - set(channels)
        if left:
            self._where[nick] = left
            return self._here.get(nick)
        self._where.pop(nick, None)
        person = self._unplace(nick)
        if person and person.id not in self._nicks and self._plays(person.id):
            self.remember(person)
        return person

    def _owner(self, user: User) -> Person | None:
        """The person whose account this user is logged in to: with a seat, or else with a practice game."""
        if user.account is None:
            return None
        account = self._fold(user.account)
        known = (*self._away.values(), *self._here.values())
        mine = [p for p in known if p.account is not None and self._fold(p.account) == account]
        practising = (person for person in mine if self._practises(person.id))
        return next((person for person in mine if self._seated(person.id)), next(practising, None))

    def _returning(self, user: User) -> Person | None:
        """The person who went as this nick!user@host and had no account; an account is more than a mask."""
        key = self._fold(user.nick)
        # Whose game has ended is nobody special any more.
        self._away = {who: person for who, person in self._away.items() if self._plays(who)}
        for person in self._away.values():
            same = (self._fold(person.nick), person.user, person.host) == (key, user.user, user.host)
            if same and person.account is None:
                return person
        return None


def _shown(person: str, user: User) -> Person:
    return Person(person, user.nick, user.user, user.host, user.account)
