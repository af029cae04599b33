"""What differs between two configurations, and what the journal has for what is new in one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, fields

from chat.link import LinkSettings
from host.ban import Ban
from host.config import Config
from host.config_values import folded
from host.journal import GameFile, History, Journal
from protocol.commands import PRACTICE

Channel = tuple[str, str]
"""The name of a network, and the folded name of a channel there."""


@dataclass(frozen=True, slots=True)
class Saved:
    """What is in the journal for the networks and channels that a host comes to."""

    games: Sequence[History] = ()
    results: Sequence[History] = ()
    bans: Mapping[str, Sequence[Ban]] = field(default_factory=dict)


def read_saved(journal: Journal, config: Config, besides: Config | None = None) -> Saved:
    """Read all of it, or what is for networks and channels that are not in `besides`.

    Raises StoreError.
    """
    if besides is None:
        bans = {network.name: journal.bans(network.name) for network in config.networks}
        return Saved(journal.unfinished(), journal.last_results(), bans)
    known = {network.name for network in besides.networks}
    bans = {n.name: journal.bans(n.name) for n in config.networks if n.name not in known}
    new = _channels(config).keys() - _channels(besides).keys()
    if not new:
        return Saved(bans=bans)

    def wanted(file: GameFile) -> bool:
        practised = file.channel == PRACTICE and file.network not in known
        return practised or (file.network, folded(file.channel)) in new

    results = [history for history in journal.last_results() if wanted(history.file)]
    return Saved(journal.unfinished(wanted), results, bans)


def gone(before: Config, after: Config) -> list[str]:
    """The channels of the earlier configuration that are not in the later one."""
    new = _channels(after)
    return [shown for key, shown in _channels(before).items() if key not in new]


def changed(network: str, was: LinkSettings, now: LinkSettings) -> list[str]:
    """Keys of the connection itself that differ; it stays as it is until the next start."""
    names = (field.name for field in fields(LinkSettings) if field.name != "channels")
    return [f"networks.{network}.{name}" for name in names if getattr(was, name) != getattr(now, name)]


def _channels(config: Config) -> dict[Channel, str]:
    return {
        (network.name, folded(channel.name)): f"{channel.name} on {network.name}"
        for network in config.networks
        for channel in network.channels
    }
