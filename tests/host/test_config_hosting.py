"""Who runs the host, and what there is to win: the keys `admins` and `prizes`."""

import json

import pytest

from host.config import ConfigError, parse
from tests.host.test_config import NETWORK, channel

OPEN_DOORS = ("*!*@*", "boss!*@*", "*!root@*", "*!*@*.*", "boss@staff.example", "@", "!")
NOBODY = ("", "0", "a b", "*", "a,b")


@pytest.mark.parametrize("entry", [*OPEN_DOORS, *NOBODY])
def test_an_entry_that_would_let_anybody_in_is_refused(entry: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(NETWORK + f"    admins: [{json.dumps(entry)}]\n", "c.yaml")
    (problem,) = error.value.problems
    assert problem.path == "networks.local.admins.0"
    assert "*!*@staff.example.net" in problem.message


@pytest.mark.parametrize(
    "entry", ["boss", "Boss-2", "*!*@staff.example", "*!~root@10.0.*", "boss!*@gateway/web/b?ss"]
)
def test_accounts_and_masks_that_name_a_host_are_taken(entry: str) -> None:
    assert parse(NETWORK + f"    admins: [{json.dumps(entry)}]\n", "c.yaml").networks[0].admins == (entry,)


LONG = f"{{first: {'x' * 101}}}"
TWO_LINES = r'{second: "a\nb"}'


@pytest.mark.parametrize(
    "prizes", ["{door: tea}", '{door: [""]}', "{first: 7}", "{fourth: tea}", TWO_LINES, LONG]
)
def test_prizes_are_short_texts_on_one_line(prizes: str) -> None:
    with pytest.raises(ConfigError) as error:
        parse(channel(f"prizes: {prizes}"), "c.yaml")
    (problem,) = error.value.problems
    assert problem.path.startswith("networks.local.channels.#a.prizes.")
