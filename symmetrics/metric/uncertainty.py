"""How sure the value of a metric is: its range, which no interval leaves, and the interval itself."""

from __future__ import annotations

from functools import lru_cache
from math import inf
from typing import TYPE_CHECKING, Any, Final

from numpy.typing import ArrayLike
from sympy import Expr

from symmetrics.language.formula import parse_formula
from symmetrics.numeric.averaging import Average
from symmetrics.numeric.counts import as_counts, as_matrices, shown
from symmetrics.numeric.intervals import ClassAverage, Formula, Interval, Question, average_interval, interval
from symmetrics.numeric.intervals.scales import Range
from symmetrics.numeric.selection import matched, named_rows
from symmetrics.tools.errors import InputError

if TYPE_CHECKING:
    from symmetrics.metric.metric import Metric

__all__ = ["interval_at", "interval_of_average", "range_of"]

_SECONDS: Final = 5.0
"""How long the range of a formula of one's own may be looked for; what is not decided by then has no end."""


def interval_at(
    metric: Metric, counts: tuple[ArrayLike, ArrayLike, ArrayLike, ArrayLike], question: Question
) -> Interval:
    """Return the interval of a metric at counts of TP, FN, FP and TN."""
    return interval(metric.at_defaults(), range_of(metric), as_counts(*counts), question, name=metric.name)


def interval_of_average(metric: Metric, confusion: ArrayLike, average: Average, **settings: Any) -> Interval:
    """Return the interval of an average of a metric over the classes of confusion matrices.

    :raises InputError: on an average that is none, or has one value for each class
    """
    question = Question(**settings)
    if average is None or (isinstance(average, str) and average == "binary"):
        raise InputError(f"average={shown(average)} is no average over classes; pass 'macro', 'micro', 'weighted', ...")
    given, names = named_rows(confusion, None, average)
    matrices = as_matrices(given)
    classes = matrices.shape[-1]
    weights = matched(average, names, classes)
    if metric.counts_examples(average):
        right = matrices.diagonal(axis1=-2, axis2=-1).sum(axis=-1)
        return interval_at(metric, (right, matrices.sum(axis=(-2, -1)) - right, 0, 0), question)
    formula = Formula(metric.at_defaults(), range_of(metric))
    return average_interval(ClassAverage(formula, classes, weights), matrices, question)


def range_of(metric: Metric) -> Range:
    """Return the range of the values at the default parameters: as recorded, or as it can be proved.

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.metric import Metric
    >>> range_of(Metric("mine", (TP - FN) / (TP + FN)))
    Range(low=-1.0, high=1.0)
    """
    return _proved(metric.at_defaults()) if metric.bounds is None else Range(*metric.bounds)


@lru_cache(maxsize=256)
def _proved(expression: Expr) -> Range:
    from symmetrics.claims.families.ranges import Bounded
    from symmetrics.prover.acceptance import decide_and_check

    verdict = decide_and_check(Bounded(expression, ()), metric="formula", property="range", seconds=_SECONDS)
    ends = verdict.evidence.data if verdict.evidence.kind == "range" and verdict.status != "open" else {}
    return Range(*(_number(ends[name]["bound"]) if name in ends else end for name, end in _INFINITE.items()))


_INFINITE: Final = {"lower": -inf, "upper": inf}


def _number(text: str) -> float:
    return float(text.replace("oo", "inf")) if "oo" in text else float(parse_formula(text))
