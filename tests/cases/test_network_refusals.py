"""A network that has another nick for the host, throws it out of its channel, or refuses what it says."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from typing import Final

import pytest

from host.decide import seconds_left
from host.table import Phase
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, HOST, config
from tests.support.town import Hosted, Town, mask, no_faults
from tests.support.virtual import VirtualLoop, run

NICKS: Final = ("alice", "bob")


async def begun(host: Hosted) -> None:
    for nick in NICKS:
        host.town.say(nick, "!join", CHANNEL)
    host.town.say("alice", "!start", CHANNEL)
    await asyncio.sleep(10)


# --- the host's own nick ---


class Crowded(Town):
    """Most nicks are taken, and none may have more than nine letters."""

    def __init__(self, loop: VirtualLoop, taken: set[str]) -> None:
        super().__init__(loop, NICKS, caps="")
        self.taken = taken
        self.asked: list[float] = []
        self.welcomed = False

    def answer(self, line: str) -> None:
        head, _, nick = line.partition(" ")
        if head != "NICK":
            # The welcome waits for a nick.
            if head != "USER":
                super().answer(line)
            return
        self.asked.append(self.loop.time())
        if nick in self.taken or len(nick) > 9:
            self.send(f":irc.test 433 {self.nick if self.welcomed else '*'} {nick} :Nickname is in use")
        elif self.welcomed:
            self.rename(nick)
        else:
            self.nick, self.welcomed = nick, True
            self._greet()

    def rename(self, nick: str) -> None:
        old, self.nick = self.nick, nick
        self.send(f":{old}!~yardzee@host.test NICK :{nick}")


def test_a_nick_that_is_taken_and_lost_stops_no_game_and_comes_back() -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Crowded(loop, {HOST, f"{HOST}_", f"{HOST}__", f"{HOST}2"})
        host = Hosted(town, config(f'{{"{CHANNEL}": {{round_seconds: 86400}}}}'))
        async with host.running():
            await host.until_back()
            assert town.nick == f"{HOST}3"
            await begun(host)
            town.taken.add(f"{HOST}3")
            town.rename("Guest83712")
            await asyncio.sleep(5)
            assert "I am Guest83712 now; answer there." in " ".join(town.to(CHANNEL))
            town.say("alice", "chance", "Guest83712")
            await asyncio.sleep(5)
            assert "Scored Chance" in town.to("alice")[-1]
            asked = len(town.asked)
            await asyncio.sleep(3600)
            assert 3600 / 300 <= len(town.asked) - asked <= 3600 / 150 + 4
            assert host.table.open
            town.taken.discard(HOST)
            town.send(f":{HOST}!x@y QUIT :bye")
            await asyncio.sleep(5)
            assert town.nick == HOST
            assert f"I am {HOST} again; answer there." in town.to(CHANNEL)

    with no_faults():
        run(story)


# --- its channel ---


class Closed(Town):
    """Throws the host out, and refuses to let it in again for as long as it is told to."""

    refusal = ""

    def __init__(self, loop: VirtualLoop) -> None:
        super().__init__(loop, NICKS)
        self.joins: list[float] = []

    def join_host(self, channel: str) -> None:
        self.joins.append(self.loop.time())
        if not self.refusal:
            super().join_host(channel)
            return
        self.send(f":irc.test {self.refusal} {HOST} {channel} :Cannot join channel")
        if self.refusal == "470":
            super().join_host("##elsewhere")


@pytest.mark.parametrize("refusal", ["437", "470", "471", "473", "474", "475", "477"])
def test_out_of_its_channel_the_game_stands_and_goes_on_when_it_is_let_in(refusal: str) -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Closed(loop)
        host = Hosted(town)
        async with host.running():
            await host.until_back()
            await begun(host)
            dice = [turn.cup for turn in host.table.play.turns]
            left = seconds_left(host.table, host.clock.now())
            assert left is not None
            town.refusal = refusal
            town.joins.clear()
            told = len(town.told)
            town.send(f":op!o@h KICK {CHANNEL} {HOST} :out")
            await asyncio.sleep(1)
            assert len(town.joins) == 1, "once at once"
            town.say("alice", "chance")
            await asyncio.sleep(3600)
            (answer,) = town.to("alice", told)
            assert answer.startswith(
                f"The game stands still while I am not in {CHANNEL}; it goes on, with your"
            )
            assert not town.to(CHANNEL, told)
            assert host.table.phase is Phase.PLAYING
            gaps = [later - earlier for earlier, later in pairwise(town.joins)]
            assert gaps[-1] > 8 * gaps[0] > 0
            assert len(gaps) < 20
            # Nothing is begun where it was sent instead.
            town.say("bob", "!join", "##elsewhere")
            await asyncio.sleep(1)
            assert ("PART ##elsewhere" in town.lines) is (refusal == "470")
            assert {target for target, _ in town.told[told:]} == {"alice"}
            town.refusal = ""
            await host.until_back()
            assert town.to(CHANNEL, told)[0].startswith("I am back. Round 1/13 goes on with the same dice")
            assert [turn.cup for turn in host.table.play.turns] == dice
            town.say("alice", "chance")
            await asyncio.sleep(5)
            assert f"Scored Chance {dice[0].total}" in town.to("alice")[-1]

    with no_faults():
        run(story)


# --- what it says ---


class Picky(Town):
    """Refuses lines: to a channel that is moderated or takes no colours, or to somebody who takes none."""

    channel = ""
    private = ""
    plain_is_fine = False

    def answer(self, line: str) -> None:
        head, _, rest = line.partition(" ")
        target, _, text = rest.partition(" :")
        numeric = self.channel if target == CHANNEL else self.private if target == "alice" else ""
        if head not in {"PRIVMSG", "NOTICE"} or not numeric or (self.plain_is_fine and text.isprintable()):
            super().answer(line)
        else:
            self.send(f":irc.test {numeric} {HOST} {target} :Refused (+R)")


def test_a_final_table_that_a_moderated_channel_refuses_is_had_with_scores() -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Picky(loop, NICKS)
        host = Hosted(town, config(f'{{"{CHANNEL}": {{repeat_seconds: 0}}}}'))
        async with host.running():
            await host.until_back()
            await begun(host)
            town.channel = "404"
            while host.table.open:
                seat = host.table.waiting[0]
                options = host.table.play.cards[seat].options(host.table.play.turns[seat].cup)
                town.say(NICKS[seat], f"score {next(iter(options)).value.replace('_', ' ')}")
                await asyncio.sleep(1)
            await asyncio.sleep(60)
            told = len(town.told)
            assert not any(text.startswith("Final result") for text in town.to(CHANNEL))
            town.say("alice", "scores")
            await asyncio.sleep(5)
            totals = [card.total for card in host.table.play.cards]
            (answer,) = town.to("alice", told)
            assert answer.startswith("Final result")
            assert all(str(total) in answer for total in totals)
            # When the host comes again it is told.
            town.channel = ""
            town.send(f":op!o@h KICK {CHANNEL} {HOST} :out")
            await asyncio.sleep(30)
            assert any(text.startswith("Final result") for text in town.to(CHANNEL, told))

    with no_faults():
        run(story)


HINTS: Final = {
    "716": "(caller-id). /accept Hoster lets them in; then say dice to Hoster.",
    "717": "(caller-id). /accept Hoster lets them in; then say dice to Hoster.",
    "486": "your mode +R refuses private messages",
    "531": "your mode +R refuses private messages",
    "477": "your mode +R refuses private messages",
    "404": "the network holds my private messages back.",
    "439": "the network holds my private messages back.",
    "707": "the network holds my private messages back.",
}


@pytest.mark.parametrize("numeric", HINTS)
def test_who_takes_no_dice_is_told_once_how_to_and_gets_them_then_and_time_for_them(numeric: str) -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Picky(loop, NICKS)
        host = Hosted(town)
        town.private = numeric
        async with host.running():
            await host.until_back()
            await begun(host)
            for word in ("dice", "card", "dice"):
                town.say("alice", word)
                await asyncio.sleep(3)
            hints = [text for text in town.to(CHANNEL) if HINTS[numeric] in text]
            assert len(hints) == 1
            assert hints[0].startswith("alice: ")
            assert not any(DiceTag.find(text) for text in town.to(CHANNEL))
            await asyncio.sleep(20)
            town.private = ""
            told = len(town.told)
            town.say("alice", "dice")
            await asyncio.sleep(5)
            tags = [tag for text in town.to("alice", told) if (tag := DiceTag.find(text))]
            assert tags[0].dice == host.table.play.turns[0].cup
            left = seconds_left(host.table, host.clock.now())
            assert left is not None
            assert left >= 50

    with no_faults():
        run(story)


def test_dice_that_nobody_is_there_for_are_not_sent_again() -> None:
    async def story(loop: VirtualLoop) -> None:
        town = Picky(loop, NICKS)
        host = Hosted(town)
        async with host.running():
            await host.until_back()
            town.private = "401"
            await begun(host)
            town.send(f":{mask('alice')} QUIT :gone")
            sent = town.written
            await asyncio.sleep(30)
            assert not any(line.startswith("PRIVMSG alice") for line in town.lines[sent:])
            assert not any(text.startswith("alice: ") for text in town.to(CHANNEL))

    with no_faults():
        run(story)
