"""The stages of a card, as its own lines tell them, are those of its seat, whatever people do."""

from __future__ import annotations

from random import Random

import pytest

from host.table import Phase
from protocol.card import news
from protocol.card.commands import AskState, Register
from protocol.card.stages import Stage, after
from tests.support.bench import CHANNEL, Bench
from tests.support.cards import ask, dice, greeted, hold, score

NICKS = ("alice", "bob", "carol")
IN_PRIVATE = (AskState(), Register())
IN_CHANNEL = ("!leave", "!pause", "!resume", "!start", "!stop")


def possible(bench: Bench, nick: str) -> set[Stage]:
    """The stages in which the card of a player may be, as the table has it."""
    table, person = bench.keeper().table, bench.desk.find(nick)
    seat = table.seat_of(person.id) if person else None
    if seat is None or table.seats[seat].left:
        return {Stage.OUT, Stage.OVER}
    if table.phase is Phase.PLAYING and table.decides(seat):
        return {Stage.DECIDING, Stage.NOTED}
    return {{Phase.LOBBY: Stage.LOBBY, Phase.PLAYING: Stage.WAITING}.get(table.phase, Stage.OVER)}


@pytest.mark.parametrize("pace", ["free", "lockstep"])
@pytest.mark.parametrize("seed", range(6))
def test_a_card_knows_its_stage_whatever_happens(seed: int, pace: str) -> None:
    chance = Random(seed)
    bench = greeted(*NICKS, channels=f'{{"{CHANNEL}": {{pace: {pace}}}}}')
    stages, read = dict.fromkeys(NICKS, Stage.OUT), 0
    for nick in NICKS:
        ask(bench, nick, Register())
    for _ in range(200):
        for target, text, _ in bench.wire.sent[read:]:
            if target in stages and (line := news.read(text)):
                stages[target] = after(stages[target], line)
        read = len(bench.wire.sent)
        assert [nick for nick in NICKS if stages[nick] not in possible(bench, nick)] == []
        nick = chance.choice(NICKS)
        if chance.random() < 0.1:
            bench.say(nick, chance.choice(IN_CHANNEL))
        elif chance.random() < 0.2:
            ask(bench, nick, chance.choice(IN_PRIVATE))
        elif chance.random() < 0.1:
            bench.pass_(chance.choice((1, 30, 121)))
        elif stages[nick] in (Stage.DECIDING, Stage.NOTED):
            shown = dice(bench, nick)
            keeps = hold(shown, *chance.sample(range(5), chance.randint(0, 5)))
            ask(bench, nick, chance.choice((keeps, score(shown, chance.choice(shown.pays)[0]))))
