"""Lines to a channel that the server refuses."""

from __future__ import annotations

import logging

import pytest

from host.events import Announced, Unheard
from tests.support.bench import CHANNEL, Bench, config, to, user

BOXES = ("ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch")
BOSS = user("boss", "staff.example.org")


def played(channels: str = "") -> Bench:
    bench = Bench(config(channels, admins='["*!*@staff.example.org"]'))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    for box in BOXES:
        bench.pass_(3)
        for nick in ("alice", "bob"):
            bench.tell(nick, f"score {box}")
    assert bench.keeper().table.announced
    return bench


def history(bench: Bench) -> list[object]:
    (result,) = bench.journal.last_results()
    return [event for _, event in result.events]


@pytest.mark.parametrize("numeric", [404, 408, 415, 477, 439])
def test_a_result_that_was_refused_does_not_count_as_told_and_can_be_had_with_scores(numeric: int) -> None:
    bench = played()
    assert bench.refuse(numeric, CHANNEL, "Cannot send to channel") == []
    assert not bench.keeper().table.announced
    assert history(bench)[-2:] == [Announced(), Unheard()]
    assert "Final result: " in "".join(to(bench.tell("alice", "scores"), "alice"))
    assert bench.pass_(3600) == []


def test_more_refusals_for_lines_that_left_together_change_nothing() -> None:
    bench = played()
    for _ in range(5):
        assert bench.refuse(404, CHANNEL) == []
    assert history(bench)[-2:] == [Announced(), Unheard()]


def test_it_is_told_when_the_host_comes_into_the_channel_again_and_after_a_restart() -> None:
    bench = played()
    bench.refuse(404, CHANNEL)
    later = Bench(bench.config, bench.journal, start=1000)
    assert "Final result: " in "".join(to(later.connect("alice", "bob"), CHANNEL))
    assert later.keeper().table.announced
    later.refuse(404, CHANNEL)
    assert not later.keeper().table.announced
    assert later.pass_(3600) == []
    assert "Final result: " in "".join(to(later.connect("alice", "bob"), CHANNEL))


def test_a_result_of_two_lines_is_in_doubt_as_a_whole() -> None:
    bench = played(f'{{"{CHANNEL}": {{prizes: {{first: a mug}}}}}}')
    assert any("Prizes: " in text for _, text, _ in bench.wire.sent)
    bench.refuse(404, CHANNEL)
    assert not bench.keeper().table.announced


def test_a_result_whose_first_line_was_refused_is_not_told_by_its_last() -> None:
    bench = played(f'{{"{CHANNEL}": {{prizes: {{first: a mug}}}}}}')
    bench.desk._voice.outbox.set_pace(1, 1, 2000)
    before = len(bench.wire.sent)
    bench.say("boss", "!amend alice chance 30 recount", mask=BOSS)
    while "Final result: " not in bench.wire.sent[-1][1]:
        bench.pass_(0.5)
    bench.refuse(404, CHANNEL)
    bench.pass_(30)
    assert any("Prizes: " in text for _, text, _ in bench.wire.sent[before:])
    assert not bench.keeper().table.announced


def test_a_refusal_long_after_is_not_about_the_result() -> None:
    bench = played()
    bench.pass_(60)
    bench.say("boss", "!say hello", mask=BOSS)
    bench.refuse(404, CHANNEL)
    assert bench.keeper().table.announced


def test_a_refusal_while_nothing_was_said_is_about_nothing() -> None:
    bench = Bench()
    bench.connect("alice")
    assert bench.refuse(404, CHANNEL) == []
    assert bench.refuse(473, "#elsewhere", "Cannot join channel") == []


def test_a_line_with_colours_is_said_once_more_in_plain_words() -> None:
    bench = Bench()
    bench.connect("alice")
    bench.desk._voice.at_once(CHANNEL, "\x0304,01red\x0f and \x02bold\x02")
    assert bench.refuse(408, CHANNEL, "You cannot use colors") == [f"{CHANNEL}: red and bold"]
    assert bench.refuse(408, CHANNEL, "You cannot use colors") == []


def test_the_next_lobby_says_that_the_result_is_of_no_interest_any_more() -> None:
    bench = played()
    bench.refuse(404, CHANNEL)
    bench.say("alice", "!join")
    assert "Final result" not in "".join(bench.connect("alice", "bob"))


def test_a_moderated_channel_is_one_line_of_the_log(caplog: pytest.LogCaptureFixture) -> None:
    bench = played()
    with caplog.at_level(logging.INFO, "host.bounces"):
        for _ in range(5):
            bench.say("boss", "!say hello", mask=BOSS)
            bench.refuse(404, CHANNEL, "Cannot send to channel")
            bench.pass_(60)
    (record,) = caplog.records
    assert record.getMessage() == "the server refused a line"
    fields = vars(record)
    assert (fields["network"], fields["target"], fields["numeric"]) == ("local", CHANNEL, 404)
    assert fields["text"] == "Cannot send to channel"
    assert fields["of_last"] > 1
