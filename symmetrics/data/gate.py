"""The gate: validation of labels, predictions, scores and weights, for every public function.

Every function that takes examples reads them by :func:`admit`, so that what is refused at one door is refused at all:
labels that are missing, columns of different lengths, unusable weights, truth and prediction of different types,
and scores where labels belong.  An example of weight 0 is as one left out.
"""

from __future__ import annotations

import datetime
import math
import re
import sys
import warnings
from collections.abc import Hashable, Iterable, Mapping
from decimal import Decimal
from numbers import Number, Real
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.data.counts import FloatArray, as_weights, shown
from symmetrics.data.encoding import (
    Column,
    IntegerArray,
    MayBeAbsent,
    Passed,
    checked_labels,
    common_order,
    distinct_codes,
    in_order,
    listed,
    meant,
    read_column,
)
from symmetrics.data.factorise import Factor, wrapped
from symmetrics.tools.arguments import Missing, as_missing, is_mark
from symmetrics.tools.errors import InputError, LabelWarning, nearest_names
from symmetrics.tools.texts import number_of

_UNLIKE: Final = "and they have no label in common; write the labels of both alike"
_FRACTION: Final = re.compile(r"[+-]?\d*\.\d+(?:[eE][+-]?\d+)?")


class Admitted(NamedTuple):
    """The examples that count, as validated columns.

    :param columns: the labels of each column, the true ones first
    :param beside: further data of each example, such as scores, by name
    :param weight: the weight of each example, positive; None where all weigh the same
    :param kept: which of the examples that came count; None for all
    :param order: the order of the classes, if all columns state the same one
    """

    columns: list[Factor]
    beside: dict[str, NDArray[Any]]
    weight: FloatArray | None
    kept: NDArray[np.bool_] | None
    order: list[Hashable] | None

    def codes(self) -> list[tuple[list[Hashable], IntegerArray]]:
        """Return, for each column, its distinct labels and each example's integer code."""
        return [distinct_codes(column) for column in self.columns]

    @property
    def labels(self) -> list[Hashable]:
        """The distinct labels of all columns."""
        return list(dict.fromkeys(label for found, _ in self.codes() for label in found))


def admit(
    columns: Mapping[str, Iterable[Hashable]],
    sample_weight: ArrayLike | None = None,
    *,
    beside: Mapping[str, NDArray[Any]] | None = None,
    missing: Missing = "refuse",
) -> Admitted:
    """Validate the columns and return the examples that count.

    :param columns: labels by the names that errors give them: the true ones first, then predictions
    :param sample_weight: a non-negative weight per example; examples of weight 0 do not count
    :param beside: arrays that have been read, such as scores, a row per example
    :param missing: treatment of examples without a label: ``"refuse"`` them, ``"drop"`` them, or ``"keep"`` texts
        that stand for a missing label, such as ``"NA"``, as labels
    :raises InputError: on what is no column of labels, missing labels, columns of different lengths, unusable weights,
        truth and prediction without a label in common that differ in type or spelling, and scores in place of
        predictions

    >>> found = admit({"y_true": ["a", "b", "a"], "y_pred": ["a", "a", "b"]}, [1, 2, 0])
    >>> found.weight.tolist(), found.kept.tolist()
    ([1.0, 2.0], [True, True, False])
    >>> admit({"y_true": ["yes", "no"], "y_pred": [1, 0]})
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: y_true holds the text 'yes' and y_pred the number 1, and they have no label in
    common; write the labels of both alike
    """
    how, others = as_missing(missing), dict(beside or {})
    read = {name: read_column(values, name) for name, values in columns.items()}
    # Lengths first: everything below goes through the columns side by side.
    sizes = {name: len(column.factor.codes) for name, column in read.items()}
    _require_one_length(sizes | {name: len(array) for name, array in others.items()}, others)
    number = next(iter(sizes.values()))
    weight = None if sample_weight is None else example_weights(sample_weight, number)
    # An example counts if its weight is positive and no column is missing its label.
    kept = None if weight is None or weight.all() else weight > 0
    for (name, column), values in zip(read.items(), columns.values(), strict=True):
        lacking = _lacking(column, name, how, values)
        if lacking is not None:
            kept = ~lacking if kept is None else kept & ~lacking
    if kept is not None and not kept.any():
        raise InputError(f"no example of {' and '.join(columns)} is left, as all lack a label or have the weight 0")
    factors = [_only(column.factor, kept) for column in read.values()]
    if not all(isinstance(values, Passed) for values in columns.values()):  # checked before
        _check_predictions(dict(zip(columns, factors, strict=True)))
    return Admitted(
        factors,
        {name: array if kept is None else array[kept] for name, array in others.items()},
        weight if weight is None or kept is None else weight[kept],
        kept,
        common_order(columns.values()),
    )


def named_labels(labels: Iterable[Hashable], occurring: Iterable[Hashable]) -> list[Hashable]:
    """Validate labels given by the user against those that occur.

    :raises InputError: if they are no list of labels, each once, or none of them occurs
    :warns LabelWarning: on labels that do not occur, as a mistyped one does not
    """
    named, found = checked_labels(labels), dict.fromkeys(occurring)
    absent = [label for label in named if label not in found]
    if isinstance(labels, MayBeAbsent) or not absent:
        return named
    if len(absent) == len(named):
        raise InputError(f"labels={listed(named)} has none of the labels that occur, which are {listed(found)}")
    near = nearest_names(str(absent[0]), [label for label in found if isinstance(label, str) and label not in named], 1)
    _warn(
        f"labels names {listed(absent)}, which no example has and none is predicted as; "
        + (f"did you mean {near[0]!r}?" if near else "leave out what is no class of these examples")
    )
    return named


def _warn(message: str) -> None:
    """Warn at the line of the caller outside this package."""
    level, frame = 2, sys._getframe(1)
    while frame.f_back is not None and frame.f_globals.get("__name__", "").partition(".")[0] == "symmetrics":
        level, frame = level + 1, frame.f_back
    warnings.warn(message, LabelWarning, stacklevel=level)


def _require_one_length(sizes: Mapping[str, int], others: Mapping[str, Any]) -> None:
    (first, number), *rest = sizes.items()
    for name, size in rest:
        if size != number:
            unit = "value" if name in others else "prediction"
            raise InputError(f"{first} has {number_of(number, 'label')} and {name} {size}; pass one {unit} per example")


def example_weights(given: ArrayLike, number: int) -> FloatArray:
    """Return the weights of examples.

    :raises InputError: unless they are *number* many, finite, not negative and not all 0, with a finite sum

    >>> example_weights([1, 3], 2)
    array([1., 3.])
    """
    weight = as_weights(given, number, "sample_weight", "example")
    with np.errstate(over="ignore"):
        if not weight.sum() < np.inf:
            raise InputError("sample_weight adds up to more than float64 holds; divide every weight by the largest")
    return weight


def _lacking(column: Column, name: str, how: Missing, values: object) -> NDArray[np.bool_] | None:
    """Mask of examples without a label, None if there are none.

    :raises InputError: if some do, and are not to be dropped
    """
    missing, (labels, codes, offset) = column.missing, column.factor
    if missing is not None and how != "drop":
        place = int(np.argmax(missing))
        raise InputError(f"{name}[{place}] is missing; fill it in, or pass missing='drop' to leave such examples out")
    if how == "keep" or isinstance(values, Passed | range) or isinstance(labels, range):
        return missing
    marks = [place for place, label in enumerate(labels) if is_mark(label)]
    if not marks:
        return missing
    marked = np.isin(codes, [place + offset for place in marks])
    if marked.any() and how != "drop":
        place = int(np.argmax(marked))
        label = labels[int(codes[place]) - offset]
        raise InputError(
            f"{name}[{place}] is {label!r}, which stands for a missing label; pass missing='drop' to leave such "
            "examples out, or missing='keep' if it is a class"
        )
    return marked if missing is None else marked | missing


def _only(factor: Factor, kept: NDArray[np.bool_] | None) -> Factor:
    """Restrict an encoded column to the examples that count and the labels that occur."""
    return factor if kept is None else factor._replace(codes=factor.codes[kept]).compressed()


def _check_predictions(columns: Mapping[str, Factor]) -> None:
    """Refuse predictions whose type cannot match the true labels.

    :raises InputError: saying what they are instead
    """
    (truth, true), *predictions = columns.items()
    for name, predicted in predictions:
        # Types may list labels that do not occur, such as categories: check again with those that do.
        if _fault(truth, true.labels, name, predicted.labels):
            require_alike(truth, true.compressed().labels, name, predicted.compressed().labels)


def require_alike(truth: str, true: Iterable[Hashable], name: str, predicted: Iterable[Hashable]) -> None:
    """Refuse predicted labels whose type cannot match the true labels.

    :param truth, name: name of the two columns in error messages
    :param true, predicted: the labels that occur in each
    :raises InputError: on scores, and on labels without one in common that differ in type or spelling

    >>> require_alike("y", ["cat", "dog"], "guess", ["Cat", "Dog"])
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: y holds 'cat' and guess 'Cat', and they have no label in common; write the
    labels of both alike
    """
    if fault := _fault(truth, true, name, predicted):
        raise InputError(fault)


def _fault(truth: str, true: Iterable[Hashable], name: str, predicted: Iterable[Hashable]) -> str:
    """Return the fault of the predictions given the true labels; empty if there is none."""
    if isinstance(true, range) and isinstance(predicted, range):
        return ""
    # Only predictions have fractions: scores of a classifier in place of its labels.
    numbers = () if isinstance(predicted, range) else predicted
    if (fraction := next(filter(is_fractional, numbers), None)) is not None and not any(map(is_fractional, true)):
        return (
            f"{name} holds {shown(fraction)}, and no true label is a fraction; if these are scores, apply a threshold "
            "first, as in y_score >= 0.5, or take the class with the highest one"
        )
    kinds = _kinds(true), _kinds(predicted)
    if not set(true).isdisjoint(predicted):
        return ""
    # No label in common: a different type or spelling; but a common type with different labels is possible.
    if set(kinds[0]).isdisjoint(kinds[1]):
        (kind, one), (other_kind, other) = (next(iter(found.items())) for found in kinds)
        texts = {meant(str(label)) for label in true}
        advice = f", as by list(map(str, {name}))" if any(meant(str(label)) in texts for label in predicted) else ""
        return f"{truth} holds the {kind} {shown(one)} and {name} the {other_kind} {shown(other)}, {_UNLIKE}{advice}"
    spelled = {_spelled(label): label for label in true if isinstance(label, str)}
    for label in predicted:
        if isinstance(label, str) and len(label) > 1 and _spelled(label) in spelled:
            return f"{truth} holds {shown(spelled[_spelled(label)])} and {name} {shown(label)}, {_UNLIKE}"
    return ""


def _kinds(labels: Iterable[Hashable]) -> dict[str, Hashable]:
    """Return the kinds of labels (number, text, ...), each with an example."""
    if isinstance(labels, range):
        return {"number": labels[0]}
    return {_kind(label): label for label in reversed(list(labels))}


def _kind(label: Hashable) -> str:
    if isinstance(label, str):
        return "text"
    if isinstance(label, Number | np.number | np.bool_ | Decimal):
        return "number"
    return "date" if isinstance(label, datetime.date) else type(label).__name__


def is_fractional(label: Hashable) -> bool:
    """Whether a label is a non-integer number, or the text of one."""
    if isinstance(label, str):
        return _FRACTION.fullmatch(label.strip()) is not None and not float(label).is_integer()
    if isinstance(label, int) or not isinstance(label, Real | Decimal):
        return False
    number: Any = label
    return math.isfinite(number) and bool(number % 1 != 0)


def _spelled(label: str) -> str:
    return label.strip().casefold()


# -- Two columns of labels as a contingency table ----------------------------------------------------------------------


_BLOCK: Final = 1 << 16
_MOST_PAIRS: Final = 1 << 22
"""Up to this many possible pairs of labels are counted in a dense matrix; beyond, occurring pairs are sorted."""
_FEW_PAIRS: Final = 1 << 16
"""Number of pairs that fits a processor's cache, whether all of them occur or not."""


class Coded(NamedTuple):
    """The distinct pairs of true and predicted labels, as indices into a list of labels, with their frequencies.

    :param weight: the number of examples of each pair, or the sum of their weights
    :param order: in which order classes stand, if both columns state one
    :param kept: which of the examples that came count; None for all
    """

    true: IntegerArray
    predicted: IntegerArray
    weight: FloatArray
    labels: list[Hashable]
    order: list[Hashable] | None = None
    kept: NDArray[np.bool_] | None = None

    def matrix(self, true: IntegerArray, predicted: IntegerArray, classes: int) -> FloatArray:
        """Return the classes x classes matrix of (weighted) counts, given the class index of each label."""
        counts = np.bincount(true * classes + predicted, self.weight, classes * classes)
        return counts.astype(np.float64, copy=False).reshape(classes, classes)


def encode(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    sample_weight: ArrayLike | None,
    missing: Missing = "refuse",
) -> Coded:
    """Encode true and predicted labels as indices into the list of occurring labels: in the order of
    their categories if both columns have the same ordered ones, and else sorted if they can be.

    :raises InputError: as :func:`~symmetrics.data.gate.admit`
    """
    admitted = admit({"y_true": y_true, "y_pred": y_pred}, sample_weight, missing=missing)
    (true, predicted), weight, stated = admitted.columns, admitted.weight, admitted.order
    if len(true.labels) * len(predicted.labels) > _FEW_PAIRS:
        true, predicted = true.compressed(), predicted.compressed()
    rows, columns, counts = _joint_counts(true, predicted, weight)
    true_labels = {place: true.labels[place] for place in sorted(set(rows))}
    predicted_labels = {place: predicted.labels[place] for place in sorted(set(columns))}
    order = in_order(dict.fromkeys([*true_labels.values(), *predicted_labels.values()]), stated)
    position = {label: index for index, label in enumerate(order)}
    true_position = {place: position[label] for place, label in true_labels.items()}
    predicted_position = {place: position[label] for place, label in predicted_labels.items()}
    return Coded(
        np.array([true_position[place] for place in rows], dtype=np.intp),
        np.array([predicted_position[place] for place in columns], dtype=np.intp),
        counts,
        order,
        stated,
        admitted.kept,
    )


def _joint_counts(
    true: Factor, predicted: Factor, weight: FloatArray | None
) -> tuple[list[int], list[int], FloatArray]:
    """Return the pairs of label indices that occur, with their total weights."""
    columns, examples = len(predicted.labels), len(true.codes)
    size = len(true.labels) * columns
    # Many labels: sort the pairs that occur; few: count all possible pairs.
    if size > _MOST_PAIRS:
        every = _pairs(true, predicted, slice(None), columns, np.empty(examples, dtype=np.int64))
        found, places, numbers = np.unique(every, return_inverse=True, return_counts=True)
        total = (numbers if weight is None else np.bincount(places, weight)).astype(np.float64)
        return (found // columns).tolist(), (found % columns).tolist(), total
    step = min(max(_BLOCK, size), examples)
    counts, sums = np.zeros(size, dtype=np.intp), np.zeros(size)
    held = np.empty(step, dtype=np.int64)
    for start in range(0, examples, step):
        block = slice(start, start + step)
        pairs = _pairs(true, predicted, block, columns, held)
        counts += np.bincount(pairs, minlength=size)
        if weight is not None:
            sums += np.bincount(pairs, weight[block], size)
    occurring = np.flatnonzero(counts)
    totals = counts.astype(np.float64) if weight is None else sums
    return (occurring // columns).tolist(), (occurring % columns).tolist(), totals[occurring]


def _pairs(true: Factor, predicted: Factor, block: slice, columns: int, held: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return a number for each example's pair of labels: the index of its true one times *columns*, plus that of
    the predicted one.

    The codes may be integers of any width; all is computed modulo 2^64, and what results is small.
    """
    codes = true.codes[block]
    pairs = np.multiply(codes, columns, out=held[: len(codes)], dtype=np.int64, casting="unsafe")
    np.add(pairs, predicted.codes[block], out=pairs, dtype=np.int64, casting="unsafe")
    if shift := true.offset * columns + predicted.offset:
        pairs -= np.int64(wrapped(shift))
    return pairs


def distinct_examples(coded: Coded) -> tuple[Passed, Passed, FloatArray]:
    """One example per distinct pair of labels, weighted by frequency: all label metrics give the same value.

    >>> distinct_examples(encode(["a", "b", "a"], ["a", "a", "a"], None))
    (['a', 'b'], ['a', 'a'], array([2., 1.]))
    """
    true, predicted = (
        Passed([coded.labels[place] for place in places.tolist()], coded.order)
        for places in (coded.true, coded.predicted)
    )
    return true, predicted, coded.weight


def restricted(coded: Coded, labels: list[Hashable]) -> Coded:
    """Keep the examples whose label and prediction are both among *labels*."""
    position = {label: index for index, label in enumerate(labels)}
    places = np.array([position.get(label, -1) for label in coded.labels], dtype=np.intp)
    true, predicted = places[coded.true], places[coded.predicted]
    if not (true >= 0).any():
        raise InputError(f"no example of y_true is of a label among {listed(labels)}; they are {listed(coded.labels)}")
    kept = (true >= 0) & (predicted >= 0)
    return Coded(true[kept], predicted[kept], coded.weight[kept], labels)
