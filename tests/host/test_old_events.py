"""Events as the first version wrote them are read by every later one."""

from __future__ import annotations

import pytest

from game.level import Level
from host.events import (
    Event,
    Extended,
    Finished,
    Hints,
    LobbyClosed,
    Occupant,
    Opened,
    Reason,
    Resumed,
    Seated,
    Stopped,
    Suspended,
    TableSettings,
    Unseated,
    load,
)

SETTINGS = (
    '{"rules":"houston","pace":"lockstep","seats":3,"lobby_seconds":60.0,"round_seconds":30.0,'
    '"repeat_seconds":2.0,"house":1}'
)
OLD: list[tuple[str, str, Event]] = [
    (
        "Seated",
        '{"occupant":{"person":"house:0","nick":"Pip(house)","house":true}}',
        Seated(Occupant("house:0", "Pip(house)", house=True, level=Level.EXPERT)),
    ),
    ("Unseated", '{"person":"p1"}', Unseated("p1")),
    ("LobbyClosed", "{}", LobbyClosed()),
    ("Extended", '{"seconds":300.0}', Extended(300.0)),
    ("Suspended", "{}", Suspended(Reason.HOST_OUT)),
    ("Resumed", '{"at_least":30.0}', Resumed(30.0, Reason.HOST_OUT)),
    ("Finished", "{}", Finished(())),
    ("Stopped", "{}", Stopped("")),
]


@pytest.mark.parametrize(("kind", "body", "event"), OLD, ids=[kind for kind, _, _ in OLD])
def test_what_had_fewer_fields_means_what_it_did(kind: str, body: str, event: Event) -> None:
    assert load(kind, body) == event


def test_a_table_that_was_opened_before_there_were_prizes_has_none() -> None:
    opened = load("Opened", f'{{"game":"g1","settings":{SETTINGS}}}')
    assert isinstance(opened, Opened)
    assert isinstance(opened.settings, TableSettings)
    assert opened.settings.house_level is Level.EXPERT
    assert (opened.settings.prizes.places, opened.settings.prizes.door) == ((), ())
    assert opened.settings.hints is Hints.PRIVATE
    assert not opened.settings.alone
