"""What these tests share: people on a network, and a host that is killed and started again."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from chat.events import Connected, Joined, Kicked, Message, Names, NickChanged, Parted, Present, Quit, User
from game.match import ROLLS
from host.config import Config
from host.events import Event
from host.journal import Journal
from host.table import Table
from protocol.tags import DiceTag, Placing
from tests.support.bench import CHANNEL, HOST, Bench, config, to

PACES: Final = ("free", "lockstep")
WAYS_OUT: Final = ("quit", "part", "kick")
"""How somebody gets out of the channel without a word to the host."""


class Client:
    """Somebody's connection: user, host and account stay, whatever the nick becomes."""

    def __init__(
        self,
        bench: Bench,
        nick: str,
        *,
        user: str = "",
        host: str = "example.org",
        account: str | None = None,
    ) -> None:
        self.bench = bench
        self.nick = nick
        self.user = user or f"~{nick.lower()}"
        self.host = host
        self.account = account

    @property
    def mask(self) -> User:
        return User(self.nick, self.user, self.host, self.account)

    def join(self, channel: str = CHANNEL) -> list[str]:
        return self.bench.heard(Joined(self.mask, channel))

    def rename(self, new: str) -> list[str]:
        before, self.nick = self.mask, new
        return self.bench.heard(NickChanged(before, new))

    def split(self) -> list[str]:
        return self.bench.heard(Quit(self.mask, "a.example b.example", netsplit=True))

    def go(self, way: str) -> list[str]:
        """Go out of the channel in one of `WAYS_OUT`, or say that one does."""
        match way:
            case "quit":
                return self.bench.heard(Quit(self.mask, "gone"))
            case "part":
                return self.bench.heard(Parted(self.mask, CHANNEL))
            case "kick":
                return self.bench.heard(Kicked(self.nick, CHANNEL, "op", ""))
            case _:
                return self.say(way)

    def say(self, text: str, channel: str = CHANNEL) -> list[str]:
        return self.bench.heard(Message(self.mask, channel, text, private=False))

    def tell(self, text: str) -> list[str]:
        return self.bench.heard(Message(self.mask, HOST, text, private=True))


def channel(**keys: object) -> str:
    """The configuration of a network with one channel, of which some keys are set."""
    return f'{{"{CHANNEL}": {{{", ".join(f"{key}: {value}" for key, value in keys.items())}}}}}'


def at(path: Path) -> str:
    """The URL of a store in a file."""
    return f"sqlite:///{path}"


def come(bench: Bench, *nicks: str, one_place: bool = False) -> list[Client]:
    """The host comes into the channel, and then these people, from a place each or from one for all."""
    bench.connect()
    place = {"user": "~web", "host": "gateway.example"} if one_place else {}
    clients = [Client(bench, nick, **place) for nick in nicks]
    for client in clients:
        client.join()
    return clients


def lobby(bench: Bench, *nicks: str, one_place: bool = False) -> list[Client]:
    """These people sit down at a table, the first one its opener."""
    clients = come(bench, *nicks, one_place=one_place)
    for client in clients:
        client.say("!join")
    return clients


def game(bench: Bench, *nicks: str, one_place: bool = False) -> list[Client]:
    """The same, and the game begins."""
    clients = lobby(bench, *nicks, one_place=one_place)
    clients[0].say("!start")
    return clients


def arrive(bench: Bench, clients: Iterable[Client]) -> list[str]:
    """The host comes to the network, and finds these people in the channel; they are with this host now."""
    clients = list(clients)
    before = len(bench.wire.sent)
    bench.desk.hear(Connected(HOST))
    bench.desk.hear(Names(CHANNEL, (HOST, *(client.nick for client in clients))))
    bench.desk.hear(Present(CHANNEL, tuple(client.mask for client in clients)))
    for client in clients:
        client.bench = bench
    return bench.since(before)


def table(bench: Bench) -> Table:
    return bench.keeper().table


def tag(bench: Bench, seat: int) -> str:
    """The dice of a seat as its player is shown them."""
    turn = table(bench).play.turns[seat]
    return str(DiceTag(table(bench).play.round, turn.roll, turn.cup))


def missed(bench: Bench) -> list[int]:
    return [seat.missed for seat in table(bench).seats]


def totals(bench: Bench) -> list[int]:
    return [card.total for card in table(bench).play.cards]


def boxes(bench: Bench, seat: int = 0) -> int:
    """How many boxes of a card are filled."""
    return len(table(bench).play.cards[seat].boxes)


def written(bench: Bench) -> list[Event]:
    """All events of the table's game, as they are in the store."""
    history = bench.journal.history(table(bench).game)
    return [event for _, event in history.events] if history else []


def results(lines: Iterable[str]) -> list[dict[str, int]]:
    """The final tables that the channel was told."""
    finals = [text for text in to(list(lines), CHANNEL) if text.startswith("Final result")]
    return [{row.nick: row.total for row in Placing.find(text)} for text in finals]


def play_on(bench: Bench, clients: Sequence[Client]) -> list[str]:
    """Everybody plays to the end, each move a function of what they see; where they need not, by turns."""
    before = len(bench.wire.sent)
    for _ in range(13 * 3 * len(clients)):
        if not table(bench).open:
            break
        seat = table(bench).waiting[0]
        turn, card = table(bench).play.turns[seat], table(bench).play.cards[seat]
        options = card.options(turn.cup)
        rolls = turn.roll < ROLLS and turn.cup.total % 3 == 0
        clients[seat].tell(
            "keep a b" if rolls else f"score {max(options, key=lambda box: options[box]).value}"
        )
    return bench.since(before)


def copied(path: Path, to: Path) -> Path:
    """The files of a store as they are at this moment, which is how `kill -9` leaves them."""
    to.mkdir()
    for ending in ("", "-wal", "-shm"):
        if (part := path.with_name(path.name + ending)).exists():
            shutil.copy(part, to / part.name)
    return to / path.name


def started(
    path: Path, settings: Config | None = None, *, down: float = 0.0, patience: float = 0.05
) -> Bench:
    """A host that starts on the store, `down` seconds of the wall clock after the last event in it."""
    journal = Journal.open(at(path), patience)
    try:
        settings = settings or config(store=at(path))
        return Bench(settings, journal, start=journal.last_time(), ahead=down)
    except BaseException:
        journal.close()
        raise
