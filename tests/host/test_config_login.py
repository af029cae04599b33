"""The keys of TLS and of the login: what is read, and what every fault is answered with."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import pytest

from chat.settings import Account, Mechanism
from chat.tls import Tls
from host import cli, service
from host.config import ConfigError, Network, parse
from host.reload import changed
from tests.host.test_config import NETWORK, network, problems
from tests.support.certificates import make

DIGEST = "0123456789abcdef" * 4
ACCOUNT = "account: {mechanism: plain, user: Hoster, password_env: HOSTER_PASSWORD}"
EXTERNAL = "account: {mechanism: external}\n"


def only(text: str) -> Network:
    return parse(text, "c.yaml").networks[0]


def settings_of(text: str, **environ: str) -> Account | None:
    """The account as the link is told it."""
    return service._link_settings(only(text), environ).account


@pytest.mark.parametrize(
    ("keys", "tls", "port"),
    [
        ("", True, 6697),
        ("tls: true", True, 6697),
        ("tls: {}", True, 6697),
        ("tls: false", False, 6667),
        ("tls: {ca_file: ca.pem}", Tls(ca_file="ca.pem"), 6697),
        ("tls: {client_cert: c.pem, client_key: c.key}", Tls(None, "c.pem", "c.key"), 6697),
        (f"tls: {{fingerprint: {DIGEST}}}", Tls(fingerprint=DIGEST), 6697),
        (f"tls: {{fingerprint: '{DIGEST.upper()}'}}", Tls(fingerprint=DIGEST), 6697),
        (f"tls: {{fingerprint: '{':'.join(['AB'] * 32)}'}}", Tls(fingerprint="ab" * 32), 6697),
    ],
)
def test_tls(keys: str, tls: bool | Tls, port: int) -> None:
    found = only(network(keys))
    assert (found.tls, found.port) == (tls, port)


@pytest.mark.parametrize("mechanism", ["plain", "nickserv"])
def test_an_account_with_a_password(mechanism: str) -> None:
    text = network(ACCOUNT.replace("plain", mechanism))
    account = settings_of(text, HOSTER_PASSWORD="hunter2")
    assert account == Account(Mechanism(mechanism), "Hoster", "hunter2", required=True)
    assert "hunter" not in f"{account!r} {only(text)!r}"
    assert settings_of(text.replace("user:", "required: false, user:"), HOSTER_PASSWORD="x") == Account(
        Mechanism(mechanism), "Hoster", "x", required=False
    )


def test_an_account_whose_password_is_in_a_file(tmp_path: Path) -> None:
    (tmp_path / "password").write_text("hunter2\n")
    keys = f"account: {{mechanism: plain, user: Hoster, password_file: {tmp_path}/password}}"
    account = settings_of(network(keys))
    assert account is not None
    assert account.password == "hunter2"


def test_an_account_by_certificate_needs_neither_user_nor_password(tmp_path: Path) -> None:
    mine = make(tmp_path, "mine")
    tls = f"tls: {{client_cert: {mine.cert}, client_key: {mine.key}}}\n"
    assert settings_of(network(EXTERNAL + tls)) == Account(Mechanism.EXTERNAL)


def test_no_account() -> None:
    assert settings_of(NETWORK) is None


@pytest.mark.parametrize(
    ("keys", "path", "line", "message"),
    [
        ("tls:", "tls", 6, "has no value"),
        ("tls: [a]", "tls", 6, "true or false, not a list; or a mapping of ca_file"),
        ("tls: {ca_file:}", "tls.ca_file", 6, "has no value"),
        ("tls:\n  ca_file: 5", "tls.ca_file", 7, "must be text"),
        ("tls:\n  client_key: c.key", "tls.client_key", 7, "of no use without client_cert"),
        ("tls:\n  fingerprint: abc", "tls.fingerprint", 7, "64 hex digits"),
        (f"tls:\n  fingerprint: {'a' * 40}", "tls.fingerprint", 7, "is no SHA-256 fingerprint"),
        (f"tls:\n  fingerprint: {DIGEST}0", "tls.fingerprint", 7, "is no SHA-256 fingerprint"),
        (f"tls:\n  fingerprint: {'1' * 64}", "tls.fingerprint", 7, "put it in quotes"),
        ("account:", "account", 6, "has no value"),
        ("account: Hoster", "account", 6, "a mapping of keys"),
        ("account: {}", "account.mechanism", 6, "missing"),
        ("account:\n  mechanism: PLAIN", "account.mechanism", 7, "did you mean plain? possible: plain, ext"),
        (ACCOUNT.replace("plain", "scram"), "account.mechanism", 6, "'scram' is no mechanism"),
        (ACCOUNT.replace("Hoster,", "'a b',"), "account.user", 6, "no account"),
        (ACCOUNT.replace("Hoster,", f"{'x' * 65},"), "account.user", 6, "at most 64 bytes"),
        (ACCOUNT.replace("Hoster,", "5,"), "account.user", 6, "put it in quotes"),
        (ACCOUNT.replace("Hoster,", ","), "account.user", 6, "has no value"),
        ("account: {mechanism: plain, password_env: A}", "account.user", 6, "whom mechanism: plain logs in"),
        (
            "account: {mechanism: nickserv, user: H}",
            "account.password_env",
            6,
            "or password_file, is missing",
        ),
        ("account:\n  password: hunter2", "account.password", 7, "use password_env or password_file"),
        (ACCOUNT.replace("HOSTER_PASSWORD", "hunter-2"), "account.password_env", 6, "not the password"),
        (ACCOUNT.replace("}", ", password_file: x}"), "account.password_file", 6, "only one of the two"),
        (ACCOUNT.replace("}", ", required: 1}"), "account.required", 6, "true or false, not 1"),
        (ACCOUNT.replace("}", ", requird: true}"), "account.requird", 6, "did you mean required?"),
        (EXTERNAL, "account.mechanism", 6, "name it as tls.client_cert"),
        (EXTERNAL + "tls: false", "account.mechanism", 6, "name it as tls.client_cert"),
    ],
)
def test_a_fault_names_path_and_line(keys: str, path: str, line: int, message: str) -> None:
    found = [problem for problem in problems(network(keys)) if problem.path == f"networks.local.{path}"]
    assert [problem.line for problem in found] == [line]
    assert message in found[0].message
    assert "hunter" not in found[0].message


@dataclass(frozen=True)
class _Outside:
    """Something outside of the file that is wrong, and what is told of it."""

    keys: str
    told: str


FILES = "tls:\n  client_cert: {}\n  client_key: {}\n"
OUTSIDE = [
    _Outside(ACCOUNT, "c.yaml:6: networks.local.account.password_env: the environment variable HOSTER_PASSW"),
    _Outside(
        "account:\n  mechanism: nickserv\n  user: Hoster\n  password_file: DIR/nowhere",
        "c.yaml:9: networks.local.account.password_file: the password file 'DIR/nowhere' cannot be read",
    ),
    _Outside("tls:\n  ca_file: DIR/nowhere", "c.yaml:7: networks.local.tls.ca_file: the file 'DIR/nowhere'"),
    _Outside("tls:\n  ca_file: DIR/a.key", "c.yaml:7: networks.local.tls.ca_file: holds no certificate"),
    _Outside(FILES.format("DIR/x", "DIR/a.key"), "c.yaml:7: networks.local.tls.client_cert: the file"),
    _Outside(FILES.format("DIR/a.pem", "DIR/x"), "c.yaml:8: networks.local.tls.client_key: the file"),
    _Outside(
        FILES.format("DIR/a.pem", "DIR/b.key"),
        "c.yaml:8: networks.local.tls.client_key: the private key does not belong to the certificate",
    ),
]


@pytest.mark.parametrize("outside", OUTSIDE, ids=lambda outside: outside.told[:48])
def test_what_is_wrong_outside_of_the_file_is_told_by_check_and_at_the_start(
    outside: _Outside, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("a", "b"):
        make(tmp_path, name)
    monkeypatch.chdir(tmp_path)
    Path("c.yaml").write_text(network(outside.keys.replace("DIR", "files")) + "store: sqlite://\n")
    Path("files").symlink_to(tmp_path)
    assert cli.main(["check", "--config", "c.yaml"]) == 1
    told = capsys.readouterr().out.splitlines()
    assert any(line.startswith(outside.told.replace("DIR", "files")) for line in told), told
    assert cli.main(["run", "--config", "c.yaml"]) == 1


def test_all_that_is_wrong_outside_is_told_at_once() -> None:
    text = network(f"password_env: PASS\ntls: {{ca_file: /nowhere}}\n{ACCOUNT}")
    with pytest.raises(ConfigError) as caught:
        parse(text, "c.yaml").check({})
    assert [(problem.path.rpartition(".")[2], problem.line) for problem in caught.value.problems] == [
        ("password_env", 6),
        ("password_env", 8),
        ("ca_file", 7),
    ]


def test_a_change_of_the_login_is_for_the_next_start() -> None:
    before = service._link_settings(only(network(ACCOUNT)), {"HOSTER_PASSWORD": "hunter2"})
    after = service._link_settings(only(network("tls: false")), {})
    assert changed("local", before, after) == [
        "networks.local.port",
        "networks.local.tls",
        "networks.local.account",
    ]
