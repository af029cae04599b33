"""When the host is silent: doubled lines, small talk, and programs that answer every line."""

from __future__ import annotations

import pytest

from chat.events import User
from host.manners import Doubles, Manners, Meter, Patience
from tests.support.bench import CHANNEL, Bench, config, to

ANSWERS = 5
QUIET = "I will be quiet"


def bench(*nicks: str, **keys: object) -> Bench:
    """A bench where nothing is on."""
    settings = ", ".join(f"{key}: {value}" for key, value in keys.items())
    made = Bench(config(f'{{"{CHANNEL}": {{{settings}}}}}'))
    made.connect(*nicks)
    return made


def game(*nicks: str, **keys: object) -> Bench:
    made = bench(*nicks, **keys)
    made.begin(*nicks)
    return made


def rolls(b: Bench, nick: str) -> int:
    return b.dice(nick).roll


def used(b: Bench, seat: int = 0) -> int:
    return len(b.keeper().table.play.cards[seat].boxes)


# --- a line sent twice ---


def test_a_line_again_within_the_time_is_a_double() -> None:
    doubles = Doubles()
    assert doubles.again("p", "k44", 10) is None
    doubles.accepted("p", "k44", "#y", 10, within=2)
    assert doubles.again("p", "k44", 11.9) == "#y"
    assert doubles.again("p", "k44", 12) is None
    assert doubles.again("p", "k4", 11) is None
    assert doubles.again("q", "k44", 11) is None


def test_where_programs_play_nothing_is_a_double() -> None:
    doubles = Doubles()
    doubles.accepted("p", "k44", "#y", 10, within=0)
    assert doubles.again("p", "k44", 10) is None


def test_two_lines_that_are_both_sent_twice_are_both_doubles() -> None:
    doubles = Doubles()
    doubles.accepted("p", "r26", "#y", 10, within=2)
    doubles.accepted("p", "k44", "#y", 10, within=2)
    assert doubles.again("p", "r26", 10.1) == "#y"
    assert doubles.again("p", "k44", 10.1) == "#y"


def test_doubles_of_many_people_are_not_remembered_for_ever() -> None:
    doubles = Doubles()
    for n in range(5000):
        doubles.accepted(f"p{n}", "k44", "#y", n, within=2)
    assert len(doubles._accepted) <= 1100
    assert doubles.again("p4999", "k44", 5000) == "#y"


@pytest.mark.parametrize("pause", [0, 0.08, 1.9])
def test_a_doubled_reroll_is_one_roll(pause: float) -> None:
    b = game("alice", "bob")
    b.tell("alice", "reroll all")
    dice = b.dice("alice")
    b.pass_(pause)
    (answer,) = b.tell("alice", "reroll all")
    assert answer.startswith("alice: That was already done.")
    assert str(dice) in answer
    assert b.dice("alice") == dice
    assert rolls(b, "alice") == 2


def test_the_same_line_later_counts() -> None:
    b = game("alice", "bob")
    b.tell("alice", "reroll all")
    b.pass_(2)
    b.tell("alice", "reroll all")
    assert rolls(b, "alice") == 3


def test_doubles_are_compared_without_their_dress() -> None:
    b = game("alice", "bob")
    b.tell("alice", "reroll all")
    for line in ("Reroll  ALL ", "\x02reroll\x02 all", "!reroll all"):
        assert "already done" in b.tell("alice", line)[0], line
    assert "already done" in b.say("alice", "!reroll all")[0]
    assert rolls(b, "alice") == 2


def test_programs_may_mean_the_same_line_twice() -> None:
    b = game("alice", "bob", repeat_seconds=0)
    b.tell("alice", "reroll all")
    b.tell("alice", "reroll all")
    assert rolls(b, "alice") == 3
    assert "No roll is left" in b.tell("alice", "reroll all")[0]


def test_a_longer_time_is_kept_to() -> None:
    b = game("alice", "bob", repeat_seconds=10)
    b.tell("alice", "reroll all")
    b.pass_(9.9)
    b.tell("alice", "reroll all")
    assert rolls(b, "alice") == 2
    b.pass_(0.1)
    b.tell("alice", "reroll all")
    assert rolls(b, "alice") == 3


def test_a_doubled_score_is_one_box_while_others_play() -> None:
    b = game("alice", "bob")
    b.tell("alice", "score chance")
    b.pass_(0.08)
    (answer,) = b.tell("alice", "score chance")
    assert "Chance" in answer
    assert used(b) == 1


def test_a_doubled_score_is_one_box_when_the_next_round_has_begun() -> None:
    b = game("alice")
    b.tell("alice", "score fh")
    dice = b.dice("alice")
    assert dice.round == 2
    b.pass_(0.08)
    # The box is used, so that a second score would be refused; a doubled roll would be lost.
    (answer,) = b.tell("alice", "score fh")
    assert answer.startswith("alice: That was already done.")
    assert str(dice) in answer
    assert used(b) == 1
    assert b.keeper().table.play.round == 2


def test_a_doubled_line_that_begins_the_next_round_scores_nothing_there() -> None:
    b = game("alice", "bob", repeat_seconds=2)
    b.tell("alice", "score chance")
    b.tell("bob", "score chance")
    b.pass_(0.08)
    assert "already done" in b.tell("bob", "score chance")[0]
    assert b.keeper().table.play.round == 2
    assert (used(b, 0), used(b, 1)) == (1, 1)


def test_another_line_between_makes_it_no_double() -> None:
    b = game("alice", "bob")
    b.tell("alice", "reroll a")
    b.tell("alice", "reroll b")
    b.tell("alice", "reroll a")
    assert rolls(b, "alice") == 3


def test_a_refused_line_is_no_double_and_is_refused_again() -> None:
    b = game("alice", "bob")
    first = b.tell("alice", "keep 1 1 1 1 1 1")
    assert first == b.tell("alice", "keep 1 1 1 1 1 1")
    assert "You named" in first[0]


def test_two_players_may_say_the_same() -> None:
    b = game("alice", "bob")
    b.tell("alice", "reroll all")
    b.tell("bob", "reroll all")
    assert (rolls(b, "alice"), rolls(b, "bob")) == (2, 2)


def test_a_double_never_reaches_another_table() -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}'))
    b.connect("alice", "bob")
    b.begin("alice", "bob")
    b.begin("alice", channel="#other")
    b.tell("alice", f"{CHANNEL} score chance")
    # Now one table waits, and the line goes there; its double must not go anywhere else.
    b.pass_(5)
    b.tell("alice", "score fh")
    b.tell("bob", "score fh")
    assert b.keeper().table.play.round == 2
    assert "already done" in b.tell("alice", "score fh")[0]
    assert used(b) == 1


# --- patience ---


def test_patience_wears_out_and_comes_back() -> None:
    manners = Manners(3, 60)
    heard = [manners.misunderstood("p", now) for now in (0, 1, 2, 3, 4)]
    assert heard == [Patience.ANSWER, Patience.ANSWER, Patience.LAST_ANSWER, *[Patience.SILENCE] * 2]
    assert manners.misunderstood("q", 4) is Patience.ANSWER
    manners.understood("p")
    assert manners.misunderstood("p", 5) is Patience.ANSWER


def test_patience_comes_back_with_time_and_not_while_the_nonsense_goes_on() -> None:
    manners = Manners(2, 60)
    manners.misunderstood("p", 0)
    manners.misunderstood("p", 0)
    for now in range(50, 1000, 50):
        assert manners.misunderstood("p", now) is Patience.SILENCE
    assert manners.misunderstood("p", 950 + 60) is Patience.ANSWER


def test_moods_of_many_people_are_not_remembered_for_ever() -> None:
    manners = Manners(2, 60)
    for n in range(5000):
        manners.misunderstood(f"p{n}", n)
    assert len(manners._moods) <= 1100
    assert manners.misunderstood("p4999", 5000) is Patience.LAST_ANSWER


def test_a_player_who_makes_no_sense_is_answered_a_few_times_only() -> None:
    b = game("alice", "bob")
    answers = [b.tell("alice", f"gibberish {n}") for n in range(20)]
    assert all(len(heard) == 1 for heard in answers[:ANSWERS])
    assert all("I do not know" in heard[0] for heard in answers[: ANSWERS - 1])
    assert QUIET in answers[ANSWERS - 1][0]
    assert answers[ANSWERS:] == [[]] * (20 - ANSWERS)
    # Others are answered as ever.
    assert b.tell("bob", "gibberish") != []


def test_something_understood_makes_the_host_listen_again() -> None:
    b = game("alice", "bob")
    for n in range(10):
        b.tell("alice", f"gibberish {n}")
    assert "[" in b.tell("alice", "dice")[0]
    assert "I do not know" in b.tell("alice", "gibberish")[0]


def test_a_play_is_served_however_much_nonsense_came_before() -> None:
    b = game("alice", "bob")
    for n in range(10):
        b.tell("alice", f"gibberish {n}")
    assert b.tell("alice", "reroll all") != []
    assert rolls(b, "alice") == 2


def test_a_program_that_answers_every_line_does_not_talk_for_ever() -> None:
    b = game("alice", "bob")
    heard = b.tell("alice", "what is this")
    exchanged = 0
    while heard and exchanged < 100:
        exchanged += 1
        heard = b.tell("alice", f"Error: {to(heard, 'alice')[0]}")
    assert exchanged <= ANSWERS


def test_a_nick_that_changes_does_not_make_the_host_patient_again() -> None:
    b = game("alice", "bob")
    for n in range(10):
        b.tell("alice", f"gibberish {n}")
    b.rename("alice", "al")
    assert b.tell("al", "gibberish", mask=User("al", "~alice", "example.org")) == []


@pytest.mark.parametrize("seed", [2, 3])
def test_a_greeting_of_a_player_costs_no_box_that_would_pay_nothing(seed: int) -> None:
    b = Bench(seed=bytes([seed]) * 32)
    b.connect("alice", "bob")
    b.begin("alice", "bob")
    assert b.keeper().table.play.turns[0].cup.longest_run() < 5
    assert b.tell("alice", "hi") == [
        f"alice: Hello! If you meant the box Large Straight (0 now), say score ls. {b.dice('alice')}"
    ]
    assert used(b) == 0
    b.tell("alice", "score hi")
    assert used(b) == 1


def test_a_high_straight_is_scored_by_its_short_name() -> None:
    for number in range(500):
        b = Bench(seed=number.to_bytes(32))
        b.connect("alice", "bob")
        b.begin("alice", "bob")
        if b.keeper().table.play.turns[0].cup.longest_run() == 5:
            break
    assert "Large Straight 40" in b.tell("alice", "hi")[0]


# --- answers that change nothing ---


def test_answers_come_at_once_and_then_at_a_rate() -> None:
    meter = Meter(3, 2)
    heard = [meter.asked("p", 0) for _ in range(6)]
    assert heard == [Patience.ANSWER, Patience.ANSWER, Patience.LAST_ANSWER, *[Patience.SILENCE] * 3]
    assert meter.asked("q", 0) is Patience.ANSWER
    # Silence is not paid for: who was cut off may ask again in time, however much they asked meanwhile.
    assert meter.asked("p", 4.1) is not Patience.SILENCE
    assert [meter.asked("p", 100 + n) for n in range(0, 60, 2)] == [Patience.ANSWER] * 30


def test_who_asks_without_end_is_told_so_once_and_may_still_play() -> None:
    b = game("alice", "bob", round_seconds=600)
    heard = [b.tell("alice", line) for line in ("dice", "time") * 150]
    assert 195 <= sum(map(len, heard)) <= 200
    assert len([line for lines in heard for line in lines if "faster than I can answer" in line]) == 1
    assert heard[-1] == []
    assert "roll 2/3" in b.tell("alice", "reroll all")[0]
    assert b.tell("bob", "dice") != []
    b.pass_(120)
    assert "[" in b.tell("alice", "dice")[0]
