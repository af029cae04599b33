"""A real PostgreSQL for tests: a cluster of its own in a temporary folder, on the loopback interface."""

from __future__ import annotations

import itertools
import os
import pwd
import shutil
import signal
import subprocess
import tempfile
import threading
from pathlib import Path
from types import TracebackType
from typing import Final

import psycopg

from tests.support.listening import free_port

USER: Final = "yardzee"
PASSWORD: Final = "hunter2@/: %"  # whatever breaks a URL
QUOTED: Final = "hunter2%40%2F%3A%20%25"

_ATTEMPTS: Final = 5
_WITHIN: Final = 30.0
_READY: Final = "database system is ready to accept connections"
# Nothing here has to survive the machine; a killed server keeps what it wrote all the same.
_SETTINGS: Final = {
    "listen_addresses": "127.0.0.1",
    "fsync": "off",
    "lc_messages": "C",
    "max_connections": "20",
}


class Postgres:
    """`with Postgres() as server:` runs the server; `server.new_url()` is an empty database.

    It runs as the user postgres where the tests run as root, which PostgreSQL refuses to be. It ends at the
    latest with the thread that started it, however that ends.
    """

    def __init__(self) -> None:
        self.host = "127.0.0.1"
        self.port = 0
        self._names = itertools.count()
        self._bin = _binaries()
        self._folder = Path(tempfile.mkdtemp(prefix="yardzee-pg-"))
        self._server: _Server | None = None

    def __enter__(self) -> Postgres:
        try:
            self._make()
            for _ in range(_ATTEMPTS):
                self.port = free_port()
                if self._start():
                    return self
            raise RuntimeError(f"postgres did not start in {_ATTEMPTS} attempts:\n{self.log}")
        except BaseException:
            self._end()
            raise

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._end()

    @property
    def log(self) -> str:
        """What the server said since it was started."""
        return "".join(self._server.lines) if self._server else ""

    def new_url(self) -> str:
        """The store URL of a database that is new."""
        name = f"test{next(self._names)}"
        with self.connect() as connection:
            connection.execute(f"CREATE DATABASE {name}")
        return self.url(name)

    def new_schema_url(self) -> str:
        """The store URL of a schema that is new, in a database of others; it takes less time to make."""
        name = f"test{next(self._names)}"
        with self.connect() as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{self.url('postgres')}?options=-csearch_path%3D{name}"

    def url(self, database: str, *, password: str = f":{QUOTED}", port: int | None = None) -> str:
        return f"postgresql+psycopg://{USER}{password}@{self.host}:{port or self.port}/{database}"

    def connect(self, database: str = "postgres") -> psycopg.Connection:
        """A connection behind the host's back, on which each statement is a transaction."""
        return psycopg.connect(
            host=self.host,
            port=self.port,
            user=USER,
            password=PASSWORD,
            dbname=database,
            autocommit=True,
            connect_timeout=10,
        )

    def stop(self, number: signal.Signals = signal.SIGINT) -> None:
        """End the server: SIGINT ends its connections in good order, SIGQUIT is as good as a crash."""
        if self._server:
            self._server.end(number)

    def restart(self, number: signal.Signals = signal.SIGINT) -> None:
        """End the server and start it again where it was."""
        self.stop(number)
        assert self._start(), self.log

    def _make(self) -> None:
        self._folder.chmod(0o700)
        secret = self._folder / "password"
        secret.write_text(PASSWORD)
        if os.geteuid() == 0:
            owner = pwd.getpwnam("postgres")
            for path in (self._folder, secret):
                os.chown(path, owner.pw_uid, owner.pw_gid)
        made = subprocess.run(
            [
                *self._command("initdb"),
                *("--username", USER, "--pwfile", str(secret), "--auth=scram-sha-256"),
                *("--encoding=UTF8", "--locale=C", "--no-sync", "--pgdata", str(self._folder / "data")),
            ],
            capture_output=True,
            text=True,
            cwd="/",
            stdin=subprocess.DEVNULL,
            check=False,
        )
        if made.returncode:
            raise RuntimeError(f"initdb failed:\n{made.stdout}{made.stderr}")

    def _start(self) -> bool:
        """Start it on `port`. Tells whether it accepts connections there; it ends when it cannot listen."""
        settings = _SETTINGS | {"port": str(self.port), "unix_socket_directories": str(self._folder)}
        options = [part for key, value in settings.items() for part in ("-c", f"{key}={value}")]
        self._server = _Server([*self._command("postgres"), "-D", str(self._folder / "data"), *options])
        return self._server.wait()

    def _command(self, name: str) -> list[str]:
        program = str(self._bin / name)
        user = ["--reuid=postgres", "--regid=postgres", "--init-groups"] if os.geteuid() == 0 else []
        return ["setpriv", *user, "--pdeathsig=INT", "--", program]

    def _end(self) -> None:
        self.stop()
        shutil.rmtree(self._folder)


class _Server:
    """The process and what it says; setpriv becomes the server, so that there is one process id."""

    def __init__(self, command: list[str]) -> None:
        self.lines: list[str] = []
        self._decided = threading.Event()
        self._process = subprocess.Popen(
            command,
            cwd="/",
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            start_new_session=True,  # so that Ctrl-C is for the tests, which end it then
        )
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def wait(self) -> bool:
        """Whether it is ready; False when it has ended."""
        if not self._decided.wait(_WITHIN):
            raise RuntimeError(f"postgres is not ready after {_WITHIN} s:\n{''.join(self.lines)}")
        return self._process.poll() is None and any(_READY in line for line in self.lines)

    def end(self, number: signal.Signals) -> None:
        if self._process.poll() is None:
            self._process.send_signal(number)
            try:
                self._process.wait(_WITHIN)
            except subprocess.TimeoutExpired:
                self._process.send_signal(signal.SIGQUIT)
                self._process.wait(_WITHIN)
        self._reader.join()

    def _read(self) -> None:
        assert self._process.stderr
        with self._process.stderr as lines:
            for line in lines:
                self.lines.append(line)
                if _READY in line:
                    self._decided.set()
        self._decided.set()


def _binaries() -> Path:
    """The newest version that is installed; Debian keeps the server's programs off the path."""
    versions = sorted(
        (path for path in Path("/usr/lib/postgresql").glob("*/bin") if (path / "initdb").exists()),
        key=lambda path: int(path.parent.name) if path.parent.name.isdigit() else 0,
    )
    if versions:
        return versions[-1]
    found = shutil.which("initdb")
    if found is None:
        raise RuntimeError("these tests need a real PostgreSQL server: apt-get install postgresql")
    return Path(found).resolve().parent
