"""The login to a services account: by SASL while registering, or with NickServ after the welcome."""

from __future__ import annotations

from collections.abc import Callable
from enum import Enum, auto
from typing import Final

from chat import nickserv, sasl
from chat.backoff import Backoff
from chat.logger import logger
from chat.masking import is_nickserv, without
from chat.settings import Account, LinkSettings, Mechanism, Timings
from chat.wire import Line

log = logger(__name__)

_UNKNOWN: Final = frozenset({"421", "451", "461"})
"""The numerics by which a server says that it does not understand a command."""


class _State(Enum):
    """How far a login is."""

    WAITING = auto()
    """For the capabilities, or for the welcome."""
    ASKED = auto()
    """For the server's leave to answer by SASL."""
    ANSWERED = auto()
    """For what the server thinks of the answer."""
    IDENTIFYING = auto()
    """For NickServ."""
    IN = auto()
    OUT = auto()


class Login:
    """The login of one connection: told what happens, it sends what is to be said.

    `mechanisms` returns the value of the capability `sasl`, and None while that is not on. `proceed` is
    called when the server may complete the registration, and again when the login is `settled`.

    `failure` is set when a login that is required failed. One that is not required is told in the log,
    and tried again after gaps that grow.
    """

    def __init__(  # noqa: PLR0913 - what it is told, and what it asks
        self,
        settings: LinkSettings,
        timings: Timings,
        *,
        clock: Callable[[], float],
        jitter: Callable[[], float],
        transmit: Callable[[str], None],
        mechanisms: Callable[[], str | None],
        is_me: Callable[[str], bool],
        proceed: Callable[[], None],
    ) -> None:
        self.failure: str | None = None
        self.name: str | None = None
        """The account by the server's word, once it gave that."""

        self._settings = settings
        self._limit = timings.login
        self._clock = clock
        self._transmit = transmit
        self._mechanisms = mechanisms
        self._is_me = is_me
        self._proceed = proceed
        self._backoff = Backoff(timings.refused_first, timings.refused_longest, jitter)
        self._state = _State.WAITING if settings.account else _State.IN
        self._welcomed = False
        self._due: float | None = None  # the end of waiting for an answer, or of a gap
        self._handlers: dict[str, Callable[[Line], None]] = {
            "AUTHENTICATE": self._on_challenge,
            "900": self._on_logged_in,
            "903": self._on_success,
            "ACCOUNT": self._on_account,
            "MODE": self._on_mode,
            "NOTICE": self._on_notice,
            **dict.fromkeys(sasl.REFUSALS, self._on_refusal),
            **dict.fromkeys(nickserv.ABSENT, self._on_absent),
            **dict.fromkeys(_UNKNOWN, self._on_unknown),
        }

    @property
    def settled(self) -> bool:
        """Whether the link may go on: logged in, or not and that does not matter."""
        return self._state is _State.IN or (self._state is _State.OUT and self.failure is None)

    @property
    def logged_in(self) -> bool:
        """Whether there is an account, and the link is in it."""
        return self._state is _State.IN and self._settings.account is not None

    def begin(self) -> None:
        """Learn that the capabilities are settled, and that the server waits for the end of them."""
        if self._state is _State.WAITING:
            self._start()
        else:
            self._proceed()

    def welcomed(self) -> None:
        """Learn that the registration is complete."""
        self._welcomed = True
        if self._state is _State.WAITING:
            self._start()

    def handle(self, line: Line) -> None:
        """Take notice of a line. Lines that do not concern the login are ignored."""
        if self._settings.account and self.failure is None and (handler := self._handlers.get(line.command)):
            handler(line)

    def tick(self) -> None:
        """Do what is due by the clock."""
        if self._due is None or self._clock() < self._due:
            return
        self._due = None
        if self._state is _State.OUT:
            self._state = _State.WAITING
            self._start()
            return
        if self._state in {_State.ASKED, _State.ANSWERED}:
            self._transmit("AUTHENTICATE *")
        who = "NickServ" if self._state is _State.IDENTIFYING else "the server"
        self._failed(f"{who} gave no answer within {self._limit:g} s: {self._wait_for_services}")

    @property
    def _account(self) -> Account:
        assert self._settings.account is not None  # noqa: S101 - nothing is done without one
        return self._settings.account

    @property
    def _wait_for_services(self) -> str:
        hint = "; account.required: false goes on without them" if self._account.required else ""
        return f"the services may be down{hint}"

    def _start(self) -> None:
        """Take the next step from WAITING, where there is one to take now."""
        mechanism, offered = self._account.mechanism, self._mechanisms()
        if mechanism is Mechanism.EXTERNAL and offered is None:
            self._failed("the server offers no SASL, which account.mechanism: external needs")
        elif mechanism is Mechanism.NICKSERV or offered is None:
            self._identify()
        elif not sasl.takes(offered, mechanism):
            self._failed(f"the server offers {offered} only: choose one of these as account.mechanism")
        else:
            self._state = _State.ASKED
            self._wait()
            self._transmit(f"AUTHENTICATE {mechanism.upper()}")

    def _identify(self) -> None:
        if not self._welcomed:  # before that nobody can be talked to
            self._proceed()
            return
        try:
            line = nickserv.identify(self._account)
        except ValueError as error:
            self._failed(str(error))
            return
        self._state = _State.IDENTIFYING
        self._wait()
        self._transmit(line)

    def _wait(self) -> None:
        self._due = self._clock() + self._limit

    def _on_challenge(self, line: Line) -> None:
        if self._state is _State.ASKED and line.param(0) == "+":
            self._state = _State.ANSWERED
            self._wait()
            for answer in sasl.answer(self._account):
                self._transmit(answer)
        elif self._state in {_State.ASKED, _State.ANSWERED}:
            self._transmit("AUTHENTICATE *")
            self._failed(
                "the server asks for more than the mechanism has to say: choose another account.mechanism"
            )

    def _on_logged_in(self, line: Line) -> None:
        self.name = line.param(2) or None  # <nick> <nick!user@host> <account> :You are now logged in as …
        # In a login by SASL 903 is still to come, before which it must not be ended.
        if self._state in {_State.IDENTIFYING, _State.OUT}:
            self._succeeded()

    def _on_success(self, _line: Line) -> None:
        if self._state in {_State.ASKED, _State.ANSWERED, _State.OUT}:
            self._succeeded()

    def _on_refusal(self, line: Line) -> None:
        if self._state not in {_State.ASKED, _State.ANSWERED}:
            return
        if line.command == "907" and self.name is not None:
            self._succeeded()
        else:
            self._failed(sasl.refusal(line, self._account.mechanism))

    def _on_unknown(self, line: Line) -> None:
        if self._state in {_State.ASKED, _State.ANSWERED} and line.param(1).upper() == "AUTHENTICATE":
            said = f"{line.command} {line.param(-1)}"
            self._failed(
                f"the server does not know AUTHENTICATE ({said}): choose account.mechanism: nickserv"
            )

    def _on_account(self, line: Line) -> None:
        mine = self._is_me(line.source.partition("!")[0]) and line.param(0) not in {"", "*", "0"}
        if mine and self._state in {_State.IDENTIFYING, _State.OUT}:
            self.name = line.param(0)
            self._succeeded()

    def _on_mode(self, line: Line) -> None:
        mine = self._is_me(line.param(0)) and nickserv.grants_registered(line.param(1))
        if mine and self._state is _State.IDENTIFYING:
            self._succeeded()

    def _on_notice(self, line: Line) -> None:
        if self._state is not _State.IDENTIFYING or not self._is_me(line.param(0)):
            return
        match nickserv.verdict(line):
            case True:
                self._succeeded()
            case False:
                self._failed(
                    f"NickServ says <{nickserv.plain(line.param(1))}>: check the account and its password"
                )

    def _on_absent(self, line: Line) -> None:
        if self._state is _State.IDENTIFYING and is_nickserv(line.param(1)):
            self._failed(f"there is no NickServ ({line.command} {line.param(-1)}): {self._wait_for_services}")

    def _succeeded(self) -> None:
        self._state, self._due = _State.IN, None
        self._backoff.reset()
        log.info("logged in", server=self._settings.server, account=self.name or self._account.user)
        self._proceed()

    def _failed(self, reason: str) -> None:
        account = self._account
        name = f" as {account.user}" if account.user else ""
        text = f"no login{name} by {account.mechanism}: {without(reason, self._settings.secrets)}"
        self._state, self._due = _State.OUT, None
        if account.required:
            self.failure = text
            return
        gap = self._backoff.next()
        self._due = self._clock() + gap
        log.warning("going on without a login", server=self._settings.server, reason=text, next_in=round(gap))
        self._proceed()
