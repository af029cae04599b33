"""Logins on a real server, with services behind it that know accounts."""

from pathlib import Path

import pytest

from chat.events import Connected, Joined
from chat.settings import Account, Mechanism
from chat.tls import Tls
from tests.chat.harness import Attempts, Running, settings
from tests.chat.logins import EXTERNAL, NICKSERV, ONCE, PASSWORD, PLAIN, optional, warnings
from tests.support.certificates import Certificate, make
from tests.support.client import Client
from tests.support.inspircd import Inspircd, Services

LONG = Account(Mechanism.PLAIN, "Hoster", "x" * 286)
"""Fills one AUTHENTICATE to the brim."""


@pytest.fixture(scope="module")
def mine(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return make(tmp_path_factory.mktemp("mine"), "hoster")


@pytest.fixture
def theirs(tmp_path: Path) -> Certificate:
    return make(tmp_path, "server")


async def account_of(server: Inspircd, nick: str) -> list[str]:
    """The account of a nick as the server tells it to others."""
    async with await Client.connect(server.host, server.port, "al") as al:
        al.send_raw(f"WHOIS {nick}")
        await al.wait_for(" 318 ")
        return [line.params[2] for line in al.lines if line.command == "330"]


@pytest.mark.parametrize("account", [PLAIN, LONG, NICKSERV])
async def test_with_a_password(account: Account) -> None:
    passwords = {"Hoster": account.password or ""}
    async with Inspircd() as server, Services(server, passwords=passwords) as services:
        services.bring_nickserv()
        async with Running(settings(server.port, account=account)) as running:
            await running.next(Joined)
            assert await account_of(server, "Yardzee") == ["Hoster"]


@pytest.mark.parametrize("account", [PLAIN, NICKSERV])
async def test_a_wrong_password_joins_nothing(account: Account, caplog: pytest.LogCaptureFixture) -> None:
    async with Inspircd() as server, Services(server, passwords={"Hoster": "another"}) as services:
        services.bring_nickserv()
        with Attempts() as attempts:
            async with Running(settings(server.port, account=account), ONCE) as running:
                await attempts.gap()
            assert running.events == []
        async with Running(settings(server.port, account=optional(account)), ONCE) as running:
            await running.next(Joined)
    assert ["going on without" in line for line in warnings(caplog)] == [False, True]
    assert all(": check " in line for line in warnings(caplog))
    assert PASSWORD not in caplog.text


async def test_with_a_certificate(mine: Certificate, theirs: Certificate) -> None:
    tls = Tls(client_cert=mine.cert, client_key=mine.key, fingerprint=theirs.fingerprint)
    async with (
        Inspircd(certificate=theirs) as server,
        Services(server, fingerprints={"Hoster": mine.fingerprint}),
    ):
        for account in (EXTERNAL, Account(Mechanism.EXTERNAL)):
            async with Running(settings(server.port, tls=tls, account=account)) as running:
                await running.next(Joined)
                assert running.link.nick == "Yardzee"


async def test_a_certificate_that_the_account_does_not_know(
    mine: Certificate, theirs: Certificate, caplog: pytest.LogCaptureFixture
) -> None:
    tls = Tls(client_cert=mine.cert, client_key=mine.key, fingerprint=theirs.fingerprint)
    async with (
        Inspircd(certificate=theirs) as server,
        Services(server, fingerprints={"Hoster": theirs.fingerprint}),
        Running(settings(server.port, tls=tls, account=optional(EXTERNAL)), ONCE) as running,
    ):
        await running.next(Joined)
    (line,) = warnings(caplog)
    assert "the account does not know the certificate in tls.client_cert" in line


async def test_services_that_do_not_take_the_mechanism(caplog: pytest.LogCaptureFixture) -> None:
    async with (
        Inspircd() as server,
        Services(server, mechanisms="EXTERNAL"),
        Running(settings(server.port, account=optional(PLAIN)), ONCE) as running,
    ):
        await running.next(Joined)
    assert "the server offers EXTERNAL only" in warnings(caplog)[0]


async def test_services_that_are_down(caplog: pytest.LogCaptureFixture) -> None:
    async with (
        Inspircd() as server,
        Running(settings(server.port, account=optional(PLAIN)), ONCE) as running,
    ):
        assert await running.next(Connected) == Connected("Yardzee")
        await running.next(Joined)
    assert "there is no NickServ (401" in warnings(caplog)[0]
