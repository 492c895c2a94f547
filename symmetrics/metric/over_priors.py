"""A metric over a range of class priors, at the sensitivity and specificity of one table.

A classifier keeps its rates where the class distribution changes (Landgrebe et al. 2005, section 3), so that a metric is
a function of the prior alone.  Its extremes over a range are at the ends, at zeros of the derivative, and at kinks: all
of them are found exactly, or enclosed, by :mod:`symmetrics.algebra.one_variable`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any, Final, NamedTuple

from flint import arb, ctx
from sympy import Expr, Interval, Rational, S, radsimp

from symmetrics.algebra.evaluate import Evaluator, Undefined, certain_sign, has_value
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.algebra.one_variable import BITS, Point, Univariate, gaps, in_order
from symmetrics.claims.evidence import Counts
from symmetrics.claims.families.limits import STEP
from symmetrics.data.counts import cells_from_confusion, named_cells, shown
from symmetrics.data.labels import ConfusionMatrix
from symmetrics.language.cells import CELLS
from symmetrics.language.formula import exact_rational
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.writer import formula_text
from symmetrics.metric.metric import Metric
from symmetrics.metric.priors import PRIOR, RATE_CELLS, TNR, TOTAL, TPR
from symmetrics.prover.engine.leading import DIVISOR, RADICAND, is_written_positive, leading_term, obstacles_of
from symmetrics.tools.errors import InputError, SymmetricsError, UnsupportedError
from symmetrics.tools.texts import number_of

MOST_SHOWN: Final = 30
"""Most letters of an exact number that is shown in a sentence; of a longer one its digits."""


def exact_table(cells: object) -> Counts:
    """Return the exact cells of one table: TP, FN, FP, TN, a mapping with these names, or a confusion matrix.

    :raises InputError: if there are not four of them, or one is no finite number that is not negative

    >>> exact_table((9, 1, "1/2", 8))
    Counts(tp=9, fn=1, fp=1/2, tn=8)
    """
    if isinstance(cells, ConfusionMatrix):
        listed: list[Any] = [float(cell) for cell in cells_from_confusion(cells.matrix)]
    elif (named := named_cells(cells)) is not None:
        listed = list(named)
    elif isinstance(cells, Iterable) and not isinstance(cells, str):
        listed = [cell.item() if hasattr(cell, "item") else cell for cell in cells]
    else:
        raise InputError(f"{shown(cells)} is no table; give four counts: TP, FN, FP, TN")
    if len(listed) != len(CELLS):
        raise InputError(f"a table of {number_of(len(listed), 'cell')}; give four: TP, FN, FP, TN")
    try:
        counts = [exact_rational(count, name.lower()) for name, count in zip(CELL_NAMES, listed, strict=True)]
    except SymmetricsError as error:
        raise InputError(str(error)) from None
    if min(counts) < 0:
        raise InputError(f"{min(counts)} is no count: a count cannot be negative")
    return Counts(*(int(count) if count.is_Integer else count for count in counts))


def exact_range(low: object, high: object) -> tuple[Rational, Rational]:
    """Return the exact ends of a range of priors.

    :raises InputError: if one is no number in [0, 1], or the first is above the second
    """
    ends = []
    for name, value in (("low", low), ("high", high)):
        try:
            end = exact_rational(value, name)
        except SymmetricsError as error:
            raise InputError(str(error)) from None
        if not 0 <= end <= 1:
            raise InputError(f"{name} is {end}: a prior lies between 0 and 1; pass a number there")
        ends.append(end)
    if ends[0] > ends[1]:
        raise InputError(f"low is {ends[0]} and high is {ends[1]}; pass the smaller prior first")
    return ends[0], ends[1]


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
        for class_, total, names in (("positive", tp + fn, "TP + FN"), ("negative", fp + tn, "FP + TN")):
            if not total:
                raise InputError(
                    f"the table {tuple(self.table)} has no {class_} examples ({names} = 0), so that its rates are not "
                    "known; take one with examples of both classes"
                )
        rates = {TPR: tp / (tp + fn), TNR: tn / (fp + tn), TOTAL: tp + fn + fp + tn}
        self.cells = tuple(cell.xreplace(rates) for cell in RATE_CELLS)
        # Where cells are zero at every prior, the formula is its limit on that face.
        empty = frozenset(name for name, count in zip(CELL_NAMES, self.table, strict=True) if not count)
        extension = extension_of(metric.value_formula)
        formula = extension.on_face(empty) if empty else extension.expression
        if formula is None:
            value = self.at(S.Half)
            told = "no value" if value is S.NaN else f"the value {formula_text(value)}"
            raise InputError(
                f"{metric.name} has {told} at every prior, as {' and '.join(sorted(empty))} of the table "
                f"{'is' if len(empty) == 1 else 'are'} 0; take a table without such a zero"
            )
        self.formula, self.guards = formula, extension.guards_on_face(empty) if empty else ()
        self.expression: Expr = formula.xreplace(dict(zip(CELLS, self.cells, strict=True)))
        self._evaluate = Evaluator(self.expression, (PRIOR,))

    def at(self, prior: Rational) -> Expr:
        """Return the exact value at a prior, as :meth:`symmetrics.Metric.exact` has it."""
        return self.metric.exact(*(cell.xreplace({PRIOR: prior}) for cell in self.cells))

    def ball(self, point: Point) -> Any:
        """Return a ball that holds the value at a prior, or the values at all priors of an interval."""
        return self._evaluate(point.ball())

    def has_value(self, point: Point) -> bool:
        """Whether the formula is certain to have a finite value at a prior, or all over an interval."""

        def finite() -> Any:
            value = self.ball(point)
            if isinstance(value, arb) and not value.is_finite():
                raise Undefined("no finite ball")
            return value

        return has_value(finite)

    def special(self, low: Rational, high: Rational) -> list[Point]:
        """Return priors at which a divisor, or the argument of a logarithm, may be zero: there may be no value."""
        bases = [base for kind, base in obstacles_of(self.formula) if kind != RADICAND]
        found: list[Point] = []
        for base in (*bases, *self.guards):
            if not is_written_positive(base):
                found += Univariate(base.xreplace(dict(zip(CELLS, self.cells, strict=True))), PRIOR, low, high).breaks()
        return found

    def limit(self, prior: Rational, side: int) -> Expr:
        """Return the limit at a prior from below (-1) or from above (1); nan for an infinite one of unknown sign."""
        return leading_term(self.expression, place={PRIOR: prior + side * STEP}).limit


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
    :param left_open: intervals, at most 2**-48 wide or so, of which it is not known whether they hold a further extreme
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

    @property
    def is_exact(self) -> bool:
        """Whether both extremes are exact numbers and nothing is left open."""
        return not (self.left_open or isinstance(self.low, Interval) or isinstance(self.high, Interval))

    def lines(self) -> Iterator[str]:
        """Yield what is known, the answer first."""
        low, high = map(number_text, self.priors)
        where = f"{self.metric} of TP, FN, FP, TN = {', '.join(map(str, self.table))} at priors from {low} to {high}"
        if self.low == self.high:
            yield f"{where}: always {number_text(self.low)}"
        else:
            yield f"{where}: {_digits(self.low)} to {_digits(self.high)}"
            for name, value, at, attained in (
                ("least", self.low, self.at_low, self.low_attained),
                ("most", self.high, self.at_high, self.high_attained),
            ):
                yield f"{name} {number_text(value)} {'at' if attained else 'approached near'} prior {number_text(at)}"
        if self.undefined:
            yield f"no value at prior {', '.join(map(number_text, self.undefined))}"
        if self.left_open:
            yield f"not decided within {', '.join(map(number_text, self.left_open))}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as plain data: exact numbers as texts beside their floats."""
        return {
            "metric": self.metric,
            "table": {name.lower(): str(count) for name, count in zip(CELL_NAMES, self.table, strict=True)},
            "priors": [str(prior) for prior in self.priors],
            **{
                name: {"value": str(value), "float": middle(value), "prior": str(at), "attained": attained}
                for name, value, at, attained in (
                    ("low", self.low, self.at_low, self.low_attained),
                    ("high", self.high, self.at_high, self.high_attained),
                )
            },
            "undefined": list(map(str, self.undefined)),
            "left_open": list(map(str, self.left_open)),
        }


def middle(value: Expr) -> float:
    """Return a number, or the middle of an interval, as a float."""
    return float((value.start + value.end) / 2 if isinstance(value, Interval) else value)


def _digits(value: Expr) -> str:
    return f"{middle(value):.4g}"


def number_text(value: Expr) -> str:
    if isinstance(value, Interval):
        is_narrow = value.end - value.start < Rational(1, 10**6)
        return f"about {middle(value):.10g}" if is_narrow else f"({middle(value.start):.4g}, {middle(value.end):.4g})"
    exact = str(value)
    return exact if len(exact) <= MOST_SHOWN and value.is_Rational else (
        f"{exact} = {_digits(value)}" if len(exact) <= MOST_SHOWN and value.is_finite else _digits(value)
    )


def over_priors(metric: Metric, table: object, low: object, high: object) -> PriorRange:
    """Return the extremes of a metric over the priors of a range; see :meth:`symmetrics.Metric.over_priors`."""
    line, ends = PriorLine(metric, table), exact_range(low, high)
    candidates: list[_Candidate] = []
    undefined: list[Expr] = []
    left_open: list[Interval] = []
    points, rising = [Point.at(ends[0]), Point.at(ends[1])], {}
    # Between these points the metric is monotone and smooth.
    if ends[0] < ends[1]:
        curve = Univariate(line.expression, PRIOR, *ends)
        slope = curve.derivative()
        points = [points[0], *in_order([*slope.breaks(), *line.special(*ends)]), points[1]]
        for left, inside, right in gaps(points):
            if line.has_value(Point.at(inside)):
                rising[left, 1] = rising[right, -1] = slope.sign_at(inside) or 0
            else:
                rising[left, 1] = rising[right, -1] = None
                undefined.append(Interval.open(left.number, right.number))
    for point in dict.fromkeys(points):
        value = S.NaN if point.rational is None else line.at(point.rational)
        if point.rational is not None and value.is_finite:
            candidates.append(_Candidate(point, value, Evaluator(value, ()), True))
        elif point.rational is None and line.has_value(point):
            candidates.append(_of_formula(line, point))
        elif point.ends is not None:
            left_open.append(point.number)
        else:
            undefined.append(point.number)
            sides = [side for side, end in ((1, points[-1]), (-1, points[0])) if point != end]
            for side in sides:
                candidates += _one_sided(line, curve, point, side, rising.get((point, side), 0))
    if not candidates:
        raise InputError(f"{metric.name} has no value at any prior from {ends[0]} to {ends[1]} at the table's rates")
    least, most = (_extreme(candidates, sign) for sign in (-1, 1))
    return PriorRange(
        metric.name,
        line.table,
        ends,
        least.value,
        most.value,
        least.at.number,
        most.at.number,
        least.is_attained,
        most.is_attained,
        tuple(undefined),
        tuple(left_open),
    )


def _of_formula(line: PriorLine, point: Point) -> _Candidate:
    """Return the value at a prior that is not rational, exactly if the prior is known exactly."""
    if point.ends is None:
        value = line.expression.xreplace({PRIOR: point.number})
        value = radsimp(value) if len(point.coefficients) == 3 else value
    else:
        with ctx.workprec(BITS):
            value = enclosing(line.ball(point))
    return _Candidate(point, value, lambda: line.ball(point), True)


def enclosing(ball: Any) -> Expr:
    """Return an interval with rational ends around a ball, or a number if it is exact."""
    ball = arb(ball)
    ends = []
    for end in (ball.lower(), ball.upper()):
        mantissa, exponent = end.man_exp()
        ends.append(Rational(int(mantissa)) * Rational(2) ** int(exponent))
    return Interval(*ends) if ends[0] < ends[1] else ends[0]


def _one_sided(line: PriorLine, curve: Univariate, point: Point, side: int, slope: int | None) -> list[_Candidate]:
    """Return what the metric tends to at a prior without a value, from one side.

    :param slope: the sign of the derivative on that side, 0 if it is not known; None if there are no values
    """
    if slope is None:
        return []
    limit = S.NaN
    if point.rational is not None:
        limit = line.limit(point.rational, side)
    elif not curve.is_pole(point):
        raise UnsupportedError(f"the limit of {line.metric.name} at the prior {number_text(point.number)} is not known")
    if limit is S.NaN:  # it grows without bound: away from the pole it falls from oo, or rises from -oo
        if not slope:
            return []
        limit = S.Infinity if slope * side < 0 else S.NegativeInfinity
    ball = Evaluator(limit, ()) if limit.is_finite else lambda: arb("inf" if limit is S.Infinity else "-inf")
    return [_Candidate(point, limit, ball, False)]


def _extreme(candidates: list[_Candidate], sign: int) -> _Candidate:
    """Return the greatest of some values, or for -1 the least; of equal ones an attained one, at the least prior."""
    best = candidates[0]
    for candidate in candidates[1:]:
        if candidate.value == best.value:
            order: int | None = 0
        else:
            order = certain_sign(lambda one=candidate, other=best: one.ball() - other.ball())
        if order == sign or (not order and candidate.is_attained and not best.is_attained):
            best = candidate
    return best
