"""The host as a whole: networks, store and clock put together, run until told to stop."""

from __future__ import annotations

import asyncio
import os
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from importlib.metadata import version
from typing import Final

from chat.events import LinkEvent
from chat.link import Link, LinkSettings
from chat.logger import logger
from chat.settings import Account, Mechanism
from host.advice import Recent, Turns, no_turns
from host.advisor import Advisor, folder
from host.aside import InThread
from host.ban import Ban
from host.catching_up import CatchingUp
from host.clock import Clock, LoopClock
from host.config import Config, ConfigError, Metrics, Network
from host.desk import Desk
from host.errors import NoConfiguration, StoreError
from host.journal import Journal
from host.manager import Manager
from host.reload import Saved, changed, gone, read_saved
from host.replies import HostStatus, Reloaded
from host.table import Phase
from host.watch import NetworkStatus, Watchers

log = logger(__name__)

_FAREWELL: Final = "The host stops for now. Games are saved and go on when it is back."
_QUIT: Final = "Yardzee"
_MOST_PROBLEMS: Final = 3
"""Of a wrong configuration, in the answer to an operator; all of them are in the log."""


async def run(
    config: Config,
    environ: Mapping[str, str],
    stop: asyncio.Event,
    farewell: str = _FAREWELL,
    reread: Callable[[], Config] | None = None,
) -> None:
    """Host games on all networks of the configuration until `stop` is set.

    `farewell` is said then in each channel where something is on. `reread` reads the configuration again, and
    raises ConfigError; with it, a SIGHUP or an operator's word makes the host go by what it says then.

    Raises StoreError when the store cannot be used, and ConfigError when a password or the port for metrics
    cannot be had; nothing has been started then.
    """
    if reread is not None:
        # Until there is somebody to serve it, a SIGHUP must not end the process, as it does by default.
        signal.signal(signal.SIGHUP, signal.SIG_IGN)
    watchers = _watchers(config.metrics)
    journal = Journal.open(config.store, watch=watchers.store)
    try:
        clock = LoopClock(asyncio.get_running_loop(), journal.last_time())
        manager = Manager.from_environ(environ, os.getpid())
        advisor = Advisor(folder(environ))
        service = Service(
            config,
            environ,
            stop,
            reread,
            journal=journal,
            clock=clock,
            manager=manager,
            watchers=watchers,
            turns=Recent(advisor.turn).turn,
        )
        log.info("host started", version=version("yardzee"), store=journal.name)
        async with watchers.watching(service):
            service.start()
            async with advisor.preparing(_rules(config)):
                await service.serve(farewell)
    finally:
        journal.close()


def stop_on_signals(stop: asyncio.Event) -> None:
    """Let SIGTERM and Ctrl-C end the host in good order."""
    loop = asyncio.get_running_loop()
    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, stop.set)


@dataclass(frozen=True, slots=True)
class _Place:
    """The host on one network."""

    settings: LinkSettings
    link: Link
    desk: Desk
    task: asyncio.Task[None]


class Service:
    """The host on all its networks; what operators ask of it as a whole (`host.controls.Controls`)."""

    def __init__(  # noqa: PLR0913 - one of each thing that the host stands on
        self,
        config: Config,
        environ: Mapping[str, str],
        stop: asyncio.Event,
        reread: Callable[[], Config] | None,
        *,
        journal: Journal,
        clock: Clock,
        manager: Manager | None = None,
        watchers: Watchers | None = None,
        turns: Turns = no_turns,
    ) -> None:
        self._turns = turns
        self._aside = InThread()
        self._catching_up = CatchingUp(journal.records, clock, turns, self._aside)
        self._manager = manager or Manager()
        self._watchers = watchers or Watchers()
        self._config = self._first = config
        self._environ = environ
        self._stop = stop
        self._reread = reread
        self._journal = journal
        self._clock = clock
        self._places: dict[str, _Place] = {}
        self._ending: set[asyncio.Task[None]] = set()
        """Links that say goodbye."""

        self._started = time.monotonic()

    def start(self) -> None:
        """Be on all networks, and go on with the games that were on.

        Raises StoreError or ConfigError; nothing has been started then, but for a game that makes no sense.
        """
        settings = self._link_settings(self._config)
        saved = read_saved(self._journal, self._config)
        self.open(self._config.networks, settings, saved)
        self.restore(saved)
        self._catching_up.start()

    def open(self, networks: Iterable[Network], settings: Mapping[str, LinkSettings], saved: Saved) -> None:
        """Be on these networks as well."""
        for network in networks:
            bans = saved.bans.get(network.name, ())
            self._places[network.name] = self._place(network, settings[network.name], bans)

    def restore(self, saved: Saved) -> None:
        """Go on with the games that were saved.

        Raises StoreError when one of them makes no sense.
        """
        for history in saved.results:
            if place := self._places.get(history.file.network):
                place.desk.recall(history)
        for history in saved.games:
            file = history.file
            place = self._places.get(file.network)
            if place and place.desk.restore(history):
                log.info("game goes on", network=file.network, channel=file.channel, game=file.game)
            else:
                log.warning(
                    "game waits for a table", network=file.network, channel=file.channel, game=file.game
                )

    async def serve(self, farewell: str) -> None:
        """Host games until it is time to stop, say `farewell`, and leave all networks."""
        if self._reread is not None:
            asyncio.get_running_loop().add_signal_handler(signal.SIGHUP, self._reload_on_signal)
        self._manager.ready(self._summary())
        beating = asyncio.create_task(self._beat())
        try:
            await self._stop.wait()
        finally:
            log.info("host stops")
            beating.cancel()
            self._manager.stopping()
            self._catching_up.stop()
            self._aside.close()
            places = list(self._places.values())
            for place in places:
                place.desk.announce(farewell)
                place.desk.close()
            await asyncio.gather(*(place.link.stop(_QUIT) for place in places), *self._ending)
            outcomes = await asyncio.gather(*(place.task for place in places), return_exceptions=True)
        for outcome in outcomes:
            if isinstance(outcome, BaseException):
                raise outcome

    # --- what operators ask (`host.controls.Controls`) ---

    def status(self) -> HostStatus:
        networks = self.networks()
        tables = _tables(networks)
        return HostStatus(
            version=version("yardzee"),
            uptime=time.monotonic() - self._started,
            networks=tuple((network.name, network.connected) for network in networks),
            out_of=tuple(channel for network in networks for channel in network.out_of),
            tables=tables.total(),
            lobbies=tables[Phase.LOBBY],
            games=tables[Phase.PLAYING],
            waiting=sum(network.waiting for network in networks),
            store=self._journal.name,
            store_answers=self.store_answers(),
        )

    def reload(self) -> Reloaded:
        if self._reread is None:
            raise NoConfiguration
        try:
            config = self._reread()
            settings = self._link_settings(config)
            saved = read_saved(self._journal, config, besides=self._config)
        except ConfigError as error:
            problems = tuple(str(error).splitlines())
            for problem in problems:
                log.error("the configuration stays as it was", problem=problem)
            return Reloaded(problems=problems[:_MOST_PROBLEMS])
        return self._go_by(config, settings, saved)

    def shutdown(self) -> None:
        self._stop.set()

    def vacated(self, network: str) -> None:
        if place := self._places.pop(network, None):
            log.info("network left", network=network)
            place.desk.close()
            ending = asyncio.create_task(place.link.stop(_QUIT))
            self._ending.add(ending)
            ending.add_done_callback(self._ending.discard)

    # --- what is asked by those who watch (`host.watch.Watched`) ---

    def networks(self) -> Sequence[NetworkStatus]:
        return [_status(name, place) for name, place in self._places.items()]

    def store_answers(self) -> float | None:
        asked = time.perf_counter()
        try:
            self._journal.check()
        except StoreError:
            return None
        return (time.perf_counter() - asked) * 1000

    # --- reloading ---

    def _go_by(self, config: Config, settings: Mapping[str, LinkSettings], saved: Saved) -> Reloaded:
        """Make the host what a configuration says, but for what only a start can change."""
        for network in self._config.networks:
            place = self._places.get(network.name)
            if place and network.name not in settings:
                place.desk.configure(replace(network, channels=()))
        opened = [network for network in config.networks if network.name not in self._places]
        joined: list[str] = []
        later = [key for key in ("store", "metrics") if getattr(config, key) != getattr(self._first, key)]
        for network in config.networks:
            if place := self._places.get(network.name):
                new = place.desk.configure(network)
                joined += [f"{channel} on {network.name}" for channel in new]
                later += changed(network.name, place.settings, settings[network.name])
        self.open(opened, settings, saved)
        joined += [f"{channel.name} on {network.name}" for network in opened for channel in network.channels]
        leaving = gone(self._config, config)
        self._config = config
        try:
            self.restore(saved)
        except StoreError as error:
            log.error("a game cannot be read", error=str(error))
        log.info("the configuration was read again", joining=joined, leaving=leaving, at_next_start=later)
        return Reloaded((), tuple(joined), tuple(leaving), tuple(later))

    def _reload_on_signal(self) -> None:
        if self._stop.is_set():
            return
        log.info("SIGHUP received")
        self._manager.reloading()
        try:
            self.reload()
        except StoreError as error:
            log.error("the configuration stays as it was", problem=f"the store does not answer: {error}")
        self._manager.ready(self._summary())

    # --- the service manager ---

    async def _beat(self) -> None:
        """Tell the service manager from time to time that the loop still turns."""
        while (seconds := self._manager.beat) is not None:
            await asyncio.sleep(seconds)
            self._manager.alive(self._summary())

    def _summary(self) -> str:
        """How the host is, in a line."""
        networks = self.networks()
        tables = _tables(networks)
        connected = sum(network.connected for network in networks)
        on = f"{connected} of {len(networks)} networks connected"
        return f"{on}, {tables[Phase.PLAYING]} games at {tables.total()} tables"

    # --- parts ---

    def _place(self, network: Network, settings: LinkSettings, bans: Iterable[Ban]) -> _Place:
        links: list[Link] = []

        def connect(listener: Callable[[LinkEvent], None]) -> Link:
            links.append(Link(settings, listener))
            return links[-1]

        desk = Desk(
            network,
            connect,
            journal=self._journal,
            clock=self._clock,
            controls=self,
            bans=bans,
            turns=self._turns,
            aside=self._aside,
            watch=self._watchers.network(network.name),
        )
        task = asyncio.create_task(links[0].run())
        task.add_done_callback(self._link_ended)
        return _Place(settings, links[0], desk, task)

    def _link_ended(self, task: asyncio.Task[None]) -> None:
        """A link that ends by itself has failed, and the host with it: `serve` tells why."""
        if not task.cancelled() and (error := task.exception()):
            log.error("a link has failed", error=repr(error))
            self._stop.set()

    def _link_settings(self, config: Config) -> dict[str, LinkSettings]:
        return {network.name: _link_settings(network, self._environ) for network in config.networks}


def _rules(config: Config) -> list[str]:
    return [channel.rules for network in config.networks for channel in network.channels]


def _watchers(where: Metrics | None) -> Watchers:
    if where is None:
        return Watchers()
    # A quarter of a second of imports, which most hosts and all other commands need not wait for.
    from host.monitor import Monitor  # noqa: PLC0415

    return Monitor(where)


def _tables(networks: Iterable[NetworkStatus]) -> Counter[Phase]:
    return sum((Counter(network.tables) for network in networks), Counter())


def _status(name: str, place: _Place) -> NetworkStatus:
    keepers = place.desk.keepers
    return NetworkStatus(
        name,
        place.link.connected,
        out_of=tuple(keeper.channel for keeper in keepers if not place.desk.is_in(keeper)),
        tables=Counter(keeper.table.phase for keeper in keepers),
        waiting=place.desk.waiting,
    )


def _link_settings(network: Network, environ: Mapping[str, str]) -> LinkSettings:
    network.check(environ)
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
        account=_account(network, environ),
    )


def _account(network: Network, environ: Mapping[str, str]) -> Account | None:
    if (account := network.account) is None:
        return None
    password = account.password(environ)
    return Account(
        Mechanism(account.mechanism),
        account.user,
        password.get_secret_value() if password else None,
        account.required,
    )
