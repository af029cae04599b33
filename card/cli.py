"""The command line: `yardzee-card`."""

from __future__ import annotations

import argparse
import asyncio
import getpass
import logging
import os
import re
import sys
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from importlib.metadata import version
from pathlib import Path
from typing import Final

from card import memory, plain
from card.memory import Remembered
from card.plain import Plain
from card.ports import Listener, Memory
from card.session import Session
from card.typed import Doors
from chat.lines import UnsafeLine
from chat.settings import LinkSettings
from protocol.fairness import WORD

_EXAMPLES: Final = """\
examples:
  yardzee-card --server irc.example.net --nick alice    the first time; all of it is remembered
  yardzee-card                                          from then on
  yardzee-card --plain                                  sentences instead of pictures, for a screen reader
"""
_CHANNEL: Final = "#yardzee"
_HERE: Final = frozenset({"127.0.0.1", "::1", "localhost"})
_PORTS: Final[Mapping[bool, int]] = {True: 6697, False: 6667}


def main(argv: Sequence[str] | None = None) -> int:
    """Play until the player quits; the exit status is 0, 1 where that cannot be, 2 for a wrong line."""
    parser = _parser()
    arguments = parser.parse_args(argv)
    path: Path = arguments.config or memory.usual_path()
    # What the link logs is shown by the card, and nothing else may write over it.
    logging.basicConfig(handlers=[logging.NullHandler()])
    try:
        place = _place(arguments, memory.load(path))
    except OSError as error:
        print(f"{path} cannot be read: {error.strerror}", file=sys.stderr)
        return 1
    if not place.server:
        parser.error("--server is needed the first time, as in --server irc.example.net")
    if "/" in place.server or place.server.count(":") == 1:  # more of these are an IPv6 address
        parser.error(f"{place.server!r} is no name or address; --port and --channel say the rest")
    if place.nick[0] in "-0123456789":
        parser.error(f"{place.nick!r} cannot be used: a nick begins with a letter")
    try:
        settings = _settings(place)
        session = Session(settings, place.channel, place.memory, trusted=arguments.host)
    except UnsafeLine as error:
        parser.error(f"{error.data!r} cannot be used: {error.reason}")
    session.witness.word = arguments.word or ""
    session.dialogue.practises = arguments.practice
    keeper = Keeper(path, place)
    with suppress(KeyboardInterrupt):
        if arguments.plain or os.environ.get("TERM") == "dumb" or not sys.stdout.isatty():
            asyncio.run(_plain(session, keeper))
        else:
            _screen(session, keeper)
    return 0


class Keeper:
    """Writes what is to be remembered; a card that cannot write plays all the same."""

    def __init__(self, path: Path, remembered: Remembered) -> None:
        self._path, self._remembered = path, remembered
        self._save()

    @property
    def light(self) -> bool:
        """Whether the card is to be dark on light."""
        return bool(self._remembered.light)

    def remember(self, memory_: Memory) -> None:
        self._change(replace(self._remembered, host=memory_.host, token=memory_.token, giver=memory_.giver))

    def remember_light(self, light: bool) -> None:
        self._change(replace(self._remembered, light=light))

    def remember_nick(self, nick: str) -> None:
        self._change(replace(self._remembered, nick=nick))

    def _change(self, remembered: Remembered) -> None:
        self._remembered = remembered
        self._save()

    def _save(self) -> None:
        with suppress(OSError):
            memory.save(self._path, self._remembered)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="yardzee-card",
        description="A player's card for games of Yahtzee over IRC. What is not named is as it was last.",
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"yardzee-card {version('yardzee')}")
    parser.add_argument("--server", help="name or address of the IRC server")
    parser.add_argument("--port", type=_port, help="default: 6697 with TLS, 6667 without")
    parser.add_argument(
        "--tls",
        action=argparse.BooleanOptionalAction,
        help="whether the connection is encrypted (default: yes, except to this machine)",
    )
    parser.add_argument("--nick", help="your nick (default: your user name)")
    parser.add_argument("--channel", help=f"where the host is (default: {_CHANNEL})")
    parser.add_argument("--host", default="", metavar="NICK", help="the host, when no other is to be trusted")
    looks = parser.add_mutually_exclusive_group()
    looks.add_argument("--light", dest="light", action="store_true", default=None, help="dark on light")
    looks.add_argument("--dark", dest="light", action="store_false", help="light on dark (default)")
    parser.add_argument("--word", type=_word, help="your word in the dice (default: one by chance)")
    parser.add_argument("--practice", action="store_true", help="begin a game alone with the host at once")
    parser.add_argument("--plain", action="store_true", help="sentences instead of pictures, typed commands")
    parser.add_argument("--config", type=Path, metavar="FILE", help="where the card remembers things")
    return parser


def _port(text: str) -> int:
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= 65535:
        raise argparse.ArgumentTypeError(f"{text!r} is no port; possible are 1 to 65535")
    return int(text)


def _word(text: str) -> str:
    if not re.fullmatch(WORD, text):
        raise argparse.ArgumentTypeError(
            f"{text!r} will not do; possible are 1 to 32 letters, digits and . _ -"
        )
    return text


def _place(arguments: argparse.Namespace, last: Remembered) -> Remembered:
    """Where to play, as whom, and how it looks: as named, else as remembered, else as is usual."""
    server = arguments.server or last.server
    same = server == last.server
    tls = arguments.tls if arguments.tls is not None else last.tls if same else None
    tls = server not in _HERE if tls is None else tls
    port = arguments.port or (last.port if same and tls == last.tls else 0) or _PORTS[tls]
    channel = arguments.channel or (last.channel if same else "") or _CHANNEL
    channel = channel if channel[0] in "#&+!" else f"#{channel}"
    light = arguments.light if arguments.light is not None else last.light
    light = _is_light(os.environ) if light is None else light
    place = Remembered(server, port, tls, arguments.nick or last.nick or _user(), channel, light)
    if same and (port, channel) == (last.port, last.channel):
        return replace(place, host=last.host, token=last.token, giver=last.giver)
    return place


def _is_light(environ: Mapping[str, str]) -> bool:
    """Whether the terminal says that its background is light: the last number of COLORFGBG is its colour."""
    return environ.get("COLORFGBG", "").rpartition(";")[2] in ("7", "15")


def _user() -> str:
    """The user's name as a nick."""
    with suppress(
        OSError, KeyError, ImportError
    ):  # a user without a name; which error it is depends on Python
        name = re.sub(r"[^A-Za-z0-9_-]", "", getpass.getuser()).lstrip("-0123456789")
        if name and name != "root":
            return name[:16]
    return "player"


def _settings(place: Remembered) -> LinkSettings:
    return LinkSettings(
        place.server,
        place.port,
        place.tls if place.tls is not None else True,
        place.nick,
        (f"{place.nick}_", f"{place.nick}2"),
        username="card",
        realname="A player's card of Yardzee",
    )


def _screen(session: Session, keeper: Keeper) -> None:
    # Loaded only now: in plain mode nothing of it is needed.
    from card.screen.app import Around, CardApp  # noqa: PLC0415

    async def rename(nick: str) -> None:
        await session.rename(nick)
        keeper.remember_nick(nick)

    around = Around(
        session.run,
        session.stop,
        rename,
        keeper.remember,
        keeper.remember_light,
        session.witness.add_word,
    )
    CardApp(session.dialogue, around, light=keeper.light).run()


async def _plain(session: Session, keeper: Keeper) -> None:
    tasks: set[asyncio.Task[None]] = set()
    quitting = asyncio.Event()

    async def rename(nick: str) -> None:
        try:
            await session.rename(nick)
            keeper.remember_nick(nick)
        except ValueError as error:
            plain.write(f"Nobody can be called so: {error}")

    def start_rename(nick: str) -> None:
        task = asyncio.create_task(rename(nick))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    doors = Doors(lambda: plain.write(plain.HELP), quitting.set, start_rename, session.witness.add_word)
    card = Plain(session.dialogue, plain.write, doors)
    session.dialogue.listener = Listener(card.note, card.changed, keeper.remember)
    plain.write("Yardzee, a player's card in plain sentences. help lists what you can type, quit ends.")
    running = asyncio.create_task(session.run())
    reading = asyncio.create_task(plain.lines(card.read))
    asking = asyncio.create_task(quitting.wait())
    while not (await asyncio.wait({reading, asking}, timeout=1, return_when=asyncio.FIRST_COMPLETED))[0]:
        card.tick()
    reading.cancel()
    asking.cancel()
    await session.stop()
    await running
    plain.write("The card is put away. Your seat, if you have one, waits for you.")
