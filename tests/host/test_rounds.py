"""What a round is for players: dice, clocks, and the two paces."""

from __future__ import annotations

import pytest

from game.category import Category
from host.table import Phase
from tests.support.bench import CHANNEL, Bench, config, to


def bench(*nicks: str, **keys: object) -> Bench:
    settings = ", ".join(f"{key}: {value}" for key, value in keys.items())
    made = Bench(config(f'{{"{CHANNEL}": {{{settings}}}}}'))
    made.connect(*nicks)
    made.begin(*nicks)
    return made


def score_any(b: Bench, nick: str) -> list[str]:
    """Score in the first box that may be used."""
    table = b.keeper().table
    seat = next(n for n, s in enumerate(table.seats) if s.nick == nick)
    options = table.play.cards[seat].options(table.play.turns[seat].cup)
    return b.tell(nick, f"score {next(iter(options)).value}")


# --- free pace ---


def test_kept_dice_stay_in_their_places_and_the_others_are_rolled() -> None:
    b = bench("alice", repeat_seconds=0)
    before = b.dice("alice")
    b.tell("alice", "keep a c")
    after = b.dice("alice")
    assert (after.round, after.roll) == (1, 2)
    assert after.dice.faces[0] == before.dice.faces[0]
    assert after.dice.faces[2] == before.dice.faces[2]
    fall = b.keeper()._dealer.fall(0, 1, 2)  # type: ignore[union-attr]
    assert [after.dice.faces[n] for n in (1, 3, 4)] == [fall.faces[n] for n in (1, 3, 4)]


def test_keep_and_reroll_say_the_same_thing_two_ways() -> None:
    one, other = bench("alice"), bench("alice")
    one.tell("alice", "keep d e")
    other.tell("alice", "reroll a b c")
    assert one.dice("alice") == other.dice("alice")


def test_no_fourth_roll() -> None:
    b = bench("alice", repeat_seconds=0)
    b.tell("alice", "reroll all")
    b.tell("alice", "reroll all")
    third = b.dice("alice")
    assert third.roll == 3
    assert b.tell("alice", "reroll all") == [f"alice: No roll is left in this round: score the dice. {third}"]
    assert b.dice("alice") == third


def test_standing_spends_no_roll() -> None:
    b = bench("alice")
    dealt = b.dice("alice")
    for line in ("keep all", "reroll none"):
        (answer,) = b.tell("alice", line)
        assert "no roll is spent" in answer
        assert str(dealt) in answer
    assert len(b.journal.unfinished()[0].events) == 5  # opened, seated, began, round, roll


def test_refusals_spend_nothing_and_show_the_dice() -> None:
    b = bench("alice")
    dealt = b.dice("alice")
    missing = next(face for face in range(1, 7) if face not in dealt.dice.faces)
    for line in (
        f"keep {missing}",
        "keep 1 1 1 1 1 1",
        "keep 4 b",
        "score 3",
        "score nothing",
        "keep",
        "keep 7",
    ):
        (answer,) = b.tell("alice", line)
        assert str(dealt) in answer, line
    assert len(b.journal.unfinished()[0].events) == 5


def test_a_used_box_is_refused_with_what_is_possible() -> None:
    b = bench("alice", repeat_seconds=0)
    b.tell("alice", "chance")
    (answer,) = b.tell("alice", "chance")
    assert answer.startswith("alice: Chance is used already (")
    assert "Possible: " in answer
    assert "Chance 1" not in answer.split("Possible")[1]
    assert str(b.dice("alice")) in answer


def test_the_round_closes_when_all_have_scored() -> None:
    b = bench("alice", "bob")
    (echo,) = score_any(b, "alice")
    assert echo.endswith("Waiting for bob.")
    lines = score_any(b, "bob")
    assert len(to(lines, CHANNEL)) == 1
    assert [line.count("Round 2/13, roll 1/3") for line in (*to(lines, "alice"), *to(lines, "bob"))] == [1, 1]


def test_scoring_twice_in_a_round_is_refused() -> None:
    b = bench("alice", "bob")
    b.tell("alice", "chance")
    assert b.tell("alice", "aces") == [
        "alice: You have scored in this round already; the next dice come when the round closes."
    ]


def test_a_reminder_before_the_time_is_up_goes_to_the_undecided_alone() -> None:
    b = bench("alice", "bob")
    b.tell("alice", "chance")
    assert b.pass_(89) == []
    (reminder,) = b.pass_(2)
    assert reminder.startswith("bob: 30 s left! Round 1/13")


def test_at_the_deadline_the_best_box_is_scored_and_everyone_is_told() -> None:
    b = bench("alice", "bob")
    b.tell("alice", "chance")
    table = b.keeper().table
    options = table.play.cards[1].options(table.play.turns[1].cup)
    lines = b.pass_(120)
    best = max(options.values())
    (public,) = to(lines, CHANNEL)
    assert f" {best} ({best})" in public
    assert "bob* " in public
    assert "alice Chance" in public
    assert "* played by the host" in public
    assert any(line.startswith("The host scored ") for line in to(lines, "bob"))


def test_two_misses_running_and_the_game_does_not_wait_any_more() -> None:
    b = bench("alice", "bob")
    for _ in range(2):
        score_any(b, "alice")
        lines = b.pass_(120)
    assert "bob** " in to(lines, CHANNEL)[-1]
    assert "** and away from now on" in to(lines, CHANNEL)[-1]
    lines = score_any(b, "alice")
    assert "bob* " in to(lines, CHANNEL)[0]  # at once
    assert b.keeper().table.play.round == 4


def test_a_miss_after_a_round_that_was_played_is_the_first_again() -> None:
    b = bench("alice", "bob")
    for player in ("nobody", "bob", "nobody"):
        score_any(b, "alice")
        if player == "bob":
            score_any(b, "bob")
        else:
            b.pass_(120)
    assert not b.keeper().table.seats[1].away


@pytest.mark.parametrize("word", ["lol", "dice", "keep all", "!who", "\x01"])
def test_any_word_brings_the_absent_back(word: str) -> None:
    b = bench("alice", "bob")
    for _ in range(2):
        score_any(b, "alice")
        b.pass_(120)
    lines = b.say("bob", "hm") if word == "lol" else b.tell("bob", word)
    assert f"{CHANNEL}: bob is back." in lines
    assert not b.keeper().table.seats[1].away
    score_any(b, "alice")
    assert b.keeper().table.play.round == 3  # waits for bob


def test_all_idle_a_game_ends_in_bounded_time_and_not_in_one_burst() -> None:
    b = bench("alice", "bob")
    b.pass_(120 * 5)
    assert b.keeper().table.play.round == 6
    b.pass_(120 * 8)
    assert b.keeper().table.phase is Phase.OVER


def test_leaving_a_game_hands_the_dice_to_the_host_and_join_brings_back() -> None:
    b = bench("alice", "bob")
    assert to(b.say("bob", "!leave"), CHANNEL) == [
        "bob leaves; the host plays those dice. !join brings bob back."
    ]
    assert b.tell("bob", "chance") == [f"bob: You left this game. !join in {CHANNEL} brings you back."]
    assert "bob* " in to(score_any(b, "alice"), CHANNEL)[0]
    lines = b.say("bob", "!join")
    assert lines[0] == f"{CHANNEL}: bob is back."
    assert "Welcome back. Round 2/13" in lines[1]


def test_when_all_leave_the_game_stops() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!leave")
    assert to(b.say("bob", "!leave"), CHANNEL) == [
        "All players have left; the game ends without a result. !join opens another."
    ]
    assert "opens" in b.say("alice", "!join")[0]


def test_a_line_sent_for_the_dice_before_the_deadline_does_not_hit_the_next_ones() -> None:
    b = bench("alice", "bob")
    b.pass_(120.05)
    new = b.dice("alice")
    assert new.round == 2
    (answer,) = b.tell("alice", "aces")
    assert answer.startswith("alice: Too late")
    assert str(new) in answer
    b.pass_(2)
    assert "Scored Aces" in b.tell("alice", "aces")[0]


def test_a_score_just_before_the_deadline_counts() -> None:
    b = bench("alice", "bob")
    b.pass_(119.95)
    b.tell("alice", "aces")
    b.pass_(1)
    card = b.keeper().table.play.cards[0]
    assert list(card.boxes) == [Category.ACES]


def test_the_last_round_ends_in_the_final_table_and_a_new_game_can_open() -> None:
    b = bench("alice", "bob", repeat_seconds=0)
    for _ in range(13):
        lines = [*score_any(b, "alice"), *score_any(b, "bob")]
    final = to(lines, CHANNEL)[-1]
    totals = {
        seat.nick: card.total
        for seat, card in zip(b.keeper().table.seats, b.keeper().table.play.cards, strict=True)
    }
    for nick, total in totals.items():
        assert f". {nick} {total}" in final
    assert "Thanks" in final
    assert to(b.tell("alice", "scores"), "alice")[0].startswith("Final result: ")
    assert "opens a game" in b.say("bob", "!join")[0]


# --- lockstep ---


def test_in_lockstep_nothing_is_rolled_before_all_holds_are_in() -> None:
    b = bench("alice", "bob", pace="lockstep")
    (noted,) = b.tell("alice", "keep a")
    assert "Waiting for bob" in noted
    assert b.dice("alice").roll == 1
    lines = b.tell("bob", "reroll all")
    assert [b.dice(nick).roll for nick in ("alice", "bob")] == [2, 2]
    assert to(lines, CHANNEL) == []


def test_in_lockstep_the_last_hold_counts() -> None:
    b = bench("alice", "bob", pace="lockstep")
    first = b.dice("alice").dice.faces
    b.tell("alice", "keep a")
    b.tell("alice", "keep b c")
    b.tell("bob", "keep all")
    then = b.dice("alice").dice.faces
    assert then[1:3] == first[1:3]
    fall = b.keeper()._dealer.fall(0, 1, 2).faces  # type: ignore[union-attr]
    assert (then[0], *then[3:]) == (fall[0], *fall[3:])


def test_in_lockstep_time_up_rolls_for_all_and_the_silent_keep_theirs() -> None:
    b = bench("alice", "bob", pace="lockstep")
    before = b.dice("bob").dice
    b.tell("alice", "reroll all")
    lines = b.pass_(120)
    assert b.dice("alice").roll == 2
    assert b.dice("bob").roll == 2
    assert b.dice("bob").dice == before
    assert any("Time was up, so you keep all five." in line for line in to(lines, "bob"))


def test_in_lockstep_scores_are_collected_and_the_last_one_counts() -> None:
    b = bench("alice", "bob", pace="lockstep", repeat_seconds=0)
    for _ in range(2):
        b.tell("alice", "reroll all")
        b.tell("bob", "reroll all")
    assert b.dice("alice").roll == 3
    assert "may still change" in b.tell("alice", "chance")[0]
    b.tell("alice", "aces")
    lines = b.tell("bob", "chance")
    assert to(lines, CHANNEL)[0].startswith("Round 1/13: alice Aces ")


def test_in_lockstep_scoring_early_is_allowed_and_sits_out_the_rolls() -> None:
    b = bench("alice", "bob", pace="lockstep", repeat_seconds=0)
    b.tell("alice", "chance")
    early = b.dice("alice")
    b.tell("bob", "reroll all")
    assert b.dice("bob").roll == 2
    assert b.dice("alice") == early
    (refused,) = b.tell("alice", "keep a")
    assert "others have rolled on" in refused
    b.tell("bob", "chance")
    card = b.keeper().table.play.cards[0]
    assert card.boxes == {Category.CHANCE: early.dice.total}


def test_in_lockstep_an_early_choice_can_become_a_hold_again_before_the_roll() -> None:
    b = bench("alice", "bob", pace="lockstep")
    b.tell("alice", "chance")
    b.tell("alice", "keep a")
    b.tell("bob", "keep a")
    assert b.dice("alice").roll == 2


def test_in_lockstep_all_scoring_at_once_ends_the_round() -> None:
    b = bench("alice", "bob", pace="lockstep")
    b.tell("alice", "chance")
    lines = b.tell("bob", "chance")
    assert to(lines, CHANNEL)[0].startswith("Round 1/13: ")
    assert b.keeper().table.play.round == 2


def test_in_lockstep_the_absent_are_not_waited_for() -> None:
    b = bench("alice", "bob", pace="lockstep", repeat_seconds=0)
    for _ in range(2):
        score_any(b, "alice")
        b.pass_(120 * 3)
    assert b.keeper().table.seats[1].away
    score_any(b, "alice")
    assert b.keeper().table.play.round == 4
