"""What the records of finished games have to be in every store."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Final

import pytest

from game.category import CATEGORIES
from game.fair import DiceMode
from game.level import Level
from game.match import Pace, places
from host.errors import NoSuchGame, NoSuchSeason, SeasonOn
from host.events import (
    Began,
    Event,
    Finished,
    Opened,
    TableSettings,
)
from host.journal import Journal
from host.outcome import Outcome, Score, account_key, house_key
from host.standings import By
from host.tallies import Span, period
from tests.host.hosting_tools import boss, score_all
from tests.host.hosting_tools import game as hosted
from tests.host.journal_tools import file, opened, raw
from tests.host.store_contract import StoreContract
from tests.support import recount
from tests.support.recount import check, tables

NET: Final = "local"
NOON: Final = datetime(2026, 1, 1, 12, tzinfo=UTC)  # a Thursday
DAY: Final = timedelta(days=1)


def score(person: str, total: int, place: int = 1, *, level: Level | None = None) -> Score:
    """A seat that has all of its points in one box."""
    boxes = (total, *(0,) * (len(CATEGORIES) - 1))
    return Score(person, person.partition(":")[2], level, total, place, boxes, False, 0, 0, 0, False, True)


def finish(  # a game may differ in each of these
    journal: Journal,
    name: str,
    *totals: tuple[str, int],
    wall: datetime = NOON,
    rules: str = "hasbro",
    channel: str = "#y",
    dice: DiceMode = DiceMode.OWN,
) -> None:
    """A game of people with such keys and totals that finishes at a time of day."""
    ranks = places([total for _, total in totals])
    scores = [score(who, total, place) for (who, total), place in zip(totals, ranks, strict=True)]
    scores = [
        replace(one, level=Level(one.nick)) if one.person.startswith("house:") else one for one in scores
    ]
    enter(journal, name, Outcome(rules, dice, Pace.FREE, tuple(scores)), wall, channel)


def enter(journal: Journal, name: str, outcome: Outcome, wall: datetime, channel: str = "#y") -> None:
    events: list[Event] = [Opened(name, TableSettings(rules=outcome.rules)), Began(), Finished()]
    journal.append(file(name, channel), 0, events, wall.timestamp(), wall, outcome=outcome)


def ranked(
    journal: Journal, span: str = "all", rules: str = "", by: By = By.BEST, skip: int = 0
) -> list[tuple[int, str, int]]:
    rows = journal.records.top(NET, span, rules, by, skip=skip)
    return [(row.place, row.nick, getattr(row.tally, by.value)) for row in rows]


class RecordsContract(StoreContract):
    """`url` names a store that is new in each test."""

    @pytest.fixture
    def journal(self, url: str) -> Iterator[Journal]:
        with opened(url) as journal:
            yield journal

    # --- lists and statistics ---

    def test_the_best_are_in_a_stable_order_and_equals_share_a_place(self, journal: Journal) -> None:
        finish(journal, "game1", ("n:carol", 200), ("n:alice", 250), ("n:bob", 250))
        finish(journal, "game2", ("n:dave", 250), ("n:alice", 90))
        finish(journal, "game3", ("n:erin", 260), ("n:zoe", 0))
        all_ = [(1, "erin", 260), (2, "alice", 250), (2, "bob", 250), (2, "dave", 250), (5, "carol", 200)]
        assert ranked(journal) == all_
        assert ranked(journal, skip=1) == all_[1:]
        assert ranked(journal, skip=3) == all_[3:]
        assert ranked(journal, skip=5) == ranked(journal, "all", "houston") == []
        assert ranked(journal, by=By.WINS) == [(1, "erin", 1), (1, "alice", 1), (1, "bob", 1), (1, "dave", 1)]
        assert journal.records.top("other") == ()
        assert [row.best_game for row in journal.records.top(NET, limit=2)] == ["game3", "game1"]

    def test_a_period_has_the_games_that_finished_in_it(self, journal: Journal) -> None:
        finish(journal, "game1", ("n:alice", 100), wall=NOON - DAY)  # last year, the same week
        finish(journal, "game2", ("n:alice", 50), ("n:bob", 60))
        finish(journal, "game3", ("n:bob", 40), wall=NOON + 4 * DAY, rules="houston")  # the next week
        later = NOON + 4 * DAY
        spans = {span: ranked(journal, period(span, NOON)) for span in Span}
        assert spans[Span.DAY] == [(1, "bob", 60), (2, "alice", 50)]
        assert spans[Span.WEEK] == [(1, "alice", 100), (2, "bob", 60)]
        assert spans[Span.MONTH] == [(1, "bob", 60), (2, "alice", 50)]
        assert spans[Span.ALL] == [(1, "alice", 100), (2, "bob", 60)]
        assert ranked(journal, period(Span.WEEK, later), "houston") == [(1, "bob", 40)]
        assert ranked(journal, period(Span.DAY, later), "hasbro") == []

    def test_a_person_has_one_record(self, journal: Journal) -> None:
        alice = account_key("alice")
        finish(journal, "game1", (alice, 100), ("n:bob", 90))
        finish(journal, "game2", (alice, 300), ("n:bob", 90), rules="houston")
        finish(journal, "game3", (alice, 80), ("n:bob", 90), ("n:carol", 85))
        finish(journal, "game4", (alice, 80))
        found = journal.records.person(NET, alice)
        assert found
        tally = found.tally
        assert (tally.games, tally.points, tally.best, found.best_game, found.last_game) == (
            4,
            560,
            300,
            "game2",
            "game4",
        )
        assert (tally.contests, tally.wins, tally.seconds, tally.thirds) == (3, 2, 0, 1)
        assert (tally.streak, tally.longest, found.place) == (0, 2, 1)
        hasbro = journal.records.person(NET, alice, rules="hasbro")
        assert hasbro
        assert (hasbro.tally.games, hasbro.place, len(hasbro.ratings)) == (3, 1, 1)
        assert len(found.ratings) == 2
        empty = journal.records.person(NET, alice, period(Span.DAY, NOON + DAY))
        assert empty
        assert (empty.tally.games, empty.place, empty.best_game) == (0, None, "")
        assert journal.records.person(NET, "n:nobody") is None
        assert journal.records.person("other", alice) is None

    def test_ratings_are_of_a_rule_set_and_dice_mode_and_provisional_at_first(self, journal: Journal) -> None:
        house = house_key(Level.CLUB)
        for number in range(10):
            assert journal.records.ratings(NET, "hasbro") == ()
            finish(journal, f"game{number}", ("n:alice", 200), (house, 150), (house, 300), ("n:bob", 100))
        finish(journal, "solo", ("n:alice", 1))
        finish(journal, "same", ("n:alice", 1), ("n:bob", 2), dice=DiceMode.SAME)
        names = [(one.place, one.person, one.rating.games) for one in journal.records.ratings(NET, "hasbro")]
        assert names == [(1, "n:alice", 10), (2, house, 10), (3, "n:bob", 10)]
        found = journal.records.person(NET, "n:bob", rules="hasbro")
        assert found
        own, same = found.ratings
        assert (own.dice, own.place, same.dice, same.place) == (DiceMode.OWN, 3, DiceMode.SAME, None)
        assert same.rating.provisional

    def test_practice_counts_for_nothing(self, journal: Journal) -> None:
        finish(journal, "drill", ("n:alice", 300), ("n:bob", 1), channel="practice")
        assert ranked(journal) == []
        assert journal.records.games(NET) == ()
        assert journal.records.person(NET, "n:alice") is None
        assert journal.last_results() == []
        found = tables(journal._store)
        assert [len(found[name]) for name in recount.RECORDS] == [1, 2, 0, 0, 0]
        assert journal.records.game(NET, "drill").channel == "practice"

    # --- games ---

    def test_games_are_found_by_their_names_and_paged(self, journal: Journal) -> None:
        for number in range(5):
            finish(journal, f"abcd{number}", ("n:alice", number), channel=f"#{number % 2}")
        finish(journal, "abcd", ("n:bob", 5))
        finish(journal, "xyzzy", ("n:bob", 5))
        records = journal.records
        assert [one.game for one in records.games(NET, limit=3)] == ["xyzzy", "abcd", "abcd4"]
        assert [one.game for one in records.games(NET, before=5, limit=3)] == ["abcd3", "abcd2", "abcd1"]
        last = records.last(NET, "#1")
        assert last
        assert (last.game, last.finished, last.seats[0].total) == ("abcd3", NOON, 3)
        assert records.last(NET, "#9") is None
        assert records.game(NET, "xyzz").game == "xyzzy"
        assert records.game(NET, "abcd").game == "abcd"
        for prefix in ("xyz", "abcx", "", "%", "abcd0x"):
            with pytest.raises(NoSuchGame) as error:
                records.game(NET, prefix)
            assert error.value.games == ()
        finish(journal, "xyzzz", ("n:bob", 5))
        with pytest.raises(NoSuchGame) as error:
            records.game(NET, "xyzz")
        assert error.value.games == ("xyzzy", "xyzzz")
        with pytest.raises(NoSuchGame):
            records.game("other", "xyzzy")

    # --- seasons ---

    def test_a_season_has_its_own_table_which_stays(self, journal: Journal) -> None:
        records = journal.records
        finish(journal, "before", ("n:alice", 300))
        spring = records.open_season(NET, "Spring", NOON - DAY, NOON + 9 * DAY, NOON)
        assert spring.starts == NOON
        with pytest.raises(SeasonOn):
            records.open_season(NET, "spring", NOON, NOON + DAY, NOON + DAY)
        cup = records.open_season(NET, "cup", NOON + 2 * DAY, NOON + 3 * DAY, NOON)
        finish(journal, "first", ("n:alice", 100), ("n:bob", 90), wall=NOON + DAY)
        finish(journal, "second", ("n:bob", 200), wall=NOON + 2 * DAY)
        assert records.close_season(NET, "SPRING", NOON + 3 * DAY).ends == NOON + 3 * DAY
        finish(journal, "third", ("n:bob", 400), wall=NOON + 3 * DAY)
        assert ranked(journal, f"s:{spring.season}") == [(1, "bob", 200), (2, "alice", 100)]
        assert ranked(journal, f"s:{cup.season}") == [(1, "bob", 200)]
        with pytest.raises(NoSuchSeason):
            records.close_season(NET, "spring", NOON + 4 * DAY)
        again = records.open_season(NET, "spring", NOON + 4 * DAY, NOON + 5 * DAY, NOON + 4 * DAY)
        assert records.seasons(NET) == (replace(spring, ends=NOON + 3 * DAY), cup, again)
        assert records.seasons("other") == ()

    # --- what is known later ---

    def test_decisions_and_luck_come_later_and_once(self, journal: Journal) -> None:
        season = journal.records.open_season(NET, "cup", NOON, NOON + DAY, NOON)
        finish(journal, "game1", ("n:alice", 100), ("n:bob", 90))
        finish(journal, "game2", ("n:alice", 100), ("house:club", 90), rules="houston")
        finish(journal, "drill", ("n:alice", 100), channel="practice")
        found = journal.records.unjudged("hasbro")
        assert found
        assert (found[0], found[1].name) == (1, "game1")
        for _ in range(2):
            journal.records.judge("game1", {0: (1234, -500)})
        journal.records.judge("game2", {0: (66, 100)})
        journal.records.judge("nowhere", {0: (66, 100)})
        for span in ("all", f"s:{season.season}"):
            person = journal.records.person(NET, "n:alice", span)
            assert person
            assert (person.tally.judged, person.tally.lost, person.tally.luck) == (2, 1300, -400)
        seats = journal.records.game(NET, "game1").seats
        assert [(seat.lost, seat.luck) for seat in seats] == [(12.34, -5.0), (None, None)]
        found = journal.records.unjudged("hasbro")
        assert found
        assert found[1].name == "drill"
        assert journal.records.unjudged("hasbro", found[0]) is journal.records.unjudged("houston") is None
        journal.records.judge("drill", {0: (1, 1)})
        assert journal.records.unjudged("hasbro") is None

    def test_a_score_that_is_put_right_is_right_in_all_sums(self, url: str) -> None:
        b = hosted("repeat_seconds: 0, house: {seats: 1}", store=url)
        season = b.journal.records.open_season(NET, "cup", NOON - DAY, NOON + DAY, b.clock.wall())
        for _ in range(3):
            score_all(b, "alice", "bob")
            b.pass_(3600 * 9)
            b.say("bob", "!join")
            b.say("alice", "!join")
            b.say("bob", "!start")
        b.say("alice", "!stop")
        score_all(b, "alice", "bob")
        boss(b, "amend bob yahtzee 50 he saw it")
        b.pass_(1)
        b.journal.records.close_season(NET, "cup", b.clock.wall())
        boss(b, "amend alice aces 4 misread")
        assert check(b.journal._store) == 4
        (over,) = [row for row in b.journal.records.top(NET, f"s:{season.season}") if row.nick == "alice"]
        found = b.journal.records.person(NET, "n:alice")
        assert found
        assert found.tally.points == over.tally.points + 4
        b.journal.close()

    # --- older stores ---

    @pytest.mark.parametrize("version", [2, 3])
    def test_games_that_an_older_host_has_finished_are_counted(self, url: str, version: int) -> None:
        if not self.keeps:
            return
        b = hosted("repeat_seconds: 0, house: {seats: 1}", store=url)
        score_all(b, "alice", "bob")
        if version > 2:
            # Else what today's host writes in between would leave a gap.
            boss(b, "amend bob yahtzee 50 he saw it")
        b.pass_(3600)
        b.say("bob", "!join")
        b.say("bob", "!start")
        score_all(b, "bob")
        before = tables(b.journal._store)
        b.journal.close()
        older(url, version)
        with opened(url) as journal:
            assert check(journal._store) == 2
            after = tables(journal._store)
            names: Sequence[str] = (*recount.RECORDS, "mentions")
            assert {name: after[name] for name in names} == {name: before[name] for name in names}

    def test_a_finished_game_that_cannot_be_read_does_not_keep_the_host_from_starting(self, url: str) -> None:
        if not self.keeps:
            return
        b = hosted(store=url)
        score_all(b, "alice", "bob")
        raw(b.journal, "UPDATE events SET body = '{}' WHERE kind = 'Rolled'")
        b.journal.close()
        older(url, 3)
        with opened(url) as journal:
            assert journal.records.games(NET) == ()


def older(url: str, version: int) -> None:
    """Make a store of today one of an older version."""
    with opened(url) as journal:
        for table in (
            "mentions",
            "scores",
            "results",
            "tallies",
            "ratings",
            "seasons",
            "persons",
            "networks",
        ):
            raw(journal, f"DROP TABLE {table}")
        if version < 3:
            raw(journal, "DELETE FROM events WHERE kind IN ('Revealed', 'Announced')")
            raw(journal, "DROP TABLE bans")
        raw(journal, f"UPDATE yardzee SET schema_version = {version}")
