"""Asking a host for its records in tests."""

from __future__ import annotations

import re

from chat.events import Joined, Present, User
from host.advice import Turns, no_turns
from host.journal import Journal
from tests.host.hosting_tools import BOSS
from tests.support.bench import CHANNEL, Bench, config, to, user

OTHER = "#other"
BOXES = ("ac", "tw", "th", "fo", "fi", "si", "3k", "4k", "fh", "ss", "ls", "yz", "ch")
ANN = User("ann", "~ann", "home.example", "Ann")
PHONE = User("ann_phone", "~p", "mobile.example", "ANN")
"""The same account, written otherwise."""


def bench(*nicks: str, store: str = "sqlite://", turns: Turns = no_turns, start: float = 0.0) -> Bench:
    """A host with two channels, of two rule sets; its operators come from staff.example."""
    channels = f'{{"{CHANNEL}": {{repeat_seconds: 0}}, "{OTHER}": {{repeat_seconds: 0, rules: houston}}}}'
    settings = config(channels, admins='["*!*@staff.example"]', store=store)
    made = Bench(settings, Journal.open(store), start, turns=turns)
    made.connect(*nicks)
    return made


def enter(b: Bench, *people: User, channel: str = CHANNEL) -> None:
    """These come into a channel, logged in where they are."""
    for who in people:
        b.desk.hear(Joined(who, channel))


def game(b: Bench, *people: User | str, channel: str = CHANNEL) -> dict[str, int]:
    """A whole game of first rolls, box after box; totals by nick."""
    masks = [user(who) if isinstance(who, str) else who for who in people]
    enter(b, *masks, channel=channel)
    for who in masks:
        b.say(who.nick, "!join", channel, mask=who)
    b.say(masks[0].nick, "!start", channel, mask=masks[0])
    for box in BOXES:
        for who in masks:
            b.tell(who.nick, f"{channel} score {box}", mask=who)
    table = b.keeper(channel).table
    assert not table.open
    return {seat.nick: card.total for seat, card in zip(table.seats, table.play.cards, strict=True)}


def ask(b: Bench, who: User | str, line: str) -> list[str]:
    """What somebody is told in private."""
    mask = user(who) if isinstance(who, str) else who
    return to(b.tell(mask.nick, line, mask=mask), mask.nick)


def told(b: Bench, who: User | str, line: str) -> str:
    """The one line that it is."""
    (text,) = ask(b, who, line)
    return text


def boss(b: Bench, line: str) -> list[str]:
    b.desk.hear(Present(CHANNEL, (BOSS,)))
    return b.tell("boss", line, mask=BOSS)


def code(lines: list[str]) -> str:
    """The word that confirms what was told."""
    found = re.search(r"Say forget \S+ ([a-z2-9]{4}) within 2 minutes", " ".join(lines))
    assert found
    return found[1]
