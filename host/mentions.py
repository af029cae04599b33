"""Which events name somebody, and how a name goes from those that do.

A name is in few of the events of a game, and a game has hundreds. So names are noted as events are written.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from types import SimpleNamespace
from typing import Any, Final

import sqlalchemy as sql

from chat.casemap import fold as widely
from host.errors import StillSeated, StoreError
from host.events import (
    Amended,
    Event,
    Extended,
    HouseSeated,
    Identified,
    LobbyClosed,
    Occupant,
    Removed,
    Renamed,
    Resumed,
    Seated,
    Stopped,
    Suspended,
    TakenUp,
    Unseated,
    Worded,
    dump,
    load,
)
from host.outcome import ANOTHER, FORGOTTEN, Fold, person_key
from host.store_tables import EVENTS, GAMES, MENTIONS, PERSONS, seal

SOMEBODY: Final = "(somebody)"
"""The name of whoever is forgotten; nobody can have it (RFC 2812 section 2.3.1)."""

_BATCH: Final = 500

_BY: Final = (Unseated, HouseSeated, LobbyClosed, Removed, Amended, Extended, Suspended, Resumed, Stopped)
NAMING: Final[tuple[type[Event], ...]] = (Seated, TakenUp, Renamed, Identified, Worded, *_BY)
"""Kinds of events that may have a name in them."""

_KINDS: Final = tuple(kind.__name__ for kind in NAMING)


def mentions(network: str, game: str, events: Iterable[tuple[int, Event]]) -> list[dict[str, object]]:
    """Rows that say which of these numbered events of a game name whom."""
    return [
        {"network": network, "name": name, "game": game, "version": version}
        for version, event in events
        for name in sorted({_key(name) for name in _names(event)} - {"", SOMEBODY})
    ]


def _key(name: str) -> str:
    # PostgreSQL cannot keep a NUL, which no name has.
    return widely(name).replace("\0", "")


def _names(event: Event) -> Iterator[str]:
    match event:
        case Seated(who) | TakenUp(_, who):
            yield from (who.nick, who.account or "") if not who.house else ()
        case Renamed(_, nick):
            yield nick
        case Identified(_, account):
            yield account
    if isinstance(event, _BY):
        yield event.by


def occupants(events: Iterable[Event]) -> dict[str, Occupant]:
    """Who was at the table by the ids of persons, as they were known last."""
    found: dict[str, Occupant] = {}
    for event in events:
        match event:
            case Seated(who) | TakenUp(_, who):
                found[who.person] = who
            case Renamed(person, nick) if person in found:
                found[person] = replace(found[person], nick=nick)
            case Identified(person, account) if person in found:
                found[person] = replace(found[person], account=account)
    return found


@dataclass(frozen=True, slots=True)
class Naming:
    """The events of a game that may have names in them, and the game, as rows; the events as they read."""

    game: Any
    rows: Sequence[Any]
    events: Sequence[Event]

    def nicks(self, person: str) -> Iterator[str]:
        """All nicks that the person with this id had at the table."""
        for event in self.events:
            match event:
                case Seated(who) | TakenUp(_, who) if who.person == person:
                    yield who.nick
                case Renamed(who_, nick) if who_ == person:
                    yield nick

    def seated(self) -> set[str]:
        """The ids of those who have a seat at the end of it."""
        seats: list[str] = []
        for event in self.events:
            match event:
                case Seated(who):
                    seats.append(who.person)
                case Unseated(person):
                    seats = [one for one in seats if one != person]
                case HouseSeated(players):
                    seats = [one for one in seats if not one.startswith("house:")]
                    seats += [one.person for one in players]
                case TakenUp(seat, who):
                    seats[seat] = who.person
        return set(seats)


@dataclass(frozen=True, slots=True)
class Whom:
    """Somebody on a network: their key, what they are called today, and how names are compared there."""

    network: str
    person: str
    nick: str
    fold: Fold


def new_alias(connection: sql.Connection, network: str) -> str:
    """An alias that nobody has on a network; from now on somebody has it."""
    key = PERSONS.c.network == network, PERSONS.c.person.startswith(FORGOTTEN)
    known = connection.execute(sql.select(PERSONS.c.person).where(*key)).scalars()
    numbers = [int(end) for end in (one.removeprefix(FORGOTTEN) for one in known) if end.isdecimal()]
    alias = f"{FORGOTTEN}{max(numbers, default=0) + 1}"
    row = {"network": network, "person": alias, "nick": SOMEBODY, "folded": SOMEBODY}
    connection.execute(PERSONS.insert().values(row))
    return alias


def forget(connection: sql.Connection, whom: Whom, alias: str) -> list[str]:
    """Put `alias` for a person into all events of a network, and SOMEBODY for their names; the games.

    Raises StillSeated when they sit at a table that is open; nothing has changed then.
    """
    fold = whom.fold
    found = [
        (
            naming,
            [one for one, who in occupants(naming.events).items() if person_key(who, fold) == whom.person],
        )
        for naming in _naming(connection, whom)
    ]
    if seated := [naming.game.channel for naming, ids in found if _sits(naming, ids)]:
        raise StillSeated(tuple(seated))
    changed = []
    for naming, ids in found:
        names = {fold(whom.nick), *(fold(nick) for one in ids for nick in naming.nicks(one))}
        aliases = {one: f"{alias}{ANOTHER}{n}" if n else alias for n, one in enumerate(ids)}
        events = [without(event, aliases, names, fold) for event in naming.events]
        if events != naming.events:
            changed.append(naming.game.game)
            _rewrite(connection, naming, events)
    return changed


def played_from(
    connection: sql.Connection, games: Sequence[str], person: str, fold: Fold
) -> set[tuple[str, str]]:
    """From which user@host a person, by their key, had seats in these games.

    Raises StoreError where an event cannot be read.
    """
    seen = (who for naming in _named_in(connection, games) for who in occupants(naming.events).values())
    return {(who.user, who.host) for who in seen if person_key(who, fold) == person}


def _sits(naming: Naming, ids: Sequence[str]) -> bool:
    return not naming.game.ended and not naming.seated().isdisjoint(ids)


def _naming(connection: sql.Connection, whom: Whom) -> Iterator[Naming]:
    """The games that may mention somebody. Raises StoreError where an event cannot be read."""
    names = {_key(whom.person.partition(":")[2]), _key(whom.nick)}
    which = sql.select(MENTIONS.c.game).where(MENTIONS.c.network == whom.network, MENTIONS.c.name.in_(names))
    return _named_in(connection, sorted(set(connection.execute(which).scalars())))


def _named_in(connection: sql.Connection, games: Sequence[str]) -> Iterator[Naming]:
    for start in range(0, len(games), _BATCH):
        batch = games[start : start + _BATCH]
        of = {row.game: row for row in connection.execute(sql.select(GAMES).where(GAMES.c.game.in_(batch)))}
        chosen = (
            sql.select(EVENTS)
            .where(EVENTS.c.game.in_(batch), EVENTS.c.kind.in_(_KINDS))
            .order_by(EVENTS.c.game, EVENTS.c.version)
        )
        for game, group in groupby(connection.execute(chosen), key=lambda row: row.game):
            rows = list(group)
            for row in rows:
                if row.seal != seal(of[game], row):  # a new seal would hide the damage
                    raise StoreError(
                        f"game {game} cannot be read: event {row.version} is not as it was written"
                    )
            yield Naming(of[game], rows, [load(row.kind, row.body) for row in rows])


def without(event: Event, aliases: Mapping[str, str], names: Collection[str], fold: Fold) -> Event:
    """An event with these aliases for persons, and SOMEBODY for what they and such `names` are called."""
    match event:
        case Seated(who) | TakenUp(_, who) if who.person in aliases:
            return replace(event, occupant=Occupant(aliases[who.person], SOMEBODY))
        case Renamed(person) if person in aliases:
            return Renamed(aliases[person], SOMEBODY)
        case Identified(person) if person in aliases:
            return Identified(aliases[person], SOMEBODY)
        case Worded(person) if person in aliases:
            # The word itself stays: the dice come from it.
            return replace(event, person=aliases[person])
        case Unseated(person) if person in aliases:
            event = replace(event, person=aliases[person])
    if isinstance(event, _BY) and fold(event.by) in names:
        return replace(event, by=SOMEBODY)
    return event


def _rewrite(connection: sql.Connection, naming: Naming, events: Sequence[Event]) -> None:
    """Have other events in place of those of a game, sealed anew, and found by other names."""
    changed = [
        (row, was, now)
        for row, was, now in zip(naming.rows, naming.events, events, strict=True)
        if was != now
    ]
    rows = []
    for row, _, now in changed:
        kind, body = dump(now)
        new = SimpleNamespace(version=row.version, at=row.at, wall=row.wall, kind=kind, body=body)
        sealed = seal(naming.game, new)
        rows.append({"of_game": row.game, "of_version": row.version, "body": body, "seal": sealed})
    update = EVENTS.update().where(
        EVENTS.c.game == sql.bindparam("of_game"), EVENTS.c.version == sql.bindparam("of_version")
    )
    connection.execute(update.values(body=sql.bindparam("body"), seal=sql.bindparam("seal")), rows)
    place = naming.game.network, naming.game.game
    old = mentions(*place, ((row.version, was) for row, was, _ in changed))
    new_ = mentions(*place, ((row.version, now) for row, _, now in changed))
    if old:
        key = (column == sql.bindparam(f"of_{column.name}") for column in MENTIONS.primary_key)
        gone = [{f"of_{name}": value for name, value in row.items()} for row in old]
        connection.execute(MENTIONS.delete().where(*key), gone)
    if new_:
        connection.execute(MENTIONS.insert(), new_)
