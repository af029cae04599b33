"""Who people are: services accounts and hosts, from whichever of its sources a server has."""

import pytest

from chat.events import (
    AccountChanged,
    HostChanged,
    Joined,
    Kicked,
    LinkEvent,
    Message,
    Names,
    NickChanged,
    Parted,
    Present,
    Quit,
    User,
)
from chat.roster import Roster, account_name
from tests.chat.harness import AL, FAST, Peer, Running, hears, scripted

NOBODY = User("al", "~al", "host.al")
ALICE = User("al", "~al", "host.al", "Alice")


async def told(running: Running, peer: Peer, *lines: str) -> list[LinkEvent]:
    """What the link tells of `lines`."""
    await hears(running, peer, "before")
    start = len(running.events)
    peer.send(*lines)
    await hears(running, peer, "after")
    return running.events[start:-1]


async def test_account_tag() -> None:
    async with scripted(offered="account-tag") as (running, peer):
        assert await told(
            running,
            peer,
            f"@account=Alice {AL} PRIVMSG #y :one",
            f"{AL} PRIVMSG #y :two",
            f"@account=Alice {AL} PRIVMSG Yardzee :three",
            f"{AL} PART #y",
            f"@account=Alice {AL} JOIN #y",
            f"{AL} NICK bo",
            ":bo!~al@host.al QUIT :bye",
            "@account=Eve :eve!e@e PRIVMSG Yardzee :in no channel of ours",
            ":eve!e@e PRIVMSG Yardzee :and logged out",
        ) == [
            Message(ALICE, "#y", "one", private=False),
            Message(NOBODY, "#y", "two", private=False),
            Message(ALICE, "Yardzee", "three", private=True),
            Parted(ALICE, "#y"),
            Joined(ALICE, "#y"),
            NickChanged(ALICE, "bo"),
            Quit(User("bo", "~al", "host.al", "Alice"), "bye"),
            Message(User("eve", "e", "e", "Eve"), "Yardzee", "in no channel of ours", private=True),
            Message(User("eve", "e", "e"), "Yardzee", "and logged out", private=True),
        ]


async def test_a_tag_that_was_not_agreed_on_says_nothing() -> None:
    async with scripted(offered="message-tags") as (running, peer):
        lines = [f"@account=Alice;+account=Alice {AL} PRIVMSG #y :hi"]
        assert await told(running, peer, *lines) == [Message(NOBODY, "#y", "hi", private=False)]


async def test_extended_join() -> None:
    async with scripted(offered="extended-join") as (running, peer):
        assert await told(
            running,
            peer,
            ":bo!b@h JOIN #y Bob :Bob, the first",
            ":bo!b@h PRIVMSG #y :hi",
            ":cy!c@h JOIN #y * :Cyd",
            ":cy!c@h PRIVMSG #y :hi",
            ":di!d@h JOIN #y",
        ) == [
            Joined(User("bo", "b", "h", "Bob"), "#y"),
            Message(User("bo", "b", "h", "Bob"), "#y", "hi", private=False),
            Joined(User("cy", "c", "h"), "#y"),
            Message(User("cy", "c", "h"), "#y", "hi", private=False),
            Joined(User("di", "d", "h"), "#y"),
        ]


async def test_a_join_with_more_words_where_that_means_nothing() -> None:
    async with scripted() as (running, peer):
        assert await told(running, peer, ":bo!b@h JOIN #y Bob :Bob") == [Joined(User("bo", "b", "h"), "#y")]


@pytest.mark.parametrize("offered", ["account-notify", "account-notify account-tag"])
async def test_account_notify(offered: str) -> None:
    async with scripted(offered=offered) as (running, peer):
        tag = "@account=Alice " if "tag" in offered else ""
        assert await told(
            running,
            peer,
            f"{tag}{AL} ACCOUNT Alice",
            f"{tag}{AL} PRIVMSG #y :hi",
            f"{AL} ACCOUNT :*",
            f"{AL} PRIVMSG #y :hi",
            f"{AL} ACCOUNT",
        ) == [
            AccountChanged(NOBODY, "Alice"),
            Message(ALICE, "#y", "hi", private=False),
            AccountChanged(ALICE, None),
            Message(NOBODY, "#y", "hi", private=False),
        ]


async def test_the_own_account() -> None:
    async with scripted(offered="account-notify") as (running, peer):
        me = User("Yardzee", "~yardzee", "host.test")
        mine = User("Yardzee", "~yardzee", "host.test", "Host")
        assert await told(
            running,
            peer,
            f":{me.mask} ACCOUNT Host",
            f":{me.mask} NICK bo",
            ":bo!~yardzee@host.test NICK Yardzee",
        ) == [
            AccountChanged(me, "Host"),
            NickChanged(mine, "bo"),
            NickChanged(User("bo", "~yardzee", "host.test", "Host"), "Yardzee"),
        ]


async def test_whox() -> None:
    async with scripted(FAST, "WHOX") as (running, peer):
        peer.send(":irc.test 366 Yardzee #y :End")  # nothing was asked
        peer.joined()
        query = (await peer.expect("WHO #y")).removeprefix("WHO #y %tcuhna,")
        assert query.isdecimal()
        peer.send(
            f":irc.test 354 Yardzee {query} #Y ~al host.al al Alice",
            f":irc.test 354 Yardzee {query} #y b b.example bo 0",
            f":irc.test 354 Yardzee {query} #y ~yardzee host.test Yardzee 0",
            f":irc.test 354 Yardzee {query} #z e e.example eve Eve",
            ":irc.test 354 Yardzee 1 #y e e.example eve Eve",
            ":irc.test 354 Yardzee",
            ":irc.test 315 Yardzee #y :End of WHO list",
        )
        present = await running.next(Present)
        assert present == Present("#y", (ALICE, User("bo", "b", "b.example")))
        assert await told(running, peer, f"{AL} PRIVMSG #y :hi") == [
            Message(ALICE, "#y", "hi", private=False)
        ]


async def test_plain_who_keeps_what_is_known() -> None:
    async with scripted(offered="account-notify") as (running, peer):
        peer.send(f"{AL} ACCOUNT Alice")
        peer.joined()
        assert await peer.expect("WHO") == "WHO #y"
        peer.send(
            ":irc.test 352 Yardzee #y ~al host.al irc.test al H@ :0 Al",
            ":irc.test 352 Yardzee #y b b.example irc.test bo H :0 Alice",
            ":irc.test 315 Yardzee #y :End of WHO list",
        )
        assert await running.next(Present) == Present("#y", (ALICE, User("bo", "b", "b.example")))


async def test_the_whole_masks_in_names() -> None:
    async with scripted(offered="userhost-in-names multi-prefix account-notify") as (running, peer):
        peer.send(
            ":irc.test 353 Yardzee = #y :@+bo!b@b.example Yardzee!~yardzee@host.test",
            ":irc.test 366 Yardzee #y :End",
        )
        await running.next(Names, lambda names: names == Names("#y", ("bo", "Yardzee")))
        assert await told(running, peer, ":bo!b@b.example ACCOUNT Bob", ":bo!b@b.example PART #y") == [
            AccountChanged(User("bo", "b", "b.example"), "Bob"),
            Parted(User("bo", "b", "b.example", "Bob"), "#y"),
        ]


@pytest.mark.parametrize("nothing", ["*", "0", ""])
async def test_two_without_an_account_are_not_one(nothing: str) -> None:
    async with scripted(offered="account-tag extended-join account-notify") as (running, peer):
        events = await told(
            running,
            peer,
            f":bo!b@h JOIN #y {nothing or '*'} :Bo",
            f"@account={nothing} :bo!b@h PRIVMSG #y :hi",
            f":bo!b@h ACCOUNT :{nothing}",
        )
        bo = User("bo", "b", "h")
        assert events == [Joined(bo, "#y"), Message(bo, "#y", "hi", private=False), AccountChanged(bo, None)]


@pytest.mark.parametrize(
    "gone",
    [
        f"{AL} QUIT :bye",
        f"{AL} PART #y",
        f"{AL} NICK bo",
        ":cy!c@c KICK #y al :out",
        ":eve!e@e NICK AL",
        ":Yardzee!~yardzee@host.test PART #y",
        ":cy!c@c KICK #y Yardzee :out",
    ],
)
async def test_nobody_inherits_an_account_with_a_nick(gone: str) -> None:
    async with scripted(offered="account-notify") as (running, peer):
        await told(running, peer, f"{AL} ACCOUNT Alice")
        peer.send(gone, ":al!~al@host.al PRIVMSG Yardzee :score yahtzee")
        assert (await running.next(Message, lambda message: message.private)).user.account is None


async def test_nicks_swapped_and_changed_in_case() -> None:
    async with scripted(offered="account-notify extended-join") as (running, peer):
        events = await told(
            running,
            peer,
            f"{AL} ACCOUNT Alice",
            ":bo!b@h JOIN #y Bob :Bo",
            f"{AL} NICK tmp",
            ":bo!b@h NICK al",
            ":tmp!~al@host.al NICK BO",
            ":BO!~al@host.al NICK bo",
            ":bo!~al@host.al PRIVMSG #y :I am Alice",
            ":al!b@h PRIVMSG #y :I am Bob",
        )
        said = [event for event in events if isinstance(event, Message)]
        assert [f"I am {message.user.account}" for message in said] == [message.text for message in said]


async def test_one_channel_of_two_is_enough_to_be_known() -> None:
    async with scripted(offered="account-notify", channels=("#y", "#z")) as (running, peer):
        peer.joined(channel="#z")
        events = await told(running, peer, f"{AL} ACCOUNT Alice", f"{AL} PART #y", f"{AL} JOIN #y")
        assert events[-1] == Joined(ALICE, "#y")
        events = await told(running, peer, f"{AL} PART #y", f"{AL} PART #z", f"{AL} JOIN #y")
        assert events[-1] == Joined(NOBODY, "#y")


async def test_chghost() -> None:
    async with scripted(offered="chghost account-notify") as (running, peer):
        cloaked = User("al", "al", "cloak.example", "Alice")
        assert await told(
            running,
            peer,
            f"{AL} ACCOUNT Alice",
            f"{AL} CHGHOST al cloak.example",
            f"{AL} CHGHOST al",
            ":al!al@cloak.example PRIVMSG #y :hi",
        ) == [
            AccountChanged(NOBODY, "Alice"),
            HostChanged(ALICE, cloaked),
            Message(cloaked, "#y", "hi", private=False),
        ]


async def test_own_chghost() -> None:
    async with scripted(offered="chghost") as (running, peer):
        budget = running.link.budget("#y")
        peer.send(":Yardzee!~yardzee@host.test CHGHOST y cloak.example")
        changed = await running.next(HostChanged)
        assert changed.new_user == User("Yardzee", "y", "cloak.example")
        assert running.link.budget("#y") == budget + len("~yardzee@host.test") - len("y@cloak.example")


async def test_a_host_that_changes_by_leaving_and_coming_is_two_events() -> None:
    async with scripted(offered="account-tag") as (running, peer):
        assert await told(
            running,
            peer,
            f"@account=Alice {AL} QUIT :Changing host",
            "@account=Alice :al!~al@cloak JOIN #y",
        ) == [Quit(ALICE, "Changing host"), Joined(User("al", "~al", "cloak", "Alice"), "#y")]


async def test_kicked_is_told_by_nick_as_ever() -> None:
    async with scripted(offered="account-tag") as (running, peer):
        assert await told(running, peer, "@account=C :cy!c@c KICK #y al :x") == [
            Kicked("al", "#y", "cy", "x")
        ]


def test_the_roster_folds_anew() -> None:
    rfc1459 = [True]
    roster = Roster(lambda name: name.replace("[", "{") if rfc1459[0] else name)
    roster.joined("[al", "#[y")
    roster.set_account("[al", "Alice")
    assert roster.account("{al") == "Alice"
    rfc1459[0] = False
    roster.refold()
    assert (roster.account("[al"), roster.account("{al")) == ("Alice", None)
    roster.left("[al", "#{y")
    assert roster.account("[al") == "Alice"
    roster.left("[al", "#[y")
    assert roster.account("[al") is None


def test_account_names() -> None:
    assert [account_name(text) for text in ("*", "0", "", "00", "Al")] == [None, None, None, "00", "Al"]
