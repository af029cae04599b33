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
from protocol.card.keys import VERSION, Code, Lines
from protocol.card.stages import Stage
from protocol.typed import visible

_STATE_GAP: Final = 3.0
"""Seconds between two questions for the state, since the host counts them."""

_STATE_WITHIN: Final = 10.0
"""Seconds in which its next line comes; after twice, three times … as long it is asked for again."""

_MOST_PATIENT: Final = 6

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
        self._state_at: float | None = None
        """When the state was asked for last."""

        self._state_due: float | None = None
        self._unanswered = 0
        """How often running it was asked for without having been told to its end."""

        self._heard_at = 0.0
        """When the host's last line for programs came."""

        self._told: set[str] = set()
        """Games that the state has named so far."""

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
        if self._unanswered and self.view.stage is Stage.WAITING:
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
        self.to_host(f"{self.channel} analysis")

    def leave(self) -> None:
        """Give the seat up."""
        self.to_host(f"{self.channel} leave")
        self._want_state()

    def ask_state(self) -> None:
        """Ask the host how things stand, or for the host."""
        if not self._connected:
            self.tell(Tone.WARNING, Trouble.OFFLINE.value)
        self._finder.again()
        self._state_due = self._clock()
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
        now = self._clock()
        self._greet_who_is_due()
        if self.play.overdue():
            self.tell(Tone.WARNING, "No answer came. The card asks the host how things stand.")
            self._state_due = now
        if self.view.is_overdue(now) and not self._unanswered:
            self._want_state()  # what became of the game was not heard
        due = self._state_due
        if self._unanswered and self._state_at is not None:
            # While it is being told, a second question would only have it told all over again.
            due = max(self._state_at, self._heard_at) + _STATE_WITHIN * self._unanswered
        if due is None or now < due or self.where is not Where.HERE:
            return
        if self._state_at is not None and now - self._state_at < _STATE_GAP:
            self._state_due = self._state_at + _STATE_GAP
            return
        self._state_at, self._state_due = now, None
        self._unanswered = min(_MOST_PATIENT, self._unanswered + 1)
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
            self._want_state()  # somebody may have come or gone

    def _read(self, nick: str, text: str, *, from_host: bool) -> None:
        try:
            line = news.read(text)
        except BadLine as error:
            if from_host:
                self.tell(Tone.WARNING, f"The host sent something that the card cannot read ({error}).")
                self._want_state()
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
        self._unanswered = 0  # whom it did not know it tells nothing
        self._want_state()
        self.tick()

    def _told_by_host(self, line: news.News) -> None:
        self._heard_at = self._clock()
        match line:
            case news.Seated(channel=channel) | news.Began(channel=channel) if not self._is_ours(channel):
                return  # a game in another channel, which another card may play
            case news.Began():
                self._state_due = None  # what was to be asked about the lobby
            case news.Seated(game=game, token=token):
                self._told.add(game)
                if token:
                    self._remember(Memory(self.host or "", token, self.host or ""))
        self.play.take(line)
        if isinstance(line, news.End):
            self._state_told()
        if not self.view.sound:
            self._want_state()
        if isinstance(line, news.Result | news.Gone):
            self._remember(replace(self._memory, token=""))

    def _state_told(self) -> None:
        """The whole state came: a game that it does not name is not the player's any more."""
        self._unanswered = 0
        token = self._memory.token
        if token and not self._told and not self._returned and self._finder.is_host(self._memory.giver):
            self._returned = True
            self.to_host(f"return {token}")
            self._state_at, self._state_due = None, self._clock()
            self.tick()
        elif self.view.game not in self._told:
            if self._returned:
                self._remember(replace(self._memory, token=""))  # in vain, and the host has said why
            self.play.unseated()

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

    def _is_ours(self, channel: str) -> bool:
        return self._wire.fold(channel) == self._wire.fold(self.channel)

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
        self._state_due = self._state_at = None
        self._unanswered = 0

    def _want_state(self) -> None:
        if self._state_due is None:
            self._state_due = self._clock()

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
