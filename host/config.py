"""The host's configuration: `load` reads a file into a frozen `Config`, or tells everything that is wrong.

config.yaml:12: networks.local.channels.#yardzee.pace: 'fast' is not a pace; possible: free, lockstep
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from host import config_values as values
from host.config_forms import ChannelForm, ConfigForm, NetworkForm, fill
from host.config_yaml import ConfigError, Document, Problem, dotted, read

__all__ = ["Channel", "Config", "ConfigError", "Network", "Problem", "Secret", "Send", "load", "parse"]

Secret = SecretStr  # its repr hides the value; get_secret_value() tells it

_MOST_BYTES: Final = 1_000_000  # no configuration is as large; /dev/zero is


@dataclass(frozen=True, slots=True)
class Send:
    """How fast the host may send: `burst` lines at once, then one each `seconds`."""

    burst: int
    seconds: float


@dataclass(frozen=True, slots=True)
class Channel:
    """One channel and the games that are played in it; `rules` is a key of `game.rules.RULE_SETS`."""

    name: str
    rules: str
    pace: str
    seats: int
    lobby_seconds: float
    round_seconds: float
    repeat_seconds: float
    prefix: str
    house_seats: int
    places: tuple[str, ...]
    """Prizes for the first three; empty where there is none."""

    door: tuple[str, ...]
    """Prizes that are drawn among all who finish."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where a network's password key stands, for errors that show only when the password is fetched."""

    name: str
    path: str
    line: int | None


@dataclass(frozen=True, slots=True)
class Network:
    """One network, the host's names on it and its channels there."""

    name: str
    server: str
    port: int
    tls: bool
    nick: str
    alternative_nicks: tuple[str, ...]
    username: str
    realname: str
    channels: tuple[Channel, ...]
    send: Send
    admins: tuple[str, ...]
    """Who may use hosting commands: services accounts and masks."""

    password_env: str | None
    password_file: str | None
    _origin: _Origin = field(repr=False, compare=False)

    def password(self, environ: Mapping[str, str]) -> Secret | None:
        """The server's password, from the environment given or from the file, or None where there is none.

        Raises:
            ConfigError: the variable is not set, the file cannot be read, or what it holds is no password.
        """
        try:
            if self.password_env is not None:
                return SecretStr(values.secret(_without_newline(_variable(self.password_env, environ))))
            if self.password_file is not None:
                return SecretStr(values.secret(_without_newline(_content(self.password_file))))
        except ValueError as error:
            problem = Problem(self._origin.path, self._origin.line, str(error))
            raise ConfigError(self._origin.name, (problem,)) from error
        return None


@dataclass(frozen=True, slots=True)
class Config:
    """A whole valid configuration; `store` is the URL of the journal."""

    networks: tuple[Network, ...]
    store: str = field(repr=False)  # it may hold a password

    def check_passwords(self, environ: Mapping[str, str]) -> None:
        """Fetch every network's password and forget it again.

        Raises:
            ConfigError: some cannot be fetched; all of these are told.
        """
        problems: list[Problem] = []
        name = ""
        for network in self.networks:
            try:
                network.password(environ)
            except ConfigError as error:
                name = error.name
                problems += error.problems
        if problems:
            raise ConfigError(name, tuple(problems))


def load(path: Path | str) -> Config:
    """Read the configuration from a file.

    Raises:
        ConfigError: the file cannot be read, or anything in it is wrong.
    """
    name = str(path)
    try:
        with Path(path).open("rb") as stream:
            data = stream.read(_MOST_BYTES + 1)
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        raise ConfigError(name, (Problem("", None, f"cannot be read: {_reason(error)}"),)) from error
    if len(data) > _MOST_BYTES:
        raise ConfigError(name, (Problem("", None, "too large for a configuration"),))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise ConfigError(name, (Problem("", line, "not valid UTF-8; save the file as UTF-8"),)) from error
    return parse(text, name)


def parse(text: str, name: str) -> Config:
    """Read the configuration from a text; `name` is what problems call it.

    Raises:
        ConfigError: anything in it is wrong; every problem found is told at once.
    """
    document = read(text, name)
    if not isinstance(document.value, dict) or not document.value:
        what = "is empty" if document.value in (None, {}) else "is no mapping"
        message = f"the configuration {what}; it needs the key networks, and may have store"
        raise ConfigError(name, (*document.problems, Problem("", document.line(()), message)))
    form, problems = fill(document)
    said = {problem.path for problem in document.problems}
    problems = (*document.problems, *(problem for problem in problems if problem.path not in said))
    if form is None or problems:
        raise ConfigError(name, tuple(sorted(problems, key=lambda problem: problem.line or 0)))
    return _config(form, document, name)


def _config(form: ConfigForm, document: Document, name: str) -> Config:
    networks = tuple(
        _network(key, network, _origin(key, network, document, name))
        for key, network in form.networks.items()
    )
    return Config(networks=networks, store=form.store)


def _origin(key: str, form: NetworkForm, document: Document, name: str) -> _Origin:
    path = ("networks", key, "password_file" if form.password_env is None else "password_env")
    return _Origin(name, dotted(path), document.line(path))


def _network(name: str, form: NetworkForm, origin: _Origin) -> Network:
    return Network(
        name=name,
        server=form.server,
        port=form.port if form.port is not None else 6697 if form.tls else 6667,
        tls=form.tls,
        nick=form.nick,
        alternative_nicks=tuple(form.alternative_nicks),
        username=form.username,
        realname=form.realname,
        channels=tuple(_channel(key, channel) for key, channel in form.channels.items()),
        send=Send(form.send.burst, form.send.seconds),
        admins=tuple(form.admins),
        password_env=form.password_env,
        password_file=form.password_file,
        _origin=origin,
    )


def _channel(name: str, form: ChannelForm) -> Channel:
    return Channel(
        name=name,
        rules=form.rules,
        pace=form.pace,
        seats=form.seats,
        lobby_seconds=form.lobby_seconds,
        round_seconds=form.round_seconds,
        repeat_seconds=form.repeat_seconds,
        prefix=form.prefix,
        house_seats=form.house.seats,
        places=form.prizes.places,
        door=tuple(form.prizes.door),
    )


def _variable(name: str, environ: Mapping[str, str]) -> str:
    if name not in environ:
        raise ValueError(f"the environment variable {name} is not set")
    return environ[name]


def _content(path: str) -> str:
    try:
        with Path(path).open("rb") as stream:
            return stream.read(values.SECRET_MOST + 3).decode()  # more than enough to see that it is too long
    except OSError as error:
        raise ValueError(
            f"the password file {values.shown(path)} cannot be read: {_reason(error)}"
        ) from error
    except UnicodeDecodeError:
        # From None: the exception holds the bytes of the password.
        raise ValueError(f"the password file {values.shown(path)} is not valid UTF-8") from None


def _without_newline(text: str) -> str:
    return text.removesuffix("\n").removesuffix("\r")


def _reason(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)
