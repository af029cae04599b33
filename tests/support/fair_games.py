"""Whole games on a bench with all that can happen in them, for what checks their dice."""

from __future__ import annotations

from random import Random

from host.chronicle import chronicle
from host.table import Phase
from protocol.boxes import CODES
from protocol.record import Record
from tests.host.hosting_tools import bench, boss
from tests.support.bench import CHANNEL, HOST, Bench
from tests.support.perfect_play import turns

GAME = "game0001"


def played(
    seed: int,
    *,
    rules: str = "hasbro",
    pace: str = "free",
    dice: str = "own",
    rounds: int = 13,
    plain: bool = False,
    word: bool = True,
    store: str = "sqlite://",
) -> Bench:
    """A game of alice, bob and a house player; it is stopped after so many rounds, or played to its end.

    Unless it is `plain`, bob leaves and the host plays for him, alice gets another nick, asks for a hint and
    sleeps through a round, and an operator amends scores.
    """
    chance = Random(seed)
    keys = (
        f"repeat_seconds: 0, rules: {rules}, pace: {pace}, dice: {dice}, house: {{seats: 1, level: beginner}}"
    )
    b = bench(keys, seed=chance.randbytes(32), store=store)
    b.keeper().turns = turns("hasbro")
    for nick in ("alice", "bob"):
        b.say(nick, "!join")
    if word:
        b.tell("alice", "seed Lucky.7")
    b.say("alice", "!start")
    alice = "alice"
    while (table := b.keeper().table).phase is Phase.PLAYING and table.play.round <= rounds:
        number = table.play.round
        if not plain and b.clock.now() < number:
            b.pass_(1)
            if number == 3:
                b.tell(alice, "hint")
                b.rename("alice", "Alice|x")
                alice = "Alice|x"
            if number == 4:
                b.tell("bob", "leave")
            if number == 5:
                for _ in range(1 if pace == "free" else 3):
                    b.pass_(121)
            if number in (6, 9):
                _amend(b, chance)
        _decide(b, alice, chance)
    if table.phase is Phase.PLAYING:
        b.say(alice, "!stop")
    elif not plain:
        _amend(b, chance)
    return b


def _decide(b: Bench, alice: str, chance: Random) -> None:
    """One decision of everybody who is waited for."""
    for seat in b.keeper().table.waiting:
        table = b.keeper().table
        turn = table.play.turns[seat]
        if table.phase is not Phase.PLAYING or not table.decides(seat) or seat not in table.waiting:
            continue
        nick = table.seats[seat].nick
        if turn.roll < 3 and chance.random() < 0.6:
            letters = "".join(letter for letter in "abcde" if chance.random() < 0.5)
            b.tell(nick, f"keep {' '.join(letters) or 'none'}")
        else:
            box = chance.choice(list(table.play.cards[seat].options(turn.cup)))
            b.tell(nick, f"score {CODES[box][0]}")


def _amend(b: Bench, chance: Random) -> None:
    table = b.keeper().table
    seat = chance.randrange(2)
    used = list(table.play.cards[seat].boxes)
    if used:
        box = chance.choice(used)
        points = chance.choice(table.rules.possible_points(box))
        boss(b, f"amend {table.seats[seat].nick} {CODES[box][0]} {points} a fair reason")


def record_of(b: Bench, game: str = GAME) -> Record:
    """The record of a game on a bench."""
    history = b.journal.history(game)
    assert history
    return chronicle(history, b.journal.walls(game))


def log_of(b: Bench) -> list[str]:
    """The channel as a client logs it, with people who talk and one who lies."""
    lines = []
    for number, (target, text, _) in enumerate(b.wire.sent):
        if target == CHANNEL:
            time = f"{number // 60 % 24:02}:{number % 60:02}"
            lines += [f"{time} <alice> nice, {number}", f"{time} <{HOST}> {text}"]
            lines.append(f"{time} <mallory> <{HOST}> {text.replace('8', '9')}")
    return lines
