"""The command `solve`: works out what perfect play of a rule set is worth, and keeps the table for later."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from functools import partial
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID

from game.rules import RULE_SETS
from solver import cache
from solver.tables import scores
from solver.values import Values, solve


def solved(keys: Iterable[str], kept_in: Path) -> Iterator[str]:
    """One line for each rule set: its key, the value of an empty card, and the seconds that it took.

    Raises OSError when a table cannot be kept.
    """
    for key in keys:
        began = time.monotonic()
        values = _with_bar(key)
        yield f"{key} {values.start:.6f} {time.monotonic() - began:.1f} s"
        cache.save(kept_in, values)


def _with_bar(key: str) -> Values:
    """The values; how far they are shows on stderr when that is a terminal."""
    console = Console(stderr=True)
    with Progress(console=console, transient=True, disable=not console.is_terminal) as bar:
        show = partial(_show, bar, bar.add_task(key))
        return solve(scores(RULE_SETS[key]), show)


def _show(bar: Progress, task: TaskID, done: int, states: int) -> None:
    bar.update(task, completed=done, total=states)
