import contextlib
import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.wire import Framer, Line, parse_tags

CASES = [
    ("PING", Line("", "PING", ())),
    ("ping :a b", Line("", "PING", ("a b",))),
    (":n!u@h PRIVMSG #y :", Line("n!u@h", "PRIVMSG", ("#y", ""))),
    (":n!u@h PRIVMSG #y ::-) a : b", Line("n!u@h", "PRIVMSG", ("#y", ":-) a : b"))),
    ("@time=1;x :s  001   me  :hi", Line("s", "001", ("me", "hi"), {"time": "1", "x": ""})),
    ("@ PING x", Line("", "PING", ("x",))),
    (":s 353 me = #y :a b ", Line("s", "353", ("me", "=", "#y", "a b "))),
    (":a\xa0b!u@h NICK c\x1fd", Line("a\xa0b!u@h", "NICK", ("c\x1fd",))),
    ("  PING x", Line("", "PING", ("x",))),
]


@pytest.mark.parametrize(("text", "line"), CASES)
def test_parse(text: str, line: Line) -> None:
    assert Line.parse(text) == line


@pytest.mark.parametrize("text", ["", " ", ":", ":only", "@tags", "@t :s", ":s  ", " :x"])
def test_parse_without_a_command(text: str) -> None:
    with pytest.raises(ValueError, match="no command"):
        Line.parse(text)


TAGS = [
    ("a", {"a": ""}),
    ("a=", {"a": ""}),
    ("a=1;b=2;a=3", {"a": "3", "b": "2"}),
    ("account=al;time=2026-11-30T02:32:26.057Z", {"account": "al", "time": "2026-11-30T02:32:26.057Z"}),
    ("+typing=active;+example.com/x-y=1", {"+typing": "active", "+example.com/x-y": "1"}),
    ("znc.in/a=b=c", {"znc.in/a": "b=c"}),
    (r"a=\:\s\\\r\n", {"a": "; \\\r\n"}),
    (r"a=\b\é\\s;b=x\\;c=x\\\\", {"a": "bé\\s", "b": "x\\", "c": "x\\\\"}),
    ("a=1\\", {"a": "1"}),
    ("a=é\x01\u2028", {"a": "é\x01\u2028"}),
    ("", {}),
    (";;=;=x;+=x;/=x;+/b=x;a/=x;a_b=x;é=x; a=x;a b=x;good=x", {"good": "x"}),
    ("a=" + "x" * 8187, {"a": "x" * 8187}),
    ("a=" + "x" * 8188, {}),
    ("a=" + "é" * 4093, {"a": "é" * 4093}),
    ("a=" + "é" * 4094, {}),
    ("a;" * 4000, {"a": ""}),
]


@pytest.mark.parametrize(("text", "tags"), TAGS)
def test_tags(text: str, tags: dict[str, str]) -> None:
    assert parse_tags(text) == tags


@given(st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"])))
def test_tags_come_back_as_they_were(value: str) -> None:
    escaped = value.replace("\\", "\\\\").replace(";", r"\:").replace(" ", r"\s")
    escaped = escaped.replace("\r", r"\r").replace("\n", r"\n")
    assert Line.parse(f"@x={escaped} PING").tags == {"x": value}


@given(st.binary() | st.lists(st.sampled_from(list(b"@a=;\\ :\n"))).map(bytes))
def test_no_bytes_are_fatal(data: bytes) -> None:
    for text in [*Framer().feed(data + b"\n"), *Framer().feed(b"@" + data + b" PING\n")]:
        with contextlib.suppress(ValueError):
            line = Line.parse(text)
            assert line.command == line.command.upper()


def test_a_line_of_the_longest_tags_comes_through_and_a_longer_one_does_not() -> None:
    line = b"@a=" + b"x" * 8187 + b" " + b"y" * 510 + b"\r\n"
    assert [len(text) for text in Framer().feed(line)] == [8191 + 510]
    assert Framer().feed(b"zz" + line + b"ok\n") == ["ok"]


def test_params_that_are_missing() -> None:
    line = Line.parse("X a")
    assert (line.param(0), line.param(1), line.param(-1), line.param(-2)) == ("a", "", "a", "")


STREAM = b"one\r\n\xff\xe9\ntwo \xe2\x9a\x80\r\n\r\n\nthr\ree\0\r\n:rest"
LINES = ["one", "\xff\xe9", "two ⚀", "thr ee "]


@given(st.lists(st.integers(0, len(STREAM)), max_size=8))
def test_however_the_bytes_are_cut(cuts: list[int]) -> None:
    framer = Framer()
    edges = [0, *sorted(cuts), len(STREAM)]
    lines = [line for a, b in itertools.pairwise(edges) for line in framer.feed(STREAM[a:b])]
    assert lines == LINES
    assert framer.feed(b" of it\n") == [":rest of it"]


def test_an_endless_line_is_dropped() -> None:
    framer = Framer(limit=10)
    assert framer.feed(b"ok\n" + b"x" * 8) == ["ok"]
    for _ in range(100):
        assert framer.feed(b"x" * 1000) == []
    assert framer.dropped == 1
    assert framer.feed(b"x\nback\n") == ["back"]
    assert framer.feed(b"y" * 11 + b"\nagain\n") == ["again"]
    assert framer.dropped == 2
