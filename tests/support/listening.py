"""What the real servers of the tests share: free ports, waiting until one listens, and whom it runs as."""

from __future__ import annotations

import asyncio
import contextlib
import os
import shutil
import socket
from pathlib import Path


def free_ports(number: int) -> list[int]:
    """Return different ports that were free a moment ago. Another may take them before the server does."""
    with contextlib.ExitStack() as probes:
        taken = [probes.enter_context(socket.socket()) for _ in range(number)]
        for probe in taken:
            probe.bind(("127.0.0.1", 0))
        return [probe.getsockname()[1] for probe in taken]


def free_port() -> int:
    """Return a port that was free a moment ago. Another may take it before the server does."""
    (port,) = free_ports(1)
    return port


def as_irc(folder: Path) -> list[str]:
    """What stands before the command of a server that refuses to be root; the folder is its user's then."""
    if os.geteuid() != 0:
        return []
    # The user irc is one that Debian always has.
    for path in (folder, *folder.rglob("*")):
        shutil.chown(path, "irc", "irc")
    return ["setpriv", "--reuid=irc", "--regid=irc", "--clear-groups"]


async def until_listening(
    process: asyncio.subprocess.Process, seconds: float, host: str, *ports: int
) -> bool:
    """Wait until the server accepts connections on all ports; False when it ends before that.

    Raises TimeoutError after so many seconds.
    """
    ended = asyncio.create_task(process.wait())
    try:
        async with asyncio.timeout(seconds):
            while not ended.done():
                if all([await _listens(host, port) for port in ports]):
                    return not ended.done()
                # There is nothing to await: the server tells nobody that it listens.
                await asyncio.wait({ended}, timeout=0.01)
    finally:
        ended.cancel()
    return False


async def _listens(host: str, port: int) -> bool:
    with contextlib.suppress(OSError):
        _, writer = await asyncio.open_connection(host, port)
        writer.close()
        await writer.wait_closed()
        return True
    return False
