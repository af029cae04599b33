"""The same dice for all: what skill made of them."""

from __future__ import annotations

import re

import pytest

from game.match import ROLLS
from game.scorecard import Scorecard
from host import same_dice
from host.advice import Turns, no_turns
from solver.advice import Hold
from tests.host.test_clerk import play_out
from tests.support import perfect_play
from tests.support.bench import CHANNEL, Bench, config, to

EXPERTS = "repeat_seconds: 0, dice: same, house: {seats: 2}"


@pytest.fixture(scope="module")
def turns() -> Turns:
    return perfect_play.turns("hasbro")


def played(turns: Turns, keys: str, *nicks: str) -> list[str]:
    made = Bench(config(f'{{"{CHANNEL}": {{{keys}}}}}'), turns=turns)
    made.connect(*nicks)
    made.begin(*nicks)
    play_out(made, *nicks)
    return to(made.since(0), CHANNEL)


def compared(lines: list[str]) -> str:
    (line,) = (line for line in lines if line.startswith("On the same dice: "))
    return line


def test_house_experts_play_perfectly_on_the_same_dice(turns: Turns) -> None:
    lines = played(turns, EXPERTS, "alice")
    final = next(line for line in lines if line.startswith("Final result"))
    line = compared(lines)
    perfect = int(line.rsplit("would have had ", 1)[1])
    assert f"Pip(house) {perfect}" in final
    assert re.search(r"Pip\(house\) [-+][\d.]+ to the others, \+0 to perfect play", line)
    alice = int(re.search(r"alice (\d+)", final)[1])  # type: ignore[index]
    assert f"alice {alice - perfect:+.1f} to the others, {alice - perfect:+} to perfect play" in line


def test_the_perfect_total_is_that_of_playing_by_every_hint(turns: Turns) -> None:
    b = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0, dice: same}}}}'), turns=turns)
    b.connect("alice")
    b.begin("alice")
    while (table := b.keeper().table).open:
        turn, perfect = table.play.turns[0], turns(table.play.cards[0])
        assert perfect
        best = perfect.advice(turn.cup, ROLLS - turn.roll).best
        if isinstance(best, Hold):
            b.tell("alice", f"keep {' '.join(map(str, best.kept)) or 'none'}")
        else:
            b.tell("alice", f"score {best.category.value.replace('_', ' ')}")
    empty = turns(Scorecard(table.rules))
    assert empty
    assert same_dice.perfect_total(empty.values, table) == table.play.cards[0].total
    assert compared(to(b.since(0), CHANNEL)).startswith("On the same dice: alice +0 to perfect play | ")


def test_while_perfect_play_is_not_known_the_players_are_compared_with_each_other() -> None:
    line = compared(played(no_turns, "repeat_seconds: 0, dice: same", "alice", "bob"))
    assert "perfect" not in line
    one, other = (float(number) for number in re.findall(r"([-+][\d.]+) to the others", line))
    assert one == -other


def test_with_own_dice_nothing_is_compared(turns: Turns) -> None:
    assert not any("same dice" in line for line in played(turns, "repeat_seconds: 0", "alice", "bob"))
