"""The outbox waits with one timer, also when lines are posted because another left."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from host.letter import Letter
from host.outbox import Outbox
from tests.support.bench import FakeClock, FakeTimer


def test_what_is_posted_because_a_line_left_sets_no_second_timer(monkeypatch: pytest.MonkeyPatch) -> None:
    clock, sent, set_for = FakeClock(), list[Letter](), list[float]()
    call_at = clock.call_at

    def counted(when: float, call: Callable[[], None]) -> FakeTimer:
        set_for.append(when)
        return call_at(when, call)

    monkeypatch.setattr(clock, "call_at", counted)

    def send(letter: Letter) -> None:
        sent.append(letter)
        if letter.sent:
            letter.sent()

    outbox = Outbox(send, clock, burst=1, seconds=1)
    for number in range(4):
        outbox.post(Letter("alice", str(number), sent=lambda: outbox.post(Letter("bob", "so"))))
    clock.pass_(20)
    assert len(sent) == 8
    assert set_for == [1, 2, 3, 4, 5, 6, 7]
