"""Lines of games that no host wrote are refused, and nothing else happens to whoever reads them."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final, get_args

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from host import archive_line, audit, take_in
from host.archive import Wanted
from host.events import Event
from host.export import FORMS, Export
from host.store import Store
from tests.host.archive_tools import ENDED, Commands, evening

Line = dict[str, Any]
Change = Callable[[Line], object]


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The lines of the games of the evening that have ended."""
    url = f"sqlite:///{tmp_path_factory.mktemp('evening') / 'games.sqlite'}"
    evening(url)
    with Store.reading(url) as reading:
        return "".join(Export(reading, Wanted(), FORMS["jsonl"]).texts()).splitlines()


def entry(line: Line, kind: str, which: int = 0) -> Line:
    found: Line = [e for e in line["events"] if e["kind"] == kind][which]
    return found


def scored(line: Line) -> Line:
    body: Line = entry(line, "Scored")["body"]
    return body


def occupant(line: Line) -> Line:
    body: Line = line["events"][1]["body"]["occupant"]
    return body


def die(line: Line) -> list[int]:
    faces: list[int] = entry(line, "Rolled")["body"]["dice"]["faces"]
    return faces


def add(line: Line, number: int, kind: str, body: Line) -> None:
    line["events"].insert(number, line["events"][number - 1] | {"kind": kind, "body": body})


def last(line: Line) -> int:
    return len(line["events"])


WRONG: Final[list[tuple[Change, str]]] = [
    (lambda line: line.update(format=2), "format: Input should be less than"),
    (lambda line: line.update(format=True), "format: Input should be a valid integer"),
    (lambda line: line.pop("seed"), "seed: Field required"),
    (lambda line: line.update(seed="xyz"), "seed: String should match"),
    (lambda line: line.update(game="../x"), "game: String should match"),
    (lambda line: line.update(channel="#y\n"), "channel: .*is not a channel name"),
    (lambda line: line.update(network="a\u202e"), "network: .*a name of printable characters"),
    (lambda line: occupant(line).update(nick="\u202eecila"), "event 1, Seated: no nick"),
    (lambda line: occupant(line).update(nick=""), "event 1, Seated: no nick"),
    (lambda line: add(line, 5, "Renamed", {"person": "p", "nick": "a b"}), "event 5, Renamed: no nick"),
    (lambda line: line["events"][-2].update(at=0.0), "event [0-9]+, .*: earlier than the event before"),
    (lambda line: line.update(more=1), "more: Extra inputs are not permitted"),
    (lambda line: line.update(events=[]), "events: List should have at least 1"),
    (lambda line: line["events"][1].update(at=-1), r"events\.1\.at: Input should be greater"),
    (lambda line: line["events"][1].update(at=1e300), r"events\.1\.at: Input should be less"),
    (lambda line: line["events"][1].update(wall="today"), "event 1: wall is no time in UTC"),
    (lambda line: line["events"][1].update(wall="2026-01-01T00:00:00+01:00"), "event 1: wall is no time"),
    (lambda line: line["events"][1].update(kind="Exploded"), "event 1: .*unknown kind of event"),
    (lambda line: line["events"][1]["body"].update(more=1), "event 1: the body says more or other"),
    (lambda line: entry(line, "Scored")["body"].update(seat="0"), "the body says more or other"),
    (lambda line: line["events"][1]["body"]["occupant"].update(nick="a\r\nQUIT"), "event 1: the body"),
    (lambda line: line.update(game="other"), "event 0, Opened: another game"),
    (lambda line: line["events"][0]["body"]["settings"].update(rules="chess"), "Opened: unknown rules"),
    (lambda line: line["events"].pop(0), "event 0, Seated: impossible while the table is closed"),
    (lambda line: add(line, 1, "Began", {}), "event 1, Began: nobody is there"),
    (lambda line: add(line, 1, "Hinted", {"seat": 0}), "event 1, Hinted: no such seat"),
    (lambda line: add(line, 1, "HouseSeated", many(101)), "event 1, HouseSeated: too many seats"),
    (lambda line: add(line, 3, "RoundBegan", {"round": 1}), "impossible while the table is lobby"),
    (lambda line: entry(line, "RoundBegan").update(body={"round": 2}), "RoundBegan: not the next round"),
    (
        lambda line: entry(line, "RoundEnded").update(body={"round": 2}),
        "RoundEnded: not the round that is on",
    ),
    (lambda line: line["events"].remove(entry(line, "Scored")), "RoundEnded: not everybody has scored"),
    (lambda line: scored(line).update(seat=-1), "Scored: no such seat"),
    (lambda line: scored(line).update(seat=9), "Scored: no such seat"),
    (lambda line: scored(line).update(points=99), "Scored: not what the dice pay"),
    (lambda line: scored(line).update(bonus=100), "Scored: not the bonus that the dice pay"),
    (lambda line: line["events"].remove(entry(line, "Rolled")), "Rolled|Held|Scored"),
    (lambda line: entry(line, "Rolled", 2)["body"].update(roll=3), "Rolled: not the next roll"),
    (lambda line: entry(line, "Rolled", 2)["body"].update(kept=[0, 7]), "Rolled: no such dice"),
    (lambda line: entry(line, "Held")["body"].update(kept=[7]), "Held: no such dice"),
    (lambda line: entry(line, "Rolled", 0)["body"].update(kept=[0]), "Rolled: not the dice of the seed"),
    (lambda line: die(line).__setitem__(0, die(line)[0] % 6 + 1), "Rolled: not the dice of the seed"),
    (lambda line: line.update(seed="11" * 32), "event 0, Opened: not the commitment to the seed"),
    (lambda line: entry(line, "Revealed").update(body={"seed": "11" * 32}), "Revealed: not the seed"),
    (lambda line: add(line, last(line), "Revealed", {"seed": line["seed"]}), "Revealed: no seed is owed"),
    (lambda line: add(line, 2, "Worded", {"person": "p", "word": "two words"}), "event 2, Worded: no word"),
    (
        lambda line: add(line, last(line) - 3, "Finished", {}),
        "Finished: not all is played|while the table is|not the lots of the seed",
    ),
    (
        lambda line: entry(line, "Finished")["body"].update(lots=[0, 1, 1]),
        "Finished: not the lots of the seed",
    ),
    (lambda line: entry(line, "Finished")["body"].update(lots=[]), "Finished: not the lots of the seed"),
    (lambda line: entry(line, "Finished").update(kind="Stopped", body={}), "Stopped: all is played"),
    (lambda line: add(line, last(line), "Began", {}), "Began: impossible while the table is over"),
    (lambda line: add(line, last(line), "Amended", amended(99)), "Amended: impossible points"),
    (lambda line: line["events"].__delitem__(slice(-3, None)), "the game has not ended"),
]


def many(players: int) -> Line:
    return {"players": [{"person": "p", "nick": "Pip(house)", "house": True}] * players, "by": "boss"}


def amended(points: int) -> Line:
    return {"seat": 0, "category": "aces", "points": points, "reason": "", "by": "boss"}


@pytest.mark.parametrize(("change", "why"), WRONG, ids=[why for _, why in WRONG])
def test_what_no_host_wrote_is_refused(written: list[str], change: Change, why: str) -> None:
    line = json.loads(written[0])
    archive_line.from_text(json.dumps(line).encode())
    change(line)
    with pytest.raises(ValueError, match=why):
        archive_line.from_text(json.dumps(line).encode())


def test_nothing_happens_after_a_game_was_stopped(written: list[str]) -> None:
    line = json.loads(written[2])
    add(line, last(line), "Opened", line["events"][0]["body"])
    with pytest.raises(ValueError, match="the game was opened before"):
        archive_line.from_text(json.dumps(line).encode())


def test_a_stopped_game_that_owes_its_seed_is_not_opened_again(written: list[str]) -> None:
    line = json.loads(written[2])
    stopped = next(number for number, event in enumerate(line["events"]) if event["kind"] == "Stopped")
    add(line, stopped + 1, "Opened", line["events"][0]["body"])
    with pytest.raises(ValueError, match="Opened: the game was opened before"):
        archive_line.from_text(json.dumps(line).encode())


def test_a_game_from_before_commitments_and_lots_is_taken(written: list[str]) -> None:
    line = json.loads(written[0])
    line["events"][0]["body"]["commit"] = ""
    line["events"] = [one for one in line["events"] if one["kind"] != "Revealed"]
    entry(line, "Finished")["body"]["lots"] = []
    assert archive_line.from_text(json.dumps(line).encode()).table().lots == ()


def test_a_score_may_have_been_put_right(written: list[str]) -> None:
    line = json.loads(written[0])
    add(line, last(line), "Amended", amended(3))
    assert archive_line.from_text(json.dumps(line).encode()).table().play.cards[0].boxes


def test_who_had_a_hint_is_told_in_the_rows(written: list[str]) -> None:
    line = json.loads(written[0])
    add(line, 6, "Hinted", {"seat": 1})
    game = archive_line.from_text(json.dumps(line).encode())
    assert [row.rpartition(",")[2] for row in FORMS["csv"].text(game).splitlines()] == ["0", "1"]


def test_a_field_that_an_older_host_did_not_have_may_be_missing(written: list[str]) -> None:
    line = json.loads(written[0])
    del line["events"][0]["body"]["settings"]["hints"]
    game = archive_line.from_text(json.dumps(line).encode())
    assert json.loads(archive_line.to_text(game)) == json.loads(written[0])


def test_a_line_without_end_is_refused(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(take_in, "_LONGEST", 1000)
    games = tmp_path / "games.jsonl"
    games.write_bytes(b"[" * 1500)
    run = Commands(f"sqlite:///{tmp_path / 'new.sqlite'}", tmp_path, capsys)
    status, said, why = run("import", games)
    assert (status, said) == (1, "")
    assert why.splitlines()[0] == f"{games}: line 1: it is longer than 1000 bytes"


def test_only_so_many_problems_are_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    games = tmp_path / "games.jsonl"
    games.write_text("x\n" * 100)
    run = Commands(f"sqlite:///{tmp_path / 'new.sqlite'}", tmp_path, capsys)
    assert len(run("import", games)[2].splitlines()) == 20


def test_every_kind_of_event_is_possible_somewhere() -> None:
    kinds = {kind for kinds in audit.POSSIBLE.values() for kind in kinds}
    assert kinds == set(get_args(Event))


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)


def paths(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    if path:
        yield path
    if isinstance(value, dict | list):
        for key in value if isinstance(value, dict) else range(len(value)):
            yield from paths(value[key], (*path, key))


def check_refused_or_sound(line: bytes) -> None:
    """What is taken is folded, shown and written as any game is."""
    try:
        game = archive_line.from_text(line)
    except ValueError as error:
        assert len(str(error)) < 300
        assert str(error).isprintable()
        return
    text = archive_line.to_text(game)
    assert archive_line.from_text(text.encode()) == game
    assert FORMS["csv"].text(game) or "Finished" not in text


@given(data=st.data())
@settings(max_examples=150, deadline=None, database=None)
def test_damage_inside_a_line(written: list[str], data: st.DataObject) -> None:
    line = json.loads(written[data.draw(st.integers(0, len(ENDED) - 1))])
    for _ in range(data.draw(st.integers(1, 3))):
        *way, key = data.draw(st.sampled_from(list(paths(line))))
        place = line
        for step in way:
            place = place[step]
        if data.draw(st.booleans()):
            place[key] = data.draw(json_values)
        else:
            del place[key]
        if not line:
            break
    check_refused_or_sound(json.dumps(line).encode())


@given(data=st.data())
@settings(max_examples=150, deadline=None, database=None)
def test_damage_to_the_bytes_of_a_line(written: list[str], data: st.DataObject) -> None:
    line = bytearray(written[data.draw(st.integers(2, len(ENDED) - 1))].encode())
    start = data.draw(st.integers(0, len(line)))
    line[start : start + data.draw(st.integers(0, 40))] = data.draw(st.binary(max_size=8))
    check_refused_or_sound(bytes(line))
    check_refused_or_sound(bytes(line[:start]))


@given(st.binary(max_size=200))
@settings(max_examples=100, deadline=None, database=None)
def test_any_bytes(line: bytes) -> None:
    check_refused_or_sound(line)
