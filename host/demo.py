"""One process to try it all: an IRC server on loopback, the host in a channel, and house players."""

from __future__ import annotations

import asyncio
import errno
import shlex
import sys
from pathlib import Path
from typing import Final

from chat.embedded import EmbeddedServer
from host import service
from host.config import parse

_ADDRESS: Final = "127.0.0.1"
_USUAL_PORT: Final = 6667

# The server is in this process and does not mind floods, so that lines go out as they come.
_CONFIG: Final = """\
networks:
  demo:
    server: {address}
    port: {port}
    tls: false
    nick: Hoster
    channels:
      "#yardzee":
        house: {{seats: 2}}
        round_seconds: 300
    send: {{burst: 1000, seconds: 0}}
store: "sqlite://"
"""

_GREETING: Final = """\
Yardzee runs on {address}, port {port}, with the host in #yardzee. Ctrl-C ends it.

Connect with any IRC client, from another terminal:
  irssi    irssi -c {address} -p {port} -n yourname
  WeeChat  weechat irc://yourname@{address}:{port}/#yardzee
  others   server {address}, port {port}, no TLS

Then type:
  /join #yardzee
  !join              opens a game; two house players sit down with you
  !start             begins it; your dice come in private from Hoster
  /msg Hoster k44    keeps two fours (fh scores a full house, help tells the rest)

Or play with a card, by mouse and keys, from another terminal:
  {card}
"""


async def run(port: int | None) -> int:
    """Serve until Ctrl-C; the exit status. Without a port, 6667 is taken if free, or else any."""
    stop = asyncio.Event()
    service.stop_on_signals(stop)
    try:
        server = await _server(port)
    except OSError as error:
        print(f"port {port or _USUAL_PORT} on {_ADDRESS} cannot be used: {error.strerror}", file=sys.stderr)
        return 1
    try:
        config = parse(_CONFIG.format(address=_ADDRESS, port=server.port), "demo")
        card = f"{_card()} --server {_ADDRESS} --port {server.port}"
        print(_GREETING.format(address=_ADDRESS, port=server.port, card=card), flush=True)
        await service.run(config, {}, stop, farewell="The demo ends here, and this game with it.")
    finally:
        await server.stop()
    print("The demo has ended.")
    return 0


def _card() -> str:
    """The program of the player's card: it is installed beside this one."""
    program = Path(sys.argv[0]).absolute().with_name("yardzee-card")
    return shlex.quote(str(program)) if program.exists() else program.name


async def _server(port: int | None) -> EmbeddedServer:
    server = EmbeddedServer(_ADDRESS, port or _USUAL_PORT)
    try:
        await server.start()
    except OSError as error:
        if port is not None or error.errno != errno.EADDRINUSE:
            raise
        print(f"Port {_USUAL_PORT} is taken, so another one serves.")
        server = EmbeddedServer(_ADDRESS, 0)
        await server.start()
    return server
