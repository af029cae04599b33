"""What the link asks of servers that have extensions, and how it does without."""

import dataclasses

import pytest

from chat.capabilities import WANTED, Capabilities
from chat.events import Connected, Message, Names
from chat.wire import Line
from tests.chat.harness import AL, FAST, FakeServer, Peer, Running, hears, scripted, settings

HURRIED = dataclasses.replace(FAST, register=0.3)
"""Goes on without an answer after a third of this."""


async def test_only_what_is_offered_is_asked_for_in_one_request() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        assert [await peer.line() for _ in range(3)] == [
            "CAP LS 302",
            "NICK Yardzee",
            "USER yardzee 0 * :Yardzee",
        ]
        peer.send(
            ":irc.test CAP * LS * :sasl=PLAIN,EXTERNAL account-tag unheard-of ",
            ":irc.test CAP * LS * :echo-message batch draft/chathistory=100",
            ":irc.test CAP * LS :server-time cap-notify",
        )
        assert await peer.line() == "CAP REQ :account-tag batch cap-notify server-time"
        peer.send(":irc.test CAP * ACK :account-tag batch cap-notify server-time ")
        assert await peer.line() == "CAP END"
        peer.greet()
        await running.next(Connected)


@pytest.mark.parametrize("answer", ["LS :", "LS", "LS :sasl tls", "LS * :\r\n:irc.test CAP * LS :"])
async def test_nothing_of_use_is_offered(answer: str) -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(f":irc.test CAP * {answer}")
        assert await peer.line() == "CAP END"
        peer.greet()
        await running.next(Connected)


async def test_one_that_is_refused_takes_no_other_along() -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test CAP * LS :batch chghost account-tag")
        assert await peer.line() == "CAP REQ :account-tag batch chghost"
        peer.send(":irc.test CAP * NAK :account-tag batch chghost")
        for name, answer in (("account-tag", "ACK"), ("batch", "NAK"), ("chghost", "ACK")):
            assert await peer.line() == f"CAP REQ :{name}"
            peer.send(f":irc.test CAP * {answer} :{name}")
        assert await peer.line() == "CAP END"
        peer.greet()
        await running.next(Connected)


@pytest.mark.parametrize(
    "answer",
    [
        [],
        [":irc.test 421 * CAP :Unknown command"],
        [":irc.test 451 CAP :You have not registered"],
        [":irc.test 451 * :You have not registered"],
        ["CAP", ":irc.test CAP", ":irc.test CAP *", ":irc.test CAP * NAK :x", ":irc.test CAP * FOO :x"],
    ],
)
async def test_a_server_that_does_not_know_cap(answer: list[str]) -> None:
    async with FakeServer() as server, Running(settings(server.port)) as running:
        peer = await server.accept()
        peer.send(*answer)
        await peer.welcome()
        await running.next(Names)
        await hears(running, peer)


async def test_a_server_that_knows_cap_but_not_so() -> None:
    async with FakeServer() as server, Running(settings(server.port)):
        peer = await server.accept()
        await peer.expect("USER")
        peer.send(":irc.test 410 * LS :Invalid CAP subcommand")
        assert await peer.line() == "CAP END"


@pytest.mark.parametrize("said", [[], [":irc.test CAP * LS * :batch"], [":irc.test CAP * LS :batch"]])
async def test_a_server_that_waits_and_gives_no_answer(said: list[str]) -> None:
    async with FakeServer() as server, Running(settings(server.port), HURRIED) as running:
        peer = await server.accept()
        peer.send(*said)
        await peer.expect("CAP END")
        peer.greet()
        await running.next(Connected)


async def test_an_answer_after_the_welcome_still_counts() -> None:
    async with scripted() as (running, peer):
        peer.send(":irc.test CAP Yardzee LS :account-tag")
        await grant(peer, "account-tag")
        peer.send(f"@account=Alice {AL} PRIVMSG #y :hi")
        assert (await running.next(Message)).user.account == "Alice"


async def test_what_comes_and_goes_while_connected() -> None:
    async with scripted(offered="cap-notify") as (running, peer):

        async def account(tagged: str) -> str | None:
            peer.send(f"@account={tagged} {AL} PRIVMSG #y :hi")
            return (await running.next(Message)).user.account

        assert await account("Alice") is None
        peer.send(":irc.test CAP Yardzee NEW :sasl account-tag ")
        await grant(peer, "account-tag")
        assert await account("Alice") == "Alice"
        peer.send(":irc.test CAP Yardzee NEW :account-tag")
        peer.send(":irc.test CAP Yardzee DEL :sasl account-tag")
        assert await account("Bob") == "Alice", "what is known stays, and nothing new is learned"
        peer.send(":irc.test CAP Yardzee NEW :account-tag")
        await grant(peer, "account-tag")
        assert await account("Bob") == "Bob"


async def grant(peer: Peer, names: str) -> None:
    assert await peer.line() == f"CAP REQ :{names}"
    peer.send(f":irc.test CAP Yardzee ACK :{names}")


def test_each_connection_begins_anew_and_no_list_fills_the_memory() -> None:
    said: list[str] = []
    settled: list[bool] = []
    capabilities = Capabilities(said.append, lambda: settled.append(True))
    capabilities.begin()
    for i in range(1000):
        capabilities.handle(Line("irc.test", "CAP", ("*", "LS", "*", f"x{i} batch y{i}=z")))
    capabilities.handle(Line("irc.test", "CAP", ("*", "LS", f"={' '.join(WANTED)}")))
    assert [sorted(line[len("CAP REQ :") :].split()) for line in said[1:]] == [sorted(WANTED[1:])]
    for _ in range(1000):
        capabilities.handle(Line("irc.test", "CAP", ("*", "NEW", "batch")))
        capabilities.handle(Line("irc.test", "CAP", ("*", "NEW", " ".join(WANTED))))
    assert len(said) == 2
    capabilities.handle(Line("irc.test", "CAP", ("*", "ACK", "~batch -chghost =unwanted")))
    assert said[2:] == [f"CAP REQ :{WANTED[0]}"]
    assert not settled
    capabilities.hurry()
    capabilities.handle(Line("irc.test", "CAP", ("*", "ACK", WANTED[0])))
    assert settled == [True]
    assert [name for name in ("batch", "chghost", "unwanted", WANTED[0]) if capabilities.has(name)] == [
        "batch",
        WANTED[0],
    ]


def test_a_request_with_everything_fits_a_line() -> None:
    assert len(f"CAP REQ :{' '.join(WANTED)}\r\n") <= 512
