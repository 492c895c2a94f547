"""Scores of many classes: each class against the others, and every pair of classes."""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.areas import area, auc_of
from symmetrics.curves.examples import Examples, as_labels, as_sample_weight, as_score_array
from symmetrics.curves.roc import RocCurve, curve_of
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import checked_labels
from symmetrics.numeric.labels import listed
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import column_places
from symmetrics.tools.words import number_of

__all__ = ["ColumnsOfClasses", "hand_till", "one_vs_rest_auc", "one_vs_rest_curves", "read_columns"]

_AVERAGES = ("macro", "weighted")


class ColumnsOfClasses(NamedTuple):
    """Scores of classes: the classes of the columns, the place of each example's among them, and what each weighs."""

    classes: list[Hashable]
    codes: NDArray[np.intp]
    scores: FloatArray
    weight: FloatArray | None


def one_vs_rest_curves(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
) -> dict[Hashable, RocCurve]:
    """Return the ROC curve of each class against all the others, by class.

    :param y_score: the scores, of shape (examples, classes): the higher in a column, the more they speak for its class;
        of a data frame, the columns that are named after the classes are taken by name
    :param labels: the classes of the columns, by default those that occur, sorted
    :param sample_weight: a non-negative weight per example, 1 by default; examples of weight 0 do not count
    :raises InputError: unless every class has examples and a column of finite scores, on a single class, and on weights
        that are negative or not finite

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
    >>> {label: curve.tpr.tolist() for label, curve in one_vs_rest_curves(["a", "a", "b", "c"], scores).items()}
    {'a': [0.0, 0.5, 1.0, 1.0, 1.0], 'b': [0.0, 1.0, 1.0, 1.0, 1.0], 'c': [0.0, 1.0, 1.0, 1.0]}
    """
    classes, codes, scores, weight = read_columns(y_true, y_score, labels, sample_weight)
    return {label: curve_of(Examples(codes == place, scores[:, place], weight)) for place, label in enumerate(classes)}


def one_vs_rest_auc(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    average: str = "macro",
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the mean of the areas under the ROC curves of each class against the others.

    :param average: ``"macro"`` for the plain mean, ``"weighted"`` for that weighted by the classes' frequencies
        (Provost & Domingos 2000)
    :raises InputError: on another *average*, and as :func:`one_vs_rest_curves`

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3]]
    >>> one_vs_rest_auc(["a", "a", "b", "c"], scores, average="weighted").__round__(6)
    0.833333
    """
    if average not in _AVERAGES:
        raise InputError(f"average={shown(average)} is unknown; pass {' or '.join(map(repr, _AVERAGES))}")
    curves = one_vs_rest_curves(y_true, y_score, labels=labels, sample_weight=sample_weight).values()
    shares = [curve.positives if average == "weighted" else 1.0 for curve in curves]
    return float(np.average([area(curve) for curve in curves], weights=shares))


def hand_till(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
) -> float:
    """Return the multi-class area M of Hand & Till (2001, equation 7), from 0 to 1; 1/2 is chance.

    It is the mean, over all pairs of classes i and j, of (A(i|j) + A(j|i))/2, where A(i|j) is the share of pairs of an
    example of i and one of j of which that of i has the higher score for i, a tie counted as half; the frequencies of
    the classes do not matter.

    :param y_score: the scores, of shape (examples, classes): the higher in a column, the more they speak for its class;
        of a data frame, the columns that are named after the classes are taken by name
    :param labels: the classes of the columns, by default those that occur, sorted
    :param sample_weight: a non-negative weight per example, 1 by default; a pair counts as the product of its two
    :raises InputError: as :func:`one_vs_rest_curves`

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3]]
    >>> hand_till(["a", "a", "b", "c"], scores)
    0.7083333333333334
    """
    classes, codes, scores, weight = read_columns(y_true, y_score, labels, sample_weight)
    members = [np.flatnonzero(codes == place) for place in range(len(classes))]
    areas = []
    for one, other in itertools.permutations(range(len(classes)), 2):
        pair = np.concatenate((members[one], members[other]))
        positive = np.arange(pair.size) < members[one].size
        areas.append(auc_of(Examples(positive, scores[pair, one], None if weight is None else weight[pair])))
    return float(np.mean(areas))


def read_columns(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    labels: Iterable[Hashable] | None,
    sample_weight: ArrayLike | None,
    *,
    all_occur: bool = True,
) -> ColumnsOfClasses:
    """Return the classes, the place among them of each example's, the scores and the weights.

    :param all_occur: refuse a class without examples, of which there is no curve
    :raises InputError: as :func:`one_vs_rest_curves`
    """
    found = as_labels(y_true, "y_true")
    true: list[Hashable] = found if isinstance(found, list) else found.tolist()
    scores = as_score_array(y_score, "y_score")
    if scores.ndim != 2:
        raise InputError(f"y_score has shape {scores.shape}; pass one row per example and one column per class")
    if len(true) != len(scores):
        raise InputError(
            f"y_true has {number_of(len(true), 'label')} and y_score "
            f"{number_of(len(scores), 'row')}; pass one row per example"
        )
    weight = None if sample_weight is None else as_sample_weight(sample_weight, len(true))
    if weight is not None and not weight.all():
        kept = np.flatnonzero(weight)
        true, scores, weight = [true[index] for index in kept], scores[kept], weight[kept]
    named = None if labels is None else checked_labels(labels)
    classes = _classes(true, named, scores.shape[1], all_occur)
    if (columns := column_places(y_score, classes, stated=named is not None)) is not None:
        scores = scores[:, columns]
    place = {label: index for index, label in enumerate(classes)}
    codes = np.fromiter(map(place.__getitem__, true), dtype=np.intp, count=len(true))
    return ColumnsOfClasses(classes, codes, scores, weight)


def _classes(true: list[Hashable], labels: Iterable[Hashable] | None, columns: int, all_occur: bool) -> list[Hashable]:
    """Return the classes of the columns, having checked that each of them, and no other, has examples."""
    occurring = dict.fromkeys(true)
    if labels is None:
        try:
            classes: list[Hashable] = sorted(occurring)  # type: ignore[type-var]  # whether they compare shows here
        except TypeError:
            raise InputError(
                f"the labels {listed(occurring)} cannot be sorted; pass labels= in the columns' order"
            ) from None
    else:
        classes = list(labels)
    if len(classes) != columns:
        advice = "pass one column per class, and their classes in that order as labels="
        raise InputError(
            f"y_score has {number_of(columns, 'column')} and there are "
            f"{number_of(len(classes), 'class')} ({listed(classes)}); {advice}"
        )
    if unknown := [label for label in occurring if label not in dict.fromkeys(classes)]:
        raise InputError(
            f"y_true holds {shown(unknown[0])}, which is not among labels={listed(classes)}; name every class"
        )
    if all_occur and (absent := [label for label in classes if label not in occurring]):
        raise InputError(f"no example that counts is of class {shown(absent[0])}; leave out its column and its label")
    if columns < 2:
        raise InputError(f"there is one class, {shown(classes[0])}; a curve takes examples of at least two")
    return classes
