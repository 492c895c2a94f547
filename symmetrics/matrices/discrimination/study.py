"""Exact number of distinct values of metrics over all confusion matrices with given class sizes."""

from __future__ import annotations

import functools
import itertools
import math
import operator
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from decimal import Decimal
from fractions import Fraction
from math import comb, prod
from typing import Any, Final

import numpy as np
from sympy import Expr, Rational, S

from symmetrics.data.counts import shown
from symmetrics.library import metrics
from symmetrics.matrices.discrimination.definitions import (
    AnyMeasure,
    Listed,
    as_measure,
    distinct_floats,
    entropies,
    matrices_of,
    measure_of,
    pooled_measure_of,
)
from symmetrics.matrices.discrimination.measures import (
    ClassProduct,
    Columns,
    EntropyMeasure,
    HarmonicOfMeans,
    MeanOfClasses,
    Measure,
    Undefined,
)
from symmetrics.matrices.discrimination.states import Sizes, States, Weights, distinct, states_of
from symmetrics.matrices.nodes import ClassMean
from symmetrics.matrices.records import multiclass
from symmetrics.matrices.validated import exact_fill
from symmetrics.posets.relevance import Relevance
from symmetrics.tools.errors import InputError
from symmetrics.tools.workers import Bar, spread

# ----------------------------------------------------------------------------------------------------------------------
# Estimate the cost of a study from the class sizes alone; refuse at once what no machine has time or memory for.


_MOST_GIGABYTES: Final = 64
# As measured on one core of an ordinary machine: one exact value of a class, one sum of rows, one sum with entropies,
# and one exact value of a matrix.
_VALUE, _SUM, _ENTROPY, _LISTED = 1.5e-4, 4e-7, 1.5e-6, 5e-4
_MORE_THAN_EVER: Final = 10**100
"""Larger numbers are replaced by this one, so that they fit into floats."""
_BYTES: Final = 16
"""Bytes per distinct value."""
_DISTINCT: Final = 0.2
"""Largest share of matrices with distinct entropies, in the problems of the literature."""
_UNITS: Final = ((365 * 24.0, "years"), (24.0, "days"), (1.0, "hours"))


def require_affordable(sizes: Sizes, tables: int, measures: int, entropies: int, hours: float, listed: int = 0) -> None:
    """Refuse a study that would take too long or too much memory.

    :param tables: how many metrics are evaluated at every table of a class
    :param measures: how many metrics see no more than diagonal and column sums
    :param entropies: how many see all entries
    :param hours: the longest that is waited for
    :param listed: how many are evaluated at every matrix by itself
    :raises InputError: if the estimate is longer, or beyond the memory of ordinary machines

    >>> require_affordable(Sizes((2, 3, 9, 10)), 4, 11, 2, 1)
    """
    values = tables * sum((count + 1) * (sizes.total + 1) for count in sizes.counts)
    matrices = min(sizes.matrices, _MORE_THAN_EVER)
    sums, states = _sums(sizes) if measures else (0, 0)
    seconds = (
        _VALUE * values
        + _SUM * sums
        + _SUM * measures * states / 4
        + (_ENTROPY * entropies + _LISTED * listed) * matrices
    )
    gigabytes = _BYTES * (states * measures + _DISTINCT * (entropies + listed) * matrices + values / 4) / 1e9
    if seconds <= 3600 * hours and gigabytes <= _MOST_GIGABYTES:
        return
    longer = "give smaller classes or fewer measures"
    if gigabytes <= _MOST_GIGABYTES:
        longer += ", or a larger hours= to wait for it"
    raise InputError(
        f"class sizes {sizes}: {Decimal(sizes.matrices):.1e} matrices would take about {_duration(seconds / 3600)} and "
        f"up to {gigabytes:.2g} GB, where {hours:g} hours and {_MOST_GIGABYTES} GB are allowed; {longer}"
    )


def _sums(sizes: Sizes) -> tuple[int, int]:
    """Estimate the number of sums of rows, and of distinct final sums."""
    classes, sums, states = sizes.classes, 0, 1
    columns = (sizes.total + 1) ** (classes - 1)
    for place, count in enumerate(sizes.counts):
        formed = states * comb(count + classes - 1, classes - 1)
        sums += formed
        states = min(formed, columns * prod(size + 1 for size in sizes.counts[: place + 1]))
    return min(sums, _MORE_THAN_EVER), min(states, _MORE_THAN_EVER)


def _duration(hours: float) -> str:
    length, unit = next(((length, unit) for length, unit in _UNITS if hours >= length), _UNITS[-1])
    return f"{hours / length:.2g} {unit}"


# ----------------------------------------------------------------------------------------------------------------------


_RECALL, _PRECISION, _F1 = (ClassMean(metrics[key].expr) for key in ("tpr", "precision", "f1"))
DEFINITIONS: Final[Mapping[str, Expr]] = {
    "AvAcc": multiclass["av_acc"].definition,
    "MAvG": multiclass["mavg"].definition,
    "Rec_M": _RECALL,
    "Prec_M": _PRECISION,
    "Rec_mu": _RECALL,
    "Prec_mu": _PRECISION,
    "F1_M": multiclass["f_of_means"].at(beta=1).definition,
    "F1_mu": _F1,
    "AvF1": _F1,
    "CBA": multiclass["cba"].definition,
    "MCC": multiclass["mcc"].definition,
    "RCI": multiclass["rci"].definition,
    "CEN": multiclass["cen"].definition,
}
"""The metrics of table 1 of Branco, Torgo & Ribeiro (2017), under their names there."""
POOLED: Final = ("Rec_mu", "Prec_mu", "F1_mu")
"""Those with cells pooled over the classes."""
WEIGHTED: Final = {"Rec": "Rec_M", "Prec": "Prec_M", "F1": "F1_M", "AvF1": "AvF1", "CBA": "CBA"}
"""Those that can be weighted by a relevance, with their names then (equations 4 to 8)."""


@dataclass(frozen=True)
class Discrimination:
    """How well one metric discriminates the confusion matrices of one problem: the number of its distinct values.

    :param sizes: the class sizes
    :param metric: the metric's name in the study
    :param distinct: how many different values there are; "undefined" counts as one
    :param undefined: at how many matrices the metric is undefined
    :param floats: how many different values floating point makes of them, rounding errors counted; None if not asked
    """

    sizes: Sizes
    metric: str
    distinct: int
    undefined: int
    floats: int | None = None

    @property
    def share(self) -> Fraction:
        """Number of distinct values divided by the number of matrices."""
        return Fraction(self.distinct, self.sizes.matrices)


def measures_of(relevances: Mapping[str, Relevance | Sequence[Any]] | None = None) -> tuple[AnyMeasure, ...]:
    """Return the metrics of Branco, Torgo & Ribeiro (2017): 13 unweighted, and five weighted by each relevance.

    :param relevances: relevances, or one number from 0 to 1 for each class, by the name that is put behind a metric's;
        the classes are in the order of the class sizes
    :raises InputError: on numbers that are no relevance, and on a mapping or a set, whose order says nothing

    >>> [measure.name for measure in measures_of({"TO": ["1/3", "2/3", 1]})][-2:]
    ['AvF1^TO', 'CBA^TO']
    """
    found = [
        pooled_measure_of(name, definition) if name in POOLED else measure_of(name, definition)
        for name, definition in DEFINITIONS.items()
    ]
    for name, relevance in (relevances or {}).items():
        weights = _weights(relevance, name)
        found += [measure_of(f"{short}^{name}", DEFINITIONS[plain], weights) for short, plain in WEIGHTED.items()]
    return tuple(found)


def _weights(relevance: Relevance | Sequence[Any], name: str) -> Weights:
    """Return a relevance as fractions."""
    listed = relevance.values if isinstance(relevance, Relevance) else relevance
    if isinstance(listed, str | bytes | Mapping | Set) or not isinstance(listed, Iterable):
        raise InputError(f"relevance {name}: {listed!r} is no list of numbers; give one, or a relevance")
    weights = tuple(_exact(value, name) for value in listed)
    if not any(weights):
        raise InputError(f"relevance {name}: every class has the relevance 0; give one a positive number")
    return weights


def _exact(value: Any, name: str) -> Fraction:
    """Return a relevance as a fraction; a float means the shortest decimal that prints it."""
    text = str(value)
    try:
        if "_" in text or not text.isascii():  # Python would read "1_0" as 10
            raise ValueError
        fraction = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise InputError(
            f"relevance {name}: {value!r} is not a number; give whole numbers, fractions or decimals"
        ) from None
    if not 0 <= fraction <= 1:
        raise InputError(f"relevance {name}: {value!r} is not between 0 and 1; give numbers that are")
    return fraction


def discrimination(
    class_sizes: Sequence[int],
    measures: Sequence[object] | None = None,
    *,
    zero_division: object = math.nan,
    hours: float = 1.0,
    floats: bool = False,
    workers: int = 1,
    progress: bool = True,
) -> tuple[Discrimination, ...]:
    """Count the distinct values of metrics over all confusion matrices with given row sums, exactly.

    Rational values are compared as fractions, the correlation coefficient by its square and its sign, entropies by the
    prime factors of the number whose logarithm they are: no rounding, no tolerance, no hashing.

    A metric is defined where :meth:`symmetrics.matrices.MulticlassMetric.exact` has a value: F at P = R = 0 and MCC
    with all predictions of one class take their limit 0.  Precision of a class that is never predicted is undefined.

    :param class_sizes: the number of examples of each class
    :param measures: by default those of :func:`measures_of` without relevances; also metrics of matrices, such as
        ``"kappa"`` or a :class:`MulticlassMetric`, and metrics or formulas of two classes, of which the mean over the
        classes is taken.  What has no faster way is evaluated at every matrix, if its values are rational.
    :param zero_division: what an undefined value of a class counts for, an exact number from 0 to 1; by default, nan,
        such classes are left out.  Branco, Torgo & Ribeiro (2017) leave them out of their own metrics (section 4.3),
        and their table 5 counts them as 0 in the metrics of others: of the matrices with 2, 3, 9 and 10 examples,
        Prec_M takes 10009 values without them and 8915 values with 0.
    :param hours: how long to wait at most; what is estimated to take longer is refused before it begins
    :param floats: also count the different values that 64-bit floating point computes
    :param workers: processes to spread the work over
    :param progress: show a progress bar if standard error is a terminal
    :raises InputError: on class sizes that are none, and if they are too large for exact 64-bit arithmetic, for the
        *hours*, or for the memory of ordinary machines, with an estimate of both

    >>> from symmetrics.matrices.discrimination import discrimination, measures_of
    >>> found = {result.metric: result for result in discrimination((2, 4, 15), progress=False)}
    >>> found["Rec_M"].distinct, found["MCC"].distinct, found["MCC"].undefined, found["MCC"].sizes.matrices
    (139, 2078, 0, 12240)
    """
    _require_means(hours, workers)
    sizes = Sizes.of(class_sizes)
    if isinstance(measures, str):
        raise InputError(f"measures={shown(measures)} is no list; pass one, as in ['cba', 'mcc']")
    chosen = tuple(measures_of() if measures is None else map(as_measure, measures))
    for name, times in Counter(measure.name for measure in chosen).items():
        if times > 1:
            raise InputError(f"{times} measures have the name {name!r}; give each a name of its own")
    undefined = _undefined(zero_division)
    tables = {part.metric for measure in chosen for part in _parts(measure)}
    of_entries = sum(isinstance(measure, EntropyMeasure) for measure in chosen)
    listed = sum(isinstance(measure, Listed) for measure in chosen)
    of_states = len(chosen) - of_entries - listed
    require_affordable(sizes, len(tables), of_states, of_entries, hours, listed)
    totals = {measure.name: _Total() for measure in chosen}
    for name, found in _found(sizes, chosen, undefined, floats, workers, progress):
        totals[name].add(found)
    return tuple(
        Discrimination(sizes, name, total.distinct, total.undefined, total.floats if floats else None)
        for name, total in totals.items()
    )


def _parts(measure: AnyMeasure) -> tuple[MeanOfClasses | ClassProduct, ...]:
    """Return the parts of a measure that are evaluated at every table of a class."""
    if isinstance(measure, HarmonicOfMeans):
        return measure.precision, measure.recall
    return (measure,) if isinstance(measure, MeanOfClasses | ClassProduct) else ()


def _require_means(hours: object, workers: object) -> None:
    if isinstance(hours, bool) or not isinstance(hours, int | float | np.number):
        raise InputError(f"hours={shown(hours)} is not a number; pass a limit of time in hours, such as 0.5")
    if isinstance(workers, bool) or not isinstance(workers, int | np.integer) or workers < 1:
        raise InputError(f"workers={shown(workers)} is no number of processes; pass a whole number, 1 or more")


def _undefined(zero_division: object) -> Undefined:
    value = exact_fill(zero_division)
    if value is S.NaN:
        return None
    if not (isinstance(value, Rational) and 0 <= value <= 1):
        raise InputError(f"zero_division={value} is not a rational number from 0 to 1, or nan to leave classes out")
    return Fraction(int(value.p), int(value.q))


@dataclass(frozen=True)
class _Found:
    """Result for one metric from a part of the matrices."""

    values: Columns | None = None
    undefined: int = 0
    floats: Columns | None = None


class _Total:
    """Combined results of all parts."""

    def __init__(self) -> None:
        self.values: Columns | None = None
        self.float_values: Columns | None = None
        self.undefined = 0

    def add(self, found: _Found) -> None:
        self.undefined += found.undefined
        self.values = _joined(self.values, found.values)
        self.float_values = _joined(self.float_values, found.floats)

    @property
    def distinct(self) -> int:
        return (0 if self.values is None else len(self.values[0])) + (self.undefined > 0)

    @property
    def floats(self) -> int:
        return (0 if self.float_values is None else len(self.float_values[0])) + (self.undefined > 0)


def _joined(left: Columns | None, right: Columns | None) -> Columns | None:
    if left is None or right is None:
        return right if left is None else left
    return distinct([np.concatenate(pair) for pair in zip(left, right, strict=True)])


Part = tuple[int, list[tuple[str, _Found]]]
"""Number of matrices, and the results on them."""
Task = tuple[Callable[..., Part], tuple[Any, ...]]
"""A unit of work on part of the matrices: a function and its arguments."""


def _found(
    sizes: Sizes, measures: Sequence[AnyMeasure], undefined: Undefined, floats: bool, workers: int, progress: bool
) -> Iterator[tuple[str, _Found]]:
    """Yield the results of the units of work, each with the name of its metric."""
    of_states = [measure for measure in measures if isinstance(measure, Measure)]
    of_entries = [measure for measure in measures if isinstance(measure, EntropyMeasure)]
    listed = [measure for measure in measures if isinstance(measure, Listed)]
    tasks: Iterator[Task] = itertools.chain(
        ((_entropy_part, (measure, sizes, floats)) for measure in of_entries),
        ((_listed_part, (measure, sizes, undefined, floats)) for measure in listed),
        (
            (_state_part, (states, of_states, sizes, undefined, floats))
            for states in (states_of(sizes) if of_states else ())
        ),
    )
    total = sizes.matrices * (len(of_entries) + len(listed) + bool(of_states))
    bar = Bar(total=total, unit=" matrices", amount=operator.itemgetter(0)) if progress else None
    for _, results in spread(_done, tasks, bar=bar, workers=workers, ordered=False):
        yield from results


def _done(task: Task) -> Part:
    function, arguments = task
    return function(*arguments)


def _state_part(states: States, measures: Sequence[Measure], sizes: Sizes, undefined: Undefined, floats: bool) -> Part:
    results = []
    for measure in measures:
        columns, missing = measure.values(states, sizes, undefined)
        defined = ~missing
        values = distinct([column[defined] for column in columns])
        rounded = distinct_floats(measure.floats(states, sizes, undefined)[defined]) if floats else None
        results.append((measure.name, _Found(values, int(states.matrices[missing].sum()), rounded)))
    return int(states.matrices.sum()), results


def _entropy_part(measure: EntropyMeasure, sizes: Sizes, floats: bool) -> Part:
    values = functools.reduce(_joined, map(distinct, measure.values(sizes)), None)
    rounded = None
    if floats:
        rounded = functools.reduce(_joined, map(distinct_floats, entropies(measure.key, sizes)), None)
    return sizes.matrices, [(measure.name, _Found(values, 0, rounded))]


def _listed_part(measure: Listed, sizes: Sizes, undefined: Undefined, floats: bool) -> Part:
    found = _Found(*measure.values(sizes, undefined))
    if floats:
        fill = math.nan if undefined is None else float(undefined)
        values = (measure.metric.from_confusion(chunk, zero_division=fill) for chunk in matrices_of(sizes))
        known = (of_chunk[~np.isnan(of_chunk)] for of_chunk in map(np.asarray, values))
        found = replace(found, floats=functools.reduce(_joined, map(distinct_floats, known), None))
    return sizes.matrices, [(measure.name, found)]
