"""Ratings: how strong a player is likely to be, and how sure that is, from the places of their games."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from openskill.models import PlackettLuce

from host.outcome import Score, first_seats

SURE_FROM: Final = 10
"""Games until which a rating is provisional."""

# Time grows with the square of the seats: 0.4 ms with fifty. The models that compare all pairs throw the
# ratings of so many far apart.
_MODEL: Final = PlackettLuce()


@dataclass(frozen=True, slots=True)
class Rating:
    """Strength is likely to be within two `sigma` of `mu`."""

    mu: float = _MODEL.mu
    sigma: float = _MODEL.sigma
    games: int = 0

    @property
    def shown(self) -> float:
        """What players are ranked by: a strength that they very likely have, so that it pays to play on."""
        return self.mu - 3 * self.sigma

    @property
    def provisional(self) -> bool:
        return self.games < SURE_FROM


def rated(scores: Sequence[Score]) -> dict[str, Score]:
    """Who is rated for a game, with the score that counts: of several seats of one key, the first.

    Nobody is when there is nobody to compare with.
    """
    first = first_seats(scores)
    return {person: scores[seat] for person, seat in first.items()} if len(first) > 1 else {}


def rate(scores: Sequence[Score], before: Sequence[Rating]) -> list[Rating]:
    """The ratings after a game, from those before it, in the order of the scores.

    Who did not play to the end, or had the host play more than a little, shares the last place.
    """
    teams = [[_MODEL.create_rating([rating.mu, rating.sigma])] for rating in before]
    ranks = [-float(score.total) if score.played_out else 1.0 for score in scores]
    after = _MODEL.rate(teams, ranks=ranks)
    return [Rating(one.mu, one.sigma, was.games + 1) for ((one,), was) in zip(after, before, strict=True)]
