"""The keys of the configuration as pydantic models, and pydantic's findings in the words of an operator."""

from collections.abc import Iterator, Mapping
from typing import Annotated, Any, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, BeforeValidator, ConfigDict, ValidationError, model_validator
from pydantic_core import ErrorDetails

from chat.settings import Mechanism
from host import config_values as values
from host.config_yaml import HASH_HINT, Document, KeyPath, Problem, dotted


class _At(ValueError):
    """A finding of a whole model that belongs to one of its keys."""

    def __init__(self, path: KeyPath, message: str) -> None:
        super().__init__(message)
        self.path = path


def _nothing_is_empty(value: object) -> object:
    # `"#yardzee":` with nothing after it is a channel with every default.
    return {} if value is None else value


def _off_is_a_word(value: object) -> object:
    # YAML 1.1 reads a bare `off` as false.
    return "off" if value is False else value


def _something(value: object) -> object:
    # Nobody writes a key to say nothing with it.
    if value is None:
        raise ValueError("has no value")
    return value


def _tls(value: object) -> object:
    match _something(value):
        case bool():
            return {} if value else None
        case dict():
            return value
    hint = f"; or a mapping of {', '.join(TlsForm.model_fields)}"
    raise ValueError(f"must be true or false, not {values.shown_kind(value)}{hint}")


class _Form(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid", frozen=True)


_File: TypeAlias = Annotated[
    Annotated[str, AfterValidator(values.file_name)] | None, BeforeValidator(_something)
]
_Variable: TypeAlias = Annotated[
    Annotated[str, AfterValidator(values.variable)] | None, BeforeValidator(_something)
]


class TlsForm(_Form):
    ca_file: _File = None
    client_cert: _File = None
    client_key: _File = None
    fingerprint: Annotated[
        Annotated[str, AfterValidator(values.fingerprint)] | None, BeforeValidator(_something)
    ] = None

    @model_validator(mode="after")
    def _name_what_the_key_is_for(self) -> "TlsForm":
        if self.client_key is not None and self.client_cert is None:
            raise _At(("client_key",), "is of no use without client_cert")
        return self


class AccountForm(_Form):
    mechanism: Annotated[str, AfterValidator(values.mechanism)]
    user: Annotated[Annotated[str, AfterValidator(values.account)] | None, BeforeValidator(_something)] = None
    password_env: _Variable = None
    password_file: _File = None
    required: bool = True

    @model_validator(mode="after")
    def _have_what_the_mechanism_needs(self) -> "AccountForm":
        if self.mechanism == Mechanism.EXTERNAL:
            return self
        if self.user is None:
            raise _At(("user",), f"this key is missing: whom mechanism: {self.mechanism} logs in as")
        if self.password_env is None and self.password_file is None:
            message = f"this key, or password_file, is missing: mechanism: {self.mechanism} needs one"
            raise _At(("password_env",), message)
        return self


class SendForm(_Form):
    burst: Annotated[int, AfterValidator(values.whole(1))] = 4
    seconds: Annotated[float, AfterValidator(values.seconds(zero=True))] = 1.0
    bytes: Annotated[int, AfterValidator(values.whole(512))] = 2000


class HouseForm(_Form):
    seats: Annotated[int, AfterValidator(values.whole(0))] = 0
    level: Annotated[str, AfterValidator(values.level)] = "expert"


class PrizesForm(_Form):
    first: Annotated[str, AfterValidator(values.prize)] | None = None
    second: Annotated[str, AfterValidator(values.prize)] | None = None
    third: Annotated[str, AfterValidator(values.prize)] | None = None
    door: list[Annotated[str, AfterValidator(values.prize)]] = []

    @property
    def places(self) -> tuple[str, ...]:
        """For the first, the second and the third; empty where there is none."""
        return (self.first or "", self.second or "", self.third or "")


class ChannelForm(_Form):
    rules: Annotated[str, AfterValidator(values.rules)] = "hasbro"
    pace: Annotated[str, AfterValidator(values.pace)] = "free"
    seats: Annotated[int, AfterValidator(values.whole(1, 50))] = 12
    lobby_seconds: Annotated[float, AfterValidator(values.seconds(zero=False))] = 60.0
    round_seconds: Annotated[float, AfterValidator(values.seconds(zero=False))] = 120.0
    repeat_seconds: Annotated[float, AfterValidator(values.seconds(zero=True))] = 2.0
    prefix: Annotated[str, AfterValidator(values.prefix)] = "!"
    hints: Annotated[str, BeforeValidator(_off_is_a_word), AfterValidator(values.hints)] = "private"
    dice: Annotated[str, AfterValidator(values.dice)] = "own"
    house: HouseForm = HouseForm()
    prizes: Annotated[PrizesForm, BeforeValidator(_nothing_is_empty)] = PrizesForm()

    @model_validator(mode="after")
    def _leave_a_seat(self) -> "ChannelForm":
        if self.house.seats >= self.seats:
            found = f"{self.house.seats} of {self.seats} seats leave none for a person"
            raise _At(("house", "seats"), f"must be less than the channel's seats: {found}")
        return self


class NetworkForm(_Form):
    server: Annotated[str, AfterValidator(values.server)]
    port: Annotated[int, AfterValidator(values.whole(1, 65_535))] | None = None
    tls: Annotated[TlsForm | None, BeforeValidator(_tls)] = TlsForm()
    nick: Annotated[str, AfterValidator(values.nick)]
    alternative_nicks: list[Annotated[str, AfterValidator(values.nick)]] = []
    username: Annotated[str, AfterValidator(values.username)] = "yardzee"
    realname: Annotated[str, AfterValidator(values.realname)] = "Yardzee, a host for dice games"
    password_env: Annotated[str, AfterValidator(values.variable)] | None = None
    password_file: Annotated[str, AfterValidator(values.file_name)] | None = None
    channels: dict[str, Annotated[ChannelForm, BeforeValidator(_nothing_is_empty)]]
    send: SendForm = SendForm()
    admins: list[Annotated[str, AfterValidator(values.admin)]] = []
    account: Annotated[AccountForm | None, BeforeValidator(_something)] = None

    @model_validator(mode="after")
    def _have_a_certificate_to_show(self) -> "NetworkForm":
        external = self.account is not None and self.account.mechanism == Mechanism.EXTERNAL
        if external and (self.tls is None or self.tls.client_cert is None):
            raise _At(("account", "mechanism"), "external shows a certificate: name it as tls.client_cert")
        return self


class MetricsForm(_Form):
    port: Annotated[int, AfterValidator(values.whole(1, 65_535))]
    address: Annotated[str, AfterValidator(values.loopback)] = "127.0.0.1"


class ConfigForm(_Form):
    networks: dict[str, NetworkForm]
    store: Annotated[str, AfterValidator(values.store)] = "sqlite:///yardzee.sqlite"
    metrics: Annotated[MetricsForm | None, BeforeValidator(_something)] = None


CLEAR: Final = "a password may not stand here in clear; use password_env or password_file"
_KINDS: Final[Mapping[str, str]] = {
    "bool_type": "true or false",
    "int_type": "a whole number",
    "float_type": "a number",
    "string_type": "text",
    "list_type": "a list, like [one, two]",
    "dict_type": "a mapping of keys",
    "model_type": "a mapping of keys",
}


def fill(document: Document) -> tuple[ConfigForm | None, tuple[Problem, ...]]:
    """The filled form, or None, and all problems of the values, the first one of each path."""
    found: dict[str, Problem] = {}
    form = None

    def note(path: KeyPath, message: str) -> None:
        text = dotted(path)
        found.setdefault(text, Problem(text, document.line(path), message))

    for path, message in _names(document.value):
        note(path, message)
    try:
        form = ConfigForm.model_validate(document.value)
    except ValidationError as error:
        for details in error.errors(include_url=False):
            note(*_told(details))
    return form, tuple(found.values())


def _names(value: object) -> Iterator[tuple[KeyPath, str]]:
    """What is wrong with the names of networks and channels, and with sets of keys."""
    networks = _mapping(value).get("networks")
    if "networks" in _mapping(value) and networks in (None, {}):
        yield ("networks",), "no networks: the host has nowhere to go"
    for name, network in _mapping(networks).items():
        path = ("networks", name)
        if not name.strip() or not name.isprintable():
            yield path, "a network needs a name of printable characters"
        keys = _mapping(network)
        for key in ("port", "password_env", "password_file"):
            if key in keys and keys[key] is None:  # None is their default, but nobody writes a key to say so
                yield (*path, key), "has no value"
        for around, here in ((path, keys), ((*path, "account"), _mapping(keys.get("account")))):
            if here.get("password_env") is not None and here.get("password_file") is not None:
                message = "password_env is there too; only one of the two can be meant"
                yield (*around, "password_file"), message
        if "channels" in keys:
            yield from _channel_names((*path, "channels"), keys["channels"])


def _channel_names(path: KeyPath, channels: object) -> Iterator[tuple[KeyPath, str]]:
    if channels in (None, {}):
        yield path, f"no channels; {HASH_HINT}"
    seen: dict[str, str] = {}
    for name in _mapping(channels):
        try:
            values.channel(name)
        except ValueError as error:
            hint = f"; {HASH_HINT}" if name in ChannelForm.model_fields else ""
            yield (*path, name), f"{error}{hint}"
            continue
        first = seen.setdefault(values.folded(name), name)
        if first != name:
            yield (*path, name), f"is the same channel as {values.shown(first)}: case makes no difference"


def _mapping(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}


def _told(details: ErrorDetails) -> tuple[KeyPath, str]:
    """One of pydantic's findings as a path and a sentence."""
    path: KeyPath = details["loc"]
    match details["type"]:
        case "extra_forbidden":
            return path, _unknown(path)
        case "missing":
            return path, "this key is missing"
        case "value_error":
            error = details["ctx"]["error"]
            return (*path, *error.path) if isinstance(error, _At) else path, str(error)
    return path, _not_a_kind(details, secret="password" in str(path[-1:]))


def _not_a_kind(details: ErrorDetails, *, secret: bool) -> str:
    value = details["input"]
    kind = _KINDS.get(details["type"])
    if value is None:
        return "has no value"
    if kind is None:
        return details["msg"]
    if secret:
        return f"must be {kind}"
    if isinstance(value, str):
        hint = "; take the quotes away" if value.strip().isdigit() else ""
        return f"must be {kind}, not {values.shown_kind(value)}{hint}"
    plain = details["type"] == "string_type" and not isinstance(value, list | dict)
    hint = "; put it in quotes if it is meant as text" if plain else ""
    return f"must be {kind}, not {values.shown(value)}{hint}"


def _unknown(path: KeyPath) -> str:
    *around, key = path
    if key == "password":
        return CLEAR
    match around:
        case []:
            form: type[_Form] = ConfigForm
        case ["metrics"]:
            form = MetricsForm
        case ["networks", _]:
            form = NetworkForm
        case ["networks", _, "send"]:
            form = SendForm
        case ["networks", _, "tls"]:
            form = TlsForm
        case ["networks", _, "account"]:
            form = AccountForm
        case ["networks", _, "channels", _]:
            form = ChannelForm
        case [*_, "prizes"]:
            form = PrizesForm
        case _:
            form = HouseForm
    return f"this key is not known here; {values.listed(form.model_fields, str(key))}"
