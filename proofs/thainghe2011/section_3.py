"""Section III of Thai-Nghe, Gantner & Schmidt-Thieme (2011): support vector machines with two penalties."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Rational, symbols

from symmetrics.papers.claims import PaperClaim, Ruling, equal, inequality

from .shared import all_proved, erratum, statement


def _weighting() -> Iterator[PaperClaim]:
    yield statement(
        "equation_2_equal_penalties",
        "section III, equation (2)",
        "special case",
        "with C+ = C- the weighted SVM is the usual one, C times the sum of all slacks",
        _equal_penalties,
    )
    yield statement(
        "hyperplane_direction",
        "section III, after equation (2)",
        "words",
        "the hyperplane has to be pushed towards the positive examples, therefore C+ is greater than C-",
        _direction,
    )


def _equal_penalties() -> Ruling:
    """The sums of the slacks of the positive and of the negative examples, each times C+ = C-."""
    penalty, positive, negative = over = symbols("C slack_positive slack_negative", real=True)
    return equal(penalty * positive + penalty * negative, penalty * (positive + negative), over=over)


def _boundary(penalty: Rational, other: Rational, negatives: int) -> Rational:
    """Return where a linear SVM with a constant feature separates: one positive at 1, the negatives at -1.

    While all slacks are positive the objective a²/2 + b²/2 + C+(1 - a - b) + m·C-(1 - a + b) has the gradient
    (a - C+ - m·C-, b - C+ + m·C-), and it is convex: its zero is the minimum.
    """
    slope, constant = penalty + negatives * other, penalty - negatives * other
    if not (1 - slope - constant > 0 and 1 - slope + constant > 0):
        raise ValueError(f"the slacks are not all positive for C+ = {penalty}, C- = {other}")
    return -constant / slope


def _direction() -> Ruling:
    eighth = Rational(1, 8)
    before, after = _boundary(eighth, eighth, 3), _boundary(2 * eighth, eighth, 3)
    positive, negative, added = over = symbols("penalty penalty_of_negatives added", real=True)
    more = positive + added
    before_it, after_it = ((negative - sides) / (negative + sides) for sides in (positive, more))
    moves = inequality(before_it, after_it, strict=True, over=over)
    return erratum(
        "one positive example at x = 1, three negatives at x = -1, a constant second feature: with all slacks positive "
        "w = (C+ + 3C-, C+ - 3C-), and the boundary is at (3C- - C+)/(3C- + C+).  C+ = C- = 1/8: "
        f"w = (1/2, -1/4), boundary {before}; C+ = 1/4: w = (5/8, -1/8), boundary {after}: a greater C+ moves it away "
        "from the positive example",
        "away from the positive examples: (m·C- - C+)/(m·C- + C+) falls strictly in C+, for m negatives (proved as an "
        "inequality)",
        before == Rational(1, 2) and after == Rational(1, 5),
        all_proved(moves),
    )


def claims() -> Iterator[PaperClaim]:
    """Yield the claims, in the paper's order."""
    yield from _weighting()
