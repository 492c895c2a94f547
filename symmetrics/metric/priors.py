"""Metrics under a changed prior: in terms of the rates TPr and TNr and the prior of the positive class.

The rates belong to the classifier and the prior to where it is used, so that a table with rates TPr and TNr has, at
another prior and the same number n of examples, the cells (Landgrebe et al. 2005, equations 2 to 6)

    TP = prior*TPr*n,  FN = prior*(1 - TPr)*n,  FP = (1 - prior)*(1 - TNr)*n,  TN = (1 - prior)*TNr*n.

Everything here follows from a metric's formula by putting these in; most metrics depend on proportions alone, and then
n is gone.

>>> from symmetrics.library import metrics
>>> in_rates(metrics["precision"])
TPr*prior/(TPr*prior + (1 - TNr)*(1 - prior))
>>> prior_limit(metrics["precision"]), prior_limit(metrics["positive_fraction"])
(0, 1 - TNr)
>>> metrics["precision"].at_prior("1/100").from_counts(80, 20, 10, 90)
0.07476635514018691
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from functools import lru_cache
from math import inf
from typing import Final, TypeVar

from sympy import Abs, Add, Expr, Max, Min, S, Symbol, expand, factor, log, sign

from symmetrics.algebra.convert import in_lowest_terms
from symmetrics.algebra.derivative import gradient
from symmetrics.claims import Identity
from symmetrics.claims.families.limits import STEP
from symmetrics.claims.property import other
from symmetrics.claims.verdict import Verdict
from symmetrics.language.cells import CELLS, FN, FP, TN, TP, N, P, Table, n, parameter_symbol
from symmetrics.language.definition import Definition
from symmetrics.language.formula import exact_rational
from symmetrics.language.names import CELL_NAMES
from symmetrics.language.parameter import Parameter
from symmetrics.language.writer import formula_text
from symmetrics.prover.acceptance import decide_and_check
from symmetrics.prover.engine.leading import leading_term
from symmetrics.tools.errors import InputError, SymmetricsError, UnsupportedError, shortened

__all__ = [
    "FPR",
    "POSITIVE_FRACTION",
    "PRIOR",
    "PURITY",
    "RATES",
    "RATE_CELLS",
    "TNR",
    "TOTAL",
    "TPR",
    "as_prior",
    "at_prior",
    "in_counts",
    "in_rates",
    "is_homogeneous",
    "prior_derivative",
    "prior_limit",
    "prove_in_rates",
]


def __dir__() -> list[str]:
    return sorted(__all__)


TPR: Final[Symbol] = parameter_symbol("TPr")
"""Proportion of the positive examples that are predicted positive."""
TNR: Final[Symbol] = parameter_symbol("TNr")
"""Proportion of the negative examples that are predicted negative."""
FPR: Final[Symbol] = parameter_symbol("FPr")
"""Proportion of the negative examples that are predicted positive, ``1 - TNr``."""
PRIOR: Final[Symbol] = parameter_symbol("prior")
"""Prior probability of the positive class, strictly between 0 and 1."""
TOTAL: Final[Symbol] = parameter_symbol("n")
"""Number of examples; only metrics that depend on more than proportions keep it."""

RATES: Final = (TPR, TNR, FPR, PRIOR, TOTAL)
"""The symbols of a formula in rates and prior."""

RATE_CELLS: Final[Table] = (
    PRIOR * TPR * TOTAL,
    PRIOR * (1 - TPR) * TOTAL,
    (1 - PRIOR) * (1 - TNR) * TOTAL,
    (1 - PRIOR) * TNR * TOTAL,
)
"""The four cells in terms of the rates, the prior and the number of examples."""

POSITIVE_FRACTION: Final[Expr] = PRIOR * TPR + (1 - PRIOR) * FPR
"""The proportion predicted positive: Landgrebe et al. (2005), equation (5)."""
PURITY: Final[Expr] = TPR / (TPR + (1 - PRIOR) / PRIOR * FPR)
"""The precision: Landgrebe et al. (2005), equation (6)."""

D = TypeVar("D", bound=Definition)

_COUNTS: Final[Mapping[Symbol, Expr]] = {TPR: TP / P, TNR: TN / N, FPR: FP / N, PRIOR: P / n, TOTAL: n}
_PARTS: Final = tuple(other(f"{cell}r") for cell in CELL_NAMES)
_SHARES: Final = (other("p"), other("q"))
_SIZE: Final = other("n")
_RESERVED: Final = ("TPr", "TNr", "FPr", "prior", "n")
_SCALE: Final = other("t")
_UNFACTORED: Final = (Abs, Max, Min, log, sign)


def is_homogeneous(metric: Definition) -> bool:
    """Return whether a metric is proved to depend on the proportions of the cells alone, whatever its parameters.

    >>> from symmetrics.library import metrics
    >>> is_homogeneous(metrics["mcc"]), is_homogeneous(metrics["chi_square"])
    (True, False)
    """
    _require_metric(metric)
    return _is_homogeneous(metric.expr, metric.parameters)


@lru_cache(maxsize=1024)
def _is_homogeneous(expression: Expr, parameters: tuple[Parameter, ...]) -> bool:
    scale = _SCALE
    larger = (TP * scale, FN * scale, FP * scale, TN * scale)
    claim = Identity(expression, parameters, (CELLS, larger), (_SCALE,))
    return decide_and_check(claim, metric="", property="homogeneous", seconds=inf).status == "proved"


def in_rates(metric: Definition) -> Expr:
    """Return a metric's formula in TPr, TNr and the prior of the positive class; in n too unless it is homogeneous.

    It equals the formula at every table of positive cells (:func:`prove_in_rates`), with the metric's parameters as
    symbols: an exact substitution, brought to lowest terms where the exact algebra represents the formula.

    :raises InputError: if a parameter of the metric has one of the names used here

    >>> from symmetrics.library import metrics
    >>> in_rates(metrics["accuracy"]), in_rates(metrics["gmean"])
    (TNr*(1 - prior) + TPr*prior, sqrt(TNr*TPr))
    """
    _refuse_clashes(metric)
    return _in_rates(metric.expr, metric.parameters)


@lru_cache(maxsize=1024)
def _in_rates(expression: Expr, parameters: tuple[Parameter, ...]) -> Expr:
    p, q = _SHARES
    size = S.One if _is_homogeneous(expression, parameters) else _SIZE
    tp, fn, fp, tn = _PARTS
    cells = (p * tp * size, p * fn * size, q * fp * size, q * tn * size)
    auxiliary = [symbol.name for symbol in (*_PARTS, *_SHARES, _SIZE)]
    formula = in_lowest_terms(_at(expression, cells), parameters, auxiliary)
    values = (TPR, 1 - TPR, 1 - TNR, TNR, PRIOR, 1 - PRIOR, TOTAL)
    return _tidy(formula, dict(zip((*_PARTS, *_SHARES, _SIZE), values, strict=True)))


def in_counts(expression: Expr) -> Expr:
    """Return an expression in TPr, TNr, FPr, prior and n with the counts put in for them.

    ``TPr = TP/(TP + FN)``, ``TNr = TN/(FP + TN)``, ``FPr = FP/(FP + TN)`` and ``prior = (TP + FN)/n``.

    >>> in_counts(PRIOR)
    (FN + TP)/(FN + FP + TN + TP)
    """
    return expression.xreplace(dict(_COUNTS))


def prove_in_rates(metric: Definition, expression: Expr | None = None) -> Verdict:
    """Return the verdict on whether a metric equals an expression in rates and prior, at all positive counts.

    :param expression: by default what :func:`in_rates` returns
    :returns: a verdict on the property ``in_rates``, or ``in_rates:expression`` if one was given

    >>> from symmetrics.library import metrics
    >>> prove_in_rates(metrics["precision"], PURITY).status
    'proved'
    """
    stated = in_rates(metric) if expression is None else expression
    claim = Identity(metric.expr, metric.parameters, (CELLS, CELLS), partner=in_counts(stated))
    name = "in_rates" if expression is None else f"in_rates:{formula_text(stated)}"
    return decide_and_check(claim, metric=metric.name, property=name, seconds=inf)


def prior_derivative(metric: Definition) -> Expr:
    """Return the derivative of a metric by the prior, at fixed rates and a fixed number of examples.

    By the chain rule from the metric's gradient, which has the mean of the one-sided derivatives at a kink.

    >>> from symmetrics.library import metrics
    >>> prior_derivative(metrics["positive_fraction"]), prior_derivative(metrics["gmean"])
    (TNr + TPr - 1, 0)
    """
    _refuse_clashes(metric)
    size = S.One if is_homogeneous(metric) else TOTAL
    cells = tuple(cell.xreplace({TOTAL: size}) for cell in RATE_CELLS)
    slopes = (cell.diff(PRIOR) for cell in cells)
    place = dict(zip(CELLS, cells, strict=True))
    total = Add(*(d.xreplace(place) * slope for d, slope in zip(gradient(metric.expr), slopes, strict=True)))
    # Common factors of kinks and logarithms are seldom, and take seconds to look for.
    return total if total.has(*_UNFACTORED) else factor(total)


def prior_limit(metric: Definition, end: int = 0) -> Expr:
    """Return what a metric tends to as the prior tends to 0, or to 1, at fixed rates strictly between 0 and 1.

    The exact leading term of a generalised power series, as for the property ``prevalence_limit``; there the number of
    negatives is fixed and here that of all examples, which is the same for homogeneous metrics.

    :param end: 0 or 1
    :returns: an expression in the rates, the metric's parameters and, unless it is homogeneous, n; or ``oo``, ``-oo``
    :raises InputError: on another *end*
    :raises UnsupportedError: where the limit depends on signs that are not known

    >>> from symmetrics.library import metrics
    >>> prior_limit(metrics["accuracy"]), prior_limit(metrics["accuracy"], 1), prior_limit(metrics["skew_ratio"])
    (TNr, TPr, oo)
    """
    if end not in (0, 1):
        raise InputError(f"end={end!r} is not an end of the interval of priors; pass 0 or 1")
    _refuse_clashes(metric)
    rare, common = STEP, S.One
    parameters = metric.parameters
    if not is_homogeneous(metric):
        rare, common = TOTAL * STEP, TOTAL * (1 - STEP)
        parameters = (*parameters, Parameter(TOTAL.name, S.Zero, lower_open=True))
    positive, negative = (rare, common) if end == 0 else (common, rare)
    path = (positive * TP, positive * FN, negative * FP, negative * TN)
    leading = leading_term(metric.expr, parameters, dict(zip(CELLS, path, strict=True)))
    if leading.limit is S.NaN:
        raise UnsupportedError(
            f"metric {metric.name}: it grows without bound, and the sign of {leading.coefficient} is not known; bind "
            "its parameters with .at(...)"
        )
    return _tidy(leading.limit, dict(zip(CELLS, (TPR, 1 - TPR, 1 - TNR, TNR), strict=True)))


def as_prior(value: object) -> Expr:
    """Return an exact prior, a number strictly between 0 and 1.

    :raises InputError: on what is not a finite number, and on a number outside (0, 1)

    >>> as_prior("0.1")
    1/10
    """
    try:
        prior = exact_rational(value, "prior")
    except SymmetricsError as error:
        raise InputError(str(error)) from None
    if not 0 < prior < 1:
        raise InputError(f"prior is {prior}; pass a number strictly between 0 and 1, and prior_limit gives the ends")
    return prior


def at_prior(metric: D, prior: object) -> D:
    """Return a metric, over the counts as they are, that has its value at another prior of the positive class.

    The counts of each class are weighted so that their shares are the prior and its complement: with n the number of
    examples, ``TP`` becomes ``prior*n*TP/(TP + FN)``.  n stays as it is; homogeneous metrics do not depend on it.

    :param prior: an exact number strictly between 0 and 1, such as ``0.1``, ``"0.1"`` or ``Fraction(1, 10)``; or a
        :class:`~symmetrics.language.parameter.Parameter` on an interval within (0, 1), which the result then has
    :raises InputError: on a prior that is not one
    """
    _require_metric(metric)
    parameters = metric.parameters
    if isinstance(prior, Parameter):
        share = _prior_symbol(prior)
        parameters = (*parameters, prior)
    else:
        share = as_prior(prior)
    if is_homogeneous(metric):
        positive, negative = share * N, (1 - share) * P
    else:
        positive, negative = share * n / P, (1 - share) * n / N
    weighted = (positive * TP, positive * FN, negative * FP, negative * TN)
    settings = f"prior={share}"
    return replace(
        metric,
        name=f"{metric.name}({settings})",
        title=f"{metric.title} ({settings})",
        aliases=(),
        expr=in_lowest_terms(_at(metric.expr, weighted), parameters),
        parameters=parameters,
        range=None,
    )


def _prior_symbol(prior: Parameter) -> Symbol:
    inside = (prior.lower > 0 or (prior.lower == 0 and prior.lower_open)) and (
        prior.upper < 1 or (prior.upper == 1 and prior.upper_open)
    )
    if not inside:
        raise InputError(f"the prior {prior} is not within (0, 1); declare it as {prior.name} in (0, 1)")
    return prior.symbol


def _require_metric(metric: object) -> None:
    if not isinstance(metric, Definition):
        raise InputError(f"{shortened(repr(metric))} is not a metric: pass a Metric, such as symmetrics.metrics['f1']")


def _refuse_clashes(metric: Definition) -> None:
    _require_metric(metric)
    clashing = [parameter.name for parameter in metric.parameters if parameter.name in _RESERVED]
    if clashing:
        raise InputError(f"metric {metric.name}: the parameter {clashing[0]} has the name of a rate here; rename it")


def _at(expression: Expr, table: Table) -> Expr:
    return expression.xreplace(dict(zip(CELLS, table, strict=True)))


def _tidy(expression: Expr, values: Mapping[Symbol, Expr]) -> Expr:
    """Put values in for symbols, and write every sum in the shortest of three ways."""

    def tidied(node: Expr) -> Expr:
        if not node.args:
            return values.get(node, node)
        rebuilt = node.func(*map(tidied, node.args))
        if not isinstance(rebuilt, Add):
            return rebuilt
        expanded = expand(rebuilt)
        return min((rebuilt, expanded, factor(expanded)), key=lambda form: form.count_ops())

    return tidied(expression)
