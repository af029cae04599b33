"""Lines that no server should send cost nothing but themselves, and no traceback in the log."""

from __future__ import annotations

import logging

import pytest

from chat.events import NickChanged, User
from tests.chat.harness import AL, hears, scripted

NOBODY = ("", ":al", "a,l", "x" * 600)
"""What nobody can be called: no line can be sent to them."""


@pytest.mark.parametrize(
    "line",
    [
        ":irc.test",
        "@time=x :al",
        "@a",
        ":",
        f":Yardzee!~yardzee@host.test JOIN #{'x' * 600}",
        f"PING :{'x' * 600}",
    ],
)
async def test_a_line_that_cannot_be_answered_is_skipped_in_one_line_of_the_log(
    line: str, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.WARNING):
        async with scripted() as (running, peer):
            peer.send(line)
            await hears(running, peer)
    assert not [record for record in caplog.records if record.exc_info]
    told = [record for record in caplog.records if record.name == "chat.connection"]
    assert len(told) == 1


@pytest.mark.parametrize("nick", NOBODY)
async def test_nobody_is_told_of_whom_no_line_can_be_sent_to(nick: str) -> None:
    async with scripted() as (running, peer):
        await hears(running, peer)
        told = len(running.events)
        for what in (
            "PRIVMSG #y :x",
            "PRIVMSG Yardzee :x",
            "JOIN #y",
            "PART #y",
            "QUIT",
            "NICK al",
            "ACCOUNT x",
        ):
            peer.send(f":{nick}!u@h {what}")
        peer.send(f"{AL} NICK :{nick}")
        await hears(running, peer)
        assert len(running.events) == told + 1
        assert not any(isinstance(event, NickChanged) for event in running.events)


async def test_a_host_that_leaves_no_room_for_words_is_not_the_links_own() -> None:
    async with scripted() as (running, peer):
        await hears(running, peer)
        budget = running.link.budget("#y")
        peer.send(f":irc.test 396 Yardzee {'h' * 480} :is now your displayed host")
        await hears(running, peer)
        assert running.link.budget("#y") == budget


def test_who_cannot_be_called_so_has_no_nick() -> None:
    assert User.from_mask("a,l!u@h") == User("", "u", "h")
    assert User.from_mask("al@h") == User("al", "", "h")
    assert User.from_mask("irc.test") == User("irc.test")
