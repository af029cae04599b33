"""What one person types and is answered, at one table and at several, with a store that works or not."""

from __future__ import annotations

import logging
from datetime import datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.events import Joined, Message, User
from host.errors import StoreError
from host.journal import Journal
from host.table import Phase
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user

OTHER = "#other"
APOLOGY = "Sorry, I could not write that down"
ODD_NICKS = ("{0}", "%s", "score", "[^o^]", "{channel}", "%(x)s", "\\", "keep", "|")


def game(*nicks: str, **keys: object) -> Bench:
    values = ", ".join(f"{key}: {value}" for key, value in keys.items())
    made = Bench(config(f'{{"{CHANNEL}": {{{values}}}}}'))
    made.connect(*nicks)
    made.begin(*nicks)
    return made


def two_tables(*nicks: str) -> Bench:
    """A bench with two channels that all are in."""
    made = Bench(config(f'{{"{CHANNEL}": {{}}, "{OTHER}": {{rules: houston}}}}'))
    made.connect(*nicks)
    return made


def turn(b: Bench, seat: int = 0, channel: str = CHANNEL) -> tuple[int, int, int]:
    """Round, roll, and how many boxes are used."""
    play = b.keeper(channel).table.play
    return play.round, play.turns[seat].roll, len(play.cards[seat].boxes)


def play_out(b: Bench, *nicks: str) -> None:
    """The rest of the game, each player scoring the first box there is."""
    while b.keeper().table.phase is Phase.PLAYING:
        for seat, nick in enumerate(nicks):
            table = b.keeper().table
            if table.phase is Phase.PLAYING and table.decides(seat):
                options = table.play.cards[seat].options(table.play.turns[seat].cup)
                b.tell(nick, f"score {next(iter(options)).value.replace('_', ' ')}")


# --- several tables ---


def test_a_line_that_may_mean_two_tables_is_asked_about() -> None:
    b = two_tables("alice", "bob")
    b.begin("alice", "bob")
    b.begin("alice", channel=OTHER)
    for line in ("keep all", "reroll a", "score chance", "dice", "leave", "time"):
        (answer,) = b.tell("alice", line)
        assert answer == f"alice: Which table: {CHANNEL} or {OTHER}? Name it first, as in {CHANNEL} dice."
    assert (turn(b), turn(b, channel=OTHER)) == ((1, 1, 0), (1, 1, 0))


@pytest.mark.parametrize("line", ["#other reroll a", "#OTHER r a", "reroll a #other", "#other: reroll a"])
def test_a_named_table_is_the_one_that_is_meant(line: str) -> None:
    b = two_tables("alice", "bob")
    b.begin("alice", "bob")
    b.begin("alice", channel=OTHER)
    b.tell("alice", line)
    assert (turn(b), turn(b, channel=OTHER)) == ((1, 1, 0), (1, 2, 0))


def test_a_line_in_a_channel_means_the_table_of_the_channel() -> None:
    b = two_tables("alice", "bob")
    b.begin("alice", "bob")
    b.begin("alice", channel=OTHER)
    b.say("alice", "!reroll a", OTHER)
    b.say("alice", "!score chance")
    assert (turn(b), turn(b, channel=OTHER)) == ((1, 1, 1), (1, 2, 0))


def test_when_one_table_waits_nothing_is_asked() -> None:
    b = two_tables("alice", "bob")
    b.begin("alice", "bob")
    b.begin("alice", channel=OTHER)
    b.tell("alice", f"{CHANNEL} score chance")
    b.tell("alice", "reroll a")
    assert (turn(b), turn(b, channel=OTHER)) == ((1, 1, 1), (1, 2, 0))


def test_a_table_that_was_given_up_is_not_asked_about() -> None:
    b = two_tables("alice", "bob")
    b.begin("alice", "bob")
    b.begin("alice", channel=OTHER)
    b.tell("alice", f"{CHANNEL} leave")
    b.tell("alice", "reroll a")
    assert turn(b, channel=OTHER) == (1, 2, 0)
    assert "[" in b.tell("alice", "dice")[0]
    assert "You left this game" in b.tell("alice", f"{CHANNEL} dice")[0]


def test_a_line_for_a_table_that_is_not_there_names_those_that_are() -> None:
    b = two_tables("alice")
    b.begin("alice")
    (answer,) = b.tell("alice", "#nowhere keep all")
    assert '"#nowhere"' in answer
    assert CHANNEL in answer
    assert OTHER in answer


def test_join_asks_which_table_only_of_those_who_are_in_both_channels() -> None:
    b = two_tables("alice")
    assert "Which table" in b.tell("alice", "join")[0]
    assert b.tell("alice", f"join {OTHER}")[0].startswith(f"{OTHER}: alice opens")
    b.desk.hear(Joined(user("zoe"), OTHER))
    assert b.tell("zoe", "join")[0] == f"{OTHER}: zoe joins (2 of 12 seats)."


def test_the_same_line_at_two_tables_is_no_double() -> None:
    b = two_tables("alice")
    b.begin("alice")
    b.begin("alice", channel=OTHER)
    b.tell("alice", f"{CHANNEL} reroll all")
    b.say("alice", "!reroll all")
    b.say("alice", "!reroll all", OTHER)
    assert turn(b, channel=OTHER) == (1, 2, 0)


def test_two_private_lines_in_one_packet_are_answered_each_to_its_own() -> None:
    b = game("alice", "bob")
    before = b.dice("alice"), b.dice("bob")
    heard = b.tell("alice", "dice") + b.tell("bob", "dice")
    assert [str(tag) in line for tag, line in zip(before, heard, strict=True)] == [True, True]
    assert [line.split(":")[0] for line in heard] == ["alice", "bob"]


# --- odd nicks ---


@pytest.mark.parametrize("nick", ODD_NICKS)
def test_an_odd_nick_plays_like_any_other(nick: str) -> None:
    b = game(nick, "bob")
    assert any(f"{nick} opens a game" in text for _, text, _ in b.wire.sent)
    b.tell(nick, "reroll all")
    assert b.dice(nick).roll == 2
    for line in (
        "card",
        "scores",
        "who",
        "time",
        "rules",
        "help",
        "dice",
        "style unicode",
        "nonsense",
        "score 3",
    ):
        assert to(b.tell(nick, line), nick), line
    b.tell(nick, "score chance")
    (result,) = to(b.tell("bob", "score chance"), CHANNEL)
    assert f"{nick} Chance" in result
    play_out(b, nick, "bob")
    final = " ".join(text for target, text, _ in b.wire.sent if target == CHANNEL and "Final result" in text)
    assert f". {nick} {b.keeper().table.play.cards[0].total}" in final


# --- the store fails ---


class Failing(Journal):
    """A journal that can be told to fail."""

    broken = False

    def append(self, *arguments: object, **named: object) -> None:
        self._maybe()
        super().append(*arguments, **named)  # type: ignore[arg-type]

    def prefer(self, *arguments: object) -> None:
        self._maybe()
        super().prefer(*arguments)  # type: ignore[arg-type]

    def preference(self, *arguments: object) -> object:  # type: ignore[override]
        self._maybe()
        return super().preference(*arguments)  # type: ignore[arg-type]

    def _maybe(self) -> None:
        if self.broken:
            raise StoreError("disk full")


@pytest.fixture
def failing() -> tuple[Bench, Failing]:
    journal = Failing.open("sqlite://")
    b = Bench(journal=journal)
    b.connect("alice", "bob")
    return b, journal


def test_what_cannot_be_written_down_does_not_happen(failing: tuple[Bench, Failing]) -> None:
    b, journal = failing
    b.begin("alice", "bob")
    before, tag = b.keeper().table, b.dice("alice")
    journal.broken = True
    for line in ("reroll all", "reroll all", "score chance", "leave"):
        (answer,) = b.tell("alice", line)
        assert answer.startswith(f"alice: {APOLOGY}"), line
        assert str(tag) in answer
    assert b.keeper().table == before
    assert str(tag) in b.tell("alice", "dice")[0]
    journal.broken = False
    # The same line at once: what failed was not accepted, so that this is no double.
    assert "roll 2/3" in b.tell("alice", "reroll all")[0]
    assert (
        len(b.journal.unfinished()[0].events) == 9
    )  # three of the lobby, Began, RoundBegan, two first rolls; Held, Rolled


def test_a_table_does_not_open_without_the_store(failing: tuple[Bench, Failing]) -> None:
    b, journal = failing
    journal.broken = True
    assert b.say("alice", "!join")[0].startswith(f"alice: {APOLOGY}")
    assert not b.keeper().table.open
    journal.broken = False
    assert b.say("alice", "!join")[0].startswith(f"{CHANNEL}: alice opens")


def test_a_preference_that_cannot_be_written_down_is_not_kept(failing: tuple[Bench, Failing]) -> None:
    b, journal = failing
    b.tell("alice", "style colour")
    journal.broken = True
    assert APOLOGY in b.tell("alice", "style unicode")[0]
    assert "colour" in b.tell("alice", "style")[0] or APOLOGY in b.tell("alice", "style")[0]
    assert APOLOGY in b.tell("bob", "notice on")[0]
    journal.broken = False
    assert "colour style, as messages" in b.tell("alice", "style")[0]
    assert "plain style, as messages" in b.tell("bob", "style")[0]


def test_the_clock_that_could_not_write_rings_again(
    failing: tuple[Bench, Failing], caplog: pytest.LogCaptureFixture
) -> None:
    b, journal = failing
    b.begin("alice", "bob")
    journal.broken = True
    with caplog.at_level(logging.CRITICAL):
        assert b.pass_(130) == []
    assert b.keeper().table.play.round == 1
    journal.broken = False
    heard = b.pass_(10)
    assert any("Round 1/13: alice*" in line for line in to(heard, CHANNEL))
    assert b.keeper().table.play.round == 2


# --- anything at all ---


LINES = st.one_of(
    st.text(max_size=80),
    st.lists(
        st.sampled_from(
            "join leave start keep reroll k44 r261 score fh ch hi all none a b 4 dice card who time scores"
            f" help style notice on unicode boxes ! $ {CHANNEL} #nowhere {{0}} %s [^o^] nonsense".split()
        ),
        max_size=5,
    ).map(" ".join),
)


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(["alice", "bob", "zoe", "{0}"]), st.booleans(), LINES, st.floats(0, 20)),
        max_size=25,
    )
)
def test_whatever_is_typed_the_host_goes_on(lines: list[tuple[str, bool, str, float]]) -> None:
    b = Bench()
    b.connect("alice", "bob", "{0}")
    b.begin("alice", "bob")
    for nick, private, line, pause in lines:
        text = line.translate({10: " ", 13: " ", 0: " "})
        b.desk.hear(Message(user(nick), HOST if private else CHANNEL, text, private=private))
        b.pass_(pause)
    for target, text, _ in b.wire.sent:
        assert target in ("alice", "bob", "zoe", "{0}", CHANNEL)
        if target == CHANNEL:
            assert DiceTag.find(text) is None
    # A journal that is read back gives the same table.
    found = [one for one in b.journal.unfinished() if b.keeper().table.open]
    if found:
        again = Bench(journal=b.journal, start=b.clock.now())
        assert again.keeper().table.match == b.keeper().table.match
        assert again.keeper().table.seats == b.keeper().table.seats


@pytest.mark.parametrize("line", ["k" + "4" * 490, "keep " + "4" * 490, "reroll " + "1 " * 240])
def test_a_long_line_is_answered_in_one_line(line: str) -> None:
    b = game("alice", "bob")
    (answer,) = b.tell("alice", line)
    assert str(b.dice("alice")) in answer
    assert len(answer) < 200


@pytest.mark.parametrize("size", [480, 600, 5000])
@pytest.mark.parametrize(
    "words", ["x{}", "score {}", "keep {}", "#{} dice", "help {}", "join {}", "#{} #y keep 4"]
)
def test_a_long_word_is_not_repeated_in_full(words: str, size: int) -> None:
    b = game("alice", "bob")
    heard = b.tell("alice", words.format("é" * size))
    assert len(heard) == 1
    assert len(heard[0]) < 400


def test_formatting_codes_are_not_repeated() -> None:
    b = game("alice", "bob")
    heard = b.tell("alice", "\x02\x0304gibber\x16ish\x1f \x01ACTION\x01")
    assert not set("".join(heard)) & set("\x01\x02\x03\x16\x1f")


def test_a_line_of_someone_without_a_mask_is_served() -> None:
    b = Bench()
    b.connect()
    assert b.tell("zoe", "help", mask=User("zoe"))


def test_the_bench_keeps_real_time_out_of_it() -> None:
    # What the tests above rely on: time passes only when it is told to.
    b = Bench()
    assert b.clock.now() == 0.0
    assert isinstance(b.clock.wall(), datetime)
