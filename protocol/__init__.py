"""The language of the game: what players type, and what programs read in the host's lines.

Pure text to frozen dataclasses and back. `parse` reads a typed line, `text` writes a command the canonical
way; `tags` holds the fragments of the host's lines that programs rely on.
"""
