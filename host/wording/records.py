"""Records of finished games in words. Each answer is as many lines as fit into three, of so many bytes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Final

from chat.lines import pack
from game.fair import DiceMode
from game.rules import RULE_SETS
from host.books import PRACTICE, Season
from host.outcome import account_key, key_shown, nick_key
from host.rating import SURE_FROM
from host.standings import By, FinishedGame, Rank, Rated, SeatScore, Statistics
from host.tallies import Tally
from host.wording.words import ITEM, duration, moment, names, until
from protocol.records import Period

_BYTES: Final = 390
"""What fits into a line to anybody."""

_LINES: Final = 3

SPANS: Final = {
    Period.TODAY: "today",
    Period.WEEK: "this week",
    Period.MONTH: "this month",
    Period.ALL: "all time",
}

_DICE: Final = {DiceMode.OWN: "", DiceMode.SAME: ", the same dice for all"}


_OTHERS: Final = {
    account_key(
        ""
    ): "It is about this account alone: what you played under a nick without it is a record of its own."
    " Log out and ask again for that.",
    nick_key(
        ""
    ): "It is about this nick alone: what you played with an account is a record of its own. Log in and ask"
    " again for that.",
}


def stats(found: Statistics, span: str, rules: str | None, of_all_time: bool) -> Sequence[str]:
    """The record of a person in a time; ratings are only of all time."""
    tally, head = found.tally, f"{found.nick}, {span}, {_rules(rules)}: "
    none = f"no game{' played out' if tally.left else ''}."
    lines = [f"{head}{_sums(found)}"] if tally.games else [f"{head}{none}"]
    if more := [*_contests(tally), *_judged(tally)]:
        lines.append(" ".join(more))
    if found.ratings and of_all_time:
        lines += _packed("Ratings: ", [_rating_of(rated) for rated in found.ratings])
    return lines


def _sums(found: Statistics) -> str:
    tally = found.tally
    best = f"best {tally.best} (place {found.place}) in game {found.best_game}"
    yahtzees = f"{_mean(tally.yahtzees, tally.games)} Yahtzees a game"
    bonus = f"the upper bonus in {_percent(tally.bonuses, tally.games)}"
    mean = _mean(tally.points, tally.games)
    left = f", and {tally.left} not played out" if tally.left else ""
    return f"{_many(tally.games, 'game')}{left}, mean {mean}, {best}, {yahtzees}, {bonus}."


def _contests(tally: Tally) -> list[str]:
    if not tally.contests:
        return []
    places = {"first": tally.wins, "second": tally.seconds, "third": tally.thirds}
    places["further down"] = tally.contests - sum(places.values())
    said = ", ".join(f"{label} {number}" for label, number in places.items())
    won = f"won {tally.streak} in a row now, {tally.longest} at most"
    return [f"In {_many(tally.contests, 'game')} with others {said}; {won}."]


def _judged(tally: Tally) -> list[str]:
    if not tally.judged:
        return []
    lost, luck = (_mean(total, 100 * tally.judged) for total in (tally.lost, abs(tally.luck)))
    of = "" if tally.judged == tally.games else f", in the {tally.judged} that were looked at"
    brought = "brought" if tally.luck >= 0 else "took"
    return [f"In a game decisions lost {lost} and luck {brought} {luck} on average{of}."]


def top_head(span: str, rules: str | None, by: By) -> str:
    """What a list begins with."""
    what = "Most wins" if by is By.WINS else "Best totals"
    return f"{what}, {span}, {_rules(rules)}: "


def season_head(season: Season, wall: datetime) -> str:
    """What the table of a season begins with."""
    if season.has(wall):
        when = f"on until {until(season.ends)}"
    elif wall < season.starts < season.ends:
        when = f"from {moment(season.starts)} until {until(season.ends)}"
    else:
        when = f"over since {until(season.ends)}"
    return f"Season {season.name}, {when}: "


def other_seasons(seasons: Sequence[Season]) -> Sequence[str]:
    """Which there are besides the one that is shown, those that were opened last in front."""
    return [f"Other seasons: {names([one.name for one in reversed(seasons)])}."] if seasons else []


def season_open(season: Season) -> str:
    """The answer to whoever opened a season."""
    return f"Season {season.name} is from {moment(season.starts)} until {until(season.ends)}."


def season_closed(season: Season) -> str:
    """The answer to whoever closed a season."""
    return f"Season {season.name} is over; season {season.name} shows its table."


def top(head: str, rows: Sequence[Rank], mine: Statistics | None, by: By) -> Sequence[str]:
    """A list of the best, and where the person stands who asks, when they are not among them."""
    if not rows:
        return [f"{head}nobody yet."]
    items = [f"{row.place}. {row.nick} {_worth(row.tally, by)}" for row in rows]
    if mine and mine.place and getattr(mine.tally, by.value):
        items.append(f"you: {mine.place}. with {_worth(mine.tally, by)}")
    return _packed(head, items)


def _worth(tally: Tally, by: By) -> str:
    games = f"of {tally.games}" if by is By.WINS else f"({_many(tally.games, 'game')})"
    return f"{getattr(tally, by.value)} {games}"


def ratings(rules: str, dice: DiceMode, rows: Sequence[Rated], mine: Rated | None) -> Sequence[str]:
    """The highest ratings, and that of the person who asks, when it is not among them."""
    items = [f"{row.place}. {_rated_name(row)} {_shown(row)}" for row in rows] or ["nobody yet"]
    if mine:
        place = f"{mine.place}. with " if mine.place else ""
        items.append(f"you: {place}{_shown(mine)}{_provisional(mine)}")
    return _packed(f"Ratings, {RULE_SETS[rules].title}{_DICE[dice]}: ", items)


def _rated_name(row: Rated) -> str:
    # As no nick can be.
    return row.nick or f"{row.person.partition(':')[2]}(house)"


def _rating_of(row: Rated) -> str:
    dice = " same dice" if row.dice is DiceMode.SAME else ""
    place = f" (place {row.place})" if row.place else ""
    return f"{row.rules}{dice} {_shown(row)}{place}{_provisional(row)}"


def _shown(row: Rated) -> str:
    return f"{row.rating.shown:.1f}"


def _provisional(row: Rated) -> str:
    return f" (provisional, {row.rating.games} of {SURE_FROM} games)" if row.rating.provisional else ""


def games(found: Sequence[FinishedGame]) -> Sequence[str]:
    """The games that were finished last, with who won."""
    if not found:
        return ["No game has been finished here yet."]
    return _packed("Last games: ", [f"{game.game} {_winners(game)}" for game in found])


def _winners(game: FinishedGame) -> str:
    first = [seat for seat in game.seats if seat.place == 1]
    return f"{names([seat.nick for seat in first])} {first[0].total}"


def none_yet(channel: str) -> str:
    """Where no game has been finished."""
    return f"No game has been finished in {channel} yet."


def game(found: FinishedGame, channel: str) -> Sequence[str]:
    """A finished game; its channel only to those who may know of it."""
    where = {"": "", PRACTICE: ", practice"}.get(channel, f", in {channel}")
    took = duration((found.finished - found.opened) / timedelta(seconds=1))
    how = f"{RULE_SETS[found.rules].title}{_DICE[found.dice]}, {found.pace.value} pace"
    head = f"Game {found.game}{where}: {how}, finished {moment(found.finished)} after {took}: "
    seats = sorted(found.seats, key=lambda seat: seat.place)
    for words in (_seat, _short_seat):
        lines = _packed(head, [words(seat) for seat in seats])
        if len(lines) <= _LINES:
            return lines
    shown = len(seats)
    while len(lines) > _LINES:
        shown -= 1
        rest = f"and {len(seats) - shown} more"
        lines = _packed(head, [*map(_short_seat, seats[:shown]), rest])
    return lines


def _short_seat(seat: SeatScore) -> str:
    return f"{seat.place}. {seat.nick} {seat.total}"


def _seat(seat: SeatScore) -> str:
    extras = []
    if seat.lost is not None and seat.luck is not None:
        extras += [f"lost {seat.lost:.2f}", f"luck {seat.luck:+.2f}"]
    if seat.hinted:
        extras.append("with hints")
    if seat.stood_in:
        extras.append(f"{_many(seat.stood_in, 'round')} by the host")
    return f"{_short_seat(seat)} ({', '.join(extras)})" if extras else _short_seat(seat)


def forget_me(key: str, games: int, code: str) -> Sequence[str]:
    """What goes when somebody is forgotten who asks for it, and how to confirm it."""
    return [f"{_goes(key, games)} Say forget me {code} within 2 minutes to do it.", _OTHERS[key[:2]]]


def forget(key: str, games: int, code: str, name: str) -> str:
    """The same for an operator, who named somebody."""
    return f"{_goes(key, games)} Say forget {name} {code} within 2 minutes to do it."


def _goes(key: str, games: int) -> str:
    stay = (
        f"{_many(games, 'finished game')} {'stays' if games == 1 else 'stay'}, with all totals, of (somebody)"
    )
    return (
        f"This takes {key_shown(key)} out of the records for ever. {stay}. Words that went into dice stay as well,"
        " and so does what others have logged."
    )


def forgotten(key: str, games: int) -> str:
    """It is done."""
    return f"Done: {key_shown(key)} is in no record any more. {_many(games, 'game')} had the name."


def _rules(rules: str | None) -> str:
    return RULE_SETS[rules].title if rules else "all rules"


def _many(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"


def _mean(total: int, number: int) -> str:
    """A quotient with two digits, exact: halves go to the even digit."""
    hundredths = round(Fraction(100 * total, number))
    sign = "-" if hundredths < 0 else ""
    return f"{sign}{abs(hundredths) // 100}.{abs(hundredths) % 100:02}"


def _percent(part: int, number: int) -> str:
    return f"{round(Fraction(100 * part, number))}%"


def _packed(head: str, items: Sequence[str]) -> list[str]:
    return pack(items, ITEM, _BYTES, head)
