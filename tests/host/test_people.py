"""Who is who: persons behind nicks that change, leave and come back."""

from __future__ import annotations

from itertools import count

import pytest

from chat.casemap import fold
from chat.events import User
from host.people import People, Person

Y, Z = "#y", "#z"


class Some:
    """People of a network, and which of them have a seat."""

    def __init__(self, casemapping: str = "rfc1459") -> None:
        self.casemapping = casemapping
        self.seated: set[str] = set()
        ids = count(1)
        self.people = People(
            lambda name: fold(name, self.casemapping), self.seated.__contains__, lambda: f"p{next(ids)}"
        )

    def sit(self, nick: str, host: str = "home", channel: str = Y) -> Person:
        """Someone who comes into the channel and takes a seat."""
        person = self.people.joined(mask(nick, host), channel)
        self.seated.add(person.id)
        return person


def mask(nick: str, host: str = "home") -> User:
    return User(nick, "u", host)


# --- who somebody is ---


def test_a_user_seen_twice_is_one_person() -> None:
    p = Some().people
    alice = p.joined(mask("alice"), Y)
    assert p.see(mask("alice")) == alice
    assert p.nick_of(alice.id) == "alice"


def test_two_nicks_are_two_people_and_so_are_two_users_of_one_host() -> None:
    p = Some().people
    assert p.joined(mask("alice"), Y).id != p.joined(mask("bob"), Y).id


def test_who_was_there_before_the_host_is_recognised_when_they_speak() -> None:
    p = Some().people
    p.arrived(Y, ["alice", "bob"])
    assert p.is_in("ALICE", "#Y")
    alice = p.see(mask("alice"))
    assert p.nick_of(alice.id) == "alice"
    assert p.see(mask("alice")).id == alice.id


@pytest.mark.parametrize(
    ("casemapping", "one", "other", "same"),
    [
        ("rfc1459", "Foo[1]", "foo{1}", True),
        ("rfc1459", "a~b\\c", "A^B|C", True),
        ("strict-rfc1459", "Foo[1]", "foo{1}", True),
        ("strict-rfc1459", "a~b", "a^b", False),
        ("ascii", "Foo[1]", "foo{1}", False),
        ("ascii", "Foo[1]", "fOO[1]", True),
        ("ascii", "k", "\N{KELVIN SIGN}", False),
        ("rfc1459", "É", "é", False),
    ],
)
def test_casemapping_says_which_nicks_are_one(casemapping: str, one: str, other: str, same: bool) -> None:
    some = Some(casemapping)
    first = some.sit(one)
    p = some.people
    assert (p.see(mask(other)).id == first.id) is same
    assert p.is_in(other, Y) is same
    p.quit(one)
    assert (p.joined(mask(other), Y).id == first.id) is same


def test_the_nick_is_written_as_the_server_wrote_it() -> None:
    p = Some("ascii").people
    alice = p.joined(mask("Alice"), Y)
    assert p.nick_of(alice.id) == "Alice"
    p.rename(mask("Alice"), "ALICE")
    assert p.nick_of(alice.id) == "ALICE"


# --- nicks that change ---


def test_a_person_is_followed_to_another_nick() -> None:
    p = Some().people
    alice = p.joined(mask("alice"), Y)
    assert p.rename(mask("alice"), "al").id == alice.id
    assert p.nick_of(alice.id) == "al"
    assert p.see(mask("al")).id == alice.id
    assert p.is_in("al", Y)
    assert not p.is_in("alice", Y)
    assert p.see(mask("alice")).id != alice.id


def test_a_change_of_case_alone_is_no_other_person() -> None:
    p = Some().people
    alice = p.joined(mask("alice"), Y)
    assert p.rename(mask("alice"), "Alice").id == alice.id
    assert p.see(mask("ALICE")).id == alice.id
    p.rename(mask("Alice"), "foo[1]")
    p.rename(mask("foo[1]"), "Foo{1}")
    assert p.nick_of(alice.id) == "Foo{1}"
    assert p.is_in("foo[1]", Y)


def test_two_who_swap_nicks_stay_who_they_are() -> None:
    p = Some().people
    alice, bob = p.joined(mask("alice", "a"), Y), p.joined(mask("bob", "b"), Y)
    p.rename(mask("alice", "a"), "tmp")
    p.rename(mask("bob", "b"), "alice")
    p.rename(mask("tmp", "a"), "bob")
    assert p.see(mask("bob", "a")).id == alice.id
    assert p.see(mask("alice", "b")).id == bob.id
    assert (p.nick_of(alice.id), p.nick_of(bob.id)) == ("bob", "alice")


def test_someone_never_seen_before_may_change_nick_first() -> None:
    p = Some().people
    p.arrived(Y, ["alice"])
    person = p.rename(mask("alice"), "al")
    assert p.see(mask("al")).id == person.id


# --- the same nick, somebody else ---


@pytest.mark.parametrize("other", [User("alice", "u", "elsewhere"), User("alice", "other", "home")])
def test_the_same_nick_from_another_place_is_someone_else(other: User) -> None:
    some = Some()
    alice = some.sit("alice")
    p = some.people
    p.quit("alice")
    impostor = p.joined(other, Y)
    assert impostor.id != alice.id
    assert p.nick_of(alice.id) is None
    assert p.nick_of(impostor.id) == "alice"
    p.quit("alice")
    assert p.joined(mask("alice"), Y).id == alice.id


def test_who_is_in_sight_is_the_same_whatever_becomes_of_their_host() -> None:
    # A cloak that services set in the middle of a game.
    some = Some()
    alice = some.sit("alice")
    assert some.people.see(mask("alice", "user/alice")).id == alice.id
    some.people.quit("alice")
    assert some.people.joined(mask("alice"), Y).id != alice.id
    some.people.quit("alice")
    assert some.people.joined(mask("alice", "user/alice"), Y).id == alice.id


def test_who_is_out_of_sight_is_known_by_the_mask_alone() -> None:
    some = Some()
    alice = some.sit("alice")
    p = some.people
    p.left("alice", Y)
    assert p.nick_of(alice.id) is None  # the nick may be another's in a moment
    assert p.see(mask("alice")).id == alice.id
    assert p.see(mask("alice", "elsewhere")).id != alice.id
    assert p.nick_of(alice.id) is None


def test_a_stranger_who_shares_no_channel_is_one_person_each_time_and_leaves_no_trace() -> None:
    p = Some().people
    zoe = p.see(mask("zoe"))
    assert p.see(mask("ZOE")).id == zoe.id
    assert p.see(mask("zoe", "elsewhere")).id != zoe.id
    assert p.nick_of(zoe.id) is None
    assert not p._here
    assert not p._nicks


# --- leaving and coming back ---


def test_who_quits_with_a_seat_is_the_same_person_when_they_are_back() -> None:
    some = Some()
    alice = some.sit("alice")
    p = some.people
    p.quit("alice")
    assert p.nick_of(alice.id) is None
    assert p.joined(User("alice", "other", "home"), Y).id != alice.id
    p.quit("alice")
    assert p.joined(mask("al"), Y).id != alice.id
    assert p.joined(mask("ALICE"), Y).id == alice.id
    assert p.nick_of(alice.id) == "ALICE"


def test_who_quits_without_a_seat_is_forgotten() -> None:
    p = Some().people
    alice = p.joined(mask("alice"), Y)
    p.quit("alice")
    assert p.joined(mask("alice"), Y).id != alice.id


def test_whose_game_ended_meanwhile_is_nobody_special() -> None:
    some = Some()
    alice = some.sit("alice")
    some.people.quit("alice")
    some.seated.clear()
    assert some.people.joined(mask("alice"), Y).id != alice.id
    assert not some.people._away


def test_someone_unknown_may_quit_or_leave() -> None:
    p = Some().people
    assert p.quit("alice") is None
    assert p.left("alice", Y) is None
    p.arrived(Y, ["bob"])
    assert p.quit("bob") is None
    assert not p.is_in("bob", Y)


def test_who_is_in_two_channels_is_here_until_they_left_both() -> None:
    some = Some()
    alice = some.sit("alice")
    p = some.people
    p.joined(mask("alice"), Z)
    p.left("alice", Y)
    assert p.nick_of(alice.id) == "alice"
    assert p.channels_of("alice") == {Z}
    p.left("alice", Z)
    assert p.nick_of(alice.id) is None
    assert p.channels_of("alice") == frozenset()


def test_a_channel_that_the_host_left_shows_it_nobody() -> None:
    some = Some()
    alice, bob = some.sit("alice"), some.sit("bob", "b")
    p = some.people
    p.joined(mask("alice"), Z)
    p.host_left(Y)
    assert (p.nick_of(alice.id), p.nick_of(bob.id)) == ("alice", None)
    p.arrived(Y, ["alice", "bob"])
    assert p.see(mask("bob", "b")).id == bob.id
    assert p.channels_of("alice") == {Y, Z}


def test_a_new_list_of_who_is_there_replaces_the_old_one() -> None:
    some = Some()
    alice = some.sit("alice")
    some.people.arrived(Y, ["bob"])
    assert not some.people.is_in("alice", Y)
    assert some.people.is_in("bob", Y)
    assert some.people.nick_of(alice.id) is None


def test_who_came_back_under_another_nick_has_their_seat_with_their_nick() -> None:
    # alice's connection hangs; she comes again as alice_, the server drops the old one, she renames.
    some = Some()
    alice = some.sit("alice")
    p = some.people
    later = p.joined(mask("alice_"), Y)
    assert later.id != alice.id
    p.quit("alice")
    assert p.rename(mask("alice_"), "alice").id == alice.id
    assert p.nick_of(alice.id) == "alice"
    assert p.nick_of(later.id) is None


def test_who_took_a_new_seat_meanwhile_keeps_that() -> None:
    some = Some()
    some.sit("alice")
    later = some.sit("alice_")
    some.people.quit("alice")
    assert some.people.rename(mask("alice_"), "alice").id == later.id


def test_another_who_renames_to_the_nick_of_somebody_away_is_not_them() -> None:
    some = Some()
    alice = some.sit("alice")
    p = some.people
    p.quit("alice")
    mallory = p.joined(mask("mallory", "elsewhere"), Y)
    assert p.rename(mask("mallory", "elsewhere"), "alice").id == mallory.id
    assert p.nick_of(alice.id) is None


def test_after_the_host_was_away_people_with_a_seat_are_known_again() -> None:
    some = Some()
    alice, bob = some.sit("alice", "a"), some.people.joined(mask("bob", "b"), Y)
    p = some.people
    p.rename(mask("alice", "a"), "al")
    p.all_gone()
    assert (p.nick_of(alice.id), p.nick_of(bob.id)) == (None, None)
    p.arrived(Y, ["alice", "al", "bob"])
    assert p.see(mask("alice", "a")).id != alice.id  # her nick was al when she was seen last
    assert p.see(mask("al", "a")).id == alice.id
    assert p.see(mask("bob", "b")).id != bob.id


def test_a_person_of_the_journal_is_known_by_the_mask_they_had() -> None:
    some = Some()
    some.seated.add("old")
    some.people.remember(Person("old", "Alice", "u", "home"))
    assert some.people.nick_of("old") is None
    assert some.people.see(mask("alice", "elsewhere")).id != "old"
    assert some.people.joined(mask("alice"), Y).id == "old"


def test_casemapping_that_is_learnt_late_or_changes_is_followed() -> None:
    # A host reads its journal before any server has told it how names are compared.
    some = Some("rfc1459")
    some.seated.add("old")
    some.people.remember(Person("old", "Foo[1]", "u", "home"))
    some.people.joined(mask("Bar~"), Y)
    some.seated.add(some.people.see(mask("Bar~")).id)
    bar = some.people.see(mask("Bar~"))
    some.people.all_gone()
    some.casemapping = "ascii"
    assert some.people.joined(mask("foo[1]"), Y).id == "old"
    assert some.people.joined(mask("BAR~"), Y).id == bar.id
