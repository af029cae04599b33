"""A game worked out once more from the lines of its channel alone, by docs/fairness.md, without our code.

Only the points of the boxes come from elsewhere: from the oracle of the rules.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from typing import Final

from tests.game import oracle
from tests.support.hmac import hmac_sha256
from tests.support.reading import results

CODES: Final = dict(zip("ac tw th fo fi si 3k 4k fh ss ls yz ch".split(), oracle.BOXES, strict=True))  # noqa: SIM905


def recomputed(lines: Sequence[str], rules: str = "hasbro", *, same: bool = False) -> dict[str, int]:
    """The total of each player in the one game that the lines tell of, from its opening to its end.

    Raises AssertionError where the lines do not fit together.
    """
    text = "\n".join(lines)
    ((game, digest),) = set(re.findall(r"game ([a-z0-9]{6,}) commit sha256:([0-9a-f]{64})", text))
    (secret,) = re.findall(rf"game {game} seed ([0-9a-f]{{64}})", text)
    seed = bytes.fromhex(secret)
    assert hashlib.sha256(seed).hexdigest() == digest
    told = " ".join(re.findall(rf"game {game} seats (.*)", text)).split()
    seats = [re.fullmatch(r"([0-9]+)=(.+)/([A-Za-z0-9._-]{1,32})", seat) for seat in told]
    words = ",".join(seat[3] for seat in seats if seat)
    plays = dict(part.split("=") for part in " ".join(re.findall(rf"game {game} plays (.*)", text)).split())
    assert len(seats) == len(plays) > 0
    rounds, totals = results(lines), {}
    for number, seat in enumerate(seats, start=1):
        assert seat
        assert int(seat[1]) == number
        card: oracle.Card = {}
        further = 0
        for round_, play in enumerate(plays[seat[1]].split(","), start=1):
            held, box = play.split(":")
            label = f"{game}|{0 if same else number}|{round_}"
            dice = faces(seed, f"{label}|1|{words}")
            for roll, kept in enumerate(held.split("/") if held else [], start=2):
                fall = faces(seed, f"{label}|{roll}|{words}")
                pairs = zip("abcde", dice, fall, strict=True)
                dice = [old if letter in kept else new for letter, old, new in pairs]
            points = oracle.options(rules, dice, card)[CODES[box]]
            further += oracle.bonus(rules, dice, card) // 100
            card[CODES[box]] = points
            heard = rounds[round_][seat[2]]
            assert (heard.box, heard.points, heard.total) == (CODES[box], points, oracle.total(card, further))
        totals[seat[2]] = oracle.total(card, further)
    return totals


def faces(seed: bytes, label: str) -> list[int]:
    """Five faces: byte mod 6 + 1 of HMAC-SHA256 blocks, bytes of 252 and more skipped."""
    found: list[int] = []
    block = 0
    while len(found) < 5:
        found += [byte % 6 + 1 for byte in hmac_sha256(seed, f"{label}|{block}".encode()) if byte < 252]
        block += 1
    return found[:5]
