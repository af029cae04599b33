"""A real InspIRCd 3 for tests, on free ports of the loopback interface, and services that link to it."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import shutil
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Final

from tests.support.certificates import Certificate
from tests.support.listening import as_irc, free_ports, until_listening

_ATTEMPTS: Final = 5
_MODULES: Final = (
    "cap",
    "chghost",
    "ircv3",
    "ircv3_accounttag",
    "ircv3_batch",
    "ircv3_capnotify",
    "ircv3_chghost",
    "ircv3_ctctags",
    "ircv3_servertime",
    "namesx",
    "sasl",
    "services_account",
    "spanningtree",
    "uhnames",
)
_SERVER: Final = "irc.test.example"
_SERVER_SID: Final = "0IR"
_SERVICES: Final = "services.test.example"
_SID: Final = "0SV"


class Inspircd:
    """`async with Inspircd() as server:` runs the server; `server.port` is where clients connect.

    It takes lines as fast as they come. Of a client it needs a second to register. `extra` holds further
    lines of its configuration. Servers that are linked need a `name` and a `sid` of their own. With a
    `certificate` its clients speak TLS, and are asked for theirs.
    """

    def __init__(
        self,
        *,
        name: str = _SERVER,
        sid: str = _SERVER_SID,
        extra: str = "",
        certificate: Certificate | None = None,
    ) -> None:
        self.host = "127.0.0.1"
        self._certificate = certificate
        self.name = name
        self._sid = sid
        self._extra = extra
        self.port = 0
        self.link_port = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Inspircd:
        binary = _binary()
        self._folder = tempfile.TemporaryDirectory(prefix="yardzee-inspircd-")
        try:
            # A copy, because Debian's AppArmor profile lets /usr/sbin/inspircd read /etc/inspircd alone.
            shutil.copy(binary, self._path("inspircd"))
            if self._certificate is not None:
                shutil.copy(self._certificate.cert, self._path("cert.pem"))
                shutil.copy(self._certificate.key, self._path("key.pem"))
            for _ in range(_ATTEMPTS):
                self.port, self.link_port = free_ports(2)
                if await self._start():
                    return self
            raise RuntimeError(f"inspircd did not start in {_ATTEMPTS} attempts:\n{self._log()}")
        except BaseException:
            await self._end()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def _start(self) -> bool:
        """Start it on its ports. Tells whether it accepts connections; it ends when it cannot listen."""
        self._path("inspircd.conf").write_text(self._config())
        self._path("motd").write_text("hello\n")
        become = as_irc(self._path("."))
        with self._path("log").open("wb") as log:
            self._process = await asyncio.create_subprocess_exec(
                *become,
                str(self._path("inspircd")),
                "--nofork",
                "--config",
                str(self._path("inspircd.conf")),
                stdin=asyncio.subprocess.DEVNULL,
                stdout=log,
                stderr=log,
            )
        return await until_listening(self._process, 20, self.host, self.port, self.link_port)

    async def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / name

    def _log(self) -> str:
        return self._path("log").read_text(errors="replace")

    def _config(self) -> str:
        folder = self._path(".").resolve()
        modules, profile, tls = list(_MODULES), "", ""
        if self._certificate is not None:
            modules += ["ssl_gnutls", "sslinfo"]
            profile = 'sslprofile="clients"'
            tls = f"""<sslprofile name="clients" provider="gnutls" hash="sha256" requestclientcert="yes"
                certfile="{folder}/cert.pem" keyfile="{folder}/key.pem">"""
        return f"""
<server name="{self.name}" description="test" network="Test" id="{self._sid}">
<admin name="a" nick="a" email="a@example.org">
<bind address="{self.host}" port="{self.port}" type="clients" {profile}>
{tls}
<bind address="{self.host}" port="{self.link_port}" type="servers">
<link name="{_SERVICES}" ipaddr="{self.host}" port="{self.link_port}" allowmask="127.0.0.0/8"
      sendpass="link" recvpass="link">
<uline server="{_SERVICES}" silent="yes">
<sasl target="{_SERVICES}">
<connect allow="*" timeout="30" pingfreq="2m" hardsendq="1M" softsendq="64K" recvq="64K"
         threshold="1000" commandrate="1000000" fakelag="no" localmax="1000" globalmax="1000"
         resolvehostnames="no" useident="no">
<options casemapping="rfc1459">
<files motd="{folder}/motd">
<pid file="{folder}/pid">
<log method="file" type="* -USERINPUT -USEROUTPUT" level="default" target="{folder}/ircd.log">
<path configdir="{folder}" datadir="{folder}" logdir="{folder}">
{self._extra}
""" + "".join(f'<module name="{name}">\n' for name in modules)


class Services:
    """`async with Services(server) as services:` is a second server, one that knows accounts.

    It speaks InspIRCd's spanningtree protocol, version 1205. At the end of the block, or at `split`, it
    is gone and its users with it.

    `passwords` and `fingerprints` (SHA-256, of client certificates) are those of accounts. `mechanisms` is
    what it offers for SASL. A nick belongs to the account of its name: GHOST puts out whoever else has it.
    """

    def __init__(
        self,
        server: Inspircd,
        *,
        passwords: Mapping[str, str] | None = None,
        fingerprints: Mapping[str, str] | None = None,
        mechanisms: str = "PLAIN,EXTERNAL",
    ) -> None:
        self._server = server
        self._passwords = passwords or {}
        self._fingerprints = fingerprints or {}
        self._mechanisms = mechanisms
        self._accounts: dict[str, str] = {}
        self.asked: list[str] = []
        """The commands that NickServ was told, without what followed."""

        self._logins: dict[str, _SaslLogin] = {}
        self._nickserv = ""
        self._joined: set[str] = set()
        self._ids: dict[str, str] = {}
        self._news = asyncio.Event()
        self._linked = False
        self._made = 0

    async def __aenter__(self) -> Services:
        reader, self._writer = await asyncio.open_connection(self._server.host, self._server.link_port)
        self._reading = asyncio.create_task(self._read(reader))
        self._send("CAPAB START 1205", "CAPAB CAPABILITIES :PROTOCOL=1205", "CAPAB END")
        self._send(f"SERVER {_SERVICES} link 0 {_SID} :services")
        self._send(f":{_SID} BURST {_now()}")
        self._send(f":{_SID} METADATA * saslmechlist :{self._mechanisms}", f":{_SID} ENDBURST")
        await self._until(lambda: self._linked)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.split()

    async def log_in(self, nick: str, account: str) -> None:
        """Log a user of the real server in, or out when `account` is empty."""
        self._send(f":{_SID} METADATA {await self._id(nick)} accountname :{account}")

    async def change_host(self, nick: str, host: str) -> None:
        """Give a user of the real server another host."""
        self._send(f":{_SID} ENCAP {_SERVER_SID} CHGHOST {await self._id(nick)} {host}")

    async def rename(self, nick: str, new: str) -> None:
        """Give a user of the real server another nick, as services do with one who does not identify."""
        uid = await self._id(nick)
        self._send(f":{_SID} ENCAP {_SERVER_SID} SVSNICK {uid} {new} {_now()}")

    async def kill(self, nick: str) -> None:
        """Put a user of the real server out."""
        self._send(f":{_SID} KILL {await self._id(nick)} :gone")

    def bring(self, nick: str, channel: str, account: str = "") -> None:
        """Have a user on this side, in `channel`."""
        uid = self._introduce(nick)
        if account:
            self._send(f":{_SID} METADATA {uid} accountname :{account}")
        self._send(f":{_SID} FJOIN {channel} {_now()} +nt :,{uid}:{self._made}")

    def say(self, nick: str, target: str, text: str) -> None:
        """Let a user on this side say something."""
        self._send(f":{self._ids[nick]} PRIVMSG {target} :{text}")

    def bring_nickserv(self) -> None:
        """Have a NickServ, who knows the accounts."""
        self._nickserv = self._introduce("NickServ")

    async def joined(self, channel: str) -> None:
        """Return when somebody of the real server has joined `channel`."""
        await self._until(lambda: channel in self._joined)

    async def split(self) -> None:
        """Break the link."""
        self._reading.cancel()
        self._writer.close()
        with contextlib.suppress(OSError):
            await self._writer.wait_closed()

    def _introduce(self, nick: str) -> str:
        self._made += 1
        uid = f"{_SID}AAAA{self._made:02}"
        host = "far.example"
        self._send(f":{_SID} UID {uid} {_now()} {nick} {host} {host} {nick} 127.0.0.1 {_now()} +i :{nick}")
        self._ids[nick] = uid
        return uid

    async def _id(self, nick: str) -> str:
        await self._until(lambda: nick in self._ids)
        return self._ids[nick]

    async def _read(self, reader: asyncio.StreamReader) -> None:
        while raw := await reader.readline():
            words = raw.decode().split()
            if words[0].startswith("@"):
                del words[0]
            match words:
                case [_, "UID", uid, _, nick, *_]:
                    self._ids[nick] = uid
                case [source, "PING", *_]:
                    self._send(f":{_SID} PONG {source[1:]}")
                case [_, "FJOIN" | "IJOIN", channel, *_]:
                    self._joined.add(channel)
                case [_, "ENDBURST"]:
                    self._linked = True
                case [_, "ENCAP", _, "SASL", uid, _, "S", mechanism, *fingerprints]:
                    self._logins[uid] = _SaslLogin(mechanism, fingerprints)
                    self._send_sasl(uid, "C +")
                case [_, "ENCAP", _, "SASL", uid, _, "C", data] if uid in self._logins:
                    self._sasl(uid, data.removeprefix(":"))
                case [source, "PRIVMSG", self._nickserv, ":IDENTIFY", account, password]:
                    good = self._passwords.get(account) == password
                    text = f"You are now identified for \2{account}\2." if good else "Password incorrect."
                    if good:
                        self._log_in(source[1:], account)
                    self._send(f":{self._nickserv} NOTICE {source[1:]} :{text}")
                case [source, "PRIVMSG", self._nickserv, command, nick]:
                    self._command(source[1:], command[1:], nick)
            self._news.set()

    def _sasl(self, uid: str, chunk: str) -> None:
        """Take a part of an answer, and with the last part judge it."""
        login = self._logins[uid]
        login.text += chunk.removeprefix("+") if len(chunk) == 1 else chunk
        if len(chunk) == 400:
            return
        words = base64.b64decode(login.text).decode().split("\0")
        if login.mechanism == "PLAIN" and len(words) == 3:
            account = words[1] if self._passwords.get(words[1]) == words[2] else None
        else:
            known = {name for name, value in self._fingerprints.items() if value in login.fingerprints}
            account = next((name for name in known if words[0] in {"", name}), None)
        if account is not None:
            self._log_in(uid, account)
        self._send_sasl(uid, "D F" if account is None else "D S")
        del self._logins[uid]

    def _log_in(self, uid: str, account: str) -> None:
        self._accounts[uid] = account
        self._send(f":{_SID} METADATA {uid} accountname :{account}")

    def _command(self, uid: str, command: str, nick: str) -> None:
        self.asked.append(command)
        text = "Unknown command." if command != "GHOST" else "Access denied."
        if command == "GHOST" and self._accounts.get(uid) == nick:
            text = "Done."
            self._send(f":{_SID} KILL {self._ids[nick]} :GHOST")
        self._send(f":{self._nickserv} NOTICE {uid} :{text}")

    def _send_sasl(self, uid: str, what: str) -> None:
        self._send(f":{_SID} ENCAP {_SERVER_SID} SASL {_SID}AAAAAA {uid} {what}")

    async def _until(self, reached: Callable[[], bool]) -> None:
        async with asyncio.timeout(10):
            while not reached():
                self._news.clear()
                await self._news.wait()

    def _send(self, *lines: str) -> None:
        self._writer.write("".join(f"{line}\r\n" for line in lines).encode())


@dataclass
class _SaslLogin:
    """A login that is being made: what it began with, and the parts of the answer so far."""

    mechanism: str
    fingerprints: list[str]
    text: str = ""


def _now() -> int:
    return int(time.time())


def _binary() -> str:
    # sbin is not on the path of every user.
    binary = shutil.which("inspircd", path="/usr/sbin:/usr/local/sbin:/usr/bin:/usr/local/bin")
    if binary is None:
        raise RuntimeError("these tests need a real IRC server: apt-get install inspircd")
    return binary
