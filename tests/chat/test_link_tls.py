"""TLS: certificates are verified, always; by an authority, or by their fingerprint."""

import ssl
from collections.abc import Iterator
from pathlib import Path

import pytest

from chat.events import Connected, Joined
from chat.tls import Tls, TlsFault, WrongCertificate
from tests.chat.harness import Attempts, FakeServer, Running, settings
from tests.support.certificates import Certificate, make
from tests.support.ngircd import Ngircd


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("tls")


@pytest.fixture(scope="module")
def certificate(folder: Path) -> Certificate:
    return make(folder, "test")


@pytest.fixture(scope="module")
def other(folder: Path) -> Certificate:
    return make(folder, "other")


@pytest.fixture
def attempts() -> Iterator[Attempts]:
    with Attempts() as attempts:
        yield attempts


async def test_a_certificate_that_is_trusted(certificate: Certificate) -> None:
    async with (
        FakeServer(certificate.server_context()) as server,
        Running(settings(server.port, tls=Tls(ca_file=certificate.cert))) as running,
    ):
        peer = await server.accept()
        await peer.welcome()
        await running.next(Joined)
        running.link.send("#y", "in secret")
        await peer.expect("PRIVMSG #y :in secret")


async def test_a_certificate_that_is_not_trusted(certificate: Certificate, attempts: Attempts) -> None:
    async with FakeServer(certificate.server_context()) as server:
        async with Running(settings(server.port, tls=True, password="hunter2")) as running:
            await attempts.gap()
            await attempts.gap()
        assert running.events == []
        assert "is not trusted (self-signed certificate): tls.ca_file or tls.fingerprint" in attempts.last


async def test_a_certificate_for_another_name(certificate: Certificate, attempts: Attempts) -> None:
    async with FakeServer(certificate.server_context()) as server:
        named = settings(server.port, tls=Tls(ca_file=certificate.cert), server="localhost")
        async with Running(named) as running:
            await attempts.gap()
        assert Connected not in map(type, running.events)


async def test_never_plain_where_tls_is_wanted() -> None:
    """A server that speaks no TLS gets no password."""
    async with FakeServer() as server, Running(settings(server.port, tls=True, password="hunter2")):
        peer = await server.accept()
        peer.send(":irc.test NOTICE * :plain here")
        await server.accept()


def _colons(text: str) -> str:
    return ":".join(text[at : at + 2] for at in range(0, len(text), 2)).upper()


@pytest.mark.parametrize("written", [str, str.upper, _colons])
async def test_a_certificate_that_nobody_signed_is_taken_by_its_fingerprint(
    certificate: Certificate,
    written: type[str],
) -> None:
    extra = f"[SSL]\nCertFile = {certificate.cert}\nKeyFile = {certificate.key}\nPorts = {{tls_port}}\n"
    async with Ngircd(extra=extra) as server:
        tls = Tls(fingerprint=written(certificate.fingerprint))
        async with Running(settings(server.tls_port, tls=tls, server="localhost")) as running:
            await running.next(Joined)


@pytest.mark.parametrize("trusted", [True, False])
async def test_no_other_certificate_is_taken_though_an_authority_vouches_for_it(
    certificate: Certificate, other: Certificate, attempts: Attempts, *, trusted: bool
) -> None:
    tls = Tls(fingerprint=other.fingerprint, ca_file=certificate.cert if trusted else None)
    context = certificate.server_context()
    # Where the server's part of the handshake is the last one, so that it sees the link at all.
    context.maximum_version = ssl.TLSVersion.TLSv1_2
    async with FakeServer(context) as server:
        async with Running(settings(server.port, tls=tls, password="hunter2")) as running:
            peer = await server.accept()
            peer.send("PING :too early")
            assert await peer.closed() == [], "nothing is said to whom nobody knows"
            await attempts.gap()
        assert running.events == []
    assert f"has the fingerprint {certificate.fingerprint}: not the one that" in attempts.last


def test_what_the_server_shows_is_compared_and_nothing_else(certificate: Certificate) -> None:
    Tls().check(None)
    for shown in (None, b""):
        with pytest.raises(WrongCertificate):
            Tls(fingerprint=certificate.fingerprint).check(shown)


async def test_a_file_that_goes_missing_is_told_and_tried_again(folder: Path, attempts: Attempts) -> None:
    async with FakeServer() as server:
        async with Running(settings(server.port, tls=Tls(ca_file=str(folder / "gone.pem")))):
            await attempts.gap()
            await attempts.gap()
        assert server.waiting == 0
    assert "gone.pem' cannot be read: No such file" in attempts.last


@pytest.fixture
def files(folder: Path, certificate: Certificate, other: Certificate) -> dict[str, str]:
    both, passphrase, words = folder / "both.pem", folder / "passphrase.key", folder / "words.pem"
    both.write_text(Path(certificate.cert).read_text() + Path(certificate.key).read_text())
    passphrase.write_text("-----BEGIN ENCRYPTED PRIVATE KEY-----\n")
    words.write_text("no certificate\n")
    return {
        "cert": certificate.cert,
        "key": certificate.key,
        "other key": other.key,
        "both": str(both),
        "passphrase": str(passphrase),
        "words": str(words),
        "nowhere": str(folder / "nowhere"),
        "folder": str(folder),
    }


@pytest.mark.parametrize("keys", [{}, {"ca_file": "cert"}, {"client_cert": "both"},
                                  {"client_cert": "cert", "client_key": "key"}])  # fmt: skip
def test_files_that_do(files: dict[str, str], keys: dict[str, str]) -> None:
    Tls(**{key: files[name] for key, name in keys.items()}).context()


@pytest.mark.parametrize(
    ("keys", "key", "reason"),
    [
        ({"ca_file": "nowhere"}, "ca_file", "cannot be read: No such file"),
        ({"ca_file": "folder"}, "ca_file", "cannot be read: Is a directory"),
        ({"ca_file": "words"}, "ca_file", "holds no certificate"),
        ({"client_cert": "nowhere"}, "client_cert", "cannot be read"),
        ({"client_cert": "words", "client_key": "key"}, "client_cert", "holds no certificate"),
        ({"client_cert": "cert"}, "client_cert", "no private key in PEM form; client_key names"),
        ({"client_cert": "cert", "client_key": "words"}, "client_key", "no private key in PEM form"),
        ({"client_cert": "cert", "client_key": "nowhere"}, "client_key", "cannot be read"),
        ({"client_cert": "cert", "client_key": "other key"}, "client_key", "does not belong to"),
        ({"client_cert": "cert", "client_key": "passphrase"}, "client_key", "has a passphrase"),
    ],
)
def test_a_file_that_does_not_do_is_named_with_its_key(
    files: dict[str, str], keys: dict[str, str], key: str, reason: str
) -> None:
    with pytest.raises(TlsFault) as caught:
        Tls(**{key: files[name] for key, name in keys.items()}).context()
    assert caught.value.key == key
    assert reason in caught.value.reason


@pytest.mark.parametrize("keys", [{"client_key": "x"}, {"fingerprint": ""}, {"fingerprint": "g" * 64},
                                  {"fingerprint": "a" * 40}])  # fmt: skip
def test_settings_that_cannot_be_meant(keys: dict[str, str]) -> None:
    with pytest.raises(ValueError, match=r"client_cert|64 hex digits"):
        Tls(**keys)
