"""The best that dice allow, and what became of a game: asked for, told, marked, and never sent by itself."""

from __future__ import annotations

from decimal import Decimal

import pytest

from card import words
from card.decisions import ANSWERS_WITHIN
from card.notes import Tone
from card.words import REFUSALS, Trouble
from game.category import Category
from game.dice import ALL, NONE, Dice
from game.match import Pace
from protocol.card import commands, news
from protocol.card.fields import Play
from protocol.card.keys import Code, Loss
from protocol.card.stages import Stage
from tests.card.test_plain import Reader, reader
from tests.card.town import CHANNEL, Town, seated

FOURS = Dice((4, 4, 2, 6, 1))
PAIR = frozenset({0, 1})


def tell(town: Town, best: Play, other: Play | None = None, *, roll: int = 1) -> None:
    """The host's answer to the wish for a hint."""
    cost = None if other is None else Decimal("1.24")
    town.post(news.Hint(town.game, town.match.round, roll, best, Decimal("23.10"), other, cost))


def fours(**how: Pace) -> Town:
    return seated(dice=iter([FOURS] * 40), **how)


def analysis(town: Town, *costly: Loss, luck: str = "-30.12") -> news.Analysis:
    return news.Analysis(town.game, Decimal(luck), Decimal("11.47"), Decimal("254.59"), costly)


LOSS = Loss(3, 2, FOURS, PAIR, Category.SMALL_STRAIGHT, Decimal("5.10"))


# --- hints ---


def test_it_is_asked_for_once_and_named_by_its_roll() -> None:
    town = fours()
    for _ in range(3):
        town.dialogue.play.hint()
    assert town.asked("hint") == [commands.AskHint(town.game, 1, 1)]
    assert town.said(Tone.WARNING) == [Trouble.PENDING.value] * 2
    town.clock.now += ANSWERS_WITHIN
    town.dialogue.play.hint()
    assert len(town.asked("hint")) == 2


def test_dice_are_marked_by_the_second_wish_and_nothing_is_sent() -> None:
    town = fours()
    town.dialogue.play.toggle(4)
    town.dialogue.play.hint()
    tell(town, PAIR, Category.FOURS)
    view = town.dialogue.view
    assert (view.kept, view.best) == (frozenset({4}), PAIR)
    assert town.dialogue.status == ("Best: keep 4 4, worth 23.10; next: score fours, costs 1.24. H marks it.")
    sent = len(town.sent)
    town.dialogue.play.hint()
    assert town.dialogue.view.kept == PAIR
    assert "Keeping 4 4." in town.dialogue.status
    assert len(town.sent) == sent
    town.dialogue.play.send_rerolls()
    assert town.asked("hold") == [commands.Hold(town.game, 1, 1, PAIR)]


def test_a_box_is_marked_likewise() -> None:
    town = fours()
    town.dialogue.play.hint()
    tell(town, Category.CHANCE, NONE)
    assert "Best: score chance, worth 23.10; next: keep none, costs 1.24." in town.dialogue.status
    assert town.dialogue.view.marked is None
    for _ in range(2):  # more is no less
        town.dialogue.play.hint()
        assert town.dialogue.view.marked is Category.CHANCE
    assert town.asked("score") == []
    town.dialogue.play.mark(Category.FOURS)
    assert "Fours pays 8" in town.dialogue.status


def test_where_there_is_no_other_choice() -> None:
    town = fours()
    tell(town, Category.CHANCE)
    assert "there is no other choice" in town.dialogue.status


@pytest.mark.parametrize("pace", Pace)
def test_it_goes_when_the_dice_change_and_old_ones_say_nothing(pace: Pace) -> None:
    town = fours(pace=pace)
    tell(town, PAIR)
    town.dialogue.ask_state()
    assert town.dialogue.view.hint, "the same dice told again"
    town.settle()
    town.dialogue.play.send_rerolls()
    assert town.dialogue.view.hand
    assert town.dialogue.view.hand.roll == 2
    assert town.dialogue.view.hint is None
    tell(town, PAIR)
    assert town.dialogue.view.hint is None
    tell(town, PAIR, roll=2)
    town.settle()
    town.dialogue.play.mark(Category.CHANCE)
    town.dialogue.play.send_score()
    assert town.dialogue.view.round == 2
    assert town.dialogue.view.hint is None


@pytest.mark.parametrize("code", [Code.HINTS, Code.SOON])
def test_a_refusal_is_said_and_waits_for_nothing_else(code: Code) -> None:
    town = fours()
    town.deaf = True
    for _ in range(2):  # it may be asked again at once
        town.dialogue.play.hint()
        town.post(news.Refused(code, "hint", town.game))
    assert len(town.asked("hint")) == 2
    assert town.said(Tone.WARNING) == [REFUSALS[code]] * 2
    town.dialogue.play.send_rerolls()
    town.post(news.Refused(code, "hint", town.game))
    assert town.dialogue.play.pending is not None, "the host has still to answer what was decided"
    town.dialogue.play.hint()
    assert town.said(Tone.WARNING)[-1] == Trouble.PENDING.value
    assert len(town.asked("hint")) == 2


def test_without_dice_there_is_nothing_to_ask() -> None:
    town = Town()
    town.dialogue.play.hint()
    town.connect()
    town.dialogue.play.hint()
    town.dialogue.play.register()
    town.dialogue.play.hint()
    assert town.asked("hint") == []
    wanted = [Trouble.OFFLINE.value, Trouble.NOT_SEATED.value, Trouble.LOBBY.value]
    assert town.said(Tone.WARNING) == wanted


def test_all_five_may_be_best_to_keep() -> None:
    town = fours(pace=Pace.LOCKSTEP)
    tell(town, ALL, NONE)
    town.dialogue.play.hint()
    assert town.dialogue.view.kept == ALL


# --- after a game ---


def over(town: Town) -> Town:
    town.post(news.Result(town.game, 1, (213, 7)))
    return town


def test_what_became_of_a_game_is_told_and_stays() -> None:
    town = over(fours())
    town.post(analysis(town, LOSS))
    assert town.dialogue.view.stage is Stage.OVER
    assert town.said(Tone.ROUND)[-3:] == [
        "Luck took 30.12, decisions lost 11.47.",
        "5.10 lost in round 3, roll 2 (4 4 2 6 1): keep 4 4; best: score small straight.",
        "An empty card is worth 254.59; with luck, and less what was lost, that makes 213.",
    ]
    town.dialogue.ask_analysis()
    assert town.sent[-1] == (town.host.nick, f"{CHANNEL} analysis")
    assert town.dialogue.view.analysis


def test_luck_may_be_good_and_decisions_perfect() -> None:
    town = over(fours())
    line = analysis(town, luck="0.50")
    assert words.analysis(town.dialogue.view, line) == [
        "Luck brought 0.50, decisions lost 11.47. Every decision was the best one."
    ]


def test_of_an_amended_score_no_sum_is_said() -> None:
    town = over(fours())
    town.post(news.Analysis(town.game, Decimal(1), Decimal(2)))
    assert "amended" in town.said(Tone.ROUND)[-1]
    assert "254" not in "".join(town.said(Tone.ROUND)[-2:])


# --- in sentences ---


def plain() -> Reader:
    return reader(*[FOURS] * 40)


def test_advice_in_sentences_can_be_typed() -> None:
    at = plain()
    at.type("hint")
    assert at.town.asked("hint") == [commands.AskHint(at.town.game, 1, 1)]
    tell(at.town, PAIR, Category.FOURS)
    said = "Best: keep 4 4, worth 23.10; next: score fours, costs 1.24."
    assert at.wrote[-1] == said
    assert at.type("hint") == said
    at.type(said.removeprefix("Best: ").partition(",")[0])
    assert at.town.asked("hold") == [commands.Hold(at.town.game, 1, 1, PAIR)]


def test_what_became_of_a_game_in_sentences() -> None:
    at = plain()
    over(at.town)
    at.type("analysis")
    assert at.town.sent[-1] == (at.town.host.nick, f"{CHANNEL} analysis")
    at.town.post(analysis(at.town, LOSS))
    assert "Luck took 30.12, decisions lost 11.47." in at.wrote
    assert at.type("analysis") == "\n".join(words.analysis(at.town.dialogue.view, analysis(at.town, LOSS)))
