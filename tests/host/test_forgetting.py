"""Being forgotten: who may ask for it, how it is confirmed, and what is left."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import Joined, User
from host import archive, audit
from host.errors import StoreError
from host.journal import Journal
from host.outcome import account_key, nick_key
from tests.host.almanac_tools import ANN, BOXES, OTHER, PHONE, ask, bench, boss, code, enter, game, told
from tests.host.practising import practice
from tests.support import recount
from tests.support.bench import CHANNEL, Bench, to, user

MALLORY = User("alice", "~mallory", "elsewhere.example")
ELSEWHERE = User("alice", "~alice", "other.example")


def played(store: str = "sqlite://") -> Bench:
    """Alice, bob and ann have played twice: with a pause of alice's, and a score that was put right."""
    b = bench("alice", "bob", store=store)
    game(b, "alice", "bob", ANN)
    boss(b, f"{CHANNEL} amend alice aces 4 misread")
    game(b, "bob", "alice", channel=OTHER)
    return b


def names(b: Bench, number: int) -> list[str]:
    return [seat.nick for seat in b.journal.records.games("local")[number].seats]


def everything(b: Bench) -> str:
    return repr(recount.tables(b.journal._store)).lower()


def forget(b: Bench, who: User | str, line: str = "forget me") -> list[str]:
    word = code(ask(b, who, line))
    return ask(b, who, f"{line} {word}")


def test_who_confirms_it_is_in_no_record_and_games_stay_whole() -> None:
    b = played()
    before = b.journal.records.games("local")
    answer = ask(b, "alice", "forget me")
    assert answer[0].startswith(
        "This takes nick alice out of the records for ever. 2 finished games stay, with all totals, "
    )
    assert answer[1].startswith("It is about this nick alone: ")
    assert "alice" in everything(b)
    (done,) = ask(b, "alice", f"forget me {code(answer)}")
    assert done == "Done: nick alice is in no record any more. 2 games had the name."
    assert "alice" not in everything(b)
    assert recount.check(b.journal._store) == 2
    after = b.journal.records.games("local")
    assert [[seat.total for seat in one.seats] for one in after] == [
        [seat.total for seat in one.seats] for one in before
    ]
    assert (names(b, 1), names(b, 0)) == (["(somebody)", "bob", "ann"], ["bob", "(somebody)"])
    assert told(b, "alice", "stats") == 'I have no finished game of "alice".'
    assert " (somebody) " in told(b, "bob", "top")
    for line in (f"{CHANNEL} last", f"game {before[1].game}"):
        assert ". (somebody) " in told(b, "bob", line)
    with b.journal._store.transaction() as connection:
        for one in after:
            found = archive.find(connection, one.game)
            assert found
            audit.check(found)
            totals = [card.total for card in found.table().play.cards]
            assert totals == [seat.total for seat in one.seats]


def test_tables_and_practice_at_hand_know_the_name_no_more(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    b = played(store)
    b.tell("alice", "practice")
    keeper = practice(b, "alice")
    for box in BOXES:
        b.tell("alice", f"practice score {box}")
    assert "alice" in repr(keeper.table)
    # An open lobby that she sat in for a moment.
    for line in ("!join", "!pause", "!leave"):
        b.say("alice", line)
        b.say("bob", "!join")
    assert b.keeper().table.open
    forget(b, "alice")
    for table in (keeper.table, b.keeper().table, b.keeper(OTHER).table):
        assert "alice" not in repr(table).lower()
    assert "(somebody)" in told(b, "bob", f"{OTHER} scores")
    b.say("bob", "!start")
    assert b.keeper().table.phase.value == "playing"
    b.tell("bob", f"{CHANNEL} chance")
    assert b.keeper().table.play.round == 2
    b.journal.close()
    journal = Journal.open(store)
    again = Bench(b.config, journal, start=journal.last_time())
    again.connect("alice", "bob")
    assert again.keeper().table.play.round == 2
    assert "(somebody)" in told(again, "bob", f"{OTHER} scores")
    journal.close()


def test_an_account_is_forgotten_from_anywhere_and_its_nicks_are_not() -> None:
    b = played()
    game(b, "ann")  # the same nick, without the login
    enter(b, PHONE)
    answer = ask(b, PHONE, "forget me")
    assert answer[0].startswith("This takes account ann out of the records for ever. 1 finished game stays, ")
    assert answer[1].startswith("It is about this account alone: ")
    assert ask(b, PHONE, f"forget me {code(answer)}")[0].startswith("Done: account ann ")
    assert b.journal.records.person("local", account_key("ann")) is None
    assert b.journal.records.person("local", nick_key("ann"))
    assert recount.check(b.journal._store) == 3


@pytest.mark.parametrize("thief", [MALLORY, ELSEWHERE], ids=["another user", "another host"])
def test_who_has_only_taken_the_nick_is_refused(thief: User) -> None:
    b = played()
    b.quit("alice")
    b.desk.hear(Joined(thief, CHANNEL))
    refusal = "I cannot know that all games of nick alice are yours, "
    assert told(b, thief, "forget me").startswith(refusal)
    # Nor does it help to play one, or to practise, so that the last game was played from there.
    game(b, thief)
    assert told(b, thief, "forget me").startswith(refusal)

    assert b.journal.records.person("local", nick_key("alice"))


def test_a_code_is_for_who_asked_and_for_two_minutes() -> None:
    b = played()
    first = code(ask(b, "alice", "forget me"))
    wrong = "That is not the code, or it is too late for it. "
    for who in ("bob", MALLORY, ANN):
        assert told(b, who, f"forget me {first}").startswith(wrong)
    assert told(b, "alice", "forget me aaaa").startswith(wrong)
    second = code(ask(b, "alice", "forget me"))
    if first != second:  # one in a million
        assert told(b, "alice", f"forget me {first}").startswith(wrong)
    b.pass_(120)
    assert told(b, "alice", f"forget me {second}").startswith(wrong)
    third = code(ask(b, "alice", "forget me"))
    b.pass_(119)
    assert told(b, "alice", f"forget me {third.upper()}").startswith("Done: ")
    assert told(b, "alice", f"forget me {third}").startswith(wrong)


def test_nobody_is_forgotten_while_they_play() -> None:
    b = played()
    word = code(ask(b, "alice", "forget me"))
    b.say("alice", "!join")
    refusal = f"Not while a game is on with this name in it: {CHANNEL}. "
    assert told(b, "alice", f"forget me {word}").startswith(refusal)
    assert told(b, "alice", "forget me").startswith(refusal)
    b.say("alice", "!leave")
    b.tell("alice", "practice")
    assert told(b, "alice", "forget me").startswith("Not while a game is on with this name in it: practice. ")
    b.tell("alice", "practice leave")
    assert told(b, "alice", f"forget me {word}").startswith("Done: ")


def test_an_operator_may_forget_anybody_with_a_code_as_well() -> None:
    b = played()
    game(b, "ann")
    (answer,) = boss(b, "forget Alice")
    assert answer.startswith("boss: This takes nick alice out of the records for ever. 2 finished games ")
    assert told(b, "alice", f"forget me {code([answer])}").startswith("That is not the code")
    assert boss(b, f"forget bob {code([answer])}")[0].startswith("boss: That is not the code")
    (done,) = boss(b, f"forget alice {code([answer])}")
    assert done.startswith("boss: Done: nick alice ")
    assert boss(b, "forget alice") == ['boss: I have no finished game of "alice".']
    # Who has played last under a nick is meant, unless it is said which record.
    assert boss(b, "forget ann")[0].startswith("boss: This takes nick ann ")
    assert boss(b, "forget account:ann")[0].startswith("boss: This takes account ann ")
    assert boss(b, "forget (somebody)") == ['boss: I have no finished game of "(somebody)".']
    b.begin("bob")
    assert told(b, "bob", "forget ann").startswith("That is not for you to say here.")
    word = code(boss(b, "forget bob"))
    assert boss(b, f"forget bob {word}")[0].startswith("boss: Not while a game is on ")
    assert recount.check(b.journal._store) == 3


def test_who_never_finished_a_game_is_told_so_and_an_operator_can_do_it() -> None:
    b = bench("alice", "bob")
    b.begin("alice", "bob")
    b.say("alice", "!stop")
    assert told(b, "alice", "forget me") == 'I have no finished game of "alice".'
    word = code(boss(b, "forget nick:alice"))
    assert to(boss(b, f"forget nick:alice {word}"), "boss") == [
        "Done: nick alice is in no record any more. 1 game had the name."
    ]
    assert "alice" not in everything(b)


def test_what_was_chosen_under_the_nick_is_forgotten_as_well() -> None:
    b = played()
    b.tell("alice", "style unicode")
    forget(b, "alice")
    assert "plain style" in told(b, "alice", "style")


def test_a_store_that_fails_has_forgotten_nothing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    b = played()
    word = code(ask(b, "alice", "forget me"))

    def fail(*_: object) -> None:
        raise StoreError("no room")

    with monkeypatch.context() as patch:
        patch.setattr(b.journal.records, "forget", fail)
        assert told(b, "alice", f"forget me {word}").startswith("Sorry, ")
    with monkeypatch.context() as patch:
        patch.setattr(b.journal, "history", fail)
        assert told(b, "alice", f"forget me {word}").startswith("Done: ")
    assert [record.getMessage() for record in caplog.records].count("a game is not read anew") == 2
    assert user("alice").nick not in everything(b)


def test_a_question_forgets_nothing() -> None:
    b = played()
    b.begin("alice")
    assert told(b, "alice", "forget me?").startswith("A question does nothing; ")
