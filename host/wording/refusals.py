"""What is said when something cannot be done: what was understood, and what is possible."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from game import errors as game
from game.category import ROUNDS, Category
from game.rules import HASBRO, RuleSet
from game.standin import best_first
from host import errors as host
from host.replies import DealtDice, Worth
from host.wording.private import tag
from host.wording.words import code, either, names, seconds, worths
from protocol import boxes
from protocol import errors as protocol
from protocol.commands import Style

Problem = game.GameError | protocol.ProtocolError | host.HostError

_LONGEST_QUOTE: Final = 24
_MOST_ZEROS: Final = 3
NO_TABLE: Final = (
    *(host.WhichTable, host.NoSuchTable, host.NoPractice),
    *(host.PrivateOnly, host.NothingToHost, host.StillSeated, host.NoSuchGame, host.NoSuchSeason),
    *(host.SeasonOn, host.BadDays, host.NoRecord, host.NotYours, host.WrongCode),
)
"""Answered without dice: it is not known which ones are meant, or they do not matter."""


@dataclass(frozen=True, slots=True)
class Situation:
    """Where the player stands who is refused something."""

    rules: RuleSet = HASBRO
    prefix: str = "!"
    channel: str = "a channel of mine"
    style: Style = Style.PLAIN
    dice: DealtDice | None = None
    """The player's dice, while they are still to be played."""


def refusal(problem: Problem, where: Situation) -> str:
    """One line for the player, with their dice when there are any; nothing was spent."""
    text = _WORDING[type(problem)](problem, where)
    if where.dice is None or isinstance(problem, NO_TABLE):
        return text
    return f"{text} {tag(where.dice.tag, where.style)}"


def quote(words: str) -> str:
    """What somebody typed, short enough to repeat."""
    return f'"{words[:_LONGEST_QUOTE]}…"' if len(words) > _LONGEST_QUOTE else f'"{words}"'


def _missing_face(error: game.MissingFace, where: Situation) -> str:
    there = {0: "no die shows", 1: "only one die shows"}.get(error.there, f"only {error.there} dice show")
    named = " ".join([str(error.face)] * error.named) if error.named <= 5 else f"{error.named} dice"
    return f"You named {named}, but {there} a {error.face}."


def _box_used(error: game.BoxUsed, where: Situation) -> str:
    label = where.rules.label(error.category)
    return f"{label} is used already ({error.points}). {_open(where.rules, error.options)}"


def _box_forbidden(error: game.BoxForbidden, where: Situation) -> str:
    label = where.rules.label(error.category)
    return (
        f"A further {where.rules.game_name} may not go into {label} now. {_open(where.rules, error.options)}"
    )


def _open(rules: RuleSet, options: Mapping[Category, int]) -> str:
    paying = [Worth(*option) for option in best_first(options) if option[1]]
    others = [rules.label(box) for box, points in options.items() if not points]
    zero = f"0 in {either(others)}" if 0 < len(others) <= _MOST_ZEROS else "0 in the others" if others else ""
    return f"Possible: {'; '.join(filter(None, (worths(rules, paying), zero)))}."


def _already_scored(error: game.AlreadyScored, where: Situation) -> str:
    return "You have scored in this round already; the next dice come when the round closes."


def _unknown_command(error: protocol.UnknownCommand, where: Situation) -> str:
    if error.close:
        return f"I do not know {quote(error.word)}. Did you mean {either(error.close)}?"
    if where.dice:
        return f"I do not know {quote(error.word)}. Say keep, reroll or score; help tells more."
    return f"I do not know {quote(error.word)}. Say help for what I know."


def _ambiguous_command(error: protocol.AmbiguousCommand, where: Situation) -> str:
    return f"{quote(error.word)} may be {either(error.names)}. Say a little more of it."


def _ambiguous_box(error: protocol.AmbiguousBox, where: Situation) -> str:
    meant = [f"{where.rules.label(box)} ({code(where.rules, box)})" for box in error.categories]
    return f"{quote(error.words)} may be {either(meant)}. Which one?"


def _unknown_box(error: protocol.UnknownBox, where: Situation) -> str:
    if error.close:
        return f"No box is called {quote(error.words)}. Did you mean {either(error.close)}?"
    shorts = ", ".join(code(where.rules, box) for box in boxes.CODES)
    return f"No box is called {quote(error.words)}. Boxes: {shorts}."


def _missing_box(error: protocol.MissingBox, where: Situation) -> str:
    if where.dice:
        return f"Score which box? {_open(where.rules, {w.category: w.points for w in where.dice.options})}"
    return "Score which box? Say it as in score full house, or score fh."


def _question(error: protocol.Question, where: Situation) -> str:
    worth = (
        next((w for w in where.dice.options if w.category is error.category), None) if where.dice else None
    )
    pays = f"It would pay {worth.points} now. " if worth else ""
    return f"{pays}A question does nothing; say it without the ? to do it."


def _bare_dice(error: protocol.BareDice, where: Situation) -> str:
    said = error.dice[:_LONGEST_QUOTE]
    return f"Keep or roll them? Say keep {said} or reroll {said}."


def _not_dice(error: protocol.NotDice, where: Situation) -> str:
    return f"{quote(error.word)} is no dice: say faces (1 to 6) or places (a to e), all or none."


def _bad_choice(error: protocol.BadChoice, where: Situation) -> str:
    return f"{error.verb} {quote(error.word)} is not possible: say {error.verb} {either(error.possible)}."


def _no_game(error: host.NoGame, where: Situation) -> str:
    return f"No game is on in {where.channel}. {where.prefix}join there opens one."


def _not_in_game(error: host.NotInGame, where: Situation) -> str:
    return (
        f"You have no seat in the game in {where.channel}. {where.prefix}join there takes one in the lobby;"
        " a seat that you had from another place comes back with return and its token."
    )


def _not_opener(error: host.NotOpener, where: Situation) -> str:
    return (
        f"{error.opener} opened the table and may start it; it starts by itself in {seconds(error.seconds)}."
    )


def _not_allowed(error: host.NotAllowed, where: Situation) -> str:
    if error.leader:
        return f"That is for {error.leader} to say at this table."
    return "That is not for you to say here."


def _no_such_player(error: host.NoSuchPlayer, where: Situation) -> str:
    return f"Nobody called {quote(error.nick)} plays in {where.channel}. Players: {', '.join(error.nicks)}."


def _box_open(error: host.BoxOpen, where: Situation) -> str:
    used = ", ".join(where.rules.label(box) for box in error.used) or "none"
    return f"{error.nick} has not used {where.rules.label(error.category)} yet. Used: {used}."


def _no_such_points(error: host.NoSuchPoints, where: Situation) -> str:
    box, possible = where.rules.label(error.category), list(error.possible)
    run = possible[1:] == list(range(possible[1], possible[-1] + 1)) and len(possible) > 3
    points = f"0 or {possible[1]} to {possible[-1]}" if run else either([str(number) for number in possible])
    return f"{box} can never hold {error.points}. Possible: {points}."


def _bad_seconds(error: host.BadSeconds, where: Situation) -> str:
    if not error.most:
        return "There is an hour left already; that is the most there can be."
    return f"{error.seconds} is not possible: say 1 to {error.most} seconds."


def _bad_usage(error: protocol.BadUsage, where: Situation) -> str:
    return f"Say {error.verb} {error.usage}." if error.usage else f"{error.verb} takes nothing after it."


def _which_table(error: host.WhichTable, where: Situation) -> str:
    if not error.channels:
        return "Which table? Come into its channel, or name it first, as in #channel dice."
    return f"Which table: {either(error.channels)}? Name it first, as in {error.channels[0]} dice."


def _no_such_table(error: host.NoSuchTable, where: Situation) -> str:
    there = f" There is one in {names(error.channels)}." if error.channels else ""
    return f"I run no table in {quote(error.channel)}.{there}"


def _still_seated(error: host.StillSeated, where: Situation) -> str:
    return (
        f"Not while a game is on with this name in it: {names(error.channels)}. Ask again when it has ended."
    )


def _no_such_game(error: host.NoSuchGame, where: Situation) -> str:
    if error.games:
        return f"{quote(error.prefix)} may be {either(error.games)}. Which one?"
    return f"No finished game is called {quote(error.prefix)}. games lists the last ones."


def _casual(error: host.Casual, where: Situation) -> str:
    box = where.rules.label(error.category)
    return f"Hello! If you meant the box {box} (0 now), say score {code(where.rules, error.category)}."


_WORDING: Final[Mapping[type[Problem], Callable[[Any, Situation], str]]] = {
    game.MissingFace: _missing_face,
    game.NoRollLeft: lambda error, where: "No roll is left in this round: score the dice.",
    game.RolledOn: lambda error, where: "You chose a box, and the others have rolled on; the box can change.",
    game.AlreadyScored: _already_scored,
    game.BoxUsed: _box_used,
    game.BoxForbidden: _box_forbidden,
    protocol.EmptyLine: lambda error, where: "That line is empty. Say help for what I know.",
    protocol.UnknownCommand: _unknown_command,
    protocol.AmbiguousCommand: _ambiguous_command,
    protocol.Question: _question,
    protocol.BareDice: _bare_dice,
    protocol.MissingDice: lambda error, where: (
        f"{error.verb} which dice? Say faces ({error.verb} 4 4) or places ({error.verb} a b), all or none."
    ),
    protocol.NotDice: _not_dice,
    protocol.MixedDice: lambda error, where: (
        f"{quote(error.words)} mixes faces (digits) and places (letters): name the dice one way."
    ),
    protocol.RepeatedLetter: lambda error, where: f"You named die {error.letter} twice.",
    protocol.BadWord: lambda error, where: (
        f"{quote(error.word)} will not do: a word has 1 to 32 letters (a to z, A to Z), digits and signs of . _ -"
    ),
    protocol.MissingToken: lambda error, where: (
        "Return to which seat? Say return and the token that you were sent when you joined."
    ),
    protocol.MissingBox: _missing_box,
    protocol.UnknownBox: _unknown_box,
    protocol.AmbiguousBox: _ambiguous_box,
    protocol.BadChoice: _bad_choice,
    protocol.ExtraWords: lambda error, where: (
        f"{error.verb[:_LONGEST_QUOTE]} takes nothing after it; I did nothing for {quote(error.words)}."
    ),
    protocol.BadUsage: _bad_usage,
    host.NoGame: _no_game,
    host.NotInGame: _not_in_game,
    host.AlreadySeated: lambda error, where: "You have a seat already.",
    host.TableFull: lambda error, where: f"All {error.seats} seats are taken; the next game has room again.",
    host.GameOn: lambda error, where: (
        "The game is on already."
        if where.dice
        else f"Round {error.round}/{ROUNDS} is on; join the next game when this one ends."
    ),
    host.NotOpener: _not_opener,
    host.NotBegun: lambda error, where: f"The game starts in {seconds(error.seconds)}; your dice come then.",
    host.GivenUp: lambda error, where: (
        f"You left this game. {where.prefix}join in {where.channel} brings you back."
    ),
    host.StandsStill: lambda error, where: (
        f"The game stands still while I am not in {where.channel}; it goes on, with your time, when I am back."
    ),
    host.HostOut: lambda error, where: f"I am not in {where.channel} now.",
    host.GamePaused: lambda error, where: f"{error.by} has paused the game; {where.prefix}resume goes on.",
    host.NoPauseLeft: lambda error, where: (
        "This game has been paused for an hour already; that is all there is."
    ),
    host.NotPaused: lambda error, where: "The game is not paused.",
    host.TakenAway: lambda error, where: "You were taken out of this game; the next one is open to you.",
    host.TableCloses: lambda error, where: f"I leave {where.channel}: there are no more games here.",
    host.NotAllowed: _not_allowed,
    host.NextLobbyOpen: lambda error, where: "The next lobby is open, and nothing is scored in it yet.",
    host.OperatorBan: lambda error, where: f"{error.nick} is one of those who run this host.",
    host.NoSuchPlayer: _no_such_player,
    host.BoxOpen: _box_open,
    host.NoSuchPoints: _no_such_points,
    host.BadSeconds: _bad_seconds,
    host.BadHouse: lambda error, where: (
        f"{error.players} is not possible: there is room for {error.most} of the house at this table."
    ),
    host.NobodyCalled: lambda error, where: (
        f"I see nobody called {quote(error.nick)}. A mask will do as well, such as *!*@host.example."
    ),
    host.WideMask: lambda error, where: (
        f"{quote(error.mask)} is too wide, or fits you. Say nick!user@host with more than * for the host."
    ),
    host.NoSuchBan: lambda error, where: (
        f"There is no ban {quote(error.name)}. Bans: {names(error.names)}."
        if error.names
        else "Nobody is banned."
    ),
    host.NoConfiguration: lambda error, where: (
        "I run without a configuration file; there is nothing to reload."
    ),
    host.NoHints: lambda error, where: "This table plays without hints.",
    host.NoCommitment: lambda error, where: (
        "This game began before I told what dice can be checked by; the next one can be."
    ),
    host.WordsTaken: lambda error, where: (
        "The game is on, so the words are fixed. Before the next one begins there is time for another."
    ),
    host.NotOver: lambda error, where: "The analysis comes when the game is over.",
    host.NotKnown: lambda error, where: "I do not know that yet; ask again in a few seconds.",
    host.NoPractice: lambda error, where: "No practice game of yours is on. practice begins one.",
    host.PrivateOnly: lambda error, where: (
        "Practice is between the two of us: say it to me here, in private."
    ),
    host.NothingToHost: lambda error, where: (
        "A practice game is yours alone, and waits for you. practice leave ends it."
    ),
    host.NoSuchToken: lambda error, where: "No game that is on has a seat with this token.",
    host.TooLate: lambda error, where: "Too late for that: the time was up. What you have now:",
    host.Outdated: lambda error, where: "That was for another roll. What you have now:",
    host.Casual: _casual,
    host.WhichTable: _which_table,
    host.NoSuchTable: _no_such_table,
    host.NotInChannel: lambda error, where: f"Come into {error.channel} first, then join.",
    host.StillSeated: _still_seated,
    host.NoSuchGame: _no_such_game,
    host.NoSuchSeason: lambda error, where: (
        f"There is no season {quote(error.name)}, or it is over."
        if error.name
        else "There has been no season yet."
    ),
    host.SeasonOn: lambda error, where: f"There is a season {quote(error.name)} already; take another name.",
    host.BadDays: lambda error, where: (
        f"{error.first} to {error.last} is not possible: say two days such as 2027-03-01 2027-05-31, the last not"
        " before the first, and not over."
    ),
    host.NoRecord: lambda error, where: f"I have no finished game of {quote(error.name)}.",
    host.NotYours: lambda error, where: (
        f"I cannot know that all games of nick {error.nick} are yours, since the first and the last of them were not both"
        f" played from where you are now. Those who run this host can do it: forget {error.nick}."
    ),
    host.WrongCode: lambda error, where: (
        "That is not the code, or it is too late for it. Say the same without a code to get another."
    ),
    host.StoreError: lambda error, where: (
        "Sorry, I could not write that down, so it does not count. Nothing has changed; please try again."
    ),
}
