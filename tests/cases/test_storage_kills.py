"""Killed at any moment, or left with files that are damaged: one history, one result, or a refusal."""

from __future__ import annotations

import os
import random
import shutil
import signal
import traceback
from collections.abc import Callable, Iterable, Sequence
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import pytest

from host.errors import StoreError
from host.events import ENDINGS, Event, Finished
from host.journal import GameFile, Journal
from host.keeper import Keeper
from host.table import Phase, Table
from host.views import Said
from tests.cases.tools import (
    arrive,
    at,
    channel,
    come,
    copied,
    play_on,
    results,
    started,
    table,
    totals,
    written,
)
from tests.support.bench import Bench, config

KILLS: Final = 200
PLACES: Final = 20


def when_written(bench: Bench, call: Callable[[GameFile, int], object]) -> None:
    """Call with a game and the number of its events, each time that some were written."""
    append = bench.journal.append

    def noted(file: GameFile, version: int, events: Sequence[Event], *when: Any, **more: Any) -> None:
        append(file, version, events, *when, **more)
        call(file, version + len(events))

    bench.journal.append = noted  # type: ignore[method-assign]


# --- killed after any commit of a game ---


@pytest.mark.parametrize(
    ("pace", "played", "every"),
    [("free", True, 1), ("lockstep", True, 3), ("lockstep", False, 3)],
    ids=["free", "lockstep", "lockstep, idle"],
)
def test_killed_after_any_commit_a_game_has_one_result(
    folder: Path, pace: str, played: bool, every: int
) -> None:
    """The same totals as without the kill, once in the store; and who starts tells what may be unheard."""
    settings = config(channel(pace=pace, repeat_seconds=0, round_seconds=30), store=at(folder / "s.sqlite"))
    bench = Bench(settings)
    copies: list[Path] = []
    clients = come(bench, "alice", "bob")
    when_written(
        bench, lambda *_: copies.append(copied(folder / "s.sqlite", folder / f"killed{len(copies)}"))
    )
    for client in clients:
        client.say("!join")
    clients[0].say("!start")
    (result,) = results(play_on(bench, clients) if played else bench.pass_(30 * 39))
    expected = totals(bench)
    bench.journal.close()
    assert len(copies) > 25
    for path in [*copies[2:-2:every], *copies[-2:]]:  # both have their seats
        again = started(path, replace(settings, store=at(path)), down=60)
        with closing(again.journal):
            heard = table(again).announced
            lines = arrive(again, clients)
            if table(again).phase is Phase.LOBBY:
                clients[0].say("!start")
            lines += play_on(again, clients) if played else again.pass_(60 + 30 * 39)
            assert results(lines) == ([] if heard else [result])
            assert totals(again) == expected
            assert sum(isinstance(event, Finished) for event in written(again)) == 1
            assert again.journal.unfinished() == []
            assert len(again.journal.last_results()) == 1


# --- killed at any moment at all ---


def play_until_killed(path: Path, settings: object, pipe: int) -> None:
    """What the child does: games without end, and a line for each commit once it is done."""
    try:
        bench = started(path, settings)  # type: ignore[arg-type]
        when_written(bench, lambda file, number: os.write(pipe, f"{file.game} {number}\n".encode()))
        clients = come(bench, "alice", "bob")
        while True:
            play_on(bench, clients)
            bench.pass_(10)
            for client in clients:
                client.say("!join")
            clients[0].say("!start")
    except BaseException:
        os.write(pipe, f"! {traceback.format_exc()}".encode())
    finally:
        os._exit(1)


@pytest.mark.slow
def test_killed_at_random_moments_nothing_that_was_done_is_lost(folder: Path) -> None:
    """A process that plays is killed in the middle of whatever it does, and the next one goes on."""
    rng = random.Random(36)
    path = folder / "s.sqlite"
    settings = config(channel(repeat_seconds=0), store=at(path))
    Journal.open(at(path)).close()
    known: dict[str, int] = {}
    for _ in range(KILLS):
        out, pipe = os.pipe()
        child = os.fork()
        if child == 0:
            play_until_killed(path, settings, pipe)
        os.close(pipe)
        with open(out, "rb", buffering=0) as heard:  # noqa: PTH123 - a pipe
            said = b""
            for _ in range(rng.randint(1, 6)):
                said += heard.read(1) or b""
                while said and not said.endswith(b"\n") and (more := heard.read(1)):
                    said += more
            os.kill(child, signal.SIGKILL)
            os.waitpid(child, 0)
            said += heard.read()
        assert not said.startswith(b"!"), said.decode()
        for line in said.decode().splitlines():
            name, number = line.split()
            known[name] = int(number)
    with closing(Journal.open(at(path))) as journal:
        for name, done in known.items():
            history = journal.history(name)
            assert history is not None
            # One commit at most was done, and its line was not.
            assert len(history.events) >= done
            ends = [event for _, event in history.events if isinstance(event, ENDINGS)]
            assert len(ends) == (0 if name in {one.file.game for one in journal.unfinished()} else 1)
        assert len(journal.unfinished()) <= 1
        assert len(known) >= 3


# --- files that are damaged in the middle of a game ---


class Evening:
    """A game, with copies of its store and the table after each commit; once the -wal was brought into it."""

    def __init__(self, folder: Path) -> None:
        self.copies: list[Path] = []
        self.tables: list[Table] = []
        settings = config(channel(repeat_seconds=0), store=at(folder / "s.sqlite"))
        bench = Bench(settings)
        clients = come(bench, "alice", "bob")
        when_written(bench, lambda *_: self.keep(folder))
        spoke = bench.keeper()._speak

        def noted(keeper: Keeper, said: Iterable[Said]) -> None:
            self.tables.append(keeper.table)
            if len(self.tables) == 20:
                assert bench.journal._store.settle()
            spoke(keeper, said)

        bench.keeper()._speak = noted
        for client in clients:
            client.say("!join")
        clients[0].say("!start")
        play_on(bench, clients)
        bench.journal.close()
        self.copies, self.tables = self.copies[:-1], self.tables[:-1]  # while the game was on
        assert len(self.copies) == len(self.tables) > 25

    def keep(self, folder: Path) -> None:
        self.copies.append(copied(folder / "s.sqlite", folder / f"c{len(self.copies)}"))


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return Evening(tmp_path_factory.mktemp("evening"))


def wal(path: Path) -> Path:
    return path.with_name(path.name + "-wal")


def shm(path: Path) -> Path:
    return path.with_name(path.name + "-shm")


def cut(path: Path, rng: random.Random) -> None:
    size = path.stat().st_size
    os.truncate(path, rng.choice([rng.randrange(size), rng.randrange(size) // 4096 * 4096]))


def cut_the_file(path: Path, other: Path, rng: random.Random) -> None:
    cut(path, rng)


def cut_the_wal(path: Path, other: Path, rng: random.Random) -> None:
    cut(wal(path), rng)


def cut_both(path: Path, other: Path, rng: random.Random) -> None:
    cut(path, rng)
    cut(wal(path), rng)


def wal_of_another_moment(path: Path, other: Path, rng: random.Random) -> None:
    shutil.copy(wal(other), wal(path))


def shm_of_another_moment(path: Path, other: Path, rng: random.Random) -> None:
    shutil.copy(shm(other), shm(path))


def shm_of_nonsense(path: Path, other: Path, rng: random.Random) -> None:
    shm(path).write_bytes(rng.randbytes(32_768))


def half_a_page_swapped(path: Path, other: Path, rng: random.Random) -> None:
    content, strange = bytearray(path.read_bytes()), other.read_bytes()
    place = rng.randrange(min(len(content), len(strange)) // 2048) * 2048
    content[place : place + 2048] = strange[place : place + 2048]
    path.write_bytes(content)


HARMS: Final = [
    *(cut_the_file, cut_the_wal, cut_both, wal_of_another_moment),
    *(shm_of_another_moment, shm_of_nonsense, half_a_page_swapped),
]


@pytest.mark.parametrize("harm", HARMS, ids=lambda harm: harm.__name__)
def test_a_game_whose_files_were_damaged_is_what_it_was_once_or_is_refused(
    evening: Evening, folder: Path, harm: Callable[[Path, Path, random.Random], None]
) -> None:
    """A host that starts finds the table as it was after some commit, and never a new, empty evening."""
    rng = random.Random(harm.__name__)
    refused = found = 0
    for number in range(PLACES):
        one, other = rng.choice(evening.copies), rng.choice(evening.copies)
        path = copied(one, folder / f"{number}")
        harm(path, other, rng)
        try:
            again = started(path, config(channel(repeat_seconds=0), store=at(path)))
        except StoreError:
            refused += 1
            continue
        found += 1
        with closing(again.journal):
            seen = table(again)
            assert seen.phase is not Phase.CLOSED
            assert (seen.seats, seen.match) in [(one.seats, one.match) for one in evening.tables]
    assert refused + found == PLACES
    if harm in (shm_of_another_moment, shm_of_nonsense):
        assert found == PLACES  # it says nothing that the others do not
    if harm is cut_both:
        assert refused
