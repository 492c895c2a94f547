"""Statements beside what was found: words, signs, and numbers that are compared by another rule than rounding."""

from __future__ import annotations

from dataclasses import dataclass

from sympy import Float, S, nan

from symmetrics.papers.comparison import Cell

__all__ = ["Judged", "judged"]


@dataclass(frozen=True)
class Judged(Cell):
    """A printed statement, what was found for it, and whether that bears it out.

    :param found: what is shown as ours
    :param holds: whether the statement holds
    """

    found: str = ""
    holds: bool = False

    @property
    def agrees(self) -> bool:
        """Whether the statement holds."""
        return self.holds

    @property
    def is_tie(self) -> bool:
        """Never: nothing is rounded here."""
        return False

    @property
    def shown(self) -> str:
        """What was found."""
        return self.found


def judged(place: str, found: object, printed: str, holds: bool, note: str = "") -> Judged:
    """Return a statement that was judged.

    :param found: a text, or a number that is shown with four digits after the point

    >>> judged("r of accuracy and TPr", -0.91234, "negative", True).verdict
    'yes'
    >>> judged("r of accuracy and TPr", -0.91234, "negative", True).shown
    '-0.9123'
    """
    if isinstance(found, float):
        return Judged(place, Float(found) if found == found else nan, printed, None, note, f"{found:.4f}", bool(holds))
    return Judged(place, S.NaN, printed, None, note, str(found), bool(holds))
