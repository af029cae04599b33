"""Whole games of random players: nothing they do breaks a total, shows dice to others, or is forgotten."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache
from typing import Any

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from game.dice import Dice
from game.match import Pace, Rolled, Scored
from game.rules import RULE_SETS
from host.advice import Turns
from host.events import Event, Finished, Opened
from host.journal import GameFile, Journal
from host.store import Store
from host.table import Phase, Table
from host.watch import StoreWatch
from protocol.tags import DiceTag, Placing
from tests.game import oracle
from tests.host.hosting_tools import BOSS
from tests.support import perfect_play, recount
from tests.support.bench import CHANNEL, Bench, config

NICKS = ("alice", "[^o^]", "{0}", "score")
_BRACKETS = re.compile(r"\[[1-6](?: [1-6]){4}\]")

dice_words = st.text("123456abcde ", max_size=9)
box_words = st.sampled_from(
    ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch", "three", "s", "straight"]
)
lines = st.one_of(
    st.builds("keep {}".format, dice_words),
    st.builds("r{}".format, dice_words),
    st.sampled_from(
        ["reroll all", "keep all", "dice", "card", "who", "scores", "time", "leave", "join", "hi", "hint"]
    ),
    st.builds("score {}".format, box_words),
    box_words,
    st.text(max_size=20),
)
steps = st.lists(
    st.one_of(
        st.tuples(st.sampled_from(NICKS), lines),
        st.tuples(st.sampled_from(NICKS), lines),
        st.tuples(st.sampled_from(NICKS), lines),
        st.tuples(st.just(None), st.sampled_from([0.5, 3.0, 31.0, 121.0])),
    ),
    max_size=120,
)

amendments = st.lists(
    st.tuples(st.integers(0, len(NICKS) - 1), st.sampled_from(["ch", "si", "yz"])), max_size=2
)


@given(
    st.sampled_from(sorted(RULE_SETS)),
    st.sampled_from(list(Pace)),
    st.integers(1, len(NICKS)),
    st.binary(min_size=32, max_size=32),
    st.tuples(steps, amendments),
)
@settings(max_examples=60, deadline=None, suppress_health_check=list(HealthCheck))
def test_whatever_players_do(
    rules: str,
    pace: Pace,
    players: int,
    seed: bytes,
    story: tuple[list[tuple[str | None, str | float]], list[tuple[int, str]]],
) -> None:
    moves, amended = story
    channel = f'{{"{CHANNEL}": {{rules: {rules}, pace: {pace.value}, repeat_seconds: 0}}}}'
    journal = Remembering.open("sqlite://")
    # Perfect play is known for one of the rule sets: with the others the host stands in without it.
    bench = Bench(config(channel, admins='["*!*@staff.example"]'), journal, seed=seed, turns=_turns())
    bench.connect(*NICKS)
    bench.begin(*NICKS[:players])
    for number, (nick, what) in enumerate(moves):
        if bench.keeper().table.phase is not Phase.PLAYING:
            break
        if nick is None:
            bench.pass_(float(what))
        else:
            bench.tell(nick, str(what))
        check_lines(bench)
        if number % 8 == 0:
            check_journal(bench)
    bench.pass_(120 * 3 * 13)
    table = bench.keeper().table
    assert not table.open
    if table.phase is Phase.OVER:
        check_totals(bench, rules, journal.written)
        for seat, box in (one for one in amended if one[0] < players):
            bench.say("boss", f"!amend {NICKS[seat]} {box} 0 misread", mask=BOSS)
    games = recount.check(journal._store)
    assert games == sum(isinstance(event, Finished) for event in journal.written)
    journal.close()


@cache
def _turns() -> Turns:
    return perfect_play.turns("hasbro")


class Remembering(Journal):
    """A journal that keeps a list of what it wrote."""

    def __init__(self, store: Store, watch: StoreWatch) -> None:
        super().__init__(store, watch)
        self.written: list[Event] = []

    def append(self, file: GameFile, version: int, events: Sequence[Event], *when: Any, **more: Any) -> None:
        super().append(file, version, events, *when, **more)
        self.written += events


def check_lines(bench: Bench) -> None:
    """No public line holds live dice, and no private line holds anybody else's."""
    table = bench.keeper().table
    for target, text, _ in bench.wire.sent[-8:]:
        if target == CHANNEL:
            assert not _BRACKETS.search(text)
            assert DiceTag.find(text) is None
    if table.phase is not Phase.PLAYING:
        return
    for seat, turn in zip(table.seats, table.play.turns, strict=True):
        shown = [DiceTag.find(text) for target, text, _ in bench.wire.sent if target == seat.nick]
        last = next((tag for tag in reversed(shown) if tag), None)
        if turn.entry is None and not seat.away:
            assert last == DiceTag(table.play.round, turn.roll, turn.cup)


def check_journal(bench: Bench) -> None:
    """The journal, read back, gives the same table."""
    unfinished = bench.journal.unfinished()
    table = Table(bench.keeper().settings)
    for history in unfinished:
        for at, event in history.events:
            table = table.after(event, at)
    if unfinished:
        assert table == bench.keeper().table


def check_totals(bench: Bench, rules: str, events: list[Event]) -> None:
    """Every entry is one that the documents allow for the dice, and the totals are the sum of them."""
    cards: dict[int, dict[str, int]] = {}
    extra: dict[int, int] = {}
    dice: dict[int, Dice] = {}
    for event in events:
        match event:
            case Opened():
                # Whoever joins a game that all have gone from has it played out, and opens the next one.
                cards, extra, dice = {}, {}, {}
            case Rolled(seat, dice=fallen):
                dice[seat] = fallen
            case Scored(seat, category, points, bonus):
                card = cards.setdefault(seat, {})
                faces = list(dice[seat].faces)
                assert oracle.options(rules, faces, card)[category.value] == points
                assert oracle.bonus(rules, faces, card) == bonus
                card[category.value] = points
                extra[seat] = extra.get(seat, 0) + bonus // 100
    placings = {row.nick: row.total for _, text, _ in bench.wire.sent for row in Placing.find(text)}
    for number, who in enumerate(bench.keeper().table.seats):
        assert len(cards[number]) == 13
        assert placings[who.nick] == oracle.total(cards[number], extra[number])
