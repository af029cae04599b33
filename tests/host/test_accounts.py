"""A services account is the person; a token is as good where there is none."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from chat.events import AccountChanged, HostChanged, Joined, Message, User
from host.journal import Journal
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user

ALICE = User("alice", "~a", "home.example", "Alice")
PHONE = User("alice_phone", "~p", "mobile.example", "alice")
"""The same account from elsewhere; accounts are compared without case."""


def game(tmp_path: Path | None = None) -> Bench:
    store = f"sqlite:///{tmp_path}/s.sqlite" if tmp_path else "sqlite://"
    bench = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0}}}}', store=store))
    bench.connect("bob")
    bench.desk.hear(Joined(ALICE, CHANNEL))
    say(bench, ALICE, "!join")
    bench.say("bob", "!join")
    say(bench, ALICE, "!start")
    return bench


def say(bench: Bench, who: User, text: str) -> list[str]:
    return bench.heard(Message(who, CHANNEL, text, private=False))


def tell(bench: Bench, who: User, text: str) -> list[str]:
    return bench.heard(Message(who, HOST, text, private=True))


def test_the_account_is_the_person_from_anywhere_and_under_any_nick() -> None:
    bench = game()
    dealt = bench.dice("alice")
    bench.quit("alice")
    lines = bench.heard(Joined(PHONE, CHANNEL))
    assert str(dealt) in to(lines, "alice_phone")[0]
    assert "Scored Chance" in tell(bench, PHONE, "chance")[0]


def test_two_connections_of_one_account_are_one_player_with_one_seat() -> None:
    bench = game()
    bench.desk.hear(Joined(PHONE, CHANNEL))
    assert to(say(bench, PHONE, "!join"), "alice_phone")[0].startswith("You have a seat already.")
    bench.desk.hear(Message(ALICE, HOST, "dice", private=True))
    assert "Scored Chance" in tell(bench, PHONE, "chance")[0]
    bench.quit("alice_phone")
    bench.say("bob", "!score aces")
    assert DiceTag.find(to(bench.heard(Message(ALICE, HOST, "dice", private=True)), "alice")[0])


def test_whoever_is_not_logged_in_and_takes_the_nick_is_somebody_else() -> None:
    bench = game()
    bench.quit("alice")
    same_mask = replace(ALICE, account=None)
    lines = bench.heard(Joined(same_mask, CHANNEL))
    assert to(lines, "alice") == []
    assert "no seat" in tell(bench, same_mask, "dice")[0]


def test_logging_in_brings_the_seat() -> None:
    bench = game()
    dealt = bench.dice("alice")
    bench.quit("alice")
    guest = User("Guest42", "~g", "elsewhere.example")
    bench.desk.hear(Joined(guest, CHANNEL))
    lines = bench.heard(AccountChanged(guest, "ALICE"))
    assert str(dealt) in to(lines, "Guest42")[0]


@pytest.mark.parametrize("account", ["*", "0"])
def test_no_account_is_nobodys(account: str) -> None:
    # The link tells these as no account at all; two people without one are two people.
    one, other = User("one", "u", "h"), User("other", "u", "h")
    bench = Bench()
    bench.connect()
    for who in (one, other):
        bench.desk.hear(Joined(who, CHANNEL))
        say(bench, who, "!join")
    assert len(bench.keeper().table.seats) == 2


def test_an_account_that_is_known_later_is_remembered(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    bench = Bench(config(store=store))
    bench.connect("bob")
    bench.begin("bob")
    bench.desk.hear(AccountChanged(user("bob"), "Bob"))
    bench.journal.close()
    again = Bench(config(store=store), Journal.open(store), start=100.0)
    again.connect()
    lines = again.heard(Joined(User("robert", "~r", "new.example", "bob"), CHANNEL))
    assert "Round 1/13" in to(lines, "robert")[0]
    again.journal.close()


def test_a_new_host_by_the_servers_word_is_the_same_person() -> None:
    bench = game()
    bench.desk.hear(HostChanged(user("bob"), User("bob", "~bob", "cloak.example")))
    bench.quit("bob")
    lines = bench.heard(Joined(User("bob", "~bob", "cloak.example"), CHANNEL))
    assert "Welcome back" in to(lines, "bob")[0]


# --- tokens ---


def test_a_token_is_sent_to_those_without_an_account_alone() -> None:
    bench = game()
    sent = {target for target, text, _ in bench.wire.sent if "return token" in text}
    assert sent == {"bob"}


def test_a_token_brings_the_seat_from_anywhere() -> None:
    bench = game()
    dealt = bench.dice("bob")
    bench.quit("bob")
    elsewhere = User("bobby", "~x", "cafe.example")
    bench.desk.hear(Joined(elsewhere, CHANNEL))
    assert "no seat" in tell(bench, elsewhere, "dice")[0]
    lines = tell(bench, elsewhere, "return token00002")
    assert str(dealt) in to(lines, "bobby")[0]
    assert "Scored Chance" in tell(bench, elsewhere, "chance")[0]
    assert bench.keeper().table.seats[1].nick == "bobby"
    assert to(lines, CHANNEL) == ["bob is back as bobby."]


def test_the_old_place_has_no_seat_any_more() -> None:
    bench = game()
    elsewhere = User("bobby", "~x", "cafe.example")
    bench.desk.hear(Joined(elsewhere, CHANNEL))
    tell(bench, elsewhere, "return token00002")
    assert "no seat" in bench.tell("bob", "dice")[0]


@pytest.mark.parametrize("token", ["token00003", "", "x", "token00002x"])
def test_a_wrong_token_brings_nothing(token: str) -> None:
    bench = game()
    before = bench.keeper().table
    elsewhere = User("bobby", "~x", "cafe.example")
    bench.desk.hear(Joined(elsewhere, CHANNEL))
    lines = tell(bench, elsewhere, f"return {token}")
    assert [line for line in lines if DiceTag.find(line)] == []
    assert bench.keeper().table == before


def test_a_token_is_never_kept_in_clear_or_shown(caplog: pytest.LogCaptureFixture) -> None:
    bench = game()
    (history,) = bench.journal.unfinished()
    assert "token00002" not in repr(history) + repr(bench.keeper().table) + caplog.text
    assert bench.keeper().table.seats[1].occupant.token_hash not in repr(bench.keeper().table)
    assert all("token0" not in text for target, text, _ in bench.wire.sent if target == CHANNEL)


def test_an_account_that_a_line_shows_is_noted() -> None:
    bench = game()
    tell(bench, replace(user("bob"), account="Bob"), "dice")
    bench.quit("bob")
    lines = bench.heard(Joined(User("robert", "~r", "new.example", "bob"), CHANNEL))
    assert "Round 1/13" in to(lines, "robert")[0]
