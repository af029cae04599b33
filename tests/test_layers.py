"""Who may import whom, read off the source, and what the pure packages pull in, seen in a fresh process."""

import ast
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]

# Each package and those of ours that it may import; host and card never import each other.
LAYERS: dict[str, frozenset[str]] = {
    "game": frozenset(),
    "protocol": frozenset({"game"}),
    "solver": frozenset({"game"}),
    "chat": frozenset(),
    "host": frozenset({"game", "protocol", "solver", "chat"}),
    "card": frozenset({"game", "protocol", "solver", "chat"}),
}

# What else some packages may import. The pure ones have neither I/O nor clock nor chance, so that what is not
# listed here is refused; a module joins the list when it has none of these either.
PURE = frozenset(
    """__future__ abc bisect collections contextlib copy dataclasses decimal difflib enum fractions functools
    graphlib hashlib heapq hmac itertools json math numbers operator re string textwrap types typing
    unicodedata""".split()  # noqa: SIM905
)
OUTSIDE: dict[str, frozenset[str]] = {
    "game": PURE,
    "protocol": PURE,
    "solver": sys.stdlib_module_names | {"numpy"},
}

# Modules that only one package may import.
RESERVED = {"irc": "chat"}

MOST_LINES = 400

IMPURE = """asyncio socket _socket ssl select selectors sqlite3 random secrets threading subprocess logging
    http urllib yaml numpy irc pydantic pydantic_core sqlalchemy aiohttp prometheus_client
    structlog""".split()  # noqa: SIM905


def imported(source: str) -> Iterator[tuple[int, str]]:
    """Line and top-level name of every import in a module, those inside functions and conditions included."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield node.lineno, alias.name.partition(".")[0]
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.lineno, node.module.partition(".")[0]
        elif isinstance(node, ast.Call) and ast.unparse(node.func).endswith(("__import__", "import_module")):
            # Named at run time, it is checked where it can be read, and otherwise counts as anything.
            name = node.args[0] if node.args else None
            readable = isinstance(name, ast.Constant) and isinstance(name.value, str)
            yield node.lineno, name.value.partition(".")[0] if readable else "?"  # type: ignore[union-attr]


def violations(package: str, source: str) -> list[str]:
    """What a module of `package` imports and may not, as `LINE: PACKAGE imports NAME`."""
    found = []
    for line, name in imported(source):
        if name in LAYERS:
            allowed = name == package or name in LAYERS[package]
        elif name in RESERVED:
            allowed = RESERVED[name] == package
        else:
            allowed = package not in OUTSIDE or name in OUTSIDE[package]
        if not allowed:
            found.append(f"{line}: {package} imports {name}")
    return found


def packages() -> list[str]:
    """The folders in the root that Python would import."""
    found = {path.parent.name for path in ROOT.glob("*/*.py") if not path.parent.name.startswith(".")}
    return sorted(found - {"tests", "build", "docs", "scripts", "examples"})


def modules(*folders: str) -> list[Path]:
    return sorted(path for folder in folders for path in (ROOT / folder).rglob("*.py"))


def project() -> dict[str, Any]:
    return tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))


@pytest.mark.parametrize("package", packages())
def test_no_import_runs_against_the_arrows(package: str) -> None:
    found = [
        f"{path.relative_to(ROOT)}:{violation}"
        for path in modules(package)
        for violation in violations(package, path.read_text("utf-8"))
    ]
    assert not found


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("game", "import protocol"),
        ("game", "from host.config import load"),
        ("game", "import os.path"),
        ("game", "import numpy as np"),
        ("game", "import math, random"),
        ("game", "def roll():\n    from secrets import randbelow"),
        ("game", "from typing import TYPE_CHECKING\nif TYPE_CHECKING:\n    import chat"),
        ("game", "x = __import__('time')"),
        ("protocol", "import chat"),
        ("protocol", "import datetime"),
        ("protocol", "import irc.client"),
        ("solver", "import protocol"),
        ("solver", "import pydantic"),
        ("chat", "import game"),
        ("chat", "from host import wording"),
        ("host", "import card.model"),
        ("host", "from irc import client"),
        ("host", "import importlib\nimportlib.import_module('irc.client')"),
        ("card", "import host"),
        ("card", "import irc"),
    ],
)
def test_the_checker_sees_a_planted_violation(package: str, source: str) -> None:
    assert len(violations(package, source)) == 1


@pytest.mark.parametrize(
    ("package", "source"),
    [
        ("game", "from collections.abc import Sequence\nfrom game.dice import Dice\nfrom . import rules"),
        ("protocol", "import re\nfrom game import rules"),
        ("solver", "import numpy\nimport pickle\nfrom game import rules"),
        ("chat", "import asyncio\nimport irc.client_aio\nfrom chat.link import Link"),
        ("host", "import yaml, sqlalchemy\nfrom chat import link\nfrom protocol import commands"),
        ("card", "import tkinter\nfrom solver import best"),
    ],
)
def test_the_checker_lets_the_right_arrows_be(package: str, source: str) -> None:
    assert violations(package, source) == []


def test_every_package_has_a_place_in_the_layers() -> None:
    assert {"game", "protocol", "chat", "host", "card"} <= set(packages()) <= set(LAYERS)


def test_the_project_file_lists_every_package() -> None:
    found = {path.parent.relative_to(ROOT).as_posix().replace("/", ".") for path in modules(*packages())}
    assert set(project()["tool"]["setuptools"]["packages"]) == found
    assert set(packages()) <= set(project()["tool"]["mypy"]["packages"])


def test_the_pure_packages_pull_in_nothing_impure() -> None:
    names = [
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        for path in modules("game", "protocol")
    ]
    code = (
        "import importlib, sys\n"
        f"for name in {names!r}: importlib.import_module(name)\n"
        f"print(*sorted(sys.modules.keys() & set({IMPURE!r})))\n"
    )
    # -S: site-packages may bring modules along by .pth files, and nothing from there is needed.
    run = subprocess.run(
        [sys.executable, "-S", "-c", code], cwd=ROOT, capture_output=True, text=True, timeout=60, check=False
    )
    assert (run.returncode, run.stderr, run.stdout.split()) == (0, "", [])


def test_the_fresh_process_would_see_an_impure_import() -> None:
    code = f"import json, sys, random; print(*sorted(sys.modules.keys() & set({IMPURE!r})))"
    run = subprocess.run([sys.executable, "-S", "-c", code], capture_output=True, text=True, check=True)
    assert "random" in run.stdout.split()


def test_no_module_shadows_the_irc_library() -> None:
    names = {path.stem for path in modules(*packages(), "tests")} | {
        path.parent.name for path in modules(*packages(), "tests")
    }
    assert "irc" not in names


def test_no_file_is_too_long_to_read_in_one_go() -> None:
    lengths = {
        str(path.relative_to(ROOT)): len(path.read_text("utf-8").splitlines())
        for path in modules(*packages(), "tests", "examples")
    }
    assert {name: length for name, length in lengths.items() if length > MOST_LINES} == {}
