"""Advice in lines for programs: what is best, and what became of a game."""

from __future__ import annotations

from decimal import Decimal

import pytest

from game.category import Category
from game.dice import POSITIONS
from game.scorecard import Scorecard
from host.advice import Turns
from host.events import Hinted
from host.record import Record
from protocol.card import news
from protocol.card.commands import AskHint
from protocol.card.fields import LONGEST, write
from protocol.card.keys import Code
from solver.advice import Choice, Hold
from solver.analysis import Analysis, analyse
from tests.host.hosting_tools import BOSS
from tests.host.test_clerk import play_out
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config
from tests.support.cards import ask, dice, heard, hold, score, words


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def game(turns: Turns, *nicks: str, keys: str = "", lines: str = "only") -> Bench:
    """A game in which everybody has a card."""
    settings = config(f'{{"{CHANNEL}": {{repeat_seconds: 0{keys}}}}}', admins='["*!*@staff.example"]')
    bench = Bench(settings, turns=turns)
    bench.connect(*nicks)
    for nick in nicks:
        bench.tell(nick, f"ycp hello v=1 lines={lines}")
    bench.begin(*nicks)
    return bench


def hint(bench: Bench, nick: str = "alice") -> AskHint:
    """The wish of a card for a hint about the dice that it was shown last."""
    shown = dice(bench, nick)
    return AskHint(shown.game, shown.round, shown.roll)


def hinted(bench: Bench) -> list[int]:
    history = bench.journal.history(bench.keeper().table.game)
    assert history is not None
    return [event.seat for _, event in history.events if isinstance(event, Hinted)]


def points(worth: float) -> Decimal:
    return Decimal(f"{worth:.2f}")


# --- hints ---


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_a_hint_is_what_perfect_play_says_of_these_dice(turns: Turns, pace: str) -> None:
    bench = game(turns, "alice", "bob", keys=f", pace: {pace}")
    for roll in (1, 2, 3):
        shown = dice(bench, "alice")
        perfect = turns(bench.keeper().table.play.cards[0])
        assert perfect is not None
        advice = perfect.advice(shown.dice, 3 - roll)
        choices: list[Choice] = [
            *advice.boxes,
            *(one for one in advice.holds if len(one.kept) < len(POSITIONS)),
        ]
        best, second = sorted(choices, key=lambda choice: -choice.worth)[:2]
        (said,) = ask(bench, "alice", hint(bench))
        assert isinstance(said, news.Hint)
        assert (said.game, said.round, said.roll) == (shown.game, 1, roll)
        assert (said.worth, said.cost) == (points(best.worth), points(best.worth - second.worth))
        if isinstance(best, Hold):
            assert isinstance(said.best, frozenset)
            assert tuple(sorted(shown.dice.at(said.best))) == best.kept
        else:
            assert said.best is best.category
        for nick in ("alice", "bob"):
            if roll < 3:
                ask(bench, nick, hold(dice(bench, nick)))
    # After the third roll only boxes are left.
    assert isinstance(said, news.Hint)
    assert isinstance(said.best, Category)
    assert isinstance(said.next, Category)


def test_the_last_box_has_no_other(turns: Turns) -> None:
    bench = game(turns, "alice")
    for _ in range(12):
        ask(bench, "alice", score(dice(bench, "alice"), dice(bench, "alice").pays[0][0]))
    for _ in (1, 2):
        ask(bench, "alice", hold(dice(bench, "alice")))
    (said,) = ask(bench, "alice", hint(bench))
    shown = dice(bench, "alice")
    ((box, pays),) = shown.pays
    assert said == news.Hint(shown.game, 13, 3, box, Decimal(pays + shown.bonus))


def test_it_is_written_down_once_whoever_asks(turns: Turns) -> None:
    bench = game(turns, "alice", "bob")
    for _ in (1, 2):
        ask(bench, "bob", hint(bench, "bob"))
    bench.tell("bob", "hint")
    assert hinted(bench) == [1]


@pytest.mark.parametrize(("lines", "in_words"), [("only", 0), ("both", 1)])
def test_the_typed_word_brings_the_same_line(turns: Turns, lines: str, in_words: int) -> None:
    bench = game(turns, "alice", lines=lines)
    by_line = bench.tell("alice", write(hint(bench)))
    by_word = bench.tell("alice", "hint")
    assert by_line == by_word
    assert len(heard(by_word, "alice")) == 1
    assert len(words(by_word, "alice")) == in_words


def test_what_comes_late_is_refused_and_brings_the_truth(turns: Turns) -> None:
    bench = game(turns, "alice", "bob")
    first = hint(bench)
    (second,) = ask(bench, "alice", hold(dice(bench, "alice"), 0))
    assert ask(bench, "alice", first) == [news.Refused(Code.LATE, "hint", first.game), second]
    ask(bench, "alice", score(dice(bench, "alice"), Category.CHANCE))
    refused, truth = ask(bench, "alice", hint(bench))
    assert refused == news.Refused(Code.SCORED, "hint", first.game)
    assert isinstance(truth, news.Scored)
    ask(bench, "bob", score(dice(bench, "bob"), Category.CHANCE))
    refused, truth = ask(bench, "alice", first)
    assert refused == news.Refused(Code.LATE, "hint", first.game)
    assert isinstance(truth, news.Rolled)
    assert hinted(bench) == []


def test_a_table_without_hints_and_a_host_that_does_not_know_say_so(turns: Turns) -> None:
    for bench, code in (
        (game(turns, "alice", keys=", hints: off"), Code.HINTS),
        (game(lambda card: None, "alice"), Code.SOON),
    ):
        shown = dice(bench, "alice")
        assert ask(bench, "alice", hint(bench)) == [news.Refused(code, "hint", shown.game), shown]
        assert hinted(bench) == []


def test_nobody_has_a_hint_without_a_seat(turns: Turns) -> None:
    bench = game(turns, "alice")
    bench.join("zoe")
    wish = hint(bench)
    assert ask(bench, "zoe", wish) == [news.Refused(Code.SEAT, "hint", wish.game)]
    assert ask(bench, "zoe", AskHint("nothing", 1, 1)) == [news.Refused(Code.GAME, "hint", "nothing")]


def test_hints_cost_answers(turns: Turns) -> None:
    bench = game(turns, "alice")
    wish = write(hint(bench))
    answers = [bench.tell("alice", wish) for _ in range(300)]
    assert answers[0]
    assert answers[-1] == []


# --- after a game ---


def perfect(bench: Bench, turns: Turns, seat: int) -> Analysis:
    """What the solver says of the events in the journal."""
    table = bench.keeper().table
    history = bench.journal.history(table.game)
    empty = turns(Scorecard(table.rules))
    assert history is not None
    assert empty is not None
    record = Record(event for _, event in history.events)
    return analyse(empty.values, table.rules, record.turns(seat))


def analyses(bench: Bench, nick: str) -> list[news.Analysis]:
    return [line for line in heard(bench.since(0), nick) if isinstance(line, news.Analysis)]


def test_a_card_hears_what_became_of_its_game(turns: Turns) -> None:
    bench = game(turns, "alice", "bob")
    play_out(bench, "alice", "bob")
    for seat, nick in enumerate(("alice", "bob")):
        (said,) = analyses(bench, nick)
        found = perfect(bench, turns, seat)
        assert said.start is not None
        assert said.start + said.luck - said.lost == bench.keeper().table.play.cards[seat].total
        assert (said.start, said.lost) == (points(found.start), points(found.lost))
        worst = found.costliest(3)
        assert [(one.round, one.roll, one.dice, one.cost) for one in said.costly] == [
            (one.round, one.roll, one.dice, points(one.lost)) for one in worst
        ]
        for one, decision in zip(said.costly, worst, strict=True):
            for play, choice in ((one.made, decision.made), (one.best, decision.best)):
                if isinstance(choice, Hold):
                    assert isinstance(play, frozenset)
                    assert tuple(sorted(one.dice.at(play))) == choice.kept
                else:
                    assert play is choice.category
        assert len(write(said).encode()) <= LONGEST
        assert not [text for text in words(bench.since(0), nick) if "luck" in text]
        lines = heard(bench.since(0), nick)
        assert [line.KIND for line in lines[-2:]] == ["result", "analysis"]


def test_the_typed_word_brings_it_again(turns: Turns) -> None:
    bench = game(turns, "alice", keys=", hints: off")
    play_out(bench, "alice")
    said = bench.tell("alice", "analysis")
    assert heard(said, "alice") == analyses(bench, "alice")[:1]
    assert words(said, "alice") == []


def test_with_both_lines_the_words_are_as_ever(turns: Turns) -> None:
    bench = game(turns, "alice", lines="both")
    play_out(bench, "alice")
    assert len(analyses(bench, "alice")) == 1
    unasked = [text for text in words(bench.since(0), "alice") if text.startswith("Costliest")]
    assert [text.count(" better") for text in unasked] == [1]
    asked = words(bench.tell("alice", "analysis"), "alice")
    assert [text.count(" better") for text in asked] == [0, 3]


def test_of_an_amended_score_no_sum_is_told(turns: Turns) -> None:
    bench = game(turns, "alice")
    play_out(bench, "alice")
    bench.say("boss", "!amend alice chance 6 misread", mask=BOSS)
    (said,) = heard(bench.tell("alice", "analysis"), "alice")
    assert isinstance(said, news.Analysis)
    assert said.start is None
