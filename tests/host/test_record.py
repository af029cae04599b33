"""The records of real games are right, and nothing in them can be changed without being found."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from host.chronicle import NoRecord
from host.events import Opened, Seated, TableSettings
from host.journal import Journal
from host.proofs import judged, recorded
from protocol.boxes import CODES
from protocol.record import Amendment, Ending, HintTaken, NewNick, Record, Roll, Score, read, written
from protocol.shape import BadRecord
from protocol.verdict import Right, Wrong
from protocol.verify import verify
from tests.host.journal_tools import ALICE, append, opened
from tests.support.bench import CHANNEL, Bench, config
from tests.support.fair_games import GAME, played, record_of

Path = tuple[str | int, ...]


@cache
def game(pace: str = "free", dice: str = "own") -> Record:
    return record_of(played(7, pace=pace, dice=dice))


@cache
def plain() -> Record:
    """A game with nothing in it but rolls and scores, and without words."""
    return record_of(played(11, plain=True, word=False))


def data(record: Record) -> Any:
    return json.loads(written(record))


def verdict(changed: Any) -> str:
    """What is said of a record; an empty text when all is right."""
    try:
        ((_, found),) = judged(json.dumps(changed).encode())
    except BadRecord as error:
        return str(error)
    return "" if isinstance(found, Right) else str(found)


# --- real games ---


@pytest.mark.parametrize("dice", ["own", "same"])
@pytest.mark.parametrize("pace", ["free", "lockstep"])
@pytest.mark.parametrize("rounds", [13, 3])
def test_a_real_game_is_right(pace: str, dice: str, rounds: int) -> None:
    b = played(7, pace=pace, dice=dice, rounds=rounds)
    record = record_of(b)
    assert read(written(record).encode()) == record
    kinds = {type(entry) for entry in record.log}
    assert kinds >= {Roll, Score, NewNick, HintTaken}
    found = verify(record)
    assert isinstance(found, Right), found
    rolls = [entry for entry in record.log if isinstance(entry, Roll)]
    assert (found.seats, found.rolls) == (3, len(rolls))
    if rounds == 13:
        cards = b.keeper().table.play.cards
        assert found.totals == tuple(card.total for card in cards)
        assert (record.ending, found.rounds, Amendment in kinds) == (Ending.FINISHED, 13, True)
        hosts = [entry for entry in record.log if isinstance(entry, Score) and entry.by_host]
        assert {entry.seat for entry in hosts} >= {1, 3}, "who slept, and who left"
    else:
        assert (record.ending, record.results, found.totals) == (Ending.STOPPED, (), ())


@pytest.mark.parametrize("rules", ["yardzee", "hosted", "houston", "free_choice"])
def test_every_rule_set_is_recorded(rules: str) -> None:
    assert isinstance(verify(record_of(played(3, rules=rules))), Right)


def test_the_record_knows_nicks_and_nothing_else_of_people() -> None:
    text = written(game())
    for secret in ("person", "example.org", "token", "~alice", "account", "local", CHANNEL):
        assert secret not in text


def test_a_clock_that_is_set_back_makes_no_time_go_back() -> None:
    b = Bench(config())
    b.connect("alice")
    b.begin("alice")
    b.clock.jump(-7200)
    for codes in CODES.values():
        b.tell("alice", f"score {codes[0]}")
    record = record_of(b)
    assert isinstance(verify(record), Right)
    assert len({entry.time for entry in record.log}) == 1


# --- games without a record ---


def test_a_game_that_is_on_has_no_record_and_its_seed_shows_nowhere() -> None:
    b = played(1, rounds=0)
    b.say("alice", "!join")
    game = b.keeper().table.game
    for line in ("", "!start"):
        b.say("alice", line)
        with pytest.raises(NoRecord, match=f"game {game} is on; its record can be had when it is over") as no:
            record_of(b, game)
        history = b.journal.history(game)
        assert history
        assert history.file.seed.hex() not in repr(no.value) + repr(history)
    b.say("alice", "!stop")
    assert isinstance(verify(record_of(b, game)), Right)


def test_a_lobby_that_closed_has_none() -> None:
    b = Bench(config())
    b.connect("alice")
    b.say("alice", "!join")
    b.say("alice", "!leave")
    with pytest.raises(NoRecord, match="never began"):
        record_of(b)


def test_a_game_from_before_there_were_commitments_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("host.keeper.commitment", lambda seed: "")
    with pytest.raises(NoRecord, match="from before dice were committed to"):
        record_of(played(1, rounds=1))


def test_a_store_is_read_beside_its_host(tmp_path: Any) -> None:
    url = f"sqlite:///{tmp_path}/g.sqlite"
    with pytest.raises(Exception, match="is not there yet"):
        recorded(url, GAME)
    journal = Journal.open(url)
    b = Bench(config(store=url), journal)
    b.connect("alice")
    b.begin("alice")
    b.say("alice", "!stop")
    assert recorded(url, GAME) == record_of(b)
    with pytest.raises(NoRecord, match="there is no game game9999 in sqlite"):
        recorded(url, "game9999")
    journal.close()


def test_an_old_event_that_stays_open_has_none() -> None:
    with opened("sqlite://") as journal:
        append(journal, 0, Opened("g1", TableSettings()), Seated(ALICE))
        history = journal.history("g1")
        assert history
        assert len(journal.walls("g1")) == len(history.events)


# --- what was changed is found ---


def entry(found: Any, what: str, **how: Any) -> Any:
    """The first such entry of the log."""
    return next(
        one for one in found["log"] if one["what"] == what and all(one[key] == how[key] for key in how)
    )


def test_a_tampered_die_is_found() -> None:
    changed = data(plain())
    roll = entry(changed, "roll", round=3, seat=3, roll=1)
    face = roll["dice"][4]
    roll["dice"] = roll["dice"][:4] + str(int(face) % 6 + 1)
    shown = " ".join(roll["dice"])
    true = " ".join(roll["dice"][:4] + face)
    assert verdict(changed) == f"round 3, bob, roll 1: the record has {shown}, the seed gives {true}"


def test_a_tampered_hold_is_found() -> None:
    changed = data(plain())
    roll = entry(changed, "roll", roll=2, seat=1)
    roll["kept"] = "abcde" if roll["kept"] != "abcde" else "a"
    assert f"round {roll['round']}, alice, roll 2: the record has" in verdict(changed)


@pytest.mark.parametrize("where", ["result", "score"])
def test_a_tampered_total_is_found(where: str) -> None:
    changed = data(plain())
    one = changed["results"][2] if where == "result" else entry(changed, "score", seat=3)
    total, one["total"] = one["total"], one["total"] + 1
    place = "" if where == "result" else f"round {one['round']}, "
    said = verdict(changed)
    assert said.startswith(f"{place}bob: the record has the total {total + 1}")
    assert said.endswith(str(total))


@pytest.mark.parametrize("keys", [("seats",), ("seats", "results")])
def test_a_tampered_order_of_seats_is_found(keys: tuple[str, ...]) -> None:
    """Also where nobody has a word, so that the dice are the same."""
    changed = data(plain())
    for key in keys:
        changed[key][0], changed[key][2] = changed[key][2], changed[key][0]
    assert "in the result" in verdict(changed)


def test_a_tampered_order_of_words_is_found_by_the_first_die() -> None:
    changed = data(game())
    changed["seats"][0], changed["seats"][2] = changed["seats"][2], changed["seats"][0]
    assert verdict(changed).startswith("round 1, bob, roll 1: the record has")


def test_a_tampered_seed_is_found() -> None:
    changed = data(plain())
    changed["seed"] = "00" + changed["seed"][2:]
    assert verdict(changed).startswith(f"the record has the commitment {changed['commit']}, the seed gives ")


def test_another_seed_with_its_commitment_is_found_by_the_first_die() -> None:
    changed = data(plain())
    other = data(game())
    changed |= {"seed": other["seed"], "commit": other["commit"]}
    assert "roll 1: the record has" in verdict(changed)


def test_points_bonuses_boxes_places_and_amendments_are_found() -> None:
    found = data(game())
    for what, key, wrong in (
        ("score", "points", 1),
        ("score", "bonus", 100),
        ("amendment", "was", 1),
        ("amendment", "points", 1),
    ):
        changed = data(game())
        one = entry(changed, what)
        one[key] += wrong
        place = f"round {one['round']}, "
        assert verdict(changed).startswith(place), (what, key)
    results: tuple[tuple[str, object], ...] = (
        ("place", 3),
        ("upper_bonus", 35),
        ("yahtzee_bonus", 100),
        ("nick", "zoe"),
    )
    for key, other in results:
        changed = data(game())
        changed["results"][1][key] = other if changed["results"][1][key] != other else 0
        assert "in the result" in verdict(changed) or "possible" in verdict(changed), key
    changed = data(game())
    changed["results"][0]["hinted"] = False
    assert verdict(
        changed
    ) == "alice: the record has hints no in the result, by its rounds it is yes".replace(
        "alice", found["results"][0]["nick"]
    )


def test_a_finished_game_that_is_called_stopped_is_found() -> None:
    record = replace(plain(), ending=Ending.STOPPED, results=()).sealed()
    assert str(verify(record)) == "the record has a game that was stopped, all 13 rounds of it are played"


def test_a_round_less_or_more_is_found() -> None:
    for cut in (slice(None, -3), slice(3, None)):
        changed = data(plain())
        changed["log"] = changed["log"][cut]
        assert verdict(changed)
    changed = data(plain())
    changed["log"].append(changed["log"][-1])
    assert "the game is over" in verdict(changed)


def leaves(value: Any, path: Path = ()) -> Iterator[Path]:
    items = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    if isinstance(value, dict | list):
        for key, one in items:
            yield from leaves(one, (*path, key))
    else:
        yield path


def at(value: Any, path: Path) -> Any:
    for key in path:
        value = value[key]
    return value


LIKELY = st.sampled_from(
    [*(codes[0] for codes in CODES.values()), "-", "a", "bcd", "11111", "free", "lockstep", "own", "same"]
)


@settings(max_examples=200, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_any_single_change_of_a_value_is_found(draw: st.DataObject) -> None:
    changed = data(game(draw.draw(st.sampled_from(["free", "lockstep"]))))
    path = draw.draw(st.sampled_from(list(leaves(changed))))
    value, holder = at(changed, path), at(changed, path[:-1])
    other: st.SearchStrategy[Any]
    match value:
        case bool():
            other = st.just(not value)
        case int():
            other = st.integers(max(0, value - 5), value + 5) | st.integers()
        case str():
            near = st.sampled_from(
                [(spot, sign) for spot in range(len(value)) for sign in "0123456789abcdefZ-"]
            )
            other = near.map(lambda one: value[: one[0]] + one[1] + value[one[0] + 1 :]) | LIKELY | st.text()
        case _:
            raise AssertionError(value)
    holder[path[-1]] = draw.draw(other.filter(lambda one: one != value))
    assert verdict(changed) != ""


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(st.data())
def test_entries_that_are_left_out_repeated_or_exchanged_are_found(draw: st.DataObject) -> None:
    changed = data(game())
    rows = changed[draw.draw(st.sampled_from(["seats", "log", "results"]))]
    one, other = draw.draw(st.permutations(range(len(rows))))[:2]
    if draw.draw(st.booleans()):
        rows[one], rows[other] = rows[other], rows[one]
    elif draw.draw(st.booleans()):
        rows.insert(one, rows[other])
    else:
        del rows[one]
    if changed != data(game()):
        assert verdict(changed) != ""


def test_all_else_that_was_changed_is_found_by_the_digest() -> None:
    changed = data(plain())
    changed["opened"] = "2025-12-31T23:59:59.000Z"
    said = verdict(changed)
    assert said.startswith(f"the record has the digest {changed['digest']}, all else gives ")
    changed["digest"] = said.rpartition(" ")[2]
    assert verdict(changed) == "", "a digest is no secret"
    assert isinstance(verify(read(json.dumps(changed).encode())), Right)
    assert not isinstance(verify(plain()), Wrong)
