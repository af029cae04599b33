"""The dice of a table can be checked: what is told of them, when, and to whom."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from itertools import pairwise

import pytest

from chat.events import Kicked
from game.match import Pace
from host.dealer import Dealer
from host.events import Revealed, Stopped
from host.table import Phase
from protocol.fairness import Commit, Plays, Reveal, Seats, SeatWord
from tests.support.bench import CHANNEL, HOST, Bench, config, lines_of, of_dice, to
from tests.support.recomputed import recomputed

SEED = bytes(range(32))
BOXES = ("ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch")


def bench(*nicks: str, keys: str = "repeat_seconds: 0") -> Bench:
    made = Bench(config(f'{{"{CHANNEL}": {{{keys}}}}}'), seed=SEED)
    made.connect(*nicks)
    return made


def test_the_commitment_is_told_before_any_word_and_the_seed_only_when_all_is_over() -> None:
    b = bench("alice", "bob")
    opened = b.say("alice", "!join")
    (line,) = of_dice(opened)
    assert Commit.find(line) == Commit("game0001", hashlib.sha256(SEED).hexdigest())
    assert opened.index(f"{CHANNEL}: {line}") == 1
    b.say("bob", "!join")
    assert b.tell("bob", "seed Lucky7") == ["bob: Your word in the dice: Lucky7"]
    b.say("alice", "!start")
    for box in BOXES:
        assert SEED.hex() not in "".join(lines_of(b))
        for nick in ("alice", "bob"):
            last = b.tell(nick, f"score {box}")
    seeds = [found for text in of_dice(last) if (found := Reveal.find(text))]
    assert seeds == [Reveal("game0001", SEED.hex())]
    assert to(last, CHANNEL)[0].startswith("Round 13/13")


def test_words_make_other_dice_and_stand_in_the_start_line() -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    b.say("bob", "!join")
    b.say("alice", "!seed my Lucky day")
    b.tell("bob", "seed one")
    b.tell("bob", "seed two")
    begun = b.say("alice", "!start")
    seats = (SeatWord(1, "alice", "my-Lucky-day"), SeatWord(2, "bob", "two"))
    assert [Seats.find(line) for line in of_dice(begun)] == [Seats("game0001", seats)]
    dealer = Dealer("game0001", SEED, ("my-Lucky-day", "two"))
    assert [b.dice("alice").dice, b.dice("bob").dice] == [dealer.fall(0, 1, 1), dealer.fall(1, 1, 1)]
    assert b.dice("alice").dice != Dealer("game0001", SEED, ("-", "-")).fall(0, 1, 1)


def test_a_word_can_be_taken_back_and_goes_with_its_seat() -> None:
    b = bench("alice", "bob", "carol")
    for nick in ("alice", "bob", "carol"):
        b.say(nick, "!join")
    b.tell("alice", "seed one")
    assert b.tell("alice", "seed -") == ["alice: You add no word to the dice."]
    b.tell("bob", "seed two")
    b.tell("carol", "seed three")
    b.say("bob", "!leave")
    (line,) = of_dice(b.say("alice", "!start"))
    assert line.endswith(" seats 1=alice/- 2=carol/three")


@pytest.mark.parametrize(
    ("nick", "line", "answer"),
    [
        ("alice", "seed glück", '"glück" will not do: a word has 1 to 32 letters'),
        ("bob", "seed lucky", "You have no seat in the game"),
        ("alice", "seed lucky?", "will not do"),
    ],
)
def test_a_word_that_cannot_be_taken_is_refused_and_nothing_changes(
    nick: str, line: str, answer: str
) -> None:
    b = bench("alice", "bob")
    b.say("alice", "!join")
    (said,) = b.tell(nick, line)
    assert answer in said
    assert [seat.word for seat in b.keeper().table.seats] == ["-"]


def test_when_the_game_is_on_the_words_are_fixed() -> None:
    b = bench("alice")
    b.begin("alice")
    dice = b.dice("alice")
    (said,) = b.tell("alice", "seed late")
    assert said.startswith("alice: The game is on, so the words are fixed.")
    assert said.endswith(str(dice))
    assert [seat.word for seat in b.keeper().table.seats] == ["-"]


def test_whoever_asks_is_told_all_that_is_known_so_far() -> None:
    b = bench("alice", "bob")
    assert "No game is on" in b.tell("bob", "seed")[0]
    b.say("alice", "!join")
    assert [kind.find(line) is not None for line in b.say("bob", "!seed") for kind in (Commit, Seats)] == [
        True,
        False,
    ]
    b.say("alice", "!start")
    commit, seats = b.say("bob", "!seed")
    assert Commit.find(commit)
    assert Seats.find(seats)
    b.say("alice", "!stop")
    assert Reveal.find(b.say("bob", "!seed")[-1]) == Reveal("game0001", SEED.hex())


def test_after_a_game_whoever_asks_is_told_all_of_it_again() -> None:
    b = bench("alice", "bob")
    b.begin("alice", "bob")
    for box in BOXES:
        b.tell("alice", f"score {box}")
        b.tell("bob", f"score {box}")
    told = [line.partition(": ")[2] for line in b.tell("bob", "seed")]
    kinds = [kind for line in told for kind in (Commit, Seats, Reveal, Plays) if kind.find(line)]
    assert kinds == [Commit, Seats, Reveal, Plays, Plays]


def test_what_was_not_told_of_a_stopped_game_is_told_when_the_host_is_back() -> None:
    """Nobody takes a commitment without a seed for anything but fraud."""
    b = bench("alice")
    b.begin("alice")
    b.desk.hear(Kicked(HOST, CHANNEL, "op", "oops"))
    b.keeper().act(lambda table, now: (Stopped("boss"),))
    told = b.connect("alice")
    assert [Reveal.find(line) for line in of_dice(told)] == [Reveal("game0001", SEED.hex())]
    assert "Final" not in "".join(told)
    assert of_dice(b.connect("alice")) == []


def test_words_that_never_left_are_told_when_the_host_is_back() -> None:
    b = Bench(config(send="{burst: 1, seconds: 1}"), seed=SEED)
    b.connect("alice", "bob")
    b.pass_(60)
    b.begin("alice", "bob")
    b.desk.hear(Kicked(HOST, CHANNEL, "op", "oops"))
    assert not any(Seats.find(line) for line in lines_of(b))
    told = [*b.connect("alice", "bob"), *b.pass_(60)]
    assert len([line for line in of_dice(told) if Seats.find(line)]) == 1
    assert not any(Seats.find(line) for line in [*b.connect("alice", "bob"), *b.pass_(60)])


def test_a_game_of_an_older_host_says_that_its_dice_cannot_be_checked() -> None:
    b = bench("alice")
    b.say("alice", "!join")
    keeper = b.keeper()
    keeper.table = replace(keeper.table, commit="")
    b.say("alice", "!start")
    (said,) = b.tell("alice", "seed")
    assert "This game began before I told what dice can be checked by" in said


@pytest.mark.parametrize("rounds", [0, 2])
def test_a_stopped_game_tells_its_seed_and_what_was_played(rounds: int) -> None:
    b = bench("alice", "bob")
    b.begin("alice", "bob")
    for box in BOXES[:rounds]:
        b.tell("alice", box)
        b.tell("bob", box)
    told = of_dice(b.say("alice", "!stop"))
    assert Reveal.find(told[0]) == Reveal("game0001", SEED.hex())
    assert len(told) == 1 + bool(rounds)
    if rounds:
        plays = Plays.find(told[1])
        assert plays
        assert [len(seat.plays) for seat in plays.seats] == [rounds, rounds]


def test_a_lobby_that_closes_has_nothing_to_tell() -> None:
    b = bench("alice")
    b.say("alice", "!join")
    assert of_dice(b.say("alice", "!leave")) == []
    b.say("alice", "!join")
    assert of_dice(b.say("alice", "!stop")) == []


def test_the_seed_is_told_once_also_after_a_restart_and_an_amendment() -> None:
    b = bench("alice", "bob")
    b.begin("alice", "bob")
    for box in BOXES:
        b.tell("alice", f"score {box}")
        b.tell("bob", f"score {box}")
    history = b.journal.history("game0001")
    assert history
    assert [event for _, event in history.events if isinstance(event, Revealed)] == [Revealed(SEED.hex())]
    assert b.keeper().table.phase is Phase.OVER
    assert sum(Reveal.find(line) is not None for line in lines_of(b)) == 1


def test_a_host_that_was_away_in_the_lobby_tells_the_commitment_again() -> None:
    b = bench("alice")
    b.say("alice", "!join")
    assert [Commit.find(line) for line in of_dice(b.connect("alice"))] == [
        Commit("game0001", hashlib.sha256(SEED).hexdigest())
    ]


@pytest.mark.parametrize("pace", Pace)
@pytest.mark.parametrize("dice", ["own", "same"])
def test_whole_games_are_recomputed_from_the_lines_of_the_channel_alone(pace: Pace, dice: str) -> None:
    b = bench(
        "alice", "bob", keys=f"repeat_seconds: 0, pace: {pace.value}, dice: {dice}, house: {{seats: 2}}"
    )
    for nick in ("alice", "bob"):
        b.say(nick, "!join")
    b.tell("bob", "seed lucky7")
    b.say("alice", "!start")
    while (table := b.keeper().table).phase is Phase.PLAYING:
        for seat in table.waiting:
            turn, nick = table.play.turns[seat], table.seats[seat].nick
            b.tell(
                nick,
                f"keep {max(turn.cup.faces)}"
                if turn.roll < 2
                else "reroll e"
                if turn.roll < 3
                else BOXES[table.play.round - 1],
            )
    said = [text for _, _, text in (line.partition(f"{CHANNEL}: ") for line in lines_of(b)) if text]
    cards = recomputed(said, same=dice == "same")
    assert cards == {seat.nick: card.total for seat, card in zip(table.seats, table.play.cards, strict=True)}


def test_with_the_same_dice_all_get_the_same_and_the_lobby_says_so() -> None:
    b = bench("alice", "bob", keys="dice: same")
    assert "(Hasbro rules, the same dice for all)" in to(b.say("alice", "!join"), CHANNEL)[0]
    b.say("bob", "!join")
    b.say("alice", "!start")
    assert b.dice("alice") == b.dice("bob")
    b.tell("alice", "reroll a b")
    b.tell("bob", "reroll b c")
    one, other = b.dice("alice").dice.faces, b.dice("bob").dice.faces
    assert (one[1], one[3:]) == (other[1], other[3:])


def test_a_flood_of_games_leaves_no_commitment_behind_the_one_that_counts() -> None:
    b = Bench(config(send="{burst: 1, seconds: 1}"), seed=SEED)
    b.connect("pest")
    for _ in range(20):
        for line in ("!join", "!start", "!stop"):
            b.say("pest", line)
    b.say("pest", "!join")
    b.pass_(60)
    told = [found.game for line in lines_of(b) if (found := Commit.find(line))]
    assert told[-1] == b.keeper().table.game
    assert all(one < other for one, other in pairwise(told))
