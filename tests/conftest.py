from __future__ import annotations

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--golden-write",
        action="store_true",
        help="write the golden transcripts anew instead of comparing them",
    )
