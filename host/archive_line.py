"""A game that has ended as a line of JSON, and back. docs/hosting.md describes the format.

What comes in may have been made by anybody: a line is taken when a host could have written it.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from typing import Annotated, Any, Final

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, ValidationError

from host import audit
from host.archive import Archived, Entry
from host.books import PRACTICE
from host.config_values import channel
from host.events import dump, load
from host.journal import GameFile

FORMAT: Final = 1
"""The version of the format. It grows by fields with defaults; what cannot be read so gets a new number."""

_LATEST: Final = 1e10
"""Seconds of a host's clock, three hundred years. Much later it could not tell two moments apart."""

_LONGEST_SHOWN: Final = 60
_LONGEST_NAME: Final = 200


def _network(name: str) -> str:
    if not (name.isprintable() and 0 < len(name) <= _LONGEST_NAME):
        raise ValueError("a network has a name of printable characters")
    return name


def _channel(name: str) -> str:
    return name if name == PRACTICE else channel(name)


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


class _Entry(_Form):
    at: Annotated[float, Field(ge=0, le=_LATEST, allow_inf_nan=False)]
    wall: str
    kind: str
    body: dict[str, Any]


class _Game(_Form):
    format: Annotated[int, Field(ge=FORMAT, le=FORMAT)]
    game: Annotated[str, Field(pattern=r"^[a-z0-9]{1,16}$")]
    network: Annotated[str, AfterValidator(_network)]
    channel: Annotated[str, AfterValidator(_channel)]
    seed: Annotated[str, Field(pattern=r"^([0-9a-f]{2}){1,64}$")]
    events: Annotated[list[_Entry], Field(min_length=1)]


def to_text(game: Archived) -> str:
    """The line, without its end."""
    file = game.file
    line = {"format": FORMAT, "game": file.game, "network": file.network, "channel": file.channel}
    events = [dict(_fields(entry)) for entry in game.entries]
    return _json(line | {"seed": file.seed.hex(), "events": events})


def from_text(line: bytes) -> Archived:
    """The game of a line.

    Raises ValueError, which says what is wrong with it and shows nothing else of it.
    """
    try:
        form = _Game.model_validate_json(line)
    except ValidationError as error:
        raise ValueError(_told(error)) from None
    file = GameFile(form.game, form.network, form.channel, bytes.fromhex(form.seed))
    game = Archived(file, tuple(_entry(number, entry) for number, entry in enumerate(form.events)))
    audit.check(game)
    return game


def _fields(entry: Entry) -> Iterator[tuple[str, object]]:
    kind, body = dump(entry.event)
    yield from {"at": entry.at, "wall": entry.wall.isoformat(), "kind": kind}.items()
    yield "body", json.loads(body)


def _entry(number: int, form: _Entry) -> Entry:
    try:
        wall = datetime.fromisoformat(form.wall)
    except ValueError:
        wall = None
    if wall is None or wall.isoformat() != form.wall or wall.utcoffset() != timedelta():
        raise ValueError(f"event {number}: wall is no time in UTC as a host writes it")
    try:
        event = load(form.kind, _json(form.body))
        written = json.loads(dump(event)[1])
    except ValidationError as error:
        raise ValueError(f"event {number}: {_told(error)}") from None
    except ValueError as error:
        raise ValueError(f"event {number}: {_shown(str(error))}") from None
    if not _is_part(form.body, written):
        raise ValueError(f"event {number}: the body says more or other than a {form.kind} can")
    return Entry(form.at, wall, event)


def _is_part(given: object, known: object) -> bool:
    """Whether nothing is given that is not known. Fields may be missing: an older host did not have them."""
    match given, known:
        case dict(), dict():
            return all(key in known and _is_part(value, known[key]) for key, value in given.items())
        case list(), list():
            return len(given) == len(known) and all(map(_is_part, given, known))
        case str(), str():
            return given == known and not set(given) & set("\r\n\0")  # which no line of IRC can hold
    return given == known


def _told(error: ValidationError) -> str:
    """The first thing that is wrong, without what was given instead."""
    first = error.errors(include_url=False, include_context=False, include_input=False)[0]
    if first["type"] == "json_invalid":
        return "it is no JSON"
    where = ".".join(part if str(part).isidentifier() else _shown(part) for part in map(str, first["loc"]))
    return f"{where}: {first['msg']}" if where else first["msg"]


def _shown(text: str) -> str:
    return text if text.isdigit() else ascii(text[:_LONGEST_SHOWN])


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
