"""What the tests of logins share: accounts, and a server that leads a link through one."""

from __future__ import annotations

import dataclasses
import logging

import pytest

from chat.settings import Account, Mechanism
from tests.chat.harness import FAST, Peer

PASSWORD = "hunter2-é"
PLAIN = Account(Mechanism.PLAIN, "Hoster", PASSWORD)
EXTERNAL = Account(Mechanism.EXTERNAL, "Hoster")
NICKSERV = Account(Mechanism.NICKSERV, "Hoster", PASSWORD)
ONCE = dataclasses.replace(FAST, refused_first=1000, refused_longest=1000)
"""After a login that failed there is no second one in this test."""


def optional(account: Account) -> Account:
    """The account when it is not required."""
    return dataclasses.replace(account, required=False)


async def offer(peer: Peer, capabilities: str) -> None:
    """Offer capabilities, and grant what is asked for. The link may go on before the end of it."""
    await peer.expect("USER ")
    peer.send(f":irc.test CAP * LS :{capabilities}")
    asked = (await peer.expect("CAP REQ :")).removeprefix("CAP REQ ")
    peer.send(f":irc.test CAP * ACK {asked}")


async def answered(peer: Peer, capabilities: str = "sasl=PLAIN,EXTERNAL") -> str:
    """Lead a link to where it has answered by SASL, and return its answer."""
    await offer(peer, capabilities)
    assert (await peer.line()).startswith("AUTHENTICATE ")
    peer.send("AUTHENTICATE +")
    return (await peer.line()).removeprefix("AUTHENTICATE ")


def warnings(caplog: pytest.LogCaptureFixture) -> list[str]:
    """What the link tells an operator to look at."""
    # Not of asyncio, which may be late to learn that a server of another test has ended.
    ours = [record for record in caplog.records if record.name.startswith("chat.")]
    return [caplog.handler.format(record) for record in ours if record.levelno >= logging.WARNING]
