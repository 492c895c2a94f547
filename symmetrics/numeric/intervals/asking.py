"""One question, one interval: the method is chosen and applied, and its ends are kept inside the range."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

import numpy as np

from symmetrics.language.names import CELL_NAMES
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.counts import Cells, Counts, FloatArray
from symmetrics.numeric.intervals.choosing import by_distinct, choose
from symmetrics.numeric.intervals.contrasts import Pair, koopman, miettinen_nurminen
from symmetrics.numeric.intervals.delta import delta
from symmetrics.numeric.intervals.draws import bca, highest, percentile, posterior, studentised
from symmetrics.numeric.intervals.estimators import GROUPS, Estimator, Formula, Groups
from symmetrics.numeric.intervals.kinks import chi_square
from symmetrics.numeric.intervals.proportions import clopper_pearson, jeffreys, mid_p, wilson
from symmetrics.numeric.intervals.result import Ends, Interval, Question, Used, put_around, result
from symmetrics.numeric.intervals.scales import Range
from symmetrics.numeric.intervals.shapes import Contrast, Proportion, Quotient, Shape, shape_of
from symmetrics.numeric.programs import Computable
from symmetrics.tools.errors import InputError

__all__ = ["estimated", "interval"]

FEW: Final = 30
"""With fewer successes or failures Wilson's interval misses more on one side, and that by mid-p values is taken ..."""
MANY: Final = 50
"""... of so many examples or more; below, if that number is random itself, the one by mid-p values is too wide."""
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
    expression: Computable, bounds: Range, cells: Counts | Cells, question: Question, *, name: str = "the formula"
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
    0.1014 (0.06006 to 0.1581, 95 % midp, as it is one proportion, with fewer than 30 of 50 or more right or wrong)
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
    return result(ends, estimates, shape, asked, question)


def estimated(estimator: Estimator, entries: FloatArray, groups: Groups, question: Question) -> Interval:
    """Return the interval of any estimator at tables of shape (entries, ...), by a method that is for all.

    :raises InputError: if the method is one for proportions
    """
    if question.method in _OF_ONE:
        raise InputError(f"method={question.method!r} is for a proportion, and this is none; pass method='auto'")
    shape, flat = entries.shape[1:], np.ascontiguousarray(entries.reshape(len(entries), -1))
    estimates = estimator.values(flat)
    ends, asked = _general(estimator, list(flat), groups, question, estimates)
    return result(ends, estimates, shape, asked, question)


def _independent(expression: Computable, question: Question) -> Shape | None:
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
    kind = "difference" if isinstance(made_of, Contrast) else "quotient"
    source = "Miettinen & Nurminen" if isinstance(made_of, Contrast) else "Koopman"
    why = f"it is a {kind} of two proportions ({source})" if question.method == "auto" else ""
    return _from_two_shares(made_of, entries, question.level), Used(method, why=why)


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
    told, shape = f"fewer than {FEW}{many} are right or wrong", "it is one proportion"
    used = Used.first_of([("midp", few, told)], "score", "more are (Wilson's interval)")
    if used.at is not None:
        return (low, high), used._replace(why=f"{shape}: {used.why}")
    return (low, high), used._replace(
        why=f"{shape}, with fewer than {FEW}{many} right or wrong" if used.words == "midp" else f"{shape} (Wilson)"
    )


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
    above, below = ([float(number) for number in part] for part in (proportion.above, proportion.below))
    values = []
    for share in ends:
        top, bottom = np.polyval(above, share), np.polyval(below, share)
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
        return by_distinct(_DRAWING[method], estimator, np.stack(entries), groups, question, estimates), Used(method)
    if method == "chi_square" and len(entries) != len(CELL_NAMES):
        raise InputError(
            f"method={method!r} is for formulas of one table; pass 'auto', 'delta', 'bayes' or a bootstrap"
        )
    if method == "chi_square":
        return by_distinct(chi_square, estimator, np.stack(entries), groups, question, estimates), Used(method)
    found = delta(estimator, entries, groups, question.level, estimates)
    if method == "delta":
        return found[:2], Used("delta")
    return choose(estimator, np.stack(entries), groups, question, estimates, found)
