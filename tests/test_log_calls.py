"""Every line that is logged is an event: its name stands in the source, and its fields are its own."""

from __future__ import annotations

import ast
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
METHODS = {"debug", "info", "warning", "error", "critical", "exception", "log", "bind"}
LOGGERS = {"log", "self._log"}
TAKEN = {
    *vars(logging.makeLogRecord({})),
    *("message", "asctime", "time", "level", "event", "logger", "exception"),
}
"""Names that a field would clash with: what a record has anyhow, and the head of a line."""

SAYS_NOTHING = {"exc_info"}


def calls(source: str) -> Iterator[ast.Call]:
    for node in ast.walk(ast.parse(source)):
        if (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in METHODS
            and ast.unparse(node.func.value) in LOGGERS
        ):
            yield node


def faults(source: str) -> list[str]:
    """What is wrong with the lines that a module logs."""
    found = []
    for call in calls(source):
        assert isinstance(call.func, ast.Attribute)
        names = {"bind": 0, "log": 2}.get(call.func.attr, 1)
        name = call.args[-1] if call.args else None
        constant = isinstance(name, ast.Constant) and isinstance(name.value, str) and "%" not in name.value
        if len(call.args) != names or not (
            constant or names == 0 or ast.unparse(call.args[-1]) == "line.name"
        ):
            found.append(f"{call.lineno}: no name that stays the same")
        taken = {field.arg for field in call.keywords if field.arg} & TAKEN - SAYS_NOTHING
        found += [f"{call.lineno}: {field} is taken" for field in taken]
    return found


@pytest.mark.parametrize("package", ["chat", "host"])
def test_every_line_is_an_event_with_fields_of_its_own(package: str) -> None:
    sources = {path: path.read_text("utf-8") for path in (ROOT / package).rglob("*.py")}
    assert sum(1 for source in sources.values() for _ in calls(source)) > 10
    assert {path.name: found for path, source in sources.items() if (found := faults(source))} == {}
    for path, source in sources.items():
        assert path.name == "logger.py" or "logging.getLogger(" not in source, path


@pytest.mark.parametrize(
    "call",
    [
        'log.info(f"{nick} came")',
        'log.info("%s came", nick)',
        'log.info("came: " + nick)',
        'log.info("came", name=nick)',
        "log.log(20, nick, seat=1)",
        'self._log.error("failed", exception=error)',
        'log.bind("x")',
    ],
)
def test_a_line_that_is_none_is_found(call: str) -> None:
    assert len(faults(call)) == 1
