"""The players of these tests must notice a host that is wrong: here one lies to them."""

from __future__ import annotations

import pytest

from tests.support.client import Client
from tests.support.host_process import CHANNEL, HOST
from tests.support.ngircd import Ngircd
from tests.support.referee import Player

DEALT = "Round 1/13, roll 1/3: [4 4 2 6 1]. Worth Chance 17, Fours 8, Sixes 6."


@pytest.mark.parametrize(
    ("move", "answer", "right"),
    [
        ("keep", "Kept 4 4. Round 1/13, roll 2/3: [4 4 5 5 5]. Worth Full House 25, 3 of a Kind 23.", True),
        ("keep", "Kept 4 4. Round 1/13, roll 2/3: [4 5 4 5 5]. Worth Full House 25, 3 of a Kind 23.", False),
        ("keep", "Kept 4 2. Round 1/13, roll 2/3: [4 4 5 5 5]. Worth Full House 25, 3 of a Kind 23.", False),
        ("keep", "Kept 4 4. Round 1/13, roll 3/3: [4 4 5 5 5]. Worth Full House 25, 3 of a Kind 23.", False),
        ("keep", "Kept 4 4. Round 1/13, roll 2/3: [4 4 5 5 5]. Worth Full House 25, 3 of a Kind 24.", False),
        ("keep", "Kept 4 4. Round 1/13, roll 2/3: [4 4 5 5 5]. Worth 3 of a Kind 23.", False),
        ("keep", "Kept 4 4. Round 2/13, roll 1/3: [4 4 5 5 5]. Worth Full House 25, 3 of a Kind 23.", False),
        ("keep", "You keep 4 4. Round 1/13, roll 1/3: [4 4 2 6 1]. Waiting for bob.", True),
        ("keep", "You keep 4. Round 1/13, roll 1/3: [4 4 2 6 1]. Waiting for bob.", False),
        ("keep", "You keep 4 4. Round 1/13, roll 1/3: [4 4 2 6 2]. Waiting for bob.", False),
        ("", "Round 1/13, roll 2/3: [4 4 2 6 1]. Worth Chance 17, Fours 8, Sixes 6.", False),
        ("score", "Scored Fours 8, total 8. Waiting for bob.", True),
        ("score", "Scored Fours 8, total 9. Waiting for bob.", False),
        ("score", "Scored Fours 12, total 12. Waiting for bob.", False),
        ("score", "Scored Fours 8+100, total 108. Waiting for bob.", False),
        ("score", "Scored Chance 17, total 17. Waiting for bob.", False),
        ("score", "You score Chance 17. Round 1/13, roll 1/3: [4 4 2 6 1]. Waiting for bob.", False),
        ("", "Scored Fours 8, total 8. Waiting for bob.", False),
        ("", "The host scored Fours 8 for you, total 8.", True),
    ],
)  # fmt: skip
async def test_a_player_believes_the_right_line_alone(move: str, answer: str, right: bool) -> None:
    async with (
        Ngircd() as server,
        await Client.connect(server.host, server.port, HOST) as host,
        await Client.connect(server.host, server.port, "alice") as client,
    ):
        await host.join(CHANNEL)
        alice = Player(client, "hasbro")
        host.say("alice", DEALT)
        await alice.listen()
        if move == "keep":
            alice.keep([0, 1])
        elif move == "score":
            alice.score("fours")
        host.say("alice", answer)
        if right:
            await alice.listen()
        else:
            with pytest.raises(AssertionError):
                await alice.listen()
