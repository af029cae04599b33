"""Who somebody is in the records, and how they are forgotten, in every store."""

from __future__ import annotations

from dataclasses import replace

import pytest

from game.fair import DiceMode
from game.match import Pace
from host.errors import NoRecord, StillSeated
from host.events import Finished, Occupant, Opened, Removed, Renamed, Seated, TableSettings, TakenUp
from host.journal import Journal
from host.outcome import Outcome, account_key, nick_key
from host.preference import Preference
from host.standings import By
from protocol.commands import Style
from tests.host.hosting_tools import score_all
from tests.host.journal_tools import append, file
from tests.host.records_contract import NET, NOON, RecordsContract, enter, finish, score
from tests.support.bench import CHANNEL, Bench, config
from tests.support.recount import ascii_fold, check, tables


class PeopleContract(RecordsContract):
    def test_who_is_meant_by_a_nick(self, journal: Journal) -> None:
        find = journal.records.find
        finish(journal, "game1", ("a:Tilde", 9), ("n:[x]", 9))
        assert find(NET, "[X]", ascii_fold) == "n:[x]"
        # Where they are not the same name, {x} is somebody else, although it may be elsewhere.
        assert find(NET, "{x}", ascii_fold) is None
        assert find(NET, "nobody", ascii_fold) is find("other", "[x]", ascii_fold) is None
        owner = replace(score("a:alice", 7), nick="Al")
        finish(journal, "game2", ("n:al", 8))
        enter(journal, "game3", Outcome("hasbro", DiceMode.OWN, Pace.FREE, (owner,)), NOON)
        assert find(NET, "AL", ascii_fold) == find(NET, "Alice", ascii_fold) == "a:alice"
        finish(journal, "game4", ("n:al", 8))
        assert find(NET, "al", ascii_fold) == "n:al"

    def test_a_place_is_by_what_was_asked_for(self, journal: Journal) -> None:
        finish(journal, "game1", ("n:alice", 300), ("n:bob", 10))
        for number in range(2, 4):
            finish(journal, f"game{number}", ("n:bob", 20), ("n:carol", 15))
        found = {by: journal.records.person(NET, "n:bob", by=by) for by in By}
        assert {by: one and one.place for by, one in found.items()} == {By.BEST: 2, By.WINS: 1}

    def test_a_record_may_be_named_by_what_it_is_kept_under(self, journal: Journal) -> None:
        finish(journal, "game1", ("a:alice", 9), ("x:1", 9))
        meant = journal.records.meant
        assert meant(NET, "ALICE", ascii_fold) == meant(NET, "Account:Alice", ascii_fold) == "a:alice"
        assert meant(NET, "nick:Alice", ascii_fold) == "n:alice"
        for name in ("bob", "1", "nick:", "x:1", "a:alice", ""):
            with pytest.raises(NoRecord):
                meant(NET, name, ascii_fold)

    def test_where_somebody_played_from_first_and_last(self, journal: Journal) -> None:
        for number, host in enumerate(["first", "between", "last"]):
            seats = (
                Seated(Occupant("p1", "Al", "~a", host)),
                Seated(Occupant("p2", "al", "~x", "x", account="Al")),
            )
            outcome = Outcome("hasbro", DiceMode.OWN, Pace.FREE, (score("n:al", 9), score("a:al", 9)))
            events = Opened(f"game{number}", TableSettings()), *seats, Finished()
            journal.append(file(f"game{number}"), 0, events, 1.0, NOON, outcome=outcome)
        assert journal.records.played_from(NET, "n:al", ascii_fold) == {("~a", "first"), ("~a", "last")}
        assert journal.records.played_from(NET, "n:bob", ascii_fold) == set()

    def test_who_is_forgotten_is_named_nowhere_and_games_stay(self, url: str) -> None:
        b = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0}}}}', store=url))
        b.connect("Alice", "bob")
        b.begin("Alice", "bob")
        b.rename("Alice", "Alys")
        b.say("Alys", "!pause")
        b.say("Alys", "!resume")
        b.rename("Alys", "ALICE")
        score_all(b, "bob", "ALICE")
        b.say("ALICE", "!join")
        b.say("bob", "!join")
        with pytest.raises(StillSeated) as error:
            b.journal.records.forget(NET, "n:alice", "ALICE", ascii_fold)
        assert error.value.channels == (CHANNEL,)
        b.say("ALICE", "!leave")
        b.journal.prefer(NET, "alice", Preference(Style.UNICODE))
        assert check(b.journal._store) == 1
        (before,) = b.journal.records.games(NET)
        games = b.journal.records.forget(NET, nick_key("alice"), "ALICE", ascii_fold)
        assert len(games) == 2
        everything = repr(tables(b.journal._store)).lower()
        assert "alice" not in everything
        assert "alys" not in everything
        assert "bob" in everything
        (after,) = b.journal.records.games(NET)
        assert [seat.total for seat in after.seats] == [seat.total for seat in before.seats]
        assert [(seat.person, seat.nick) for seat in after.seats] == [
            ("x:1", "(somebody)"),
            ("n:bob", "bob"),
        ]
        assert check(b.journal._store) == 1
        assert all(b.journal.history(name) for name in games)
        assert b.journal.records.find(NET, "alice", ascii_fold) is None
        assert b.journal.records.forget(NET, nick_key("alice"), "ALICE", ascii_fold) == ()
        b.journal.close()

    def test_an_account_is_forgotten_under_all_of_its_nicks(self, journal: Journal) -> None:
        seats = [
            Seated(Occupant("p1", "al", "~a", "h", account="Alice", token_hash="00")),
            Seated(Occupant("p2", "bob")),
        ]
        other = TakenUp(1, Occupant("p9", "al2", account="ALICE"))
        renamed, removed = Renamed("p9", "al3"), Removed(0, "AL3")
        append(journal, 0, Opened("g1", TableSettings()), *seats, other, renamed, removed, Finished())
        append(journal, 0, Opened("g2", TableSettings()), Seated(Occupant("p3", "al")), Finished(), game="g2")
        assert journal.records.forget(NET, account_key("alice"), "somenick", ascii_fold) == ("g1",)
        history = journal.history("g1")
        assert history
        assert [event for _, event in history.events][1:-1] == [
            Seated(Occupant("x:1", "(somebody)")),
            seats[1],
            TakenUp(1, Occupant("x:1/1", "(somebody)")),
            Renamed("x:1/1", "(somebody)"),
            Removed(0, "(somebody)"),
        ]
        # Who had the nick without the account was somebody else, for all that anybody knows.
        assert "al" in repr(journal.history("g2"))
