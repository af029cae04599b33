"""The two looks of the card. Both are readable without any colour: words and frames say the same."""

from __future__ import annotations

from typing import Final

from textual.theme import Theme

DARK: Final = Theme(
    name="card-dark",
    dark=True,
    primary="#4fb39a",
    secondary="#7aa2d6",
    accent="#f2c14e",
    foreground="#e6e9e4",
    background="#12201d",
    surface="#182925",
    panel="#21352f",
    success="#7ccf8a",
    warning="#f2c14e",
    error="#f0796b",
    variables={
        "die": "#f3efe2",
        "die-near": "#ffffff",
        "die-kept": "#fbdf93",
        "die-kept-edge": "#8a5a00",
        "die-tired": "#a9aca2",
        "die-pip": "#1a211e",
        "die-edge": "#6f7a72",
    },
)
LIGHT: Final = Theme(
    name="card-light",
    dark=False,
    primary="#0f6b57",
    secondary="#2f5d9b",
    accent="#8a5a00",
    foreground="#1c2421",
    background="#f6f4ec",
    surface="#ece9dd",
    panel="#dfdccd",
    success="#1f6f35",
    warning="#8a5a00",
    error="#a8281a",
    variables={
        "die": "#ffffff",
        "die-near": "#fffbe8",
        "die-kept": "#ffe08a",
        "die-kept-edge": "#8a5a00",
        "die-tired": "#dddacb",
        "die-pip": "#1c2421",
        "die-edge": "#6d6a5a",
    },
)
