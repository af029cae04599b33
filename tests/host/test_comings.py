"""Players whose nicks change, who leave and come back, as a table sees them."""

from __future__ import annotations

import pytest

from chat.events import Disconnected, Joined, Message, Names, NickChanged, Present, Quit, User
from tests.support.bench import CHANNEL, HOST, Bench, to, user


def game(*nicks: str) -> Bench:
    b = Bench()
    b.connect(*nicks)
    b.begin(*nicks)
    return b


def test_scores_go_to_their_owners_when_nicks_wander() -> None:
    b = game("alice", "bob")
    alices, bobs = b.dice("alice"), b.dice("bob")
    b.rename("alice", "al")
    b.desk.hear(NickChanged(user("bob"), "alice"))
    heard = b.tell("alice", "score chance", mask=User("alice", "~bob", "example.org"))
    assert f"Chance {bobs.dice.total}" in to(heard, "alice")[0]
    heard = b.tell("al", "score chance", mask=User("al", "~alice", "example.org"))
    assert f"al Chance {alices.dice.total}" in to(heard, CHANNEL)[0]
    assert f"alice Chance {bobs.dice.total}" in to(heard, CHANNEL)[0]
    assert "bob" not in " ".join(heard)


@pytest.mark.parametrize("in_channel", [True, False])
def test_another_who_takes_a_players_nick_sees_no_dice(in_channel: bool) -> None:
    b = game("alice", "bob")
    impostor = user("alice", "elsewhere.org")
    b.quit("alice")
    if in_channel:
        b.desk.hear(Joined(impostor, CHANNEL))
    for line in ("dice", "card", "reroll all", "score chance", "leave", "!join"):
        (answer,) = b.tell("alice", line, mask=impostor)
        assert "[" not in answer, line
        assert "no seat" in answer or "is on" in answer or "Come into" in answer, line
    assert b.keeper().table.play.turns[0].roll == 1
    # When alice is back, her dice are hers.
    b.desk.hear(Quit(impostor, "gone"))
    assert "[" in to(b.join("alice"), "alice")[0]


def test_a_player_who_quits_and_is_back_gets_their_dice_again() -> None:
    b = game("alice", "bob")
    dice = b.dice("alice")
    b.quit("alice")
    heard = b.join("alice")
    assert str(dice) in to(heard, "alice")[0]
    assert "roll 2/3" in b.tell("alice", "reroll all")[0]


def test_dice_are_not_sent_to_a_nick_whose_owner_has_gone() -> None:
    b = game("alice", "bob")
    b.quit("alice")
    b.tell("bob", "score chance")
    b.pass_(130)  # alice's dice are played for her, and the next ones fall
    since = len(b.wire.sent)
    b.desk.hear(Joined(user("alice", "elsewhere.org"), CHANNEL))
    b.pass_(1)
    assert [line for line in b.wire.sent[since:] if line[0] == "alice"] == []


def test_after_the_host_reconnects_players_get_their_dice() -> None:
    b = game("alice", "bob")
    alices, bobs = b.dice("alice"), b.dice("bob")
    b.desk.hear(Disconnected("gone"))
    since = len(b.wire.sent)
    b.connect("alice", "bob")
    told = [(target, text) for target, text, _ in b.wire.sent[since:]]
    assert any(str(alices) in text for target, text in told if target == "alice")
    assert any(str(bobs) in text for target, text in told if target == "bob")


def test_while_the_host_was_away_another_may_have_taken_the_nick() -> None:
    b = game("alice", "bob")
    b.desk.hear(Disconnected("gone"))
    since = len(b.wire.sent)
    b.desk.hear(Names(CHANNEL, (HOST, "alice")))
    b.desk.hear(Present(CHANNEL, (user("alice", "elsewhere.org"),)))
    assert [text for target, text, _ in b.wire.sent[since:] if target == "alice"] == []


@pytest.mark.parametrize(("casemapping", "same"), [("rfc1459", True), ("ascii", False)])
def test_a_table_follows_the_casemapping(casemapping: str, same: bool) -> None:
    b = Bench()
    b.wire.casemapping = casemapping
    b.connect("Foo[1]", "bob")
    b.begin("Foo[1]", "bob")
    heard = b.tell("foo{1}", "dice", mask=User("foo{1}", "~foo[1]", "example.org"))
    assert ("[" in heard[0]) is same


def test_a_channel_is_one_however_its_name_is_written() -> None:
    b = Bench()
    b.connect("alice")
    b.desk.hear(Message(user("alice"), CHANNEL.upper(), "!join", private=False))
    assert [seat.nick for seat in b.keeper().table.seats] == ["alice"]
    b.desk.hear(Quit(user("alice"), "gone"))
    assert not b.keeper().table.open
