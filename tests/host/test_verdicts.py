"""A table where everybody is told after each decision what was best."""

from __future__ import annotations

import pytest

from game.category import Category
from game.dice import ALL
from game.match import Held, Scored
from host import views
from host.advice import Turns
from host.table import Phase
from tests.host.practising import VERDICT, analysed, bench, public, verdict
from tests.support import perfect_play
from tests.support.bench import Bench, lines_of, to

PACES = ("free", "lockstep")
SEATS = {"alice": 0, "bob": 2}
"""A house player sits between them."""


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def table(turns: Turns, *nicks: str, pace: str = "free", more: str = "") -> Bench:
    b = bench(turns, *nicks, keys=f"repeat_seconds: 0, hints: practice, pace: {pace}{more}")
    b.begin(*nicks)
    return b


@pytest.mark.parametrize("pace", PACES)
def test_everybody_is_told_and_the_result_says_so(turns: Turns, pace: str) -> None:
    b = table(turns, "alice", "bob", pace=pace, more=", house: {seats: 1}")
    while b.keeper().table.phase is Phase.PLAYING:
        number = b.keeper().table.play.round
        for nick in ("alice", "bob"):
            b.tell(nick, "keep none")
        for nick, seat in SEATS.items():
            play = b.keeper().table.play
            box = next(iter(play.cards[seat].options(play.turns[seat].cup)))
            b.tell(nick, f"score {box.value.replace('_', ' ')}")
        now = b.keeper().table
        assert now.phase is Phase.OVER or now.play.round == number + 1
    rules = b.keeper().table.rules
    for nick, seat in SEATS.items():
        found = analysed(b, b.keeper(), seat, turns)
        said = [match[1] for text in to(lines_of(b), nick) if (match := VERDICT.match(text))]
        assert said == [verdict(decision, rules) for decision in found.decisions]
    (final,) = [text for text in public(b) if text.startswith("Final result")]
    assert " | With hints: all | Thanks" in final
    assert not [text for text in public(b) if VERDICT.search(text)]


def test_in_lockstep_a_hold_that_may_change_has_no_verdict_yet(turns: Turns) -> None:
    b = table(turns, "alice", "bob", pace="lockstep")
    (noted,) = b.tell("alice", "keep none")
    assert noted.startswith("alice: You roll all five. ")
    b.tell("alice", "keep a")
    said = to(b.tell("bob", "keep none"), "alice")
    assert VERDICT.match(said[0])
    assert said[0].startswith("Kept ")
    assert not VERDICT.match(b.tell("alice", "dice")[0].removeprefix("alice: "))


@pytest.mark.parametrize("pace", PACES)
def test_what_the_clock_does_has_no_verdict(turns: Turns, pace: str) -> None:
    b = table(turns, "alice", "bob", pace=pace)
    said = [b.pass_(121) for _ in range(6)]
    told = [text for lines in said for nick in ("alice", "bob") for text in to(lines, nick)]
    assert any("The host scored" in text for text in told)
    assert not [text for text in told if "better" in text or "best" in text]


def test_only_what_a_player_decided_is_judged(turns: Turns) -> None:
    dealt = table(turns, "alice").keeper().table
    for by_host in (False, True):
        entry = Scored(0, Category.CHANCE, dealt.play.turns[0].cup.total, 0, by_host)
        assert (views.judged(dealt, 0, entry, turns) is None) == by_host
    assert views.rolled_on(dealt, 0, ALL, turns).verdict is None
    held = dealt.after(Held(0, ALL), 0.0)
    assert views.rolled_on(held, 0, ALL, turns).verdict is not None


def test_a_score_that_waits_for_others_has_its_verdict_once(turns: Turns) -> None:
    b = table(turns, "alice", "bob")
    (said,) = b.tell("alice", "score chance")
    assert VERDICT.match(said.removeprefix("alice: "))
    assert said.endswith("Waiting for bob.")
    (again,) = b.tell("alice", "dice")
    assert not VERDICT.match(again.removeprefix("alice: "))
    assert "hint" not in public(b)[-1]


def test_hints_can_be_asked_for_as_elsewhere(turns: Turns) -> None:
    b = table(turns, "alice")
    assert "Best: " in b.tell("alice", "hint")[0]


def test_elsewhere_nobody_is_told(turns: Turns) -> None:
    asked = []

    def counted(card: object) -> None:
        asked.append(card)

    b = bench(counted, "alice", keys="repeat_seconds: 0")
    b.begin("alice")
    assert b.tell("alice", "keep none")[0].startswith("alice: Rolled all five. Round")
    assert " total 20. Round 2/13" in to(b.tell("alice", "score chance"), "alice")[0]
    assert asked == []
