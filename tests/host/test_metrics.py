"""What the host counts, on a network without sockets and with time of its own."""

from __future__ import annotations

import re

import pytest
import sqlalchemy as sql

from chat.events import Connected, Disconnected
from host.ban import Ban
from host.errors import StoreError
from host.journal import Journal
from host.metrics import Metrics
from host.preference import Preference
from host.table import Phase
from host.watch import NetworkStatus
from tests.support.bench import CHANNEL, HOST, Bench, config
from tests.support.scrape import Numbers
from tests.support.world import Flaky


class Counted:
    """A bench, and the numbers of it."""

    def __init__(self, send: str = "{burst: 1000, seconds: 0}") -> None:
        self.metrics = Metrics()
        self.journal = Flaky.open("sqlite://", watch=self.metrics.store)
        settings = config(send=send, admins='["*!*@staff.example"]')
        self.bench = Bench(settings, self.journal, watch=self.metrics.network("local"))
        self.bench.connect("alice", "bob")

    @property
    def page(self) -> str:
        return self.metrics.page("")[0].decode()

    @property
    def numbers(self) -> Numbers:
        return Numbers(self.page)


def test_every_line_is_counted_once_by_what_became_of_it() -> None:
    counted = Counted()
    bench = counted.bench
    bench.begin("alice")
    for line in ("keep all", "dice", "k999", "zzz", "#nowhere dice", "style plain", "score all"):
        bench.tell("alice", line)
    for line in ("!status", "good morning", "!scroll", "!join"):
        bench.say("bob", line)
    assert counted.numbers.commands() == {
        ("join", "ok"): 1,
        ("start", "ok"): 1,
        ("keep", "ok"): 1,
        ("look", "ok"): 1,
        ("look", "NoSuchTable"): 1,
        ("setstyle", "ok"): 1,
        ("status", "NotAllowed"): 1,
        ("join", "GameOn"): 1,
        ("unknown", "NotDice"): 1,
        ("unknown", "UnknownCommand"): 2,
        ("unknown", "UnknownBox"): 1,
    }


def test_a_line_that_nobody_answers_any_more_is_counted_as_ignored() -> None:
    counted = Counted()
    for _ in range(205):
        counted.bench.tell("alice", "who")
    commands = counted.numbers.commands()
    assert commands["look", "ignored"] > 0
    assert sum(commands.values()) == 205


def test_a_fault_of_the_host_is_counted_too(monkeypatch: pytest.MonkeyPatch) -> None:
    counted = Counted()
    counted.bench.begin("alice")

    def fault(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr("host.answers.views.my_dice", fault)
    monkeypatch.setattr("host.machine.my_dice", fault)
    for line in ("dice", "ycp state"):
        with pytest.raises(RuntimeError):
            counted.bench.tell("alice", line)
    assert counted.numbers.commands()["look", "failed"] == 1
    assert counted.numbers.commands()["card", "failed"] == 1


def test_a_reply_is_timed_from_the_line_to_the_first_line_that_answers_it() -> None:
    counted = Counted("{burst: 1, seconds: 2}")
    bench = counted.bench
    bench.begin("alice")
    bench.pass_(30)
    before = counted.numbers
    bench.tell("alice", "dice")
    bench.tell("alice", "help")
    bench.pass_(15)  # sooner than a reminder
    after = counted.numbers
    assert len(bench.wire.sent) > before.value("lines_sent_total") + 2  # help has several lines
    assert after.value("lines_sent_total") == len(bench.wire.sent)

    def grown(name: str, **labels: str) -> float:
        return after.value(name, **labels) - before.value(name, **labels)

    assert grown("reply_seconds_count") == 2
    assert grown("reply_seconds_sum") == 0 + 2
    lines = grown("lines_sent_total")
    assert grown("outbox_wait_seconds_count", lane="answer") == lines
    assert grown("outbox_wait_seconds_sum", lane="answer") == sum(2 * place for place in range(int(lines)))


def test_what_is_said_unasked_answers_nothing() -> None:
    counted = Counted()
    counted.bench.begin("alice", "bob")
    before = counted.numbers
    counted.bench.pass_(90)  # a reminder
    after = counted.numbers
    assert after.value("lines_sent_total") > before.value("lines_sent_total")
    assert after.value("reply_seconds_count") == before.value("reply_seconds_count")
    assert after.value("outbox_wait_seconds_count", lane="news") > 0


def test_only_a_second_connection_is_a_reconnect() -> None:
    counted = Counted()
    assert counted.numbers.value("reconnects_total", network="local") == 0
    for _ in range(2):
        counted.bench.desk.hear(Disconnected("gone"))
        counted.bench.desk.hear(Connected(HOST))
    assert counted.numbers.value("reconnects_total", network="local") == 2
    assert counted.numbers.value("disconnects_total", network="local") == 2


def test_refusals_and_games_are_counted() -> None:
    counted = Counted()
    bench = counted.bench
    bench.refuse(404, CHANNEL)
    bench.begin("alice")
    bench.say("alice", "!stop")
    bench.begin("alice")
    for box in "1s 2s 3s 4s 5s 6s 3k 4k fh ss ls ch y".split():  # noqa: SIM905
        bench.tell("alice", f"score {box}")
    numbers = counted.numbers
    assert numbers.value("refusals_total") == 1
    assert numbers.value("games_begun_total") == 2
    assert numbers.value("games_stopped_total") == 1
    assert numbers.value("games_finished_total") == 1
    # A score a round, and nothing of the host's own between them.
    assert numbers.commands()["score", "ok"] == 13


def test_every_transaction_that_writes_is_a_commit() -> None:
    counted = Counted()
    begun: list[str] = []
    engine = counted.journal._store.engine
    before = counted.numbers.value("journal_commit_seconds_count")
    sql.event.listen(engine, "before_cursor_execute", lambda *said: begun.append(said[2]))
    bench = counted.bench
    bench.begin("alice", "bob")
    bench.tell("alice", "keep none")
    bench.tell("alice", "style colour")
    counted.journal.ban("local", Ban("pest", "pest!*@*", None, "boss"), bench.clock.wall())
    counted.journal.unban("local", "pest")
    counted.journal.prefer("local", "bob", Preference())
    commits = counted.numbers.value("journal_commit_seconds_count") - before
    assert commits == begun.count("BEGIN IMMEDIATE") > 5
    assert counted.numbers.value("journal_commit_seconds_sum") > 0
    assert counted.numbers.value("journal_errors_total") == 0


def test_what_the_store_does_not_take_is_an_error_and_no_commit() -> None:
    metrics = Metrics()
    journal = Journal.open("sqlite://", watch=metrics.store)
    with journal._store.transaction(write=True) as connection:
        connection.exec_driver_sql("DROP TABLE preferences")
    with pytest.raises(StoreError):
        journal.prefer("local", "bob", Preference())
    numbers = Numbers(metrics.page("")[0].decode())
    assert numbers.value("journal_errors_total") == 1
    assert numbers.value("journal_commit_seconds_count") == 0


def test_a_command_that_was_not_written_down_says_so() -> None:
    counted = Counted()
    counted.journal.locked = True
    counted.bench.say("alice", "!join")
    assert counted.numbers.commands() == {("join", "StoreError"): 1}
    assert counted.numbers.value("games_begun_total") == 0


def test_a_game_whose_commit_was_heard_of_late_is_counted() -> None:
    counted = Counted()
    counted.bench.say("alice", "!join")
    counted.journal.lies = True
    counted.bench.say("alice", "!start")
    assert counted.numbers.value("games_begun_total") == 0
    counted.bench.say("alice", "!start")
    assert counted.numbers.value("games_begun_total") == 1


def test_how_the_host_is_stands_on_each_page() -> None:
    metrics = Metrics()
    status = [
        NetworkStatus("a", True, ("#x", "#y"), {Phase.PLAYING: 2, Phase.LOBBY: 1}, 7),
        NetworkStatus("b", False, (), {}, 0),
    ]
    metrics.show(lambda: status, lambda: False)
    numbers = Numbers(metrics.page("")[0].decode())
    assert (numbers.value("connected", network="a"), numbers.value("connected", network="b")) == (1, 0)
    assert numbers.value("channels_out", network="a") == 2
    assert numbers.value("outbox_lines", network="a") == 7
    tables = [numbers.value("tables", network="a", phase=phase.value) for phase in Phase]
    assert tables == [0, 1, 2, 0]
    assert numbers.value("store_up") == 0


def test_no_page_tells_who_where_or_which_game() -> None:
    counted = Counted()
    bench = counted.bench
    bench.begin("alice", "bob")
    bench.tell("alice", "zzz")
    bench.say("carol", "!join")
    bench.tell("carol", "return secret")
    page = counted.page
    assert 'command="return"' in page
    for word in ("alice", "bob", "carol", "zzz", "secret", 'yardzee"', "#", "token"):
        told = [line for line in page.splitlines() if word in line and not line.startswith("# ")]
        assert told == [], word
    assert bench.keeper().table.game not in page
    names = set(re.findall(r'(\w+)="', page)) - {"le", "generation"}
    assert names == {"network", "command", "outcome", "lane"} | {
        "implementation",
        "major",
        "minor",
        "patchlevel",
        "version",
    }


def test_each_host_has_numbers_of_its_own() -> None:
    one, two = Counted(), Counted()
    one.bench.say("alice", "!join")
    assert two.numbers.commands() == {}
