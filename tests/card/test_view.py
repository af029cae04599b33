"""The view of a game after any game that can be, against the match that the host has."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from card.boxes import differs
from card.view import View
from game.category import Category
from game.dice import Dice
from game.match import Pace
from game.rules import RULE_SETS, RuleSet
from protocol.card import news
from protocol.card.keys import By, Clock, Code, Entry, Exit, Phase
from protocol.card.stages import Stage
from tests.card.town import Town, falls

SEATED = news.Seated("g", "#y", Phase.LOBBY, "hasbro", "free", 120, 1, 3, 60, ("alice", "bob"))
BEGAN = news.Began("g", "#y", "hasbro", "free", 120, 1, 2, ("alice", "bob"))
DICE = news.Rolled("g", 1, 1, Dice((4, 4, 2, 6, 1)), 100, ((Category.FOURS, 8), (Category.CHANCE, 17)))


def view(*lines: news.News, now: float = 0.0) -> View:
    found = View()
    for line in lines:
        found = found.after(line, now)
    return found


@given(st.data(), st.sampled_from(list(RULE_SETS.values())), st.sampled_from(Pace), st.integers(0, 9999))
@settings(max_examples=30, deadline=None)
def test_after_any_game_it_is_what_the_host_has(
    data: st.DataObject, rules: RuleSet, pace: Pace, seed: int
) -> None:
    town = Town(rules=rules, pace=pace, others=("bob", "carol"), dice=falls(seed))
    town.seat()
    play = town.dialogue.play
    while play.view.playing:
        town.settle()
        assert play.view.deciding, town.notes[-3:]
        before = play.view.hand
        if play.view.can_roll and data.draw(st.booleans()):
            play.keep(frozenset(data.draw(st.sets(st.integers(0, 4), max_size=4))))
            play.send_rerolls()
        else:
            assert play.view.hand
            play.mark(data.draw(st.sampled_from(sorted(play.view.hand.pays, key=lambda box: box.value))))
            play.send_score()
            town.settle()
            if play.view.hand == before:
                play.send_score()  # for nothing, it is said twice
        assert play.view.card == town.match.cards[0]
        assert not differs(play.view)
        assert play.view.sound
        if rolls := town.match.turns[0].dice:
            assert play.view.stage is Stage.OVER or (play.view.hand and play.view.hand.dice == rolls)
    assert play.view.stage is Stage.OVER
    assert play.view.totals == tuple(card.total for card in town.match.cards)
    assert len(town.asked("state")) == 1, "nothing was missed"


def test_dice_stay_marked_while_the_round_goes_on() -> None:
    marked = view(SEATED, BEGAN, DICE).toggled(0).toggled(1)
    again = marked.after(DICE, 1)
    assert again.kept == {0, 1}
    second = again.after(news.Rolled("g", 1, 2, Dice((4, 4, 3, 3, 1)), 90, DICE.pays), 2)
    assert second.kept == {0, 1}
    third = second.after(news.Rolled("g", 2, 1, Dice((1, 2, 3, 4, 6)), 120, DICE.pays), 3)
    assert third.kept == frozenset()


def test_after_the_third_roll_nothing_can_be_marked_to_keep() -> None:
    last = view(SEATED, BEGAN, news.Rolled("g", 1, 3, Dice((4, 4, 2, 6, 1)), 9, DICE.pays))
    assert last.toggled(0).kept == frozenset()


def test_a_marked_box_stays_marked_while_it_is_allowed() -> None:
    marked = view(SEATED, BEGAN, DICE).marking(Category.FOURS)
    assert marked.after(DICE, 1).marked is Category.FOURS
    joker = news.Rolled("g", 1, 2, Dice((6,) * 5), 90, ((Category.CHANCE, 30),), 100)
    assert marked.after(joker, 1).marked is None


def test_the_clock_goes_by_itself_and_stands_when_it_is_told_to() -> None:
    going = view(SEATED, BEGAN, DICE, now=50)
    assert (going.left(50), going.left(60), going.left(999)) == (100, 90, 0)
    stopped = going.after(news.Time("g", 42, Clock.PAUSE), 60)
    assert stopped.left(900) == 42
    assert stopped.after(DICE, 900).clock is Clock.PAUSE  # dice that were asked for
    assert stopped.after(news.Time("g", 42, Clock.RUNS), 900).left(901) == 41


def test_lines_about_another_game_change_nothing() -> None:
    before = view(SEATED, BEGAN, DICE)
    for line in (
        news.Gone("x", Exit.LEFT),
        news.Time("x", 1, Clock.PAUSE),
        news.Result("x", 1, (1,)),
        news.Refused(Code.LATE),
    ):
        assert before.after(line, 5) == before


def test_nicks_that_did_not_fit_come_after() -> None:
    more = view(SEATED, BEGAN).after(news.MoreNicks("g", 4, ("dora", "emil")), 0)
    assert more.nicks == ("alice", "bob", "?", "dora", "emil")
    assert more.after(news.MoreNicks("g", 3, ("carol",)), 0).nicks[2:] == ("carol", "dora", "emil")
    assert more.name(9) == "seat 9"


def test_what_was_missed_is_noticed_and_mended() -> None:
    wrote = Entry(Category.CHANCE, 20, 0, 57, By.PLAYER)
    missed = view(SEATED, BEGAN, DICE, news.Scored("g", 1, wrote))
    assert not missed.sound
    assert missed.total == 57
    used = ((Category.CHANCE, 20), (Category.SIXES, 18), (Category.FIVES, 19))
    assert missed.after(news.Card("g", used, 0, 0, 57), 0).sound


def test_who_comes_into_the_middle_of_a_game_waits_for_the_card() -> None:
    late = view(replace(SEATED, stage=Phase.PLAYING), DICE)
    assert not late.sound
    assert not differs(late), "nothing is known that could differ"
    known = late.after(news.Card("g", ((Category.CHANCE, 20),), 0, 0, 20), 0)
    assert known.sound
    assert differs(known), "Chance is used, and the dice are said to pay there"


def test_the_bonuses_of_an_entry_are_told_apart() -> None:
    used = {Category.SIXES: 30, Category.FIVES: 20, Category.YAHTZEE: 50}
    mine = news.Card("g", tuple(used.items()), 0, 0, 100)
    wrote = Entry(Category.FOURS, 20, 135, 255, By.PLAYER)
    after = view(SEATED, BEGAN, DICE, mine, news.Scored("g", 4, wrote))
    assert (after.card.yahtzee_bonus, after.card.upper_bonus, after.sound) == (100, 35, True)
    # Told again, as with the whole state, it counts once.
    assert after.after(news.Scored("g", 4, wrote), 1).card == after.card


def test_a_seat_in_another_game_begins_anew() -> None:
    over = view(SEATED, BEGAN, DICE, news.Result("g", 2, (40, 50)))
    assert (over.stage, over.place, over.total) == (Stage.OVER, 2, 40)
    fresh = over.after(news.Seated("h", "#y", Phase.LOBBY, "houston", "lockstep", 60, 2, 8, 30), 5)
    assert (fresh.card.boxes, fresh.place, fresh.totals, fresh.rules.key) == ({}, 0, (), "houston")
