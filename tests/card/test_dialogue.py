"""The talk with the host: finding it, losing it, and what is sent and what is not."""

from __future__ import annotations

from card.finder import ANSWERS_WITHIN as HELLO_WITHIN
from card.finder import ASK_ALL_AGAIN
from card.notes import Tone
from card.ports import Memory, Where
from card.words import REFUSALS, Trouble
from chat.events import (
    Connected,
    Kicked,
    Message,
    Names,
    NickChanged,
    Parted,
    Present,
    Refused,
    User,
)
from protocol.card import commands, fields, news
from protocol.card.keys import VERSION, Clock, Code, Exit, Lines, Phase
from protocol.card.stages import Stage
from tests.card.town import CHANNEL, HOST, ME, ROUND_SECONDS, TOKEN, Town, seated, wait

HELLO = fields.write(commands.Hello(VERSION, Lines.ONLY, "yardzee-card/0.1.0"))


# --- finding the host ---


def test_who_looks_like_the_host_is_asked_in_private() -> None:
    town = Town()
    town.connect()
    assert town.sent == [(HOST, HELLO), (HOST, "ycp state")]
    assert (town.dialogue.where, town.dialogue.host) == (Where.HERE, HOST)


def test_a_host_that_looks_like_nobody_is_found_by_asking_the_channel_once() -> None:
    town = Town(host=User("Dealer", "~bot", "h"))
    town.connect()
    assert town.sent == [(CHANNEL, HELLO), ("Dealer", "ycp state")]
    assert town.dialogue.host == "Dealer"


def test_a_remembered_host_is_asked_before_the_server_says_who_is_there() -> None:
    town = Town(host=User("Dealer", "~bot", "h"), memory=Memory("dealer"))
    town.tell(Connected(ME))
    town.here = True
    town.tell(Names(CHANNEL, (ME, "Dealer", "bob")))
    assert town.sent[0] == ("Dealer", HELLO)


def test_where_the_server_does_not_say_who_is_there_everybody_is_asked() -> None:
    town = Town(host=User("Dealer", "~bot", "h"))
    town.tell(Connected(ME))
    town.here = True
    town.tell(Names(CHANNEL, (ME, "Dealer")))
    assert town.sent == []
    wait(town, 5)
    assert town.sent[0] == (CHANNEL, HELLO)


def test_who_does_not_answer_is_given_up_and_the_channel_is_not_bothered() -> None:
    town = Town()
    town.deaf = True
    town.connect()
    assert town.sent == [(HOST, HELLO)]
    for _ in range(100):
        wait(town, 2)
    assert town.sent == [(HOST, HELLO), (CHANNEL, HELLO)]
    assert "No host answers" in town.dialogue.status
    wait(town, ASK_ALL_AGAIN)
    assert len(town.sent) == 3


def test_the_player_can_have_everybody_asked_again() -> None:
    town = Town()
    town.deaf = True
    town.connect()
    wait(town, HELLO_WITHIN)
    town.deaf = False
    town.dialogue.ask_state()
    assert town.dialogue.where is Where.HERE


def test_a_host_that_comes_later_is_greeted() -> None:
    town = Town()
    town.connect(here=False)
    assert town.dialogue.where is Where.SEEKING
    town.come()
    assert town.dialogue.host == HOST


def test_nobody_is_believed_who_was_not_asked() -> None:
    town = Town()
    mallory = User("mallory", "~m", "h")
    town.deaf = True
    town.connect()
    town.say("ycp hello v=1 lines=only", mallory)
    assert town.dialogue.host is None
    town.deaf = False
    town.go()
    town.come()
    assert town.dialogue.host == HOST
    town.say("ycp hello v=1 lines=only", mallory)
    assert town.dialogue.host == HOST


def test_where_one_nick_is_trusted_no_other_is_asked_or_believed() -> None:
    town = Town(trusted="Dealer")
    town.connect()
    for _ in range(10):
        wait(town, 5)
    town.say("ycp hello v=1 lines=only")
    assert (town.sent, town.dialogue.host) == ([], None)
    assert "No host answers" in town.dialogue.status
    town.host = User("dealer", "~bot", "h")
    town.come()
    assert town.dialogue.host == "dealer"


def test_lines_of_others_and_lines_in_the_channel_move_nothing() -> None:
    town = seated()
    before = town.dialogue.view
    town.say(f"ycp gone g={town.game} why=removed", User("mallory", "~m", "h"))
    town.tell_all(f"ycp gone g={town.game} why=removed")
    assert town.dialogue.view == before


def test_a_host_of_another_version_is_told_of() -> None:
    town = Town()
    town.deaf = True
    town.connect()
    town.say("ycp refused code=version cmd=hello v=2")
    assert REFUSALS[Code.VERSION] in town.said(Tone.WARNING)


def test_the_host_is_followed_through_its_nicks() -> None:
    town = seated()
    old, town.host = town.host, User("Hoster2", "~yardzee", "h")
    town.tell(NickChanged(old, "Hoster2"))
    town.dialogue.play.keep(frozenset({0}))
    town.settle()
    town.dialogue.play.send_rerolls()
    assert town.sent[-1][0] == "Hoster2"
    assert town.remembered[-1] == Memory("Hoster2", TOKEN, "Hoster2")


def test_players_keep_their_names_up_to_date() -> None:
    town = seated()
    town.tell(NickChanged(User("bob", "b", "h"), "robert"))
    assert town.dialogue.view.nicks == (ME, "robert")


# --- losing and coming back ---


def test_after_a_lost_connection_the_state_is_asked_for_and_all_is_there() -> None:
    town = seated()
    town.dialogue.play.keep(frozenset({1, 2}))
    before = town.dialogue.view
    town.cut()
    assert town.dialogue.status == Trouble.OFFLINE.value
    town.dialogue.play.send_rerolls()
    assert town.asked("hold") == []
    town.connect()
    wait(town, 4)
    after = town.dialogue.view
    assert (after.hand, after.card, after.kept) == (before.hand, before.card, frozenset({1, 2}))
    assert after.deciding


def test_after_the_hosts_restart_too() -> None:
    town = seated()
    before = town.dialogue.view.hand
    town.restart()
    wait(town, 4)
    assert town.dialogue.view.hand == before
    assert len(town.asked("hello")) == 2
    assert len(town.asked("state")) == 2


def test_while_the_host_is_away_nothing_is_sent() -> None:
    town = seated()
    town.tell(Parted(town.host, CHANNEL))
    sent = len(town.sent)
    town.dialogue.play.send_rerolls()
    town.dialogue.to_host("dice")
    assert len(town.sent) == sent
    assert town.said(Tone.WARNING)[-1] == Trouble.NO_HOST.value


def test_put_out_of_the_channel_the_card_begins_anew() -> None:
    town = seated()
    town.tell(Kicked(ME, CHANNEL, "op", "out"))
    assert town.dialogue.where is Where.SEEKING
    town.knows_card = False
    town.connect()
    wait(town, 4)
    assert town.dialogue.view.deciding


def test_words_where_lines_are_expected_mean_that_the_host_forgot() -> None:
    town = seated()
    wait(town, 60)
    town.say("Round 1/13, roll 1/3: [1 2 3 4 5]. Worth Large Straight 40.")
    assert len(town.asked("hello")) == 2
    town.say("And more words.")
    assert len(town.asked("hello")) == 2


def test_words_that_answer_what_was_typed_do_not() -> None:
    town = seated()
    wait(town, 60)
    town.dialogue.to_host("rules")
    town.say("Hasbro rules: …")
    assert len(town.asked("hello")) == 1
    assert town.said(Tone.PRIVATE) == ["Hasbro rules: …"]


def test_a_game_that_the_host_does_not_know_any_more_is_over() -> None:
    town = seated()
    town.game, view = "", town.dialogue.view
    town.dialogue.ask_state()
    wait(town, 4)
    assert view.playing
    assert town.dialogue.view.stage is Stage.OUT
    assert "You have no seat in that game any more." in town.said(Tone.WARNING)


def test_when_nothing_came_of_the_end_of_the_time_the_state_is_asked_for() -> None:
    town = seated()
    wait(town, ROUND_SECONDS + 10)
    assert len(town.asked("state")) == 1
    wait(town, 10)
    assert len(town.asked("state")) == 2
    wait(town, 20)
    assert len(town.asked("state")) == 2, "the host has told the time anew"


def test_a_state_that_does_not_come_is_asked_for_again_with_growing_gaps() -> None:
    town = seated()
    town.deaf = True
    town.dialogue.ask_state()
    for _ in range(300):
        wait(town, 1)
    assert 4 <= len(town.asked("state")) - 1 <= 9


def test_while_the_state_is_being_told_it_is_not_asked_for_again() -> None:
    town = seated()
    town.deaf = True
    town.dialogue.ask_state()
    asked = len(town.asked("state"))
    wait(town, 8)
    town._seated(Phase.PLAYING)
    town.dialogue.ask_state()
    assert town.dialogue.status == "The host tells how things stand …"
    wait(town, 8)
    town._show()
    wait(town, 8)
    assert len(town.asked("state")) == asked
    town.post(news.End(1))
    wait(town, 1)
    assert len(town.asked("state")) == asked + 1, "what was wished for meanwhile is not forgotten"


def test_once_told_the_state_is_not_asked_for_again() -> None:
    town = seated()
    town.deaf = True
    town.dialogue.ask_state()
    wait(town, 1)
    town._seated(Phase.PLAYING)
    town._show()
    town.post(news.End(1))
    asked = len(town.asked("state"))
    for _ in range(60):
        wait(town, 1)
    assert len(town.asked("state")) == asked
    assert town.dialogue.view.deciding


def test_a_seat_is_taken_up_again_by_its_token_from_whom_it_came_alone() -> None:
    town = Town(memory=Memory(HOST, TOKEN, HOST))
    town.connect()
    assert town.sent.count((HOST, f"return {TOKEN}")) == 1
    assert TOKEN not in "".join(map(str, town.notes))
    assert town.remembered == [Memory(HOST, "", HOST)], "it was in vain"
    other = Town(memory=Memory(HOST, TOKEN, "Hoster2"))
    other.connect()
    assert TOKEN not in "".join(text for _, text in other.sent)


def test_a_seat_that_was_taken_up_again_keeps_its_token() -> None:
    town = Town(memory=Memory(HOST, TOKEN, HOST))
    town.away = True
    town.connect()
    assert town.dialogue.view.stage is Stage.LOBBY
    assert town.remembered == []


def test_a_token_is_a_secret() -> None:
    town = seated()
    assert town.remembered[-1].token == TOKEN
    assert TOKEN not in repr(town.remembered)
    assert TOKEN not in "".join(map(str, town.notes))
    town.dialogue.to_host(f"RETURN {TOKEN}")
    assert TOKEN not in "".join(map(str, town.notes))


def test_in_the_lobby_what_the_host_says_has_the_seats_asked_for() -> None:
    town = Town()
    town.connect()
    town.settle()
    town.dialogue.play.register()
    town.nicks = (ME, "bob", "zoe")
    town.settle()
    town.tell_all("zoe joins (3 of 12 seats).")
    town.dialogue.tick()
    assert town.dialogue.view.nicks == (ME, "bob", "zoe")


# --- what is told besides ---


def test_the_clock_and_the_end_of_a_seat_are_told() -> None:
    town = seated()
    town.stop_clock(Clock.PAUSE)
    assert town.dialogue.status == "The game is paused; your dice and your time wait."
    town.stop_clock(Clock.RUNS)
    town.drop(Exit.REMOVED)
    assert town.said(Tone.CARD)[-1] == "You were taken out of the game."
    assert town.dialogue.view.stage is Stage.OUT
    assert town.remembered[-1].token == ""


def test_a_seat_in_another_channel_is_left_to_another_card() -> None:
    town = Town()
    town.connect()
    town.say("ycp seated g=x c=#other stage=playing rules=hasbro pace=free each=9 you=1 of=1 s=9")
    assert town.dialogue.view.stage is Stage.OUT


def test_nonsense_of_the_host_is_told_and_the_state_asked_for() -> None:
    town = seated()
    town.say(f"ycp dice g={town.game} r=1 k=1 d=99999 s=1 pay=-")
    wait(town, 4)
    assert "cannot read" in town.said(Tone.WARNING)[0]
    assert len(town.asked("state")) == 2


def test_what_others_say_cannot_reach_the_terminal() -> None:
    town = Town()
    town.connect()
    evil = "hi\x1b[2J\x07 \x034red\x03 \u202e[bold]x[/bold]"
    for private in (True, False):
        target = ME if private else CHANNEL
        town.tell(Message(User("eve", "e", "h"), target, evil, private=private))
    assert town.said(Tone.SAID) == ["hi[2J red [bold]x[/bold]"] * 2


def test_the_players_own_words_and_the_servers_refusals_are_in_the_log() -> None:
    town = Town()
    town.connect()
    town.dialogue.say("hello all")
    town.dialogue.act("waves")
    assert town.sent[-2:] == [(CHANNEL, "hello all"), (CHANNEL, "\x01ACTION waves\x01")]
    assert town.said(Tone.OWN) == ["hello all", f"* {ME} waves"]
    town.tell(Refused(404, CHANNEL, "Cannot send to channel"))
    assert town.said(Tone.WARNING) == [f"The server says: {CHANNEL} Cannot send to channel"]


def test_a_host_that_is_known_is_greeted_no_more() -> None:
    town = Town()
    town.connect()
    town.tell(Present(CHANNEL, (town.host,)))
    assert len(town.asked("hello")) == 1
