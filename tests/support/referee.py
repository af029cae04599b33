"""Players who know nothing but what the host tells them, and keep their own books to check it by."""

from __future__ import annotations

import asyncio
import re
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from random import Random
from typing import Final

from protocol.tags import DiceTag, Placing
from tests.game import oracle
from tests.support import typist
from tests.support.client import Client, Received, Server
from tests.support.host_process import CHANNEL, HOST
from tests.support.reading import (
    FOR_YOU,
    FORMATTING,
    LABEL,
    LABELS,
    OVER,
    SCORED,
    WORTH,
    Entry,
    final,
    its_dice,
    public,
    results,
)

PATIENCE: Final = 30.0
THANKS: Final = "Thanks for playing!"


class Player:
    """Plays a seat by the private lines of the host.

    `books` has an entry for each round played. Dice that were kept and moved, a roll that was never asked
    for, an echo of something else, a wrong sum: each fails the step that meets it.
    """

    def __init__(
        self, client: Client, rules: str, seed: int = 0, *, channel: str = CHANNEL, mischief: float = 0.0
    ) -> None:
        self.client = client
        self.rules = rules
        self.channel = channel
        self.random = Random(f"{seed} {client.nick}")
        self.mischief = mischief
        """How likely bad lines come before a move."""

        self.card: oracle.Card = {}
        self.further = 0
        self.books: list[Entry] = []
        self.tag: DiceTag | None = None
        """The dice as they lie, or lay when the round ended."""

        self.finished = False
        self._kept: list[int] | None = None
        self._box: str | None = None
        self._unsure = False
        self._said = ""

    @property
    def nick(self) -> str:
        return self.client.nick

    @property
    def total(self) -> int:
        return oracle.total(self.card, self.further)

    @property
    def dice(self) -> tuple[int, ...]:
        assert self.tag is not None, f"{self.nick} has no dice yet"
        return self.tag.dice.faces

    @property
    def roll(self) -> int:
        assert self.tag is not None, f"{self.nick} has no dice yet"
        return self.tag.roll

    @property
    def _round(self) -> int:
        return self.tag.round if self.tag else 0

    @property
    def deciding(self) -> bool:
        """It is for the player to say something: nothing was sent for these dice."""
        return (
            self.tag is not None
            and len(self.books) < self.tag.round
            and self._kept is None
            and self._box is None
        )

    async def play(self, rounds: int = 13) -> None:
        """Play until so many rounds are in the books; when they are all, until the final table came."""
        while len(self.books) < rounds or (rounds == 13 and not self.finished):
            if self.deciding and not self.finished:
                await self.misbehave()
                self.move()
            await self.listen()

    async def listen(self) -> Received:
        """Take the next private line from the host, or the last public one."""
        try:
            line = await self.client.wait_for(self._concerns, PATIENCE)
            self._take(line)
        except AssertionError as error:
            error.add_note(f"{self.nick} said last: {self._said!r}")
            raise
        return line

    async def dealt(self) -> DiceTag:
        """Wait until there are dice to decide on."""
        while not self.deciding:
            await self.listen()
        assert self.tag is not None
        return self.tag

    async def settle(self) -> None:
        """Take what the host still said before it went."""
        for line in await self.client.sync():
            if self._concerns(line):
                self._take(line)

    async def resume(self) -> bool:
        """The host is back and shows the dice. Tells whether it is still waiting for what was sent last.

        What the host did not answer any more may have been done all the same.
        """
        before = self.tag
        self._unsure = True
        await self.listen()
        self._unsure = False
        if self.tag != before or len(self.books) == self._round or self.deciding:
            return False
        waiting = re.search(r"waiting for (.*?)[;.]", await self.ask("who"))
        return waiting is not None and self.nick in re.split(", | and ", waiting[1])

    async def repeat(self) -> None:
        """Say again what went unheard."""
        if self._box is not None:
            self.score(self._box)
        else:
            self.keep(self._kept or [])
        await self.listen()

    def say(self, text: str) -> None:
        """Say something to the host in private."""
        self.client.say(HOST, text)

    async def ask(self, text: str) -> str:
        """Say something that must change nothing, and take the answer to it."""
        self.say(text)
        before = self.tag
        answer = (await self.listen()).text
        assert self.tag == before, answer
        return answer

    def move(self) -> None:
        """Do one thing with the dice: keep some of them, or score."""
        kept = self._wanted()
        if self.roll == 3 or len(kept) == 5:
            self.score(self.best())
        else:
            self.keep(kept)

    def keep(self, places: Sequence[int]) -> None:
        """Keep the dice in these places (0 is a), in one of the ways to say so."""
        self._kept, self._box = sorted(places), None
        self._send(typist.holds(self.dice, places, self.random))

    def score(self, box: str) -> None:
        """Score in a box, in one of the ways to say so."""
        self._box, self._kept = box, None
        self._send(typist.scores(box, self.random))

    async def misbehave(self) -> None:
        """Now and then send lines that must change nothing, and see that nothing has changed."""
        assert self.tag is not None
        for _ in range(2):
            if self.random.random() >= self.mischief:
                return
            bad = typist.bad_lines(
                HOST, self.channel, dice=self.dice, roll=self.roll, card=self.card, rules=self.rules
            )
            line = self.random.choice(bad)
            self._said = repr(line.raw)
            self.client.send_raw(line.raw)
            if not line.answered:
                self.say("dice")
            before = self.tag
            answer = await self.listen()
            assert DiceTag.find(answer.text) == before == self.tag, (line, answer)

    def _send(self, text: str) -> None:
        self._said = text
        match self.random.randrange(7):
            case 0:
                self.client.say(self.channel, f"!{text.strip()}")
            case 1:
                self.say(f"{self.channel} {text}")
            case 2:
                self.say(f"!{text.strip()}")
            case 3:
                self.client.say(self.channel, f"{HOST}: {text}")
            case _:
                self.say(text)

    def _concerns(self, line: Received) -> bool:
        if line.nick != HOST or line.command not in {"PRIVMSG", "NOTICE"}:
            return False
        return line.params[0] == self.nick or (line.params[0] == self.channel and THANKS in line.text)

    def _take(self, line: Received) -> None:
        if line.params[0] != self.nick:
            self.finished = True
            return
        text = FORMATTING.sub("", line.text)
        if entered := SCORED.search(text) or FOR_YOU.search(text):
            self._entered(entered, by_host=entered.re is FOR_YOU)
        if tag := DiceTag.find(line.text):
            self._shown(tag, text)
        if over := OVER.search(text):
            assert (len(self.books), int(over[1])) == (13, self.total), text

    def _shown(self, tag: DiceTag, text: str) -> None:
        old, echo = self.tag, text.partition("Round ")[0]
        if old is None or tag.round > old.round:
            if self._unsure and self._box and tag.round == len(self.books) + 2:
                self._book(self._box)
            assert (tag.round, tag.roll) == (len(self.books) + 1, 1), f"{text!r} after {old}"
            self._kept = self._box = None
        elif tag.roll > old.roll:
            assert self._kept is not None, f"a roll that nobody asked for: {text!r} after {old}"
            assert (tag.round, tag.roll) == (old.round, old.roll + 1), f"{text!r} after {old}"
            assert all(tag.dice.faces[place] == old.dice.faces[place] for place in self._kept), (text, old)
            self._check_echo(echo, "Kept", "Rolled", old.dice.faces)
            self._kept = None
        else:
            assert tag == old, f"other dice: {text!r} after {old}"
            if self._kept is not None:
                self._check_echo(echo, "You keep", "You roll", old.dice.faces)
            if self._box is not None:
                self._check_choice(echo)
        self.tag = tag
        self._check_worths(text)

    def _check_worths(self, text: str) -> None:
        said = re.search(r"\bWorth ([^.]*)", text)
        worths = WORTH.findall(said[1]) if said else []
        options = oracle.options(self.rules, self.dice, self.card)
        told = [int(points) for _, points in worths]
        assert told == [options[LABELS[label]] for label, _ in worths], text
        assert told == sorted(options.values(), reverse=True)[: len(told)], text

    def _check_choice(self, echo: str) -> None:
        if self._unsure:
            return
        assert self._box is not None
        points = oracle.options(self.rules, self.dice, self.card)[self._box]
        bonus = oracle.bonus(self.rules, self.dice, self.card)
        said = re.search(rf"You score ({LABEL}) (\d+)(?:\+(\d+))?\.", echo)
        assert said, echo
        assert (LABELS[said[1]], int(said[2]), int(said[3] or 0)) == (self._box, points, bonus), echo

    def _check_echo(self, echo: str, some: str, none: str, dice: Sequence[int]) -> None:
        if self._unsure:
            return
        assert self._kept is not None
        kept = " ".join(str(dice[place]) for place in self._kept)
        wanted = f"{none} all five." if not kept else f"{some} {'all five' if len(kept) == 9 else kept}."
        assert wanted in echo, (echo, wanted)

    def _entered(self, said: re.Match[str], *, by_host: bool) -> None:
        box = LABELS[said[1]]
        if len(self.books) < self._round:
            assert by_host or box == self._box, f"{said[0]!r}, but {self._box} was sent"
            self._book(box, by_host=by_host, dice=its_dice(said.string))
        told = Entry(box, int(said[2]), int(said[3] or 0), int(said[4]), by_host)
        assert told == self.books[-1], (said.string, self.tag, self.card)

    def _book(self, box: str, *, by_host: bool = False, dice: Sequence[int] = ()) -> None:
        dice, before = dice or self.dice, self.total
        points = oracle.options(self.rules, dice, self.card)[box]
        self.further += oracle.bonus(self.rules, dice, self.card) // 100
        self.card[box] = points
        self.books.append(Entry(box, points, self.total - before - points, self.total, by_host))

    def _wanted(self) -> list[int]:
        """The dice to keep: mostly the commonest, now and then anything."""
        if self.random.random() < 0.25:
            return [place for place in range(5) if self.random.random() < 0.5]
        best = self.best()
        if oracle.options(self.rules, self.dice, self.card)[best] >= 25 and self.random.random() < 0.7:
            return list(range(5))
        face = max(self.dice, key=lambda face: (self.dice.count(face), face))
        return [place for place in range(5) if self.dice[place] == face]

    def best(self) -> str:
        """The open box that pays most."""
        options = oracle.options(self.rules, self.dice, self.card)
        return max(options, key=lambda box: (options[box], oracle.BOXES.index(box)))


def check_game(
    players: Sequence[Player], clients: Iterable[Client] = (), channel: str = CHANNEL, *, untold: int = 0
) -> None:
    """See that all that was said of a finished game agrees with the books, and that no secret got out.

    `untold` results of rounds may be missing.
    """
    said = public(players[0].client, channel)
    check_books(players, said, untold=untold)
    for client in (*(player.client for player in players), *clients):
        assert public(client, channel) == said, client.nick
        check_secrets(client)


def check_books(players: Sequence[Player], said: Sequence[str], *, untold: int = 0) -> None:
    """See that what was `said` of a finished game agrees with the books."""
    told = results(said)
    assert len(told) >= 13 - untold
    assert set(told) <= set(range(1, 14))
    for number, entries in told.items():
        assert entries == {player.nick: player.books[number - 1] for player in players}
    totals = {player.nick: player.total for player in players}
    placings = final(said)
    assert {placing.nick: placing.total for placing in placings} == totals
    assert len(placings) == len(players)
    assert [p.place for p in placings] == [1 + sum(t > p.total for t in totals.values()) for p in placings]
    assert placings == sorted(placings, key=lambda placing: placing.place)
    check_bonuses(said, {player.nick: player for player in players})


def check_bonuses(said: Sequence[str], players: Mapping[str, Player]) -> None:
    """See that the final table tells of bonuses where there are some."""
    table = " | ".join(said[max(n for n, text in enumerate(said) if text.startswith("Final result")) :])
    for item in table.split(" | ")[: len(players)]:
        (placing,) = Placing.find(item)
        player = players[placing.nick]
        upper = re.search(r"upper bonus (\d+)", item)
        further = re.search(r"Y\w+ bonus (\d+)", item)
        assert (int(upper[1]) if upper else 0) == oracle.upper_bonus(player.card), item
        assert (int(further[1]) if further else 0) == 100 * player.further, item


def check_secrets(client: Client) -> None:
    """See that dice came to this client in private alone, under a nick that it had then."""
    nick = next(line.params[0] for line in client.lines if line.command == "001")
    for line in client.lines:
        if line.command == "NICK" and line.nick == nick:
            nick = line.text
        if line.nick == HOST and DiceTag.find(line.text):
            assert line.params[0] == nick, line.raw


# --- sitting down ---


@asynccontextmanager
async def company(
    server: Server, nicks: Sequence[str], rules: str, *, seed: int = 0, mischief: float = 0.0
) -> AsyncIterator[list[Player]]:
    """Players with a client each, in the channel."""
    async with AsyncExitStack() as stack:
        connecting = (Client.connect(server.host, server.port, nick) for nick in nicks)
        clients = [await stack.enter_async_context(client) for client in await asyncio.gather(*connecting)]
        await asyncio.gather(*(client.join(CHANNEL) for client in clients))
        yield [Player(client, rules, seed, mischief=mischief) for client in clients]


async def sit_down(players: Sequence[Player], *, start: bool = True) -> None:
    """Let all take seats, in this order, and the first one start the game."""
    for player in players:
        player.client.say(player.channel, "!join")
        said = re.escape(f"PRIVMSG {player.channel} :{player.nick} ") + "(opens|joins)"
        await player.client.wait_for(said, PATIENCE)
    if start:
        players[0].client.say(players[0].channel, "!start")


async def resume_all(players: Sequence[Player]) -> None:
    """After the host came back, let all find out where they are, and then say again what went unheard."""
    unheard = [player for player in players if await player.resume()]
    for player in unheard:
        await player.repeat()


async def play_all(players: Sequence[Player], rounds: int = 13) -> None:
    """Let all play at once."""
    async with asyncio.TaskGroup() as group:
        for player in players:
            group.create_task(player.play(rounds))
