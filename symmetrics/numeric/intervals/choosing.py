"""The method that "auto" takes at each table, for any formula that is not made of one or two proportions, and why."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.language.names import CELL_NAMES
from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.intervals.averages import ClassAverage, OccurringClasses
from symmetrics.numeric.intervals.delta import ADDED, standard_error
from symmetrics.numeric.intervals.draws import posterior
from symmetrics.numeric.intervals.estimators import Estimator, Groups
from symmetrics.numeric.intervals.inner import fitted_ends
from symmetrics.numeric.intervals.kinks import chi_square, is_near_kink, near_by
from symmetrics.numeric.intervals.result import Ends, Question, Used, put_around
from symmetrics.numeric.intervals.scales import AT_END

__all__ = ["MIXED", "by_distinct", "choose"]

ENOUGH: Final = 15
"""With so many examples in every cell the delta method covers as well as the posterior, and takes a thousandth."""
ENOUGH_OF_CLASS: Final = 5
"""The same for averages over classes: so many examples of each class, where a prior on all the cells weighs ..."""
WEIGHED: Final = 500
"""... which it does with fewer examples than so many in all; with more the misses of the posterior are balanced."""
LARGEST: Final = 1.0
"""... unless its standard error on the scale of the range is larger: the value is then too near an end of it."""
FLAT: Final = 4.0
"""... or less than this over the number of examples, where others have one over its root at least: the tangent is flat,
as at independence or where both margins are alike, and what moves the value is what bends away from it."""
FLAT_FROM: Final = 40
"""Of fewer examples that number is not taken for less."""
_FEW_OF_CLASS: Final = "a class or a cell has few examples"
MIXED: Final = f"bayes where {_FEW_OF_CLASS}, delta elsewhere"
"""What the method was for averages over classes, where it is not the same for all matrices."""
_NEAR: Final = 3.0
"""How many times as far away as a kink an end inside of the tables still matters: the logit is skewed towards it."""
_KINK: Final = "the formula has a kink near by"
_INNER: Final = "an inner end of the range is near by"
_FLAT: Final = "the tangent is flat"
_AT_END: Final = "the value is at an end of its range"
_LARGE: Final = "the standard error is large on the scale of the range"


def choose(
    estimator: Estimator,
    entries: FloatArray,
    groups: Groups,
    question: Question,
    estimates: FloatArray,
    found: tuple[FloatArray, FloatArray, FloatArray],
) -> tuple[Ends, Used]:
    """Return the ends by the method that suits each table, and which it was.

    Where a formula of one table has a kink near by, an end of its range inside of the tables, or a flat tangent,
    neither a tangent nor a posterior covers as often as it says, and the minimum chi-square test is inverted.

    :param entries: tables of shape (entries, m)
    :param found: the ends and the standard errors of the delta method; its ends are replaced
    """
    low, high, error = found
    is_table = len(entries) == len(CELL_NAMES)
    inner = fitted_ends(estimator, entries, question)
    at_end = (estimates <= estimator.range.low + AT_END) | (estimates >= estimator.range.high - AT_END)
    flat = error * np.maximum(entries.sum(axis=0), FLAT_FROM) < FLAT
    few, few_in_words, enough = _few(estimator, entries)
    curved = [
        _Choice("chi_square", is_near_kink(estimator, entries, groups, question.level), _KINK),
        _Choice("chi_square", _is_near(estimator, entries, groups, estimates, question.level, inner), _INNER),
        _Choice("chi_square", flat & ~at_end, _FLAT),
    ]
    unsure = [
        _Choice("bayes", few, few_in_words),
        _Choice("bayes", at_end, _AT_END),
        _Choice("bayes", flat, _FLAT),
        _Choice("bayes", ~(error < LARGEST), _LARGE),
    ]
    choices = [*(curved if is_table else []), *(unsure if question.has_enough_draws else [])]
    left = np.ones_like(few)
    for method, apply in (("chi_square", chi_square), ("bayes", posterior)):
        here = left & np.logical_or.reduce([each.holds for each in choices if each.method == method], initial=False)
        if here.any():
            low[here], high[here] = by_distinct(apply, estimator, entries[:, here], groups, question, estimates[here])
        left &= ~here
    if not question.has_enough_draws:
        left &= flat | at_end
        low[left], high[left] = estimator.range
    for side, value, fits in inner:
        (low, high)[side][fits] = value
    enough = enough if question.has_enough_draws else "so few draws do not tell the level"
    used = Used.first_of(choices, "delta", enough) if choices else Used("delta", why=enough)
    return (low, high), used


class _Choice(NamedTuple):
    """A method, at which tables it is to be taken, and why."""

    method: str
    holds: NDArray[np.bool_]
    reason: str


def _is_near(
    estimator: Estimator,
    entries: FloatArray,
    groups: Groups,
    estimates: FloatArray,
    level: float,
    inner: list[tuple[int, float, NDArray[np.bool_]]],
) -> NDArray[np.bool_]:
    """Return at which tables an end inside of the tables fits, or is within some standard errors of the value."""
    near = np.zeros(entries.shape[1], dtype=np.bool_)
    for _, value, fits in inner:
        error = standard_error(estimator, entries + ADDED * estimator.share, groups)
        near |= fits | ~(np.abs(estimates - value) > _NEAR * near_by(level) * error)
    return near


def _few(estimator: Estimator, entries: FloatArray) -> tuple[NDArray[np.bool_], str, str]:
    """Return which tables have too few examples for the delta method, that in words, and what others have."""
    if isinstance(estimator.whole if isinstance(estimator, OccurringClasses) else estimator, ClassAverage):
        k = math.isqrt(len(entries))
        rows = entries.reshape(k, k, -1).sum(axis=1)
        weighed = rows.sum(axis=0) < WEIGHED
        few = rows.min(axis=0) < np.where(weighed, ENOUGH_OF_CLASS, 0)
        few |= ~weighed & (entries.min(axis=0) < ENOUGH)
        return few, _FEW_OF_CLASS, "every class has enough examples"
    return entries.min(axis=0) < ENOUGH, f"a cell is below {ENOUGH}", f"every cell has {ENOUGH} or more"


def by_distinct(
    method: Callable[..., Ends],
    estimator: Estimator,
    entries: FloatArray,
    groups: Groups,
    question: Question,
    estimates: FloatArray,
) -> Ends:
    """Return the ends by a method that takes long, of each distinct table once."""
    if entries.shape[1] == 1:
        low, high = method(estimator, entries, groups, question)
    else:
        tables, places = np.unique(entries, axis=1, return_inverse=True)
        low, high = (end[places.reshape(-1)] for end in method(estimator, tables, groups, question))
    put_around(estimates, low, high, estimator.range)
    return low, high
