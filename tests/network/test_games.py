"""Whole games on a real server: four players, thirteen rounds, checked from the clients' side."""

from __future__ import annotations

import pytest

from tests.support.host_process import CHANNEL, HostProcess
from tests.support.ngircd import Ngircd
from tests.support.referee import check_game, company, play_all, sit_down

NICKS = ("[^o^]", "score", "{0}", "a-nick_of_thirty_letters-or-so")


@pytest.mark.parametrize(
    ("pace", "rules"),
    [
        ("free", "hasbro"),
        ("free", "houston"),
        ("free", "free_choice"),
        ("lockstep", "hosted"),
        ("lockstep", "yardzee"),
    ],
)
async def test_every_total_is_right(pace: str, rules: str) -> None:
    async with (
        Ngircd() as server,
        HostProcess(server, {CHANNEL: {"pace": pace, "rules": rules}}) as host,
        company(server, NICKS, rules, mischief=0.3) as players,
    ):
        styles = ("style colour", "style unicode", "notice on", "style plain")
        for player, style in zip(players, styles, strict=True):
            assert "Your lines come in" in await player.ask(style)
        await sit_down(players)
        await play_all(players)
        for client in (host.watcher, *(player.client for player in players)):
            await client.sync()
        check_game(players, [host.watcher])
