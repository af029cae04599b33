"""One connection to a server: the `irc` library's asyncio client, hardened. Nothing else imports it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from irc.client_aio import AioConnection, AioReactor, IrcProtocol  # type: ignore[import-untyped]
from irc.connection import AioFactory  # type: ignore[import-untyped]

from chat.addresses import Addresses
from chat.lines import LINE_LIMIT, UnsafeLine, check_text, clip
from chat.logger import logger
from chat.masking import shown, without
from chat.tls import Tls, WrongCertificate, advice
from chat.wire import Framer, Line

log = logger(__name__)

SEND_LIMIT: Final = 256 * 1024
"""Bytes that may wait for a server that does not read, before the connection is given up."""

_SHOWN: Final = 200
"""Characters of a skipped line that the log shows."""


class _Protocol(IrcProtocol):  # type: ignore[misc]
    """Tells the connection of its transport before the first data, which the library sets only later."""

    connection: Connection

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - create_connection makes no other
        self.connection.opened(transport)

    def connection_lost(self, exc: Exception | None) -> None:
        self.connection.disconnect(str(exc) if exc else "connection closed by the server")


class Connection(AioConnection):  # type: ignore[misc]
    """A connection that lives for one attempt and is never opened twice.

    What it does otherwise than its base, because the base would lose the link over it:
    each line is handled by itself, so that a bad one costs nothing but itself; lines that are no UTF-8
    are read as Latin-1; an endless line is dropped; text is not CTCP-dequoted, for that makes CR of
    harmless characters; nothing goes out that could be two lines; closing is at once and happens once.
    """

    protocol_class = _Protocol

    def __init__(self, reactor: AioReactor) -> None:
        super().__init__(reactor)
        self._framer = Framer()
        self._on_line: Callable[[Connection, Line], None] | None = None
        self.secrets: tuple[str, ...] = ()
        """What no log may show, beside all that goes out with a password in it."""

        self._tls: Tls | None = None
        self._wrong: WrongCertificate | None = None
        self.transport: asyncio.Transport | None = None
        self.closed = asyncio.Event()
        self.reason = ""
        """Why the connection closed: the text of ERROR where the server sent one."""

    async def open(
        self, addresses: Addresses, tls: Tls | None, on_line: Callable[[Connection, Line], None]
    ) -> None:
        """Connect, and hand every line from now on to `on_line`. Sends nothing: see `chat.registration`.

        With `tls` the server's certificate is verified as that says, before anything is sent or heard.
        The addresses are tried in turn.

        Raises:
            OSError: the server cannot be reached, or its certificate is no good.
            TlsFault: a file that `tls` names cannot be used.
            UnicodeError: the name of the server is no host name.

        """
        # Not the connect of the base: that sends PASS, NICK and USER at once, which leaves no room for
        # capability negotiation, and it would take the place of the transport on a second call.
        self._on_line = on_line
        self._tls = tls
        self.server, self.port = addresses.server, addresses.port
        factory = AioFactory(ssl=tls.context(), server_hostname=self.server) if tls else AioFactory()
        found = await addresses.found()
        failures: list[OSError] = []
        for address in found:
            addresses.tried(address)
            try:
                async with asyncio.timeout(addresses.each_of(len(found))):
                    await factory(self.protocol_class(self, self.reactor.loop), (address, self.port))
                break
            except OSError as error:  # TimeoutError is one
                failures.append(error)
        else:
            # What somebody can do something about is of more use than that the others do not answer.
            raise next(filter(advice, failures), failures[0])
        if self._wrong is not None:
            raise self._wrong

    def opened(self, transport: asyncio.Transport) -> None:
        """Take the transport over. Called by the protocol."""
        self.transport = transport
        self.connected = True
        if self._tls is not None:
            # Here, and not after the connection is made: by then lines may have come.
            try:
                self._tls.check(transport.get_extra_info("ssl_object").getpeercert(binary_form=True))
            except WrongCertificate as error:
                self._wrong = error
                self.disconnect(str(error))
                return
        if self.closed.is_set():  # given up while the connection was being made
            transport.abort()

    def process_data(self, new_data: bytes) -> None:
        """Handle each line in `new_data` by itself: an exception skips that line, and is logged."""
        dropped = self._framer.dropped
        for text in self._framer.feed(new_data):
            if self.closed.is_set():
                return
            try:
                self._process_line(text)
            except UnsafeLine as error:
                log.warning(
                    "no answer to a line that the server should not send",
                    server=self.server,
                    reason=error.reason,
                )
            except Exception:
                log.warning(
                    "skipped a line",
                    server=self.server,
                    line=shown(text, self.secrets)[:_SHOWN],
                    exc_info=True,
                )
        if self._framer.dropped > dropped:
            log.warning("dropped an endless line", server=self.server)

    def _process_line(self, line: str) -> None:
        log.debug("heard", server=self.server, line=shown(line, self.secrets))
        if not line.strip(" "):
            return
        try:
            parsed = Line.parse(line)
        except ValueError as error:
            # The server's fault and not ours: a traceback for each would only fill the log.
            reason = without(str(error), self.secrets)[:_SHOWN]
            log.warning("skipped a line", server=self.server, reason=reason)
            return
        if parsed.command == "PING":
            # RFC 2812 3.7.2. Some servers send PING bare, and still want their PONG.
            self.transmit(f"PONG :{parsed.param(0)}")
        elif parsed.command == "ERROR":
            # The last line of a connection (RFC 2812 3.7.4): waiting for the close gains nothing.
            self.disconnect(parsed.param(0) or "ERROR without a reason")
        if self._on_line is not None:
            self._on_line(self, parsed)

    def transmit(self, line: str) -> None:
        """Send one line. Without effect once the connection is closed.

        Raises:
            UnsafeLine: `line` holds CR, LF or NUL, or is longer than a line may be.

        """
        data = check_text(line).encode() + b"\r\n"
        if len(data) > LINE_LIMIT:
            # Not sent and cut by the server: ngircd answers such a line by closing the connection.
            raise UnsafeLine(f"line of {len(data)} bytes", clip(shown(line), 100))
        if self.transport is None or self.closed.is_set():
            return
        log.debug("said", server=self.server, line=shown(line, self.secrets))
        self.transport.write(data)
        if self.transport.get_write_buffer_size() > SEND_LIMIT:
            self.disconnect("the server reads nothing")

    def send_raw(self, string: str) -> None:
        """Send one line: the name by which the library's own commands call `transmit`."""
        self.transmit(string)

    def disconnect(self, message: str = "") -> None:
        """Close the connection at once, whatever is still unsent. `message` becomes `reason`.

        Sends no QUIT. Does nothing when the connection is closed already.
        """
        if self.closed.is_set():
            return
        self.connected = False
        self.reason = message
        self.closed.set()
        if self.transport is not None:
            # Not close: that waits until everything is written, for ever when the peer is frozen.
            self.transport.abort()


class Reactor(AioReactor):  # type: ignore[misc]
    """Makes connections on the running loop, a fresh one for each attempt."""

    connection_class = Connection

    def __init__(self) -> None:
        super().__init__(loop=asyncio.get_running_loop())

    def fresh(self) -> Connection:
        """Return a new connection, and forget those before it."""
        self.connections.clear()
        connection: Any = self.server()
        assert isinstance(connection, Connection)  # noqa: S101 - the class says so just above
        return connection
