"""The life of a link to an IRC server: connect, serve, lose the connection, come back, stop."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import socket
import ssl
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from chat.addresses import Addresses
from chat.backoff import Backoff
from chat.casemap import fold
from chat.channels import Channels
from chat.connection import Connection, Reactor
from chat.events import Disconnected, LinkEvent, Silence
from chat.lines import check_target, check_text, clip
from chat.logger import logger
from chat.recovery import Recovery
from chat.session import Session
from chat.settings import LinkSettings, Timings
from chat.tls import TlsFault, advice
from chat.wire import Line

__all__ = ["Link", "LinkSettings", "Timings"]

log = logger(__name__)

_QUIT_LIMIT = 300  # bytes of the farewell, which servers cut anyway

_ASK_AFTER = 10.0
"""Seconds of silence after which somebody who wants to know has the server asked."""

_PROMPT = 5.0
"""Seconds in which a server that is well answers a PING."""


@dataclass(frozen=True, slots=True)
class _End:
    """How an attempt ended. After a `refused` one the next has no better chance, unless somebody acts."""

    reason: str
    refused: bool = False


def _in_words(error: Exception) -> str:
    """What the system calls an error, without the numbers and addresses that Python adds."""
    if isinstance(error, socket.gaierror):
        return error.strerror or str(error)
    if isinstance(error, OSError) and error.errno and not isinstance(error, ssl.SSLError):
        return os.strerror(error.errno)
    return str(error) or repr(error)


class Link:
    """One place on one IRC network, kept through every loss of the connection.

    `listener` is called with each event, in the order in which things happened, on the event loop; it
    must not block. An exception that it raises is logged and goes no further. It may call `send` and
    `set_channels`; to `stop` it must start a task, since stopping waits for the link.

    `clock` (monotonic, seconds), `wall` (seconds since 1970) and `jitter` (0 to 1) are there to be
    replaced in tests.
    """

    def __init__(  # noqa: PLR0913 - two things to pass, and four that have a default and a name
        self,
        settings: LinkSettings,
        listener: Callable[[LinkEvent], None],
        timings: Timings | None = None,
        *,
        clock: Callable[[], float] = time.monotonic,
        wall: Callable[[], float] = time.time,
        jitter: Callable[[], float] = random.random,
    ) -> None:
        self._settings = settings
        self._listener = listener
        self._timings = timings or Timings()
        self._clock = clock
        self._wall = wall
        self._jitter = jitter
        self._channels = Channels(
            lambda: Backoff(self._timings.join_first, self._timings.join_longest, jitter),
            self._timings.stable,
        )
        self._channels.set_wanted(settings.channels)
        rounds = Backoff(self._timings.refused_first, self._timings.refused_longest, jitter)
        self._recovery = Recovery(rounds, self._timings.refused_longest, clock)
        self._addresses = Addresses(settings.server, settings.port, self._timings.each_of)
        self._connection: Connection | None = None
        self._session: Session | None = None
        self._attempt: asyncio.Task[_End] | None = None
        self._heard_at = 0.0
        """When the server was heard last."""

        self._asked_at: float | None = None
        """When it was asked for a sign of life, until it is heard."""

        self._stop = asyncio.Event()
        self._finished = asyncio.Event()

    @property
    def nick(self) -> str:
        """The link's own nick now: as the server wrote it, or the wanted one before there is one."""
        return self._session.me.nick if self._session else self._settings.nick

    @property
    def connected(self) -> bool:
        """Whether lines can be sent: true from `Connected` to `Disconnected`."""
        if self._session is None or self._connection is None:
            return False
        return self._session.ready_at is not None and not self._connection.closed.is_set()

    def is_me(self, nick: str) -> bool:
        """Tell whether `nick` is the link's own, in whatever case it is written."""
        return self.fold(nick) == self.fold(self.nick)

    @property
    def casemapping(self) -> str:
        """How the server that was last seen compares names, for `chat.casemap.fold`."""
        return self._channels.casemapping

    def fold(self, name: str) -> str:
        """Return the key of a nick or channel, by the case mapping of the server that was last seen."""
        return fold(name, self.casemapping)

    def budget(self, target: str, *, notice: bool = False) -> int:
        """Return how many bytes of text fit in one line to `target`, the prefix that the server adds counted.

        The number can change with the link's own nick and host, so ask again for lines that waited.
        """
        session = self._session or self._new_session(lambda _line: None)
        return session.budget(target, _command(notice))

    def silent_for(self) -> float:
        """Return for how many seconds nothing was heard from the server; 0 while not connected.

        A server that has been silent for a while is asked for a sign of life.
        """
        if not self.connected or self._connection is None:
            return 0.0
        silent = self._clock() - self._heard_at
        if silent >= _ASK_AFTER:
            self._ask(self._connection)
        return silent

    def send(self, target: str, text: str, *, notice: bool = False) -> None:
        """Say `text` to a nick or channel, as one line, now.

        While the link is not connected the line is dropped, which is logged. Text that is over the
        budget is cut, which is logged too: `chat.lines.pack` and `split` make lines that fit. How often
        one may send is not the link's care.

        Raises:
            UnsafeLine: the text could end the line early, or the target is none, or more than one.

        """
        check_target(target)
        check_text(text)
        if self._connection is None or not self.connected:
            log.warning("not connected: dropped a line", server=self._settings.server, target=target)
            return
        budget = self.budget(target, notice=notice)
        fitting = clip(text, budget)
        if fitting != text:
            log.error(
                "cut a line",
                server=self._settings.server,
                target=target,
                bytes=len(text.encode()),
                budget=budget,
            )
        if fitting:
            self._connection.transmit(f"{_command(notice)} {target} :{fitting}")

    def set_channels(self, channels: Iterable[str]) -> None:
        """Be in these channels from now on: the missing ones are joined, and the others left.

        Raises:
            UnsafeLine: a name is no channel name; nothing is changed then.

        """
        leaving = self._channels.set_wanted(channels)
        if self._session is not None and self.connected:
            self._session.part(leaving)
            self._session.tick()

    async def run(self) -> None:
        """Keep the link up until `stop`. To be called once.

        The log tells why each attempt ended. After a refusal (of the login, the password, the server's
        certificate) the gaps are those of `Timings.refused_first`, and what to do stands there too.

        When cancelled, the connection is closed without a QUIT.

        Raises:
            RuntimeError: it was called before.

        """
        if self._attempt is not None:
            raise RuntimeError("a link runs only once")
        retry = Backoff(self._timings.retry_first, self._timings.retry_longest, self._jitter)
        refused = Backoff(self._timings.refused_first, self._timings.refused_longest, self._jitter)
        reactor = Reactor()
        try:
            while not self._stop.is_set():
                started = self._clock()
                self._attempt = asyncio.create_task(self._serve(reactor.fresh()))
                await asyncio.wait({self._attempt})
                end = _End("stopped") if self._attempt.cancelled() else self._attempt.result()
                if self._stop.is_set():
                    break
                if not end.refused and self._clock() - started >= self._timings.stable:
                    retry.reset()
                    refused.reset()
                gap = refused.next() if end.refused else retry.next()
                log.warning(
                    "not connected", server=self._settings.server, reason=end.reason, next_in=round(gap, 2)
                )
                with contextlib.suppress(TimeoutError):
                    await asyncio.wait_for(self._stop.wait(), gap)
        finally:
            if self._attempt is not None and not self._attempt.done():
                self._attempt.cancel()
                await asyncio.wait({self._attempt})
            self._finished.set()

    async def stop(self, message: str = "") -> None:
        """Say QUIT with `message`, and end `run`. Returns when it has ended, after `Timings.quit` at most.

        Characters that no line may hold are left out of `message`.
        """
        self._stop.set()
        connection = self._connection
        if connection is not None and self.connected:
            safe = "".join(c for c in message if c.isprintable())
            connection.transmit(f"QUIT :{clip(safe, _QUIT_LIMIT)}")
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(connection.closed.wait(), self._timings.quit)
        if self._attempt is not None:
            self._attempt.cancel()
            await self._finished.wait()

    async def _serve(self, connection: Connection) -> _End:
        """Live through one connection. Returns why it ended."""
        settings = self._settings
        refusal: str | None = None
        session = self._new_session(connection.transmit)
        self._connection, self._session = connection, session
        connection.secrets = settings.secrets
        try:
            async with asyncio.timeout(self._timings.connect):
                await connection.open(self._addresses, settings.encryption, self._on_line)
            self._heard_at, self._asked_at = self._clock(), None
            session.begin()
            await self._watch(connection, session)
        except TimeoutError:
            connection.disconnect("no connection within the time allowed")
        # Name resolution, refused connections and bad certificates; UnicodeError is an impossible host name.
        except (OSError, UnicodeError, TlsFault) as error:
            refusal = advice(error)
            reached = not isinstance(error, (socket.gaierror, ConnectionRefusedError))
            hint = " (with TLS; does this port speak it?)" if settings.tls and reached else ""
            connection.disconnect(f"no connection: {refusal or f'{_in_words(error)}{hint}'}")
        except Exception:
            # A fault of ours. It must not end a link that is meant to run for months.
            log.exception("lost the connection to a fault", server=settings.server)
            connection.disconnect("internal error")
        finally:
            connection.disconnect("stopped")
            was_connected = session.ready_at is not None
            self._connection = self._session = None
            self._channels.lost()
            self._recovery.over()
            if was_connected:
                self._tell(Disconnected(connection.reason, self._clock() - self._heard_at))
        # The server may have closed before the refusal was looked at.
        refusal = refusal or session.failure
        return _End(refusal or connection.reason, refused=refusal is not None)

    async def _watch(self, connection: Connection, session: Session) -> None:
        """Do what is due by the clock until the connection closes, and close it when the server is dead."""
        while not connection.closed.is_set():
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(connection.closed.wait(), self._timings.tick)
            now = self._clock()
            if reason := session.failure or session.tick():
                connection.disconnect(reason)
            elif self._asked_at is not None and now - self._asked_at >= self._timings.ping_timeout:
                connection.disconnect("the server does not answer")
            # Asked before it counts as dead: after a stop of this process every silence looks long.
            elif now - self._heard_at >= self._timings.ping_after:
                self._ask(connection)

    def _ask(self, connection: Connection) -> None:
        """Ask the server for a sign of life, once in a silence."""
        if self._asked_at is None:
            self._asked_at = self._clock()
            connection.transmit("PING :yardzee")

    def _on_line(self, connection: Connection, line: Line) -> None:
        # An old connection may still hold lines when the next one is made.
        if connection is not self._connection or self._session is None:
            return
        now = self._clock()
        silent, asked_at = now - self._heard_at, self._asked_at
        self._heard_at, self._asked_at = now, None
        unanswered = asked_at is not None and now - asked_at >= _PROMPT
        if self.connected and (unanswered or silent >= self._timings.ping_after + _PROMPT):
            self._tell(Silence(silent))
        self._session.handle(line)

    def _new_session(self, transmit: Callable[[str], None]) -> Session:
        return Session(
            self._settings,
            self._timings,
            self._channels,
            self._recovery,
            clock=self._clock,
            wall=self._wall,
            jitter=self._jitter,
            transmit=transmit,
            emit=self._tell,
        )

    def _tell(self, event: LinkEvent) -> None:
        try:
            self._listener(event)
        except Exception:
            # Its text may hold what is meant for one person only.
            log.exception(
                "the listener failed", server=self._settings.server, link_event=type(event).__name__
            )


def _command(notice: bool) -> str:
    return "NOTICE" if notice else "PRIVMSG"
