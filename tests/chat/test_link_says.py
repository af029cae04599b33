"""What the link lets out: no unsafe line, nothing too long, no password in a log."""

import logging
import traceback

import pytest

from chat.events import (
    Connected,
    Disconnected,
    Joined,
    LinkEvent,
    Message,
    Names,
    NickChanged,
)
from chat.lines import UnsafeLine
from chat.link import Link
from tests.chat.harness import AL, FakeServer, Running, hears, scripted, settings


@pytest.mark.parametrize(
    ("target", "text"),
    [
        ("#y", "a\rPRIVMSG #y :b"),
        ("#y", "a\n"),
        ("#y", "\0"),
        ("#y :x", "a"),
        ("", "a"),
        (":y", "a"),
        ("#y,#z", "a"),
        ("#y\rQUIT", "a"),
    ],
)
async def test_unsafe_lines_do_not_go_out(target: str, text: str) -> None:
    async with scripted() as (running, peer):
        with pytest.raises(UnsafeLine):
            running.link.send(target, text)
        running.link.send("#y", "after")
        assert await peer.line() == "PRIVMSG #y :after"


async def test_send() -> None:
    async with scripted() as (running, peer):
        await running.next(Joined)
        running.link.send("#y", "⚀ ::)")
        running.link.send("al", "psst", notice=True)
        running.link.send("al", "")
        running.link.send("al", " ")
        assert [await peer.line() for _ in range(3)] == [
            "PRIVMSG #y :⚀ ::)",
            "NOTICE al :psst",
            "PRIVMSG al : ",
        ]


async def test_budget_counts_the_prefix_of_the_server(caplog: pytest.LogCaptureFixture) -> None:
    async with scripted() as (running, peer):
        await running.next(Joined)
        budget = running.link.budget("#y")
        prefix = b":Yardzee!~yardzee@host.test PRIVMSG #y :\r\n"
        assert len(prefix) + budget == 512
        assert running.link.budget("#y", notice=True) == budget + 1
        running.link.send("#y", "⚀" * 200)
        said = await peer.line()
        assert said == "PRIVMSG #y :" + "⚀" * (budget // 3)
        assert "cut a line" in caplog.text


async def test_budget_assumes_the_worst_before_anything_is_known() -> None:
    link = Link(settings(1), lambda _event: None)
    worst = b":Yardzee!" + b"u" * 10 + b"@" + b"h" * 63 + b" PRIVMSG #y :\r\n"
    assert link.budget("#y") == 512 - len(worst)


async def test_budget_leaves_room_for_the_wanted_nick() -> None:
    async with scripted() as (running, peer):
        await running.next(Joined)
        before = running.link.budget("#y")
        peer.send(":Yardzee!~yardzee@host.test NICK :G1")
        await running.next(NickChanged)
        assert running.link.budget("#y") == before
        peer.send(":G1!~yardzee@host.test NICK :Guest83712")
        await running.next(NickChanged)
        assert running.link.budget("#y") == before - 3


async def test_the_host_is_learned_again_when_it_changes() -> None:
    async with scripted() as (running, peer):
        await running.next(Joined)
        before = running.link.budget("#y")
        peer.send(":irc.test 396 Yardzee cloak.example :is now your displayed host")
        await hears(running, peer)
        assert running.link.budget("#y") == before - len("cloak.example") + len("host.test")


async def test_not_connected_drops(caplog: pytest.LogCaptureFixture) -> None:
    link = Link(settings(1), lambda _event: None)
    link.send("#y", "secret dice")
    assert "dropped a line" in caplog.text
    assert "secret dice" not in caplog.text
    with pytest.raises(UnsafeLine):
        link.send("#y", "a\n")
    await link.stop()


async def test_a_failing_listener_is_logged_and_no_more(caplog: pytest.LogCaptureFixture) -> None:
    async with scripted() as (running, peer):
        await running.next(Names)

        def fail(event: LinkEvent) -> None:
            raise RuntimeError(f"no idea what to do with {event}")

        running.react = fail
        peer.send(f"{AL} PRIVMSG #y :one", f"{AL} PRIVMSG #y :two")
        await running.next(Message, lambda message: message.text == "two")
        assert caplog.text.count("the listener failed") == 2
        assert running.link.connected


async def test_folds_as_the_server_says() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        assert running.link.fold("[X]") == "{x}"
        peer = await server.accept()
        await peer.welcome()
        await running.next(Connected)
        assert running.link.fold("[X]") == "[x]"
        assert running.link.is_me("YARDZEE")
        peer.close()
        await running.next(Disconnected)
        assert running.link.fold("[X]") == "[x]", "keys stay as they are while there is no server"
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test 001 Yardzee :hi", ":irc.test 422 Yardzee :no motd")
        await running.next(Connected)
        assert running.link.fold("[X]") == "{x}", "nothing of the old 005 is left"


async def test_what_is_said_between_two_shows_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    async with scripted() as (running, peer):

        def fail(event: LinkEvent) -> None:
            raise RuntimeError

        running.link.send("al", "Round 1/13, roll 1/3: [4 4 2 6 1] a-e.")
        running.link.send("al", "return token00001 brings you back", notice=True)
        peer.send(f"{AL} PRIVMSG Yardzee :return token00002")
        await hears(running, peer)
        running.react = fail
        peer.send(f"{AL} PRIVMSG Yardzee :return token00003")
        await hears(running, peer, "for all to read")
    assert "line='PRIVMSG to al (not shown)'" in caplog.text
    assert "line='PRIVMSG from al (not shown)'" in caplog.text
    assert "for all to read" in caplog.text
    assert "the listener failed" in caplog.text
    assert "token" not in caplog.text
    assert "4 4 2 6 1" not in caplog.text


async def test_the_password_shows_nowhere(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    secret = "hunter2"
    async with FakeServer() as server, Running(settings(server.port, password=secret)) as running:
        peer = await server.accept()
        await peer.expect("PASS :hunter2")
        await peer.welcome()
        await running.next(Joined)
    assert "NICK Yardzee" in caplog.text
    assert "hunter2" not in caplog.text
    assert "hunter2" not in repr(settings(1, password="hunter2"))
    with pytest.raises(UnsafeLine) as caught:
        settings(1, password=secret + "\r\nJOIN 0")
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))
    assert "hunter2" not in caught.value.data


@pytest.mark.parametrize(
    "wrong",
    [
        {"nick": "a b"},
        {"nick": ""},
        {"username": "a\r"},
        {"realname": "a\nb"},
        {"channels": ("#a,#b",)},
        {"alternative_nicks": (":x",)},
        {"realname": "x" * 600},
        {"password": "x" * 600},
    ],
)
def test_settings_that_cannot_stand_in_a_line(wrong: dict[str, object]) -> None:
    with pytest.raises(UnsafeLine):
        settings(1, **wrong)


@pytest.mark.parametrize(
    ("token", "modes"),
    [("BOT=B", ["MODE Yardzee +B"]), ("BOT", []), ("BOT=BQ", []), (r"BOT=\x20", []), ("x", [])],
)
async def test_it_says_that_it_is_a_bot_where_there_is_a_mode_for_that(token: str, modes: list[str]) -> None:
    async with FakeServer() as server, Running(settings(server.port)):
        peer = await server.accept()
        await peer.expect("USER")
        peer.greet("Yardzee", token)
        said = []
        while not (line := await peer.line()).startswith("JOIN"):
            said.append(line)
        assert said == modes
