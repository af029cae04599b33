"""What a service manager hears of the host."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from host.manager import Manager

ROOT = Path(__file__).parents[2]
CONFIG = """
networks: {n: {server: 127.0.0.1, port: 1, tls: false, nick: H, channels: {"#a": {}}}}
store: "sqlite://"
"""


@pytest.fixture
def way(tmp_path: Path) -> Iterator[socket.socket]:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
        way.bind(str(tmp_path / "notify"))
        way.setblocking(False)
        yield way


def heard(way: socket.socket) -> dict[str, str]:
    return dict(line.split("=", 1) for line in way.recv(4096).decode().splitlines())


def test_without_a_manager_nothing_is_told() -> None:
    manager = Manager.from_environ({}, 7)
    assert manager.beat is None
    manager.ready("up")
    manager.stopping()


@pytest.mark.parametrize(
    ("watchdog", "pid", "beat"),
    [
        ("20000000", "7", 10.0),
        ("20000000", "8", 30.0),
        ("600000000", "7", 30.0),
        ("", "7", 30.0),
        ("x", "7", 30.0),
    ],
)
def test_the_watchdog_is_fed_twice_in_its_time(watchdog: str, pid: str, beat: float) -> None:
    environ = {"NOTIFY_SOCKET": "/run/notify", "WATCHDOG_USEC": watchdog, "WATCHDOG_PID": pid}
    assert Manager.from_environ(environ, 7).beat == beat


def test_each_word_is_as_the_manager_reads_it(way: socket.socket) -> None:
    manager = Manager(way.getsockname())
    manager.ready("all well")
    assert heard(way) == {"READY": "1", "STATUS": "all well"}
    manager.alive("all well")
    assert heard(way) == {"WATCHDOG": "1", "STATUS": "all well"}
    manager.reloading()
    assert heard(way).keys() == {"RELOADING", "MONOTONIC_USEC"}
    manager.stopping()
    assert heard(way)["STOPPING"] == "1"


def test_an_abstract_socket_is_reached_too() -> None:
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
        way.bind("")  # a free abstract name, from the system
        name = way.getsockname().decode().replace("\0", "@")
        Manager(name).ready("up")
        assert heard(way)["READY"] == "1"


def test_a_manager_that_is_gone_ends_nothing(caplog: pytest.LogCaptureFixture) -> None:
    Manager("/nowhere/notify").ready("up")
    assert "could not be told" in caplog.text


async def test_a_host_tells_its_life(way: socket.socket, tmp_path: Path) -> None:
    (tmp_path / "c.yaml").write_text(CONFIG)
    environ = {"PYTHONPATH": str(ROOT), "NOTIFY_SOCKET": way.getsockname(), "WATCHDOG_USEC": "400000"}
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "host", "run", "--config", str(tmp_path / "c.yaml")),
        env=os.environ | environ,
        stderr=asyncio.subprocess.DEVNULL,
    )
    loop = asyncio.get_running_loop()

    async def next_of(name: str) -> dict[str, str]:
        while True:
            text = (await loop.sock_recv(way, 4096)).decode()
            if name in (facts := dict(line.split("=", 1) for line in text.splitlines())):
                return facts

    try:
        async with asyncio.timeout(30):
            assert (await next_of("READY"))["STATUS"] == "0 of 1 networks connected, 0 games at 1 tables"
            await next_of("WATCHDOG")
            process.send_signal(signal.SIGHUP)
            await next_of("RELOADING")
            await next_of("READY")
            process.send_signal(signal.SIGTERM)
            await next_of("STOPPING")
            assert await process.wait() == 0
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
