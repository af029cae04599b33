"""What is said in a login by SASL, and what a refusal means (IRCv3 sasl 3.1 and 3.2)."""

from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Final

from chat.settings import Account, Mechanism
from chat.wire import Line

CHUNK: Final = 400
"""Bytes of base64 in one AUTHENTICATE. A message that fills the last one to the brim is ended by `+`."""

_WRONG: Final[Mapping[Mechanism, str]] = {
    Mechanism.PLAIN: "check account.user and its password",
    Mechanism.EXTERNAL: "the account does not know the certificate in tls.client_cert: add its fingerprint "
    "there, with NickServ's CERT ADD on most networks",
}
_REFUSALS: Final[Mapping[str, str]] = {
    "902": "the account is locked: ask the staff of the network",
    "905": "the answer is too long for the server: choose a shorter password",
    "906": "the server broke it off; nothing to do but wait",
    "907": "the server says that there was a login before; nothing to do but wait",
    "908": "choose one of these as account.mechanism",
}
REFUSALS: Final = frozenset({"904", *_REFUSALS})
"""The numerics that end a login without success."""


def answer(account: Account) -> list[str]:
    """Return the lines that answer the server's `AUTHENTICATE +`."""
    text = base64.b64encode(_message(account)).decode()
    chunks = [text[at : at + CHUNK] for at in range(0, len(text), CHUNK)]
    if len(text) % CHUNK == 0:
        chunks.append("+")
    return [f"AUTHENTICATE {chunk}" for chunk in chunks]


def takes(mechanisms: str, mechanism: Mechanism) -> bool:
    """Tell whether `mechanism` may be tried. `mechanisms` is the capability's value, empty before 3.2."""
    return not mechanisms or mechanism.upper() in mechanisms.upper().split(",")


def refusal(line: Line, mechanism: Mechanism) -> str:
    """Say what one of `REFUSALS` means, and what to do about it."""
    # <nick> <mechanisms> :are available SASL mechanisms
    said = " ".join(line.params[1:])
    return f"{line.command} {said}: {_REFUSALS.get(line.command) or _WRONG[mechanism]}"


def _message(account: Account) -> bytes:
    if account.mechanism is Mechanism.EXTERNAL:
        # RFC 4422 appendix A: as whom; empty leaves that to the certificate.
        return account.user.encode()
    # RFC 4616: as whom, who, password.
    return "\0".join((account.user, account.user, account.password or "")).encode()
