"""The player's card: a program in the terminal that plays a game with clicks and keys.

`view` is a game as its player sees it, `dialogue` talks with the host, `session` holds the connection,
`screen` draws, and `plain` writes sentences instead. What the card asks for and hears is `protocol.card`.
"""
