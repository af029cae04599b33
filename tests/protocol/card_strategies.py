"""Any message of the language of cards, for hypothesis: from the forms of its fields."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, fields
from decimal import Decimal
from enum import Enum
from typing import Any, Final, get_args, get_type_hints

from hypothesis import strategies as st

from game.category import CATEGORIES
from game.dice import FACES, POSITIONS, Dice
from protocol.card.fields import (
    BOX,
    BOXES,
    DECIMAL,
    DICE,
    NUMBER,
    NUMBERS,
    PLACES,
    PLAY,
    TAG,
    WORD,
    WORDS,
    Form,
    Message,
)
from protocol.card.keys import DICE_WORD, LOSSES, By, Entry, Loss
from protocol.fairness import WORD as DICE_WORDS

NUMBER_STRATEGY: Final = st.integers(0, 999_999_999)
BOX_STRATEGY: Final = st.sampled_from(CATEGORIES)
_LETTERS: Final = st.characters(codec="utf-8", exclude_characters=", \x7f", min_codepoint=0x21)
_WORD: Final = st.text(st.one_of(_LETTERS, st.sampled_from("=:-")), min_size=1, max_size=12)
_NICK: Final = st.text(_LETTERS, min_size=1, max_size=12).filter(lambda nick: nick != "-")

_DICE: Final = st.tuples(*(st.sampled_from(FACES),) * 5).map(Dice)
_PLACES: Final = st.frozensets(st.sampled_from(POSITIONS))
_DECIMAL: Final = st.integers(-99_999_999_999, 99_999_999_999).map(lambda cents: Decimal(cents) / 100)
_PLAY: Final = _PLACES | BOX_STRATEGY
_LOSS: Final = st.builds(Loss, NUMBER_STRATEGY, NUMBER_STRATEGY, _DICE, _PLAY, _PLAY, _DECIMAL)

_FORMS: Final[Mapping[Form[Any], st.SearchStrategy[Any]]] = {
    WORD: _WORD,
    TAG: st.text(st.characters(min_codepoint=0x21, max_codepoint=0x7E), min_size=1, max_size=32),
    WORDS: st.lists(_NICK, max_size=5).map(tuple),
    DICE_WORD: st.from_regex(DICE_WORDS, fullmatch=True),
    NUMBER: NUMBER_STRATEGY,
    NUMBERS: st.lists(NUMBER_STRATEGY, max_size=50).map(tuple),
    DICE: _DICE,
    PLACES: _PLACES,
    PLAY: _PLAY,
    DECIMAL: _DECIMAL,
    LOSSES: st.lists(_LOSS, max_size=3).map(tuple),
    BOX: BOX_STRATEGY,
    BOXES: st.lists(st.tuples(BOX_STRATEGY, NUMBER_STRATEGY), max_size=13).map(tuple),
}
_ENTRY: Final = st.builds(
    Entry, BOX_STRATEGY, NUMBER_STRATEGY, NUMBER_STRATEGY, NUMBER_STRATEGY, st.sampled_from(By)
)


def messages(kind: type[Message]) -> st.SearchStrategy[Message]:
    """Messages of one kind, with everything that they may say."""
    hints = get_type_hints(kind, include_extras=True)
    found: dict[str, st.SearchStrategy[Any]] = {}
    for one in fields(kind):
        type_, key = get_args(hints[one.name])
        found[one.name] = _values(type_, key.form)
        if one.default is not MISSING:
            found[one.name] |= st.just(one.default)
    return st.builds(kind, **found)


def _values(type_: Any, form: Form[Any]) -> st.SearchStrategy[Any]:
    if form in _FORMS:
        return _FORMS[form]
    if isinstance(type_, type) and issubclass(type_, Enum):
        return st.sampled_from(type_)
    assert Entry in (type_, *get_args(type_)), f"no strategy for {type_}"
    return _ENTRY
