"""What a table, or the host, refuses. Every error carries data; `host.wording` says it to people."""

from __future__ import annotations

from game.category import Category


class HostError(Exception):
    """It cannot be done now. Nothing has changed."""


class NoGame(HostError):
    """No game is on, and no lobby is open."""


class NotInGame(HostError):
    """Something is on, and this person has no seat in it."""


class AlreadySeated(HostError):
    """The person has a seat."""


class TableFull(HostError):
    """Every seat is taken."""

    def __init__(self, seats: int) -> None:
        super().__init__(f"all {seats} seats are taken")
        self.seats = seats


class GameOn(HostError):
    """A game is on already; the next one can be joined after it."""

    def __init__(self, round: int) -> None:
        super().__init__(f"round {round} is on")
        self.round = round


class NotOpener(HostError):
    """Only the one who opened the table may start it."""

    def __init__(self, opener: str, seconds: float) -> None:
        super().__init__(f"{opener} may start; it starts in {seconds:.0f} s")
        self.opener, self.seconds = opener, seconds


class NotBegun(HostError):
    """The game is still in its lobby; there are no dice yet."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"starts in {seconds:.0f} s")
        self.seconds = seconds


class GivenUp(HostError):
    """The person has left this game; `join` brings them back."""


class StandsStill(HostError):
    """The host is not in the channel; the game stands still until it is."""


class HostOut(HostError):
    """The host is not in the channel, and nothing can be said there."""


class GamePaused(HostError):
    """Somebody paused the game; it goes on with `resume`."""

    def __init__(self, by: str) -> None:
        super().__init__(f"paused by {by}")
        self.by = by


class NoPauseLeft(HostError):
    """The game has been paused for as long as its players may."""


class NotPaused(HostError):
    """There is no pause to end."""


class TakenAway(HostError):
    """The person was removed from this game, and may not come back into it."""


class TableCloses(HostError):
    """The channel is no longer configured: the host leaves it."""


class NotAllowed(HostError):
    """It is not for this person to say; `leader` may, when anyone at the table may."""

    def __init__(self, leader: str = "") -> None:
        super().__init__("not allowed")
        self.leader = leader


class NoSuchPlayer(HostError):
    """Nobody of this name sits at the table."""

    def __init__(self, nick: str, nicks: tuple[str, ...]) -> None:
        super().__init__(f"no {nick} among {', '.join(nicks)}")
        self.nick, self.nicks = nick, nicks


class NextLobbyOpen(HostError):
    """The last result cannot be changed any more: people sit down for the next game."""


class OperatorBan(HostError):
    """Those who run the host cannot be banned."""

    def __init__(self, nick: str) -> None:
        super().__init__(f"{nick} runs this host")
        self.nick = nick


class BoxOpen(HostError):
    """There is nothing to amend in a box that is not used."""

    def __init__(self, nick: str, category: Category, used: tuple[Category, ...]) -> None:
        super().__init__(f"{nick} has not used {category.value}")
        self.nick, self.category, self.used = nick, category, used


class NoSuchPoints(HostError):
    """The box can never hold so many points."""

    def __init__(self, category: Category, points: int, possible: tuple[int, ...]) -> None:
        super().__init__(f"{category.value} cannot hold {points}")
        self.category, self.points, self.possible = category, points, possible


class BadSeconds(HostError):
    """A time that is too short or too long, in seconds."""

    def __init__(self, seconds: int, most: int) -> None:
        super().__init__(f"{seconds} s is not from 1 to {most}")
        self.seconds, self.most = seconds, most


class BadHouse(HostError):
    """More house players than the table has room for."""

    def __init__(self, players: int, most: int) -> None:
        super().__init__(f"{players} is not from 0 to {most}")
        self.players, self.most = players, most


class NobodyCalled(HostError):
    """Nobody of this nick is in sight, and it is no mask."""

    def __init__(self, nick: str) -> None:
        super().__init__(f"nobody called {nick}")
        self.nick = nick


class WideMask(HostError):
    """A mask that fits everybody, or one of those who have the say here."""

    def __init__(self, mask: str) -> None:
        super().__init__(f"{mask} fits too many")
        self.mask = mask


class NoSuchBan(HostError):
    """There is no such ban."""

    def __init__(self, name: str, names: tuple[str, ...]) -> None:
        super().__init__(f"no ban {name}")
        self.name, self.names = name, names


class NoConfiguration(HostError):
    """The host runs without a file that could be read again."""


class NoHints(HostError):
    """This table is played without hints."""


class NoCommitment(HostError):
    """The game is one of an older host, which told nothing of its seed."""


class WordsTaken(HostError):
    """The game has begun, and its dice are fixed."""


class NotOver(HostError):
    """The game is still on; what is asked for is of a game that is over."""


class NotKnown(HostError):
    """What perfect play would be is not known, or not yet."""


class NoPractice(HostError):
    """No practice game of this person is on."""


class PrivateOnly(HostError):
    """Practice is for private talk, and this was said in a channel."""


class NothingToHost(HostError):
    """In a practice game there is nobody to say anything to."""


class NoSuchToken(HostError):
    """No seat that is on has this token."""


class TooLate(HostError):
    """The clock rang an instant ago: the line was meant for dice that are gone."""


class Outdated(HostError):
    """A program decided on another round or roll than the one that is on."""


class Casual(HostError):
    """The whole line names a box, would pay nothing, and was most likely talk, such as `hi`."""

    def __init__(self, category: Category) -> None:
        super().__init__(f"{category.value} would pay nothing")
        self.category = category


class WhichTable(HostError):
    """Several tables can be meant."""

    def __init__(self, channels: tuple[str, ...]) -> None:
        super().__init__(f"one of {', '.join(channels)}")
        self.channels = channels


class NoSuchTable(HostError):
    """The named channel has no table of this host."""

    def __init__(self, channel: str, channels: tuple[str, ...]) -> None:
        super().__init__(f"no table in {channel}; there are {', '.join(channels)}")
        self.channel, self.channels = channel, channels


class NotInChannel(HostError):
    """The person must be in the channel to play there."""

    def __init__(self, channel: str) -> None:
        super().__init__(f"not in {channel}")
        self.channel = channel


class StillSeated(HostError):
    """The person sits at a table that is open, and is not forgotten before the game is over."""

    def __init__(self, channels: tuple[str, ...]) -> None:
        super().__init__(f"seated in {', '.join(channels)}")
        self.channels = channels


class NoSuchGame(HostError):
    """No finished game has a name that begins so, or several have: these, of which there may be more."""

    def __init__(self, prefix: str, games: tuple[str, ...] = ()) -> None:
        super().__init__(f"no one game {prefix}")
        self.prefix, self.games = prefix, games


class SeasonOn(HostError):
    """There is a season of this name already."""

    def __init__(self, name: str) -> None:
        super().__init__(f"season {name}")
        self.name = name


class NoSuchSeason(HostError):
    """There is no season of this name, or none that is on."""

    def __init__(self, name: str = "") -> None:
        super().__init__(f"no season {name}")
        self.name = name


class BadDays(HostError):
    """No days, in the wrong order, or all of them over."""

    def __init__(self, first: str, last: str) -> None:
        super().__init__(f"{first} to {last}")
        self.first, self.last = first, last


class NoRecord(HostError):
    """The records know nobody of this name."""

    def __init__(self, name: str) -> None:
        super().__init__(f"no record of {name}")
        self.name = name


class NotYours(HostError):
    """It is not known that the games of a nick were played by whoever has it now."""

    def __init__(self, nick: str) -> None:
        super().__init__(f"{nick} played from elsewhere")
        self.nick = nick


class WrongCode(HostError):
    """Not the code that was told, or not in time."""


class StoreError(HostError):
    """The store did not take it, or cannot be used."""


class NotTakenIn(HostError):
    """A file of games is not what it should be, for these reasons."""

    def __init__(self, problems: tuple[str, ...]) -> None:
        super().__init__(problems[0])
        self.problems = problems
