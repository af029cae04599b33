"""Players whose host may be gone at any moment, and who hold it to all that it has ever told them."""

from __future__ import annotations

import re
from collections.abc import Callable
from random import Random
from typing import Final

from protocol.tags import DiceTag
from tests.support.client import Client, Received
from tests.support.host_process import HOST
from tests.support.reading import CHECKED_BY, FORMATTING, OVER, SCORED
from tests.support.referee import THANKS, Player

BEGINS: Final = "The game begins"
NOTED: Final = ("You keep ", "You roll ", "You score ")
"""How a line begins that tells what was noted in lockstep, until all dice roll."""

PLAYING: Final = re.compile(r"Round \d+/13: (?:waiting for|done|away) ")
LOBBY: Final = re.compile(r"(.+) \(\d+ of \d+ seats\); the game starts in ")
NOTHING: Final = re.compile(r"No game is on in ")


class Survivor(Player):
    """Plays one game. After `fell` nothing is sure until the host has shown the dice again."""

    def __init__(
        self,
        client: Client,
        rules: str,
        seed: str,
        *,
        channel: str,
        before: str,
        moved: Callable[[], None],
    ) -> None:
        super().__init__(client, rules, channel=channel)
        self.random = Random(f"{seed} {client.nick}")
        self.before = before
        """The final table of the game before, which may be told once more."""

        self.moved = moved
        """Called after each command that was sent."""

        self.public: list[str] = []
        self.dice_told: dict[tuple[int, int], tuple[int, ...]] = {}
        """The faces that were told for each round and roll."""

        self.state = ""
        """The last answer to `who`."""

        self.final = ""
        self._noted = False
        self._dismissed = False

    @property
    def began(self) -> bool:
        return self.tag is not None or any(text.startswith(BEGINS) for text in self.public)

    @property
    def seats_told(self) -> set[str]:
        """Who was told to have a seat."""
        found = (re.match(r"(\S+) (?:opens a game|joins) ", text) for text in self.public)
        return {match[1] for match in found if match}

    @property
    def asked(self) -> str | list[int] | None:
        """The box, or the dice to keep, that the host was sent and has not answered for good."""
        return self._box or self._kept

    @property
    def done(self) -> bool:
        """The box of the last round was sent."""
        return len(self.books) + (self._box is not None and len(self.books) < self._round) == 13

    async def play(self, rounds: int = 13) -> None:
        """Play to the end of the game, once the host has shown where it is."""
        while not (self.finished and self._dismissed and len(self.books) == rounds):
            if self.deciding and not self._unsure:
                self.move()
                self.moved()
            await self.listen()

    async def hears(self, pattern: str) -> None:
        """Listen until the channel has been told something in this game."""
        while not any(re.match(pattern, text) for text in self.public):
            await self.listen()

    async def fell(self) -> None:
        """The host is gone: take what it still said. Whether it did what it was asked for is not known."""
        await self.settle()
        self._unsure = True
        self.state = ""

    def conclude(self) -> None:
        """The game is over: what was sent for the last round was done, though the answer may be lost."""
        assert self.finished, f"{self.nick}: the game is over, and the final table was not told"
        if len(self.books) == 12:
            assert self._unsure, f"{self.nick}: the last box was never told"
            assert self._box, f"{self.nick}: the host scored a box that nobody chose"
            self._book(self._box)

    def _concerns(self, line: Received) -> bool:
        told = line.nick == HOST and line.command in {"PRIVMSG", "NOTICE"}
        return told and line.params[0] in {self.nick, self.channel}

    def _take(self, line: Received) -> None:
        text = FORMATTING.sub("", line.text)
        if line.params[0] != self.nick:
            self._overheard(text)
            return
        if any(pattern.match(text) for pattern in (PLAYING, LOBBY, NOTHING)):
            self.state = text
            return
        super()._take(line)
        assert not any(entry.by_host for entry in self.books), text
        if OVER.search(text):
            self._dismissed = True
        if SCORED.search(text) or DiceTag.find(text):
            self._unsure = False

    def _overheard(self, text: str) -> None:
        if not CHECKED_BY.search(text):
            # Of the last game these may still come when the next one begins.
            self.public.append(text)
        if THANKS not in text:
            return
        if self.finished or not self.began:
            # It was told in the last minute, and so it is told again after a start.
            assert text == (self.final or self.before), text
            return
        assert self.done, f"{self.nick}: a final table after {len(self.books)} rounds: {text}"
        self.finished, self.final = True, text

    def _shown(self, tag: DiceTag, text: str) -> None:
        unsure, before = self._unsure, self.tag
        super()._shown(tag, text)
        faces = self.dice_told.setdefault((tag.round, tag.roll), tag.dice.faces)
        assert faces == tag.dice.faces, text
        noted = text.startswith(NOTED)
        assert not noted or self.asked is not None, text
        if unsure and tag == before and self.asked is not None:
            self._found_again(text, noted)
        self._noted = noted

    def _found_again(self, text: str, noted: bool) -> None:
        """The dice lie as before: what was sent for them was noted, or the host never had it."""
        if noted:
            self._unsure = False
            if self._box:
                self._check_choice(text)
            else:
                self._check_echo(text, "You keep", "You roll", self.dice)
            return
        assert not self._noted, f"{self.nick}: it was noted, and is no more: {text}"
        self._kept = self._box = None
