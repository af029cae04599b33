"""The long-running host: people, tables, journal, wording and sending, for many channels at once."""
