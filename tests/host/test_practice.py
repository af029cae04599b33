"""Practice: a game alone with the host, and what is told after each decision of it."""

from __future__ import annotations

import pytest

from chat.events import Disconnected
from game.match import Scored
from host.advice import Turns, no_turns
from host.events import Began, Opened, Seated, Stopped, Suspended
from host.table import Phase
from protocol.boxes import name
from tests.host.practising import VERDICT, analysed, bench, events, practice, public, verdict
from tests.host.test_clerk import play_out
from tests.support import perfect_play
from tests.support.bench import CHANNEL, HOST, Bench, config, to

DAY = 86_400


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def play_badly(b: Bench, nick: str, said: str = "") -> None:
    """The rest of a practice game: all dice are rolled once, and boxes are filled from the top."""
    keeper = practice(b, nick)
    while keeper.table.phase is Phase.PLAYING:
        b.tell(nick, f"{said}keep none")
        box = next(iter(keeper.table.play.cards[0].options(keeper.table.play.turns[0].cup)))
        b.tell(nick, f"{said}score {name(box)}")


def test_it_is_on_at_once_and_nobody_else_hears_of_it(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    said, dice = to(b.tell("alice", "practice"), "alice")
    assert said.startswith("A game of Yahtzee (Hasbro rules) for you alone; after each decision I tell")
    assert dice == f"{b.dice('alice')} a-e." + dice.partition(" a-e.")[2]
    game = practice(b, "alice").table.game
    history = b.journal.history(game)
    assert history is not None
    assert [type(event) for _, event in history.events[:3]] == [Opened, Seated, Began]
    assert {at for at, _ in history.events} == {b.clock.now()}
    assert history.file.channel == "practice"
    assert practice(b, "alice") not in b.desk.keepers
    assert b.tell("alice", "practice") == [f"alice: {dice}"]
    assert practice(b, "alice").table.game == game
    assert public(b) == []


def test_whoever_does_what_is_best_is_told_so_each_time(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    decisions = 0
    while practice(b, "alice").table.phase is Phase.PLAYING:
        (hint,) = b.tell("alice", "hint")
        said = b.tell("alice", hint.split("Best: ")[1].split(",")[0].split(" (")[0])[0]
        b.pass_(5)  # nobody gets very many answers at once
        decisions += 1
        assert VERDICT.match(said.removeprefix("alice: ")).group(1) == ": best.", said  # type: ignore[union-attr]
    assert decisions > 13
    total = practice(b, "alice").table.play.cards[0].total
    over, balance, costliest = to(b.since(0), "alice")[-3:]
    assert over.endswith(f": best. The game is over: {total} points. practice begins another.")
    assert balance.endswith(" and decisions lost 0.00 points.")
    assert costliest == "Every decision was the best one."
    assert public(b) == []


def test_what_is_lost_is_what_the_analysis_says(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    play_badly(b, "alice")
    keeper = practice(b, "alice")
    found = analysed(b, keeper, 0, turns)
    said = [match[1] for text in to(b.since(0), "alice") if (match := VERDICT.match(text))]
    assert said == [verdict(decision, keeper.table.rules) for decision in found.decisions]
    assert len(said) == 26
    assert f"decisions lost {found.lost:.2f} points" in to(b.since(0), "alice")[-2]
    long = to(b.tell("alice", "analysis"), "alice")
    assert long[1].count("better") == 3
    assert to(b.tell("alice", "practice analysis"), "alice") == long
    assert "Total" in b.tell("alice", "card")[0]
    assert public(b) == []


def test_without_perfect_play_one_can_practise_and_is_told_that() -> None:
    b = bench(no_turns, "alice")
    b.tell("alice", "practice")
    (kept,) = b.tell("alice", "keep a")
    assert "; what was best I do not know yet. Round 1/13, roll 2/3" in kept
    (scored,) = b.tell("alice", "chance")
    assert "; what was best I do not know yet. Round 2/13, roll 1/3" in scored


def test_keeping_all_decides_nothing(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    (said,) = b.tell("alice", "keep all")
    assert said.startswith("alice: All kept, no roll is spent")


def test_it_goes_on_after_a_restart_with_the_same_dice(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.tell("alice", "practice")
    b.tell("alice", "chance")
    b.tell("alice", "keep a")
    table, dice = practice(b, "alice").table, b.dice("alice")
    second = Bench(b.config, b.journal, start=100, turns=turns)
    assert second.connect("alice", "bob") == []
    (said,) = second.tell("alice", "practice")
    assert said.startswith(f"alice: {dice}. Worth")
    assert practice(second, "alice").table == table
    (said,) = second.tell("alice", "keep none")
    assert VERDICT.match(said.removeprefix("alice: "))
    assert not [one for one in events(second, table.game) if isinstance(one, Suspended)]


def test_the_clock_does_not_stand_while_the_host_is_away(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    before = practice(b, "alice")
    b.desk.hear(Disconnected("gone"))
    b.connect("alice")
    assert practice(b, "alice") is before
    assert not before.table.standing
    assert VERDICT.match(b.tell("alice", "keep none")[0].removeprefix("alice: "))


def test_at_a_table_plain_lines_mean_that_one(turns: Turns) -> None:
    b = bench(turns, "alice", "bob")
    b.begin("alice", "bob")
    table = b.keeper().table
    said = to(b.tell("alice", "practice"), "alice")
    assert all(text.startswith("practice: ") for text in said)
    assert b.keeper().table == table
    for line in (
        "practice keep none",
        "PRACTISE: roll all",
        "practice hint",
        "practice dice",
        "practice card",
    ):
        assert b.tell("alice", line)[0].startswith("alice: practice: "), line
    assert b.keeper().table == table
    (own,) = b.tell("alice", "keep none")
    assert own.startswith("alice: Rolled all five. Round 1/13, roll 2/3")
    assert practice(b, "alice").table.play.turns[0].roll == 3
    (wrong,) = b.tell("alice", "practice keep 9")
    assert wrong.startswith('alice: practice: "9" is no dice')
    assert "Round 1/13, roll 3/3: " in wrong
    b.tell("alice", "practice score chance")
    assert practice(b, "alice").table.play.round == 2
    assert b.keeper().table.play.turns[0].entry is None
    b.tell("alice", "practice leave")
    assert practice(b, "alice").table.phase is Phase.CLOSED
    assert not b.keeper().table.seats[0].left
    assert b.dice("bob").round == 1


def test_the_same_line_twice_at_once_counts_once(turns: Turns) -> None:
    b = bench(turns, "alice", "bob", keys="repeat_seconds: 2")
    b.begin("alice", "bob")
    b.tell("alice", "practice")
    b.tell("alice", "practice chance")
    (said,) = b.tell("alice", "practice chance")
    assert said.startswith("alice: practice: That was already done. Round 2/13")


def test_the_analysis_is_of_the_last_game(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.begin("alice")
    b.tell("alice", "practice")
    play_badly(b, "alice", "practice ")
    assert to(b.since(0), "alice")[-1].startswith("practice: Costliest: ")
    play_out(b, "alice")
    total = b.keeper().table.play.cards[0].total
    assert b.tell("alice", "analysis")[0].startswith(f"alice: Your {total} points")
    b.pass_(1)
    b.tell("alice", "practice")
    play_badly(b, "alice")
    total = practice(b, "alice").table.play.cards[0].total
    assert b.tell("alice", "analysis")[0].startswith(f"alice: Your {total} points")


@pytest.mark.parametrize("line", ["!practice", "!practice keep 4 4", f"{HOST}: practice", "!practice dice"])
def test_in_a_channel_it_is_not_spoken_of(turns: Turns, line: str) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    table = practice(b, "alice").table
    assert b.say("alice", line) == [
        "alice: Practice is between the two of us: say it to me here, in private."
    ]
    assert practice(b, "alice").table == table


@pytest.mark.parametrize("line", ["leave", "practice leave"])
def test_leaving_ends_it(turns: Turns, line: str) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    game = practice(b, "alice").table.game
    assert b.tell("alice", line) == ["alice: Your practice game has ended. practice begins another."]
    assert Stopped() in events(b, game)
    none = ["alice: No practice game of yours is on. practice begins one."]
    for later in ("practice leave", "practice keep 4", "practice dice", "practice analysis", "practice hint"):
        assert b.tell("alice", later) == none, later
    assert b.tell("alice", "dice")[0].startswith(f"alice: No game is on in {CHANNEL}.")
    b.tell("alice", "practice")
    assert practice(b, "alice").table.game != game
    assert public(b) == []


def test_a_round_has_a_day_and_nobody_is_played_for(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    b.pass_(DAY - 1)
    b.tell("alice", "chance")
    assert b.tell("alice", "time") == ["alice: Round 2/13: 1 d 0 h left."]
    game, version = practice(b, "alice").table.game, len(events(b, practice(b, "alice").table.game))
    assert b.pass_(DAY) == ["alice: Your practice game has ended. practice begins another."]
    later = events(b, game)[version:]
    assert later[0] == Stopped()
    assert not [event for event in later if isinstance(event, Scored)]
    assert b.pass_(3 * DAY) == []


def test_what_is_for_tables_of_several_is_answered_kindly(turns: Turns) -> None:
    b = bench(turns, "alice")
    b.tell("alice", "practice")
    table = practice(b, "alice").table
    for line in ("pause", "stop", "extend 60", "practice pause", "practice house 2"):
        (said,) = b.tell("alice", line)
        assert said == "alice: A practice game is yours alone, and waits for you. practice leave ends it.", (
            line
        )
    assert b.tell("alice", "start")[0].startswith("alice: The game is on already.")
    assert "waiting for alice" in b.tell("alice", "who")[0]
    assert practice(b, "alice").table == table
    assert "!join in #yardzee takes a seat" in b.tell("alice", "help")[0]
    assert b.tell("alice", "help practice") == b.tell("alice", "practice help")


def test_rules_are_those_nearby(turns: Turns) -> None:
    channels = '{"#a": {rules: houston, pace: lockstep, house: {seats: 2}}, "#b": {rules: hosted}}'
    b = Bench(config(channels))
    b.connect("alice", "bob")
    b.tell("alice", "practice")
    settings = practice(b, "alice").table.settings
    assert (settings.rules, settings.pace.value, len(practice(b, "alice").table.seats)) == (
        "houston",
        "free",
        1,
    )
    b.tell("bob", "#b practice")
    assert practice(b, "bob").table.settings.rules == "hosted"
