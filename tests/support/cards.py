"""Players with cards at a bench: what they send, and what they hear in lines for programs."""

from __future__ import annotations

from game.category import Category
from protocol.card import commands, news
from protocol.card.commands import Hello, Hold, Register, Score
from protocol.card.fields import write
from protocol.card.keys import Lines
from tests.support.bench import Bench, config, to


def heard(lines: list[str], nick: str) -> list[news.News]:
    """Of lines as `Bench` gives them those for the program of one player."""
    return [line for text in to(lines, nick) if (line := news.read(text))]


def words(lines: list[str], nick: str) -> list[str]:
    return [text for text in to(lines, nick) if not text.startswith("ycp ")]


def ask(bench: Bench, nick: str, command: commands.Command) -> list[news.News]:
    """What the host answers a card in lines for programs."""
    return heard(bench.tell(nick, write(command)), nick)


def greeted(*nicks: str, lines: Lines = Lines.ONLY, channels: str = "", send: str = "") -> Bench:
    bench = Bench(config(channels, send=send) if send else config(channels))
    bench.connect(*nicks)
    for nick in nicks:
        assert ask(bench, nick, Hello(1, lines, "test/1")) == [news.Greeting(1, lines, "yardzee/0.1.0")]
    return bench


def playing(*nicks: str, lines: Lines = Lines.ONLY, channels: str = "", send: str = "") -> Bench:
    bench = greeted(*nicks, lines=lines, channels=channels, send=send)
    for nick in nicks:
        assert isinstance(ask(bench, nick, Register())[0], news.Seated)
    bench.say(nicks[0], "!start")
    return bench


def dice(bench: Bench, nick: str) -> news.Rolled:
    """What the card of a player was shown last."""
    for target, text, _ in reversed(bench.wire.sent):
        line = news.read(text) if target == nick else None
        if isinstance(line, news.Rolled):
            return line
    raise AssertionError(f"{nick} has seen no dice")


def hold(shown: news.Rolled, *places: int) -> Hold:
    return Hold(shown.game, shown.round, shown.roll, frozenset(places))


def score(shown: news.Rolled, box: Category) -> Score:
    return Score(shown.game, shown.round, shown.roll, box)
