"""What counts for whom in the sums of finished games, and when, in every store."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, Final

from game.fair import DiceMode
from game.match import Pace, places
from host import books
from host.events import Began, Event, Finished, Opened, TableSettings
from host.journal import Journal
from host.outcome import Outcome, Score
from host.standings import By
from host.tallies import Tally
from tests.host.hosting_tools import boss, game, score_all
from tests.host.journal_tools import file
from tests.host.records_contract import DAY, NET, NOON, enter, finish, ranked, score
from tests.host.store_contract import StoreContract
from tests.support.recount import check, tables

OTHER: Final = "elsewhere"


def outcome(*scores: Score, rules: str = "hasbro") -> Outcome:
    return Outcome(rules, DiceMode.OWN, Pace.FREE, scores)


def take_in(
    journal: Journal, name: str, result: Outcome, finished: datetime, at: datetime, *, channel: str = "#y"
) -> None:
    """A game that finished elsewhere and was imported later."""
    events: list[Event] = [Opened(name, TableSettings()), Began(), Finished()]
    journal.append(file(name, channel), 0, events, 1.0, finished)
    with journal._store.transaction(write=True) as connection:
        books.enter(connection, file(name, channel), result, books.Times(finished, finished, at))


def tally(journal: Journal, person: str, period: str = "all") -> Tally:
    found = journal.records.person(NET, person, period)
    assert found
    return found.tally


class SumsContract(StoreContract):
    """`url` names a store that is new in each test, and `journal` is open on it."""

    # --- whose a game is ---

    def test_who_leaves_has_left_a_game_and_nothing_else(self, url: str) -> None:
        b = game(store=url)
        b.tell("alice", "leave")
        score_all(b, "bob")
        (played,) = b.journal.records.games(NET)
        b.journal.records.judge(played.game, {0: (0, 500), 1: (250, -100)})
        assert check(b.journal._store) == 1
        found = b.journal.records.person(NET, "n:alice")
        assert found
        assert (found.left, found.place, found.best_game) == (1, None, "")
        assert found.tally == Tally(left=1, last_number=1)
        assert [row.nick for row in b.journal.records.top(NET)] == ["bob"]
        assert [row.nick for row in b.journal.records.top(NET, by=By.WINS)] in (["bob"], [])
        judged = b.journal.records.game(NET, played.game).seats
        assert [(seat.lost, seat.luck) for seat in judged] == [(None, None), (2.5, -1.0)]
        b.journal.close()

    def test_what_the_host_decided_is_not_judged_as_the_players(self, journal: Journal) -> None:
        helped = replace(score("n:alice", 200), stood_in=2)
        enter(journal, "game1", outcome(helped, score("n:bob", 100, 2)), NOON)
        journal.records.judge("game1", {0: (1, 2), 1: (3, 4)})
        assert (tally(journal, "n:alice").wins, tally(journal, "n:alice").judged) == (1, 0)
        bob = tally(journal, "n:bob")
        assert (bob.judged, bob.lost, bob.luck) == (1, 3, 4)
        assert [seat.lost for seat in journal.records.game(NET, "game1").seats] == [None, 0.03]
        assert journal.records.unjudged("hasbro") is None

    def test_of_two_seats_of_one_person_the_first_counts(self, journal: Journal) -> None:
        finish(journal, "game1", ("a:al", 100), ("a:al", 200))
        finish(journal, "drill", ("a:al", 1), ("n:bob", 2), channel="practice")
        assert tally(journal, "a:al") == Tally(1, 0, 100, 100, 1, last_number=1)
        finish(journal, "game2", ("a:al", 90), ("n:bob", 95), ("a:al", 99))
        journal.records.judge("game2", {0: (1, 1), 2: (5, 5)})
        found = tally(journal, "a:al")
        assert (found.games, found.points, found.best) == (2, 190, 100)
        assert (found.contests, found.wins, found.thirds, found.judged, found.lost) == (1, 0, 1, 1, 1)

    # --- amended scores ---

    def test_sums_after_amendments_are_as_if_it_had_always_been_so(self, journal: Journal) -> None:
        made = random.Random(7)
        people = ("n:alice", "n:bob", "n:carol")
        walls = [NOON + made.randrange(9) * DAY for _ in range(24)]
        rules = [made.choice(("hasbro", "houston")) for _ in walls]
        seated = [made.sample(people, made.randint(1, 3)) for _ in walls]
        out = [[made.random() < 0.9 for _ in one] for one in seated]
        totals = [[made.randint(90, 95) for _ in one] for one in seated]

        def result(number: int) -> Outcome:
            ranks = places(totals[number])
            rows = zip(seated[number], totals[number], ranks, out[number], strict=True)
            scores = [
                replace(score(who, total, place), played_out=there) for who, total, place, there in rows
            ]
            return outcome(*scores, rules=rules[number])

        def enter_all(prefix: str, network: str) -> None:
            with journal._store.transaction(write=True) as connection:
                for number, wall in enumerate(walls):
                    where = file(f"{prefix}{number}", "#y", network)
                    books.enter(connection, where, result(number), books.Times(wall, wall))

        enter_all("a", NET)
        for _ in range(20):
            number = made.randrange(len(walls))
            totals[number][made.randrange(len(totals[number]))] = made.randint(85, 99)
            with journal._store.transaction(write=True) as connection:
                books.amend(connection, f"a{number}", result(number), NOON)
        enter_all("b", OTHER)
        assert sums(journal, NET, 0) == sums(journal, OTHER, len(walls))

    def test_an_amended_win_is_a_win_in_the_season_that_is_on(self, url: str) -> None:
        b = game(store=url)
        season = b.journal.records.open_season(NET, "cup", NOON - DAY, NOON + 9 * DAY, b.clock.wall() - DAY)
        score_all(b, "alice", "bob")
        for nick, points in (("alice", 0), ("bob", 50), ("alice", 50), ("bob", 0)):
            boss(b, f"amend {nick} yahtzee {points} he saw it")
            assert check(b.journal._store) == 1
        assert tally(b.journal, "n:alice", f"s:{season.season}").games == 1
        b.journal.close()

    # --- games from elsewhere ---

    def test_a_season_that_is_over_takes_in_nothing_more(self, journal: Journal) -> None:
        over = journal.records.open_season(NET, "over", NOON, NOON + 2 * DAY, NOON)
        is_on = journal.records.open_season(NET, "on", NOON, NOON + 9 * DAY, NOON)
        finish(journal, "own", ("n:alice", 100), ("n:bob", 90), wall=NOON + DAY)
        take_in(journal, "theirs", outcome(score("n:alice", 300)), NOON + DAY, NOON + 2 * DAY)
        journal.records.judge("theirs", {0: (100, 100)})
        assert ranked(journal, f"s:{over.season}") == [(1, "alice", 100), (2, "bob", 90)]
        assert tally(journal, "n:alice", f"s:{over.season}").judged == 0
        assert ranked(journal, f"s:{is_on.season}") == [(1, "alice", 300), (2, "bob", 90)]
        assert tally(journal, "n:alice", f"s:{is_on.season}").judged == 1

    def test_the_last_game_of_a_channel_is_the_one_that_finished_last(self, journal: Journal) -> None:
        finish(journal, "new", ("n:alice", 100), channel="#a", wall=NOON)
        for channel in ("#a", "#b"):
            take_in(
                journal,
                f"old{channel[1]}",
                outcome(score("n:bob", 9)),
                NOON - DAY,
                NOON + DAY,
                channel=channel,
            )
        for channel, name in (("#a", "new"), ("#b", "oldb")):
            last = journal.records.last(NET, channel)
            assert last
            assert last.game == name
        # The result of an imported game is no news.
        found = {history.file.game: history.told for history in journal.last_results()}
        assert found == {"new": False, "oldb": True}
        assert [one.game for one in journal.records.games(NET)] == ["oldb", "olda", "new"]


def sums(journal: Journal, network: str, since: int) -> Sequence[dict[str, Any]]:
    """The sums of a network; games are numbered after those of before."""
    rows = [row for row in tables(journal._store)["tallies"] if row["network"] == network]
    numbers = ("best_number", "last_number")
    return [
        row | {"network": ""} | {name: row[name] and row[name] - since for name in numbers} for row in rows
    ]
