"""Replies to one player in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

from game.category import CATEGORIES, ROUNDS
from game.dice import ALL, POSITIONS, Dice
from game.fair import NO_WORD
from game.rules import RuleSet
from game.scorecard import Scorecard
from host.ban import Ban
from host.replies import (
    Balance,
    Banned,
    BansShown,
    CardShown,
    Choosing,
    Costliest,
    DealtDice,
    Dismissed,
    Done,
    Entered,
    GameOver,
    GaveUp,
    Hint,
    Holding,
    HostStatus,
    Hurry,
    Kept,
    Lead,
    LobbyShown,
    PlayersShown,
    PracticeBegan,
    PracticeStopped,
    PrivateReply,
    Reloaded,
    RoundDone,
    ScoresShown,
    Stands,
    TimeShown,
    Unbanned,
    Unchanged,
    Verdict,
    WelcomeBack,
    WordNoted,
)
from host.wording.words import code, duration, names, plus, seconds, worths
from protocol.commands import LETTERS, Style
from protocol.tags import DiceTag
from solver.advice import Choice, Hold
from solver.analysis import Decision

_BEST: Final = 3
"""How many boxes a roll is shown to be worth something in."""

_MOST_BANS: Final = 20
_DIE_FACES: Final = "⚀⚁⚂⚃⚄⚅"
_RUNS_OF_FOUR: Final = ((1, 2, 3, 4), (2, 3, 4, 5), (3, 4, 5, 6))
_BOLD_GREEN: Final = "\x02\x0303"
_NORMAL: Final = "\x0f"


def private(reply: PrivateReply, style: Style) -> str:
    """The reply as one line in the player's style."""
    match reply:
        case DealtDice():
            return _dice(reply, style)
        case RoundDone(entered, rules, waiting):
            then = f" Waiting for {names(waiting)}." if waiting else ""
            return f"{_entered(rules, entered)}{then}"
        case GameOver(entered, rules, placing, players, alone):
            last = f"{_entered(rules, entered)} " if entered else ""
            if alone:
                return f"{last}The game is over: {placing.total} points. practice begins another."
            return f"{last}The game is over: place {placing.place} of {players} with {placing.total} points."
        case PracticeBegan(rules):
            return (
                f"A game of {rules.game_name} ({rules.title}) for you alone; after each decision I tell what was best."
                " practice shows your dice again, practice leave ends it. While you sit at a table, say practice"
                " before every line about this game: practice keep 4 4."
            )
        case PracticeStopped():
            return "Your practice game has ended. practice begins another."
        case Hint():
            return _hint(reply, style)
        case Balance():
            return _balance(reply)
        case Costliest(rules, decisions):
            return _costliest(rules, decisions)
        case WordNoted(word):
            return "You add no word to the dice." if word == NO_WORD else f"Your word in the dice: {word}"
        case GaveUp():
            return "You left the game; the host plays your dice. join brings you back."
        case Dismissed(by):
            return f"{by} took you out of the game; the host plays your dice from now on."
        case CardShown(card):
            return _card(card)
        case ScoresShown(rows, number, over):
            when = "Final result" if over else f"Round {number}/{ROUNDS}"
            return f"{when}: {', '.join(f'{row.nick} {row.total}' for row in rows)}."
        case LobbyShown(nicks, seats, opener, time):
            return (
                f"{names(nicks)} ({len(nicks)} of {seats} seats); the game starts in {seconds(time)},"
                f" or when {opener} says start."
            )
        case PlayersShown():
            return _players(reply)
        case TimeShown(number, time, paused_by):
            pause = f" {paused_by} has paused the game." if paused_by else ""
            left = (
                f"Round {number}/{ROUNDS}: {seconds(time)} left."
                if number
                else f"The game starts in {seconds(time)}."
            )
            return f"{left}{pause}"
        case HostStatus():
            return _status(reply)
        case Reloaded():
            return _reloaded(reply)
        case Banned(ban, hits):
            fits = f"{hits} here now" if hits else "nobody here now"
            return f"{_ban(ban)} is not served any more; it fits {fits}. unban {ban.name} lifts it."
        case Unbanned(ban, others):
            still = f" There is still {', '.join(map(_ban, others))}." if others else ""
            return f"{_ban(ban)} is not banned any more.{still}"
        case BansShown(bans):
            more = f", and {len(bans) - _MOST_BANS} more" if len(bans) > _MOST_BANS else ""
            return (
                f"Banned: {', '.join(map(_ban, bans[:_MOST_BANS]))}{more}." if bans else "Nobody is banned."
            )
        case Done(channel):
            return f"Done in {channel}."


def lasting(reply: PrivateReply) -> str | None:
    """What of a reply about a turn is news also when another has been posted; None when all of it is."""
    match reply:
        case DealtDice(lead=Entered() as entered) | RoundDone(entered):
            return _entered(reply.rules, entered)
        case DealtDice():
            return ""
        case _:
            return None


def tag(dice: DiceTag, style: Style) -> str:
    """Round, roll and dice, as programs read them, dressed for people."""
    match style:
        case Style.PLAIN:
            return str(dice)
        case Style.COLOUR:
            return f"{dice.head} {_BOLD_GREEN}{dice.brackets}{_NORMAL}"
        case Style.UNICODE:
            return f"{dice} {''.join(_DIE_FACES[face - 1] for face in dice.dice.faces)}"


def _dice(reply: DealtDice, style: Style) -> str:
    lead = f"{_lead(reply.rules, reply.lead)} " if reply.lead else ""
    parts = [f"{lead}{tag(reply.tag, style)}{' a-e' if reply.tips else ''}."]
    if isinstance(reply.lead, Holding | Choosing):
        waiting = f"Waiting for {names(reply.waiting)}; you" if reply.waiting else "You"
        parts.append(f"{waiting} may still change your mind.")
        return " ".join(parts)
    parts.append(_worth(reply))
    if reply.tips:
        parts.append(_tips(reply))
    elif not reply.can_roll:
        parts.append("Score it now.")
    return " ".join(parts)


def _worth(reply: DealtDice) -> str:
    paying = [worth for worth in reply.options if worth.points][:_BEST]
    bonus = f", and {reply.bonus} on top in any box" if reply.bonus else ""
    if len(reply.options) == 1:
        only = "the last open box" if reply.open_boxes == 1 else "the only box that the rules allow"
        return f"Worth {worths(reply.rules, reply.options)}{bonus}; it is {only}."
    if not paying:
        return f"Worth 0 in every open box{bonus}."
    return f"Worth {worths(reply.rules, paying)}{bonus}."


def _tips(reply: DealtDice) -> str:
    keep, roll = _example(reply.tag.dice)
    best = reply.rules.label(reply.options[0].category).lower()
    if not roll:
        return f"You may say score {best}."
    return f"You may say keep {keep}, reroll {roll}, or score {best}."


def _example(dice: Dice) -> tuple[str, str]:
    """Faces to keep and letters to roll that come to the same: a run of four, or else the commonest face."""
    face, count = max(Counter(dice.faces).items(), key=lambda pair: (pair[1], pair[0]))
    runs = [faces for faces in _RUNS_OF_FOUR if set(faces) <= set(dice.faces)]
    faces = runs[-1] if runs else (face,) * count
    letters = "".join(LETTERS[place] for place in sorted(ALL - dice.find(faces)))
    return " ".join(map(str, faces)), letters


def _hint(reply: Hint, style: Style) -> str:
    best, second = reply.best, reply.second
    text = f"{tag(reply.tag, style)}. Best: {_choice(reply.rules, best)}, worth {best.worth:.2f} points to the end."
    if second is None:
        return f"{text} There is no other choice."
    cost = best.worth - second.worth
    return f"{text} Next best: {_choice(reply.rules, second)}, which costs {cost:.2f}."


def _choice(rules: RuleSet, choice: Choice) -> str:
    """What to type for it."""
    if isinstance(choice, Hold):
        return f"keep {' '.join(map(str, choice.kept)) or 'none'}"
    return f"score {rules.label(choice.category).lower()} ({choice.points})"


def _balance(reply: Balance) -> str:
    start, luck, lost = reply.cents
    decided = f"decisions lost {lost / 100:.2f} points"
    brought = f"luck {'brought' if luck >= 0 else 'took'} {abs(luck) / 100:.2f}"
    if reply.total is None:
        return f"As you played, {brought} and {decided}."
    return f"Your {reply.total} points: {start / 100:.2f} for an empty card, {brought}, and {decided}."


def _costliest(rules: RuleSet, decisions: Sequence[Decision]) -> str:
    if not decisions:
        return "Every decision was the best one."
    return f"Costliest: {'; '.join(_decided(rules, decision) for decision in decisions)}."


def _decided(rules: RuleSet, decision: Decision) -> str:
    # Not as dice that lie there now are told: programs would take them for such.
    dice = " ".join(map(str, decision.dice.faces))
    made, best = (_choice(rules, choice) for choice in (decision.made, decision.best))
    return f"{made} in round {decision.round}, roll {decision.roll} ({dice}), where {best} was {decision.lost:.2f} better"


def _lead(rules: RuleSet, lead: Lead) -> str:
    match lead:
        case Entered():
            return _entered(rules, lead)
        case Kept(by_clock=True):
            return "Time was up, so you keep all five."
        case Kept(faces, verdict=verdict) if len(faces) == len(POSITIONS):
            return _judged(rules, "Kept all five", verdict)
        case Kept((), verdict=verdict):
            return _judged(rules, "Rolled all five", verdict)
        case Kept(faces, verdict=verdict):
            return _judged(rules, f"Kept {' '.join(map(str, faces))}", verdict)
        case Holding(()):
            return "You roll all five."
        case Holding(faces) if len(faces) == len(POSITIONS):
            return "You keep all five."
        case Holding(faces):
            return f"You keep {' '.join(map(str, faces))}."
        case Choosing(worth, bonus):
            return f"You score {rules.label(worth.category)} {plus(worth.points, bonus)}."
        case Stands():
            return "All kept, no roll is spent; score it when you like."
        case Unchanged():
            return "That was already done."
        case Hurry(time):
            return f"{seconds(time)} left!"
        case WelcomeBack():
            return "Welcome back."


def _judged(rules: RuleSet, done: str, verdict: Verdict | None) -> str:
    """What was done, with what perfect play says to it where there is a verdict."""
    match verdict:
        case None:
            return f"{done}."
        case Verdict(best=None):
            return f"{done}; what was best I do not know yet."
        case Verdict(best=best, lost=lost) if best and lost:
            return f"{done}; {_choice(rules, best)} was {lost:.2f} better."
        case _:
            return f"{done}: best."


def _entered(rules: RuleSet, entered: Entered) -> str:
    box = f"{rules.label(entered.category)} {plus(entered.points, entered.bonus)}"
    if not entered.by_host:
        return _judged(rules, f"Scored {box}, total {entered.total}", entered.verdict)
    away = " You are away now: nobody waits for you until you say something." if entered.now_away else ""
    dice = f" Its dice were {' '.join(map(str, entered.dice))}." if entered.dice else ""
    return f"The host scored {box} for you, total {entered.total}.{dice}{away}"


def _card(card: Scorecard) -> str:
    rules = card.rules
    used = [
        f"{rules.label(category)} {card.boxes[category]}" for category in CATEGORIES if category in card.boxes
    ]
    still = [f"{rules.label(category)} ({code(rules, category)})" for category in card.open]
    upper = f"{card.upper_total} of {rules.upper_bonus_at} for the bonus"
    if card.upper_bonus:
        upper = f"{card.upper_total} and bonus {card.upper_bonus}"
    extra = f", {rules.game_name} bonus {card.yahtzee_bonus}" if card.yahtzee_bonus else ""
    return (
        f"Used: {', '.join(used) or 'nothing'}. Open: {', '.join(still) or 'nothing'}."
        f" Upper {upper}{extra}. Total {card.total}."
    )


def _status(reply: HostStatus) -> str:
    networks = ", ".join(f"{name} {'connected' if up else 'NOT CONNECTED'}" for name, up in reply.networks)
    takes = (
        "TAKES NOTHING" if reply.store_answers is None else f"takes a line in {reply.store_answers:.1f} ms"
    )
    out_of = f" NOT IN {names(reply.out_of)}." if reply.out_of else ""
    return (
        f"yardzee-host {reply.version}, up {duration(reply.uptime)}. Networks: {networks}."
        f" Tables: {reply.tables}, of these {reply.lobbies} in the lobby and {reply.games} in a game."
        f"{out_of} Lines waiting: {reply.waiting}. Store: {reply.store} {takes}."
    )


def _reloaded(reply: Reloaded) -> str:
    if reply.problems:
        return f"Nothing has changed, since the configuration is wrong: {'; '.join(reply.problems)}"
    parts = ["The configuration was read again; the next game of each table goes by it."]
    if reply.joined:
        parts.append(f"Joining {names(reply.joined)}.")
    if reply.leaving:
        parts.append(f"Leaving {names(reply.leaving)}, after the game where one is on.")
    if reply.later:
        parts.append(f"Only a restart changes {names(reply.later)}.")
    return " ".join(parts)


def _ban(ban: Ban) -> str:
    account = f", account {ban.account}" if ban.account else ""
    return (
        f"{ban.name} ({ban.mask}{account}; by {ban.by})"
        if ban.name != ban.mask
        else f"{ban.mask} (by {ban.by})"
    )


def _players(reply: PlayersShown) -> str:
    groups = (("waiting for", reply.waiting), ("done", reply.done), ("away", reply.away))
    said = [f"{label} {names(nicks)}" for label, nicks in groups if nicks]
    pause = f" {reply.paused_by} has paused the game." if reply.paused_by else ""
    return f"Round {reply.round}/{ROUNDS}: {'; '.join(said)}.{pause}"
