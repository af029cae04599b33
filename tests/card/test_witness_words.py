"""The words that a card adds to the dice, and what it says of those that are not in them."""

from __future__ import annotations

import re

import pytest

from card import typed
from card.notes import Tone
from card.plain import Plain
from card.typed import Doors
from chat.events import Connected, Names, Present
from protocol.card.stages import Stage
from protocol.fairness import Seats
from tests.card.test_with_the_host import HOST_USER
from tests.card.test_witness import FITS, Card, begin, come, finish, sit, street
from tests.support.bench import CHANNEL, HOST, of_dice


def test_every_card_adds_a_word_of_its_own_once_it_has_seen_the_commitment() -> None:
    where = street()
    alice, bob, carol = (
        come(where, "alice"),
        come(where, "bob", word="Lucky.7"),
        come(where, "carol", word="-"),
    )
    begin(where, alice, bob, carol)
    (seats,) = [found for line in of_dice(where.bench.since(0)) if (found := Seats.find(line))]
    assert [seat.word for seat in seats.seats] == ["chance-1", "Lucky.7", "-"]
    assert alice.said(Tone.CARD, "Your word") == ["Your word in the dice: chance-1"]
    assert carol.said(Tone.CARD, "Your word") == []
    assert alice.warnings() == []


def test_no_word_is_sent_before_the_commitment_is_seen_and_a_card_asks_for_one_that_it_missed() -> None:
    where = street("lobby_seconds: 600")
    alice = come(where, "alice")
    deaf = come(where, "bob", lambda text: None if text.startswith("The dice are fixed") else text)
    sit(where, alice)
    deaf.dialogue.play.register()
    where.run()
    assert [seat.word for seat in where.bench.keeper().table.seats] == ["chance-1", "-"]
    where.pass_(1)
    assert deaf.said(Tone.OWN, "") == []
    where.pass_(2)
    assert deaf.said(Tone.OWN, "") == [f"{CHANNEL} seed"]
    assert [seat.word for seat in where.bench.keeper().table.seats] == ["chance-1", "chance-1"]
    for _ in range(20):
        where.pass_(10)
    assert len(deaf.said(Tone.OWN, "")) == 1
    assert deaf.warnings() == []


def test_a_word_can_be_typed_at_any_time_before_the_game() -> None:
    where = street()
    alice = come(where, "alice")
    doors = Doors(lambda: None, lambda: None, lambda _: None, alice.watched.witness.add_word)
    for line, said in (
        ("/seed", "/seed needs something after it."),
        ("/seed glück", "A word for the dice has 1 to 32 letters, digits and . _ -"),
        ("/seed my Lucky day", "It goes into the dice of your next game."),
    ):
        typed.enter(line, alice.dialogue, doors)
        assert alice.notes[-1].text == said
    sit(where, alice)
    assert where.bench.keeper().table.seats[0].word == "my-Lucky-day"
    typed.enter("/seed other", alice.dialogue, doors)
    where.run()
    assert where.bench.keeper().table.seats[0].word == "other"


@pytest.mark.parametrize("how", ["leaves", "is cut off"])
def test_who_gives_a_seat_up_and_takes_another_one_adds_a_word_again(how: str) -> None:
    where = street("lobby_seconds: 600")
    alice, bob = come(where, "alice"), come(where, "bob")
    sit(where, alice, bob)
    if how == "leaves":
        bob.dialogue.leave()
        where.run()
    else:
        where.go(bob)
        where.players.append(bob)
        where.bench.join("bob")
        where.tell(bob, Connected("bob"), Names(CHANNEL, ("bob", HOST)), Present(CHANNEL, (HOST_USER,)))
    where.pass_(15)
    assert bob.dialogue.view.stage is Stage.OUT
    sit(where, bob)
    assert [seat.word for seat in where.bench.keeper().table.seats] == ["chance-1", "chance-2"]
    alice.dialogue.start()
    where.run()
    finish(where, alice, bob)
    assert FITS.fullmatch(bob.verdicts[0]), bob.verdicts


def test_in_plain_sentences_as_well_and_seed_alone_asks_the_host() -> None:
    where = street()
    alice = come(where, "alice")
    words: list[str] = []
    doors = Doors(lambda: None, lambda: None, lambda _: None, words.append)
    plain = Plain(alice.dialogue, lambda _: None, doors)
    plain.read("seed my word")
    plain.read("Seed  other ")
    plain.read("seed")
    assert words == ["my-word", "other"]
    assert alice.said(Tone.OWN, "") == ["seed"]


def test_a_word_that_comes_too_late_is_told_and_disturbs_nothing() -> None:
    where = street()
    alice = come(where, "alice")
    begin(where, alice)
    where.said.append(("alice", HOST, f"ycp seed g={where.bench.keeper().table.game} word=late"))
    where.run()
    assert alice.warnings() == ["Your word did not come into the dice of this game."]
    assert alice.dialogue.view.deciding


class Unheeded(Card):
    """A card to whose words the host gives no heed."""

    def send(self, target: str, text: str) -> None:
        if "ycp seed" not in text:
            super().send(target, text)


NOT_IN = "that the host did not choose the words: your word is not in the dice"


def test_a_word_that_the_host_dropped_in_silence_is_told() -> None:
    where = street()
    alice = come(where, "alice", kind=Unheeded)
    begin(where, alice)
    assert where.bench.keeper().table.seats[0].word == "-"
    finish(where, alice)
    (said,) = alice.verdicts
    assert re.fullmatch(
        rf"Dice checked: [0-9]+ rolls of 1 seats fit the seed\. Not checked: {NOT_IN}\.", said
    )


def test_a_word_counts_also_where_its_confirmation_was_lost() -> None:
    where = street()
    alice = come(where, "alice", lambda text: None if text.startswith("ycp word") else text)
    begin(where, alice)
    assert where.bench.keeper().table.seats[0].word == "chance-1"
    finish(where, alice)
    assert FITS.fullmatch(alice.verdicts[0]), alice.verdicts


def test_a_second_word_that_was_dropped_is_told_as_well() -> None:
    where = street()
    alice = come(where, "alice")
    sit(where, alice)
    alice.send = lambda target, text: None  # type: ignore[method-assign]
    alice.watched.witness.add_word("other")
    del alice.send
    alice.dialogue.start()
    where.run()
    finish(where, alice)
    assert alice.verdicts[0].endswith(f"Not checked: {NOT_IN}.")
