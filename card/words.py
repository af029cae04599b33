"""The card's own sentences, for the status line, the log and the plain mode."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import Final

from card.boxes import Kind, boxes, is_joker, pays, total_after
from card.view import View
from game.category import ROUNDS, Category
from game.dice import POSITIONS, Dice, Positions
from game.match import ROLLS
from protocol.boxes import CODES
from protocol.card import news
from protocol.card.fields import Play
from protocol.card.keys import By, Clock, Code, Entry, Exit
from protocol.card.stages import Stage
from protocol.commands import LETTERS


class Trouble(Enum):
    """Why the card does not send what its player asks for; the value is the sentence."""

    OFFLINE = "There is no connection just now. Your seat and your dice wait; the card comes back by itself."
    NO_HOST = "The host is not here just now. The card looks for it, and goes on when it is found."
    PENDING = "That was sent already; the host's answer is on its way."
    SETTLING = "This came just now, before you can have seen it. Look again; nothing was sent."
    NOT_SEATED = "You have no seat in a game. Register takes one."
    SEATED = "You have a seat already."
    BEGUN = "The game has begun already."
    LOBBY = "The game has not begun."
    WAITING = "There are no dice to decide on: this round is scored, or has still to begin."
    NO_ROLL = "All three rolls are made; only a box is left to choose."
    ALL_KEPT = "All five dice are marked to keep, so that none would roll. Let one go, or score a box."
    NO_BOX = "Choose a box first: click it, or use the arrow keys."
    USED = "That box is used."
    FORBIDDEN = "The rules for a further Yahtzee do not allow that box now."


REFUSALS: Final[Mapping[Code, str]] = {
    Code.VERSION: "The host and the card are of different versions. Typed commands still work: /host help.",
    Code.UNKNOWN: "The host does not know what the card asked for.",
    Code.FIELD: "The host could not read what the card sent. Nothing was changed.",
    Code.GAME: "That game is not on any more.",
    Code.SEAT: "You have no seat in that game.",
    Code.LATE: "That came too late: another roll is on. Nothing was spent; here is how things stand.",
    Code.SCORED: "This round is scored already. Nothing was changed.",
    Code.ROLLS: "All three rolls are made; only a box is left to choose.",
    Code.USED: "That box is used. Your dice are as they were.",
    Code.FORBIDDEN: "The rules for a further Yahtzee do not allow that box now. Your dice are as they were.",
    Code.HINTS: "This table plays without hints.",
    Code.SOON: "The host does not know yet what is best. Ask again in some seconds.",
    Code.CLOCK: "The clock stands, so that nothing can be decided now. Your dice wait.",
    Code.FULL: "All seats are taken. Try again after this game.",
    Code.ON: "A game is on. You can register when it is over.",
    Code.CHANNEL: "The host has no table for this channel, or you are not in it.",
    Code.BUSY: "The host could not take that just now. Nothing was changed; try again in a moment.",
    Code.BANNED: "The host does not let you play here.",
    Code.NO: "The host refuses that. Nothing was changed.",
}

_STANDS: Final[Mapping[Clock, str]] = {
    Clock.RUNS: "The clock goes on.",
    Clock.PAUSE: "The game is paused; your dice and your time wait.",
    Clock.SPLIT: "The network is split; the clock stands until the players are back.",
    Clock.OUT: "The host is out of the channel; the clock stands.",
}
_EXITS: Final[Mapping[Exit, str]] = {
    Exit.LEFT: "You have left the game.",
    Exit.REMOVED: "You were taken out of the game.",
    Exit.TAKEN: "Your seat is somebody else's now, who has its token: another card of yours?",
    Exit.STOPPED: "The game was stopped, without a result.",
}
_ANOTHER: Final = "Practice begins another."


def stands(clock: Clock) -> str:
    """What it means that the clock runs or stands."""
    return _STANDS[clock]


def gone(why: Exit) -> str:
    """What happened to the player's seat."""
    return _EXITS[why]


def names(view: View, seats: Iterable[int], most: int = 4) -> str:
    """Who sits there, as in `bob, carol and 3 more`."""
    found = [view.name(seat) for seat in seats]
    if len(found) > most:
        return f"{', '.join(found[:most])} and {len(found) - most} more"
    return " and ".join(filter(None, (", ".join(found[:-1]), *found[-1:])))


def status(view: View) -> str:
    """What the player can do now, or what is waited for."""
    if view.exit and view.stage is Stage.OUT:
        rest = _ANOTHER if view.practice else "Register takes a seat in the next one."
        return f"{gone(view.exit)} {rest}"
    if view.clock is not Clock.RUNS and view.playing:
        return stands(view.clock)
    said = _STATUS[view.stage](view)
    if view.verdict and view.deciding and not view.hint:
        return f"{verdict(view, view.verdict)} {said}"
    if not view.hint:
        return said
    rest = "H marks it." if view.marked is None and view.advised != view else said
    return f"{hint(view)} {rest}"


def _choice(view: View, play: Play, dice: Dice) -> str:
    """As people say it: `keep 4 4` or `score fours`."""
    if isinstance(play, Category):
        return f"score {view.rules.label(play).lower()}"
    return f"keep {_kept(play, dice)}"


def _kept(play: Positions, dice: Dice) -> str:
    return " ".join(map(str, sorted(dice.at(play)))) or "none"


def hint(view: View) -> str:
    """What is best for these dice, and what the next best costs; nothing where that is not known."""
    line, hand = view.hint, view.hand
    if line is None or hand is None:
        return ""
    dice = hand.dice
    best = f"Best: {_choice(view, line.best, dice)}, worth {line.worth:.2f}"
    if line.next is None or line.cost is None:
        return f"{best}; there is no other choice."
    return f"{best}; next: {_choice(view, line.next, dice)}, costs {line.cost:.2f}."


def verdict(view: View, line: news.Verdict) -> str:
    """What a decision was worth, as in `Kept 4 4; keep 4 4 4 was 1.23 better`."""
    if isinstance(line.made, Category):
        done = f"Scored {view.rules.label(line.made)}"
    else:
        done = f"Kept {_kept(line.made, line.dice)}"
    if line.best is None or line.lost is None:
        return f"{done}; what was best the host does not know yet."
    if not line.lost:
        return f"{done}: the best."
    return f"{done}; {_choice(view, line.best, line.dice)} was {line.lost:.2f} better."


def practice(view: View) -> str:
    """What is said when a practice game begins."""
    return f"A game for you alone: {view.rules.title}. After each decision you are told what was best."


def analysis(view: View, line: news.Analysis) -> list[str]:
    """What luck and decisions made of a game: a sentence for all, and one for each costly decision."""
    luck = f"{'brought' if line.luck >= 0 else 'took'} {abs(line.luck):.2f}"
    best = "" if line.costly else " Every decision was the best one."
    return [
        f"Luck {luck}, decisions lost {line.lost:.2f}.{best}",
        *(
            f"{loss.cost:.2f} lost in round {loss.round}, roll {loss.roll}"
            f" ({' '.join(map(str, loss.dice.faces))}): {_choice(view, loss.made, loss.dice)};"
            f" best: {_choice(view, loss.best, loss.dice)}."
            for loss in line.costly
        ),
    ]


def start(view: View, line: news.Analysis) -> str:
    """What luck and decisions add up from."""
    if line.start is None:
        return "A score was amended, so that these do not add up to your points."
    what = f"An empty card is worth {line.start:.2f}"
    return f"{what}; with luck, and less what was lost, that makes {view.total}."


def _out(view: View) -> str:
    return "Register takes a seat at the table; Practice begins a game alone with the host."


def _lobby(view: View) -> str:
    who = f": {', '.join(view.nicks)}" if view.nicks else ""
    return f"You have a seat{who}. The game begins when the time is up, or with Start."


def _waiting(view: View) -> str:
    wrote = f"{written(view, view.last)} " if view.last else ""
    return (
        f"{wrote}Waiting for {names(view, view.awaited)}."
        if view.awaited
        else f"{wrote}Your dice are coming."
    )


def _deciding(view: View) -> str:
    if view.marked is not None:
        return marked(view, view.marked)
    if not view.can_roll:
        return "That was the last roll. Choose a box, and Send Score."
    if view.kept and view.hand:
        kept = " ".join(str(face) for face in view.hand.dice.at(view.kept))
        return f"Keeping {kept}. Send Rerolls rolls the others, or choose a box and Send Score."
    return "Mark the dice to keep, and Send Rerolls; or choose a box, and Send Score."


def _noted(view: View) -> str:
    what = (
        f"{view.rules.label(view.noted_box)} is noted"
        if view.noted_box is not None
        else "What you keep is noted"
    )
    others = f" Waiting for {names(view, view.awaited)}." if view.awaited else ""
    return f"{what}; until the others have sent theirs you may still change it.{others}"


def _over(view: View) -> str:
    if view.practice:
        return f"The game is over: {view.total} points. {_ANOTHER}"
    if not view.place:
        return "The game is over. Register takes a seat in the next one."
    return f"The game is over: you are {ordinal(view.place)} of {view.seats} with {view.total}."


_STATUS: Final = {
    Stage.OUT: _out,
    Stage.LOBBY: _lobby,
    Stage.WAITING: _waiting,
    Stage.DECIDING: _deciding,
    Stage.NOTED: _noted,
    Stage.OVER: _over,
}


def ordinal(place: int) -> str:
    """`1st`, `2nd`, `11th`."""
    ending = {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th") if place % 100 not in (11, 12, 13) else "th"
    return f"{place}{ending}"


def marked(view: View, category: Category) -> str:
    """What scoring a box would bring."""
    points = pays(view).get(category)
    if points is None or view.hand is None:
        return Trouble.FORBIDDEN.value
    label = view.rules.label(category)
    joker = " as a joker" if is_joker(view.card, category, view.hand.dice, points) else ""
    total = total_after(view, category) if view.known else view.total + points + view.hand.bonus
    more = total - view.total - points
    top = f" and {more} on top" if more else ""
    return f"{label} pays {points}{joker}{top}: total {total}. Send Score writes it."


def zero(view: View, category: Category) -> str:
    """The question before a box is given up."""
    return f"{view.rules.label(category)} would pay 0. Score it once more if you mean it."


def written(view: View, entry: Entry) -> str:
    """What was written into a box."""
    extra = f" and {entry.extra} on top" if entry.extra else ""
    who = "The host scored for you:" if entry.by is By.HOST else "Scored"
    return f"{who} {view.rules.label(entry.box)} {entry.points}{extra}, total {entry.total}."


def faces(dice: Dice) -> str:
    """The dice with their letters, for those who listen: `a 4, b 4, c 2, d 6, e 1`."""
    return ", ".join(f"{LETTERS[place]} {dice.faces[place]}" for place in POSITIONS)


def places(kept: Positions) -> str:
    """`a and c`, or `none`."""
    letters = [LETTERS[place] for place in sorted(kept)]
    return " and ".join(filter(None, (", ".join(letters[:-1]), *letters[-1:]))) or "none"


def rolled(view: View, now: float) -> str:
    """The dice in a sentence, with what pays most."""
    if view.hand is None:
        return status(view)
    best = sorted(pays(view).items(), key=lambda pair: -pair[1])[:3]
    worth = ", ".join(f"{view.rules.label(category)} {points}" for category, points in best)
    bonus = f" {view.hand.bonus} on top in any box." if view.hand.bonus else ""
    left = "" if view.practice else f" {view.left(now)} seconds left."
    return (
        f"Round {view.hand.round} of {ROUNDS}, roll {view.hand.roll} of {ROLLS}: {faces(view.hand.dice)}."
        f" Worth {worth}.{bonus}{left}"
    )


def card(view: View) -> list[str]:
    """The whole card in sentences."""
    lines = []
    for box in boxes(view):
        said = {
            Kind.OPEN: "open",
            Kind.PAYS: f"would pay {box.points}{' as a joker' if box.joker else ''}",
            Kind.FORBIDDEN: "not allowed now",
            Kind.USED: f"has {box.points}",
        }[box.kind]
        lines.append(f"{box.label} ({CODES[box.category][0]}): {said}.")
    upper = f"Upper section {view.card.upper_total} of {view.rules.upper_bonus_at}"
    lines.append(f"{upper}, bonus {view.card.upper_bonus}. Further Yahtzees {view.card.yahtzee_bonus}.")
    return [*lines, f"Total {view.total}."]


def standings(view: View) -> str:
    """All totals, the most first, and who is still thinking."""
    order = sorted(range(1, len(view.totals) + 1), key=lambda seat: -view.totals[seat - 1])
    scores = ", ".join(
        f"{view.name(seat)}{' (you)' if seat == view.seat else ''} {view.totals[seat - 1]}" for seat in order
    )
    thinking = f" Still thinking: {names(view, view.awaited)}." if view.awaited else ""
    return f"{scores}.{thinking}" if scores else "No totals yet."
