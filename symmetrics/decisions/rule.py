"""Decision rules: from which probability on an example is to be predicted positive.

To first order, an example with probability p of being positive changes the expected table so that a metric M moves by
``p*(M_TP - M_FN) - (1 - p)*(M_TN - M_FP)`` when its prediction turns positive; M_TP and so on are partial derivatives.
Where both differences are positive, M rises exactly if p is above the threshold of the rule.  Theorems say for which
metrics an optimum is such a threshold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import accumulate
from typing import TYPE_CHECKING, Final

import numpy as np
from sympy import Abs, Expr, Max, Min, Poly, Rational, S, Symbol, fraction, together

from symmetrics.algebra.convert import convert, element_expression, field_for, in_lowest_terms
from symmetrics.algebra.derivative import derivative
from symmetrics.algebra.limits.extension import extension_of
from symmetrics.claims.evidence import Counts
from symmetrics.data.counts import Cells, shown
from symmetrics.decisions.cuts import best_cut
from symmetrics.language.cells import CELLS, FN, FP, TN, TP
from symmetrics.language.writer import formula_text
from symmetrics.metric.direction import corrections, greater_is_better
from symmetrics.metric.over_priors import exact_number, exact_table, number_text
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from symmetrics.algebra.field import Element, Field
    from symmetrics.language.parameter import Parameter
    from symmetrics.metric import Metric

THEOREMS: Final = {
    "fractional-linear": "no set of predictions is better than the one above the threshold of its own table",
    "monotone": "a threshold is optimal if probabilities have a continuous distribution",
    "one-sided": "all predictions alike are optimal",
    "constant": "predictions do not change it",
    "stationary only": "no theorem says that a threshold is optimal",
}
"""What is known of the optimum, by the name of the theorem."""

CORRECTED: Final = (("TP", "FN"), ("TN", "FP"))
"""The cells that a corrected prediction adds to and takes from."""

_POSITIVES, _NEGATIVES = Symbol("P", positive=True), Symbol("N", positive=True)


@dataclass(frozen=True, repr=False)
class DecisionRule:
    """When to predict positive, so that a metric is as good as it can be.

    Theorems hold at the default parameters.  Both slopes of a loss are negative, which leaves the threshold as it is.

    :param metric: the metric
    :param theorem: what is known of the optimum:

        - ``"fractional-linear"``: with P and N fixed the metric is a quotient of affine forms in TP and TN, and each
          correction raises it (Koyejo et al. 2014).  No set of predictions is better than a threshold, whatever the
          probabilities are, and the threshold is that of the rule at the best table;
        - ``"monotone"``: each correction raises it (Narasimhan et al. 2014).  A threshold is optimal if the
          probabilities have a continuous distribution; it is that of the rule where the formula has derivatives;
        - ``"one-sided"``: it rises with TP and with FP, or falls with both, so that all predictions alike are optimal;
        - ``"constant"``: it depends on the class sizes alone;
        - ``"stationary only"``: none of these is proved.  At an optimum among thresholds the rule holds to first order;
          other predictions may be better, also those below a threshold.

    >>> from symmetrics.library import metrics
    >>> rule = metrics["mcc"].rule()
    >>> rule
    mcc: predict positive where the probability exceeds (FN*FP + 2*FN*TP + TN*TP)/(2*(FN + TN)*(FP + TP))
    monotone: a threshold is optimal if probabilities have a continuous distribution
    >>> rule.at(40, 10, 20, 30), rule.worth_at(40, 10, 20, 30)
    (11/24, 13/11)
    """

    metric: Metric
    theorem: str

    @cached_property
    def threshold(self) -> Expr:
        """The threshold t on the probability of the positive class, in the cells; positive is what exceeds it.

        ``(M_TN - M_FP)/((M_TP - M_FN) + (M_TN - M_FP))``.  -oo if every example is to be positive, oo if none, and nan
        if it does not matter, or the slopes cancel at every table.
        """
        if self.theorem == "one-sided":
            return S.NegativeInfinity if self._rises_with_positives else S.Infinity
        field, positive, negative = _slopes(self.metric.expr, self.metric.parameters)
        total = field.add(positive, negative)
        if total.is_zero:
            return S.NaN
        return element_expression(field.multiply(negative, field.invert(total)), field)

    @cached_property
    def worth(self) -> Expr:
        """What one false negative is worth in false positives, in the cells: ``(M_TP - M_FN)/(M_TN - M_FP)``.

        oo if false positives do not count, and nan if neither does.
        """
        field, positive, negative = _slopes(self.metric.expr, self.metric.parameters)
        if negative.is_zero:
            return S.NaN if positive.is_zero else S.Infinity
        return element_expression(field.multiply(positive, field.invert(negative)), field)

    @property
    def _rises_with_positives(self) -> bool:
        sign = -1 if greater_is_better(self.metric) is False else 1
        first, second = corrections(self.metric.name, self.metric.value_formula)
        return sign * (first or 0) > 0 or sign * (second or 0) < 0

    def at(self, tp: object, fn: object, fp: object, tn: object) -> Expr:
        """Return the exact threshold at a table; its limit where cells are zero, and nan if there is none.

        :raises InputError: on counts that are negative or no finite numbers

        >>> from symmetrics.library import metrics
        >>> metrics["auc_single"].rule().at(3, 1, 6, 10), metrics["tpr"].rule().at(3, 1, 6, 10)
        (1/5, 0)
        """
        return self._value(self.threshold, (tp, fn, fp, tn))

    def worth_at(self, tp: object, fn: object, fp: object, tn: object) -> Expr:
        """Return what one false negative is worth in false positives at a table.

        :raises InputError: as :meth:`at`

        >>> from symmetrics.library import metrics
        >>> metrics["auc_single"].rule().worth_at(3, 1, 6, 10)
        4
        """
        return self._value(self.worth, (tp, fn, fp, tn))

    def _value(self, expression: Expr, table: tuple[object, ...]) -> Expr:
        counts = exact_table(table)
        bound = expression.xreplace(self.metric.default_values)
        if bound.is_number or bound is S.NaN:
            return bound
        self.metric.at_defaults()  # which says what to bind
        return extension_of(bound).value(*counts)

    def optimum(self, probabilities: Iterable[object], weights: Iterable[object] | None = None) -> Optimum:
        """Return the best threshold for a population whose examples have known probabilities of being positive.

        The tables are the expected ones, and all cuts between distinct probabilities are compared exactly.  The best
        one is the fixed point of the rule, which Dinkelbach's iteration of threshold and table leads to.

        :param probabilities: exact numbers in [0, 1]; a float counts as the decimal number that is printed
        :param weights: how many examples have each probability; by default one
        :raises InputError: on probabilities and weights that are none, and if no cut has a value

        >>> from symmetrics.library import metrics
        >>> metrics["f1"].rule().optimum([0.9, 0.6, 0.5, 0.2, 0.1])
        threshold 20/53 (0.3774): 3 of 5 positive; f1 = 40/53 (0.7547), which no set of predictions exceeds
        """
        return _optimum(self, probabilities, weights)

    def lines(self) -> Iterator[str]:
        """Yield the rule and its theorem in plain words."""
        if self.theorem == "one-sided":
            yield f"{self.metric.name}: predict {'every' if self._rises_with_positives else 'no'} example positive"
        elif self.theorem == "constant":
            yield f"{self.metric.name}: no example matters"
        else:
            exceeded = formula_text(self.threshold) if self.threshold is not S.NaN else "nan"
            yield f"{self.metric.name}: predict positive where the probability exceeds {exceeded}"
        yield f"{self.theorem}: {THEOREMS[self.theorem]}"

    def __repr__(self) -> str:
        return "\n".join(self.lines())


@dataclass(frozen=True, repr=False)
class Optimum:
    """The best threshold for a population.

    :param rule: the rule
    :param threshold: that of the rule at the best table
    :param cut: the smallest probability that is predicted positive; oo if none is
    :param positives: how many of the probabilities are predicted positive
    :param size: how many there are
    :param table: the expected TP, FN, FP, TN
    :param value: the exact value of the metric there
    :param is_fixed_point: whether the rule at the best table chooses the same examples; None if it says nothing there.
        An example with the very probability of the threshold may stand on either side
    """

    rule: DecisionRule
    threshold: Expr
    cut: Expr
    positives: int
    size: int
    table: Counts
    value: Expr
    is_fixed_point: bool | None

    @property
    def is_certified(self) -> bool:
        """Whether it is proved that no set of predictions is better, thresholds or not.

        For fractional-linear M = A/B, ``M(y) - M(x) = B(x)/B(y) * gradient M(x).(y - x)`` with P and N fixed, and no y
        makes the right side positive if x is chosen by the rule at x, and B(x) is not zero.
        """
        if self.rule.theorem != "fractional-linear" or self.is_fixed_point is not True:
            return False
        return bool(
            _quotient(self.rule.metric.value_formula)[1].xreplace(dict(zip(CELLS, self.table, strict=True))) != 0
        )

    def __repr__(self) -> str:
        name, value = self.rule.metric.name, number_text(self.value)
        known = "which no set of predictions exceeds" if self.is_certified else "the best of all thresholds"
        if self.is_certified and greater_is_better(self.rule.metric) is False:
            known = "which no set of predictions falls below"
        chosen = f"{self.positives} of {self.size} positive"
        return f"threshold {number_text(self.threshold)}: {chosen}; {name} = {value}, {known}"


def decision_rule(metric: Metric) -> DecisionRule:
    """Return the decision rule of a metric, with the theorem that covers it at the default parameters.

    :raises DefinitionError: if a parameter has neither a value nor a default

    >>> from symmetrics.library import metrics
    >>> [decision_rule(metrics[name]).theorem for name in ("kappa", "gmean", "positive_fraction", "prevalence")]
    ['fractional-linear', 'monotone', 'one-sided', 'constant']
    """
    formula = metric.at_defaults()
    signs = corrections(metric.name, formula)
    known = {sign for sign in signs if sign is not None}
    if None in signs:
        theorem = "stationary only"
    elif known == {0}:
        theorem = "constant"
    elif known == {1, -1}:
        theorem = "one-sided"
    else:
        theorem = "fractional-linear" if is_fractional_linear(formula) else "monotone"
    return DecisionRule(metric, theorem)


def is_fractional_linear(formula: Expr) -> bool:
    """Whether a formula is a quotient of two affine forms in TP and TN where TP + FN and FP + TN are fixed.

    The divisor has coefficients of one sign, so that it has no zero at positive cells.

    >>> is_fractional_linear(TP / (TP + FP)), is_fractional_linear(TP * TN), is_fractional_linear(TP * TN - FP * FN)
    (True, False, True)
    """
    if formula.has(Abs, Max, Min):
        return False
    above, below = _quotient(formula)
    if not (above.is_polynomial(*CELLS) and below.is_polynomial(*CELLS)):
        return False
    fixed = {FN: _POSITIVES - TP, FP: _NEGATIVES - TN}
    if any(Poly(part.xreplace(fixed), TP, TN).total_degree() > 1 for part in (above, below)):
        return False
    return len({bool(coefficient > 0) for coefficient in Poly(below, *CELLS).coeffs()}) == 1


@lru_cache(maxsize=512)
def _quotient(formula: Expr) -> tuple[Expr, Expr]:
    above, below = fraction(together(in_lowest_terms(formula)))
    return above, below


def _slopes(formula: Expr, parameters: tuple[Parameter, ...]) -> tuple[Field, Element, Element]:
    """Return the gain by one FN that becomes TP, and by one FP that becomes TN, and the field of both."""
    field = field_for(parameters)
    element = convert(formula, field)
    positive, negative = (derivative(element, field, {right: 1, wrong: -1}) for right, wrong in CORRECTED)
    return field, positive, negative


# -- the best cut of a population --------------------------------------------------------------------------------------


def _optimum(rule: DecisionRule, probabilities: Iterable[object], weights: Iterable[object] | None) -> Optimum:
    shares = _numbers(probabilities, "probabilities")
    sizes = [Fraction(1)] * len(shares) if weights is None else _numbers(weights, "weights")
    if len(sizes) != len(shares):
        counts = f"{number_of(len(shares), 'probability')} and {number_of(len(sizes), 'weight')}"
        raise InputError(f"{counts}; pass one weight for each probability")
    for name, numbers, wrong in (
        ("probabilities", shares, [share for share in shares if not 0 <= share <= 1]),
        ("weights", sizes, [size for size in sizes if size <= 0]),
    ):
        if wrong or not numbers:
            told = f"has the entry {wrong[0]}" if wrong else "is empty"
            wanted = "numbers from 0 to 1" if name == "probabilities" else "positive numbers"
            raise InputError(f"{name} {told}; pass {wanted}")
    # Sort by falling probability; a cut is after the last of equal ones.
    order = sorted(range(len(shares)), key=lambda place: -shares[place])
    ranked = [shares[place] for place in order]
    ends = [0] + [k for k in range(1, len(ranked) + 1) if k == len(ranked) or ranked[k] != ranked[k - 1]]
    tp = list(accumulate((shares[k] * sizes[k] for k in order), initial=Fraction(0)))
    fp = list(accumulate(((1 - shares[k]) * sizes[k] for k in order), initial=Fraction(0)))
    tables = [(tp[k], tp[-1] - tp[k], fp[k], fp[-1] - fp[k]) for k in ends]

    def table(place: int) -> Counts:
        return Counts(*(Rational(cell.numerator, cell.denominator) for cell in tables[place]))

    cells = Cells(*np.array([[float(cell) for cell in row] for row in tables]).T.copy())
    place, value = best_cut(rule.metric, cells, table)
    # The rule at the best table: does it choose the same examples?
    best, chosen = table(place), ends[place]
    threshold = rule.at(*best)
    last, following = (
        Rational(ranked[k].numerator, ranked[k].denominator) if 0 <= k < len(ranked) else outside
        for k, outside in ((chosen - 1, S.Infinity), (chosen, S.NegativeInfinity))
    )
    is_fixed = None
    if threshold is not S.NaN and threshold.is_extended_real:
        is_fixed = bool(following <= threshold) and bool(threshold <= last)
    return Optimum(rule, threshold, last, chosen, len(ranked), best, value, is_fixed)


def _numbers(values: Iterable[object], name: str) -> list[Fraction]:
    given: object = values.tolist() if isinstance(values, np.ndarray) else values
    if isinstance(given, str | bytes) or not isinstance(given, Iterable):
        raise InputError(f"{name}={shown(values)} is no list of numbers; pass one for each example")
    exact = (exact_number(value, f"{name}[{place}]") for place, value in enumerate(given))
    return [Fraction(int(number.p), int(number.q)) for number in exact]
