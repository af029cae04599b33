"""What every store has to keep to. A backend inherits `JournalContract` and says how it is opened."""

from __future__ import annotations

import dataclasses
from types import SimpleNamespace
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from game.category import CATEGORIES
from game.dice import Dice
from game.level import Level
from game.match import Chose, Held, Pace, Rolled, RoundBegan, RoundEnded, Scored
from game.rules import RULE_SETS
from host.errors import StoreError
from host.events import (
    Amended,
    Announced,
    Began,
    CameBack,
    Event,
    Extended,
    Finished,
    Hinted,
    Hints,
    HouseSeated,
    Hurried,
    Identified,
    Left,
    LobbyClosed,
    Occupant,
    Opened,
    Prizes,
    Reason,
    Reminded,
    Removed,
    Renamed,
    Resumed,
    Revealed,
    Seated,
    Spoke,
    Stopped,
    Suspended,
    TableSettings,
    TakenUp,
    TimeRanOut,
    Unheard,
    Unseated,
    Worded,
)
from host.journal import GameFile, History, Journal
from host.preference import Preference
from host.store_tables import seal
from protocol.commands import Style
from tests.host.journal_tools import OPENING, SEED, WALL, append, file, history, opened, raw
from tests.host.people_contract import PeopleContract
from tests.host.records_contract import finish
from tests.host.sums_contract import SumsContract

seats = st.integers(0, 49)
dice = st.tuples(*[st.integers(1, 6)] * 5).map(Dice)
positions = st.frozensets(st.integers(0, 4))
times = st.floats(0, 1e9, allow_nan=False)
# Whatever a server sends as text; half a surrogate pair is no text.
words = st.text(st.characters(exclude_categories=["Cs"]))
table_settings = st.builds(
    TableSettings,
    rules=st.sampled_from(list(RULE_SETS)),
    pace=st.sampled_from(Pace),
    seats=st.integers(1, 50),
    lobby_seconds=times,
    round_seconds=times,
    repeat_seconds=times,
    house=st.integers(0, 50),
    house_level=st.sampled_from(Level),
    prizes=st.builds(Prizes, st.lists(words).map(tuple), st.lists(words).map(tuple)),
    hints=st.sampled_from(Hints),
    alone=st.booleans(),
)
occupants = st.builds(Occupant, words, words, words, words, st.booleans(), st.sampled_from(Level))
EVENTS: Final[dict[type[Event], st.SearchStrategy[Event]]] = {
    Opened: st.builds(Opened, words, table_settings),
    Seated: st.builds(Seated, occupants),
    Unseated: st.builds(Unseated, words, words),
    Worded: st.builds(Worded, words, words),
    Revealed: st.builds(Revealed, words),
    HouseSeated: st.builds(HouseSeated, st.lists(occupants, max_size=6).map(tuple), words),
    LobbyClosed: st.builds(LobbyClosed, words),
    Began: st.builds(Began),
    Reminded: st.builds(Reminded),
    TimeRanOut: st.builds(TimeRanOut, st.lists(seats).map(tuple)),
    Spoke: st.builds(Spoke, seats),
    Hinted: st.builds(Hinted, seats),
    Left: st.builds(Left, seats),
    CameBack: st.builds(CameBack, seats),
    Renamed: st.builds(Renamed, words, words),
    Identified: st.builds(Identified, words, words),
    TakenUp: st.builds(TakenUp, seats, occupants),
    Removed: st.builds(Removed, seats, words),
    Amended: st.builds(Amended, seats, st.sampled_from(CATEGORIES), st.integers(0, 50), words, words),
    Hurried: st.builds(Hurried),
    Extended: st.builds(Extended, times, words),
    Suspended: st.builds(Suspended, st.sampled_from(Reason), words, st.none() | times),
    Resumed: st.builds(Resumed, times, st.sampled_from(Reason), words),
    Finished: st.builds(Finished, st.lists(seats).map(tuple)),
    Announced: st.builds(Announced),
    Unheard: st.builds(Unheard),
    Stopped: st.builds(Stopped, words),
    RoundBegan: st.builds(RoundBegan, st.integers(1, 13)),
    Held: st.builds(Held, seats, positions),
    Rolled: st.builds(Rolled, seats, st.integers(1, 3), positions, dice),
    Chose: st.builds(Chose, seats, st.sampled_from(CATEGORIES)),
    Scored: st.builds(
        Scored,
        seats,
        st.sampled_from(CATEGORIES),
        st.integers(0, 50),
        st.sampled_from([0, 100]),
        st.booleans(),
    ),
    RoundEnded: st.builds(RoundEnded, st.integers(1, 13)),
}
ENDING: Final = (LobbyClosed, Finished, Stopped)
on_going = st.one_of([strategy for kind, strategy in EVENTS.items() if kind not in ENDING])


class JournalContract(PeopleContract, SumsContract):
    """Inherited once a backend."""

    # --- events ---

    def test_a_new_store_is_empty(self, journal: Journal) -> None:
        assert journal.unfinished() == []
        assert journal.last_time() == 0.0
        assert journal.preference("local", "alice") == Preference()

    def test_events_are_read_back_in_order_with_their_times(self, journal: Journal) -> None:
        append(journal, 0, *OPENING, at=1.5)
        append(journal, 2, Began(), at=61.25)
        append(journal, 3, RoundBegan(1), Rolled(0, 1, frozenset(), Dice((4, 4, 2, 6, 1))), at=61.25)
        found = journal.unfinished()
        assert [one.file for one in found] == [file()]
        assert found[0].events == (
            (1.5, OPENING[0]),
            (1.5, OPENING[1]),
            (61.25, Began()),
            (61.25, RoundBegan(1)),
            (61.25, Rolled(0, 1, frozenset(), Dice((4, 4, 2, 6, 1)))),
        )

    def test_all_events_come_back_as_they_were(self, journal: Journal) -> None:
        games: list[str] = []

        @settings(deadline=None, max_examples=60, database=None)
        @given(events=st.lists(on_going, min_size=1, max_size=10), cut=st.integers(1, 10), at=times)
        def check(events: list[Event], cut: int, at: float) -> None:
            games.append(f"g{len(games)}")
            append(journal, 0, *events[:cut], game=games[-1], at=at)
            if events[cut:]:
                append(journal, cut, *events[cut:], game=games[-1], at=at)
            (found,) = [one for one in journal.unfinished() if one.file.game == games[-1]]
            assert found.events == tuple((at, event) for event in events)

        check()
        assert len(games) >= 60

    @pytest.mark.parametrize("kind", EVENTS)
    def test_each_kind_of_event_comes_back(self, journal: Journal, kind: type[Event]) -> None:
        seen: list[Event] = []

        @settings(deadline=None, max_examples=20, database=None)
        @given(EVENTS[kind])
        def check(event: Event) -> None:
            game = f"g{len(seen)}"
            append(journal, 0, event, game=game)
            seen.append(event)
            stored = raw(journal, f"SELECT kind, body FROM events WHERE game = '{game}'")
            assert stored[0][0] == kind.__name__
            expected = None if kind in ENDING else [event]
            assert history(journal, game) == expected

        check()
        assert seen

    def test_games_are_told_apart(self, journal: Journal) -> None:
        append(journal, 0, *OPENING)
        append(journal, 0, *OPENING, game="g2", at=2)
        append(journal, 2, Began(), game="g2", at=3)
        journal.append(GameFile("g3", "other", "#z", b"z"), 0, [Began()], 4, WALL)
        assert history(journal) == list(OPENING)
        assert history(journal, "g2") == [*OPENING, Began()]
        files = {one.file.game: one.file for one in journal.unfinished()}
        assert files["g3"] == GameFile("g3", "other", "#z", b"z")
        assert files["g1"].seed == SEED

    @pytest.mark.parametrize("version", [0, 1, 3, 100, -1])
    def test_a_version_that_does_not_follow_is_refused_and_nothing_is_written(
        self, journal: Journal, version: int
    ) -> None:
        append(journal, 0, *OPENING)
        with pytest.raises(StoreError):
            append(journal, version, Began(), RoundBegan(1), at=99)
        assert history(journal) == list(OPENING)
        assert journal.last_time() == 1.0
        append(journal, 2, Began())
        assert history(journal) == [*OPENING, Began()]

    def test_a_game_that_does_not_begin_at_its_beginning_is_refused(self, journal: Journal) -> None:
        with pytest.raises(StoreError):
            append(journal, 1, Began())
        assert journal.unfinished() == []

    def test_what_is_refused_in_the_middle_is_not_there_at_all(self, journal: Journal) -> None:
        append(journal, 0, *OPENING)
        with pytest.raises(Exception, match=r".+"):
            append(journal, 2, Began(), "no event", RoundBegan(1))  # type: ignore[arg-type]
        assert history(journal) == list(OPENING)
        append(journal, 2, Began())

    @pytest.mark.parametrize("ending", [LobbyClosed(), Finished(), Stopped()])
    def test_a_game_that_ended_is_not_gone_on_with(self, journal: Journal, ending: Event) -> None:
        append(journal, 0, *OPENING)
        append(journal, 0, *OPENING, game="g2", at=2)
        append(journal, 2, Began(), ending, at=7)
        assert history(journal) is None
        assert history(journal, "g2") == list(OPENING)
        # Its events are history, and stay.
        assert len(raw(journal, "SELECT * FROM events WHERE game = 'g1'")) == 4
        assert journal.last_time() == 7.0

    def test_the_last_time_is_the_latest_of_all_games(self, journal: Journal) -> None:
        append(journal, 0, *OPENING, at=100.5)
        append(journal, 0, *OPENING, game="g2", at=50.0)
        assert journal.last_time() == 100.5

    # --- preferences ---

    def test_preferences_are_kept_for_each_nick_of_each_network(self, journal: Journal) -> None:
        journal.prefer("local", "alice", Preference(Style.UNICODE, notice=True))
        journal.prefer("other", "alice", Preference(Style.COLOUR))
        assert journal.preference("local", "alice") == Preference(Style.UNICODE, notice=True)
        assert journal.preference("other", "alice") == Preference(Style.COLOUR)
        assert journal.preference("local", "bob") == Preference()
        journal.prefer("local", "alice", Preference(Style.PLAIN))
        assert journal.preference("local", "alice") == Preference(Style.PLAIN, notice=False)

    @pytest.mark.parametrize("nick", ["{0}", "%s", "[^o^]", "'; DROP TABLE games; --", 'a"b', ":x", "ß🎲"])
    def test_odd_names_are_names(self, journal: Journal, nick: str) -> None:
        journal.prefer("local", nick, Preference(Style.COLOUR))
        append(journal, 0, Seated(Occupant("p1", nick, nick, nick)))
        assert journal.preference("local", nick) == Preference(Style.COLOUR)
        assert history(journal) == [Seated(Occupant("p1", nick, nick, nick))]

    # --- closing and opening ---

    def test_a_store_keeps_what_was_written(self, url: str) -> None:
        if not self.keeps:
            return
        with opened(url) as journal:
            append(journal, 0, *OPENING, at=3)
            journal.prefer("local", "alice", Preference(Style.UNICODE))
        with opened(url) as journal:
            assert history(journal) == list(OPENING)
            assert journal.last_time() == 3.0
            assert journal.preference("local", "alice") == Preference(Style.UNICODE)
            append(journal, 2, Began())
        with opened(url) as journal:
            assert history(journal) == [*OPENING, Began()]

    # --- what cannot be read ---

    @pytest.mark.parametrize(
        ("kind", "body"),
        [
            ("Exploded", "{}"),
            ("", "{}"),
            ("opened", "{}"),
            ("__class__", "{}"),
            ("Spoke", "{}"),
            ("Spoke", '{"seat": "first"}'),
            ("Spoke", '{"seat": 1'),
            ("Spoke", "null"),
            ("Chose", '{"seat": 0, "category": "bonus"}'),
            ("Rolled", '{"seat": 0, "roll": 1, "kept": [], "dice": {"faces": [1, 2, 3, 4, 7]}}'),
            ("Rolled", '{"seat": 0, "roll": 1, "kept": [], "dice": {"faces": [1, 2, 3, 4]}}'),
        ],
    )
    def test_an_event_that_cannot_be_read_is_told(self, journal: Journal, kind: str, body: str) -> None:
        append(journal, 0, *OPENING)
        row = SimpleNamespace(version=1, at=1.0, wall=WALL.isoformat(), kind=kind, body=body)
        sealed = seal(file(), row)
        change = f"kind = '{kind}', body = '{body}', seal = {sealed}"
        raw(journal, f"UPDATE events SET {change} WHERE version = 1")
        for read in (journal.unfinished, lambda: journal.history("g1")):
            with pytest.raises(StoreError, match="game g1 cannot be read") as error:
                read()
            assert "as it was written" not in str(error.value)

    @pytest.mark.parametrize(
        ("change", "found"),
        [
            ("UPDATE events SET at = 0.5 WHERE version = 1", "event 1 is not as it was written"),
            ("UPDATE events SET wall = '2026-01-01' WHERE version = 0", "event 0 is not as"),
            ("UPDATE events SET kind = 'Finished' WHERE version = 1", "event 1 is not as"),
            ("UPDATE events SET seal = 0 WHERE version = 1", "event 1 is not as"),
            ("UPDATE games SET channel = '#z'", "event 0 is not as"),
            ("UPDATE games SET network = ''", "event 0 is not as"),
            ("UPDATE games SET seed = network_seed", "event 0 is not as"),
            ("DELETE FROM events WHERE version = 0", "event 0 is missing"),
            ("DELETE FROM events WHERE version = 1", "event 1 is missing"),
            ("UPDATE events SET version = 7 WHERE version = 2", "event 2 is missing"),
            ("DELETE FROM events", "it has no events"),
        ],
    )
    def test_what_is_not_as_it_was_written_is_told(self, journal: Journal, change: str, found: str) -> None:
        append(journal, 0, *OPENING, Began())
        raw(journal, change.replace("network_seed", f"CAST('other' AS {self.blob})"))
        for read in (journal.unfinished, lambda: journal.history("g1")):
            with pytest.raises(StoreError, match=f"game g1 cannot be read: {found}"):
                read()

    def test_a_game_that_ended_and_does_not_say_so_is_told(self, journal: Journal) -> None:
        append(journal, 0, *OPENING, LobbyClosed())
        raw(journal, "UPDATE games SET ended = (1 = 0)")
        with pytest.raises(StoreError, match="g1"):
            journal.unfinished()

    # --- one game ---

    def test_the_history_of_a_game_is_there_whether_it_ended_or_not(self, journal: Journal) -> None:
        assert journal.history("g1") is None
        append(journal, 0, *OPENING, at=2)
        append(journal, 0, *OPENING, game="g2")
        assert journal.history("g1") == History(file(), tuple((2.0, event) for event in OPENING))
        append(journal, 2, Began(), Stopped(), at=3)
        ended = journal.history("g1")
        assert ended
        assert ended.events[2:] == ((3.0, Began()), (3.0, Stopped()))
        assert journal.history("g") is None

    def test_many_games_are_read_back_each_with_its_own(self, journal: Journal) -> None:
        for number in range(70):
            append(journal, 0, *[Reminded()] * 40, game=f"g{number}", at=number)
        found = {one.file.game: one.events for one in journal.unfinished()}
        assert found == {f"g{n}": ((float(n), Reminded()),) * 40 for n in range(70)}

    # --- the seed ---

    def test_the_seed_does_not_show(self, journal: Journal) -> None:
        append(journal, 0, *OPENING)
        shown = [repr(file()), str(file()), repr(journal.unfinished())]
        with pytest.raises(StoreError) as refused:
            append(journal, 0, *OPENING)
        raw(journal, "ALTER TABLE games RENAME TO plays")
        with pytest.raises(StoreError) as broken:
            append(journal, 0, *OPENING, game="g2")
        for error in (refused.value, broken.value):
            chain: BaseException | None = error
            while chain:
                shown += [repr(chain), str(chain)]
                # Nor does anything else that was to be written: a log is read by many.
                assert "#y" not in shown[-1]
                chain = chain.__cause__ or chain.__context__
        assert not [text for text in shown if "secret" in text]
        assert "seed" not in repr(file())

    def test_the_last_result_of_each_channel_is_known(self, journal: Journal) -> None:
        assert journal.last_results() == []
        finish(journal, "g1", ("n:alice", 10), channel="#a")
        finish(journal, "g2", ("n:alice", 20), channel="#b")
        finish(journal, "g3", ("n:alice", 30), channel="#a")
        journal.append(GameFile("g4", "net", "#a", SEED), 0, OPENING, 40.0, WALL)
        assert {history.file.game for history in journal.last_results()} == {"g2", "g3"}


def test_every_event_has_a_strategy() -> None:
    assert set(EVENTS) == set(Event.__args__)
    for kind in EVENTS:
        assert dataclasses.is_dataclass(kind)
