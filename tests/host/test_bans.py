"""Who is not served, and for how long; and the words of operators about the host as a whole."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import HostChanged, Joined, Names, Present, User
from host.errors import StoreError
from host.journal import Journal
from host.replies import Reloaded
from host.table import Phase
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user

BOSS = User("boss", "~boss", "staff.example")
PEST = User("pest", "~pest", "bad.example", "Pesty")


def bench(store: str = "sqlite://", channels: str = "") -> Bench:
    found = Bench(config(channels, admins='["*!*@staff.example"]', store=store))
    found.connect("alice")
    for channel in found.present:
        found.desk.hear(Names(channel, (HOST, "alice", "pest", "boss")))
        found.desk.hear(Present(channel, (user("alice"), PEST, BOSS)))
    return found


def boss(found: Bench, text: str) -> list[str]:
    return found.tell("boss", text, mask=BOSS)


def test_a_banned_person_is_told_once_and_not_served() -> None:
    found = bench()
    lines = boss(found, "ban PEST")
    assert to(lines, "pest") == ["You are banned from the games here."]
    assert to(lines, "boss") == [
        "pest (*!~pest@bad.example, account Pesty; by boss) is not served any more; it fits 1 here now."
        " unban pest lifts it."
    ]
    answers = [found.say("pest", "!join", mask=PEST) for _ in range(3)]
    answers += [found.tell("pest", "help", mask=PEST), found.say("pest", "hello", mask=PEST)]
    assert answers == [["pest: You are banned from the games here."], [], [], [], []]
    assert found.keeper().table.phase is Phase.CLOSED


@pytest.mark.parametrize(
    "who",
    [
        User("nice", "~pest", "bad.example"),
        User("pest", "~other", "new.example", "pesty"),
        User("PEST", "~pest", "BAD.example"),
    ],
)
def test_another_nick_or_another_place_does_not_help(who: User) -> None:
    found = bench()
    boss(found, "ban pest")
    assert found.tell(who.nick, "join", mask=who) == [f"{who.nick}: You are banned from the games here."]


@pytest.mark.parametrize(
    "who", [User("pest", "~nice", "good.example"), User("other", "~other", "bad.example")]
)
def test_somebody_else_under_the_nick_or_from_the_host_is_served(who: User) -> None:
    found = bench()
    boss(found, "ban pest")
    assert "banned" not in " ".join(found.tell(who.nick, "help", mask=who))


def test_a_ban_takes_its_target_out_of_every_game() -> None:
    found = bench(channels='{"#a": {}, "#b": {}, "#c": {}}')
    for channel in ("#a", "#b"):
        found.say("pest", "!join", channel, mask=PEST)
        found.say("alice", "!join", channel)
    found.say("pest", "!start", "#a", mask=PEST)
    lines = boss(found, "ban *!*@bad.example")
    assert to(lines, "#a") == ["boss takes pest out of the game; the host plays those dice."]
    assert to(lines, "#b") == ["boss takes pest out of the lobby; alice may !start now."]
    assert to(lines, "#c") == []
    assert found.keeper("#a").table.seats[0].removed


def test_a_ban_outlives_the_host_until_it_is_lifted(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    found = bench(store)
    boss(found, "ban pest")
    boss(found, "ban *!*@worse.example")
    boss(found, "ban Pest")
    found.journal.close()
    again = bench(store)
    assert to(boss(again, "unban"), "boss") == [
        "Banned: *!*@worse.example (by boss), pest (*!~pest@bad.example, account Pesty; by boss)."
    ]
    assert "banned" in again.tell("pest", "join", mask=PEST)[0]
    lines = boss(again, "unban PEST")
    assert to(lines, "boss")[0].startswith(
        "pest (*!~pest@bad.example, account Pesty; by boss) is not banned any more."
    )
    assert to(lines, "pest") == ["You may play here again."]
    assert "pest opens a game" in again.say("pest", "!join", mask=PEST)[0]
    (answer,) = boss(again, "unban pest")
    assert answer == 'boss: There is no ban "pest". Bans: *!*@worse.example.'
    boss(again, "unban *!*@worse.example")
    assert boss(again, "unban") == ["boss: Nobody is banned."]
    again.journal.close()
    last = Bench(again.config, Journal.open(store))
    assert last.journal.bans("local") == []
    last.journal.close()


@pytest.mark.parametrize("who", ["*!*@*", "*!*@*.*", "*!*@staff.example", "pest!*@*", "*!*@*.example"])
def test_a_ban_that_fits_too_many_is_refused(who: str) -> None:
    found = bench()
    assert "too wide" in to(boss(found, f"ban {who}"), "boss")[0]
    assert found.journal.bans("local") == []


def test_those_who_run_the_host_are_not_banned() -> None:
    found = bench()
    for who in ("boss", "BOSS"):
        assert boss(found, f"ban {who}") == ["boss: boss is one of those who run this host."]
    assert found.journal.bans("local") == []


def test_a_second_ban_of_the_same_person_is_told_when_the_first_is_lifted() -> None:
    found = bench()
    boss(found, "ban *!~pest@bad.example")
    boss(found, "ban pest")
    (answer,) = boss(found, "unban pest")
    assert "is not banned any more. There is still *!~pest@bad.example (by boss)." in answer
    assert "banned" in found.tell("pest", "help", mask=PEST)[0]


def test_nobody_of_that_nick_is_in_sight() -> None:
    found = bench()
    assert boss(found, "ban ghost") == [
        'boss: I see nobody called "ghost". A mask will do as well, such as *!*@host.example.'
    ]


def test_a_ban_that_cannot_be_written_down_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    found = bench()
    found.journal.close()
    monkeypatch.setattr(found.journal._store, "connection", _locked)
    assert "could not write that down" in boss(found, "ban pest")[0]
    assert "banned" not in " ".join(found.tell("pest", "help", mask=PEST))


def _locked() -> object:
    raise StoreError("locked")


# --- the host as a whole ---


def test_an_operators_words_are_marked_as_theirs_and_may_be_long() -> None:
    found = bench()
    text = " ".join(f"word{number}" for number in range(150))
    lines = to(boss(found, f"say {text}"), CHANNEL)
    assert lines[0].startswith("boss says: word0 word1")
    assert all(line.startswith("boss says: ") for line in lines)
    assert " ".join(line.removeprefix("boss says: ") for line in lines) == text


def test_the_status_tells_what_an_operator_wants_to_know() -> None:
    assert boss(bench(), "status") == [
        "boss: yardzee-host 1.2, up 2 h 5 min. Networks: local connected, far NOT CONNECTED."
        " Tables: 5, of these 1 in the lobby and 2 in a game. NOT IN #far. Lines waiting: 17."
        " Store: sqlite:// takes a line in 0.2 ms."
    ]


def test_reload_and_shutdown_are_asked_of_the_host() -> None:
    found = bench()
    found.controls.reloaded = Reloaded((), ("#new on local",), ("#old on local",), ("store",))
    (answer,) = boss(found, "reload")
    assert answer == (
        "boss: The configuration was read again; the next game of each table goes by it."
        " Joining #new on local. Leaving #old on local, after the game where one is on."
        " Only a restart changes store."
    )
    found.controls.reloaded = Reloaded(problems=("c.yaml:3: wrong",))
    assert "Nothing has changed" in boss(found, "reload")[0]
    boss(found, "shutdown")
    assert found.controls.asked == ["reload", "reload", "shutdown"]


def test_help_on_hosting_says_what_there_is() -> None:
    (answer,) = bench().tell("alice", "help hosting")
    assert all(
        word in answer for word in ("pause", "resume", "stop", "extend", "remove", "amend", "ban", "say")
    )
    assert bench().tell("alice", "help pause") == [answer]


def test_a_ban_finds_the_seat_of_its_target_under_another_host() -> None:
    found = bench()
    found.say("pest", "!join", mask=PEST)
    found.say("alice", "!join")
    cloaked = User("pest", "~pest", "cloak.example", "Pesty")
    found.desk.hear(HostChanged(PEST, cloaked))
    boss(found, "ban pest")
    assert [seat.nick for seat in found.keeper().table.seats] == ["alice"]


def test_a_mask_ban_spares_the_seats_of_operators() -> None:
    found = Bench(config(admins="[Chief, Boss]"))
    found.connect()
    chief = User("chief", "c", "dial.example", "Chief")
    guest = User("guest", "g", "dial.example")
    found.desk.hear(Names(CHANNEL, (HOST, "chief", "guest")))
    found.desk.hear(Present(CHANNEL, (chief, guest)))
    found.say("chief", "!join", mask=chief)
    found.say("guest", "!join", mask=guest)
    head = User("boss", "b", "staff.example", "Boss")
    found.tell("boss", "ban *!*@dial.example", mask=head)
    assert [seat.nick for seat in found.keeper().table.seats] == ["chief"]
    assert "chief" in found.say("chief", "!who", mask=chief)[0]


def test_a_ban_of_the_same_name_in_another_case_takes_its_place() -> None:
    found = bench()
    boss(found, "ban *!*@Bad.example")
    boss(found, "ban *!*@bad.EXAMPLE")
    assert [ban.name for ban in found.journal.bans("local")] == ["*!*@bad.EXAMPLE"]
    boss(found, "unban *!*@bad.example")
    assert found.journal.bans("local") == []


def test_a_second_ban_on_a_nick_does_not_lift_the_first() -> None:
    found = bench()
    boss(found, "ban pest")
    other = User("pest", "~pest", "other.example")
    found.quit("pest")
    found.desk.hear(Joined(other, CHANNEL))
    boss(found, "ban pest")
    assert {ban.name for ban in found.journal.bans("local")} == {"pest", "*!~pest@other.example"}
    for mask in (PEST, other):
        assert found.say("pest", "!join", mask=mask) in ([], ["pest: You are banned from the games here."])
    assert found.keeper().table.phase is Phase.CLOSED
