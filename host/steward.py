"""Serves hosting commands: of operators, and of who has the say at a table where it is theirs."""

from __future__ import annotations

from typing import Final

from chat.logger import logger
from host import ban, hosting, masks, room
from host.announcements import Announcement
from host.bans import Bans
from host.controls import Controls
from host.errors import (
    HostError,
    HostOut,
    NobodyCalled,
    NoGame,
    NotAllowed,
    NothingToHost,
    OperatorBan,
    WideMask,
)
from host.forgetting import Forgetting
from host.keeper import Keeper
from host.people import Person
from host.replies import Banned, BansShown, Done, Unbanned
from host.room import Room
from host.seasons import Seasons
from host.speech import Speech
from host.table import Table
from host.wording import help as advice
from host.wording.records import season_closed, season_open
from protocol.commands import text
from protocol.hosting import (
    Amend,
    Ban,
    Extend,
    HostingCommand,
    House,
    Pause,
    Reload,
    Remove,
    Resume,
    Say,
    Shutdown,
    Status,
    Stop,
    Unban,
)
from protocol.records import CloseSeason, Forget, KeepingCommand, OpenSeason

log = logger(__name__)

_OF_THE_LEADER: Final = (Pause, Resume, Stop, Extend, House)
"""What who has the say at a table may do to it. The rest is for operators alone."""


class Steward:
    """Serves those who run the tables of one network, and the host."""

    def __init__(  # noqa: PLR0913 - one of each thing that they have the say in
        self,
        place: Room,
        speech: Speech,
        bans: Bans,
        controls: Controls,
        *,
        seasons: Seasons,
        forgetting: Forgetting,
    ) -> None:
        self._room = place
        self._speech = speech
        self._bans = bans
        self._controls = controls
        self._seasons = seasons
        self._forgetting = forgetting

    def obey(
        self,
        person: Person,
        command: HostingCommand | KeepingCommand,
        named: Keeper | None,
        *,
        in_private: bool,
    ) -> None:
        """Do what was asked, and announce it to those it touches.

        Raises a HostError; nothing has changed then.
        """
        who = {
            "person": person.id,
            "nick": person.nick,
            "mask": f"{person.nick}!{person.user}@{person.host}",
            "command": text(command),
        }
        try:
            keeper = self._obey(person, command, named, in_private)
        except HostError as problem:
            why = str(problem) or type(problem).__name__
            likely = named or room.likely(self._room, person)
            log.info("hosting command refused", **self._where(likely), **who, why=why)
            raise
        log.info("hosting command", **self._where(keeper), **who)

    def _where(self, keeper: Keeper | None) -> dict[str, str]:
        place = {"channel": keeper.channel, "game": keeper.table.game} if keeper else {}
        return {"network": self._room.network} | place

    def _obey(
        self,
        person: Person,
        command: HostingCommand | KeepingCommand,
        named: Keeper | None,
        in_private: bool,
    ) -> Keeper | None:
        """Do it; the table that it was about, if it was about one."""
        operator = self._room.is_operator(person)
        if not operator and not isinstance(command, _OF_THE_LEADER):
            raise NotAllowed
        match command:
            case Ban(who):
                self._ban(person, who)
            case Unban(who):
                self._unban(person, who)
            case Status():
                self._speech.tell(person.nick, self._controls.status())
            case Reload():
                self._speech.tell(person.nick, self._controls.reload())
            case Shutdown():
                self._controls.shutdown()
            case KeepingCommand():
                self._keep(person, command)
            case _:
                keeper = named or room.meant(self._room, person)
                if keeper.table.settings.alone:
                    raise NothingToHost
                if not operator:
                    self._check_say(person, keeper)
                self._at_table(person, command, keeper, operator=operator)
                if in_private:
                    self._speech.tell(person.nick, Done(keeper.channel))
                return keeper
        return named

    def _keep(self, person: Person, command: KeepingCommand) -> None:
        """Do something to the records."""
        match command:
            case OpenSeason():
                self._speech.say(person.nick, season_open(self._seasons.open(command)))
            case CloseSeason(name):
                self._speech.say(person.nick, season_closed(self._seasons.close(name)))
            case Forget(nick, code):
                self._forgetting.somebody(person, nick, code)

    def _check_say(self, person: Person, keeper: Keeper) -> None:
        """Raises NoGame, or NotAllowed with the nick of who has the say where the person sits there too."""
        if not keeper.table.open:
            raise NoGame
        leader = keeper.table.leader(self._room.is_here)
        if leader is None or leader.occupant.person != person.id:
            sits = keeper.table.seat_of(person.id) is not None
            raise NotAllowed(leader.nick if leader and sits else "")

    def _at_table(
        self,
        person: Person,
        command: Pause | Resume | Stop | Extend | House | Remove | Amend | Say,
        keeper: Keeper,
        *,
        operator: bool,
    ) -> None:
        by = person.nick
        match command:
            case Pause():
                keeper.act(lambda table, now: hosting.pause(table, by, operator=operator))
            case Resume():
                keeper.act(lambda table, now: hosting.resume(table, by))
            case Stop():
                keeper.act(lambda table, now: hosting.stop(table, by))
            case Extend(seconds):
                keeper.act(lambda table, now: hosting.give(table, seconds, by, now))
            case House(players, level):
                keeper.act(lambda table, now: hosting.seat_house(table, players, level, by))
            case Remove(nick):
                keeper.act(lambda table, now: hosting.remove(table, self._seat(table, nick), by))
            case Amend(nick) as amendment:
                keeper.act(lambda table, now: hosting.amend(table, self._seat(table, nick), amendment, by))
            case Say() if not self._room.is_in(keeper):
                raise HostOut
            case Say(text):
                self._room.say(keeper, Announcement(by, text))

    def _seat(self, table: Table, nick: str) -> int:
        return hosting.seat_called(table, nick, self._room.fold, self._room.is_here)

    def _ban(self, person: Person, who: str) -> None:
        target = None if masks.is_mask(who) else self._room.find(who)
        if target and self._room.is_operator(target):
            raise OperatorBan(target.nick)
        if target:
            banned = ban.Ban(target.nick, f"*!{target.user}@{target.host}", target.account, person.nick)
        elif masks.is_mask(who):
            banned = ban.Ban(who, who, None, person.nick)
        else:
            raise NobodyCalled(who)
        if not masks.names_a_host(banned.mask) or banned.fits(person, self._room.fold):
            raise WideMask(banned.mask)
        banned = self._bans.add(banned)
        if target:
            self._speech.say(target.nick, advice.BANNED)
        in_sight = [other for other in self._room.in_sight() if banned.fits(other, self._room.fold)]
        self._speech.tell(person.nick, Banned(banned, len(in_sight)))
        for keeper in self._room.keepers:
            for occupant in [seat.occupant for seat in keeper.table.seats if not seat.house]:
                meant = banned.fits(occupant, self._room.fold) or (target and occupant.person == target.id)
                if meant and not self._room.is_operator(occupant):
                    keeper.note(hosting.shut_out, occupant.person, person.nick)

    def _unban(self, person: Person, who: str | None) -> None:
        if who is None:
            self._speech.tell(person.nick, BansShown(tuple(self._bans.all)))
            return
        lifted = self._bans.lift(who)
        others = tuple(other for other in self._bans.all if other.mask == lifted.mask)
        self._speech.tell(person.nick, Unbanned(lifted, others))
        target = self._room.find(lifted.name)
        if target and not self._bans.of(target):
            self._speech.say(target.nick, advice.UNBANNED)
