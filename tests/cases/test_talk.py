"""What is said to the host, how it is dressed, and what only looks as if it were said."""

from __future__ import annotations

import asyncio
import contextlib
import sys
import unicodedata
from collections.abc import AsyncIterator, Callable, Coroutine
from datetime import datetime, timedelta
from typing import Any, Final

import pytest

from host.table import Table
from protocol.tags import DiceTag, Placing
from tests.support.bench import CHANNEL, HOST, Bench, config
from tests.support.town import Hosted, Town, mask, no_faults
from tests.support.virtual import VirtualLoop, run

FOUR: Final = ("alice", "bob", "carol", "dave")
PLAYS: Final = ("score chance", "keep a", "reroll all", "pause", "leave", "stop")
OPENINGS: Final = ("!join", "!start", *(f"!{play}" for play in PLAYS))


@contextlib.asynccontextmanager
async def playing(loop: VirtualLoop, *nicks: str, keys: str = "repeat_seconds: 0") -> AsyncIterator[Hosted]:
    """A game is on between these, over a real link."""
    host = Hosted(Town(loop, nicks), config(f'{{"{CHANNEL}": {{{keys}}}}}'))
    with no_faults():
        async with host.running():
            await host.until_back()
            for nick in nicks:
                host.town.say(nick, "!join", CHANNEL)
            host.town.say(nicks[0], "!start", CHANNEL)
            await asyncio.sleep(1)
            yield host


def tell(story: Callable[[Hosted], Coroutine[Any, Any, None]], *nicks: str) -> None:
    async def told(loop: VirtualLoop) -> None:
        async with playing(loop, *nicks) as host:
            await story(host)

    run(told)


async def nothing_comes_of(host: Hosted, *lines: str | bytes) -> None:
    """The server sends these, and the host does nothing and says nothing."""
    before, told = host.table, len(host.town.told)
    for line in lines:
        host.town.send(line)
        await asyncio.sleep(0.1)
        assert host.table == before, line
        assert host.town.told[told:] == [], line


# --- several at once ---


@pytest.mark.parametrize("text", ["dice", "card", "score chance", "reroll all", "score nothing", "help"])
def test_lines_of_many_in_one_packet_are_answered_each_to_its_own(text: str) -> None:
    async def story(host: Hosted) -> None:
        town, table = host.town, host.table
        own = {nick: DiceTag(1, 1, turn.cup) for nick, turn in zip(FOUR, table.play.turns, strict=True)}
        told = len(town.told)
        town.send(*(f":{mask(nick)} PRIVMSG {HOST} :{text}" for nick in reversed(FOUR)))
        await asyncio.sleep(1)
        for nick in FOUR:
            answers = town.to(nick, told)
            assert answers
            for other in set(FOUR) - {nick}:
                assert other not in " ".join(answers) or text == "score chance"
            if text == "dice":
                assert DiceTag.find(answers[0]) == own[nick]
            if text == "score chance":
                assert f"Scored Chance {own[nick].dice.total}," in answers[0]

    tell(story, *FOUR)


# --- what is no command ---


def no_commands(text: str) -> list[str]:
    alice = mask("alice")
    return [
        f":{alice} NOTICE {HOST} :{text}",
        f":{alice} NOTICE {CHANNEL} :{text}",
        f":{alice} PRIVMSG {HOST} :\x01ACTION {text}\x01",
        f":{alice} PRIVMSG {CHANNEL} :\x01ACTION {text}\x01",
        f":{alice} PRIVMSG {HOST} :\x01{text}",
        f":{alice} PRIVMSG @{CHANNEL} :{text}",
        f":{alice} PRIVMSG #elsewhere :{text}",
        f":{alice} TAGMSG {HOST} :{text}",
        f":{alice} WALLOPS :{text}",
        f":{mask(HOST)} PRIVMSG {HOST} :{text}",
        f":{mask(HOST)} PRIVMSG {CHANNEL} :{text}",
        f":{mask(HOST)} PRIVMSG alice :{text}",
        f":irc.test PRIVMSG {HOST} :{text}",
        f":irc.test PRIVMSG {CHANNEL} :{text}",
        f"PRIVMSG {HOST} :{text}",
    ]


def test_what_is_no_message_of_a_person_is_neither_obeyed_nor_answered() -> None:
    async def story(host: Hosted) -> None:
        for text in (*PLAYS, *OPENINGS, "help", "xyzzy"):
            await nothing_comes_of(host, *no_commands(text))

    tell(story, "alice", "bob")


def stamp(host: Hosted, ago: float) -> str:
    then: datetime = host.clock.wall() - timedelta(seconds=ago)
    return then.isoformat(timespec="milliseconds").replace("+00:00", "Z")


@pytest.mark.parametrize("kind", ["chathistory", "znc.in/playback", "draft/chathistory"])
def test_history_is_neither_obeyed_nor_answered(kind: str) -> None:
    async def story(host: Hosted) -> None:
        alice = mask("alice")
        lines = [f":irc.test BATCH +h {kind} {CHANNEL}", "@batch=h :irc.test BATCH +inner other"]
        for text in (*PLAYS, *OPENINGS):
            for batch in ("h", "inner"):
                lines.append(f"@batch={batch} :{alice} PRIVMSG {HOST} :{text}")
                lines.append(f"@time={stamp(host, 5)};batch={batch} :{alice} PRIVMSG {CHANNEL} :{text}")
        await nothing_comes_of(host, *lines, ":irc.test BATCH -inner", ":irc.test BATCH -h")
        host.town.say("alice", "score chance")
        await asyncio.sleep(1)
        assert "Scored Chance" in host.town.to("alice")[-1]

    tell(story, "alice", "bob")


@pytest.mark.parametrize("ago", [61, 90, 3600, 86_400, 366 * 86_400])
def test_an_old_line_is_neither_obeyed_nor_answered(ago: float) -> None:
    async def story(host: Hosted) -> None:
        for text in (*PLAYS, *OPENINGS):
            for target in (HOST, CHANNEL):
                line = f"@time={stamp(host, ago)} :{mask('alice')} PRIVMSG {target} :{text}"
                await nothing_comes_of(host, line)
        host.town.send(f"@time={stamp(host, 1)} :{mask('alice')} PRIVMSG {HOST} :score chance")
        await asyncio.sleep(1)
        assert "Scored Chance" in host.town.to("alice")[-1]

    tell(story, "alice", "bob")


# --- how it is dressed ---

DRESS: Final[tuple[Callable[[str], str], ...]] = (
    lambda text: f"\x02{text}\x02",
    lambda text: text.replace(" ", " \x02") + "\x02",
    lambda text: text.replace(" ", " \x0304"),
    lambda text: text.replace(" ", " \x0304,07"),
    lambda text: f"\x1d\x1f\x16{text}\x0f",
    lambda text: f"  {text.upper()}   ",
    lambda text: text.replace(" ", "   "),
    lambda text: text.replace(" ", ", "),
    lambda text: text.replace(" ", "\u00a0"),
    lambda text: f"\u200b{text}\ufeff",
    lambda text: text.title(),
)


@pytest.mark.parametrize("number", range(len(DRESS)))
def test_however_a_line_is_dressed_it_means_the_same(number: int) -> None:
    def after(text: str) -> Table:
        outcome: list[Table] = []

        async def story(host: Hosted) -> None:
            host.town.say("alice", text)
            await asyncio.sleep(1)
            outcome.append(host.table)

        tell(story, "alice", "bob")
        return outcome[0]

    for text in ("reroll b c", "keep a e", "score full house", "score chance"):
        assert after(DRESS[number](text)) == after(text) != after("dice")


# --- dice that are not there ---

DIGITS: Final = [
    char
    for char in map(chr, range(0x80, sys.maxunicode + 1))
    if unicodedata.category(char) in ("Nd", "No", "Nl") or char.isdigit()
]
"""What is a digit to Unicode, and on no die."""


def test_what_names_no_die_is_refused_with_the_dice_and_spends_nothing() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0, round_seconds: 86400}}}}'))
    bench.connect("alice", "bob")
    bench.begin("alice", "bob")
    tag, before = bench.dice("alice"), bench.keeper().table
    faces = tag.dice.faces
    many = [" ".join([str(face)] * (faces.count(face) + 1)) for face in range(1, 7)]
    wrong = [str(number) for number in range(7, 1000, 3) if set(str(number)) & set("0789")]
    wrong += ["0", "00", "4.5", "1e0", "f", "z", *many]
    # A digit may stand for one that everybody knows; then it is no stranger.
    plain = {char for char in DIGITS if unicodedata.normalize("NFKC", char) in map(str, range(1, 7))}
    for what in [*wrong, *DIGITS]:
        for verb in ("keep", "reroll"):
            said = bench.tell("alice", f"{verb} {what}")
            if what not in plain:
                assert str(tag) in " ".join(said), (verb, what, said)
            assert bench.keeper().table == before, (verb, what)
            # Whoever makes sense now and then is always answered.
            bench.tell("alice", "dice")
            bench.pass_(11)


# --- bytes ---

BAD_BYTES: Final = (
    b"caf\xe9",
    b"\xff\xfe\x00",
    b"\xed\xa0\x80",
    "é".encode()[:1],
    "🎲".encode()[:3],
    b"w" * 600,
    b"\x80" * 470,
)


@pytest.mark.parametrize("bad", BAD_BYTES, ids=lambda bad: repr(bad[:8]))
def test_after_bytes_that_make_no_text_the_next_command_works_however_it_is_cut(bad: bytes) -> None:
    async def story(host: Hosted) -> None:
        alice = mask("alice").encode()
        data = b":%s PRIVMSG %s :%s \xe2\x80\x9cchance\xe2\x80\x9d\r\n" % (alice, HOST.encode(), bad)
        data += ":{} PRIVMSG {} :dice “é🎲”\r\n".format(mask("alice"), HOST).encode()
        data += b":%s PRIVMSG %s :dice\r\n" % (alice, HOST.encode())
        for cut in range(1, len(data), max(1, len(data) // 150)):
            told, before = len(host.town.told), host.table
            host.town.send(data[:cut])
            host.town.send(data[cut:])
            await asyncio.sleep(20)
            tags = [tag for text in host.town.to("alice", told) if (tag := DiceTag.find(text))]
            assert tags, cut
            assert host.table.play.cards == before.play.cards

    async def unhurried(loop: VirtualLoop) -> None:
        async with playing(loop, "alice", "bob", keys="repeat_seconds: 0, round_seconds: 86400") as host:
            await story(host)

    run(unhurried)


# --- long lines ---


@pytest.mark.parametrize("style", ["plain", "colour", "unicode"])
@pytest.mark.parametrize("length", [16, 30])
def test_a_table_of_twelve_with_long_nicks_loses_nothing_on_any_server(style: str, length: int) -> None:
    nicks = tuple(letter * length for letter in "abcdefghijkl")

    async def story(host: Hosted) -> None:
        town = host.town
        for nick in nicks:
            town.say(nick, f"style {style}")
        while host.table.open:
            seat = host.table.waiting[0]
            options = host.table.play.cards[seat].options(host.table.play.turns[seat].cup)
            box = max(options, key=lambda one: options[one])
            town.say(host.table.seats[seat].nick, f"score {box.value.replace('_', ' ')}")
            await asyncio.sleep(0.1)
        assert town.fits()
        said = town.to(CHANNEL)
        final = said[[text.startswith("Final result") for text in said].index(True) :]
        assert len(final) > 1 or length == 16
        placed = {row.nick: row.total for text in final for row in Placing.find(text)}
        assert placed == {
            seat.nick: card.total for seat, card in zip(host.table.seats, host.table.play.cards, strict=True)
        }
        assert set(placed) == set(nicks)

    tell(story, *nicks)
