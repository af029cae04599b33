import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from chat.wire import Framer, Line

CASES = [
    ("PING", Line("", "PING", ())),
    ("ping :a b", Line("", "PING", ("a b",))),
    (":n!u@h PRIVMSG #y :", Line("n!u@h", "PRIVMSG", ("#y", ""))),
    (":n!u@h PRIVMSG #y ::-) a : b", Line("n!u@h", "PRIVMSG", ("#y", ":-) a : b"))),
    ("@time=1;x :s  001   me  :hi", Line("s", "001", ("me", "hi"), "time=1;x")),
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
