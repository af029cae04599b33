"""Frozen dataclasses as JSON, and back: strictly, with the path of what is wrong, and what is possible."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Generic, NoReturn, Protocol, TypeVar

Json = Any
"""What `json` reads and writes."""

T = TypeVar("T")
T_co = TypeVar("T_co", covariant=True)


class BadRecord(ValueError):
    """Not what it should be: where, and what is possible there."""

    def __init__(self, path: str, problem: str) -> None:
        super().__init__(f"{path}: {problem}" if path else problem)
        self.path, self.problem = path, problem


class Form(Protocol[T_co]):
    """How a value is written as JSON; `read` raises BadRecord."""

    def write(self, value: Any) -> Json: ...

    def read(self, data: Json, path: str) -> T_co: ...


@dataclass(frozen=True, slots=True)
class Leaf(Generic[T]):
    """A value that is one of JSON's own; `parse` raises ValueError with what is possible."""

    kind: type
    dump: Callable[[T], Json]
    parse: Callable[[Any], T]
    possible: str

    def write(self, value: Any) -> Json:
        return self.dump(value)

    def read(self, data: Json, path: str) -> T:
        if type(data) is not self.kind:
            raise BadRecord(path, f"{self.possible} is possible")
        try:
            return self.parse(data)
        except ValueError as error:
            raise BadRecord(path, str(error)) from None


@dataclass(frozen=True, slots=True)
class Many(Generic[T]):
    """Several in a row."""

    one: Form[T]
    most: int | None = None

    def write(self, value: Any) -> Json:
        return [self.one.write(one) for one in value]

    def read(self, data: Json, path: str) -> tuple[T, ...]:
        if not isinstance(data, list):
            raise BadRecord(path, "a list is possible")
        if self.most is not None and len(data) > self.most:
            raise BadRecord(path, f"at most {self.most} are possible")
        return tuple(self.one.read(one, f"{path}[{number}]") for number, one in enumerate(data))


@dataclass(frozen=True, slots=True)
class Shape(Generic[T]):
    """An object with exactly these keys, which are the fields of a dataclass."""

    kind: type[T]
    forms: Mapping[str, Form[Any]]

    def write(self, value: Any) -> Json:
        return {key: form.write(getattr(value, key)) for key, form in self.forms.items()}

    def read(self, data: Json, path: str) -> T:
        if not isinstance(data, dict):
            raise BadRecord(path, "an object is possible")
        for key in data:
            if key not in self.forms:
                raise BadRecord(_under(path, key), f"no such key; possible are {' '.join(self.forms)}")
        for key in self.forms:
            if key not in data:
                raise BadRecord(_under(path, key), "is missing")
        return self.kind(**{key: form.read(data[key], _under(path, key)) for key, form in self.forms.items()})


@dataclass(frozen=True, slots=True)
class OneOf:
    """An object of one of several shapes; the value at `key` says which."""

    key: str
    shapes: Mapping[str, Shape[Any]]

    def write(self, value: Any) -> Json:
        name = next(name for name, shape in self.shapes.items() if shape.kind is type(value))
        return {self.key: name, **self.shapes[name].write(value)}

    def read(self, data: Json, path: str) -> Any:
        if not isinstance(data, dict):
            raise BadRecord(path, "an object is possible")
        name = data.get(self.key)
        if not isinstance(name, str) or name not in self.shapes:
            raise BadRecord(_under(path, self.key), f"possible are {' '.join(self.shapes)}")
        return self.shapes[name].read({key: one for key, one in data.items() if key != self.key}, path)


def _under(path: str, key: str) -> str:
    return f"{path}.{key[:40]}" if path else key[:40]


def parsed(text: str) -> Json:
    """JSON without what is not in its standard, and without a key that comes twice.

    Raises BadRecord.
    """
    try:
        return json.loads(text, object_pairs_hook=_once, parse_constant=_no_number, parse_float=_no_number)
    except RecursionError:
        raise BadRecord("", "it is nested too deeply") from None
    except json.JSONDecodeError as error:
        raise BadRecord(f"line {error.lineno}", f"no JSON: {error.msg}") from None
    except BadRecord:
        raise
    except ValueError:
        raise BadRecord("", "a number is too large") from None


def _once(pairs: list[tuple[str, Json]]) -> dict[str, Json]:
    found: dict[str, Json] = {}
    for key, value in pairs:
        if key in found:
            raise BadRecord(key[:40], "stands there twice")
        found[key] = value
    return found


def _no_number(text: str) -> NoReturn:
    raise BadRecord("", f"{text[:20]}: whole numbers alone are possible")
