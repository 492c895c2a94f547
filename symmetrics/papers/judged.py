"""Statements beside what was found: words, signs, and numbers that are compared by another rule than rounding."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from sympy import Float, S, nan

from symmetrics.claims.verdict import Verdict
from symmetrics.papers.comparison import Cell

__all__ = ["Judged", "judged", "statement"]


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


def statement(place: str, printed: str, verdicts: Verdict | Iterable[Verdict], note: str = "") -> Judged:
    """Return a printed statement that holds if all verdicts are proofs; else the first that is none is shown.

    >>> from symmetrics.language.cells import FN, FP, TP
    >>> from symmetrics.papers.claims import identity
    >>> statement("precision", "TP/(TP + FN)", identity(TP / (TP + FP), TP / (TP + FN))).shown
    'refuted; at TP = 1, FN = 1, FP = 2, TN = 1 it is 1/3 against 1/2'
    """
    found = [verdicts] if isinstance(verdicts, Verdict) else list(verdicts)
    failing = [verdict for verdict in found if verdict.status != "proved"]
    return judged(place, _told(failing[0]) if failing else "proved", printed, not failing, note)


def _told(verdict: Verdict) -> str:
    """Return the status of a verdict, the condition, and where it fails."""
    record = verdict.to_dict()
    told = verdict.status if record["condition"] is None else f"holds if and only if {record['condition']}"
    witness = record["witness"]
    if not witness or len(witness["values"]) != 2:
        return told
    settings = {name.upper(): count for name, count in witness["tables"][0].items()} | witness["parameters"]
    place = ", ".join(f"{name} = {value}" for name, value in settings.items())
    return f"{told}; at {place} it is {' against '.join(witness['values'])}"
