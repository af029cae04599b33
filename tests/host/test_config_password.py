"""The configuration's passwords: fetched from the environment or a file, and never shown."""

from collections.abc import Callable
from pathlib import Path

import pytest

from host.config import ConfigError, Network, Problem, parse
from tests.host.test_config import NETWORK, network


@pytest.fixture
def with_password(tmp_path: Path) -> Callable[[bytes], Network]:
    def make(content: bytes) -> Network:
        (tmp_path / "password").write_bytes(content)
        return parse(network(f"password_file: {tmp_path}/password"), "c.yaml").networks[0]

    return make


def only_problem(fetch: Callable[[], object]) -> Problem:
    with pytest.raises(ConfigError) as caught:
        fetch()
    (problem,) = caught.value.problems
    assert caught.value.name == "c.yaml"
    assert "hunter" not in str(caught.value)
    return problem


def test_no_password() -> None:
    config = parse(NETWORK, "c.yaml")
    assert config.networks[0].password({}) is None
    config.check({})


def test_a_password_from_the_environment_is_never_shown() -> None:
    config = parse(network("password_env: PASS"), "c.yaml")
    secret = config.networks[0].password({"PASS": "hunter2"})
    assert secret is not None
    assert secret.get_secret_value() == "hunter2"
    assert "hunter" not in f"{secret} {secret!r} {config!r}"
    config.check({"PASS": "hunter2"})


@pytest.mark.parametrize(
    ("content", "password"),
    [
        (b"hunter2", "hunter2"),
        (b"hunter2\n", "hunter2"),
        (b"hunter2\r\n", "hunter2"),
        (b" h\xc3\xa9 ", " hé "),
    ],
)
def test_a_password_from_a_file(
    with_password: Callable[[bytes], Network], content: bytes, password: str
) -> None:
    secret = with_password(content).password({})
    assert secret is not None
    assert secret.get_secret_value() == password


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "empty"),
        (b"\n", "empty"),
        (b"hunter2\n\n", "control characters"),
        (b"hunter2\nQUIT\n", "control characters"),
        (b"hunter\x002", "control characters"),
        (b"hunter\xff2", "not valid UTF-8"),
        (b"hunter2" * 1000, "longer than 400 bytes"),
    ],
)
def test_a_file_that_holds_no_password(
    with_password: Callable[[bytes], Network], content: bytes, message: str
) -> None:
    problem = only_problem(lambda: with_password(content).password({}))
    assert (problem.path, problem.line) == ("networks.local.password_file", 6)
    assert message in problem.message


def test_a_password_that_cannot_be_fetched_is_told_with_its_key(tmp_path: Path) -> None:
    config = parse(network("password_env: PASS"), "c.yaml")
    for environ, message in (({}, "PASS is not set"), ({"PASS": ""}, "empty"), ({"PASS": "a\rb"}, "control")):
        problem = only_problem(lambda environ=environ: config.check(environ))  # type: ignore[misc]
        assert (problem.path, problem.line) == ("networks.local.password_env", 6)
        assert message in problem.message
    nowhere = parse(network(f"password_file: {tmp_path}/nowhere"), "c.yaml").networks[0]
    assert "cannot be read: No such file" in only_problem(lambda: nowhere.password({})).message
