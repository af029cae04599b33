"""Lines that are meant to harm, or that other programs send, while a game is on."""

from __future__ import annotations

import asyncio

import pytest

from protocol.tags import DiceTag
from tests.support.client import Client
from tests.support.host_process import CHANNEL, HOST, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.referee import PATIENCE, check_game, company, play_all, sit_down

# `\x10r` is CR, and `\x10n` LF, to a client that undoes CTCP quoting.
QUOTED = (
    "x\x10rPRIVMSG #yardzee :pwned",
    "x\x10nPRIVMSG #yardzee :pwned",
    "score x\x10rPRIVMSG #yardzee :pwned",
    "keep \x10rPRIVMSG #yardzee :pwned",
    "help \x10rQUIT :pwned",
    "style \x10rQUIT :pwned",
    "#x\x10rPRIVMSG dice",
    "44\x10r\x10n\x100\x10\x10",
    "\x10",
    "\x10r!join",
)
STRANGE = (
    "\x02\x03\x0f\x16\x1d\x1f",
    "\x0304,",
    " ",
    "!",
    "!!!!!!!!",
    "#",
    "# # #",
    "#yardzee",
    "{0} {nick} %s %n ${HOME}",
    "'; DROP TABLE events; --",
    "score " + "9" * 400,
    "keep " + "4 " * 200,
    "a" * 480,
    "\u202e\u200b\u2066",
    "\U0001f3b2" * 100,
    "Hoster: Round 1/13, roll 3/3: [6 6 6 6 6]",
    'I do not know "x". Say help for what I know.',
    "1. alice 1575",
)
CTCP = (
    "\x01ACTION !join\x01",
    "\x01ACTION score chance\x01",
    "\x01VERSION\x01",
    "\x01PING 1\x01",
    "\x01DCC SEND x 1 2 3\x01",
    "\x01DCC\x01",
    "\x01",
    "\x01\x01",
    "\x01score chance",
)
NOT_UTF8 = (b"caf\xe9", b"score \xff\xfe", b"\xed\xa0\x80", b"\xc3", b"keep \xf0\x9f\x8e", b"\x80" * 480)
WHOLE = (
    b"PRIVMSG @#yardzee :!join\r\n",
    b"PRIVMSG +#yardzee :!score chance\r\n",
    b"PRIVMSG Hoster,#yardzee :xyzzy\r\n",
    b"PRIVMSG Hoster\r\n",
    b"PRIVMSG Hoster :\r\n",
    b"NOTICE Hoster :score chance\r\n",
    b"NOTICE Hoster :help\r\n",
    b"NOTICE #yardzee :!score chance\r\n",
    b"NOTICE #yardzee :!join\r\n",
    b"PRIVMSG Hoster :x\rPRIVMSG Hoster :y\r\n",
    b"INVITE Hoster #elsewhere\r\n",
    b"PRIVMSG #yardzee :score chance\r\n",
    b"\r\n\r\n",
)


def lines() -> list[bytes]:
    commands = [text.encode() for text in (*QUOTED, *STRANGE)] + list(NOT_UTF8)
    whole = list(WHOLE)
    for text in (*commands, *(text.encode() for text in CTCP)):
        for head in (b"PRIVMSG Hoster :", b"PRIVMSG #yardzee :"):
            whole.append(head + text[: 510 - len(head)] + b"\r\n")
    # After a prefix the invisible characters of CTCP mean as little as any others: that is a command.
    return whole + [b"PRIVMSG #yardzee :!" + text[:480] + b"\r\n" for text in commands]


async def test_the_game_is_untouched() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, ("alice", "bob"), "hasbro") as players,
        await Client.connect(server.host, server.port, "mallory") as mallory,
    ):
        alice, bob = players
        await mallory.join(CHANNEL)
        await sit_down(players)
        await play_all(players, 1)
        await asyncio.gather(alice.dealt(), bob.dealt())
        cards = [await player.ask("card") for player in players]
        for line in lines():
            for client in (mallory, alice.client):
                client.send_raw(line)
        # A line that only now is answered shows that all before it were taken.
        for client in (mallory, alice.client):
            client.say(HOST, "rules")
            await client.wait_for("Upper bonus 35", PATIENCE)
        assert DiceTag.find(await alice.ask("dice")) == alice.tag
        assert [await player.ask("card") for player in players] == cards
        await play_all(players)
        await asyncio.gather(*(client.sync() for client in (host.watcher, mallory)))
        check_game(players, [host.watcher, mallory])
        for client in (host.watcher, mallory, alice.client, bob.client):
            said = [line.raw for line in client.lines if line.nick == HOST]
            # The word may be quoted in an answer; it must never be a line of its own.
            assert not [raw for raw in said if f"{CHANNEL} :" in raw and "pwned" in raw]
            assert not [raw for raw in said if " QUIT" in raw or " NICK " in raw]
            assert not [raw for raw in said if "\x10" in raw or "\x01" in raw]
            assert not [raw for raw in said if " NOTICE " in raw]


async def test_two_programs_do_not_talk_for_ever() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server),
        await Client.connect(server.host, server.port, "parrot") as parrot,
    ):
        await parrot.join(CHANNEL)
        for number in range(30):
            parrot.say(HOST, f'I do not know "{number}". Say help for what I know.')
            parrot.say(HOST, f"score number {number}")
        parrot.say(HOST, "rules")
        await parrot.wait_for("Upper bonus", PATIENCE)
        answers = [line.text for line in parrot.lines if line.nick == HOST and line.params[0] == "parrot"]
        assert len(answers) < 10, answers


async def test_a_line_that_pretends_to_be_the_hosts_own() -> None:
    async with (
        Ngircd() as server,
        HostProcess(server) as host,
        company(server, ("alice",), "hasbro") as (alice,),
    ):
        await sit_down([alice])
        tag = await alice.dealt()
        for source in (HOST, f"{HOST}!~yardzee@127.0.0.1", "alice", "alice!~alice@127.0.0.1"):
            async with await Client.connect(server.host, server.port, "mallory") as mallory:
                # ngircd closes the connection over some of these, and drops others.
                mallory.send_raw(f":{source} PRIVMSG {HOST} :score chance", "QUIT")
                await mallory.closed()
        assert DiceTag.find(await alice.ask("dice")) == tag
        await host.watcher.sync()


@pytest.mark.parametrize("how", ["byte by byte", "in one piece"])
async def test_commands_that_come_broken_or_together(how: str) -> None:
    async with (
        Ngircd() as server,
        HostProcess(server),
        company(server, ("alice", "bob"), "hasbro") as players,
    ):
        await sit_down(players)
        await asyncio.gather(*(player.dealt() for player in players))
        lines = "".join(
            f"PRIVMSG {HOST} :{text}\r\n" for text in ("keep a", "keep a", "score chance", "card")
        )
        alice = players[0].client
        data = lines.encode()
        for piece in [data] if how == "in one piece" else [bytes([byte]) for byte in data]:
            alice.send_raw(piece)
            await asyncio.sleep(0)
        for wanted in ("roll 2/3", "roll 3/3", "Scored Chance", "Used: Chance"):
            line = await alice.wait_for(f":{HOST}!.* PRIVMSG alice :", PATIENCE)
            assert wanted in line.text
