"""Two columns of labels as a table of pairs: how often each true label goes with each predicted one."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.numeric.counts import FloatArray
from symmetrics.numeric.encoding import IntegerArray, Passed, in_order, listed
from symmetrics.numeric.factorise import Factor, wrapped
from symmetrics.numeric.gate import admit
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing

_BLOCK: Final = 1 << 16
_MOST_PAIRS: Final = 1 << 22
"""Pairs of labels that are counted in a matrix of all that there could be; of more, those that occur are sorted."""
_FEW_PAIRS: Final = 1 << 16
"""Pairs that fit a processor's cache, whether all of them occur or not."""


class Coded(NamedTuple):
    """The distinct pairs of a true and a predicted label, as positions in a list of labels, and how often each occurs.

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
        """Return the classes x classes matrix of (weighted) counts, the labels of the pairs being at these places."""
        counts = np.bincount(true * classes + predicted, self.weight, classes * classes)
        return counts.astype(np.float64, copy=False).reshape(classes, classes)


def encode(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    sample_weight: ArrayLike | None,
    missing: Missing = "refuse",
) -> Coded:
    """Return the pairs of true and predicted labels, as positions in the list of those that occur: in the order of
    their categories if both columns have the same ordered ones, and else sorted if they can be.

    :raises InputError: as :func:`~symmetrics.numeric.gate.admit`
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
    """Return the pairs of places of labels that occur, and what the examples of each add up to."""
    columns, examples = len(predicted.labels), len(true.codes)
    size = len(true.labels) * columns
    # Many labels: sorting the pairs that occur; few: counting all pairs that could.
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
    """Return a number for the pair of labels of each example: the place of its true one times *columns*, plus that of
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
    """Return one example of each pair of labels, with the weight of all: every metric of labels is the same for them.

    >>> distinct_examples(encode(["a", "b", "a"], ["a", "a", "a"], None))
    (['a', 'b'], ['a', 'a'], array([2., 1.]))
    """
    true, predicted = (
        Passed([coded.labels[place] for place in places.tolist()], coded.order)
        for places in (coded.true, coded.predicted)
    )
    return true, predicted, coded.weight


def restricted(coded: Coded, labels: list[Hashable]) -> Coded:
    """Return the examples whose label and prediction are both among some labels."""
    position = {label: index for index, label in enumerate(labels)}
    places = np.array([position.get(label, -1) for label in coded.labels], dtype=np.intp)
    true, predicted = places[coded.true], places[coded.predicted]
    if not (true >= 0).any():
        raise InputError(f"no example of y_true is of a label among {listed(labels)}; they are {listed(coded.labels)}")
    kept = (true >= 0) & (predicted >= 0)
    return Coded(true[kept], predicted[kept], coded.weight[kept], labels)
