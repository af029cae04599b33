"""What the store holds, read behind the host's back, against what the players were told."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import sqlalchemy as sql

from game.dice import POSITIONS
from game.match import Held, Rolled, Scored
from host.dealer import Dealer
from host.journal import History, Journal
from host.store import Store
from host.table import Phase, Table
from protocol.tags import Placing
from tests.support import recount
from tests.support.survivor import Survivor

_PATIENCE: Final = 5.0
_GAMES: Final = """
SELECT g.game, g.ended, SUM(CASE WHEN e.kind = 'Finished' THEN 1 ELSE 0 END) AS finished,
       SUM(CASE WHEN e.kind IN ('LobbyClosed', 'Stopped') THEN 1 ELSE 0 END) AS given_up
FROM games g JOIN events e ON e.game = g.game
WHERE g.channel = :channel GROUP BY g.game, g.ended ORDER BY MIN(e.wall)
"""


@dataclass(frozen=True)
class Record:
    """A game in the store: what it folds to, and by nick each roll and each box, in their order."""

    table: Table
    rolls: dict[str, dict[tuple[int, int], tuple[int, ...]]]
    scored: dict[str, list[Scored]]

    @property
    def totals(self) -> dict[str, int]:
        cards = zip(self.rolls, self.table.play.cards, strict=True)
        return {nick: card.total for nick, card in cards}

    @classmethod
    def of(cls, history: History) -> Record:
        """Fold a history, and see that all dice are those of its seed, and that nothing is there twice."""
        table = Table()
        for at, event in history.events:
            table = table.after(event, at)
        nicks = [seat.nick for seat in table.seats]
        record = cls(table, {nick: {} for nick in nicks}, {nick: [] for nick in nicks})
        number = dict.fromkeys(nicks, 0)
        held: dict[str, frozenset[int]] = {}
        dealer = Dealer(history.file.game, history.file.seed, ("-",) * len(nicks))
        for _, event in history.events:
            if isinstance(event, Held):
                held[nicks[event.seat]] = event.kept
            elif isinstance(event, Rolled):
                nick = nicks[event.seat]
                rolls, faces = record.rolls[nick], event.dice.faces
                round_ = len(record.scored[nick]) + 1
                number[nick] += 1
                assert event.roll == number[nick] <= 3, history
                assert event.kept == held.pop(nick, frozenset()), history
                before = rolls.get((round_, event.roll - 1), ())
                fall = dealer.fall(event.seat, round_, event.roll).faces
                assert all(
                    faces[place] == (before if place in event.kept else fall)[place] for place in POSITIONS
                ), history
                rolls[round_, event.roll] = faces
            elif isinstance(event, Scored):
                nick = nicks[event.seat]
                assert not event.by_host, history
                assert event.category not in [entry.category for entry in record.scored[nick]], history
                record.scored[nick].append(event)
                number[nick] = 0
                held.pop(nick, None)
        return record


class Ledger:
    """The store of a host, which may run or be dead; nothing is changed in it."""

    def __init__(self, url: str) -> None:
        self._url = url

    def check_so_far(self, channel: str, games: int, players: Sequence[Survivor]) -> None:
        """See that all that the players were told of the game after so many others is in the store."""
        record = self._record(channel, games)
        finals = {player.final for player in players} - {""}
        if record is None:
            assert not any(player.seats_told or player.began for player in players), f"{channel}: no game"
            return
        table = record.table
        assert {seat for player in players for seat in player.seats_told} <= set(record.rolls)
        if any(player.began for player in players):
            assert table.phase in (Phase.PLAYING, Phase.OVER), table.phase
        if finals:
            assert table.phase is Phase.OVER, f"{channel}: {finals} was told, and is not written down"
        for player in players:
            rolls = record.rolls.get(player.nick, {})
            assert player.dice_told.items() <= rolls.items(), (player.nick, player.dice_told, rolls)
            assert len(rolls) - len(player.dice_told) <= 1, (player.nick, player.dice_told, rolls)
            written = [_entry(entry) for entry in record.scored.get(player.nick, [])]
            told = [(entry.box, entry.points) for entry in player.books]
            assert told == written[: len(told)], (player.nick, told, written)
            # What is written and was not told can only be what was sent last.
            assert [box for box, _ in written[len(told) :]] in ([], [player.asked]), (player.nick, written)

    def check_finished(self, channel: str, games: int, players: Sequence[Survivor]) -> None:
        """See that the game after so many others ended as the players were told, with all on the way."""
        record = self._record(channel, games)
        assert record, f"{channel}: the game that was finished is not in the store"
        assert record.table.phase is Phase.OVER, record.table
        assert set(record.rolls) == {player.nick for player in players}
        assert record.totals == _totals(players[0].final) == {p.nick: p.total for p in players}
        for player in players:
            assert record.rolls[player.nick] == player.dice_told, player.nick
            written = [_entry(entry) for entry in record.scored[player.nick]]
            assert written == [(entry.box, entry.points) for entry in player.books], player.nick

    def check_all(self, channel: str, finals: Sequence[str]) -> None:
        """See that the store holds these finished games of the channel, in this order, and no others."""
        for number, final in enumerate(finals):
            record = self._record(channel, number)
            assert record
            assert record.totals == _totals(final)
        assert self._record(channel, len(finals)) is None, f"{channel}: a game that nobody knows of"

    def recount(self) -> int:
        """See that the records of finished games are what their events say; the number of games."""
        store = Store.look(self._url, _PATIENCE)
        assert store
        try:
            return recount.check(store)
        finally:
            store.close()

    def _record(self, channel: str, games: int) -> Record | None:
        """The game after so many others, or None when it has not been opened.

        Every game but the last must have been finished, and once.
        """
        store = Store.look(self._url, _PATIENCE)
        if store is None:
            return None
        try:
            with store.transaction() as connection:
                if not sql.inspect(connection).has_table("events"):
                    return None
                found = connection.execute(sql.text(_GAMES), {"channel": channel}).all()
            for number, row in enumerate(found):
                assert row.given_up == 0, row
                assert row.finished == bool(row.ended), row
                assert row.ended or number == len(found) - 1, f"{channel}: a game was left behind: {row}"
            history = Journal(store).history(found[games].game) if games < len(found) else None
        finally:
            store.close()
        return Record.of(history) if history else None


def _entry(entry: Scored) -> tuple[str, int]:
    return entry.category.value, entry.points


def _totals(final: str) -> dict[str, int]:
    return {placing.nick: placing.total for placing in Placing.find(final)}
