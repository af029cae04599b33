"""Aliases of people whose names are not kept, in games that come from elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import sqlalchemy as sql

from chat.casemap import fold
from host import mentions
from host.archive import Archived
from host.outcome import ANOTHER, FORGOTTEN

Alias = Callable[[str], str]
"""From an alias to the one that takes its place."""


def with_aliases(game: Archived, alias: Alias) -> Archived:
    """A game with other aliases for those of its people that have one."""
    events = [entry.event for entry in game.entries]
    gone = [
        one for one, who in mentions.occupants(events).items() if one.startswith(FORGOTTEN) and not who.house
    ]
    parts = {one: one.partition(ANOTHER) for one in gone}
    others = {one: alias(person) + slash + number for one, (person, slash, number) in parts.items()}
    entries = (
        replace(entry, event=mentions.without(entry.event, others, (), fold)) for entry in game.entries
    )
    return Archived(game.file, tuple(entries)) if gone else game


def same(one: Archived, other: Archived) -> bool:
    """Whether games are the same, whatever alias their people have."""
    return with_aliases(one, _Numbered()) == with_aliases(other, _Numbered())


class Fresh:
    """Aliases of one import for those in what is imported, of which each gets a free one."""

    def __init__(self, connection: sql.Connection) -> None:
        self._connection = connection
        self._given: dict[tuple[str, str], str] = {}

    def of(self, game: Archived) -> Archived:
        """A game with aliases that are free on its network."""

        def alias(was: str) -> str:
            key = game.file.network, was
            if key not in self._given:
                self._given[key] = mentions.new_alias(self._connection, game.file.network)
            return self._given[key]

        return with_aliases(game, alias)


class _Numbered:
    """Aliases by the order in which they are asked for."""

    def __init__(self) -> None:
        self._given: dict[str, str] = {}

    def __call__(self, was: str) -> str:
        return self._given.setdefault(was, f"{FORGOTTEN}{len(self._given)}")
