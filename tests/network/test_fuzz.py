"""Spoiled lines by the thousand, from people and from the server, while a game is on.

`YARDZEE_FUZZ=1000000` is how many lines there are, half of each kind; `-s` shows what they took.
"""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from host.journal import Journal
from host.table import Phase
from protocol.tags import DiceTag, Placing
from tests.game import oracle
from tests.support.bench import CHANNEL, HOST, config
from tests.support.mutation import COMMANDS, SERVER, garbage, mutated, pieces
from tests.support.town import Hosted, Town, mask, no_faults, until
from tests.support.virtual import VirtualLoop, run

LINES: Final = int(os.environ.get("YARDZEE_FUZZ", "60000")) // 2
STRANGERS: Final = tuple(
    f":{nick}!~u@h{number}.example".encode()
    for number, nick in enumerate(
        ("eve", "[x]", "a|b", "`", "score", "Hoster_", "alice_", "x" * 30, "dice", "-", "1st", "é", "{0}")
    )
)
STAFF: Final = "boss"
GROWTH: Final = 1.15
"""How much larger the process may be at the end than it was after a quarter of the lines."""


class Honest:
    """A player who does as they are told, and keeps their own books."""

    def __init__(self, town: Town, nick: str) -> None:
        self.town = town
        self.nick = nick
        self.read = len(town.told)
        self.card: oracle.Card = {}
        self.further = 0
        self.rolled: tuple[int, int] = (0, 0)

    @property
    def total(self) -> int:
        return oracle.total(self.card, self.further)

    def dice(self) -> DiceTag | None:
        """The dice that came since the last move, if any."""
        told, self.read = self.town.told[self.read :], len(self.town.told)
        tags = [tag for who, text in told if who == self.nick and (tag := DiceTag.find(text))]
        return next((tag for tag in reversed(tags) if (tag.round, tag.roll) > self.rolled), None)

    def move(self, random: Random) -> bool:
        """Make the next move, if it is time for one."""
        tag = self.dice()
        if tag is None:
            return False
        faces = tag.dice.faces
        self.rolled = tag.round, tag.roll
        if tag.roll < 3 and random.random() < 0.3:
            self.town.say(self.nick, f"keep {random.choice('abcde')}")
            return True
        options = oracle.options("hasbro", faces, self.card)
        box = max(options, key=lambda one: (options[one], one))
        self.further += oracle.bonus("hasbro", faces, self.card) > 0
        self.card[box] = options[box]
        self.town.say(self.nick, f"score {box.replace('_', ' ')}")
        return True


class Trial:
    """One host, and players who play a game after the other on it."""

    def __init__(self, loop: VirtualLoop, seed: int, path: Path) -> None:
        self.random = Random(seed)
        self.town = Town(loop, ("alice", "bob", STAFF))
        # Enough for all the answers, so that honest players need not wait for them.
        settings = config(
            f'{{"{CHANNEL}": {{seats: 2, repeat_seconds: 0}}}}', admins=f"['*!*@{STAFF}.example']"
        )
        self.host = Hosted(self.town, settings, Journal.open(f"sqlite:///{path}"), seed=seed)
        self.players: list[Honest] = []
        self.games = 0

    async def begin(self) -> None:
        for nick in ("alice", "bob"):
            self.town.say(nick, "!style plain", CHANNEL)
            self.town.say(nick, "!join", CHANNEL)
        self.players = [Honest(self.town, nick) for nick in ("alice", "bob")]
        self.town.say("alice", "!start", CHANNEL)
        await asyncio.sleep(0.1)
        assert self.host.table.phase is Phase.PLAYING, self.host.table

    async def moves(self) -> bool:
        """One move of each; whether the game is over, with the totals that it must have."""
        for player in self.players:
            player.move(self.random)
        await asyncio.sleep(0.1)
        if self.host.table.open:
            return False
        finals = [text for text in self.town.to(CHANNEL) if text.startswith("Final result")]
        placed = {row.nick: row.total for row in Placing.find(finals[-1])}
        assert placed == {player.nick: player.total for player in self.players}, finals[-1]
        assert all(len(player.card) == 13 for player in self.players)
        assert self.host.written() == self.host.table
        self.games += 1
        # What was said is not kept for ever.
        self.town.told.clear()
        self.town.lines.clear()
        return True

    def pour(self, lines: list[bytes]) -> None:
        """Send lines, cut anywhere."""
        for piece in pieces(b"".join(line + b"\r\n" for line in lines), self.random):
            self.town.send(piece)

    # --- what people say ---

    def of_people(self) -> bytes:
        """A line that a stranger can bring about."""
        random = self.random
        source = random.choice(STRANGERS)
        target = random.choice((HOST, CHANNEL, CHANNEL)).encode()
        command = random.choice(COMMANDS)
        text = (garbage(random) if random.random() < 0.05 else mutated(command, random, COMMANDS))[:480]
        if target == CHANNEL.encode() and random.random() < 0.7:
            text = b"!" + text
        kind = random.random()
        if kind < 0.85:
            return source + b" PRIVMSG " + target + b" :" + text
        if kind < 0.9:
            return source + b" NOTICE " + target + b" :" + text
        channel = CHANNEL.encode()
        others = (
            b" JOIN " + channel + b" * :x",
            b" PART " + channel + b" :" + text,
            b" QUIT :" + text,
            b" QUIT",
            b" AWAY :" + text,
            b" TAGMSG " + target,
            b" ACCOUNT " + source[1:4],
        )
        return source + random.choice(others)

    async def people(self, count: int) -> None:
        await self.begin()
        for _ in range(count // 100):
            self.pour([self.of_people() for _ in range(100)])
            await asyncio.sleep(1)
            if await self.moves():
                await self.begin()
        await self.play_out()

    async def play_out(self) -> None:
        """Moves until the game is over."""
        for _ in range(1000):
            if await self.moves():
                return
            await asyncio.sleep(0.1)
        raise AssertionError(self.host.table)

    # --- what the server says ---

    def of_server(self) -> bytes:
        random = self.random
        if random.random() < 0.03:
            return garbage(random)
        line = random.choice(SERVER)
        return line if random.random() < 0.2 else mutated(line, random, SERVER)

    async def server(self, count: int) -> None:
        for _ in range(max(1, count // 1000)):
            await self.begin()
            for _ in range(20):
                self.pour([line for line in (self.of_server() for _ in range(50)) if b"boss" not in line])
                await asyncio.sleep(0.5)
                if not self.host.link.connected:
                    await self.welcomed()
            # Whatever the server said, its next connection is as good as the first.
            self.town.wire.lose(None)
            await asyncio.sleep(0.1)
            await self.welcomed()
            assert self.host.written() == self.host.table
            for player in ("alice", "bob"):
                self.town.say(STAFF, f"unban {player}")
            if self.host.table.open:
                self.town.say(STAFF, f"{CHANNEL} stop")
            await asyncio.sleep(0.1)
            assert not self.host.table.open
            await self.begin()
            await self.play_out()

    async def welcomed(self) -> None:
        await until(lambda: self.host.link.connected and self.host.desk.is_in(self.host.keeper()))
        await asyncio.sleep(0.1)


@pytest.fixture
def store() -> Iterator[Path]:
    memory = Path("/dev/shm")
    with TemporaryDirectory(dir=memory if memory.is_dir() else None) as folder:
        yield Path(folder) / "s.sqlite"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["people", "server"])
def test_whatever_comes_in_honest_players_play_to_the_end(kind: str, store: Path) -> None:
    began = time.monotonic()
    sizes: list[int] = []

    async def story(loop: VirtualLoop) -> Trial:
        trial = Trial(loop, 2026, store)
        async with trial.host.running():
            await trial.host.until_back()
            for _ in range(4):
                await (trial.people if kind == "people" else trial.server)(LINES // 4)
                sizes.append(resident())
        return trial

    with no_faults():
        trial = run(story)
    assert trial.games > 0
    assert sizes[-1] < sizes[0] * GROWTH, sizes
    mebibytes = ", ".join(f"{size / 2**20:.0f}" for size in sizes)
    print(  # noqa: T201 - what `-s` shows
        f"{kind}: {LINES} lines, {trial.games} games, {time.monotonic() - began:.0f} s, MiB {mebibytes}"
    )


def resident() -> int:
    """Bytes of memory that this process has."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_the_masks_of_the_lines_are_those_of_the_players() -> None:
    assert any(mask("alice").encode() in line for line in SERVER)
