"""HMAC-SHA256 once more, from the hash alone."""

from __future__ import annotations

import hashlib


def hmac_sha256(key: bytes, message: bytes) -> bytes:
    """RFC 2104, from the hash alone."""
    key = hashlib.sha256(key).digest() if len(key) > 64 else key
    key = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(byte ^ 0x36 for byte in key) + message).digest()
    return hashlib.sha256(bytes(byte ^ 0x5C for byte in key) + inner).digest()
