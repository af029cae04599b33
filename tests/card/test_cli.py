"""The command line of the card, and the card on a real server in this process."""

from __future__ import annotations

import asyncio
import os
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path

import pytest

from card import memory
from card.cli import _parser, _place, _user, main
from card.memory import Remembered
from card.notes import Note
from card.ports import Listener, Where
from card.session import BURST, Calm, Session
from chat.embedded import EmbeddedServer
from chat.events import Disconnected
from chat.settings import LinkSettings
from tests.support.client import Client

ROOT = Path(__file__).parents[2]


def place(arguments: Sequence[str], last: Remembered = Remembered()) -> Remembered:  # noqa: B008 - frozen
    return _place(_parser().parse_args(arguments), last)


def test_version_and_help(capsys: pytest.CaptureFixture[str]) -> None:
    for option, said in (("--version", f"yardzee-card {version('yardzee')}\n"), ("--help", "--plain")):
        with pytest.raises(SystemExit) as ended:
            main([option])
        assert ended.value.code == 0
        assert said in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--nonsense"], "unrecognized arguments"),
        (["--server", "x", "--port", "0"], "'0' is no port; possible are 1 to 65535"),
        (["--server", "x", "--nick", "a b"], "'a b' cannot be used: space or comma in a target"),
        (["--server", "x", "--nick", "1a"], "'1a' cannot be used: a nick begins with a letter"),
        (["--server", "x:6667"], "'x:6667' is no name or address; --port and --channel say the rest"),
        (["--server", "irc://x/#y"], "'irc://x/#y' is no name or address"),
        (["--server", "x", "--channel", "#a,b"], "'#a,b' cannot be used"),
        (["--light", "--dark"], "not allowed with"),
        (["--word", "a|b"], "'a|b' will not do; possible are 1 to 32 letters, digits and . _ -"),
        ([], "--server is needed the first time"),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, list) else "",
)
def test_a_wrong_command_line_ends_with_2(
    arguments: list[str], said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit) as ended:
        main([*arguments, "--config", str(tmp_path / "card.json")])
    assert ended.value.code == 2
    assert said in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_read_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--server", "x", "--config", str(tmp_path)]) == 1
    assert f"{tmp_path} cannot be read" in capsys.readouterr().err


def test_connections_are_encrypted_except_to_this_machine() -> None:
    far = place(["--server", "irc.example.net"])
    assert (far.tls, far.port, far.channel) == (True, 6697, "#yardzee")
    near = place(["--server", "127.0.0.1"])
    assert (near.tls, near.port) == (False, 6667)
    assert place(["--server", "irc.example.net", "--no-tls"]).port == 6667
    assert place(["--server", "127.0.0.1", "--tls", "--port", "7000"]).port == 7000


LAST = Remembered("irc.example.net", 7000, True, "alice", "#dice", False, "Hoster", "secret", "Hoster")


def test_what_is_not_named_is_as_it_was() -> None:
    assert place([], LAST) == LAST
    assert place(["--light", "--nick", "bea"], LAST).token == "secret"
    assert place(["--channel", "other"], LAST) == Remembered(
        "irc.example.net", 7000, True, "alice", "#other", False
    )


def test_at_another_server_nothing_of_the_last_place_counts() -> None:
    other = place(["--server", "127.0.0.1"], LAST)
    assert other == Remembered("127.0.0.1", 6667, False, "alice", "#yardzee", False)


def test_a_terminal_may_say_that_it_is_light(monkeypatch: pytest.MonkeyPatch) -> None:
    for colours, light in (("0;15", True), ("0;default;7", True), ("15;0", False), ("", False)):
        monkeypatch.setenv("COLORFGBG", colours)
        assert place(["--server", "x"]).light is light
        assert place(["--server", "x", "--dark"]).light is False


def test_without_the_screen_its_library_is_not_loaded_and_the_host_never() -> None:
    code = "import sys, card.cli; print(*sorted({'textual', 'host', 'sqlalchemy'} & sys.modules.keys()))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []


def test_a_users_name_becomes_a_nick(monkeypatch: pytest.MonkeyPatch) -> None:
    for name, nick in (("ann.lee", "annlee"), ("root", "player"), ("99", "player"), ("", "player")):
        monkeypatch.setattr("getpass.getuser", lambda name=name: name)
        assert _user() == nick


def test_lines_leave_calmly() -> None:
    now = [100.0]
    left: list[str] = []
    calm = Calm(lambda _, text: left.append(text), lambda: now[0])
    for number in range(10):
        calm.post("x", str(number))
    assert len(left) == BURST
    now[0] += 2.0
    calm.pump()
    assert left == [str(number) for number in range(BURST + 2)]
    calm.clear()
    now[0] += 60
    calm.pump()
    assert len(left) == BURST + 2


def test_what_waits_when_the_connection_is_lost_is_not_sent_later() -> None:
    now = [100.0]
    left: list[str] = []
    session = Session(LinkSettings("127.0.0.1", 6667, False, "alice"), "#yardzee")
    session._calm = Calm(lambda _, text: left.append(text), lambda: now[0])
    for number in range(BURST + 3):
        session.send("#yardzee", str(number))
    session._hear(Disconnected("reset"))
    now[0] += 60
    session._calm.pump()
    assert len(left) == BURST


async def test_on_a_server_it_finds_the_host_and_comes_back_under_another_nick() -> None:
    server = EmbeddedServer()
    await server.start()
    notes: list[Note] = []
    session = Session(LinkSettings("127.0.0.1", server.port, False, "alice", username="card"), "#yardzee")
    session.dialogue.listener = Listener(note=notes.append)
    async with await Client.connect("127.0.0.1", server.port, "Dealer") as host:
        await host.join("#yardzee")
        running = asyncio.create_task(session.run())
        await host.wait_for(r"^:alice!\S+ PRIVMSG #yardzee :ycp hello v=1 lines=only card=")
        host.say("alice", "ycp hello v=1 lines=only host=yardzee/0")
        await host.wait_for(r"^:alice!\S+ PRIVMSG Dealer :ycp state")
        assert session.dialogue.where is Where.HERE
        session.send("#yardzee", "long " * 150)
        await host.wait_for(r"PRIVMSG #yardzee :long")
        await host.wait_for(r"PRIVMSG #yardzee :long")
        await session.rename("bea")
        await host.wait_for(r"^:bea!\S+ PRIVMSG Dealer :ycp hello")
        with pytest.raises(ValueError, match="space"):
            await session.rename("b a")
        await session.stop()
        await host.wait_for(r"^:bea!\S+ QUIT :.*The card is put away")
        await running
    await server.stop()
    assert any("Dealer is the host here" in note.text for note in notes)


async def test_why_there_is_no_connection_is_told() -> None:
    server = EmbeddedServer()
    await server.start()
    port = server.port
    await server.stop()
    session = Session(LinkSettings("127.0.0.1", port, False, "alice"), "#yardzee")
    told = asyncio.Event()
    notes: list[Note] = []

    def note(one: Note) -> None:
        notes.append(one)
        told.set()

    session.dialogue.listener = Listener(note=note)
    running = asyncio.create_task(session.run())
    async with asyncio.timeout(10):
        await told.wait()
    await session.stop()
    await running
    assert "127.0.0.1: not connected" in notes[0].text
    assert re.search(r"no connection: Connection refused\. The next attempt is in \d+ s\.$", notes[0].text)


async def test_who_is_called_otherwise_than_asked_for_is_told() -> None:
    server = EmbeddedServer()
    await server.start()
    async with await Client.connect("127.0.0.1", server.port, "alice"):
        session = Session(LinkSettings("127.0.0.1", server.port, False, "alice", ("alice_",)), "#yardzee")
        notes: asyncio.Queue[Note] = asyncio.Queue()
        session.dialogue.listener = Listener(note=notes.put_nowait)
        running = asyncio.create_task(session.run())
        async with asyncio.timeout(10):
            assert (await notes.get()).text == "You are alice_ here: alice is not to be had."
        await session.stop()
        await running
    await server.stop()


async def test_in_plain_mode_as_a_process_until_the_end_of_the_input(tmp_path: Path) -> None:
    server = EmbeddedServer()
    await server.start()
    config = tmp_path / "card.json"
    card = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "card", "--server", "127.0.0.1", "--port", str(server.port)),
        *("--nick", "alice", "--plain", "--config", str(config)),
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    async with await Client.connect("127.0.0.1", server.port, "bob") as bob, asyncio.timeout(30):
        await bob.join("#yardzee")
        await bob.wait_for(r"^:alice!\S+ PRIVMSG #yardzee :ycp hello")
        assert card.stdin
        card.stdin.write(b"say hello\n")
        await bob.wait_for(r"^:alice!\S+ PRIVMSG #yardzee :hello$")
        card.stdin.write_eof()
        out, err = await card.communicate()
    await server.stop()
    assert (card.returncode, err) == (0, b"")
    assert b"alice: hello\n" in out
    assert b"\x1b" not in out
    assert out.decode().endswith("waits for you.\n")
    assert memory.load(config) == Remembered(
        "127.0.0.1", server_port(config), False, "alice", "#yardzee", False
    )


def server_port(config: Path) -> int:
    return memory.load(config).port
