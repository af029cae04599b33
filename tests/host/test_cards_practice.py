"""Practice for cards: how it begins, what was best after each decision, and how it ends."""

from __future__ import annotations

from decimal import Decimal

import pytest

from chat.events import User
from game.category import Category
from host.advice import Turns, no_turns
from host.errors import StoreError
from host.table import Phase
from protocol.card import news
from protocol.card.commands import Practice
from protocol.card.fields import LONGEST, write
from protocol.card.keys import Code, Exit
from solver.advice import Choice, Hold
from solver.analysis import Decision
from tests.host.practising import VERDICT, analysed, bench, practice, public
from tests.support import perfect_play
from tests.support.bench import Bench, to
from tests.support.cards import ask, dice, heard, hold, score, words


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def greeted(turns: Turns, *nicks: str, keys: str = "repeat_seconds: 0", lines: str = "only") -> Bench:
    b = bench(turns, *nicks, keys=keys)
    for nick in nicks:
        b.tell(nick, f"ycp hello v=1 lines={lines}")
    return b


def kinds(lines: list[news.News]) -> list[str]:
    return [line.KIND for line in lines]


def verdicts(b: Bench, nick: str) -> list[news.Verdict]:
    return [line for line in heard(b.since(0), nick) if isinstance(line, news.Verdict)]


def badly(b: Bench, *nicks: str) -> None:
    """One round: all dice are rolled once, and the first box is filled."""
    for nick in nicks:
        ask(b, nick, hold(dice(b, nick)))
    for nick in nicks:
        shown = dice(b, nick)
        ask(b, nick, score(shown, shown.pays[0][0]))


def is_told(line: news.Verdict, decision: Decision) -> None:
    """The line says what the solver says of a decision in the journal."""
    assert (line.round, line.roll, line.dice) == (decision.round, decision.roll, decision.dice)
    assert line.best is not None
    for play, choice in ((line.made, decision.made), (line.best, decision.best)):
        assert told(line, play) == said(choice)
    lost = decision.lost if decision.lost >= 0.005 else 0
    assert line.lost == Decimal(f"{lost:.2f}")
    assert len(write(line).encode()) <= LONGEST


def told(line: news.Verdict, play: frozenset[int] | Category) -> object:
    return play if isinstance(play, Category) else tuple(sorted(line.dice.at(play)))


def said(choice: Choice) -> object:
    return choice.kept if isinstance(choice, Hold) else choice.category


# --- how it begins and ends ---


def test_a_card_begins_it_and_hears_no_words(turns: Turns) -> None:
    b = greeted(turns, "alice")
    assert kinds(ask(b, "alice", Practice())) == ["seated", "began", "dice"]
    assert words(b.since(0), "alice") == []
    assert practice(b, "alice").table.settings.rules == "hasbro"
    (gone,) = heard(b.tell("alice", "practice leave"), "alice")
    assert gone == news.Gone(practice(b, "alice").table.game, Exit.LEFT)
    assert words(b.since(0), "alice") == []
    assert public(b) == []


def test_with_both_lines_the_words_are_as_ever(turns: Turns) -> None:
    b = greeted(turns, "alice", lines="both")
    assert kinds(ask(b, "alice", Practice())) == ["seated", "began", "dice"]
    assert [text.partition(" ")[0] for text in words(b.since(0), "alice")] == ["A", "Round"]
    assert words(b.tell("alice", "leave"), "alice") == [
        "Your practice game has ended. practice begins another."
    ]


def test_of_a_game_that_is_on_all_is_told(turns: Turns) -> None:
    b = greeted(turns, "alice")
    ask(b, "alice", Practice())
    badly(b, "alice")
    table, shown = practice(b, "alice").table, dice(b, "alice")
    again = ask(b, "alice", Practice())
    assert kinds(again) == ["seated", "card", "standings", "dice"]
    assert isinstance(again[-1], news.Rolled)
    assert again[-1].dice == shown.dice
    assert practice(b, "alice").table == table


def test_rules_are_those_of_the_channel_that_is_named(turns: Turns) -> None:
    b = greeted(turns, "alice", keys="rules: houston")
    began = ask(b, "alice", Practice("#YARDZEE"))[1]
    assert isinstance(began, news.Began)
    assert (began.channel, began.rules) == ("practice", "houston")


def test_what_cannot_be_is_refused(turns: Turns, monkeypatch: pytest.MonkeyPatch) -> None:
    b = greeted(turns, "alice")
    for channel in ("#elsewhere", "practice"):
        assert ask(b, "alice", Practice(channel)) == [news.Refused(Code.CHANNEL, "practice")]
    stranger = b.tell("zoe", "ycp practice", mask=User("zoe", "z", "z.example"))
    assert heard(stranger, "zoe") == [news.Refused(Code.CHANNEL, "practice")]
    assert b.say("alice", "ycp practice") == []

    def full(*_: object, **__: object) -> None:
        raise StoreError("no room")

    with monkeypatch.context() as broken:
        broken.setattr(b.journal, "append", full)
        assert ask(b, "alice", Practice()) == [news.Refused(Code.BUSY, "practice")]
    assert practice(b, "alice").table.phase is Phase.CLOSED
    assert kinds(ask(b, "alice", Practice())) == ["seated", "began", "dice"]


def test_it_costs_answers(turns: Turns) -> None:
    b = greeted(turns, "alice")
    answers = [b.tell("alice", "ycp practice") for _ in range(300)]
    assert answers[0]
    assert answers[-1] == []


# --- what was best ---


@pytest.mark.parametrize("lines", ["only", "both"])
def test_every_decision_of_a_game_has_its_verdict_before_what_came_of_it(turns: Turns, lines: str) -> None:
    b = greeted(turns, "alice", lines=lines)
    ask(b, "alice", Practice())
    while practice(b, "alice").table.phase is Phase.PLAYING:
        before = len(b.wire.sent)
        badly(b, "alice")
        over = practice(b, "alice").table.phase is Phase.OVER
        came = kinds(heard(b.since(before), "alice"))
        assert came == ["verdict", "dice", "verdict", *(["result", "analysis"] if over else ["dice"])]
    found = analysed(b, practice(b, "alice"), 0, turns)
    assert len(found.decisions) == 26
    for line, decision in zip(verdicts(b, "alice"), found.decisions, strict=True):
        is_told(line, decision)
    in_words = [text for text in words(b.since(0), "alice") if VERDICT.match(text)]
    assert len(in_words) == (26 if lines == "both" else 0)


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_so_it_is_at_a_table_where_all_are_told(turns: Turns, pace: str) -> None:
    b = greeted(turns, "alice", "bob", keys=f"repeat_seconds: 0, hints: practice, pace: {pace}")
    b.begin("alice", "bob")
    while b.keeper().table.phase is Phase.PLAYING:
        badly(b, "alice", "bob")
    for seat, nick in enumerate(("alice", "bob")):
        found = analysed(b, b.keeper(), seat, turns)
        for line, decision in zip(verdicts(b, nick), found.decisions, strict=True):
            is_told(line, decision)
        following = kinds(heard(b.since(0), nick))
        after = {following[n + 1] for n, kind in enumerate(following[:-1]) if kind == "verdict"}
        assert after <= {"dice", "scored", "result"}
    assert not [text for text in public(b) if "verdict" in text]


def test_what_may_still_change_and_what_is_asked_for_has_none(turns: Turns) -> None:
    b = greeted(turns, "alice", "bob", keys="repeat_seconds: 0, hints: practice, pace: lockstep")
    b.begin("alice", "bob")
    for places in ((), (0,)):
        assert kinds(ask(b, "alice", hold(dice(b, "alice"), *places))) == ["accepted"]
    said = heard(b.tell("bob", write(hold(dice(b, "bob")))), "alice")
    assert kinds(said) == ["verdict", "dice"]
    assert isinstance(said[0], news.Verdict)
    assert said[0].made == frozenset({0})
    assert kinds(heard(b.tell("alice", "dice"), "alice")) == ["dice"]
    assert "verdict" not in kinds(heard(b.tell("alice", "ycp state"), "alice"))


def test_what_the_clock_decides_has_none(turns: Turns) -> None:
    b = greeted(turns, "alice", keys="hints: practice")
    b.begin("alice")
    b.pass_(121)
    assert "wrote=" in " ".join(to(b.since(0), "alice"))
    assert verdicts(b, "alice") == []


def test_elsewhere_and_without_perfect_play(turns: Turns) -> None:
    b = greeted(turns, "alice")
    b.begin("alice")
    badly(b, "alice")
    assert verdicts(b, "alice") == []
    b = greeted(no_turns, "alice")
    ask(b, "alice", Practice())
    shown = dice(b, "alice")
    verdict, _ = ask(b, "alice", hold(shown, 0, 3))
    assert verdict == news.Verdict(shown.game, 1, 1, shown.dice, frozenset({0, 3}))
