"""The command line as people use it: processes, what they print, and how they end."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
from collections.abc import AsyncIterator, Iterator
from importlib.metadata import version
from pathlib import Path

import pytest

from chat.embedded import EmbeddedServer
from host.cli import main
from host.journal import SCHEMA_VERSION
from protocol.tags import DiceTag
from tests.host.journal_tools import OPENING, append, opened
from tests.host.processes import COMMAND, ROOT, STARTS_WITHIN, started
from tests.support.client import Client


def run(*arguments: str, cwd: Path = ROOT) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [*COMMAND, *arguments],
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "100"},
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        timeout=30,
        check=False,
    )


def config(path: Path, *, port: int = 6667, store: str = "sqlite://", extra: str = "") -> Path:
    path.write_text(
        f"""\
networks:
  local:
    server: 127.0.0.1
    port: {port}
    tls: false
    nick: Hoster
    channels:
      "#yardzee": {{}}
      "#other": {{rules: houston}}
{extra}
store: "{store}"
"""
    )
    return path


# --- help and wrong command lines ---

COMMANDS = "run check backup export import demo options solve record verify".split()  # noqa: SIM905


def test_version() -> None:
    done = run("--version")
    assert (done.returncode, done.stdout) == (0, f"yardzee-host {version('yardzee')}\n")


def test_help_shows_every_command_and_examples() -> None:
    done = run("--help")
    assert done.returncode == 0
    for command in COMMANDS:
        assert re.search(rf"^    {command} +\w", done.stdout, re.MULTILINE), command
        assert re.search(rf"^  .*yardzee-host {command}", done.stdout, re.MULTILINE), command
    assert "examples:" in done.stdout


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_has_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main([command, "--help"])
    assert ended.value.code == 0
    assert f"usage: yardzee-host {command}" in capsys.readouterr().out


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["nonsense"],
        ["run", "extra"],
        ["check", "--nonsense"],
        ["run", "--log-level", "loud"],
        ["run", "--log-format", "xml"],
        ["demo", "--port", "0"],
        ["demo", "--port", "65536"],
        ["demo", "--port", "-1"],
        ["demo", "--port", "٦٦٦٧"],
        ["demo", "--port", "irc"],
        ["solve", "nonsense"],
        ["record"],
        ["verify"],
    ],
    ids=" ".join,
)
def test_a_wrong_command_line_ends_with_2(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        main(arguments)
    assert ended.value.code == 2
    assert "usage: yardzee-host" in capsys.readouterr().err


def test_no_command_ends_with_2_as_a_process() -> None:
    done = run()
    assert (done.returncode, done.stdout) == (2, "")
    assert "COMMAND" in done.stderr
    assert "Traceback" not in done.stderr


# --- check ---


def test_the_configuration_that_comes_with_the_project_is_valid() -> None:
    done = run("check")
    assert (done.returncode, done.stderr) == (0, "")
    assert "config.yaml: valid, 1 network" in done.stdout


def test_a_valid_configuration_is_told(tmp_path: Path) -> None:
    done = run("check", "--config", str(config(tmp_path / "my.yaml")))
    assert (done.returncode, done.stderr) == (0, "")
    assert "my.yaml: valid, 1 network(s), 2 channel(s)" in done.stdout


@pytest.mark.parametrize(
    ("extra", "path", "line"),
    [
        ("    nonsense: 1", "networks.local.nonsense", 10),
        ("    send: {burst: many}", "networks.local.send.burst", 10),
        ("    username: [a]", "networks.local.username", 10),
    ],
)
def test_what_is_wrong_is_told_with_its_path_and_line(
    tmp_path: Path, extra: str, path: str, line: int
) -> None:
    done = run("check", "--config", str(config(tmp_path / "my.yaml", extra=extra)))
    assert (done.returncode, done.stderr) == (1, "")
    assert path in done.stdout
    assert re.search(rf"my\.yaml.*\b{line}\b", done.stdout), done.stdout
    assert "Traceback" not in done.stdout


def test_a_password_that_is_not_there_is_told(tmp_path: Path) -> None:
    done = run(
        "check", "--config", str(config(tmp_path / "my.yaml", extra="    password_env: NO_SUCH_THING"))
    )
    assert done.returncode == 1
    assert "NO_SUCH_THING" in done.stdout


@pytest.mark.parametrize("command", ["check", "run"])
def test_a_configuration_that_is_not_there_is_told(tmp_path: Path, command: str) -> None:
    done = run(command, cwd=tmp_path)
    assert done.returncode == 1
    said = done.stdout + done.stderr
    assert "config.yaml" in said
    assert "Traceback" not in said
    assert len(said.splitlines()) <= 2


# --- check: the store ---


def test_a_store_that_is_not_there_yet_will_be_made(tmp_path: Path) -> None:
    path = config(tmp_path / "my.yaml", store=f"sqlite:///{tmp_path / 'g.sqlite'}")
    done = run("check", "--config", str(path))
    assert (done.returncode, done.stderr) == (0, "")
    where = f"sqlite:///{tmp_path / 'g.sqlite'}"
    assert done.stdout.splitlines()[1:] == [f"store: {where} is not there yet; it will be made"]
    assert names(tmp_path) == ["my.yaml"]


def test_the_games_of_a_store_are_counted_beside_its_host(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'g.sqlite'}"
    path = config(tmp_path / "my.yaml", store=url)
    with opened(url) as journal:
        append(journal, 0, *OPENING)
        before = names(tmp_path)
        done = run("check", "--config", str(path))
        assert (done.returncode, done.stderr) == (0, "")
        said = f"store: {url}, schema version {SCHEMA_VERSION}, 1 game(s) on"
        assert done.stdout.splitlines()[1:] == [said]
        assert names(tmp_path) == before
        second = run("run", "--config", str(path))
        assert (second.returncode, second.stdout) == (1, "")
        assert (
            f"problem='{url}: another host runs on it (process {os.getpid()}); one store, one host'\n"
            in second.stderr
        )
        append(journal, 2, *OPENING)


def test_a_store_that_cannot_be_used_is_told(tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.sqlite"
    rubbish.write_text("this is no database\n" * 50)
    for store, found in (
        (f"sqlite:///{tmp_path}/no/x.sqlite", f"there is no folder {tmp_path}/no"),
        (f"sqlite:///{rubbish}", "file is not a database"),
    ):
        done = run("check", "--config", str(config(tmp_path / "my.yaml", store=store)))
        assert (done.returncode, done.stderr) == (1, "")
        assert done.stdout.splitlines()[1].startswith(f"{store}: {found}")
        assert len(done.stdout.splitlines()) == 2
    assert names(tmp_path) == ["my.yaml", "rubbish.sqlite"]


# --- run ---


def test_run_with_a_bad_configuration_says_what_is_wrong(tmp_path: Path) -> None:
    done = run("run", "--config", str(config(tmp_path / "my.yaml", extra="    nonsense: 1")))
    assert (done.returncode, done.stdout) == (1, "")
    assert "networks.local.nonsense" in done.stderr
    assert "Traceback" not in done.stderr


def test_run_with_a_store_that_cannot_be_used_says_so(tmp_path: Path) -> None:
    rubbish = tmp_path / "rubbish.sqlite"
    rubbish.write_text("this is no database\n" * 50)
    for store in (f"sqlite:///{tmp_path}/no/folder/x.sqlite", f"sqlite:///{rubbish}"):
        done = run("run", "--config", str(config(tmp_path / "my.yaml", store=store)))
        assert (done.returncode, done.stdout) == (1, ""), done.stderr
        assert store in done.stderr
        assert "Traceback" not in done.stderr
        assert len(done.stderr.splitlines()) == 1, done.stderr


@pytest.fixture
async def server() -> AsyncIterator[EmbeddedServer]:
    embedded = EmbeddedServer()
    await embedded.start()
    yield embedded
    await embedded.stop()


@pytest.fixture
def dead_port() -> Iterator[int]:
    """A port that is taken and where nobody listens, so that every connection is refused."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def faults(text: str) -> list[str]:
    return [
        word for word in ("Traceback", "Exception", "never retrieved", "Warning", "Z error ") if word in text
    ]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_the_host_in_good_order(
    server: EmbeddedServer, tmp_path: Path, number: signal.Signals
) -> None:
    path = config(tmp_path / "my.yaml", port=server.port, store=f"sqlite:///{tmp_path / 'g.sqlite'}")
    async with await Client.connect("127.0.0.1", server.port, "alice") as alice:
        await alice.join("#yardzee")
        async with started("run", "--config", str(path), cwd=tmp_path) as host:
            await alice.wait_for(r"^:Hoster!\S+ JOIN", STARTS_WITHIN)
            alice.say("#yardzee", "!join")
            await alice.wait_for(r"PRIVMSG #yardzee :alice opens")
            assert await host.end(number) == 0
            # The one who waits for the game is told where it went.
            await alice.wait_for(r"PRIVMSG #yardzee :The host stops")
            await alice.wait_for(r"^:Hoster!\S+ QUIT")
            assert faults(host.stderr) == [], host.stderr
            assert host.stdout == ""
    assert names(tmp_path) == ["g.sqlite", "my.yaml"]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
async def test_a_signal_ends_a_host_that_finds_no_server(
    dead_port: int, tmp_path: Path, number: signal.Signals
) -> None:
    path = config(tmp_path / "my.yaml", port=dead_port)
    async with started("run", "--config", str(path), cwd=tmp_path) as host:
        await host.line("not connected   .*next_in=")
        assert await host.end(number) == 0
        assert faults(host.stderr) == [], host.stderr


async def test_all_that_a_host_says_in_json_is_json(dead_port: int, tmp_path: Path) -> None:
    path = config(tmp_path / "my.yaml", port=dead_port)
    async with started("run", "--config", str(path), "--log-format", "json", cwd=tmp_path) as host:
        await host.line('"not connected"')
        assert await host.end(signal.SIGTERM) == 0
    told = {json.loads(line)["event"] for line in host.stderr.splitlines()}
    assert told == {"host started", "not connected", "host stops"}
    done = await asyncio.to_thread(run, "run", "--log-format", "json", cwd=tmp_path)
    (line,) = map(json.loads, done.stderr.splitlines())
    assert (done.returncode, line["event"]) == (1, "the host cannot run")
    assert "config.yaml" in line["problem"]


async def test_a_signal_ends_a_host_whose_server_says_nothing(tmp_path: Path) -> None:
    """Connected, but never welcomed: there is nobody to say goodbye to."""
    connected = asyncio.Event()
    writers: list[asyncio.StreamWriter] = []

    def accept(_: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        connected.set()

    silent = await asyncio.start_server(accept, "127.0.0.1", 0)
    async with silent:
        path = config(tmp_path / "my.yaml", port=silent.sockets[0].getsockname()[1])
        async with started("run", "--config", str(path), cwd=tmp_path) as host:
            async with asyncio.timeout(STARTS_WITHIN):
                await connected.wait()
            assert await host.end(signal.SIGTERM) == 0
            assert faults(host.stderr) == [], host.stderr
        for writer in writers:
            writer.close()


# --- demo ---


def free_port() -> int:
    """A port that was free a moment ago."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


async def test_the_demo_from_its_greeting_to_ctrl_c(tmp_path: Path) -> None:
    port = free_port()
    async with started("demo", "--port", str(port), cwd=tmp_path) as demo:
        await demo.line(rf"127\.0\.0\.1, port {port}\b")
        await demo.line(rf"irssi.*{port}")
        await demo.line(r"/join #yardzee")
        await demo.line(r"!join")
        await demo.line(r"!start")
        await demo.line(rf"yardzee-card --server 127\.0\.0\.1 --port {port}$")
        async with await Client.connect("127.0.0.1", port, "alice") as alice:
            await alice.join("#yardzee")
            # The greeting may be read before the host is in its channel.
            if not any("Hoster" in line.text for line in alice.lines if line.command == "353"):
                await alice.wait_for(r"^:Hoster!\S+ JOIN", STARTS_WITHIN)
            alice.say("#yardzee", "!join")
            opened = await alice.wait_for(r"PRIVMSG #yardzee :alice opens")
            assert opened.text.count("(house)") == 2
            alice.say("#yardzee", "!start")
            line = await alice.wait_for(r"^:Hoster!\S+ PRIVMSG alice :.*\[")
            first = DiceTag.find(line.text)
            assert first
            assert (first.round, first.roll) == (1, 1)
            alice.say("Hoster", f"k{first.dice.faces[0]}")
            line = await alice.wait_for(r"^:Hoster!\S+ PRIVMSG alice :.*roll 2/3")
            second = DiceTag.find(line.text)
            assert second
            assert second.dice.faces[0] == first.dice.faces[0]
            alice.say("Hoster", "score chance")
            result = await alice.wait_for(r"PRIVMSG #yardzee :Round 1/13")
            assert result.text.count("(house)") >= 2
            assert await demo.end(signal.SIGINT) == 0
            await alice.closed()
    assert demo.stderr == ""
    assert demo.stdout.endswith("The demo has ended.\n")
    assert names(tmp_path) == []


async def test_the_demo_takes_another_port_when_the_usual_one_is_in_use(tmp_path: Path) -> None:
    with socket.socket() as usual:
        # If this fails, another process is in the way as well as we would be.
        with contextlib.suppress(OSError):
            usual.bind(("127.0.0.1", 6667))
            usual.listen()
        async with started("demo", cwd=tmp_path) as demo:
            port = int((await demo.line(r"127\.0\.0\.1, port (\d+)"))[1])
            assert port != 6667
            async with await Client.connect("127.0.0.1", port, "alice"):
                pass
            assert await demo.end(signal.SIGTERM) == 0
            assert demo.stderr == ""


async def test_the_demo_says_when_its_port_is_in_use(server: EmbeddedServer, tmp_path: Path) -> None:
    done = await asyncio.to_thread(run, "demo", "--port", str(server.port), cwd=tmp_path)
    assert (done.returncode, done.stdout) == (1, "")
    assert str(server.port) in done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.splitlines()) == 1
