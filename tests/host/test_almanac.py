"""What is told of finished games: statistics, lists, ratings, and single games."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from chat.events import User
from game.fair import DiceMode
from host.errors import StoreError
from host.rating import Rating, rate
from tests.host.almanac_tools import ANN, BOXES, OTHER, PHONE, ask, bench, game, told
from tests.host.practising import practice
from tests.host.records_contract import finish, score
from tests.support import perfect_play, recount
from tests.support.bench import CHANNEL, Bench, config, to

HOUR = 3600.0


def mean(points: list[int]) -> str:
    """A mean to two digits, worked out by itself: these have no halves."""
    return f"{sum(points) / len(points):.2f}"


def two_rule_sets(store: str = "sqlite://") -> tuple[Bench, list[dict[str, int]]]:
    """Games of three people: alice in two spellings, and ann from two places with her account."""
    b = bench("alice", "bob", store=store)
    games = [game(b, "alice", ANN)]
    b.pass_(HOUR)
    games.append(game(b, "bob", PHONE, channel=OTHER))
    b.rename("alice", "ALICE")
    b.pass_(HOUR)
    # The same user and host: only the case has changed.
    games.append(game(b, User("ALICE", "~alice", "example.org"), "bob", channel=OTHER))
    b.pass_(HOUR)
    games.append(game(b, "bob", channel=CHANNEL))
    return b, games


def test_a_person_has_one_record_whatever_the_spelling_and_from_anywhere() -> None:
    b, games = two_rule_sets()
    assert recount.check(b.journal._store) == 4
    alice = [games[0]["alice"], games[2]["ALICE"]]
    ann = [games[0]["ann"], games[1]["ann_phone"]]
    for name in ("alice", "ALICE", "nick:Alice"):
        (first, second, _) = ask(b, "bob", f"stats {name}")
        assert first.startswith(
            f"ALICE, all time, all rules: 2 games, mean {mean(alice)}, best {max(alice)} "
        )
        assert second.startswith("In 2 games with others first ")
    for who, line in (
        ("bob", "stats ann_phone"),
        ("bob", "stats account:ann"),
        (ANN, "stats"),
        (PHONE, "stats me"),
    ):
        first = ask(b, who, line)[0]
        assert first.startswith(
            f"ann_phone, all time, all rules: 2 games, mean {mean(ann)}, best {max(ann)} "
        )
    # The nick alone is nobody's record: she was logged in.
    assert told(b, "bob", "stats nick:ann") == 'I have no finished game of "nick:ann".'
    houston = ask(b, "bob", "stats bob houston")[0]
    assert houston.startswith(
        f"bob, all time, Houston's rules: 2 games, mean {mean([games[1]['bob'], games[2]['bob']])}, "
    )
    assert ask(b, "bob", "stats bob")[0].startswith("bob, all time, all rules: 3 games, ")
    assert ask(b, "bob", "stats bob hasbro")[1:] == []  # alone: no places, and no rating


def test_the_numbers_of_a_record_are_exact_and_in_words() -> None:
    b = bench("alice")
    for number, (mine, others) in enumerate([(100, 90), (101, 300), (300, 120), (301, 5), (50, 60)]):
        finish(b.journal, f"game{number}", ("n:alice", mine), ("n:bob", others), ("n:carol", 55))
    finish(b.journal, "alone", ("n:alice", 7), rules="houston")
    b.journal.records.judge("game0", {0: (1234, -500)})
    b.journal.records.judge("game1", {0: (1, 3)})
    assert ask(b, "alice", "stats") == [
        "alice, all time, all rules: 6 games, mean 143.17, best 301 (place 1) in game game3,"
        " 0.00 Yahtzees a game, the upper bonus in 0%.",
        "In 5 games with others first 3, second 1, third 1, further down 0; won 0 in a row now, 2 at most."
        " In a game decisions lost 6.18 and luck took 2.48 on average, in the 2 that were looked at.",
        f"Ratings: hasbro {shown(b, 'n:alice'):.1f} (provisional, 5 of 10 games)",
    ]
    assert ask(b, "alice", "stats carol week")[0].startswith(
        "carol, this week, all rules: 5 games, mean 55.00,"
    )
    assert ask(b, "alice", "stats carol week")[1].endswith("won 0 in a row now, 0 at most.")
    assert len(ask(b, "alice", "stats carol week")) == 2  # ratings are of all time
    b.clock.jump(7 * 24 * HOUR)
    assert told(b, "alice", "stats carol week") == "carol, this week, all rules: no game."


def shown(b: Bench, person: str) -> float:
    found = b.journal.records.person("local", person)
    assert found
    return found.ratings[0].rating.shown


def test_the_best_share_places_and_who_asks_is_told_their_own() -> None:
    b = bench("alice", "zoe", "nobody")
    totals = [("bob", 250), ("alice", 250), ("carol", 300), ("dave", 250), ("erin", 90)]
    finish(b.journal, "game1", *((f"n:{nick}", total) for nick, total in totals))
    expected = (
        "Best totals, all time, all rules: 1. carol 300 (1 game) | 2. alice 250 (1 game) "
        "| 2. bob 250 (1 game) | 2. dave 250 (1 game) | 5. erin 90 (1 game)"
    )
    assert told(b, "nobody", "top") == told(b, "alice", "TOP all") == expected
    assert b.say("alice", "!top") == [f"alice: {expected}"]
    for n in range(8):
        finish(b.journal, f"more{n}", (f"n:more{n}", 260), ("n:zoe", 80))
    assert told(b, "zoe", "top").endswith(
        " | 2. more7 260 (1 game) | 10. alice 250 (1 game) | you: 14. with 80 (8 games)"
    )
    assert told(b, "zoe", "top wins").startswith(
        "Most wins, all time, all rules: 1. carol 1 of 1 | 1. more0 1 of 1 | "
    )
    assert "you" not in told(b, "zoe", "top wins")
    assert told(b, "zoe", "top houston") == "Best totals, all time, Houston's rules: nobody yet."
    assert told(b, "zoe", "top today hasbro wins").startswith(
        "Most wins, today, Hasbro rules: 1. carol 1 of 1 | "
    )
    b.clock.jump(24 * HOUR)
    assert told(b, "zoe", "top today") == "Best totals, today, all rules: nobody yet."
    assert "1. carol 300" in told(b, "zoe", "top week")
    assert "1. carol 300" in told(b, "zoe", "top month")
    assert told(b, "zoe", "top season") == "There has been no season yet."


def test_ratings_have_house_players_and_tell_who_is_provisional() -> None:
    b = bench("alice", "carol")
    alice, house = Rating(), Rating()
    for number in range(10):
        finish(b.journal, f"game{number}", ("n:alice", 200), ("house:club", 150))
        alice, house = rate([score("n:alice", 200), score("house:club", 150, 2)], [alice, house])
    finish(b.journal, "new", ("n:carol", 100), ("house:beginner", 90))
    table = f"1. alice {alice.shown:.1f} | 2. club(house) {house.shown:.1f}"
    assert told(b, "alice", "ratings hasbro") == f"Ratings, Hasbro rules: {table}"
    assert b.say("alice", "!ratings") == [f"alice: Ratings, Hasbro rules: {table}"]
    found = told(b, "carol", "ratings hasbro")
    assert found.startswith(f"Ratings, Hasbro rules: {table} | you: ")
    assert found.endswith(" (provisional, 1 of 10 games)")
    assert (
        told(b, "carol", "ratings hasbro same") == "Ratings, Hasbro rules, the same dice for all: nobody yet"
    )
    b.keeper().settings = replace(b.keeper().settings, dice=DiceMode.SAME)
    assert b.say("carol", "!ratings")[0].startswith("carol: Ratings, Hasbro rules, the same dice for all: ")
    assert b.say("carol", "!ratings hasbro")[0].startswith("carol: Ratings, Hasbro rules: ")
    assert told(b, "carol", f"{OTHER} ratings") == "Ratings, Houston's rules: nobody yet"
    finish(b.journal, "both", ("n:carol", 9), ("n:alice", 10), dice=DiceMode.SAME)
    assert (
        ", " not in ask(b, "carol", "stats alice hasbro")[2].removeprefix("Ratings: hasbro ").split(" | ")[0]
    )
    assert " | hasbro same dice " in ask(b, "carol", "stats alice hasbro")[2]


def test_the_last_game_and_any_other_are_shown_with_all_that_is_known() -> None:
    b = bench("alice", "bob", turns=perfect_play.turns("hasbro"))
    assert told(b, "alice", "games") == "No game has been finished here yet."
    b.begin("alice", "bob")
    b.tell("bob", f"{CHANNEL} hint")
    b.say("alice", "!leave")
    for box in BOXES:
        b.tell("bob", f"{CHANNEL} score {box}")
        b.pass_(121)
    (one,) = b.journal.records.games("local")
    alice, bob = one.seats
    took = round((one.finished - one.opened) / timedelta(minutes=1))
    rows = [
        f"1. alice {alice.total} (13 rounds by the host)",
        f"2. bob {bob.total} (lost {bob.lost:.2f}, luck {bob.luck:+.2f}, with hints)",
    ]
    how = f"Hasbro rules, free pace, finished {one.finished:%Y-%m-%d %H:%M} UTC after {took} min"
    line = f"Game {one.game}, in {CHANNEL}: {how}: {' | '.join(rows)}"
    assert told(b, "alice", f"{CHANNEL} last") == told(b, "bob", f"{CHANNEL} game") == line
    assert told(b, "bob", f"game {one.game[:4].upper()}") == line
    assert told(b, "bob", "games") == f"Last games: {one.game} alice {alice.total}"
    # Who is in none of the channels learns no channel's name.
    assert told(b, "stranger", f"game {one.game}") == line.replace(f", in {CHANNEL}", "")


def test_a_game_of_fifty_is_three_lines() -> None:
    b = bench("alice")
    long = [(f"n:{'x' * 28}{n:02}", 400 - n) for n in range(50)]
    finish(b.journal, "full", *long)
    finish(b.journal, "short", *((f"n:p{n:02}", 400 - n) for n in range(50)))
    lines = ask(b, "alice", "game full")
    assert len(lines) == 3
    assert lines[0].startswith("Game full: Hasbro rules, ")
    shown = sum(line.count(". x") for line in lines)
    assert lines[2].endswith(f" | and {50 - shown} more")
    assert "50. p49 351" in " ".join(ask(b, "alice", "game short"))
    finish(b.journal, "tie", ("n:bob", 90), ("n:alice", 90), ("n:carol", 80))
    assert "1. bob 90 | 1. alice 90 | 3. carol 80" in told(b, "alice", "game tie")
    assert told(b, "alice", "games").startswith("Last games: tie bob and alice 90 | short p00 400 | full ")


def test_practice_is_its_players_alone() -> None:
    b = bench("alice", "bob")
    game(b, "bob")
    b.tell("alice", "practice")
    keeper = practice(b, "alice")
    for box in BOXES:
        b.tell("alice", f"practice score {box}")
    name = keeper.table.game
    assert told(b, "alice", f"game {name}").startswith(f"Game {name}, practice: ")
    assert (
        told(b, "bob", f"game {name}") == f'No finished game is called "{name}". games lists the last ones.'
    )
    assert name not in told(b, "bob", "games")
    assert told(b, "alice", "stats") == 'I have no finished game of "alice".'
    b.tell("alice", "practice")
    assert ask(b, "alice", "last")[0].startswith("Which table: ")


def test_where_several_tables_are_near_the_last_game_needs_a_channel() -> None:
    b = bench("alice")
    assert (
        told(b, "alice", "last") == f"Which table: {OTHER} or {CHANNEL}? Name it first, as in {OTHER} dice."
    )
    total = game(b, "alice", channel=OTHER)["alice"]
    assert to(b.say("alice", "!last", OTHER), "alice")[0].endswith(f": 1. alice {total}")
    assert told(b, "alice", f"last {CHANNEL}") == f"No game has been finished in {CHANNEL} yet."


def test_the_records_are_there_after_a_restart(tmp_path: Path) -> None:
    store = f"sqlite:///{tmp_path}/s.sqlite"
    b, _ = two_rule_sets(store)
    lines = ("stats", "top", "top wins", "games", "ratings", f"{CHANNEL} last", "stats ann_phone")
    before = [ask(b, "bob", line) for line in lines]
    b.journal.close()
    again = bench("alice", "bob", store=store, start=9 * HOUR)
    assert [ask(again, "bob", line) for line in lines] == before
    again.journal.close()


def test_what_cannot_be_read_is_refused_and_what_does_not_fit_told_to_anybody(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    b = bench("alice")
    assert told(b, "alice", "top ten").startswith('top "ten" is not possible: say top today, week, ')
    assert told(b, "alice", "last one").startswith("last takes nothing after it")
    assert told(b, "alice", "game x") == 'No finished game is called "x". games lists the last ones.'
    assert told(b, "alice", "stats (somebody)") == 'I have no finished game of "(somebody)".'
    finish(b.journal, "abcde1", ("n:alice", 9))
    finish(b.journal, "abcde2", ("n:alice", 9))
    assert told(b, "alice", "game abcd") == '"abcd" may be abcde1 or abcde2. Which one?'
    assert told(b, "alice", "help top").startswith("stats, or stats NICK: ")

    def fail(*_: object, **__: object) -> None:
        raise StoreError("the disk is gone")

    for name in ("person", "top", "games", "game", "ratings", "seasons", "last"):
        monkeypatch.setattr(b.journal.records, name, fail)
    for line in ("stats", "top", "games", "game abcde1", "ratings", "season", f"{CHANNEL} last"):
        assert told(b, "alice", line).startswith("Sorry, ")


def test_whoever_asks_for_ever_is_answered_no_more() -> None:
    b = bench("alice")
    lines = [told for _ in range(250) for told in ask(b, "stranger", "top")]
    assert len(lines) == 200
    assert lines[-1].startswith("You ask faster than I can answer")


def test_it_goes_behind_what_a_game_waits_for() -> None:
    b = Bench(config(send="{burst: 1, seconds: 1}"))
    b.connect("alice", "bob")
    b.begin("alice", "bob")
    b.pass_(30)
    said = [*b.tell("bob", "time"), *b.tell("alice", "top"), *b.tell("bob", "dice"), *b.pass_(5)]
    assert [line.split()[:2] for line in said] == [["bob:", "Round"], ["bob:", "Round"], ["alice:", "Best"]]


def test_nothing_of_it_is_said_in_a_channel() -> None:
    b, _ = two_rule_sets()
    before = len(b.wire.sent)
    for line in ("stats", "top", "games", "last", "ratings", "season", "forget me", "stats nobody"):
        b.say("bob", f"!{line}")
    assert len(b.wire.sent) > before
    assert {target for target, _, _ in b.wire.sent[before:]} == {"bob"}
