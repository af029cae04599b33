"""What a player decides: what is sent of it, once, and what is not."""

from __future__ import annotations

import pytest

from card.decisions import ANSWERS_WITHIN, SETTLES
from card.notes import Tone
from card.words import REFUSALS, Trouble
from game.category import Category
from game.dice import ALL, NONE, Dice
from game.match import Pace
from protocol.card import commands, news
from protocol.card.keys import Code
from protocol.card.stages import Stage
from tests.card.town import Town, seated, wait

NEVER_FOUR = Dice((1, 2, 3, 5, 6))


def test_what_is_sent_names_game_round_and_roll() -> None:
    town = seated()
    town.dialogue.play.toggle(0)
    town.dialogue.play.toggle(3)
    town.dialogue.play.send_rerolls()
    assert town.asked("hold") == [commands.Hold(town.game, 1, 1, frozenset({0, 3}))]
    assert town.dialogue.view.hand
    assert town.dialogue.view.hand.roll == 2


def test_a_second_click_is_not_sent_while_the_answer_is_on_its_way() -> None:
    town = seated()
    town.deaf = True
    for _ in range(5):
        town.dialogue.play.send_rerolls()
    assert len(town.asked("hold")) == 1
    assert town.said(Tone.WARNING)[-1] == Trouble.PENDING.value


def test_registering_twice_is_sent_once() -> None:
    town = Town()
    town.connect()
    town.deaf = True
    for _ in range(3):
        town.dialogue.play.register()
    assert len(town.asked("register")) == 1
    assert town.said(Tone.WARNING) == [Trouble.PENDING.value] * 2


def test_a_second_click_does_not_hit_the_dice_that_just_came() -> None:
    town = seated()
    town.dialogue.play.send_rerolls()
    town.clock.now += SETTLES / 2
    town.dialogue.play.send_rerolls()
    assert len(town.asked("hold")) == 1
    assert town.said(Tone.WARNING)[-1] == Trouble.SETTLING.value
    town.clock.now += SETTLES
    town.dialogue.play.send_rerolls()
    assert len(town.asked("hold")) == 2


def test_a_late_click_does_not_hit_the_next_round() -> None:
    town = seated()
    play = town.dialogue.play
    play.mark(Category.CHANCE)
    play.send_score()
    town.clock.now += SETTLES / 2
    play.mark(Category.FOURS)
    play.send_score()
    assert len(town.asked("score")) == 1


def test_what_comes_too_late_costs_nothing_and_shows_how_things_stand() -> None:
    town = seated()
    town.deaf = True
    town.dialogue.play.send_rerolls()
    town.post(news.Refused(Code.LATE, "hold", town.game))
    town.post(news.Rolled(town.game, 2, 1, NEVER_FOUR, 120, ((Category.CHANCE, 17),)))
    assert REFUSALS[Code.LATE] in town.said(Tone.WARNING)
    assert town.dialogue.view.round == 2
    assert town.dialogue.play.pending is None


@pytest.mark.parametrize("code", Code)
def test_every_refusal_is_said_plainly_and_frees_the_buttons(code: Code) -> None:
    town = seated()
    town.deaf = True
    town.dialogue.play.send_rerolls()
    town.post(news.Refused(code, "hold", town.game))
    assert town.said(Tone.WARNING)[-1] == REFUSALS[code]
    assert town.dialogue.play.pending is None


def test_where_no_answer_comes_the_host_is_asked_how_things_stand() -> None:
    town = seated()
    town.deaf = True
    town.dialogue.play.send_rerolls()
    town.deaf = False
    wait(town, ANSWERS_WITHIN)
    assert len(town.asked("state")) == 2
    assert town.dialogue.view.deciding
    assert town.dialogue.play.pending is None


def test_a_reminder_that_crosses_an_answer_frees_nothing() -> None:
    town = seated()
    town.deaf = True
    town.dialogue.play.send_rerolls()
    town._show()
    assert town.dialogue.play.pending is not None


def test_for_nothing_a_box_is_filled_only_when_it_is_said_twice() -> None:
    town = seated(dice=iter([NEVER_FOUR, NEVER_FOUR, NEVER_FOUR, NEVER_FOUR]))
    play = town.dialogue.play
    play.mark(Category.FOURS)
    play.send_score()
    play.send_score()  # a double click
    assert town.asked("score") == []
    assert "would pay 0" in town.said(Tone.WARNING)[0]
    town.settle()
    play.send_score()
    assert town.asked("score") == [commands.Score(town.game, 1, 1, Category.FOURS)]


def test_another_box_is_asked_about_anew() -> None:
    town = seated(dice=iter([NEVER_FOUR, NEVER_FOUR]))
    play = town.dialogue.play
    for box in (Category.FOURS, Category.YAHTZEE):
        play.mark(box)
        play.send_score()
        town.settle()
    assert town.asked("score") == []


def test_all_five_kept_would_roll_nothing_at_a_free_pace() -> None:
    town = seated()
    town.dialogue.play.keep(ALL)
    town.dialogue.play.send_rerolls()
    assert town.said(Tone.WARNING) == [Trouble.ALL_KEPT.value]
    assert town.asked("hold") == []


def test_in_lockstep_it_stands_and_may_be_changed() -> None:
    town = Town(pace=Pace.LOCKSTEP)
    town.hasty = False
    town.seat()
    town.dialogue.play.keep(ALL)
    town.dialogue.play.send_rerolls()
    assert town.dialogue.view.stage is Stage.NOTED
    assert "Waiting for bob" in town.dialogue.status
    town.settle()
    town.dialogue.play.keep(NONE)
    town.dialogue.play.send_rerolls()
    assert [hold.keep for hold in town.asked("hold") if isinstance(hold, commands.Hold)] == [ALL, NONE]


def test_after_three_rolls_only_a_box_is_left() -> None:
    town = seated()
    for _ in range(3):
        town.dialogue.play.send_rerolls()
        town.settle()
    assert len(town.asked("hold")) == 2
    assert town.said(Tone.WARNING) == [Trouble.NO_ROLL.value]


def test_boxes_that_cannot_be_chosen_say_why() -> None:
    town = seated(dice=iter([Dice((4,) * 5), NEVER_FOUR] * 4))
    play = town.dialogue.play
    play.mark(Category.YAHTZEE)
    play.send_score()
    town.settle()
    play.mark(Category.YAHTZEE)
    assert town.said(Tone.WARNING) == [Trouble.USED.value]
    town.post(news.Rolled(town.game, 2, 2, Dice((4,) * 5), 120, ((Category.FOURS, 20),), 100))
    town.settle()
    play.mark(Category.CHANCE)
    assert town.said(Tone.WARNING)[-1] == Trouble.FORBIDDEN.value
    assert play.view.marked is None
    play.mark(Category.FOURS)
    assert "Fours pays 20 and 100 on top: total 170" in town.dialogue.status


def test_a_box_chosen_twice_is_none_and_arrows_go_round() -> None:
    town = seated()
    play = town.dialogue.play
    play.mark(Category.CHANCE)
    play.mark(Category.CHANCE)
    assert play.view.marked is None
    play.step(1)
    assert play.view.marked is Category.ACES
    play.step(-1)
    assert play.view.marked is Category.CHANCE


def test_before_and_after_a_game_the_troubles_are_named() -> None:
    town = Town()
    town.connect()
    play = town.dialogue.play
    play.send_rerolls()
    town.dialogue.start()
    town.settle()
    play.register()
    play.register()
    town.settle()
    play.send_score()
    town.begin()
    town.dialogue.start()
    assert town.said(Tone.WARNING) == [
        trouble.value
        for trouble in (Trouble.NOT_SEATED, Trouble.NOT_SEATED, Trouble.SEATED, Trouble.LOBBY, Trouble.BEGUN)
    ]
