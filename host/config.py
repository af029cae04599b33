"""The host's configuration: `load` reads a file into a frozen `Config`, or tells everything that is wrong.

config.yaml:12: networks.local.channels.#yardzee.pace: 'fast' is not a pace; possible: free, lockstep
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Final

from pydantic import SecretStr

from chat.tls import Tls, TlsFault
from host import config_values as values
from host.config_forms import AccountForm, ChannelForm, ConfigForm, MetricsForm, NetworkForm, TlsForm, fill
from host.config_yaml import ConfigError, Document, KeyPath, Problem, dotted, read

__all__ = [
    "Account",
    "Channel",
    "Config",
    "ConfigError",
    "Metrics",
    "Network",
    "Problem",
    "Secret",
    "Send",
    "load",
    "parse",
]

Secret = SecretStr  # its repr hides the value; get_secret_value() tells it

_MOST_BYTES: Final = 1_000_000  # no configuration is as large; /dev/zero is


@dataclass(frozen=True, slots=True)
class Send:
    """How fast the host may send: `burst` lines of `bytes` at once, then one each `seconds`."""

    burst: int
    seconds: float
    bytes: int = 2000


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
    house_level: str
    places: tuple[str, ...]
    """Prizes for the first three; empty where there is none."""

    door: tuple[str, ...]
    """Prizes that are drawn among all who finish."""

    hints: str = "private"
    """Whether players may ask for hints: a value of `host.events.Hints`."""

    dice: str = "own"
    """Whose dice fall alike: a value of `game.fair.DiceMode`."""


@dataclass(frozen=True, slots=True)
class _Origin:
    """Where keys of a configuration stand, for errors that show only when what they name is fetched."""

    name: str
    path: KeyPath
    document: Document = field(repr=False)

    def below(self, key: str) -> "_Origin":
        """Where the keys of a mapping in here stand."""
        return _Origin(self.name, (*self.path, key), self.document)

    def fault(self, key: str, message: str) -> ConfigError:
        """What to raise when something is wrong with what `key` names."""
        path = (*self.path, key)
        return ConfigError(self.name, (Problem(dotted(path), self.document.line(path), message),))

    def password(self, env: str | None, file: str | None, environ: Mapping[str, str]) -> Secret | None:
        """The password from a variable or a file, or None where neither is named.

        Raises:
            ConfigError: it cannot be had, or is no password.
        """
        try:
            if env is not None:
                return SecretStr(values.secret(_without_newline(_variable(env, environ))))
            if file is not None:
                return SecretStr(values.secret(_without_newline(_content(file))))
        except ValueError as error:
            key = "password_file" if env is None else "password_env"
            raise self.fault(key, str(error)) from error
        return None


@dataclass(frozen=True, slots=True)
class Account:
    """The services account that the host logs in to; `mechanism` is a value of `chat.settings.Mechanism`.

    Where it is `required`, the host joins nothing without it.
    """

    mechanism: str
    user: str
    password_env: str | None
    password_file: str | None
    required: bool
    _origin: _Origin = field(repr=False, compare=False)

    def password(self, environ: Mapping[str, str]) -> Secret | None:
        """The account's password, or None where none is named.

        Raises:
            ConfigError: it cannot be had, or is no password.
        """
        return self._origin.password(self.password_env, self.password_file, environ)


@dataclass(frozen=True, slots=True)
class Network:
    """One network, the host's names on it and its channels there."""

    name: str
    server: str
    port: int
    tls: bool | Tls
    """True stands for a `Tls` without arguments."""

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
    account: Account | None
    _origin: _Origin = field(repr=False, compare=False)

    def password(self, environ: Mapping[str, str]) -> Secret | None:
        """The server's password, from the environment given or from the file, or None where there is none.

        Raises:
            ConfigError: the variable is not set, the file cannot be read, or what it holds is no password.
        """
        return self._origin.password(self.password_env, self.password_file, environ)

    def check(self, environ: Mapping[str, str]) -> None:
        """Look at all that stands outside of the configuration: passwords, and files of certificates.

        Raises:
            ConfigError: some of it cannot be used; all of that is told.
        """
        account = self.account
        _check_all(
            (
                lambda: self.password(environ),
                lambda: account and account.password(environ),
                self._check_certificates,
            )
        )

    def _check_certificates(self) -> None:
        try:
            if isinstance(self.tls, Tls):
                self.tls.context()
        except TlsFault as error:
            raise self._origin.below("tls").fault(error.key, error.reason) from error


@dataclass(frozen=True, slots=True)
class Metrics:
    """Where programs may watch the host: a port of a loopback address."""

    address: str
    port: int
    _origin: _Origin = field(repr=False, compare=False)

    def unusable(self, reason: str) -> ConfigError:
        """What to raise when nobody can listen there."""
        return self._origin.fault("port", f"cannot listen on {self.address}, port {self.port}: {reason}")


@dataclass(frozen=True, slots=True)
class Config:
    """A whole valid configuration; `store` is the URL of the journal."""

    networks: tuple[Network, ...]
    store: str = field(repr=False)  # it may hold a password
    metrics: Metrics | None = None

    def check(self, environ: Mapping[str, str]) -> None:
        """Look at all that stands outside of the configuration: passwords, and files of certificates.

        Raises:
            ConfigError: some of it cannot be used; all of that is told.
        """
        _check_all(partial(network.check, environ) for network in self.networks)


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
        message = f"the configuration {what}; it needs the key networks, and may have store and metrics"
        raise ConfigError(name, (*document.problems, Problem("", document.line(()), message)))
    form, problems = fill(document)
    said = {problem.path for problem in document.problems}
    problems = (*document.problems, *(problem for problem in problems if problem.path not in said))
    if form is None or problems:
        raise ConfigError(name, tuple(sorted(problems, key=lambda problem: problem.line or 0)))
    return _config(form, document, name)


def _config(form: ConfigForm, document: Document, name: str) -> Config:
    networks = tuple(
        _network(key, network, _Origin(name, ("networks", key), document))
        for key, network in form.networks.items()
    )
    return Config(networks, form.store, _metrics(form.metrics, _Origin(name, ("metrics",), document)))


def _metrics(form: MetricsForm | None, origin: _Origin) -> Metrics | None:
    return Metrics(form.address, form.port, origin) if form else None


def _network(name: str, form: NetworkForm, origin: _Origin) -> Network:
    return Network(
        name=name,
        server=form.server,
        port=form.port if form.port is not None else 6667 if form.tls is None else 6697,
        tls=_tls(form.tls),
        nick=form.nick,
        alternative_nicks=tuple(form.alternative_nicks),
        username=form.username,
        realname=form.realname,
        channels=tuple(_channel(key, channel) for key, channel in form.channels.items()),
        send=Send(form.send.burst, form.send.seconds, form.send.bytes),
        admins=tuple(form.admins),
        password_env=form.password_env,
        password_file=form.password_file,
        account=_account(form.account, origin.below("account")),
        _origin=origin,
    )


def _tls(form: TlsForm | None) -> bool | Tls:
    return form is not None and (form == TlsForm() or Tls(**form.model_dump()))


def _account(form: AccountForm | None, origin: _Origin) -> Account | None:
    if form is None:
        return None
    return Account(
        mechanism=form.mechanism,
        user=form.user or "",
        password_env=form.password_env,
        password_file=form.password_file,
        required=form.required,
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
        house_level=form.house.level,
        places=form.prizes.places,
        door=tuple(form.prizes.door),
        hints=form.hints,
        dice=form.dice,
    )


def _check_all(checks: Iterable[Callable[[], object]]) -> None:
    """Make all checks, and raise as one ConfigError what they raise."""
    problems: list[Problem] = []
    name = ""
    for check in checks:
        try:
            check()
        except ConfigError as error:
            name = error.name
            problems += error.problems
    if problems:
        raise ConfigError(name, tuple(problems))


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
