"""Leagues: opened, told when they begin and end, with tables that stay."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import Disconnected
from host.errors import StoreError
from tests.host.almanac_tools import OTHER, ask, bench, boss, game, told
from tests.support import recount
from tests.support.bench import CHANNEL, Bench, to

DAY = 24 * 3600.0
"""The clock of the bench begins with the first of January 2026."""


def public(lines: list[str]) -> list[str]:
    return [line for line in lines if line.startswith("#")]


def both(text: str) -> list[str]:
    """What is told in both channels."""
    return [f"{CHANNEL}: {text}", f"{OTHER}: {text}"]


def test_a_season_counts_the_games_between_its_start_and_its_end() -> None:
    b = bench("alice", "bob")
    early = game(b, "alice", "bob")
    assert boss(b, "season open Spring 2026-01-02 2026-01-03") == [
        "boss: Season Spring is from 2026-01-02 00:00 UTC until 2026-01-03 24:00 UTC."
    ]
    assert told(b, "bob", "season") == (
        "Season Spring, from 2026-01-02 00:00 UTC until 2026-01-03 24:00 UTC: nobody yet."
    )
    assert public(b.pass_(DAY - 1)) == []
    assert b.pass_(1) == both("The season Spring is on until 2026-01-03 24:00 UTC. !season shows its table.")
    first = game(b, "alice", "bob")
    b.pass_(DAY)
    second = game(b, "bob", channel=OTHER)
    best = {"alice": first["alice"], "bob": max(first["bob"], second["bob"])}
    rows = sorted(best.items(), key=lambda row: -row[1])
    games = {"alice": "1 game", "bob": "2 games"}
    table = " | ".join(f"{n}. {who} {total} ({games[who]})" for n, (who, total) in enumerate(rows, start=1))
    assert told(b, "alice", "season") == f"Season Spring, on until 2026-01-03 24:00 UTC: {table}"
    assert told(b, "alice", "top season") == f"Best totals, season Spring, all rules: {table}"
    assert ask(b, "alice", "stats season")[0].startswith("alice, season Spring, all rules: 1 game, ")
    (top, next_) = rows
    assert b.pass_(DAY) == both(
        f"The season Spring is over; the best: {top[0]} with {top[1]} and {next_[0]} with {next_[1]}."
        " !season Spring shows its table."
    )
    late = game(b, "alice", "bob")
    assert len({total for one in (early, first, late) for total in one.values()}) > 2
    for line in ("season", "season SPRING"):
        assert told(b, "bob", line) == f"Season Spring, over since 2026-01-03 24:00 UTC: {table}"
    assert recount.check(b.journal._store) == 4


def test_a_game_that_is_on_at_the_end_counts_for_what_comes_then() -> None:
    b = bench("alice")
    boss(b, "season open One 2026-01-01 2026-01-01")
    boss(b, "season open Two 2026-01-02 2026-01-31")
    b.pass_(DAY - 10)
    b.begin("alice")
    b.pass_(10)
    for box in ("ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"):
        b.tell("alice", f"{CHANNEL} score {box}")
    assert told(b, "alice", "season One").endswith(": nobody yet.")
    first, others = ask(b, "alice", "season")
    assert "1. alice " in first
    assert others == "Other seasons: One."


def test_one_that_starts_at_once_is_told_at_once_and_one_that_is_closed_is_over() -> None:
    b = bench("alice", "bob")
    lines = boss(b, "season open Cup 2025-12-01 2026-01-31")
    assert lines == [
        *both("The season Cup is on until 2026-01-31 24:00 UTC. !season shows its table."),
        "boss: Season Cup is from 2026-01-01 00:00 UTC until 2026-01-31 24:00 UTC.",
    ]
    game(b, "alice")
    b.pass_(100)
    lines = boss(b, "season close cup")
    assert len(public(lines)) == 2
    assert to(lines, "boss") == ["Season Cup is over; season Cup shows its table."]
    assert public(b.pass_(40 * DAY)) == []
    assert told(b, "bob", "season Cup").startswith("Season Cup, over since 2026-01-01 00:01 UTC: 1. alice ")


def test_names_days_and_rights() -> None:
    b = bench("alice")
    boss(b, "season open Cup 2026-01-02 2026-01-31")
    refused = {
        "season open CUP 2026-02-01 2026-02-02": 'There is a season "CUP" already; take another name.',
        "season close Spring": 'There is no season "Spring", or it is over.',
        "season open X 2026-02-30 2026-03-01": "2026-02-30 to 2026-03-01 is not possible: ",
        "season open X 2026-03-02 2026-03-01": "2026-03-02 to 2026-03-01 is not possible: ",
        "season open X 2025-03-02 2025-12-31": "2025-03-02 to 2025-12-31 is not possible: ",
        "season open X 2026-01-01 9999-12-31": "2026-01-01 to 9999-12-31 is not possible: ",
        "season open X soon": "Say season open NAME FIRST-DAY LAST-DAY, as in ",
        "season close": "Say season close NAME.",
    }
    for line, answer in refused.items():
        (text,) = to(boss(b, line), "boss")
        assert text.startswith(answer), line
    assert len(b.journal.records.seasons("local")) == 1
    b.begin("alice")
    for line in ("season open X 2026-02-01 2026-02-02", "season close Cup"):
        assert told(b, "alice", line).startswith("That is not for you to say here.")
    assert told(b, "alice", "season autumn") == 'There is no season "autumn", or it is over.'
    # One that was closed before it began never was, and nobody hears of it.
    assert boss(b, "season close Cup") == ["boss: Season Cup is over; season Cup shows its table."]
    assert [line for line in public(b.pass_(60 * DAY)) if "season" in line] == []


def test_the_season_that_is_shown_is_on_or_comes_next_or_was_last() -> None:
    b = bench("alice")

    def shown() -> str:
        return ask(b, "alice", "season")[0].split(",")[0]

    boss(b, "season open Three 2026-01-20 2026-01-21")
    boss(b, "season open Two 2026-01-10 2026-01-11")
    assert shown() == "Season Two"
    boss(b, "season open One 2026-01-01 2026-01-02")
    assert shown() == "Season One"
    boss(b, "season open Also 2026-01-01 2026-01-01")
    assert shown() == "Season Also"
    # What was closed before it began never comes.
    boss(b, "season close Two")
    boss(b, "season close Three")
    b.pass_(3 * DAY)
    assert shown() == "Season One"
    assert ask(b, "alice", "season")[1] == "Other seasons: Also, Two and Three."


def test_what_begins_is_told_after_a_restart_and_what_began_meanwhile_is_not(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    b = bench("alice", store=store)
    boss(b, "season open One 2026-01-02 2026-01-31")
    boss(b, "season open Two 2026-01-05 2026-01-31")
    b.desk.close()
    assert b.pass_(DAY) == []
    b.journal.close()
    again = bench("alice", store=store, start=2 * DAY)
    assert again.pass_(DAY) == []
    assert again.pass_(DAY) == both(
        "The season Two is on until 2026-01-31 24:00 UTC. !season shows its table."
    )
    assert told(again, "alice", "season One").startswith("Season One, on until ")
    again.journal.close()


def test_a_clock_that_is_set_tells_nothing_twice_and_forgets_nothing() -> None:
    b = bench("alice")
    boss(b, "season open One 2026-01-02 2026-01-02")
    b.clock.jump(DAY)
    assert len(public(b.pass_(3600))) == 2
    b.clock.jump(-3 * 3600.0)
    assert public(b.pass_(6 * 3600)) == []
    b.clock.jump(DAY)
    assert public(b.pass_(3600)) == both("The season One is over; nobody played.")


def test_the_calendar_waits_for_a_store_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    b = bench("alice")
    boss(b, "season open One 2026-01-02 2026-01-31")

    def fail(*_: object) -> None:
        raise StoreError("no disk")

    with monkeypatch.context() as patch:
        patch.setattr(b.journal.records, "seasons", fail)
        assert b.pass_(DAY) == []
    assert len(public(b.pass_(60))) == 2


def test_where_the_host_is_not_nothing_is_told() -> None:
    b: Bench = bench("alice")
    boss(b, "season open One 2026-01-02 2026-01-31")
    b.desk.hear(Disconnected("gone", 0.0))
    assert b.pass_(DAY) == []
