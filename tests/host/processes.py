"""Commands that run as processes of their own, and what they say while they do."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import signal
import sys
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
COMMAND: Final = (sys.executable, "-W", "error", "-m", "host")
ENDS_WITHIN: Final = 5.0
"""Seconds from a signal to the end."""

STARTS_WITHIN: Final = 20.0
"""For an interpreter with all its imports on a busy machine."""


class Process:
    """A command that runs, and what it says while it does."""

    def __init__(self, process: asyncio.subprocess.Process) -> None:
        self._process = process
        self.stdout = ""
        self.stderr = ""

    async def line(self, pattern: str) -> re.Match[str]:
        """The first line of either output to come that the pattern is in."""
        async with asyncio.timeout(STARTS_WITHIN):
            while True:
                waiting = {
                    asyncio.create_task(self._read("stdout", pattern)),
                    asyncio.create_task(self._read("stderr", pattern)),
                }
                try:
                    done, _ = await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
                finally:
                    for task in waiting:
                        task.cancel()
                    await asyncio.gather(*waiting, return_exceptions=True)
                for task in done:
                    if found := task.result():
                        return found
                    raise AssertionError(f"ended without {pattern!r}:\n{self.stdout}{self.stderr}")

    async def end(self, number: signal.Signals) -> int:
        """Send the signal; the exit status, which has to come in time."""
        self._process.send_signal(number)
        async with asyncio.timeout(ENDS_WITHIN):
            status = await self._process.wait()
        await self._read("stdout", "(?!)")
        await self._read("stderr", "(?!)")
        return status

    async def kill(self) -> None:
        if self._process.returncode is None:
            self._process.kill()
            await self._process.communicate()

    async def _read(self, name: str, pattern: str) -> re.Match[str] | None:
        stream = self._process.stdout if name == "stdout" else self._process.stderr
        assert stream is not None
        while line := (await stream.readline()).decode():
            setattr(self, name, getattr(self, name) + line)
            if found := re.search(pattern, line):
                return found
        return None


@contextlib.asynccontextmanager
async def started(*arguments: str, cwd: Path) -> AsyncIterator[Process]:
    child = await asyncio.create_subprocess_exec(
        *COMMAND,
        *arguments,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stdin=asyncio.subprocess.DEVNULL,
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    process = Process(child)
    try:
        yield process
    finally:
        await process.kill()
