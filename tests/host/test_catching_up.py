"""Games that perfect play did not look at when they ended are looked at later."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

import pytest

from game.scorecard import Scorecard
from host.advice import Turns, no_turns
from host.aside import at_once
from host.catching_up import CatchingUp
from host.errors import StoreError
from solver.advice import Turn
from tests.host.hosting_tools import score_all
from tests.host.journal_tools import raw
from tests.support import perfect_play, recount
from tests.support.bench import CHANNEL, Bench, config

T = TypeVar("T")


@pytest.fixture(scope="module")
def turns() -> Turns:
    known = perfect_play.turns("hasbro")

    def turn(card: Scorecard) -> Turn | None:
        return known(card) if card.rules.key == "hasbro" else None

    return turn


def two_games(turns: Turns = no_turns) -> Bench:
    b = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0, house: {{seats: 1}}}}}}'), turns=turns)
    b.connect("alice", "bob")
    for _ in range(2):
        b.begin("alice", "bob")
        score_all(b, "alice", "bob")
    return b


def lost(b: Bench) -> list[list[float | None]]:
    """Of each game, the oldest first, what decisions lost by seat."""
    return [[seat.lost for seat in game.seats] for game in reversed(b.journal.records.games("local"))]


def test_what_is_found_when_a_game_ends_is_in_its_record(turns: Turns) -> None:
    b = two_games(turns)
    found = lost(b)
    assert [[one is None for one in game] for game in found] == [[False, True, False]] * 2
    person = b.journal.records.person("local", "n:alice")
    assert person
    assert person.tally.judged == 2
    assert person.tally.lost == round(sum(game[0] or 0 for game in found) * 100)
    assert recount.check(b.journal._store) == 2


def test_what_was_left_is_found_later_and_is_the_same(turns: Turns) -> None:
    b = two_games()
    assert lost(b) == [[None] * 3] * 2
    CatchingUp(b.journal.records, b.clock, turns, at_once).start()
    b.pass_(20)
    first, second = lost(b)
    assert (first[0] is None, second) == (False, [None] * 3)
    b.pass_(1)
    assert lost(b) == lost(two_games(turns))
    assert recount.check(b.journal._store) == 2
    # A game that ends later and is left as well has its turn.
    b.begin("alice", "bob")
    score_all(b, "alice", "bob")
    b.pass_(61)
    assert lost(b)[2][0] is not None


def test_a_game_that_cannot_be_read_does_not_keep_the_next_one_waiting(
    turns: Turns, caplog: pytest.LogCaptureFixture
) -> None:
    b = two_games()
    oldest = b.journal.records.games("local")[1].game
    raw(b.journal, f"UPDATE events SET seal = 0 WHERE game = '{oldest}' AND version = 9")
    CatchingUp(b.journal.records, b.clock, turns, at_once).start()
    b.pass_(3600)
    assert [game[0] is None for game in lost(b)] == [True, False]
    assert [record.getMessage() for record in caplog.records].count(
        "a finished game cannot be looked at"
    ) == 1


def test_other_work_and_a_store_that_fails_are_waited_for(
    turns: Turns, monkeypatch: pytest.MonkeyPatch
) -> None:
    b = two_games()
    asked: list[bool] = []

    def aside(work: Callable[[], T], then: Callable[[T], None]) -> bool:
        asked.append(True)
        return len(asked) > 1 and at_once(work, then)

    catching_up = CatchingUp(b.journal.records, b.clock, turns, aside)
    catching_up.start()
    b.pass_(20)
    assert lost(b)[0][0] is None

    def fail(*_: object) -> None:
        raise StoreError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(b.journal.records, "unjudged", fail)
        b.pass_(60)
    assert len(asked) == 1
    b.pass_(60)
    assert lost(b)[0][0] is not None
    catching_up.stop()
    b.pass_(60)
    assert lost(b)[1][0] is None
