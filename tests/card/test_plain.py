"""The card in sentences: a whole game by typed commands, and nothing that only eyes could see."""

from __future__ import annotations

import re

import pytest

from card.plain import HELP, Plain
from card.ports import Listener
from card.typed import Doors
from card.words import REFUSALS, Trouble
from game.category import Category
from game.dice import Dice
from protocol.card import commands
from protocol.card.keys import Clock
from protocol.card.stages import Stage
from tests.card.town import CHANNEL, Town, wait

FOURS = Dice((4, 4, 2, 6, 1))


class Reader:
    """A plain card and what it wrote."""

    def __init__(self, town: Town) -> None:
        self.town = town
        self.wrote: list[str] = []
        self.doors: list[str] = []
        doors = Doors(
            lambda: self.doors.append("help"),
            lambda: self.doors.append("quit"),
            self.doors.append,
        )
        self.card = Plain(town.dialogue, self.wrote.append, doors)
        town.dialogue.listener = Listener(self.card.note, self.card.changed)

    def type(self, *lines: str) -> str:
        """Type lines, each after a moment; all that was written since."""
        before = len(self.wrote)
        for line in lines:
            self.town.settle()
            self.card.read(line)
        return "\n".join(self.wrote[before:])


def reader(*dice: Dice) -> Reader:
    """A plain card in its first round."""
    town = Town(dice=iter(dice) if dice else None)
    found = Reader(town)
    town.connect()
    found.type("register", "start")
    return found


def test_a_whole_game_is_played_by_typing() -> None:
    at = reader()
    while at.town.dialogue.view.playing:
        view = at.town.dialogue.view
        assert view.hand
        at.type("hold a", f"score {next(iter(view.hand.pays)).value.replace('_', ' ')}")
        if at.town.dialogue.view.round == view.round and at.town.dialogue.view.playing:
            at.type(f"score {next(iter(view.hand.pays)).value.replace('_', ' ')}")
    assert at.town.dialogue.view.stage is Stage.OVER
    assert at.town.match.over
    assert f"with {at.town.match.cards[0].total}" in at.wrote[-1] + at.wrote[-2]


def test_dice_are_told_with_their_letters_and_what_they_are_worth() -> None:
    at = reader(FOURS, FOURS)
    told = (
        "Round 1 of 13, roll 1 of 3: a 4, b 4, c 2, d 6, e 1. Worth Chance 17, Fours 8, Sixes 6."
        " 120 seconds left."
    )
    assert told in at.wrote
    assert at.type("dice") == told.replace("120", "110")


@pytest.mark.parametrize("line", ["hold a b", "k44", "keep 4 4", "reroll cde", "HOLD AB"])
def test_dice_are_kept_by_letters_and_by_faces(line: str) -> None:
    at = reader(FOURS, FOURS, FOURS)
    at.type(line)
    assert at.town.asked("hold") == [commands.Hold(at.town.game, 1, 1, frozenset({0, 1}))]


def test_a_box_is_filled_by_its_name_or_code_and_nothing_by_accident() -> None:
    at = reader(FOURS, FOURS, FOURS, FOURS, FOURS, FOURS)
    assert "Full House would pay 0" in at.type("fh")
    assert "3 of a Kind would pay 0" in at.type("score three of a kind")
    assert at.town.asked("score") == []
    assert "may be Threes (th) or 3 of a Kind (3k)" in at.type("score three")
    assert "Scored Chance 17, total 17." in at.type("ch")
    assert "That box is used." in at.type("score chance")
    assert "Full House would pay 0" in at.type("fh")
    at.type("fh")
    assert at.town.match.cards[0].boxes == {Category.CHANCE: 17, Category.FULL_HOUSE: 0}


def test_what_is_not_understood_sends_nothing() -> None:
    at = reader(FOURS, FOURS)
    before = len(at.town.sent)
    assert "You named 2 dice that show 6, and there are 1." in at.type("keep 6 6")
    assert "Not understood" in at.type("dance")
    assert "no such box" in at.type("score castle")
    assert "asks and does nothing" in at.type("chance?")
    at.type("")
    assert len(at.town.sent) == before


def test_all_that_there_is_to_look_at() -> None:
    at = reader(FOURS, FOURS, FOURS, FOURS)
    at.type("fours")
    card = at.type("card")
    assert "Fours (fo): has 8." in card
    assert "Chance (ch): would pay 17." in card
    assert "Upper section 8 of 63, bonus 0." in card
    assert "Total 8." in card
    assert "alice (you) 8" in at.type("scores")
    assert "bob" in at.type("who")
    assert at.type("time") == "100 seconds left."
    at.town.stop_clock(Clock.PAUSE)
    assert at.type("time") == "57 seconds left. The clock stands."
    assert "further Yahtzee" in at.type("rules")
    assert at.type("help") == HELP


def test_talk_and_the_cards_own_commands() -> None:
    at = reader()
    at.type("say hello", "host rules", "/me waves", "quit", "nick bea")
    assert at.town.sent[-3:] == [
        (CHANNEL, "hello"),
        (at.town.host.nick, "rules"),
        (CHANNEL, "\x01ACTION waves\x01"),
    ]
    assert at.doors == ["quit", "bea"]
    at.town.tell_all("Well played!")
    assert at.wrote[-1] == "Hoster: Well played!"


def test_nothing_that_is_said_is_of_keys_or_buttons() -> None:
    said = [trouble.value for trouble in Trouble if trouble is not Trouble.NO_BOX]  # here boxes are named
    said += [*REFUSALS.values(), HELP]
    town = Town(dice=iter([FOURS] * 9))
    town.deaf = True
    at = Reader(town)
    town.connect()
    for _ in range(100):
        wait(town, 2)
    said.append(town.dialogue.status)
    assert "No host answers" in said[-1]
    town.deaf = False
    town.dialogue.ask_state()
    assert "would pay 0" in at.type("register", "start", "fh")
    said += at.wrote
    assert [text for text in said if re.search(r"Send|[Cc]lick|\bF\d|arrow|\bkeys?\b|H marks", text)] == []


def test_short_time_is_told_once() -> None:
    at = reader()
    wrote = len(at.wrote)
    for seconds in range(120):
        at.town.clock.now += 1
        at.card.tick()
        assert seconds >= 0
    assert at.wrote[wrote:] == ["30 seconds left.", "10 seconds left."]


def test_a_lost_connection_is_told_and_the_dice_again_after_it() -> None:
    at = reader(FOURS, FOURS)
    at.town.cut()
    assert "There is no connection just now" in at.wrote[-1] + at.wrote[-2]
    at.town.connect()
    at.town.settle()
    assert at.wrote[-1].startswith("Round 1 of 13, roll 1 of 3: a 4")
