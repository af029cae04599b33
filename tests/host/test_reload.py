"""What a reload does to tables and channels, without a network."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from chat.events import Disconnected, Kicked, LinkEvent
from host.clock import LoopClock
from host.config import Config, ConfigError, parse
from host.errors import StoreError
from host.journal import Journal
from host.reload import read_saved
from host.service import Service
from host.table import Phase
from tests.support.bench import CHANNEL, HOST, Bench, config, to

OTHER = "#other"
TWO = f'{{"{CHANNEL}": {{}}, "{OTHER}": {{}}}}'
ONE = f'{{"{OTHER}": {{}}}}'


def reconfigure(found: Bench, channels: str) -> list[str]:
    before = len(found.wire.sent)
    found.desk.configure(config(channels).networks[0])
    return found.since(before)


def test_a_channel_with_nothing_on_is_left_at_once_with_a_word() -> None:
    found = Bench(config(TWO))
    found.connect("alice")
    assert reconfigure(found, ONE) == [f"{CHANNEL}: There are no more games here. Goodbye!"]
    assert found.wire.channels == [OTHER]


@pytest.mark.parametrize("end", ["!stop", "!leave"])
def test_a_channel_with_a_lobby_is_left_when_it_closes(end: str) -> None:
    found = Bench(config(TWO))
    found.connect("alice", "bob")
    found.say("alice", "!join")
    (line,) = reconfigure(found, ONE)
    assert "I leave this channel when the game has ended" in line
    assert "bob joins" in found.say("bob", "!join")[0]
    assert found.wire.channels == [CHANNEL, OTHER]
    if end == "!leave":
        found.say("bob", "!leave")
    assert to(found.say("alice", end), CHANNEL)[-1] == "There are no more games here. Goodbye!"
    assert found.wire.channels == [OTHER]
    assert found.keeper(OTHER).table.phase is Phase.CLOSED


@pytest.mark.parametrize(
    "way", [Kicked(HOST, CHANNEL, "op", ""), Disconnected("gone")], ids=["kick", "disconnect"]
)
def test_a_host_that_is_thrown_out_while_it_takes_its_leave_does_not_come_back(way: LinkEvent) -> None:
    found = Bench(config(TWO, send="{burst: 1, seconds: 1000}"))
    found.connect("alice")
    found.desk.configure(config(ONE, send="{burst: 1, seconds: 1000}").networks[0])
    assert found.wire.channels == [OTHER]
    found = Bench(config(TWO, send="{burst: 1, seconds: 1000}"))
    found.connect("alice")
    found.say("alice", "!join", OTHER)
    found.desk.configure(config(ONE, send="{burst: 1, seconds: 1000}").networks[0])
    assert CHANNEL in found.wire.channels
    found.desk.hear(way)
    assert found.wire.channels == [OTHER]


def test_a_network_with_no_channel_left_is_given_up() -> None:
    found = Bench(config(TWO))
    found.connect("alice")
    found.desk.configure(replace(config(TWO).networks[0], channels=()))
    assert found.controls.asked == ["vacated local"]


def test_who_ends_an_unattended_last_game_opens_no_other() -> None:
    found = Bench(config(TWO))
    found.connect("alice", "zoe")
    found.begin("alice")
    found.pass_(250)
    reconfigure(found, ONE)
    lines = found.say("zoe", "!join")
    assert any("Goodbye" in line for line in lines)
    assert to(lines, "zoe") == [f"I leave {CHANNEL}: there are no more games here."]
    assert found.journal.unfinished() == []


def test_the_next_game_goes_by_the_new_keys_and_this_one_by_the_old() -> None:
    found = Bench(config(f'{{"{CHANNEL}": {{round_seconds: 50}}}}'))
    found.connect("alice")
    found.begin("alice")
    reconfigure(found, f'{{"{CHANNEL}": {{round_seconds: 500, rules: houston, prefix: "."}}}}')
    assert "50 s left" in found.tell("alice", "time")[0]
    assert found.keeper().table.rules.key == "hasbro"
    found.say("alice", ".stop")
    found.say("alice", ".join")
    found.say("alice", ".start")
    assert "8 min 20 s left" in found.tell("alice", "time")[0]
    assert found.keeper().table.rules.key == "houston"


def document(*networks: str) -> Config:
    each = [
        f'  {name}: {{server: 127.0.0.1, port: 1, tls: false, nick: H, channels: {{"#{name}": {{}}}}}}'
        for name in networks
    ]
    return parse("networks:\n" + "\n".join(each) + "\nstore: sqlite://\n", "c.yaml")


def test_practice_games_are_read_for_a_new_network_alone() -> None:
    found = Bench()
    found.connect("alice")
    found.tell("alice", "practice")
    both = document("local", "other")
    saved = read_saved(found.journal, both, besides=document("other"))
    assert [history.file.channel for history in saved.games] == ["practice"]
    assert not read_saved(found.journal, both, besides=document("local")).games


async def test_a_reload_that_cannot_read_the_store_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = [document("b", "c")]
    journal = Journal.open("sqlite://")
    stop = asyncio.Event()
    clock = LoopClock(asyncio.get_running_loop())
    service = Service(document("a", "b"), {}, stop, lambda: asked[0], journal=journal, clock=clock)
    service.start()

    def failing(network: str) -> object:
        raise StoreError("gone")

    monkeypatch.setattr(journal, "bans", failing)
    with pytest.raises(StoreError):
        service.reload()
    assert [name for name, _ in service.status().networks] == ["a", "b"]
    monkeypatch.undo()
    reloaded = service.reload()
    assert (reloaded.joined, reloaded.leaving) == (("#c on c",), ("#a on a",))
    assert [name for name, _ in service.status().networks] == ["b", "c"]

    def wrong() -> Config:
        raise ConfigError("c.yaml", ())

    service._reread = wrong
    service.reload()
    assert [name for name, _ in service.status().networks] == ["b", "c"]
    stop.set()
    await service.serve("bye")
    journal.close()
