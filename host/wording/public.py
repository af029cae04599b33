"""Replies to the channel in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from game.category import ROUNDS
from game.fair import DiceMode
from game.level import Level
from game.match import Pace
from game.rules import RuleSet
from host.announcements import (
    Announcement,
    Award,
    CalledNow,
    Committed,
    DecidedBest,
    FinalRow,
    FinalTable,
    GameBegan,
    GameStopped,
    Goodbye,
    HostBack,
    HouseSet,
    LastGame,
    LobbyEmpty,
    LobbyOpened,
    MoreTime,
    Obstacle,
    OnSameDice,
    OutOfReach,
    PauseBegan,
    PauseOver,
    PlayerBack,
    PlayerLeft,
    PlayerRemoved,
    PlaysTold,
    PrizesWon,
    PublicReply,
    ResultLine,
    RoundResult,
    SameDiceRow,
    ScoreAmended,
    SeasonBegan,
    SeasonOver,
    SeatFreed,
    SeatTaken,
    SeedTold,
    SplitOff,
    SplitOver,
    StaysHere,
    WordsMixed,
)
from host.wording.words import Sentence, code, names, plus, seconds, until

_PACES: Final = {
    Pace.FREE: "each at your own speed, {time} a round",
    Pace.LOCKSTEP: "all dice roll together, {time} for each roll",
}

_OBSTACLES: Final = {
    Obstacle.CALLER_ID: "your client refuses my private messages (caller-id). /accept {host} lets them in; then {ask}.",
    Obstacle.REGISTERED_ONLY: "your mode +{mode} refuses private messages from people who are not registered."
    " /mode {nick} -{mode} lets mine in; then {ask}.",
    Obstacle.THROTTLED: "the network holds my private messages back. {then}.",
}

_LEVELS: Final = {Level.EXPERT: "", Level.CLUB: " at club level", Level.BEGINNER: " at beginner's level"}

_DICE: Final = {DiceMode.OWN: "", DiceMode.SAME: ", the same dice for all"}

_PLACES: Final = ("first", "second", "third")


def public(reply: PublicReply, prefix: str, *, more: bool = True) -> Sentence:
    """The reply as a sentence; `prefix` is what commands begin with in the channel.

    `more` says whether there is another game after this one.
    """
    invitation = f" {prefix}join opens another." if more else ""
    match reply:
        case LobbyOpened():
            return _opened(reply, prefix)
        case Committed() | WordsMixed() | SeedTold() | PlaysTold():
            return _of_the_dice(reply, prefix)
        case SeatTaken(nick, taken, seats):
            return _one(f"{nick} joins ({taken} of {seats} seats).")
        case SeatFreed(nick, opener, by):
            then = f"; {opener} may {prefix}start now" if opener else ""
            return _one(f"{_goes(nick, by)}{then}.")
        case HouseSet(by, house, level, taken, seats):
            asks = f"asks {names(house)} to the table{_LEVELS[level]}" if house else "wants no house players"
            return _one(f"{by} {asks} ({taken} of {seats} seats).")
        case LobbyEmpty(nick, by):
            return _one(f"{_goes(nick, by)}, and the table closes.", invitation)
        case GameBegan(nicks, _, pace, time):
            how = _PACES[pace].format(time=seconds(time))
            return Sentence(
                "The game begins: ", (*nicks, f"{how}. Your dice come in private; answer there."), (), ", "
            )
        case RoundResult():
            return _round(reply)
        case FinalTable(rows, rules):
            hints = _hints(reply)
            thanks = f"Thanks for playing!{f' {prefix}join opens the next game.' if more else ''}"
            return Sentence("Final result: ", (*(_final(row, rules) for row in rows), *hints, thanks))
        case DecidedBest(nicks, lost):
            return _one(f"{names(nicks)} decided best: {lost:.2f} points lost to perfect play.")
        case OnSameDice():
            return _same_dice(reply)
        case PlayerBack(nick, now):
            return _one(f"{nick} is back as {now}." if now not in ("", nick) else f"{nick} is back.")
        case PlayerLeft(nick):
            return _one(f"{nick} leaves; the host plays those dice. {prefix}join brings {nick} back.")
        case SplitOff(nicks, time):
            then = "the game waits" if time is None else f"everybody has {seconds(time)} at least"
            return _one(f"A netsplit took {names(nicks)}. Seats are kept, and {then}.")
        case SplitOver(nicks):
            return _one(f"{names(nicks)} {_verb(nicks, 'is', 'are')} back.")
        case PlayerRemoved(nick, by):
            return _one(f"{by} takes {nick} out of the game; the host plays those dice.")
        case GameStopped(by, begun):
            what = f"{by} stops the game; it ends" if by else "All players have left; the game ends"
            return _one(f"{what} without a result." if begun else f"{by} closes the table.", invitation)
        case PauseBegan(by, number, time):
            what = "the game" if number else "the start"
            then = f" with the same dice; else it goes on in {seconds(time or 0)}" if number else ""
            return _one(f"{by} pauses {what}. {prefix}resume goes on{then}.")
        case PauseOver(by, number, time, still):
            how = f"{by} ends the pause" if by else "The pause is over"
            return _one(f"{how}. {'The game waits for its players.' if still else _goes_on(number, time)}")
        case MoreTime(by, time):
            return _one(f"{by} gives everybody {seconds(time)} more.")
        case ScoreAmended():
            return _amended(reply)
        case PrizesWon(awards):
            return Sentence("Prizes: ", tuple(map(_award, awards)))
        case Announcement(by, text):
            head = f"{by} says: "
            return Sentence(head, tuple(text.split(" ")), (), " ", continued=head)
        case LastGame():
            return _one("I leave this channel when the game has ended; there are no more games here.")
        case StaysHere():
            return _one("I stay in this channel after all.")
        case Goodbye():
            return _one("There are no more games here. Goodbye!")
        case OutOfReach(nick, obstacle, host, time, mode, seated):
            ask, then = "ask again", f"Ask again in {seconds(time)}"
            if seated:
                ask = f"say dice to {host}"
                then = f"They come again in {seconds(time)}, or when you {ask}"
            way = _OBSTACLES[obstacle].format(nick=nick, host=host, mode=mode, ask=ask, then=then)
            return _one(f"{nick}: {way}")
        case CalledNow(nick, again):
            return _one(f"I am {nick} {'again' if again else 'now'}; answer there.")
        case SeasonBegan() | SeasonOver():
            return _season(reply, prefix)
        case HostBack():
            return _one(f"I am back. {_stands(reply, prefix)}")


def _opened(reply: LobbyOpened, prefix: str) -> Sentence:
    nick, rules = reply.nick, reply.rules
    sit = f"{_verb(reply.house, 'sits', 'sit')} down too"
    company = f" {names(reply.house)} {sit}{_LEVELS[reply.level]}." if reply.house else ""
    return _one(
        f"{nick} opens a game of {rules.game_name} ({rules.title}{_DICE[reply.dice]}).{company} {prefix}join to"
        f" play; it starts in {seconds(reply.seconds)}, or when {nick} says {prefix}start."
    )


def _of_the_dice(reply: Committed | WordsMixed | SeedTold | PlaysTold, prefix: str) -> Sentence:
    match reply:
        case Committed(commit):
            return _one(f"The dice are fixed: {commit}. {prefix}seed WORD adds a word of yours to them.")
        case SeedTold(reveal):
            return _one(f"The dice can be checked now: {reveal}")
        case WordsMixed(told) | PlaysTold(told):
            return Sentence(told.head, tuple(map(str, told.seats)), (), " ", continued=told.head)


def _same_dice(reply: OnSameDice) -> Sentence:
    head = "On the same dice: "
    perfect = () if reply.perfect is None else (f"perfect play would have had {reply.perfect}",)
    return Sentence(head, (*map(_compared, reply.rows), *perfect))


def _compared(row: SameDiceRow) -> str:
    field = None if row.field is None else f"{row.field:+.1f} to the others"
    perfect = None if row.perfect is None else f"{row.perfect:+} to perfect play"
    return f"{row.nick} {', '.join(filter(None, (field, perfect)))}"


def _stands(reply: HostBack, prefix: str) -> str:
    if reply.paused_by:
        return f"{reply.paused_by} has paused the game; {prefix}resume goes on."
    if not reply.round:
        return f"The game starts in {seconds(reply.seconds)}; {prefix}join to play."
    return _goes_on(reply.round, reply.seconds)


def _season(reply: SeasonBegan | SeasonOver, prefix: str) -> Sentence:
    match reply:
        case SeasonBegan(name, ends):
            return _one(f"The season {name} is on until {until(ends)}. {prefix}season shows its table.")
        case SeasonOver(name, ()):
            return _one(f"The season {name} is over; nobody played.")
        case SeasonOver(name, best):
            # Not as in a result: programs would take it for one.
            rows = names([f"{nick} with {total}" for nick, total in best])
            return _one(
                f"The season {name} is over; the best: {rows}. {prefix}season {name} shows its table."
            )


def _goes(nick: str, by: str) -> str:
    return f"{by} takes {nick} out of the lobby" if by else f"{nick} leaves"


def _goes_on(number: int, time: float) -> str:
    if not number:
        return f"The game starts in {seconds(time)}."
    return f"Round {number}/{ROUNDS} goes on with the same dice, {seconds(time)} left."


def _amended(reply: ScoreAmended) -> Sentence:
    box = reply.rules.label(reply.category)
    change = f"{reply.by} amends {reply.nick}'s {box} from {reply.was} to {reply.points}"
    return Sentence("", (f"{change} ({reply.reason}).", f"{reply.nick} has {reply.total} now."), (), " ")


def _award(award: Award) -> str:
    what = _PLACES[award.place - 1] if award.place else "door prize"
    return f"{what} ({award.prize}): {names(award.nicks)}"


def _one(text: str, invitation: str = "") -> Sentence:
    return Sentence("", (text + invitation,))


def _verb(subjects: tuple[str, ...], one: str, many: str) -> str:
    return one if len(subjects) == 1 else many


def _round(result: RoundResult) -> Sentence:
    rules = result.rules
    notes = []
    if len(result.lines) > 1:
        notes.append(f"{names(result.leaders)} {_verb(result.leaders, 'leads', 'lead')}")
    if any(line.by_host for line in result.lines):
        notes.append("* played by the host")
    if any(line.now_away for line in result.lines):
        notes.append("** and away from now on")
    return Sentence(
        f"Round {result.round}/{ROUNDS}: ",
        (*(_line(rules.label(line.category), line) for line in result.lines), *notes),
        (*_short(rules, result.lines), *notes),
    )


def _short(rules: RuleSet, lines: Iterable[ResultLine]) -> Iterable[str]:
    return (_line(code(rules, line.category), line) for line in lines)


def _line(box: str, line: ResultLine) -> str:
    stars = "**" if line.now_away else "*" if line.by_host else ""
    return f"{line.nick}{stars} {box} {plus(line.points, line.bonus)} ({line.total})"


def _hints(reply: FinalTable) -> tuple[str, ...]:
    who = "all" if reply.all_hinted else ", ".join(reply.hinted)
    return (f"With hints: {who}",) if who else ()


def _final(row: FinalRow, rules: RuleSet) -> str:
    extras = []
    if row.upper_bonus:
        extras.append(f"upper bonus {row.upper_bonus}")
    if row.yahtzee_bonus:
        extras.append(f"{rules.game_name} bonus {row.yahtzee_bonus}")
    return f"{row.placing} ({', '.join(extras)})" if extras else str(row.placing)
