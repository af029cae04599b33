"""Who is who on one network: persons behind nicks that change, leave and come back.

A person is followed through changes of nick. Who quits and has a seat is remembered, and is the same person
when the same nick!user@host comes back; anyone else under that nick is somebody else.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable
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


class People:
    """The persons that one network's host has seen and has a reason to know."""

    def __init__(self, fold: Fold, new_id: Callable[[], str] = lambda: secrets.token_hex(8)) -> None:
        self._fold = fold
        self._new_id = new_id
        self._here: dict[str, Person] = {}
        self._nicks: dict[str, str] = {}
        """Nicks of those who are here, by id."""

        self._away: dict[str, Person] = {}
        """Persons with a seat who are not on the network, by id."""

    def remember(self, person: Person) -> None:
        """Know a seated person from the journal, who has not been seen since."""
        self._away[person.id] = person

    def see(self, user: User) -> Person:
        """The person who is this user, now."""
        known = self._here.get(self._fold(user.nick))
        if known and self._same(known, user):
            return known
        person = self._returning(user) or Person(self._new_id(), user.nick, user.user, user.host)
        return self._place(replace(person, nick=user.nick))

    def nick_of(self, person: str) -> str | None:
        """The nick of the person with this id now, or None while they are not on the network."""
        return self._nicks.get(person)

    def rename(self, user: User, nick: str) -> Person:
        """Follow a person to another nick.

        Someone who came back while the server still showed their old self takes their nick, and with it
        their seat, when that is gone.
        """
        person = self.see(user)
        self._drop(user.nick)
        returning = self._returning(User(nick, user.user, user.host))
        return self._place(replace(returning or person, nick=nick))

    def gone(self, user: User, seated: Callable[[Person], bool]) -> None:
        """Note that a person left the network; with a seat they are remembered."""
        person = self._drop(user.nick)
        if person:
            self._away[person.id] = person
        self._away = {who.id: who for who in self._away.values() if seated(who)}

    def all_gone(self, seated: Callable[[Person], bool]) -> None:
        """Note that the host itself left the network: nobody can be followed any more."""
        self._away |= {person.id: person for person in self._here.values() if seated(person)}
        self._here.clear()
        self._nicks.clear()

    def _place(self, person: Person) -> Person:
        ghost = self._drop(person.nick)
        if ghost and ghost.id != person.id:
            # Someone else holds the nick: its old owner went while nobody could see it, and may come back.
            self._away[ghost.id] = ghost
        self._away.pop(person.id, None)
        self._here[self._fold(person.nick)] = person
        self._nicks[person.id] = person.nick
        return person

    def _drop(self, nick: str) -> Person | None:
        person = self._here.pop(self._fold(nick), None)
        if person:
            self._nicks.pop(person.id, None)
        return person

    def _same(self, person: Person, user: User) -> bool:
        return (person.user, person.host) == (user.user, user.host)

    def _returning(self, user: User) -> Person | None:
        key = self._fold(user.nick)
        for person in self._away.values():
            if self._fold(person.nick) == key and self._same(person, user):
                return person
        return None
