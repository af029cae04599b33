"""A card adds a word to the dice, and is told whose dice fall alike."""

from __future__ import annotations

import pytest

from protocol.card import news
from protocol.card.commands import AddWord, Register
from protocol.card.keys import Code
from tests.support.bench import CHANNEL
from tests.support.cards import ask, greeted


def words(bench: object) -> list[str]:
    return [seat.word for seat in bench.keeper().table.seats]  # type: ignore[attr-defined]


def test_a_word_goes_into_the_dice_and_the_last_one_counts() -> None:
    bench = greeted("alice", "bob")
    ask(bench, "alice", Register())
    game = bench.keeper().table.game
    for word in ("one", "two", "two", "-", "three"):
        assert ask(bench, "alice", AddWord(game, word)) == [news.WordAdded(game, word)]
        assert words(bench) == [word]


@pytest.mark.parametrize(
    ("nick", "game", "code"),
    [("bob", "", Code.SEAT), ("alice", "game9999", Code.GAME)],
)
def test_a_word_for_another_game_is_refused(nick: str, game: str, code: Code) -> None:
    bench = greeted("alice", "bob")
    ask(bench, "alice", Register())
    (refused,) = ask(bench, nick, AddWord(game or bench.keeper().table.game, "one"))
    assert isinstance(refused, news.Refused)
    assert (refused.code, refused.command) == (code, "seed")
    assert words(bench) == ["-"]


def test_a_word_that_comes_too_late_is_refused() -> None:
    bench = greeted("alice")
    ask(bench, "alice", Register())
    bench.say("alice", "!start")
    (refused,) = ask(bench, "alice", AddWord(bench.keeper().table.game, "one"))
    assert isinstance(refused, news.Refused)
    assert (refused.code, words(bench)) == (Code.LATE, ["-"])


@pytest.mark.parametrize("mode", ["own", "same"])
def test_a_card_is_told_whose_dice_fall_alike(mode: str) -> None:
    bench = greeted("alice", channels=f'{{"{CHANNEL}": {{dice: {mode}}}}}')
    (seated,) = (line for line in ask(bench, "alice", Register()) if isinstance(line, news.Seated))
    bench.say("alice", "!start")
    told = (news.read(text) for target, text, _ in bench.wire.sent if target == "alice")
    (began,) = (line for line in told if isinstance(line, news.Began))
    assert seated.mode == began.mode == mode
