"""Looking at things, and how private lines are dressed, in every state of a game."""

from __future__ import annotations

from pathlib import Path

import pytest

from protocol.commands import LookAt, Topic
from protocol.tags import DiceTag
from tests.host.test_clerk import game, play_out, two_tables
from tests.support.bench import CHANNEL, Bench, config, user

OTHER = "#other"


@pytest.mark.parametrize("look", LookAt)
def test_nobody_plays(look: LookAt) -> None:
    b = Bench()
    b.connect("alice")
    (answer,) = b.tell("alice", look.value)
    if look is LookAt.RULES:
        assert "13 rounds" in answer
    else:
        assert answer == f"alice: No game is on in {CHANNEL}. !join there opens one."


LOBBY = {
    LookAt.DICE: "The game starts in 50 s; your dice come then.",
    LookAt.CARD: "The game starts in 50 s; your dice come then.",
    LookAt.SCORES: "The game starts in 50 s; your dice come then.",
    LookAt.WHO: "alice and bob (2 of 12 seats); the game starts in 50 s, or when alice says start.",
    LookAt.TIME: "The game starts in 50 s.",
}


@pytest.mark.parametrize("look", LOBBY)
def test_looking_in_the_lobby(look: LookAt) -> None:
    b = Bench()
    b.connect("alice", "bob", "zoe")
    b.say("alice", "!join")
    b.say("bob", "!join")
    b.pass_(10)
    assert b.tell("bob", look.value) == [f"bob: {LOBBY[look]}"]
    (answer,) = b.tell("zoe", look.value)
    if look in (LookAt.WHO, LookAt.TIME):
        assert answer == f"zoe: {LOBBY[look]}"
    else:
        assert "You have no seat" in answer


def test_looking_in_a_game() -> None:
    b = game("alice", "bob", "carol")
    tag = b.dice("alice")
    b.tell("bob", "score chance")
    b.pass_(30)
    assert str(tag) in b.tell("alice", "dice")[0]
    assert b.tell("alice", "time") == ["alice: Round 1/13: 90 s left."]
    assert b.tell("alice", "who") == ["alice: Round 1/13: waiting for alice and carol; done bob."]
    total = b.keeper().table.play.cards[1].total
    assert b.tell("alice", "scores") == [f"alice: Round 1/13: bob {total}, alice 0, carol 0."]
    card = b.tell("bob", "card")[0]
    assert f"Used: Chance {total}." in card
    assert f"Total {total}." in card
    assert "Open: Aces (ac)" in card
    # Bob's dice are played; what he sees is what he made of them.
    assert "Chance" in b.tell("bob", "dice")[0]
    assert DiceTag.find(b.tell("bob", "dice")[0]) is None


def test_a_stranger_sees_of_a_game_what_the_channel_may_see() -> None:
    b = game("alice", "bob")
    seen = [b.tell("zoe", look.value)[0] for look in LookAt]
    assert not [line for line in seen if "[" in line]
    assert "You have no seat" in b.tell("zoe", "dice")[0]
    assert "You have no seat" in b.tell("zoe", "card")[0]
    assert "alice 0, bob 0" in b.tell("zoe", "scores")[0]


def test_looking_changes_nothing_and_every_answer_is_private() -> None:
    b = game("alice", "bob", round_seconds=600)
    before = b.keeper().table
    for line in [
        *(look.value for look in LookAt),
        *(f"help {topic.value}" for topic in Topic),
        "style",
        "notice",
    ]:
        b.pass_(4)  # nobody gets very many answers at once
        for heard in (b.tell("alice", line), b.say("alice", f"!{line}")):
            assert heard, line
            assert {text.split(":")[0] for text in heard} == {"alice"}
    assert b.keeper().table == before


def test_looking_after_the_game() -> None:
    b = game("alice", "bob")
    play_out(b, "alice", "bob")
    b.pass_(5)
    a, c = (card.total for card in b.keeper().table.play.cards)
    for nick in ("alice", "zoe"):
        (scores,) = b.tell(nick, "scores")
        assert scores.startswith(f"{nick}: Final result: ")
        assert f"alice {a}" in scores
        assert f"bob {c}" in scores
        for line in ("dice", "who", "time", "keep all", "reroll a", "score chance", "leave"):
            assert b.tell(nick, line) == [f"{nick}: No game is on in {CHANNEL}. !join there opens one."], line
    assert f"Total {a}." in b.tell("alice", "card")[0]
    assert "Open: nothing." in b.tell("alice", "card")[0]
    assert "You have no seat" in b.tell("zoe", "card")[0]


def test_a_doubled_line_that_ended_the_game_is_no_mistake() -> None:
    b = game("alice")
    play_out(b, "alice")
    assert b.tell("alice", "score chance") == ["alice: That was already done."]
    b.pass_(2)
    assert "No game is on" in b.tell("alice", "score chance")[0]


def test_the_rules_are_those_of_the_table() -> None:
    b = two_tables("alice")
    assert "Hasbro" in b.tell("alice", f"{CHANNEL} rules")[0]
    assert "Houston" in b.say("alice", "!rules", OTHER)[0]
    assert "lo," in b.tell("alice", f"help boxes {OTHER}")[0]


# --- preferences ---


def test_style_and_notice_are_each_players_own() -> None:
    b = game("alice", "bob")
    assert b.tell("alice", "style unicode") == [
        "alice: Your lines come in unicode style, as messages."
        " Possible: style plain, colour, unicode; notice on or off."
    ]
    assert any(face in b.tell("alice", "dice")[0] for face in "⚀⚁⚂⚃⚄⚅")
    assert not any(face in b.tell("bob", "dice")[0] for face in "⚀⚁⚂⚃⚄⚅")
    b.tell("bob", "style colour")
    line = b.tell("bob", "dice")[0]
    assert "\x0303[" in line
    assert DiceTag.find(line) == b.dice("bob")
    b.tell("bob", "notice on")
    b.tell("bob", "dice")
    assert b.wire.sent[-1][2] is True
    b.tell("alice", "dice")
    assert b.wire.sent[-1][2] is False
    assert "colour style, as notices" in b.tell("bob", "style")[0]
    assert "unicode style, as messages" in b.tell("alice", "notice")[0]


def test_the_channel_is_never_dressed_and_gets_no_notices() -> None:
    b = game("alice")
    b.tell("alice", "style colour")
    b.tell("alice", "notice on")
    since = len(b.wire.sent)
    b.tell("alice", "score chance")
    public = [(text, notice) for target, text, notice in b.wire.sent[since:] if target == CHANNEL]
    assert public
    assert not any(notice or "\x03" in text for text, notice in public)


def test_style_and_notice_are_remembered(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path / 'games.sqlite'}"
    first = Bench(config(store=store))
    first.connect("Alice")
    first.tell("Alice", "style unicode")
    first.tell("Alice", "notice on")
    first.journal.close()
    second = Bench(config(store=store), start=10)
    second.connect("alice", "bob")
    # The nick may be written otherwise, and come from elsewhere.
    heard = second.tell("alice", "style", mask=user("alice", "elsewhere.org"))
    assert "unicode style, as notices" in heard[0]
    assert second.wire.sent[-1][2] is True
    assert "plain style, as messages" in second.tell("bob", "style")[0]
    second.journal.close()


def test_a_line_that_asks_is_no_setting() -> None:
    b = Bench()
    b.connect("alice")
    b.tell("alice", "style colour")
    b.tell("alice", "style")
    b.tell("alice", "notice maybe")
    assert "colour style, as messages" in b.tell("alice", "notice")[0]
