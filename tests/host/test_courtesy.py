"""What makes a host pleasant: it says what happened, takes no question for an order, and shuts nobody out."""

from __future__ import annotations

import re

import pytest

from game.category import Category
from game.dice import Dice
from game.match import Chose, Match, Pace, Rolled, RoundBegan, RoundEnded
from game.rules import HASBRO
from host import views
from host.events import Occupant, TableSettings
from host.table import Phase, Seat, Table
from host.wording.public import public
from protocol.tags import Placing
from tests.support.bench import CHANNEL, HOST, Bench, config, to


def bench(*nicks: str, channel: str = "{repeat_seconds: 0}") -> Bench:
    made = Bench(config(f'{{"{CHANNEL}": {channel}}}'))
    made.connect(*nicks)
    made.begin(*nicks)
    return made


def test_a_game_that_all_have_left_alone_shuts_nobody_out() -> None:
    b = bench("alice", "bob")
    b.quit("alice")
    b.quit("bob")
    b.pass_(240)
    assert not b.keeper().table.attended
    b.join("zoe")
    lines = to(b.say("zoe", "!join"), CHANNEL)
    assert [line for line in lines if line.startswith("Round")][-1].startswith("Round 13/13: ")
    assert len(Placing.find(next(line for line in lines if line.startswith("Final")))) == 2
    assert lines[-1].startswith("zoe opens a game")


def test_an_unattended_game_goes_by_the_clock_while_nobody_else_wants_to_play() -> None:
    b = bench("alice", "bob")
    b.pass_(240)
    b.join("alice")
    assert b.keeper().table.attended
    b.pass_(240)
    b.say("bob", "hm")
    assert to(b.say("bob", "!join"), "bob")[0].startswith("You have a seat already.")
    assert b.keeper().table.phase is Phase.PLAYING


def test_the_upper_bonus_is_seen_when_it_comes() -> None:
    cards = {Category.SIXES: 24, Category.FIVES: 20, Category.FOURS: 16}
    table = Table(TableSettings(), Phase.PLAYING, seats=(Seat(Occupant("p", "alice")),))
    match = Match.of(HASBRO, Pace.FREE, 1)
    match = Match(match.pace, (match.cards[0].__class__(HASBRO, cards),), match.turns)
    for event in (RoundBegan(4), Rolled(0, 1, frozenset(), Dice((3, 3, 3, 1, 2))), Chose(0, Category.THREES)):
        match = match.after(event)
    match = match.after(match.entry(0)).after(RoundEnded(4))
    table = Table(table.settings, Phase.PLAYING, seats=table.seats, match=match)
    (line,) = views.round_result(table, table).lines
    assert (line.points, line.bonus, line.total) == (9, 35, 104)
    assert public(views.round_result(table, table), "!").items[0] == "alice Threes 9+35 (104)"
    assert views.entered(table, 0).bonus == 35


def test_the_end_is_told_to_each_player() -> None:
    b = bench("alice", "bob")
    for _ in range(13):
        for nick, seat in (("alice", 0), ("bob", 1)):
            turn, card = b.keeper().table.play.turns[seat], b.keeper().table.play.cards[seat]
            lines = b.tell(nick, f"score {next(iter(card.options(turn.cup))).value}")
    for nick in ("alice", "bob"):
        (line,) = to(lines, nick)
        placing = next(row for row in Placing.find(to(lines, CHANNEL)[-1]) if row.nick == nick)
        assert line.endswith(f"The game is over: place {placing.place} of 2 with {placing.total} points.")
    assert to(lines, "bob")[0].startswith("Scored ")


def test_leaving_is_answered_where_it_was_said() -> None:
    b = bench("alice", "bob")
    assert to(b.tell("alice", "leave"), "alice") == [
        "You left the game; the host plays your dice. join brings you back."
    ]


@pytest.mark.parametrize("line", ["chance?", "keep all?", "reroll all ?", "leave?", "fh ?"])
def test_a_question_does_nothing(line: str) -> None:
    b = bench("alice", "bob")
    before = b.keeper().table
    (answer,) = b.tell("alice", line)
    assert "A question does nothing" in answer
    assert b.keeper().table == before


def test_a_question_about_a_box_is_answered() -> None:
    b = bench("alice")
    total = b.dice("alice").dice.total
    assert f"It would pay {total} now." in b.tell("alice", "chance?")[0]


@pytest.mark.parametrize("line", ["yahtzee!", "hi", "yah", "lo", "big", "house"])
def test_what_may_be_talk_spends_no_box_for_nothing(line: str) -> None:
    b = bench("alice")
    before = b.keeper().table
    assert b.dice("alice").dice.longest_run() < 4
    (answer,) = b.tell("alice", line)
    assert answer.startswith("alice: Hello! If you meant the box ")
    assert b.keeper().table == before


def test_a_seat_taken_in_private_is_confirmed_there() -> None:
    b = Bench()
    b.connect("alice", "bob")
    b.say("alice", "!join")
    assert b.tell("bob", "$") == [
        f"{CHANNEL}: bob joins (2 of 12 seats).",
        "bob: Should you lose your connection, return token00002 brings you back to this seat from anywhere.",
        "bob: alice and bob (2 of 12 seats); the game starts in 60 s, or when alice says start.",
    ]


def test_the_host_can_be_spoken_to_by_name() -> None:
    b = bench("alice")
    assert str(b.dice("alice")) in b.say("alice", f"{HOST}: dice")[0]
    assert "Scored Chance" in to(b.say("alice", f"{HOST.lower()}, chance"), "alice")[0]
    assert b.say("alice", f"{HOST}s: chance") == []


def test_the_first_hint_keeps_a_run_together() -> None:
    for seed in range(60):
        made = Bench(config(), seed=bytes([seed]) * 32)
        made.connect("alice")
        made.begin("alice")
        dice = made.dice("alice").dice
        line = next(text for target, text, _ in made.wire.sent if target == "alice" and "You may say" in text)
        kept = re.search(r"keep ([1-6 ]+),", line)
        assert kept
        faces = list(map(int, kept[1].split()))
        dice.find(faces)
        if dice.longest_run() == 4:
            assert len(faces) == 4
            assert len(set(faces)) == 4


def test_a_space_after_the_prefix_does_not_matter_where_a_command_follows() -> None:
    b = Bench()
    b.connect("alice")
    assert "alice opens a game" in b.say("alice", "! join")[0]
    assert b.say("alice", "! well, who knows") == []


def test_score_with_an_exclamation_mark_is_meant() -> None:
    b = bench("alice")
    assert "Scored Yahtzee 0" in to(b.tell("alice", "score yahtzee!"), "alice")[0]


def test_results_that_wait_are_said_before_the_host_goes() -> None:
    b = Bench(config(send="{burst: 1, seconds: 10}"))
    b.connect("alice", "bob")
    b.begin("alice", "bob")
    b.tell("alice", "chance")
    b.tell("bob", "chance")
    before = len(b.wire.sent)
    b.desk.announce("Farewell.")
    said = [text for target, text, _ in b.wire.sent[before:] if target == CHANNEL]
    assert said[-2].startswith("Round 1/13: ")
    assert said[-1] == "Farewell."
    assert [target for target, _, _ in b.wire.sent[before:] if target != CHANNEL] == []


@pytest.mark.parametrize("length", [9, 16, 30])
def test_eight_players_have_one_line_a_round(length: int) -> None:
    nicks = [letter * length for letter in "abcdefgh"]
    b = bench(*nicks)
    said = []
    for _ in range(13):
        for seat, nick in enumerate(nicks):
            turn, card = b.keeper().table.play.turns[seat], b.keeper().table.play.cards[seat]
            said += to(b.tell(nick, next(iter(card.options(turn.cup))).value), CHANNEL)
    assert [line.split(":")[0] for line in said[:13]] == [f"Round {number}/13" for number in range(1, 14)]
    assert said[13].startswith("Final result")
