"""What a link is told before it starts: where to go, as whom, and how patient to be."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Final

from chat.lines import UnsafeLine, check_target, check_text
from chat.tls import Tls

NAME_LIMIT: Final = 200
"""Bytes of a nick or channel, the most that RFC 1459 knew (channels, section 1.3)."""
TEXT_LIMIT: Final = 300
"""Bytes of a real name, so that the line which holds it is no longer than a line may be."""
PASSWORD_LIMIT: Final = 400
"""Bytes of a password, for the same reason."""
ACCOUNT_LIMIT: Final = 64
"""Bytes of the name of an account."""


class Mechanism(StrEnum):
    """How to log in to an account."""

    PLAIN = "plain"
    """By SASL with a password; where the server has no SASL, as NICKSERV."""
    EXTERNAL = "external"
    """By SASL with the certificate that is shown to the server (`Tls.client_cert`)."""
    NICKSERV = "nickserv"
    """With a password that NickServ is told."""


@dataclass(frozen=True, slots=True)
class Account:
    """The services account that the link logs in to.

    Only `Mechanism.EXTERNAL` can do without `user`, and does without `password`, which never shows in a
    repr. When it is `required` the link joins nothing without the login.

    Raises:
        ValueError: something is missing, or cannot stand in a line (`chat.lines.UnsafeLine`).

    """

    mechanism: Mechanism
    user: str = ""
    password: str | None = field(default=None, repr=False)
    required: bool = True

    def __post_init__(self) -> None:
        if self.user:
            check_target(self.user)
            check_length(self.user, ACCOUNT_LIMIT)
        if self.password is not None:
            _check_password(self.password)
        if self.mechanism is not Mechanism.EXTERNAL and not (self.user and self.password):
            raise ValueError(f"a login by {self.mechanism} needs a user and a password")


@dataclass(frozen=True, slots=True)
class LinkSettings:
    """Where the link connects, and as whom.

    `alternative_nicks` are tried in their order when `nick` is taken, and after them the nick with a
    suffix. `password` is the server's (PASS), and never shows in a repr. `tls` is true for the default of
    `Tls`.

    Raises:
        UnsafeLine: a name cannot stand in a line (see `chat.lines.check_target`).

    """

    server: str
    port: int
    tls: bool | Tls
    nick: str
    alternative_nicks: tuple[str, ...] = ()
    username: str = "yardzee"
    realname: str = "Yardzee"
    channels: tuple[str, ...] = ()
    password: str | None = field(default=None, repr=False)
    account: Account | None = None

    def __post_init__(self) -> None:
        for name in (self.nick, *self.alternative_nicks, self.username, *self.channels):
            check_target(name)
            check_length(name, NAME_LIMIT)
        check_length(check_text(self.realname), TEXT_LIMIT)
        if self.password is not None:
            _check_password(self.password)

    @property
    def secrets(self) -> tuple[str, ...]:
        """What no log may show."""
        passwords = (self.password, self.account.password if self.account else None)
        return tuple(password for password in passwords if password)

    @property
    def encryption(self) -> Tls | None:
        """How the connection is encrypted, or None when it is not."""
        return self.tls if isinstance(self.tls, Tls) else Tls() if self.tls else None


def check_length(text: str, limit: int) -> None:
    """Let `text` pass when it takes at most `limit` bytes.

    Raises:
        UnsafeLine: it takes more.

    """
    if len(text.encode()) > limit:
        raise UnsafeLine(f"longer than {limit} bytes", text)


def is_name(text: str) -> bool:
    """Tell whether somebody can be called so: whether a line to them can be sent."""
    try:
        check_length(check_target(text), NAME_LIMIT)
    except UnsafeLine:
        return False
    return True


def _check_password(password: str) -> None:
    try:
        check_length(check_text(password), PASSWORD_LIMIT)
    except UnsafeLine as error:
        # From None, and without the data: a traceback must not show a password.
        raise UnsafeLine(f"password: {error.reason}", "(not shown)") from None


@dataclass(frozen=True, slots=True)
class Timings:
    """Every wait of the link, in seconds.

    A dead link is noticed after `ping_after + ping_timeout` and a tick or two. The link looks at its
    clock every `tick`, so nothing that it does by the clock is finer than that.
    """

    connect: float = 30.0
    """For the name of the server, the connection and the TLS handshake."""
    address: float = 10.0
    """Of that, the least for each address of the name."""
    register: float = 60.0
    """From the connection to the end of registration."""
    motd: float = 10.0
    """From the welcome to the end of the message of the day, for servers that never end it."""
    login: float = 20.0
    """For each answer that a login to an account waits for."""
    tick: float = 1.0
    ping_after: float = 45.0
    """Silence after which the link asks whether the server is there."""
    ping_timeout: float = 45.0
    """How long the server has to answer."""
    quit: float = 2.0
    """How long the server has to close after QUIT."""
    retry_first: float = 2.0
    retry_longest: float = 300.0
    refused_first: float = 180.0
    """Gap after what will not mend by itself: a login or a password refused, a wrong certificate."""
    refused_longest: float = 3600.0
    stable: float = 120.0
    """A connection or a stay in a channel that lasts this long counts as good: gaps begin anew."""
    join_first: float = 10.0
    join_longest: float = 600.0
    regain_first: float = 30.0
    """Gap between attempts to take the wanted nick back."""
    regain_longest: float = 300.0

    def each_of(self, addresses: int) -> float:
        """Return how long one of so many addresses is tried."""
        return max(self.address, self.connect / addresses)
