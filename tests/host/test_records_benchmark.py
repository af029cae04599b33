"""What is asked of the records is answered at once, however many games are in the store.

`YARDZEE_RECORDS=1000000 pytest tests/host/test_records_benchmark.py --log-cli-level=INFO` tries it with a
million games of four people, and tells how long each question takes. The suite makes do with a few.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Final

import pytest
import sqlalchemy as sql

from game.fair import DiceMode
from game.match import Pace
from host.journal import Journal
from host.outcome import Outcome, Score
from host.standings import By
from host.tallies import ALL_RULES
from tests.host.journal_tools import opened
from tests.host.records_contract import NET, NOON, enter, score
from tests.support.postgres import Postgres
from tests.support.recount import ascii_fold

log = logging.getLogger(__name__)

GAMES: Final = int(os.environ.get("YARDZEE_RECORDS", "2000"))
PEOPLE: Final = max(GAMES // 20, 100)
WITHIN: Final = 0.05
TIMES: Final = 10
FINISH: Final = "a game of 12 ends"

# Numbers that look like chance. Of days, weeks and months there are the sums of the last ones alone: all of
# them would take long to make, and are not asked for.
PERIODS: Final = {
    "all": ("'all'", 0),
    "d": (f"'d:' || (r.number * 1000 / {GAMES})", GAMES - GAMES * 10 // 1000),
    "w": (f"'w:' || (r.number * 140 / {GAMES})", GAMES - GAMES * 3 // 140),
    "m": (f"'m:' || (r.number * 33 / {GAMES})", GAMES - GAMES * 2 // 33),
}
NUMBERS: Final = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < {})"
RULES: Final = (
    "CASE i % 4 WHEN 0 THEN 'hasbro' WHEN 1 THEN 'houston' WHEN 2 THEN 'hosted' ELSE 'free_choice' END"
)
FILL: Final = [
    f"INSERT INTO results {NUMBERS.format(GAMES)} SELECT i, 'g' || (10000000 + i) || 'x', '{NET}',"
    f" '#' || (i % 20), 1 = 1, {RULES}, 'own', 'free', 1 = 1, '{NOON.isoformat()}', '{NOON.isoformat()}',"
    " NULL, i % 1000 <> 0 FROM n",
    "INSERT INTO scores SELECT r.number, s.seat, r.network,"
    f" 'n:p' || ((r.number * 1009 + s.seat * 6113 + r.number / 3) % {PEOPLE}), 'somebody', NULL, 1 = 1,"
    " 90 + (r.number * 31 + s.seat * 97 + r.number / 7) % 311, s.seat + 1, '1,2,3,4,5,6,7,8,9,25,30,40,50',"
    " 1 = 1, 1, 0, 0, 1 = 0, 1 = 1, 1234, 56 FROM results r,"
    " (SELECT 0 AS seat UNION ALL SELECT 1 UNION ALL SELECT 2 UNION ALL SELECT 3) s",
    f"INSERT INTO persons {NUMBERS.format(PEOPLE)} SELECT '{NET}', 'n:p' || (i - 1), 'p' || (i - 1),"
    " 'p' || (i - 1) FROM n",
    f"INSERT INTO ratings SELECT '{NET}', p.person, r.rules, 'own', 25, 2, 20, 10 + length(p.person) / 10.0"
    " FROM persons p, (SELECT DISTINCT rules FROM results) r",
    *(
        f"INSERT INTO tallies SELECT s.network, s.person, {period}, {rules}, count(*), 0, sum(s.total),"
        " max(s.total), min(s.number), count(*), count(*), count(*), count(*) / 4, 1, 1, 1, 1, count(*),"
        f" count(*), count(*), max(s.number) FROM results r JOIN scores s ON s.number = r.number"
        f" WHERE r.number > {since} GROUP BY 1, 2, 3, 4"
        for period, since in PERIODS.values()
        for rules in (f"'{ALL_RULES}'", "r.rules")
    ),
]


@pytest.fixture(params=["sqlite", "postgresql"])
def journal(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Journal]:
    if request.param == "sqlite":
        url = f"sqlite:///{tmp_path / 'games.sqlite'}"
        with opened(url) as journal:
            fill(journal, "PRAGMA cache_size = -1000000", *FILL)  # in kB, while it is filled
        with opened(url) as journal:
            yield journal
        for path in tmp_path.iterdir():
            path.unlink()  # pytest keeps what is there, and that may be gigabytes
        return
    with Postgres() as server, opened(server.new_url()) as journal:
        fill(journal, *FILL)
        with journal._store.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
            connection.exec_driver_sql("VACUUM ANALYZE")  # as the server does by itself
        yield journal


def fill(journal: Journal, *statements: str) -> None:
    with journal._store.transaction(write=True) as connection:
        for statement in statements:
            # The driver would take a % for a place of a parameter.
            connection.execute(sql.text(statement.replace(":", r"\:")))


@pytest.mark.timeout(3600)
def test_whatever_is_asked_is_answered_in_50_ms(journal: Journal) -> None:
    records = journal.records
    someone = (f"n:p{n * 37 % PEOPLE}" for n in range(10**6))
    game = (GAMES * n // 997 % GAMES + 1 for n in range(1, 10**6))
    seats = (Outcome("hasbro", DiceMode.OWN, Pace.FREE, twelve(n)) for n in range(10**6))
    number = iter(range(10**6))
    questions: dict[str, Callable[[], object]] = {
        "top all": lambda: records.top(NET),
        "top all hasbro": lambda: records.top(NET, "all", "hasbro"),
        "top all wins": lambda: records.top(NET, by=By.WINS),
        "top month": lambda: records.top(NET, "m:32"),
        "top week": lambda: records.top(NET, "w:139"),
        "top today": lambda: records.top(NET, "d:999"),
        "top all, page 50": lambda: records.top(NET, skip=500),
        "stats": lambda: records.person(NET, next(someone)),
        "stats of the last": lambda: records.person(NET, last),
        "stats hasbro month": lambda: records.person(NET, next(someone), "m:32", "hasbro"),
        "find": lambda: records.find(NET, next(someone)[2:], ascii_fold),
        "ratings": lambda: records.ratings(NET, "hasbro"),
        "last": lambda: records.last(NET, "#7"),
        "games": lambda: records.games(NET),
        "games, further back": lambda: records.games(NET, before=next(game)),
        "game": lambda: records.game(NET, f"g{10**7 + next(game)}x"),
        "game by its beginning": lambda: records.game(NET, f"g{10**7 + next(game)}"),
        "next to be judged": lambda: records.unjudged("hasbro"),
        FINISH: lambda: enter(journal, f"new{next(number)}", next(seats), NOON),
    }
    with journal._store.transaction() as connection:
        worst = "SELECT person FROM tallies WHERE period = 'all' AND rules = '' ORDER BY best, person LIMIT 1"
        last: str = connection.execute(sql.text(worst)).scalar_one()
    took = {name: measured(question) for name, question in questions.items()}
    for name, seconds in took.items():
        log.info("%-24s median %6.1f ms, worst %6.1f ms", name, median(seconds) * 1000, max(seconds) * 1000)
    late = {name for name, seconds in took.items() if median(seconds) > WITHIN}
    assert late <= {FINISH}  # it is no question, and writes


def twelve(game: int) -> tuple[Score, ...]:
    return tuple(score(f"n:p{(game * 12 + seat) * 7 % PEOPLE}", 100 + seat, 12 - seat) for seat in range(12))


def measured(question: Callable[[], object]) -> list[float]:
    """Seconds that it takes, each of some times."""
    seconds = []
    for _ in range(TIMES):
        began = time.perf_counter()
        question()
        seconds.append(time.perf_counter() - began)
    return seconds
