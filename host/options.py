"""JSON lines in, JSON lines out: what a roll may be scored as, for programs and for checking the rules.

In: `{"rules": "hasbro", "dice": [4, 4, 4, 4, 4], "card": {"fours": 12, "yahtzee": 50}}`; other keys are
ignored. Out: `{"options": {…}, "bonus": 100}`, or `{"error": "…"}` for a line that cannot be answered.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from game.category import Category
from game.dice import Dice
from game.rules import RULE_SETS
from game.scorecard import Scorecard

_LONGEST_SHOWN: Final = 60


def answers(lines: Iterable[str]) -> Iterator[str]:
    """One JSON line for each line."""
    for line in lines:
        yield json.dumps(answer(line.strip()))


def answer(line: str) -> dict[str, Any]:
    """What the line asks for, or an error that names what is wrong and what is possible."""
    try:
        asked = json.loads(line)
        card, dice = _card(asked), _dice(asked)
    except RecursionError:
        return {"error": "not JSON: nested too deeply"}
    except json.JSONDecodeError as error:
        return {"error": f"not JSON: {error}"}
    except ValueError as error:
        return {"error": str(error)}
    options = {category.value: points for category, points in card.options(dice).items()}
    return {"options": options, "bonus": card.bonus(dice)}


def _card(asked: Any) -> Scorecard:
    key = _field(asked, "rules")
    if not isinstance(key, str) or key not in RULE_SETS:
        raise ValueError(f"rules {_shown(key)}: possible are {', '.join(RULE_SETS)}")
    boxes = _field(asked, "card")
    if not isinstance(boxes, dict):
        raise ValueError("card: an object of boxes and their points is needed")
    known = {category.value: category for category in Category}
    for name, points in boxes.items():
        if name not in known:
            raise ValueError(f"card: {_shown(name)} is no box; possible are {', '.join(known)}")
        if not _whole(points) or points < 0:
            raise ValueError(f"card.{name}: {_shown(points)} is no number of points")
    return Scorecard(RULE_SETS[key], {known[name]: points for name, points in boxes.items()})


def _dice(asked: Any) -> Dice:
    faces = _field(asked, "dice")
    if not isinstance(faces, list) or not all(map(_whole, faces)):
        raise ValueError("dice: a list of five faces from 1 to 6 is needed")
    try:
        return Dice(tuple(faces))
    except ValueError as error:
        raise ValueError(f"dice: {_shown(faces)} are not five faces from 1 to 6") from error


def _field(asked: Any, name: str) -> Any:
    if not isinstance(asked, dict):
        raise ValueError("an object with rules, dice and card is needed")
    if name not in asked:
        raise ValueError(f"{name} is missing; rules, dice and card are needed")
    return asked[name]


def _shown(value: Any) -> str:
    """The value as it was understood, short enough to repeat."""
    text = repr(value)
    return text if len(text) <= _LONGEST_SHOWN else f"{text[:_LONGEST_SHOWN]}…"


def _whole(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)
