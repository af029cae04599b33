"""Loggers whose lines are events: a short name that stays the same, and fields."""

from __future__ import annotations

import logging

import structlog
from structlog.stdlib import BoundLogger, filter_by_level, render_to_log_kwargs


def logger(name: str) -> BoundLogger:
    """Return the logger of this name, which takes fields as keywords: `log.info("connected", nick=nick)`.

    It is the standard library's, so that who uses this package configures logging as ever; a field is an
    attribute of the record (`extra`). No field may be called as an attribute that every LogRecord has.
    """
    found: BoundLogger = structlog.wrap_logger(
        logging.getLogger(name),
        processors=[filter_by_level, render_to_log_kwargs],
        wrapper_class=BoundLogger,
    )
    return found
