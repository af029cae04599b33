"""What the service manager is told: that the host is ready, alive, reloading or stopping (sd_notify(3)).

A datagram of `NAME=value` lines to the socket that the manager names in NOTIFY_SOCKET. Where there is none,
nothing is told.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Mapping
from typing import Final, Self

from chat.logger import logger

log = logger(__name__)

_USUAL_BEAT: Final = 30.0
"""Seconds between two words on how the host is, where the manager does not want to hear more often."""


class Manager:
    """The service manager: `address` is its socket, and after `watchdog` seconds silence is death."""

    def __init__(self, address: str = "", watchdog: float | None = None) -> None:
        self._address = address
        self._watchdog = watchdog

    @classmethod
    def from_environ(cls, environ: Mapping[str, str], pid: int) -> Self:
        """The manager that these variables name; with another WATCHDOG_PID the watchdog is not ours."""
        microseconds = environ.get("WATCHDOG_USEC", "")
        ours = environ.get("WATCHDOG_PID", str(pid)) == str(pid)
        watchdog = int(microseconds) / 1e6 if ours and microseconds.isdecimal() else None
        return cls(environ.get("NOTIFY_SOCKET", ""), watchdog)

    @property
    def beat(self) -> float | None:
        """Seconds after which it wants to hear `alive` again; None when there is no manager."""
        if not self._address:
            return None
        return min(self._watchdog / 2, _USUAL_BEAT) if self._watchdog else _USUAL_BEAT

    def ready(self, status: str) -> None:
        """Tell that the host is up, or up again after `reloading`."""
        self._tell(READY="1", STATUS=status)

    def alive(self, status: str) -> None:
        """Tell that the host still does its work."""
        self._tell(WATCHDOG="1", STATUS=status)

    def reloading(self) -> None:
        """Tell that the configuration is being read again."""
        self._tell(RELOADING="1", MONOTONIC_USEC=str(time.monotonic_ns() // 1000))

    def stopping(self) -> None:
        """Tell that the host ends."""
        self._tell(STOPPING="1", STATUS="stopping; games are saved")

    def _tell(self, **facts: str) -> None:
        if not self._address:
            return
        # @ stands for the NUL that begins the name of an abstract socket.
        address = "\0" + self._address[1:] if self._address.startswith("@") else self._address
        text = "\n".join(f"{name}={value}" for name, value in facts.items())
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as way:
                way.setblocking(False)
                way.sendto(text.encode(), address)
        except OSError as error:
            log.warning("the service manager could not be told", error=str(error))
