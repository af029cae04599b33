"""The journal took it, and the answer was lost: what is written down did happen."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from chat.events import Quit
from host.errors import StoreError
from host.events import Event, Reason, Renamed, Suspended
from host.journal import GameFile
from tests.support.bench import CHANNEL, Bench, to, user


def lose(bench: Bench, monkeypatch: pytest.MonkeyPatch, *, written: bool) -> Callable[[], None]:
    """Let the next append fail, after it was written or before; returns what lets all go well again."""
    append = bench.journal.append

    def failing(file: GameFile, version: int, events: Sequence[Event], *when: Any, **more: Any) -> None:
        if written:
            append(file, version, events, *when, **more)
        raise StoreError("the connection was lost")

    monkeypatch.setattr(bench.journal, "append", failing)
    return lambda: monkeypatch.setattr(bench.journal, "append", append)


@pytest.mark.parametrize("written", [True, False])
def test_a_move_counts_when_it_is_in_the_journal(monkeypatch: pytest.MonkeyPatch, written: bool) -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    heal = lose(bench, monkeypatch, written=written)
    assert "could not write that down" in bench.tell("alice", "chance")[0]
    heal()
    lines = to(bench.tell("alice", "chance"), "alice")
    assert lines[0].startswith("Scored Chance ")
    assert (len(lines) == 2) == written
    bench.tell("bob", "chance")
    assert bench.keeper().table.play.round == 2


def test_a_game_whose_opening_was_lost_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.connect("alice")
    heal = lose(bench, monkeypatch, written=True)
    bench.say("alice", "!join")
    heal()
    lines = to(bench.say("alice", "!start"), CHANNEL)
    assert lines[0].startswith("alice opens a game")
    assert lines[1].startswith("The game begins: alice")


def test_the_clock_makes_sure_as_well(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.connect("alice")
    bench.begin("alice")
    heal = lose(bench, monkeypatch, written=True)
    bench.pass_(121)
    heal()
    bench.pass_(10)
    assert bench.keeper().table.play.round == 2
    bench.pass_(120)
    assert bench.keeper().table.play.round == 3


def test_what_the_network_told_is_not_written_twice(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    heal = lose(bench, monkeypatch, written=True)
    bench.desk.hear(Quit(user("alice"), "a.example b.example", netsplit=True))
    heal()
    bench.pass_(10)
    assert "4 min 50 s left" in bench.tell("bob", "time")[0]


def test_no_event_is_written_down_as_earlier_than_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """The host learns late that it heard nothing since a while, when another event waits for the journal."""
    bench = Bench()
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    heal = lose(bench, monkeypatch, written=False)
    bench.pass_(10)
    bench.rename("alice", "zoe")
    bench.keeper().note_at(bench.clock.now() - 5, lambda table: (Suspended(Reason.HOST_OUT),))
    heal()
    bench.pass_(10)
    history = bench.journal.history("game0001")
    assert history
    assert [type(event) for _, event in history.events[-2:]] == [Renamed, Suspended]
    times = [at for at, _ in history.events]
    assert times == sorted(times)


def test_while_the_store_does_not_answer_talk_costs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    attempts = []

    def failing(file: GameFile, version: int, events: Sequence[Event], *when: Any, **more: Any) -> None:
        attempts.append(events)
        raise StoreError("no room")

    monkeypatch.setattr(bench.journal, "append", failing)
    bench.rename("alice", "al")
    for number in range(50):
        bench.say("bob", f"hm {number}")
        bench.rename(f"{'al' if number == 0 else f'al{number}'}", f"al{number + 1}")
    assert len(attempts) == 1
    bench.pass_(20)
    assert len(attempts) <= 5
    monkeypatch.undo()
    bench.pass_(6)
    assert bench.keeper().table.seats[0].nick == "al50"
