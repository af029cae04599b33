"""A store that is one SQLite file: who may use it, whether it is whole, and how a new one comes to be.

SQLite takes a file of no bytes for a new database, and throws away the `-wal` that stands beside it. So a
file is looked at before SQLite is let near it, then read without the right to write, and only then opened.
"""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from collections.abc import Callable
from contextlib import closing, suppress
from io import FileIO
from pathlib import Path
from typing import Final, Self, TypeVar
from urllib.parse import quote

from chat.logger import logger
from host.errors import StoreError

log = logger(__name__)

_Made = TypeVar("_Made")

_CHECK_SECONDS: Final = 5.0
"""The longest that a start waits for SQLite to look through its pages; enough for some hundred MB."""

# https://www.sqlite.org/fileformat2.html, 1.3 and 4.1
_MAGIC: Final = b"SQLite format 3\x00"
_SMALLEST: Final = 512
_WAL_MAGIC: Final = (b"\x37\x7f\x06\x82", b"\x37\x7f\x06\x83")
_WAL_HEADER: Final = 32


class Lease:
    """The right to be the only host of a file. It ends with the process at the latest.

    What counts is the lock and not that PATH.lock exists.
    """

    def __init__(self, path: Path, file: FileIO) -> None:
        self._path, self._file = path, file

    @classmethod
    def take(cls, store: Path) -> Self:
        """Take it.

        Raises StoreError when another host has it, and OSError.
        """
        path = beside(store, ".lock")
        while True:
            # What somebody else has put there in the place of a lock is not written to.
            file = open(path, "a+b", buffering=0, opener=_follow_nothing)  # noqa: SIM115 - it stays open
            try:
                fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
                if _is_at(file, path):
                    with suppress(OSError):  # there may be no room for it, and the lock holds without
                        file.truncate(0)
                        file.write(b"%d\n" % os.getpid())
                    return cls(path, file)
            except BlockingIOError:
                file.seek(0)
                owner = file.read(20).decode("ascii", "replace").strip()
                file.close()
                who = f"process {owner}" if owner.isdigit() else "another process"
                raise StoreError(f"another host runs on it ({who}); one store, one host") from None
            except BaseException:
                file.close()
                raise
            file.close()  # its owner removed it after we had opened it

    def release(self) -> None:
        """Give it up. To do so twice is as good as once."""
        if not self._file.closed:
            with suppress(OSError):
                self._path.unlink()  # while it is locked: whoever waits for it sees that it is gone
            self._file.close()


def beside(store: Path, ending: str) -> Path:
    """The file that belongs to the store and has an ending more."""
    return store.with_name(store.name + ending)


def check_place(store: Path) -> bool:
    """Whether there is a file; where there is none, nothing must speak against making one.

    Raises StoreError, and OSError.
    """
    if store.exists():
        if not store.is_file():
            raise StoreError("it is no file")
        return True
    if not store.parent.is_dir():
        raise StoreError(f"there is no folder {store.parent}")
    if left := [
        path.name for ending in ("-wal", "-shm", "-journal") if (path := beside(store, ending)).exists()
    ]:
        raise StoreError(f"the file is gone, and {', '.join(left)} of it is still there; put the file back")
    return False


def check_file(store: Path) -> None:
    """Look for what SQLite would not tell, or would mend by forgetting.

    Raises StoreError, and OSError.
    """
    with store.open("rb") as file:
        head, size = file.read(_SMALLEST), os.fstat(file.fileno()).st_size
    if not os.access(store, os.W_OK):
        raise StoreError("the file may not be written by this user")
    if not size:
        raise StoreError("the file is empty, which no store is; if a new one is meant, remove the file")
    if not head.startswith(_MAGIC):
        raise StoreError("file is not a database, or its beginning is damaged")
    if size < _SMALLEST:
        raise StoreError("the file was cut short")
    if _size(journal := beside(store, "-journal")):
        raise StoreError(
            f"another program died while it wrote: {journal.name}; open it with sqlite3 to mend it"
        )
    wal, shared = beside(store, "-wal"), beside(store, "-shm")
    if shared.exists() and not wal.exists():
        raise StoreError(
            f"{wal.name} is missing, which holds the latest of what happened; put it back "
            f"(or remove {shared.name}, to go on without)"
        )
    if _size(wal) > _WAL_HEADER:
        with wal.open("rb") as file:
            intact = file.read(4) in _WAL_MAGIC
        if not intact or head[18:20] != b"\x02\x02":
            raise StoreError(f"it is damaged: the file and {wal.name} do not belong together")


def identity(store: Path) -> tuple[int, int]:
    """What tells a file from another one of the same name. Raises OSError."""
    status = store.stat()
    return status.st_dev, status.st_ino


def check_identity(store: Path, known: tuple[int, int]) -> None:
    """See that the file that is open is still the one of this name.

    SQLite writes into a file that was removed without a word, and all of it is lost in the end.

    Raises StoreError.
    """
    try:
        same = identity(store) == known
    except OSError:
        same = False
    if not same:
        raise StoreError(
            "the file was removed or replaced while the host runs; nothing is kept until it is back"
        )


def make(store: Path, build: Callable[[Path], _Made]) -> _Made:
    """Let `build` make a new store, which has its name only when it is whole; what `build` answers.

    Raises OSError, and whatever `build` does.
    """
    new = beside(store, ".new")
    parts = [new, *(beside(new, ending) for ending in ("-wal", "-shm", "-journal"))]
    try:
        for part in parts:
            part.unlink(missing_ok=True)  # of a start that was killed
        # The seeds in it tell all dice to come. SQLite takes it as it is, and makes its log alike.
        new.touch(0o600)
        made = build(new)
        with new.open("rb") as file:
            os.fsync(file.fileno())
        new.rename(store)
        folder = os.open(store.parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
        return made
    finally:
        for part in parts:
            part.unlink(missing_ok=True)


def make_new(path: Path, build: Callable[[Path], _Made]) -> _Made:
    """Let `build` make a file of a name that no file has, as `make` does.

    Raises StoreError when there is one, OSError, and whatever `build` does.
    """
    _check_free(path)  # before the lease, which leaves a trace in the folder
    lease = Lease.take(path)
    try:
        _check_free(path)
        return make(path, build)
    finally:
        lease.release()


def stamp(store: Path) -> tuple[int, int] | None:
    """What another writer would change of a file that nobody has open; None where somebody has it open.

    Raises OSError.
    """
    # Whoever has the file open has a -wal.
    if beside(store, "-wal").exists():
        return None
    return _stamp(store)


def changed(store: Path, known: tuple[int, int]) -> bool:
    """Whether the file was written in since it had this stamp. Raises OSError."""
    return _stamp(store) != known


def connect_to_read(store: Path, patience: float, *, still: bool) -> sqlite3.Connection:
    """A connection that leaves the file and what is beside it as they are.

    A file that stands still needs neither locks nor a -shm. Raises sqlite3.Error.
    """
    mode = "mode=ro&immutable=1" if still else "mode=ro"
    return sqlite3.connect(
        f"file:{quote(str(store))}?{mode}", uri=True, timeout=patience, isolation_level=None
    )


def check_pages(connection: sqlite3.Connection, seconds: float = _CHECK_SECONDS) -> None:
    """Let SQLite look through all of its pages and indexes, as far as it comes in the time.

    Raises StoreError when something is wrong, and sqlite3.Error.
    """
    deadline = time.monotonic() + seconds
    connection.set_progress_handler(lambda: time.monotonic() > deadline, 10_000)
    try:
        with closing(connection.execute("PRAGMA integrity_check(1)")) as cursor:
            (found,) = cursor.fetchone()
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_INTERRUPT:
            raise
        log.info("the store is too large to be looked through; it is read as it is", seconds=seconds)
    else:
        if found != "ok":
            raise StoreError(f"it is damaged: {' '.join(str(found).split())}")
    finally:
        connection.set_progress_handler(None, 0)


def _check_free(path: Path) -> None:
    if path.exists():
        raise StoreError(f"{path} is there already, and is left as it is; choose another name")
    check_place(path)


def _stamp(path: Path) -> tuple[int, int]:
    status = path.stat()
    return status.st_size, status.st_mtime_ns


def _size(path: Path) -> int:
    return path.stat().st_size if path.exists() else 0


def _follow_nothing(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NOFOLLOW, 0o666)


def _is_at(file: FileIO, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(file.fileno()), path.stat())
    except FileNotFoundError:
        return False
