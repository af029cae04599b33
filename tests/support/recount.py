"""The records of a store counted anew from its journal, in the plainest way, against those that are kept."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, Final

import sqlalchemy as sql

from chat.casemap import fold
from game.category import CATEGORIES, Category
from game.match import places
from game.scorecard import Scorecard
from host.books import PRACTICE
from host.events import Amended, Finished, load
from host.outcome import Outcome, outcomes
from host.rating import Rating, rate, rated
from host.store import Store
from host.store_tables import TABLES
from host.table import Table

Rows = list[dict[str, Any]]
RECORDS: Final = ("results", "scores", "tallies", "ratings", "persons")


def ascii_fold(name: str) -> str:
    return fold(name, "ascii")


@dataclass(frozen=True)
class Line:
    """A seat of a game, as it stood from a time on."""

    number: int
    finished: datetime
    rules: str
    contest: bool
    out: bool
    entered: datetime
    since: datetime
    total: int
    place: int
    upper: bool
    yahtzees: int


def tables(store: Store) -> dict[str, Rows]:
    """All rows of each table, in the order of their keys."""
    with store.transaction() as connection:
        return {
            name: [
                dict(row._mapping)
                for row in connection.execute(sql.select(table).order_by(*table.primary_key)).all()
            ]
            for name, table in TABLES.tables.items()
        }


def check(store: Store, folded: Callable[[str], str] = ascii_fold) -> int:
    """See that the records are what the journal says; the number of games in them."""
    found = tables(store)
    counted = count(found, folded)
    for name in RECORDS:
        assert key(found[name]) == key(counted[name]), name
    return len(counted["results"])


def key(rows: Rows) -> list[tuple[tuple[str, Any], ...]]:
    return sorted(tuple(sorted(row.items(), key=lambda cell: cell[0])) for row in rows)


def count(found: dict[str, Rows], folded: Callable[[str], str]) -> dict[str, Rows]:
    """What results, scores, tallies, ratings and persons have to be."""
    numbers = {row["game"]: row["number"] for row in found["results"]}
    games = {row["game"]: row for row in found["games"]}
    judged = {(row["number"], row["seat"]): (row["lost"], row["luck"]) for row in found["scores"]}
    looked = {row["number"]: row["looked"] for row in found["results"]}
    stories = {name: list(rows) for name, rows in groupby(found["events"], key=lambda row: row["game"])}
    finished = {
        name: row for name, rows in stories.items() for row in rows if row["kind"] == Finished.__name__
    }
    assert sorted(numbers) == sorted(finished)
    assert sorted(numbers.values()) == list(range(1, len(numbers) + 1))
    order = sorted(numbers, key=lambda name: numbers[name])
    taken_in = {row["game"]: row["taken_in"] for row in found["results"]}
    for which in set(taken_in.values()):
        together = [name for name in order if taken_in[name] == which]
        assert together == sorted(together, key=lambda name: finished[name]["at"])
    counted: dict[str, Rows] = {name: [] for name in RECORDS}
    lines: dict[tuple[str, str, int, int], list[Line]] = {}
    nicks: dict[tuple[str, str], str] = {}
    ratings: dict[tuple[str, str, str, str], Rating] = {}
    for name in order:
        game, number, rows = games[name], numbers[name], stories[name]
        network, listed = game["network"], game["channel"] != PRACTICE
        history = [(row["at"], load(row["kind"], row["body"])) for row in rows]
        first, last = (outcomes(history, folded)[end] for end in (0, -1))
        wall = datetime.fromisoformat(finished[name]["wall"])
        entered = datetime.fromisoformat(taken_in[name] or finished[name]["wall"])
        contest = len({one.person for one in last.scores}) > 1
        stands = list(states(rows))
        counted["results"].append(
            {"number": number, "game": name, "network": network, "channel": game["channel"]}
            | {"listed": listed, "rules": last.rules, "dice": last.dice.value, "pace": last.pace.value}
            | {"contest": contest, "taken_in": taken_in[name]}
            | {"opened": rows[0]["wall"], "finished": finished[name]["wall"]}
            | {"looked": looked[number]}
        )
        seated: set[str] = set()
        for seat, score in enumerate(last.scores):
            counts = listed and score.level is None and score.person not in seated
            seated.add(score.person)
            card = stands[-1][1].play.cards[seat]
            lost, luck = judged[number, seat]
            assert score.stood_in == 0 or lost is luck is None
            counted["scores"].append(
                {"number": number, "seat": seat, "network": network, "person": score.person}
                | {"nick": score.nick, "level": score.level.value if score.level else None}
                | {"total": card.total, "place": placed(stands[-1][1])[seat], "yahtzees": yahtzees(card)}
                | {"boxes": ",".join(str(card.boxes[box]) for box in CATEGORIES)}
                | {"upper_bonus": card.upper_bonus > 0, "yahtzee_bonus": card.yahtzee_bonus}
                | {"stood_in": score.stood_in, "hinted": score.hinted, "played_out": score.played_out}
                | {"lost": lost, "luck": luck, "counts": counts}
            )
            if listed and score.level is None:
                nicks[network, score.person] = score.nick
            if counts:
                lines[network, score.person, number, seat] = [
                    Line(
                        number,
                        wall,
                        last.rules,
                        contest,
                        score.played_out,
                        entered,
                        since,
                        *standing(table, seat),
                    )
                    for since, table in stands
                ]
        if listed:
            rate_all(ratings, network, first)
    counted["tallies"] = list(tally_rows(lines, judged, found["seasons"]))
    counted["ratings"] = [
        {"network": network, "person": person, "rules": rules, "dice": dice, "mu": one.mu}
        | {
            "sigma": one.sigma,
            "games": one.games,
            "shown": one.mu - 3 * one.sigma if one.games >= 10 else None,
        }
        for (network, person, rules, dice), one in ratings.items()
    ]
    counted["persons"] = [
        {"network": network, "person": person, "nick": nick, "folded": fold(nick)}
        for (network, person), nick in nicks.items()
    ]
    return counted


def states(rows: Rows) -> Iterator[tuple[datetime, Table]]:
    """The table when it was over, and after each score that was put right since, with the time of day."""
    table, over = Table(), False
    for row in rows:
        event = load(row["kind"], row["body"])
        table = table.after(event, row["at"])
        over = over or isinstance(event, Finished)
        if over and isinstance(event, (Finished, Amended)):
            yield datetime.fromisoformat(row["wall"]), table


def placed(table: Table) -> list[int]:
    return places([card.total for card in table.play.cards])


def yahtzees(card: Scorecard) -> int:
    return int(card.boxes[Category.YAHTZEE] == 50) + card.yahtzee_bonus // 100


def standing(table: Table, seat: int) -> tuple[int, int, bool, int]:
    card = table.play.cards[seat]
    return card.total, placed(table)[seat], card.upper_bonus > 0, yahtzees(card)


def rate_all(ratings: dict[tuple[str, str, str, str], Rating], network: str, first: Outcome) -> None:
    scores = rated(first.scores)
    keys = [(network, person, first.rules, first.dice.value) for person in scores]
    if keys:
        before = [ratings.get(one, Rating()) for one in keys]
        ratings.update(zip(keys, rate(list(scores.values()), before), strict=True))


def tally_rows(
    lines: dict[tuple[str, str, int, int], list[Line]],
    judged: dict[tuple[int, int], tuple[int | None, int | None]],
    seasons: Rows,
) -> Iterator[dict[str, Any]]:
    cells = defaultdict[tuple[str, str, str, str], list[tuple[Line, tuple[int | None, int | None]]]](list)
    for (network, person, number, seat), versions in lines.items():
        wall, rules = versions[0].finished, versions[0].rules
        year, week, _ = wall.isocalendar()
        spans = {f"d:{wall:%Y-%m-%d}": versions[-1], f"w:{year}-W{week:02}": versions[-1]}
        spans |= {f"m:{wall:%Y-%m}": versions[-1], "all": versions[-1]}
        for row in seasons:
            starts, ends = (datetime.fromisoformat(row[name]) for name in ("starts", "ends"))
            if row["network"] == network and starts <= wall < ends and versions[0].entered < ends:
                spans[f"s:{row['season']}"] = [one for one in versions if one.since < ends][-1]
        for span, line in spans.items():
            for which in ("", rules):
                cells[network, person, span, which].append((line, judged[number, seat]))
    for (network, person, span, which), counted in cells.items():
        games = [line for line, _ in counted if line.out]
        contests = [line.place for line in games if line.contest]
        wins = "".join("w" if line.out and line.place == 1 else " " for line, _ in counted if line.contest)
        best = max((line.total for line in games), default=0)
        known = [
            (lost, luck)
            for line, (lost, luck) in counted
            if line.out and lost is not None and luck is not None
        ]
        yield {
            "network": network,
            "person": person,
            "period": span,
            "rules": which,
            "games": len(games),
            "left": len(counted) - len(games),
            "points": sum(line.total for line in games),
            "best": best,
            "best_number": next((line.number for line in games if line.total == best), 0),
            "yahtzees": sum(line.yahtzees for line in games),
            "bonuses": sum(line.upper for line in games),
            "contests": len(contests),
            "wins": contests.count(1),
            "seconds": contests.count(2),
            "thirds": contests.count(3),
            "streak": len(wins) - len(wins.rstrip("w")),
            "longest": max(map(len, wins.split(" "))),
            "judged": len(known),
            "lost": sum(lost for lost, _ in known),
            "luck": sum(luck for _, luck in known),
            "last_number": counted[-1][0].number,
        }
