"""What many lines of some must not take from others."""

from __future__ import annotations

from collections.abc import Callable

from host.letter import Lane, Letter, Showing
from host.outbox import Outbox
from protocol.card import news
from protocol.card.commands import Register
from tests.support.bench import CHANNEL, Bench, FakeClock, FakeTimer, config, lines_of, to
from tests.support.cards import ask, dice, greeted, heard, hold, playing

SLOW = "{burst: 4, seconds: 1}"


def test_strangers_however_many_leave_room_for_those_who_play() -> None:
    clock, sent = FakeClock(), list[str]()
    outbox = Outbox(lambda letter: sent.append(letter.text), clock, 1, 1.0)
    for n in range(10_000):
        outbox.post(Letter(f"stranger{n}", "no", Lane.CHATTER))
    for n in range(50):
        outbox.post(Letter(f"player{n}", "dice"))
    clock.pass_(60)
    assert sent.count("dice") == 50


def test_a_line_posted_when_another_has_left_brings_no_second_timer() -> None:
    class Counting(FakeClock):
        def __init__(self) -> None:
            super().__init__()
            self.called = 0

        def call_at(self, when: float, call: Callable[[], None]) -> FakeTimer:
            self.called += 1
            return super().call_at(when, call)

    clock, sent = Counting(), list[str]()
    outbox = Outbox(lambda letter: sent.append(letter.text), clock, 1, 1.0)
    for n in range(20):
        again = Showing("dice", over=lambda: outbox.post(Letter("#y", "left", personal=False)))
        outbox.post(Letter(f"nick{n}", "dice", showing=again))
    clock.pass_(100)
    assert (sent.count("dice"), sent.count("left"), len(outbox)) == (20, 20, 0)
    assert clock.called == 39


def test_no_dice_are_lost_behind_changes_of_the_time() -> None:
    bench = greeted("alice", "bob", send=SLOW)
    for nick in ("alice", "bob"):
        ask(bench, nick, Register())
    bench.pass_(10)
    bench.say("alice", "!start")
    for seconds in range(20):
        bench.say("alice", f"!extend {seconds + 1}")
    bench.pass_(40)
    assert dice(bench, "bob").round == 1
    assert len([line for line in heard(lines_of(bench), "bob") if isinstance(line, news.Time)]) == 1


def test_of_lobbies_and_games_that_come_and_go_faster_than_lines_leave_the_last_is_told() -> None:
    bench = Bench(config(send=SLOW))
    bench.connect("pest", "alice")
    for _ in range(20):
        for line in ("!join", "!start", "!pause", "!resume", "!stop", "!join", "!leave"):
            bench.say("pest", line)
    bench.say("alice", "!join")
    bench.say("alice", "!start")
    # The seeds of twenty games that began are told as well, a line each.
    bench.pass_(30)
    assert any("The game begins: alice" in line for line in lines_of(bench))


def test_who_comes_and_goes_all_the_time_keeps_no_results_waiting() -> None:
    bench = Bench(config(send=SLOW))
    bench.connect("alice", "pest")
    bench.begin("alice", "pest")
    bench.pass_(10)
    for _ in range(50):
        bench.say("pest", "!leave")
        bench.say("pest", "!join")
    bench.say("pest", "!leave")
    bench.tell("alice", "chance")
    bench.pass_(5)
    assert any("Round 1/13:" in line for line in to(lines_of(bench), CHANNEL))


def test_nobody_gains_time_by_going_and_coming_back() -> None:
    bench = Bench(config(send=SLOW))
    bench.connect("alice", "pest")
    bench.begin("alice", "pest")
    bench.pass_(10)
    for _ in range(80):
        bench.say("pest", "!leave")
        bench.say("pest", "!join")
        bench.pass_(1)
    assert bench.keeper().table.play.round == 1
    bench.pass_(40)
    assert bench.keeper().table.play.round == 2


def test_a_decision_that_is_changed_for_ever_is_not_written_down_for_ever() -> None:
    bench = playing("alice", "bob", channels=f'{{"{CHANNEL}": {{pace: lockstep}}}}')
    first = dice(bench, "bob")
    noted = [line for n in range(1000) for line in ask(bench, "bob", hold(first, n % 2))]
    assert 0 < len(noted) < 300
    # What was not decided yet is taken all the same.
    ask(bench, "alice", hold(dice(bench, "alice"), 0))
    (accepted,) = ask(bench, "bob", hold(dice(bench, "bob"), 0))
    assert isinstance(accepted, news.Accepted)
