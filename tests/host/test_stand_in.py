"""Who is away is played for sensibly, marked, and takes the card back at a word."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from game.dice import Dice
from game.match import ROLLS, Chose, Held, Rolled, RoundEnded, Scored
from game.rules import HASBRO
from game.scorecard import Scorecard
from game.standin import best_box
from host.advice import Turns
from host.events import Event, Left
from host.table import Phase, Table
from solver.advice import Box, Hold
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config, to


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def bench(turns: Turns, *nicks: str, **keys: object) -> Bench:
    settings = ", ".join(f"{key}: {value}" for key, value in (keys | {"repeat_seconds": 0}).items())
    made = Bench(config(f'{{"{CHANNEL}": {{{settings}}}}}'), turns=turns)
    made.connect(*nicks)
    made.begin(*nicks)
    return made


def score_any(b: Bench, nick: str = "alice") -> list[str]:
    """Score in the first box that may be used."""
    table = b.keeper().table
    seat = next(n for n, s in enumerate(table.seats) if s.nick == nick)
    options = table.play.cards[seat].options(table.play.turns[seat].cup)
    return b.tell(nick, f"score {next(iter(options)).value}")


def events_of(b: Bench) -> list[Event]:
    """What the journal has of the game; read back, it gives the same table."""
    history = b.journal.history(b.keeper().table.game)
    assert history is not None
    table = Table(b.keeper().settings)
    for at, event in history.events:
        table = table.after(event, at)
    assert table == b.keeper().table
    return [event for _, event in history.events]


def check_perfect(events: Sequence[Event], seat: int, turns: Turns) -> int:
    """Every decision for the seat was the best one; the number of rolls that it took."""
    card, dice, rolls, rolled = Scorecard(HASBRO), Dice((1,) * 5), 0, 0
    for event in events:
        turn = turns(card)
        match event:
            case Rolled(number, roll, _, fallen) if number == seat:
                dice, rolls, rolled = fallen, roll, rolled + 1
            case Held(number, kept) if number == seat:
                assert turn is not None
                best = turn.advice(dice, ROLLS - rolls).best
                assert isinstance(best, Hold)
                assert sorted(dice.at(kept)) == list(best.kept)
            case Scored(number, category, by_host=by_host) if number == seat:
                assert turn is not None
                best = turn.advice(dice, ROLLS - rolls).best
                assert isinstance(best, Box)
                assert (category, by_host) == (best.category, True)
                card = card.score(dice, category)
            case Chose(number) if number == seat:
                raise AssertionError("the host does not choose in a player's name")
    return rolled


def test_at_the_deadline_the_box_is_the_one_that_is_best_for_the_game(turns: Turns) -> None:
    nicks = [f"player{number}" for number in range(12)]
    b = bench(turns, *nicks)
    dice = [turn.cup for turn in b.keeper().table.play.turns]
    lines = to(b.pass_(120), CHANNEL)
    assert "* played by the host" in " ".join(lines)
    empty = turns(Scorecard(HASBRO))
    assert empty is not None
    best = [empty.advice(fallen, 0).boxes[0].category for fallen in dice]
    assert [next(iter(card.boxes)) for card in b.keeper().table.play.cards] == best
    assert best != [best_box(Scorecard(HASBRO), fallen) for fallen in dice]


def test_without_the_values_the_best_paying_box_is_scored_for_the_dice_as_they_lie() -> None:
    b = bench(lambda card: None, "alice", "bob")
    b.say("bob", "!leave")
    dice = b.keeper().table.play.turns[1].cup
    score_any(b)
    assert list(b.keeper().table.play.cards[1].boxes) == [best_box(Scorecard(HASBRO), dice)]


def test_for_who_leaves_the_host_plays_to_the_end(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.say("bob", "!leave")
    for _ in range(13):
        lines = score_any(b)
        assert "bob* " in to(lines, CHANNEL)[0]
        assert to(lines, "bob") == []
    assert b.keeper().table.phase is Phase.OVER
    assert check_perfect(events_of(b), 1, turns) > 26


@pytest.mark.parametrize("rolls", [1, 2, 3])
def test_in_lockstep_as_well_whenever_the_others_score(turns: Turns, rolls: int) -> None:
    b = bench(turns, "alice", "bob", "carol", pace="lockstep")
    b.say("bob", "!leave")
    for _ in range(13):
        for _ in range(rolls - 1):
            b.tell("alice", "reroll all")
            b.tell("carol", "reroll all")
        score_any(b)
        lines = score_any(b, "carol")
        assert "bob* " in to(lines, CHANNEL)[0]
    assert b.keeper().table.phase is Phase.OVER
    assert check_perfect(events_of(b), 1, turns) > 26


def test_who_comes_back_in_the_middle_of_a_round_has_all_rolls_left(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.say("bob", "!leave")
    score_any(b)
    lines = b.say("bob", "!join")
    assert "Welcome back. Round 2/13, roll 1/3" in " ".join(to(lines, "bob"))
    score_any(b)
    assert b.keeper().table.play.round == 2
    b.tell("bob", "reroll all")
    b.tell("bob", "reroll all")
    assert b.dice("bob").roll == 3
    lines = score_any(b, "bob")
    assert "bob* " not in to(lines, CHANNEL)[0]
    assert "bob " in to(lines, CHANNEL)[0]


def test_in_lockstep_who_comes_back_goes_on_from_the_dice_that_the_host_rolled(turns: Turns) -> None:
    b = bench(turns, "alice", "bob", "carol", pace="lockstep")
    b.say("bob", "!leave")
    b.tell("alice", "reroll all")
    b.tell("carol", "reroll all")
    turn = b.keeper().table.play.turns[1]
    assert turn.roll == 2
    assert str(b.say("bob", "!join")).count("roll 2/3") == 1
    assert b.dice("bob").dice == turn.cup
    for nick in ("alice", "bob", "carol"):
        b.tell(nick, "keep a")
    assert b.dice("bob").dice.faces[0] == turn.cup.faces[0]
    for nick in ("alice", "carol", "bob"):
        score_any(b, nick)
    scored = [event for event in events_of(b) if isinstance(event, Scored) and event.seat == 1]
    assert [event.by_host for event in scored] == [False]


def test_what_a_player_noted_before_leaving_counts(turns: Turns) -> None:
    b = bench(turns, "alice", "bob", "carol", pace="lockstep")
    b.tell("bob", "keep a b")
    first = b.keeper().table.play.turns[1].cup
    b.say("bob", "!leave")
    b.tell("alice", "reroll all")
    b.tell("carol", "reroll all")
    assert b.keeper().table.play.turns[1].cup.faces[:2] == first.faces[:2]
    held = [event for event in events_of(b) if isinstance(event, Held) and event.seat == 1]
    assert [event.kept for event in held] == [frozenset({0, 1})]


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_who_sleeps_is_played_for_and_a_word_brings_them_back(turns: Turns, pace: str) -> None:
    b = bench(turns, "alice", "bob", pace=pace)
    while not b.keeper().table.seats[1].away:
        score_any(b)
        b.pass_(120)
    events = events_of(b)
    for _ in range(4):
        lines = score_any(b)
        entry = [event for event in events_of(b) if isinstance(event, Rolled) and event.seat == 1][-2]
        shown = (
            f" Its dice were {' '.join(map(str, entry.dice.faces))}. Round " if entry.roll > 1 else ". Round "
        )
        assert shown in to(lines, "bob")[0]
    held = [event for event in events_of(b)[len(events) :] if isinstance(event, Held)]
    assert held
    assert {event.seat for event in held} == {1}
    number = b.keeper().table.play.round
    b.say("bob", "I am here")
    score_any(b)
    assert b.keeper().table.play.round == number
    assert b.dice("bob").roll == 1


@pytest.mark.parametrize("pace", ["free", "lockstep"])
@pytest.mark.parametrize("house", [0, 1])
def test_a_game_that_all_have_left_alone_ends(turns: Turns, pace: str, house: int) -> None:
    b = bench(turns, "alice", "bob", pace=pace, house=f"{{seats: {house}}}")
    b.pass_(120 * 7)
    played = b.keeper().table.play.round
    assert played > 1
    b.pass_(120 * 3 * 13)
    assert b.keeper().table.phase is Phase.OVER
    assert len([event for event in events_of(b) if isinstance(event, RoundEnded)]) == 13


def test_it_is_played_to_its_end_at_once_when_somebody_else_comes(turns: Turns) -> None:
    b = bench(turns, "alice", "bob", pace="lockstep")
    b.pass_(120 * 10)
    b.join("carol")
    assert "carol opens a game" in " ".join(b.say("carol", "!join"))


def test_the_last_to_leave_ends_the_game(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.say("alice", "!leave")
    b.say("bob", "!leave")
    assert not b.keeper().table.open
    history = b.journal.history("game0001")
    assert history is not None
    assert sum(isinstance(event, Left) for _, event in history.events) == 2
    assert not any(isinstance(event, Scored) for _, event in history.events)
