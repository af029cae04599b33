"""People without a seat: small talk, lines for other bots, and near misses."""

from __future__ import annotations

import pytest

from tests.host.test_manners import ANSWERS, bench, game, rolls, used
from tests.support.bench import CHANNEL, Bench, config

HINT = "I run games of Yahtzee"

SMALL_TALK = (
    "hello there",
    "hi",
    "Hi!",
    "how are you?",
    "what is this",
    "a",
    "bad",
    "4 4",
    "…",
    "!",
    "keep it up",
    "roll over",
    "score",
    "score nothing",
    "three",
)


@pytest.mark.parametrize("line", SMALL_TALK)
def test_small_talk_of_a_stranger_gets_one_hint(line: str) -> None:
    b = bench("alice", "zoe")
    (hint,) = b.tell("zoe", line)
    assert HINT in hint
    assert f"!join in {CHANNEL}" in hint
    for other in SMALL_TALK:
        assert b.tell("zoe", other) == []


def test_the_hint_comes_again_another_day() -> None:
    b = bench("zoe")
    b.tell("zoe", "hello")
    b.pass_(601)
    assert len(b.tell("zoe", "hello")) == 1


def test_a_hint_is_given_in_a_game_of_others_too() -> None:
    b = game("alice", "bob")
    assert HINT in b.tell("zoe", "hello")[0]
    assert b.tell("zoe", "hello") == []


def test_a_stranger_who_asks_for_help_gets_it_after_any_small_talk() -> None:
    b = bench("zoe")
    for line in SMALL_TALK:
        b.tell("zoe", line)
    assert len(b.tell("zoe", "help")) == 2
    assert "style" in b.tell("zoe", "style blue")[0]


OTHER_BOTS = (
    "!hi",
    "!seen bob",
    "!weather Berlin",
    "!kick bob ",
    "!op",
    "!8ball will I win?",
    "!roll 2d6",
    "!roll d20",
    "!add cheese",
    "!bad",
    "!hold",
    "!score",
    "!score home 3",
    "!4",
    "!!!",
    "!",
    "!?",
)


@pytest.mark.parametrize("line", OTHER_BOTS)
def test_a_line_for_another_bot_is_met_with_silence(line: str) -> None:
    b = bench("alice", "zoe")
    assert b.say("zoe", line) == []
    b.begin("alice")
    assert b.say("zoe", line) == []


@pytest.mark.parametrize(
    "line", ["hello", "join", "start!", "keep 4 4", "score chance", ".join", "?help", ""]
)
def test_talk_without_the_prefix_is_not_for_the_host(line: str) -> None:
    b = game("alice", "bob")
    assert b.say("zoe", line) == []
    assert b.say("alice", line) == []
    assert (rolls(b, "alice"), used(b)) == (1, 0)


@pytest.mark.parametrize(
    ("line", "meant"), [("!jion", "join"), ("!jooin", "join"), ("!strat", "start"), ("!hepl", "help")]
)
def test_a_near_miss_in_the_channel_is_answered_in_private(line: str, meant: str) -> None:
    b = bench("zoe")
    (answer,) = b.say("zoe", line)
    assert answer.startswith("zoe: I do not know")
    assert f"Did you mean {meant}" in answer


def test_near_misses_are_not_answered_for_ever() -> None:
    b = bench("zoe")
    answered = [bool(b.say("zoe", "!jion")) for _ in range(10)]
    assert answered == [True] * ANSWERS + [False] * (10 - ANSWERS)


def test_another_prefix_is_kept_to() -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{prefix: "%"}}}}'))
    b.connect("alice")
    assert b.say("alice", "!join") == []
    assert b.say("alice", "%join") != []
    assert "%start" in b.say("alice", "%help lobby")[0]


@pytest.mark.parametrize("line", ["who are you?", "join us", "start now please", "help me out", "style what"])
def test_small_talk_that_begins_with_a_command_is_answered_a_few_times_only(line: str) -> None:
    b = bench("zoe")
    answers = [b.tell("zoe", line) for _ in range(20)]
    assert answers[0] != []
    assert sum(map(len, answers)) <= 6
    assert answers[-1] == []


def test_channels_that_are_not_there_are_asked_about_as_often_as_anything_else() -> None:
    b = bench("zoe")
    answers = [b.tell("zoe", "#nowhere dice") for _ in range(300)]
    assert "no table" in answers[0][0].lower()
    assert sum(map(len, answers)) <= 201
