"""A store that is locked for a while: what happened is written down later, once, and then told."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, nullcontext
from pathlib import Path
from typing import Final

import pytest

from chat.events import AccountChanged, Connected, Disconnected
from host.books import casemapping
from host.events import Began, Finished, Seated
from host.journal import Journal
from host.table import Phase
from tests.cases.tools import (
    PACES,
    Client,
    arrive,
    at,
    boxes,
    channel,
    game,
    lobby,
    play_on,
    results,
    table,
    totals,
    written,
)
from tests.support.bench import CHANNEL, HOST, Bench, config, to

both_paces = pytest.mark.parametrize("pace", PACES)
every_lock = pytest.mark.parametrize("kind", ["IMMEDIATE", "EXCLUSIVE"])
NOT_WRITTEN: Final = "could not write that down"
PATIENCE: Final = 0.005


@contextmanager
def locked(path: Path, kind: str = "IMMEDIATE") -> Iterator[None]:
    """Another program writes to the store, and takes its time."""
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute(f"BEGIN {kind}")
        try:
            yield
        finally:
            other.execute("ROLLBACK")


@pytest.fixture
def path(folder: Path) -> Path:
    return folder / "s.sqlite"


@contextmanager
def opened(path: Path, **keys: object) -> Iterator[Bench]:
    settings = config(channel(**keys), store=at(path))
    with closing(Journal.open(at(path), PATIENCE)) as journal:
        yield Bench(settings, journal)


def check_end(bench: Bench, lines: list[str]) -> None:
    """There is one result, in the store, on the table and in the channel."""
    assert table(bench).phase is Phase.OVER
    assert sum(isinstance(event, Finished) for event in written(bench)) == 1
    (result,) = results(lines)
    assert list(result.values()) == sorted(totals(bench), reverse=True)
    assert bench.journal.unfinished() == []


def reach_the_last_round(bench: Bench) -> None:
    while table(bench).play.round < 13:
        bench.pass_(1)


# --- while a game ends ---


@both_paces
@every_lock
def test_the_last_score_is_refused_and_then_taken_once(path: Path, pace: str, kind: str) -> None:
    """Whoever sends it hears that it was not taken, and nobody hears of a result that is not kept."""
    with opened(path, pace=pace, repeat_seconds=0, round_seconds=30) as bench:
        alice, bob = game(bench, "alice", "bob")
        reach_the_last_round(bench)
        for client in (alice, bob):
            client.say("hm")
        alice.tell(f"score {next(iter(table(bench).play.cards[0].open)).value}")
        (last,) = table(bench).play.cards[1].open
        before = table(bench)
        with locked(path, kind):
            for _ in range(3):
                (answer,) = bob.tell(f"score {last.value}")
                assert NOT_WRITTEN in answer
        assert table(bench).play == before.play
        lines = bob.tell(f"score {last.value}")
        check_end(bench, lines)
        assert results(bench.pass_(3600)) == []


@both_paces
@every_lock
def test_the_last_deadline_is_tried_again_until_it_is_written(path: Path, pace: str, kind: str) -> None:
    """By the clock alone; the result comes a few seconds after the store is free again."""
    with opened(path, pace=pace, round_seconds=30) as bench:
        game(bench, "alice", "bob")
        reach_the_last_round(bench)
        with locked(path, kind):
            assert bench.pass_(60) == []
            assert table(bench).phase is Phase.PLAYING
        lines = bench.pass_(6)
        check_end(bench, lines)
        assert results(bench.pass_(3600)) == []


def test_a_score_and_a_deadline_that_both_were_not_written_are_one_result(path: Path) -> None:
    """The score did not happen, as its player was told, and the clock plays for them."""
    with opened(path, repeat_seconds=0) as bench:
        (alice,) = game(bench, "alice")
        bench.pass_(120 * 13 - 1)
        (last,) = table(bench).play.cards[0].open
        with locked(path):
            assert NOT_WRITTEN in alice.tell(f"score {last.value}")[0]
            bench.pass_(20)
            assert NOT_WRITTEN in alice.tell(f"score {last.value}")[0]
        lines = [*alice.tell("hm"), *bench.pass_(6)]
        check_end(bench, lines)
        assert boxes(bench) == 13


# --- while anything else happens ---


@pytest.mark.parametrize("line", ["!join", "!start", "!keep a", "!score chance", "!leave"])
def test_what_is_asked_for_is_refused_and_done_when_it_is_asked_for_again(path: Path, line: str) -> None:
    """Once, as if the first time had not been."""
    with opened(path) as bench:
        bench.connect("alice")
        alice = Client(bench, "alice")
        for before in {"!join": [], "!start": ["!join"]}.get(line, ["!join", "!start"]):
            alice.say(before)
        events = len(written(bench))
        with locked(path):
            for _ in range(2):
                assert NOT_WRITTEN in alice.say(line)[-1]
            assert len(written(bench)) == events
        assert NOT_WRITTEN not in " ".join(alice.say(line))
        assert len(written(bench)) > events
        assert sum(isinstance(event, Seated) for event in written(bench)) == 1
        assert sum(isinstance(event, Began) for event in written(bench)) == (line != "!join")


def test_a_lobby_starts_when_it_can_be_written(path: Path) -> None:
    """The clock tries again, and the game begins once."""
    with opened(path) as bench:
        lobby(bench, "alice", "bob")
        with locked(path):
            assert bench.pass_(90) == []
        lines = bench.pass_(6)
        assert [text.split(":")[0] for text in to(lines, CHANNEL)] == ["The game begins"]


# --- while something happens that nobody asked for ---


def quits_the_lobby(clients: list[Client]) -> None:
    clients[0].go("quit")


def changes_nick(clients: list[Client]) -> None:
    clients[0].rename("al")


def logs_in(clients: list[Client]) -> None:
    clients[0].bench.desk.hear(AccountChanged(clients[0].mask, "Alice"))


@pytest.mark.parametrize("what", [quits_the_lobby, changes_nick, logs_in], ids=lambda what: what.__name__)
def test_what_the_network_told_is_written_down_later(
    path: Path, what: Callable[[list[Client]], None]
) -> None:
    """Nobody will tell it again, so it is kept until the store takes it."""
    with opened(path) as bench, closing(Journal.open("sqlite://")) as memory:
        free = Bench(journal=memory)
        for one in (bench, free):
            clients = lobby(one, "alice", "bob")
            if one is free:
                what(clients)
            else:
                with locked(path):
                    what(clients)
                    one.pass_(3)
        bench.pass_(6)
        assert table(bench).seats == table(free).seats
        opener = table(bench).opener
        assert opener is not None
        assert f"and {opener.nick} says start" not in " ".join(clients[1].tell("who"))


@both_paces
@pytest.mark.parametrize("begun", [True, False], ids=["game", "lobby"])
def test_a_clock_that_had_to_stop_is_stopped_when_it_can_be_written(
    path: Path, pace: str, begun: bool
) -> None:
    """The host was away, and nobody's time passed, although the store did not take it at first."""
    with opened(path, pace=pace) as bench:
        clients = (game if begun else lobby)(bench, "alice", "bob")
        bench.pass_(50)
        before = table(bench)
        with locked(path):
            bench.desk.hear(Disconnected("gone"))
            bench.pass_(3)
        bench.pass_(600)
        assert table(bench).phase is before.phase
        assert table(bench).seats == before.seats
        assert table(bench).match == before.match
        lines = arrive(bench, clients)
        assert f"{70 if begun else 30} s" in to(lines, CHANNEL)[-1]


@both_paces
@pytest.mark.parametrize("begun", [True, False], ids=["game", "lobby"])
def test_a_clock_that_had_to_go_on_goes_on_when_it_can_be_written(path: Path, pace: str, begun: bool) -> None:
    """A table must not stand still for ever because the store was busy when the host came back."""
    with opened(path, pace=pace) as bench:
        clients = (game if begun else lobby)(bench, "alice", "bob")
        bench.desk.hear(Disconnected("gone"))
        with locked(path):
            arrive(bench, clients)
            bench.pass_(3)
        bench.pass_(6)
        assert table(bench).suspended is None
        clients[0].tell("score chance" if begun else "who")
        bench.pass_(60 + 13 * 360)
        assert table(bench).phase is Phase.OVER


def test_away_and_back_while_nothing_can_be_written(path: Path) -> None:
    """In the end the clock runs, and the game is played."""
    with opened(path, repeat_seconds=0) as bench:
        clients = game(bench, "alice", "bob")
        with locked(path):
            for _ in range(2):
                bench.desk.hear(Disconnected("gone"))
                bench.pass_(10)
                arrive(bench, clients)
        bench.pass_(6)
        assert table(bench).suspended is None
        check_end(bench, play_on(bench, clients))


@every_lock
def test_how_names_are_compared_is_noted_when_the_store_takes_it(path: Path, kind: str) -> None:
    with opened(path) as bench:
        noted = []
        for lock in (locked(path, kind), nullcontext(), locked(path, "IMMEDIATE")):
            with lock:
                bench.heard(Connected(HOST))
            with bench.journal._store.transaction() as connection:
                noted.append(casemapping(connection, "local"))
        assert noted == ["rfc1459", "ascii", "ascii"]
