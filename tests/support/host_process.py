"""The host as its users run it: a process of its own, on a configuration file and a store on disk."""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import sys
import tempfile
from collections.abc import Awaitable, Iterable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Final

import yaml

from tests.support import perfect_play
from tests.support.client import Client, Received, Server

ROOT: Final = Path(__file__).parents[2]
HOST: Final = "Hoster"
CHANNEL: Final = "#yardzee"
FAST: Final = {"burst": 1000, "seconds": 0}
"""For servers whose penalties are off."""

_PASSWORD: Final = "YARDZEE_PASSWORD"
_WATCHER: Final = "watcher"
_PATIENCE: Final = 30.0
_FAULTS: Final = ("Traceback", "Exception ignored", "Z error ", "Z critical ", "Warning:")
_QUOTED_LOG: Final = 4000


class HostProcess:
    """`async with HostProcess(server) as host:` runs the host until the end of the block.

    Inside the block the host is in its channels, and `watcher` is a client in all of them that has seen it
    come. At the end SIGTERM has to end the process with status 0, and its log has to be free of faults.
    `stop` or `kill` and then `start` bring it down and up again on the same store, which is a file of its own
    or at a URL. `account` holds keys of the configuration.
    """

    def __init__(
        self,
        server: Server,
        channels: Mapping[str, Mapping[str, object]] | None = None,
        *,
        send: Mapping[str, float] = FAST,
        admins: Sequence[str] = (),
        store: str | None = None,
        account: Mapping[str, str] | None = None,
        password: str = "",
    ) -> None:
        self.channels = {name: _defaults() | dict(keys) for name, keys in (channels or {CHANNEL: {}}).items()}
        self._server = server
        self._send = send
        self._admins = admins
        self._store = store
        self._account = {"account": {**account, "password_env": _PASSWORD}} if account else {}
        self._password = password
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None
        self._watcher: Client | None = None
        self.forgiven: list[str] = []
        """What a fault in the log may say that is meant to be there."""

    @property
    def watcher(self) -> Client:
        assert self._watcher is not None
        return self._watcher

    @property
    def store(self) -> str:
        """The URL of the store."""
        return self._store or f"sqlite:///{self._path('yardzee.sqlite')}"

    @property
    def log(self) -> str:
        """All that the host has logged or printed."""
        path = self._path("log")
        return path.read_text(errors="replace") if path.exists() else ""

    async def __aenter__(self) -> HostProcess:
        perfect_play.ready(str(keys.get("rules", "hasbro")) for keys in self.channels.values())
        self._folder = tempfile.TemporaryDirectory(prefix="yardzee-host-")
        try:
            self._path("config.yaml").write_text(self._config())
            self._watcher = await Client.connect(self._server.host, self._server.port, _WATCHER)
            for channel in self.channels:
                await self.watcher.join(channel)
            await self.start()
        except BaseException:
            await self._abandon()
            raise
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        try:
            if error is None and self._running is not None:
                await self.stop()
            elif error is not None:
                error.add_note(f"the log of the host ends:\n{self.log[-_QUOTED_LOG:]}")
        finally:
            await self._abandon()

    async def start(self, channels: Iterable[str] = ()) -> None:
        """Start the process, and return when it is in its channels, or in these."""
        await self.launch()
        await self.arrived(channels)

    async def launch(self) -> None:
        """Start the process, and wait for nothing."""
        self._process = await self._spawn()

    async def arrived(self, channels: Iterable[str] = ()) -> None:
        """Return when the process that was launched is in its channels, or in these."""
        await self._unless_it_ends(self._joined_all(channels or self.channels))

    def configuration(self) -> dict[str, Any]:
        """What is in its file, to be changed and given to `reload`."""
        loaded: dict[str, Any] = yaml.safe_load(self._path("config.yaml").read_text())
        return loaded

    def write(self, configuration: dict[str, Any] | str) -> None:
        """Put something else into its file."""
        text = configuration if isinstance(configuration, str) else yaml.safe_dump(configuration)
        self._path("config.yaml").write_text(text)

    def reload(self) -> None:
        """Send it a SIGHUP."""
        self.send_signal(signal.SIGHUP)

    def send_signal(self, number: signal.Signals) -> None:
        """Send it a signal, and do not wait for what comes of it."""
        assert self._running is not None, f"the host has ended by itself:\n{self.log}"
        self._running.send_signal(number)

    async def ended(self) -> int:
        """Wait until it ends by itself, with nothing wrong in its log; its exit status."""
        assert self._process is not None
        async with asyncio.timeout(_PATIENCE):
            status = await self._process.wait()
        self.check_log()
        return status

    async def stop(self) -> None:
        """End it with SIGTERM, and see that it goes in good order."""
        assert await self._end(signal.SIGTERM) == 0, self.log
        self.check_log()

    async def kill(self) -> None:
        """End it with no chance to do anything about it."""
        assert await self._end(signal.SIGKILL) == -signal.SIGKILL, self.log

    def check_log(self) -> None:
        """See that the host has logged no fault that is not meant to be there."""
        faulty = (line for line in self.log.splitlines() if any(fault in line for fault in _FAULTS))
        faults = [line for line in faulty if not any(text in line for text in self.forgiven)]
        assert not faults, f"{faults} in:\n{self.log}"

    @property
    def _running(self) -> asyncio.subprocess.Process | None:
        return self._process if self._process and self._process.returncode is None else None

    async def _spawn(self) -> asyncio.subprocess.Process:
        with self._path("log").open("ab") as log:
            return await asyncio.create_subprocess_exec(
                *(sys.executable, "-W", "error", "-m", "host"),
                *("run", "--config", str(self._path("config.yaml"))),
                cwd=self._path(""),
                env=os.environ | {"PYTHONPATH": str(ROOT), _PASSWORD: self._password},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )

    async def _end(self, number: signal.Signals) -> int:
        process = self._running
        assert process is not None, f"the host has ended by itself:\n{self.log}"
        process.send_signal(number)
        async with asyncio.timeout(_PATIENCE):
            status = await process.wait()
        async with asyncio.timeout(_PATIENCE):
            # The server must know, or else the nick is taken when the host comes back.
            while await self._is_on():
                pass
        return status

    async def _is_on(self) -> bool:
        """Whether the server has the host among its users."""
        self.watcher.send_raw(f"ISON {HOST}")
        return HOST in (await self.watcher.wait_for(lambda line: line.command == "303")).text

    async def _joined_all(self, channels: Iterable[str]) -> None:
        missing = {channel.lower() for channel in channels}
        while missing:
            line = await self.watcher.wait_for(_host_joins, _PATIENCE)
            missing.discard(line.text.lower())

    async def _unless_it_ends(self, waiting: Awaitable[None]) -> None:
        assert self._process is not None
        wanted = asyncio.ensure_future(waiting)
        ended = asyncio.create_task(self._process.wait())
        try:
            await asyncio.wait({wanted, ended}, return_when=asyncio.FIRST_COMPLETED)
            assert wanted.done(), f"the host has ended by itself:\n{self.log}"
            wanted.result()
        finally:
            for task in (wanted, ended):
                task.cancel()
            await asyncio.gather(wanted, ended, return_exceptions=True)

    async def _abandon(self) -> None:
        if process := self._running:
            process.kill()
            await process.wait()
        if self._watcher is not None:
            with contextlib.suppress(AssertionError):
                await self._watcher.close()
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / name

    def _config(self) -> str:
        network = {
            "server": self._server.host,
            "port": self._server.port,
            "tls": False,
            "nick": HOST,
            "channels": self.channels,
            "send": dict(self._send),
            "admins": list(self._admins),
            **self._account,
        }
        return yaml.safe_dump({"networks": {"local": network}, "store": self.store}, sort_keys=False)


def _defaults() -> dict[str, object]:
    # A program may well mean the same line twice.
    return {"repeat_seconds": 0}


def _host_joins(line: Received) -> bool:
    return line.command == "JOIN" and line.nick == HOST
