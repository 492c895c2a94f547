"""Rulings by exact computations: numbers as they are printed, and what follows from them."""

from __future__ import annotations

from sympy import Expr, Rational, S

from symmetrics.language.formula import formula_text
from symmetrics.papers.claims.records import Basis, Ruling
from symmetrics.papers.comparison import Cell

__all__ = ["by_computation", "by_number", "rounds_from", "unreadable"]


def by_computation(holds: bool, evidence: str, correction: str = "", *, basis: Basis = "exact computation") -> Ruling:
    """Return the ruling of a computation.

    :param holds: whether what is printed is what was computed, and nothing weaker

    :param evidence: the computation, with the numbers on both sides
    :param correction: for a computation that refutes the print, what holds instead and by what that is known
    :param basis: what the computation is, if it is no exact one
    """
    return Ruling("holds", evidence, "", basis) if holds else Ruling("refuted", evidence, correction, basis)


def by_number(
    ours: object, printed: str, working: str = "", *, decimals: int | None = None, correction: str = ""
) -> Ruling:
    """Return whether an exact value rounds to the printed number; in the middle, to either of both sides.

    :param ours: an exact SymPy number, or what is exactly one; ``nan`` for undefined
    :param printed: the printed text, a number or a word such as "not defined"
    :param working: how the value comes about, such as ``(1 + 5)/2``
    :param decimals: digits after the point that the printed number is rounded to, by default as many as are printed
    :param correction: what holds instead; by default the value rounded to the same digits

    >>> by_number(Rational(5, 3), "1.667", "2*1*5/6").evidence
    '2*1*5/6 = 5/3 = 1.66667, printed 1.667'
    """
    value = S(ours) if not isinstance(ours, Expr) else ours
    cell = Cell("", value, printed, decimals)
    exactly = formula_text(value) if value.is_finite else "undefined"
    decimal = "" if exactly in (cell.shown, printed, working) or len(exactly) > 40 else f" = {exactly}"
    shown = "" if value.is_integer or not value.is_finite else f" = {cell.shown}"
    whole = f" = {exactly}" if not shown and not decimal else ""
    evidence = f"{working}{decimal}{shown}{whole}, printed {printed}".removeprefix(" = ")
    if cell.agrees:
        return Ruling("holds", evidence)
    rounded = f"{float(value):.{cell.digits}f}" if value.is_finite else "undefined"
    return Ruling("refuted", evidence, correction or f"{rounded}, by exact arithmetic")


def rounds_from(printed: str, decimals: int | None = None) -> tuple[Rational, Rational]:
    """Return between which numbers a value lies that was rounded to the printed one, both ends included.

    >>> rounds_from("0.25")
    (49/200, 51/200)
    """
    digits = len(printed.partition(".")[2]) if decimals is None else decimals
    half = Rational(1, 2 * 10**digits)
    return Rational(printed) - half, Rational(printed) + half


def unreadable(reason: str) -> Ruling:
    """Return that the text at hand does not let the claim be read.

    :param reason: what is garbled
    """
    return Ruling("unreadable", reason, basis="nothing")
