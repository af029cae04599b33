"""The card adds a word to the dice, and checks them by itself when a game is over."""

from __future__ import annotations

import random
import re
from collections.abc import Callable
from dataclasses import replace
from itertools import count

import pytest

from card.dialogue import Dialogue
from card.notes import Tone
from card.ports import Listener, Wire
from card.witness import Witness
from chat.events import Connected, LinkEvent, Message, Names, Present
from protocol.card.stages import Stage
from tests.card.test_with_the_host import HOST_USER, Player, Street, play
from tests.support.bench import CHANNEL, HOST

Change = Callable[[str], str | None]
"""What becomes of a line on the way to a card; None when it is lost."""

FITS = re.compile(r"Dice checked: (\d+) rolls of (\d+) seats fit the seed that was fixed before the game\.")


class Watched(Dialogue):
    """A dialogue with its witness, as a session has them."""

    def __init__(self, wire: Wire, clock: Callable[[], float], change: Change) -> None:
        super().__init__(wire, CHANNEL, clock)
        numbers = count(1)
        self.change = change
        self.witness = Witness(self, lambda: f"chance-{next(numbers)}")

    def hear(self, event: LinkEvent) -> None:
        if isinstance(event, Message):
            text = self.change(event.text)
            if text is None:
                return
            event = replace(event, text=text)
        super().hear(event)
        self.witness.hear(event)

    def tick(self) -> None:
        super().tick()
        if hasattr(self, "witness"):
            self.witness.tick()


class Card(Player):
    """A player whose card has a witness."""

    def __init__(self, street: Street, nick: str, change: Change) -> None:
        super().__init__(street, nick)
        self.watched = Watched(self, street.clock, change)
        self.dialogue = self.watched
        self.dialogue.listener = Listener(self.notes.append, remember=self._remember)

    def said(self, tone: Tone, begin: str) -> list[str]:
        return [note.text for note in self.notes if note.tone is tone and note.text.startswith(begin)]

    @property
    def verdicts(self) -> list[str]:
        return self.said(Tone.ROUND, "Dice checked") + [
            note.text for note in self.notes if re.match("THE DICE|The dice of this game", note.text)
        ]


def street(keys: str = "") -> Street:
    return Street(f"{{repeat_seconds: 0, {keys}}}")


def come(
    where: Street, nick: str, change: Change = lambda text: text, *, word: str = "", kind: type[Card] = Card
) -> Card:
    """A card comes into the channel."""
    card = kind(where, nick, change)
    card.watched.witness.word = word
    where.players.append(card)
    where.bench.join(nick)
    where.tell(card, Connected(nick), Names(CHANNEL, (nick, HOST)), Present(CHANNEL, (HOST_USER,)))
    where.pass_(5)
    return card


def sit(where: Street, *cards: Card) -> None:
    for card in cards:
        card.dialogue.play.register()
        where.run()
        where.pass_(5)


def begin(where: Street, *cards: Card) -> None:
    sit(where, *cards)
    cards[0].dialogue.start()
    where.run()


def finish(where: Street, *cards: Card, seed: int = 1, rounds: int = 13) -> None:
    """Play until all is over, or so many rounds are."""
    chance = random.Random(seed)
    for _ in range(400):
        for card in cards:
            where.pass_(1)
            if card in where.players:
                play(where, card, chance)
        table = where.bench.keeper().table
        if table.match is None or table.match.over or table.match.round > rounds:
            return
    raise AssertionError("the game does not end")


# --- what a card says in the end ---


def test_a_word_that_was_typed_to_the_host_counts_as_well() -> None:
    for typed_, word in (("seed Lucky", "Lucky"), ("seed -", "-")):
        where = street()
        alice = come(where, "alice")
        sit(where, alice)
        alice.dialogue.to_host(typed_)
        where.run()
        alice.dialogue.start()
        where.run()
        assert where.bench.keeper().table.seats[0].word == word
        finish(where, alice)
        assert FITS.fullmatch(alice.verdicts[0]), alice.verdicts


@pytest.mark.parametrize("dice", ["own", "same"])
@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_a_whole_game_is_checked_by_itself(pace: str, dice: str) -> None:
    where = street(f"pace: {pace}, dice: {dice}, house: {{seats: 1}}")
    alice, bob = come(where, "alice"), come(where, "bob")
    begin(where, alice, bob)
    finish(where, alice, bob)
    for card in (alice, bob):
        (said,) = card.verdicts
        found = FITS.fullmatch(said)
        assert found, said
        assert int(found[1]) >= 3 * 13
        assert found[2] == "3"
        assert card.dialogue.view.stage is Stage.OVER
    where.pass_(300)
    assert len(alice.verdicts) == 1


def test_a_second_game_is_checked_as_well() -> None:
    where = street()
    alice = come(where, "alice")
    for games in (1, 2):
        begin(where, alice)
        finish(where, alice, seed=games)
        assert len(alice.verdicts) == games
    assert all(FITS.fullmatch(said) for said in alice.verdicts)


def test_a_game_that_is_stopped_is_checked_as_far_as_it_went() -> None:
    where = street()
    alice, bob = come(where, "alice"), come(where, "bob")
    begin(where, alice, bob)
    finish(where, alice, bob, rounds=2)
    where.said.append(("alice", CHANNEL, "!stop"))
    where.run()
    where.pass_(130)
    for card in (alice, bob):
        assert FITS.fullmatch(card.verdicts[0]), card.verdicts


def test_who_left_hears_it_too() -> None:
    where = street()
    alice, bob = come(where, "alice"), come(where, "bob")
    begin(where, alice, bob)
    bob.dialogue.leave()
    where.run()
    finish(where, alice)
    assert bob.dialogue.view.stage is Stage.OUT
    assert FITS.fullmatch(bob.verdicts[0])


def changing(pattern: str, new: str | Callable[[re.Match[str]], str]) -> Change:
    return lambda text: re.sub(pattern, new, text)


def more(found: re.Match[str]) -> str:
    return f"{found[1]}{int(found[2]) + 1}"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            changing("(ycp dice .*r=3 k=1 d=)[1-6]([1-6])", r"\g<1>\2\2"),
            "round 3, alice, roll 1: you were shown",
        ),
        (changing("(commit sha256:)....", r"\g<1>0000"), "the channel was told the commitment 0000"),
        (changing("( seed )[0-9a-f]{4}", r"\g<1>1111"), "the channel was told the commitment"),
        (
            changing("1=alice/[^ ]+", "1=alice/other"),
            "alice: the channel was told the word other, you said chance-1",
        ),
        (changing("(plays 1=)[a-e/-]*:", r"\g<1>a/a:"), "round 1, alice"),
        (
            changing("(Round 5/13: alice [^(]*[(])([0-9]+)", more),
            "round 5, alice: the channel was told the total",
        ),
        (changing("(Final result: 1. [^ ]+ )([0-9]+)", more), "in the end, the boxes make"),
        (changing("(ycp result .*tot=)([0-9]+)", more), "round 13, alice: you were told"),
    ],
)
def test_what_does_not_fit_is_told_loudly(change: Change, said: str) -> None:
    where = street()
    alice, bob = come(where, "alice", change), come(where, "bob")
    begin(where, alice, bob)
    finish(where, alice, bob)
    (found,) = alice.verdicts
    assert found.startswith("THE DICE OF THIS GAME ARE NOT RIGHT: ")
    assert said in found
    assert found in alice.warnings()
    assert FITS.fullmatch(bob.verdicts[0])


@pytest.mark.parametrize(
    ("lost", "said"),
    [
        ("Round 4/13", "Not checked: what the channel was told of round 4: not heard."),
        ("Final result", "Not checked: the total of alice in the final table: not heard; the total of bob"),
        ("can be checked now", "The dice of this game could not be checked: its seed was not told."),
        (" plays ", "The dice of this game could not be checked: what was played was not told."),
    ],
)
def test_what_was_not_heard_is_told_as_not_checked(lost: str, said: str) -> None:
    where = street()
    alice = come(where, "alice", lambda text: None if lost in text else text)
    bob = come(where, "bob")
    begin(where, alice, bob)
    finish(where, alice, bob)
    where.pass_(130)
    (found,) = alice.verdicts
    assert said in found
    assert alice.warnings() == [text for text in alice.warnings() if "would pay 0" in text]
    assert FITS.fullmatch(bob.verdicts[0])


def test_a_card_that_comes_back_asks_for_what_it_missed() -> None:
    where = street("round_seconds: 600")
    alice, bob = come(where, "alice"), come(where, "bob")
    begin(where, alice, bob)
    where.go(alice)
    again = Card(where, "alice", lambda text: text)
    where.players.append(again)
    where.bench.join("alice")
    where.tell(again, Connected("alice"), Names(CHANNEL, ("alice", HOST)), Present(CHANNEL, (HOST_USER,)))
    where.pass_(5)
    assert again.dialogue.view.playing
    where.pass_(70)
    assert again.said(Tone.OWN, "") == [f"{CHANNEL} seed"]
    finish(where, again, bob)
    (said,) = again.verdicts
    assert said.startswith("Dice checked: ")
    assert said.endswith(
        "Not checked: that the seed was fixed before the game: its commitment was heard later."
    )


def test_nobody_but_the_host_is_listened_to() -> None:
    where = street()
    alice = come(where, "alice")
    begin(where, alice)
    game = where.bench.keeper().table.game
    mallory = replace(HOST_USER, nick="mallory")
    for private in (False, True):
        line = Message(
            mallory, "alice" if private else CHANNEL, f"game {game} seed {'0' * 64}", private=private
        )
        where.tell(alice, line)
    finish(where, alice)
    assert FITS.fullmatch(alice.verdicts[0])
