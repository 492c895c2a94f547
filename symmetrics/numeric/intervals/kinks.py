"""Kinks of a formula, where the arguments of Min or Max are equal or that of Abs is 0, and intervals near them.

At a kink neither a tangent nor a posterior is right (Fang & Santos 2019).  The tables with one value are the boundary
of a wedge there.  Counts around its corner are far from it if they are far from a side, in the two strips outside of
the wedge, or far from the corner, in the wedge or in the cone opposite, whose angles make half a turn: so the squared
distance is at most the equal mixture of the chi-square distributions of one and of two degrees of freedom, whatever the
angle (on such mixtures Chernoff 1954; Self & Liang 1987).
"""

from __future__ import annotations

from functools import lru_cache
from itertools import combinations

import numpy as np
from numpy.typing import NDArray
from scipy.special import chdtrc, ndtri

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.delta import ADDED, standard_error
from symmetrics.numeric.intervals.estimators import Estimator, Formula, Groups
from symmetrics.numeric.intervals.inner import inner_ends
from symmetrics.numeric.intervals.region import extremes_within
from symmetrics.numeric.intervals.result import Ends, Question
from symmetrics.numeric.intervals.scales import Range
from symmetrics.numeric.programs import LibraryFormula, expression_of

__all__ = ["chi_square", "is_near_kink", "near_by"]


def chi_square(estimator: Estimator, entries: FloatArray, groups: Groups, question: Question) -> Ends:
    """Return the ends by the minimum chi-square test of tables of shape (4, m); near a kink those of the mixture.

    >>> from sympy import Min
    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.numeric.intervals.estimators import GROUPS
    >>> worst = Formula(Min(TP / (TP + FN), TN / (TN + FP)), Range(0.0, 1.0))
    >>> low, high = chi_square(worst, np.array([[40.0], [10.0], [9.0], [41.0]]), GROUPS["binomial"], Question())
    >>> low.round(3), high.round(3)
    (array([0.647]), array([0.882]))
    """
    near = is_near_kink(estimator, entries, groups, question.level)
    smooth = float(ndtri((1 + question.level) / 2)) ** 2
    distance = np.where(near, _mixture(question.level) if near.any() else smooth, smooth)
    return extremes_within(estimator, entries, groups, distance)


@lru_cache(maxsize=64)
def _mixture(level: float) -> float:
    """Return the quantile of the mixture, such as 5.138 for 0.95, which Kodde & Palm (1986) print."""
    from scipy.optimize import brentq  # which takes long to load

    found = brentq(lambda x: (chdtrc(1, x) + chdtrc(2, x)) / 2 - (1 - level), 0.0, 1500.0)
    return float(found)


def near_by(level: float) -> float:
    """Return within how many standard errors what is not smooth is near: half as far again as an interval reaches."""
    return 1.5 * float(ndtri((1 + level) / 2))


def is_near_kink(estimator: Estimator, entries: FloatArray, groups: Groups, level: float) -> NDArray[np.bool_]:
    """Return at which tables, of shape (4, m), a formula has a kink within some standard errors of what is 0 there.

    Kinks at an end of the range, such as the 0 of an absolute value, are not counted: they are the business of tests.

    >>> from sympy import Min
    >>> from symmetrics.language.cells import FN, FP, TN, TP
    >>> from symmetrics.numeric.intervals.estimators import GROUPS
    >>> worst = Formula(Min(TP / (TP + FN), TN / (TN + FP)), Range(0.0, 1.0))
    >>> tables = np.array([[40.0, 10.0, 9.0, 41.0], [40.0, 10.0, 45.0, 5.0]]).T
    >>> is_near_kink(worst, tables, GROUPS["multinomial"], 0.95)
    array([ True, False])
    """
    near = np.zeros(entries.shape[1], dtype=np.bool_)
    moved = entries + ADDED
    for difference in _differences(estimator) if isinstance(estimator, Formula) else ():
        with np.errstate(all="ignore"):
            values, errors = difference.values(moved), standard_error(difference, moved, groups)
        near |= ~(np.abs(values) > near_by(level) * errors)  # which is so where nothing is known, too
    return near


@lru_cache(maxsize=512)
def _differences(formula: Formula) -> tuple[Formula, ...]:
    """Return what is 0 at the kinks of a formula."""
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
