"""A host of a configuration file that logs in to the services of its network."""

import logging
from pathlib import Path

import pytest

from tests.support.certificates import make
from tests.support.client import Client
from tests.support.inspircd import Inspircd, Services
from tests.support.local_host import Host

NETWORK = """
store: sqlite://
networks:
  test:
    server: {server.host}
    port: {server.port}
    nick: Hoster
    channels: {{"#yardzee": }}
"""


async def test_with_a_password_of_the_environment() -> None:
    async with (
        Inspircd() as server,
        Services(server, passwords={"Houston": "hunter2"}),
        await Client.connect(server.host, server.port, "al") as al,
    ):
        await al.join("#yardzee")
        keys = "    tls: false\n    account: {mechanism: plain, user: Houston, password_env: PASSWORD}\n"
        async with Host(NETWORK.format(server=server) + keys, PASSWORD="hunter2"):
            await al.wait_for("Hoster!.* JOIN")
            al.send_raw("WHOIS Hoster")
            assert (await al.wait_for(" 330 ")).params[2] == "Houston"


async def test_with_a_certificate_of_its_own(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.INFO)
    mine, theirs = make(tmp_path, "mine"), make(tmp_path, "theirs")
    keys = f"""
    tls: {{client_cert: {mine.cert}, client_key: {mine.key}, fingerprint: "{theirs.fingerprint.upper()}"}}
    account: {{mechanism: external, user: Houston}}
"""
    async with (
        Inspircd(certificate=theirs) as server,
        Services(server, fingerprints={"Houston": mine.fingerprint}) as services,
    ):
        services.bring("al", "#yardzee")
        async with Host(NETWORK.format(server=server) + keys):
            await services.joined("#yardzee")
    assert " logged in   " in caplog.text
    assert " account=Houston" in caplog.text
