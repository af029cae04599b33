"""The chat network: one robust IRC link (`chat.link`), and a small server of its own (`chat.embedded`).

Knows nothing of games. Only `chat.connection` imports the `irc` library.
"""
