"""Help, rules and hints: short lines that tell what to type."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from game.category import CATEGORIES
from game.rules import FIXED_POINTS, RuleSet
from host.preference import Preference
from host.wording.words import code
from protocol.commands import Style, Topic

_OVERVIEW: Final = (
    "{game}: 13 rounds, up to 3 rolls in each, every box once. {prefix}join in {channel} takes a seat; your"
    " dice come in private, and you answer there: keep 4 4 (faces) or keep a b (places) rolls the rest,"
    " reroll 2 6 rolls those, score fh fills a box.",
    "Also: dice, card, scores, who, time, rules, hint, analysis, practice, stats, top, seed, leave, return, style, notice; {prefix}start and {prefix}pause for"
    " whoever opened the table. help TOPIC tells more of: {topics}.",
)

_TOPICS: Final[Mapping[Topic, str]] = {
    Topic.LOBBY: "{prefix}join (also register, or $ in private) takes a seat, and the first one opens the table;"
    " {prefix}start, by whoever opened it, begins; {prefix}leave gives the seat up. In a game, leave hands your"
    " dice to the host, and join brings you back, while somebody else plays on. return and the token that you were"
    " sent takes your seat up again from anywhere.",
    Topic.KEEP: "keep 4 4, keep 44 or k44 keeps two fours and rolls the rest. Letters are places: keep a b keeps"
    " the first two dice. keep all stands, keep none rolls all five. Digits are always faces; of equal dice the"
    " first ones are meant.",
    Topic.REROLL: "reroll 2 6 1 or r261 rolls those faces again and keeps the rest. Letters are places: reroll"
    " cde. reroll all rolls all five, reroll none stands.",
    Topic.SCORE: "score full house, score fh or just fh writes the dice into a box, after any roll; after the"
    " third you must. A box that does not fit pays 0. help boxes lists them.",
    Topic.LOOK: "dice: your dice again. card: your boxes. scores: all totals. who: who is waited for. time: what"
    " is left of it. hint: the best that you can do. analysis: the last game's luck and costly decisions. All"
    " answers come in private. In several games at once, name the channel: {channel} dice.",
    Topic.STYLE: "style plain, style colour or style unicode dresses your private lines; notice on sends them as"
    " notices, notice off as messages. I remember it for your nick.",
    Topic.FAIR: "Before anybody plays, the SHA-256 of a secret seed is told in {channel}, and after the game the seed:"
    " with it anybody can work out every die. seed WORD, before the start, adds a word of yours, so that the host"
    " cannot have chosen the dice. seed alone shows what is told so far.",
    Topic.PRACTICE: "practice, said in private, begins a game alone with me at any time; after each decision I tell"
    " what was best. practice again shows your dice, and leave ends the game. While you sit at a table, say practice"
    " before every line about this game: practice keep 4 4, practice fours, practice card, practice leave.",
    Topic.RECORDS: "stats, or stats NICK: how somebody has played. top: the best; also top today, week, month, season, of a"
    " rule set, or by wins. ratings: who is strongest. last: the last game here; games: the last ones; game ID: one of"
    " them. season: the table of the league. forget me takes your name out of all of it. All answers come in private.",
    Topic.HOSTING: "Whoever opened the table may {prefix}pause, {prefix}resume, {prefix}stop it, {prefix}extend 60"
    " (seconds), and before it begins {prefix}house 2 (house players). Those who run the host may also remove NICK,"
    " amend NICK BOX POINTS REASON, ban NICK, unban NICK,"
    " say TEXT, season open NAME FIRST-DAY LAST-DAY, season close NAME, forget NICK, status, reload, shutdown. Of several tables name one: {channel} pause.",
}

BANNED: Final = "You are banned from the games here."
UNBANNED: Final = "You may play here again."
QUIET: Final = "I do not understand; I will be quiet until something makes sense to me. help tells what does."
TOO_MANY: Final = "You ask faster than I can answer; for a while I will answer moves alone."
UNCHANGED: Final = "That was already done."


def token_line(token: str) -> str:
    """The secret of a seat, for its owner; the account does as well where there is one."""
    return f"Should you lose your connection, return {token} brings you back to this seat from anywhere."


def not_playing(prefix: str, channel: str) -> str:
    """A hint for someone who speaks to the host and is in no game."""
    return f"I run games of Yahtzee: {prefix}join in {channel} takes a seat, help tells more."


def help_lines(topic: Topic | None, rules: RuleSet, prefix: str, channel: str) -> tuple[str, ...]:
    """Help on a topic, or an overview."""
    if topic is Topic.BOXES:
        return (
            f"Boxes and their short names: {_boxes(rules)}. Longer forms and 1s to 6s work too.",
            _pays(rules),
        )
    if topic is Topic.RULES:
        return rules_lines(rules)
    lines = (_TOPICS[topic],) if topic else _OVERVIEW
    topics = ", ".join(topic.value for topic in Topic)
    return tuple(
        line.format(prefix=prefix, channel=channel, topics=topics, game=rules.game_name) for line in lines
    )


def rules_lines(rules: RuleSet) -> tuple[str, ...]:
    """The rule set in short: what differs between the sets, and the bonuses."""
    extra = f"{rules.game_name} bonus {rules.yahtzee_bonus} for each further one while its box holds 50."
    return (
        f"{rules.game_name}, {rules.title}: 13 rounds, up to 3 rolls, every box once."
        f" Upper bonus {rules.upper_bonus} at {rules.upper_bonus_at}. {extra} {rules.further_yahtzee}",
    )


def preference_line(preference: Preference) -> str:
    """How a player's private lines are sent, and what else is possible."""
    how = "notices" if preference.notice else "messages"
    others = ", ".join(style.value for style in Style)
    return f"Your lines come in {preference.style.value} style, as {how}. Possible: style {others}; notice on or off."


def _pays(rules: RuleSet) -> str:
    full, small, large, five = (rules.label(category) for category in FIXED_POINTS)
    points = tuple(FIXED_POINTS.values())
    return (
        f"What they pay: upper boxes the dice of their face; 3 and 4 of a Kind, and Chance, all five dice;"
        f" {full} {points[0]}, {small} {points[1]}, {large} {points[2]}, {five} {points[3]}. Else 0."
    )


def _boxes(rules: RuleSet) -> str:
    return ", ".join(f"{rules.label(category)} {code(rules, category)}" for category in CATEGORIES)
