"""Paced sending, by a clock that is told the time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from itertools import groupby
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.letter import Lane, Letter, Showing
from host.outbox import Outbox
from tests.support.bench import FakeClock

MOST_WAITING: Final = 5000


class Sending:
    """An outbox and what left it: when, to whom, what."""

    def __init__(self, burst: int = 4, seconds: float = 1.0, start: float = 0.0, size: int = 2000) -> None:
        self.clock = FakeClock(start)
        self.sent: list[tuple[float, str, str]] = []
        self.unsendable = ""
        self.outbox = Outbox(self._send, self.clock, burst, seconds, size)

    def _send(self, letter: Letter) -> None:
        assert letter.text != self.unsendable
        self.sent.append((self.clock.now(), letter.target, letter.text))

    def post(self, *lines: str, lane: Lane = Lane.NEWS) -> None:
        """Post `target text` lines."""
        for line in lines:
            target, _, text = line.partition(" ")
            self.outbox.post(Letter(target, text, lane, personal=not target.startswith("#")))

    @property
    def times(self) -> list[float]:
        return [when for when, _, _ in self.sent]

    @property
    def lines(self) -> list[str]:
        return [f"{target} {text}" for _, target, text in self.sent]


def numbered(target: str, number: int) -> list[str]:
    return [f"{target} {n}" for n in range(number)]


def test_a_burst_goes_at_once_and_the_rest_at_the_rate() -> None:
    s = Sending(burst=4, seconds=1)
    s.post(*numbered("#y", 8))
    assert s.times == [0, 0, 0, 0]
    s.clock.pass_(0.999)
    assert len(s.sent) == 4
    s.clock.pass_(10)
    assert s.times == [0, 0, 0, 0, 1, 2, 3, 4]
    assert s.lines == numbered("#y", 8)
    assert len(s.outbox) == 0


@pytest.mark.parametrize(("burst", "seconds"), [(1, 2.0), (2, 0.5), (5, 3.0)])
def test_other_bursts_and_rates(burst: int, seconds: float) -> None:
    s = Sending(burst, seconds, start=100)
    s.post(*numbered("#y", burst + 3))
    s.clock.pass_(100)
    assert s.times == [100.0] * burst + [100 + seconds * n for n in (1, 2, 3)]


def test_the_bucket_fills_while_nothing_is_said() -> None:
    s = Sending(burst=3, seconds=2)
    s.post(*numbered("#y", 3))
    s.clock.pass_(3)  # one line's worth, and half of another
    s.post(*numbered("#y", 3))
    assert s.times == [0, 0, 0, 3]
    s.clock.pass_(10)
    assert s.times[4:] == [4, 6]
    s.clock.pass_(1000)  # never more than a burst
    s.post(*numbered("#y", 5))
    assert s.times[6:] == [1013] * 3
    s.clock.pass_(10)
    assert s.times[9:] == [1015, 1017]


@given(
    burst=st.integers(1, 5),
    quarters=st.integers(1, 12),
    steps=st.lists(st.tuples(st.integers(0, 5), st.integers(0, 20)), max_size=20),
)
def test_no_stretch_of_time_sees_more_than_the_bucket_allows(
    burst: int, quarters: int, steps: list[tuple[int, int]]
) -> None:
    seconds = quarters / 4
    s = Sending(burst, seconds)
    for lines, wait in steps:
        s.post(*numbered("#y", lines))
        s.clock.pass_(wait / 4)
    s.clock.pass_(1000)
    assert len(s.sent) == sum(lines for lines, _ in steps)
    for first, begin in enumerate(s.times):
        for last in range(first, len(s.times)):
            assert last - first + 1 <= burst + (s.times[last] - begin) / seconds


def test_no_time_between_lines_means_no_waiting() -> None:
    s = Sending(burst=1, seconds=0)
    s.post(*numbered("#y", 1000))
    assert s.times == [0.0] * 1000
    assert len(s.outbox) == 0


def test_answers_go_before_news() -> None:
    s = Sending(burst=1)
    s.post("#y first", "#y n1", "bob n2")
    s.post("alice a1", "alice a2", lane=Lane.ANSWER)
    s.clock.pass_(2)
    s.post("bob a3", lane=Lane.ANSWER)
    s.clock.pass_(10)
    # What waits for bob goes out before the answer to him, so that his lines keep their order.
    assert s.lines == ["#y first", "alice a1", "alice a2", "bob n2", "#y n1", "bob a3"]


def test_answers_do_not_keep_news_waiting_for_ever() -> None:
    # While some play, others must get their dice.
    s = Sending(burst=1)
    s.post("#y first", *numbered("#y", 3))
    s.post(*numbered("alice", 8), lane=Lane.ANSWER)
    s.clock.pass_(100)
    news = [n for n, line in enumerate(s.lines) if line.startswith("#y")]
    assert news == [0, 4, 8, 11]
    s.post("alice late", *numbered("bob", 6), lane=Lane.ANSWER)
    s.clock.pass_(3)
    s.post("#y late")
    s.clock.pass_(1)
    assert "#y late" in s.lines


def test_chatter_goes_last_and_has_its_turn_all_the_same() -> None:
    s = Sending(burst=1)
    s.post("x first", *numbered("#y", 3), lane=Lane.CHATTER)
    s.post(*numbered("bob", 12))
    s.post(*numbered("alice", 9), lane=Lane.ANSWER)
    s.clock.pass_(100)
    order = [line.split()[0] for line in s.lines[1:]]
    assert order[:10] == ["alice"] * 3 + ["bob"] + ["alice"] * 3 + ["bob"] + ["alice", "#y"]
    assert order.count("#y") == 3
    assert max(len(list(run)) for who, run in groupby(order[: order.index("#y") + 1]) if who != "#y") <= 9


def test_chatter_that_waits_before_news_to_the_same_channel_goes_with_it() -> None:
    s = Sending(burst=1)
    s.post("x first", "bob n1", "bob n2", "bob n3")
    s.post("#y joined", lane=Lane.CHATTER)
    s.post("#y began")
    s.clock.pass_(100)
    assert s.lines[1:] == ["bob n1", "#y joined", "bob n2", "#y began", "bob n3"]


def showing(subject: str, rest: str | None = "", *, over: Callable[[], None] | None = None) -> Showing:
    return Showing(subject, rest, over=over)


def test_of_two_lines_about_the_same_the_older_is_stale_but_for_its_rest() -> None:
    s = Sending(burst=1)
    over: list[str] = []
    s.post("#y first", "alice a")
    for text, about in {
        "dice 1": showing("#y", over=lambda: over.append("1")),
        "dice at #z": showing("#z"),
        "scored 25, dice 2": showing("#y", "scored 25", over=lambda: over.append("2")),
        "the end": showing("#y", None),
        "dice 3": showing("#y", over=lambda: over.append("3")),
    }.items():
        s.outbox.post(Letter("alice", text, showing=about))
    assert over == ["1", "2"]
    s.outbox.post(Letter("bob", "dice", showing=showing("#y")))
    s.clock.pass_(100)
    assert s.lines == [
        "#y first",
        *("alice a", "bob dice", "alice dice at #z", "alice scored 25", "alice the end", "alice dice 3"),
    ]
    assert over == ["1", "2", "3"]
    assert len(s.outbox) == 0


def test_what_does_not_outdate_leaves_older_lines_alone() -> None:
    s = Sending(burst=1)
    s.post("#y first")
    for nick in ("alice", "bob"):
        s.outbox.post(Letter("#y", f"{nick} joins", showing=Showing("lobby", "", outdates=False)))
    s.outbox.post(Letter("#y", "we begin", showing=Showing("lobby")))
    s.outbox.post(Letter("#y", "carol joins", showing=Showing("lobby", "", outdates=False)))
    s.clock.pass_(100)
    assert s.lines == ["#y first", "#y we begin", "#y carol joins"]


@pytest.mark.parametrize("end", ["withdraw", "clear", "flush", "too many", "moved", "cannot be sent"])
def test_whatever_becomes_of_a_line_it_is_told_once_that_it_waits_no_more(end: str) -> None:
    s = Sending(burst=1)
    over: list[str] = []
    s.post("#y first")
    letter = Letter("alice", "dice", showing=showing("#y", over=lambda: over.append(end)))
    s.outbox.post(letter)
    assert over == []
    match end:
        case "withdraw":
            s.outbox.withdraw("alice")
        case "clear":
            s.outbox.clear()
        case "flush":
            s.outbox.flush()
        case "too many":
            s.post(*numbered("alice", 30))
        case "moved":
            s.outbox.move("alice", "alice_")
            assert over == []
            s.clock.pass_(5)
            assert s.lines[-1] == "alice_ dice"
        case "cannot be sent":
            s.unsendable = "dice"
            s.clock.pass_(5)
    assert over == [end]
    s.clock.pass_(100)
    assert over == [end]


def test_targets_take_turns() -> None:
    s = Sending(burst=1)
    s.post("x first", *numbered("a", 3), *numbered("b", 2), *numbered("c", 1))
    s.clock.pass_(10)
    assert s.lines[1:] == ["a 0", "b 0", "c 0", "a 1", "b 1", "a 2"]


def test_who_comes_later_waits_for_one_round_of_turns_only() -> None:
    s = Sending(burst=1)
    s.post("x first", *numbered("#a", 1000), *numbered("#b", 1000))
    s.clock.pass_(5)
    s.post("c late")
    s.clock.pass_(3)
    assert "c late" in s.lines


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["#a", "#b", "#c"]), st.sampled_from(Lane), st.sampled_from([0.0, 0.5, 3.0])
        ),
        max_size=40,
    )
)
def test_lines_to_a_target_keep_their_order_and_none_is_lost(posts: list[tuple[str, Lane, float]]) -> None:
    s = Sending(burst=2)
    for n, (target, lane, wait) in enumerate(posts):
        s.post(f"{target} {n}", lane=lane)
        s.clock.pass_(wait)
    s.clock.pass_(1000)
    for target in ("#a", "#b", "#c"):
        posted = [str(n) for n, post in enumerate(posts) if post[0] == target]
        assert [text for _, to, text in s.sent if to == target] == posted
    assert len(s.outbox) == 0


@given(st.lists(st.sampled_from(["#a", "#b", "#c", "#d"]), min_size=1, max_size=60))
def test_nobody_starves_within_a_lane(targets: list[str]) -> None:
    """While several wait, none is served twice before every other one was."""
    s = Sending(burst=1)
    s.post("x first", *(f"{target} {n}" for n, target in enumerate(targets)))
    s.clock.pass_(1000)
    waiting = Counter(targets)
    served: list[str] = []
    for _, target, _ in s.sent[1:]:
        if target in served:
            assert all(other in served or not waiting[other] for other in waiting), s.lines
            served = []
        served.append(target)
        waiting[target] -= 1


def test_a_cleared_outbox_sends_nothing_that_waited() -> None:
    s = Sending(burst=1)
    s.post(*numbered("#y", 5))
    s.post("alice a", lane=Lane.ANSWER)
    s.outbox.clear()
    assert len(s.outbox) == 0
    s.clock.pass_(100)
    assert s.lines == ["#y 0"]
    s.post("#y new", "#y newer")
    s.clock.pass_(1)
    assert s.lines == ["#y 0", "#y new", "#y newer"]


def test_clearing_does_not_fill_the_bucket() -> None:
    # A server counts what it got, whatever became of the rest.
    s = Sending(burst=2, seconds=1)
    s.post(*numbered("#y", 3))
    s.outbox.clear()
    s.post(*numbered("#y", 2))
    assert s.times == [0, 0]
    s.clock.pass_(5)
    assert s.times == [0, 0, 1, 2]


def test_what_waits_for_one_target_can_be_taken_back() -> None:
    s = Sending(burst=1)
    s.post("#y first", "bob n1", "alice n1", "bob n2")
    s.post("bob a1", lane=Lane.ANSWER)
    s.outbox.withdraw("bob")
    assert len(s.outbox) == 1
    s.outbox.withdraw("nobody")
    s.clock.pass_(10)
    assert s.lines == ["#y first", "alice n1"]
    s.post("bob again")
    assert s.lines[-1] == "bob again"


def test_no_more_lines_wait_than_anybody_would_read() -> None:
    s = Sending(burst=1, seconds=1)
    s.post(*numbered("#y", MOST_WAITING + 100))
    assert len(s.outbox) == MOST_WAITING
    s.clock.pass_(1)
    s.post("#y room again")
    assert len(s.outbox) == MOST_WAITING
    s.clock.pass_(10_000)
    assert s.lines == [*numbered("#y", MOST_WAITING + 1), "#y room again"]


def test_of_many_lines_to_one_person_the_latest_are_kept() -> None:
    s = Sending(burst=1)
    s.post("#y first", *numbered("alice", 100), "bob n")
    assert len(s.outbox) == 31
    s.clock.pass_(100)
    assert sorted(s.lines[1:]) == sorted(["bob n", *(f"alice {n}" for n in range(70, 100))])


def test_a_line_that_cannot_be_sent_holds_up_no_other(caplog: pytest.LogCaptureFixture) -> None:
    clock, sent = FakeClock(), list[str]()

    def send(letter: Letter) -> None:
        if letter.text == "bad":
            raise ValueError(letter.text)
        sent.append(letter.text)

    outbox = Outbox(send, clock, 1, 1.0)
    for text in ("good", "bad", "better"):
        outbox.post(Letter("#y", text, personal=False))
    clock.pass_(10)
    assert sent == ["good", "better"]
    assert "could not be sent" in caplog.text


def test_a_line_posted_while_another_is_sent_waits_its_turn() -> None:
    clock, sent = FakeClock(), list[tuple[float, str]]()

    def send(letter: Letter) -> None:
        sent.append((clock.now(), letter.text))
        if letter.text == "one":
            outbox.post(Letter("#y", "two"))

    outbox = Outbox(send, clock, 1, 1.0)
    outbox.post(Letter("#y", "one"))
    assert sent == [(0.0, "one")]
    clock.pass_(5)
    assert sent == [(0.0, "one"), (1.0, "two")]
    assert len(outbox) == 0


@given(
    st.integers(1, 8),
    st.sampled_from([0.25, 1.0, 3.0]),
    st.integers(512, 4000),
    st.lists(st.integers(1, 480), min_size=1, max_size=60),
)
def test_no_span_of_time_holds_more_lines_or_bytes_than_the_buckets_give(
    burst: int, seconds: float, size: int, lengths: list[int]
) -> None:
    s = Sending(burst, seconds, size=size)
    for number, length in enumerate(lengths):
        s.post(f"#y{number % 3} {'x' * length}")
    s.clock.pass_(len(lengths) * seconds * 600)
    assert len(s.sent) == len(lengths)
    bytes_sent = [len(f"PRIVMSG {target} :{text}\r\n") for _, target, text in s.sent]
    for first in range(len(s.sent)):
        for last in range(first, len(s.sent)):
            span = s.times[last] - s.times[first]
            assert last - first + 1 <= burst + span / seconds + 1e-6
            assert sum(bytes_sent[first : last + 1]) <= size + span * size / (burst * seconds) + 1e-6


def test_short_lines_are_held_up_by_their_number_alone() -> None:
    s = Sending(burst=4, seconds=1, size=2000)
    s.post(*numbered("#y", 8))
    s.clock.pass_(10)
    assert s.times == [0, 0, 0, 0, 1, 2, 3, 4]
