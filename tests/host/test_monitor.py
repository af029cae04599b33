"""The pages of a host that runs, asked for over loopback."""

from __future__ import annotations

import asyncio
import http.client
import json
import socket
import sqlite3
import subprocess
import sys
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from pathlib import Path
from typing import Any

import aiohttp
import pytest

from chat.embedded import EmbeddedServer
from host.clock import LoopClock
from host.config import Config, parse
from host.journal import Journal
from host.monitor import Monitor
from host.service import Service
from host.watch import NetworkStatus
from tests.host.processes import COMMAND, ROOT
from tests.support.bench import CHANNEL, HOST
from tests.support.client import Client
from tests.support.listening import free_port
from tests.support.local_host import Host
from tests.support.scrape import Pages

HERE = f":{HOST}!.* JOIN"
PATIENCE = 15.0


def written(port: int, metrics: Pages, store: str = "sqlite://") -> str:
    return f"""
networks:
  local:
    {{server: 127.0.0.1, port: {port}, tls: false, nick: {HOST}, send: {{burst: 99}},
     channels: {{"{CHANNEL}": {{}}}}}}
store: "{store}"
metrics: {{port: {metrics.port}}}
"""


@pytest.fixture
async def server() -> AsyncIterator[EmbeddedServer]:
    server = EmbeddedServer()
    await server.start()
    yield server
    await server.stop()


@pytest.fixture
def pages() -> Pages:
    return Pages(free_port())


@pytest.fixture
async def alice(server: EmbeddedServer) -> AsyncIterator[Client]:
    async with await Client.connect("127.0.0.1", server.port, "alice") as alice:
        await alice.join(CHANNEL)
        yield alice


async def health(pages: Pages) -> tuple[int, dict[str, Any]]:
    status, _, text = await pages.get("/health")
    return status, json.loads(text)


async def until(pages: Pages, wanted: int) -> dict[str, Any]:
    """What /health says once it has this status."""
    async with asyncio.timeout(PATIENCE):
        while True:
            status, said = await health(pages)
            if status == wanted:
                return said


def config(pages: Pages, port: int = 1, store: str = "sqlite://") -> Config:
    return parse(written(port, pages, store), "c.yaml")


class Known:
    """A host of which everything is known."""

    def __init__(self) -> None:
        self.status: Sequence[NetworkStatus] = [NetworkStatus("a", True, (), {}, 0)]
        self.answers: float | None = 1.0
        self.asked = 0

    def networks(self) -> Sequence[NetworkStatus]:
        return self.status

    def store_answers(self) -> float | None:
        self.asked += 1
        return self.answers


def monitored(pages: Pages) -> Monitor:
    where = config(pages).metrics
    assert where is not None
    return Monitor(where)


async def test_the_numbers_are_what_was_done(
    server: EmbeddedServer, alice: Client, pages: Pages, tmp_path: Path
) -> None:
    store = tmp_path / "games.sqlite"
    async with Host(written(server.port, pages, f"sqlite:///{store}")):
        await alice.wait_for(HERE)
        for target, line, answer in (
            (CHANNEL, "!join", "PRIVMSG alice :Should you lose"),
            (CHANNEL, "!start", "PRIVMSG alice :Round 1/13, roll 1/3"),
            (HOST, "keep none", "PRIVMSG alice :.*roll 2/3"),
            (HOST, "chance", "PRIVMSG alice :Scored Chance"),
            (HOST, "chance", "PRIVMSG alice :"),
            (HOST, "dice", "PRIVMSG alice :"),
            (HOST, "zzz", "PRIVMSG alice :I do not know"),
        ):
            alice.say(target, line)
            await alice.wait_for(answer)
        numbers = await pages.numbers()
        with closing(sqlite3.connect(store)) as look:
            ((transactions,),) = look.execute("SELECT count(DISTINCT wall) FROM events")
    assert numbers.commands() == {
        ("join", "ok"): 1,
        ("start", "ok"): 1,
        ("keep", "ok"): 1,
        ("score", "ok"): 2,
        ("look", "ok"): 1,
        ("unknown", "UnknownCommand"): 1,
    }
    assert numbers.value("reply_seconds_count", network="local") == 7
    # One more is how the network compares names.
    assert numbers.value("journal_commit_seconds_count") - 1 == transactions > 3
    assert numbers.value("games_begun_total", network="local") == 1
    assert numbers.value("tables", network="local", phase="playing") == 1
    assert numbers.value("connected", network="local") == 1
    assert numbers.value("store_up") == 1


async def test_a_server_that_is_gone_is_told_and_one_that_is_back_is_a_reconnect(
    server: EmbeddedServer, alice: Client, pages: Pages
) -> None:
    well = {"status": "ok", "networks_off": [], "channels_out": [], "store_answers": True}
    async with Host(written(server.port, pages)):
        await alice.wait_for(HERE)
        assert await until(pages, 200) == well
        server.split(HOST)
        assert await until(pages, 503) == well | {"status": "failing", "networks_off": ["local"]}
        assert (await pages.numbers()).value("connected", network="local") == 0
        assert (await pages.get("/live"))[0] == 200
        assert await until(pages, 200) == well
        numbers = await pages.numbers()
    assert numbers.value("reconnects_total", network="local") == 1
    assert numbers.value("disconnects_total", network="local") == 1


async def test_a_store_that_is_gone_is_told(
    server: EmbeddedServer, alice: Client, pages: Pages, tmp_path: Path
) -> None:
    store = tmp_path / "games.sqlite"
    async with Host(written(server.port, pages, f"sqlite:///{store}")):
        await alice.wait_for(HERE)
        alice.say(CHANNEL, "!join")
        await alice.wait_for("alice opens")
        store.rename(tmp_path / "elsewhere")
        said = await until(pages, 503)
        assert (said["store_answers"], said["networks_off"]) == (False, [])
        numbers = await pages.numbers()
        assert (numbers.value("store_up"), numbers.value("journal_errors_total")) == (0, 0)
        alice.say(CHANNEL, "!start")
        await alice.wait_for("PRIVMSG alice :Sorry, I could not write that down")
        numbers = await pages.numbers()
        assert numbers.value("journal_errors_total") > 0
        assert numbers.commands()["start", "StoreError"] == 1


async def test_channels_that_the_host_is_out_of_are_told_of_networks_that_it_is_on(pages: Pages) -> None:
    known = Known()
    async with monitored(pages).watching(known):
        assert (await health(pages))[0] == 200
        known.status = [NetworkStatus("a", True, ("#x",), {}, 0), NetworkStatus("b", False, ("#y",), {}, 0)]
        status, said = await health(pages)
    assert (status, said["channels_out"], said["networks_off"]) == (503, ["#x on a"], ["b"])


async def test_however_many_ask_the_store_is_asked_once_in_a_while(
    pages: Pages, monkeypatch: pytest.MonkeyPatch
) -> None:
    known = Known()
    async with monitored(pages).watching(known):
        for path in ("/health", "/metrics", "/health"):
            await pages.get(path)
        assert known.asked == 1
        known.answers = None
        assert (await health(pages))[0] == 200
        monkeypatch.setattr("host.monitor._REMEMBERED", 0.0)
        assert (await health(pages))[0] == 503


async def test_a_host_that_stands_still_does_not_answer(pages: Pages) -> None:
    def ask() -> int:
        with closing(http.client.HTTPConnection("127.0.0.1", pages.port, timeout=0.3)) as connection:
            connection.request("GET", "/live")
            return connection.getresponse().status

    with ThreadPoolExecutor(1) as other:
        async with monitored(pages).watching(Known()):
            assert await asyncio.wrap_future(other.submit(ask)) == 200
            # The loop waits here for whoever asks it.
            assert isinstance(other.submit(ask).exception(PATIENCE), TimeoutError)
            assert await asyncio.wrap_future(other.submit(ask)) == 200
            # It was late, and the look at that is due.
            async with asyncio.timeout(PATIENCE):
                while (await pages.numbers()).value("loop_delay_seconds_count") == 0:
                    pass


async def test_the_pages_and_no_others(pages: Pages) -> None:
    async with monitored(pages).watching(Known()):
        status, kind, text = await pages.get("/metrics")
        assert (status, kind) == (200, "text/plain; version=0.0.4; charset=utf-8")
        assert "yardzee_connected" in text
        status, kind, text = await pages.get("/metrics", accept="application/openmetrics-text; version=1.0.0")
        assert (status, kind.partition(";")[0]) == (200, "application/openmetrics-text")
        assert text.endswith("# EOF\n")
        for path in ("/metrics", "/health", "/live"):
            assert (await pages.get(path, "HEAD"))[::2] == (200, "")
            assert (await pages.get(path, "POST"))[0] == 405
        for path in ("/", "/metric", "/metrics/", "/health/x", "/../etc/passwd"):
            assert (await pages.get(path))[0] == 404


async def test_the_port_is_free_again_when_the_host_has_ended(
    server: EmbeddedServer, alice: Client, pages: Pages
) -> None:
    for _ in range(2):
        async with Host(written(server.port, pages)):
            await alice.wait_for(HERE)
            assert (await pages.get("/live"))[0] == 200
        with pytest.raises(aiohttp.ClientConnectorError):
            await pages.get("/live")


def test_a_port_that_is_taken_ends_the_start(pages: Pages, tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_text(written(1, pages))
    with socket.create_server(("127.0.0.1", pages.port)):
        done = subprocess.run(
            [*COMMAND, "run", "--config", str(path), "--log-level", "error"],
            cwd=ROOT,
            capture_output=True,
            text=True,
            timeout=30,
            check=False,
        )
    where = f"{path}:7: metrics.port: cannot listen on 127.0.0.1, port {pages.port}"
    (line,) = done.stderr.splitlines()
    assert done.returncode == 1
    assert line.endswith(f"error   the host cannot run   problem='{where}: Address already in use'")


def test_nothing_of_it_is_loaded_where_nobody_watches() -> None:
    code = "import host.service, sys; print(*{'aiohttp', 'prometheus_client'} & sys.modules.keys())"
    assert subprocess.check_output([sys.executable, "-c", code], cwd=ROOT, text=True) == "\n"


async def test_a_reload_leaves_it_to_the_next_start(pages: Pages) -> None:
    asked = [config(pages), config(Pages(1234))]
    with closing(Journal.open("sqlite://")) as journal:
        stop = asyncio.Event()
        clock = LoopClock(asyncio.get_running_loop())
        service = Service(config(pages), {}, stop, lambda: asked.pop(0), journal=journal, clock=clock)
        service.start()
        assert service.reload().later == ()
        assert service.reload().later == ("metrics",)
        stop.set()
        await service.serve("bye")


async def test_connections_that_say_nothing_are_closed_for_newer_ones(pages: Pages) -> None:
    async with monitored(pages).watching(Known()):
        held = [await asyncio.open_connection("127.0.0.1", pages.port) for _ in range(100)]
        for _, writer in held:
            writer.write(b"GET /metrics HTTP/1.1\r\n")
        assert (await health(pages))[0] == 200
        async with asyncio.timeout(PATIENCE):
            assert [await reader.read() for reader, _ in held[:50]] == [b""] * 50
        for _, writer in held:
            writer.close()
