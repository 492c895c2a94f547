"""Range ends attained at interior tables, such as 0 of an unsigned association at independence.

An interval from draws or from a tangent does not contain such an end, however well the table fits it: all values lie on
one side.  A test of the tables at which the value is that end decides: the interval contains it exactly if they are not
rejected at one minus the level.  For independence it is Fisher's exact test, in larger matrices Pearson's, with tables
drawn at the same margins where expected counts are small; for equal sums of cells the exact binomial test, which for
FN = FP is McNemar's.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations, product
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import bdtr, chdtrc, chdtri, ndtri

from symmetrics.data.counts import FloatArray
from symmetrics.numeric.plans import LibraryFormula, expression_of
from symmetrics.statistics.delta import ADDED, standard_error
from symmetrics.statistics.intervals import AT_END, GROUPS, Ends, Estimator, Formula, Question, Range, Tables
from symmetrics.statistics.score_regions import extremes_within

_EVEN, _WIDE, _REACHED = np.full((4, 1), 25.0), np.array([200.0]), 1e-9
"""A table of equal counts, the search radius for ends on unknown sets, and the tolerance for attaining them."""
_EXAMPLES: Final = 20
"""Tables of a set at which a formula is compared with an end of its range."""
_EXPECTED: Final = 5.0
"""Expected count from which the chi-square approximation of Pearson's statistic is used (Cochran 1954)."""
_SURELY: Final = 1e-6
"""P-values of Pearson's test below this are used, with such expected counts, without the exact test."""

_FAR, _TIED = 10.0, 1e-7
"""Range of counts in standard errors around the mean, and relative tolerance for ties of probabilities."""


@dataclass(frozen=True)
class Independence:
    """Tables whose entries are products of a row and a column: rows and columns are independent.

    :param places: the entries, row by row

    >>> independence = Independence((0, 1, 2, 3))
    >>> independence.p_values(np.array([[1.0], [29.0], [0.0], [30.0]]), Question())  # Fisher's exact test
    array([1.])
    """

    places: tuple[int, ...]

    @property
    def size(self) -> int:
        """The number of rows, and of columns."""
        return math.isqrt(len(self.places))

    def examples(self) -> FloatArray:
        """Return a few integer tables of the set, shape (entries, some)."""
        rows, columns = np.random.default_rng(0).integers(1, 30, size=(2, self.size, _EXAMPLES))
        tables = np.empty((len(self.places), _EXAMPLES))
        tables[list(self.places)] = (rows[:, None] * columns).reshape(len(self.places), -1)
        return tables

    def p_values(self, entries: FloatArray, question: Question) -> FloatArray:
        """Return the p-value of independence at tables of shape (entries, m); 1 where only one row or column occurs."""
        tables = np.moveaxis(entries[list(self.places)], 0, -1).reshape(-1, self.size, self.size)
        rows, columns = tables.sum(axis=2), tables.sum(axis=1)
        with np.errstate(divide="ignore", invalid="ignore"):
            expected = rows[:, :, None] * columns[:, None, :] / tables.sum(axis=(1, 2))[:, None, None]
            parts = np.where(expected > 0, (tables - expected) ** 2 / expected, 0.0)
        # Pearson's chi-square test, its degrees of freedom those of the rows and columns that occur.
        statistic = parts.sum(axis=(1, 2))
        freedom = np.prod([np.maximum((side > 0).sum(axis=1) - 1, 0) for side in (rows, columns)], axis=0)
        found = np.where(freedom > 0, chdtrc(np.maximum(freedom, 1), statistic), 1.0)
        is_few = np.where(expected > 0, expected, np.inf).min(axis=(1, 2)) < _EXPECTED
        is_whole = (tables == np.rint(tables)).all(axis=(1, 2))
        # For two classes use the exact test unless the result is clear; for more, where expected counts are small.
        asked = is_whole & (freedom > 0) & (is_few | ((found > _SURELY) if self.size == 2 else False))
        for place in np.flatnonzero(asked):
            table = tables[place].astype(np.int64)
            if self.size == 2:
                found[place] = _fisher(*table.reshape(-1).tolist())
            else:
                found[place] = _drawn(table[np.ix_(rows[place] > 0, columns[place] > 0)], statistic[place], question)
        return np.asarray(found)


def _fisher(a: int, b: int, c: int, d: int) -> float:
    """Return the two-sided p-value of Fisher's exact test: the total probability of all tables at most as probable.

    Those more than some standard errors from the most probable one are left out; probabilities are products of the
    quotients of neighbours.
    """
    row, column, total = a + b, a + c, a + b + c + d
    error = math.sqrt(row * (total - row) / total * column * (total - column) / total / max(total - 1, 1))
    middle, reach = row * column // total, math.ceil(_FAR * error) + abs(a - row * column // total) + 1
    counts = np.arange(max(0, row + column - total, middle - reach), min(row, column, middle + reach) + 1, dtype=float)
    here = counts[:-1]
    # Cumulative sums of log ratios of neighbouring hypergeometric probabilities.
    steps = np.log(row - here) + np.log(column - here) - np.log(here + 1) - np.log(total - row - column + here + 1)
    chances = np.concatenate([[0.0], np.cumsum(steps)])
    chances = np.exp(chances - chances.max())
    # Sum over all tables that are at most as probable as the observed one.
    seen = chances[a - int(counts[0])]
    return float(chances[chances <= seen * (1 + _TIED)].sum() / chances.sum())


def _drawn(table: NDArray[np.int64], statistic: float, question: Question) -> float:
    """Monte Carlo p-value: share of random tables with these margins with a Pearson statistic at least as large."""
    from scipy.stats import random_table  # slow import

    rows, columns = table.sum(axis=1), table.sum(axis=0)
    drawn = random_table(rows, columns).rvs(question.draws, random_state=np.random.default_rng(question.seed))
    expected = np.multiply.outer(rows, columns) / table.sum()
    found = ((drawn - expected) ** 2 / expected).sum(axis=(1, 2))
    return float((1 + np.sum(found >= statistic * (1 - AT_END))) / (1 + question.draws))


@dataclass(frozen=True)
class EqualSums:
    """Tables at which two sums of cells are equal, such as FN = FP.

    >>> EqualSums((1,), (2,)).p_values(np.array([[20.0], [8.0], [2.0], [20.0]]), Question()).round(4)  # McNemar's test
    array([0.1094])
    """

    left: tuple[int, ...]
    right: tuple[int, ...]

    def examples(self) -> FloatArray:
        """Return a few integer tables of the set, shape (4, some)."""
        tables = np.random.default_rng(0).integers(1, 30, size=(4, _EXAMPLES)).astype(float)
        left, right = (tables[list(side)].sum(axis=0) for side in (self.left, self.right))
        tables[list(self.left)] *= right
        tables[list(self.right)] *= left
        return tables

    def p_values(self, entries: FloatArray, _: Question) -> FloatArray:
        """Return the p-value of the binomial test of equal sums; of the chi-square test where they are not integers."""
        left, right = (entries[list(side)].sum(axis=0) for side in (self.left, self.right))
        number, least = left + right, np.minimum(left, right)
        exact = np.where(left == right, 1.0, np.minimum(2 * bdtr(least, np.rint(number).astype(np.int64), 0.5), 1.0))
        with np.errstate(divide="ignore", invalid="ignore"):
            rough = np.where(number > 0, chdtrc(1, (left - right) ** 2 / number), 1.0)
        return np.asarray(np.where((entries == np.rint(entries)).all(axis=0), exact, rough))


@dataclass(frozen=True)
class InnerEnd:
    """An end of the range that is attained at tables without empty cells.

    :param value: the end
    :param sets: sets of tables with this value; none, if it is reached at others only
    """

    value: float
    sets: tuple[Independence | EqualSums, ...]

    def fits(self, estimator: Estimator, entries: FloatArray, question: Question) -> NDArray[np.bool_]:
        """Mask of tables, of shape (entries, m), that are compatible with this value at the level of the question.

        Those that no test of a set rejects; without such a set those from which it is within the distance of a joint
        confidence region of all shares.
        """
        if self.sets:
            accepted = [each.p_values(entries, question) > 1 - question.level for each in self.sets]
            return np.asarray(np.logical_or.reduce(accepted))
        groups = GROUPS[question.sampling]
        distance = np.full(entries.shape[1], chdtri(len(entries) - len(groups), 1 - question.level))
        ends = np.stack(extremes_within(estimator, entries, groups, distance))
        return np.asarray((np.abs(ends - self.value) <= _REACHED).any(axis=0))


def fitted_ends(
    estimator: Estimator, entries: FloatArray, question: Question
) -> list[tuple[int, float, NDArray[np.bool_]]]:
    """Return each end attained at inner tables: 0 for lower or 1 for upper, its value, and the compatible tables."""
    found: list[tuple[int, float, NDArray[np.bool_]]] = []
    for side, end in enumerate(inner_ends(estimator, len(entries))):
        if end is not None and entries.shape[1]:
            tables, places = np.unique(entries, axis=1, return_inverse=True)
            found.append((side, end.value, end.fits(estimator, tables, question)[places.reshape(-1)]))
    return found


def inner_ends(estimator: Estimator, entries: int) -> tuple[InnerEnd | None, InnerEnd | None]:
    """Return the ends of the range that are attained at inner tables; None for an end that is not.

    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.statistics.intervals import Range
    >>> inner_ends(Formula((TP * TN - FN * FP) ** 2 / (TP + FN + FP + TN) ** 4, Range(0.0, 1.0)), 4)
    (InnerEnd(value=0.0, sets=(Independence(places=(0, 1, 2, 3)),)), None)
    """
    if isinstance(estimator, Formula):
        return _of_formula(estimator)
    is_of_matrix = getattr(estimator, "classes", 0) ** 2 == entries
    return _ends_of(estimator, entries) if is_of_matrix else (None, None)


@lru_cache(maxsize=512)
def _of_formula(formula: Formula) -> tuple[InnerEnd | None, InnerEnd | None]:
    return _ends_of(formula, 4)


def _ends_of(estimator: Estimator, entries: int) -> tuple[InnerEnd | None, InnerEnd | None]:
    known = list(_sets(entries))
    with np.errstate(all="ignore"):
        values = [estimator.values(each.examples()) for each in known]
    found: list[InnerEnd | None] = []
    for side, end in enumerate(estimator.range):
        sets = tuple(each for each, at in zip(known, values, strict=True) if (np.abs(at - end) <= AT_END).all())
        is_inner = bool(sets) or (np.isfinite(end) and entries == 4 and _is_reached(estimator, side, end))
        found.append(InnerEnd(end, sets) if is_inner else None)
    return found[0], found[1]


def _is_reached(estimator: Estimator, side: int, end: float) -> bool:
    """Whether an end of the range is attained far from empty cells."""
    reached = extremes_within(estimator, _EVEN, GROUPS["multinomial"], _WIDE)[side]
    return bool(abs(float(reached[0]) - end) <= _REACHED)


def _sets(entries: int) -> Iterator[Independence | EqualSums]:
    """Yield the sets of tables for which there are exact tests."""
    yield Independence(tuple(range(entries)))
    if entries != 4:
        return
    yield from (Independence(places) for places in ((0, 3, 2, 1), (0, 1, 3, 2)))
    for sides in product((1, 0, -1), repeat=4):
        left, right = (tuple(place for place in range(4) if sides[place] == side) for side in (1, -1))
        if left and right and left < right:
            yield EqualSums(left, right)


# ----------------------------------------------------------------------------------------------------------------------
# Kinks of a formula, where the arguments of Min or Max are equal or that of Abs is 0, and intervals near them.

# At a kink neither a tangent nor a posterior is right (Fang & Santos 2019). The tables with one value are the
# boundary of a wedge there. Counts around its corner are far from it if they are far from a side, in the two strips
# outside of the wedge, or far from the corner, in the wedge or in the cone opposite, whose angles make half a turn:
# so the squared distance is at most the equal mixture of the chi-square distributions of one and of two degrees of
# freedom, whatever the angle (on such mixtures Chernoff 1954; Self & Liang 1987).


def chi_square(tables: Tables) -> Ends:
    """Return the ends by the minimum chi-square test of tables of four entries; near a kink those of the mixture.

    >>> from sympy import Min
    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.statistics.intervals import GROUPS
    >>> worst = Formula(Min(TP / (TP + FN), TN / (TN + FP)), Range(0.0, 1.0))
    >>> table = Tables(worst, np.array([[40.0], [10.0], [9.0], [41.0]]), GROUPS["binomial"], Question())
    >>> low, high = chi_square(table)
    >>> low.round(3), high.round(3)
    (array([0.647]), array([0.882]))
    """
    near, level = is_near_kink(tables), tables.question.level
    smooth = float(ndtri((1 + level) / 2)) ** 2
    distance = np.where(near, _mixture(level) if near.any() else smooth, smooth)
    return extremes_within(tables.estimator, tables.entries, tables.groups, distance)


@lru_cache(maxsize=64)
def _mixture(level: float) -> float:
    """Return the quantile of the mixture, such as 5.138 for 0.95, which Kodde & Palm (1986) print."""
    from scipy.optimize import brentq  # slow import

    found = brentq(lambda x: (chdtrc(1, x) + chdtrc(2, x)) / 2 - (1 - level), 0.0, 1500.0)
    return float(found)


def near_by(level: float) -> float:
    """Return the distance, in standard errors, within which a kink matters: 1.5 times the reach of an interval."""
    return 1.5 * float(ndtri((1 + level) / 2))


def is_near_kink(tables: Tables) -> NDArray[np.bool_]:
    """Mask of tables, of four entries, with a kink of the formula within some standard errors.

    Kinks at an end of the range, such as the 0 of an absolute value, are not counted: they are the business of tests.

    >>> from sympy import Min
    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.statistics.intervals import GROUPS
    >>> worst = Formula(Min(TP / (TP + FN), TN / (TN + FP)), Range(0.0, 1.0))
    >>> entries = np.array([[40.0, 10.0, 9.0, 41.0], [40.0, 10.0, 45.0, 5.0]]).T
    >>> is_near_kink(Tables(worst, entries, GROUPS["multinomial"], Question()))
    array([ True, False])
    """
    near, moved, reach = np.zeros(tables.number, dtype=np.bool_), tables.entries + ADDED, near_by(tables.question.level)
    for difference in _differences(tables.estimator) if isinstance(tables.estimator, Formula) else ():
        with np.errstate(all="ignore"):
            values, errors = difference.values(moved), standard_error(difference, moved, tables.groups)
        near |= ~(np.abs(values) > reach * errors)  # also where the error is unknown
    return near


@lru_cache(maxsize=512)
def _differences(formula: Formula) -> tuple[Formula, ...]:
    """Return the expressions that vanish at the kinks of a formula."""
    if isinstance(formula.expression, LibraryFormula) and not formula.expression.has_kinks:
        return ()
    from sympy import Abs, Max, Min

    expression = expression_of(formula.expression)
    found = [node.args[0] for node in expression.atoms(Abs)]
    for node in expression.atoms(Min, Max):
        found += [first - second for first, second in combinations(node.args, 2)]
    kinks = [Formula(each, Range()) for each in dict.fromkeys(found) if each.free_symbols]
    if not kinks:
        return ()
    sets = [each.examples() for end in inner_ends(formula, 4) if end is not None for each in end.sets]
    return tuple(each for each in kinks if not any((each.values(tables) == 0).all() for tables in sets))
