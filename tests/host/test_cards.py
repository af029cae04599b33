"""The host and programs that speak the language of cards to it."""

from __future__ import annotations

import pytest

from chat.events import Disconnected, Kicked, Message
from game.category import CATEGORIES, Category
from game.rules import RULE_SETS
from game.scorecard import Scorecard
from host.table import Phase
from protocol.card import commands, news
from protocol.card.commands import AskState, Hello, Hold, Ping, Register
from protocol.card.fields import LONGEST, write
from protocol.card.keys import By, Clock, Code, Exit, Lines
from protocol.card.keys import Phase as Stage
from tests.support.bench import CHANNEL, HOST, Bench, config, to, user
from tests.support.cards import ask, dice, greeted, heard, hold, playing, score, words


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_cards_alone_play_a_whole_game_and_count_the_same(pace: str, rules: str) -> None:
    bench = playing("alice", "bob", channels=f'{{"{CHANNEL}": {{pace: {pace}, rules: {rules}}}}}')
    cards = {nick: Scorecard(RULE_SETS[rules]) for nick in ("alice", "bob")}
    for number in range(1, 14):
        for roll in (1, 2):
            for nick in cards:
                shown = dice(bench, nick)
                assert (shown.round, shown.roll) == (number, roll)
                ask(bench, nick, hold(shown, 0, 2))
        for nick, card in cards.items():
            shown = dice(bench, nick)
            options = card.options(shown.dice)
            assert dict(shown.pays) == options
            assert [box for box, _ in shown.pays] == [box for box in CATEGORIES if box in options]
            assert shown.bonus == card.bonus(shown.dice)
            box = max(options, key=lambda box: options[box])
            cards[nick] = card.score(shown.dice, box)
            ask(bench, nick, score(shown, box))
    assert bench.keeper().table.phase is Phase.OVER
    for nick, card in cards.items():
        sent = [news.read(text) for target, text, _ in bench.wire.sent if target == nick]
        assert None not in sent, "words for a card that wants none"
        result = sent[-1]
        assert isinstance(result, news.Result)
        assert result.totals == tuple(card.total for card in cards.values())
        # Bob was the last to score, with which the game was over; alice had heard it of her box before.
        last = result.wrote if nick == "bob" or pace == "lockstep" else None
        assert (last.total if last else card.total) == card.total
        assert last or isinstance(sent[-2], news.Scored | news.Waiting)


def test_what_a_card_hears_from_the_hello_to_the_first_roll() -> None:
    bench = greeted("alice")
    (seated,) = ask(bench, "alice", Register(CHANNEL))
    game = bench.keeper().table.game
    assert seated == news.Seated(
        *(game, CHANNEL, Stage.LOBBY, "hasbro", "free"),
        limit=120, seat=1, seats=12, seconds=60, nicks=("alice",), token="token00001",
    )  # fmt: skip
    lines = heard(bench.say("alice", "!start"), "alice")
    assert lines[0] == news.Began(game, CHANNEL, "hasbro", "free", 120, seat=1, seats=1, nicks=("alice",))
    assert isinstance(lines[1], news.Rolled)
    assert (lines[1].round, lines[1].roll, lines[1].seconds, lines[1].totals) == (1, 1, 120, (0,))
    rolled = ask(bench, "alice", hold(lines[1], 1, 3))
    assert isinstance(rolled[0], news.Rolled)
    assert (rolled[0].roll, rolled[0].totals) == (2, ())
    assert [rolled[0].dice.faces[place] for place in (1, 3)] == [lines[1].dice.faces[p] for p in (1, 3)]


def test_to_register_twice_tells_where_one_sits() -> None:
    bench = greeted("alice")
    (first,) = ask(bench, "alice", Register())
    (second,) = ask(bench, "alice", Register())
    assert isinstance(first, news.Seated)
    assert isinstance(second, news.Seated)
    assert (second.game, second.seat, second.token) == (first.game, first.seat, "")


def test_a_late_or_doubled_line_hits_nothing_and_brings_the_truth() -> None:
    bench = playing("alice", "bob")
    first = dice(bench, "alice")
    (second,) = ask(bench, "alice", hold(first, 0))
    assert isinstance(second, news.Rolled)
    for late in (hold(first, 0), score(first, Category.CHANCE), Hold(first.game, 2, 1, frozenset())):
        refused, truth = ask(bench, "alice", late)
        assert refused == news.Refused(Code.LATE, late.KIND, first.game)
        assert truth == second
    ask(bench, "alice", score(second, Category.CHANCE))
    for again in (score(second, Category.CHANCE), hold(second)):
        refused, scored = ask(bench, "alice", again)
        assert refused == news.Refused(Code.SCORED, again.KIND, first.game)
        assert isinstance(scored, news.Scored)
        assert scored.wrote.by is By.PLAYER
    ask(bench, "bob", score(dice(bench, "bob"), Category.CHANCE))
    assert bench.keeper().table.play.round == 2
    refused, truth = ask(bench, "alice", score(second, Category.ACES))
    assert refused == news.Refused(Code.LATE, "score", first.game)
    assert isinstance(truth, news.Rolled)
    assert truth.round == 2


def test_a_decision_for_new_dice_is_taken_also_just_after_the_clock_rang() -> None:
    bench = playing("alice", "bob")
    bench.pass_(120.1)
    shown = dice(bench, "alice")
    assert shown.round == 2
    assert shown.wrote
    assert shown.wrote.by is By.HOST
    # What is typed in this second counts as late; the numbers say that it is not.
    assert "Too late" in bench.tell("bob", "keep a")[0]
    (rolled,) = ask(bench, "alice", hold(shown, 0))
    assert isinstance(rolled, news.Rolled)
    assert rolled.roll == 2


def test_to_keep_all_spends_no_roll() -> None:
    bench = playing("alice", "bob")
    first = dice(bench, "alice")
    assert ask(bench, "alice", hold(first, *range(5))) == [
        news.Rolled(first.game, 1, 1, first.dice, 120, first.pays, waiting=(2,), totals=(0, 0))
    ]


def test_in_lockstep_a_hold_is_noted_and_may_be_changed() -> None:
    bench = playing("alice", "bob", channels=f'{{"{CHANNEL}": {{pace: lockstep}}}}')
    first = dice(bench, "alice")
    noted = news.Accepted(first.game, 1, 1, keep=frozenset({0}), waiting=(2,))
    assert ask(bench, "alice", hold(first, 0)) == [noted]
    assert ask(bench, "alice", hold(first, 1)) == [
        news.Accepted(first.game, 1, 1, keep=frozenset({1}), waiting=(2,))
    ]
    state = ask(bench, "alice", AskState())
    assert [line.keep for line in state if isinstance(line, news.Rolled)] == [frozenset({1})]
    lines = bench.tell("bob", write(score(dice(bench, "bob"), Category.CHANCE)))
    assert heard(lines, "bob")[0] == news.Accepted(first.game, 1, 1, box=Category.CHANCE, waiting=(1,))
    (rolled,) = heard(lines, "alice")
    assert isinstance(rolled, news.Rolled)
    assert (rolled.roll, rolled.dice.faces[1]) == (2, first.dice.faces[1])


def test_both_kinds_of_lines_tell_the_same() -> None:
    bench = playing("alice", "bob", lines=Lines.BOTH)
    for line in (
        write(hold(dice(bench, "alice"), 0)),
        "keep a",
        write(score(dice(bench, "alice"), Category.ACES)),
    ):
        lines = bench.tell("alice", line)
        assert words(lines, "alice") != []
        assert heard(lines, "alice") != [] or line.startswith("ycp score")
    # Typed commands work for a card that wants lines only, too.
    bench = playing("alice")
    (rolled,) = heard(bench.tell("alice", "keep a"), "alice")
    assert isinstance(rolled, news.Rolled)
    assert rolled.roll == 2
    lines = bench.tell("alice", "keep 9")
    assert heard(lines, "alice") == []
    assert "9" in words(lines, "alice")[0]
    assert "Open:" in words(bench.tell("alice", "card"), "alice")[0]


def test_the_whole_state() -> None:
    bench = playing("alice", "bob")
    shown = dice(bench, "alice")
    ask(bench, "alice", score(shown, Category.CHANCE))
    points = sum(shown.dice.faces)
    seated, card, standings, scored, end = ask(bench, "alice", AskState())
    assert isinstance(seated, news.Seated)
    assert (seated.stage, seated.seat, seated.seats, seated.token) == (Stage.PLAYING, 1, 2, "")
    assert card == news.Card(shown.game, ((Category.CHANCE, points),), 0, 0, points)
    assert standings == news.Standings(shown.game, 1, (points, 0))
    assert isinstance(scored, news.Scored)
    assert end == news.End(1)
    bench.say("alice", "!pause")
    assert ask(bench, "bob", AskState())[-2] == news.Time(shown.game, 120, Clock.PAUSE)
    bench.join("carol")
    assert ask(bench, "carol", AskState()) == [news.End(0)]


def test_the_state_of_a_lobby_and_of_a_game_that_is_over() -> None:
    bench = greeted("alice", "bob")
    ask(bench, "alice", Register())
    seated, end = ask(bench, "alice", AskState())
    assert isinstance(seated, news.Seated)
    assert seated.stage is Stage.LOBBY
    bench.say("alice", "!start")
    bench.pass_(120 * 14)
    assert bench.keeper().table.phase is Phase.OVER
    seated, card, _, result, end = ask(bench, "alice", AskState())
    assert isinstance(seated, news.Seated)
    assert seated.stage is Stage.OVER
    assert isinstance(card, news.Card)
    assert isinstance(result, news.Result)
    assert (result.place, result.totals) == (1, (card.total,))
    assert end == news.End(1)


def test_after_a_restart_a_card_is_unknown_until_it_speaks() -> None:
    bench = playing("alice", "bob")
    shown = dice(bench, "alice")
    bench.desk.hear(Disconnected("reset"))
    lines = bench.connect("alice", "bob")
    assert heard(lines, "alice") == []
    assert words(lines, "alice") != []
    # A decision without a hello counts, and its card hears both from now on.
    lines = bench.tell("alice", write(hold(shown, 0)))
    assert [type(line) for line in heard(lines, "alice")] == [news.Rolled]
    assert len(words(lines, "alice")) == 1
    ask(bench, "alice", Hello(1, Lines.ONLY))
    assert [type(line) for line in ask(bench, "alice", AskState())] == [
        *(news.Seated, news.Card, news.Standings, news.Rolled, news.End)
    ]


def test_a_hello_in_the_channel_finds_the_host_and_nothing_else_is_served_there() -> None:
    bench = Bench()
    bench.connect("alice")
    lines = bench.say("alice", "ycp hello v=1 lines=only")
    assert lines == ["alice: ycp hello v=1 lines=only host=yardzee/0.1.0"]
    for line in ("ycp register", "ycp state", "ycp foo", "ycp hold g=1", "YCP", "ycp "):
        assert bench.say("alice", line) == []
    assert bench.say("alice", f"{HOST}: ycp hello v=1") == [
        "alice: ycp hello v=1 lines=both host=yardzee/0.1.0"
    ]


def test_who_goes_out_of_sight_may_come_back_with_another_program() -> None:
    bench = playing("alice", "bob")
    bench.quit("alice")
    lines = bench.join("alice")
    assert heard(lines, "alice") == []
    assert "Welcome back" in words(lines, "alice")[0]
    bench.rename("bob", "bobby")
    assert [type(line) for line in heard(bench.tell("bobby", "dice"), "bobby")] == [news.Rolled]
    bench.desk.hear(Kicked(HOST, CHANNEL, "op", "out"))
    lines = bench.connect("alice", "bobby")
    assert heard(lines, "bobby") == []
    ask(bench, "alice", Hello(1, Lines.ONLY))
    assert ask(bench, "alice", commands.Bye()) == []
    assert heard(bench.tell("alice", "dice"), "alice") == []


def test_every_refusal_has_its_code() -> None:
    bench = greeted("alice", "bob", "carol", channels=f'{{"{CHANNEL}": {{seats: 2}}, "#z": {{}}}}')
    assert ask(bench, "alice", Hello(2))[0] == news.Refused(Code.VERSION, "hello", version=1)
    assert ask(bench, "alice", Register())[0] == news.Refused(Code.CHANNEL, "register")
    assert ask(bench, "alice", Register("#nowhere"))[0] == news.Refused(Code.CHANNEL, "register")
    assert heard(bench.tell("alice", "ycp dance"), "alice") == [news.Refused(Code.UNKNOWN)]
    assert heard(bench.tell("alice", "ycp hold g=x r=1 k=one keep=-"), "alice") == [
        news.Refused(Code.FIELD, "hold", key="k")
    ]
    for nick in ("alice", "bob"):
        ask(bench, nick, Register(CHANNEL))
    game = bench.keeper().table.game
    assert ask(bench, "alice", Hold(game, 1, 1, frozenset()))[0] == news.Refused(Code.LATE, "hold", game)
    assert ask(bench, "carol", Register(CHANNEL))[0] == news.Refused(Code.FULL, "register")
    bench.say("alice", "!start")
    shown = dice(bench, "alice")
    assert ask(bench, "carol", Register(CHANNEL))[0] == news.Refused(Code.ON, "register")
    assert ask(bench, "carol", hold(shown))[0] == news.Refused(Code.SEAT, "hold", game)
    assert ask(bench, "alice", Hold("nogame", 1, 1, frozenset()))[0] == news.Refused(
        Code.GAME, "hold", "nogame"
    )
    bench.say("alice", "!pause")
    assert ask(bench, "alice", hold(shown))[0] == news.Refused(Code.CLOCK, "hold", game)
    bench.say("alice", "!resume")
    for _ in range(2):
        ask(bench, "alice", hold(dice(bench, "alice")))
    assert ask(bench, "alice", hold(dice(bench, "alice")))[0] == news.Refused(Code.ROLLS, "hold", game)
    ask(bench, "alice", score(dice(bench, "alice"), Category.ACES))
    ask(bench, "bob", score(dice(bench, "bob"), Category.ACES))
    assert ask(bench, "bob", score(dice(bench, "bob"), Category.ACES))[0] == news.Refused(
        Code.USED, "score", game
    )
    bench.say("alice", f"!{CHANNEL} leave")
    assert ask(bench, "alice", hold(shown))[0] == news.Refused(Code.SEAT, "hold", game)


def test_out_of_sight_a_card_is_told_to_come_into_the_channel() -> None:
    bench = Bench()
    bench.connect("alice")
    assert ask(bench, "zed", Hello(1)) == [news.Refused(Code.CHANNEL, "hello")]


def test_who_is_banned_hears_so() -> None:
    bench = Bench(config(admins='["*!*@example.org"]'))
    bench.connect("boss")
    bench.say("boss", "!ban *!*@other.example")
    line = Message(user("eve", "other.example"), HOST, "ycp hello v=1", private=True)
    assert heard(bench.heard(line), "eve") == [news.Refused(Code.BANNED, "hello")]


def test_who_asks_too_much_gets_no_answer_and_may_play_all_the_same() -> None:
    bench = playing("alice", "bob")
    answers = sum(len(ask(bench, "alice", Ping(str(n)))) for n in range(300))
    assert 150 < answers <= 200
    (rolled,) = ask(bench, "alice", hold(dice(bench, "alice")))
    assert isinstance(rolled, news.Rolled)
    assert ask(bench, "alice", Hold("nogame", 1, 1, frozenset())) == []


def test_what_a_card_says_by_itself_is_no_sign_of_life() -> None:
    bench = playing("alice", "bob")
    for _ in range(2):
        bench.pass_(60)
        ask(bench, "bob", score(dice(bench, "bob"), bench.keeper().table.play.cards[1].open[0]))
        for command in (Ping(), AskState(), Hello(1, Lines.ONLY)):
            ask(bench, "alice", command)
        bench.pass_(61)
    assert bench.keeper().table.seats[0].away
    ask(bench, "alice", AskState())
    assert bench.keeper().table.seats[0].away
    lines = bench.tell("alice", write(hold(dice(bench, "alice"))))
    assert not bench.keeper().table.seats[0].away
    assert any("alice is back" in text for text in to(lines, CHANNEL))


@pytest.mark.parametrize(("players", "told"), [(3, True), (8, True), (9, False)])
def test_at_small_tables_those_who_have_decided_see_who_still_thinks(players: int, told: bool) -> None:
    nicks = [f"p{n}" for n in range(1, players + 1)]
    bench = playing(*nicks)
    ask(bench, "p1", score(dice(bench, "p1"), Category.CHANCE))
    lines = bench.tell("p2", write(score(dice(bench, "p2"), Category.CHANCE)))
    still = tuple(range(3, players + 1))
    waiting = [news.Waiting(dice(bench, "p1").game, 1, still)]
    assert heard(lines, "p1") == (waiting if told else [])
    assert heard(lines, "p3") == []


def test_time_that_stands_and_time_that_is_given() -> None:
    bench = playing("alice", "bob")
    game = bench.keeper().table.game
    bench.pass_(20)
    assert heard(bench.say("alice", "!pause"), "bob") == [news.Time(game, 100, Clock.PAUSE)]
    resumed = heard(bench.say("alice", "!resume"), "bob")
    assert news.Time(game, 100, Clock.RUNS) in resumed
    assert isinstance(resumed[0], news.Rolled)
    assert heard(bench.say("alice", "!extend 60"), "bob") == [news.Time(game, 160, Clock.RUNS)]


def test_the_ways_out_of_a_game() -> None:
    bench = greeted("alice", "bob")
    for nick in ("alice", "bob"):
        ask(bench, nick, Register())
    game = bench.keeper().table.game
    assert heard(bench.say("bob", "!leave"), "bob") == [news.Gone(game, Exit.LEFT)]
    ask(bench, "bob", Register())
    bench.say("alice", "!start")
    assert heard(bench.say("bob", "!leave"), "bob") == [news.Gone(game, Exit.LEFT)]
    assert news.Gone(game, Exit.LEFT) in ask(bench, "bob", AskState())
    assert heard(bench.say("alice", "!stop"), "alice")[-1] == news.Gone(game, Exit.STOPPED)


def test_an_amendment_brings_a_new_card_and_new_totals() -> None:
    bench = playing("alice", "bob", channels=f'{{"{CHANNEL}": {{}}}}')
    bench.desk.configure(config(admins='["*!*@example.org"]').networks[0])
    for nick in ("alice", "bob"):
        ask(bench, nick, score(dice(bench, nick), Category.CHANCE))
    lines = bench.say("alice", "!amend bob chance 30 misread")
    game = bench.keeper().table.game
    assert news.Card(game, ((Category.CHANCE, 30),), 0, 0, 30) in heard(lines, "bob")
    assert [line for line in heard(lines, "alice") if isinstance(line, news.Standings)]


def test_fifty_players_fit_into_lines_that_fit() -> None:
    nicks = [f"a-rather-long-nick-{n:02}" for n in range(50)]
    bench = playing(*nicks, channels=f'{{"{CHANNEL}": {{seats: 50}}}}')
    for box in (Category.CHANCE, Category.ACES):
        for nick in nicks:
            ask(bench, nick, score(dice(bench, nick), box))
    assert dice(bench, nicks[0]).round == 3
    for text in (text for _, text, _ in bench.wire.sent if text.startswith("ycp")):
        assert len(text.encode()) <= LONGEST
    lines = [news.read(text) for target, text, _ in bench.wire.sent if target == nicks[49]]
    began = next(line for line in lines if isinstance(line, news.Began))
    more = [line for line in lines if isinstance(line, news.MoreNicks) and line.first > 1]
    found = list(began.nicks)
    for line in more[-len(more) :]:
        if line.first == len(found) + 1:
            found += line.nicks
    assert found == nicks


def test_of_dice_that_wait_only_the_newest_are_sent_and_what_was_scored_is_not_lost() -> None:
    slow = f'{{"{CHANNEL}": {{round_seconds: 3600}}}}'
    bench = playing("alice", "bob", channels=slow)
    bench.desk.configure(config(slow, send="{burst: 1, seconds: 10}").networks[0])
    first = {nick: dice(bench, nick) for nick in ("alice", "bob")}
    bench.tell("carol", "help")  # takes what the bucket has
    for nick, shown in first.items():
        bench.tell(nick, write(score(shown, Category.CHANCE)))
    bench.tell("bob", write(Hold(first["bob"].game, 2, 1, frozenset())))
    sent = heard(bench.pass_(300), "bob")
    assert [type(line) for line in sent] == [news.Scored, news.Rolled]
    assert isinstance(sent[1], news.Rolled)
    assert (sent[1].round, sent[1].roll) == (2, 2)
