"""YAML text as plain values, with the line of every key: what the configuration is read from.

PyYAML's safe loader parses and resolves; the walk over its nodes is ours, because a plain `safe_load` forgets
lines, lets a later duplicate key win in silence, and lets exceptions of its own through for odd scalars.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final, TypeAlias

import yaml
from yaml.constructor import SafeConstructor

_PREFIX: Final = "tag:yaml.org,2002:"
_MERGE: Final = _PREFIX + "merge"
_SCALARS: Final = frozenset(_PREFIX + name for name in ("str", "int", "float", "bool", "null", "timestamp"))
_OCTAL: Final = re.compile(r"[-+]?0[0-9_]+")

# What PyYAML lets through beside its own errors, from scalars like `!!int x`, 2026-99-99 or "\UFFFFFFFF".
_LEAKS: Final = (ValueError, ArithmeticError, LookupError, AttributeError, TypeError)

HASH_HINT: Final = 'an unquoted # begins a comment, so write channel names in quotes, like "#yardzee"'

KeyPath: TypeAlias = tuple[str | int, ...]


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong in a configuration: where (dotted path, line if there is one) and what."""

    path: str
    line: int | None
    message: str

    def text(self, name: str) -> str:
        """The problem as one printable line, for a configuration called `name`."""
        place = name if self.line is None else f"{name}:{self.line}"
        return ": ".join(part for part in (place, self.path, self.message) if part)


class ConfigError(Exception):
    """A configuration that cannot be used. Its `problems` are all that were found, by line."""

    def __init__(self, name: str, problems: tuple[Problem, ...]) -> None:
        super().__init__(name, problems)
        self.name = name
        self.problems = problems

    def __str__(self) -> str:
        return "\n".join(problem.text(self.name) for problem in self.problems)


def dotted(path: KeyPath) -> str:
    """`("networks", "local", "port")` as `networks.local.port`; keys that would blur it stand in quotes."""
    return ".".join(_key(part) for part in path)


def _key(part: str | int) -> str:
    text = str(part)
    return text if text.isprintable() and not re.search(r"[\s.]|^$", text) else repr(text)


@dataclass(frozen=True, slots=True)
class Document:
    """The values of a YAML text, where each of them stands, and what was wrong with the YAML itself."""

    value: object
    problems: tuple[Problem, ...]
    _root: yaml.Node | None
    # By the id of a collection's node (the root keeps it alive): each key's line and the node below it.
    _entries: Mapping[int, Mapping[str | int, tuple[int, yaml.Node]]] = field(repr=False)

    def line(self, path: KeyPath) -> int | None:
        """The line of the key at `path`, or of the nearest mapping around it if it is not there."""
        if self._root is None:
            return None
        line, node = _line(self._root), self._root
        for part in path:
            entry = self._entries.get(id(node), {}).get(part)
            if entry is None:
                break
            line, node = entry
        return line


def read(text: str, name: str) -> Document:
    """Parse one YAML document.

    Raises:
        ConfigError: the text is no YAML at all. Lesser faults (a duplicate key, an odd scalar) are `problems`
            of the answer, so that they can be told together with what is wrong with the values.
    """
    try:
        root = yaml.compose(text, Loader=yaml.SafeLoader)
        walk = _Walk()
        value = None if root is None else walk.value(root, ())
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        line = None if mark is None else mark.line + 1
        what = " ".join(part for part in (error.context, error.problem) if part)
        raise ConfigError(name, (Problem("", line, f"not valid YAML: {what}"),)) from error
    except yaml.reader.ReaderError as error:
        line = text.count("\n", 0, error.position) + 1
        message = f"the character U+{error.character:04X} may not stand in YAML"
        raise ConfigError(name, (Problem("", line, message),)) from error
    except RecursionError as error:
        raise ConfigError(name, (Problem("", None, "nested too deeply"),)) from error
    except (yaml.YAMLError, *_LEAKS) as error:
        raise ConfigError(name, (Problem("", None, f"not valid YAML: {error}"),)) from error
    return Document(value, tuple(walk.problems), root, walk.entries)


def _line(node: yaml.Node) -> int:
    return int(node.start_mark.line) + 1


class _Walk:
    """Turns nodes into values once each, however often an alias repeats them."""

    def __init__(self) -> None:
        self.problems: list[Problem] = []
        self.entries: dict[int, dict[str | int, tuple[int, yaml.Node]]] = {}
        self._values: dict[int, object] = {}
        self._open: set[int] = set()
        self._scalars = SafeConstructor()

    def value(self, node: yaml.Node, path: KeyPath) -> object:
        if id(node) in self._values:
            return self._values[id(node)]
        if id(node) in self._open:
            self._wrong(node, path, "an alias that contains itself")
            return None
        self._open.add(id(node))
        made = self._make(node, path)
        self._open.discard(id(node))
        self._values[id(node)] = made
        return made

    def _wrong(self, node: yaml.Node, path: KeyPath, message: str) -> None:
        self.problems.append(Problem(dotted(path), _line(node), message))

    def _make(self, node: yaml.Node, path: KeyPath) -> object:
        if isinstance(node, yaml.MappingNode) and node.tag == _PREFIX + "map":
            self.entries[id(node)] = entries = self._pairs(node, path)
            return {key: self.value(below, (*path, key)) for key, (_, below) in entries.items()}
        if isinstance(node, yaml.SequenceNode) and node.tag == _PREFIX + "seq":
            self.entries[id(node)] = {at: (_line(below), below) for at, below in enumerate(node.value)}
            return [self.value(below, (*path, at)) for at, below in enumerate(node.value)]
        if isinstance(node, yaml.ScalarNode) and node.tag in _SCALARS:
            return self._scalar(node, path)
        self._wrong(node, path, f"the tag {node.tag.replace(_PREFIX, '!!')} has no use here")
        return None

    def _scalar(self, node: yaml.ScalarNode, path: KeyPath) -> object:
        if node.tag == _PREFIX + "int" and _OCTAL.fullmatch(node.value):
            # YAML 1.1 reads 06667 as an octal number; nobody who writes it means 3511.
            self._wrong(node, path, f"a number may not begin with 0: {node.value[:40]!r}")
            return None
        try:
            made: object = self._scalars.construct_object(node)
        except (yaml.YAMLError, *_LEAKS):
            kind = node.tag.removeprefix(_PREFIX)
            self._wrong(node, path, f"{node.value[:40]!r} cannot be read as {kind}; text belongs in quotes")
            return None
        return made

    def _pairs(self, node: yaml.MappingNode, path: KeyPath) -> dict[str | int, tuple[int, yaml.Node]]:
        """The keys of a mapping, what it merges by `<<` included; its own keys win over merged ones."""
        own: dict[str | int, tuple[int, yaml.Node]] = {}
        merged: dict[str | int, tuple[int, yaml.Node]] = {}
        for key_node, below in node.value:
            if key_node.tag == _MERGE:
                for base in self._bases(below, path):
                    merged = self._pairs_of_base(base, path) | merged
                continue
            key = self._text_key(key_node, path)
            if key is None:
                continue
            if key in own:
                lines = f"lines {own[key][0]} and {_line(key_node)}"
                self._wrong(key_node, (*path, key), f"this key is written twice, on {lines}")
            else:
                own[key] = (_line(key_node), below)
        return merged | own

    def _pairs_of_base(self, base: yaml.Node, path: KeyPath) -> dict[str | int, tuple[int, yaml.Node]]:
        self.value(base, path)  # fills its entries, unless it is open: a mapping that merges itself
        return self.entries.get(id(base), {})

    def _bases(self, node: yaml.Node, path: KeyPath) -> Iterator[yaml.Node]:
        bases = node.value if isinstance(node, yaml.SequenceNode) else [node]
        for base in bases:
            if isinstance(base, yaml.MappingNode):
                yield base
            else:
                self._wrong(base, path, "<< takes a mapping, like *name of one marked &name")

    def _text_key(self, node: yaml.Node, path: KeyPath) -> str | None:
        if isinstance(node, yaml.ScalarNode) and node.tag == _PREFIX + "str":
            return str(node.value)
        if isinstance(node, yaml.ScalarNode) and node.tag == _PREFIX + "null":
            self._wrong(node, path, f"a key is empty; {HASH_HINT}")
        elif isinstance(node, yaml.ScalarNode):
            self._wrong(node, path, f"the key {node.value[:40]!r} is no text; put it in quotes")
        else:
            self._wrong(node, path, "a key must be plain text")
        return None
