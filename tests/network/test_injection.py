"""Nothing that the host repeats becomes a line of its own: whoever wrote it, and wherever it was kept."""

from __future__ import annotations

import asyncio
import json
import re
import sqlite3
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Final

import pytest

from host.config import ConfigError, parse
from host.errors import StoreError
from host.journal import Journal
from host.store_tables import seal
from tests.cases.tools import at
from tests.support.bench import CHANNEL, Bench, config
from tests.support.client import Client
from tests.support.host_process import HOST, HostProcess
from tests.support.hybrid import Hybrid
from tests.support.inspircd import Inspircd
from tests.support.ngircd import Ngircd
from tests.support.town import Hosted, Town, no_faults
from tests.support.virtual import VirtualLoop, run

PWNED: Final = f"PRIVMSG {CHANNEL} :pwned"
BREAKS: Final = ("\r", "\n", "\0", "\r\n", "\x10r", "\x10n", "\x100", "\u2028", "\x85", "\x0b", "\\r\\n")
"""What ends a line, or would once something has undone its quoting."""

SENT: Final = re.compile(r"(CAP|NICK|USER|JOIN|WHO|PING|PONG|PRIVMSG|NOTICE|QUIT)( |$)")
AT_A_TABLE: Final = ("say {}", "amend alice chance 30 {}", "ban {}", "unban {}", "remove {}", "extend {}")
BY_ANYBODY: Final = (
    "{}",
    "score {}",
    "keep {}",
    "help {}",
    "style {}",
    "return {}",
    "k{}",
    "join {}",
    "#{} dice",
)


def check(town: Town) -> None:
    """The wire takes no line with a break in it; and none begins with what somebody would have it say."""
    for line in town.lines:
        assert SENT.match(line), line
        assert not line.startswith(PWNED), line
        assert not line.startswith(("QUIT :pwned", "JOIN #pwned")), line


@pytest.mark.parametrize("end", BREAKS, ids=ascii)
def test_what_people_say_or_are_called_ends_no_line(end: str) -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Town(loop, ("alice", "boss"))
        host = Hosted(town, config(admins='["*!*@boss.example"]'))
        async with host.running():
            await host.until_back()
            bad = f"x{end}{PWNED}"
            strangers = [f"e{end}ve", f"{end}{PWNED}", "eve"]
            for nick in strangers:
                for line in (f"JOIN {CHANNEL}", f"NICK :z{end}QUIT", f"PRIVMSG {CHANNEL} :!join"):
                    town.send(f":{nick}!~{end}u@h{end}.example {line}")
            town.send(f"@account=a\\r\\n{PWNED} :acc!u@h PRIVMSG {CHANNEL} :!join")
            town.say("alice", "!join", CHANNEL)
            town.say("alice", "!start", CHANNEL)
            await asyncio.sleep(120)
            for text in (*BY_ANYBODY, *AT_A_TABLE):
                for nick in ("alice", "boss", *strangers):
                    town.say(nick, text.format(bad))
                    town.say(nick, f"!{text.format(bad)}", CHANNEL)
                    await asyncio.sleep(5)
            town.send(f":op!o@h KICK {CHANNEL} {HOST} :{bad}", f"ERROR :{bad}")
            await host.until_back()
        check(town)

    with no_faults():
        run(story)


# --- what is kept ---


def configured(end: str) -> list[dict[str, Any]]:
    """Configurations that would have the host say a line of its own, each in one value."""
    bad = f"x{end}{PWNED}"
    network = {"server": "127.0.0.1", "tls": False, "nick": HOST, "channels": {CHANNEL: {}}}
    changes: list[dict[str, Any]] = [
        {"nick": bad},
        {"alternative_nicks": [bad]},
        {"username": bad},
        {"realname": bad},
        {"channels": {f"#{bad}": {}}},
        {"channels": {CHANNEL: {"prefix": bad}}},
        {"channels": {CHANNEL: {"prizes": {"first": bad, "door": [bad, bad]}}}},
        {"admins": [bad]},
    ]
    return [network | change for change in changes]


@pytest.mark.parametrize("end", ["\r", "\n", "\0", "\r\n"], ids=ascii)
def test_a_configuration_cannot_make_the_host_say_two_lines_in_one(end: str) -> None:
    for network in configured(end):
        with pytest.raises(ConfigError):
            parse(json.dumps({"networks": {"local": network}, "store": "sqlite://"}), "a test")


def poison(path: Path, old: str, new: str) -> int:
    """Write something else into the events of a store, and seal them as the host does; in how many."""
    count = 0
    with sqlite3.connect(path) as store:
        store.row_factory = sqlite3.Row
        games = {row["game"]: SimpleNamespace(**row) for row in store.execute("SELECT * FROM games")}
        for row in store.execute("SELECT * FROM events").fetchall():
            event = SimpleNamespace(**row)
            event.body = event.body.replace(json.dumps(old), json.dumps(new))
            count += event.body != row["body"]
            store.execute(
                "UPDATE events SET body = ?, seal = ? WHERE game = ? AND version = ?",
                (event.body, seal(games[event.game], event), event.game, event.version),
            )
    store.close()
    return count


def kept_game(path: Path) -> None:
    """A store with a game that is on and has an amendment, in which alice, bob and a reason are names."""
    prizes = '{first: "a mug"}'
    channels = f'{{"{CHANNEL}": {{prizes: {prizes}}}}}'
    bench = Bench(config(channels, store=at(path), admins='["*!~alice@example.org"]'))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    for nick in ("alice", "bob"):
        bench.tell(nick, "chance")
    bench.tell("alice", "amend bob chance 20 misread")
    bench.journal.close()


@pytest.mark.parametrize("end", ["\r", "\n", "\0", "\r\n"], ids=ascii)
@pytest.mark.parametrize("what", ["alice", "bob", "misread", "a mug"])
def test_a_store_that_somebody_wrote_into_cannot_make_the_host_say_two_lines_in_one(
    what: str, end: str, tmp_path: Path
) -> None:
    path = tmp_path / "s.sqlite"
    kept_game(path)
    assert poison(path, what, f"x{end}{PWNED}") > 0

    async def story(loop: VirtualLoop) -> None:
        try:
            journal = Journal.open(at(path))
            host = Hosted(Town(loop, ("alice", "bob")), config(store=at(path)), journal)
        except StoreError:
            return
        async with host.running():
            await host.until_back()
            for text in ("scores", "who", "card", "dice", "score yahtzee"):
                for nick in ("alice", "bob"):
                    host.town.say(nick, text)
            await asyncio.sleep(3 * 3600)
        assert host.town.told
        check(host.town)

    run(story)


# --- real servers ---


@pytest.mark.slow
@pytest.mark.parametrize("kind", [Ngircd, Inspircd, Hybrid])
async def test_on_a_real_server_nothing_that_is_repeated_is_a_line_of_its_own(
    kind: type[Ngircd] | type[Inspircd] | type[Hybrid],
) -> None:
    async with (
        kind() as server,
        HostProcess(server, admins=["mallory!*@127.0.0.1"]) as host,
        await Client.connect(server.host, server.port, "mallory") as mallory,
        await Client.connect(server.host, server.port, "alice") as alice,
    ):
        for client in (mallory, alice):
            await client.join(CHANNEL)
        alice.say(CHANNEL, "!join")
        alice.say(CHANNEL, "!start")
        await alice.wait_for("roll 1/3", 15)
        for line in attacks():
            for client in (mallory, alice):
                client.send_raw(line)
        for client in (mallory, alice):
            client.say(HOST, "rules")
            await client.wait_for("Upper bonus", 30)
        await host.watcher.sync()
        for client in (host.watcher, mallory, alice):
            said = [line for line in client.lines if line.nick == HOST]
            assert {line.command for line in said} <= {"PRIVMSG", "JOIN"}
            assert not [line.raw for line in said if line.text.startswith("pwned")]


def attacks() -> Sequence[bytes]:
    """Lines without an end inside, as a server takes them."""
    lines = []
    for end in ("\x10r", "\x10n", "\x100", "\x10r\x10n", "\u2028", "\x85", "\\r\\n"):
        for text in (*BY_ANYBODY, *AT_A_TABLE[:2], "unban {}"):
            for target, prefix in ((HOST, ""), (CHANNEL, "!")):
                lines.append(f"PRIVMSG {target} :{prefix}{text.format(f'x{end}{PWNED}')}\r\n".encode())
    return lines
