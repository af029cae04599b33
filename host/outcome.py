"""What is kept of a finished game: one score a seat, made from the table alone."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from game.category import CATEGORIES, Category
from game.fair import DiceMode
from game.level import Level
from game.match import Pace, places
from game.rules import YAHTZEE_POINTS
from game.scorecard import Scorecard
from host.events import Amended, Event, Finished, Occupant
from host.table import Phase, Seat, Table

FORGOTTEN: Final = "x:"
"""What the key of somebody begins with whose name is not kept any more. No nick has a colon."""

ANOTHER: Final = "/"
"""Stands behind it, with a number, when they had further seats in a game."""

_ACCOUNT: Final = "a:"
_NICK: Final = "n:"
_HOUSE: Final = "house:"

Fold = Callable[[str], str]
"""Folds the case of names as the network does."""


@dataclass(frozen=True, slots=True)
class Score:
    """What a seat has to show."""

    person: str
    """The key of `person_key`."""

    nick: str
    level: Level | None
    """Of a house player; None for people."""

    total: int
    place: int
    boxes: tuple[int, ...]
    """Points in the order of a card; an amended box as amended."""

    upper_bonus: bool
    yahtzees: int
    yahtzee_bonus: int
    stood_in: int
    """Rounds that the host played because its player was away."""

    hinted: bool
    played_out: bool
    """There at the end, and most of it played themselves: such a seat may win prizes."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """A game that was played to its end. Scores are in the order of the seats."""

    rules: str
    dice: DiceMode
    pace: Pace
    scores: tuple[Score, ...]


def account_key(folded: str) -> str:
    """The key of whoever is logged in to this account, folded."""
    return _ACCOUNT + folded


def nick_key(folded: str) -> str:
    """The key of whoever has this nick, folded, and is not logged in."""
    return _NICK + folded


def key_named(name: str, fold: Fold) -> str | None:
    """The key that `account:NAME` or `nick:NAME` asks for; None when it is neither."""
    kind, _, rest = name.partition(":")
    kinds = {"account": account_key, "nick": nick_key}
    return kinds[kind.lower()](fold(rest)) if rest and kind.lower() in kinds else None


def key_shown(key: str) -> str:
    """A key of a person in words: `nick alice`."""
    kinds = {_ACCOUNT: "account", _NICK: "nick"}
    return f"{kinds[key[:2]]} {key[2:]}"


def house_key(level: Level) -> str:
    """The key that all house players of a level share."""
    return _HOUSE + level.value


def own_key(nick: str, account: str | None, fold: Fold) -> str:
    """The key of whoever has this nick, and is logged in to this account or to none."""
    return account_key(fold(account)) if account else nick_key(fold(nick))


def person_key(who: Occupant, fold: Fold) -> str:
    """Who it is in the records: one person under any spelling, and from anywhere with an account."""
    if who.house:
        return house_key(who.level)
    if who.person.startswith(FORGOTTEN):
        return who.person.partition(ANOTHER)[0]
    return own_key(who.nick, who.account, fold)


def first_seats(scores: Iterable[Score]) -> dict[str, int]:
    """The seat that counts of each key: of several, as after a login or of house players, the first."""
    first: dict[str, int] = {}
    for seat, score in enumerate(scores):
        first.setdefault(score.person, seat)
    return first


def outcome(table: Table, fold: Fold) -> Outcome:
    """What a table that is over came to."""
    cards = table.play.cards
    ranks = places(table.play.totals)
    rows = zip(table.seats, cards, ranks, strict=True)
    scores = tuple(_score(seat, card, place, fold) for seat, card, place in rows)
    return Outcome(table.settings.rules, table.settings.dice, table.settings.pace, scores)


def outcome_due(table: Table, events: Iterable[Event], fold: Fold) -> Outcome | None:
    """What has to be kept after these events, which made the table what it is; None if nothing."""
    new = any(isinstance(event, (Finished, Amended)) for event in events)
    return outcome(table, fold) if new and table.phase is Phase.OVER else None


def outcomes(history: Sequence[tuple[float, Event]], fold: Fold) -> list[Outcome]:
    """What a game came to at its end, and after each time that a score was put right since."""
    table, found = Table(), []
    for at, event in history:
        table = table.after(event, at)
        if due := outcome_due(table, (event,), fold):
            found.append(due)
    return found


def _score(seat: Seat, card: Scorecard, place: int, fold: Fold) -> Score:
    further = card.yahtzee_bonus // card.rules.yahtzee_bonus if card.rules.yahtzee_bonus else 0
    return Score(
        person=person_key(seat.occupant, fold),
        nick=seat.nick,
        level=seat.occupant.level if seat.house else None,
        total=card.total,
        place=place,
        boxes=tuple(card.boxes[category] for category in CATEGORIES),
        upper_bonus=card.upper_bonus > 0,
        yahtzees=(card.boxes[Category.YAHTZEE] == YAHTZEE_POINTS) + further,
        yahtzee_bonus=card.yahtzee_bonus,
        stood_in=seat.stood_in,
        hinted=seat.hinted,
        played_out=seat.played_out,
    )
