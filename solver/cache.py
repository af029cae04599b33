"""Values on disk, so that they are worked out once: a file for each game, in a folder of the caller's choice.

A file is a SHA-256 of all that follows, a line that names the format and the game, and the table as 32-bit
floats. It gets its name when it is whole. One that is damaged, or of another game, is as good as none.
"""

from __future__ import annotations

import os
from hashlib import sha256
from pathlib import Path
from tempfile import mkstemp
from typing import Final

import numpy as np

from solver.tables import Scores
from solver.values import Values, grained, shape

_FORMAT: Final = "yardzee values 1"
_FLOATS: Final = np.dtype("<f4")
_DIGEST: Final = sha256().digest_size


def place(folder: Path, scores: Scores) -> Path:
    """The file of a game. Its name is that of the game's content: other rules have another file."""
    return folder / f"values-{scores.key}.bin"


def save(folder: Path, values: Values) -> Path:
    """Write the values, and make the folder if need be. Raises OSError."""
    folder.mkdir(parents=True, exist_ok=True)
    body = _head(values.scores) + values.table.astype(_FLOATS).tobytes()
    path = place(folder, values.scores)
    handle, name = mkstemp(dir=folder, prefix=path.stem, suffix=".new")
    new = Path(name)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(sha256(body).digest() + body)
            file.flush()
            os.fsync(handle)
        new.replace(path)
    except BaseException:
        new.unlink(missing_ok=True)
        raise
    return path


def load(folder: Path, scores: Scores) -> Values | None:
    """The values of a game, or None when they are not there or not whole."""
    head = _head(scores)
    try:
        content = place(folder, scores).read_bytes()
    except OSError:
        return None
    digest, body = content[:_DIGEST], content[_DIGEST:]
    if sha256(body).digest() != digest or not body.startswith(head):
        return None
    table = np.frombuffer(body, _FLOATS, offset=len(head))
    return Values(scores, grained(table.reshape(shape(scores)).astype(np.float64)))


def _head(scores: Scores) -> bytes:
    return f"{_FORMAT} {scores.key}\n".encode()
