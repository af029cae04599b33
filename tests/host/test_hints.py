"""Hints: who gets one, what it says, and who hears of it."""

from __future__ import annotations

import pytest

from game.dice import POSITIONS
from game.match import ROLLS
from host.advice import Turns
from host.events import Hinted
from host.table import Phase
from protocol.tags import DiceTag
from solver.advice import Choice, Hold
from tests.host.test_clerk import play_out
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config, to

PACES = ("free", "lockstep")


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def game(turns: Turns, *nicks: str, keys: str = "repeat_seconds: 0", store: str = "sqlite://") -> Bench:
    made = Bench(config(f'{{"{CHANNEL}": {{{keys}}}}}', store=store), turns=turns)
    made.connect(*nicks)
    made.begin(*nicks)
    return made


def hinted(b: Bench) -> list[int]:
    history = b.journal.history(b.keeper().table.game)
    assert history is not None
    return [event.seat for _, event in history.events if isinstance(event, Hinted)]


@pytest.mark.parametrize("pace", PACES)
def test_a_hint_says_the_best_and_what_the_next_best_costs(turns: Turns, pace: str) -> None:
    b = game(turns, "alice", "bob", keys=f"repeat_seconds: 0, pace: {pace}")
    for roll in range(1, ROLLS + 1):
        (said,) = b.tell("alice", "hint")
        play = b.keeper().table.play
        perfect = turns(play.cards[0])
        assert perfect is not None
        advice = perfect.advice(play.turns[0].cup, ROLLS - roll)
        choices: list[Choice] = [*advice.boxes, *advice.holds]
        lower = sorted(
            (
                one.worth
                for one in choices
                if one != advice.best and not (isinstance(one, Hold) and len(one.kept) == len(POSITIONS))
            ),
            reverse=True,
        )
        assert DiceTag.find(said) == b.dice("alice")
        what = (
            f"keep {' '.join(map(str, advice.best.kept)) or 'none'}"
            if isinstance(advice.best, Hold)
            else f"score {play.cards[0].rules.label(advice.best.category).lower()} ({advice.best.points})"
        )
        assert f"Best: {what}, worth {advice.best.worth:.2f} points to the end." in said
        assert said.endswith(f", which costs {advice.best.worth - lower[0]:.2f}.")
        b.tell("alice", "keep none" if roll < ROLLS else "dice")
        b.tell("bob", "keep none" if roll < ROLLS else "dice")
    # After the third roll there is nothing to keep.
    assert "keep" not in said


def test_what_a_hint_says_can_be_typed(turns: Turns) -> None:
    b = game(turns, "alice")
    while b.keeper().table.phase is Phase.PLAYING:
        (said,) = b.tell("alice", "hint")
        before = b.keeper().table
        b.pass_(5)  # nobody gets very many answers at once
        b.tell("alice", said.split("Best: ")[1].split(",")[0].split(" (")[0])
        assert b.keeper().table.play != before.play, said
    assert b.keeper().table.play.cards[0].total > 100
    assert "Every decision was the best one." in to(b.since(0), "alice")


def test_a_hint_stays_private_and_is_written_down_once(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    for heard in (b.say("alice", "!hint"), b.tell("alice", "hint"), b.say("alice", "Hoster: hint")):
        assert [line.split(":")[0] for line in heard] == ["alice"]
        assert "Best: " in heard[0]
    assert hinted(b) == [0]
    play_out(b, "alice", "bob")
    (final,) = [text for text in to(b.since(0), CHANNEL) if text.startswith("Final result")]
    assert " | With hints: alice | Thanks" in final


def test_where_nobody_had_hints_the_result_says_nothing_of_them(turns: Turns) -> None:
    b = game(turns, "alice")
    play_out(b, "alice")
    (final,) = [text for text in to(b.since(0), CHANNEL) if text.startswith("Final result")]
    assert "hints" not in final


def test_a_restart_remembers_who_had_hints(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    b.tell("bob", "hint")
    second = Bench(b.config, b.journal, start=10, turns=turns)
    assert [seat.hinted for seat in second.keeper().table.seats] == [False, True]


@pytest.mark.parametrize("off", ["off", '"off"'])
def test_a_table_may_be_without_hints(turns: Turns, off: str) -> None:
    b = game(turns, "alice", keys=f"hints: {off}")
    (said,) = b.tell("alice", "hint")
    assert said.startswith(f"alice: This table plays without hints. {b.dice('alice')}")
    assert hinted(b) == []


def test_what_is_not_known_yet_can_be_asked_again() -> None:
    b = game(lambda card: None, "alice")
    (said,) = b.tell("alice", "hint")
    assert said.startswith(f"alice: I do not know that yet; ask again in a few seconds. {b.dice('alice')}")
    assert hinted(b) == []


def test_there_may_be_nothing_to_decide(turns: Turns) -> None:
    b = Bench(turns=turns)
    b.connect("alice", "bob", "zoe")
    assert "No game is on" in b.tell("alice", "hint")[0]
    for nick in ("alice", "bob"):
        b.say(nick, "!join")
    assert b.tell("alice", "hint") == ["alice: The game starts in 60 s; your dice come then."]
    b.say("alice", "!start")
    assert "You have no seat" in b.tell("zoe", "hint")[0]
    b.tell("alice", "score chance")
    assert "You have scored in this round already" in b.tell("alice", "hint")[0]
    b.tell("bob", "leave")
    b.pass_(2)
    assert "You left this game" in b.tell("bob", "hint")[0]
    assert hinted(b) == []


def test_who_has_chosen_in_lockstep_may_only_choose_another_box(turns: Turns) -> None:
    b = game(turns, "alice", "bob", keys="repeat_seconds: 0, pace: lockstep")
    b.tell("alice", "score chance")
    b.tell("bob", "keep none")
    (said,) = b.tell("alice", "hint")
    assert "score" in said
    assert "keep" not in said


def test_hints_cost_answers_as_looks_do(turns: Turns) -> None:
    b = game(turns, "alice")
    answers = [b.tell("alice", "hint") for _ in range(300)]
    assert answers[-1] == []
    assert "ask faster" in next(said for said in reversed(answers) if said)[0]
