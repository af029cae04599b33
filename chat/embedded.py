"""A small IRC server in this process, for the demo and for tests. It is meant for the loopback interface."""

from __future__ import annotations

import asyncio
import re
from dataclasses import dataclass
from typing import Final

from chat.embedded_commands import SERVER_NAME, Commands
from chat.embedded_state import Client, Network, wire_bytes
from chat.lines import LINE_LIMIT
from chat.logger import logger
from chat.masking import shown
from chat.wire import Line

log = logger(__name__)

# ngircd and ircd-hybrid end a line at a bare CR as well, and so does this server: a sender that lets one
# through shows here.
_LINE_END: Final = re.compile(rb"[\r\n]")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a client may cost. Sizes in bytes, times in seconds."""

    clients: int = 200
    send_queue: int = 256 * 1024
    """What may wait for a client that does not read."""
    register: float = 30.0
    ping_after: float = 90.0
    ping_timeout: float = 60.0
    linger: float = 1.0
    """How long a closed connection may take to get its last lines."""
    tick: float = 5.0


class EmbeddedServer:
    """The server. `start` it, connect to `port`, `stop` it.

    `port=0` takes a free port.
    """

    def __init__(self, host: str = "127.0.0.1", port: int = 0, limits: Limits | None = None) -> None:
        self._host = host
        self._port = port
        self.limits = limits or Limits()
        self.network = Network()
        self.commands = Commands(self.network)
        self.connections: set[_ClientProtocol] = set()
        self.stopping = False
        self._server: asyncio.Server | None = None
        self._ticker: asyncio.Task[None] | None = None

    @property
    def port(self) -> int:
        """The port that the server listens on.

        Raises:
            RuntimeError: the server is not started.

        """
        if self._server is None:
            raise RuntimeError("the server is not started")
        port: int = self._server.sockets[0].getsockname()[1]
        return port

    async def start(self) -> None:
        """Listen. Returns when clients can connect.

        Raises:
            OSError: the port is taken, or the host is not of this machine.

        """
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(self._new_connection, self._host, self._port)
        self.stopping = False
        self._ticker = asyncio.create_task(self._tick())

    async def stop(self) -> None:
        """Close all connections and stop listening. Returns when every socket is closed."""
        if self._server is None or self._ticker is None:
            return
        self.stopping = True
        self._server.close()
        self._ticker.cancel()
        await asyncio.wait({self._ticker})
        connections = list(self.connections)
        for connection in connections:
            connection.shut("Server is shutting down")
        await asyncio.gather(*(connection.lost for connection in connections))
        await self._server.wait_closed()
        self._server = None

    def split(self, *nicks: str) -> None:
        """Lose these clients as if they were on a server that this one lost, for tests.

        They may connect again. Nicks that nobody has are passed over.
        """
        for nick in nicks:
            if client := self.network.registered(nick):
                client.close(f"{SERVER_NAME} lost.{SERVER_NAME}")

    def _new_connection(self) -> _ClientProtocol:
        return _ClientProtocol(self)

    async def _tick(self) -> None:
        while True:
            await asyncio.sleep(self.limits.tick)
            for connection in list(self.connections):
                connection.tick()


class _ClientProtocol(asyncio.Protocol):
    """One socket: bytes to lines, and a client that is cut off when it costs too much."""

    def __init__(self, server: EmbeddedServer) -> None:
        self._server = server
        self._limits = server.limits
        self._network = server.network
        self._loop = asyncio.get_running_loop()
        self._pending = b""
        self._closing = False
        self.lost: asyncio.Future[None] = self._loop.create_future()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)  # noqa: S101 - create_server makes no other
        self._transport = transport
        address = str(transport.get_extra_info("peername", ("unknown",))[0])
        # A host that begins with a colon (IPv6 loopback) would end the parameters of a line.
        host = "0" + address if address.startswith(":") else address
        now = self._loop.time()
        self._client = Client(host, self._write, self.shut, heard_at=now, connected_at=now)
        others = len(self._server.connections)
        self._server.connections.add(self)
        if self._server.stopping:  # accepted before, made after
            transport.abort()
        elif others >= self._limits.clients:
            self.shut("Too many clients")

    def data_received(self, data: bytes) -> None:
        *ended, rest = _LINE_END.split(data)
        for part in ended:
            line, self._pending = self._longer(part), b""
            # Text after QUIT, or after the client was cut off for what an earlier line caused.
            if self._closing:
                return
            self._handle(line)
        self._pending = self._longer(rest)

    def connection_lost(self, exc: Exception | None) -> None:
        self._closing = True
        self._network.remove(self._client, str(exc) if exc else "Connection closed")
        self._server.connections.discard(self)
        if not self.lost.done():
            self.lost.set_result(None)

    def tick(self) -> None:
        """Ask a silent client whether it is there, and cut off one that gives no answer."""
        now = self._loop.time()
        if not self._client.registered and now - self._client.connected_at >= self._limits.register:
            self.shut("Registration timed out")
        silence = now - self._client.heard_at
        if silence >= self._limits.ping_after + self._limits.ping_timeout:
            self.shut("Ping timeout")
        elif silence >= self._limits.ping_after and self._client.registered and not self._client.pinged:
            self._client.pinged = True
            self._client.send(f"PING :{SERVER_NAME}")

    def shut(self, reason: str) -> None:
        """Take the client off the network and close its connection. Without effect the second time."""
        if self._closing:
            return
        self._closing = True
        self._network.remove(self._client, reason)
        self._transport.write(wire_bytes(f"ERROR :Closing Link: {self._client.host} ({reason})"))
        self._transport.close()
        # Closing waits for a peer that does not read.
        self._loop.call_later(self._limits.linger, self._transport.abort)

    def _longer(self, part: bytes) -> bytes:
        """Return what is pending with `part` after it, cut to the length of a line."""
        return self._pending + part[: max(0, LINE_LIMIT - 2 - len(self._pending))]

    def _handle(self, raw: bytes) -> None:
        text = raw.replace(b"\0", b"").decode("latin-1")
        if not text.strip(" "):
            return
        self._client.heard_at, self._client.pinged = self._loop.time(), False
        try:
            line = Line.parse(text)
        except ValueError:  # no command
            return
        try:
            self._server.commands.handle(self._client, line)
        except Exception:
            log.exception("skipped a line of a client", line=shown(text)[:200])

    def _write(self, data: bytes) -> None:
        if self._closing:
            return
        self._transport.write(data)
        if self._transport.get_write_buffer_size() > self._limits.send_queue:
            # Later: whoever is speaking to this client just now may be walking through a channel.
            self._loop.call_soon(self._overflow)

    def _overflow(self) -> None:
        self.shut("Max SendQ exceeded")
        self._transport.abort()
