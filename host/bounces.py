"""What the server gives back: lines to players and to channels that it refused.

A player whose client or network lets nothing through is told once a game, in the channel, how to open the
way. Their dice come again when they speak to the host or when the time is over that the server named, and
with them time to play. A line to a channel is tried once more without formatting, and then left.
"""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Final

from chat.events import Refused
from chat.logger import logger
from host import decide
from host.announcements import Obstacle, OutOfReach
from host.clerk import Clerk
from host.clock import Clock, Timer
from host.keeper import Keeper
from host.manners import Manners, Patience
from host.own_name import OwnName
from host.people import People, Person
from host.room import Room
from host.table import Phase
from host.voice import Voice

log = logger(__name__)

_NO_SUCH_NICK: Final = 401

_OBSTACLES: Final[Mapping[int, Obstacle]] = MappingProxyType(
    {
        716: Obstacle.CALLER_ID,
        717: Obstacle.CALLER_ID,
        477: Obstacle.REGISTERED_ONLY,  # InspIRCd 3
        486: Obstacle.REGISTERED_ONLY,  # ngircd
        531: Obstacle.REGISTERED_ONLY,  # ircd-hybrid 8
        404: Obstacle.THROTTLED,
        407: Obstacle.THROTTLED,
        439: Obstacle.THROTTLED,
        707: Obstacle.THROTTLED,
    }
)
"""What stands between the host and a player, by the numeric that answers a private line."""

_MODE: Final = re.compile(r"\(\+([A-Za-z])\)")
_REGISTERED_MODE: Final = "R"

_WAIT: Final = 60.0
"""Seconds after which a line is tried again that was too fast, where the server names no time."""

_MARGIN: Final = 1.0
"""Seconds on top: the server's second may begin later than ours."""

_LONGEST_WAIT: Final = 600.0
_MOST_RETRIES: Final = 3
"""How often a game sends somebody their dice again unasked."""

_QUIET_SECONDS: Final = 600.0
"""Strangers, and the log, hear of a channel once in such a time."""


@dataclass(slots=True)
class _Post:
    """How private lines to one player fare in one game; rounds are counted from 1."""

    hinted: bool = False
    lost_in: int = 0
    """The round whose dice may not have come."""

    given_in: int = 0
    """The last round in which time was given for it."""

    retries: int = 0


class Bounces:
    """Takes refusals on one network."""

    def __init__(  # noqa: PLR0913 - what refusals are taken to
        self, place: Room, *, people: People, voice: Voice, clerk: Clerk, clock: Clock, own: OwnName
    ) -> None:
        self._room = place
        self._people = people
        self._voice = voice
        self._clerk = clerk
        self._clock = clock
        self._own = own
        self._posts: dict[tuple[str, str], _Post] = {}
        """By game and person, of games that are on."""

        self._timers: dict[str, Timer] = {}
        """When the dice come again, by person."""

        self._strangers = Manners(1, _QUIET_SECONDS)
        self._logged = Manners(1, _QUIET_SECONDS)

    def refused(self, refusal: Refused) -> None:
        """Take a refusal: of a line to somebody, to a channel, or of something else, which is only logged."""
        target = refusal.target or self._voice.recent.addressee(refusal.text)
        keeper = self._room.keeper(target)
        if keeper and self._room.is_in(keeper) and (letters := self._voice.recent.take(keeper.channel)):
            self._log(len(letters), target, refusal)
            self._voice.again(letters)
            return
        self._log(None, target, refusal)
        if refusal.numeric == _NO_SUCH_NICK:
            self._voice.outbox.withdraw(target)
        obstacle = _OBSTACLES.get(refusal.numeric)
        if obstacle and (person := self._people.find(target)):
            self._in_private(person, obstacle, refusal)

    def spoke(self, person: Person, *, shown: bool) -> None:
        """Send the dice that did not come again, to somebody who speaks to the host or whose time is over.

        They were `shown` when the answer held some.
        """
        lost = self._lost(person)
        for keeper, post in lost:
            number, post.lost_in = post.lost_in, 0
            if post.given_in != number:
                post.given_in = number
                keeper.note(decide.reached, person.id, number, self._clock.now())
            if (not shown or len(lost) > 1) and _is_dealt(keeper, person, number):
                self._clerk.answers.show_dice(person, keeper)

    def forget(self) -> None:
        """The connection is gone, and what went out on it does not come back."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        self._voice.recent.clear()

    # --- private lines ---

    def _in_private(self, person: Person, obstacle: Obstacle, refusal: Refused) -> None:
        wait = min(refusal.wait or _WAIT, _LONGEST_WAIT)
        mode = _MODE.search(refusal.text)
        hint = OutOfReach(
            person.nick, obstacle, self._own.now, wait, mode[1] if mode else _REGISTERED_MODE, seated=True
        )
        posts = [(keeper, self._post(keeper, person)) for keeper in self._sitting(person)]
        if not posts:
            self._hint_stranger(person, replace(hint, seated=False))
            return
        for keeper, post in posts:
            if keeper.table.phase is Phase.PLAYING:
                post.lost_in = keeper.table.play.round
        if not any(post.hinted for _, post in posts):
            self._room.say(posts[0][0], hint)
        retries = max(post.retries for _, post in posts)
        for _, post in posts:
            post.hinted = True
        if obstacle is Obstacle.THROTTLED and retries < _MOST_RETRIES and person.id not in self._timers:
            for _, post in posts:
                post.retries = retries + 1
            at = self._clock.now() + wait + _MARGIN
            self._timers[person.id] = self._clock.call_at(at, lambda: self._time_is_over(person.id))

    def _hint_stranger(self, person: Person, hint: OutOfReach) -> None:
        for keeper in self._room.tables_around(person)[:1]:
            # By channel: out of a game somebody is somebody new after each PART and JOIN.
            now = self._clock.now()
            if self._strangers.misunderstood(keeper.channel, now) is not Patience.SILENCE:
                self._room.say(keeper, hint)

    def _time_is_over(self, person_id: str) -> None:
        self._timers.pop(person_id, None)
        nick = self._people.nick_of(person_id)
        if nick and (person := self._people.find(nick)):
            self.spoke(person, shown=False)

    def _sitting(self, person: Person) -> Sequence[Keeper]:
        tables = [(keeper, keeper.table.seat_of(person.id)) for keeper in self._room.seats_of(person.id)]
        return [keeper for keeper, seat in tables if seat is not None and not keeper.table.seats[seat].left]

    def _post(self, keeper: Keeper, person: Person) -> _Post:
        key = keeper.table.game, person.id
        if key not in self._posts:
            on = {keeper.table.game for keeper in self._room.keepers if keeper.table.open}
            self._posts = {key: post for key, post in self._posts.items() if key[0] in on}
        return self._posts.setdefault(key, _Post())

    def _lost(self, person: Person) -> list[tuple[Keeper, _Post]]:
        """Tables whose dice of this round may not have come to a player, who has still to play them."""
        lost = []
        for keeper in self._room.seats_of(person.id):
            post = self._posts.get((keeper.table.game, person.id))
            if post and post.lost_in and _is_dealt(keeper, person, post.lost_in):
                lost.append((keeper, post))
        return lost

    def _log(self, lines: int | None, target: str, refusal: Refused) -> None:
        """Say it once; more of the same kind, soon after, is for those who look closely.

        It was about one of so many `lines`, where the target is a channel of ours.
        """
        kind = _OBSTACLES.get(refusal.numeric, refusal.numeric)
        key = f"{kind} {self._room.fold(target)}"
        said = self._logged.misunderstood(key, self._clock.now()) is Patience.SILENCE
        level = logging.DEBUG if said else logging.WARNING
        log.log(
            level,
            "the server refused a line",
            network=self._room.network,
            target=target,
            numeric=refusal.numeric,
            text=refusal.text,
            of_last=lines,
        )


def _is_dealt(keeper: Keeper, person: Person, number: int) -> bool:
    """Whether a player has still to play the dice of this round."""
    seat = keeper.table.seat_of(person.id)
    return seat is not None and keeper.table.decides(seat) and keeper.table.play.round == number
