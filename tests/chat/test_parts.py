"""The parts of the link that need no connection."""

from chat.backoff import Backoff
from chat.channels import Channels
from chat.events import User
from chat.nicks import NickChoice, NickKeeper
from chat.recovery import Recovery


def test_gaps_double_up_to_the_longest_and_begin_anew() -> None:
    backoff = Backoff(2, 300, lambda: 1.0)
    assert [backoff.next() for _ in range(9)] == [2, 4, 8, 16, 32, 64, 128, 256, 300]
    backoff.reset()
    assert backoff.next() == 2


def test_jitter_shortens_by_half_at_most_and_no_gap_is_shorter_than_the_one_before() -> None:
    jitter = iter([1.0, 0.0, 0.5, 0.0])
    backoff = Backoff(2, 300, lambda: next(jitter))
    assert [backoff.next() for _ in range(4)] == [2, 2, 6, 8]


def test_nicks_in_turn() -> None:
    choice = NickChoice("Dicer", ("Roller", "Dicer"))
    assert [choice.next() for _ in range(6)] == ["Dicer", "Roller", "Dicer_", "Dicer__", "Dicer2", "Dicer3"]
    rest = list(iter(choice.next, None))
    assert rest[-1] == "Dicer99"
    assert choice.next() is None


def test_a_suffix_makes_a_long_nick_no_longer_and_cuts_no_character() -> None:
    choice = NickChoice("YardzeeTheHöst", ())
    assert [choice.next() for _ in range(3)] == ["YardzeeTheHöst", "YardzeeTheHös_", "YardzeeTheHö__"]
    choice = NickChoice("abcdefghijkö", ())
    assert [choice.next() for _ in range(2)] == ["abcdefghijkö", "abcdefghijk_"]


def test_the_wanted_nick_is_asked_for_with_growing_gaps() -> None:
    now = [0.0]
    gaps, clock = Backoff(30, 300, lambda: 1.0), lambda: now[0]
    keeper = NickKeeper("Dicer", gaps, clock, Recovery(gaps, 0, clock))
    keeper.has_nick("dicer", "ascii")
    now[0] = 1000.0
    assert keeper.due() is None
    assert not keeper.given_up("Dicer", "ascii")
    keeper.has_nick("Guest1", "ascii")
    assert keeper.given_up("DICER", "ascii")
    asked = []
    for second in range(1000, 2000):
        now[0] = float(second)
        if keeper.due():
            asked.append(second - 1000)
    assert asked == [30, 90, 210, 450, 750]


def channels(*names: str, stable: float = 100) -> Channels:
    made = Channels(lambda: Backoff(10, 40, lambda: 1.0), stable)
    made.set_wanted(names)
    return made


def test_joins_are_due_until_they_succeed() -> None:
    these = channels("#a", "#b")
    assert [second for second in range(100) if these.due(second)] == [0, 10, 30, 70]
    these.joined("#A", 100)
    assert these.is_in("#a")
    assert these.due(110) == ["#b"]


def test_after_a_change_of_mapping_names_are_found() -> None:
    these = channels("#[a]")
    these.joined("#{A}", 0)
    these.set_casemapping("ascii")
    assert these.is_in("#[A]")
    assert not these.is_in("#{a}")


def test_left_and_wanted_again_before_the_server_knows() -> None:
    these = channels("#a")
    these.due(0)
    these.joined("#a", 0)
    assert these.set_wanted([]) == ["#a"]
    assert not these.is_in("#a")
    these.set_wanted(["#a"])
    assert these.due(1) == ["#a"]
    assert these.left("#a", 2), "the answer to the PART"
    these.joined("#a", 3)
    assert these.is_in("#a")


def test_masks() -> None:
    assert User.from_mask("n!u@h") == User("n", "u", "h")
    assert User.from_mask("n!u") == User("n", "u", "")
    assert User.from_mask("n@h") == User("n", "", "h")
    assert User.from_mask("irc.example") == User("irc.example")
    assert User.from_mask("n!u@h").mask == "n!u@h"
