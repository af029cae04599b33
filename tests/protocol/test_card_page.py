"""docs/protocol.md against the code; `--golden-write` writes the tables and the picture anew."""

from __future__ import annotations

import re
import shutil
import subprocess
from itertools import pairwise
from pathlib import Path

import pytest

from game.category import CATEGORIES, Category
from game.rules import RULE_SETS
from game.scorecard import Scorecard
from protocol.card import commands, keys, news
from protocol.card.fields import LONGEST, MARK, write
from protocol.card.keys import Entry
from protocol.card.news import Accepted, Began, Rolled, Scored, Seated
from protocol.card.stages import ALWAYS, Stage, after, fits
from protocol.parser import parse
from tests.protocol.card_tables import PARTS, all_kinds, dot, keys_of, ticked

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs/protocol.md"
PICTURE = ROOT / "docs/pictures/card-stages.svg"


def text() -> str:
    return PAGE.read_text(encoding="utf-8")


def rounds() -> list[list[tuple[str, str]]]:
    """The worked rounds of the page: who speaks, and the line."""
    blocks = re.findall(r"```\n((?:[<>] .*\n)+)```", text())
    return [[(line[0], line[2:]) for line in block.splitlines()] for block in blocks]


@pytest.mark.parametrize("name", PARTS)
def test_the_tables_are_those_of_the_code(name: str, request: pytest.FixtureRequest) -> None:
    made = f"<!-- {name} -->\n" + "\n".join(PARTS[name]()) + "\n<!-- end -->"
    pattern = rf"<!-- {name} -->\n.*?<!-- end -->"
    if request.config.getoption("--golden-write"):
        PAGE.write_text(re.sub(pattern, lambda _: made, text(), flags=re.DOTALL), encoding="utf-8")
    assert re.findall(pattern, text(), re.DOTALL) == [made]


def test_the_picture_shows_the_stages(request: pytest.FixtureRequest) -> None:
    """It holds the text that it was drawn from, so that only drawing it needs Graphviz."""
    source = f"<!--\n{dot()}-->\n"
    if request.config.getoption("--golden-write"):
        program = shutil.which("dot")
        assert program, "the picture is drawn by Graphviz: apt-get install graphviz"
        drawn = subprocess.run([program, "-Tsvg"], input=dot(), capture_output=True, text=True, check=True)
        PICTURE.write_text(drawn.stdout + source, encoding="utf-8")
    drawing = PICTURE.read_text(encoding="utf-8")
    assert drawing.endswith(source)
    for stage in Stage:
        assert f">{stage.value}</text>" in drawing


def test_everything_has_a_meaning() -> None:
    rows = {part: [row for row in PARTS[part]() if row.startswith("| `")] for part in PARTS}
    for part in ("commands", "news", "keys", "codes"):
        assert [row for row in rows[part] if not row.rsplit("|", 2)[1].strip()] == []
    explained = {row.split("`")[1] for row in rows["keys"]}
    assert explained == {key.name for kind in all_kinds() for _, key, _ in keys_of(kind)}
    assert [row.split("`")[1] for row in rows["codes"]] == [code.value for code in keys.Code]


def test_the_page_names_the_boxes_and_the_commands_that_always_fit() -> None:
    assert f"| box | {ticked(map(box, CATEGORIES))}:" in text()
    (said,) = re.findall(r"^(.*) fit always\.", text(), re.MULTILINE)
    assert set(re.findall(r"`(\w+)`", said)) == ALWAYS
    assert f"at most {LONGEST} bytes" in text()
    assert f"version {keys.VERSION}" in text()


def box(category: Category) -> str:
    return write(commands.Score("g", 1, 1, category)).rpartition("=")[2]


def test_the_typed_commands_of_the_page_are_understood() -> None:
    (said,) = re.findall(r"work\nbeside these at any time: (.*)\.", text())
    typed = re.findall(r"`([^`]+)`", said)
    assert len(typed) == 5
    for line in typed:
        parse(line)


def test_every_line_of_the_page_can_be_read() -> None:
    lines = re.findall(rf"^([<>] )?({MARK} .*)", text(), re.MULTILINE)
    assert len(lines) > 25
    for who, line in lines:
        assert len(line.encode()) <= LONGEST
        # Of those that stand alone the hello is the card's, and the others are the host's.
        says = who == "> " or (not who and line.startswith(f"{MARK} hello"))
        assert (commands if says else news).read(line) is not None


@pytest.mark.parametrize("number", [0, 1])
def test_the_rounds_go_as_the_stages_say(number: int) -> None:
    stage = (Stage.OUT, Stage.WAITING)[number]
    for who, line in rounds()[number]:
        if who == ">":
            command = commands.read(line)
            assert command is not None
            assert write(command) == line
            assert fits(stage, command), line
        else:
            told = news.read(line)
            assert told is not None
            assert write(told) == line
            stage = after(stage, told)
    assert stage is Stage.DECIDING


@pytest.mark.parametrize(("number", "pace"), [(0, "free"), (1, "lockstep")])
def test_the_rounds_keep_to_the_rules(number: int, pace: str) -> None:
    told = [news.read(line) for who, line in rounds()[number] if who == "<"]
    card = Scorecard(RULE_SETS["hasbro"])
    rolled = [line for line in told if isinstance(line, Rolled)]
    assert [(line.round, line.roll) for line in rolled] == [(1, 1), (1, 2), (1, 3), (2, 1)]
    assert any(isinstance(line, Accepted) for line in told) == (pace == "lockstep")
    assert {line.pace for line in told if isinstance(line, Seated | Began)} <= {pace}
    for line in told:
        wrote: Entry | None = getattr(line, "wrote", None)
        if wrote is not None:
            card = card.score(rolled[2].dice, wrote.box)
            assert (card.boxes[wrote.box], card.total) == (wrote.points, wrote.total)
        if isinstance(line, Rolled):
            assert dict(line.pays) == card.options(line.dice)
        assert not isinstance(line, Scored) or pace == "free"
    for before, now in pairwise(rolled[:3]):
        kept = [
            command.keep
            for who, sent in rounds()[number]
            if who == ">" and isinstance(command := commands.read(sent), commands.Hold)
            if command.roll == before.roll
        ][-1]
        assert all(before.dice.faces[place] == now.dice.faces[place] for place in kept)
