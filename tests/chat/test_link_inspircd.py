"""The link on a server with accounts, and what it tells of them."""

import contextlib
from collections.abc import AsyncIterator

from chat.events import (
    AccountChanged,
    Connected,
    Disconnected,
    HostChanged,
    Joined,
    Message,
    Names,
    NickChanged,
    Present,
    Quit,
    User,
)
from tests.chat.harness import Running, settings
from tests.support.client import Client
from tests.support.inspircd import Inspircd, Services

AL = User("al", "al", "127.0.0.1")


@contextlib.asynccontextmanager
async def network() -> AsyncIterator[tuple[Inspircd, Services, Running]]:
    """A server with services, and a link that is alone in #y."""
    async with (
        Inspircd() as server,
        Services(server) as services,
        Running(settings(server.port)) as running,
    ):
        await running.next(Connected)
        await running.next(Present)
        yield server, services, running


async def test_who_they_are_is_known_from_login_to_logout() -> None:
    async with (
        network() as (server, services, running),
        await Client.connect(server.host, server.port, "al") as al,
    ):
        await al.join("#y")
        assert await running.next(Joined) == Joined(AL, "#y")
        al.say("#y", "nobody yet")
        assert (await running.next(Message)).user == AL
        await services.log_in("al", "Alice")
        assert await running.next(AccountChanged) == AccountChanged(AL, "Alice")
        alice = User("al", "al", "127.0.0.1", "Alice")
        al.say("#y", "in the channel")
        assert (await running.next(Message)).user == alice
        al.say("Yardzee", "in private")
        assert (await running.next(Message)).user == alice
        al.send_raw("NICK [al]")
        assert await running.next(NickChanged) == NickChanged(alice, "[al]")
        al.send_raw("PART #y")
        await al.join("#y")
        assert (await running.next(Joined)).user == User("[al]", "al", "127.0.0.1", "Alice")
        al.send_raw("PART #y")
        al.say("Yardzee", "from outside")
        assert (await running.next(Message)).user.account == "Alice"
        await al.join("#y")
        await running.next(Joined)
        await services.log_in("al", "")
        changed = await running.next(AccountChanged)
        assert (changed.user.account, changed.account) == ("Alice", None)
        al.send_raw("QUIT")
        assert (await running.next(Quit)) == Quit(User("[al]", "al", "127.0.0.1"), "Client exited")


async def test_another_host_is_the_same_user() -> None:
    async with (
        network() as (server, services, running),
        await Client.connect(server.host, server.port, "al") as al,
    ):
        await al.join("#y")
        await services.log_in("al", "Alice")
        await services.change_host("al", "cloak.example")
        before = User("al", "al", "127.0.0.1", "Alice")
        after = User("al", "al", "cloak.example", "Alice")
        assert await running.next(HostChanged) == HostChanged(before, after)
        al.say("#y", "still me")
        assert (await running.next(Message)).user == after


async def test_the_own_host_is_learned() -> None:
    async with network() as (_server, services, running):
        budget = running.link.budget("#y")
        await services.change_host("Yardzee", "a.very.long.cloak.example")
        assert (await running.next(HostChanged)).new_user.host == "a.very.long.cloak.example"
        assert running.link.budget("#y") == budget - len("a.very.long.cloak.example") + len("127.0.0.1")


async def test_who_was_here_before() -> None:
    async with (
        Inspircd() as server,
        Services(server) as services,
        await Client.connect(server.host, server.port, "al") as al,
        await Client.connect(server.host, server.port, "bo") as bo,
    ):
        await services.log_in("al", "Alice")
        await al.wait_for("900")
        await al.join("#y")
        await bo.join("#y")
        async with Running(settings(server.port)) as running:
            assert set((await running.next(Names)).nicks) == {"al", "bo", "Yardzee"}
            alice, bob = User("al", "al", "127.0.0.1", "Alice"), User("bo", "bo", "127.0.0.1")
            assert set((await running.next(Present)).users) == {alice, bob}
            al.send_raw("NICK bobby", "PART #y")
            assert await running.next(NickChanged) == NickChanged(alice, "bobby")


async def test_a_netsplit() -> None:
    async with network() as (_server, services, running):
        for nick in ("cy", "di"):
            services.bring(nick, "#y", nick.upper())
        services.say("di", "#y", "from far away")
        assert (await running.next(Message)).user.account == "DI"
        await services.split()
        gone = [await running.next(Quit) for _ in range(2)]
        assert {quit.user.account for quit in gone} == {"CY", "DI"}
        assert all(quit.netsplit for quit in gone), gone


async def test_it_is_marked_as_a_bot_again_after_each_reconnect() -> None:
    async with (
        Inspircd(extra='<module name="botmode">') as server,
        Services(server) as services,
        Running(settings(server.port)) as running,
        await Client.connect(server.host, server.port, "al") as al,
    ):
        for _ in range(2):
            await running.next(Joined)
            al.send_raw("WHOIS Yardzee")
            assert "bot" in (await al.wait_for(" 335 ")).text
            await services.kill("Yardzee")
            await running.next(Disconnected)
