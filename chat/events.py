"""What the link tells its listener: facts in the past tense, free of the wire format."""

from __future__ import annotations

from dataclasses import dataclass, field

from chat.settings import is_name


@dataclass(frozen=True, slots=True)
class User:
    """Someone on the network as the server shows them: `nick!user@host` (RFC 2812 section 2.3.1).

    `nick` is written as the server wrote it; compare nicks by `Link.fold` only. `user` and `host` are
    empty where the server left them out.

    `account` is the services account that they are logged in to, written as the server wrote it. None
    means that they are not logged in or that the link does not know: never take two users without an
    account for one. It is the latest that the server said; where that has neither account-tag nor
    account-notify, a login may be missed.
    """

    nick: str
    user: str = ""
    host: str = ""
    account: str | None = None

    @classmethod
    def from_mask(cls, mask: str) -> User:
        """Read `nick!user@host`, `nick@host` or a bare `nick`; it is empty when nobody can be called so."""
        nick, bang, rest = mask.partition("!")
        if bang:
            user, _, host = rest.partition("@")
        else:
            user = ""
            nick, _, host = mask.partition("@")
        return cls(nick if is_name(nick) else "", user, host)

    @property
    def mask(self) -> str:
        """The form `nick!user@host`."""
        return f"{self.nick}!{self.user}@{self.host}"


@dataclass(frozen=True, slots=True)
class Connected:
    """Registration is complete, and `nick` is the nick that the server gave. Channels are not joined yet."""

    nick: str


@dataclass(frozen=True, slots=True)
class Disconnected:
    """The connection that `Connected` told of is gone, and so is every channel. The link tries again.

    Attempts that fail before `Connected` are logged and are no event. By then the server had been `silent`
    for so many seconds.
    """

    reason: str
    silent: float = field(default=0.0, compare=False)


@dataclass(frozen=True, slots=True)
class Silence:
    """The server is heard again, after so many seconds in which it did not even answer a PING."""

    seconds: float


@dataclass(frozen=True, slots=True)
class Joined:
    """`user` came into `channel`. When it is the link's own user, `Names` follows with who is there."""

    user: User
    channel: str


@dataclass(frozen=True, slots=True)
class Parted:
    """`user` left `channel` and stays on the network."""

    user: User
    channel: str


@dataclass(frozen=True, slots=True)
class Kicked:
    """`nick` was put out of `channel` by `by` (a nick, or the name of a server).

    When it is the link's own nick, the link joins again by itself and `Joined` tells of success.
    """

    nick: str
    channel: str
    by: str
    reason: str


@dataclass(frozen=True, slots=True)
class Quit:
    """`user` left the network. Told once, whatever channels they were in.

    `netsplit` says that they did not go by themselves: a connection between servers broke, and they are
    likely to come back together with others. Each of those who went has a `Quit` of their own.
    """

    user: User
    reason: str
    netsplit: bool = False


@dataclass(frozen=True, slots=True)
class NickChanged:
    """`user`, whose nick was `user.nick`, is called `nick` from now on.

    When it is the link's own user, `Link.nick` is the new nick already.
    """

    user: User
    nick: str


@dataclass(frozen=True, slots=True)
class AccountChanged:
    """`user` logged in to `account`, or logged out when it is None. `user.account` is what it was before.

    Told where the server has account-notify, of users who share a channel with the link, and of the
    link's own user. Elsewhere the account in the next event is a new one without further notice.
    """

    user: User
    account: str | None


@dataclass(frozen=True, slots=True)
class HostChanged:
    """`user` has another user name or host from now on, and is `new_user`: the same connection and nick.

    Told where the server has chghost. Elsewhere servers show the user quitting and joining again, or
    say nothing until the user does. Told of the link's own user as well.
    """

    user: User
    new_user: User


@dataclass(frozen=True, slots=True)
class Names:
    """Who is in `channel`: the complete list, without status prefixes, the link's own nick included."""

    channel: str
    nicks: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Present:
    """Who the people in `channel` are, the link's own user left out.

    Told once after the link came into the channel, some time after `Names`, and not at all where the
    server does not answer WHO.
    """

    channel: str
    users: tuple[User, ...]


@dataclass(frozen=True, slots=True)
class Message:
    """`user` said `text` in the channel `target`, or to the link's own nick when `private`.

    Only what people type: no CTCP (`/me` is `Acted`), no NOTICE, nothing from servers, no own echo, and
    nothing that is sent to the operators of a channel alone, and nothing from the past (see
    `chat.playback`). `text` is raw input and may hold any
    character except CR, LF and NUL; it must not be repeated as it is.
    """

    user: User
    target: str
    text: str
    private: bool


@dataclass(frozen=True, slots=True)
class Acted:
    """`user` did something in the channel `target`, as `/me` does it; of `text` holds what `Message` says."""

    user: User
    target: str
    text: str


@dataclass(frozen=True, slots=True)
class Refused:
    """The server refused something, with an error numeric (RFC 2812 section 5.2).

    `target` is the nick or channel that the numeric names, or empty. `wait` is the time in seconds after
    which the text says that it may be tried again. Refused JOINs are told as well, and tried again by the
    link. The link's own search for a nick is its own affair, and is not told. Of a line that a server
    says by NOTICE to have throttled, 439 is told, the numeric that others have for it.

    Which line was refused no server says: of several that were just sent to the target it may be any.
    """

    numeric: int
    target: str
    text: str
    wait: float | None = None


LinkEvent = (
    Connected
    | Disconnected
    | Silence
    | Joined
    | Parted
    | Kicked
    | Quit
    | NickChanged
    | AccountChanged
    | HostChanged
    | Names
    | Present
    | Message
    | Acted
    | Refused
)
