"""Dice on their way: how long a deal takes, what is stale by then, and from when a player's time counts."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import count
from typing import Final

import pytest

from chat.events import Disconnected
from host.errors import StoreError
from host.events import Event, Extended
from host.table import Phase, Table
from protocol.fairness import Seats
from protocol.tags import DiceTag
from tests.support.bench import CHANNEL, Bench, config, to

BURST: Final = 4
DEFAULT: Final = "{burst: 4, seconds: 1, bytes: 2000}"
STEP: Final = 0.125


@dataclass(frozen=True)
class Deal:
    """Who got a line and when, in seconds, up to the last player's dice."""

    lines: list[tuple[float, str]]

    @property
    def seconds(self) -> float:
        return self.lines[-1][0]

    @property
    def bound(self) -> float:
        """What the bucket allows, which is full at first."""
        return float(max(0, len(self.lines) - BURST))


def names(number: int) -> list[str]:
    return [f"player{n:02}-longer" for n in range(1, number + 1)]


def seated(number: int, *, pace: str = "free", round_seconds: int = 120, send: str = DEFAULT) -> Bench:
    """That many players in the lobby, and nothing that waits to be said."""
    table = f"seats: 50, pace: {pace}, lobby_seconds: 3600, round_seconds: {round_seconds}"
    bench = Bench(config(f'{{"{CHANNEL}": {{{table}}}}}', send=send))
    nicks = names(number)
    bench.connect(*nicks)
    for nick in nicks:
        bench.say(nick, "!join")
    bench.pass_(300)
    assert bench.desk.waiting == 0
    return bench


def watched(bench: Bench, since: int, nicks: list[str]) -> Deal:
    """Let time go by until each of these has got dice in the lines `since` then."""
    waiting, lines = set(nicks), list[tuple[float, str]]()
    for tick in count():
        for target, text, _ in bench.wire.sent[since + len(lines) :]:
            lines.append((tick * STEP, target))
            if DiceTag.find(text):
                waiting.discard(target)
            if not waiting:
                return Deal(lines)
        assert tick * STEP < 300, waiting
        bench.pass_(STEP)
    raise AssertionError


def begun(bench: Bench, number: int) -> Deal:
    since = len(bench.wire.sent)
    bench.say(names(1)[0], "!start")
    return watched(bench, since, names(number))


def extensions(bench: Bench) -> list[float]:
    history = bench.journal.history(bench.keeper().table.game)
    assert history
    return [event.seconds for _, event in history.events if isinstance(event, Extended)]


@pytest.mark.parametrize("number", [4, 12, 50])
@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_a_deal_takes_no_longer_than_the_bucket_demands(number: int, pace: str) -> None:
    bench = seated(number, pace=pace)
    deal = begun(bench, number)
    # The channel hears who plays; and of many seats some of the words, each line of them after nine of dice.
    assert len(deal.lines) <= number + 4 + number // 10
    assert deal.seconds <= deal.bound * 1.05 + STEP
    # The next round, after the last has scored.
    for nick in names(number):
        bench.pass_(2)
        since = len(bench.wire.sent)
        bench.tell(nick, "chance")
    assert bench.keeper().table.play.round == 2
    deal = watched(bench, since, names(number))
    assert len(deal.lines) <= number + 4
    assert deal.seconds <= deal.bound * 1.05 + STEP


@pytest.mark.parametrize("pace", ["free", "lockstep"])
def test_the_time_of_players_counts_from_when_the_last_of_their_dice_went_out(pace: str) -> None:
    bench = seated(50, pace=pace)
    deal = begun(bench, 50)
    now = bench.clock.now()
    assert deal.seconds > 40
    assert bench.keeper().table.deadline == pytest.approx(now + 120, abs=2 * STEP)
    assert extensions(bench) == [pytest.approx(deal.seconds, abs=2 * STEP)]
    before = bench.keeper().table.decision
    bench.pass_(119)
    assert bench.keeper().table.decision == before
    bench.pass_(2)
    assert bench.keeper().table.decision != before


def test_a_few_players_are_dealt_at_once_and_that_costs_no_event() -> None:
    bench = seated(3)
    deal = begun(bench, 3)
    assert deal.seconds == 0
    assert bench.keeper().table.deadline == bench.clock.now() + 120
    assert extensions(bench) == []


def test_no_deadline_acts_before_everybody_has_got_dice() -> None:
    bench = seated(50, round_seconds=15)
    first, last = names(50)[0], names(50)[-1]
    since = len(bench.wire.sent)
    bench.say(first, "!start")
    bench.pass_(30)
    assert not any(target == last and DiceTag.find(text) for target, text, _ in bench.wire.sent[since:])
    # Twice the time of a round is over, and who has got dice may play them still.
    bench.tell(first, "keep a")
    assert bench.keeper().table.play.turns[0].roll == 2
    bench.tell(first, "chance")
    entry = bench.keeper().table.play.turns[0].entry
    assert entry is not None
    assert not entry.by_host
    watched(bench, since, names(50))
    assert bench.keeper().table.play.round == 1
    bench.pass_(14)
    assert bench.keeper().table.play.round == 1
    bench.tell(last, "chance")
    bench.pass_(2)
    assert bench.keeper().table.play.round == 2
    assert all(card.boxes for card in bench.keeper().table.play.cards)


def test_no_deadline_acts_while_the_store_does_not_take_the_time_of_a_deal(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bench = seated(50, round_seconds=15)
    since = len(bench.wire.sent)
    bench.say(names(1)[0], "!start")

    def full(*_: object, **__: object) -> None:
        raise StoreError("disk full")

    with monkeypatch.context() as patched:
        patched.setattr(bench.journal, "append", full)
        watched(bench, since, names(50))
        bench.pass_(2)
    bench.pass_(6)
    assert len(extensions(bench)) == 1
    assert bench.keeper().table.play.round == 1


def test_dice_that_somebody_asks_for_again_hold_no_clock() -> None:
    bench = seated(2)
    begun(bench, 2)
    deadline = bench.keeper().table.deadline
    for _ in range(60):
        for nick in names(2) * 3:
            bench.tell(nick, "dice")
        bench.pass_(1)
    assert bench.keeper().table.deadline == deadline
    assert extensions(bench) == []


def test_dice_that_were_on_their_way_when_the_host_was_lost_are_dealt_again_with_time() -> None:
    bench = seated(50)
    since = len(bench.wire.sent)
    bench.say(names(1)[0], "!start")
    bench.pass_(20)
    bench.desk.hear(Disconnected("reset"))
    assert bench.desk.waiting == 0
    assert bench.keeper().table.suspended == pytest.approx(100)
    bench.pass_(1000)
    since = len(bench.wire.sent)
    bench.connect(*names(50))
    watched(bench, since, names(50))
    assert bench.keeper().table.play.round == 1
    # The hundred seconds that were left begin when the last has got dice.
    assert bench.keeper().table.deadline == pytest.approx(bench.clock.now() + 100, abs=1)


def test_a_pause_takes_nothing_of_a_deal() -> None:
    bench = seated(50)
    since = len(bench.wire.sent)
    bench.say(names(1)[0], "!start")
    bench.pass_(20)
    bench.say(names(1)[0], "!pause")
    watched(bench, since, names(50))
    left = bench.keeper().table.suspended
    assert left is not None
    assert left >= 120


def test_a_table_does_not_wait_for_ever_for_its_dice_to_leave() -> None:
    bench = seated(2, send="{burst: 1, seconds: 10}")
    bench.desk.configure(config(send="{burst: 1, seconds: 3600}").networks[0])
    bench.say(names(1)[0], "!start")
    bench.pass_(599)
    assert bench.keeper().table.play.round == 1
    bench.pass_(2)
    assert bench.keeper().table.play.round == 2


def slow(seconds: int = 10) -> Bench:
    """Two players who have got their dice, while what comes next waits."""
    bench = seated(2, send=f"{{burst: 3, seconds: {seconds}}}")
    begun(bench, 2)
    return bench


def test_old_dice_of_a_player_who_has_newer_ones_are_not_sent() -> None:
    bench = slow()
    alice = names(1)[0]
    bench.tell(alice, "dice")
    first = bench.keeper().table.play.turns[0].cup
    for text in ("dice", "keep a", "dice", "keep a b"):
        bench.tell(alice, text)
    assert bench.desk.waiting <= 3
    sent = to(bench.pass_(60), alice)
    tags = [tag for text in sent if (tag := DiceTag.find(text))]
    assert tags[-1].dice == bench.keeper().table.play.turns[0].cup
    assert [tag.roll for tag in tags] == [3]
    assert first != tags[-1].dice


def test_what_was_scored_is_told_when_the_dice_beside_it_are_stale() -> None:
    bench = slow()
    alice, bob = names(2)
    bench.tell(alice, "chance")
    bench.tell(bob, "chance")
    assert bench.keeper().table.play.round == 2
    bench.tell(bob, "keep a")
    sent = to(bench.pass_(100), bob)
    assert [text for text in sent if text.startswith("Scored Chance")] != []
    tags = [tag for text in sent if (tag := DiceTag.find(text))]
    assert [(tag.round, tag.roll) for tag in tags] == [(2, 2)]
    assert sent.index(next(text for text in sent if text.startswith("Scored"))) == 0


def test_who_joined_is_not_told_any_more_when_the_game_has_begun() -> None:
    bench = Bench(config(f'{{"{CHANNEL}": {{}}}}', send=DEFAULT))
    nicks = names(12)
    bench.connect(*nicks)
    for nick in nicks:
        bench.say(nick, "!join")
    since = len(bench.wire.sent)
    bench.say(nicks[0], "!start")
    deal = watched(bench, since, nicks)
    channel = [text for target, text, _ in bench.wire.sent[since:] if target == CHANNEL]
    begins, words = channel
    assert all(nick in begins for nick in nicks)
    told = Seats.find(words)
    assert told
    assert len(told.seats) == 12
    assert deal.seconds <= 2 * len(nicks) + 1  # who has no account is told the token of the seat before


def test_those_who_ask_too_much_do_not_delay_the_dice_of_others() -> None:
    bench = seated(12)
    loud = [f"loud{n}" for n in range(20)]
    for nick in loud:
        bench.join(nick)
    for _ in range(20):
        for nick in (*loud, *names(2)):
            bench.tell(nick, "help")
    bench.pass_(60)
    assert bench.desk.waiting > 100
    since = len(bench.wire.sent)
    bench.say(names(1)[0], "!start")
    deal = watched(bench, since, names(12))
    # One line in ten is theirs, and what waited for the players themselves comes before their dice.
    assert bench.keeper().table.phase is Phase.PLAYING
    assert deal.seconds <= 45
    assert sum(target in loud for _, target in deal.lines) <= len(deal.lines) / 9 + 1


def folded(events: list[tuple[float, Event]], table: Table) -> Table:
    for at, event in events:
        table = table.after(event, at)
    return table


def test_the_journal_tells_the_same_deadline() -> None:
    bench = seated(12)
    begun(bench, 12)
    history = bench.journal.history(bench.keeper().table.game)
    assert history
    assert folded(list(history.events), Table(bench.keeper().settings)) == bench.keeper().table
