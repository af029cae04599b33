"""A real ircd-hybrid 8 for tests, on a free port of the loopback interface."""

from __future__ import annotations

import asyncio
import os
import shutil
import tempfile
from pathlib import Path
from types import TracebackType
from typing import Final

from tests.support.listening import as_irc, free_port, until_listening

_ATTEMPTS: Final = 5
_NAME: Final = "irc.test.example"
_MODULES: Final = b"/usr/lib/ircd-hybrid/modules"
"""Where the program looks for its modules, whatever its configuration says."""

_UNPACKED: Final = Path(__file__).parents[2] / ".venv" / "ircd-hybrid"
"""Where scripts/test unpacks Debian's package, which cannot be installed beside ngircd."""


class Hybrid:
    """`async with Hybrid() as server:` runs the server; `server.port` is where it listens.

    It takes lines as fast as they come. `extra` holds further lines of its configuration.
    """

    def __init__(self, extra: str = "") -> None:
        self._extra = extra
        self.host = "127.0.0.1"
        self.port = 0
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process: asyncio.subprocess.Process | None = None

    async def __aenter__(self) -> Hybrid:
        self._folder = tempfile.TemporaryDirectory(prefix="yz-", dir="/tmp")
        try:
            for _ in range(_ATTEMPTS):
                self.port = free_port()
                if await self._start():
                    return self
            raise RuntimeError(f"ircd-hybrid did not start in {_ATTEMPTS} attempts:\n{self._log()}")
        except BaseException:
            await self._end()
            raise

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end()

    async def _start(self) -> bool:
        """Start it on `port`. Tells whether it accepts connections there; it ends when it cannot listen."""
        binary, modules = _installed()
        self._path("ircd.conf").write_text(self._config())
        # Copies, because the user irc may not be allowed to look into the folder of the project. A path of
        # the same length takes the place of the one that is built in.
        here = str(self._path("modules")).encode().ljust(len(_MODULES), b"/")
        assert len(here) == len(_MODULES), here
        self._path("ircd-hybrid").write_bytes(binary.read_bytes().replace(_MODULES, here))
        self._path("ircd-hybrid").chmod(0o755)
        shutil.copytree(modules, self._path("modules"), dirs_exist_ok=True)
        self._path("lib").mkdir(exist_ok=True)
        for library in _UNPACKED.glob("usr/lib/*/libltdl.so.*"):
            shutil.copy(library, self._path("lib"))
        become = as_irc(self._path("."))
        files = {"configfile": "ircd.conf"} | {
            f"{kind}file": kind for kind in ("log", "pid", "kline", "dline", "xline", "resv")
        }
        options = [word for key, name in files.items() for word in (f"-{key}", str(self._path(name)))]
        with self._path("output").open("wb") as output:
            self._process = await asyncio.create_subprocess_exec(
                *become,
                str(self._path("ircd-hybrid")),
                "-foreground",
                *options,
                cwd=self._path("."),
                env=os.environ | {"LD_LIBRARY_PATH": str(self._path("lib"))},
                stdin=asyncio.subprocess.DEVNULL,
                stdout=output,
                stderr=output,
            )
        return await until_listening(self._process, 20, self.host, self.port)

    async def _end(self) -> None:
        if self._process is not None and self._process.returncode is None:
            self._process.terminate()
            await self._process.wait()
        if self._folder is not None:
            self._folder.cleanup()

    def _path(self, name: str) -> Path:
        assert self._folder is not None
        return Path(self._folder.name) / name

    def _log(self) -> str:
        paths = filter(Path.exists, (self._path("output"), self._path("log")))
        return "".join(path.read_text(errors="replace") for path in paths)

    def _config(self) -> str:
        return f"""
serverinfo {{ name = "{_NAME}"; description = "t"; network_name = "T"; network_description = "t"; hub = no;
    default_max_clients = 512; max_nick_length = 30; }};
admin {{ name = "a"; description = "b"; email = "c@example.org"; }};
class {{ name = "users"; ping_time = 90 seconds; number_per_ip_local = 500; number_per_ip_global = 500;
    max_number = 500; sendq = 100 kbytes; recvq = 2560 bytes; }};
listen {{ host = "{self.host}"; port = {self.port}; }};
auth {{ user = "*@*"; class = "users"; flags = can_flood; }};
general {{ disable_auth = yes; throttle_count = 500; throttle_time = 1 second; }};
log {{ use_logging = no; }};
{self._extra}
"""


def _installed() -> tuple[Path, Path]:
    """The program and the folder of its modules."""
    for root in (_UNPACKED, Path("/")):
        binary, modules = root / "usr/sbin/ircd-hybrid", root / "usr/lib/ircd-hybrid/modules"
        if binary.exists() and modules.exists():
            return binary, modules
    raise RuntimeError("these tests need ircd-hybrid: scripts/test gets Debian's package")
