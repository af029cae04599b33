"""Practice on the card: how it begins and ends, what was best, and a seat at a table beside it."""

from __future__ import annotations

import random
import re
from decimal import Decimal

import pytest
from textual.widgets import Button

from card.cli import _parser
from card.notes import Tone
from card.words import Trouble
from chat.events import Connected, Names, Present
from game.category import Category
from game.dice import Dice
from game.rules import HASBRO
from game.scorecard import Scorecard
from host.advice import Turns
from protocol.card import commands, news
from protocol.card.fields import Play
from protocol.card.keys import By, Code, Entry, Exit, Phase
from protocol.card.stages import Stage
from tests.card.test_plain import Reader
from tests.card.test_screen import Table, table
from tests.card.test_with_the_host import HOST_USER, Player, Street, again, play
from tests.card.town import CHANNEL, HOST, ME, TOKEN, Town
from tests.host.practising import analysed, practice
from tests.host.practising import verdict as judged
from tests.support import perfect_play

DAY = 86_400
GAME = "alone1"
FOURS = Dice((4, 4, 2, 4, 1))
PAIR, THREE = frozenset({0, 1}), frozenset({0, 1, 3})
BETTER = "Kept 4 4; keep 4 4 4 was 1.23 better."


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def seated(phase: Phase = Phase.PLAYING) -> news.Seated:
    return news.Seated(GAME, "practice", phase, "hasbro", "free", DAY, 1, 1, DAY, (ME,))


def rolled(roll: int = 1, dice: Dice = FOURS) -> news.Rolled:
    pays = tuple(Scorecard(HASBRO).options(dice).items())
    return news.Rolled(GAME, 1, roll, dice, DAY, pays, totals=(0,) if roll == 1 else ())


def verdict(made: Play = PAIR, best: Play | None = THREE, lost: str | None = "1.23") -> news.Verdict:
    return news.Verdict(GAME, 1, 1, FOURS, made, best, Decimal(lost) if lost else None)


def tell(town: Town) -> None:
    """What the host says when a game alone begins; the town knows nothing of such games."""
    town.post(seated())
    town.post(news.Began(GAME, "practice", "hasbro", "free", DAY, 1, 1, (ME,)))
    town.post(rolled())


def begun(town: Town) -> Town:
    town.connect()
    town.settle()
    tell(town)
    town.settle()
    return town


# --- what is said and shown ---


@pytest.mark.parametrize(
    ("line", "said"),
    [
        (verdict(), BETTER),
        (verdict(THREE, THREE, "0.00"), "Kept 4 4 4: the best."),
        (verdict(frozenset(), None, None), "Kept none; what was best the host does not know yet."),
        (verdict(Category.CHANCE, Category.FOURS, "8.01"), "Scored Chance; score fours was 8.01 better."),
        (verdict(Category.CHANCE, PAIR, "8.01"), "Scored Chance; keep 4 4 was 8.01 better."),
        (verdict(Category.FOURS, Category.FOURS, "0.00"), "Scored Fours: the best."),
    ],
)
def test_what_a_decision_was_worth_stands_beside_the_dice_that_it_led_to(
    line: news.Verdict, said: str
) -> None:
    town = begun(Town())
    town.post(line)
    town.post(rolled(2))
    assert town.said(Tone.ROUND) == [said]
    assert (
        town.dialogue.status
        == f"{said} Mark the dice to keep, and Send Rerolls; or choose a box, and Send Score."
    )
    town.post(rolled(2))
    assert town.dialogue.status.startswith(said), "the same dice told again"
    town.post(rolled(3))
    assert said not in town.dialogue.status, "what led to these was not the player's"


def test_a_hint_takes_its_place() -> None:
    town = begun(Town())
    town.post(verdict())
    town.post(rolled(2))
    town.post(news.Hint(GAME, 1, 2, THREE, Decimal(20)))
    assert town.dialogue.status.startswith("Best: keep 4 4 4")
    assert BETTER not in town.dialogue.status


def test_a_game_alone_is_told_of_as_one() -> None:
    town = begun(Town())
    view = town.dialogue.view
    assert (view.practice, view.at_table, view.sound) == (True, False, True)
    assert town.said(Tone.CARD)[-1] == (
        "A game for you alone: Hasbro rules. After each decision you are told what was best."
    )
    town.post(news.Result(GAME, 1, (213,)))
    assert town.dialogue.status == "The game is over: 213 points. Practice begins another."
    town.dialogue.ask_analysis()
    assert town.sent[-1] == (HOST, "practice analysis")


def test_leaving_ends_it_and_the_token_of_a_seat_is_kept() -> None:
    town = Town()
    town.seat()
    town.drop(Exit.REMOVED)
    town.dialogue.play.practise()
    assert town.asked("practice") == [commands.Practice(CHANNEL)]
    town.dialogue.play.practise()
    assert town.said(Tone.WARNING)[-1] == Trouble.PENDING.value
    begun(town)
    town.post(news.Seated("other", CHANNEL, Phase.LOBBY, "hasbro", "free", 120, 1, 12, 60, (ME,), TOKEN))
    town.post(news.Gone("other", Exit.LEFT))
    town.post(seated())
    town.remembered.clear()
    town.dialogue.leave()
    assert town.sent[-1] == (HOST, "practice leave")
    town.post(news.Gone(GAME, Exit.LEFT))
    assert town.dialogue.status == "You have left the game. Practice begins another."
    assert town.remembered == []


# --- a seat at a table beside it ---


def test_the_table_comes_first() -> None:
    town = begun(Town())
    town.dialogue.play.register()
    view = town.dialogue.view
    assert (view.channel, view.stage) == (CHANNEL, Stage.LOBBY)
    for line in (seated(), rolled(2), verdict(), news.Gone(GAME, Exit.STOPPED)):
        town.post(line)
    assert town.dialogue.view == view
    assert BETTER not in town.said(Tone.ROUND)
    town.settle()
    town.dialogue.play.practise()
    assert town.said(Tone.WARNING)[-1] == Trouble.SEATED.value
    assert town.asked("practice") == []


def test_an_old_result_does_not_hide_it() -> None:
    town = begun(Town())
    view = town.dialogue.view
    town.post(news.Seated("old", CHANNEL, Phase.OVER, "hasbro", "free", 120, 1, 2, 0, (ME, "bob")))
    town.post(news.Result("old", 1, (200, 100)))
    town.post(seated())
    assert town.dialogue.view.hand == view.hand
    assert not [text for text in town.said(Tone.ROUND) if "over" in text]


def test_what_is_not_about_the_game_that_is_shown_answers_nothing() -> None:
    town = begun(Town())
    town.deaf = True
    town.dialogue.play.send_rerolls()
    assert town.dialogue.play.pending
    town.post(news.Scored("other", 1, Entry(Category.CHANCE, 15, 0, 15, By.PLAYER)))
    assert town.dialogue.play.pending
    town.post(rolled(2))
    assert town.dialogue.play.pending is None


# --- in sentences ---


def test_in_sentences() -> None:
    at = Reader(Town())
    at.town.connect()
    at.type("practice")
    assert at.town.asked("practice") == [commands.Practice(CHANNEL)]
    begun(at.town)
    at.town.post(verdict())
    at.town.post(rolled(2))
    assert at.wrote[-2:] == [
        BETTER,
        "Round 1 of 13, roll 2 of 3: a 4, b 4, c 2, d 4, e 1. Worth 3 of a Kind 15, Chance 15, Fours 12.",
    ]
    at.town.deaf = True
    at.type("practice k444")
    assert at.town.asked("hold") == [commands.Hold(GAME, 1, 2, THREE)]
    at.town.post(rolled(3))
    at.type("/leave")
    assert at.town.sent[-1] == (HOST, "practice leave")


def test_in_sentences_what_is_for_another_game_is_not_done_in_this() -> None:
    at = Reader(Town(dice=iter([FOURS] * 9)))
    at.town.connect()
    at.type("register", "start")
    sent = len(at.town.sent)
    for line in ("practice k44", "#elsewhere chance", "practice leave"):
        assert "for another game" in at.type(line)
    assert len(at.town.sent) == sent
    at.type(f"{CHANNEL.upper()} k444")
    assert at.town.asked("hold") == [commands.Hold(at.town.game, 1, 1, THREE)]


# --- on the screen ---


def text_of(at: Table, *selectors: str) -> list[str]:
    return [at.text(selector).strip() for selector in selectors]


async def test_on_the_screen_by_key_and_by_button() -> None:
    async with table() as at:
        at.town.connect()
        await at.pause()
        shown = [button.id for button in at.app.query(Button) if button.display]
        assert shown == ["register", "practice"]
        await at.press("p")
        assert len(at.town.asked("practice")) == 1
        at.town.post(news.Refused(Code.BUSY, "practice"))
        await at.pause()
        await at.click("#practice")
        assert len(at.town.asked("practice")) == 2


async def test_on_the_screen_a_verdict_stands_below_and_among_the_rounds() -> None:
    async with table() as at:
        at.town.connect()
        await at.pause()
        tell(at.town)
        await at.pause()
        assert text_of(at, "#title", "#clock") == [
            f"Yardzee  {CHANNEL} · Hasbro rules · practice",
            "Round 1/13 · Roll 1/3",
        ]
        assert [button.id for button in at.app.query(Button) if button.display] == ["rerolls", "score"]
        at.town.post(verdict())
        at.town.post(rolled(2))
        await at.pause()
        assert at.text("#status").startswith(f"{BETTER} ")
        assert at.log("#rounds") == BETTER
        at.town.post(news.Result(GAME, 1, (213,)))
        at.town.post(news.Analysis(GAME, Decimal(1), Decimal(2), Decimal(212)))
        await at.pause()
        assert at.text("#status") == "The game is over: 213 points. Practice begins another."
        assert at.text("#analysis").startswith("Luck brought 1.00, decisions lost 2.00.")


async def test_while_practising_a_seat_can_be_taken() -> None:
    async with table() as at:
        at.town.connect()
        await at.pause()
        tell(at.town)
        await at.pause()
        await at.press("p")
        assert at.town.asked("practice") == []
        assert not at.app.active_bindings["j"].binding.show, "at 80 columns it has no place below"
        await at.press("j")
        assert at.town.dialogue.view.channel == CHANNEL


# --- with the host ---


def come(street: Street, *, first: bool = False) -> Player:
    alice = Player(street, "alice")
    alice.dialogue.practises = first
    street.players.append(alice)
    street.bench.join("alice")
    street.tell(alice, Connected("alice"), Names(CHANNEL, ("alice", HOST)), Present(CHANNEL, (HOST_USER,)))
    street.pass_(5)
    return alice


def test_a_whole_game_in_which_every_decision_has_its_verdict(turns: Turns) -> None:
    street = Street("{repeat_seconds: 0}", turns)
    alice = come(street, first=True)
    game = alice.dialogue.play
    assert game.view.practice
    chance = random.Random(5)
    while game.view.playing:
        street.pass_(1)
        play(street, alice, chance)
    keeper = practice(street.bench, "alice")
    found = analysed(street.bench, keeper, 0, turns)
    rules = keeper.table.rules
    said = [note.text for note in alice.notes if note.tone is Tone.ROUND and " total " not in note.text]
    bad = [decision for decision in found.decisions if decision.lost >= 0.005]
    assert len(found.decisions) > len(bad) > 5
    for text, decision in zip(said, found.decisions, strict=False):
        wanted = re.sub(r" \([0-9]+\)", "", judged(decision, rules).replace(": best", ": the best"))
        assert re.fullmatch(rf"(Kept|Scored) [^:;]*{re.escape(wanted)}", text)
    assert sum(" better." in text for text in said) == len(bad)
    assert game.view.analysis
    assert game.view.analysis.lost == Decimal(f"{found.lost:.2f}")
    assert alice.dialogue.status.endswith("Practice begins another.")
    assert [text for text in alice.warnings() if "would pay 0" not in text] == []
    again(street, alice, game.practise)
    assert (game.view.practice, game.view.round, game.view.verdict) == (True, 1, None)


def test_the_option_begins_one_unless_there_is_a_game(turns: Turns) -> None:
    assert [_parser().parse_args(line).practice for line in ([], ["--practice"])] == [False, True]
    street = Street("{}", turns)
    alice = come(street, first=True)
    first = alice.dialogue.view.game
    street.go(alice)
    alice = come(street, first=True)
    assert alice.dialogue.view.game == first, "it goes on"
    assert alice.dialogue.view.deciding
    for wish in (alice.dialogue.play.register, alice.dialogue.start):
        again(street, alice, wish)
    street.go(alice)
    alice = come(street, first=True)
    assert alice.dialogue.view.channel == CHANNEL
    assert alice.warnings() == [Trouble.SEATED.value]


def test_after_the_table_it_goes_on(turns: Turns) -> None:
    street = Street("{repeat_seconds: 0}", turns)
    alice = come(street, first=True)
    hand = alice.dialogue.view.hand
    for wish in (alice.dialogue.play.register, alice.dialogue.start):
        again(street, alice, wish)
    assert alice.dialogue.view.at_table
    again(street, alice, alice.dialogue.leave)
    assert alice.dialogue.view.stage is Stage.OUT
    street.pass_(5)
    assert alice.dialogue.view.practice, "the whole state has told of it"
    assert alice.dialogue.view.hand == hand
    again(street, alice, alice.dialogue.leave)
    assert practice(street.bench, "alice").table.phase.value == "closed"


def test_after_a_restart_it_goes_on(turns: Turns) -> None:
    street = Street("{}", turns)
    alice = come(street, first=True)
    again(street, alice, alice.dialogue.play.send_rerolls)
    hand = alice.dialogue.view.hand
    street.restart()
    street.pass_(5)
    assert alice.dialogue.view.practice
    assert alice.dialogue.view.hand == hand
    assert alice.warnings() == [text for text in alice.warnings() if "host is gone" in text]
