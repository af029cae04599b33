"""A host for one card, in a few lines: it deals, keeps the books, refuses some, and says strange things."""

from __future__ import annotations

from random import Random

from game.category import ROUNDS, Category
from game.dice import FACES, NONE, Dice, Positions
from game.rules import HASBRO
from game.scorecard import Scorecard
from protocol.card import commands, keys, news
from protocol.card.commands import AskState, Hello, Hold, Register, Score
from protocol.card.fields import Message, write
from protocol.card.keys import By, Clock, Code, Entry, Phase
from tests.support.client import Client

GAME = "k3v9x1ab"


class CardHost:
    """Serves the card that says hello in the channel, for one game."""

    def __init__(self, client: Client, channel: str, card: str, pace: str) -> None:
        self.scorecard = Scorecard(HASBRO)
        self._client = client
        self._channel = channel
        self._nick = card
        self._pace = pace
        self._random = Random(f"dice for {pace}")
        self._dice = Dice((1,) * 5)

    async def play(self) -> None:
        """From the card's hello to the result."""
        nicks = (self._nick,)
        assert isinstance(await self._hears(self._channel), Hello)
        self._greet()
        assert await self._hears() == Register(self._channel)
        self._say(
            news.Seated(
                GAME, self._channel, Phase.LOBBY, "hasbro", self._pace, 120, 1, 12, 60, nicks, "k7m2xq9abd"
            )
        )
        self._client.say(self._nick, "You have a seat. !start begins the game.")
        self._say(
            news.Began(GAME, self._channel, "hasbro", self._pace, 120, 1, 2, nicks),
            news.MoreNicks(GAME, 2, ("bob",)),
        )
        await self._refuse()
        for number in range(1, ROUNDS + 1):
            await self._round(number, 2 if number == 1 else 1)
        self._say(news.Result(GAME, 1, (self.scorecard.total, 7)))

    async def _refuse(self) -> None:
        """The first roll: once the game is paused, and once the dice are others before the card is heard."""
        self._deal(1, 1, NONE)
        decision = await self._decision(1, 1)
        self._say(news.Refused(Code.CLOCK, decision.KIND, GAME))
        self._tell(1, 1)
        self._greet()
        assert isinstance(await self._hears(), AskState), "a pause is waited for"
        self._say(news.Time(GAME, 60, Clock.RUNS))
        decision = await self._decision(1, 1)
        self._say(news.Refused(Code.LATE, decision.KIND, GAME))

    async def _round(self, number: int, roll: int) -> None:
        kept = NONE
        while True:
            self._deal(number, roll, kept)
            decision = await self._decision(number, roll)
            if self._pace == "lockstep":
                keep, box = getattr(decision, "keep", None), getattr(decision, "box", None)
                self._say(news.Accepted(GAME, number, roll, keep, box))
                self._tell(number, roll, keep, box)
            if isinstance(decision, Score):
                break
            roll, kept = roll + 1, decision.keep
        self._write(number, decision.box)

    async def _decision(self, number: int, roll: int) -> Hold | Score:
        decision = await self._hears()
        assert isinstance(decision, Hold | Score)
        assert (decision.game, decision.round, decision.roll) == (GAME, number, roll)
        return decision

    def _deal(self, number: int, roll: int, kept: Positions) -> None:
        assert roll <= 3
        self._dice = self._dice.rolled(kept, Dice(tuple(self._random.choices(FACES, k=5))))
        self._tell(number, roll)

    def _tell(
        self, number: int, roll: int, keep: Positions | None = None, box: Category | None = None
    ) -> None:
        pays = tuple(self.scorecard.options(self._dice).items())
        bonus = self.scorecard.bonus(self._dice)
        self._say(news.Rolled(GAME, number, roll, self._dice, 60, pays, bonus, keep, box))

    def _write(self, number: int, box: Category) -> None:
        before, self.scorecard = self.scorecard, self.scorecard.score(self._dice, box)
        points, total = self.scorecard.boxes[box], self.scorecard.total
        self._say(
            news.Scored(GAME, number, Entry(box, points, total - before.total - points, total, By.PLAYER))
        )

    def _greet(self) -> None:
        self._say(news.Greeting(keys.VERSION, keys.Lines.ONLY, "scripted/1"))

    def _say(self, *messages: Message) -> None:
        """Say these, with things in them and between them that no card knows."""
        for message in messages:
            self._client.say(self._nick, f"{write(message)} future=1 word")
            self._client.say(self._nick, "ycp weather sky=blue")

    async def _hears(self, target: str = "") -> commands.Command:
        line = await self._client.wait_for(lambda line: line.command == "PRIVMSG")
        assert line.params[0] == (target or self._client.nick)
        found = commands.read(line.text)
        assert found is not None, line.raw
        return found
