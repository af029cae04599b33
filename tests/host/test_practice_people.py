"""Practice: whose game it is, whatever they are called and wherever they were, and what becomes of it."""

from __future__ import annotations

import pytest

from chat.events import AccountChanged, Joined, Parted, User
from host.advice import Turns
from host.events import Identified, Renamed
from host.table import Phase
from tests.host.practising import bench, events, practice, public
from tests.host.test_clerk import play_out
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config, lines_of, to, user
from tests.support.world import Flaky


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def test_a_new_nick_changes_nothing(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.tell("alice", "practice")
    game, dice = practice(b, "alice").table.game, b.dice("alice")
    b.rename("alice", "alicia")
    assert practice(b, "alicia").table.game == game
    assert isinstance(events(b, game)[-1], Renamed)
    mask = User("alicia", "~alice", "example.org")
    assert str(dice) in b.tell("alicia", "practice", mask=mask)[0]
    second = Bench(b.config, b.journal, start=10, turns=turns)
    second.connect("bob")
    second.heard(Joined(mask, CHANNEL))
    assert str(dice) in second.tell("alicia", "dice", mask=mask)[0]


def test_who_comes_back_from_the_same_place_finds_it_again(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.tell("alice", "practice")
    b.tell("alice", "keep a")
    table = practice(b, "alice").table
    b.quit("alice")
    assert b.join("alice") == []
    assert b.tell("alice", "keep none")[0].startswith("alice: Rolled all five; ")
    assert practice(b, "alice").table.game == table.game
    b.quit("alice")
    b.heard(Joined(User("alice", "~mallory", "example.com"), CHANNEL))
    assert b.desk.find("alice") is not None
    assert b.tell("alice", "practice dice", mask=User("alice", "~mallory", "example.com")) == [
        "alice: No practice game of yours is on. practice begins one."
    ]


def test_whom_the_host_does_not_see_may_practise_and_come_in_later(turns: Turns) -> None:
    b = bench(turns, "bob")
    assert len(b.tell("zoe", "practice")) == 2
    b.tell("zoe", "keep a")
    b.join("zoe")
    dice = b.dice("zoe")
    assert str(dice) in b.tell("zoe", "dice")[0]
    second = Bench(b.config, b.journal, start=10, turns=turns)
    second.connect("bob")
    assert str(dice) in second.tell("zoe", "practice")[0]
    assert second.join("zoe") == []
    assert str(dice) in second.tell("zoe", "dice")[0]
    second.heard(Parted(user("zoe"), CHANNEL))
    assert second.tell("zoe", "chance")[0].startswith("zoe: Scored Chance")


def test_an_account_brings_it_from_anywhere(turns: Turns) -> None:
    b = bench(turns, "bob")
    alice = User("alice", "~a", "home", "Alice")
    b.heard(Joined(alice, CHANNEL))
    b.tell("alice", "practice", mask=alice)
    b.heard(Parted(alice, CHANNEL))
    phone = User("al", "~phone", "mobile", "alice")
    b.heard(Joined(phone, CHANNEL))
    assert b.tell("al", "chance", mask=phone)[0].startswith("al: Scored Chance")


def test_who_logs_in_while_practising_is_known_by_the_account(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    b.heard(AccountChanged(user("alice"), "Alice"))
    assert events(b, practice(b, "alice").table.game)[-1] == Identified("person1@0.0", "Alice")


def test_a_seat_matters_more_than_practice(turns: Turns) -> None:
    b = bench(turns, "bob")
    alice = User("alice", "~a", "home", "Alice")
    b.heard(Joined(alice, CHANNEL))
    for who, mask in (("alice", alice), ("bob", user("bob"))):
        b.say(who, "!join", mask=mask)
    b.say("alice", "!start", mask=alice)
    dice = b.dice("alice")
    b.heard(Parted(alice, CHANNEL))
    guest = User("guest", "~g", "cafe")
    b.heard(Joined(guest, CHANNEL))
    b.tell("guest", "practice", mask=guest)
    said = b.heard(AccountChanged(guest, "Alice"))
    assert to(said, "guest") == [f"Welcome back. {dice}" + said[0].partition(str(dice))[2]]


def test_what_the_journal_does_not_take_has_not_begun(turns: Turns) -> None:
    b = Bench(config(), Flaky.open("sqlite://"), turns=turns)
    assert isinstance(b.journal, Flaky)
    b.connect("alice")
    b.journal.locked = True
    assert to(b.tell("alice", "practice"), "alice")[0].startswith("Sorry, I could not write that down")
    assert practice(b, "alice").table.phase is Phase.CLOSED
    b.journal.locked, b.journal.lies = False, True
    b.tell("alice", "practice")
    assert len(b.journal.unfinished()) == 1
    # It was written after all, and is not begun a second time.
    b.tell("alice", "practice")
    assert len(b.journal.unfinished()) == 1
    assert practice(b, "alice").table.game == b.journal.unfinished()[0].file.game


def test_who_plays_with_others_is_answered_first(turns: Turns) -> None:
    b = Bench(config(send="{burst: 1, seconds: 1}"), turns=turns)
    b.connect("alice", "bob", "zoe")
    b.begin("alice", "bob")
    b.pass_(60)
    b.tell("zoe", "practice")
    b.tell("alice", "dice")
    said = [line.split(":")[0] for line in b.pass_(10)]
    assert said.index("alice") < said.index("zoe")


def test_slow_lines_make_no_time(turns: Turns) -> None:
    b = Bench(config(send="{burst: 1, seconds: 5}"), turns=turns)
    b.connect("alice")
    b.tell("alice", "practice")
    game = practice(b, "alice").table.game
    before = len(events(b, game))
    b.pass_(60)
    assert len(events(b, game)) == before


def test_a_host_that_stops_leaves_it_in_the_journal(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    b.desk.close()
    assert b.pass_(3 * 86_400) == []
    assert len(b.journal.unfinished()) == 1


def test_a_program_hears_of_it_as_of_any_table(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.begin("alice", "bob")
    b.tell("alice", "ycp hello v=1 lines=only")
    b.tell("alice", "practice")
    game = practice(b, "alice").table.game
    said = [text for text in to(lines_of(b), "alice") if f"g={game}" in text]
    assert [text.split()[1] for text in said] == ["seated", "began", "dice"]
    assert all(" c=practice " in text for text in said[:2])
    verdict, kept = b.tell("alice", f"ycp hold g={game} r=1 k=1 keep=a")
    assert verdict.startswith(f"alice: ycp verdict g={game} r=1 k=1")
    assert kept.startswith(f"alice: ycp dice g={game} r=1 k=2")
    assert b.tell("alice", "ycp state")[-1] == "alice: ycp end games=2"
    (late, dice) = b.tell("alice", f"ycp hold g={game} r=1 k=1 keep=a")
    assert late == f"alice: ycp refused code=late cmd=hold g={game}"
    assert dice.startswith(f"alice: ycp dice g={game} r=1 k=2")
    assert b.tell("alice", "practice leave")[0] == f"alice: ycp gone g={game} why=left"
    play_out(b, "alice", "bob")
    assert not [text for text in public(b) if "practice" in text]
