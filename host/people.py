"""Who is who on one network: persons behind nicks that change, leave and come back.

Somebody is *here* while they share a channel with the host: only then does the server tell of every QUIT and
NICK, and only then does their nick surely mean them. Who goes and has a seat is remembered, and is the same
person when the same nick!user@host comes back; anyone else under that nick is somebody else.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace

from chat.events import User


@dataclass(frozen=True, slots=True)
class Person:
    """Somebody, under the mask they were seen with last."""

    id: str
    nick: str
    user: str
    host: str


Fold = Callable[[str], str]
"""Folds the case of a nick or channel by the server's CASEMAPPING, which may change on reconnecting."""


def new_person_id() -> str:
    """An id that no other person has."""
    return secrets.token_hex(8)


class People:
    """The persons that one network's host sees, or has a reason to remember.

    `seated` tells whether the person with an id has a seat at a table that is open.
    """

    def __init__(
        self, fold: Fold, seated: Callable[[str], bool], new_id: Callable[[], str] = new_person_id
    ) -> None:
        self._fold = fold
        self._seated = seated
        self._new_id = new_id
        self._where: dict[str, set[str]] = {}
        """Folded channels that each folded nick shares with the host; never an empty set."""

        self._here: dict[str, Person] = {}
        """Those of them who were recognised, by folded nick."""

        self._nicks: dict[str, str] = {}
        """Nicks of those who are here, by id."""

        self._away: dict[str, list[Person]] = {}
        """Persons with a seat who are not here, by folded nick."""

    def remember(self, person: Person) -> None:
        """Know a seated person from the journal, who has not been seen since."""
        self._away.setdefault(self._fold(person.nick), []).append(person)

    def refold(self) -> None:
        """Note that names may be compared otherwise from now on. Nobody is here yet then."""
        away = [person for persons in self._away.values() for person in persons]
        self._away = {}
        for person in away:
            self.remember(person)

    def see(self, user: User) -> Person:
        """The person who is this user, now."""
        key = self._fold(user.nick)
        known = self._here.get(key)
        if known:
            # Under our eyes all the time, it is the same connection, whatever became of its user or host.
            return self._place(Person(known.id, user.nick, user.user, user.host))
        person = self._returning(user)
        if key in self._where:
            return self._place(person or Person(self._new_id(), user.nick, user.user, user.host))
        # Nobody can follow this one; the mask is all that there is, and nothing is kept.
        return person or Person(f"{key}!{user.user}@{user.host}", user.nick, user.user, user.host)

    def nick_of(self, person: str) -> str | None:
        """The nick of the person with this id now, or None while they are not here."""
        return self._nicks.get(person)

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
        key = self._fold(nick)
        person = self._here.get(key)
        self._drop(key, {self._fold(channel)})
        return person

    def quit(self, nick: str) -> Person | None:
        """Note that somebody left the network; the person, if they had been recognised."""
        key = self._fold(nick)
        person = self._here.get(key)
        self._drop(key, self.channels_of(nick))
        return person

    def rename(self, user: User, nick: str) -> Person:
        """Follow a person to another nick."""
        person = self.see(user)
        old, new = self._fold(user.nick), self._fold(nick)
        if old != new:
            self._here.pop(old, None)
            self._where[new] = self._where.pop(old, set())
        taken_up = self._returning(User(nick, user.user, user.host))
        if taken_up and not self._seated(person.id):
            # They came back under another nick first.
            self._nicks.pop(person.id, None)
            person = taken_up
        return self._place(replace(person, nick=nick))

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
        self._forget_absence(person.id, key)
        self._here[key] = person
        self._nicks[person.id] = person.nick
        return person

    def _drop(self, nick: str, channels: Iterable[str]) -> None:
        left = self._where.get(nick, set()) - set(channels)
        if left:
            self._where[nick] = left
            return
        self._where.pop(nick, None)
        person = self._here.pop(nick, None)
        if person:
            self._nicks.pop(person.id, None)
            if self._seated(person.id):
                self.remember(person)

    def _returning(self, user: User) -> Person | None:
        for person in self._away.get(self._fold(user.nick), ()):
            if (person.user, person.host) == (user.user, user.host) and self._seated(person.id):
                return replace(person, nick=user.nick)
        return None

    def _forget_absence(self, person: str, nick: str) -> None:
        others = [away for away in self._away.get(nick, ()) if away.id != person and self._seated(away.id)]
        self._away.pop(nick, None)
        if others:
            self._away[nick] = others
