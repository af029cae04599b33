"""Two real servers linked to each other over a cable that can be cut and mended."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from tests.support.client import Client, Server
from tests.support.inspircd import Inspircd
from tests.support.ngircd import Ngircd

NEAR: Final = "near.test.example"
FAR: Final = "far.test.example"
_PATIENCE: Final = 15.0
_CHUNK: Final = 1 << 16
_NOWHERE: Final = 1


class Cable:
    """`async with Cable() as cable:` carries what comes to `cable.port` to `cable.end`, and back.

    While it is cut, every connection over it is closed, as both ends see.
    """

    def __init__(self) -> None:
        self.host = "127.0.0.1"
        self.port = 0
        self.end = _NOWHERE
        """The port at the other end."""

        self._whole = True
        self._carries = asyncio.Event()
        self._carries.set()
        self._writers: set[asyncio.StreamWriter] = set()
        self._server: asyncio.Server | None = None

    async def __aenter__(self) -> Cable:
        self._server = await asyncio.start_server(self._carry, self.host)
        self.port = self._server.sockets[0].getsockname()[1]
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._server is not None
        self._server.close()
        self.cut()
        await asyncio.gather(*(_closed(writer) for writer in self._writers))

    def cut(self) -> None:
        """Break it."""
        self._whole = False
        for writer in self._writers:
            writer.close()

    def hold(self) -> None:
        """Carry nothing, and close nothing: both ends believe that it is whole."""
        self._carries.clear()

    def mend(self) -> None:
        """Let it carry again, for connections that are made from now on."""
        self._whole = True
        self._carries.set()

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._writers.add(writer)
        if not self._whole:
            writer.close()
            return
        back, on = await asyncio.open_connection(self.host, self.end)
        self._writers.add(on)
        await asyncio.gather(self._copy(reader, on), self._copy(back, writer))

    async def _copy(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError):
            while data := await reader.read(_CHUNK):
                await self._carries.wait()
                writer.write(data)
                await writer.drain()
        writer.close()


async def _closed(writer: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        await writer.wait_closed()


@dataclass(frozen=True)
class _Notices:
    """What an operator says to hear of links, and the notices of one that is up or broken."""

    ask: str
    asked: str
    linked: str
    split: str


_NGIRCD: Final = _Notices("JOIN &SERVER", " 366 ", r'Server "\S+" registered', r'Server "\S+" unregistered')
_INSPIRCD: Final = _Notices(
    "MODE {nick} +s +l", " MODE .*\\+s", "LINK: Received end of netburst", "LINK: Netsplit complete"
)


class Linked:
    """Two servers, `near` and `far`, of which each has an operator who sees to the link between them.

    They are linked from `link` until `split`, and again after `heal`.
    """

    def __init__(
        self, near: Server, far: Server, cable: Cable, notices: _Notices, stack: AsyncExitStack
    ) -> None:
        self.near = near
        self.far = far
        self._cable = cable
        self._notices = notices
        self._stack = stack
        self._operators: tuple[Client, ...] = ()

    async def link(self) -> None:
        """Let the operators come and link the servers."""
        async with asyncio.TaskGroup() as group:
            near = group.create_task(self._operator(self.near, "nearoper"))
            far = group.create_task(self._operator(self.far, "faroper"))
        self._operators = near.result(), far.result()
        await self.heal()

    async def split(self) -> None:
        """Cut the cable, and return when both servers have seen it."""
        self._cable.cut()
        await self._both(self._notices.split)

    async def heal(self) -> None:
        """Mend the cable, and return when the servers are linked."""
        self._cable.mend()
        self._operators[0].send_raw(f"CONNECT {FAR}")
        await self._both(self._notices.linked)

    async def _operator(self, server: Server, nick: str) -> Client:
        operator = await self._stack.enter_async_context(await Client.connect(server.host, server.port, nick))
        operator.send_raw("OPER op op")
        await operator.wait_for(" 381 ")
        operator.send_raw(self._notices.ask.format(nick=nick))
        await operator.wait_for(self._notices.asked)
        return operator

    async def _both(self, notice: str) -> None:
        await asyncio.gather(*(operator.wait_for(notice, _PATIENCE) for operator in self._operators))


@asynccontextmanager
async def linked_ngircds() -> AsyncIterator[Linked]:
    """Two ngircds. Of two who have the same nick when these link, both are killed."""
    async with AsyncExitStack() as stack:
        cable = await stack.enter_async_context(Cable())
        far = await stack.enter_async_context(Ngircd(name=FAR, extra=_ngircd(NEAR, _NOWHERE)))
        near = await stack.enter_async_context(Ngircd(name=NEAR, extra=_ngircd(FAR, cable.port)))
        cable.end = far.port
        yield Linked(near, far, cable, _NGIRCD, stack)


@asynccontextmanager
async def linked_inspircds(*, hide: bool = False) -> AsyncIterator[Linked]:
    """Two InspIRCds. Of two who have the same nick when these link, one is given another.

    Who has had the nick for longer keeps it; between two with the same user and host it is the later one.
    `hide` keeps the names of servers that lost each other from people.
    """
    async with AsyncExitStack() as stack:
        cable = await stack.enter_async_context(Cable())
        far = await stack.enter_async_context(
            Inspircd(name=FAR, sid="0FR", extra=_inspircd(NEAR, _NOWHERE, hide))
        )
        near = await stack.enter_async_context(
            Inspircd(name=NEAR, sid="0NR", extra=_inspircd(FAR, cable.port, hide))
        )
        cable.end = far.link_port
        yield Linked(near, far, cable, _INSPIRCD, stack)


def _ngircd(other: str, port: int) -> str:
    return f"""
[Server]
Name = {other}
Host = 127.0.0.1
Port = {port}
MyPassword = link
PeerPassword = link
Passive = yes
[Operator]
Name = op
Password = op
"""


def _inspircd(other: str, port: int, hide: bool) -> str:
    return f"""
<link name="{other}" ipaddr="127.0.0.1" port="{port}" allowmask="127.0.0.0/8" sendpass="link" recvpass="link">
<class name="all" commands="*" privs="*" usermodes="*" chanmodes="*" snomasks="*">
<type name="op" classes="all">
<oper name="op" password="op" host="*@*" type="op">
<security hidesplits="{"yes" if hide else "no"}">
"""
