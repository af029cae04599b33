"""Has finished games looked at by perfect play that were not when they ended, oldest first, beside all else.

The host was killed then, too much waited, or perfect play was not known yet.
"""

from __future__ import annotations

from typing import Final

from chat.casemap import fold
from chat.logger import logger
from game.rules import RULE_SETS
from game.scorecard import Scorecard
from host import hindsight
from host.advice import Turns
from host.aside import Aside
from host.books import Judged
from host.clock import Clock, Timer
from host.errors import StoreError
from host.histories import Sealed
from host.outcome import outcomes
from host.record import Record
from host.records import Records
from solver.values import Values

log = logger(__name__)

_FIRST: Final = 20.0
"""Seconds after a start, when those are served who waited for it."""

_PAUSE: Final = 0.5
"""Seconds between two games."""

_IDLE: Final = 60.0
"""Seconds until it is seen whether there are more."""


class CatchingUp:
    """One for a host."""

    def __init__(self, records: Records, clock: Clock, turns: Turns, aside: Aside) -> None:
        self._records = records
        self._clock = clock
        self._turns = turns
        self._aside = aside
        self._after = dict.fromkeys(RULE_SETS, 0)
        """How far it has come, by rule set; what cannot be read is not tried again before the next start."""

        self._timer: Timer | None = None

    def start(self) -> None:
        """Begin, after a while."""
        self._wait(_FIRST)

    def stop(self) -> None:
        """Begin nothing more."""
        if self._timer:
            self._timer.cancel()

    def _wait(self, seconds: float) -> None:
        self._timer = self._clock.call_at(self._clock.now() + seconds, self._go_on)

    def _go_on(self) -> None:
        try:
            begun = self._next()
        except StoreError as error:
            log.warning("games that were not looked at wait", error=str(error))
            begun = False
        if not begun:
            self._wait(_IDLE)

    def _next(self) -> bool:
        """Begin with the oldest game; whether there is one, and it is not put off."""
        known = {
            key: turn.values for key, rules in RULE_SETS.items() if (turn := self._turns(Scorecard(rules)))
        }
        found = [
            (number, key, game)
            for key in known
            for number, game in filter(None, [self._records.unjudged(key, self._after[key])])
        ]
        if not found:
            return False
        number, key, game = min(found, key=lambda one: one[0])

        def done(judged: Judged | None) -> None:
            self._after[key] = number
            try:
                if judged is not None:
                    self._records.judge(game.name, judged)
            except StoreError as error:
                log.warning("a game that was looked at is not written down", game=game.name, error=str(error))
            self._wait(_PAUSE)

        return self._aside(lambda: _look(game, known[key]), done)


def _look(game: Sealed, values: Values) -> Judged | None:
    """What a game was worth to its people; None when it cannot be read."""
    try:
        history = game.history()
        result = outcomes(history.events, fold)[-1]
        record = Record(event for _, event in history.events)
        people = [seat for seat, score in enumerate(result.scores) if score.level is None]
        rules = RULE_SETS[result.rules]
        found = {seat: hindsight.analysis(values, rules, record.turns(seat)) for seat in people}
    except Exception:
        # The others are not to wait for it.
        log.exception("a finished game cannot be looked at", game=game.name)
        return None
    return hindsight.judged(found)
