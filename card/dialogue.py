"""The talk with the host: who is it, what was asked and not answered yet, and what follows from what it says.

No I/O. Events of the link come in through `hear`, words of the player through `say` and `to_host`, what they
decide through `play`, and time through `tick`.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from importlib.metadata import version
from typing import Final

from card import words
from card.asking import Asking
from card.decisions import Decisions
from card.finder import Finder
from card.notes import Note, Tone
from card.ports import Listener, Memory, Where, Wire
from card.view import View
from card.words import Trouble
from chat.events import (
    Acted,
    Connected,
    Disconnected,
    Joined,
    Kicked,
    LinkEvent,
    Message,
    Names,
    NickChanged,
    Parted,
    Present,
    Quit,
    Refused,
)
from protocol.card import commands, fields, news
from protocol.card.fields import BadLine
from protocol.card.keys import VERSION, Code, Lines, Phase
from protocol.card.stages import Stage
from protocol.commands import PRACTICE
from protocol.typed import visible

_WORDS_GAP: Final = 10.0
"""Seconds in which words in private are the answer to something that was typed."""


_OBSTACLES: Final = {Where.OFFLINE: Trouble.OFFLINE, Where.SEEKING: Trouble.NO_HOST}


class Dialogue:
    """One card's talk with one host in one channel; where one nick is `trusted`, with no other."""

    def __init__(
        self,
        wire: Wire,
        channel: str,
        clock: Callable[[], float],
        memory: Memory | None = None,
        trusted: str = "",
    ) -> None:
        self._wire, self.channel, self._clock = wire, channel, clock
        self._memory = memory or Memory()
        self.listener = Listener()
        self.play = Decisions(self, clock)
        self._finder = Finder(channel, self._memory.host, wire.fold, trusted)
        self._connected = False
        self._asking = Asking(clock)
        self._told: dict[str, str] = {}
        """Games that the state has named so far, and where they are."""

        self.practises = False
        """Whether to begin a practice game as soon as the host has told how things stand."""

        self._returned = False
        """Whether a seat was asked back by its token since the connection was made."""

        self._typed_at = self._greeted_at = -_WORDS_GAP

    # --- what is to be seen ---

    @property
    def where(self) -> Where:
        if not self._connected:
            return Where.OFFLINE
        return Where.HERE if self._finder.host else Where.SEEKING

    @property
    def host(self) -> str | None:
        """The host's nick, once it is known."""
        return self._finder.host

    @property
    def nick(self) -> str:
        return self._wire.nick

    @property
    def view(self) -> View:
        return self.play.view

    @property
    def now(self) -> float:
        return self._clock()

    @property
    def left(self) -> int:
        """Seconds until the time is up."""
        return self.view.left(self._clock())

    @property
    def status(self) -> str:
        """The sentence under the card."""
        if self.where is Where.OFFLINE:
            return Trouble.OFFLINE.value if self.view.playing else "Connecting …"
        if self.where is Where.SEEKING:
            if self._finder.asked_all:
                return (
                    f"No host answers in {self.channel} just now. The card goes on looking; State asks again."
                )
            return f"Looking for the host in {self.channel} …"
        if self.play.pending is not None:
            return "Sent; the host's answer is on its way …"
        if self._asking.unanswered and self.view.stage is Stage.WAITING:
            return "The host tells how things stand …"
        return words.status(self.view)

    # --- what the player wants, besides what they decide ---

    def start(self) -> None:
        """Begin the game now; the host says whether the player may."""
        if trouble := self.play.why_no_start():
            self.tell(Tone.WARNING, trouble.value)
        else:
            self.to_host(f"{self.channel} start")

    def ask_analysis(self) -> None:
        """Ask what luck and decisions made of the game that is over."""
        self.to_host(f"{self._where} analysis")

    def leave(self) -> None:
        """Give the seat up, or the practice game."""
        self.to_host(f"{self._where} leave")
        self._asking.want()

    @property
    def _where(self) -> str:
        """What stands before a typed line about the game that is shown."""
        return PRACTICE if self.view.practice else self.channel

    def ask_state(self) -> None:
        """Ask the host how things stand, or for the host."""
        if not self._connected:
            self.tell(Tone.WARNING, Trouble.OFFLINE.value)
        self._finder.again()
        self._asking.insist()
        self.tick()

    def to_host(self, text: str) -> None:
        """Say something to the host in private, as people type it."""
        if trouble := self.obstacle():
            self.tell(Tone.WARNING, trouble.value)
            return
        self._typed_at = self._clock()
        shown = "return (not shown)" if "return" in text.lower() else text
        self.tell(Tone.OWN, shown, f"{self.nick} to {self.host}")
        self._wire.send(self.host or "", text)

    def say(self, text: str) -> None:
        """Say something in the channel."""
        self._speak(text, text, self.nick)

    def act(self, text: str) -> None:
        """Do something in the channel, as /me does."""
        self._speak(f"\x01ACTION {text}\x01", f"* {self.nick} {text}", "")

    def _speak(self, line: str, shown: str, who: str) -> None:
        if not self._connected:
            self.tell(Tone.WARNING, Trouble.OFFLINE.value)
            return
        self._typed_at = self._clock()  # `!dice` is answered in private words
        self._wire.send(self.channel, line)
        self.tell(Tone.OWN, visible(shown), who)

    # --- time ---

    def tick(self) -> None:
        """Do what is due; to be called a few times a second."""
        self._greet_who_is_due()
        if self.play.overdue():
            self.tell(Tone.WARNING, "No answer came. The card asks the host how things stand.")
            self._asking.insist()
        if self.view.is_overdue(self._clock()) and not self._asking.unanswered:
            self._asking.want()  # what became of the game was not heard
        if self.where is Where.HERE and self._asking.take():
            self._told.clear()
            self.post(commands.AskState())

    # --- what the link tells ---

    def hear(self, event: LinkEvent) -> None:
        """Take an event of the link."""
        now = self._clock()
        match event:
            case Connected():
                self._connected = True
            case Disconnected(reason):
                self._connected = False
                self._out()
                self.tell(
                    Tone.WARNING, f"The connection is lost: {visible(reason)}. The card comes back by itself."
                )
            case Kicked(nick, channel, by) if self._is_ours(channel) and self._wire.is_me(nick):
                self._out()
                self.tell(
                    Tone.WARNING, f"{visible(by)} put you out of {channel}. The card tries to come back."
                )
            case Names(channel, nicks) if self._is_ours(channel):
                self._finder.names(nicks, now)
            case Present(channel, users) if self._is_ours(channel):
                self._finder.present(users)
            case Joined(user, channel) if self._is_ours(channel) and not self._wire.is_me(user.nick):
                self._finder.joined(user)
            case Parted(user, channel) if self._is_ours(channel):
                self._left(user.nick)
            case Kicked(nick, channel) if self._is_ours(channel):
                self._left(nick)
            case Quit(user):
                self._left(user.nick)
            case NickChanged(user, nick):
                self._renamed(user.nick, nick)
            case Refused(_, target, text):
                self.tell(Tone.WARNING, f"The server says: {visible(f'{target} {text}')}")
            case Message():
                self._heard(event)
            case Acted(user, channel, text) if self._is_ours(channel):
                self.tell(Tone.SAID, visible(f"* {user.nick} {text}"))
        self._greet_who_is_due()
        self.redraw()

    def _heard(self, message: Message) -> None:
        nick, text = message.user.nick, message.text
        from_host = self._finder.is_host(nick)
        if fields.parts(text) is not None:
            if message.private:
                self._read(nick, text, from_host=from_host)
        elif message.private:
            self.tell(Tone.PRIVATE if from_host else Tone.SAID, visible(text), f"{visible(nick)} to you")
            if from_host and self._clock() - max(self._typed_at, self._greeted_at) >= _WORDS_GAP:
                self._greet(nick)  # it has forgotten that here is a card
        elif self._is_ours(message.target):
            self._overheard(nick, visible(text), from_host=from_host)

    def _overheard(self, nick: str, seen: str, *, from_host: bool) -> None:
        of_a_round = seen.startswith(("Round ", "Final result: "))
        tone = (Tone.ROUND if of_a_round else Tone.HOST) if from_host else Tone.SAID
        self.tell(tone, seen, visible(nick))
        if from_host and self.view.stage is Stage.LOBBY:
            self._asking.want()  # somebody may have come or gone

    def _read(self, nick: str, text: str, *, from_host: bool) -> None:
        try:
            line = news.read(text)
        except BadLine as error:
            if from_host:
                self.tell(Tone.WARNING, f"The host sent something that the card cannot read ({error}).")
                self._asking.want()
            return
        if isinstance(line, news.Greeting):
            self._greeted(nick)
        elif from_host and line is not None:
            self._told_by_host(line)
        elif isinstance(line, news.Refused) and line.code is Code.VERSION:
            self.tell(Tone.WARNING, words.REFUSALS[line.code])

    def _greeted(self, nick: str) -> None:
        known = self._finder.is_host(nick)
        if not self._finder.greeted(nick, self._clock()):
            return
        if not known:
            self.tell(Tone.CARD, f"{visible(nick)} is the host here.")
            self._remember(replace(self._memory, host=nick))
        self._asking.answered()  # whom it did not know it tells nothing
        self._asking.want()
        self.tick()

    def _told_by_host(self, line: news.News) -> None:
        self._asking.heard()
        match line:
            case news.Seated() | news.Began() if not self._is_shown(line):
                return
            case news.Began():
                self._asking.spare()  # what was to be asked about the lobby
            case news.Seated(game=game, channel=channel, token=token):
                self._told[game] = channel
                if token:
                    self._remember(Memory(self.host or "", token, self.host or ""))
        self.play.take(line)
        if isinstance(line, news.End):
            self._state_told()
        if not self.view.sound:
            self._asking.want()
        ended = isinstance(line, news.Result | news.Gone) and line.game == self.view.game
        if ended and not self.view.practice:
            self._remember(replace(self._memory, token=""))

    def _is_shown(self, line: news.Seated | news.Began) -> bool:
        """Whether the card is for this game: first for one at the table, then for practice.

        A game in another channel is for another card.
        """
        if line.channel == PRACTICE:
            return not self.view.at_table
        looks_back = isinstance(line, news.Seated) and line.stage is Phase.OVER
        return self._is_ours(line.channel) and not (looks_back and self.view.practice)

    def _state_told(self) -> None:
        """The whole state came: a game that it does not name is not the player's any more."""
        self._asking.answered()
        token, seated = self._memory.token, any(map(self._is_ours, self._told.values()))
        if token and not seated and not self._returned and self._finder.is_host(self._memory.giver):
            self._returned = True
            self.to_host(f"return {token}")
            self._asking.insist(at_once=True)
            self.tick()
            return
        if not seated and self._returned:
            self._remember(replace(self._memory, token=""))  # in vain, and the host has said why
        if self.view.game not in self._told:
            self.play.unseated()
        if self.practises and not (self.view.practice and self.view.playing):
            self.play.practise()
        self.practises = False

    # --- what decisions need (`card.decisions.Desk`) ---

    def obstacle(self) -> Trouble | None:
        """Why nothing can be sent to the host now."""
        return _OBSTACLES.get(self.where)

    def post(self, command: commands.Command) -> None:
        self._wire.send(self.host or "", fields.write(command))

    def tell(self, tone: Tone, text: str, who: str = "") -> None:
        self.listener.note(Note(tone, text, who))
        self.redraw()

    def redraw(self) -> None:
        self.listener.changed()

    # --- parts ---

    def same(self, channel: str, other: str) -> bool:
        """Whether two names are of one channel."""
        return self._wire.fold(channel) == self._wire.fold(other)

    def _is_ours(self, channel: str) -> bool:
        return self.same(channel, self.channel)

    def _out(self) -> None:
        self._finder.lost()
        self._returned = False
        self._out_of_touch()

    def _left(self, nick: str) -> None:
        if self._finder.left(nick, self._clock()):
            self._out_of_touch()
            self.tell(
                Tone.WARNING, "The host is gone from here. Your seat waits, and no time passes for you."
            )

    def _renamed(self, old: str, new: str) -> None:
        self.play.view = self.view.renamed(old, new, self._wire.fold)
        if self._finder.renamed(old, new):
            giver = new if self._wire.fold(self._memory.giver) == self._wire.fold(old) else self._memory.giver
            self._remember(replace(self._memory, host=new, giver=giver))
            self.tell(Tone.CARD, f"The host is called {visible(new)} now.")

    def _out_of_touch(self) -> None:
        """What was asked will not be answered."""
        self.play.forget()
        self._asking.forget()

    def _greet_who_is_due(self) -> None:
        if self._connected and (target := self._finder.due(self._clock())):
            self._greet(target)

    def _greet(self, target: str) -> None:
        self._greeted_at = self._clock()
        hello = commands.Hello(VERSION, Lines.ONLY, f"yardzee-card/{version('yardzee')}")
        self._wire.send(target, fields.write(hello))

    def _remember(self, memory: Memory) -> None:
        if memory != self._memory:
            self._memory = memory
            self.listener.remember(memory)
