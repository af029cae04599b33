"""A real ngircd for tests, on a free port of the loopback interface."""

from __future__ import annotations

import asyncio
import shutil
import signal
import tempfile
from pathlib import Path
from types import TracebackType

from tests.support.listening import free_ports, until_listening

_ATTEMPTS = 5
_NAME = "irc.test.example"


class Ngircd:
    """`async with Ngircd() as server:` runs the server; `server.port` is where it listens.

    `extra` holds further lines of its configuration, with their `[Section]` heads. `{tls_port}` in them
    is a port of its own for TLS, `server.tls_port`.
    """

    def __init__(
        self, *, name: str = _NAME, max_nick_length: int = 30, password: str = "", extra: str = ""
    ) -> None:
        self.host = "127.0.0.1"
        self.port = 0
        self.tls_port = 0
        self.name = name
        self._max_nick_length = max_nick_length
        self._password = password
        self._extra = extra
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Ngircd:
        binary = _binary()
        self._folder = tempfile.TemporaryDirectory(prefix="yardzee-ngircd-")
        try:
            for _ in range(_ATTEMPTS):
                self.port, self.tls_port = free_ports(2)
                if await self._start(binary):
                    return self
            raise RuntimeError(f"ngircd did not start in {_ATTEMPTS} attempts:\n{self._log()}")
        except BaseException:
            await self._end()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def stop(self) -> None:
        """End the server before its time."""
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            # One that is frozen would not hear it.
            self._process.send_signal(signal.SIGCONT)
            await self._process.wait()

    def send_signal(self, number: signal.Signals) -> None:
        """Freeze it with SIGSTOP, let it go on with SIGCONT."""
        assert self._process is not None
        self._process.send_signal(number)

    async def kill(self) -> None:
        """End the server with no chance to say goodbye."""
        assert self._process is not None
        self._process.kill()
        await self._process.wait()

    async def restart(self) -> None:
        """Start it again on the same port, after `stop` or `kill`."""
        assert await self._start(_binary()), self._log()

    async def _start(self, binary: str) -> bool:
        """Start it on `port`. Tells whether it accepts connections there; it ends when it cannot listen."""
        config = self._path("ngircd.conf")
        config.write_text(self._config())
        with self._path("log").open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                binary, "-n", "-f", str(config), stdin=asyncio.subprocess.DEVNULL, stdout=log, stderr=log
            )
        return await until_listening(self._process, 10, self.host, self.port)

    async def _end(self) -> None:
        await self.stop()
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / name

    def _log(self) -> str:
        return self._path("log").read_text(errors="replace")

    def _config(self) -> str:
        return f"""
[Global]
Name = {self.name}
Info = test
Listen = {self.host}
Ports = {self.port}
MotdPhrase = hello
Password = {self._password}
[Limits]
MaxConnectionsIP = 0
MaxNickLength = {self._max_nick_length}
MaxPenaltyTime = 0
[Options]
PAM = no
Ident = no
DNS = no
SyslogFacility = local1
{self._extra.replace("{tls_port}", str(self.tls_port))}
"""


def _binary() -> str:
    # sbin is not on the path of every user.
    binary = shutil.which("ngircd", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if binary is None:
        raise RuntimeError("these tests need a real IRC server: apt-get install ngircd")
    return binary
