"""Version 4 of a store: tables for the records of finished games. A released step is never changed."""

from __future__ import annotations

from typing import Final

import sqlalchemy as sql

_TABLES: Final = """
CREATE TABLE mentions (network {key} NOT NULL, name {key} NOT NULL, game VARCHAR(16) NOT NULL,
    version INTEGER NOT NULL, PRIMARY KEY (network, name, game, version));
CREATE TABLE results (number INTEGER NOT NULL, game {key} NOT NULL, network {key} NOT NULL,
    channel {key} NOT NULL, listed BOOLEAN NOT NULL, rules {key} NOT NULL, dice {key} NOT NULL,
    pace {key} NOT NULL, contest BOOLEAN NOT NULL, opened VARCHAR(40) NOT NULL, finished {key} NOT NULL,
    taken_in {key}, looked BOOLEAN NOT NULL, PRIMARY KEY (number));
CREATE UNIQUE INDEX ix_results_game ON results (game);
CREATE INDEX ix_results_name ON results (network, game);
CREATE INDEX ix_results_channel ON results (network, channel, finished, number);
CREATE INDEX ix_results_listed ON results (network, listed, number);
CREATE INDEX ix_results_looked ON results (looked, rules, number);
CREATE TABLE scores (number INTEGER NOT NULL, seat INTEGER NOT NULL, network {key} NOT NULL,
    person {key} NOT NULL, nick VARCHAR NOT NULL, level VARCHAR(16), counts BOOLEAN NOT NULL,
    total INTEGER NOT NULL, place INTEGER NOT NULL, boxes VARCHAR(80) NOT NULL, upper_bonus BOOLEAN NOT NULL,
    yahtzees INTEGER NOT NULL, yahtzee_bonus INTEGER NOT NULL, stood_in INTEGER NOT NULL,
    hinted BOOLEAN NOT NULL, played_out BOOLEAN NOT NULL, lost INTEGER, luck INTEGER,
    PRIMARY KEY (number, seat), FOREIGN KEY(number) REFERENCES results (number));
CREATE INDEX ix_scores_person ON scores (network, person, number);
CREATE TABLE tallies (network {key} NOT NULL, person {key} NOT NULL, period {key} NOT NULL,
    rules {key} NOT NULL, games INTEGER NOT NULL, "left" INTEGER NOT NULL, points INTEGER NOT NULL,
    best INTEGER NOT NULL, best_number INTEGER NOT NULL, yahtzees INTEGER NOT NULL, bonuses INTEGER NOT NULL,
    contests INTEGER NOT NULL, wins INTEGER NOT NULL, seconds INTEGER NOT NULL, thirds INTEGER NOT NULL,
    streak INTEGER NOT NULL, longest INTEGER NOT NULL, judged INTEGER NOT NULL, lost INTEGER NOT NULL,
    luck INTEGER NOT NULL, last_number INTEGER NOT NULL, PRIMARY KEY (network, person, period, rules));
CREATE INDEX ix_tallies_best ON tallies (network, period, rules, best DESC, best_number, person);
CREATE INDEX ix_tallies_wins ON tallies (network, period, rules, wins DESC, best DESC, best_number, person);
CREATE TABLE ratings (network {key} NOT NULL, person {key} NOT NULL, rules {key} NOT NULL,
    dice {key} NOT NULL, mu FLOAT NOT NULL, sigma FLOAT NOT NULL, games INTEGER NOT NULL,
    shown FLOAT, PRIMARY KEY (network, person, rules, dice));
CREATE INDEX ix_ratings_shown ON ratings (network, rules, dice, shown DESC, person);
CREATE TABLE seasons (season INTEGER NOT NULL, network {key} NOT NULL, name VARCHAR NOT NULL,
    starts VARCHAR(40) NOT NULL, ends VARCHAR(40) NOT NULL, PRIMARY KEY (season));
CREATE INDEX ix_seasons_network ON seasons (network);
CREATE TABLE persons (network {key} NOT NULL, person {key} NOT NULL, nick VARCHAR NOT NULL,
    folded {key} NOT NULL, PRIMARY KEY (network, person));
CREATE INDEX ix_persons_folded ON persons (network, folded);
CREATE TABLE networks (network {key} NOT NULL, casemapping VARCHAR NOT NULL, PRIMARY KEY (network))
"""
_KEY: Final = {"postgresql": 'VARCHAR COLLATE "C"'}


def add_tables(connection: sql.Connection) -> None:
    """Version 4: the tables alone."""
    key = _KEY.get(connection.dialect.name, "VARCHAR")
    for statement in _TABLES.format(key=key).split(";"):
        connection.exec_driver_sql(statement)
