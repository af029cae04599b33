"""Certificates for tests, which nobody has signed but themselves."""

from __future__ import annotations

import hashlib
import shutil
import ssl
import subprocess
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Certificate:
    """The files of a certificate and of its key."""

    cert: str
    key: str

    @property
    def fingerprint(self) -> str:
        """The SHA-256 of its DER form."""
        return hashlib.sha256(ssl.PEM_cert_to_DER_cert(Path(self.cert).read_text())).hexdigest()

    def server_context(self) -> ssl.SSLContext:
        """What a server needs to show it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.cert, self.key)
        return context


def make(folder: Path, name: str) -> Certificate:
    """Make a certificate for 127.0.0.1 in `folder`."""
    openssl = shutil.which("openssl")
    if openssl is None:
        raise RuntimeError("these tests make a certificate: apt-get install openssl")
    made = Certificate(str(folder / f"{name}.pem"), str(folder / f"{name}.key"))
    subprocess.run(
        [
            openssl, "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes",
            "-subj", f"/CN={name}", "-addext", "subjectAltName=IP:127.0.0.1", "-days", "2",
            "-out", made.cert, "-keyout", made.key,
        ],
        check=True,
        capture_output=True,
    )  # fmt: skip
    return made
