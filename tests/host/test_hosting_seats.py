"""Players who are taken out, and scores that are put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import User
from game.category import Category
from game.dice import Dice
from game.errors import BoxForbidden
from host import follows
from host.dealer import Dealer
from host.decide import Events
from host.events import Amended
from host.journal import Journal
from host.table import Phase
from protocol.tags import Placing
from tests.host.hosting_tools import bench, boss, game, score_all
from tests.support.bench import CHANNEL, Bench, to

# --- remove ---


def test_a_player_who_is_taken_out_of_a_game_stays_out_of_it() -> None:
    found = bench()
    token = found.say("bob", "!join")[-1].split("return ")[1].split()[0]
    found.say("alice", "!join")
    found.say("bob", "!start")
    lines = boss(found, "remove BOB")
    assert to(lines, CHANNEL)[0] == "boss takes bob out of the game; the host plays those dice."
    assert to(lines, "bob") == ["boss took you out of the game; the host plays your dice from now on."]
    for line in ("join", "chance", "keep a", "leave", f"return {token}"):
        (answer,) = to(found.tell("bob", line), "bob")
        assert answer == "You were taken out of this game; the next one is open to you."
    other = User("rob", "r", "elsewhere.example")
    assert "taken out" in found.tell("rob", f"return {token}", mask=other)[0]
    lines = score_all(found, "alice")
    assert [p.nick for line in to(lines, CHANNEL) for p in Placing.find(line)].count("bob") >= 1
    assert found.keeper().table.phase is Phase.OVER
    assert "bob opens a game" in found.say("bob", "!join")[0]


def test_a_player_who_is_taken_out_of_a_lobby_leaves_a_seat_free() -> None:
    found = bench()
    found.say("alice", "!join")
    found.say("bob", "!join")
    assert to(boss(found, "remove alice"), CHANNEL) == [
        "boss takes alice out of the lobby; bob may !start now."
    ]
    assert to(boss(found, "remove bob"), CHANNEL) == [
        "boss takes bob out of the lobby, and the table closes. !join opens another."
    ]


def test_a_game_whose_players_are_all_taken_out_is_over() -> None:
    found = game()
    boss(found, "remove alice")
    lines = boss(found, "remove bob")
    assert "ends without a result" in to(lines, CHANNEL)[-1]


def test_nobody_of_that_name_is_told_with_the_names_there_are() -> None:
    found = game()
    (answer,) = boss(found, "remove carol")
    assert answer == f'boss: Nobody called "carol" plays in {CHANNEL}. Players: alice, bob.'


# --- amend ---


def test_a_score_is_put_right_for_all_to_see_and_for_the_record() -> None:
    found = game()
    found.tell("alice", "score fours")
    was = found.keeper().table.play.cards[0].total
    (line,) = to(boss(found, "amend alice fours 12 I misread it"), CHANNEL)
    assert line == (f"boss amends alice's Fours from {was} to 12 (I misread it). alice has 12 now.")
    assert "Fours 12" in found.tell("alice", "card")[0]
    lines = found.tell("bob", "score chance")
    assert "alice Fours 12 (12)" in to(lines, CHANNEL)[0]
    (history,) = found.journal.unfinished()
    (event,) = [event for _, event in history.events if isinstance(event, Amended)]
    assert (event.by, event.reason) == ("boss", "I misread it")


def test_an_amendment_that_reaches_63_brings_the_upper_bonus() -> None:
    found = game()
    for box, points in zip(["ac", "tw", "th", "fo", "fi", "si"], (3, 6, 9, 12, 15, 12), strict=True):
        found.tell("alice", f"score {box}")
        found.tell("bob", "score " + box)
        boss(found, f"amend alice {box} {points} test")
    assert found.keeper().table.play.cards[0].upper_bonus == 0
    assert "alice has 98 now" in boss(found, "amend alice sixes 18 one more")[0]


def test_the_last_result_is_put_right_and_told_again(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    found = game(store=store)
    score_all(found, "alice", "bob")
    before = [card.total for card in found.keeper().table.play.cards]
    change = 30 - found.keeper().table.play.cards[1].boxes[Category.CHANCE]
    lines = to(boss(found, "amend bob chance 30 recount"), CHANNEL)
    assert lines[0].startswith("boss amends bob's Chance from ")
    told = {p.nick: p.total for p in Placing.find(lines[1])}
    assert told == {"alice": before[0], "bob": before[1] + change}
    found.journal.close()
    journal = Journal.open(store)
    again = Bench(found.config, journal, start=journal.last_time())
    again.connect("alice", "bob")
    assert f"bob {told['bob']}" in again.tell("alice", "scores")[0]
    journal.close()


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("amend alice fours 13 x", "Fours can never hold 13. Possible: 0, 4, 8, 12, 16 or 20."),
        ("amend alice fours 24 x", "Fours can never hold 24. Possible: 0, 4, 8, 12, 16 or 20."),
        ("amend bob chance 20 x", "bob has not used Chance yet. Used: none."),
        ("amend alice chance 20 x", "alice has not used Chance yet. Used: Fours."),
        ("amend carol chance 20 x", f'Nobody called "carol" plays in {CHANNEL}. Players: alice, bob.'),
        ("amend alice fours", "Say amend NICK BOX POINTS REASON."),
    ],
)
def test_an_amendment_that_cannot_be_is_refused_with_what_can(line: str, answer: str) -> None:
    found = game()
    found.tell("alice", "score fours")
    before = found.keeper().table
    assert to(boss(found, line), "boss") == [answer]
    assert found.keeper().table == before


def test_nothing_can_be_amended_before_there_was_a_game() -> None:
    assert "No game is on" in boss(bench(), "amend alice fours 12 x")[0]


def test_of_two_seats_under_one_nick_the_one_in_sight_is_meant() -> None:
    found = game()
    found.quit("alice")
    found.rename("bob", "alice")
    boss(found, "remove alice")
    assert [seat.removed for seat in found.keeper().table.seats] == [False, True]


def test_nobody_is_taken_out_twice_and_no_house_player_at_all() -> None:
    found = game("repeat_seconds: 0, house: {seats: 1}")
    boss(found, "remove alice")
    assert "Players: bob." in boss(found, "remove alice")[0]
    assert "Players: bob." in boss(found, "remove Pip(house)")[0]


@pytest.mark.parametrize("rules", ["yardzee", "hosted"])
def test_a_choice_that_an_amendment_forbids_is_none_and_its_player_is_told(
    rules: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    fours, others = Dice((4, 4, 4, 4, 4)), Dice((1, 2, 2, 3, 6))
    monkeypatch.setattr(
        Dealer, "fall", lambda self, seat, round, roll: fours if (seat, round) == (0, 2) else others
    )
    found = game(f"repeat_seconds: 0, pace: lockstep, rules: {rules}")
    found.tell("alice", "score yz")
    found.tell("bob", "score ch")
    found.tell("alice", "score ch")
    lines = boss(found, "amend alice yz 50 misread")
    assert "Worth Fours 20" in to(lines, "alice")[0]
    assert "4 4 4 4 4" in found.tell("alice", "dice")[0]
    assert "Scored" not in " ".join(found.tell("bob", "score fh"))
    assert "Possible: Fours 20" in found.tell("alice", "score ch")[0]
    found.tell("alice", "score fours")
    assert found.keeper().table.play.round == 3
    assert found.keeper().table.play.cards[0].yahtzee_bonus == 100


def test_a_table_that_cannot_go_on_can_be_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    found = game()

    def broken(*_: object) -> Events:
        raise BoxForbidden(Category.CHANCE, {})

    monkeypatch.setattr(follows, "consequences", broken)
    found.pass_(130)
    monkeypatch.undo()
    monkeypatch.setattr(follows, "consequences", lambda table, *_: broken() if table.open else ())
    assert "boss stops the game" in boss(found, "stop")[0]
    assert found.journal.unfinished() == []
