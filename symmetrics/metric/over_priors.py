"""A metric over a range of class priors, at the sensitivity and specificity of one table.

A classifier keeps its rates where the class distribution changes (Landgrebe et al. 2005, section 3), so that a metric
is a function of the prior alone.  Its extremes over a range are at the ends, at zeros of the derivative, and at kinks:
all of them are found exactly, or enclosed, by :mod:`symmetrics.algebra.one_variable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

from flint import arb, ctx, fmpq
from sympy import Add, Expr, Interval, Mul, Poly, Rational, S, beta, ceiling, expand, fraction, gamma, together

from symmetrics.algebra.convert import element_expression
from symmetrics.algebra.evaluate import Evaluator, certain_sign
from symmetrics.algebra.integrals import certified_integral, rational_integral
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.algebra.one_variable import BITS, Point, Univariate, gaps, in_order
from symmetrics.claims.evidence import Counts
from symmetrics.claims.families.limits import STEP
from symmetrics.data.counts import cells_from_confusion, named_cells, shown
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import exact_rational
from symmetrics.language.names import CELL_NAMES
from symmetrics.metric.metric import Metric
from symmetrics.metric.priors import PRIOR, RATE_CELLS, TNR, TOTAL, TPR
from symmetrics.prover.engine.leading import RADICAND, UNDEFINED, is_written_positive, leading_term, obstacles_of
from symmetrics.tools.errors import InputError, SymmetricsError, UnsupportedError
from symmetrics.tools.texts import number_of

MOST_SHOWN: Final = 30
"""Most letters of an exact number that is shown; of a longer one its digits."""


def exact_table(cells: object) -> Counts:
    """Return the exact cells of one table: TP, FN, FP, TN, a mapping with these names, or a confusion matrix.

    :raises InputError: if there are not four of them, or one is no finite number that is not negative

    >>> exact_table((9, 1, "1/2", 8))
    Counts(tp=9, fn=1, fp=1/2, tn=8)
    """
    named = cells_from_confusion(cells.matrix) if isinstance(cells, ConfusionMatrix) else named_cells(cells)
    given = cells if named is None else named
    if isinstance(given, str) or not isinstance(given, Iterable):
        raise InputError(f"{shown(cells)} is no table; give four counts: TP, FN, FP, TN")
    listed = [cell.item() if hasattr(cell, "item") else cell for cell in given]
    if len(listed) != len(CELLS):
        raise InputError(f"a table of {number_of(len(listed), 'cell')}; give four: TP, FN, FP, TN")
    counts = [exact_number(count, name.lower()) for name, count in zip(CELL_NAMES, listed, strict=True)]
    if min(counts) < 0:
        raise InputError(f"{min(counts)} is no count: a count cannot be negative")
    return Counts(*(int(count) if count.is_Integer else count for count in counts))


def exact_number(value: object, name: str) -> Rational:
    """Return an exact number.

    :raises InputError: if it is no finite one
    """
    try:
        return exact_rational(value, name)
    except SymmetricsError as error:
        raise InputError(str(error)) from None


def exact_range(low: object, high: object) -> tuple[Rational, Rational]:
    """Return the exact ends of a range of priors.

    :raises InputError: if one is no number in [0, 1], or the first is above the second
    """
    ends = exact_number(low, "low"), exact_number(high, "high")
    for name, end in zip(("low", "high"), ends, strict=True):
        if not 0 <= end <= 1:
            raise InputError(f"{name} is {end}: a prior lies between 0 and 1; pass a number there")
    if ends[0] > ends[1]:
        raise InputError(f"low is {ends[0]} and high is {ends[1]}; pass the smaller prior first")
    return ends


class PriorLine:
    """A metric as a function of the prior, at the rates and the number of examples of one table.

    :param metric: the metric, with its parameters at their defaults
    :param table: TP, FN, FP, TN
    :raises InputError: if the table has no positives or no negatives, or the metric no finite value at its rates

    >>> from symmetrics.library import metrics
    >>> PriorLine(metrics["accuracy"], (9, 1, 2, 8)).expression
    prior/10 + 4/5
    """

    def __init__(self, metric: Metric, table: object) -> None:
        self.metric, self.table = metric, exact_table(table)
        tp, fn, fp, tn = map(Rational, self.table)
        for name, total, cells in (("positive", tp + fn, "TP + FN"), ("negative", fp + tn, "FP + TN")):
            if not total:
                raise InputError(
                    f"the table {', '.join(map(str, self.table))} has no {name} examples ({cells} = 0), so that its "
                    "rates are not known; take one with examples of both classes"
                )
        rates = {TPR: tp / (tp + fn), TNR: tn / (fp + tn), TOTAL: tp + fn + fp + tn}
        self.cells = tuple(cell.xreplace(rates) for cell in RATE_CELLS)
        # Where cells are zero at every prior, the formula is its limit on that face.
        empty = frozenset(name for name, count in zip(CELL_NAMES, self.table, strict=True) if not count)
        extension = extension_of(metric.value_formula)
        limit = extension.on_face(empty) if empty else None
        # In lowest terms roots are of absolute values: a formula that is not real everywhere stays as it was written.
        written = extension.original if extension.conditions else extension.expression
        self.formula: Expr = written if limit is None or extension.conditions else limit
        self.guards = extension.guards_on_face(empty) if empty else ()
        self.expression: Expr = self.formula.xreplace(dict(zip(CELLS, self.cells, strict=True)))
        if self.expression.has(*UNDEFINED):
            raise InputError(
                f"{metric.name} has no finite value that is known at any prior, as {' and '.join(sorted(empty))} of "
                "the table is 0; take a table without such a zero"
            )

    def at(self, prior: Rational) -> Expr:
        """Return the exact value at a prior, as :meth:`symmetrics.Metric.exact` has it."""
        return self.metric.exact(*(cell.xreplace({PRIOR: prior}) for cell in self.cells))

    def special(self, low: Rational, high: Rational) -> list[Point]:
        """Return priors at which a divisor, or the argument of a logarithm, may be zero: there may be no value."""
        bases = [*(base for kind, base in obstacles_of(self.formula) if kind != RADICAND), *self.guards]
        place = dict(zip(CELLS, self.cells, strict=True))
        doubtful = [base.xreplace(place) for base in bases if not is_written_positive(base)]
        return [point for base in doubtful for point in Univariate(base, PRIOR, low, high).breaks()]


class _Candidate(NamedTuple):
    """A value that may be an extreme: where, what, a ball for it, and whether it is attained there."""

    at: Point
    value: Expr
    ball: Callable[[], Any]
    is_attained: bool


@dataclass(frozen=True, repr=False)
class PriorRange:
    """The extremes of a metric over a range of priors, at the rates of one table.

    :param metric: the name of the metric
    :param table: TP, FN, FP, TN, whose sensitivity and specificity are held fixed
    :param priors: the ends of the range
    :param low, high: the exact extremes: a number, ``-oo`` or ``oo``, or a narrow interval that is certain to hold one
    :param at_low, at_high: the prior where each is reached, the least of several; exact, or a narrow interval
    :param low_attained, high_attained: whether the metric has that value there, or only comes near to it
    :param undefined: the priors of the range, and open intervals of them, at which the metric has no value
    :param left_open: intervals of priors, mostly narrower than 1e-14, that may hold a further extreme
    """

    metric: str
    table: Counts
    priors: tuple[Rational, Rational]
    low: Expr
    high: Expr
    at_low: Expr
    at_high: Expr
    low_attained: bool
    high_attained: bool
    undefined: tuple[Expr, ...] = ()
    left_open: tuple[Interval, ...] = ()

    def lines(self) -> Iterator[str]:
        """Yield what is known, the answer first."""
        ends = " to ".join(map(number_text, self.priors))
        yield f"{self.metric} of TP, FN, FP, TN = {', '.join(map(str, self.table))} over priors {ends}"
        for name, value, at, is_attained in (
            ("lowest", self.low, self.at_low, self.low_attained),
            ("highest", self.high, self.at_high, self.high_attained),
        ):
            yield f"{name} {number_text(value)}, {'at' if is_attained else 'approached at'} prior {number_text(at)}"
        if self.undefined:
            yield f"undefined at prior {', '.join(map(number_text, self.undefined))}"
        if self.left_open:
            yield f"not decided at prior {', '.join(map(number_text, self.left_open))}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())


def middle(value: Expr) -> float:
    """Return a number, or the middle of an interval, as a float."""
    return float((value.start + value.end) / 2 if isinstance(value, Interval) else value)


def number_text(value: Expr) -> str:
    """Return a number as it is shown: exactly if it is short, and its digits."""
    if isinstance(value, Interval):
        is_narrow = value.end - value.start < Rational(1, 10**6)
        return f"about {middle(value):.10g}" if is_narrow else f"{middle(value.start):.4g} to {middle(value.end):.4g}"
    digits = f"{float(value):.4g}"
    return digits if len(str(value)) > MOST_SHOWN else str(value) + f" ({digits})" * (not value.is_Integer)


def over_priors(metric: Metric, table: object, low: object, high: object) -> PriorRange:
    """Return the extremes of a metric over the priors of a range; see :meth:`symmetrics.Metric.over_priors`."""
    line, ends = PriorLine(metric, table), exact_range(low, high)
    candidates: list[_Candidate] = []
    undefined, left_open = [], []
    points = [Point.at(ends[0])]
    rising: dict[tuple[Point, int], int | None] = {}
    # Between these points the metric is smooth and monotone, or has no value.
    if ends[0] < ends[1]:
        curve = Univariate(line.expression, PRIOR, *ends)
        slope = curve.derivative()
        points = [*points, *in_order([*slope.breaks(), *line.special(*ends)]), Point.at(ends[1])]
        for left, inside, right in gaps(points):
            has_values = curve.has_value_at(Point.at(inside))
            rising[left, 1] = rising[right, -1] = slope.sign_at(inside) or 0 if has_values else None
            if not has_values:
                undefined.append(Interval.open(left.number, right.number))
            elif rising[left, 1] == 0:  # constant
                exact = line.at(Rational(inside.numerator, inside.denominator))
                candidates.append(_Candidate(Point.at(inside), exact, Evaluator(exact, ()), True))
    for point in dict.fromkeys(points):
        exact = S.NaN if point.rational is None else line.at(point.rational)
        if exact.is_finite:
            candidates.append(_Candidate(point, exact, Evaluator(exact, ()), True))
        elif point.rational is None and curve.has_value_at(point):
            candidates.append(_of_formula(curve, point))
        elif point.ends is not None:
            left_open.append(point.number)
        else:
            undefined.append(point.number)
            for side, end in ((-1, points[0]), (1, points[-1])):
                direction = rising.get((point, side), 0)
                if point != end and direction is not None:
                    limit = _one_sided(line, curve, point, side, direction)
                    candidates += [] if limit is None else [_Candidate(point, limit, _ball_of(limit), False)]
    if not candidates:
        raise InputError(f"{metric.name} has no value at any prior from {ends[0]} to {ends[1]}; choose another range")
    least, most = (_extreme(candidates, sign) for sign in (-1, 1))
    return PriorRange(
        metric.name,
        line.table,
        ends,
        *(least.value, most.value, least.at.number, most.at.number, least.is_attained, most.is_attained),
        tuple(undefined),
        tuple(left_open),
    )


def _of_formula(curve: Univariate, point: Point) -> _Candidate:
    """Return the value at a prior that is not rational, exactly if the prior is known exactly."""
    if point.ends is None:
        value = curve.formula.xreplace({PRIOR: point.number})
        if curve.formula.is_rational_function(PRIOR):  # of lowest degree, by the equation of the prior
            above, below = (Poly(part, PRIOR, domain="QQ") for part in fraction(together(curve.formula)))
            equation = Poly(point.coefficients[::-1], PRIOR, domain="QQ")
            value = expand((above * below.invert(equation)).rem(equation).as_expr().xreplace({PRIOR: point.number}))
    else:
        with ctx.workprec(BITS):
            value = enclosing(curve.enclosure(point))
    return _Candidate(point, value, lambda: curve.enclosure(point), True)


def enclosing(ball: Any) -> Expr:
    """Return an interval with rational ends around a ball, or a number if it is exact."""
    parts = [end.man_exp() for end in (arb(ball).lower(), arb(ball).upper())]
    low, high = (Rational(int(mantissa)) * Rational(2) ** int(exponent) for mantissa, exponent in parts)
    return Interval(low, high) if low < high else low


def _one_sided(line: PriorLine, curve: Univariate, point: Point, side: int, slope: int) -> Expr | None:
    """Return what the metric tends to at a prior without a value, from below (-1) or above (1); None if not known.

    :param slope: the sign of the derivative on that side, 0 if it is not known
    :raises UnsupportedError: at a prior that is not rational, and no pole
    """
    limit = S.NaN
    if point.rational is not None:
        limit = leading_term(line.expression, place={PRIOR: point.rational + side * STEP}).limit
    elif not curve.is_pole(point):
        raise UnsupportedError(f"the limit of {line.metric.name} at prior {number_text(point.number)} is not known")
    if limit is not S.NaN:
        return limit
    # Without bound: away from the pole the metric falls from oo, or rises from -oo.
    return (S.Infinity if slope * side < 0 else S.NegativeInfinity) if slope else None


def _ball_of(limit: Expr) -> Callable[[], Any]:
    return Evaluator(limit, ()) if limit.is_finite else lambda: arb(str(limit).replace("oo", "inf"))


def _difference(one: _Candidate, other: _Candidate) -> Any:
    return one.ball() - other.ball()


def _extreme(candidates: list[_Candidate], sign: int) -> _Candidate:
    """Return the greatest of some values, or for -1 the least; of equal ones an attained one, at the least prior."""
    best = candidates[0]
    for candidate in candidates[1:]:
        is_same = candidate.value == best.value
        order = 0 if is_same else certain_sign(partial(_difference, candidate, best))
        if order == sign or (not order and candidate.is_attained and not best.is_attained):
            best = candidate
    return best


@dataclass(frozen=True)
class PriorMean:
    """The expected value of a metric where the prior itself is uncertain, with a Beta law.

    :param metric: the name of the metric
    :param table: TP, FN, FP, TN, whose sensitivity and specificity are held fixed
    :param a, b: the parameters of the Beta law of the prior, whose mean is a/(a + b)
    :param value: the exact value, or an interval no wider than 1e-12 that is certain to hold it
    """

    metric: str
    table: Counts
    a: Rational
    b: Rational
    value: Expr

    def __float__(self) -> float:
        return middle(self.value)


def mean_over_priors(metric: Metric, table: object, a: object, b: object) -> PriorMean:
    """Return the mean over a Beta law of the prior; see :meth:`symmetrics.Metric.expected_over_priors`."""
    line, shape = PriorLine(metric, table), (exact_number(a, "a"), exact_number(b, "b"))
    if min(shape) <= 0:
        raise InputError(f"a is {shape[0]} and b is {shape[1]}: the parameters of a Beta law are positive numbers")
    curve = Univariate(line.expression, PRIOR, S.Zero, S.One)
    for _, inside, _ in gaps([Point.at(S.Zero), *curve.breaks(), Point.at(S.One)]):
        if not curve.has_value_at(Point.at(inside)):
            raise InputError(f"{metric.name} has no value at priors near {inside}, so that it has no mean over them")
    formula = element_expression(curve.element, curve.field)  # without what cancels
    value = _moments(formula, *shape)
    try:
        if value is None and all(number.is_Integer for number in shape):
            weight = PRIOR ** (shape[0] - 1) * (1 - PRIOR) ** (shape[1] - 1) / beta(*shape).doit().rewrite(gamma)
            value = rational_integral(weight * formula, PRIOR)
        return PriorMean(metric.name, line.table, *shape, _certified_mean(formula, *shape) if value is None else value)
    except UnsupportedError as error:
        raise InputError(f"{metric.name} has no mean over priors that is known, as {error}") from None


def _moments(formula: Expr, a: Rational, b: Rational) -> Expr | None:
    """Return the mean of a polynomial: the moment of order k is the product of (a + i)/(a + b + i) for i < k."""
    if not formula.is_polynomial(PRIOR):
        return None
    terms = Poly(formula, PRIOR).terms()
    return Add(*(factor * Mul(*((a + i) / (a + b + i) for i in range(k))) for (k,), factor in terms))


def _certified_mean(formula: Expr, a: Rational, b: Rational) -> Expr:
    with ctx.workprec(BITS):
        first, second, both = (arb(fmpq(int(n.p), int(n.q))) for n in (a, b, a + b))
        scale: Any = both.gamma() / first.gamma() / second.gamma()
        factor = enclosing(scale.mid())
    # With prior = t**k/2 below 1/2 and prior = 1 - t**k/2 above, a density that is infinite at an end is so no more.
    parts: list[Any] = []
    for power, other, is_above in ((a, b, False), (b, a, True)):
        k = ceiling(2 / power)
        near = PRIOR**k / 2
        prior = 1 - near if is_above else near
        weight = factor * k * PRIOR ** (k * power - 1) / 2**power * (1 - near) ** (other - 1)
        parts.append(certified_integral(weight * formula.xreplace({PRIOR: prior}), PRIOR))
    with ctx.workprec(BITS):
        total: Any = sum(parts, arb(0))
        return enclosing(total * scale / scale.mid())
