"""What players have without the operator: the log of a channel, worked out once more."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.fair import DiceMode
from host.proofs import judged, told
from host.table import Phase
from protocol.check import check
from protocol.heard import Heard, games
from protocol.shape import BadRecord
from protocol.verdict import Right, Unknown, Verdict, Wrong
from tests.host import hosting_tools as hosting
from tests.host.test_random_games import steps
from tests.support.bench import CHANNEL, HOST, Bench, config, user
from tests.support.fair_games import GAME, log_of, played

FORMS = (
    "<{nick}> {text}",
    "12:03 <@{nick}> {text}",
    "[2026-01-01 12:03:44] <{nick}> {text}",
    "2026-01-01 12:03:44\t{nick}\t{text}",
    "Jan 01 12:03:44 {nick}: {text}",
)


@cache
def lines(pace: str = "free", *, plain: bool = True) -> tuple[str, ...]:
    """What the host says in the channel in a whole game."""
    b = played(9, pace=pace, plain=plain)
    return tuple(text for target, text, _ in b.wire.sent if target == CHANNEL)


def verdict(log: list[str] | tuple[str, ...]) -> Verdict:
    (heard,) = games(log)
    return check(heard)


def changed(old: str, new: str | Callable[[re.Match[str]], str], count: int = 1) -> Verdict:
    """The verdict on a log in which something was written over."""
    text = "\n".join(lines())
    found = re.sub(old, new, text, count=count)
    assert found != text
    return verdict(found.split("\n"))


# --- real games ---


@pytest.mark.parametrize("dice", ["own", "same"])
@pytest.mark.parametrize("pace", ["free", "lockstep"])
@pytest.mark.parametrize("rules", ["hasbro", "hosted"])
def test_a_game_with_all_that_can_happen_is_right(rules: str, pace: str, dice: str) -> None:
    b = played(5, rules=rules, pace=pace, dice=dice)
    found = verdict(log_of(b))
    assert isinstance(found, Right), found
    assert found.totals == tuple(card.total for card in b.keeper().table.play.cards)
    assert (found.seats, found.rounds, found.unchecked) == (3, 13, ())


@pytest.mark.parametrize("rounds", [0, 1, 5])
def test_a_game_that_was_stopped(rounds: int) -> None:
    found = verdict(log_of(played(5, rounds=rounds)))
    assert isinstance(found, Right), found
    assert (found.totals, found.unchecked) == ((), ())


@pytest.mark.parametrize("form", FORMS)
def test_the_log_of_any_client(form: str) -> None:
    log = []
    for text in lines():
        log += [form.format(nick=nick, text=said) for nick, said in ((HOST, text), ("bob", "so what"))]
    assert isinstance(found := verdict(log), Right), found
    assert found.unchecked == ()


@pytest.mark.parametrize(
    "forms",
    [
        ("12:03 <{nick}> {text}", "12:03 <@{nick}> {text}", "12:03 <+{nick}> {text}"),
        ("12:03 < {nick}> {text}", "12:03 <@{nick}> {text}", "12:03 <&{nick}> {text}"),
        ("2026-01-01 12:03:44\t{nick}\t{text}", "2026-01-01 12:03:44\t@{nick}\t{text}"),
        ("12:03 ~@{nick}: {text}", "12:03 %{nick}: {text}"),
    ],
)
def test_a_host_that_becomes_an_operator_is_the_same(forms: tuple[str, ...]) -> None:
    log = []
    for number, text in enumerate(lines()):
        form = forms[number % len(forms)]
        log += [
            form.format(nick=nick, text=said) for nick, said in ((HOST, text), ("bob", f"<{HOST}> {text}"))
        ]
    assert isinstance(found := verdict(log), Right), found
    assert found.unchecked == ()


def test_an_amendment_for_who_was_just_called_otherwise() -> None:
    b = hosting.game()
    b.tell("alice", "score ch")
    b.tell("bob", "score ch")
    b.rename("alice", "zoe")
    hosting.boss(b, "amend zoe ch 20 a fair reason")
    for box in ("ac", "tw"):
        b.tell("zoe", box)
        b.tell("bob", box)
    b.say("zoe", "!stop")
    assert isinstance(found := verdict(log_of(b)), Right), found
    assert found.unchecked == ()
    log = [line.replace(" amends zoe's", " amends ann's") for line in log_of(b)]
    assert isinstance(found := verdict(log), Right), found
    assert found.unchecked == ("points and totals after an amendment for ann, who was not heard of",)


def test_who_takes_the_nick_of_one_who_left_is_not_taken_for_them() -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0}}}}'))
    b.connect("alice", "malle")
    b.begin("alice", "malle")
    b.tell("alice", "leave")
    b.quit("alice")
    b.rename("malle", "alice")
    while b.keeper().table.phase is Phase.PLAYING:
        play = b.keeper().table.play
        box = next(iter(play.cards[1].options(play.turns[1].cup)))
        b.tell("alice", f"score {box.value.replace('_', ' ')}", mask=replace(user("malle"), nick="alice"))
    assert [seat.nick for seat in b.keeper().table.seats] == ["alice(1)", "alice"]
    assert isinstance(found := verdict(log_of(b)), Right), found


def test_several_games_in_one_log_and_a_lobby_that_closed() -> None:
    b = played(5, rounds=1)
    b.say("alice", "!join")
    b.say("alice", "!leave")
    b.say("alice", "!join")
    b.say("alice", "!start")
    b.say("alice", "!stop")
    found = judged("\n".join(log_of(b)).encode())
    assert [type(one) for _, one in found] == [Right, Right]


def test_a_full_table_with_long_nicks_takes_several_lines_for_everything() -> None:
    nicks = [f"player_with_a_long_nick_{number:02}" for number in range(24)]
    b = Bench(config(f'{{"{CHANNEL}": {{seats: 24, repeat_seconds: 0}}}}'))
    b.connect(*nicks)
    b.begin(*nicks)
    for box in ("ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"):
        for nick in nicks:
            b.tell(nick, f"score {box}")
    assert b.keeper().table.phase is Phase.OVER
    found = verdict(log_of(b))
    assert isinstance(found, Right), found
    assert (len(found.totals), found.rolls, found.unchecked) == (24, 312, ())


@settings(max_examples=15, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(pace=st.sampled_from(["free", "lockstep"]), seed=st.binary(min_size=32, max_size=32), steps=steps)
def test_whatever_people_do(pace: str, seed: bytes, steps: list[tuple[str | None, object]]) -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{pace: {pace}, repeat_seconds: 0}}}}'), seed=seed)
    b.connect("alice", "[^o^]", "{0}", "score")
    b.begin("alice", "[^o^]")
    for nick, what in steps:
        if nick is None:
            b.pass_(float(str(what)))
        else:
            b.tell(nick, str(what))
    b.say("alice", "!stop")
    for heard in games(log_of(b)):
        assert not isinstance(check(heard), Wrong)


# --- what was changed is found ---


def test_a_tampered_commitment_or_seed_is_found() -> None:
    found = changed(rf"(game {GAME} commit sha256:)....", r"\g<1>0000")
    assert str(found).startswith("the channel was told the commitment 0000")
    found = changed(rf"(game {GAME} seed )....", r"\g<1>0000")
    assert "the seed gives" in str(found)


def test_a_tampered_hold_box_word_or_seat_is_found() -> None:
    hold = changed(r"(?<=plays 1=)\S+", lambda found: re.sub("[a-e/-]*:", ":", found[0]))
    assert re.fullmatch(r"round \d+, alice: the channel was told .*, [1-6 ]+ pay \d+", str(hold))
    assert isinstance(changed(r"(plays 1=[a-e/-]*:)(\w\w)(,[^:]*:)(\w\w)", r"\1\4\3\2"), Wrong)
    assert isinstance(changed(r"1=alice/Lucky.7", "1=alice/Lucky-7"), Wrong)
    assert isinstance(changed(r"1=(alice/\S+) (.*) 3=(bob/\S+)", r"1=\3 \2 3=\1"), Wrong)


def test_tampered_points_totals_and_places_are_found() -> None:
    more = str(changed(r"(Round 7/13: alice \D+ )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}"))
    assert re.fullmatch(r"round 7, alice: the channel was told .* \d+, [1-6 ]+ pay \d+", more)
    total = str(changed(r"(Round 7/13: alice [^(]*\()(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}"))
    assert re.fullmatch(r"round 7, alice: the channel was told the total \d+, the boxes make \d+", total)
    end = str(changed(r"(Final result: 1\. \S+ )(\d+)", lambda found: f"{found[1]}{int(found[2]) + 1}"))
    assert "in the end, the boxes make" in end
    assert "the channel was told place 2, it is 1" in str(changed(r"Final result: 1\.", "Final result: 2."))


def test_a_game_by_other_dice_than_its_opening_says_is_found() -> None:
    assert isinstance(changed(r"\(Hasbro rules\)", "(Hasbro rules, the same dice for all)"), Wrong)


def test_what_is_told_in_two_ways_is_found() -> None:
    log = [*lines(), f"game {GAME} seed {'0' * 64}"]
    assert str(verdict(log)) == f"the channel was told two seeds of game {GAME}, there can be one"
    log = [*lines(), f"game {GAME} plays 1=:ch"]
    assert "two accounts of seat 1" in str(verdict(log))


# --- what was told too late ---


def later(line: str, behind: str) -> list[str]:
    """The lines of the host with one of them further down: right behind another one."""
    (moved,) = [text for text in lines() if line in text]
    rest = [text for text in lines() if text != moved]
    at = next(number for number, text in enumerate(rest) if behind in text)
    return [*rest[: at + 1], moved, *rest[at + 1 :]]


@pytest.mark.parametrize(
    "behind", ["The game begins", " seats ", "Round 1/13", "Final result", " seed ", " plays "]
)
@pytest.mark.parametrize("form", ["{text}", "12:03 <{nick}> {text}"])
def test_a_commitment_after_the_beginning_proves_nothing(behind: str, form: str) -> None:
    log = [form.format(nick=HOST, text=text) for text in later(" commit ", behind)]
    spread = [one for text in log for one in (text, *["12:03 <bob> so what"] * 40)]
    assert str(verdict(spread)) == (
        "the channel was told the commitment after the beginning, then it proves nothing"
    )


def test_a_log_that_begins_in_the_game_accuses_nobody_of_a_late_commitment() -> None:
    log = [*lines()[4:-2], lines()[1], *lines()[-2:]]
    assert isinstance(found := verdict(log), Right), found
    assert found.unchecked[0] == "that the seed was fixed before the game: its commitment was heard later"


def test_whether_a_commitment_came_before_the_beginning_is_unknown_where_that_was_not_heard() -> None:
    assert isinstance(found := verdict([line for line in lines() if "The game begins" not in line]), Right)
    assert found.unchecked == ("that the seed was fixed before the game: its beginning was not heard",)


@pytest.mark.parametrize("behind", ["Round 1/13", " seed ", " plays "])
def test_words_after_a_round_may_have_been_chosen(behind: str) -> None:
    assert isinstance(found := verdict(later(" seats ", behind)), Right), found
    assert found.unchecked == ("that the words were fixed before the dice: they were heard later",)


def test_seats_that_are_told_again_are_no_later() -> None:
    (seats,) = [line for line in lines() if " seats " in line]
    at = next(number for number, line in enumerate(lines()) if "Round 3/13" in line)
    assert isinstance(found := verdict([*lines()[:at], seats, *lines()[at:]]), Right)
    assert found.unchecked == ()


# --- what is missing is said ---


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (" commit ", "that the seed was fixed before the game: no commitment was heard"),
        ("Round 4/13", "what the channel was told of round 4: not heard"),
        ("Final result", "the total of alice in the final table: not heard"),
        ("opens a game", "points and totals: the line that opened the game was not heard"),
    ],
)
def test_what_could_not_be_checked_is_said(without: str, said: str) -> None:
    found = verdict([line for line in lines() if without not in line])
    assert isinstance(found, Right)
    assert said in found.unchecked


@pytest.mark.parametrize(
    ("without", "said"),
    [
        (" seed [0-9a-f]{64}", "its seed was not told"),
        (" seats ", "not all seats and their words were heard"),
    ],
)
def test_without_these_nothing_can_be_checked(without: str, said: str) -> None:
    found = verdict([line for line in lines() if not re.search(without, line)])
    assert isinstance(found, Unknown)
    assert str(found) == f"game {GAME} cannot be checked: {said}"


def test_a_seat_of_which_nothing_was_told() -> None:
    log = [re.sub(r"^(game \S+ plays.*) 3=\S+", r"\1", line) for line in lines()]
    found = verdict(log)
    assert isinstance(found, Right)
    assert found.unchecked == ("what bob played: it was not told",)
    assert list(told([(GAME, found)]))[1:] == ["not checked: what bob played: it was not told"]


@given(st.lists(st.sampled_from(lines()) | st.text(), max_size=40))
def test_any_lines_in_any_order_break_nothing(log: list[str]) -> None:
    for heard in games(log):
        str(check(heard))


@pytest.mark.parametrize(
    "line",
    [
        "game game0001 plays 99999999999999999999=:ch",
        "game game0001 seats 99999999999999999999=bob/-",
        "Round 99/13: alice Chance 5 (5)",
        "Final result: 1. alice " + "9" * 5000,
        "Final result: " + "9" * 5000 + ". alice 9",
        "x" * 200_000,
        "x opens a game of " * 10_000,
        " game game0001 seats" + " 1=a/-" * 10_000,
    ],
    ids=lambda line: line[:30],
)
def test_numbers_and_lines_without_bound_break_nothing(line: str) -> None:
    for log in ([*lines(), line], [line, *lines()], [f"12:03 <{HOST}> {text}" for text in (*lines(), line)]):
        for heard in games(log):
            str(check(heard))


@pytest.mark.timeout(30)
def test_the_time_for_a_log_grows_with_its_lines_alone() -> None:
    """However many games, hosts and amendments are in it."""
    log = [f"12:03 <host{number}> game {number:06}x commit sha256:{number:064}" for number in range(10_000)]
    assert len(games(log)) == 10_000
    amended = [
        "boss amends alice's Chance from 1 to 5 (fair)",
        "Round 1/13: alice Chance 5 (5) | alice leads",
    ]
    assert isinstance(verdict([*lines()[:5], *amended * 4_000, *lines()[5:]]), Wrong | Right)


@pytest.mark.parametrize("data", [b"", b"hello\n", b"\xff\xfe", b"<bob> game over"])
def test_what_is_no_log(data: bytes) -> None:
    with pytest.raises(BadRecord, match="it is no record, and no log of a channel"):
        judged(data)


def test_more_rounds_than_there_are() -> None:
    heard = Heard(GAME, None, DiceMode.OWN)
    plays = ",".join([":ch"] * 14)
    for line in (f"game {GAME} seats 1=a/-", f"game {GAME} seed {'0' * 64}", f"game {GAME} plays 1={plays}"):
        heard.hear(line)
    assert str(check(heard)) == "the channel was told of more than 13 rounds, that is all there are"
