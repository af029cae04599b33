"""A clock stands for several reasons at once, and goes on when the last of them is gone."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import Disconnected, Joined, Kicked, LinkEvent, Names, Present, Quit, User
from host.decide import SPLIT_WAIT
from host.events import Reason
from host.journal import Journal
from host.table import Phase
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user

OTHER = "#other"
BOSS = User("boss", "~boss", "staff.example")
KICKED = Kicked(HOST, CHANNEL, "op", "")


def game(*, store: str = "sqlite://") -> Bench:
    """Alice and bob play in one channel; they, zoe and the operator are in another as well."""
    found = Bench(
        config(f'{{"{CHANNEL}": {{}}, "{OTHER}": {{}}}}', admins='["*!*@staff.example"]', store=store)
    )
    found.connect("alice", "bob", "zoe", "boss")
    found.desk.hear(Present(CHANNEL, (user("alice"), user("bob"), user("zoe"), BOSS)))
    found.say("alice", "!join")
    found.say("bob", "!join")
    found.say("alice", "!start")
    return found


def split(found: Bench, *nicks: str) -> None:
    for nick in nicks:
        found.desk.hear(Quit(user(nick), "a.example b.example", netsplit=True))
    found.pass_(3)


def reasons(found: Bench) -> set[Reason]:
    return {why.reason for why in found.keeper().table.standing}


def host_back(found: Bench, *nicks: str) -> list[str]:
    before = len(found.wire.sent)
    found.desk.hear(Names(CHANNEL, (HOST, *nicks)))
    found.desk.hear(Present(CHANNEL, tuple(map(user, nicks))))
    return found.since(before)


def test_a_host_that_is_kicked_in_a_split_waits_until_it_is_back_and_players_are_too() -> None:
    found = game()
    split(found, "alice", "bob")
    found.desk.hear(KICKED)
    found.desk.hear(Joined(user("alice"), OTHER))
    found.tell("alice", "hello?")
    assert reasons(found) == {Reason.HOST_OUT}
    found.pass_(2000)
    assert found.keeper().table.play.round == 1
    host_back(found, "alice")
    assert reasons(found) == set()
    found.pass_(1000)
    assert found.keeper().table.play.round > 1


def test_a_host_that_is_back_before_the_players_goes_on_waiting_for_them() -> None:
    found = game()
    split(found, "alice", "bob")
    found.desk.hear(KICKED)
    host_back(found)
    assert reasons(found) == {Reason.SPLIT}
    found.desk.hear(Joined(user("bob"), CHANNEL))
    assert reasons(found) == set()


def test_the_wait_for_a_split_outlives_a_kill(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    found = game(store=store)
    split(found, "alice", "bob")
    found.pass_(100)
    found.journal.close()
    journal = Journal.open(store)
    again = Bench(found.config, journal, start=journal.last_time())
    again.connect("zoe")
    assert reasons(again) == {Reason.SPLIT}
    again.pass_(SPLIT_WAIT + 1)
    assert reasons(again) == set()
    journal.close()


def test_a_pause_that_ends_in_a_split_says_that_the_game_waits() -> None:
    found = game()
    found.say("alice", "!pause")
    split(found, "alice", "bob")
    assert found.keeper().table.stands_for(Reason.SPLIT)
    lines = found.say("boss", "!resume", mask=BOSS)
    assert lines == [f"{CHANNEL}: boss ends the pause. The game waits for its players."]
    assert found.pass_(500) == []


def test_who_sits_down_in_a_lobby_is_not_kept_waiting_by_a_split() -> None:
    found = game()
    found.say("alice", "!stop")
    found.say("alice", "!join")
    split(found, "alice")
    assert reasons(found) == {Reason.SPLIT}
    found.say("zoe", "!join")
    assert reasons(found) == set()
    found.pass_(400)
    assert found.keeper().table.phase is Phase.PLAYING


def test_players_who_were_away_before_a_split_keep_nobody_waiting() -> None:
    found = game()
    found.pass_(240)
    assert all(seat.away for seat in found.keeper().table.seats)
    split(found, "alice", "bob")
    assert reasons(found) == set()
    assert "zoe opens a game" in "".join(found.say("zoe", "!join"))


def test_a_paused_game_that_nobody_attends_is_played_out_for_others() -> None:
    found = game()
    found.pass_(240)
    found.say("boss", "!pause", mask=BOSS)
    assert "zoe opens a game" in "".join(found.say("zoe", "!join"))


@pytest.mark.parametrize("way", [KICKED, Disconnected("gone")], ids=["kick", "disconnect"])
def test_what_an_operator_does_while_the_host_is_out_is_done_and_confirmed(way: LinkEvent) -> None:
    found = game()
    found.desk.hear(way)
    assert found.tell("boss", f"{CHANNEL} pause", mask=BOSS) == [f"boss: Done in {CHANNEL}."]
    assert found.tell("boss", f"{CHANNEL} say hello", mask=BOSS) == [f"boss: I am not in {CHANNEL} now."]
    assert reasons(found) == {Reason.HOST_OUT, Reason.PAUSE}
    back = host_back(found, "alice", "bob")
    assert to(back, CHANNEL) == ["I am back. boss has paused the game; !resume goes on."]


def test_a_result_that_is_amended_while_the_host_is_out_is_told_when_it_is_back() -> None:
    found = game()
    for box in ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]:
        found.pass_(3)
        for nick in ("alice", "bob"):
            found.tell(nick, f"score {box}")
    assert found.keeper().table.announced
    found.desk.hear(KICKED)
    assert found.tell("boss", f"{CHANNEL} amend alice chance 30 recount", mask=BOSS) == [
        f"boss: Done in {CHANNEL}."
    ]
    (told,) = to(host_back(found, "alice", "bob"), CHANNEL)
    assert f"alice {found.keeper().table.play.cards[0].total} " in told
    assert host_back(found, "alice", "bob") == []
