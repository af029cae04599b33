"""Where the host may be watched: the key `metrics`."""

import pytest

from host.config import Metrics, parse
from tests.host.test_config import NETWORK, problems


def metrics(value: str) -> str:
    """A valid configuration but for this key, which stands on line 6."""
    return f"{NETWORK}metrics: {value}\n"


@pytest.mark.parametrize("address", ["127.0.0.1", "127.1.2.3", "::1"])
def test_a_port_of_a_loopback_address(address: str) -> None:
    found = parse(metrics(f'{{port: 9464, address: "{address}"}}'), "c.yaml").metrics
    assert isinstance(found, Metrics)
    assert (found.address, found.port) == (address, 9464)


def test_the_address_need_not_be_said_and_the_key_neither() -> None:
    found = parse(metrics("{port: 9464}"), "c.yaml").metrics
    assert found is not None
    assert found.address == "127.0.0.1"
    assert parse(NETWORK, "c.yaml").metrics is None


@pytest.mark.parametrize("address", ["0.0.0.0", "::", "10.0.0.1", "192.168.1.5", "localhost", "", "127.0.0"])
def test_what_others_could_reach_is_refused(address: str) -> None:
    (problem,) = problems(metrics(f'{{port: 9464, address: "{address}"}}'))
    assert (problem.path, problem.line) == ("metrics.address", 6)
    assert problem.message == (
        f"{address!r} is not a loopback address, like 127.0.0.1 or ::1; nothing else may ask the host"
    )


@pytest.mark.parametrize(
    ("value", "path", "message"),
    [
        ("", "metrics", "has no value"),
        ("9464", "metrics", "must be a mapping of keys, not 9464"),
        ("{}", "metrics.port", "this key is missing"),
        ("{address: 127.0.0.1}", "metrics.port", "this key is missing"),
        ("{port: 0}", "metrics.port", "must be from 1 to 65535, not 0"),
        ("{port: 65536}", "metrics.port", "must be from 1 to 65535, not 65536"),
        (
            '{port: "9464"}',
            "metrics.port",
            "must be a whole number, not the text '9464'; take the quotes away",
        ),
        ("{port: }", "metrics.port", "has no value"),
        ("{port: 1, address: }", "metrics.address", "has no value"),
        (
            "{port: 1, address: 7}",
            "metrics.address",
            "must be text, not 7; put it in quotes if it is meant as text",
        ),
        (
            "{port: 1, adress: 1}",
            "metrics.adress",
            "this key is not known here; did you mean address? possible: port, address",
        ),
    ],
)
def test_a_fault_is_told_exactly(value: str, path: str, message: str) -> None:
    (problem,) = problems(metrics(value))
    assert (problem.path, problem.line, problem.message) == (path, 6, message)
