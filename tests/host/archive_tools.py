"""An evening of games in a store, and the commands that copy, export and import it."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from host import archive
from host.archive import Archived
from host.cli import main
from host.events import ENDINGS, Finished, LobbyClosed, Stopped
from host.journal import Journal
from host.store import Store
from host.store_tables import GAMES
from tests.host.journal_tools import opened
from tests.support.bench import Bench, config

NICKS: Final = ("alice", "-bob")
ENDED: Final = ("game0001", "game0003", "game0005", "game0006")
ON: Final = "game0007"
_CHANNELS: Final = {
    "#free": "",
    "#lockstep": "rules: houston, pace: lockstep, house: {seats: 1}, dice: same, ",
}


def bench(journal: Journal, start: float = 0.0) -> Bench:
    channels = ", ".join(f'"{name}": {{{keys}repeat_seconds: 0}}' for name, keys in _CHANNELS.items())
    made = Bench(config(f"{{{channels}}}"), journal, start)
    made.connect(*NICKS)
    return made


def evening(url: str) -> None:
    """Two games are finished, one is stopped, a lobby is closed, and one game is on."""
    with opened(url) as journal:
        made = bench(journal)
        made.begin(*NICKS, channel="#free")
        made.tell("alice", f"keep {made.dice('alice').dice.faces[0]}")
        made.tell("alice", "score chance")
        made.pass_(14 * 120)
        made.begin(*NICKS, channel="#lockstep")
        made.pass_(40 * 120)
        made.begin("alice", channel="#free")
        made.say("alice", "!stop", "#free")
        made.say("alice", "!join", "#free")
        made.say("alice", "!leave", "#free")
        made.begin(*NICKS, channel="#free")
        made.pass_(5)
        found = [history for game in ENDED if (history := journal.history(game))]
        endings = [
            type(event) for history in found for _, event in history.events if isinstance(event, ENDINGS)
        ]
        assert endings == [Finished, Finished, Stopped, LobbyClosed]
        assert [history.file.game for history in journal.unfinished()] == [ON]


@cache
def _games() -> tuple[Archived, ...]:
    with TemporaryDirectory() as folder:
        url = f"sqlite:///{folder}/games.sqlite"
        evening(url)
        with Store.reading(url) as store, store.snapshot() as connection:
            found = (archive.find(connection, game) for game in (*ENDED, ON))
            return tuple(game for game in found if game)


def evening_at_once(url: str) -> None:
    """The same store, without playing all of it again."""
    with opened(url) as journal, journal._store.transaction(write=True) as connection:
        for game in _games():
            archive.add(connection, game)
        connection.execute(GAMES.update().where(GAMES.c.game == ON).values(ended=False))


class Commands:
    """The commands on a store, as an operator types them."""

    def __init__(self, url: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.config = folder / "my.yaml"
        self.capsys = capsys
        network = "networks: {local: {server: irc.example.org, nick: Hoster, channels: {'#y': }}}"
        self.config.write_text(f"{network}\nstore: {url}\n")

    def __call__(self, command: str, *arguments: str | Path) -> tuple[int, str, str]:
        """The exit status, and both outputs."""
        self.capsys.readouterr()
        status = main([command, "--config", str(self.config), *map(str, arguments)])
        return (status, *self.capsys.readouterr())


def lines(text: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in text.splitlines()]
