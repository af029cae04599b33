"""The tables of a store as they are today. `host.store_schema` knows how older ones become these.

`games` and `events` are the journal. What begins with `results` is made from it, and could be made again.
"""

from __future__ import annotations

import struct
import zlib
from dataclasses import fields
from typing import Any, Final

import sqlalchemy as sql

from host.tallies import Tally

TABLES: Final = sql.MetaData()

META: Final = sql.Table(
    "yardzee",
    TABLES,
    sql.Column("schema_version", sql.Integer, nullable=False),
)
GAMES: Final = sql.Table(
    "games",
    TABLES,
    sql.Column("game", sql.String(16), primary_key=True),
    sql.Column("network", sql.String, nullable=False),
    sql.Column("channel", sql.String, nullable=False),
    sql.Column("seed", sql.LargeBinary, nullable=False),
    sql.Column("ended", sql.Boolean, nullable=False, index=True),
)
EVENTS: Final = sql.Table(
    "events",
    TABLES,
    sql.Column("game", sql.ForeignKey("games.game"), primary_key=True),
    sql.Column("version", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("at", sql.Float, nullable=False, index=True),
    sql.Column("wall", sql.String(40), nullable=False),  # ISO 8601 with its zone; SQLite has no such type
    sql.Column("kind", sql.String(32), nullable=False),
    sql.Column("body", sql.Text, nullable=False),
    sql.Column("seal", sql.BigInteger, nullable=False, server_default="0"),  # since version 2
)
PREFERENCES: Final = sql.Table(
    "preferences",
    TABLES,
    sql.Column("network", sql.String, primary_key=True),
    sql.Column("nick", sql.String, primary_key=True),
    sql.Column("style", sql.String(16), nullable=False),
    sql.Column("notice", sql.Boolean, nullable=False),
)
BANS: Final = sql.Table(
    "bans",
    TABLES,
    sql.Column("network", sql.String, primary_key=True),
    sql.Column("name", sql.String, primary_key=True),
    sql.Column("mask", sql.String, nullable=False),
    sql.Column("account", sql.String),
    sql.Column("banned_by", sql.String, nullable=False),
    sql.Column("wall", sql.String(40), nullable=False),
    info={"since": 3},
)

_KEY: Final = sql.String().with_variant(sql.String(collation="C"), "postgresql")
"""Names that are compared byte by byte everywhere, so that orders and ranges are the same on any server."""

_SINCE_4: Final = {"since": 4}

MENTIONS: Final = sql.Table(  # which events name somebody; names are folded so that too many are found
    "mentions",
    TABLES,
    sql.Column("network", _KEY, primary_key=True),
    sql.Column("name", _KEY, primary_key=True),
    sql.Column("game", sql.String(16), primary_key=True),
    sql.Column("version", sql.Integer, primary_key=True, autoincrement=False),
    info=_SINCE_4,
)
RESULTS: Final = sql.Table(  # one for each finished game; they are numbered as they are entered
    "results",
    TABLES,
    sql.Column("number", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("game", _KEY, nullable=False),
    sql.Column("network", _KEY, nullable=False),
    sql.Column("channel", _KEY, nullable=False),
    sql.Column("listed", sql.Boolean, nullable=False),  # practice is not
    sql.Column("rules", _KEY, nullable=False),
    sql.Column("dice", _KEY, nullable=False),
    sql.Column("pace", _KEY, nullable=False),
    sql.Column("contest", sql.Boolean, nullable=False),  # more than one person or level of house players
    sql.Column("opened", sql.String(40), nullable=False),
    sql.Column("finished", _KEY, nullable=False),
    sql.Column("taken_in", _KEY),  # when it was imported; none for the host's own
    sql.Column("looked", sql.Boolean, nullable=False),  # whether perfect play was asked
    sql.Index("ix_results_game", "game", unique=True),
    sql.Index("ix_results_name", "network", "game"),
    sql.Index("ix_results_channel", "network", "channel", "finished", "number"),
    sql.Index("ix_results_listed", "network", "listed", "number"),
    sql.Index("ix_results_looked", "looked", "rules", "number"),
    info=_SINCE_4,
)
SCORES: Final = sql.Table(  # one for each seat of these
    "scores",
    TABLES,
    sql.Column("number", sql.ForeignKey("results.number"), primary_key=True, autoincrement=False),
    sql.Column("seat", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("network", _KEY, nullable=False),
    sql.Column("person", _KEY, nullable=False),
    sql.Column("nick", sql.String, nullable=False),
    sql.Column("level", sql.String(16)),
    sql.Column("counts", sql.Boolean, nullable=False),  # in sums: of a person's seats the first
    sql.Column("total", sql.Integer, nullable=False),
    sql.Column("place", sql.Integer, nullable=False),
    sql.Column("boxes", sql.String(80), nullable=False),
    sql.Column("upper_bonus", sql.Boolean, nullable=False),
    sql.Column("yahtzees", sql.Integer, nullable=False),
    sql.Column("yahtzee_bonus", sql.Integer, nullable=False),
    sql.Column("stood_in", sql.Integer, nullable=False),
    sql.Column("hinted", sql.Boolean, nullable=False),
    sql.Column("played_out", sql.Boolean, nullable=False),
    sql.Column("lost", sql.Integer),
    sql.Column("luck", sql.Integer),
    sql.Index("ix_scores_person", "network", "person", "number"),
    info=_SINCE_4,
)
TALLIES: Final = sql.Table(  # `host.tallies.Tally`
    "tallies",
    TABLES,
    sql.Column("network", _KEY, primary_key=True),
    sql.Column("person", _KEY, primary_key=True),
    sql.Column("period", _KEY, primary_key=True),
    sql.Column("rules", _KEY, primary_key=True),
    *(sql.Column(field.name, sql.Integer, nullable=False) for field in fields(Tally)),
    sql.Index("ix_tallies_best", "network", "period", "rules", sql.desc("best"), "best_number", "person"),
    sql.Index(
        "ix_tallies_wins",
        *("network", "period", "rules"),
        *(sql.desc("wins"), sql.desc("best")),
        "best_number",
        "person",
    ),
    info=_SINCE_4,
)
RATINGS: Final = sql.Table(
    "ratings",
    TABLES,
    sql.Column("network", _KEY, primary_key=True),
    sql.Column("person", _KEY, primary_key=True),
    sql.Column("rules", _KEY, primary_key=True),
    sql.Column("dice", _KEY, primary_key=True),
    sql.Column("mu", sql.Float, nullable=False),
    sql.Column("sigma", sql.Float, nullable=False),
    sql.Column("games", sql.Integer, nullable=False),
    sql.Column("shown", sql.Float),  # none while it is provisional
    sql.Index("ix_ratings_shown", "network", "rules", "dice", sql.desc("shown"), "person"),
    info=_SINCE_4,
)
SEASONS: Final = sql.Table(
    "seasons",
    TABLES,
    sql.Column("season", sql.Integer, primary_key=True, autoincrement=False),
    sql.Column("network", _KEY, nullable=False, index=True),
    sql.Column("name", sql.String, nullable=False),
    sql.Column("starts", sql.String(40), nullable=False),
    sql.Column("ends", sql.String(40), nullable=False),
    info=_SINCE_4,
)
PERSONS: Final = sql.Table(  # who is in the records, as they were called last
    "persons",
    TABLES,
    sql.Column("network", _KEY, primary_key=True),
    sql.Column("person", _KEY, primary_key=True),
    sql.Column("nick", sql.String, nullable=False),
    sql.Column("folded", _KEY, nullable=False),
    sql.Index("ix_persons_folded", "network", "folded"),
    info=_SINCE_4,
)
NETWORKS: Final = sql.Table(  # how each compares names, since it was last connected to
    "networks",
    TABLES,
    sql.Column("network", _KEY, primary_key=True),
    sql.Column("casemapping", sql.String, nullable=False),
    info=_SINCE_4,
)


def seal(game: Any, event: Any) -> int:
    """A checksum of an event and of the game that it belongs to, both as their rows.

    A database finds damage to its own structure. Zeros in the middle of a number, or of a seed, it does not.
    """
    text = (game.game, game.network, game.channel, event.wall, event.kind, event.body)
    parts = [part.encode(errors="surrogatepass") for part in text]
    # SQLite knows no -0.0.
    parts += [bytes(game.seed), struct.pack(">qd", event.version, event.at + 0.0)]
    return zlib.crc32(b"".join(struct.pack(">I", len(part)) + part for part in parts))
