"""Logins with NickServ: only it is told the password, and what it answers is understood."""

import dataclasses
import logging

import pytest

from chat.events import Connected, Joined
from chat.nickserv import grants_registered, verdict
from chat.settings import Account, Mechanism
from chat.wire import Line
from tests.chat.harness import FakeServer, Peer, Running, hears, settings
from tests.chat.logins import NICKSERV, ONCE, PASSWORD, PLAIN, offer, optional, warnings
from tests.support.client import Client
from tests.support.ngircd import Ngircd

IDENTIFY = f"PRIVMSG NickServ :IDENTIFY Hoster {PASSWORD}"
SERVICE = ":NickServ!services@services.test"
PROMPT = (
    f"{SERVICE} NOTICE Yardzee :This nickname is registered. Please identify via \x02/msg NickServ IDENTIFY"
)


async def identifying(peer: Peer) -> None:
    """Lead a link to where it has told NickServ who it is."""
    await peer.expect("USER")
    peer.greet()
    assert await peer.line() == IDENTIFY


@pytest.mark.parametrize(
    "success",
    [
        ":irc.test 900 Yardzee Yardzee!~y@host.test Hoster :You are now logged in as Hoster",
        ":irc.test MODE Yardzee :+r",
        ":Yardzee MODE Yardzee :-x+ir",
        ":Yardzee!~y@host.test ACCOUNT Hoster",
        f"{SERVICE} NOTICE Yardzee :You are now identified for \x02Hoster\x02.",
        ":nickserv!s@s NOTICE yardzee :Password accepted - you are now recognized.",
    ],
)
async def test_nothing_is_joined_before_the_login(success: str) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=NICKSERV)) as running:
        peer = await server.accept()
        await identifying(peer)
        peer.send(PROMPT, "PING :x")
        assert await peer.line() == "PONG :x"
        assert running.events == []
        peer.send(success)
        assert await peer.line() == "JOIN #y"
        peer.joined()
        await running.next(Joined)


async def test_a_server_that_refuses_sasl_has_none() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN)) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test CAP * LS :sasl=PLAIN")
        assert await peer.line() == "CAP REQ :sasl"
        peer.send(":irc.test CAP * NAK :sasl")
        assert await peer.line() == "CAP END"
        peer.greet()
        assert await peer.line() == IDENTIFY
        assert running.events == []


@pytest.mark.parametrize("capabilities", ["", "batch"])
async def test_a_server_without_sasl_gets_plain_by_way_of_nickserv(capabilities: str) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN)) as running:
        peer = await server.accept()
        if capabilities:
            await offer(peer, capabilities)
            assert await peer.line() == "CAP END"
            peer.greet()
            assert await peer.line() == IDENTIFY
        else:
            await identifying(peer)
        peer.send(":irc.test MODE Yardzee +r")
        await running.next(Connected)


async def test_a_motd_that_never_ends_does_not_keep_it_from_the_login() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=NICKSERV)):
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test 001 Yardzee :hi")
        assert await peer.line() == IDENTIFY


IMPOSTORS = [
    ":Nickserv2!s@s NOTICE Yardzee :You are now identified for Hoster.",
    ":al!~al@host.al NOTICE Yardzee :You are now identified for Hoster.",
    f"{SERVICE} NOTICE #y :You are now identified for Hoster.",
    f"{SERVICE} NOTICE al :You are now identified for Hoster.",
    ":al!~al@host.al NOTICE Yardzee :Incorrect password. Send it to me again.",
    ":al!~al@host.al PRIVMSG Yardzee :IDENTIFY",
    ":irc.test MODE al +r",
    ":irc.test MODE Yardzee -r",
    ":al!~al@host.al ACCOUNT Alice",
    ":Yardzee!~y@host.test ACCOUNT *",
    ":irc.test 401 Yardzee somebody :No such nick/channel",
    ":irc.test 903 Yardzee :SASL authentication successful",
]


@pytest.mark.parametrize("line", IMPOSTORS)
async def test_what_others_say_is_no_answer_and_gets_none(line: str) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=NICKSERV)) as running:
        peer = await server.accept()
        await identifying(peer)
        peer.send(line, "PING :x")
        assert await peer.line() == "PONG :x"
        assert running.events == []


@pytest.mark.parametrize("prompt", [PROMPT, ":al!~al@host.al NOTICE Yardzee :Please identify to me"])
async def test_asked_for_it_the_link_does_not_say_it_again(prompt: str) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=NICKSERV)) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(prompt)
        peer.greet()
        assert await peer.line() == IDENTIFY
        peer.send(prompt, ":irc.test MODE Yardzee +r", prompt)
        assert await peer.line() == "JOIN #y"
        peer.joined()
        await running.next(Joined)
        peer.send(prompt, "PING :x")
        assert await peer.expect("P") == "PONG :x"


FAILED = {
    f"{SERVICE} NOTICE Yardzee :\x02Password\x02 incorrect.": "NickServ says <Password incorrect.>: check",
    f"{SERVICE} NOTICE Yardzee :Your nick isn't registered.": "<Your nick is",
    ":irc.test 401 Yardzee NickServ :No such nick/channel": "there is no NickServ (401",
    ":irc.test 440 Yardzee NickServ :Services are down": "there is no NickServ (440",
    f"{SERVICE} NOTICE Yardzee :Access denied: {PASSWORD} is wrong": "<Access denied: (not shown) is wrong>",
    "": "NickServ gave no answer within 0.2 s: the services may be down",
}


@pytest.mark.parametrize("line", FAILED)
@pytest.mark.parametrize("account", [NICKSERV, optional(NICKSERV)])
async def test_a_login_that_fails_is_one_line_of_the_log(
    account: Account, line: str, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    timings = ONCE if line else dataclasses.replace(ONCE, login=0.2)
    async with FakeServer() as server, Running(settings(server.port, account=account), timings) as running:
        peer = await server.accept()
        await identifying(peer)
        peer.send(line)
        if account.required:
            assert await peer.closed() == []
            assert running.events == []
        else:
            assert await peer.line() == "JOIN #y"
            peer.joined()
            await running.next(Joined)
            await hears(running, peer)
    (warning,) = warnings(caplog)
    assert FAILED[line] in warning
    assert "hunter2" not in caplog.text
    assert "line='PRIVMSG to NickServ (not shown)'" in caplog.text


async def test_without_a_login_it_is_tried_again_on_the_same_connection() -> None:
    timings = dataclasses.replace(ONCE, refused_first=0.05)
    account = optional(NICKSERV)
    async with FakeServer() as server, Running(settings(server.port, account=account), timings) as running:
        peer = await server.accept()
        await identifying(peer)
        peer.send(":irc.test 401 Yardzee NickServ :No such nick/channel")
        await peer.expect("JOIN #y")
        peer.joined()
        await peer.expect(IDENTIFY)
        peer.send(":irc.test MODE Yardzee +r")
        await hears(running, peer)


async def test_a_password_with_a_space_is_not_sent_in_pieces(caplog: pytest.LogCaptureFixture) -> None:
    account = Account(Mechanism.PLAIN, "Hoster", "hunter 2")
    async with FakeServer() as server, Running(settings(server.port, account=account), ONCE):
        peer = await server.accept()
        await peer.expect("USER")
        peer.greet()
        assert await peer.closed() == []
    assert "NickServ takes no password with a space in it" in warnings(caplog)[0]


async def test_a_nickserv_that_is_a_program_on_a_real_server() -> None:
    async with (
        Ngircd() as server,
        await Client.connect(server.host, server.port, "NickServ") as nickserv,
        Running(settings(server.port, account=PLAIN)) as running,
    ):
        said = await nickserv.wait_for("PRIVMSG NickServ")
        assert said.text == f"IDENTIFY Hoster {PASSWORD}"
        assert running.events == []
        nickserv.send_raw("NOTICE Yardzee :You are now identified for Hoster.")
        await running.next(Joined)


async def test_a_real_server_where_nobody_is_called_nickserv(caplog: pytest.LogCaptureFixture) -> None:
    async with Ngircd() as server, Running(settings(server.port, account=optional(PLAIN)), ONCE) as running:
        await running.next(Joined)
    assert ["there is no NickServ (401" in line for line in warnings(caplog)] == [True]


@pytest.mark.parametrize(
    ("text", "meaning"),
    [
        ("You are now identified for \x02Hoster\x02.", True),
        ("You are now logged in as \x0303Hoster\x0f", True),
        ("You're now logged in as Hoster", True),
        ("You are already logged in as Hoster.", True),
        ("You are successfully identified as Hoster.", True),
        ("Password accepted -- you are now recognised.", True),
        ("You have successfully identified.", True),
        ("Invalid password for Hoster.", False),
        ("Authentication failed. Invalid account credentials", False),
        ("Hoster is not a registered nickname.", False),
        ("Nick Hoster isn't registered.", False),
        ("You are not identified.", False),
        ("Account does not exist", False),
        ("You cannot identify: your account is suspended.", False),
        ("Your account has not been confirmed yet.", False),
        ("Insufficient parameters for IDENTIFY.", False),
        ("Syntax: IDENTIFY [nickname] password", False),
        ("This nickname is registered and protected. If it is your nick, type /msg NickServ IDENTIFY", None),
        ("If you do not change within one minute, I will change your nick.", None),
        ("You have 30 seconds to identify to your nickname before it is changed.", None),
        ("Last login from: ~h@host.test", None),
    ],
)
def test_what_nickservs_say(text: str, *, meaning: bool | None) -> None:
    assert verdict(Line("NickServ!s@s", "NOTICE", ("Yardzee", text))) is meaning
    assert verdict(Line("Nick!s@s", "NOTICE", ("Yardzee", text))) is None


@pytest.mark.parametrize(
    ("modes", "granted"),
    [("+r", True), ("r", True), ("+iwr", True), ("+i-r", False), ("-i+r", True), ("+R", False), ("", False)],
)
def test_user_modes(modes: str, *, granted: bool) -> None:
    assert grants_registered(modes) is granted
