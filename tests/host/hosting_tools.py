"""A host with operators, for tests of what they may do."""

from __future__ import annotations

from chat.events import Names, Present, User
from tests.support.bench import CHANNEL, HOST, Bench, config, user

BOSS = User("boss", "~boss", "staff.example")
STRANGER = User("boss", "~mallory", "elsewhere.example")


def bench(keys: str = "repeat_seconds: 0", *, store: str = "sqlite://", seed: bytes = bytes(32)) -> Bench:
    """A host whose operators come from staff.example; alice, bob and boss are in its channel."""
    settings = config(f'{{"{CHANNEL}": {{{keys}}}}}', admins='["*!*@staff.example"]', store=store)
    found = Bench(settings, seed=seed)
    found.connect("alice", "bob")
    found.desk.hear(Names(CHANNEL, (HOST, "alice", "bob", "boss")))
    found.desk.hear(Present(CHANNEL, (user("alice"), user("bob"), BOSS)))
    return found


def game(keys: str = "repeat_seconds: 0", *, store: str = "sqlite://") -> Bench:
    found = bench(keys, store=store)
    found.say("alice", "!join")
    found.say("bob", "!join")
    found.say("alice", "!start")
    return found


def boss(found: Bench, text: str) -> list[str]:
    return found.say("boss", f"!{text}", mask=BOSS)


def score_all(found: Bench, *nicks: str) -> list[str]:
    """Let these players score until the game is over; what was said in the last round."""
    lines: list[str] = []
    for box in ["ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch"]:
        lines = [line for nick in nicks for line in found.tell(nick, f"score {box}")]
    return lines
