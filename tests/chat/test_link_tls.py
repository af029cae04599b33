"""TLS: certificates are verified, always."""

import shutil
import ssl
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from chat.events import Connected, Joined
from tests.chat.harness import Attempts, FakeServer, Running, settings


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for 127.0.0.1 that nobody has signed but itself, and its key."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise RuntimeError("these tests make a certificate: apt-get install openssl")
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        [
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", "/CN=test", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
            "-out", str(cert), "-keyout", str(key),
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return cert, key


def server_context(cert: Path, key: Path) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(cert, key)
    return context


def trusting(cert: Path) -> Callable[[], ssl.SSLContext]:
    return lambda: ssl.create_default_context(cafile=str(cert))


async def test_a_certificate_that_is_trusted(certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    async with (
        FakeServer(server_context(cert, key)) as server,
        Running(settings(server.port, tls=True), tls_context=trusting(cert)) as running,
    ):
        peer = await server.accept()
        await peer.welcome()
        await running.next(Joined)
        running.link.send("#y", "in secret")
        await peer.expect("PRIVMSG #y :in secret")


async def test_a_certificate_that_is_not_trusted(certificate: tuple[Path, Path]) -> None:
    async with FakeServer(server_context(*certificate)) as server:
        with Attempts() as attempts:
            async with Running(settings(server.port, tls=True, password="hunter2")) as running:
                await attempts.gap()
                await attempts.gap()
            assert running.events == []


async def test_a_certificate_for_another_name(certificate: tuple[Path, Path]) -> None:
    cert, key = certificate
    async with FakeServer(server_context(cert, key)) as server:
        with Attempts() as attempts:
            other = settings(server.port, tls=True, server="localhost")
            async with Running(other, tls_context=trusting(cert)) as running:
                await attempts.gap()
            assert Connected not in map(type, running.events)


async def test_never_plain_where_tls_is_wanted() -> None:
    """A server that speaks no TLS gets no password."""
    async with FakeServer() as server, Running(settings(server.port, tls=True, password="hunter2")):
        peer = await server.accept()
        peer.send(":irc.test NOTICE * :plain here")
        await server.accept()
