"""What the card hears of the dice of its game, what it adds to them, and what it says of them in the end.

It stands beside a dialogue, and is told of the same events and ticks behind it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from contextlib import suppress
from typing import Final

from card.dialogue import Dialogue
from card.notes import Tone
from card.ports import Where
from card.view import View
from chat.events import LinkEvent, Message
from game.dice import Dice
from game.fair import NO_WORD, DiceMode
from protocol.card import commands, news
from protocol.card.fields import BadLine
from protocol.card.keys import Exit
from protocol.card.stages import Stage
from protocol.check import Own, check
from protocol.fairness import WORD, Commit
from protocol.heard import Heard, fragment
from protocol.typed import visible
from protocol.verdict import Right, Unknown, Verdict, Wrong

_LOBBY_PATIENCE: Final = 2.0
_GAME_PATIENCE: Final = 60.0
"""Seconds after which the host is asked for what should have been heard. Dice are dealt before the seats."""

_END_PATIENCE: Final = 120.0
"""Seconds after the last that was heard of a game that is over. All hear their results before the seed."""

_NOT_CHECKED: Final = "The dice of this game were not checked: the card does that for games at a table."

_TYPED: Final = re.compile(rf"Your word in the dice: ({WORD})|You add no word to the dice\.")
"""The host's answer to a word that was typed."""

_MODES: Final = {mode.value: mode for mode in DiceMode}


class Witness:
    """`draw` makes a word where the player has not set one."""

    def __init__(self, dialogue: Dialogue, draw: Callable[[], str]) -> None:
        self._dialogue, self._draw = dialogue, draw
        self.word = ""
        """The player's own; `-` is none."""

        self._heard = Heard("")
        self._dice: dict[tuple[int, int], Dice] = {}
        """That were shown in this game, by round and roll."""

        self._taken = ""
        """The word that the host has taken for this game."""

        self._seat = self._seats = 0
        self._totals: tuple[int, ...] = ()
        self._word_sent = ""
        """The last one for this game, taken or not."""

        self._sent = self._asked = ""
        """The games for which a word was sent, and the host was asked for what was not heard."""

        self._judged = self._passed = ""
        """The games of which it was said what came of checking them, and that they were not checked."""

        self._at = 0.0
        """When something was last heard of the dice of this game, or it began or ended."""

        self._phase = (False, False)
        """Whether it is played, and whether it is over."""

    def add_word(self, word: str) -> None:
        """Add this word to the dice of the lobby, or of the next one; `-` for none."""
        if not re.fullmatch(WORD, word):
            self._dialogue.tell(Tone.WARNING, "A word for the dice has 1 to 32 letters, digits and . _ -")
            return
        self.word, self._sent = word, ""
        if self._dialogue.view.stage is not Stage.LOBBY:
            self._dialogue.tell(Tone.CARD, "It goes into the dice of your next game.")
        self.tick()

    def hear(self, event: LinkEvent) -> None:
        """Take an event of the link, after the dialogue has."""
        match event:
            case Message(user, target, text, private=private) if user.nick == self._dialogue.host:
                if private or target.lower() == self._dialogue.channel.lower():
                    self._read(visible(text), private=private)
        self.tick()

    def tick(self) -> None:
        """Do what is due."""
        view = self._dialogue.view
        if view.practice:
            self._pass_over(view)
            return
        if view.game and view.game != self._heard.game and (view.playing or view.stage is Stage.LOBBY):
            self._watch(view.game)
        if view.game and view.game == self._heard.game:
            self._follow()
        if not self._seats and (view.game != self._heard.game or view.stage is Stage.OUT):
            # A seat in a lobby that is given up takes its word along.
            self._sent = self._taken = self._word_sent = ""

    # --- parts ---

    def _pass_over(self, view: View) -> None:
        """Say that a practice game is not checked. Of the one before it the seed may still come."""
        if self._heard.complete:
            self._judge()
        if view.stage is Stage.OVER and self._passed != view.game:
            self._passed = view.game
            self._dialogue.tell(Tone.CARD, _NOT_CHECKED)

    def _watch(self, game: str) -> None:
        self._judge()
        self._heard, self._dice, self._totals, self._seat = Heard(game), {}, (), 0
        self._taken = self._word_sent = ""
        self._at = self._dialogue.now

    def _read(self, text: str, *, private: bool) -> None:
        found = fragment(text)
        if isinstance(found, Commit) and found.game != self._heard.game:
            self._watch(found.game)
        if (found or not private) and self._heard.hear(text):
            self._at = self._dialogue.now
        if private and (typed := _TYPED.fullmatch(text)):
            self._taken = self._word_sent = typed[1] or NO_WORD
        with suppress(BadLine):
            match news.read(text) if private else None:
                case news.WordAdded(game, word) if game == self._heard.game:
                    self._taken = word
                    if word != NO_WORD:
                        self._dialogue.tell(Tone.CARD, f"Your word in the dice: {word}")
                case news.Refused(_, commands.AddWord.KIND):
                    self._dialogue.tell(Tone.WARNING, "Your word did not come into the dice of this game.")

    def _follow(self) -> None:
        """Take in what the dialogue knows of the game."""
        view, now = self._dialogue.view, self._dialogue.now
        self._heard.rules = view.rules if view.known and view.mode in _MODES else None
        self._heard.mode = _MODES.get(view.mode, DiceMode.OWN)
        self._seat = view.seat
        if view.hand and view.playing:
            self._dice.setdefault((view.hand.round, view.hand.roll), view.hand.dice)
        if view.stage is Stage.LOBBY:
            self._send_word()
        elif view.playing:
            self._seats = view.seats
            self._heard.began = True
        over = view.stage is Stage.OVER or view.exit is Exit.STOPPED
        if self._phase != (view.playing, over):
            self._phase, self._at = (view.playing, over), now
        missing = not self._heard.commit or (view.playing and len(self._heard.seats) < view.seats)
        patience = _LOBBY_PATIENCE if view.stage is Stage.LOBBY else _GAME_PATIENCE
        if missing and self._asked != view.game and now - self._at > patience and self._is_here:
            self._asked = view.game
            self._dialogue.to_host(f"{self._dialogue.channel} seed")
        self._totals = view.totals if view.stage is Stage.OVER else ()
        told = self._heard.complete and (over or view.stage is Stage.OUT)
        if told or ((over or self._heard.seed) and now - self._at > _END_PATIENCE):
            self._judge()

    @property
    def _is_here(self) -> bool:
        return self._dialogue.where is Where.HERE

    def _send_word(self) -> None:
        game = self._heard.game
        if self._heard.commit and self._sent != game and self._is_here:
            self._sent, self._word_sent = game, self.word or self._draw()
            self._dialogue.post(commands.AddWord(game, self._word_sent))

    def _judge(self) -> None:
        """Say what became of the game, once, if the player sat in it when it was played."""
        game = self._heard.game
        if not self._seat or not self._seats or self._judged == game:
            return
        self._judged = game
        own = Own(self._seat, self._seats, self._taken, self._word_sent, self._dice, self._totals)
        verdict = check(self._heard, own)
        self._dialogue.tell(Tone.WARNING if isinstance(verdict, Wrong) else Tone.ROUND, said(verdict))
        self._seats = 0


def said(verdict: Verdict) -> str:
    """What came of checking the dice, as a sentence."""
    match verdict:
        case Wrong():
            return f"THE DICE OF THIS GAME ARE NOT RIGHT: {verdict}."
        case Unknown(_, why):
            return f"The dice of this game could not be checked: {why}."
        case Right(unchecked=()):
            fit = "fit the seed that was fixed before the game"
        case _:
            fit = "fit the seed"
    rest = f" Not checked: {'; '.join(verdict.unchecked)}." if verdict.unchecked else ""
    return f"Dice checked: {verdict.rolls} rolls of {verdict.seats} seats {fit}.{rest}"
