"""The host as a whole: networks, store and clock put together, run until told to stop."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections.abc import Callable, Mapping
from importlib.metadata import version

from chat.events import LinkEvent
from chat.link import Link, LinkSettings
from host.clock import LoopClock
from host.config import Config, Network
from host.desk import Desk
from host.journal import Journal

log = logging.getLogger(__name__)

_JUST_SECONDS = 60.0
"""A game that ended so shortly before the host stopped may have a result that nobody heard."""

_FAREWELL = "The host stops for now. Games are saved and go on when it is back."


async def run(
    config: Config, environ: Mapping[str, str], stop: asyncio.Event, farewell: str = _FAREWELL
) -> None:
    """Host games on all networks of the configuration until `stop` is set.

    `farewell` is said then in each channel where something is on.

    Raises StoreError when the store cannot be used, and ConfigError when a password cannot be had; nothing
    has been started then.
    """
    settings = [(network, _link_settings(network, environ)) for network in config.networks]
    journal = Journal.open(config.store)
    try:
        clock = LoopClock(asyncio.get_running_loop(), journal.last_time())
        links: list[Link] = []
        desks: dict[str, Desk] = {}
        for network, link_settings in settings:

            def connect(
                listener: Callable[[LinkEvent], None], settings: LinkSettings = link_settings
            ) -> Link:
                links.append(Link(settings, listener))
                return links[-1]

            desks[network.name] = Desk(network, connect, journal=journal, clock=clock)
        log.info("yardzee-host %s, games in %s", version("yardzee"), journal.name)
        _restore(journal, desks)
        await _serve(links, list(desks.values()), stop, farewell)
    finally:
        journal.close()


def stop_on_signals(stop: asyncio.Event) -> None:
    """Let SIGTERM and Ctrl-C end the host in good order."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)


def _restore(journal: Journal, desks: Mapping[str, Desk]) -> None:
    stopped_at = journal.last_time()
    for history in journal.last_results():
        if desk := desks.get(history.file.network):
            ended_at, _ = history.events[-1]
            desk.recall(history, just_ended=stopped_at - ended_at < _JUST_SECONDS)
    for history in journal.unfinished():
        file = history.file
        desk = desks.get(file.network)
        if desk and desk.restore(history):
            log.info("game %s goes on in %s on %s", file.game, file.channel, file.network)
        else:
            log.warning("game %s waits: %s on %s is not configured", file.game, file.channel, file.network)


async def _serve(links: list[Link], desks: list[Desk], stop: asyncio.Event, farewell: str) -> None:
    tasks = [asyncio.create_task(link.run()) for link in links]
    stopping = asyncio.create_task(stop.wait())
    try:
        done, _ = await asyncio.wait({stopping, *tasks}, return_when=asyncio.FIRST_COMPLETED)
        for task in done - {stopping}:
            task.result()  # a link that ends by itself has failed: tell why
    finally:
        stopping.cancel()
        log.info("stopping")
        for desk in desks:
            desk.announce(farewell)
            desk.close()
        await asyncio.gather(*(link.stop("Yardzee") for link in links))
        await asyncio.gather(*tasks, return_exceptions=True)


def _link_settings(network: Network, environ: Mapping[str, str]) -> LinkSettings:
    password = network.password(environ)
    return LinkSettings(
        server=network.server,
        port=network.port,
        tls=network.tls,
        nick=network.nick,
        alternative_nicks=network.alternative_nicks,
        username=network.username,
        realname=network.realname,
        channels=tuple(channel.name for channel in network.channels),
        password=password.get_secret_value() if password else None,
    )
