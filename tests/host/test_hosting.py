"""Those who have the say at a table: pauses, stops, more time, players taken out, scores put right."""

from __future__ import annotations

from pathlib import Path

import pytest

from chat.events import Disconnected, Kicked, Names, Present, Quit, User
from host.journal import Journal
from host.table import Phase
from protocol.tags import DiceTag
from tests.host.hosting_tools import STRANGER, bench, boss, game
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user

# --- pause and resume ---


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_a_pause_keeps_dice_rolls_and_the_time_that_was_left(pace: str) -> None:
    found = game(f"repeat_seconds: 0, pace: {pace}")
    found.pass_(20)
    found.tell("alice", "keep a b")
    found.tell("bob", "keep a")
    dealt = found.dice("alice"), found.dice("bob")
    assert dealt[0].roll == 2
    found.pass_(40)
    left = to(found.tell("alice", "time"), "alice")[0]
    assert to(found.say("alice", "!pause"), CHANNEL) == [
        "alice pauses the game. !resume goes on with the same dice; else it goes on in 60 min."
    ]
    assert found.pass_(3000) == []
    assert to(found.tell("bob", "time"), "bob") == [f"{left} alice has paused the game."]
    for line in ("keep all", "reroll a", "score chance"):
        (answer,) = to(found.tell("alice", line), "alice")
        assert answer == f"alice has paused the game; !resume goes on. {dealt[0]}"
    lines = found.say("alice", "!resume")
    assert to(lines, CHANNEL)[0].startswith("alice ends the pause. Round 1/13 goes on with the same dice, ")
    assert (found.dice("alice"), found.dice("bob")) == dealt
    assert [len(to(lines, nick)) for nick in ("alice", "bob")] == [1, 1]
    seconds = {"free": 60, "lockstep": 80}[pace]
    assert f", {seconds} s left." in to(lines, CHANNEL)[0]
    before = found.keeper().table.play
    found.pass_(seconds - 1)
    assert found.keeper().table.play == before
    found.pass_(2)
    assert found.keeper().table.play != before


def test_a_pause_ends_by_itself_since_no_game_stands_for_ever() -> None:
    found = game()
    found.say("alice", "!pause")
    assert found.pass_(3599) == []
    lines = to(found.pass_(2), CHANNEL)
    assert lines == ["The pause is over. Round 1/13 goes on with the same dice, 2 min left."]
    found.pass_(13 * 120)
    assert found.keeper().table.phase is Phase.OVER


def test_after_a_pause_there_is_time_to_look_at_the_dice_again() -> None:
    found = game()
    found.pass_(119)
    found.say("alice", "!pause")
    assert "30 s left" in to(found.say("alice", "!resume"), CHANNEL)[0]


def test_the_host_is_away_in_a_pause_and_comes_back_into_it() -> None:
    found = game()
    found.pass_(60)
    found.say("alice", "!pause")
    found.desk.hear(Kicked(HOST, CHANNEL, "op", ""))
    found.pass_(100)
    before = len(found.wire.sent)
    found.desk.hear(Names(CHANNEL, (HOST, "alice", "bob")))
    assert found.wire.sent[before:] == [
        (CHANNEL, "I am back. alice has paused the game; !resume goes on.", False)
    ]
    assert found.pass_(600) == []
    found.desk.hear(Present(CHANNEL, (user("alice"), user("bob"))))
    assert "60 s left" in to(found.say("alice", "!resume"), CHANNEL)[0]


def test_resuming_while_the_host_is_away_waits_for_it() -> None:
    found = game()
    found.say("alice", "!pause")
    found.desk.hear(Kicked(HOST, CHANNEL, "op", ""))
    found.tell("alice", "resume")
    assert found.pass_(600) == []
    assert "stands still" in found.tell("alice", "chance")[0]
    found.desk.hear(Names(CHANNEL, (HOST, "alice", "bob")))
    assert found.keeper().table.suspended is None


def test_a_pause_outlives_a_kill(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    found = game(store=store)
    found.pass_(50)
    found.say("alice", "!pause")
    dealt = found.dice("alice")
    found.journal.close()
    journal = Journal.open(store)
    again = Bench(found.config, journal, start=journal.last_time())
    assert "alice has paused the game" in again.connect("alice", "bob")[0]
    assert again.pass_(1000) == []
    assert "70 s left" in to(again.say("alice", "!resume"), CHANNEL)[0]
    assert again.dice("alice") == dealt
    journal.close()


def test_a_lobby_may_be_paused_and_started_out_of_its_pause() -> None:
    found = bench()
    found.say("alice", "!join")
    found.say("alice", "!pause")
    assert found.pass_(600) == []
    assert to(found.say("bob", "!join"), CHANNEL) == ["bob joins (2 of 12 seats)."]
    assert "The game begins: alice, bob" in found.say("alice", "!start")[0]
    found.pass_(121)
    assert found.keeper().table.play.round == 2


def test_a_lobby_that_is_left_in_its_pause_closes() -> None:
    found = bench()
    found.say("alice", "!join")
    found.say("alice", "!pause")
    found.quit("alice")
    assert found.keeper().table.phase is Phase.CLOSED
    assert found.say("bob", "!join")[0].startswith(f"{CHANNEL}: bob opens a game")


def test_what_is_not_paused_cannot_be_resumed_and_what_is_cannot_be_paused() -> None:
    found = game()
    assert found.say("alice", "!resume")[0].startswith("alice: The game is not paused.")
    found.say("alice", "!pause")
    assert "alice has paused the game" in found.say("alice", "!pause")[0]
    assert "No game is on" in bench().say("alice", "!pause")[0]


# --- who has the say ---


@pytest.mark.parametrize("line", ["pause", "resume", "stop", "extend 60"])
def test_a_table_is_not_for_everybody_to_say(line: str) -> None:
    found = game()
    before = found.keeper().table
    assert to(found.say("bob", f"!{line}"), "bob")[0].startswith("That is for alice to say at this table.")
    assert to(found.say("zoe", f"!{line}"), "zoe") == ["That is not for you to say here."]
    assert found.keeper().table == before


OPERATORS_ALONE = [
    "remove bob",
    "amend bob ch 20 x",
    "ban bob",
    "unban bob",
    "unban",
    "say hello",
    "status",
    "reload",
    "shutdown",
]


@pytest.mark.parametrize("line", OPERATORS_ALONE)
@pytest.mark.parametrize("who", ["alice", "boss"])
def test_the_rest_is_for_operators_and_nobody_is_told_how_to_become_one(line: str, who: str) -> None:
    found = game()
    found.quit("boss")
    mask = STRANGER if who == "boss" else None
    before = found.keeper().table
    answers = [*found.say(who, f"!{line}", mask=mask), *found.tell(who, line, mask=mask)]
    # Who has no seat is told once; it may be meant for another bot.
    assert len(answers) == (2 if who == "alice" else 1)
    for answer in to(answers, who):
        assert answer.startswith("That is not for you to say here.")
        assert not any(word in answer.lower() for word in ("operator", "admin", "account", "staff"))
    assert found.keeper().table == before
    assert found.controls.asked == []


@pytest.mark.parametrize("line", ["stop", "pause", "extend 60"])
def test_who_takes_an_operators_nick_is_refused_and_learns_nothing(line: str) -> None:
    found = game()
    found.quit("boss")
    before = found.keeper().table
    answers = found.tell("boss", line, mask=STRANGER) + found.say("boss", f"!{line}", mask=STRANGER)
    assert answers == ["boss: That is not for you to say here."]
    assert found.keeper().table == before
    assert to(boss(found, "stop"), CHANNEL) != []


def test_an_operator_is_known_by_account_wherever_they_come_from() -> None:
    found = Bench(config(admins="[Chief]"))
    found.connect("alice")
    found.begin("alice")
    for number, account in enumerate((None, "Chief2", "alice")):
        who = User("chief", f"c{number}", "x.example", account)
        assert found.tell("chief", "stop", mask=who) == ["chief: That is not for you to say here."]
    for account in ("chief", "CHIEF"):
        (answer,) = found.tell("zz", "status", mask=User("zz", "z", "y.example", account))
        assert answer.startswith("zz: yardzee-host ")


def test_the_say_passes_on_when_its_owner_goes_and_comes_back_with_them() -> None:
    found = game()
    found.quit("alice")
    assert "ends the pause" in "".join(found.say("bob", "!pause") + found.say("bob", "!resume"))
    found.join("alice")
    assert to(found.say("bob", "!pause"), "bob")[0].startswith("That is for alice to say")
    assert "alice pauses the game" in found.say("alice", "!pause")[0]


def test_the_say_follows_its_owner_and_not_the_nick() -> None:
    found = game()
    found.rename("alice", "al")
    found.join("alice")
    mallory = User("alice", "~mallory", "elsewhere.example")
    assert found.say("alice", "!stop", mask=mallory) == ["alice: That is not for you to say here."]
    assert "al pauses the game" in found.say("al", "!pause", mask=User("al", "~alice", "example.org"))[0]


def test_who_left_the_game_has_no_say_any_more() -> None:
    found = game()
    found.say("alice", "!leave")
    assert found.say("alice", "!pause") == ["alice: That is for bob to say at this table."]
    assert "bob pauses the game" in found.say("bob", "!pause")[0]


def test_in_a_split_the_say_is_with_those_who_are_there() -> None:
    found = bench()
    found.say("alice", "!join")
    found.say("bob", "!join")
    found.desk.hear(Quit(user("alice"), "a.example b.example", netsplit=True))
    assert "The game begins: alice, bob" in found.say("bob", "!start")[0]


# --- stop, extend ---


def test_a_stopped_game_has_no_result_and_the_next_one_opens() -> None:
    found = game()
    found.tell("alice", "score chance")
    assert to(found.say("alice", "!stop"), CHANNEL) == [
        "alice stops the game; it ends without a result. !join opens another."
    ]
    assert found.pass_(1000) == []
    assert found.journal.last_results() == []
    assert found.journal.unfinished() == []
    assert "No game is on" in found.tell("alice", "scores")[0]
    assert "bob opens a game" in found.say("bob", "!join")[0]


def test_a_lobby_can_be_stopped_by_an_operator() -> None:
    found = bench()
    found.say("alice", "!join")
    assert boss(found, "stop")[0] == f"{CHANNEL}: boss closes the table. !join opens another."
    assert found.keeper().table.phase is Phase.CLOSED


def test_more_time_is_for_everybody_and_bounded() -> None:
    found = game()
    found.pass_(110)
    assert to(found.say("alice", "!extend 60"), CHANNEL) == ["alice gives everybody 60 s more."]
    assert "70 s left" in found.tell("bob", "time")[0]
    for seconds in ("0", "3531", "999999999"):
        assert "say 1 to 3530 seconds" in found.say("alice", f"!extend {seconds}")[0]
    found.pass_(69)
    assert found.keeper().table.play.round == 1
    found.pass_(2)
    assert found.keeper().table.play.round == 2


def test_no_opener_can_hold_a_table_for_more_than_an_hour_at_a_time() -> None:
    found = game()
    for _ in range(5):
        found.say("alice", "!extend 1000")
    assert found.keeper().table.deadline == 3120
    found.say("alice", "!extend 480")
    assert "an hour left already" in found.say("alice", "!extend 1")[0]


def test_the_pauses_of_a_game_are_an_hour_together_but_for_operators() -> None:
    found = game()
    for _ in range(3):
        found.say("alice", "!pause")
        found.pass_(1199)
        found.say("alice", "!resume")
    assert "else it goes on in 3 s" in found.say("alice", "!pause")[0]
    found.pass_(4)
    assert "that is all there is" in found.say("alice", "!pause")[0]
    assert "in 60 min" in boss(found, "pause")[0]


# --- from elsewhere ---


def test_an_operator_who_is_not_in_the_channel_hears_that_it_is_done() -> None:
    found = game()
    lines = found.tell("chief", f"{CHANNEL} pause", mask=User("chief", "c", "staff.example"))
    assert to(lines, "chief") == [f"Done in {CHANNEL}."]
    assert to(lines, CHANNEL)[0].startswith("chief pauses the game.")


def test_an_operator_with_several_tables_says_which(tmp_path: Path) -> None:
    two = config('{"#a": {}, "#b": {}}', admins='["*!*@staff.example"]')
    found = Bench(two)
    found.connect("alice")
    found.begin("alice", channel="#a")
    found.begin("alice", channel="#b")
    chief = User("chief", "c", "staff.example")
    assert "Which table" in found.tell("chief", "stop", mask=chief)[0]
    assert "chief stops the game" in found.tell("chief", "#b stop", mask=chief)[0]
    assert found.keeper("#a").table.open
    assert not found.keeper("#b").table.open


def test_no_dice_are_shown_by_any_of_it_in_public() -> None:
    found = game()
    for line in ("pause", "resume", "extend 5", "remove bob", "say [1 2 3 4 5]? no", "stop"):
        boss(found, line)
    found.desk.hear(Disconnected("gone"))
    said = [text for target, text, _ in found.wire.sent if target == CHANNEL and "says" not in text]
    assert not any(DiceTag.find(text) for text in said)
