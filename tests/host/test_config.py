"""The configuration: what is read, and what every fault is answered with."""

import re
from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
import yaml

from game.match import Pace
from game.rules import RULE_SETS
from host.config import Channel, ConfigError, Problem, Send, load, parse
from host.config_yaml import HASH_HINT

SHIPPED = Path(__file__).parents[2] / "config.yaml"

NETWORK = """\
networks:
  local:
    server: 127.0.0.1
    nick: Hoster
    channels: {"#a": {}}
"""


def network(keys: str) -> str:
    """A valid configuration but for some keys of its network, which stand on line 6 on."""
    return NETWORK + "".join(f"    {line}\n" for line in keys.splitlines())


def channel(keys: str) -> str:
    """A valid configuration but for some keys of its channel, which stand on line 7 on."""
    head = NETWORK.replace('{"#a": {}}', '\n      "#a":')
    return head + "".join(f"        {line}\n" for line in keys.splitlines())


def channels(text: str) -> str:
    """A valid configuration but for its channels; `text` follows `channels:` on line 5."""
    return NETWORK.replace('{"#a": {}}', text)


def problems(text: str) -> tuple[Problem, ...]:
    with pytest.raises(ConfigError) as caught:
        parse(text, "c.yaml")
    return caught.value.problems


# Each with the one problem that it has: text, path, line, a part of the message.
CASES: list[tuple[str, str, int | None, str]] = [
    # The file as a whole
    ("", "", None, "is empty"),
    ("# only a comment\n", "", None, "is empty"),
    ("{}", "", 1, "is empty"),
    ("\n- networks\n", "", 2, "is no mapping"),
    ("networks", "", 1, "is no mapping"),
    # YAML
    ("networks:\n  a: [1\nstore: x\n", "", 3, "not valid YAML"),
    ("networks:\n\ta: 1\n", "", 2, "not valid YAML"),
    ("networks:\n  *nowhere\n", "", 2, "undefined alias"),
    ("--- a\n--- b\n", "", 2, "single document"),
    ("networks:\n  a\x07b: 1\n", "", 2, "U+0007"),
    ('networks: "\\UFFFFFFFF"', "", None, "not valid YAML"),
    ("networks: " + "[" * 3000, "", None, "nested too deeply"),
    (network("nick: Other"), "networks.local.nick", 6, "lines 4 and 6"),
    (channels('\n      "#a":\n      "#b":\n      "#a":'), "networks.local.channels.#a", 8, "lines 6 and 8"),
    (NETWORK + "store: !!binary aGVsbG8=\n", "store", 6, "tag !!binary"),
    (NETWORK + "store: !own x\n", "store", 6, "tag !own"),
    (NETWORK + "store: 2026-99-99\n", "store", 6, "cannot be read as timestamp"),
    (NETWORK + "store: !!int x\n", "store", 6, "cannot be read as int"),
    (network("port: 06667"), "networks.local.port", 6, "may not begin with 0"),
    ("networks: &a {x: *a}", "networks.x", 1, "contains itself"),
    (channel("<<: 5"), "networks.local.channels.#a", 7, "<< takes a mapping"),
    # Keys
    ("store: sqlite://\n", "networks", 1, "missing"),
    (NETWORK.replace("    nick: Hoster\n", ""), "networks.local.nick", 2, "missing"),
    (NETWORK.replace("    server: 127.0.0.1\n", ""), "networks.local.server", 2, "missing"),
    (NETWORK.replace('    channels: {"#a": {}}\n', ""), "networks.local.channels", 2, "missing"),
    (NETWORK + "stor: sqlite://\n", "stor", 6, "did you mean store? possible: networks, store"),
    (network("prot: 6667"), "networks.local.prot", 6, "did you mean port?"),
    (network("send: {bust: 4}"), "networks.local.send.bust", 6, "possible: burst, seconds"),
    (channel("Pace: free"), "networks.local.channels.#a.Pace", 7, "did you mean pace?"),
    (channel("zzz: 1"), "networks.local.channels.#a.zzz", 7, "not known here; possible: rules, pace"),
    (channel("house: {seat: 1}"), "networks.local.channels.#a.house.seat", 7, "did you mean seats?"),
    (network("7: x"), "networks.local", 6, "the key '7' is no text"),
    (network("[a]: x"), "networks.local", 6, "a key must be plain text"),
    # Networks
    ("networks:\n", "networks", 1, "no networks"),
    ("networks: {}\nstore: sqlite://\n", "networks", 1, "no networks"),
    ("networks: [a]", "networks", 1, "a mapping of keys, not a list"),
    ("networks:\n  local:\n", "networks.local", 2, "has no value"),
    (NETWORK.replace("local:", '"":'), "networks.''", 2, "needs a name"),
    (NETWORK.replace("127.0.0.1", "irc://irc.example.org"), "networks.local.server", 3, "not a server"),
    (NETWORK.replace("127.0.0.1", "localhost:6667"), "networks.local.server", 3, "a key of its own"),
    (NETWORK.replace("127.0.0.1", '"a b"'), "networks.local.server", 3, "not a server"),
    (NETWORK.replace("127.0.0.1", '"a\\nb"'), "networks.local.server", 3, "'a\\nb' is not a server"),
    (NETWORK.replace("127.0.0.1", '""'), "networks.local.server", 3, "not a server"),
    (network("port: 0"), "networks.local.port", 6, "from 1 to 65535, not 0"),
    (network("port: 65536"), "networks.local.port", 6, "from 1 to 65535, not 65536"),
    (network('port: "6667"'), "networks.local.port", 6, "not the text '6667'; take the quotes away"),
    (network("port: 6667.0"), "networks.local.port", 6, "a whole number, not 6667.0"),
    (network("port: true"), "networks.local.port", 6, "a whole number, not true"),
    (network("port:"), "networks.local.port", 6, "has no value"),
    (network("port: 0x" + "f" * 6000), "networks.local.port", 6, "a number far too large"),
    (network("tls: 1"), "networks.local.tls", 6, "true or false, not 1"),
    (network("tls: 'true'"), "networks.local.tls", 6, "true or false, not the text 'true'"),
    (network("tls: {ca: x}"), "networks.local.tls.ca", 6, "possible: ca_file, client_cert"),
    (NETWORK.replace("Hoster", "7up"), "networks.local.nick", 4, "not an IRC nick"),
    (NETWORK.replace("Hoster", '"a b"'), "networks.local.nick", 4, "not an IRC nick"),
    (NETWORK.replace("Hoster", '"Ho\\n"'), "networks.local.nick", 4, "not an IRC nick"),
    (NETWORK.replace("Hoster", "x" * 64), "networks.local.nick", 4, "not an IRC nick"),
    (NETWORK.replace("Hoster", "12"), "networks.local.nick", 4, "text, not 12; put it in quotes"),
    (NETWORK.replace("Hoster", "2026-01-01"), "networks.local.nick", 4, "not a date"),
    (network("alternative_nicks: Hoster_"), "networks.local.alternative_nicks", 6, "a list, like"),
    (
        network("alternative_nicks:\n- Hoster_\n- -x"),
        "networks.local.alternative_nicks.1",
        8,
        "not an IRC nick",
    ),
    (network("username: a@b"), "networks.local.username", 6, "not a username"),
    (network("username: ''"), "networks.local.username", 6, "not a username"),
    (network("realname: ' '"), "networks.local.realname", 6, "text on one line"),
    (network('realname: "a\\rQUIT"'), "networks.local.realname", 6, "text on one line"),
    (network("send:"), "networks.local.send", 6, "has no value"),
    (network("send: {burst: 0}"), "networks.local.send.burst", 6, "at least 1, not 0"),
    (network("send: {burst: 1.5}"), "networks.local.send.burst", 6, "a whole number, not 1.5"),
    (network("send: {seconds: -1}"), "networks.local.send.seconds", 6, "from 0 to 86400 seconds"),
    # Passwords
    (network("password: hunter2"), "networks.local.password", 6, "use password_env or password_file"),
    (network("password_env:"), "networks.local.password_env", 6, "has no value"),
    (network("password_env: hunter-2"), "networks.local.password_env", 6, "not the password"),
    (network("password_env: 12345"), "networks.local.password_env", 6, "must be text"),
    (network("password_file: ''"), "networks.local.password_file", 6, "path of a file"),
    (network("password_env: A\npassword_file: b"), "networks.local.password_file", 7, "only one of the two"),
    # Channels
    (channels(""), "networks.local.channels", 5, HASH_HINT),
    (channels("{}"), "networks.local.channels", 5, "no channels"),
    (channels("\n      #yardzee: {}"), "networks.local.channels", 5, HASH_HINT),
    (channels("\n      #a:\n        pace: free"), "networks.local.channels.pace", 7, HASH_HINT),
    (channels('\n      "#a":\n      ? #b\n      : {}'), "networks.local.channels", 7, HASH_HINT),
    (channels("[a]"), "networks.local.channels", 5, "a mapping of keys, not a list"),
    (channels("{yardzee: {}}"), "networks.local.channels.yardzee", 5, "starts with # or &"),
    (channels('{"#a,#b": {}}'), "networks.local.channels.#a,#b", 5, "not a channel name"),
    (channels('{"#a b": {}}'), "networks.local.channels.'#a b'", 5, "not a channel name"),
    (channels('{"#a\\a": {}}'), "networks.local.channels.'#a\\x07'", 5, "not a channel name"),
    (channels('{"#' + "é" * 100 + '": {}}'), "networks.local.channels.#" + "é" * 100, 5, "200 bytes"),
    (channels('\n      "#a":\n      "#A":'), "networks.local.channels.#A", 7, "the same channel as '#a'"),
    (channels('\n      "#[":\n      "#{":'), "networks.local.channels.#{", 7, "the same channel as '#['"),
    (channels('\n      "#a": 5'), "networks.local.channels.#a", 6, "a mapping of keys, not 5"),
    (channel("rules: maxi"), "networks.local.channels.#a.rules", 7, f"possible: {', '.join(RULE_SETS)}"),
    (channel("rules: Houston"), "networks.local.channels.#a.rules", 7, "did you mean houston?"),
    (channel("rules: [hasbro]"), "networks.local.channels.#a.rules", 7, "text, not a list"),
    (
        channel("pace: fast"),
        "networks.local.channels.#a.pace",
        7,
        "'fast' is not a pace; possible: " + ", ".join(pace.value for pace in Pace),
    ),
    (channel("seats: 0"), "networks.local.channels.#a.seats", 7, "from 1 to 50, not 0"),
    (channel("seats: 51"), "networks.local.channels.#a.seats", 7, "from 1 to 50, not 51"),
    (channel("lobby_seconds: 0"), "networks.local.channels.#a.lobby_seconds", 7, "more than 0"),
    (channel("lobby_seconds: 86401"), "networks.local.channels.#a.lobby_seconds", 7, "a day"),
    (channel("round_seconds: .inf"), "networks.local.channels.#a.round_seconds", 7, "a day"),
    (channel("round_seconds: .nan"), "networks.local.channels.#a.round_seconds", 7, "a day"),
    (channel("round_seconds: true"), "networks.local.channels.#a.round_seconds", 7, "a number, not true"),
    (channel("round_seconds: 2 min"), "networks.local.channels.#a.round_seconds", 7, "the text '2 min'"),
    (channel("repeat_seconds: -0.5"), "networks.local.channels.#a.repeat_seconds", 7, "from 0 to"),
    (channel('prefix: ""'), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel("prefix: /"), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel('prefix: "!:"'), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel('prefix: "!!!!"'), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel('prefix: "\'"'), "networks.local.channels.#a.prefix", 7, "no quotes"),
    (channel("prefix: $"), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel('prefix: "#"'), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channels('{"+a": {}}'), "networks.local.channels.+a", 5, "starts with # or &"),
    (channel("prefix: y"), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel("prefix: §"), "networks.local.channels.#a.prefix", 7, "not a prefix"),
    (channel("hints: public"), "networks.local.channels.#a.hints", 7, "possible: private, off, practice"),
    (channel("hints: on"), "networks.local.channels.#a.hints", 7, "must be text"),
    (
        channel("house: {level: clubs}"),
        "networks.local.channels.#a.house.level",
        7,
        "'clubs' is not a level; did you mean club? possible: expert, club, beginner",
    ),
    (channel("house: {seats: -1}"), "networks.local.channels.#a.house.seats", 7, "at least 0"),
    (
        channel("house: {seats: 12}"),
        "networks.local.channels.#a.house.seats",
        7,
        "less than the channel's seats",
    ),
    (channel("house:\n  seats: 2\nseats: 2"), "networks.local.channels.#a.house.seats", 8, "2 of 2 seats"),
    # The store
    (NETWORK + "store: yardzee.sqlite\n", "store", 6, "is not a URL; possible: sqlite:///PATH"),
    (NETWORK + "store: sqlite://yardzee.sqlite\n", "store", 6, "three slashes"),
    (NETWORK + "store: sqlite:///\n", "store", 6, "three slashes"),
    (NETWORK + "store: mysql://u:hunter2@h/x\n", "store", 6, "the kind 'mysql' are not known"),
    (NETWORK + "store: sqlite:///x?mode=memory\n", "store", 6, "no ? in it"),
    (NETWORK + "store: postgresql://u:hunter2@h/x\n", "store", 6, "the kind 'postgresql' are not known"),
    (NETWORK + "store: postgresql+psycopg://u:hunter2@h\n", "store", 6, "is not complete"),
    (NETWORK + "store: postgresql+psycopg://u:hunter2@h/\n", "store", 6, "is not complete"),
    (NETWORK + "store: postgresql+psycopg://u:hunter@2@h/x\n", "store", 6, "written %40"),
    (NETWORK + "store: postgresql+psycopg://u@h:hunter2/x\n", "store", 6, "is not complete"),
    (NETWORK + "store:\n", "store", 6, "has no value"),
]


@pytest.mark.parametrize(
    "store",
    [
        "sqlite://",
        "sqlite:///games.sqlite",
        "sqlite:////var/lib/yardzee/games.sqlite",
        "postgresql+psycopg://yardzee:hunter2@db.example.org/yardzee",
        "postgresql+psycopg://yardzee:p%40ss%3A%2F@127.0.0.1:5433/yardzee",
        "postgresql+psycopg://yardzee@[::1]:5433/yardzee?sslmode=require",
        "postgresql+psycopg://db.example.org/yardzee",
        "postgresql+psycopg:///yardzee",
        "postgresql+psycopg://yardzee@/yardzee?host=/run/postgresql",
    ],
)
def test_stores_that_are_possible(store: str) -> None:
    assert parse(NETWORK + f'store: "{store}"\n', "c.yaml").store == store


@pytest.mark.parametrize(("text", "path", "line", "message"), CASES)
def test_a_fault_names_path_and_line(text: str, path: str, line: int | None, message: str) -> None:
    found = [problem for problem in problems(text) if problem.path == path]
    assert [problem.line for problem in found] == [line]
    assert message in found[0].message
    assert "hunter" not in found[0].message
    assert found[0].text("c.yaml").isprintable()


def test_all_problems_are_told_at_once_in_the_order_of_lines() -> None:
    text = channel("pace: fast\nseats: 99\npace: fast\nzzz: 1") + "store: 5\n"
    with pytest.raises(ConfigError) as caught:
        parse(text.replace("nick: Hoster", "nik: Hoster"), "c.yaml")
    assert str(caught.value).splitlines() == [
        "c.yaml:2: networks.local.nick: this key is missing",
        "c.yaml:4: networks.local.nik: this key is not known here; did you mean nick? possible: server, "
        "port, tls, nick, alternative_nicks, username, realname, password_env, password_file, channels, send,"
        " admins, account",
        "c.yaml:8: networks.local.channels.#a.seats: must be from 1 to 50, not 99",
        "c.yaml:9: networks.local.channels.#a.pace: this key is written twice, on lines 7 and 9",
        "c.yaml:10: networks.local.channels.#a.zzz: this key is not known here; possible: rules, pace, "
        "seats, lobby_seconds, round_seconds, repeat_seconds, prefix, hints, dice, house, prizes",
        "c.yaml:11: store: must be text, not 5; put it in quotes if it is meant as text",
    ]


def test_the_shipped_file_is_valid_and_shows_the_defaults() -> None:
    config = load(SHIPPED)
    (local,) = config.networks
    (table,) = local.channels
    defaults = parse(channels('{"#yardzee": }'), "c.yaml").networks[0]
    assert (local.name, local.server, local.port, local.tls) == ("local", "127.0.0.1", 6667, False)
    assert table == defaults.channels[0]
    assert local.send == defaults.send == Send(burst=4, seconds=1.0)
    assert config.store == parse(NETWORK, "c.yaml").store


def test_the_shipped_file_has_the_keys_that_are_promised() -> None:
    value: Any = yaml.safe_load(SHIPPED.read_text("utf-8"))
    local = value["networks"]["local"]
    assert list(value) == ["networks", "store"]
    assert list(local) == ["server", "port", "tls", "nick", "channels", "send"]
    assert list(local["send"]) == ["burst", "seconds", "bytes"]
    assert local["channels"] == {
        "#yardzee": {
            "rules": "hasbro",
            "pace": "free",
            "seats": 12,
            "lobby_seconds": 60,
            "round_seconds": 120,
            "repeat_seconds": 2,
        }
    }


def test_what_the_shipped_file_keeps_in_comments_is_valid_too() -> None:
    lines = SHIPPED.read_text("utf-8").splitlines()
    named = (
        "alternative_nicks|username|realname|password_env|prefix|hints|house|prizes|admins|account|metrics"
    )
    keys = re.compile(rf'(\s*)# ((?:{named}|"#another"): .*)')
    opened = [keys.sub(r"\1\2", line) for line in lines]
    assert sum(old != new for old, new in zip(lines, opened, strict=True)) == 12
    config = parse("\n".join(opened), "c.yaml")
    assert [channel.name for channel in config.networks[0].channels] == ["#yardzee", "#another"]
    assert config.metrics is not None


def test_every_key() -> None:
    text = """
networks:
  libera:
    server: irc.libera.chat
    nick: Hoster
    alternative_nicks: ["Hoster_", "[Host]"]
    username: host
    realname: A host
    password_env: HOSTER_PASSWORD
    send: {burst: 100, seconds: 0}
    admins: [boss, "*!*@staff.example"]
    channels:
      "#a": &all
        rules: free_choice
        pace: lockstep
        seats: 50
        lobby_seconds: 0.5
        round_seconds: 86400
        repeat_seconds: 0
        prefix: "?!"
        hints: off
        house: {seats: 2, level: club}
        prizes: {first: a mug, third: " a pen ", door: [a cap, tea]}
      "&b": {<<: *all, seats: 3}
  plain: {server: "::1", tls: false, nick: H, channels: {"#c": , "&d": {}}}
store: sqlite://
"""
    libera, plain = parse(text, "c.yaml").networks
    prizes = ("a mug", "", "a pen"), ("a cap", "tea")
    first = Channel("#a", "free_choice", "lockstep", 50, 0.5, 86400.0, 0.0, "?!", 2, "club", *prizes, "off")
    assert libera.channels[0] == first
    assert (libera.channels[1].name, libera.channels[1].seats, libera.channels[1].prefix) == ("&b", 3, "?!")
    assert (libera.port, libera.tls, plain.port, plain.tls) == (6697, True, 6667, False)
    assert libera.alternative_nicks == ("Hoster_", "[Host]")
    assert (libera.username, libera.realname, libera.send) == ("host", "A host", Send(100, 0.0))
    assert [channel.name for channel in plain.channels] == ["#c", "&d"]
    assert (libera.admins, plain.admins) == (("boss", "*!*@staff.example"), ())
    assert (plain.channels[0].places, plain.channels[0].door) == (("", "", ""), ())


@pytest.mark.parametrize("rules", RULE_SETS)
@pytest.mark.parametrize("pace", [pace.value for pace in Pace])
def test_every_rule_set_and_pace_of_the_game_can_be_chosen(rules: str, pace: str) -> None:
    table = parse(channel(f"rules: {rules}\npace: {pace}"), "c.yaml").networks[0].channels[0]
    assert (table.rules, table.pace) == (rules, pace)


def test_a_configuration_is_frozen_and_compares_by_what_it_says() -> None:
    one, two = parse(NETWORK, "a.yaml"), parse("# moved\n\n" + NETWORK, "b.yaml")
    assert one == two
    assert hash(one) == hash(two)
    with pytest.raises(FrozenInstanceError):
        one.store = "x"  # type: ignore[misc]


# Files


def test_load_answers_as_parse_does(tmp_path: Path) -> None:
    path = tmp_path / "c.yaml"
    path.write_bytes(b"\xef\xbb\xbf" + NETWORK.replace("\n", "\r\n").encode())
    assert load(path) == load(str(path)) == parse(NETWORK, "c.yaml")
    path.write_text(NETWORK + "stor: x\n", "utf-8")
    with pytest.raises(ConfigError, match=f"^{re.escape(str(path))}:6: stor: "):
        load(path)


@pytest.mark.parametrize(
    ("content", "line", "message"),
    [
        (None, None, "cannot be read: No such file"),
        (b"networks:\n  caf\xe9: 1\n", 2, "UTF-8"),
        (b"networks:\n\x00", 2, "U+0000"),
        (b"#" * 1_000_001, None, "too large"),
    ],
)
def test_a_file_that_is_no_text(
    tmp_path: Path, content: bytes | None, line: int | None, message: str
) -> None:
    path = tmp_path / "c.yaml"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(ConfigError) as caught:
        load(path)
    (problem,) = caught.value.problems
    assert problem.line == line
    assert message in problem.message


def test_a_folder_or_an_impossible_path_is_no_file(tmp_path: Path) -> None:
    for path in (tmp_path, "a\0b"):
        with pytest.raises(ConfigError, match="cannot be read"):
            load(path)
