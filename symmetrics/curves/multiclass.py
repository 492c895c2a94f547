"""Scores of many classes: each class against the others, and every pair of classes."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.areas import area_if_any
from symmetrics.curves.examples import Examples, as_score_array
from symmetrics.curves.roc import RocCurve, curve_of
from symmetrics.numeric.averaging import weighted_mean
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import checked_labels, is_hashable, listed
from symmetrics.numeric.gate import admit
from symmetrics.tools.errors import InputError
from symmetrics.tools.frames import column_places
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising
from symmetrics.tools.words import number_of

_MEANS = ("macro", "weighted")


class ColumnsOfClasses(NamedTuple):
    """Scores of classes: the classes of the columns, the place of each example's among them, and what each weighs."""

    classes: list[Hashable]
    codes: NDArray[np.intp]
    scores: FloatArray
    weight: FloatArray | None

    def against_the_rest(self) -> Iterator[Examples]:
        """Yield the examples as those of each class against all others."""
        for place, scores in enumerate(self.scores.T):
            yield Examples(self.codes == place, scores, self.weight)


@advising()
def one_vs_rest_curves(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> dict[Hashable, RocCurve]:
    """Return the ROC curve of each class against all the others, by class.

    :param y_score: the scores, of shape (examples, classes): the higher in a column, the more they speak for its class;
        of a data frame, the columns that are named after the classes are taken by name
    :param labels: the classes of the columns, by default those that occur, sorted
    :param sample_weight: a non-negative weight per example, 1 by default; an example of weight 0 is as one left out
    :param missing: what to do with examples that lack a label, as for :func:`symmetrics.curves.roc_curve`
    :raises InputError: unless every class has examples and a column of finite scores, on a single class, and on weights
        that are negative or not finite

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.3, 0.6]]
    >>> {label: curve.tpr.tolist() for label, curve in one_vs_rest_curves(["a", "a", "b", "c"], scores).items()}
    {'a': [0.0, 0.5, 1.0, 1.0, 1.0], 'b': [0.0, 1.0, 1.0, 1.0, 1.0], 'c': [0.0, 1.0, 1.0, 1.0]}
    """
    columns = read_columns(y_true, y_score, labels, sample_weight, missing=missing)
    found = dict(zip(columns.classes, columns.against_the_rest(), strict=True))
    if absent := [label for label, examples in found.items() if not examples.positive.any()]:
        raise InputError(f"no example that counts is of class {shown(absent[0])}; leave out its column and its label")
    return {label: curve_of(examples) for label, examples in found.items()}


@advising()
def one_vs_rest_auc(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    average: str = "macro",
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the mean of the areas under the ROC curves of each class against the others.

    A class of *labels* without examples has no area, and is left out.

    :param average: ``"macro"`` for the plain mean, ``"weighted"`` for that weighted by the classes' frequencies
        (Provost & Domingos 2000)
    :raises InputError: on another *average*, and as :func:`one_vs_rest_curves`

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3]]
    >>> one_vs_rest_auc(["a", "a", "b", "c"], scores, average="weighted").__round__(6)
    0.833333
    """
    if not is_hashable(average) or average not in _MEANS:
        raise InputError(f"average={shown(average)} is unknown; pass {' or '.join(map(repr, _MEANS))}")
    columns = read_columns(y_true, y_score, labels, sample_weight, missing=missing)
    sizes = np.bincount(columns.codes, columns.weight, len(columns.classes)).astype(np.float64)
    areas = np.array([area_if_any(examples) for examples in columns.against_the_rest()])
    return float(weighted_mean(areas, sizes if average == "weighted" else np.ones(areas.size)))


@advising()
def hand_till(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the multi-class area M of Hand & Till (2001, equation 7), from 0 to 1; 1/2 is chance.

    It is the mean, over all pairs of classes i and j, of (A(i|j) + A(j|i))/2, where A(i|j) is the share of pairs of an
    example of i and one of j of which that of i has the higher score for i, a tie counted as half; the frequencies of
    the classes do not matter.  Pairs with a class of *labels* that has no examples are left out.

    :param y_score: the scores, of shape (examples, classes): the higher in a column, the more they speak for its class;
        of a data frame, the columns that are named after the classes are taken by name
    :param labels: the classes of the columns, by default those that occur, sorted
    :param sample_weight: a non-negative weight per example, 1 by default; a pair counts as the product of its two
    :raises InputError: as :func:`one_vs_rest_curves`

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3]]
    >>> hand_till(["a", "a", "b", "c"], scores)
    0.7083333333333334
    """
    return mean_over_pairs(area_if_any, read_columns(y_true, y_score, labels, sample_weight, missing=missing))


def mean_over_pairs(measure: Callable[[Examples], float], columns: ColumnsOfClasses, *, by_size: bool = False) -> float:
    """Return the mean, over pairs of classes, of the mean of a measure of both against each other, nan left out.

    :param by_size: weigh each pair by its examples
    """
    members = [np.flatnonzero(columns.codes == place) for place in range(len(columns.classes))]
    values, sizes = [], []
    for one, other in itertools.combinations(range(len(members)), 2):
        pair = np.concatenate((members[one], members[other]))
        is_one = np.arange(pair.size) < members[one].size
        weight = None if columns.weight is None else columns.weight[pair]
        both = ((is_one, columns.scores[pair, one]), (~is_one, columns.scores[pair, other]))
        values.append(np.mean([measure(Examples(positive, score, weight)) for positive, score in both]))
        sizes.append(pair.size if weight is None else weight.sum())
    return float(weighted_mean(np.array(values), np.array(sizes) if by_size else np.ones(len(sizes))))


def read_columns(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    labels: Iterable[Hashable] | None,
    sample_weight: ArrayLike | None,
    *,
    missing: Missing = "refuse",
) -> ColumnsOfClasses:
    """Return the classes, of which those of *labels* need not occur, and of each example that counts the place of its
    class among them, the scores and the weight.

    :raises InputError: as :func:`one_vs_rest_curves`
    """
    scores = as_score_array(y_score, "y_score")
    if scores.ndim != 2:
        raise InputError(f"y_score has shape {scores.shape}; pass one row per example and one column per class")
    admitted = admit({"y_true": y_true}, sample_weight, beside={"y_score": scores}, missing=missing)
    ((occurring, codes),), scores = admitted.codes(), admitted.beside["y_score"]
    named = None if labels is None else checked_labels(labels)
    classes = _classes(occurring, named, scores.shape[1])
    if (columns := column_places(y_score, classes, stated=named is not None)) is not None:
        scores = scores[:, columns]
    places = np.array([classes.index(label) for label in occurring], dtype=np.intp)
    return ColumnsOfClasses(classes, places[codes], scores, admitted.weight)


def _classes(occurring: list[Hashable], labels: list[Hashable] | None, columns: int) -> list[Hashable]:
    """Return the classes of the columns, having checked that all examples are of one of them."""
    if labels is None:
        try:
            classes: list[Hashable] = sorted(occurring)  # type: ignore[type-var]  # whether they compare shows here
        except TypeError:
            raise InputError(
                f"the labels {listed(occurring)} cannot be sorted; pass labels= in the columns' order"
            ) from None
    else:
        classes = labels
    if len(classes) != columns:
        advice = "pass one column per class, and their classes in that order as labels="
        raise InputError(
            f"y_score has {number_of(columns, 'column')} and there {'is' if len(classes) == 1 else 'are'} "
            f"{number_of(len(classes), 'class')} ({listed(classes)}); {advice}"
        )
    if unknown := [label for label in occurring if label not in dict.fromkeys(classes)]:
        raise InputError(
            f"y_true holds {shown(unknown[0])}, which is not among labels={listed(classes)}; name every class"
        )
    if columns < 2:
        raise InputError(f"there is one class, {shown(classes[0])}; a curve takes examples of at least two")
    return classes
