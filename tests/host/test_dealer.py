"""Dice from a secret seed: computed once more here from their definition, and counted."""

from __future__ import annotations

import hashlib
from collections import Counter
from itertools import chain
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from host.dealer import SEED_BYTES, Dealer, new_game_id, new_seed

SEED: Final = bytes(range(32))


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, from the hash alone."""
    key = hashlib.sha256(key).digest() if len(key) > 64 else key
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()


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
    words=st.lists(st.sampled_from(["-", "luck", "ß", "🎲"]), max_size=12),
)
def test_a_roll_is_what_its_definition_says(
    seed: bytes, game: str, seat: int, *, round_: int, roll: int, words: list[str]
) -> None:
    dealer = Dealer(game, seed, tuple(words))
    fall = dealer.fall(seat, round_, roll)
    # People count their seats from 1.
    assert list(fall.faces) == defined(seed, f"{game}|{seat + 1}|{round_}|{roll}|{','.join(words)}")
    assert dealer.fall(seat, round_, roll) == fall


def test_a_roll_that_never_changes() -> None:
    # A change here would change the dice of games that are on.
    assert Dealer("game0001", SEED, ("-", "-")).fall(0, 1, 1).faces == (5, 5, 6, 5, 4)


def test_bytes_of_252_and_more_are_skipped(monkeypatch: pytest.MonkeyPatch) -> None:
    blocks = iter([bytes([255, 254, 253, 252, 251]), bytes([252, 0, 6, 5]), bytes([7])])
    monkeypatch.setattr("hmac.digest", lambda *_: next(blocks))
    assert Dealer("g", SEED).fall(0, 1, 1).faces == (6, 1, 1, 6, 2)


def test_every_part_of_the_label_makes_other_dice() -> None:
    falls = [
        Dealer(game, seed, words).fall(seat, round_, roll).faces
        for game in ("g1", "g2")
        for seed in (SEED, SEED[::-1])
        for words in (("-",), ("-", "-"))
        for seat in range(4)
        for round_ in (1, 2, 11)
        for roll in (1, 2, 3)
    ]
    # 288 rolls of 7,776: about five pairs that are equal by chance, and far more if a part had no say.
    assert len(falls) - len(set(falls)) < 20


def test_a_hundred_thousand_dice_are_fair() -> None:
    """Chi square with 5 degrees of freedom is above 25.7 once in 10,000 times; the seed is fixed."""
    dealer = Dealer("fairness", SEED, ("-",) * 20)
    rolls = [dealer.fall(seat, n, roll) for seat in range(20) for n in range(1, 335) for roll in (1, 2, 3)]
    counts = Counter(chain.from_iterable(roll.faces for roll in rolls))
    total = counts.total()
    assert total >= 100_000
    assert set(counts) == set(range(1, 7))
    assert sum((n - total / 6) ** 2 / (total / 6) for n in counts.values()) < 25.7
    for place in range(5):
        here = Counter(roll.faces[place] for roll in rolls)
        assert sum((n - len(rolls) / 6) ** 2 / (len(rolls) / 6) for n in here.values()) < 25.7, place
    # Each die against the next one: 36 cells, 35 degrees of freedom, above 76 once in 10,000 times.
    pairs = Counter(pair for roll in rolls for pair in zip(roll.faces, roll.faces[1:], strict=False))
    cell = pairs.total() / 36
    assert sum((pairs[a, b] - cell) ** 2 / cell for a in range(1, 7) for b in range(1, 7)) < 76


def test_the_seed_does_not_show() -> None:
    dealer = Dealer("game", b"very secret seed of a game", ("-",))
    assert "secret" not in repr(dealer) + str(dealer) + f"{dealer}"
    assert "seed" not in repr(dealer)


def test_seeds_and_names_of_games_are_new_each_time() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert {len(new_seed()) for _ in range(10)} == {SEED_BYTES}
    names = [new_game_id() for _ in range(1000)]
    assert len(set(names)) == 1000
    # Letters and digits that nobody takes for one another, and nothing that a label is divided by.
    assert set("".join(names)) <= set("abcdefghjkmnpqrstuvwxyz23456789")
    assert {len(name) for name in names} == {8}


def test_what_a_house_player_makes_of_its_dice_is_a_stream_of_its_own() -> None:
    dealer = Dealer("g", SEED, ("-", "-"))
    data = hmac_sha256(SEED, b"g|house|2|13|3|-,-|0")
    assert dealer.chance(1, 13, 3) == int.from_bytes(data[:6]) / 2**48
    asked = [(seat, round_, roll) for seat in range(20) for round_ in range(1, 14) for roll in (1, 2, 3)]
    drawn = [dealer.chance(*what) for what in asked]
    assert drawn == [dealer.chance(*what) for what in asked]
    assert len(set(drawn)) == len(asked)
    assert all(0 <= chance < 1 for chance in drawn)
    tenths = Counter(int(chance * 10) for chance in drawn)
    assert all(abs(tenths[tenth] - 78) < 40 for tenth in range(10))
