"""What the host counts and measures, as Prometheus reads it.

Labels have few values: names of networks from the configuration, and words of the code. Nicks, channels and
games are never among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib.metadata import version
from typing import Final

from prometheus_client import (
    CollectorRegistry,
    Counter,
    GCCollector,
    Histogram,
    PlatformCollector,
    ProcessCollector,
)
from prometheus_client.exposition import choose_encoder
from prometheus_client.metrics_core import GaugeMetricFamily, InfoMetricFamily, Metric
from prometheus_client.registry import Collector

from host.events import Began, Event, Finished, Stopped
from host.table import Phase
from host.watch import NetworkStatus, StoreWatch, Watch

_WAITS: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60)
"""Seconds. What is paced waits for a second and more; what is not leaves at once."""

_WRITES: Final = (0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 3)
_DELAYS: Final = (0.001, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 5)

_BY_NETWORK: Final = ("network",)


class Metrics:
    """The numbers of one host, in a registry of their own."""

    def __init__(self) -> None:
        self._registry = registry = CollectorRegistry()
        for collector in (ProcessCollector, PlatformCollector, GCCollector):
            collector(registry=registry)

        def counter(name: str, text: str, labels: Sequence[str] = _BY_NETWORK) -> Counter:
            return Counter(name, text, labels, "yardzee", registry=registry)

        def histogram(name: str, text: str, labels: Sequence[str], buckets: Sequence[float]) -> Histogram:
            return Histogram(name, text, labels, "yardzee", buckets=buckets, registry=registry)

        self.reconnects = counter("reconnects", "Times that the host was back on a network.")
        self.disconnects = counter("disconnects", "Connections that were lost.")
        self.commands = counter(
            "commands", "Lines that were served, by what became of them.", ("network", "command", "outcome")
        )
        self.sent = counter("lines_sent", "Lines that went to the server.")
        self.dropped = counter("lines_dropped", "Lines that were stale, too many, or for somebody gone.")
        self.refused = counter("refusals", "Lines and JOINs that the server refused.")
        self.games: Mapping[type[Event], Counter] = {
            Began: counter("games_begun", "Games that began."),
            Finished: counter("games_finished", "Games that were played to their end."),
            Stopped: counter("games_stopped", "Games that ended without a result."),
        }
        self.replies = histogram(
            "reply_seconds", "From a line to the first private line of its answer.", _BY_NETWORK, _WAITS
        )
        self.waits = histogram(
            "outbox_wait_seconds", "Time of a line in the outbox.", ("network", "lane"), _WAITS
        )
        self.loop_delay = histogram("loop_delay_seconds", "How late the host's loop is.", (), _DELAYS)
        self.store: StoreWatch = _StoreMetrics(
            histogram("journal_commit_seconds", "Time of a transaction that wrote something.", (), _WRITES),
            counter("journal_errors", "Transactions that the store did not take.", ()),
        )

    def network(self, name: str) -> Watch:
        """Who counts on this network."""
        return _NetworkMetrics(self, name)

    def show(
        self, networks: Callable[[], Sequence[NetworkStatus]], store_answers: Callable[[], bool]
    ) -> None:
        """Show how the host is as well, asked anew for each page."""
        self._registry.register(_Now(networks, store_answers))

    def page(self, accept: str) -> tuple[bytes, str]:
        """All numbers, in the format that an Accept header asks for, and the type of that."""
        encode, content_type = choose_encoder(accept)
        return encode(self._registry), content_type


class _NetworkMetrics(Watch):
    def __init__(self, metrics: Metrics, network: str) -> None:
        self._network = network
        self._known = False
        """Whether the host has been on the network."""

        self._reconnects = metrics.reconnects.labels(network)
        self._disconnects = metrics.disconnects.labels(network)
        self._commands = metrics.commands
        self._sent = metrics.sent.labels(network)
        self._dropped = metrics.dropped.labels(network)
        self._refused = metrics.refused.labels(network)
        self._games = {kind: counter.labels(network) for kind, counter in metrics.games.items()}
        self._replies = metrics.replies.labels(network)
        self._waits = metrics.waits

    def connected(self) -> None:
        if self._known:
            self._reconnects.inc()
        self._known = True

    def disconnected(self) -> None:
        self._disconnects.inc()

    def commanded(self, kind: str, outcome: str) -> None:
        self._commands.labels(self._network, kind, outcome).inc()

    def answered(self, seconds: float) -> None:
        self._replies.observe(seconds)

    def waited(self, lane: str, seconds: float) -> None:
        self._waits.labels(self._network, lane).observe(seconds)

    def dropped(self) -> None:
        self._dropped.inc()

    def sent(self) -> None:
        self._sent.inc()

    def refused(self) -> None:
        self._refused.inc()

    def recorded(self, events: Sequence[Event]) -> None:
        for event in events:
            if counter := self._games.get(type(event)):
                counter.inc()


class _StoreMetrics(StoreWatch):
    def __init__(self, commits: Histogram, errors: Counter) -> None:
        self._commits = commits
        self._errors = errors

    def committed(self, seconds: float) -> None:
        self._commits.observe(seconds)

    def failed(self) -> None:
        self._errors.inc()


class _Now(Collector):
    """How the host is when it is asked."""

    def __init__(
        self, networks: Callable[[], Sequence[NetworkStatus]], store_answers: Callable[[], bool]
    ) -> None:
        self._networks = networks
        self._store_answers = store_answers

    def collect(self) -> Iterator[Metric]:
        connected = _gauge("connected", "Whether the host is on a network.")
        out_of = _gauge("channels_out", "Channels that the host should be in and is not.")
        tables = _gauge("tables", "Tables by their phase.", ("network", "phase"))
        waiting = _gauge("outbox_lines", "Lines that wait to be sent.")
        for network in self._networks():
            connected.add_metric([network.name], network.connected)
            out_of.add_metric([network.name], len(network.out_of))
            waiting.add_metric([network.name], network.waiting)
            for phase in Phase:
                tables.add_metric([network.name, phase.value], network.tables.get(phase, 0))
        up = _gauge("store_up", "Whether the store takes something.", ())
        up.add_metric([], self._store_answers())
        yield from (connected, out_of, tables, waiting, up)
        yield InfoMetricFamily("yardzee_host", "The host's version.", {"version": version("yardzee")})


def _gauge(name: str, text: str, labels: Sequence[str] = _BY_NETWORK) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"yardzee_{name}", text, labels=labels)
