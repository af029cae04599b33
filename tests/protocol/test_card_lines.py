"""Lines for programs: whatever is said comes out again, nothing that comes in does harm, and all fits."""

from __future__ import annotations

from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.category import CATEGORIES
from game.dice import ALL, Dice
from game.rules import HASBRO
from protocol.card import commands, news
from protocol.card.fields import LONGEST, MARK, BadLine, Message, write
from protocol.card.keys import By, Clock, Code, Entry, Lines, Phase
from tests.protocol.card_strategies import messages

GAME, CHANNEL = "k3v9x1ab", "#" + "y" * 49
FULL_TABLE: Final = 50
TOTALS: Final = (1575,) * FULL_TABLE
OTHERS: Final = tuple(range(2, FULL_TABLE + 1))
PAYS: Final = tuple((box, HASBRO.possible_points(box)[-1]) for box in CATEGORIES)
SIXES: Final = Dice((6, 6, 6, 6, 6))
ENTRY: Final = Entry(CATEGORIES[-1], 30, 135, 1575, By.PLAYER)
NICKS: Final = ("n" * 29,) * 6

KEYS: Final = tuple("v lines g r k keep box d pay wrote nicks w tot code t".split())  # noqa: SIM905

LONG: Final[tuple[Message, ...]] = (
    commands.Hello(1, Lines.ONLY, "a-card-with-a-long-name/12.34.56"),
    commands.Hold(GAME, 13, 2, ALL),
    news.Seated(
        GAME, CHANNEL, Phase.PLAYING, "free_choice", "lockstep", 3600, 50, 50, 3600, NICKS, "k7m2xq9abd"
    ),
    news.Began(GAME, CHANNEL, "free_choice", "lockstep", 3600, 50, 50, NICKS),
    news.MoreNicks(GAME, 45, NICKS),
    # Totals of four digits come late in a game, when few boxes are open. What a table of fifty has no room
    # for beside its totals is who is waited for, and on a deal that is everybody.
    news.Rolled(GAME, 1, 1, SIXES, 3600, PAYS, totals=(0,) * FULL_TABLE),
    news.Rolled(GAME, 7, 1, SIXES, 3600, PAYS[:7], 100, totals=(375,) * FULL_TABLE, wrote=ENTRY),
    news.Rolled(GAME, 13, 1, SIXES, 3600, PAYS[:1], 100, totals=TOTALS, wrote=ENTRY),
    news.Rolled(GAME, 1, 3, SIXES, 3600, PAYS, 100, ALL, CATEGORIES[0], OTHERS),
    news.Rolled(GAME, 2, 1, SIXES, 3600, PAYS, 100, waiting=OTHERS[:7], totals=TOTALS[:8], wrote=ENTRY),
    news.Accepted(GAME, 13, 3, ALL, CATEGORIES[0], OTHERS),
    news.Scored(GAME, 13, ENTRY, OTHERS),
    news.Refused(Code.FORBIDDEN, "register", GAME, "lines", 1),
    news.Waiting(GAME, 13, OTHERS),
    news.Standings(GAME, 13, TOTALS),
    news.Card(GAME, PAYS, 35, 1200, 1575),
    news.Time(GAME, 3600, Clock.PAUSE),
    news.Result(GAME, 50, TOTALS, ENTRY),
)


@pytest.mark.parametrize("kind", commands.KINDS.values(), ids=lambda kind: kind.KIND)
@given(data=st.data())
def test_a_command_comes_out_as_it_went_in(kind: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    assert commands.read(write(message)) == message


@pytest.mark.parametrize("kind", news.KINDS.values(), ids=lambda kind: kind.KIND)
@given(data=st.data())
def test_news_come_out_as_they_went_in(kind: type[Message], data: st.DataObject) -> None:
    message = data.draw(messages(kind))
    line = write(message)
    assert news.read(line) == message
    assert not set(line) & set("\r\n\0\t")


@given(st.data())
def test_order_spaces_and_strange_words_change_nothing(data: st.DataObject) -> None:
    message = data.draw(st.one_of(*map(messages, news.KINDS.values())))
    mark, kind, *fields = write(message).split(" ")
    strange = st.lists(st.sampled_from(["future=1", "=", "=x", "word", "é", ""]), max_size=4)
    words = data.draw(st.permutations([*fields, *data.draw(strange)]))
    gap = " " * data.draw(st.integers(1, 3))
    assert news.read(gap.join([mark.upper(), kind.title(), *words])) == message


@given(
    st.sampled_from([*commands.KINDS, *news.KINDS, "x"]),
    st.lists(st.tuples(st.sampled_from(KEYS), st.text())),
)
def test_nonsense_is_refused_and_breaks_nothing(kind: str, found: list[tuple[str, str]]) -> None:
    line = " ".join([MARK, kind, *(f"{key}={value}" for key, value in found)])
    for read in (commands.read, news.read):
        try:
            message = read(line)
        except BadLine as bad:
            assert bad.kind == kind
        except commands.UnknownKind as unknown:
            assert unknown.kind == kind
        else:
            assert message is None or kind == message.KIND


@given(st.text())
def test_talk_is_no_line_for_programs(text: str) -> None:
    assert commands.read(f"y{text}") is None
    assert news.read(f" {text}") is None


@pytest.mark.parametrize("message", LONG, ids=lambda message: message.KIND)
def test_the_longest_lines_fit(message: Message) -> None:
    assert len(write(message).encode()) <= LONGEST


def test_secrets_are_not_shown() -> None:
    seated = news.read(
        "ycp seated g=g c=#y stage=lobby rules=r pace=free each=9 you=1 of=2 s=9 token=k7m2xq9abd"
    )
    assert isinstance(seated, news.Seated)
    assert seated.token == "k7m2xq9abd"
    assert "k7m2xq9abd" not in repr(seated)
