"""Advice on the screen, and a screen that has no room."""

from __future__ import annotations

import pytest
from textual.widgets import Static

from card.screen.dice import DiceRow
from chat.events import Acted, User
from game.category import CATEGORIES, Category
from game.dice import Dice
from protocol.card import commands, news
from protocol.card.keys import Code
from tests.card.test_advice import LOSS, PAIR, analysis, tell
from tests.card.test_screen import Table, table
from tests.card.town import CHANNEL

FOURS = Dice((4, 4, 2, 6, 1))


def letters(at: Table) -> list[str]:
    """What stands under the dice."""
    return [str(one.content).strip() for one in at.app.query(".letter").results(Static)]


def marks(at: Table) -> dict[Category, str]:
    """What stands before boxes, where anything does."""
    found = {box: at.text(f"#box-{box.value}")[:2] for box in CATEGORIES}
    return {box: mark for box, mark in found.items() if mark.strip()}


@pytest.mark.parametrize("colour", [True, False])
async def test_dice_to_keep_are_marked_and_taken_over_by_the_same_key(
    colour: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "" if colour else "1")
    async with table(dice=iter([FOURS] * 10)) as at:
        await at.begin()
        await at.press("h")
        assert at.town.asked("hint") == [commands.AskHint(at.town.game, 1, 1)]
        tell(at.town, PAIR, Category.FOURS)
        await at.pause()
        assert letters(at) == ["*a", "*b", "c", "d", "e"]
        assert "Best: keep 4 4, worth 23.10; next: score fours, costs 1.24." in at.text("#status")
        await at.press("c", "h")
        assert letters(at) == ["*a KEEP", "*b KEEP", "c", "d", "e"]
        assert at.town.asked("hold") == []
        await at.press("r")
        assert at.town.asked("hold") == [commands.Hold(at.town.game, 1, 1, PAIR)]
        assert letters(at) == ["a KEEP", "b KEEP", "c", "d", "e"]


async def test_a_box_is_marked_and_taken_over() -> None:
    async with table(dice=iter([FOURS] * 10)) as at:
        await at.begin()
        await at.press("h")
        tell(at.town, Category.CHANCE, PAIR)
        await at.pause()
        assert marks(at) == {Category.CHANCE: " *"}
        assert at.text("#box-chance").split() == ["*Chance", "+17"]
        await at.press("down")
        assert marks(at) == {Category.ACES: "▶ ", Category.CHANCE: " *"}
        await at.press("h")
        assert marks(at) == {Category.CHANCE: "▶*"}
        await at.press("s")
        assert at.town.match.cards[0].boxes == {Category.CHANCE: 17}
        assert marks(at) == {}


async def test_why_there_is_no_hint_is_said() -> None:
    async with table() as at:
        await at.begin()
        await at.press("h")
        at.town.post(news.Refused(Code.SOON, "hint", at.town.game))
        await at.pause()
        assert at.text("#warning") == "The host does not know yet what is best. Ask again in some seconds."


async def test_what_became_of_a_game_stands_where_its_dice_were() -> None:
    async with table() as at:
        await at.begin()
        at.town.post(news.Result(at.town.game, 1, (213, 7)))
        await at.pause()
        assert at.app.query_one(DiceRow).display
        await at.press("h")
        assert at.town.sent[-1] == (at.town.host.nick, f"{CHANNEL} analysis")
        assert at.town.asked("hint") == []
        at.town.post(analysis(at.town, LOSS, LOSS, LOSS))
        await at.pause()
        shown = at.app.query_one("#analysis", Static)
        assert at.text("#analysis").splitlines()[0] == "Luck took 30.12, decisions lost 11.47."
        assert not at.app.query_one(DiceRow).display
        # All of it has room, and nothing is pushed out below.
        assert shown.region.height == 1 + 3 * 2
        assert at.app.query_one("#total").region.bottom <= at.app.query_one("#told").region.y
        await at.press("j")
        at.town.begin()
        await at.pause()
        assert at.app.query_one(DiceRow).display
        assert not shown.display


@pytest.mark.parametrize(("columns", "narrow"), [(49, True), (50, False)])
async def test_without_room_the_card_says_so(columns: int, narrow: bool) -> None:
    async with table() as at:
        await at.begin()
        await at.pilot.resize_terminal(columns, 24)
        await at.pause()
        shown = at.app.query_one("#narrow", Static)
        assert (shown.display, at.app.query_one(DiceRow).region.width > 0) == (narrow, not narrow)
        if narrow:
            assert "needs 50 columns" in at.text("#narrow")
            assert shown.region.right <= columns
        else:
            assert at.app.query_one("#die-e").region.right <= columns


async def test_what_others_do_is_shown_as_it_is() -> None:
    async with table() as at:
        await at.begin()
        at.town.tell(Acted(User("bob", "b", "h"), CHANNEL, "waves \x02[b]both\x02 hands"))
        at.town.tell(Acted(User("bob", "b", "h"), "#elsewhere", "sleeps"))
        await at.pause()
        assert at.log().splitlines()[-1] == "* bob waves [b]both hands"
