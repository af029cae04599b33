"""What is told of a game when it is over: to each player, and to the channel."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from typing import TypeVar

import pytest

from game.category import Category
from game.scorecard import Scorecard
from host import hindsight
from host.advice import Turns
from host.announcements import DecidedBest
from host.aside import Aside, at_once
from host.record import Record
from host.replies import Balance
from host.wording.private import private
from protocol.commands import Style
from solver.analysis import Analysis, analyse
from tests.host.hosting_tools import BOSS, score_all
from tests.host.test_clerk import play_out
from tests.host.test_prizes import over
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config, to

T = TypeVar("T")

BALANCE = re.compile(
    r"Your (\d+) points: ([\d.]+) for an empty card,"
    r" luck (brought|took) ([\d.]+), and decisions lost ([\d.]+) points\."
)


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


class Later:
    """Work that is done when somebody says so; no more than one piece waits."""

    def __init__(self) -> None:
        self.waiting: list[Callable[[], None]] = []

    def __call__(self, work: Callable[[], T], then: Callable[[T], None]) -> bool:
        if self.waiting:
            return False
        self.waiting.append(lambda: then(work()))
        return True

    def do(self) -> None:
        self.waiting.pop()()


def game(turns: Turns, *nicks: str, keys: str = "repeat_seconds: 0", aside: Aside = at_once) -> Bench:
    settings = config(f'{{"{CHANNEL}": {{{keys}}}}}', admins='["*!*@staff.example"]')
    made = Bench(settings, turns=turns, aside=aside)
    made.connect(*nicks)
    made.begin(*nicks)
    return made


def analysis(b: Bench, turns: Turns, seat: int) -> Analysis:
    """Of a seat, from the events in the journal."""
    table = b.keeper().table
    history = b.journal.history(table.game)
    empty = turns(Scorecard(table.rules))
    assert history is not None
    assert empty is not None
    record = Record(event for _, event in history.events)
    return analyse(empty.values, table.rules, record.turns(seat))


def told(b: Bench, nick: str) -> list[str]:
    """What a player was told of the game when it was over."""
    return [
        text for text in to(b.since(0), nick) if text.startswith(("Your ", "As you", "Costliest", "Every"))
    ]


def best(b: Bench) -> list[str]:
    return [text for text in to(b.since(0), CHANNEL) if "decided best" in text]


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_each_player_gets_two_lines_and_what_is_read_adds_up(turns: Turns, pace: str) -> None:
    b = game(turns, "alice", "bob", keys=f"repeat_seconds: 0, pace: {pace}")
    b.tell("bob", "keep none")
    b.tell("alice", "keep none")
    play_out(b, "alice", "bob")
    for seat, nick in enumerate(("alice", "bob")):
        found = analysis(b, turns, seat)
        balance, costliest = told(b, nick)
        match = BALANCE.fullmatch(balance)
        assert match
        total, start, lost = Decimal(match[1]), Decimal(match[2]), Decimal(match[5])
        luck = Decimal(match[4]) * (1 if match[3] == "brought" else -1)
        assert total == start + luck - lost
        assert total == b.keeper().table.play.cards[seat].total
        assert found.total == found.start + found.luck - found.lost
        assert abs(float(lost) - found.lost) <= 0.005
        assert f"{found.costliest(1)[0].lost:.2f} better" in costliest
        assert costliest.count(" better") == 1


def test_the_long_form_has_three_decisions(turns: Turns) -> None:
    b = game(turns, "alice")
    play_out(b, "alice")
    found = analysis(b, turns, 0)
    balance, costliest = to(b.tell("alice", "analysis"), "alice")
    assert balance == told(b, "alice")[0]
    assert re.findall(r"([\d.]+) better", costliest) == [f"{one.lost:.2f}" for one in found.costliest(3)]
    assert [line.split(":")[0] for line in b.say("alice", "!analysis")] == ["alice", "alice"]


def test_the_channel_hears_who_decided_best(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    play_out(b, "alice", "bob")
    lost = [analysis(b, turns, seat).lost for seat in range(2)]
    nick = "alice" if lost[0] < lost[1] else "bob"
    assert best(b) == [f"{nick} decided best: {min(lost):.2f} points lost to perfect play."]
    lines = to(b.since(0), CHANNEL)
    assert next(n for n, text in enumerate(lines) if text.startswith("Final")) < lines.index(best(b)[0])


def test_equals_decided_best_together() -> None:
    perfect = Analysis(254.5, 20, (), ())
    assert hindsight.best(over((20, 20)), {0: perfect, 1: perfect}) == DecidedBest(("alice", "bob"), 0)


@pytest.mark.parametrize(("luck", "said"), [(0.5, "luck brought 0.50"), (-0.5, "luck took 0.50")])
def test_luck_may_be_good_or_bad(luck: float, said: str) -> None:
    assert said in private(Balance(254.5, luck, 0.0, round(254.5 + luck)), Style.PLAIN)


def test_a_player_alone_is_compared_with_nobody(turns: Turns) -> None:
    b = game(turns, "alice", keys="repeat_seconds: 0, house: {seats: 2}")
    play_out(b, "alice")
    assert len(told(b, "alice")) == 2
    assert best(b) == []


def test_who_left_is_told_nothing_and_compared_with_nobody(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    b.tell("bob", "leave")
    play_out(b, "alice")
    assert told(b, "bob") == []
    assert len(told(b, "alice")) == 2
    assert best(b) == []


def test_who_slept_is_told_and_compared_with_nobody(turns: Turns) -> None:
    b = game(turns, "alice", "bob", keys="repeat_seconds: 0, round_seconds: 20")
    for box in ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]:
        b.tell("alice", f"score {box}")
        b.pass_(20)
    assert len(told(b, "bob")) == 2
    assert best(b) == []


def test_where_perfect_play_is_not_known_nothing_is_said() -> None:
    b = game(lambda card: None, "alice", "bob")
    play_out(b, "alice", "bob")
    assert told(b, "alice") == best(b) == []
    assert b.tell("alice", "analysis") == ["alice: I do not know that yet; ask again in a few seconds."]


def test_there_may_be_no_game_to_look_at(turns: Turns) -> None:
    b = Bench(turns=turns)
    b.connect("alice", "zoe")
    assert "No game is on" in b.tell("alice", "analysis")[0]
    b.say("alice", "!join")
    assert b.tell("alice", "analysis") == ["alice: The analysis comes when the game is over."]
    b.say("alice", "!start")
    assert b.tell("alice", "analysis")[0].startswith("alice: The analysis comes when the game is over. Round")
    play_out(b, "alice")
    assert "You have no seat" in b.tell("zoe", "analysis")[0]
    b.say("zoe", "!join")
    assert "when the game is over" in b.tell("alice", "analysis")[0]


def test_after_a_restart_it_is_worked_out_for_who_asks(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    play_out(b, "alice", "bob")
    later = Later()
    second = Bench(b.config, b.journal, start=b.clock.now(), turns=turns, aside=later)
    second.connect("alice", "bob")
    assert "I do not know that yet" in second.tell("alice", "analysis")[0]
    later.do()
    assert len(second.tell("alice", "analysis")) == 2
    # Nobody is told again.
    assert told(second, "bob") == best(second) == []


def test_too_much_work_is_left_and_can_be_asked_for(turns: Turns) -> None:
    later = Later()
    b = game(turns, "alice", "bob", aside=later)
    play_out(b, "alice", "bob")
    assert told(b, "alice") == []
    assert "I do not know that yet" in b.tell("alice", "analysis")[0]
    assert len(later.waiting) == 1
    later.do()
    assert len(told(b, "alice")) == 2
    assert len(b.tell("alice", "analysis")) == 2
    later.waiting.append(lambda: None)
    b.begin("alice", "bob")
    play_out(b, "alice", "bob")
    assert "I do not know that yet" in b.tell("alice", "analysis")[0]
    later.do()
    assert "I do not know that yet" in b.tell("alice", "analysis")[0]
    later.do()
    assert len(b.tell("alice", "analysis")) == 2
    assert len(told(b, "alice")) == 6
    assert len(best(b)) == 1


def test_the_next_lobby_does_not_hear_of_the_last_game(turns: Turns) -> None:
    later = Later()
    b = game(turns, "alice", "bob", aside=later)
    play_out(b, "alice", "bob")
    b.say("bob", "!join")
    b.quit("alice")
    later.do()
    assert best(b) == []
    assert told(b, "alice") == []
    assert len(told(b, "bob")) == 2


def test_what_is_told_of_a_game_is_not_its_result(turns: Turns) -> None:
    later = Later()
    b = game(turns, "alice", "bob", aside=later)
    play_out(b, "alice", "bob")
    assert b.keeper().table.announced
    b.refuse(404, CHANNEL)
    later.do()
    assert len(best(b)) == 1
    assert not b.keeper().table.announced


def test_another_under_the_nick_is_told_nothing(turns: Turns) -> None:
    later = Later()
    b = game(turns, "alice", aside=later)
    play_out(b, "alice")
    b.rename("alice", "al")
    b.join("alice")
    later.do()
    assert told(b, "alice") == []


def test_an_amended_score_is_no_sum_any_more(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    score_all(b, "alice", "bob")
    points = 4 if b.keeper().table.play.cards[0].boxes[Category.ACES] != 4 else 3
    b.say("boss", f"!amend alice aces {points} misread", mask=BOSS)
    balance, costliest = to(b.tell("alice", "analysis"), "alice")
    assert balance.startswith("As you played, luck ")
    assert "Your" not in balance
    assert costliest.startswith("Costliest: ")


def test_scores_amended_in_the_game_are_no_mistake(turns: Turns) -> None:
    b = game(turns, "alice", "bob")
    b.tell("alice", "score yz")
    b.tell("bob", "score yz")
    b.say("boss", "!amend alice yz 50 misread", mask=BOSS)
    play_out(b, "alice", "bob")
    assert len(told(b, "bob")) == 2
    assert not [text for text in told(b, "alice") if text.startswith("Your")]


def test_old_dice_are_not_taken_for_those_that_lie_there(turns: Turns) -> None:
    b = game(turns, "alice")
    play_out(b, "alice")
    assert not [text for text in told(b, "alice") if "[" in text]
