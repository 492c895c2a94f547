"""Section III of Thai-Nghe, Gantner & Schmidt-Thieme (2011): support vector machines with two penalties."""

from __future__ import annotations

from collections.abc import Iterator

from sympy import Rational, symbols

from symmetrics.papers.claims import PaperClaim, Ruling, at_least, by_computation, equal, inequality, with_reading

from .shared import all_proved, erratum, statement


def _weighting() -> Iterator[PaperClaim]:
    yield statement(
        "equation_2_equal_penalties",
        "section III, equation (2)",
        "special case",
        "with C+ = C- the weighted SVM is the usual one, C times the sum of all slacks",
        _equal_penalties,
    )
    yield from with_reading(
        statement(
            "equation_2_unconstrained",
            "section III, equation (2)",
            "words",
            "a linear SVM is the w that minimises w·w/2 + C+ Σ ξ_i + C- Σ ξ_j, without a constraint",
            _free_slacks,
        ),
        "ξ_i is the loss of example i, max(0, 1 - y_i w·x_i) or its square",
        _slacks_as_losses,
    )
    yield statement(
        "hyperplane_direction",
        "section III, after equation (2)",
        "words",
        "the hyperplane has to be pushed towards the positive examples, therefore C+ is greater than C-",
        _direction,
    )
    yield statement(
        "oversampling_needs_more",
        "sections III and IV.A",
        "inequality",
        "oversampling needs more memory than weighting: more examples, until the classes are balanced",
        _balanced_by_more,
    )


def _equal_penalties() -> Ruling:
    """The sums of the slacks of the positive and of the negative examples, each times C+ = C-."""
    penalty, positive, negative = over = symbols("C slack_positive slack_negative", real=True)
    return equal(penalty * positive + penalty * negative, penalty * (positive + negative), over=over)


def _weights(penalty: Rational, other: Rational, negatives: int) -> tuple[Rational, Rational]:
    """Return the weights a and b of a linear SVM with a constant feature: one positive at 1, the negatives at -1.

    While all slacks are positive the objective a²/2 + b²/2 + C+(1 - a - b) + m·C-(1 - a + b) has the gradient
    (a - C+ - m·C-, b - C+ + m·C-), and it is convex: its zero is the minimum.
    """
    slope, constant = penalty + negatives * other, penalty - negatives * other
    if not (1 - slope - constant > 0 and 1 - slope + constant > 0):
        raise ValueError(f"the slacks are not all positive for C+ = {penalty}, C- = {other}")
    return slope, constant


def _free_slacks() -> Ruling:
    """Minimise w·w/2 + C+ Σ ξ_i + C- Σ ξ_j over w alone, with slacks that w does not enter, for two features."""
    first, second, slacks = symbols("w_1 w_2 slacks", real=True)
    objective = (first**2 + second**2) / 2 + slacks
    zero = {first: 0, second: 0}
    gradient = [objective.diff(weight) for weight in (first, second)]
    only_zero = gradient == [first, second] and all(slope.subs(zero) == 0 for slope in gradient)
    return by_computation(
        not only_zero,
        "no sentence says how w enters ξ; if it does not, the gradient by w is w itself, and w = 0 is the minimum, "
        "0 = 0/2, whatever the examples are",
        "ξ_i has to be a function of w",
    )


def _slacks_as_losses() -> Ruling:
    eighth = Rational(1, 8)
    slope, constant = _weights(eighth, eighth, 3)
    return by_computation(
        slope != 0,
        "one positive example at 1, three negatives at -1, a constant feature, C+ = C- = 1/8: the minimum is at "
        f"w = ({slope}, {constant})",
    )


def _balanced_by_more() -> Ruling:
    """With as many copies of the minority as there are of the majority, twice the majority."""
    minority, more = over = symbols("minority more", real=True)
    return at_least(
        2 * (minority + more),
        minority + (minority + more),
        strict=True,
        over=over,
        note="2·n- examples and not n+ + n-; at 0.05 % minority, as in nf-005p, 1.999 times as many",
    )


def _direction() -> Ruling:
    eighth = Rational(1, 8)
    before, after = (-constant / slope for slope, constant in (_weights(c, eighth, 3) for c in (eighth, 2 * eighth)))
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
