"""Messages as the vectors of tests/vectors/card.jsonl spell them, for any language: keys, and plain JSON."""

from __future__ import annotations

from dataclasses import asdict
from decimal import Decimal
from enum import Enum
from typing import Any

from game.category import Category
from game.dice import Dice
from protocol.boxes import CODES
from protocol.card.fields import Message
from protocol.card.keys import Entry, Loss
from protocol.commands import LETTERS
from tests.protocol.card_tables import keys_of


def as_json(message: Message) -> dict[str, Any]:
    """All keys of a message, its kind first; null stands for nothing that was noted or written."""
    return {"kind": message.KIND} | {
        key.name: plain(getattr(message, name)) for name, key, _ in keys_of(type(message))
    }


def plain(value: object) -> object:
    match value:
        case Dice(faces):
            return list(faces)
        case Category():
            return CODES[value][0]
        case Enum():
            return value.value
        case Decimal():
            return float(value)
        case Entry() | Loss():
            return {name: plain(getattr(value, name)) for name in asdict(value)}
        case frozenset():
            return [LETTERS[place] for place in sorted(value)]
        case tuple():
            return [plain(one) for one in value]
        case _:
            return value
