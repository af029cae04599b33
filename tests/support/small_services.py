"""Services for the servers that have no SASL: a second server, linked to a real one, with a NickServ."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Final

from tests.support.client import Server

NAME: Final = "services.test.example"
PASSWORD: Final = "link"
NGIRCD: Final = f"""
[Server]
Name = {NAME}
Host = 127.0.0.1
Port = 1
MyPassword = {PASSWORD}
PeerPassword = {PASSWORD}
Passive = yes
ServiceMask = *Serv
"""
"""What the configuration of an ngircd says of them."""

HYBRID: Final = f"""
connect {{ name = "{NAME}"; host = "127.0.0.1"; send_password = "{PASSWORD}"; accept_password = "{PASSWORD}";
    class = "users"; }};
service {{ name = "{NAME}"; }};
"""
"""And that of an ircd-hybrid."""


@dataclass(frozen=True)
class Dialect:
    """What a server wants to hear. `{now}` is the time, `{user}` whom it is about, `{account}` of whom."""

    link: tuple[str, ...]
    nickserv: str
    """What NickServ is called between servers."""
    log_in: str


RFC_2813: Final = Dialect(
    link=(
        f"PASS {PASSWORD} 0210 services|1",
        f"SERVER {NAME} 1 :services",
        f":{NAME} NICK NickServ 1 NickServ far.example 1 +i :NickServ",
    ),
    nickserv="NickServ",
    log_in=f":{NAME} METADATA {{user}} accountname :{{account}}",
)
TS_6: Final = Dialect(
    link=(
        f"PASS {PASSWORD}",
        "CAPAB :EOB RHOST",
        f"SERVER {NAME} 1 0SV + :services",
        "SVINFO 6 6 0 :{now}",
        ":0SV UID NickServ 1 {now} +i NickServ far.example far.example 127.0.0.1 0SVAAAAAA * :NickServ",
        ":0SV EOB",
    ),
    nickserv="0SVAAAAAA",
    log_in=":0SV SVSACCOUNT {user} 0 {account}",
)


class SmallServices:
    """`async with SmallServices(server, dialect, passwords):` knows the passwords of accounts."""

    def __init__(self, server: Server, dialect: Dialect, passwords: Mapping[str, str]) -> None:
        self._server = server
        self._dialect = dialect
        self._passwords = passwords
        self._answered = asyncio.Event()
        self.said: list[str] = []

    async def __aenter__(self) -> SmallServices:
        reader, self._writer = await asyncio.open_connection(self._server.host, self._server.port)
        self._reading = asyncio.create_task(self._read(reader))
        self._send(*(line.format(now=int(time.time())) for line in self._dialect.link))
        # The server answers when it has taken everything before.
        self._send(f":{NAME} PING {NAME}")
        async with asyncio.timeout(10):
            await self._answered.wait()
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._reading.cancel()
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while raw := await reader.readline():
            self.said.append(raw.decode())
            match raw.decode().split():
                case [_, "PONG", *_]:
                    self._answered.set()
                case ["PING", *_] | [_, "PING", *_]:
                    self._send(f":{NAME} PONG {NAME}")
                case [source, "PRIVMSG", self._dialect.nickserv, ":IDENTIFY", account, password]:
                    self._identify(source[1:], account, password)

    def _identify(self, user: str, account: str, password: str) -> None:
        good = self._passwords.get(account) == password
        if good:
            self._send(self._dialect.log_in.format(user=user, account=account))
        text = f"You are now identified for {account}." if good else "Password incorrect."
        self._send(f":{self._dialect.nickserv} NOTICE {user} :{text}")

    def _send(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())
