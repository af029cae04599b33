"""Logins by SASL: what is said, and what becomes of each way in which they can fail."""

import base64
import dataclasses
import logging
from typing import Any

import pytest

from chat.events import Connected, Joined
from chat.sasl import answer
from chat.settings import Account, Mechanism, Timings
from tests.chat.harness import FAST, FakeServer, Peer, Running, hears, settings
from tests.chat.logins import EXTERNAL, NICKSERV, ONCE, PASSWORD, PLAIN, answered, offer, optional, warnings

WHO = ":irc.test 900 Yardzee Yardzee!~y@host.test Hoster :You are now logged in as Hoster"
DONE = ":irc.test 903 Yardzee :SASL authentication successful"
REFUSED = {
    "902": ":irc.test 902 * :You must use a nick assigned to you",
    "904": ":irc.test 904 * :SASL authentication failed",
    "905": ":irc.test 905 * :SASL message too long",
    "906": ":irc.test 906 * :SASL authentication aborted",
    "907": ":irc.test 907 * :You have already authenticated using SASL",
    "908": ":irc.test 908 * SCRAM-SHA-256,EXTERNAL :are available SASL mechanisms",
    "421": ":irc.test 421 * AUTHENTICATE :Unknown command",
    "challenge": "AUTHENTICATE c2FsdA==",
}


def decoded(text: str) -> list[str]:
    return base64.b64decode(text).decode().split("\0")


async def goes_on(peer: Peer) -> None:
    """Let a link that is done with its login register and join."""
    await peer.expect("CAP END")
    peer.greet()
    await peer.expect("JOIN #y")
    peer.joined()


@pytest.mark.parametrize(
    ("account", "offered", "said"),
    [
        (PLAIN, "sasl=PLAIN,EXTERNAL", ["Hoster", "Hoster", PASSWORD]),
        (PLAIN, "multi-prefix sasl=EXTERNAL,plain batch", ["Hoster", "Hoster", PASSWORD]),
        (PLAIN, "sasl", ["Hoster", "Hoster", PASSWORD]),
        (EXTERNAL, "sasl=EXTERNAL", ["Hoster"]),
    ],
)
async def test_the_login_is_made_before_the_registration_is_over(
    account: Account, offered: str, said: list[str]
) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=account)) as running:
        peer = await server.accept()
        assert decoded(await answered(peer, offered)) == said
        peer.send(WHO, DONE)
        assert await peer.line() == "CAP END"
        peer.greet()
        assert await peer.line() == "JOIN #y"
        peer.joined()
        await running.next(Joined)
        await hears(running, peer)


async def test_external_without_a_user_leaves_that_to_the_certificate() -> None:
    account = Account(Mechanism.EXTERNAL)
    async with FakeServer() as server, Running(settings(server.port, account=account)):
        peer = await server.accept()
        assert await answered(peer) == "+"


async def test_a_nick_that_is_taken_does_not_disturb_the_login() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN)) as running:
        peer = await server.accept()
        await answered(peer)
        peer.send(":irc.test 433 * Yardzee :Nickname is already in use", WHO)
        assert await peer.line() == "NICK Yardzee_"
        peer.send(DONE)
        assert await peer.line() == "CAP END"
        peer.greet("Yardzee_")
        assert (await running.next(Connected)).nick == "Yardzee_"


async def test_a_server_that_welcomes_too_early_is_joined_after_the_login_only() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN)) as running:
        peer = await server.accept()
        await answered(peer)
        peer.greet()
        peer.send("PING :x")
        assert await peer.line() == "PONG :x"
        assert running.events == []
        peer.send(WHO, DONE)
        assert await peer.line() == "JOIN #y"


@pytest.mark.parametrize("length", [1, 231, 234, 235, 400])
def test_a_long_answer_is_cut_at_400_and_ended(length: int) -> None:
    account = Account(Mechanism.PLAIN, "u" * 32, "p" * length)
    chunks = [line.removeprefix("AUTHENTICATE ") for line in answer(account)]
    assert all(len(chunk) == 400 for chunk in chunks[:-1])
    assert len(chunks[-1]) < 400
    assert decoded("".join(chunks).removesuffix("+" if chunks[-1] == "+" else "")) == [
        account.user,
        account.user,
        account.password,
    ]
    assert (chunks[-1] == "+") is (length == 234)


@pytest.mark.parametrize("why", REFUSED)
async def test_a_login_that_fails_and_is_required_joins_nothing_and_is_one_line_of_the_log(
    why: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN), ONCE) as running:
        peer = await server.accept()
        await answered(peer)
        peer.send(REFUSED[why], ":irc.test 904 * :SASL authentication failed")
        peer.greet()
        assert set(await peer.closed()) <= {"AUTHENTICATE *"}
        assert running.events == []
    (line,) = warnings(caplog)
    assert "no login as Hoster by plain: " in line
    assert " not connected " in line
    assert line.endswith("next_in=1000.0")


@pytest.mark.parametrize("why", REFUSED)
async def test_a_login_that_fails_and_is_not_required_goes_on_without(
    why: str, caplog: pytest.LogCaptureFixture
) -> None:
    account = optional(PLAIN)
    async with FakeServer() as server, Running(settings(server.port, account=account), ONCE) as running:
        peer = await server.accept()
        await answered(peer)
        peer.send(REFUSED[why], ":irc.test 904 * :SASL authentication failed")
        await goes_on(peer)
        await running.next(Joined)
        await hears(running, peer)
    (line,) = warnings(caplog)
    assert "no login as Hoster by plain: " in line
    assert " going on without a login " in line
    assert line.endswith("next_in=1000")


@pytest.mark.parametrize(
    ("account", "why", "advice"),
    [
        (PLAIN, "902", "ask the staff"),
        (PLAIN, "904", "check account.user and its password"),
        (EXTERNAL, "904", "does not know the certificate in tls.client_cert"),
        (PLAIN, "905", "choose a shorter password"),
        (PLAIN, "908", "SCRAM-SHA-256,EXTERNAL are available SASL mechanisms: choose one of these"),
    ],
)
async def test_the_log_says_what_to_do(
    account: Account, why: str, advice: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=account), ONCE):
        peer = await server.accept()
        await answered(peer)
        peer.send(REFUSED[why])
        await peer.closed()
    assert advice in warnings(caplog)[0]


@pytest.mark.parametrize("step", ["asked", "answered"])
@pytest.mark.parametrize("account", [PLAIN, optional(PLAIN)])
async def test_a_server_that_gives_no_answer_is_not_waited_for_for_ever(
    account: Account, step: str, caplog: pytest.LogCaptureFixture
) -> None:
    timings = dataclasses.replace(ONCE, login=0.05)
    async with FakeServer() as server, Running(settings(server.port, account=account), timings) as running:
        peer = await server.accept()
        await offer(peer, "sasl")
        await peer.expect("AUTHENTICATE PLAIN")
        if step == "answered":
            peer.send("AUTHENTICATE +")
        await peer.expect("AUTHENTICATE *")
        if account.required:
            assert await peer.closed() == []
        else:
            await goes_on(peer)
            await running.next(Joined)
    assert ["the server gave no answer within 0.05 s" in line for line in warnings(caplog)] == [True]


@pytest.mark.parametrize(
    ("account", "offered", "reason"),
    [
        (PLAIN, "sasl=EXTERNAL,SCRAM-SHA-256", "the server offers EXTERNAL,SCRAM-SHA-256 only"),
        (EXTERNAL, "sasl=PLAIN", "the server offers PLAIN only: choose one of these"),
        (EXTERNAL, "batch", "the server offers no SASL, which account.mechanism: external needs"),
    ],
)
async def test_a_mechanism_that_is_not_offered_is_not_tried(
    account: Account, offered: str, reason: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with FakeServer() as server:
        async with Running(settings(server.port, account=account), ONCE):
            peer = await server.accept()
            await offer(peer, offered)
            assert await peer.closed() == []
        async with Running(settings(server.port, account=optional(account)), ONCE):
            peer = await server.accept()
            await offer(peer, offered)
            assert await peer.line() == "CAP END"
    assert [reason in line for line in warnings(caplog)] == [True, True]


async def test_external_on_a_server_that_does_not_know_cap_fails_before_any_join() -> None:
    async with FakeServer() as server, Running(settings(server.port, account=EXTERNAL), ONCE):
        peer = await server.accept()
        await peer.expect("USER")
        peer.greet()
        assert await peer.closed() == []


async def test_gaps_between_logins_that_fail_grow(caplog: pytest.LogCaptureFixture) -> None:
    timings = dataclasses.replace(FAST, refused_first=0.05, refused_longest=0.2, stable=0)
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN), timings):
        for _ in range(4):
            peer = await server.accept()
            await answered(peer)
            peer.send(REFUSED["904"])
            await peer.closed()
    gaps = [line.rpartition("next_in=")[2] for line in warnings(caplog)]
    assert gaps[:3] == ["0.05", "0.1", "0.2"]


def test_a_login_that_failed_is_tried_again_after_minutes() -> None:
    assert Timings().refused_first >= 120
    assert Timings().refused_longest >= Timings().refused_first * 4


async def test_gaps_begin_anew_after_a_good_connection() -> None:
    timings = dataclasses.replace(FAST, refused_first=0.01, refused_longest=1000, stable=0)
    async with FakeServer() as server, Running(settings(server.port, account=PLAIN), timings) as running:
        for _ in range(12):
            peer = await server.accept()
            await answered(peer)
            peer.send(REFUSED["904"])
            await peer.closed()
            peer = await server.accept()
            await answered(peer)
            peer.send(DONE)
            await goes_on(peer)
            await running.next(Joined)
            peer.close()


async def test_without_a_login_the_link_stays_and_tries_again_with_growing_gaps(
    caplog: pytest.LogCaptureFixture,
) -> None:
    timings = dataclasses.replace(FAST, refused_first=0.05, refused_longest=0.2)
    account = optional(PLAIN)
    async with FakeServer() as server, Running(settings(server.port, account=account), timings) as running:
        peer = await server.accept()
        await answered(peer)
        peer.send(REFUSED["904"])
        await goes_on(peer)
        await running.next(Joined)
        for _ in range(2):
            await peer.expect("AUTHENTICATE PLAIN")
            peer.send(REFUSED["904"])
        await peer.expect("AUTHENTICATE PLAIN")
        peer.send("AUTHENTICATE +")
        await peer.expect("AUTHENTICATE ")
        peer.send(WHO, DONE)
        await hears(running, peer)
        assert server.waiting == 0
    assert [line.rpartition("next_in=")[2] for line in warnings(caplog)] == ["0"] * 3


async def test_a_login_that_comes_late_counts() -> None:
    timings = dataclasses.replace(FAST, login=0.05, refused_first=0.2, refused_longest=0.2)
    account = optional(PLAIN)
    async with FakeServer() as server, Running(settings(server.port, account=account), timings) as running:
        peer = await server.accept()
        await offer(peer, "sasl")
        await goes_on(peer)
        peer.send(WHO, DONE)
        await running.next(Joined)
        await hears(running, peer)
        await hears(running, peer, "and no second login")


@pytest.mark.parametrize("account", [None, NICKSERV])
async def test_sasl_is_not_asked_for_where_it_is_not_wanted(account: Account | None) -> None:
    async with FakeServer() as server, Running(settings(server.port, account=account)):
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test CAP * LS :sasl=PLAIN")
        assert await peer.line() == "CAP END"


async def test_a_password_is_in_no_log_and_no_text(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    for account in (PLAIN, optional(PLAIN)):
        async with FakeServer() as server:
            mine = settings(server.port, account=account, password="server-pass")
            async with Running(mine, ONCE) as running:
                peer = await server.accept()
                secret = await answered(peer)
                peer.send(f":irc.test 904 * :failed with {PASSWORD}")
                if account.required:
                    await peer.closed()
                else:
                    await goes_on(peer)
                    await running.next(Joined)
        assert "hunter2" not in f"{mine!r} {account!r} {running.link!r}"
    assert "line='PASS (not shown)'" in caplog.text
    assert "line='AUTHENTICATE (not shown)'" in caplog.text
    assert "failed with (not shown)" in warnings(caplog)[0]
    for word in ("server-pass", "hunter2", secret):
        assert word not in caplog.text


@pytest.mark.parametrize(
    "keys",
    [
        {"user": "a b", "password": "hunter2"},
        {"user": "Hoster", "password": "hunter2\r\nQUIT"},
        {"user": "Hoster", "password": "hunter2" * 100},
        {"user": "u" * 65, "password": "hunter2"},
        {"user": "", "password": "hunter2"},
        {"user": "Hoster"},
    ],
)
def test_an_account_that_cannot_be_told_to_a_server_is_refused(keys: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"space|CR|longer|needs") as caught:
        Account(Mechanism.PLAIN, **keys)
    assert "hunter" not in str(caught.value)
