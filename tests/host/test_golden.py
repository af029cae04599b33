"""A whole game for each rule set as a text file: what everybody typed and what everybody was told.

After a change that is meant to show, `pytest tests/host/test_golden.py --golden-write` writes the files anew.
"""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from game.dice import Dice
from game.match import Pace
from game.rules import RULE_SETS
from game.standin import best_box
from host.table import Phase
from protocol import boxes
from protocol.tags import Placing
from tests.support.bench import CHANNEL, Bench, config

GOLDEN = Path(__file__).parent.parent / "golden"

# The hosted card game is dealt in lockstep, the others at the players' own speed.
PACES = {"hosted": Pace.LOCKSTEP}
# Under this seed carol rolls a further Yahtzee, and it serves as a straight.
SEED = bytes([7]) * 32


class Script:
    """Two players who collect equal faces, and a third who comes late, errs, and falls asleep for a while."""

    def __init__(self, rules: str) -> None:
        pace = PACES.get(rules, Pace.FREE).value
        channels = f'{{"{CHANNEL}": {{rules: {rules}, pace: {pace}, repeat_seconds: 0}}}}'
        self.bench = Bench(config(channels), seed=SEED)
        self.text: list[str] = []

    def play(self) -> str:
        bench = self.bench
        bench.connect("alice", "bob", "carol")
        self.say("alice", "!join")
        self.tell("bob", "$")
        self.say("carol", "!join")
        self.say("carol", "!start")
        self.say("alice", "!start")
        self.tell("carol", "score three")
        self.tell("carol", "keep 7")
        self.tell("carol", "time")
        for _ in range(13):
            self.round()
        self.tell("bob", "card")
        self.say("carol", "!scores")
        return "\n".join(self.text) + "\n"

    def round(self) -> None:
        table = self.bench.keeper().table
        number = table.play.round
        asleep = {"carol"} if number in (3, 4, 5) else set()
        while (table := self.bench.keeper().table).phase is Phase.PLAYING and table.play.round == number:
            awake = [n for n in table.waiting if table.seats[n].nick not in asleep]
            if not awake:
                self.text.append("* time passes")
                self.told(self.bench.pass_(self.bench.config.networks[0].channels[0].round_seconds))
                continue
            for seat in awake:
                self.decide(seat)
        if number == 5:
            self.say("carol", "sorry, I was away")

    def decide(self, seat: int) -> None:
        table = self.bench.keeper().table
        nick, turn, card = table.seats[seat].nick, table.play.turns[seat], table.play.cards[seat]
        if turn.choice or turn.hold is not None or turn.entry:
            return
        kept = collect(turn.cup)
        if turn.roll < 3 and len(kept) < 5:
            self.tell(nick, f"keep {' '.join(map(str, kept))}")
        else:
            self.tell(nick, f"score {boxes.name(best_box(card, turn.cup))}")

    def say(self, nick: str, text: str) -> None:
        self.text.append(f"{CHANNEL} <{nick}> {text}")
        self.told(self.bench.say(nick, text))

    def tell(self, nick: str, text: str) -> None:
        self.text.append(f"{nick} -> Hoster: {text}")
        self.told(self.bench.tell(nick, text))

    def told(self, lines: list[str]) -> None:
        for line in lines:
            target, _, text = line.partition(": ")
            self.text.append(
                f"{CHANNEL} <Hoster> {text}" if target == CHANNEL else f"Hoster -> {target}: {text}"
            )


def collect(dice: Dice) -> list[int]:
    face, count = max(Counter(dice.faces).items(), key=lambda pair: (pair[1], pair[0]))
    return [face] * count


def test_every_rule_set_has_a_transcript() -> None:
    assert {path.stem for path in GOLDEN.glob("*.txt")} == set(RULE_SETS)


@pytest.mark.parametrize("rules", RULE_SETS)
def test_a_whole_game_goes_as_written(rules: str, request: pytest.FixtureRequest) -> None:
    path = GOLDEN / f"{rules}.txt"
    transcript = Script(rules).play()
    if request.config.getoption("--golden-write"):
        path.write_text(transcript, encoding="utf-8")
    assert transcript == path.read_text(encoding="utf-8")


@pytest.mark.parametrize("rules", RULE_SETS)
def test_the_transcripts_show_what_the_rule_sets_differ_in(rules: str) -> None:
    transcript = (GOLDEN / f"{rules}.txt").read_text(encoding="utf-8")
    assert "+100" in transcript
    assert "carol** " in transcript
    assert len(Placing.find(transcript.split("Final result: ")[1])) == 3
