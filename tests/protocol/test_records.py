"""What is asked of the records: what is typed, and what it means."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.fair import DiceMode
from protocol.commands import Help, Look, LookAt, Seed, Start, Topic, text
from protocol.errors import (
    AmbiguousCommand,
    BadChoice,
    BadUsage,
    ExtraWords,
    ProtocolError,
    Question,
    UnknownCommand,
)
from protocol.hosting import Status
from protocol.parser import Line, parse
from protocol.records import (
    VERBS,
    CloseSeason,
    Forget,
    ForgetMe,
    Game,
    Games,
    KeepingCommand,
    Last,
    OpenSeason,
    Period,
    Ratings,
    RecordsCommand,
    Season,
    Stats,
    Top,
)

Meant = RecordsCommand | KeepingCommand

MEANINGS: list[tuple[str, Meant]] = [
    ("stats", Stats()),
    ("STATS?", Stats()),
    ("stats me", Stats()),
    ("stats me week", Stats(period=Period.WEEK)),
    ("stats Bob", Stats("Bob")),
    ("stats [b]_o`b^", Stats("[b]_o`b^")),
    ("stats bob, houston, today", Stats("bob", "houston", Period.TODAY)),
    ("stats MONTH free_choice of bob", Stats("bob", "free_choice", Period.MONTH)),
    ("stats nick:week", Stats("nick:week")),
    ("stats account:Bob all", Stats("account:Bob")),
    ("top", Top()),
    ("Top.", Top()),
    ("\x02top\x02 this week", Top(period=Period.WEEK)),
    ("top season wins", Top(period=Period.SEASON, wins=True)),
    ("top wins hasbro", Top("hasbro", wins=True)),
    ("ratings", Ratings()),
    ("ratings Houston", Ratings("houston")),
    ("ratings same yardzee", Ratings("yardzee", DiceMode.SAME)),
    ("ratings own", Ratings(dice=DiceMode.OWN)),
    ("last", Last()),
    ("last?", Last()),
    ("game", Last()),
    ("games", Games()),
    ("game K7M2xq9a", Game("k7m2xq9a")),
    ("game k7m2 ?", Game("k7m2")),
    ("season", Season()),
    ("season Spring 2027", Season("Spring 2027")),
    ("season open Spring 2027 2027-03-01 2027-05-31", OpenSeason("Spring 2027", "2027-03-01", "2027-05-31")),
    ("Season Close Spring 2027", CloseSeason("Spring 2027")),
    ("forget", ForgetMe()),
    ("forget me", ForgetMe()),
    ("Forget ME k7Mq.", ForgetMe("k7mq")),
    ("forget Bob", Forget("Bob")),
    ("forget nick:[b] K7MQ", Forget("nick:[b]", "k7mq")),
]


@pytest.mark.parametrize(("line", "meant"), MEANINGS, ids=[line for line, _ in MEANINGS])
def test_a_line_means(line: str, meant: Meant) -> None:
    assert parse(line) == Line(meant)
    assert parse(f"#y {line}") == Line(meant, "#y")
    first, *rest = line.rstrip("?").split(" ")
    assert parse(" ".join([first, "#y", *rest])) == Line(meant, "#y")
    assert parse(" ".join([first, *rest, "#y"])) == Line(meant, "#y")
    assert parse(text(meant)) == Line(meant)


MISFITS: list[tuple[str, type[ProtocolError]]] = [
    ("stats bob carol", BadChoice),
    ("stats bob week month", ExtraWords),
    ("top ten", BadChoice),
    ("top hasbro houston", ExtraWords),
    ("ratings week", BadChoice),
    ("last one", ExtraWords),
    ("games today", ExtraWords),
    ("game a b", ExtraWords),
    ("season open", BadUsage),
    ("season open Spring 2027-03-01", BadUsage),
    ("season open Spring 2027-3-1 2027-05-31", BadUsage),
    ("season open 2027-03-01 2027-05-31", BadUsage),
    ("season open open 2027-03-01 2027-05-31", BadUsage),
    (f"season open {'x' * 33} 2027-03-01 2027-05-31", BadUsage),
    ("season close", BadUsage),
    ("forget me k7mq now", ExtraWords),
    ("forget bob k7mq now", ExtraWords),
    ("#y stats #z", ExtraWords),
    ("forget me?", Question),
    ("forget bob k7mq ?", Question),
    ("season close Spring?", Question),
    ("practice stats", ExtraWords),
    ("practice: season close Spring", ExtraWords),
]


@pytest.mark.parametrize(("line", "error"), MISFITS, ids=[line for line, _ in MISFITS])
def test_what_does_not_fit_is_refused(line: str, error: type[ProtocolError]) -> None:
    with pytest.raises(error):
        parse(line)


def test_what_was_shortened_before_means_what_it_did() -> None:
    assert parse("sta").command == parse("star").command == Start()
    assert parse("status").command == Status()
    assert parse("se").command == Seed()
    assert parse("ti").command == Look(LookAt.TIME)
    for word in ("st", "s t", "t", "l", "r", "f"):
        with pytest.raises(ProtocolError):
            parse(word)
    for word in ("stat", "to", "las", "gam", "rating", "seas", "forge", "stats4", "seen", "tops"):
        with pytest.raises((UnknownCommand, AmbiguousCommand)) as error:
            parse(word)
        assert not {*vars(error.value).get("close", ())} & {*VERBS}


def test_help_knows_each_word_in_full() -> None:
    for word in (*VERBS, "records"):
        assert parse(f"help {word}").command == Help(Topic.RECORDS)
    shortened = {"ti": Topic.LOOK, "t": Topic.LOOK, "stat": Topic.HOSTING, "fa": Topic.FAIR, "f": Topic.FAIR}
    assert {word: parse(f"help {word}").command for word in shortened} == {
        word: Help(topic) for word, topic in shortened.items()
    }


WORDS = [
    "me",
    "open",
    "close",
    "week",
    "all",
    "hasbro",
    "wins",
    "same",
    "2027-03-01",
    "bob",
    "k7mq",
    ",",
    "#y",
]


@given(st.sampled_from(sorted(VERBS)), st.one_of(st.text(), st.lists(st.sampled_from(WORDS)).map(" ".join)))
def test_whatever_follows_is_a_command_that_can_be_typed_or_an_error_of_ours(verb: str, rest: str) -> None:
    with contextlib.suppress(ProtocolError):
        command = parse(f"{verb} {rest}").command
        assert parse(text(command)).command == command
