"""What a player types in the line at the bottom: talk for the channel, or a command of the card with a /."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from card.dialogue import Dialogue
from card.notes import Tone


@dataclass(frozen=True, slots=True)
class Doors:
    """What only the program around a dialogue can do."""

    show_help: Callable[[], None]
    quit: Callable[[], None]
    rename: Callable[[str], None]
    add_word: Callable[[str], None] = lambda _: None
    """To the dice of the next game."""


_PLAIN: Final[Mapping[str, Callable[[Dialogue], None]]] = MappingProxyType(
    {
        "register": lambda dialogue: dialogue.play.register(),
        "join": lambda dialogue: dialogue.play.register(),
        "practice": lambda dialogue: dialogue.play.practise(),
        "start": lambda dialogue: dialogue.start(),
        "leave": lambda dialogue: dialogue.leave(),
        "state": lambda dialogue: dialogue.ask_state(),
    }
)
_WITH_WORDS: Final[Mapping[str, Callable[[Dialogue, str], None]]] = MappingProxyType(
    {
        "host": lambda dialogue, words: dialogue.to_host(words),
        "me": lambda dialogue, words: dialogue.act(words),
        "say": lambda dialogue, words: dialogue.say(words),
    }
)


def enter(line: str, dialogue: Dialogue, doors: Doors) -> None:
    """Do what a line says. `//` stands for a `/` that is said."""
    line = line.strip()
    if not line.startswith("/") or line.startswith("//"):
        if line:
            dialogue.say(line.removeprefix("/") if line.startswith("//") else line)
        return
    verb, _, words = line[1:].partition(" ")
    verb, words = verb.lower(), words.strip()
    needing: dict[str, Callable[[], None]] = {
        **{name: lambda act=act: act(dialogue, words) for name, act in _WITH_WORDS.items()},  # type: ignore[misc]
        "nick": lambda: doors.rename(words),
        "seed": lambda: doors.add_word("-".join(words.split())),
    }
    alone: dict[str, Callable[[], None]] = {
        **{name: lambda act=act: act(dialogue) for name, act in _PLAIN.items()},  # type: ignore[misc]
        "help": doors.show_help,
        "quit": doors.quit,
    }
    if verb in needing and not words:
        dialogue.tell(Tone.WARNING, f"/{verb} needs something after it.")
    elif act := needing.get(verb) or alone.get(verb):
        act()
    else:
        possible = " ".join(f"/{name}" for name in (*needing, *alone))
        dialogue.tell(Tone.WARNING, f"There is no /{verb}. Possible are {possible}.")
