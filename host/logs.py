"""How the log looks: one line an event, for people or as JSON, whoever wrote it.

Much of what is logged came from the network. What could end a line or move a terminal's cursor is escaped.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Mapping
from enum import StrEnum
from types import MappingProxyType
from typing import Final, TextIO

from structlog.processors import JSONRenderer, TimeStamper, format_exc_info
from structlog.stdlib import ExtraAdder, ProcessorFormatter, add_log_level, add_logger_name
from structlog.typing import EventDict, Processor, WrappedLogger

_HEAD: Final = ("time", "level", "event", "logger")
"""What comes first, in this order."""

_FORMATTED: Final = frozenset({"message", "asctime"})
"""What formatters of other handlers leave on a record."""

_OURS: Final = ("host.", "chat.")

_QUOTED: Final = frozenset(" '\"=\\")

_RESET: Final = "\x1b[0m"
_COLOURS: Final[Mapping[str, str]] = MappingProxyType(
    {"debug": "\x1b[2m", "warning": "\x1b[33m", "error": "\x1b[31m", "critical": "\x1b[31;1m"}
)


class Form(StrEnum):
    """How a line is written."""

    TEXT = "text"
    JSON = "json"


def configure(level: str, form: Form = Form.TEXT, *, environ: Mapping[str, str]) -> None:
    """Log to standard error from this level on. Colours are for terminals, and not with NO_COLOR."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter(form, colours=_wants_colours(sys.stderr, environ)))
    logging.basicConfig(level=level.upper(), handlers=[handler], force=True)


def formatter(form: Form, *, colours: bool = False) -> logging.Formatter:
    """What makes a line of a record, those of libraries included.

    Of the text, only the trace of an exception takes more lines, which are indented.
    """
    # JSON escapes all that is not ASCII, and what is not to be printed.
    render: Processor = JSONRenderer() if form is Form.JSON else _Text(colours)
    return ProcessorFormatter(
        processors=[
            ExtraAdder(),
            add_log_level,
            add_logger_name,
            TimeStamper(fmt="%Y-%m-%dT%H:%M:%SZ", utc=True, key="time"),
            format_exc_info,
            ProcessorFormatter.remove_processors_meta,
            _arranged,
            render,
        ]
    )


def _wants_colours(stream: TextIO, environ: Mapping[str, str]) -> bool:
    return stream.isatty() and not environ.get("NO_COLOR")


def _arranged(_: WrappedLogger, __: str, event: EventDict) -> EventDict:
    """The head first, and no fields with nothing in them."""
    head = {name: event.pop(name) for name in _HEAD}
    return head | {name: value for name, value in event.items() if name not in _FORMATTED and _says(value)}


def _says(value: object) -> bool:
    return value is not None and value not in ("", (), [])


class _Text:
    """Writes a line for people."""

    def __init__(self, colours: bool) -> None:
        self._colours = _COLOURS if colours else {}

    def __call__(self, _: WrappedLogger, __: str, event: EventDict) -> str:
        time, level, name, logger = (event.pop(key) for key in _HEAD)
        trace = event.pop("exception", "")
        if not logger.startswith(_OURS):
            event["logger"] = logger
        colour = self._colours.get(level)
        shown = f"{colour}{level:<7}{_RESET}" if colour else f"{level:<7}"
        fields = " ".join(f"{key}={_value(value)}" for key, value in event.items())
        line = f"{time} {shown} {_escaped(name)}   {fields}".rstrip()
        return "\n".join([line, *(f"    {_escaped(part)}" for part in trace.split("\n") if part)])


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return _word(",".join(map(str, value)))
    return _word(str(value).lower() if isinstance(value, bool) else str(value))


def _word(text: str) -> str:
    """The text as it is where it can be nothing but one word; or else quoted."""
    return text if text.isprintable() and not _QUOTED & set(text) else repr(text)


def _escaped(text: str) -> str:
    return "".join(char if char.isprintable() else repr(char)[1:-1] for char in text)
