"""Whole rounds and games on the screen, with the mouse alone and with the keys alone."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.events import Key
from textual.pilot import Pilot
from textual.widgets import Button, ContentSwitcher, Input, Static

from card.screen.app import Around, CardApp
from card.screen.card import BoxRow
from card.screen.dice import Die
from card.screen.help import Help
from card.screen.people import Log, Players
from card.words import Trouble
from chat.events import Message, User
from game.category import Category
from game.dice import Dice
from game.match import Pace
from protocol.card import commands, news
from protocol.card.keys import Clock, Code
from protocol.card.stages import Stage
from tests.card.town import CHANNEL, ME, Town

FOURS = Dice((4, 4, 2, 6, 1))


class Table:
    """A card on a screen of 80 columns and 24 rows, and the town around it."""

    def __init__(self, town: Town, app: CardApp, pilot: Pilot[None]) -> None:
        self.town, self.app, self.pilot = town, app, pilot

    async def pause(self) -> None:
        """Let all that is on its way arrive, and a moment go by."""
        await self.pilot.pause()
        self.town.settle()
        await self.pilot.pause()

    async def press(self, *keys: str) -> None:
        await self.pilot.press(*keys)
        await self.pause()

    async def click(self, selector: str, **how: Any) -> None:
        await self.pilot.click(selector, **how)
        await self.pause()

    async def begin(self) -> None:
        self.town.connect()
        await self.pause()
        await self.press("j")
        await self.press("g")

    def text(self, selector: str) -> str:
        return str(self.app.query_one(selector, Static).content).removeprefix("! ")

    def log(self, selector: str = "#talk") -> str:
        return str(self.app.query_one(selector, Log).query_one(Static).content)

    def players(self) -> str:
        return str(self.app.query_one(Players).query_one(Static).content)


@asynccontextmanager
async def table(**how: Any) -> AsyncIterator[Table]:
    town = Town(live=True, **how)
    app = CardApp(town.dialogue)
    async with app.run_test(size=(80, 24)) as pilot:
        yield Table(town, app, pilot)


async def test_a_round_with_the_mouse_alone() -> None:
    dice = iter([FOURS, FOURS, Dice((1, 1, 4, 5, 4)), Dice((1, 1, 1, 2, 4)), FOURS, FOURS])
    async with table(dice=dice) as at:
        at.town.connect()
        await at.pause()
        await at.click("#register")
        await at.click("#start")
        await at.click("#die-a")
        await at.click("#die-b")
        assert at.app.query_one("#die-a", Die).has_class("kept")
        assert "a KEEP" in str(at.app.query_one("#die-a .letter", Static).content)
        await at.click("#rerolls")
        assert at.town.match.turns[0].cup == Dice((4, 4, 4, 5, 4))
        await at.click("#die-c")
        await at.click("#die-e")
        await at.click("#rerolls")
        await at.click("#box-four_of_a_kind")
        assert "4 of a Kind pays 18" in at.text("#status")
        await at.click("#score")
        assert at.town.match.cards[0].boxes == {Category.FOUR_OF_A_KIND: 18}
        assert at.app.dialogue.view.round == 2
        assert at.text("#box-four_of_a_kind").split() == ["4", "of", "a", "Kind", "18"]
        assert at.text("#total").split() == ["TOTAL", "18"]
        assert at.log("#rounds").count("4 of a Kind 18") == 2


async def test_a_whole_game_with_keys_alone() -> None:
    async with table(others=("bob", "carol")) as at:
        await at.begin()
        for number in range(1, 14):
            assert at.app.dialogue.view.round == number
            if number % 4 == 0:
                await at.press("a", "5", "r")
                assert at.app.dialogue.view.hand
                assert at.app.dialogue.view.hand.roll == 2
            await at.press("down", "s")
            if "would pay 0" in at.text("#warning"):
                await at.press("s")
        assert at.app.dialogue.view.stage is Stage.OVER
        assert f"with {at.town.match.cards[0].total}" in at.text("#status")
        assert at.town.match.over
        assert not at.app.query_one("#register", Button).disabled


async def test_in_lockstep_what_is_noted_may_be_changed_until_all_have_sent() -> None:
    async with table(pace=Pace.LOCKSTEP) as at:
        at.town.hasty = False
        await at.begin()
        await at.press("a", "r")
        assert "is noted" in at.text("#status")
        await at.press("b", "r")
        at.town.let_others_score()
        await at.pause()
        assert [one.keep for one in at.town.asked("hold") if isinstance(one, commands.Hold)] == [{0}, {0, 1}]
        assert at.app.dialogue.view.hand
        assert at.app.dialogue.view.hand.roll == 2


async def test_double_clicks_are_sent_once() -> None:
    async with table() as at:
        await at.begin()
        assert await at.pilot.click("#rerolls", times=2)
        await at.pilot.pause()
        await at.pilot.press("r", "r")
        await at.pause()
        assert len(at.town.asked("hold")) == 1
        assert at.text("#warning") in (Trouble.SETTLING.value, Trouble.PENDING.value)


async def test_buttons_wait_for_the_answer() -> None:
    async with table() as at:
        await at.begin()
        at.town.deaf = True
        await at.pilot.press("down", "r")
        await at.pilot.pause()
        assert at.app.query_one("#rerolls", Button).disabled
        assert at.app.query_one("#score", Button).disabled
        assert "on its way" in at.text("#status")


async def test_what_is_refused_is_said_and_the_dice_are_as_they_were() -> None:
    async with table() as at:
        await at.begin()
        at.town.deaf = True
        await at.pilot.press("r")
        at.town.post(news.Refused(Code.LATE, "hold", at.town.game))
        at.town._show()
        await at.pause()
        assert "too late" in at.text("#warning")
        assert not at.app.query_one("#rerolls", Button).disabled


async def test_forbidden_boxes_are_grey_and_jokers_and_the_bonus_are_shown() -> None:
    async with table(dice=iter([Dice((4,) * 5)] * 60)) as at:
        await at.begin()
        for box in ("yahtzee", "fours"):
            await at.click(f"#box-{box}")
            await at.click("#score")
        row = at.app.query_one("#box-aces", BoxRow)
        assert row.has_class("forbidden")
        assert at.text("#box-aces").split() == ["Aces", "no"]
        assert at.text("#box-large_straight").split() == ["Large", "Straight", "J+40"]
        assert at.text("#further").split() == ["+100", "in", "any", "box!"]
        await at.click("#box-aces")
        assert at.text("#warning") == Trouble.FORBIDDEN.value
        await at.click("#box-large_straight")
        await at.click("#score")
        assert at.town.match.cards[0].total == 50 + 20 + 40 + 200


async def test_who_is_still_thinking_and_all_totals() -> None:
    async with table(others=("bob", "carol")) as at:
        at.town.hasty = False
        await at.begin()
        await at.press("down", "s")
        assert at.players().count("…") == 2
        assert "Waiting for bob and carol." in at.text("#status")
        at.town.let_others_score()
        await at.pause()
        assert at.players().count("…") == 3
        best = max(card.total for card in at.town.match.cards)
        assert at.players().splitlines()[0].split()[-2] == str(best)


async def test_talk_goes_to_the_channel_and_letters_there_move_no_dice() -> None:
    async with table() as at:
        await at.begin()
        await at.press("slash", *"abc", "enter")
        assert at.town.sent[-1] == (CHANNEL, "abc")
        assert at.app.dialogue.view.kept == frozenset()
        assert f"{ME}: abc" in at.log()
        await at.press("escape", "a")
        assert at.app.dialogue.view.kept == {0}
        await at.press("tab")
        assert isinstance(at.app.focused, Input)
        await at.press("tab")
        assert at.app.focused is None


async def test_what_is_typed_right_behind_the_slash_is_talk() -> None:
    async with table() as at:
        await at.begin()
        for key in ("slash", "a", "b"):
            at.app.post_message(Key(key, "/" if key == "slash" else key))
        await at.pause()
        assert at.app.query_one("#line", Input).value == "ab"
        assert at.app.dialogue.view.kept == frozenset()


async def test_a_line_with_a_slash_is_for_the_card() -> None:
    async with table() as at:
        await at.begin()
        await at.press("slash")
        at.app.query_one("#line", Input).value = "/host keep 4 4"
        await at.press("enter")
        assert at.town.sent[-1] == (at.town.host.nick, "keep 4 4")
        at.app.query_one("#line", Input).value = "/help"
        await at.press("enter")
        assert isinstance(at.app.screen, Help)


async def test_markup_of_others_is_shown_as_it_is() -> None:
    async with table() as at:
        await at.begin()
        at.town.tell(
            Message(User("[b]eve", "e", "h"), CHANNEL, "[bold red]x[/] [@click=app.quit]y[/]", private=False)
        )
        await at.pause()
        assert "[b]eve: [bold red]x[/] [@click=app.quit]y[/]" in at.log()


async def test_help_themes_and_the_rounds_alone() -> None:
    async with table() as at:
        await at.begin()
        await at.press("f1")
        assert isinstance(at.app.screen, Help)
        at.town.tell_all("What is said meanwhile is not lost.")
        await at.press("r")
        assert at.town.asked("hold") == []
        await at.press("pagedown", "tab")
        assert at.app.screen.query_one("#help").scroll_y > 0
        await at.press("escape", "f3")
        assert at.app.query_one(ContentSwitcher).current == "rounds"
        await at.press("f2")
        assert at.app.theme == "card-light"
        await at.press("f5")
        assert len(at.town.asked("state")) == 2
        assert "What is said meanwhile" in at.log()


async def test_the_clock_counts_down_and_stops() -> None:
    async with table() as at:
        await at.begin()
        at.town.clock.now += 8
        at.app._show_clock()
        assert at.text("#clock").split()[-1] == f"1:{at.app.dialogue.left - 60:02}"
        at.town.clock.now += 95
        at.app._show_clock()
        assert at.app.query_one("#clock", Static).has_class("urgent")
        at.town.stop_clock(Clock.PAUSE)
        await at.pause()
        assert at.text("#clock").endswith("stopped 0:57 ")


async def test_of_many_players_all_can_be_seen_without_a_mouse() -> None:
    async with table(others=tuple(f"p{number:02}" for number in range(30))) as at:
        await at.begin()
        await at.press(*["ctrl+down"] * 12)
        players = at.app.query_one(Players)
        assert players.scroll_y == players.max_scroll_y == len(at.town.nicks) - players.size.height


async def test_in_20_rows_all_boxes_can_be_seen_and_the_buttons_pressed() -> None:
    async with table() as at:
        await at.begin()
        await at.pilot.resize_terminal(80, 20)
        await at.pause()
        assert at.app.query_one("#total").region.bottom <= at.app.query_one("#told").region.y
        await at.click("#rerolls")
        assert len(at.town.asked("hold")) == 1


async def test_a_lost_connection_and_a_restart_end_in_the_same_game() -> None:
    async with table() as at:
        await at.begin()
        await at.press("a")
        dice = at.app.dialogue.view.hand
        at.town.cut()
        await at.pause()
        assert at.text("#status") == Trouble.OFFLINE.value
        assert at.app.query_one("#rerolls", Button).disabled
        at.town.connect()
        await at.pause()
        at.town.knows_card = False
        at.town.go()
        await at.pause()
        assert "The host is gone" in at.text("#warning")
        at.town.come()
        await at.pause()
        assert not at.app.query_one("#warning").display
        await at.press("r")
        assert at.town.asked("hold") == [commands.Hold(at.town.game, 1, 1, frozenset({0}))]
        assert dice
        assert at.app.dialogue.view.hand
        assert at.app.dialogue.view.hand.dice.faces[0] == dice.dice.faces[0]


async def test_quitting_leaves_the_network_first() -> None:
    left: list[str] = []

    async def stop() -> None:
        left.append("network")

    town = Town(live=True)
    app = CardApp(town.dialogue, Around(stop=stop))
    async with app.run_test() as pilot:
        await pilot.press("ctrl+q")
        await pilot.pause()
    assert left == ["network"]
