"""TLS of a link: whose certificate the server must show, and which one is shown to it."""

from __future__ import annotations

import hashlib
import re
import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Final

_FINGERPRINT: Final = re.compile(r"[0-9a-f]{64}")
_FILES: Final = ("ca_file", "client_cert", "client_key")
_NO_CERTIFICATE: Final = "holds no certificate in PEM form"


class TlsFault(ValueError):
    """A file of the TLS settings that cannot be used: `key` names the setting, `reason` says why."""

    def __init__(self, key: str, reason: str) -> None:
        super().__init__(f"tls.{key}: {reason}")
        self.key = key
        self.reason = reason


class WrongCertificate(OSError):
    """The server has a certificate, and it is not the one that was agreed on."""


def normal_fingerprint(text: str) -> str:
    """Return a SHA-256 fingerprint as 64 small hex digits; with or without colons, in any case.

    Raises:
        ValueError: it is none.

    """
    digits = text.replace(":", "").lower()
    if not _FINGERPRINT.fullmatch(digits):
        raise ValueError("is no SHA-256 fingerprint: 64 hex digits, with or without colons between them")
    return digits


@dataclass(frozen=True, slots=True)
class Tls:
    """How a connection is encrypted; as it is without arguments, the system's authorities are trusted.

    `ca_file` holds the authorities that are trusted instead. With `fingerprint` (SHA-256 of the
    certificate's DER form) no authority and no name counts: the certificate is that one, or refused.
    `client_cert` is shown to the server; `client_key` is its key where that file does not hold it too.
    The files are read for each connection, so that they may be replaced while the link runs.

    Raises:
        ValueError: `fingerprint` is none, or there is a key without a certificate.

    """

    ca_file: str | None = None
    client_cert: str | None = None
    client_key: str | None = None
    fingerprint: str | None = None

    def __post_init__(self) -> None:
        if self.fingerprint is not None:
            normal_fingerprint(self.fingerprint)
        if self.client_key is not None and self.client_cert is None:
            raise ValueError("client_key is of no use without client_cert")

    def context(self) -> ssl.SSLContext:
        """Make the context of one connection.

        Raises:
            TlsFault: a file cannot be read, or does not hold what it should.

        """
        for key in _FILES:
            if (path := getattr(self, key)) is not None:
                _check_file(key, path)
        try:
            context = ssl.create_default_context(cafile=self.ca_file)
        except ssl.SSLError as error:
            raise TlsFault("ca_file", _NO_CERTIFICATE) from error
        if self.fingerprint is not None:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE  # `check` is told what the server showed instead
        if self.client_cert is not None:
            try:
                # Without a passphrase OpenSSL would ask for one on the terminal.
                context.load_cert_chain(self.client_cert, self.client_key, password="")
            except ssl.SSLError as error:
                raise self._unfit(error) from error
        return context

    def check(self, certificate: bytes | None) -> None:
        """Let the certificate pass that a server showed (its DER form), once the handshake is over.

        Raises:
            WrongCertificate: there is a `fingerprint`, and it is that of another one.

        """
        if self.fingerprint is None:
            return
        shown = hashlib.sha256(certificate or b"").hexdigest()
        if certificate is None or shown != normal_fingerprint(self.fingerprint):
            raise WrongCertificate(f"the server's certificate has the fingerprint {shown}")

    def _unfit(self, error: ssl.SSLError) -> TlsFault:
        """Say which file is to blame where OpenSSL tells of both at once."""
        try:
            ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_verify_locations(self.client_cert)
        except ssl.SSLError:
            return TlsFault("client_cert", _NO_CERTIFICATE)
        key = "client_cert" if self.client_key is None else "client_key"
        if error.reason == "KEY_VALUES_MISMATCH":
            return TlsFault(key, "the private key does not belong to the certificate in client_cert")
        hint = "; client_key names the file that does" if self.client_key is None else ""
        return TlsFault(key, f"holds no private key in PEM form{hint}")


def advice(error: Exception) -> str | None:
    """Say what to do about an error that every further attempt would meet again, or None for others."""
    match error:
        case TlsFault():
            return str(error)
        case WrongCertificate():
            return f"{error}: not the one that tls.fingerprint names; should it be a new one, name it there"
        case ssl.SSLCertVerificationError():
            trusted = "tls.ca_file or tls.fingerprint says which one to trust"
            return f"the server's certificate is not trusted ({error.verify_message}): {trusted}"
    return None


def _check_file(key: str, path: str) -> None:
    try:
        content = Path(path).read_bytes()
    except (OSError, ValueError) as error:  # ValueError: a NUL in the path
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise TlsFault(key, f"the file {path!r} cannot be read: {reason}") from error
    if b"ENCRYPTED" in content:
        raise TlsFault(key, "the private key has a passphrase, which nobody is there to type")
