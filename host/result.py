"""A result on its way to the channel of a table, in several lines."""

from __future__ import annotations

from dataclasses import dataclass

from host import decide
from host.keeper import Keeper


@dataclass(slots=True)
class Result:
    """What becomes of it is noted at the table."""

    keeper: Keeper
    game: str
    lost: bool = False

    def sent(self) -> None:
        """Note that the last line left."""
        if not self.lost:
            self.keeper.note(decide.announced, self.game)

    def refused(self) -> None:
        """Note that the server may have refused one, before the last line left or after that."""
        self.lost = True
        self.keeper.note(decide.unheard, self.game)
