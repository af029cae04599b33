"""At a full table every line for programs fits, also when all have totals and all are waited for."""

from __future__ import annotations

import pytest

from game.category import Category
from protocol.card import news
from protocol.card.fields import LONGEST
from tests.support.bench import CHANNEL
from tests.support.cards import ask, dice, playing, score


@pytest.mark.parametrize(("seats", "named"), [(8, True), (9, False), (50, False)])
def test_lines_fit_in_later_rounds_too(seats: int, named: bool) -> None:
    nicks = [f"player{number}" for number in range(seats)]
    bench = playing(*nicks, channels=f'{{"{CHANNEL}": {{seats: 50}}}}')
    for box in (Category.CHANCE, Category.THREES, Category.THREE_OF_A_KIND):
        for nick in nicks[1:]:
            ask(bench, nick, score(dice(bench, nick), box))
        # Whoever slept hears on the deal what was written for them.
        bench.pass_(121)
        shown = dice(bench, nicks[0])
        assert (shown.roll, len(shown.totals), bool(shown.wrote)) == (1, seats, True)
        assert shown.waiting == (tuple(range(2, seats + 1)) if named else ())
    (again,) = ask(bench, nicks[0], score(shown, shown.pays[0][0]))
    assert isinstance(again, news.Scored)
    assert len(again.waiting) == seats - 1
    lines = [text for _, text, _ in bench.wire.sent if text.startswith("ycp ")]
    assert max(len(line.encode()) for line in lines) <= LONGEST
