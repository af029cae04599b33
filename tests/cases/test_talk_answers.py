"""Whom the host answers: which table somebody means, who is no player, and who never stops."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence

import pytest

from tests.support.bench import CHANNEL, HOST, config
from tests.support.town import Hosted, Town, no_faults
from tests.support.virtual import VirtualLoop, run

OTHER = "#other"
KEYS = "{repeat_seconds: 0, round_seconds: 86400}"


async def sit(host: Hosted, channel: str, *nicks: str) -> None:
    for nick in nicks:
        host.town.say(nick, "!join", channel)
    host.town.say(nicks[0], "!start", channel)
    await asyncio.sleep(10)


def test_who_plays_at_two_tables_is_asked_which_one_only_while_both_wait() -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Town(loop, ("alice", "bob"))
        host = Hosted(town, config(f'{{"{CHANNEL}": {KEYS}, "{OTHER}": {KEYS}}}'))
        async with host.running():
            await host.until_back(CHANNEL)
            await host.until_back(OTHER)
            for channel in (CHANNEL, OTHER):
                await sit(host, channel, "alice", "bob")
            tables = [host.keeper(channel).table for channel in (CHANNEL, OTHER)]
            told = len(town.told)
            town.say("alice", "keep a b")
            await asyncio.sleep(5)
            (answer,) = town.to("alice", told)
            assert answer.startswith(("alice: Which table: ", "Which table: "))
            assert [host.keeper(channel).table for channel in (CHANNEL, OTHER)] == tables
            town.say("alice", f"{CHANNEL} chance")
            await asyncio.sleep(5)
            assert host.keeper(OTHER).table == tables[1]
            assert host.keeper(CHANNEL).table != tables[0]
            # Now one table waits for her.
            town.say("alice", "keep a b")
            await asyncio.sleep(5)
            assert host.keeper(OTHER).table.play.turns[0].roll == 2

    with no_faults():
        run(story)


SMALL_TALK = ("hi there", "lovely weather", "anybody in?", "oh well", "brb", "so it goes")


@pytest.mark.parametrize("said", [SMALL_TALK, ("score yahtzee",)])
def test_a_stranger_gets_a_short_hint_and_no_answer_to_every_word(said: Sequence[str]) -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Town(loop, ("alice", "bob", "carol"))
        host = Hosted(town, config(f'{{"{CHANNEL}": {KEYS}}}'))
        async with host.running():
            await host.until_back()
            await sit(host, CHANNEL, "alice", "bob")
            before, told = host.table, len(town.told)
            for text in said:
                town.say("carol", text)
                await asyncio.sleep(2)
            answers = town.to("carol", told)
            assert 1 <= len(answers) <= 3
            assert len(answers[0]) < 200
            assert host.table == before

    with no_faults():
        run(story)


@pytest.mark.parametrize("nick", ["alice", "carol"])
def test_a_program_that_answers_every_line_is_left_alone_after_a_few(nick: str) -> None:
    class Echo(Town):
        def answer(self, line: str) -> None:
            super().answer(line)
            if line.startswith(f"PRIVMSG {nick} :"):
                self.say(nick, f"unknown command: {line.partition(' :')[2][:40]}", HOST)

    async def story(loop: VirtualLoop) -> None:
        town = Echo(loop, ("alice", "bob", "carol"))
        host = Hosted(town, config(f'{{"{CHANNEL}": {KEYS}}}'))
        async with host.running():
            await host.until_back()
            await sit(host, CHANNEL, "alice", "bob")
            town.say(nick, "unknown command: hello")
            await asyncio.sleep(600)
            assert 1 <= len(town.to(nick)) <= 8

    with no_faults():
        run(story)
