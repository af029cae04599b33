"""Whose seat it is, and who is told of its dice, whatever happens to nicks, hosts and channels."""

from __future__ import annotations

import pytest

from chat.events import Disconnected, Kicked, LinkEvent, Message, Names, NickChanged, Parted, Present, User
from host.table import Phase
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user

ALICE = user("alice")
MALLORY = User("alice", "~mallory", "elsewhere.example")
"""Somebody else who took the nick."""


def game(*nicks: str) -> Bench:
    bench = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0}}}}'))
    bench.connect(*nicks)
    bench.begin(*nicks)
    return bench


def goes_on(bench: Bench) -> list[str]:
    """Everything that is said until the next round has begun."""
    return bench.pass_(125)


@pytest.mark.parametrize(
    "out_of_sight",
    [
        [Parted(ALICE, CHANNEL)],
        [Kicked("alice", CHANNEL, "op", "")],
        [Kicked(HOST, CHANNEL, "op", "")],
        [Parted(User(HOST, "~h", "h"), CHANNEL)],
        [Disconnected("gone")],
    ],
    ids=["part", "kick", "host kicked", "host parts", "disconnect"],
)
def test_who_cannot_be_followed_is_sent_no_dice_unasked(out_of_sight: list[LinkEvent]) -> None:
    bench = game("alice", "bob")
    for event in out_of_sight:
        bench.desk.hear(event)
    assert [line for line in to(goes_on(bench), "alice") if DiceTag.find(line)] == []


@pytest.mark.parametrize("line", ["dice", "card", "keep all", "score chance", "help", "$"])
def test_somebody_else_under_the_nick_sees_and_does_nothing(line: str) -> None:
    bench = game("alice", "bob")
    before = bench.keeper().table
    bench.desk.hear(Parted(ALICE, CHANNEL))
    answers = bench.tell("alice", line, mask=MALLORY)
    assert [answer for answer in answers if DiceTag.find(answer)] == []
    assert bench.keeper().table == before


def test_out_of_the_channel_the_owner_still_plays_and_is_answered() -> None:
    bench = game("alice", "bob")
    dealt = bench.dice("alice")
    bench.desk.hear(Parted(ALICE, CHANNEL))
    assert str(dealt) in bench.tell("alice", "dice")[0]
    assert "Scored Chance" in bench.tell("alice", "chance")[0]


def test_lines_that_wait_for_a_nick_never_reach_its_next_owner() -> None:
    bench = Bench(config(send="{burst: 1, seconds: 1}"))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    bench.desk.hear(NickChanged(ALICE, "al"))
    lines = bench.pass_(10)
    assert to(lines, "alice") == []
    assert any(DiceTag.find(line) for line in to(lines, "al"))


def test_a_host_that_changes_under_our_eyes_changes_nothing() -> None:
    bench = game("alice", "bob")
    cloaked = User("alice", "~alice", "cloak.example")
    assert "Scored Chance" in bench.tell("alice", "chance", mask=cloaked)[0]
    bench.say("bob", "!score aces")
    assert bench.keeper().table.play.round == 2
    assert to(bench.say("alice", "!join", mask=cloaked), "alice")[0].startswith("You have a seat already.")
    assert len(bench.keeper().table.seats) == 2


def test_a_new_seat_does_not_cost_the_old_one() -> None:
    two = config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}')
    bench = Bench(two)
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    bench.quit("alice")
    back = User("alice_", "~alice", "example.org")
    bench.join("alice_", "#other")
    bench.say("alice_", "!join", "#other", mask=back)
    bench.desk.hear(NickChanged(back, "alice"))
    assert bench.keeper("#other").table.seats[0].nick == "alice"
    assert "The game begins" in bench.say("alice", "!start", "#other")[0]


def test_coming_into_another_channel_shows_no_dice_of_this_one() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}'))
    bench.join("alice", CHANNEL)
    bench.begin("alice")
    assert bench.join("alice", "#other") == []


def test_the_host_is_back_and_someone_else_has_the_openers_nick() -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    bench.say("alice", "!join")
    bench.say("bob", "!join")
    bench.desk.hear(Kicked(HOST, CHANNEL, "op", ""))
    bench.desk.hear(Names(CHANNEL, (HOST, "alice", "bob")))
    bench.desk.hear(Present(CHANNEL, (MALLORY, user("bob"))))
    assert [seat.nick for seat in bench.keeper().table.seats] == ["bob"]
    assert "The game begins: bob" in bench.say("bob", "!start")[0]


def test_the_host_is_back_and_the_lobby_is_empty() -> None:
    bench = Bench()
    bench.connect("alice")
    bench.say("alice", "!join")
    bench.desk.hear(Disconnected("gone"))
    bench.desk.hear(Names(CHANNEL, (HOST, "zoe")))
    assert bench.keeper().table.phase is Phase.CLOSED


def test_strangers_leave_nothing_behind() -> None:
    bench = game("alice")
    for number in range(50):
        stranger = User(f"s{number}", "u", "h")
        bench.desk.hear(Message(stranger, HOST, "hello", private=True))
    assert bench.desk._people._here.keys() == {"alice"}
    assert bench.desk._people._away == {}


def test_who_played_before_the_server_told_who_is_there_gets_no_dice_twice() -> None:
    bench = Bench()
    bench.desk.hear(Names(CHANNEL, (HOST, "alice", "bob")))
    bench.say("alice", "!join")
    bench.say("alice", "!start")
    before = len(bench.wire.sent)
    bench.desk.hear(Present(CHANNEL, (ALICE, user("bob"))))
    assert bench.wire.sent[before:] == []
