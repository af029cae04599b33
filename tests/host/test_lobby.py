from __future__ import annotations

from chat.events import User
from host.table import Phase
from tests.support.bench import CHANNEL, Bench, config, to


def bench(*nicks: str, channel: str = "{}") -> Bench:
    made = Bench(config(f'{{"{CHANNEL}": {channel}}}'))
    made.connect(*nicks)
    return made


def test_the_first_join_opens_a_table_and_more_join() -> None:
    b = bench("alice", "bob")
    (opened,) = to(b.say("alice", "!join"), CHANNEL)
    assert opened.startswith("alice opens a game of Yahtzee (Hasbro rules)")
    assert "60 s" in opened
    assert to(b.say("bob", "!join"), CHANNEL) == ["bob joins (2 of 12 seats)."]


def test_a_second_join_changes_nothing() -> None:
    b = bench("alice")
    b.say("alice", "!join")
    assert b.say("alice", "!join") == ["alice: You have a seat already."]
    assert len(b.keeper().table.seats) == 1


def test_register_and_dollar_join_in_private() -> None:
    for word in ("register", "$", " REGISTER ", "!join", "join #YARDZEE"):
        b = bench("alice")
        assert b.tell("alice", word)[0].startswith(f"{CHANNEL}: alice opens"), word


def test_who_is_not_in_the_channel_is_asked_to_come() -> None:
    b = bench("alice")
    assert b.tell("zoe", "$") == [f"zoe: Come into {CHANNEL} first, then join."]
    assert b.keeper().table.phase is Phase.CLOSED


def test_the_opener_starts_and_others_are_told_who_may() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    b.say("bob", "!join")
    b.pass_(20)
    assert b.say("bob", "!start") == [
        "bob: alice opened the table and may start it; it starts by itself in 40 s."
    ]
    begun = b.say("alice", "!start")
    assert begun[0].startswith(f"{CHANNEL}: The game begins: alice, bob, ")
    assert [line.split(":")[0] for line in begun[1:]] == ["alice", "bob", CHANNEL]


def test_start_twice_is_one_start() -> None:
    b = bench("alice")
    b.say("alice", "!join")
    b.say("alice", "!start")
    assert b.say("alice", "!start") == [f"alice: The game is on already. {b.dice('alice')}"]
    assert b.keeper().table.play.round == 1


def test_the_lobby_clock_starts_the_game() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    assert b.pass_(59.9) == []
    assert any("The game begins: alice" in line for line in b.pass_(0.2))


def test_an_empty_lobby_closes_and_the_next_join_opens_a_new_one_with_a_new_clock() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    first = b.keeper().table.game
    b.pass_(50)
    assert b.say("alice", "!leave") == [
        f"{CHANNEL}: alice leaves, and the table closes. !join opens another."
    ]
    assert b.say("bob", "!join")[0].startswith(f"{CHANNEL}: bob opens")
    assert b.keeper().table.game != first
    assert b.pass_(30) == []
    assert any("begins" in line for line in b.pass_(31))


def test_the_right_to_start_passes_on_when_the_opener_leaves() -> None:
    b = bench("alice", "bob", "carol")
    for nick in ("alice", "bob", "carol"):
        b.say(nick, "!join")
    assert b.say("alice", "!leave") == [f"{CHANNEL}: alice leaves; bob may !start now."]
    b.rename("alice", "al")
    b.say("carol", "!leave")
    assert b.say("al", "!start", mask=User("al", "~alice", "example.org"))[0].startswith(
        "al: You have no seat"
    )
    assert b.keeper().table.phase is Phase.LOBBY
    assert "begins" in b.say("bob", "!start")[0]


def test_who_quits_the_lobby_has_no_ghost_seat() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    b.say("bob", "!join")
    assert b.quit("alice") == [f"{CHANNEL}: alice leaves; bob may !start now."]
    b.join("alice")
    assert to(b.say("alice", "!join"), CHANNEL) == ["alice joins (2 of 12 seats)."]


def test_a_full_table_says_so() -> None:
    b = bench("alice", "bob", channel="{seats: 1}")
    b.say("alice", "!join")
    assert b.say("bob", "!join") == ["bob: All 1 seats are taken; the next game has room again."]


def test_join_during_a_game_waits_for_the_next() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    b.say("alice", "!start")
    assert b.say("bob", "!join") == ["bob: Round 1/13 is on; join the next game when this one ends."]


def test_house_players_sit_down_but_do_not_keep_a_table_open() -> None:
    b = bench("alice", channel="{house: {seats: 2}}")
    (opened,) = to(b.say("alice", "!join"), CHANNEL)
    assert "Pip(house) and Dot(house) sit down too" in opened
    assert "closes" in b.say("alice", "!leave")[0]
    assert b.keeper().table.phase is Phase.CLOSED


def test_a_player_alone_with_the_house_is_the_only_one_waited_for() -> None:
    b = bench("alice", channel="{house: {seats: 2}}")
    b.say("alice", "!join")
    b.say("alice", "!start")
    lines = b.tell("alice", "chance")
    assert to(lines, CHANNEL)[0].startswith("Round 1/13: alice Chance")
    assert "Round 2/13, roll 1/3" in to(lines, "alice")[0]


def test_the_prefix_can_be_another() -> None:
    b = bench("alice", channel='{prefix: "~"}')
    assert b.say("alice", "!join") == []
    (opened,) = to(b.say("alice", "~join"), CHANNEL)
    assert "~join to play" in opened
    assert "begins" in b.say("alice", "~start")[0]
