"""Whom the host does not serve."""

from __future__ import annotations

from dataclasses import dataclass

from host import masks


@dataclass(frozen=True, slots=True)
class Ban:
    """Somebody who is not served, until the ban is lifted by its name."""

    name: str
    """The nick that they had, or the mask itself."""

    mask: str
    account: str | None
    by: str

    def fits(self, who: masks.Known, fold: masks.Fold) -> bool:
        """Whether this person is meant."""
        entries = (self.mask, *([self.account] if self.account else []))
        return any(masks.fits(entry, who, fold) for entry in entries)
