"""What docs/protocol.md has from the code: the lines, keys, codes and stages, as tables and as a diagram."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import MISSING, fields
from enum import Enum
from itertools import pairwise
from types import MappingProxyType, ModuleType
from typing import Any, Final, get_args, get_type_hints

from protocol.card import commands, keys, news, stages
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
    Key,
    Message,
)
from protocol.card.stages import NEXT, Stage

_FORMS: Final[Mapping[Form[Any], str]] = MappingProxyType(
    {
        WORD: "word",
        TAG: "tag",
        WORDS: "words",
        NUMBER: "number",
        NUMBERS: "numbers",
        DICE: "dice",
        PLACES: "places",
        BOX: "box",
        BOXES: "boxes",
        keys.DICE_WORD: "1 to 32 of ASCII letters, digits, `.` `_` `-`",
        DECIMAL: "decimal",
        PLAY: "decision",
        keys.LOSSES: "losses",
    }
)

PLAYING: Final = tuple(stage for stage, following in NEXT.items() if "result" in following)


def keys_of(kind: type[Message]) -> Iterator[tuple[str, Key, bool]]:
    """The fields of a kind: their names, their keys, and whether they may be left out."""
    hints = get_type_hints(kind, include_extras=True)
    for one in fields(kind):
        yield one.name, get_args(hints[one.name])[-1], one.default is not MISSING


def kinds_table(title: str, kinds: Mapping[str, type[Message]]) -> Iterator[str]:
    yield f"| {title} | fields | it says |"
    yield "|---|---|---|"
    for name, kind in kinds.items():
        shown = [f"[{key.name}]" if optional else key.name for _, key, optional in keys_of(kind)]
        said = [one_line(kind.__doc__ or "")]
        notes = attribute_docs(kind)
        said += [f"`{key.name}`: {notes[field]}" for field, key, _ in keys_of(kind) if field in notes]
        yield f"| `{name}` | {ticked(shown)} | {' '.join(said)} |"


def keys_table() -> Iterator[str]:
    yield "| key | in | value | it means |"
    yield "|---|---|---|---|"
    notes = attribute_docs(keys)
    for alias, hint in vars(keys).items():
        if not (get_args(hint) and isinstance(get_args(hint)[-1], Key)):
            continue
        type_, key = get_args(hint)
        found = dict.fromkeys(kind.KIND for kind in all_kinds() if hint in hints_of(kind))
        value, meaning = _FORMS.get(key.form, ""), notes.get(alias, "")
        if type_ is keys.Code:
            value, meaning = "a code, see below", one_line(keys.Code.__doc__ or "")
        elif key.form not in _FORMS and isinstance(type_, type) and issubclass(type_, Enum):
            value, meaning = choices(type_)
        elif keys.Entry in (type_, *get_args(type_)):
            value = "entry"
        yield f"| `{key.name}` | {ticked(found)} | {value} | {meaning} |"


def codes_table() -> Iterator[str]:
    yield "| code | why |"
    yield "|---|---|"
    notes = attribute_docs(keys.Code)
    yield from (f"| `{code.value}` | {notes[code.name]} |" for code in keys.Code)


def stages_table() -> Iterator[str]:
    yield "| stage | where the card stands | commands that fit |"
    yield "|---|---|---|"
    notes = attribute_docs(Stage)
    for stage in Stage:
        fitting = ticked(sorted(stages.FITTING[stage]))
        yield f"| `{stage.value}` | {notes[stage.name]} | {fitting} |"


def mermaid() -> Iterator[str]:
    """The stages as a state diagram; what leaves all stages of a game is drawn once."""
    yield "```mermaid"
    yield "stateDiagram-v2"
    yield f"    [*] --> {Stage.OUT.value}"
    yield "    state game {"
    yield from (f"        {start} --> {end}: {label}" for start, end, label in arrows() if inside(start, end))
    yield "    }"
    yield from (f"    {start} --> {end}: {label}" for start, end, label in arrows() if not inside(start, end))
    yield "```"


def dot() -> str:
    """The same for the `dot` program."""
    order = [Stage.OUT, Stage.LOBBY, *PLAYING, Stage.OVER]
    rank = {stage.value: number for number, stage in enumerate(order)}
    rank["game"] = rank[PLAYING[-1].value]
    lines = [
        "digraph stages {",
        "  rankdir=LR; compound=true; nodesep=0.5; ranksep=0.8; bgcolor=white;",
        '  fontname="sans-serif";',
        '  node [shape=box, style="rounded,filled", fillcolor=white, fontname="sans-serif", fontsize=13];',
        "  edge [fontname=monospace, fontsize=11];",
        '  subgraph cluster_game { label=game; style="rounded,filled"; fillcolor="#eef3f8";',
        *(f"    {stage.value};" for stage in PLAYING),
        "  }",
    ]
    for start, end, label in arrows():
        tail = PLAYING[-1 if rank[end] > rank[start] else 0].value if start == "game" else start
        more = ", ltail=cluster_game" if start == "game" else ""
        more += ", constraint=false" if rank[end] < rank[start] else ""
        lines.append(f'  {tail} -> {end} [label="{label}"{more}];')
    return "\n".join([*lines, "}", ""])


def arrows() -> Iterator[tuple[str, str, str]]:
    """From, to and label; `game` stands for all stages of a game."""
    shared = set.intersection(*(set(NEXT[stage].items()) for stage in PLAYING))
    leaving = {(kind, end) for kind, end in shared if end not in PLAYING}
    for start, following in NEXT.items():
        for kind, end in following.items():
            if start not in PLAYING or (kind, end) not in leaving:
                yield start.value, end.value, kind
    for kind, end in sorted(leaving, key=lambda pair: pair[0]):
        yield "game", end.value, kind
    yield Stage.OUT.value, PLAYING[0].value, "seated stage=playing"


def inside(*names: str) -> bool:
    return set(names) <= {stage.value for stage in PLAYING}


def all_kinds() -> tuple[type[Message], ...]:
    return (*commands.KINDS.values(), *news.KINDS.values())


def hints_of(kind: type[Message]) -> list[Any]:
    return [hint for name, hint in get_type_hints(kind, include_extras=True).items() if name != "KIND"]


def choices(kind: type[Enum]) -> tuple[str, str]:
    """The words of an enumeration, and what it and they mean."""
    notes = attribute_docs(kind)
    said = [f"`{one.value}`: {notes[one.name]}" for one in kind if one.name in notes]
    return ticked(one.value for one in kind), " ".join([one_line(kind.__doc__ or ""), *said])


def attribute_docs(owner: type | ModuleType) -> Mapping[str, str]:
    """The docstrings below the assignments of a class or module."""
    body = ast.parse(inspect.getsource(owner)).body
    if isinstance(owner, type):
        assert isinstance(body[0], ast.ClassDef)
        body = body[0].body
    found = {}
    for node, following in pairwise(body):
        target = node.targets[0] if isinstance(node, ast.Assign) else getattr(node, "target", None)
        said = following.value if isinstance(following, ast.Expr) else None
        if isinstance(target, ast.Name) and isinstance(said, ast.Constant):
            found[target.id] = one_line(str(said.value))
    return found


def ticked(words: Iterable[str]) -> str:
    return " ".join(f"`{word}`" for word in words)


def one_line(text: str) -> str:
    return " ".join(text.split())


PARTS: Final = MappingProxyType(
    {
        "commands": lambda: kinds_table("command", commands.KINDS),
        "news": lambda: kinds_table("line", news.KINDS),
        "keys": keys_table,
        "codes": codes_table,
        "stages": stages_table,
        "diagram": mermaid,
    }
)
"""The generated parts of the page, by the name in the comment before each."""
