"""The past that is played again is not taken for what is said now, and netsplits are known as such."""

from collections.abc import Callable
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.batches import OPEN_LIMIT, Batch, Batches, names_servers
from chat.events import Disconnected, Joined, Message, NickChanged, Quit, User
from chat.playback import ServerClock
from chat.wire import Line
from tests.chat.harness import AL, FakeServer, Running, hears, scripted, settings

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC).timestamp()


def stamp(seconds: float) -> str:
    """The tag of a line that the server made so many seconds after NOW."""
    return f"@time={datetime.fromtimestamp(NOW + seconds, UTC):%Y-%m-%dT%H:%M:%S}.500Z"


async def test_a_batch_of_history_is_dropped_whole() -> None:
    async with scripted(offered="batch") as (running, peer):
        start = len(running.events)
        peer.send(
            ":irc.test BATCH +h chathistory #y",
            f"@batch=h {AL} PRIVMSG #y :!join",
            f"@batch=h {AL} NICK bo",
            "@batch=h BATCH +in netsplit a.example b.example",
            f"@batch=in {AL} QUIT :a.example b.example",
            "BATCH -in",
            f"@batch=h {AL} PRIVMSG Yardzee :score yahtzee",
            f"{AL} PRIVMSG #y :live, between them",
            "@batch=h :Yardzee!~yardzee@host.test PART #y",
            "BATCH -h",
            f"@batch=h {AL} PRIVMSG #y :and after, in a batch that is over",
        )
        await hears(running, peer)
        told = [event.text for event in running.events[start:] if isinstance(event, Message)]
        assert told == ["live, between them", "and after, in a batch that is over", "still there"]
        assert len(running.events[start:]) == len([e for e in running.events[start:] if type(e) is Message])


@pytest.mark.parametrize("kind", ["chathistory", "ChatHistory", "znc.in/playback", "draft/chathistory"])
def test_kinds_of_history(kind: str) -> None:
    batches = Batches()
    batches.see(Line.parse(f"BATCH +r {kind} #y"))
    assert batches.see(Line.parse("@batch=r X")) is Batch.HISTORY


@pytest.mark.parametrize(
    "line", ["BATCH", "BATCH +", "BATCH -", "BATCH x", "BATCH -never", "@batch= BATCH +"]
)
def test_what_is_no_batch(line: str) -> None:
    batches = Batches()
    batches.see(Line.parse(line))
    assert batches.see(Line.parse("@batch=x X")) is Batch.OTHER
    assert batches.see(Line.parse("@batch X")) is Batch.OTHER


def test_batches_that_never_end_are_forgotten() -> None:
    batches = Batches()
    for i in range(OPEN_LIMIT + 1):
        batches.see(Line.parse(f"BATCH +{i} chathistory #y"))
    assert batches.see(Line.parse("@batch=0 X")) is Batch.OTHER
    assert batches.see(Line.parse("@batch=1 X")) is Batch.HISTORY


async def test_a_batch_of_a_connection_ends_with_it() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        await peer.welcome(offered="batch")
        peer.send("BATCH +h chathistory #y")
        await hears(running, peer)
        peer.close()
        await running.next(Disconnected)
        peer = await server.accept()
        await peer.welcome(offered="batch")
        peer.send(f"@batch=h {AL} PRIVMSG #y :live")
        assert (await running.next(Message)).text == "live"


async def texts(offered: str, wall: Callable[[], float], *lines: str) -> list[str]:
    """The texts of what the link takes for live."""
    async with FakeServer() as server, Running(settings(server.port), wall=wall) as running:
        peer = await server.accept()
        await peer.welcome(offered=offered)
        await running.next(Joined)
        peer.send(*lines)
        await hears(running, peer)
        return [event.text for event in running.events if isinstance(event, Message)][:-1]


LINES = [
    f"{stamp(age)} {AL} PRIVMSG {to} :{age}" for to in ("#y", "Yardzee") for age in (-86400, -62, -58, 0)
]


async def test_old_messages_are_dropped_by_our_own_clock_while_there_is_no_other() -> None:
    assert await texts("server-time", lambda: NOW, *LINES) == ["-58", "0"] * 2


@pytest.mark.parametrize("wrong", [-86400 * 400, -7200, 7200])
@pytest.mark.parametrize(
    "live", [":irc.test 221 Yardzee +i", ":irc.test PONG irc.test :x", ":Yardzee!~yardzee@host.test JOIN #y"]
)
async def test_the_clock_of_the_server_counts_where_it_shows(live: str, wrong: float) -> None:
    lines = [f"{stamp(0)} {live}", *LINES]
    assert await texts("server-time", lambda: NOW + wrong, *lines) == ["-58", "0"] * 2


async def test_a_time_that_was_not_agreed_on_or_is_none_says_nothing() -> None:
    everything = [str(age) for age in (-86400, -62, -58, 0)] * 2
    assert await texts("message-tags", lambda: NOW, *LINES) == everything
    odd = ["", "x", "2020-01-01", "2020-01-01T00:00:00", "2020-13-01T00:00:00Z", "0001-01-01T00:00:00+23:59x"]
    lines = [f"@time={text} {AL} PRIVMSG #y :{text}" for text in odd]
    assert await texts("server-time", lambda: NOW, *lines) == odd[1:]


async def test_what_happens_to_people_is_true_however_late_it_is_told() -> None:
    async with scripted(offered="server-time") as (running, peer):
        peer.send(f"{stamp(0)} :irc.test 221 Yardzee +i", f"{stamp(-3600)} {AL} NICK bo")
        assert await running.next(NickChanged) == NickChanged(User("al", "~al", "host.al"), "bo")


async def test_an_old_account_is_not_learned() -> None:
    async with scripted(offered="server-time account-tag") as (running, peer):
        peer.send(
            f"{stamp(0)} :irc.test 221 Yardzee +i",
            f"{stamp(-3600)};account=Alice {AL} PRIVMSG #y :old",
            f"{AL} NICK bo",
        )
        assert (await running.next(NickChanged)).user.account is None


async def test_a_server_whose_clock_is_set_back_is_heard_again() -> None:
    async with scripted(offered="server-time") as (running, peer):
        peer.send(f"{stamp(0)} :irc.test 221 Yardzee +i", *[f"{stamp(-3600)} {AL} PRIVMSG #y :x"] * 5)
        assert await peer.line() == "PING :time"
        peer.send(f"{stamp(-3600)} :irc.test PONG irc.test :time", f"{stamp(-3599)} {AL} PRIVMSG #y :heard")
        assert (await running.next(Message)).text == "heard"
        running.link.send("#y", "end")
        assert await peer.line() == "PRIVMSG #y :end", "asked once"


def test_the_clock_of_the_server_is_read_and_runs_on() -> None:
    now = [0.0]
    clock = ServerClock(lambda: now[0], lambda: NOW + 7200)

    def is_old(seconds: float) -> bool:
        return clock.is_old(Line.parse(f"{stamp(seconds)} X"))

    def see(seconds: float, text: str, *, mine: bool = False) -> None:
        clock.see(Line.parse(f"{stamp(seconds)} {text}"), mine=mine)

    see(9000, "PRIVMSG")
    assert is_old(0), "anyone's line is no reading of the clock"
    see(0, "PONG")
    assert not is_old(-50)
    now[0] = 55
    assert is_old(-50)
    assert not is_old(0)
    see(200, "PRIVMSG", mine=True)
    see(200, "JOIN")
    assert not is_old(0)
    see(200, "JOIN", mine=True)
    assert is_old(0)


@given(st.text() | st.datetimes(timezones=st.timezones() | st.none()).map(lambda time: time.isoformat()))
def test_no_time_is_fatal(text: str) -> None:
    clock = ServerClock(lambda: 0.0, lambda: NOW)
    line = Line("", "001", (), {"time": text})
    clock.see(line, mine=False)
    assert not clock.is_old(line) or clock.is_old(Line("", "X", (), {"time": "0001-01-01T00:00:00Z"}))


@pytest.mark.parametrize(
    ("reason", "is_one"),
    [
        ("a.b c.d", True),
        ("*.net *.split", True),
        ("hub.eu.example.org leaf-2.example.org", True),
        ("irc1.example 9.leaf_1.example", True),
        ("", False),
        ("a.b", False),
        ("a.b c", False),
        ("a b", False),
        ("bye. see.you", False),
        ("ok. bye.", False),
        ("Quit: a.b c.d", False),
        ("a.b c.d e.f", False),
        ("a.b  c.d", False),
        (" a.b c.d", False),
        ("a.b c.d ", False),
        ("a.b c.d\n", False),
        ("1.5 2.5", False),
        ("127.0.0.1 127.0.0.1", False),
        ("https://a.b c.d", False),
        ("see a.b/c", False),
        ("a@b.c d.e", False),
        (".. ..", False),
        (". .", False),
        ("*.* *.*", False),
    ],
)
def test_reasons_of_netsplits(reason: str, is_one: bool) -> None:
    assert names_servers(reason) is is_one


async def test_netsplits() -> None:
    async with scripted(offered="batch") as (running, peer):
        peer.send(
            "BATCH +n netsplit a.example b.example",
            f"@batch=n {AL} QUIT :*.net *.split",
            "@batch=n :bo!b@h QUIT :some words",
            "BATCH -n",
            ":cy!c@h QUIT :a.example b.example",
            ":di!d@h QUIT :Quit: a.example b.example",
            "BATCH +j netjoin a.example b.example",
            f"@batch=j {AL} JOIN #y",
            "BATCH -j",
        )
        assert (await running.next(Joined, lambda joined: joined.user.nick == "al")).channel == "#y"
        gone = [(event.user.nick, event.netsplit) for event in running.events if isinstance(event, Quit)]
        assert gone == [("al", True), ("bo", True), ("cy", True), ("di", False)]
