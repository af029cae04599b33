"""Who is one person and who is two: accounts that are none, nicks that are taken, letters that are alike."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import pytest

from chat.events import Joined, Kicked, Message, Names, Present
from host.config import ConfigError
from protocol.tags import DiceTag
from tests.cases.tools import WAYS_OUT, Client, come, game, lobby, table, tag
from tests.chat.harness import FAST, hears, scripted
from tests.support.bench import CHANNEL, HOST, Bench, config, to

# --- accounts ---

NO_ACCOUNT: Final[dict[str, Callable[[str], list[str]]]] = {
    "a join that says *": lambda nick: [f":{nick}!u@h JOIN #y * :Real Name"],
    "a tag that says *": lambda nick: [f"@account=* :{nick}!u@h JOIN #y"],
    "a tag that says 0": lambda nick: [f"@account=0 :{nick}!u@h JOIN #y"],
    "an empty tag": lambda nick: [f"@account= :{nick}!u@h JOIN #y"],
    "a tag without a value": lambda nick: [f"@account :{nick}!u@h JOIN #y"],
    "no word of it": lambda nick: [f":{nick}!u@h JOIN #y"],
    "logged out": lambda nick: [f":{nick}!u@h JOIN #y {nick} :Real Name", f":{nick}!u@h ACCOUNT *"],
    "logged out to 0": lambda nick: [f":{nick}!u@h JOIN #y {nick} :Real Name", f":{nick}!u@h ACCOUNT 0"],
}
SAYS: Final = ("", "@account=* ", "@account=0 ", "@account= ", "@account ")


@pytest.mark.parametrize("comes", NO_ACCOUNT.values(), ids=NO_ACCOUNT)
@pytest.mark.parametrize("offered", ["account-tag ", ""], ids=["tags", "no tags"])
async def test_people_without_an_account_are_as_many_as_they_are(
    comes: Callable[[str], list[str]], offered: str
) -> None:
    """However a server writes that somebody is not logged in, it is no name that two could share."""
    bench = Bench(config('{"#y": {}}'))
    bench.connect()
    nicks = []
    async with scripted(offered=f"{offered}extended-join account-notify") as (running, peer):
        running.react = lambda event: bench.desk.hear(event) if isinstance(event, Joined | Message) else None
        for number, says in enumerate(SAYS):
            for nick in (f"one{number}", f"two{number}"):
                peer.send(*comes(nick), f"{says}:{nick}!u@h PRIVMSG #y :!join")
                nicks.append(nick)
        await hears(running, peer)
    seats = bench.keeper("#y").table.seats
    assert [(seat.nick, seat.occupant.account) for seat in seats] == [(nick, None) for nick in nicks]


async def test_those_who_were_there_before_and_have_no_account_are_as_many_as_they_are() -> None:
    """The list that a server gives on asking writes it in yet another way."""
    bench = Bench(config('{"#y": {}}'))
    async with scripted(FAST, "WHOX") as (running, peer):
        running.react = bench.desk.hear
        peer.send(
            ":Yardzee!~yardzee@host.test JOIN #y",
            ":irc.test 353 Yardzee = #y :Yardzee one two three",
            ":irc.test 366 Yardzee #y :End",
        )
        query = (await peer.expect("WHO #y")).removeprefix("WHO #y %tcuhna,")
        for nick, account in (("one", "0"), ("two", "0"), ("three", "*")):
            peer.send(f":irc.test 354 Yardzee {query} #y u h {nick} {account}")
        peer.send(":irc.test 315 Yardzee #y :End of WHO list")
        await running.next(Present)
        for nick in ("one", "two", "three"):
            peer.send(f":{nick}!u@h PRIVMSG #y :!join")
        await hears(running, peer)
    assert [seat.nick for seat in bench.keeper("#y").table.seats] == ["one", "two", "three"]


# --- somebody else under a player's nick ---

LINES: Final = (
    "dice",
    "card",
    "keep a",
    "reroll all",
    "score chance",
    "leave",
    "$",
    "return token00009",
    "hm",
    "who",
)


@pytest.mark.parametrize("way", [*WAYS_OUT, "another nick"])
@pytest.mark.parametrize("owner", [None, "Alice"], ids=["owner without account", "owner with account"])
@pytest.mark.parametrize(
    ("host", "account"),
    [
        ("elsewhere.example", None),
        ("elsewhere.example", "Mallory"),
        ("example.org", None),
        ("example.org", "Mallory"),
    ],
)
@pytest.mark.parametrize("comes", ["in the channel", "outside", "by a change of nick"])
def test_who_takes_a_players_nick_has_neither_dice_nor_seat(
    way: str, owner: str | None, host: str, account: str | None, comes: str
) -> None:
    """What the seat knows of its owner counts: the account, or else the whole mask."""
    if host == "example.org" and owner is None:
        host = "other.example.org"  # without an account the whole mask is all that there is to know
    bench = Bench(config(f'{{"{CHANNEL}": {{repeat_seconds: 0}}}}'))
    (bob,) = come(bench, "bob")
    alice = Client(bench, "alice", account=owner)
    alice.join()
    for client in (alice, bob):
        client.say("!join")
    alice.say("!start")
    mine = tag(bench, 0)
    if way == "another nick":
        alice.rename("al")
    else:
        alice.go(way)
    before = table(bench)
    mallory = Client(bench, "alice", host=host, account=account)
    if comes == "in the channel":
        assert to(mallory.join(), "alice") == []
    elif comes == "by a change of nick":
        mallory.nick = "mallory"
        mallory.join()
        assert to(mallory.rename("alice"), "alice") == []
    for line in LINES:
        answers = mallory.tell(line)
        assert not any(DiceTag.find(answer) for answer in answers), line
        assert table(bench) == before, line
    mallory.go("quit")
    if way == "another nick":
        assert mine in alice.tell("dice")[0]
    elif owner is None or host != "example.org":
        assert mine in to(alice.join(), "alice")[0]


@pytest.mark.parametrize("spelling", ["alice", "ALICE", "Alice"])
def test_dice_that_wait_for_one_who_is_kicked_are_not_sent(spelling: str) -> None:
    """A server repeats the nick as the operator typed it, and who has it next must not see what waits."""
    bench = Bench(config(send="{burst: 1, seconds: 1}"))
    alice, _ = game(bench, "alice", "bob")
    bench.desk.hear(Kicked(spelling, CHANNEL, "op", ""))
    assert to(bench.pass_(60), "alice") == []
    assert tag(bench, 0) in to([*alice.join(), *bench.pass_(5)], "alice")[0]


# --- names that are alike ---

ALIKE: Final = [
    ("rfc1459", "Foo[1]", "foo{1}", True),
    ("rfc1459", "a~b", "A^B", True),
    ("rfc1459", "x\\y", "X|Y", True),
    ("strict-rfc1459", "Foo[1]", "foo{1}", True),
    ("strict-rfc1459", "a~b", "A^B", False),
    ("rfc1459-strict", "a~b", "A^B", False),
    ("ascii", "Foo[1]", "fOO[1]", True),
    ("ascii", "Foo[1]", "foo{1}", False),
    ("ascii", "x\\y", "X|Y", False),
    ("ascii", "K", "\N{KELVIN SIGN}", False),
    ("rfc1459", "k", "\N{KELVIN SIGN}", False),
    ("rfc1459", "É", "é", False),
    ("ascii", "ß", "ss", False),
    ("rfc1459", "\N{LATIN SMALL LETTER LONG S}", "s", False),
    ("something new", "Foo[1]", "foo{1}", True),
]
every_pair = pytest.mark.parametrize(("casemapping", "one", "other", "same"), ALIKE)


@every_pair
def test_two_spellings_are_one_person_where_the_server_says_so(
    casemapping: str, one: str, other: str, same: bool
) -> None:
    """In the channel, out of it and back, one nick is one seat, and two are two."""
    bench = Bench(casemapping=casemapping)
    first, _ = game(bench, one, "bob")
    again = Client(bench, other, user=first.user)
    answers = again.tell("dice")
    assert answers[0].startswith(f"{other}: ")
    assert any(tag(bench, 0) in answer for answer in answers) is same
    first.go("quit")
    assert any(tag(bench, 0) in line for line in to(again.join(), other)) is same
    assert any(tag(bench, 0) in line for line in to(first.join(), one)) is True
    assert len(table(bench).seats) == 2


@every_pair
def test_two_spellings_take_as_many_seats_as_they_are_people(
    casemapping: str, one: str, other: str, same: bool
) -> None:
    """From two places, where both are there at once only if they are two."""
    bench = Bench(casemapping=casemapping)
    lobby(bench, one)
    stranger = Client(bench, other, host="elsewhere.example")
    if not same:
        stranger.join()
    stranger.say("!join")
    assert [seat.nick for seat in table(bench).seats] == ([one] if same else [one, other])


@every_pair
def test_lines_go_to_the_nick_as_the_server_wrote_it_last(
    casemapping: str, one: str, other: str, same: bool
) -> None:
    """A name that is folded is for comparing, and never for sending."""
    bench = Bench(casemapping=casemapping)
    first, _ = game(bench, one, "bob")
    assert {target for target, _, _ in bench.wire.sent} == {CHANNEL, one, "bob"}
    sent = len(bench.wire.sent)
    first.rename(other)
    first.tell("style plain")
    assert tag(bench, 0) in first.tell("dice")[0]
    bench.pass_(120)
    assert {target for target, _, _ in bench.wire.sent[sent:]} == {CHANNEL, other, "bob"}
    told = [text for target, text, _ in bench.wire.sent[sent:] if target == CHANNEL]
    assert f"{other}* " in told[0]


@pytest.mark.parametrize(
    ("casemapping", "configured", "joined", "same"),
    [
        ("ascii", "#Y", "#y", True),
        ("rfc1459", "#Y", "#y", True),
        ("ascii", "#yardzee", "#YARDZEE", True),
        ("rfc1459", "#Foo[1]", "#foo{1}", True),
        ("ascii", "#Foo[1]", "#foo{1}", False),
        ("strict-rfc1459", "#a~", "#a^", False),
        ("ascii", "#k", "#\N{KELVIN SIGN}", False),
    ],
)
def test_a_channel_is_the_configured_one_however_the_server_writes_it(
    casemapping: str, configured: str, joined: str, same: bool
) -> None:
    """Who comes, who is there, what is said and who goes: all of it is of one table, or of none."""
    bench = Bench(config(f'{{"{configured}": {{}}}}'), casemapping=casemapping)
    bench.desk.hear(Names(joined, (HOST, "alice")))
    alice, bob = Client(bench, "alice"), Client(bench, "bob")
    bench.desk.hear(Present(joined, (alice.mask,)))
    bob.join(joined)
    for client in (alice, bob):
        client.say("!join", joined)
    alice.say("!start", joined)
    keeper = bench.keeper(configured)
    assert [seat.nick for seat in keeper.table.seats] == (["alice", "bob"] if same else [])
    if same:
        assert f"{joined} dice" not in alice.tell(f"{joined} dice")[0]
        assert DiceTag.find(alice.tell(f"{joined} dice")[0])
        bench.desk.hear(Kicked(HOST, joined, "op", ""))
        assert keeper.table.suspended is not None
        bench.desk.hear(Names(joined, (HOST, "alice", "bob")))
        assert keeper.table.suspended is None


def test_one_channel_under_two_spellings_is_a_mistake_in_the_configuration() -> None:
    """Two tables of one channel could not be told apart."""
    for one, other in (("#Y", "#y"), ("#a[", "#A{")):
        with pytest.raises(ConfigError, match="the same channel"):
            config(f'{{"{one}": {{}}, "{other}": {{}}}}')
