"""Two cards, one who types, and the tiny card at a real server; the host is killed in the middle."""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path
from typing import Final

from card.boxes import differs
from card.ports import Listener
from card.session import Session
from chat.link import LinkSettings
from protocol.card.stages import Stage
from protocol.check import check
from protocol.heard import games
from protocol.verdict import Right
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.reading import final, public
from tests.support.referee import PATIENCE, company, resume_all

TINY: Final = Path(__file__).parents[2] / "examples/tiny_card.py"
HASTE: Final = 5
"""How much faster time goes by for these cards than for people, whose second clicks they wait for."""


class Hand:
    """Plays a card as a person does: looks, keeps a pair once a round, and scores the best box."""

    def __init__(self, server: Ngircd, nick: str) -> None:
        settings = LinkSettings(server=server.host, port=server.port, tls=False, nick=nick, channels=())
        self.session = Session(settings, CHANNEL, clock=lambda: time.monotonic() * HASTE)
        self.dialogue = self.session.dialogue
        self._changed = asyncio.Event()
        self.notes: list[str] = []
        self.dialogue.listener = Listener(lambda note: self.notes.append(note.text), self._changed.set)

    async def news(self) -> None:
        """Wait until there is something new to see, or for the guard against second clicks to be over."""
        self._changed.clear()
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._changed.wait(), 0.1)

    async def sits(self) -> None:
        async with asyncio.timeout(PATIENCE):
            while self.dialogue.view.stage is not Stage.LOBBY:
                if self.dialogue.play.pending is None:
                    self.dialogue.play.register()
                await self.news()

    async def play(self) -> None:
        while self.dialogue.view.stage is not Stage.OVER:
            game = self.dialogue.play
            hand = game.view.hand
            if game.view.deciding and hand and game.pending is None:
                if hand.roll == 1 and hand.round % 2:
                    game.keep(frozenset({0, 3}))
                    game.send_rerolls()
                else:
                    box = max(hand.pays, key=lambda box: hand.pays[box])
                    if game.view.marked is not box:
                        game.mark(box)
                    game.send_score()
            await self.news()

    async def says(self, begin: str) -> None:
        """Wait until the card says something that begins so."""
        async with asyncio.timeout(PATIENCE):
            while not any(note.startswith(begin) for note in self.notes):
                await self.news()


@asynccontextmanager
async def hand(server: Ngircd, nick: str) -> AsyncIterator[Hand]:
    held = Hand(server, nick)
    running = asyncio.create_task(held.session.run())
    try:
        yield held
    finally:
        await held.session.stop()
        await running


@asynccontextmanager
async def tiny(server: Ngircd) -> AsyncIterator[asyncio.subprocess.Process]:
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, "-I", "-S", str(TINY), "--server", server.host, "--port", str(server.port)),
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    try:
        yield process
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()


async def test_four_kinds_of_players_and_a_host_that_is_killed() -> None:
    async with AsyncExitStack() as stack:
        server = await stack.enter_async_context(Ngircd())
        host = await stack.enter_async_context(HostProcess(server, {CHANNEL: {"round_seconds": 600}}))
        (typed,) = await stack.enter_async_context(company(server, ("typed",), "hasbro"))
        cards = [await stack.enter_async_context(hand(server, nick)) for nick in ("alice", "bob")]
        typed.say("join")
        await host.watcher.wait_for("typed opens", PATIENCE)
        for card in cards:
            await card.sits()
            await card.says("Your word in the dice: ")
        process = await stack.enter_async_context(tiny(server))
        await host.watcher.wait_for("tiny joins", PATIENCE)
        typed.client.say(CHANNEL, "!start")

        playing = [asyncio.create_task(card.play()) for card in cards]
        typing = asyncio.create_task(typed.play(6))
        try:
            await host.watcher.wait_for("Round 5/13: ", PATIENCE)
            await host.kill()
        finally:
            typing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await typing
        await typed.settle()
        await host.start()
        await resume_all([typed])
        await typed.play()
        async with asyncio.timeout(PATIENCE):
            await asyncio.gather(*playing)
            await asyncio.gather(*(card.says("Dice checked: ") for card in cards))
            printed, _ = await process.communicate()
        await asyncio.gather(host.watcher.sync(), typed.client.sync())

        totals = {placing.nick: placing.total for placing in final(public(host.watcher, CHANNEL))}
        assert set(totals) == {"typed", "alice", "bob", "tiny"}
        assert totals["typed"] == typed.total
        for card in cards:
            view = card.dialogue.view
            assert dict(zip(view.nicks, view.totals, strict=True)) == totals
            assert view.card.total == totals[card.session.nick]
            assert view.sound
            assert not differs(view)
            assert not [note for note in card.notes if note.startswith("THE DICE")]
        said = (one for one in host.watcher.lines if one.nick == HOST and one.params[:1] == (CHANNEL,))
        (heard,) = games(line.text for line in said)
        assert isinstance(found := check(heard), Right), found
        words = [nick for nick, word in heard.seats.values() if re.fullmatch("[0-9a-f]{16}", word)]
        assert sorted(words) == ["alice", "bob"]
        assert process.returncode == 0, printed
        told = re.findall(r"^  (\S+) (\d+)$", printed.decode(), re.MULTILINE)
        assert {nick: int(total) for nick, total in told} == totals
