"""Who and what is on the embedded server: clients, channels, and how a line gets to them.

Text is Latin-1 decoded bytes throughout, so that what people send is relayed byte for byte, whatever its
encoding.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from typing import Final

from chat.casemap import fold
from chat.lines import LINE_LIMIT, clip_bytes

CASEMAPPING: Final = "ascii"
NICK: Final = re.compile(r"[A-Za-z\[\]\\`_^{|}][A-Za-z0-9\[\]\\`_^{|}-]*")
CHANNEL: Final = re.compile(r"#[^\x00-\x20,:\x7f]*")


def wire_bytes(line: str) -> bytes:
    """Return a line as it is sent: cut to 512 bytes with its CR LF, but not inside a UTF-8 character."""
    return clip_bytes(line.encode("latin-1", "replace"), LINE_LIMIT - 2) + b"\r\n"


@dataclass(eq=False)
class Client:
    """One client. `write` takes complete lines in bytes; `close` ends the connection with a reason."""

    host: str
    write: Callable[[bytes], None]
    close: Callable[[str], None]
    heard_at: float
    connected_at: float
    nick: str = ""
    user: str = ""
    realname: str = ""
    registered: bool = False
    negotiating: bool = False  # between CAP LS and CAP END
    pinged: bool = False
    away: str = ""
    modes: str = ""
    channels: set[Channel] = field(default_factory=set)

    @property
    def mask(self) -> str:
        """The form `nick!user@host`."""
        return f"{self.nick}!{self.user}@{self.host}"

    def send(self, line: str) -> None:
        """Send one line, cut where it is too long."""
        self.write(wire_bytes(line))


@dataclass(eq=False)
class Channel:
    """One channel. It exists while someone is in it; `members` maps each to whether they are operator."""

    name: str
    created: int  # seconds since 1970
    topic: str = ""
    topic_by: str = ""
    topic_at: int = 0  # seconds since 1970
    members: dict[Client, bool] = field(default_factory=dict)

    def send(self, line: str, *, but: Client | None = None) -> None:
        """Send a line to all members, or all but one."""
        for member in list(self.members):
            if member is not but:
                member.send(line)


class Network:
    """All clients with a nick, and all channels."""

    def __init__(self) -> None:
        self._clients: dict[str, Client] = {}
        self._channels: dict[str, Channel] = {}

    @property
    def channels(self) -> Iterable[Channel]:
        """The channels in the order in which they were made."""
        return list(self._channels.values())

    def client(self, nick: str) -> Client | None:
        """Return the client of that nick, in whatever case."""
        return self._clients.get(fold(nick, CASEMAPPING))

    def registered(self, nick: str) -> Client | None:
        """Return the client of that nick if it has registered."""
        client = self.client(nick)
        return client if client and client.registered else None

    def channel(self, name: str) -> Channel | None:
        """Return the channel of that name, in whatever case."""
        return self._channels.get(fold(name, CASEMAPPING))

    def rename(self, client: Client, nick: str) -> bool:
        """Give a client a nick, unless another has it. Tells whether it did."""
        if self.client(nick) not in {None, client}:
            return False
        self._clients.pop(fold(client.nick, CASEMAPPING), None)
        client.nick = nick
        self._clients[fold(nick, CASEMAPPING)] = client
        return True

    def join(self, client: Client, name: str, now: int) -> Channel:
        """Put a client into a channel, which is made when there is none. The first one is operator."""
        channel = self._channels.setdefault(fold(name, CASEMAPPING), Channel(name, now))
        channel.members[client] = not channel.members
        client.channels.add(channel)
        return channel

    def part(self, client: Client, channel: Channel) -> None:
        """Take a client out of a channel. The last one takes the channel along."""
        channel.members.pop(client, None)
        client.channels.discard(channel)
        if not channel.members:
            self._channels.pop(fold(channel.name, CASEMAPPING), None)

    def neighbours(self, client: Client) -> list[Client]:
        """Return those who share a channel with a client, once each and without the client."""
        found = {member: None for channel in client.channels for member in channel.members}
        found.pop(client, None)
        return list(found)

    def remove(self, client: Client, reason: str) -> None:
        """Take a client off the network, and tell its neighbours. Without effect the second time."""
        neighbours = self.neighbours(client)
        for channel in list(client.channels):
            self.part(client, channel)
        if self._clients.get(fold(client.nick, CASEMAPPING)) is client:
            del self._clients[fold(client.nick, CASEMAPPING)]
        if client.registered:
            client.registered = False
            for neighbour in neighbours:
                neighbour.send(f":{client.mask} QUIT :{reason}")
