"""A table full of people who play game after game, while the host is killed and started again."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Sequence
from random import Random

from tests.support.client import Client
from tests.support.ledger import Ledger
from tests.support.referee import check_books, check_secrets
from tests.support.survivor import BEGINS, LOBBY, PLAYING, Survivor


class Circle:
    """People who play game after game in one channel, whatever becomes of the host."""

    def __init__(
        self, channel: str, rules: str, clients: Sequence[Client], seed: str, ledger: Ledger
    ) -> None:
        self.channel = channel
        self.finals: list[str] = []
        """The final table of each game that was finished."""

        self.ending = asyncio.Event()
        """All have sent the box of the last round, and the host is about to finish the game."""

        self._rules = rules
        self._clients = list(clients)
        self._seed = seed
        self._random = Random(f"{seed} {channel}")
        self._ledger = ledger
        self._falls = 0
        self.players: list[Survivor] = []
        self._seat_anew()

    @property
    def playing(self) -> bool:
        """A game is on, as far as the players were told."""
        return any(player.began and not player.finished for player in self.players)

    async def live(self, *, last: bool = False) -> None:
        """Take part while the host is there; `last` lets it end with the game that is on."""
        seated = await self._look()
        while seated is None or seated or not last:
            if seated is not None:
                await self._sit_down(seated)
            async with asyncio.TaskGroup() as group:
                for player in self.players:
                    group.create_task(player.play())
            await self._close()
            seated = []

    async def fell(self) -> None:
        """Take note that the host was killed."""
        self._falls += 1
        self.ending.clear()
        for player in self.players:
            await player.fell()

    async def _look(self) -> list[str] | None:
        """Ask what is on: who sits in the lobby, nobody when there is nothing, or None in a game."""
        first = self.players[0]
        first.client.say(self.channel, "!who")
        while not first.state:
            await first.listen()
        if PLAYING.match(first.state):
            return None
        lobby = LOBBY.match(first.state)
        seated = re.split(", | and ", lobby[1]) if lobby else []
        if lobby or not first.began:
            assert not first.began, f"{self.channel}: a game had begun, and now there is a lobby"
            assert first.seats_told <= set(seated), f"{self.channel}: seats are lost: {first.state}"
        else:
            await self._close()
        return seated

    async def _sit_down(self, seated: Sequence[str]) -> None:
        by_nick = {player.nick: player for player in self.players}
        for player in self.players:
            if player.nick not in seated:
                player.client.say(self.channel, "!join")
                await player.hears(f"{re.escape(player.nick)} (opens|joins)")
        opener = by_nick[seated[0]] if seated else self.players[0]
        opener.client.say(self.channel, "!start")
        await opener.hears(BEGINS)

    async def _close(self) -> None:
        """See that books, channel and journal agree on the game that is over, and make ready for the next."""
        for player in self.players:
            await player.settle()
            player.conclude()
        said = self.players[0].public
        for player in self.players:
            differ = f"{player.nick} heard {player.public}, and {self.players[0].nick} {said}"
            assert player.public == said, differ
            check_secrets(player.client)
        check_books(self.players, said, untold=self._falls)
        self._ledger.check_finished(self.channel, len(self.finals), self.players)
        self.finals.append(self.players[0].final)
        self._seat_anew()

    def _seat_anew(self) -> None:
        before = self.finals[-1] if self.finals else ""
        seed = f"{self._seed} {len(self.finals)}"
        self._falls = 0
        self.ending.clear()
        self._random.shuffle(self._clients)
        self.players = [
            Survivor(
                *(client, self._rules, seed),
                channel=self.channel,
                before=before,
                moved=self._moved,
            )
            for client in self._clients
        ]

    def _moved(self) -> None:
        if all(player.done for player in self.players):
            self.ending.set()
