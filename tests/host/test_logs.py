"""The form of the log: one line an event, for people and as JSON, whatever is in it."""

from __future__ import annotations

import io
import json
import logging
import re
import sys
from collections.abc import Iterator, Mapping

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from host import logs, service
from host.cli import main
from host.logs import Form
from tests.host.processes import ROOT

TIME = r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ"
ANYTHING = st.text(st.characters(exclude_categories=()), min_size=1, max_size=60)
"""Control characters, halves of surrogate pairs, and what turns the direction of writing, among others."""

FORGED = "bye\r\n2026-01-01T00:00:00Z info    game began   game=forged\x1b[2J\x85\u2028\x7f"


def written(form: Form, record: logging.LogRecord, *, colours: bool = False) -> str:
    return logs.formatter(form, colours=colours).format(record)


def event(name: str, fields: Mapping[str, object], *, logger: str = "host.desk") -> logging.LogRecord:
    return logging.getLogger("x").makeRecord(
        logger, logging.WARNING, "x.py", 1, name, (), None, extra=dict(fields)
    )


def failed(text: str) -> logging.LogRecord:
    try:
        raise ValueError(text)
    except ValueError:
        return logging.getLogger("x").makeRecord(
            "host.desk", logging.ERROR, "x.py", 1, "it broke", (), sys.exc_info(), extra={"game": "g1"}
        )


FIELDS = {
    "network": "libera",
    "game": "k3v9x1",
    "players": ["alice", "bob"],
    "seat": 0,
    "by": "",
    "who": None,
}


def test_a_line_for_people() -> None:
    line = written(Form.TEXT, event("game began", FIELDS))
    told = "warning game began   network=libera game=k3v9x1 players=alice,bob seat=0"
    assert re.fullmatch(f"{TIME} {re.escape(told)}", line)


def test_a_line_for_programs() -> None:
    line = json.loads(written(Form.JSON, event("game began", FIELDS)))
    assert list(line)[:4] == ["time", "level", "event", "logger"]
    assert re.fullmatch(TIME, line.pop("time"))
    assert line == {
        "level": "warning",
        "event": "game began",
        "logger": "host.desk",
        "network": "libera",
        "game": "k3v9x1",
        "players": ["alice", "bob"],
        "seat": 0,
    }


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("al[away]", "al[away]"),
        ("é", "é"),
        ("two words", "'two words'"),
        ("a=b", "'a=b'"),
        ("it's", '"it\'s"'),
        ("\x1b[2J", r"'\x1b[2J'"),
        (True, "true"),
        (2.5, "2.5"),
    ],
)
def test_a_value_is_quoted_where_it_could_be_more_than_one_word(value: object, shown: str) -> None:
    assert written(Form.TEXT, event("x", {"field": value})).endswith(f"   field={shown}")


@given(ANYTHING, ANYTHING)
@example(FORGED, "\x7f")
def test_no_text_breaks_a_line(text: str, other: str) -> None:
    record = event("quit", {"nick": text, "reason": other, "players": [text, other]})
    line = written(Form.TEXT, record)
    assert line.isprintable()
    assert re.match(f"{TIME} warning quit   nick=", line)
    line = written(Form.JSON, record)
    assert line.isascii()
    assert line.isprintable()
    read = json.loads(line)
    assert (read["nick"], read["reason"], read["players"]) == (text, other, [text, other])


@given(ANYTHING)
@example("")
def test_no_message_of_a_library_breaks_a_line(text: str) -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, "x.py", 1, "%s", (text,), None)
    assert written(Form.TEXT, record).isprintable()
    assert json.loads(written(Form.JSON, record))["event"] == text


def test_a_line_of_a_library_says_whose_it_is() -> None:
    record = logging.LogRecord("asyncio", logging.ERROR, "x.py", 1, "took %d s", (3,), None)
    assert written(Form.TEXT, record).endswith(" error   took 3 s   logger=asyncio")
    line = json.loads(written(Form.JSON, record))
    assert (line["event"], line["logger"], line["level"]) == ("took 3 s", "asyncio", "error")


def test_an_exception_is_one_line_of_json_and_indented_for_people() -> None:
    line = written(Form.JSON, failed(FORGED))
    assert line.isprintable()
    read = json.loads(line)
    assert read["event"] == "it broke"
    assert read["exception"].startswith("Traceback (most recent call last):\n")
    assert "ValueError: bye" in read["exception"]
    first, *trace = written(Form.TEXT, failed(FORGED)).split("\n")
    assert re.fullmatch(f"{TIME} error   it broke   game=g1", first)
    assert len(trace) > 2
    assert all(part.startswith("    ") and part.isprintable() for part in trace)


def test_what_another_handler_leaves_on_a_record_is_no_field() -> None:
    record = event("x", {})
    logging.Formatter("%(asctime)s %(message)s").format(record)
    assert written(Form.TEXT, record).endswith(" x")


# --- where it goes ---


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.fixture
def _root_restored() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    root.handlers.clear()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)


def said(
    monkeypatch: pytest.MonkeyPatch, stream: io.StringIO, level: str, environ: Mapping[str, str]
) -> list[str]:
    monkeypatch.setattr(sys, "stderr", stream)
    logs.configure(level, environ=environ)
    for number in (logging.DEBUG, logging.INFO, logging.WARNING, logging.ERROR):
        logging.getLogger("host.x").log(number, "said")
    return stream.getvalue().splitlines()


@pytest.mark.usefixtures("_root_restored")
@pytest.mark.parametrize(("level", "lines"), [("debug", 4), ("info", 3), ("warning", 2), ("error", 1)])
def test_nothing_below_the_level_is_logged(level: str, lines: int, monkeypatch: pytest.MonkeyPatch) -> None:
    assert len(said(monkeypatch, io.StringIO(), level, {})) == lines


@pytest.mark.usefixtures("_root_restored")
@pytest.mark.parametrize(
    ("stream", "environ", "coloured"),
    [
        (Terminal, {}, True),
        (Terminal, {"NO_COLOR": ""}, True),
        (Terminal, {"NO_COLOR": "1"}, False),
        (io.StringIO, {}, False),
    ],
)
def test_colours_are_for_terminals(
    stream: type[io.StringIO], environ: dict[str, str], coloured: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = said(monkeypatch, stream(), "info", environ)
    assert ["\x1b" in line for line in lines] == [False, coloured, coloured]
    assert next(line.partition("Z ")[2] for line in lines if "\x1b" not in line) == "info    said"


@pytest.mark.usefixtures("_root_restored")
def test_a_fault_that_ends_the_host_is_a_line_as_well(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    async def failing(*_: object, **__: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(service, "run", failing)
    monkeypatch.setattr(service, "stop_on_signals", lambda _: None)
    assert main(["run", "--config", str(ROOT / "config.yaml"), "--log-format", "json"]) == 1
    (line,) = map(json.loads, capsys.readouterr().err.splitlines())
    assert (line["event"], line["level"]) == ("the host has failed", "error")
    assert line["exception"].endswith("RuntimeError: out of order")


def test_json_has_no_colours() -> None:
    assert written(Form.JSON, event("x", {}), colours=True).isprintable()
