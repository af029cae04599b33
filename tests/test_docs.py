"""The documents are true as far as a program can tell."""

from __future__ import annotations

import doctest
import re
from configparser import ConfigParser
from pathlib import Path

import pytest
from textual.binding import Binding

from card.cli import _parser as card_parser
from card.screen.app import CardApp
from game.category import CATEGORIES
from game.rules import RULE_SETS
from host.archive_rows import COLUMNS
from host.cli import _parser
from host.letter import Lane
from host.metrics import Metrics
from protocol.hosting import VERBS
from protocol.parser import parse
from protocol.records import KeepingCommand, RecordsCommand

ROOT = Path(__file__).parent.parent
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md")])


def test_the_readme_runs() -> None:
    result = doctest.testfile(str(ROOT / "README.md"), module_relative=False)
    assert result.attempted > 0
    assert result.failed == 0


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_links_lead_somewhere(page: Path) -> None:
    for link in re.findall(r"\]\((?!https?:)([^)#]+)", page.read_text(encoding="utf-8")):
        assert (page.parent / link).exists(), link


def test_every_command_of_the_players_page_is_understood() -> None:
    page = (ROOT / "docs/playing.md").read_text(encoding="utf-8")
    table = page.split("| you type | it means |")[1].split("\n\n")[0]
    typed = [line for row in table.splitlines()[2:] for line in re.findall(r"`([^`]+)`", row.split("|")[1])]
    assert len(typed) > 30
    for line in typed:
        parse(line)


def test_every_hosting_command_is_on_the_hosting_page_and_understood() -> None:
    page = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    table = page.split("| you type | it does |")[1].split("\n\n")[0]
    typed = [line for row in table.splitlines()[2:] for line in re.findall(r"`([^`]+)`", row.split("|")[1])]
    commands = {type(parse(line).command).__name__.lower() for line in typed}
    assert commands == {*VERBS, *_named_under(KeepingCommand)}


def test_every_word_of_the_records_is_on_their_page_and_understood() -> None:
    page = (ROOT / "docs/records.md").read_text(encoding="utf-8")
    table = page.split("| you type | it tells |")[1].split("\n\n")[0]
    typed = re.findall(r"`([^`]+)`", table)
    commands = {type(parse(line).command).__name__.lower() for line in typed}
    assert commands == _named_under(RecordsCommand)


def _named_under(base: type[object]) -> set[str]:
    return {kind.__name__.lower() for kind in base.__subclasses__()}


def test_commands_for_the_store_on_the_hosting_page_can_be_typed() -> None:
    page = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    typed = re.findall(r"yardzee-host ((?:backup|export|import) [^][`|>#$'\n]+)", page)
    assert len(typed) >= 8
    for line in typed:
        _parser().parse_args(line.split())
    for column in {*COLUMNS} - {category.value for category in CATEGORIES}:
        assert f"`{column}`" in page


def test_every_metric_is_on_the_hosting_page() -> None:
    metrics = Metrics()
    metrics.show(list, lambda: True)
    page = metrics.page("")[0].decode()
    names = {name for name in re.findall(r"# HELP (yardzee_\w+)", page) if not name.endswith("_created")}
    text = (ROOT / "docs/hosting.md").read_text(encoding="utf-8")
    table = text.split("| metric | labels | is |")[1].split("\n\n")[0]
    assert set(re.findall(r"`(yardzee_\w+)`", table)) == names
    assert [lane.name.lower() for lane in Lane if f"`{lane.name.lower()}`" not in table] == []
    alerts = text.split("Worth a call")[1].split("```")[1]
    assert {name.removesuffix("_bucket") for name in re.findall(r"yardzee_\w+", alerts)} < names


def test_every_option_key_and_command_of_the_card_is_on_its_page() -> None:
    page = (ROOT / "docs/card.md").read_text(encoding="utf-8")
    options = {option for action in card_parser()._actions for option in action.option_strings}
    assert [option for option in options - {"-h", "--help", "--version"} if f"`{option}" not in page] == []
    keys = set(re.findall(r"`([^`]+)`", page.split("| key | does |")[1].split("\n\n")[0]))
    bound = {
        binding.key.upper().replace("CTRL+Q", "Ctrl-Q") for binding in Binding.make_bindings(CardApp.BINDINGS)
    }
    assert {key for key in bound if re.fullmatch(r"[A-Z]|F[0-9]|Ctrl-.", key)} <= keys | set("ABCDE")


def test_the_unit_for_systemd_is_one() -> None:
    unit = ConfigParser(strict=False, interpolation=None)
    unit.optionxform = str  # type: ignore[assignment, method-assign]
    unit.read(ROOT / "docs/yardzee.service", encoding="utf-8")
    assert unit["Service"]["Type"] == "notify"
    # A start that brings a large store up to date is not to be ended halfway, again and again.
    assert unit["Service"]["TimeoutStartSec"] == "infinity"
    command = unit["Service"]["ExecStart"].split()
    assert Path(command[0]).name == "yardzee-host"
    assert vars(_parser().parse_args(command[1:]))["config"] == Path("/etc/yardzee/config.yaml")


def test_every_rule_set_is_explained() -> None:
    for page in ("docs/playing.md", "README.md", "config.yaml"):
        text = (ROOT / page).read_text(encoding="utf-8")
        assert [key for key in RULE_SETS if key not in text] == [], page
