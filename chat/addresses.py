"""The addresses that a server's name stands for, and which of them to try first."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Callable


class Addresses:
    """Counts how often each address of `server` was tried, for as long as the name has it.

    The one that was tried least comes first. So also an address where connections are taken and nothing
    is said on them costs one attempt, and not all of them. It is never two at once: servers count the
    connections of a host, also those that it drops for a faster one. `each_of` returns for how many seconds
    one of so many addresses is tried.
    """

    def __init__(self, server: str, port: int, each_of: Callable[[int], float]) -> None:
        self.server = server
        self.port = port
        self.each_of = each_of
        self._tries: dict[str, int] = {}

    async def found(self) -> list[str]:
        """Return the addresses, in the order in which to try them.

        Raises:
            OSError: the name is not found.
            UnicodeError: it is no host name.

        """
        loop = asyncio.get_running_loop()
        found = await loop.getaddrinfo(self.server, self.port, type=socket.SOCK_STREAM)
        self._tries = {address: self._tries.get(address, 0) for address in (str(one[4][0]) for one in found)}
        return sorted(self._tries, key=self._tries.__getitem__)

    def tried(self, address: str) -> None:
        """Note that an address is tried now."""
        self._tries[address] += 1
