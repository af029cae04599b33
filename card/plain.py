"""The card in plain sentences, for those who listen to their terminal: nothing is drawn, and all is typed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
import threading
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from card import typed, words
from card.dialogue import Dialogue
from card.notes import Note, Tone
from card.ports import Where
from card.typed import Doors
from game.category import Category
from game.errors import MissingFace
from protocol import boxes
from protocol.card.keys import Clock
from protocol.commands import Hint, Join, Keep, Leave, Look, LookAt, Practice, Reroll, Score, Start
from protocol.errors import AmbiguousBox, ProtocolError, UnknownBox
from protocol.parser import parse

HELP: Final = """\
register: take a seat. start: begin the game. leave: give the seat up, or the practice game.
practice: begin a game alone with the host, and hear after each decision what was best.
hold a c, or k44: keep these dice and roll the others. Digits are faces, letters are places from a to e.
reroll b: roll these and keep the others. reroll all: roll all five.
score full house, or fh: write the dice into a box.
hint: hear what is best, in words that you can type. analysis: hear what luck and decisions made of the game.
dice: hear the dice. card: hear the whole card. scores: hear the totals. time: hear what is left.
say hello: say something in the channel. me waves: do something there. host rules: tell the host in private.
seed WORD: add a word of yours to the dice of the next game, in the place of the card's own.
state: ask the host how things stand. nick NEW: come back under another nick. quit: leave; your seat waits."""

_REMINDERS: Final = (30, 10)
"""Seconds left at which the time is told."""

_CARDS_OWN: Final = frozenset({"say", "me", "host", "state", "nick", "quit"})


class Plain:
    """A card that writes sentences with `write` and is told what was typed by `read`."""

    def __init__(self, dialogue: Dialogue, write: Callable[[str], None], doors: Doors) -> None:
        self._dialogue, self._write, self._doors = dialogue, write, doors
        self._shown: object = None
        self._reminded: set[tuple[str, int, int]] = set()
        self._looks: Mapping[LookAt, Callable[[], None]] = MappingProxyType(
            {
                LookAt.DICE: lambda: self._write(words.rolled(self._dialogue.view, self._dialogue.now)),
                LookAt.CARD: lambda: self._write("\n".join(words.card(self._dialogue.view))),
                LookAt.SCORES: lambda: self._write(words.standings(self._dialogue.view)),
                LookAt.WHO: lambda: self._write(words.standings(self._dialogue.view)),
                LookAt.TIME: self._tell_time,
                LookAt.ANALYSIS: self._analysis,
                LookAt.RULES: lambda: self._write(self._dialogue.view.rules.further_yahtzee),
            }
        )

    def note(self, note: Note) -> None:
        """Write a line of the log."""
        self._write(str(note))

    def changed(self) -> None:
        """Say what is new in the game, once."""
        dialogue, view = self._dialogue, self._dialogue.view
        hand = (view.hand.round, view.hand.roll) if view.hand and view.deciding else None
        shown = dialogue.where, view.game, view.stage, hand
        if shown == self._shown or dialogue.play.pending is not None:
            return
        self._shown = shown
        here = dialogue.where is Where.HERE
        self._write(words.rolled(view, dialogue.now) if hand and here else dialogue.status)

    def tick(self) -> None:
        """Say when time gets short."""
        view, left = self._dialogue.view, self._dialogue.left
        if not view.deciding or view.clock is not Clock.RUNS:
            return
        for seconds in _REMINDERS:
            key = view.game, view.round, seconds
            if 0 < left <= seconds and key not in self._reminded:
                self._reminded.add(key)
                self._write(f"{left} seconds left.")

    def read(self, line: str) -> None:
        """Do what was typed."""
        verb, _, rest = line.strip().partition(" ")
        if not verb:
            return
        if verb.startswith("/"):
            typed.enter(line, self._dialogue, self._doors)
        elif verb.lower() in _CARDS_OWN or (verb.lower() == "seed" and rest):
            typed.enter(f"/{verb} {rest}", self._dialogue, self._doors)
        elif verb.lower() in ("help", "?"):
            self._write(HELP)
        else:
            self._play(line)

    def _play(self, line: str) -> None:
        try:
            found = parse(line)
        except AmbiguousBox as error:
            self._refuse(f"That may be {' or '.join(map(self._label, error.categories))}.")
            return
        except UnknownBox as error:
            close = f" Did you mean {' or '.join(error.close)}?" if error.close else ""
            self._refuse(f"There is no such box.{close}")
            return
        except ProtocolError as error:
            self._refuse(f"Not understood: {error}. Nothing was sent; help lists what can be typed.")
            return
        view = self._dialogue.view
        command, shown = found.command, view.channel or self._dialogue.channel
        match command:
            case Practice():
                self._dialogue.play.practise()
            case _ if found.channel and not self._dialogue.same(found.channel, shown):
                self._refuse("That is for another game than the one that you play here. Nothing was sent.")
            case Keep() | Reroll():
                self._hold(command)
            case Score(category):
                self._score(category)
            case Look(at):
                self._looks[at]()
            case Hint():
                self._hint()
            case Join():
                self._dialogue.play.register()
            case Start():
                self._dialogue.start()
            case Leave():
                self._dialogue.leave()
            case _:
                self._dialogue.to_host(line)

    def _hint(self) -> None:
        if said := words.hint(self._dialogue.view):
            self._write(said)
        else:
            self._dialogue.play.hint()

    def _analysis(self) -> None:
        view = self._dialogue.view
        if view.analysis:
            self._write("\n".join(words.analysis(view, view.analysis)))
        else:
            self._dialogue.ask_analysis()

    def _hold(self, command: Keep | Reroll) -> None:
        view = self._dialogue.view
        if view.hand is not None and view.can_roll:
            try:
                self._dialogue.play.keep(command.kept(view.hand.dice))
            except MissingFace as error:
                self._refuse(
                    f"You named {error.named} dice that show {error.face}, and there are {error.there}."
                )
                return
        self._dialogue.play.send_rerolls()

    def _score(self, category: Category) -> None:
        play = self._dialogue.play
        if play.view.marked is not category:
            play.mark(category)
        if play.view.marked is category:
            play.send_score()

    def _label(self, category: Category) -> str:
        return f"{self._dialogue.view.rules.label(category)} ({boxes.CODES[category][0]})"

    def _refuse(self, text: str) -> None:
        self._dialogue.tell(Tone.WARNING, text)

    def _tell_time(self) -> None:
        stopped = "" if self._dialogue.view.clock is Clock.RUNS else " The clock stands."
        self._write(f"{self._dialogue.left} seconds left.{stopped}")


async def lines(read: Callable[[str], None]) -> None:
    """Pass on what is typed on standard input, line by line, until its end."""
    loop = asyncio.get_running_loop()
    typed_: asyncio.Queue[str] = asyncio.Queue()

    def wait() -> None:
        with contextlib.suppress(RuntimeError):  # the loop is over
            while line := sys.stdin.readline():
                loop.call_soon_threadsafe(typed_.put_nowait, line)
            loop.call_soon_threadsafe(typed_.put_nowait, "")

    # A thread that nobody waits for at the end: it may wait for a line that never comes.
    threading.Thread(target=wait, daemon=True).start()
    while line := await typed_.get():
        read(line.rstrip("\r\n"))


def write(text: str) -> None:
    """Write a sentence for a reader that may be gone."""
    try:
        sys.stdout.write(f"{text}\n")
        sys.stdout.flush()
    except BrokenPipeError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
