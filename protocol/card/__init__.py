"""The language of cards: lines that programs write and read, beside what people type (docs/protocol.md).

`commands` go to the host and `news` come from it; `keys` are what both are made of, `fields` how a line is
written, and `stages` which command fits when.
"""
