"""The pictures of the card in docs/pictures are what the card looks like.

After a change that is meant to show, `pytest tests/card/test_pictures.py --pictures-write` draws them anew.
What is compared are the words and where they stand: colours may differ from version to version.
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

import pytest
from textual.pilot import Pilot

from card.screen.app import CardApp
from chat.events import Message, User
from game.category import Category
from game.dice import Dice
from game.standin import best_box
from protocol.card import news
from protocol.card.keys import Loss
from tests.card.test_practice import rolled, tell, verdict
from tests.card.town import CHANNEL, Town, falls

PICTURES = Path(__file__).parents[2] / "docs" / "pictures"

Story = Callable[[Town, Pilot[None]], Awaitable[None]]


def say(town: Town, nick: str, text: str) -> None:
    town.tell(Message(User(nick, nick, "h"), CHANNEL, text, private=False))


async def begin(town: Town, pilot: Pilot[None], rounds: int) -> None:
    """Play so many rounds, and see the next dice."""
    town.connect()
    await pilot.pause()
    town.settle()
    town.dialogue.play.register()
    await pilot.pause()
    town.begin()
    await pilot.pause()
    while town.match.round <= rounds and not town.match.over:
        town.settle()
        box = best_box(town.match.cards[0], town.match.turns[0].cup)
        if town.dialogue.view.marked is not box:  # for nothing, it is said twice
            town.dialogue.play.mark(box)
        town.dialogue.play.send_score()
        await pilot.pause()
    town.settle()


async def middle(town: Town, pilot: Pilot[None]) -> None:
    """In the sixth round: dice to keep, and talk."""
    await begin(town, pilot, 5)
    say(town, "bob", "what a roll!")
    say(town, "carol", "watch me :)")
    await pilot.pause()
    town.dialogue.say("one more of these, please")
    dice = town.match.turns[0].cup
    face = max(dice.faces, key=lambda one: (dice.count(one), one))
    town.dialogue.play.keep(frozenset(place for place in range(5) if dice.faces[place] == face))
    await pilot.pause()


async def joker(town: Town, pilot: Pilot[None]) -> None:
    """A further Yahtzee whose upper box is used: forbidden boxes, jokers and the bonus."""
    await begin(town, pilot, 2)
    town.dialogue.play.mark(Category.LARGE_STRAIGHT)
    await pilot.pause()


async def refused(town: Town, pilot: Pilot[None]) -> None:
    """A box that would pay nothing is asked about."""
    await begin(town, pilot, 1)
    await pilot.press("b", "d")
    town.dialogue.play.mark(Category.YAHTZEE)
    town.dialogue.play.send_score()
    await pilot.pause()


async def advised(town: Town, pilot: Pilot[None]) -> None:
    """In the sixth round: the host has said what is best, and it is not taken over."""
    await begin(town, pilot, 5)
    dice = town.match.turns[0].cup
    best = dice.find(face for face in dice.faces if dice.count(face) > 1)
    town.post(
        news.Hint(town.game, 6, 1, best, Decimal("187.31"), Category.CHANCE, Decimal("4.86")),
    )
    await pilot.pause()


async def over(town: Town, pilot: Pilot[None]) -> None:
    """After the game: what luck and decisions made of it."""
    await begin(town, pilot, 13)
    assert isinstance(pilot.app, CardApp)
    pilot.app._act(lambda: None)  # what was asked before the last box is answered
    total = town.match.cards[0].total
    lost = Decimal("21.08")
    losses = (
        Loss(4, 1, Dice((6, 3, 6, 1, 2)), frozenset({0, 2}), Category.CHANCE, Decimal("8.72")),
        Loss(9, 2, Dice((2, 3, 4, 6, 6)), frozenset({3, 4}), frozenset({0, 1, 2}), Decimal("5.10")),
        Loss(12, 3, Dice((1, 2, 3, 4, 4)), Category.FOURS, Category.SMALL_STRAIGHT, Decimal("3.95")),
    )
    start = Decimal("254.59")
    town.post(news.Analysis(town.game, total - start + lost, lost, start, losses))
    await pilot.pause()


async def practising(town: Town, pilot: Pilot[None]) -> None:
    """Alone with the host, after a hold that was not the best."""
    town.connect()
    await pilot.pause()
    town.settle()
    tell(town)
    town.post(verdict())
    town.post(rolled(2, Dice((4, 4, 3, 5, 6))))
    await pilot.pause()


async def help_(town: Town, pilot: Pilot[None]) -> None:
    await begin(town, pilot, 0)
    await pilot.press("f1")
    await pilot.pause()


def lucky_dice() -> list[Dice]:
    """Five fours for the player in each round, and anything for the three others."""
    any_ = falls(3)
    return [dice for _ in range(9) for dice in (Dice((4,) * 5), next(any_), next(any_), next(any_))]


@dataclass(frozen=True, slots=True)
class Picture:
    """One picture: what happens before it is taken, and how the card looks then."""

    story: Story
    size: tuple[int, int] = (100, 30)
    light: bool = False
    colour: bool = True
    lucky: bool = False


PICTURE = {
    "card-dark": Picture(middle),
    "card-light": Picture(middle, light=True),
    "card-80x24": Picture(joker, (80, 24), lucky=True),
    "card-light-80x24": Picture(joker, (80, 24), light=True, lucky=True),
    "card-no-color": Picture(refused, (80, 24), colour=False),
    "card-hint": Picture(advised, (80, 24)),
    "card-over": Picture(over),
    "card-practice": Picture(practising, (80, 24)),
    "card-help": Picture(help_, (80, 24)),
}


@pytest.mark.parametrize("name", PICTURE)
async def test_the_picture_is_current(
    name: str, request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = PICTURE[name]
    monkeypatch.delenv("NO_COLOR", raising=False)
    if not picture.colour:
        monkeypatch.setenv("NO_COLOR", "1")
    town = Town(
        others=("bob", "carol", "dave"), live=True, dice=iter(lucky_dice()) if picture.lucky else falls(5)
    )
    app = CardApp(town.dialogue, light=picture.light)
    async with app.run_test(size=picture.size) as pilot:
        await picture.story(town, pilot)
        drawn = portable(app.export_screenshot(title="yardzee-card"))
    path = PICTURES / f"{name}.svg"
    if request.config.getoption("--pictures-write"):
        path.write_text(drawn, "utf-8")
    assert words(path.read_text("utf-8")) == words(drawn)


def portable(svg: str) -> str:
    """The picture without fonts from elsewhere, and with its blanks wherever it is looked at."""
    svg = re.sub(r"@font-face \{.*?\}\s*", "", svg, flags=re.DOTALL)
    svg = svg.replace("Fira Code", "DejaVu Sans Mono").replace("<svg ", '<svg xml:space="preserve" ', 1)
    return "\n".join(line.rstrip() for line in svg.splitlines()) + "\n"


def words(svg: str) -> list[tuple[str, str]]:
    """Each word of a picture after the one before it in reading order, with the row in which it stands."""
    found = re.findall(r'<text [^>]*?x="([\d.]+)" y="([\d.]+)"[^>]*>([^<]*)</text>', svg)
    rows = sorted((float(y), float(x), text.replace("&#160;", " ").strip()) for x, y, text in found)
    return [(f"{y:.0f}", text) for y, _, text in rows if text]
