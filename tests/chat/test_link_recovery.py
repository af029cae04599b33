"""Services that give the link its nick back, and such that do not."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterable
from itertools import pairwise

import pytest

from chat.backoff import Backoff
from chat.events import Connected, NickChanged
from chat.recovery import COMMANDS, Recovery
from tests.chat.harness import FAST, FakeServer, Peer, Running, hears, settings
from tests.chat.logins import NICKSERV, PLAIN, answered, optional
from tests.support.client import Client
from tests.support.inspircd import Inspircd, Services

SLOW = dataclasses.replace(FAST, regain_first=1000, regain_longest=1000, refused_first=1000)
OTHERS = ":NickServ!s@services NOTICE Yardzee_ :"
NO = ":irc.test 433 Yardzee_ Yardzee :Nickname is already in use"


async def without_its_nick(peer: Peer) -> None:
    """Let a link log in and come into its channel while somebody else has its nick."""
    await answered(peer)
    peer.send(":irc.test 903 * :SASL authentication successful", ":irc.test 433 * Yardzee :in use")
    await peer.expect("CAP END")
    peer.greet("Yardzee_")


async def test_each_command_once_and_no_password() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN), SLOW) as running:
        peer = await server.accept()
        await without_its_nick(peer)
        for command in COMMANDS:
            assert await peer.expect("PRIVMSG") == f"PRIVMSG NickServ :{command} Yardzee"
            peer.send(f"{OTHERS}Unknown command", f"{OTHERS}/msg NickServ HELP")
            assert await peer.expect("NICK") == "NICK Yardzee"
            peer.send(NO)
        peer.joined("Yardzee_")
        await hears(running, peer)
        peer.send(f"{OTHERS}Access denied", NO, NO)
        await hears(running, peer, "again")
        running.link.send("#y", "end")
        assert await peer.expect("PRIVMSG") == "PRIVMSG #y :end"


async def test_the_nick_that_services_give_it_is_kept() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN), SLOW) as running:
        peer = await server.accept()
        await without_its_nick(peer)
        await peer.expect("PRIVMSG NickServ :REGAIN Yardzee")
        peer.send(":Yardzee_!~yardzee@host.test NICK :Yardzee", f"{OTHERS}Done")
        peer.joined("Yardzee")
        await hears(running, peer)
        running.link.send("#y", "end")
        assert "NICK Yardzee" not in await _until(peer, "PRIVMSG #y :end")


async def _until(peer: Peer, last: str) -> list[str]:
    lines: list[str] = []
    while (line := await peer.line()) != last:
        assert line, lines
        lines.append(line)
    return lines


@pytest.mark.parametrize("account", [None, optional(PLAIN), optional(NICKSERV)])
async def test_without_a_login_services_are_not_asked(account: object) -> None:
    timings = dataclasses.replace(SLOW, login=0.05, regain_first=0.05, regain_longest=0.05)
    async with FakeServer() as server, Running(settings(server.port, account=account), timings):
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test 433 * Yardzee :in use")
        await peer.expect("NICK Yardzee_")
        peer.greet("Yardzee_")
        said = []
        for _ in range(3):
            said += await _until(peer, "NICK Yardzee")
            peer.send(NO, f"{OTHERS}This nickname is registered")
        assert "JOIN #y" in said
        assert not [line for line in said if any(f":{command} " in line for command in COMMANDS)]


def rounds(seconds: Iterable[int], over: Callable[[Recovery], None]) -> list[int]:
    """When rounds of commands begin, for a nick that is refused at these times."""
    now = 0
    recovery = Recovery(Backoff(180, 3600, lambda: 1.0), 3600, lambda: now)
    began = []
    for now in seconds:
        if recovery.refused("Yardzee") == "PRIVMSG NickServ :REGAIN Yardzee":
            began.append(now)
        over(recovery)
    return began


@pytest.mark.parametrize("over", [lambda _: None, Recovery.over], ids=["never given", "given and lost"])
def test_services_are_asked_with_gaps_that_grow(over: Callable[[Recovery], None]) -> None:
    """Also over many connections: who puts the link out may be another of its kind."""
    gaps = [later - earlier for earlier, later in pairwise(rounds(range(24 * 3600), over))]
    assert gaps[:6] == [180, 360, 720, 1440, 2880, 3600]
    assert set(gaps[6:]) == {3600}


def test_after_a_good_while_the_gaps_begin_anew() -> None:
    later = 8 * 3600
    began = rounds((*range(4 * 3600), *range(later, later + 3600)), Recovery.over)
    assert [at - later for at in began if at >= later] == [0, 180, 540, 1260, 2700]


async def test_a_ghost_on_a_real_server() -> None:
    account = dataclasses.replace(PLAIN, user="Yardzee")
    async with (
        Inspircd() as server,
        Services(server, passwords={"Yardzee": PLAIN.password or ""}) as services,
        await Client.connect(server.host, server.port, "Yardzee"),
    ):
        services.bring_nickserv()
        async with Running(settings(server.port, account=account), SLOW) as running:
            assert (await running.next(Connected)).nick == "Yardzee_"
            assert (await running.next(NickChanged)).nick == "Yardzee"
    assert services.asked == list(COMMANDS)
