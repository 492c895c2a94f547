"""Multiclass ROC analysis: one-vs-rest and pairwise (Hand & Till)."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Hashable, Iterable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from symmetrics.curves.examples import BoolArray, Examples, as_score_array, checked_rate, is_whole, read_examples
from symmetrics.curves.geometry import area_if_any
from symmetrics.curves.roc import RocCurve, curve_of
from symmetrics.data.counts import FloatArray, shown
from symmetrics.data.encoding import checked_labels, listed
from symmetrics.data.frames import column_places, same_columns
from symmetrics.data.gate import admit, example_weights
from symmetrics.numeric.averaging import NamedClasses, WeightedClasses, given_weights, weighted_mean
from symmetrics.numeric.classes import indicator_matrix, is_indicator, label_places
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

_MEANS = ("macro", "weighted")


class ColumnsOfClasses(NamedTuple):
    """Class scores of examples: the classes of the columns, each example's class index, and weights."""

    classes: list[Hashable]
    codes: NDArray[np.intp]
    scores: FloatArray
    weight: FloatArray | None

    def against_the_rest(self) -> Iterator[Examples]:
        """Yield the examples for each class against all others."""
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
    :param missing: treatment of examples without a label, as for :func:`symmetrics.curves.roc_curve`
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
    average: str | WeightedClasses | ArrayLike = "macro",
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the mean of the areas under the ROC curves of each class against the others, Σ w·AUC/Σ w.

    A class of *labels* without examples has no area, and is left out.

    :param average: ``"macro"`` for the plain mean; ``"weighted"`` for that weighted by the classes' frequencies
        (Provost & Domingos 2000; AUNP of Ferri, Hernández-Orallo & Modroiu 2009); a relevance, matched by class, or one
        weight per class in the order of the columns, as Branco, Torgo & Ribeiro (2017, equation 4) weigh the recall
    :raises InputError: on another *average*, on weights that do not fit the classes, and as :func:`one_vs_rest_curves`

    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3]]
    >>> one_vs_rest_auc(["a", "a", "b", "c"], scores, average="weighted").__round__(6)
    0.833333
    >>> one_vs_rest_auc(["a", "a", "b", "c"], scores, average=[0, 1, 1]).__round__(6)
    0.666667
    """
    if isinstance(average, str) and average not in _MEANS:
        choices = ", ".join(map(repr, _MEANS))
        raise InputError(f"average={shown(average)} is unknown; pass {choices}, a relevance or one weight per class")
    columns = read_columns(y_true, y_score, labels, sample_weight, missing=missing)
    weights = np.ones(len(columns.classes))
    if isinstance(average, NamedClasses):
        weights = given_weights(average.ordered(columns.classes), weights.size)
    elif not isinstance(average, str):
        weights = given_weights(average, weights.size)
    elif average == "weighted":
        weights = np.bincount(columns.codes, columns.weight, weights.size).astype(np.float64)
    areas = np.array([area_if_any(examples) for examples in columns.against_the_rest()])
    return float(weighted_mean(areas, weights))


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
    """Return the mean over pairs of classes of a measure, averaged over both directions, ignoring nan.

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
    """Return the classes (those of *labels* may be absent), and for each example that counts the index of its
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
    """Return the classes of the columns, after checking that all examples belong to them."""
    if labels is None:
        try:
            classes: list[Hashable] = sorted(occurring)  # type: ignore[type-var]  # raises if they are not comparable
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


# -- Averages over many columns of scores, one per class or label; top-k accuracy and the DET curve --------------------


_AVERAGES: Final = ("macro", "weighted", "micro", "samples")


@advising(
    "pass y_true, y_score and settings by name, as in pos_label='yes'; scikit-learn takes scoring='roc_auc', or a "
    "scorer that make_scorer makes"
)
def roc_auc(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    multi_class: str = "ovr",
    average: str | None = "macro",
    max_fpr: float | None = None,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float | FloatArray:
    """Return the area under the ROC curve: binary, multi-class, or multi-label.

    One column of scores is that of the positive class, as for :func:`symmetrics.auc`.  Of several, each column is that
    of one class against all others, or of one label against its absence where *y_true* is an indicator matrix; one in
    which all examples are alike has no area: it is nan, and left out of a mean.

    :param y_score: of shape (examples,) or (examples, classes): the higher, the more it speaks for the class
    :param multi_class: ``"ovr"``, or ``"ovo"`` for the mean over all pairs of classes (Hand & Till 2001, equation 7)
    :param average: of several columns: ``"macro"``; ``"weighted"`` by the examples of each class, or of each pair;
        ``"micro"`` puts all columns into one; ``"samples"`` takes the area of each row; None returns one area a
        column
    :param max_fpr: take the standardised partial area, up to this false positive rate
    :param labels: the classes of the columns, by default those that occur, sorted; of an indicator matrix, the numbers
        of the columns that count, by default all
    :param pos_label: the positive class, of one column
    :param sample_weight: a non-negative weight per example; one of weight 0 is as one left out
    :param missing: treatment of examples without a label, as for :func:`symmetrics.curves.roc_curve`; of an
        indicator matrix nothing may be missing
    :raises InputError: on labels and scores that do not fit together, on a single class, and on unknown averages

    >>> roc_auc([0, 1, 1, 0], [0.1, 0.4, 0.35, 0.35])
    0.875
    >>> scores = [[0.7, 0.2, 0.1], [0.3, 0.4, 0.3], [0.2, 0.5, 0.3], [0.1, 0.6, 0.3]]
    >>> [round(roc_auc(["a", "a", "b", "c"], scores, multi_class=name), 4) for name in ("ovr", "ovo")]
    [0.7778, 0.7083]
    """
    highest = 1.0 if max_fpr is None else checked_rate(max_fpr, "max_fpr")
    if highest == 0:
        raise InputError("max_fpr=0 leaves no part of the curve; pass a rate above 0")
    measure = partial(area_if_any, highest=highest)
    if np.ndim(as_score_array(y_score, "y_score")) == 1:
        return measure(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing))
    if multi_class not in ("ovr", "ovo"):
        raise InputError(f"multi_class={shown(multi_class)} is unknown; pass 'ovr' or 'ovo'")
    if multi_class == "ovo" and not is_indicator(y_true):
        if average not in ("macro", "weighted"):
            raise InputError(f"average={shown(average)} does not go with multi_class='ovo'; pass 'macro' or 'weighted'")
        columns = read_columns(y_true, y_score, labels, sample_weight, missing=missing)
        return mean_over_pairs(measure, columns, by_size=average == "weighted")
    return _averaged(measure, _read(y_true, y_score, labels, sample_weight, missing), average)


@advising()
def average_precision(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    average: str | None = "macro",
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float | FloatArray:
    """Return the average precision: precision at each threshold, weighted by the increase in recall.

    It is the area under the steps of the precision-recall curve, without interpolation, and 1 of positive examples
    alone.  Without positive examples there is none: a column of such is left out of a mean, one score each is refused.

    :param y_score: as for :func:`roc_auc`, and so are the other arguments
    :raises InputError: as :func:`roc_auc`

    >>> average_precision([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8]).__round__(4)
    0.8333
    """
    if np.ndim(as_score_array(y_score, "y_score")) == 1:
        return _precision_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing, negatives=False))
    return _averaged(_precision_of, _read(y_true, y_score, labels, sample_weight, missing), average)


@advising("pass y_true, y_score and settings by name, as in k=2")
def top_k_accuracy(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    k: int = 2,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> float:
    """Return the share of examples whose class is among the *k* with the highest scores.

    Where classes tie for the last of these places, each has its share of them: two that tie for one place count half.

    :param y_score: of shape (examples, classes)
    :param labels: the classes of the columns, by default those that occur, sorted; some of them need not occur
    :param sample_weight: a non-negative weight per example
    :raises InputError: on a *k* that is no number of classes, and as :func:`roc_auc`

    >>> scores = [[0.5, 0.2, 0.3], [0.3, 0.4, 0.3], [0.2, 0.4, 0.4], [0.7, 0.2, 0.1]]
    >>> top_k_accuracy([0, 1, 2, 2], scores), top_k_accuracy([0, 1, 2, 2], scores, k=1)
    (0.75, 0.625)
    """
    classes, codes, scores, weight = read_columns(y_true, y_score, labels, sample_weight, missing=missing)
    if not is_whole(k) or not 1 <= k <= len(classes):
        raise InputError(f"k={shown(k)} is no number of classes; pass a whole number from 1 to {len(classes)}")
    own = scores[np.arange(len(codes)), codes][:, None]
    higher, tied = np.count_nonzero(scores > own, axis=1), np.count_nonzero(scores == own, axis=1)
    shares = np.clip((k - higher) / tied, 0.0, 1.0)
    return float(np.average(shares, weights=weight))


@dataclass(frozen=True, eq=False)
class DetCurve:
    """The detection error tradeoff; ``fpr, fnr, thresholds = curve`` unpacks it as scikit-learn's function returns it.

    :param fpr: the false positive rate at each threshold, falling
    :param fnr: the false negative rate, rising
    :param thresholds: rising; infinity where no score is reached
    """

    fpr: FloatArray
    fnr: FloatArray
    thresholds: FloatArray

    def __iter__(self) -> Iterator[FloatArray]:
        return iter((self.fpr, self.fnr, self.thresholds))


@advising()
def det_curve(
    y_true: Iterable[Hashable],
    y_score: ArrayLike,
    *,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> DetCurve:
    """Return false positive against false negative rates, from the threshold without misses to the one with
    no false alarm, both the tightest (Martin et al. 1997).

    :raises InputError: as :func:`symmetrics.curves.roc_curve`

    >>> fpr, fnr, thresholds = det_curve([0, 0, 1, 1], [0.1, 0.4, 0.35, 0.8])
    >>> fpr.tolist(), fnr.tolist(), thresholds.tolist()
    ([0.5, 0.5, 0.0], [0.0, 0.5, 0.5], [0.35, 0.4, 0.8])
    """
    curve = curve_of(read_examples(y_true, y_score, pos_label, sample_weight, missing=missing))
    first = int(np.searchsorted(curve.fp, 0.0, side="right")) - 1
    last = int(np.searchsorted(curve.tp, curve.tp[-1]))
    part = slice(first, last + 1)
    fnr = curve.fn[part] / curve.positives
    return DetCurve(curve.fpr[part][::-1], fnr[::-1], curve.thresholds[part][::-1])


@dataclass(frozen=True, eq=False)
class _Columns:
    """For each column: which examples are positive, their scores, and weights."""

    positive: BoolArray
    score: FloatArray
    weight: FloatArray | None


def _read(
    y_true: Any, y_score: ArrayLike, labels: Iterable[Hashable] | None, given: ArrayLike | None, missing: Missing
) -> _Columns:
    if not is_indicator(y_true):
        classes, codes, scores, weight = read_columns(y_true, y_score, labels, given, missing=missing)
        return _Columns(codes[:, None] == np.arange(len(classes)), scores, weight)
    positive, scores = indicator_matrix(y_true, "y_true"), as_score_array(y_score, "y_score")
    if positive.shape != scores.shape:
        raise InputError(f"y_true has shape {positive.shape} and y_score {scores.shape}; pass a score per label")
    if (places := same_columns(y_true, y_score, ("y_true", "y_score"))) is not None:
        scores = scores[:, places]
    if labels is not None:
        chosen = label_places(labels, scores.shape[1])
        positive, scores = positive[:, chosen], scores[:, chosen]
    if given is None:
        return _Columns(positive, scores, None)
    weight = example_weights(given, len(scores))
    counts = weight > 0
    return _Columns(positive[counts], scores[counts], weight[counts])


def _averaged(measure: Callable[[Examples], float], columns: _Columns, average: str | None) -> float | FloatArray:
    """Return the mean of a measure over columns or rows, ignoring undefined ones."""
    positive, score, weight = columns.positive, columns.score, columns.weight
    if average is not None and average not in _AVERAGES:
        raise InputError(f"average={shown(average)} is unknown; pass {', '.join(map(repr, _AVERAGES))} or None")
    if average == "micro":
        each = None if weight is None else _repeated(weight, positive.shape[1])
        return measure(Examples(positive.reshape(-1), score.reshape(-1), each))
    if average == "samples":
        values = [measure(Examples(*row, None)) for row in zip(positive, score, strict=True)]
        return float(weighted_mean(np.array(values), np.ones(len(values)) if weight is None else weight))
    values = [measure(Examples(*column, weight)) for column in zip(positive.T, score.T, strict=True)]
    if average is None:
        return np.array(values)
    sizes = positive.sum(axis=0) if weight is None else weight @ positive
    return float(weighted_mean(np.array(values), np.ones(len(values)) if average == "macro" else sizes))


def _repeated(weight: FloatArray, times: int) -> FloatArray:
    """Repeat each weight; scale all of them if their sum would overflow."""
    fits = float(weight.sum()) <= np.finfo(np.float64).max / times
    return np.repeat(weight if fits else weight / times, times)


def _precision_of(examples: Examples) -> float:
    """Return the average precision, nan without positive examples."""
    if not bool(examples.positive.any()):
        return np.nan
    curve = curve_of(examples)
    tp, fp = curve.tp[1:], curve.fp[1:]
    return min(1.0, float(np.sum(np.diff(curve.tp) / curve.tp[-1] * (tp / (tp + fp)))))  # rounding may exceed 1
