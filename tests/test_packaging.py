"""What the built wheel holds, and what it does not."""

import shutil
import subprocess
import sys
import tomllib
import zipfile
from email.message import Message
from email.parser import Parser
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[1]
PROJECT: dict[str, Any] = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
PACKAGES: list[str] = PROJECT["tool"]["setuptools"]["packages"]

BUILD = "import sys; from setuptools.build_meta import build_wheel; build_wheel(sys.argv[1])"


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> zipfile.ZipFile:
    """The wheel, built of a copy: an older build/ in the tree would end up in it."""
    source, target = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for name in ("pyproject.toml", "README.md", "LICENSE", "config.yaml"):
        shutil.copy(ROOT / name, source)
    for folder in {name.partition(".")[0] for name in PACKAGES} | {"tests"}:
        shutil.copytree(ROOT / folder, source / folder, ignore=shutil.ignore_patterns("__pycache__"))
    run = subprocess.run(
        [sys.executable, "-c", BUILD, str(target)], cwd=source, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stdout + run.stderr
    (built,) = target.iterdir()
    assert built.name == f"yardzee-{PROJECT['project']['version']}-py3-none-any.whl"
    return zipfile.ZipFile(built)


@pytest.fixture(scope="module")
def metadata(wheel: zipfile.ZipFile) -> Message:
    return Parser().parsestr(in_info(wheel, "METADATA"))


def in_info(wheel: zipfile.ZipFile, name: str) -> str:
    return wheel.read(f"yardzee-{PROJECT['project']['version']}.dist-info/{name}").decode()


def test_it_holds_every_module_of_the_listed_packages_and_nothing_else(wheel: zipfile.ZipFile) -> None:
    held = {name for name in wheel.namelist() if ".dist-info/" not in name}
    modules = {
        path.relative_to(ROOT).as_posix()
        for package in PACKAGES
        for path in (ROOT / package.replace(".", "/")).glob("*.py")
    }
    assert {name for name in held if name.endswith(".py")} == modules
    assert {name.partition("/")[0] for name in held} == {name.partition(".")[0] for name in PACKAGES}


def test_it_holds_the_licence(wheel: zipfile.ZipFile, metadata: Message) -> None:
    assert in_info(wheel, "licenses/LICENSE") == (ROOT / "LICENSE").read_text("utf-8")
    assert "MIT License" in in_info(wheel, "licenses/LICENSE")
    assert metadata["License-Expression"] == "MIT"


def test_no_index_would_take_it(metadata: Message) -> None:
    assert metadata.get_all("Classifier") == ["Private :: Do Not Upload"]


def test_its_metadata(metadata: Message) -> None:
    assert (metadata["Name"], metadata["Version"]) == ("yardzee", PROJECT["project"]["version"])
    assert metadata["Requires-Python"] == ">=3.11"
    needed = [line for line in metadata.get_all("Requires-Dist", []) if "extra ==" not in line]
    assert sorted(needed) == sorted(PROJECT["project"]["dependencies"])


def test_it_holds_what_the_card_looks_like(wheel: zipfile.ZipFile) -> None:
    assert wheel.read("card/screen/card.tcss") == (ROOT / "card/screen/card.tcss").read_bytes()


def test_its_commands_are_there(wheel: zipfile.ZipFile) -> None:
    scripts: dict[str, str] = PROJECT["project"]["scripts"]
    held = in_info(wheel, "entry_points.txt").splitlines()
    assert held[0] == "[console_scripts]"
    assert set(filter(None, held[1:])) == {f"{name} = {command}" for name, command in scripts.items()}
    assert scripts.keys() == {"yardzee-host", "yardzee-card"}
    for name, command in scripts.items():
        assert callable(EntryPoint(name, command, "console_scripts").load())
