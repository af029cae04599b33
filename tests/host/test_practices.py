"""How many practice games are at hand, and which of them go first."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import count

import pytest

from host import decide
from host.events import Occupant, Stopped, TableSettings
from host.journal import Journal
from host.keeper import Keeper, Sources
from host.practices import Practices, Speak
from host.replies import PracticeStopped
from host.views import Private, Said
from tests.support.bench import FakeClock

MOST = 3


class Place:
    """A network where at most three practise."""

    def __init__(self, journal: Journal | None = None, most: int = MOST) -> None:
        self.clock = FakeClock()
        self.journal = journal or Journal.open("sqlite://")
        self.said: list[Said] = []
        games = count(1 + len(self.journal.unfinished()))
        sources = Sources(lambda: f"g{next(games)}", lambda: bytes(32))

        def new(speak: Speak, how: TableSettings) -> Keeper:
            return Keeper(
                "net", "practice", how, journal=self.journal, clock=self.clock, speak=speak, sources=sources
            )

        self.practices = Practices(new, self.hear, most)

    def hear(self, keeper: Keeper, said: Iterable[Said]) -> None:
        self.said += said

    def begin(self, *people: str) -> None:
        for person in people:
            self.clock.pass_(1)
            self.practices.begin(Occupant(person, person), TableSettings())

    def leave(self, person: str) -> None:
        keeper = self.practices.of(person)
        assert keeper is not None
        self.clock.pass_(1)
        keeper.act(lambda table, now: decide.leave(table, person))

    def at_hand(self) -> str:
        return "".join(person for person in "abcdef" if self.practices.of(person))

    def ended(self) -> list[str]:
        return [
            one.person for one in self.said if isinstance(one, Private) and one.reply == PracticeStopped()
        ]


def test_what_has_ended_goes_first() -> None:
    place = Place()
    place.begin("a", "b", "c")
    place.leave("c")
    place.begin("d")
    assert place.at_hand() == "abd"
    assert place.ended() == ["c"]


def test_then_what_was_left_alone_for_longest_is_stopped() -> None:
    place = Place()
    place.begin("a", "b", "c")
    keeper = place.practices.of("a")
    assert keeper is not None
    place.clock.pass_(1)
    keeper.note(decide.renamed, "a", "A")
    place.begin("d")
    assert place.at_hand() == "acd"
    assert place.ended() == ["b"]
    history = place.journal.history("g2")
    assert history is not None
    assert Stopped() in [event for _, event in history.events]
    place.begin("b")
    assert place.at_hand() == "abd"
    assert len(place.journal.unfinished()) == MOST


def test_who_changes_nicks_pushes_out_only_their_own() -> None:
    place = Place(most=100)
    place.begin("a")
    for number in range(30):
        place.clock.pass_(1)
        place.practices.begin(Occupant(f"pest{number}", "pest", host="pest.example"), TableSettings())
    assert place.at_hand() == "a"
    assert place.ended() == [f"pest{number}" for number in range(10)]


def test_somebody_with_a_game_takes_no_more_room() -> None:
    place = Place()
    place.begin("a", "b", "c")
    place.begin("a")
    place.leave("a")
    place.begin("a")
    assert place.at_hand() == "abc"
    assert place.ended() == ["a"]


def test_a_store_that_holds_more_is_cut_down() -> None:
    first = Place()
    first.begin("a", "b", "c")
    first.practices.stop()
    other = Place(first.journal)
    other.begin("d")
    for history in sorted(first.journal.unfinished(), key=lambda one: one.events[0][0]):
        other.practices.restore(history)
    assert len(first.journal.unfinished()) == MOST


def test_of_two_games_of_one_person_the_first_goes_on(caplog: pytest.LogCaptureFixture) -> None:
    place = Place()
    place.begin("a")
    (history,) = place.journal.unfinished()
    other = Place()
    other.begin("a")
    assert other.practices.restore(history) is other.practices.of("a")
    other.leave("a")
    other.begin("a")
    assert other.practices.restore(history) is None
