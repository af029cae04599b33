"""The stages of a game: their tables fit the lines that there are, and lead everywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.category import Category
from game.dice import ALL, Dice
from protocol.card import commands, news
from protocol.card.keys import By, Entry, Exit, Phase
from protocol.card.stages import ALWAYS, FITTING, NEXT, Stage, after, fits
from tests.protocol.card_strategies import messages

DICE = Dice((4, 4, 2, 6, 1))


def seated(phase: Phase) -> news.Seated:
    return news.Seated("g", "#y", phase, "hasbro", "free", 120, 1, 12, 60)


def test_the_tables_name_every_stage_and_only_lines_that_there_are() -> None:
    assert set(NEXT) == set(FITTING) == set(Stage)
    assert {kind for following in NEXT.values() for kind in following} <= set(news.KINDS)
    assert ALWAYS | set().union(*FITTING.values()) == set(commands.KINDS)
    assert all(not ALWAYS & fitting for fitting in FITTING.values())


@pytest.mark.parametrize("start", Stage)
def test_every_stage_leads_to_every_other(start: Stage) -> None:
    reached, fresh = {start}, {start}
    while fresh:
        fresh = {end for stage in fresh for end in NEXT[stage].values()} - reached
        reached |= fresh
    assert reached == set(Stage)


def test_a_stage_in_which_something_can_be_done_is_never_far() -> None:
    busy = {stage for stage, fitting in FITTING.items() if fitting}
    assert {stage for stage in Stage if stage not in busy and not set(NEXT[stage].values()) & busy} == set()


@given(st.sampled_from(Stage), st.one_of(*map(messages, news.KINDS.values())))
def test_a_line_leads_where_the_table_says(stage: Stage, line: news.News) -> None:
    special = isinstance(line, news.Seated) or (
        isinstance(line, news.Rolled) and (line.keep is not None or line.box is not None)
    )
    if not special:
        assert after(stage, line) is NEXT[stage].get(line.KIND, stage)


@pytest.mark.parametrize("stage", Stage)
def test_seated_tells_the_stage_from_wherever(stage: Stage) -> None:
    assert after(stage, seated(Phase.LOBBY)) is Stage.LOBBY
    assert after(stage, seated(Phase.PLAYING)) is Stage.WAITING
    assert after(stage, seated(Phase.OVER)) is Stage.OVER


@pytest.mark.parametrize("stage", Stage)
@pytest.mark.parametrize(
    "noted", [{"keep": ALL}, {"keep": frozenset()}, {"box": Category.CHANCE}], ids=["all", "none", "box"]
)
def test_dice_with_what_was_noted_wait_for_the_others(stage: Stage, noted: dict[str, object]) -> None:
    line = news.Rolled("g", 1, 1, DICE, 60, (), **noted)  # type: ignore[arg-type]
    playing = "dice" in NEXT[stage]
    assert after(stage, line) is (Stage.NOTED if playing else stage)


def test_a_late_line_brings_no_game_back() -> None:
    for line in (
        news.Rolled("g", 13, 3, DICE, 60, ()),
        news.Accepted("g", 13, 3),
        news.Scored("g", 13, Entry(Category.CHANCE, 17, 0, 17, By.PLAYER)),
        news.Result("g", 1, (17,)),
        news.Waiting("g", 13, (2,)),
    ):
        assert after(Stage.OVER, line) is Stage.OVER
        assert after(Stage.OUT, line) is Stage.OUT
    assert after(Stage.OUT, news.Gone("g", Exit.LEFT)) is Stage.OUT


@pytest.mark.parametrize("stage", Stage)
def test_what_fits(stage: Stage) -> None:
    assert fits(stage, commands.Ping())
    assert fits(stage, commands.AskState())
    assert fits(stage, commands.Register()) == (stage in (Stage.OUT, Stage.OVER))
    for decision in (
        commands.Hold("g", 1, 1, ALL),
        commands.Score("g", 1, 1, Category.CHANCE),
    ):
        assert fits(stage, decision) == (stage in (Stage.DECIDING, Stage.NOTED))
