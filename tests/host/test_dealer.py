"""The seeds and names of games, and what is drawn beside the dice."""

from __future__ import annotations

from collections import Counter
from typing import Final

from host.dealer import Dealer, new_game_id, new_seed
from tests.support.hmac import hmac_sha256

SEED: Final = bytes(range(32))


def test_seeds_and_names_of_games_are_new_each_time() -> None:
    assert len({new_seed() for _ in range(100)}) == 100
    assert {len(new_seed()) for _ in range(10)} == {32}
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
