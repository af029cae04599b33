"""Practice games are not checked, and do not keep the card from checking those at a table."""

from __future__ import annotations

import random

from card.notes import Tone
from chat.events import Message
from protocol.fairness import Plays, Reveal
from tests.card.test_with_the_host import HOST_USER, again, play
from tests.card.test_witness import FITS, Card, begin, come, finish, street
from tests.support.bench import CHANNEL

NOT_CHECKED = "The dice of this game were not checked"


def test_the_card_says_that_it_does_not_check_them() -> None:
    where = street()
    alice = come(where, "alice")
    again(where, alice, alice.dialogue.play.practise)
    chance = random.Random(5)
    while alice.dialogue.view.playing:
        where.pass_(7)
        play(where, alice, chance)
    where.pass_(200)
    assert len(alice.said(Tone.CARD, NOT_CHECKED)) == 1
    assert len(alice.verdicts) == 1, "and nothing else is said of them"
    assert alice.said(Tone.OWN, "") == [], "and nothing asked"


def test_the_game_before_is_checked_when_its_seed_comes_late() -> None:
    late: list[str] = []

    def slow(text: str) -> str | None:
        if not (Reveal.find(text) or Plays.find(text)):
            return text
        late.append(text)
        return None

    where = street()
    alice = come(where, "alice", slow)
    begin(where, alice)
    finish(where, alice)
    again(where, alice, alice.dialogue.play.practise)
    assert alice.dialogue.view.practice
    assert alice.verdicts == []
    alice.watched.change = lambda text: text
    for text in late:
        where.tell(alice, Message(HOST_USER, CHANNEL, text, private=False))
    (said,) = alice.verdicts
    assert FITS.match(said)


def test_the_next_game_is_checked_as_ever() -> None:
    where = street()
    alice: Card = come(where, "alice")
    again(where, alice, alice.dialogue.play.practise)
    begin(where, alice)
    assert not alice.dialogue.view.practice
    finish(where, alice)
    where.pass_(5)
    (said,) = alice.verdicts
    assert FITS.match(said)
