"""The host as a whole, as those who serve one network see it."""

from __future__ import annotations

from typing import Protocol

from host.replies import HostStatus, Reloaded


class Controls(Protocol):
    """What operators ask of it, and what it has to know; `host.service.Service` is one."""

    def status(self) -> HostStatus:
        """How the host is."""

    def reload(self) -> Reloaded:
        """Read the configuration again. Raises NoConfiguration."""

    def shutdown(self) -> None:
        """End the host in good order, soon."""

    def vacated(self, network: str) -> None:
        """Learn that the host has nothing more to do on a network."""
