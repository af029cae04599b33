"""What the card remembers from one time to the next: where, as whom, and how to take a seat up again."""

from __future__ import annotations

import json
import os
import tempfile
from dataclasses import asdict, dataclass, field, fields
from pathlib import Path

from platformdirs import user_config_path

from card.ports import Memory


@dataclass(frozen=True, slots=True)
class Remembered:
    """The last place. An empty text stands for what is not known, and so do 0 and None."""

    server: str = ""
    port: int = 0
    tls: bool | None = None
    nick: str = ""
    channel: str = ""
    light: bool | None = None
    """Whether the card is dark on light."""

    host: str = ""
    token: str = field(default="", repr=False)
    giver: str = ""

    @property
    def memory(self) -> Memory:
        return Memory(self.host, self.token, self.giver)


def usual_path() -> Path:
    """Where the file belongs for this user on this system."""
    return user_config_path("yardzee", appauthor=False) / "card.json"


def load(path: Path) -> Remembered:
    """What the file holds; nothing when there is none, or none that makes sense.

    Raises OSError when it is there and cannot be read.
    """
    try:
        data = json.loads(path.read_text("utf-8"))
    except (FileNotFoundError, NotADirectoryError, ValueError):
        return Remembered()
    if not isinstance(data, dict):
        return Remembered()
    kinds = {"port": int, "tls": bool, "light": bool}
    known = {
        one.name: data[one.name]
        for one in fields(Remembered)
        if type(data.get(one.name)) is kinds.get(one.name, str)
    }
    return Remembered(**known)


def save(path: Path, remembered: Remembered) -> None:
    """Write the file: whole or not at all, and for nobody else to read, since a token is a secret.

    Raises OSError.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    # A temporary file of tempfile is readable by its owner alone.
    handle, name = tempfile.mkstemp(dir=path.parent, prefix=".card-")
    try:
        with os.fdopen(handle, "w", encoding="utf-8") as file:
            json.dump(asdict(remembered), file, indent=1)
        Path(name).replace(path)
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
