"""Interval of a metric: choose the method, apply it, clip the ends to the range."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from dataclasses import replace
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from symmetrics.data.counts import Cells, Counts, FloatArray, shown
from symmetrics.language.names import CELL_NAMES
from symmetrics.numeric.compiled import evaluate
from symmetrics.numeric.plans import Computable
from symmetrics.statistics.averages import ClassAverage, MatrixEstimator, OccurringClasses, matrix_groups
from symmetrics.statistics.delta import ADDED, delta, standard_error
from symmetrics.statistics.inner_ends import chi_square, fitted_ends, is_near_kink, near_by
from symmetrics.statistics.intervals import (
    AT_END,
    GROUPS,
    Ends,
    Estimator,
    Formula,
    Groups,
    Interval,
    Question,
    Range,
    Tables,
    Used,
    put_around,
    result,
)
from symmetrics.statistics.proportions import (
    Contrast,
    Pair,
    Proportion,
    Quotient,
    Shape,
    clopper_pearson,
    jeffreys,
    koopman,
    mid_p,
    miettinen_nurminen,
    shape_of,
    wilson,
)
from symmetrics.statistics.resampling import bca, highest, interval_of_sample, percentile, posterior, studentised
from symmetrics.statistics.samples import Drawn, Places, sample_of, table_of
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

# ----------------------------------------------------------------------------------------------------------------------
# The method that "auto" chooses at each table, for formulas other than one or two proportions, and why.


ENOUGH: Final = 15
"""With this many examples in every cell the delta method covers as well as the posterior, a thousand times faster."""
ENOUGH_OF_CLASS: Final = 5
"""For averages over classes: this many examples per class, where a flat prior on all entries biases ..."""
WEIGHED: Final = 500
"""... with fewer examples than this in total; with more, the posterior misses equally often on both sides."""
LARGEST: Final = 1.0
"""... unless the standard error on the scale of the range is larger: the value is then too close to an end."""
FLAT: Final = 4.0
"""... or n times the standard error is below this, where it is usually of order sqrt(n): the value is locally flat,
as at independence or where both margins are alike, and what moves the value is what bends away from it."""
FLAT_FROM: Final = 40
"""For fewer examples this number is used."""
_FEW_OF_CLASS: Final = "a class or a cell has few examples"
MIXED: Final = f"bayes where {_FEW_OF_CLASS}, delta elsewhere"
"""Name of the method for averages over classes, if it differs between matrices."""
_NEAR: Final = 3.0
"""Factor on the distance within which an end at inner tables matters, relative to a kink: the logit is skewed."""
_KINK: Final = "the formula has a kink near by"
_INNER: Final = "an inner end of the range is near by"
_FLAT: Final = "the tangent is flat"
_AT_END: Final = "the value is at an end of its range"
_LARGE: Final = "the standard error is large on the scale of the range"


def choose(
    tables: Tables, estimates: FloatArray, found: tuple[FloatArray, FloatArray, FloatArray]
) -> tuple[Ends, Used]:
    """Return the ends by the method that suits each table, and the name of that method.

    Where a formula of one table has a kink near by, an end of its range inside of the tables, or a flat tangent,
    neither a tangent nor a posterior covers as often as it says, and the minimum chi-square test is inverted.

    :param estimates: the values of the tables
    :param found: the ends and the standard errors of the delta method; its ends are replaced
    """
    (low, high, error), estimator, entries = found, tables.estimator, tables.entries
    # What is known of each table: ends nearby, value at an end, locally flat value, few examples.
    has_draws = tables.question.has_enough_draws
    is_table = len(entries) == len(CELL_NAMES)
    inner = fitted_ends(estimator, entries, tables.question)
    at_end = (estimates <= estimator.range.low + AT_END) | (estimates >= estimator.range.high - AT_END)
    flat = error * np.maximum(entries.sum(axis=0), FLAT_FROM) < FLAT
    few, few_in_words, enough = _few(estimator, entries)
    # Where the value is not smooth, or flat, a test is inverted ...
    curved = [
        _Choice("chi_square", is_near_kink(tables), _KINK),
        _Choice("chi_square", _is_near(tables, estimates, inner), _INNER),
        _Choice("chi_square", flat & ~at_end, _FLAT),
    ]
    # ... where it is smooth but the normal approximation is poor, the posterior is used.
    unsure = [
        _Choice("bayes", few, few_in_words),
        _Choice("bayes", at_end, _AT_END),
        _Choice("bayes", flat, _FLAT),
        _Choice("bayes", ~(error < LARGEST), _LARGE),
    ]
    choices = [*(curved if is_table else []), *(unsure if has_draws else [])]
    # Each table gets the first method whose condition holds; the delta method has filled in the others before.
    left = np.ones_like(few)
    for method, apply in (("chi_square", chi_square), ("bayes", posterior)):
        here = left & np.logical_or.reduce([each.holds for each in choices if each.method == method], initial=False)
        if here.any():
            low[here], high[here] = by_distinct(apply, tables.at(here), estimates[here])
        left &= ~here
    # Without enough draws the posterior is not available: the whole range instead.
    if not has_draws:
        left &= flat | at_end
        low[left], high[left] = estimator.range
    # An end of the range that is compatible with the table belongs to the interval.
    for side, value, fits in inner:
        (low, high)[side][fits] = value
    enough = enough if has_draws else "so few draws do not tell the level"
    used = Used.first_of(choices, "delta", enough) if choices else Used("delta", why=enough)
    return (low, high), used


class _Choice(NamedTuple):
    """A method, a mask of the tables at which it is used, and why."""

    method: str
    holds: NDArray[np.bool_]
    reason: str


def _is_near(
    tables: Tables, estimates: FloatArray, inner: list[tuple[int, float, NDArray[np.bool_]]]
) -> NDArray[np.bool_]:
    """Mask of tables that are compatible with an end at inner tables, or within some standard errors of it."""
    near, estimator = np.zeros(tables.number, dtype=np.bool_), tables.estimator
    for _, value, fits in inner:
        error = standard_error(estimator, tables.entries + ADDED * estimator.share, tables.groups)
        near |= fits | ~(np.abs(estimates - value) > _NEAR * near_by(tables.question.level) * error)
    return near


def _few(estimator: Estimator, entries: FloatArray) -> tuple[NDArray[np.bool_], str, str]:
    """Tables too small for the delta method, with the reason in words."""
    if isinstance(estimator.whole if isinstance(estimator, OccurringClasses) else estimator, ClassAverage):
        k = math.isqrt(len(entries))
        rows = entries.reshape(k, k, -1).sum(axis=1)
        weighed = rows.sum(axis=0) < WEIGHED
        few = rows.min(axis=0) < np.where(weighed, ENOUGH_OF_CLASS, 0)
        few |= ~weighed & (entries.min(axis=0) < ENOUGH)
        return few, _FEW_OF_CLASS, "every class has enough examples"
    return entries.min(axis=0) < ENOUGH, f"a cell is below {ENOUGH}", f"every cell has {ENOUGH} or more"


def by_distinct(method: Callable[[Tables], Ends], tables: Tables, estimates: FloatArray) -> Ends:
    """Apply an expensive method once per distinct table."""
    if tables.number == 1:
        low, high = method(tables)
    else:
        entries, places = np.unique(tables.entries, axis=1, return_inverse=True)
        low, high = (end[places.reshape(-1)] for end in method(replace(tables, entries=entries)))
    put_around(estimates, low, high, tables.estimator.range)
    return low, high


# ----------------------------------------------------------------------------------------------------------------------


FEW: Final = 30
"""Below this number of successes or failures, Wilson's interval is lopsided, and the mid-p interval is used ..."""
MANY: Final = 50
"""... from this number of examples on; below, if that number is random, the mid-p interval is too wide."""
_OF_ONE: Final[dict[str, Callable[[FloatArray, FloatArray, float], Ends]]] = {
    "score": wilson,
    "jeffreys": jeffreys,
    "exact": clopper_pearson,
    "midp": mid_p,
}
"""Methods for one proportion: functions of successes, failures and level."""
_OF_ANY: Final[dict[str, Callable[[Tables], Ends]]] = {
    "chi_square": chi_square,
    "bayes": posterior,
    "highest": highest,
    "bootstrap": percentile,
    "bca": bca,
    "studentised": studentised,
}


def interval(
    expression: Computable, bounds: Range, cells: Counts | Cells, question: Question, *, name: str = "the formula"
) -> Interval:
    """Return an interval for a formula's value at tables.

    The ends lie within the range, and the value of the table itself between them.

    :param expression: a formula over the cells, without free parameters
    :param bounds: the range of its values
    :param cells: arrays of one shape
    :param name: name of the formula in error messages
    :raises InputError: on invalid counts, and on a method for one or two proportions if the formula is neither

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.data.counts import as_cells
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
        ends, asked = _general(Formula(expression, bounds), flat, GROUPS[question.sampling], question, estimates)
    return result(ends, estimates, shape, asked, question)


def estimated(estimator: Estimator, entries: FloatArray, groups: Groups, question: Question) -> Interval:
    """Return an interval for any estimator at tables of shape (entries, ...), by a generic method.

    :raises InputError: if the method is one for proportions
    """
    if question.method in _OF_ONE:
        raise InputError(f"method={question.method!r} is for a proportion, and this is none; pass method='auto'")
    shape, flat = entries.shape[1:], np.ascontiguousarray(entries.reshape(len(entries), -1))
    estimates = estimator.values(flat)
    ends, asked = _general(estimator, list(flat), groups, question, estimates)
    return result(ends, estimates, shape, asked, question)


def _independent(expression: Computable, question: Question) -> Shape | None:
    """Return the shape of a formula of proportions, if these are independent under the sampling model.

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
    # One proportion: Wilson's or mid-p interval of the share, mapped by the monotone formula.
    if isinstance(made_of, Proportion):
        successes = entries[list(made_of.successes)].sum(axis=0)
        failures = entries[list(made_of.failures)].sum(axis=0)
        if question.method == "auto":
            least = 0 if _is_of_fixed_number(made_of, question) else MANY
            ends, used = _wilson_or_mid_p(successes, failures, question.level, least)
        else:
            ends, used = _OF_ONE[method](successes, failures, question.level), Used(method)
        return _mapped(made_of, *(ends if made_of.increases else ends[::-1])), used
    # Two proportions: only the score method, by inverting the test for their difference or quotient.
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
    """Return the mid-p interval for rare successes or failures among many examples, and Wilson's otherwise."""
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
    """Return the ends by a generic method, and its name; "auto" chooses by table."""
    method = question.method
    if method == "newcombe":
        raise InputError("method='newcombe' is for the difference of two paired proportions; pass method='auto'")
    if method == "chi_square" and len(entries) != len(CELL_NAMES):
        raise InputError(
            f"method={method!r} is for formulas of one table; pass 'auto', 'delta', 'bayes' or a bootstrap"
        )
    if method in ("auto", "delta"):
        found = delta(estimator, entries, groups, question.level, estimates)
        if method == "delta":
            return found[:2], Used("delta")
        return choose(Tables(estimator, np.stack(entries), groups, question), estimates, found)
    if method != "chi_square":
        question.require_draws()
    tables = Tables(estimator, np.stack(entries), groups, question)
    return by_distinct(_OF_ANY[method], tables, estimates), Used(method)


# -- Intervals for whole matrices of counts, restricted to the classes that occur --------------------------------------


def matrix_interval(
    whole: MatrixEstimator, matrices: FloatArray, question: Question, names: Sequence[Hashable] | None = None
) -> Interval:
    """Return an interval for a value of confusion matrices, of shape (..., k, k).

    Matrices in which the same classes occur are taken together.

    :param names: of the classes, to say which of them a mean leaves out
    :raises InputError: if the method is one for proportions
    """
    classes, shape = whole.classes, matrices.shape[:-2]
    flat = matrices.reshape(-1, classes, classes)
    low, high, estimate = (np.empty(len(flat)) for _ in range(3))
    words: dict[str, str] = {}
    at = np.full(len(flat), "", dtype=object)
    # Matrices with the same occurring classes: one estimator, restricted to these classes.
    for present, chosen in _patterns(flat):
        estimator = whole if present.size == classes else OccurringClasses(whole, tuple(map(int, present)))
        tables = flat[chosen]
        if present.size < classes:
            tables = tables[:, present[:, None], present]
        entries = tables.reshape(-1, present.size**2).T
        groups = matrix_groups(present.size, question.sampling)
        ends, used = np.empty((3, entries.shape[1])), np.full(entries.shape[1], "", dtype=object)
        # Within them, tables with the same undefined classes: means omit these.
        for part, here in _by_defined(estimator, entries):
            found = estimated(part, entries[:, here], groups, question)
            ends[:, here] = found.low, found.high, found.estimate
            used[here] = found.method if found.method_at is None else found.method_at
            words.setdefault(found.method, found.why)
        at[chosen] = used
        low[chosen], high[chosen], estimate[chosen] = ends
    method = next(iter(words)) if len(words) == 1 else MIXED if words else question.method
    why = "; ".join(filter(None, words.values()))
    return result((low, high), estimate, shape, Used(method, at, why), question, left_out(whole, flat, names))


def left_out(
    whole: MatrixEstimator, matrices: FloatArray, names: Sequence[Hashable] | None = None
) -> NDArray[np.object_]:
    """Say in words which classes a mean omits at each matrix; empty if none.

    >>> from symmetrics.language.cells import FN, TP
    >>> from symmetrics.statistics.averages import ClassAverage
    >>> from symmetrics.statistics.intervals import Formula
    >>> from symmetrics.statistics.intervals import Range
    >>> recall = ClassAverage(Formula(TP / (TP + FN), Range(0.0, 1.0)), 3)
    >>> matrices = np.array([[[3.0, 1.0, 0.0], [1.0, 2.0, 0.0], [0.0, 0.0, 0.0]]])
    >>> left_out(recall, matrices, ["cat", "dog", "owl"]).tolist()
    ["mean over 2 of 3 classes: 'owl' does not occur"]
    """
    out = whole.left_out(matrices.reshape(-1, whole.classes**2).T)
    occurs = (matrices.sum(axis=1) + matrices.sum(axis=2)) > 0
    called = [f"class {place}" for place in range(whole.classes)] if names is None else [shown(name) for name in names]
    notes = np.full(len(matrices), "", dtype=object)
    for place in np.flatnonzero(out.any(axis=1)):
        told = []
        for chosen, one, several in (
            (out[place] & ~occurs[place], "does not occur", "do not occur"),
            (out[place] & occurs[place], "has no value", "have no value"),
        ):
            if which := [called[number] for number in np.flatnonzero(chosen)]:
                told.append(f"{' and '.join(which)} {one if len(which) == 1 else several}")
        left = whole.classes - int(out[place].sum())
        notes[place] = f"mean over {left} of {number_of(whole.classes, 'class')}: {', '.join(told)}"
    return notes


def _by_defined(
    estimator: MatrixEstimator, entries: FloatArray
) -> Iterator[tuple[MatrixEstimator, slice | NDArray[np.bool_]]]:
    """Yield estimators that omit the undefined classes from means, with the tables that each applies to."""
    known = estimator.defined(entries)
    if known.all():
        yield estimator, slice(None)
        return
    patterns, pattern_of = np.unique(known, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield estimator.of_defined(pattern), pattern_of.reshape(-1) == number


def _patterns(matrices: FloatArray) -> Iterator[tuple[NDArray[np.intp], slice | NDArray[np.bool_]]]:
    """Yield each set of classes that occur together, with the indices of its matrices."""
    occurs = (matrices.sum(axis=1) + matrices.sum(axis=2)) > 0
    occurs[occurs.sum(axis=1) < 2] = True  # a single class leaves nothing to compare
    if bool(occurs.all()):
        yield np.arange(occurs.shape[1]), slice(None)
        return
    patterns, pattern_of = np.unique(occurs, axis=0, return_inverse=True)
    for number, pattern in enumerate(patterns):
        yield np.flatnonzero(pattern), pattern_of.reshape(-1) == number


def matrix_interval_of_examples(
    whole: MatrixEstimator,
    places: Places,
    drawn: Drawn,
    question: Question,
    names: Sequence[Hashable] | None = None,
) -> Interval:
    """Return an interval from examples, each given by its matrix entry, with groups, strata or weights."""
    k = whole.classes
    table = table_of(places, k**2).reshape(k, k)
    (note,) = left_out(whole, table[None], names)
    present = np.flatnonzero((table.sum(axis=0) + table.sum(axis=1)) > 0)
    if len(present) in (1, k):
        whole = whole.of_defined(whole.defined(table.reshape(-1, 1))[0])
        found = interval_of_sample(whole, sample_of(places, np.repeat(np.arange(k), k), drawn), question)
        return replace(found, note=note)
    part = OccurringClasses(whole, tuple(map(int, present)))
    part = part.of_defined(part.defined(table[present[:, None], present].reshape(-1, 1))[0])
    position = np.zeros(k**2, dtype=np.intp)
    position[part.places] = np.arange(len(part.places))
    rows = np.repeat(np.arange(len(present)), len(present))
    return replace(interval_of_sample(part, sample_of(position[places], rows, drawn), question), note=note)
