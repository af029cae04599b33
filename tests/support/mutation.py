"""Lines that nearly mean something: real ones, spoiled by chance."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import Final

from tests.support.bench import CHANNEL, HOST

SERVER: Final = tuple(
    line.replace("#y", CHANNEL).replace("Yz", HOST).encode()
    for line in (
        ":irc.test 001 Yz :Welcome to the network Yz!~yardzee@host.test",
        ":irc.test 005 Yz CASEMAPPING=rfc1459 CHANTYPES=#& PREFIX=(qaohv)~&@%+ NICKLEN=9 WHOX :are supported",
        ":irc.test 005 Yz -CASEMAPPING NETWORK=a\\x20b TARGMAX=PRIVMSG:1 STATUSMSG=@+ :are supported",
        ":irc.test 332 Yz #y :The topic",
        ":irc.test 353 Yz = #y :Yz @alice +bob ~&@eve!~e@h",
        ":irc.test 366 Yz #y :End of /NAMES list.",
        ":irc.test 352 Yz #y ~alice alice.example irc.test alice H@ :0 real name",
        ":irc.test 354 Yz 739 #y ~bob bob.example bob acc",
        ":irc.test 315 Yz #y :End of /WHO list.",
        ":irc.test 376 Yz :End of /MOTD command.",
        ":irc.test 396 Yz cloak/yz :is now your displayed host",
        ":irc.test 401 Yz alice :No such nick",
        ":irc.test 404 Yz #y :Cannot send to channel (+m)",
        ":irc.test 408 Yz #y :You cannot use colors",
        ":irc.test 433 Yz Yz_ :Nickname is already in use",
        ":irc.test 437 Yz #y :Nick/channel is temporarily unavailable",
        ":irc.test 438 Yz Yz Yz2 :Nick change too fast",
        ":irc.test 470 Yz #y ##elsewhere :Forwarding to another channel",
        ":irc.test 473 Yz #y :Cannot join channel (+i)",
        ":irc.test 486 Yz alice :You must identify",
        ":irc.test 716 Yz alice :is in +g mode",
        ":irc.test 900 Yz Yz!~yardzee@host.test Acc :You are now logged in",
        ":irc.test 904 Yz :SASL authentication failed",
        ":irc.test CAP Yz NEW :batch sasl=PLAIN,EXTERNAL",
        ":irc.test CAP Yz DEL :server-time account-tag",
        ":irc.test CAP Yz ACK :batch server-time ",
        "AUTHENTICATE +",
        "PING :irc.test",
        "PING",
        ":irc.test PONG irc.test :yardzee",
        "@time=2026-01-01T00:00:00.000Z :irc.test PONG irc.test :time",
        ":irc.test BATCH +b netsplit a.example b.example",
        "@batch=b :eve!~e@h QUIT :a.example b.example",
        ":irc.test BATCH -b",
        ":irc.test BATCH +h chathistory #y",
        "@batch=h;time=2020-01-01T00:00:00.000Z :alice!~alice@alice.example PRIVMSG #y :!join",
        ":irc.test BATCH -h",
        "@account=Acc;msgid=x\\:\\s\\r\\n;+draft/reply=1 :eve!~e@h PRIVMSG #y :!join",
        "@time=1999-01-01T00:00:00Z :alice!~alice@alice.example PRIVMSG Yz :score yahtzee",
        ":alice!~alice@alice.example PRIVMSG Yz :score chance",
        ":bob!~bob@bob.example PRIVMSG Yz :keep a b",
        ":alice!~alice@alice.example PRIVMSG #y :!pause",
        ":eve!~e@h PRIVMSG #y :\1ACTION !join\1",
        ":eve!~e@h PRIVMSG @#y :!start",
        ":eve!~e@h PRIVMSG Yz :help",
        ":eve!~e@h NOTICE Yz :score chance",
        ":eve!~e@h JOIN #y Acc :real name",
        ":eve!~e@h JOIN :#y",
        ":eve!~e@h PART #y :bye",
        ":eve!~e@h QUIT",
        ":alice!~alice@alice.example QUIT :*.net *.split",
        ":alice!~alice@alice.example JOIN #y * :alice",
        ":alice!~alice@alice.example NICK :alice_",
        ":alice_!~alice@alice.example NICK :alice",
        ":eve!~e@h NICK bob",
        ":bob!~bob@bob.example CHGHOST ~bob cloak/bob",
        ":bob!~bob@bob.example ACCOUNT BobAcc",
        ":bob!~bob@bob.example ACCOUNT *",
        ":bob!~bob@bob.example SETNAME :Bob",
        ":bob!~bob@bob.example AWAY :gone",
        ":op!o@h KICK #y eve :out",
        ":op!o@h KICK #y Yz :out",
        ":op!o@h KICK #y alice,bob :out",
        ":op!o@h MODE #y +o-v alice bob",
        ":Yz!~yardzee@host.test JOIN #y * :Yardzee",
        ":Yz!~yardzee@host.test JOIN ##elsewhere * :Yardzee",
        ":Yz!~yardzee@host.test PART #y",
        ":Yz!~yardzee@host.test NICK :Guest83712",
        ":Guest83712!~yardzee@host.test NICK :Yz",
        ":Yz!~yardzee@host.test PRIVMSG #y :!join",
        ":Yz!~yardzee@host.test MODE Yz :+i",
        ":irc.test ERROR :Closing Link (Excess Flood)",
        "ERROR :Closing Link: Yz[host.test] (Ping timeout)",
        ":irc.test WALLOPS :all",
        ":eve!~e@h INVITE Yz :#elsewhere",
    )
)
"""What real servers say, to a host of two players."""

COMMANDS: Final = tuple(
    line.encode()
    for line in (
        *("score chance", "score full house", "keep 4 4", "k44", "reroll cde", "r 2, 6", "dice", "card"),
        *("join", "start", "leave", "pause", "resume", "stop", "status", "reload", "shutdown", "help", "who"),
        *(
            "hi",
            "help scoring",
            "scores",
            "time",
            "rules",
            "style plain",
            "style colour",
            "notice on",
            "hosting",
        ),
        *("amend alice chance 30 misread", "remove bob", "ban alice", "unban x", "say hello", "extend 60"),
        *("return k7m2xq9abd", f"{CHANNEL} keep 4 4", f"{HOST}: dice", "!join", "! start", "!!!", "prize x"),
        *("x\x10rPRIVMSG #yardzee :pwned", "\x01ACTION !join\x01", "\x01DCC\x01", "\x0304,01score 1s\x0f"),
        *("ycp hello v=1 lines=both card=x/1", "ycp register c=#yardzee", "ycp state", "ycp ping t=1", "ycp"),
        *("ycp hold g=k3v9x1 r=1 k=1 keep=ab", "ycp score g=k3v9x1 r=1 k=1 box=ch wrote=1", "ycp hello v=2"),
        *("reroll ²", "reroll ٢", "keep “a” b", "{0} %s", "⚀⚁⚂", "\u202e\u200b", "'; DROP TABLE events"),
    )
)
"""What players type."""

BITS: Final = (
    *(b" ", b"  ", b":", b" :", b",", b"!", b"@", b"*", b"#", b"\t", b"\x01", b"\x02", b"\x03", b"\x10r"),
    *(
        b"\xff",
        b"\xe9",
        b"\xc3",
        b"\xed\xa0\x80",
        b"\xf0\x9f\x8e",
        "é".encode(),
        "\u212a".encode(),
        "٢".encode(),
    ),
    *(b"\r", b"\0", b"\x7f", b"\xc2\xa0", b"\xe2\x80\xae", b"-1", b"0", b"99999999999999999999", b"a" * 30),
    *(b"x" * 600, b"y " * 300, b"\\r\\n", b"%s", b"{}", b"@time=", b";", b"=", "🎲".encode() * 40),
)


def mutated(line: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    """The line with one to three of its parts spoiled; it has no LF."""
    for _ in range(random.choice((1, 1, 2, 3))):
        line = random.choice(_WAYS)(line, random, others)
    return line.replace(b"\n", b" ")


def garbage(random: Random) -> bytes:
    """Any bytes but LF."""
    return random.randbytes(random.choice((1, 3, 20, 80, 600))).replace(b"\n", b" ")


def pieces(data: bytes, random: Random) -> list[bytes]:
    """The data cut at any bytes, often right after one another."""
    cuts = sorted(random.randrange(len(data) + 1) for _ in range(random.choice((0, 1, 3, 10))))
    return [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)], strict=True)]


def _flip(line: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(line) + 1)
    return line[:at] + random.randbytes(1) + line[at + 1 :]


def _cut(line: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    return line[: random.randrange(len(line) + 1)]


def _take_out(line: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    a, b = sorted((random.randrange(len(line) + 1), random.randrange(len(line) + 1)))
    return line[:a] + line[b:]


def _put_in(line: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    at = random.randrange(len(line) + 1)
    return line[:at] + random.choice(BITS) + line[at:]


def _drop_word(line: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    words = line.split(b" ")
    del words[random.randrange(len(words))]
    return b" ".join(words)


def _other_word(line: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    words, theirs = line.split(b" "), random.choice(others).split(b" ")
    words[random.randrange(len(words))] = random.choice([*theirs, random.choice(BITS)])
    return b" ".join(words)


def _splice(line: bytes, random: Random, others: Sequence[bytes]) -> bytes:
    other = random.choice(others)
    return line[: random.randrange(len(line) + 1)] + other[random.randrange(len(other) + 1) :]


def _tag(line: bytes, random: Random, _: Sequence[bytes]) -> bytes:
    tags = (b"batch=h", b"batch=b", b"time=2026-01-01T00:00:09Z", b"account=*", b"time=", b"a=" + b"b" * 4000)
    return b"@" + random.choice(tags) + b" " + line


def _case(line: bytes, _random: Random, _others: Sequence[bytes]) -> bytes:
    return line.swapcase()


_Way = Callable[[bytes, Random, Sequence[bytes]], bytes]
_WAYS: Final[tuple[_Way, ...]] = (
    *(_flip, _flip, _cut, _take_out, _put_in, _put_in, _drop_word, _other_word, _other_word, _splice, _tag),
    _case,
)
