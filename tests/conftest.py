from __future__ import annotations

import logging
import os
from collections.abc import Iterator

import pytest

from host import logs


def pytest_configure(config: pytest.Config) -> None:
    # Perfect play that hosts of the tests work out is kept from run to run, and not in the user's own folder.
    assert config.cache is not None
    os.environ["XDG_CACHE_HOME"] = str(config.cache.mkdir("perfect-play"))


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden-write",
        action="store_true",
        help="write the golden transcripts anew instead of comparing them",
    )
    parser.addoption(
        "--pictures-write",
        action="store_true",
        help="draw the pictures of the card in docs/pictures anew instead of comparing them",
    )


@pytest.fixture(autouse=True)
def _nobody_else_logs() -> Iterator[None]:
    """A command that ran in this process leaves no log behind that goes where its output went."""
    root = logging.getLogger()
    level = root.level
    yield
    root.setLevel(level)
    for handler in root.handlers[:]:
        if type(handler) is logging.StreamHandler:
            root.removeHandler(handler)


@pytest.fixture(autouse=True)
def _log_as_it_is_written(caplog: pytest.LogCaptureFixture) -> None:
    """What a test reads in `caplog.text` is what an operator reads, with all fields."""
    caplog.handler.setFormatter(logs.formatter(logs.Form.TEXT))
