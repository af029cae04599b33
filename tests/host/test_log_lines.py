"""What the log tells of tables and people: a line for each recorded event and each command, and no secret."""

from __future__ import annotations

import hashlib
import json
import logging
from collections.abc import Callable
from typing import Any, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from chat.events import Disconnected, Kicked, Parted, Quit, User
from game.match import Rolled
from host import logs
from host.errors import StoreError
from host.events import Event, Seated, TakenUp
from host.recorded import FORMS
from tests.host.hosting_tools import BOSS, bench, boss, game, score_all
from tests.support.bench import CHANNEL, HOST, Bench, user

SEED = bytes(range(90, 122))
GAME = "game0001"
RECORDED = {form.name for form in FORMS.values()}
OF_ONE_PLAYER = {
    *("seat taken", "seat given up", "seat taken up", "player left", "player came back", "player renamed"),
    *("player logged in", "player removed", "player spoke again", "score amended"),
    *("dice held", "dice rolled", "box chosen", "box scored", "command"),
}
FIELDS = {
    *("time", "level", "event", "logger", "network", "channel", "game", "seat", "person", "nick", "was"),
    *("players", "by", "reason", "seconds", "round", "roll", "by_host", "category", "points"),
    *("command", "outcome", "mask", "why"),
}
"""All that there is to see of a table and of commands. None of them can hold dice, seeds or tokens."""

JSON = logs.formatter(logs.Form.JSON)
TEXT = logs.formatter(logs.Form.TEXT)


@pytest.fixture(autouse=True)
def _everything(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)


def lines(caplog: pytest.LogCaptureFixture) -> list[dict[str, Any]]:
    """What was logged, as a program reads it."""
    return [json.loads(JSON.format(record)) for record in caplog.records]


def named(caplog: pytest.LogCaptureFixture, name: str) -> list[dict[str, Any]]:
    return [line for line in lines(caplog) if line["event"] == name]


def played(pace: str) -> Bench:
    """A game in which all sorts of things happen, and a lobby after it."""
    found = bench(f"repeat_seconds: 0, pace: {pace}", seed=SEED)
    for nick in ("alice", "bob", "carol"):
        found.join(nick)
        found.say(nick, "!join")
    found.say("carol", "!leave")
    found.say("bob", "!start")
    found.say("alice", "!start")
    found.tell("alice", "keep a b")
    found.tell("alice", "keep nonsense")
    found.tell("bob", "chance")
    found.say("alice", "!pause")
    found.say("alice", "!resume")
    found.say("alice", "!extend 60")
    found.rename("bob", "bobby")
    found.desk.hear(Quit(user("bobby"), "gone"))
    found.join("robert")
    found.tell("robert", "return token00002")
    found.say("robert", "!leave")
    found.say("robert", "!join")
    found.pass_(200)
    boss(found, "remove robert")
    score_all(found, "alice")
    boss(found, "amend alice chance 30 misread dice")
    found.say("alice", "!join")
    found.say("alice", "!stop")
    return found


both_paces = pytest.mark.parametrize("pace", ["free", "lockstep"])


def test_every_kind_of_event_has_a_form() -> None:
    assert set(FORMS) == set(get_args(Event))
    assert len(RECORDED) == len(FORMS)


@both_paces
def test_each_recorded_event_is_one_line(pace: str, caplog: pytest.LogCaptureFixture) -> None:
    found = played(pace)
    recorded = events(found)
    told = [line for line in lines(caplog) if line["event"] in RECORDED and line["game"] == GAME]
    assert [line["event"] for line in told] == [FORMS[type(event)].name for event in recorded]
    assert len({line["event"] for line in told}) > 18
    for line in told:
        assert (line["network"], line["channel"]) == ("local", CHANNEL)
        level = FORMS[next(kind for kind in FORMS if FORMS[kind].name == line["event"])].level
        assert line["level"] == logging.getLevelName(level).lower()


def events(found: Bench) -> list[Event]:
    history = found.journal.history(GAME)
    return [event for _, event in history.events] if history else []


@both_paces
def test_lines_about_players_name_them_and_their_game(pace: str, caplog: pytest.LogCaptureFixture) -> None:
    played(pace)
    about = [line for line in lines(caplog) if line["event"] in OF_ONE_PLAYER]
    assert {line["event"] for line in about} >= OF_ONE_PLAYER - {"player logged in", "player spoke again"}
    for line in about:
        assert line["person"].startswith("person"), line
        assert line["nick"] in {"alice", "bob", "bobby", "robert", "carol", "boss"}, line
        assert line["event"] == "command" or line["game"], line
    (began,) = named(caplog, "game began")
    assert began["players"] == ["alice", "bob"]
    (renamed,) = named(caplog, "player renamed")
    assert (renamed["was"], renamed["nick"]) == ("bob", "bobby")
    (removed,) = named(caplog, "player removed")
    assert (removed["nick"], removed["seat"], removed["by"]) == ("robert", 1, "boss")


@both_paces
def test_no_line_holds_a_secret(pace: str, caplog: pytest.LogCaptureFixture) -> None:
    found = played(pace)
    recorded = events(found)
    tokens = [f"token{number:05}" for number in range(9)]
    hashes = [e.occupant.token_hash for e in recorded if isinstance(e, Seated | TakenUp)]
    assert hashlib.sha256(b"token00002").hexdigest() in hashes
    secrets = {*tokens, *filter(None, hashes), SEED.hex(), repr(SEED), SEED.decode()}
    faces = [event.dice.faces for event in recorded if isinstance(event, Rolled)]
    assert len(faces) > 20
    secrets |= {mark.join(map(str, dice)) for dice in faces for mark in ("", " ", ",", ", ")}
    text = "".join(form.format(record) + "\n" for form in (JSON, TEXT) for record in caplog.records)
    assert [secret for secret in secrets if secret in text] == []
    assert {name for line in lines(caplog) for name in line} <= FIELDS
    # A box is named only where it was announced already.
    assert {line["event"] for line in lines(caplog) if "category" in line} == {"score amended"}


@both_paces
def test_what_a_busy_host_has_most_of_is_for_those_who_look_closely(
    pace: str, caplog: pytest.LogCaptureFixture
) -> None:
    played(pace)
    often = {"dice held", "dice rolled", "box chosen", "box scored", "round began", "round ended", "command"}
    told = lines(caplog)
    assert {line["level"] for line in told if line["event"] in often} == {"debug"}
    assert {line["level"] for line in told if line["event"] in RECORDED - often} == {"info"}


def test_an_event_that_the_journal_took_without_saying_so_is_logged_too(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    found = game()
    append = found.journal.append

    def failing(*args: Any, **more: Any) -> None:
        append(*args, **more)
        raise StoreError("the connection was lost")

    monkeypatch.setattr(found.journal, "append", failing)
    found.tell("alice", "chance")
    assert named(caplog, "box scored") == []
    assert named(caplog, "command")[-1]["outcome"] == "StoreError"
    monkeypatch.undo()
    found.tell("bob", "dice")
    found.tell("bob", "chance")
    assert [line["nick"] for line in named(caplog, "box scored")] == ["alice", "bob"]


# --- commands ---


@pytest.mark.parametrize(
    ("nick", "text", "command", "outcome"),
    [
        ("alice", "keep a b", "keep", "ok"),
        ("alice", "dice", "look", "ok"),
        ("bob", "style plain", "setstyle", "ok"),
        ("alice", "keep 7", "unknown", "NotDice"),
        ("alice", "hurgl", "unknown", "UnknownCommand"),
        ("bob", "return token00009", "return", "NoSuchToken"),
        ("bob", "stop", "stop", "NotAllowed"),
        ("bob", "#nowhere dice", "look", "NoSuchTable"),
    ],
)
def test_each_command_is_a_line(
    nick: str, text: str, command: str, outcome: str, caplog: pytest.LogCaptureFixture
) -> None:
    found = game()
    before = len(named(caplog, "command"))
    found.tell(nick, text)
    (line,) = named(caplog, "command")[before:]
    assert (line["command"], line["outcome"]) == (command, outcome)
    assert (line["nick"], line["channel"], line["level"]) == (nick, CHANNEL, "debug")
    assert line["game"] == found.keeper().table.game
    assert line["person"] == found.keeper().table.seats[["alice", "bob"].index(nick)].occupant.person


def test_commands_that_get_no_answer_any_more_are_told_apart(caplog: pytest.LogCaptureFixture) -> None:
    found = game()
    for _ in range(300):
        found.tell("alice", "dice")
    outcomes = [line["outcome"] for line in named(caplog, "command") if line.get("command") == "look"]
    assert (outcomes[0], outcomes[-1], len(outcomes)) == ("ok", "ignored", 300)


def test_hosting_commands_are_told_with_the_whole_mask(caplog: pytest.LogCaptureFixture) -> None:
    found = game()
    boss(found, "extend 60")
    found.tell("bob", "stop")
    (done,) = named(caplog, "hosting command")
    assert (done["mask"], done["command"], done["level"]) == ("boss!~boss@staff.example", "extend 60", "info")
    (refused,) = named(caplog, "hosting command refused")
    assert (refused["mask"], refused["command"]) == ("bob!~bob@example.org", "stop")
    assert refused["why"] == "not allowed"
    assert {line["game"] for line in (done, refused)} == {found.keeper().table.game}


# --- what the network sends ---

NASTY = st.text(
    st.characters(exclude_categories=["Cs"], exclude_characters="\r\n\0 "), min_size=1, max_size=20
)
"""What can come in a line. Its ends, and halves of surrogate pairs, cannot."""


def story(nick: str, reason: str) -> Callable[[Bench], None]:
    def tell(found: Bench) -> None:
        someone = User(nick, nick, nick)
        found.join(nick)
        found.say(nick, "!join", mask=someone)
        found.say(nick, reason, mask=someone)
        found.say("boss", f"!say {reason}", mask=BOSS)
        found.refuse(404, CHANNEL, reason)
        found.refuse(716, nick, reason)
        found.desk.hear(Parted(someone, CHANNEL))
        found.desk.hear(Quit(someone, reason))
        found.desk.hear(Kicked(HOST, CHANNEL, nick, reason))
        found.desk.hear(Disconnected(reason))

    return tell


@settings(max_examples=40, deadline=None)
@given(nick=NASTY, reason=NASTY)
def test_nobody_forges_a_line(nick: str, reason: str) -> None:
    kept: list[logging.LogRecord] = []
    handler = logging.Handler()
    handler.emit = kept.append  # type: ignore[method-assign, assignment]
    root = logging.getLogger("host")
    root.addHandler(handler)
    try:
        story(nick, reason)(bench())
    finally:
        root.removeHandler(handler)
    assert {record.getMessage() for record in kept} >= {"out of channel", "disconnected"}
    for record in kept:
        assert record.exc_info is None, record
        assert TEXT.format(record).isprintable()
        assert JSON.format(record).isprintable()
