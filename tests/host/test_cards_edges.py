"""Cards at large tables, cards that get a seat again, and cards that the host cannot serve."""

from __future__ import annotations

from functools import reduce

import pytest

from chat.events import AccountChanged, Joined, Kicked, Names, User
from host.errors import StoreError
from protocol.card import news
from protocol.card.commands import AskState, Hello, Register
from protocol.card.fields import LONGEST, write
from protocol.card.keys import Clock, Code, Exit, Lines
from protocol.card.stages import Stage, after
from tests.support.bench import CHANNEL, HOST, Bench, config
from tests.support.cards import ask, dice, greeted, heard, hold, playing, score

LARGE = f'{{"{CHANNEL}": {{seats: 50}}}}'


def test_the_dice_of_a_large_table_with_long_totals_fit_into_lines_that_fit() -> None:
    nicks = [f"p{n:02}" for n in range(50)]
    bench = playing(*nicks, channels=LARGE)
    for _ in range(6):
        for nick in nicks:
            shown = dice(bench, nick)
            ask(bench, nick, score(shown, max(shown.pays, key=lambda pair: pair[1])[0]))
    shown = dice(bench, nicks[-1])
    assert shown.totals == tuple(card.total for card in bench.keeper().table.play.cards)
    assert (shown.round, shown.waiting) == (7, ())
    assert max(len(text.encode()) for _, text, _ in bench.wire.sent if text.startswith("ycp")) <= LONGEST


def test_the_whole_state_of_a_large_table_waits_for_its_turn() -> None:
    nicks = [f"a-rather-long-nick-{n:02}" for n in range(50)]
    bench = playing(*nicks, channels=LARGE)
    bench.say(nicks[0], "!pause")
    whole = ask(bench, nicks[0], AskState())
    bench.desk.configure(config(LARGE, send="{burst: 1, seconds: 1}").networks[0])
    bench.tell("zoe", "help")  # takes what the bucket has
    bench.tell(nicks[0], write(AskState()))
    assert heard(bench.pass_(60), nicks[0]) == whole


@pytest.mark.parametrize("words", ["join", "return token00002"])
def test_who_has_a_seat_again_hears_so_before_the_dice(words: str) -> None:
    bench = playing("alice", "bob")
    bench.say("bob", "!leave")
    lines = heard(bench.tell("bob", words), "bob")
    assert [type(line) for line in lines] == [news.Seated, news.Rolled]
    assert reduce(after, lines, Stage.OUT) is Stage.DECIDING


def test_who_logs_in_into_a_seat_hears_so_before_the_dice() -> None:
    bench = Bench()
    bench.connect("alice", "bob")
    for nick, account in (("alice", "ann"), ("bob", None)):
        bench.say(nick, "!join", mask=User(nick, nick, "example.org", account))
    bench.say("alice", "!start", mask=User("alice", "alice", "example.org", "ann"))
    bench.quit("alice")
    guest = User("guest", "g", "elsewhere.example")
    bench.desk.hear(Joined(guest, CHANNEL))
    bench.tell("guest", write(Hello(1, Lines.ONLY)), mask=guest)
    lines = heard(bench.heard(AccountChanged(guest, "ann")), "guest")
    assert reduce(after, lines, Stage.OUT) is Stage.DECIDING


def test_a_card_that_sees_the_host_elsewhere_hears_that_the_clock_stands() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{}}, "#other": {{}}}}'))
    bench.connect("alice")
    for command in (Hello(1, Lines.ONLY), Register(CHANNEL)):
        ask(bench, "alice", command)
    bench.say("alice", "!start")
    game = bench.keeper().table.game
    assert heard(bench.heard(Kicked(HOST, CHANNEL, "op", "out")), "alice") == [
        news.Time(game, 120, Clock.OUT)
    ]
    lines = heard(bench.heard(Names(CHANNEL, (HOST, "alice"))), "alice")
    assert lines == [news.Time(game, 120, Clock.RUNS)]


def test_the_state_of_a_lobby_tells_of_a_pause() -> None:
    bench = greeted("alice")
    ask(bench, "alice", Register())
    bench.say("alice", "!pause")
    seated, stands, _ = ask(bench, "alice", AskState())
    assert isinstance(seated, news.Seated)
    assert stands == news.Time(seated.game, 60, Clock.PAUSE)


def test_who_is_the_last_to_leave_is_out() -> None:
    bench = playing("alice")
    game = bench.keeper().table.game
    assert heard(bench.say("alice", "!leave"), "alice") == [news.Gone(game, Exit.LEFT)]
    assert not bench.keeper().table.open


def test_a_card_of_another_version_is_sent_no_lines() -> None:
    bench = Bench()
    bench.connect("alice")
    assert ask(bench, "alice", Hello(7)) == [news.Refused(Code.VERSION, "hello", version=1)]
    assert heard(bench.say("alice", "!join"), "alice") == []


def test_what_a_card_decided_and_the_store_did_not_take_is_logged(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    bench = playing("alice", "bob")

    def full(*_: object, **__: object) -> None:
        raise StoreError("disk full")

    monkeypatch.setattr(bench.journal, "append", full)
    refused, shown = ask(bench, "alice", hold(dice(bench, "alice"), 0))
    assert isinstance(refused, news.Refused)
    assert (refused.code, type(shown)) == (Code.BUSY, news.Rolled)
    assert [record.getMessage() for record in caplog.records] == ["command not written down"]


def test_lines_for_programs_are_messages_also_to_who_wants_notices() -> None:
    bench = playing("alice")
    bench.tell("alice", "notice on")
    bench.tell("alice", write(AskState()))
    ways = {
        notice for target, text, notice in bench.wire.sent if target == "alice" and text.startswith("ycp ")
    }
    assert ways == {False}


def test_a_card_whose_seat_is_taken_up_from_elsewhere_hears_so() -> None:
    bench = greeted("alice", "zoe")
    (seated,) = ask(bench, "alice", Register())
    assert isinstance(seated, news.Seated)
    bench.say("alice", "!start")
    lines = bench.tell("zoe", f"return {seated.token}")
    assert heard(lines, "alice") == [news.Gone(seated.game, Exit.TAKEN)]
    assert [type(line) for line in heard(lines, "zoe")] == [news.Seated, news.Rolled]
