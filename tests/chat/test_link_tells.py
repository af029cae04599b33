"""What the link makes of the lines of a server, good ones and bad ones."""

import time

import pytest

from chat.events import (
    Acted,
    Disconnected,
    Joined,
    Kicked,
    Message,
    Names,
    NickChanged,
    Parted,
    Quit,
    Refused,
    User,
)
from tests.chat.harness import AL, FakeServer, Running, hears, scripted, settings


async def test_registers_joins_and_tells() -> None:
    async with scripted() as (running, peer):
        me = User("Yardzee", "~yardzee", "host.test")
        assert await running.next(Joined) == Joined(me, "#y")
        assert await running.next(Names) == Names("#y", ("Yardzee", "al"))
        al = User("al", "~al", "host.al")
        peer.send(
            f"{AL} PRIVMSG #Y :!join",
            f"{AL} PRIVMSG yardzee :dice  ",
            f"{AL} PRIVMSG #y :\x01ACTION waves\x01",
            f"{AL} NICK :bo",
            ":bo!~al@host.al PART #y :bye",
            ":bo!~al@host.al JOIN :#y",
            ":cy!c@c KICK #y bo :out",
            ":cy!c@c QUIT",
            ":irc.test 404 Yardzee #y :Cannot send to channel",
            ":irc.test 401 Yardzee bo :No such nick",
            ":irc.test 408 Yardzee #y c :You cannot use colors",
            ":irc.test 486 Yardzee :You must identify to write to bo",
            ":irc.test 439 Yardzee bo :Target change too fast. Please wait 43 seconds.",
            ":irc.test NOTICE Yardzee :*** Message to bo throttled due to flooding",
            ":irc.test NOTICE Yardzee :*** Notice that means nothing",
            ":bo!b@b NOTICE Yardzee :*** Message to al throttled due to flooding",
            ":irc.test 707 Yardzee bo :Targets changing too fast, message dropped",
            ":irc.test 716 Yardzee bo :is in +g mode",
        )
        bo = User("bo", "~al", "host.al")
        await running.next(Refused, lambda event: event.numeric == 716)
        assert running.events[-16:] == [
            Message(al, "#Y", "!join", private=False),
            Message(al, "yardzee", "dice  ", private=True),
            Acted(al, "#y", "waves"),
            NickChanged(al, "bo"),
            Parted(bo, "#y"),
            Joined(bo, "#y"),
            Kicked("bo", "#y", "cy", "out"),
            Quit(User("cy", "c", "c"), ""),
            Refused(404, "#y", "Cannot send to channel"),
            Refused(401, "bo", "No such nick"),
            Refused(408, "#y", "You cannot use colors"),
            Refused(486, "", "You must identify to write to bo"),
            Refused(439, "bo", "Target change too fast. Please wait 43 seconds.", wait=43),
            Refused(439, "bo", "*** Message to bo throttled due to flooding"),
            Refused(707, "bo", "Targets changing too fast, message dropped"),
            Refused(716, "bo", "is in +g mode"),
        ]


@pytest.mark.parametrize(
    "line",
    [
        f"{AL} NOTICE Yardzee :score yahtzee",
        f"{AL} NOTICE #y :!join",
        f"{AL} PRIVMSG Yardzee :\x01ACTION !join\x01",
        f"{AL} PRIVMSG #elsewhere :\x01ACTION !join\x01",
        f"{AL} PRIVMSG #y :\x01ACTION\x01",
        f"{AL} PRIVMSG #y :\x01VERSION",
        f"{AL} PRIVMSG Yardzee :\x01DCC\x01",
        ":Yardzee!~yardzee@host.test PRIVMSG #y :!join",
        ":yARDZEE!~yardzee@host.test PRIVMSG Yardzee :!join",
        ":irc.test PRIVMSG Yardzee :!join",
        "PRIVMSG Yardzee :!join",
        f"{AL} PRIVMSG @#y :!join",
        f"{AL} PRIVMSG $$* :!join",
        f"{AL} PRIVMSG #elsewhere :!join",
        f"{AL} PRIVMSG #y",
        f"{AL} PRIVMSG #y :",
        f"{AL} PRIVMSG",
        ":irc.test 001",
        ":irc.test 353 Yardzee",
        ":irc.test 366",
        ":irc.test 433 Yardzee",
        ":irc.test 437 Yardzee other :unavailable",
    ],
)
async def test_not_told(line: str) -> None:
    async with scripted() as (running, peer):
        await running.next(Names)
        told = len(running.events)
        peer.send(line)
        await hears(running, peer)
        assert len(running.events) == told + 1


@pytest.mark.parametrize(
    "line",
    [
        b":al!a@h PRIVMSG #y :caf\xe9\r\n",
        b" \r\n",
        b"\r\n\r\n\n",
        b"PING\r\n",
        b"NICK al\r\n",
        b"NICK\r\n",
        b":al!a@h NICK\r\n",
        b":irc.test 005 Yardzee TARGMAX=PRIVMSG :are supported\r\n",
        b":irc.test 005\r\n",
        b":al!a@h QUIT\r\n",
        b"QUIT\r\n",
        b"JOIN\r\n",
        b"KICK #y\r\n",
        b":\r\n",
        b":al!a@h\r\n",
        b"@\r\n",
        b"\xff\xfe\r\n",
        b"\0\r\n",
        b":al!a@h \x01 \x01\r\n",
        b":x" * 3000 + b"\r\n",
        b":irc.test 999999999999 Yardzee :x\r\n",
        ":al!a@h PRIVMSG \u0664 :\u0664\r\n".encode(),
        ":irc.test \u0664\u0660\u0664 Yardzee #y :x\r\n".encode(),
        ":irc.test \u00b2 Yardzee #y :x\r\n".encode(),
    ],
)
async def test_a_bad_line_costs_nothing_else(line: bytes) -> None:
    """The good line after it, in the same packet, is handled."""
    async with scripted() as (running, peer):
        peer.send(line, f"{AL} PRIVMSG #y :good")
        await running.next(Message, lambda message: message.text == "good")
        assert running.link.connected
        assert Disconnected not in map(type, running.events)


async def test_latin_1_and_characters_cut_by_packets() -> None:
    async with scripted() as (running, peer):
        peer.send(b":al!a@h PRIVMSG #y :caf\xe9\r\n:al!a@h PRIVMSG #y :\xe2\x9a")
        assert (await running.next(Message)).text == "café"
        peer.send(b"\x80\r\n")
        assert (await running.next(Message)).text == "⚀"


async def test_ping_is_answered_also_before_the_welcome() -> None:
    async with FakeServer() as server, Running(settings(server.port)):
        peer = await server.accept()
        peer.send("PING :a b", "PING")
        assert await peer.expect("PONG") == "PONG :a b"
        assert await peer.expect("PONG") == "PONG :"


async def test_sixteen_megabytes_without_an_end() -> None:
    async with scripted() as (running, peer):
        began = time.process_time()
        for _ in range(256):
            peer.send(b"x" * 65536)
            await peer.writer.drain()
        peer.send(b"\r\n")
        await hears(running, peer)
        assert time.process_time() - began < 2


async def test_ctcp_quoting_makes_no_second_line() -> None:
    """The library's dequoting turns \\x10r into CR. A bot that repeats text would be made to say anything."""
    async with scripted() as (running, peer):
        peer.send(f"{AL} PRIVMSG #y :x\x10rPRIVMSG #y :pwned\x10n\x100")
        message = await running.next(Message)
        assert message.text == "x\x10rPRIVMSG #y :pwned\x10n\x100"
        running.link.send("#y", message.text)
        assert await peer.expect("PRIVMSG") == f"PRIVMSG #y :{message.text}"
        running.link.send("#y", "end")
        assert await peer.line() == "PRIVMSG #y :end"


async def test_a_bare_cr_in_what_comes_in_is_no_line_end() -> None:
    async with scripted() as (running, peer):
        peer.send(f"{AL} PRIVMSG #y :x\r:irc.test 404 Yardzee #y :forged\0")
        assert (await running.next(Message)).text == "x :irc.test 404 Yardzee #y :forged "
        await hears(running, peer)
        assert Refused not in map(type, running.events)
