"""Which extensions the server has, and those of them that are switched on (IRCv3 Capability Negotiation)."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from chat.wire import Line

WANTED: Final[tuple[str, ...]] = (
    "account-notify",
    "account-tag",
    "batch",
    "cap-notify",
    "chghost",
    "extended-join",
    "message-tags",
    "multi-prefix",
    "server-time",
    "userhost-in-names",
)
"""What is asked for where it is offered. Nothing in the link needs any of it."""


class Capabilities:
    """Negotiates with the server: before the welcome, and whenever it announces a change.

    `settled` is called once, when what the server offered at first is on or refused. That does not come
    about by itself when the server does not answer: see `hurry`.
    """

    def __init__(
        self,
        transmit: Callable[[str], None],
        settled: Callable[[], None],
        wanted: tuple[str, ...] = WANTED,
    ) -> None:
        self._transmit = transmit
        self._tell_settled = settled
        self._wanted = wanted
        self._settled = False
        self._listing = False
        self._offered: list[str] = []  # only what is wanted, so that no list of theirs fills our memory
        self._values: dict[str, str] = {}
        self._enabled: set[str] = set()
        self._requests: deque[tuple[str, ...]] = deque()
        self._in_flight: tuple[str, ...] = ()

    def has(self, name: str) -> bool:
        """Tell whether the capability is on: lines from now on are as its specification says."""
        return name in self._enabled

    def value(self, name: str) -> str | None:
        """Return what the server said of the capability, often nothing, or None when it is not on."""
        return self._values.get(name, "") if name in self._enabled else None

    def begin(self) -> None:
        """Ask what the server offers. One that knows of capabilities now waits for CAP END."""
        self._listing = True
        # 302: values, lists over several lines, and cap-notify without asking for it.
        self._transmit("CAP LS 302")

    def hurry(self) -> None:
        """Be settled now, whatever is still open. An answer that comes later still counts."""
        if not self._settled:
            self._settled = True
            self._tell_settled()

    def handle(self, line: Line) -> None:
        """Take a CAP line in."""
        names = line.param(-1).split(" ") if len(line.params) > 2 else []
        match line.param(1).upper():
            case "LS" if self._listing:
                self._offer(names)
                # CAP * LS * :... says that there is more to come.
                if line.param(2) != "*" or len(line.params) < 4:
                    self._listing = False
                    self._request(self._offered)
            case "NEW":
                known = self._offer(names)
                if not self._listing:
                    self._request(known)
            case "DEL":
                for name in names:
                    self._enabled.discard(name)
                self._offered = [name for name in self._offered if name not in names]
            case "ACK":
                self._acknowledged(names)
            case "NAK" if self._in_flight:
                refused, self._in_flight = self._in_flight, ()
                # One that is refused takes all of its request along: each may do by itself.
                if len(refused) > 1:
                    self._requests.extend((name,) for name in refused)
                self._go_on()

    def _offer(self, tokens: Iterable[str]) -> list[str]:
        """Note what of `tokens` is wanted, and return it."""
        named = {name: value for name, _, value in (token.partition("=") for token in tokens)}
        known = [name for name in self._wanted if name in named]
        self._values.update({name: named[name] for name in known})
        self._offered += [name for name in known if name not in self._offered]
        return known

    def _request(self, names: Iterable[str]) -> None:
        asked = {*self._in_flight, *(name for request in self._requests for name in request)}
        missing = tuple(name for name in names if name not in self._enabled | asked)
        if missing:
            self._requests.append(missing)
        self._go_on()

    def _acknowledged(self, names: Iterable[str]) -> None:
        # Some servers put a space after the last name, and old ones a sign before a name.
        for name in names:
            if name.startswith("-"):
                self._enabled.discard(name[1:])
            elif name.lstrip("~=") in self._wanted:
                self._enabled.add(name.lstrip("~="))
        self._in_flight = ()
        self._go_on()

    def _go_on(self) -> None:
        if self._in_flight:
            return
        if self._requests:
            self._in_flight = self._requests.popleft()
            self._transmit(f"CAP REQ :{' '.join(self._in_flight)}")
        elif not self._listing:
            self.hurry()
