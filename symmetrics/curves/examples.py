"""Scored examples as validated arrays."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from numbers import Integral, Real
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.encoding import distinct_codes, in_order, is_hashable, listed
from symmetrics.data.factorise import Factor, as_array, is_foreign
from symmetrics.data.frames import is_missing
from symmetrics.data.gate import admit
from symmetrics.data.labels import conventional_positive
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError

BoolArray = NDArray[np.bool_]

_EXACT: Final = 2**53
"""Up to here float64 represents every integer."""


class Examples(NamedTuple):
    """Scored examples of two classes: labels (True for positive), scores and weights (None: 1 each).

    :param kept: which of the examples that came these are; None for all
    """

    positive: BoolArray
    score: FloatArray
    weight: FloatArray | None
    kept: BoolArray | None = None


def read_examples(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    pos_label: Hashable,
    sample_weight: ArrayLike | None = None,
    *,
    negatives: bool = True,
    missing: Missing = "refuse",
) -> Examples:
    """Return the examples that count: those with weight 0 are dropped.

    :param negatives: whether negative examples are needed, as a false positive rate needs them; positive ones always
        are
    :param missing: as for :func:`symmetrics.data.gate.admit`
    :raises InputError: as :func:`symmetrics.data.gate.admit`, on labels that are more than two, on scores that are
        not finite real numbers, and unless the classes that are needed have examples

    >>> read_examples(["yes", "no"], [0.5, 0.25], "yes").positive.tolist()
    [True, False]
    >>> read_examples(["yes", "no"], [0.5, 0.25], "yes", [1, 0], negatives=False).positive.tolist()
    [True]
    """
    (examples,) = read_scored(
        y_true, {"y_score": y_score}, pos_label, sample_weight, negatives=negatives, missing=missing
    )
    return examples


def read_scored(
    y_true: Iterable[Hashable],
    scores: Mapping[str, ArrayLike],
    pos_label: Hashable,
    sample_weight: ArrayLike | None = None,
    *,
    negatives: bool = True,
    missing: Missing = "refuse",
) -> list[Examples]:
    """Return the same examples with several scores, by names used in errors; otherwise like :func:`read_examples`.

    :raises InputError: as :func:`read_examples`

    >>> [one.score.tolist() for one in read_scored([1, 0], {"score_a": [3, 2], "score_b": [1, 5]}, 1)]
    [[3.0, 2.0], [1.0, 5.0]]
    """
    read = {name: _as_score_vector(values, name) for name, values in scores.items()}
    found = admit({"y_true": y_true}, sample_weight, beside=read, missing=missing)
    labels, codes = _distinct(found.columns[0])
    name = "y_true" if found.kept is None else "y_true, without the examples that do not count,"
    _check_classes(in_order(labels), name, pos_label, negatives)
    positive = np.asarray(codes == labels.index(pos_label))
    return [Examples(positive, score, found.weight, found.kept) for score in found.beside.values()]


def _as_score_vector(values: ArrayLike, name: str) -> FloatArray:
    """Return one score per example.

    :raises InputError: as :func:`as_score_array`, and on any other shape
    """
    score = as_score_array(values, name)
    if score.ndim == 2:
        raise InputError(f"{name} has shape {score.shape}; pass one column, as in {name}[:, 1], the positive class's")
    if score.ndim != 1:
        raise InputError(f"{name} has shape {score.shape}; pass one dimension, one score per example")
    return score


def as_score_array(values: ArrayLike, name: str) -> FloatArray:
    """Return scores as a float64 array of the same shape, refusing those that would become equal by rounding.

    Infinite scores can be ordered, but they come from a logarithm of 0 or an overflow, where what they tie with is an
    accident; they are refused, like missing ones.

    :raises InputError: on scores that are not finite real numbers, and where float64 would merge different ones
    """
    if isinstance(values, str | bytes | Mapping | set | frozenset) or not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; pass a list, an array or a Series with one score per example")
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        raise InputError(_missing(name, np.argwhere(np.ma.getmaskarray(values))[0]))
    try:
        # Inputs that cannot be iterated over are refused below.
        raw = as_array(values if hasattr(values, "__array__") or is_foreign(values) else list(values), name)
    except InputError:
        raise
    except Exception:  # __array__ and __iter__ run third-party code
        raise InputError(f"{name} is {shown(values)}; pass one real number per example") from None
    if raw.dtype.kind not in "biufO":
        raise InputError(f"{name} has the type {raw.dtype}: a score is a real number; pass integers or floats")
    if raw.dtype.kind == "O":
        _refuse_other_objects(raw, name)
    try:
        with np.errstate(over="ignore"):
            scores = raw.astype(np.float64, copy=False)
    except OverflowError:
        raise InputError(_merged(name)) from None
    finite = np.isfinite(scores)
    if not finite.all():
        index = np.argwhere(~finite)[0]
        if np.isnan(scores[tuple(index)]):
            raise InputError(_missing(name, index))
        raise InputError(f"{_entry(name, index)} is infinite in float64; pass finite scores, or leave the example out")
    if not _is_exact(raw) and len(set(raw.ravel().tolist())) > np.unique(scores).size:
        raise InputError(_merged(name))
    return scores


def _refuse_other_objects(raw: NDArray[np.generic], name: str) -> None:
    """Refuse non-numbers in an array of objects; None becomes nan later."""
    items = raw.ravel().tolist()
    if all(issubclass(kind, Real | Decimal) for kind in set(map(type, items))):
        return
    place = next(place for place, item in enumerate(items) if not isinstance(item, Real | Decimal))
    index = np.unravel_index(place, raw.shape)
    if is_missing(items[place]):
        raise InputError(_missing(name, index))
    entry = _entry(name, index)
    raise InputError(f"{entry} is {shown(items[place])}: a score is a real number; pass integers or floats")


def _is_exact(raw: NDArray[np.generic]) -> bool:
    """Whether float64 represents all numbers of an array, judged by its type and range."""
    if raw.dtype.kind in "iu" and raw.dtype.itemsize > 4 and raw.size:
        return max(-int(raw.min()), int(raw.max())) <= _EXACT
    return raw.dtype.kind != "O" and raw.dtype.itemsize <= np.dtype(np.float64).itemsize


def _distinct(column: Factor) -> tuple[list[Hashable], NDArray[np.integer]]:
    """Return the distinct labels and each example's code; fast for two codes."""
    lowest, highest = int(column.codes.min()), int(column.codes.max())
    upper = column.codes == highest
    if lowest < highest and np.count_nonzero(upper) + np.count_nonzero(column.codes == lowest) == upper.size:
        labels = [column.labels[code - column.offset] for code in (lowest, highest)]
        if labels[0] != labels[1]:  # equal objects may have had several codes
            return labels, upper.view(np.uint8)
    return distinct_codes(column)


def _check_classes(found: list[Hashable], name: str, pos_label: Hashable, negatives: bool) -> None:
    """Refuse labels unless there are two, one of them positive; a single class suffices for some measures."""
    if len(found) > 2:
        advice = f"compare with one of them first, as in y_true == {shown(found[0])}, or use one_vs_rest_curves"
        raise InputError(f"{name} holds more than two labels ({listed(found)}); {advice}")
    is_named = is_hashable(pos_label) and pos_label in found
    if len(found) == 1 and (negatives or not is_named):
        advice = "pass examples of both classes" if negatives else f"pass some of the positive one, {shown(pos_label)}"
        raise InputError(f"{name} holds one class, {shown(found[0])}; {advice}")
    if not is_named:
        by_convention = conventional_positive(found)
        choices = found if by_convention is None else [by_convention]
        advice = " or ".join(f"pos_label={shown(label)}" for label in choices)
        raise InputError(f"pos_label={shown(pos_label)} is not among the labels {listed(found)}; pass {advice}")


def _missing(name: str, index: Iterable[object]) -> str:
    return f"{_entry(name, index)} is missing; fill it in, or leave the example out"


def _merged(name: str) -> str:
    return f"{name} holds numbers that float64 does not keep apart, as integers beyond 2**53; pass their ranks"


def _entry(name: str, index: Iterable[object]) -> str:
    """Return the name of one entry, such as ``y_score[3]``."""
    return f"{name}[{', '.join(map(str, index))}]"


def require_two_of_each(positive: BoolArray) -> None:
    """Refuse a class with a single example, whose scores have no estimable variance.

    :raises InputError: if so
    """
    if min(positive.sum(), (~positive).sum()) < 2:
        raise InputError("a class has a single example, so that its variance is unknown; pass two or more of each")


# -- Examples in the order of their scores -----------------------------------------------------------------------------


class Ranking(NamedTuple):
    """Examples in increasing order of score: scores, labels and weights (None: 1 each)."""

    score: FloatArray
    positive: BoolArray
    weight: FloatArray | None


def rank(examples: Examples, *, stable: bool = False) -> Ranking:
    """Return examples in increasing order of score.

    :param stable: let examples of one score stand in the order in which they are given
    """
    order: NDArray[np.intp] = np.argsort(examples.score, kind="stable" if stable else None)
    weight = None if examples.weight is None else examples.weight[order]
    return Ranking(examples.score[order], examples.positive[order], weight)


def last_of_ties(score: FloatArray) -> BoolArray:
    """Mark, in sorted scores, the last of each group of ties.

    >>> import numpy as np
    >>> last_of_ties(np.array([1.0, 1.0, 2.0])).tolist()
    [False, True, True]
    """
    last = np.ones(score.size, dtype=np.bool_)
    np.not_equal(score[1:], score[:-1], out=last[:-1])
    return last


# -- Validate rates and shares -----------------------------------------------------------------------------------------


def checked_rate(value: object, name: str, what: str = "a rate") -> float:
    """Validate a rate; return it as a float.

    :raises InputError: if it is not a real number from 0 to 1

    >>> checked_rate(1, "tpr")
    1.0
    """
    if isinstance(value, Real) and (is_within(value, 1) or value in (0, 1)):
        return float(value)
    raise InputError(f"{name}={shown(value)} is not {what}; pass a number from 0 to 1")


def checked_shares(values: ArrayLike, name: str, what: str) -> FloatArray:
    """Validate shares; return them as an array.

    :param what: of what they are shares, or how one is computed
    :raises InputError: if one is not a number from 0 to 1

    >>> checked_shares([0, 0.5], "c", "c = c1/(c0 + c1)")
    array([0. , 0.5])
    """
    try:
        found = np.asarray(values, dtype=np.float64)
    except (OverflowError, TypeError, ValueError):
        found = np.asarray(np.nan)
    if not bool(((found >= 0) & (found <= 1)).all()):
        raise InputError(f"{name}={shown(values)} is not within [0, 1]; pass shares {what}")
    return found


def checked_prior(prior: float) -> float:
    """Validate a prior; return it as a float.

    :raises InputError: if it is not a real number strictly between 0 and 1, in float64 too

    >>> checked_prior(0.25)
    0.25
    """
    if is_within(prior, 1):
        return float(prior)
    raise InputError(f"prior={shown(prior)} is not strictly between 0 and 1; pass the share of class 1")


def is_within(value: object, upper: float) -> bool:
    """Whether a value is a real number strictly between 0 and a bound, also after rounding to float64.

    >>> is_within(1, 2), is_within(True, 2), is_within(10**400, float("inf"))
    (True, False, False)
    """
    if isinstance(value, bool) or not isinstance(value, Real):
        return False
    try:
        return 0 < float(value) < upper
    except OverflowError:
        return False


def is_whole(value: object) -> bool:
    """Whether a value is an integer of Python or NumPy, and not a bool.

    >>> is_whole(2), is_whole(2.0), is_whole(True)
    (True, False, False)
    """
    return isinstance(value, Integral) and not isinstance(value, bool)
