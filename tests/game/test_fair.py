"""Dice from a secret seed: computed once more here from their definition, and counted."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import pairwise, product
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from game.fair import DiceMode, FairDice, commitment
from tests.support.hmac import hmac_sha256

SEED: Final = bytes(range(32))
WORDS: Final = ("-", "lucky7", "A.b_c-9", "x" * 32)


def defined(seed: bytes, label: str) -> list[int]:
    """Five faces: byte mod 6 + 1 of the blocks 0, 1, …, bytes of 252 and more skipped."""
    faces: list[int] = []
    block = 0
    while len(faces) < 5:
        data = hmac_sha256(seed, f"{label}|{block}".encode())
        faces += [byte % 6 + 1 for byte in data if byte < 252]
        block += 1
    return faces[:5]


def test_our_hmac_is_that_of_rfc_4231() -> None:
    # Test case 2.
    expected = "5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843"
    assert hmac_sha256(b"Jefe", b"what do ya want for nothing?").hex() == expected


@given(
    seed=st.binary(min_size=1, max_size=80),
    game=st.text(alphabet="abcdefghjkmnpqrstuvwxyz23456789", min_size=1, max_size=8),
    seat=st.integers(0, 49),
    round_=st.integers(1, 13),
    roll=st.integers(1, 3),
    words=st.lists(st.sampled_from(WORDS), max_size=12),
)
def test_a_roll_is_what_its_definition_says(
    seed: bytes, game: str, seat: int, *, round_: int, roll: int, words: list[str]
) -> None:
    dealer = FairDice(game, seed, tuple(words))
    fall = dealer.fall(seat, round_, roll)
    # People count their seats from 1.
    assert list(fall.faces) == defined(seed, f"{game}|{seat + 1}|{round_}|{roll}|{','.join(words)}")
    assert dealer.fall(seat, round_, roll) == fall


def test_a_roll_that_never_changes() -> None:
    # A change here would change the dice of games that are on.
    assert FairDice("game0001", SEED, ("-", "-")).fall(0, 1, 1).faces == (5, 5, 6, 5, 4)


def test_bytes_of_252_and_more_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([bytes([255, 254, 253, 252, 251]), bytes([252, 0, 6, 5]), bytes([7])])
    monkeypatch.setattr("hmac.digest", lambda *_: next(blocks))
    assert FairDice("g", SEED).fall(0, 1, 1).faces == (6, 1, 1, 6, 2)


def test_every_part_of_the_label_makes_other_dice() -> None:
    falls = [
        FairDice(game, seed, words).fall(seat, round_, roll).faces
        for game in ("g1", "g2")
        for seed in (SEED, SEED[::-1])
        for words in (("-",), ("-", "-"))
        for seat in range(4)
        for round_ in (1, 2, 11)
        for roll in (1, 2, 3)
    ]
    # 288 rolls of 7,776: about five pairs that are equal by chance, and far more if a part had no say.
    assert len(falls) - len(set(falls)) < 20


def test_a_million_dice_are_fair() -> None:
    """Chi square with 5 degrees of freedom is above 25.7 once in 10,000 times; the seed is fixed."""
    dealer = FairDice("fairness", SEED, ("-",) * 20)
    counts: Counter[int] = Counter()
    places = [Counter[int]() for _ in range(5)]
    pairs: Counter[tuple[int, int]] = Counter()
    for seat, round_, roll in product(range(1286), range(1, 53), (1, 2, 3)):
        faces = dealer.fall(seat, round_, roll).faces
        counts.update(faces)
        pairs.update(pairwise(faces))
        for place, face in zip(places, faces, strict=True):
            place[face] += 1
    assert counts.total() >= 1_000_000
    assert set(counts) == set(range(1, 7))
    assert all(chi_square(count, 6) < 25.7 for count in (counts, *places))
    # Each die against the next one: 35 degrees of freedom, above 76 once in 10,000 times.
    assert chi_square(pairs, 36) < 76


def chi_square(counts: Counter[Any], cells: int) -> float:
    expected = counts.total() / cells
    missing = cells - len(counts)
    return sum((count - expected) ** 2 / expected for count in counts.values()) + missing * expected


def test_a_loaded_die_would_be_seen() -> None:
    """Two sixes too many in a hundred."""
    loaded = Counter({face: 166_667 + (3_333 if face == 6 else -667) for face in range(1, 7)})
    assert chi_square(loaded, 6) > 25.7


def test_with_the_same_dice_for_all_every_seat_has_the_stream_of_seat_0() -> None:
    same = FairDice("game0001", SEED, ("-", "luck"), DiceMode.SAME)
    for round_, roll in product(range(1, 14), (1, 2, 3)):
        falls = {same.fall(seat, round_, roll) for seat in range(50)}
        assert [list(fall.faces) for fall in falls] == [defined(SEED, f"game0001|0|{round_}|{roll}|-,luck")]


def test_a_commitment_is_the_sha256_of_the_seed() -> None:
    assert commitment(SEED) == hashlib.sha256(SEED).hexdigest()


def test_the_seed_does_not_show() -> None:
    dealer = FairDice("game", b"very secret seed of a game", ("-",))
    assert "secret" not in repr(dealer) + str(dealer) + f"{dealer}"
    assert "seed" not in repr(dealer)
