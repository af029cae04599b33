"""What a link is told before it starts: where to go, as whom, and how patient to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from chat.lines import UnsafeLine, check_target, check_text

NAME_LIMIT: Final = 200
"""Bytes of a nick or channel, the most that RFC 1459 knew (channels, section 1.3)."""
TEXT_LIMIT: Final = 300
"""Bytes of a real name or password, so that the line which holds it is no longer than a line may be."""


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Where the link connects, and as whom.

    `alternative_nicks` are tried in their order when `nick` is taken, and after them the nick with a
    suffix. `password` is the server's (PASS), and never shows in a repr.

    Raises:
        UnsafeLine: a name cannot stand in a line (see `chat.lines.check_target`).

    """

    server: str
    port: int
    tls: bool
    nick: str
    alternative_nicks: tuple[str, ...] = ()
    username: str = "yardzee"
    realname: str = "Yardzee"
    channels: tuple[str, ...] = ()
    password: str | None = field(default=None, repr=False)

    def __post_init__(self) -> None:
        for name in (self.nick, *self.alternative_nicks, self.username, *self.channels):
            check_target(name)
            check_length(name, NAME_LIMIT)
        check_length(check_text(self.realname), TEXT_LIMIT)
        if self.password is not None:
            try:
                check_length(check_text(self.password), TEXT_LIMIT)
            except UnsafeLine as error:
                # From None, and without the data: a traceback must not show a password.
                raise UnsafeLine(f"password: {error.reason}", "(not shown)") from None


def check_length(text: str, limit: int) -> None:
    """Let `text` pass when it takes at most `limit` bytes.

    Raises:
        UnsafeLine: it takes more.

    """
    if len(text.encode()) > limit:
        raise UnsafeLine(f"longer than {limit} bytes", text)


@dataclass(frozen=True, slots=True)
class Timings:
    """Every wait of the link, in seconds.

    A dead link is noticed after `ping_after + ping_timeout` and a tick or two. The link looks at its
    clock every `tick`, so nothing that it does by the clock is finer than that.
    """

    connect: float = 30.0
    """For the connection and the TLS handshake."""
    register: float = 60.0
    """From the connection to the end of registration."""
    motd: float = 10.0
    """From the welcome to the end of the message of the day, for servers that never end it."""
    tick: float = 1.0
    ping_after: float = 45.0
    """Silence after which the link asks whether the server is there."""
    ping_timeout: float = 45.0
    """How long the server has to answer."""
    quit: float = 2.0
    """How long the server has to close after QUIT."""
    retry_first: float = 2.0
    retry_longest: float = 300.0
    stable: float = 120.0
    """A connection or a stay in a channel that lasts this long counts as good: gaps begin anew."""
    join_first: float = 10.0
    join_longest: float = 600.0
    regain_first: float = 30.0
    """Gap between attempts to take the wanted nick back."""
    regain_longest: float = 300.0
