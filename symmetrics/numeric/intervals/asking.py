"""One question, one interval: the method is chosen and applied, and its ends are kept inside the range."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray
from sympy import Expr, Poly, fraction

from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells, Counts, FloatArray
from symmetrics.numeric.intervals.averages import ClassAverage, OccurringClasses
from symmetrics.numeric.intervals.contrasts import Pair, koopman, miettinen_nurminen
from symmetrics.numeric.intervals.delta import delta, put_around
from symmetrics.numeric.intervals.draws import bca, highest, percentile, posterior, studentised
from symmetrics.numeric.intervals.estimators import GROUPS, Estimator, Formula, Groups
from symmetrics.numeric.intervals.inner import reach_inner_ends
from symmetrics.numeric.intervals.proportions import clopper_pearson, jeffreys, mid_p, wilson
from symmetrics.numeric.intervals.result import Ends, Interval, Question, Used
from symmetrics.numeric.intervals.scales import AT_END, Range
from symmetrics.numeric.intervals.shapes import SHARE, Contrast, Proportion, Quotient, Shape, shape_of
from symmetrics.tools.errors import InputError

__all__ = ["MIXED", "estimated", "interval"]

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
FEW: Final = 30
"""With fewer successes or failures Wilson's interval misses more on one side, and that by mid-p values is taken ..."""
MANY: Final = 50
"""... of so many examples or more; below, if that number is random itself, the one by mid-p values is too wide."""
_FEW_OF_CLASS: Final = "a class or a cell has few examples"
MIXED: Final = f"bayes where {_FEW_OF_CLASS}, delta elsewhere"
"""What the method was for averages over classes, where it is not the same for all matrices."""
_OF_ONE: Final[dict[str, Callable[[FloatArray, FloatArray, float], Ends]]] = {
    "score": wilson,
    "jeffreys": jeffreys,
    "exact": clopper_pearson,
    "midp": mid_p,
}
"""Methods for one proportion: from successes, failures and level."""
_DRAWING: Final = {
    "bayes": posterior,
    "highest": highest,
    "bootstrap": percentile,
    "bca": bca,
    "studentised": studentised,
}


def interval(
    expression: Expr, bounds: Range, cells: Counts | Cells, question: Question, *, name: str = "the formula"
) -> Interval:
    """Return where the value of a formula lies, as far as tables tell.

    The ends lie within the range, and the value of the table itself between them.

    :param expression: a formula over the cells, without free parameters
    :param bounds: the range of its values
    :param cells: arrays of one shape
    :param name: what an error calls the formula
    :raises InputError: on counts that are none, and on a method for one or two proportions if the formula is neither

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.numeric.counts import as_cells
    >>> interval(TP / (TP + FN), Range(0.0, 1.0), as_cells(15, 133, 0, 0), Question())
    0.1014 (0.06006 to 0.1581, 95 % midp)
    """
    shape = cells.tp.shape
    estimates = evaluate(expression, cells, bounds=bounds).reshape(-1)
    flat = [np.ascontiguousarray(cell, dtype=np.float64).reshape(-1) for cell in cells]
    made_of = _independent(expression, question) if question.method in ("auto", *_OF_ONE) else None
    if question.method in _OF_ONE or made_of is not None:
        ends, asked = _from_shares(made_of, np.stack(flat), question, name)
        put_around(estimates, *ends, bounds)
    else:
        groups = GROUPS[question.sampling]
        ends, asked = _general(Formula(expression, bounds), flat, groups, question, estimates)
    return _result(ends, estimates, shape, asked, question)


def estimated(estimator: Estimator, entries: FloatArray, groups: Groups, question: Question) -> Interval:
    """Return the interval of any estimator at tables of shape (entries, ...), by a method that is for all.

    :raises InputError: if the method is one for proportions
    """
    if question.method in _OF_ONE:
        raise InputError(f"method={question.method!r} is for a proportion, and this is none; pass method='auto'")
    shape, flat = entries.shape[1:], np.ascontiguousarray(entries.reshape(len(entries), -1))
    estimates = estimator.values(flat)
    ends, asked = _general(estimator, list(flat), groups, question, estimates)
    return _result(ends, estimates, shape, asked, question)


def _result(ends: Ends, estimates: FloatArray, shape: tuple[int, ...], used: Used, question: Question) -> Interval:
    values = [float(v[0]) if not shape else v.reshape(shape) for v in (*ends, estimates)]
    at = None if used.at is None else used.at.reshape(shape)
    return Interval(values[0], values[1], values[2], used.words, question.level, at)


def _independent(expression: Expr, question: Question) -> Shape | None:
    """Return what a formula is made of, if those are proportions of independent examples when such tables are drawn.

    Where the numbers of positives and of negatives are fixed, only proportions of the one or of the other are.
    """
    made_of = shape_of(expression)
    if made_of is None:
        return None
    if isinstance(made_of, Proportion):
        places = [{*made_of.successes, *made_of.failures}]
    else:
        places = [set(made_of.first), set(made_of.second)]
    fixed = GROUPS[question.sampling]
    return made_of if all(any(place <= {*group} for group in fixed) for place in places) else None


def _from_shares(made_of: Shape | None, entries: FloatArray, question: Question, name: str) -> tuple[Ends, Used]:
    method = "score" if question.method == "auto" else question.method
    if isinstance(made_of, Proportion):
        successes = entries[list(made_of.successes)].sum(axis=0)
        failures = entries[list(made_of.failures)].sum(axis=0)
        if question.method == "auto":
            least = 0 if _is_of_fixed_number(made_of, question) else MANY
            ends, used = _wilson_or_mid_p(successes, failures, question.level, least)
        else:
            ends, used = _OF_ONE[method](successes, failures, question.level), Used(method)
        return _mapped(made_of, *(ends if made_of.increases else ends[::-1])), used
    if method != "score" or made_of is None:
        wanted = "one proportion or of two" if method == "score" else "one proportion"
        sampled = "" if question.sampling == "multinomial" else f" with {question.sampling} sampling"
        raise InputError(
            f"method={method!r} is for functions of {wanted}, and {name} is none{sampled}; pass method='auto'"
        )
    return _from_two_shares(made_of, entries, question.level), Used(method)


def _is_of_fixed_number(made_of: Proportion, question: Question) -> bool:
    return {*made_of.successes, *made_of.failures} in map(set, GROUPS[question.sampling])


def _wilson_or_mid_p(successes: FloatArray, failures: FloatArray, level: float, least: int) -> tuple[Ends, Used]:
    """Return the interval by mid-p values where few of many examples are right or wrong, and Wilson's elsewhere."""
    low, high = wilson(successes, failures, level)
    few = (np.minimum(successes, failures) < FEW) & (successes + failures >= least)
    if few.any():
        tables, places = np.unique(np.stack([successes[few], failures[few]]), axis=1, return_inverse=True)
        low[few], high[few] = (end[places.reshape(-1)] for end in mid_p(tables[0], tables[1], level))
    many = f" of {least} or more" if least else ""
    return (low, high), Used.of_two("midp", "score", few, f"fewer than {FEW}{many} are right or wrong")


def _from_two_shares(made_of: Contrast | Quotient, entries: FloatArray, level: float) -> Ends:
    (a, b), (c, d) = made_of.first, made_of.second
    pair = Pair(entries[a], entries[a] + entries[b], entries[c], entries[c] + entries[d])
    if isinstance(made_of, Contrast):
        low, high = miettinen_nurminen(pair, level)
        factor, offset = float(made_of.factor), float(made_of.offset)
        ends = (offset + factor * low, offset + factor * high)
        return ends if factor > 0 else ends[::-1]
    low, high = koopman(pair, level)
    return low * float(made_of.factor), high * float(made_of.factor)


def _mapped(proportion: Proportion, *ends: FloatArray) -> Ends:
    """Return the values of a quotient of linear polynomials at two shares, infinite at a pole at 0 or 1."""
    above, below = (Poly(part, SHARE) for part in fraction(proportion.value))
    values = []
    for share in ends:
        top, bottom = (np.polyval([float(c) for c in part.all_coeffs()], share) for part in (above, below))
        pole = np.where((share > 0.5) == proportion.increases, np.inf, -np.inf)
        values.append(np.where(bottom == 0, pole, top / np.where(bottom == 0, 1.0, bottom)))
    return values[0], values[1]


def _general(
    estimator: Estimator, entries: Sequence[FloatArray], groups: Groups, question: Question, estimates: FloatArray
) -> tuple[Ends, Used]:
    """Return the ends by a method for any formula, and what the method was, which for "auto" depends on the tables."""
    method = question.method
    if method == "newcombe":
        raise InputError("method='newcombe' is for the difference of two paired proportions; pass method='auto'")
    if method in _DRAWING:
        question.require_draws()
        return _drawn(_DRAWING[method], estimator, np.stack(entries), groups, question, estimates), Used(method)
    low, high, error = delta(estimator, entries, groups, question.level, estimates)
    if method == "delta":
        return (low, high), Used("delta")
    flat = _flat(estimator.range, entries, error, estimates)
    if not question.has_enough_draws:
        low[flat], high[flat] = estimator.range
        reach_inner_ends(estimator, len(entries), estimates, low, high)
        return (low, high), Used("delta")
    few, told = _few(estimator, entries)
    unsure = few | flat | ~(error < LARGEST)
    if unsure.any():
        left = np.stack([entry[unsure] for entry in entries])
        low[unsure], high[unsure] = _drawn(posterior, estimator, left, groups, question, estimates[unsure])
    reach_inner_ends(estimator, len(entries), estimates, low, high)
    return (low, high), Used.of_two("bayes", "delta", unsure, told)


def _flat(bounds: Range, entries: Sequence[FloatArray], error: FloatArray, estimates: FloatArray) -> NDArray[np.bool_]:
    """Return at which tables the tangent is flat, so that nothing can be told from its error."""
    number = sum(entries[1:], start=entries[0])
    at_end = (estimates <= bounds.low + AT_END) | (estimates >= bounds.high - AT_END)
    return np.asarray((error * np.maximum(number, FLAT_FROM) < FLAT) | at_end)


def _few(estimator: Estimator, entries: Sequence[FloatArray]) -> tuple[NDArray[np.bool_], str]:
    """Return which tables have too few examples for the delta method, and that in words."""
    few = np.zeros(entries[0].size, dtype=np.bool_)
    if isinstance(estimator.whole if isinstance(estimator, OccurringClasses) else estimator, ClassAverage):
        k = math.isqrt(len(entries))
        rows = [sum(entries[row * k + 1 : (row + 1) * k], start=entries[row * k]) for row in range(k)]
        weighed = sum(rows[1:], start=rows[0]) < WEIGHED
        few = np.minimum.reduce(rows) < np.where(weighed, ENOUGH_OF_CLASS, 0)
        few |= ~weighed & (np.minimum.reduce(list(entries)) < ENOUGH)
        return few, _FEW_OF_CLASS
    for entry in entries:
        few |= entry < ENOUGH
    return few, f"a cell is below {ENOUGH}"


def _drawn(
    method: Callable[..., Ends],
    estimator: Estimator,
    entries: FloatArray,
    groups: Groups,
    question: Question,
    estimates: FloatArray,
) -> Ends:
    """Draw for each distinct table once."""
    if entries.shape[1] == 1:
        low, high = method(estimator, entries, groups, question)
    else:
        tables, places = np.unique(entries, axis=1, return_inverse=True)
        low, high = (end[places.reshape(-1)] for end in method(estimator, tables, groups, question))
    put_around(estimates, low, high, estimator.range)
    return low, high
