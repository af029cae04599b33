"""A network that throws the host out, freezes or does not let it in, at every step of the way."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import pytest

from chat.settings import Account, Mechanism
from host.table import Phase
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, config
from tests.support.town import CAPS, FLOOD, Hosted, Mood, Town, no_faults
from tests.support.virtual import VirtualLoop, run

HOUR: Final = 3600.0
NICKS: Final = ("alice", "bob")


async def begun(host: Hosted) -> list[DiceTag]:
    for nick in NICKS:
        host.town.say(nick, "!join", CHANNEL)
    host.town.say("alice", "!start", CHANNEL)
    await asyncio.sleep(10)
    assert host.table.phase is Phase.PLAYING
    return [tag for nick in NICKS for text in host.town.to(nick) if (tag := DiceTag.find(text))]


# --- a connection that ends at any step ---


class Faulty(Town):
    """Fails when the host has sent so many lines, and that for some connections; then all is well."""

    fail: Callable[[Town], None] = staticmethod(lambda _town: None)
    after = 0
    times = 0

    def take(self, line: str) -> None:
        super().take(line)
        self.after -= 1
        if self.after == 0 and self.times:
            self.times -= 1
            # Not in the middle of its sending: a network takes its time.
            self.loop.call_soon(self.fail, self)


def freeze(town: Town) -> None:
    town.wire.silent = True


def reset(town: Town) -> None:
    town.wire.lose(ConnectionResetError(104, "Connection reset by peer"))


def close(town: Town) -> None:
    town.wire.lose(None)


def throw_out(town: Town) -> None:
    town.send(FLOOD)


def half_a_line(town: Town) -> None:
    town.send(b":irc.test 001 Hos")
    town.wire.silent = True


@pytest.mark.parametrize(
    "fail", [freeze, reset, close, throw_out, half_a_line], ids=lambda fail: fail.__name__
)
def test_whatever_step_a_connection_ends_at_the_next_one_brings_the_game_back(
    fail: Callable[[Town], None],
) -> None:
    async def story(loop: VirtualLoop, step: int) -> None:
        town = Faulty(loop, NICKS)
        host = Hosted(town, config(f'{{"{CHANNEL}": {{round_seconds: 3600}}}}'))
        async with host.running():
            await host.until_back()
            dice = await begun(host)
            town.fail, town.after, town.times = fail, step, 1
            told = len(town.told)
            reset(town)
            # It may be noticed only when two minutes are over, and more than one may be needed.
            await asyncio.sleep(150)
            await host.until_back()
            assert town.most_at_once == 1
            backs = [text for text in town.to(CHANNEL, told) if text.startswith("I am back")]
            assert 1 <= len(backs) <= 2, backs
            assert [turn.cup for turn in host.table.play.turns] == [tag.dice for tag in dice]
            assert host.written() == host.table

    # CAP LS, NICK, USER, CAP REQ, CAP END, JOIN, WHO, and what the host says when it is back.
    for step in range(1, 10):
        with no_faults():
            run(lambda loop, step=step: story(loop, step))  # type: ignore[misc]


# --- a server that lets nobody in ---


class Gate(Town):
    """Has SASL, and answers it as it is told to."""

    answers: tuple[str, ...] = ()

    def answer(self, line: str) -> None:
        if line.startswith("AUTHENTICATE"):
            self.send(*self.answers)
        else:
            super().answer(line)


SAY: Final = {
    "failed": (":irc.test 904 * :SASL authentication failed",),
    "another mechanism": (":irc.test 908 * PLAIN :are available", ":irc.test 904 * :SASL failed"),
    "too long": (":irc.test 905 * :SASL message too long",),
    "logged in before": (":irc.test 907 * :You have already authenticated using SASL",),
    "aborted": (":irc.test 906 * :SASL aborted",),
    "locked": (":irc.test 902 * :You must use a nick assigned to you",),
    "leave, then nothing": ("AUTHENTICATE +",),
    "nothing": (),
    "not known": (":irc.test 421 * AUTHENTICATE :Unknown command",),
}


@pytest.mark.parametrize("mechanism", [Mechanism.PLAIN, Mechanism.EXTERNAL])
@pytest.mark.parametrize("say", SAY)
def test_a_login_that_cannot_be_made_is_tried_seldom_and_told_once_each_time(
    say: str, mechanism: Mechanism, caplog: pytest.LogCaptureFixture
) -> None:
    async def story(loop: VirtualLoop) -> tuple[Town, int]:
        town = Gate(loop, NICKS, caps=f"{CAPS} sasl=PLAIN,EXTERNAL")
        town.answers = SAY[say]
        host = Hosted(town, account=Account(mechanism, "Yardzee", "secret"))
        async with host.running():
            await asyncio.sleep(2 * HOUR)
            attempts = len(town.attempts)
            asked = sum(line.startswith("AUTHENTICATE") for line in town.lines)
            # No loop within a connection: the mechanism, the answer, and giving up.
            assert asked <= 3 * attempts
            assert not any(line.startswith("JOIN") for line in town.lines)
            assert not town.told
            # Services are mended.
            town.answers = ("AUTHENTICATE +", ":irc.test 903 * :SASL authentication successful")
            await asyncio.sleep(2 * HOUR)
            assert host.desk.is_in(host.keeper())
        return town, attempts

    with caplog.at_level(logging.WARNING):
        town, attempts = run(story)
    assert 2 <= attempts <= 12
    failed = [one for one in caplog.records if one.msg == "not connected"]
    assert attempts - 1 <= len(failed) <= attempts + 1
    assert not any(one.exc_info for one in caplog.records)
    assert "secret" not in caplog.text
    gaps = [later - earlier for earlier, later in pairwise(town.attempts[:attempts])]
    assert min(gaps) >= 90


@pytest.mark.parametrize("mood", [Mood.REFUSES, Mood.NO_NAME, Mood.HANGS, Mood.FROZEN, Mood.THROWS_OUT])
def test_a_day_without_the_network_makes_no_storm_and_ends_within_minutes(mood: Mood) -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Town(loop, NICKS)
        host = Hosted(town)
        async with host.running():
            await host.until_back()
            dice = await begun(host)
            town.mood = mood
            town.wire.lose(None)
            town.attempts.clear()
            await asyncio.sleep(24 * HOUR)
            # Five minutes apart at most, and half of that at least, once the gaps have grown.
            assert 24 * 12 * 0.7 < len(town.attempts) < 24 * 12 * 2 + 12
            assert town.most_at_once == 1
            assert [turn.cup for turn in host.table.play.turns] == [tag.dice for tag in dice]
            town.mood = Mood.SERVES
            await asyncio.sleep(400)
            assert host.desk.is_in(host.keeper())

    with no_faults():
        run(story)
