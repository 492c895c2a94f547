"""One metric cross-checked on random tables: formula, exact values, numbers, verdicts and declared facts.

Hypothesis draws the tables and reduces what disagrees to the smallest table that does.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import chain, product
from typing import Any, Final

import numpy as np
from hypothesis import strategies as st
from numpy.typing import NDArray
from sympy import Expr

from symmetrics.claims.evidence import Counts
from symmetrics.claims.property import Property
from symmetrics.claims.verdict import Verdict
from symmetrics.library.selections import as_metric
from symmetrics.matrices import MulticlassMetric
from symmetrics.metric import Metric
from symmetrics.query.proving import as_properties, prove
from symmetrics.testing.comparisons import (
    ERROR,
    SMALL,
    Comparisons,
    Numeric,
    differ,
    interval_text,
    is_outside,
    real,
    refuse,
    search,
)
from symmetrics.testing.strategies import matrices, tables
from symmetrics.tools.budget import SECONDS
from symmetrics.tools.errors import DefinitionError
from symmetrics.tools.texts import number_of


@dataclass(frozen=True)
class Checked:
    """What :func:`assert_metric` has compared, none of which disagreed.

    :param metric: the metric's name
    :param tables: how many different tables were drawn
    :param verdicts: number of verdicts by status
    :param undefined: where the metric has no value, in words; None if it has one everywhere, or that is open
    :param left_out: what was not compared, with the reason
    """

    metric: str
    tables: int
    verdicts: Mapping[str, int] = field(default_factory=dict)
    undefined: str | None = None
    left_out: tuple[str, ...] = ()

    def __str__(self) -> str:
        by_status = ", ".join(f"{number} {status}" for status, number in sorted(self.verdicts.items()))
        verdicts = f"properties: {by_status}" * bool(by_status)
        found = "; ".join(
            filter(None, [f"no disagreement at {number_of(self.tables, 'table')}", verdicts, self.undefined])
        )
        return "\n".join([f"{self.metric}: {found}", *(f"not compared: {each}" for each in self.left_out)])

    __repr__ = __str__


def assert_metric(
    metric: Metric | MulticlassMetric | Expr | str,
    *,
    numeric: Callable[..., Any] | MulticlassMetric | None = None,
    claims: Mapping[str, Any] | None = None,
    properties: str | Iterable[Property | str] = "all",
    zero_division: float = math.nan,
    tolerance: float = 1e-9,
    max_count: int = 10**6,
    examples: int = 100,
    seconds: float = SECONDS,
) -> Checked:
    """Assert that all that is known of a metric agrees, on random tables.

    Compared are the formula in SymPy and in exact arithmetic, with limits at zero cells approached along three paths;
    ``from_counts`` of scalars, of arrays and compiled by numba; the gradient with differences; intervals with
    estimate and range; range, direction and name as declared with what is proved; all values of the parameters; each
    proved property with drawn tables, and each refuted one with its counterexample.

    :param metric: a metric, an expression, the text of a formula, or the name of a metric of the library; of a metric
        of whole matrices numbers, exact values, range and *claims* (for three classes) are compared
    :param numeric: a function of one's own, called as ``numeric(tp, fn, fp, tn)`` with whole numbers and, if it takes
        them, with arrays of int32, int64 and float64; or a metric of whole matrices, which is asked at two classes.
        For a metric of matrices it is called as ``numeric(C)``.
    :param claims: what is believed: True or False for a property by its key, None if it cannot be decided; two ends for
        ``"range"``; True, False or None for ``"greater_is_better"``
    :param properties: those whose verdicts are compared with numbers, or ``"all"``
    :param zero_division: what *numeric* returns where the metric is undefined
    :param tolerance: largest error of *numeric*, of the value where it is above 1
    :param max_count: largest count that is drawn
    :param examples: how many tables are drawn for each comparison
    :param seconds: how long each property may take to be decided
    :returns: what was compared, and what was left out and why
    :raises AssertionError: on a disagreement, with the smallest table at which there is one

    >>> from symmetrics import metrics
    >>> def careless(tp, fn, fp, tn):
    ...     return tp / (tp + fp) if tp + fp else 0.0
    >>> assert_metric(metrics["precision"], numeric=careless, properties=[])
    Traceback (most recent call last):
    AssertionError: precision: numeric gives 0.0 for whole numbers at TP=0, FN=0, FP=0, TN=1, where the formula is
    undefined; pass zero_division=0.0 if that is meant
    """
    believed = dict(claims or {})
    if isinstance(metric, MulticlassMetric):
        return _of_matrices(metric, numeric, believed, tolerance, examples, seconds)
    try:
        subject = as_metric(metric)
        subject.value_formula  # noqa: B018  # raises if a parameter has no default
    except DefinitionError as error:
        raise AssertionError(f"the formula is no metric: {error}") from error
    own = None if numeric is None else Numeric(numeric, zero_division, tolerance)
    compared, name = Comparisons(subject, own, believed, examples), subject.name

    # 1. Numbers: every form of the formula at each of the drawn tables.
    refuse(name, chain.from_iterable(map(compared.at_table, _CORNERS)))
    search(name, tables(max_count=max_count), compared.at_table, examples)
    drawn = sorted(compared.drawn, key=lambda table: (sum(table), table))
    refuse(name, compared.of_arrays(drawn))
    refuse(name, compared.of_intervals([table for table in drawn if sum(table) <= 1000]))
    # 2. Slopes, and other values of the parameters, at tables without zeros.
    positive, fewer = tables(zeros=False, max_count=SMALL), -(-examples // 4)
    search(name, positive, compared.of_slopes, fewer)
    refuse(name, compared.of_parameters())
    # 3. Facts as they are declared and believed, with what is proved.
    refuse(name, compared.of_direction(positive))
    refuse(name, compared.of_range(prove(subject, "range", seconds=seconds)))
    for key in believed.keys() - {"range", "greater_is_better"}:
        refuse(name, _of_claim(prove(subject, key, seconds=seconds), believed[key]))
    # 4. Verdicts, with numbers: counterexamples again, and what is proved at drawn points.
    verdicts = [prove(subject, each, seconds=seconds) for each in as_properties(properties, ())]
    for verdict in verdicts:
        refuse(name, compared.of_witness(verdict))
    held = [(verdict.property, part) for verdict in verdicts for part in compared.relations(verdict)]
    points = st.fixed_dictionaries(dict.fromkeys(sorted({one for _, part in held for one in part.names}), _POSITIVE))
    search(name, points, lambda point: compared.of_relations(held, point), fewer)
    defined = prove(subject, "defined", seconds=seconds)
    undefined = defined.value if defined.status == "refuted" else None
    still_open = [f"{each.property}, which is open" for each in verdicts if each.status == "open"]
    by_status = Counter[str](each.status for each in verdicts)
    return Checked(name, len(drawn), by_status, undefined, (*compared.left_out, *still_open))


_CORNERS: Final = sorted((Counts(*cells) for cells in product((0, 1), repeat=4) if any(cells)), key=sum)
"""A table with each set of zeros, the smallest first."""
_POSITIVE: Final = st.builds(Fraction, st.integers(1, 40), st.sampled_from([1, 7]))
"""Positive values of the variables of a claim."""


def _of_claim(verdict: Verdict, answer: object) -> Iterator[str]:
    """Compare what is believed of a property with its verdict."""
    if answer is not verdict.holds:
        yield f"claims say {verdict.property}={answer}, and it is {verdict.holds}: {verdict}"


def _of_matrices(
    metric: MulticlassMetric, numeric: Any, believed: Mapping[str, Any], tolerance: float, examples: int, seconds: float
) -> Checked:
    """Compare numbers, exact values and range of a metric of matrices, and a function of these, at drawn matrices."""
    bounds = [real(end) for end in believed.get("range", () if metric.range is None else metric.range.args[:2])]
    seen: set[bytes] = set()

    def told(matrix: NDArray[np.int64]) -> Iterator[str]:
        seen.add(matrix.tobytes())
        exact, number = real(metric.exact(matrix.tolist())), metric.from_confusion(matrix)
        where = f"at {matrix.tolist()}"
        if differ(number, exact, ERROR):
            yield f"from_confusion gives {number!r} {where}, and exact {float(exact)!r}"
        if is_outside(exact, bounds):
            yield f"the value {float(exact)!r} {where} is outside of the range {interval_text(bounds)}"
        if numeric is not None and differ(found := float(numeric(matrix)), exact, tolerance):
            yield f"numeric gives {found!r} {where}, and exact {float(exact)!r}"

    search(metric.name, matrices(max_classes=4), told, examples)
    verdicts = {key: metric.prove(key, seconds=seconds) for key in believed.keys() - {"range"}}
    for key, verdict in verdicts.items():
        refuse(metric.name, _of_claim(verdict, believed[key]))
    return Checked(metric.name, len(seen), Counter[str](verdict.status for verdict in verdicts.values()))
