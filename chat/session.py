"""One connection seen from above: lines come in, events and answers go out. No I/O, no clock of its own."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from typing import Final

from chat import refusals
from chat.backoff import Backoff
from chat.batches import Batch, Batches, names_servers
from chat.casemap import fold
from chat.census import Census
from chat.channels import Channels
from chat.events import (
    AccountChanged,
    Acted,
    Connected,
    HostChanged,
    Joined,
    Kicked,
    LinkEvent,
    Message,
    NickChanged,
    Parted,
    Quit,
    User,
)
from chat.isupport import ISupport
from chat.lines import text_budget
from chat.login import Login
from chat.masking import is_nickserv
from chat.nicks import NickKeeper
from chat.playback import ServerClock
from chat.recovery import Recovery
from chat.registration import NICK_REFUSALS, Registration
from chat.roster import Roster, account_name
from chat.settings import NAME_LIMIT, LinkSettings, Timings, is_name
from chat.wire import Line

# What a server may show of us before it has: a user name of ten bytes with its `~` (USERLEN is 10 at
# most where it is told), and the longest host name (RFC 2812 section 2.3.1).
_LONGEST_USER: Final = "~" + "u" * 9
_LONGEST_HOST: Final = "h" * 63

# Answers to NICK besides those known from registration: too fast, not while in a channel.
_NICK_REFUSALS: Final = NICK_REFUSALS | {"438", "447"}
_CTCP: Final = "\x01"
_ACTION: Final = re.compile(r"\x01ACTION ([^\x01]+)\x01?")
# The share of the time for registration after which it goes on without what is only good to have.
_PATIENCE: Final = 1 / 3


class Session:
    """What is known and done during one connection.

    `transmit` sends one line and `emit` tells the listener; neither may raise for a reason that lies
    with the other side. Before `ready` nothing is emitted.
    """

    def __init__(  # noqa: PLR0913 - each is needed, and those that could be mixed up are named
        self,
        settings: LinkSettings,
        timings: Timings,
        channels: Channels,
        recovery: Recovery,
        *,
        clock: Callable[[], float],
        wall: Callable[[], float],
        jitter: Callable[[], float],
        transmit: Callable[[str], None],
        emit: Callable[[LinkEvent], None],
    ) -> None:
        self.isupport = ISupport()
        self.me = User(settings.nick)
        self.ready_at: float | None = None
        self._timings = timings
        self._channels = channels
        self._clock = clock
        self._transmit = transmit
        self._emit = emit
        self._started_at = clock()
        self._welcomed_at: float | None = None
        self._motd_is_over = False
        self._login = Login(
            settings,
            timings,
            clock=clock,
            jitter=jitter,
            transmit=transmit,
            mechanisms=lambda: self._registration.capabilities.value("sasl"),
            is_me=self.is_me,
            proceed=self._proceed,
        )
        self._registration = Registration(settings, transmit, settled=self._login.begin)
        self._has = self._registration.capabilities.has
        regain = Backoff(timings.regain_first, timings.regain_longest, jitter)
        self._recovery = recovery
        self._keeper = NickKeeper(settings.nick, regain, clock, recovery)
        self._batches = Batches()
        self._server_clock = ServerClock(clock, wall, lambda: transmit("PING :time"))
        self._roster = Roster(self._fold)
        self._census = Census(
            self._roster,
            fold=self._fold,
            is_me=self.is_me,
            is_in=channels.is_in,
            isupport=lambda: self.isupport,
            transmit=transmit,
            tell=self._tell,
            clock=clock,
        )
        self._handlers: dict[str, Callable[[Line], None]] = {
            "CAP": self._registration.capabilities.handle,
            "ACCOUNT": self._on_account,
            "CHGHOST": self._on_chghost,
            "NICK": self._on_nick,
            "JOIN": self._on_join,
            "PART": self._on_part,
            "KICK": self._on_kick,
            "PRIVMSG": self._on_privmsg,
            "NOTICE": self._on_notice,
            "005": self._on_isupport,
            "353": self._census.names,
            "366": self._census.end_of_names,
            "352": self._census.who,
            "354": self._census.who_fields,
            "315": self._census.end_of_who,
            "263": self._census.try_again,
            "376": lambda _line: self._end_of_motd(),
            "422": lambda _line: self._end_of_motd(),
            "396": self._on_host,
        }

    @property
    def failure(self) -> str | None:
        """Why there is no use in going on with this connection, or None."""
        return self._registration.failure or self._login.failure

    def begin(self) -> None:
        """Start to register."""
        self._registration.begin()

    def is_me(self, nick: str) -> bool:
        """Tell whether `nick` is the link's own."""
        return self._fold(nick) == self._fold(self.me.nick)

    def budget(self, target: str, command: str) -> int:
        """Return how many bytes of text fit in one line to `target`."""
        # The nick may change back before a line that is measured now goes out.
        nick = max(self.me.nick, self._keeper.wanted, key=lambda name: len(name.encode()))
        seen = User(nick, self.me.user or _LONGEST_USER, self.me.host or _LONGEST_HOST)
        return text_budget(seen.mask, command, target)

    def handle(self, line: Line) -> None:
        """Take one line in."""
        batch = self._batches.see(line)
        if batch is Batch.HISTORY:
            return
        if self._has("server-time"):
            self._server_clock.see(line, mine=self.is_me(User.from_mask(line.source).nick))
        if self._welcomed_at is None:
            self._registration.handle(line)
            if self._registration.nick is not None:
                self._welcomed_at = self._clock()
                self.me = User(self._registration.nick, account=self._login.name)
        self._login.handle(line)
        if line.command == "QUIT":
            self._on_quit(line, split=batch is Batch.NETSPLIT)
        elif handler := self._handlers.get(line.command):
            handler(line)
        elif self.ready_at is not None and line.command.isdecimal():
            self._on_numeric(line)

    def tick(self) -> str | None:
        """Do what is due by the clock. Returns why the connection should be given up, or None."""
        now = self._clock()
        self._login.tick()
        if self.ready_at is None:
            if self._welcomed_at is None and now - self._started_at >= self._timings.register:
                return "no welcome from the server"
            if now - self._started_at >= self._timings.register * _PATIENCE:
                self._registration.hurry()
            if self._welcomed_at is not None and now - self._welcomed_at >= self._timings.motd:
                self._end_of_motd()
            return None
        self._census.tick()
        for names in self._channels.due(now):
            self._transmit(f"JOIN {names}")
        if nick := self._keeper.due():
            self._transmit(f"NICK {nick}")
        return None

    def part(self, channels: list[str]) -> None:
        """Leave `channels`, which the link is no longer to be in."""
        for channel in channels:
            self._transmit(f"PART {channel}")

    def _end_of_motd(self) -> None:
        if self._welcomed_at is not None and not self._motd_is_over:
            self._motd_is_over = True
            self._login.welcomed()
            self._proceed()

    def _proceed(self) -> None:
        """Take the next step that waits for the login."""
        self._registration.end()
        if self._motd_is_over and self._login.settled and self.ready_at is None:
            self._become_ready()

    def _become_ready(self) -> None:
        self.ready_at = self._clock()
        self._channels.set_casemapping(self.isupport.casemapping)
        self._keeper.nicklen = self.isupport.nicklen
        if self.isupport.bot:
            self._transmit(f"MODE {self.me.nick} +{self.isupport.bot}")
        self._keeper.has_nick(self.me.nick, self.isupport.casemapping)
        self._nick_refused()
        self._emit(Connected(self.me.nick))
        self.tick()

    def _on_isupport(self, line: Line) -> None:
        casemapping = self.isupport.casemapping
        self.isupport = self.isupport.fed(line.params[1:])
        if self.isupport.casemapping != casemapping:
            self._roster.refold()
        # Before the last 005 nothing can be concluded from what is missing.
        if "CASEMAPPING" in self.isupport.tokens:
            self._channels.set_casemapping(self.isupport.casemapping)
        self._keeper.nicklen = self.isupport.nicklen

    def _on_nick(self, line: Line) -> None:
        user, nick = self._user(line), line.param(0)
        if not user.nick or not is_name(nick):
            return
        if self.is_me(user.nick):
            self._show_me(replace(user, nick=nick))
            if self.ready_at is not None:
                self._keeper.has_nick(nick, self.isupport.casemapping)
        else:
            self._roster.renamed(user.nick, nick)
            self._given_up(user.nick)
        self._tell(NickChanged(user, nick))

    def _on_account(self, line: Line) -> None:
        user, account = User.from_mask(line.source), account_name(line.param(0))
        if not user.nick or not line.params:
            return
        # Not _user: a tag on this line shows the new account already.
        user = replace(user, account=self._known_account(user.nick))
        self._learn_account(user.nick, account)
        self._tell(AccountChanged(user, account))

    def _on_chghost(self, line: Line) -> None:
        user = self._user(line)
        if not user.nick or not line.param(0) or not line.param(1):
            return
        new_user = replace(user, user=line.param(0), host=line.param(1))
        if self.is_me(user.nick):
            self._show_me(new_user)
        self._tell(HostChanged(user, new_user))

    def _on_join(self, line: Line) -> None:
        user, channel = self._user(line), line.param(0)
        if not user.nick or not self.isupport.is_channel(channel):
            return
        if self._has("extended-join") and len(line.params) > 2:  # channel, account, real name
            user = replace(user, account=account_name(line.param(1)))
        if self.is_me(user.nick):
            self._show_me(replace(user, nick=self.me.nick))
            if not self._channels.wants(channel):
                # Forwarded (470) or forced: nothing is to start in a channel nobody configured.
                self._transmit(f"PART {channel}")
                return
            if self._channels.is_in(channel):
                return
            self._channels.joined(channel, self._clock())
        elif self._channels.is_in(channel):
            self._roster.joined(user.nick, channel)
            self._roster.set_account(user.nick, user.account)
        if self._channels.is_in(channel):
            self._tell(Joined(user, channel))

    def _on_part(self, line: Line) -> None:
        user, channel = self._user(line), line.param(0)
        if user.nick and self._leaves(channel, user.nick):
            self._tell(Parted(user, channel))

    def _on_kick(self, line: Line) -> None:
        channel, nick = line.param(0), line.param(1)
        by = User.from_mask(line.source).nick
        if not self._leaves(channel, nick):
            return
        self._tell(Kicked(nick, channel, by, line.param(2)))
        if self.is_me(nick):
            self.tick()

    def _leaves(self, channel: str, nick: str) -> bool:
        """Note that someone is out of `channel`, and tell whether the listener wants to know."""
        if not self.is_me(nick):
            self._roster.left(nick, channel)
            return self._channels.is_in(channel)
        self._roster.closed(channel)
        self._census.left(channel)
        return self._channels.left(channel, self._clock())

    def _on_quit(self, line: Line, *, split: bool) -> None:
        user, reason = self._user(line), line.param(0)
        if not user.nick or self.is_me(user.nick):
            return
        self._roster.quit(user.nick)
        self._given_up(user.nick)
        self._tell(Quit(user, reason, split or names_servers(reason)))

    def _on_privmsg(self, line: Line) -> None:
        target, text = line.param(0), line.param(1)
        action = _ACTION.fullmatch(text)
        if "!" not in line.source or not text or (text.startswith(_CTCP) and not action):
            return
        # Before its tags are looked at: an old account is not to be learned either.
        if self._has("server-time") and self._server_clock.is_old(line):
            return
        user = self._user(line)
        if not user.nick or self.is_me(user.nick):
            return
        private = self.is_me(target)
        # Anything else is for the operators of a channel (@#channel) or for a mask of servers.
        if not private and not (self.isupport.is_channel(target) and self._channels.is_in(target)):
            return
        if not action:
            self._tell(Message(user, target, text, private))
        elif not private:
            self._tell(Acted(user, target, action[1]))

    def _on_host(self, line: Line) -> None:
        # 396 comes after a vhost or cloak is set: `host` or `user@host`, then words.
        user, _, host = line.param(1).rpartition("@")
        if host:
            self._show_me(User(self.me.nick, user, host, self.me.account))

    def _on_notice(self, line: Line) -> None:
        if refused := refusals.from_notice(line):
            self._tell(refused)
        if is_nickserv(line.source) and self._recovery.answered():
            self._transmit(f"NICK {self._keeper.wanted}")

    def _on_numeric(self, line: Line) -> None:
        # 437 is about nicks and channels both.
        if line.command in _NICK_REFUSALS and not self.isupport.is_channel(line.param(1)):
            self._nick_refused()
            return
        if refused := refusals.from_numeric(line):
            self._tell(refused)

    def _user(self, line: Line) -> User:
        """Return whom `line` comes from, with their account: as it is tagged, or else as it is known."""
        user = User.from_mask(line.source)
        # Of a message the tag says everything; servers differ in which other lines they tag.
        if self._has("account-tag") and ("account" in line.tags or line.command == "PRIVMSG"):
            account = account_name(line.tags.get("account", ""))
            self._learn_account(user.nick, account)
        else:
            account = self._known_account(user.nick)
        return replace(user, account=account)

    def _known_account(self, nick: str) -> str | None:
        return self.me.account if self.is_me(nick) else self._roster.account(nick)

    def _learn_account(self, nick: str, account: str | None) -> None:
        if self.is_me(nick):
            self.me = replace(self.me, account=account)
        else:
            self._roster.set_account(nick, account)

    def _show_me(self, user: User) -> None:
        """Note how the link's own user is shown from now on. What is empty, or no name, stays as it was."""
        if len(f"{user.user}@{user.host}".encode()) > NAME_LIMIT:
            user = replace(user, user="", host="")
        self.me = replace(user, user=user.user or self.me.user, host=user.host or self.me.host)

    def _given_up(self, nick: str) -> None:
        if self._keeper.given_up(nick, self.isupport.casemapping):
            self._transmit(f"NICK {self._keeper.wanted}")

    def _nick_refused(self) -> None:
        # Without a login services do not know whose nick it is.
        if self._login.logged_in and (line := self._keeper.refused()):
            self._transmit(line)

    def _tell(self, event: LinkEvent) -> None:
        if self.ready_at is not None:
            self._emit(event)

    def _fold(self, name: str) -> str:
        return fold(name, self.isupport.casemapping)
