"""What may happen to the files of a store: cut short, zeros, parts that are gone, and no room to write.

A damaged store is refused, or it is what it was after some commit. It is never opened as an empty one.
"""

from __future__ import annotations

import random
import resource
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import pytest

from game.dice import Dice
from game.match import Held, Rolled, RoundBegan
from host import store_file
from host.errors import StoreError
from host.events import Began, Event, Finished, Opened, Seated, TableSettings
from host.journal import GameFile, Journal
from host.preference import Preference
from host.store_tables import TABLES
from protocol.commands import Style
from tests.host.journal_tools import ALICE, OPENING, WALL, append, history, opened, raw

PLACES: Final = 50
NAME: Final = "games.sqlite"

State = frozenset[tuple[GameFile, tuple[tuple[float, Event], ...]]]


def state(journal: Journal) -> State:
    return frozenset((one.file, one.events) for one in journal.unfinished())


class Evening:
    """A store in which games were played, its files at some moments, and what it was after each commit."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.states: list[State] = []
        rng = random.Random(5)
        games: dict[GameFile, int] = {}
        path = folder / "store" / NAME
        path.parent.mkdir()
        with opened(f"sqlite:///{path}") as journal:
            for commit in range(170):
                if commit % 12 == 0:
                    file = GameFile(f"g{commit}", "local", f"#y{commit}", rng.randbytes(32))
                    events: list[Event] = [Opened(file.game, TableSettings()), Seated(ALICE), RoundBegan(1)]
                    games[file] = 0
                else:
                    file = rng.choice(list(games))
                    faces = tuple(rng.randint(1, 6) for _ in range(5))
                    events = [Held(0, frozenset({0, 3})), Rolled(0, 2, frozenset({0, 3}), Dice(faces))]
                if commit % 40 == 39:
                    events.append(Finished())
                journal.append(file, games[file], events, float(commit), WALL)
                games[file] += len(events)
                if isinstance(events[-1], Finished):
                    del games[file]
                self.states.append(state(journal))
                if commit == 100:
                    journal._store.settle()
            # As kill -9 leaves it: a part in the file, the latest in the -wal.
            shutil.copytree(path.parent, folder / "live")
            journal._store.settle()
            shutil.copytree(path.parent, folder / "settled")
        shutil.copytree(path.parent, folder / "closed")
        assert sum(len(events) for _, events in self.states[-1]) > 200

    def copy(self, moment: str, to: Path) -> Path:
        """The files of a moment in a folder of their own; the lock is not one of them."""
        shutil.rmtree(to, ignore_errors=True)
        shutil.copytree(self.folder / moment, to, ignore=shutil.ignore_patterns("*.lock"))
        return to / NAME


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Evening:
    return Evening(tmp_path_factory.mktemp("evening"))


def contents(path: Path) -> dict[str, bytes]:
    """The files, but for the -shm, which says nothing that is not in the others."""
    return {one.name: one.read_bytes() for one in path.parent.iterdir() if not one.name.endswith("-shm")}


def found_in(path: Path) -> State | None:
    """What a host finds; None when it refuses, and then all is as it was."""
    before = contents(path)
    try:
        journal = Journal.open(f"sqlite:///{path}")
    except StoreError as error:
        assert "\n" not in str(error)
        assert str(error).startswith(f"sqlite:///{path}: "), error
        assert contents(path) == before
        return None
    try:
        journal.last_time()
        return state(journal)
    except StoreError:
        return None
    finally:
        journal.close()


@pytest.mark.parametrize(("moment", "place"), [("live", 170), ("settled", 170), ("closed", 170)])
def test_the_files_of_each_moment_are_whole(
    evening: Evening, tmp_path: Path, moment: str, place: int
) -> None:
    path = evening.copy(moment, tmp_path / "copy")
    assert found_in(path) == evening.states[place - 1]
    assert (path.parent / f"{NAME}-wal").exists() is False


def cut(path: Path, rng: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: rng.randrange(len(content))])


def cut_to_pages(path: Path, rng: random.Random) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: 4096 * rng.randrange(len(content) // 4096)])


def zeros(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    length = rng.choice([1, 2, 8, 64, 512, 4096, 3 * 4096])
    start = rng.randrange(len(content))
    for position in range(start, min(start + length, len(content))):
        content[position] = 0
    path.write_bytes(content)


def zero_page(path: Path, rng: random.Random) -> None:
    content = bytearray(path.read_bytes())
    start = 4096 * rng.randrange(len(content) // 4096)
    content[start : start + 4096] = bytes(4096)
    path.write_bytes(content)


@pytest.mark.parametrize("harm", [cut, cut_to_pages, zeros, zero_page], ids=lambda harm: harm.__name__)
@pytest.mark.parametrize(
    ("moment", "ending"),
    [("closed", ""), ("settled", ""), ("live", ""), ("settled", "-wal"), ("live", "-wal")],
)
def test_a_damaged_store_is_refused_or_what_it_was_after_some_commit(
    evening: Evening,
    tmp_path: Path,
    moment: str,
    ending: str,
    harm: Callable[[Path, random.Random], None],
) -> None:
    rng = random.Random(f"{moment}{ending}{harm.__name__}")
    refusals = 0
    for _ in range(PLACES):
        path = evening.copy(moment, tmp_path / "copy")
        harm(path.with_name(NAME + ending), rng)
        found = found_in(path)
        if found is None:
            refusals += 1
        else:
            assert found in evening.states
    if not ending and moment == "closed" and harm is not zeros:
        assert refusals > PLACES * 0.9


@pytest.mark.parametrize("moment", ["closed", "settled", "live"])
@pytest.mark.parametrize("size", [0, 1, 16, 100, 511, 512, 4095, 4096])
def test_a_store_of_which_little_is_left_is_refused(
    evening: Evening, tmp_path: Path, moment: str, size: int
) -> None:
    path = evening.copy(moment, tmp_path / "copy")
    path.write_bytes(path.read_bytes()[:size])
    found = found_in(path)
    if moment == "closed" or size < 4096:
        assert found is None
        with pytest.raises(StoreError):
            Journal.look(f"sqlite:///{path}")
    assert found is None or found in evening.states


@pytest.mark.parametrize(
    ("gone", "left", "message"),
    [
        ("", ["-wal", "-shm"], "games.sqlite-wal, games.sqlite-shm of it is still there"),
        ("", ["-wal"], "games.sqlite-wal of it is still there"),
        ("", ["-shm"], "games.sqlite-shm of it is still there"),
        ("-wal", ["", "-shm"], "games.sqlite-wal is missing"),
    ],
)
def test_a_store_of_which_a_part_is_gone_is_refused(
    evening: Evening, tmp_path: Path, gone: str, left: list[str], message: str
) -> None:
    path = evening.copy("live", tmp_path / "copy")
    for ending in {"", "-wal", "-shm"} - set(left):
        path.with_name(NAME + ending).unlink()
    for use in (Journal.open, Journal.look):
        with pytest.raises(StoreError, match=message):
            use(f"sqlite:///{path}")
    assert sorted(one.name for one in path.parent.iterdir()) == sorted(NAME + ending for ending in left)


def test_the_shared_memory_is_not_needed(evening: Evening, tmp_path: Path) -> None:
    path = evening.copy("live", tmp_path / "copy")
    path.with_name(NAME + "-shm").unlink()
    assert found_in(path) == evening.states[-1]


def test_the_wal_of_another_store_is_not_taken_for_its_own(evening: Evening, tmp_path: Path) -> None:
    path = evening.copy("live", tmp_path / "copy")
    path.with_name(NAME + "-wal").write_bytes(b"\x37\x7f\x06\x82" + bytes(9000))
    found = found_in(path)
    assert found is None or found in evening.states


def test_the_first_game_is_in_the_file_itself(tmp_path: Path) -> None:
    """So that a store without its -wal is old, but not empty."""
    path = tmp_path / NAME
    with opened(f"sqlite:///{path}") as journal:
        append(journal, 0, *OPENING)
        append(journal, 2, Began())
        (tmp_path / "copy").mkdir()
        shutil.copy(path, tmp_path / "copy")
    with opened(f"sqlite:///{tmp_path / 'copy' / NAME}") as journal:
        assert history(journal) == list(OPENING)


def test_a_program_that_died_while_it_wrote_is_told(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with opened(f"sqlite:///{path}"):
        pass
    path.with_name(NAME + "-journal").write_bytes(b"half of it")
    with pytest.raises(StoreError, match=r"games\.sqlite-journal"):
        Journal.open(f"sqlite:///{path}")


@pytest.mark.parametrize("use", [Journal.open, Journal.look])
def test_no_folder_is_made(tmp_path: Path, use: Callable[[str], object]) -> None:
    with pytest.raises(StoreError, match=f"there is no folder {tmp_path}/no/such"):
        use(f"sqlite:///{tmp_path}/no/such/{NAME}")
    (tmp_path / "file").write_text("x")
    with pytest.raises(StoreError):
        use(f"sqlite:///{tmp_path}/file/{NAME}")
    with pytest.raises(StoreError, match="no file"):
        use(f"sqlite:///{tmp_path}")
    assert [one.name for one in tmp_path.iterdir()] == ["file"]


def test_a_look_leaves_everything_as_it_is(evening: Evening, tmp_path: Path) -> None:
    for moment in ("closed", "settled", "live"):
        path = evening.copy(moment, tmp_path / "copy")
        before = contents(path)
        seen = Journal.look(f"sqlite:///{path}")
        assert seen
        assert seen.games == len(evening.states[-1])
        assert contents(path) == before


def test_a_large_store_is_not_looked_through_for_ever(evening: Evening, tmp_path: Path) -> None:
    path = evening.copy("closed", tmp_path / "copy")
    with closing(store_file.connect_to_read(path, 0, still=True)) as connection:
        store_file.check_pages(connection, -1)  # not an error: what was read was sound
        assert connection.execute("SELECT count(*) FROM games").fetchone()[0] > 10


# --- no room ---


@contextmanager
def largest_file(size: int) -> Iterator[None]:
    """What the system does when there is no room: a write is not done, or to a part."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))


@contextmanager
def most_pages(journal: Journal) -> Iterator[None]:
    """SQLite's own limit, which it reports as a full disk."""
    ((pages,),) = raw(journal, "PRAGMA page_count")
    raw(journal, f"PRAGMA max_page_count = {pages}")
    try:
        yield
    finally:
        raw(journal, "PRAGMA max_page_count = 1000000")


@pytest.mark.parametrize("room", [0, 1, 100, 2048, 4095, 4097, 9000, 20_000])
def test_no_room_for_a_write(tmp_path: Path, room: int) -> None:
    path = tmp_path / NAME
    with opened(f"sqlite:///{path}") as journal:
        append(journal, 0, *OPENING)
        known = list(OPENING)
        with largest_file(path.with_name(NAME + "-wal").stat().st_size + room):
            for _ in range(2000):
                try:
                    append(journal, len(known), Began())
                except StoreError:
                    break
                known.append(Began())
            else:
                pytest.fail("there was room for all")
            # Reading goes on, and nothing is there by halves.
            assert history(journal) == known
            assert journal.preference("local", "alice") == Preference()
        append(journal, len(known), Began())
        journal.prefer("local", "alice", Preference(Style.COLOUR))
        assert history(journal) == [*known, Began()]
    with opened(f"sqlite:///{path}") as journal:
        assert history(journal) == [*known, Began()]
        assert raw(journal, "PRAGMA integrity_check") == [("ok",)]


def test_a_full_disk(tmp_path: Path) -> None:
    with opened(f"sqlite:///{tmp_path / NAME}") as journal:
        append(journal, 0, *OPENING)
        known = list(OPENING)
        with most_pages(journal), pytest.raises(StoreError, match="full"):
            while True:
                append(journal, len(known), *[Began()] * 20)
                known += [Began()] * 20
        assert history(journal) == known
        append(journal, len(known), Began())
        assert history(journal) == [*known, Began()]


def test_no_room_for_a_new_store(tmp_path: Path) -> None:
    path = tmp_path / NAME
    for room in (0, 1, 4096, 12_288):
        with largest_file(room), pytest.raises(StoreError):
            Journal.open(f"sqlite:///{path}")
        assert list(tmp_path.iterdir()) == []
    with opened(f"sqlite:///{path}") as journal:
        append(journal, 0, *OPENING)


def test_an_older_store_that_has_no_room_to_become_todays_stays_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / NAME
    with opened(f"sqlite:///{path}") as journal:
        append(journal, 0, *[Began()] * 500)
        raw(journal, "ALTER TABLE events DROP COLUMN seal")
        for table in reversed(TABLES.sorted_tables):
            if table.info.get("since", 1) > 1:
                raw(journal, f"DROP TABLE {table.name}")
        raw(journal, "UPDATE yardzee SET schema_version = 1")
    with closing(sqlite3.connect(path)) as other:
        before = list(other.iterdump())
    with largest_file(9000), pytest.raises(StoreError):
        Journal.open(f"sqlite:///{path}")
    with closing(sqlite3.connect(path)) as other:
        assert list(other.iterdump()) == before
    with opened(f"sqlite:///{path}") as journal:
        assert history(journal) == [Began()] * 500


def test_a_store_that_is_removed_under_the_host_takes_nothing_more(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with closing(Journal.open(f"sqlite:///{path}")) as journal:
        journal.append(GameFile("g1", "n", "#c", bytes(32)), 0, OPENING, 0.0, WALL)
        path.unlink()
        with pytest.raises(StoreError, match="removed or replaced"):
            journal.append(GameFile("g2", "n", "#c", bytes(32)), 0, OPENING, 0.0, WALL)


def test_a_store_is_for_the_hosts_own_user_alone(tmp_path: Path) -> None:
    path = tmp_path / "s.sqlite"
    with closing(Journal.open(f"sqlite:///{path}")) as journal:
        journal.append(GameFile("g1", "n", "#c", bytes(32)), 0, OPENING, 0.0, WALL)
        modes = {
            file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir() if "lock" not in file.name
        }
        assert set(modes.values()) == {0o600}, modes
