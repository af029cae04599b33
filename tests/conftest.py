from __future__ import annotations

import pytest

from host import logs


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden-write",
        action="store_true",
        help="write the golden transcripts anew instead of comparing them",
    )


@pytest.fixture(autouse=True)
def _log_as_it_is_written(caplog: pytest.LogCaptureFixture) -> None:
    """What a test reads in `caplog.text` is what an operator reads, with all fields."""
    caplog.handler.setFormatter(logs.formatter(logs.Form.TEXT))
