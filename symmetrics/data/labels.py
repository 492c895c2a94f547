"""Confusion matrices, and the four cells, counted from labels.

A label is anything that can be hashed and equals itself: numbers, texts, tuples.  None, NaN, NaT and pandas' NA are
missing labels, and so are texts such as ``"NA"`` unless they are kept (:mod:`symmetrics.data.gate`).  Labels that
Python holds equal (``1``, ``1.0`` and ``True``) are one label; ``1`` and ``"1"`` are two.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from typing import Any, Final, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from symmetrics.data.counts import Cells, FloatArray, shown
from symmetrics.data.encoding import checked_labels, in_order, is_hashable, listed
from symmetrics.data.gate import Coded, encode, named_labels, restricted
from symmetrics.tools.arguments import Missing, advising
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

_MOST_CLASSES: Final = 10_000
_CONVENTIONAL: Final = frozenset(
    [
        ("0", "1"),
        ("-1", "1"),
        ("-1", "+1"),
        ("-", "+"),
        ("f", "t"),
        ("false", "true"),
        ("n", "y"),
        ("no", "yes"),
        ("neg", "pos"),
        ("negative", "positive"),
        ("absent", "present"),
    ]
)


def confusion_matrix(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> tuple[FloatArray, list[Hashable]]:
    """Return the k x k matrix C and its k labels: C[i, j] counts examples of label i that are predicted as label j.

    :param labels: the labels and their order; an example counts only if its label and its prediction are both among
        them, as in scikit-learn.  By default every label that occurs, in the order of the categories if both columns
        have the same ordered ones, by pandas, or are the same Enum of polars; else sorted; labels that cannot be
        sorted stand in order of appearance, those of *y_true* first.
    :param sample_weight: a non-negative weight per example, 1 by default; one of weight 0 does not count
    :param missing: treatment of missing labels: ``"refuse"``, ``"drop"`` their examples, or ``"keep"`` texts such as
        ``"NA"`` as labels
    :raises InputError: on labels and weights that cannot be meant (:func:`~symmetrics.data.gate.admit`), on *labels*
        that repeat one, and when no example of *y_true* has one of them
    :warns LabelWarning: on *labels* that do not occur

    >>> matrix, labels = confusion_matrix(["cat", "dog", "cat"], ["cat", "cat", "dog"])
    >>> labels, matrix.tolist()
    (['cat', 'dog'], [[1.0, 1.0], [1.0, 0.0]])
    """
    coded = encode(y_true, y_pred, sample_weight, missing)
    if labels is not None:
        coded = restricted(coded, named_labels(labels, coded.labels))
    return _whole_matrix(coded), coded.labels


def selected_confusion(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
    merged: bool = False,
) -> tuple[FloatArray, list[Hashable], int]:
    """Return the confusion matrix of all examples, its labels, and how many of these are selected (the first ones).

    No example is left out: one of a selected label that is predicted as any other is an error of that label, and one of
    any other label that is predicted as a selected one is an error too.  Not all selected labels need occur.

    :param labels: the labels that are selected, and their order; by default every label that occurs, sorted
    :param merged: count all other labels as one, the last, which does for the cells of the selected ones; it has no
        name among the labels returned
    :param missing: as for :func:`confusion_matrix`
    :raises InputError: as :func:`confusion_matrix`, and if no selected label occurs
    :warns LabelWarning: on selected labels that do not occur

    >>> selected_confusion(["a", "a", "b", "c"], ["a", "c", "b", "b"], labels=["b", "a"])[0].tolist()
    [[1.0, 0.0, 0.0], [0.0, 1.0, 1.0], [1.0, 0.0, 0.0]]
    """
    coded = encode(y_true, y_pred, sample_weight, missing)
    if labels is None:
        return _whole_matrix(coded), coded.labels, len(coded.labels)
    chosen = named_labels(labels, coded.labels)
    others = [label for label in coded.labels if label not in dict.fromkeys(chosen)]
    position = {label: place for place, label in enumerate([*chosen, *others])}
    last = len(chosen) if merged else len(position)
    places = np.array([min(position[label], last) for label in coded.labels], dtype=np.intp)
    coded = coded._replace(true=places[coded.true], predicted=places[coded.predicted])
    if merged:
        return coded.matrix(coded.true, coded.predicted, last + bool(others)), chosen, last
    return _whole_matrix(coded._replace(labels=[*chosen, *others])), [*chosen, *others], len(chosen)


def _whole_matrix(coded: Coded) -> FloatArray:
    classes = len(coded.labels)
    if classes > _MOST_CLASSES:
        raise InputError(
            f"y_true and y_pred hold {number_of(classes, 'label')}, too many; if they are scores, apply a threshold"
        )
    return coded.matrix(coded.true, coded.predicted, classes)


def binary_cells(
    y_true: Iterable[Hashable],
    y_pred: Iterable[Hashable],
    *,
    labels: Iterable[Hashable] | None = None,
    pos_label: Hashable = 1,
    sample_weight: ArrayLike | None = None,
    missing: Missing = "refuse",
) -> Cells:
    """Return the four cells, arrays of shape (), with *pos_label* as the positive class.

    A single label in the data is enough if it is *pos_label*, or if it and *pos_label* are a conventional pair such as
    0 and 1 or "no" and "yes"; naming the two *labels* settles it for any pair.

    :param labels: the two labels; by default those that occur.  They leave no example out: a third label in the data
        is refused, as by scikit-learn.
    :param sample_weight: a non-negative weight per example, 1 by default; one of weight 0 does not count
    :param missing: as for :func:`confusion_matrix`
    :raises InputError: as :func:`confusion_matrix`, on more than two labels, and if *pos_label* is none of them

    >>> binary_cells([1, 1, 0, 0, 0], [1, 0, 0, 0, 1])
    Cells(tp=array(1.), fn=array(1.), fp=array(1.), tn=array(2.))
    >>> binary_cells(["no", "yes"], ["yes", "yes"])
    Traceback (most recent call last):
    symmetrics.tools.errors.InputError: pos_label=1 is not among the labels 'no', 'yes'; pass pos_label='yes'
    """
    coded = encode(y_true, y_pred, sample_weight, missing)
    occurring = coded.labels
    found = occurring if labels is None else _both_labels(checked_labels(labels), occurring)
    if len(found) > 2:
        raise InputError(_too_many_labels(found))
    if is_hashable(pos_label) and pos_label in dict.fromkeys(found):
        position = occurring.index(pos_label) if pos_label in occurring else -1
    elif len(found) == 1 and conventional_positive([found[0], pos_label]) == pos_label:
        position = -1  # no example is positive
    else:
        raise InputError(_absent_positive(found, pos_label))
    true, predicted = ((codes == position).astype(np.intp) for codes in (coded.true, coded.predicted))
    (tn, fp), (fn, tp) = coded.matrix(true, predicted, 2)
    return Cells(*(np.asarray(cell) for cell in (tp, fn, fp, tn)))


def _both_labels(named: list[Hashable], occurring: list[Hashable]) -> list[Hashable]:
    """Return the two labels named by the user, having checked that no other occurs."""
    if len(named) == 1:
        raise InputError(f"labels={listed(named)} names one class; name both, as in labels=[negative, positive]")
    if len(named) == 2 and (others := [label for label in occurring if label not in dict.fromkeys(named)]):
        raise InputError(
            f"label {shown(others[0])} occurs and is not among labels={listed(named)}; leave its examples out, or "
            "pass average='macro' with the labels whose values to average, each against all others"
        )
    return named


def conventional_positive(labels: Iterable[Hashable]) -> Hashable | None:
    """Return the conventionally positive one of two labels, None if there is no convention.

    >>> conventional_positive(["Yes", "No"]), conventional_positive([0, 1]), conventional_positive(["cat", "dog"])
    ('Yes', 1, None)
    """
    pair = list(labels)
    for negative, positive in itertools.permutations(pair, 2) if len(pair) == 2 else ():
        if (_word(negative), _word(positive)) in _CONVENTIONAL:
            return positive
    return None


def positive_beside(label: str) -> str | None:
    """Return the conventional positive label if only one label occurs: that one, or its opposite.

    >>> positive_beside("Yes"), positive_beside("No"), positive_beside("0"), positive_beside("cat")
    ('Yes', 'Yes', '1', None)
    """
    word = _word(label)
    if any(word == positive for _, positive in _CONVENTIONAL):
        return label
    found = max((positive for negative, positive in _CONVENTIONAL if word == negative), default=None)
    styles = (style for style in (str.title, str.upper) if style(label) == label)
    return found if found is None else next(styles, str.lower)(found)


def _word(label: Hashable) -> str:
    if isinstance(label, bool | np.bool_) or (isinstance(label, float | np.floating) and label == np.floor(label)):
        return str(int(label)) if np.isfinite(label) else str(label)
    return str(label).strip().casefold()


def _too_many_labels(found: list[Hashable]) -> str:
    head = f"y_true and y_pred hold {number_of(len(found), 'label')} ({listed(found)}) and this takes two"
    # Panels use this message too, and have no averages.
    return (
        f"{head}; pass average='macro' where it is taken, ask about one label, as in y == {shown(found[-1])}, or take "
        "a metric of all classes together from symmetrics.multiclass"
    )


def _absent_positive(found: list[Hashable], pos_label: Hashable) -> str:
    by_convention = conventional_positive(found)
    choices = found if by_convention is None else [by_convention]
    advice = " or ".join(f"pos_label={shown(label)}" for label in choices)
    if len(found) == 1:
        advice += f", or name both labels, as in labels=[{shown(found[0])}, {shown(pos_label)}]"
    return f"pos_label={shown(pos_label)} is not among the labels {listed(found)}; pass {advice}"


# -- ConfusionMatrix: joint counts of labels that can be updated by batches and added ----------------------------------


class ConfusionMatrix:
    """(Weighted) counts of examples by true and predicted label, for any number of classes.

    It starts empty, or with the examples of :meth:`of`; :meth:`update` adds a batch, and ``+`` adds two of them, with
    the classes of both.  A metric takes it as it takes any confusion matrix, its rows matched by name.

    :param labels: the classes and their order, in which a label that is none of them is an error; by default all that
        occur, in the order of their categories if all columns have the same ordered ones, else sorted if they can be,
        else in order of appearance
    :raises InputError: on *labels* that are not a list of labels, each once

    >>> counts = ConfusionMatrix()
    >>> counts.update(["cat", "dog"], ["cat", "cat"])
    >>> counts.update(["owl", "cat"], ["owl", "cat"])
    >>> counts.labels, counts.matrix.tolist()
    (['cat', 'dog', 'owl'], [[2.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 0.0, 1.0]])
    >>> from symmetrics.library import metrics
    >>> metrics["recall"].from_confusion(counts, average=None).tolist()
    [1.0, 0.0, 1.0]
    """

    @advising("labels are the names of classes; examples go to ConfusionMatrix.of(y_true, y_pred)")
    def __init__(self, labels: Iterable[Hashable] | None = None) -> None:
        given: Any = labels
        if getattr(given, "ndim", 1) > 1 or (
            isinstance(given, list) and given and isinstance(given[0], list | np.ndarray)
        ):
            raise InputError(
                "labels are the names of classes, and this is a matrix; a metric takes one of counts as it is, by "
                "metric.from_confusion(matrix)"
            )
        self._named = None if labels is None else checked_labels(labels)
        self._labels: list[Hashable] = list(self._named or ())
        self._counts: FloatArray = np.zeros((len(self._labels),) * 2)
        self._orders: list[list[Hashable] | None] = []

    @classmethod
    def of(
        cls,
        y_true: Iterable[Hashable],
        y_pred: Iterable[Hashable],
        *,
        labels: Iterable[Hashable] | None = None,
        sample_weight: ArrayLike | None = None,
        missing: Missing = "refuse",
    ) -> Self:
        """Return the counts of some examples.

        :param labels: as for the class
        :param sample_weight, missing: as for :meth:`update`
        :raises InputError: as :meth:`update`

        >>> ConfusionMatrix.of([0, 1, 1], [0, 1, 0], sample_weight=[1, 0.5, 2]).matrix.tolist()
        [[1.0, 0.0], [2.0, 0.5]]
        """
        counts = cls(labels)
        counts.update(y_true, y_pred, sample_weight=sample_weight, missing=missing)
        return counts

    def update(
        self,
        y_true: Iterable[Hashable],
        y_pred: Iterable[Hashable],
        *,
        sample_weight: ArrayLike | None = None,
        missing: Missing = "refuse",
    ) -> None:
        """Add a batch of examples; an invalid batch leaves the counts unchanged.

        :param sample_weight: a non-negative weight per example, 1 by default; one of weight 0 does not count
        :param missing: treatment of missing labels: ``"refuse"``, ``"drop"`` their examples, or ``"keep"`` texts
            such as ``"NA"`` as labels
        :raises InputError: on labels and weights that cannot be meant, and on a label that is not among those that were
            named
        """
        coded = encode(y_true, y_pred, sample_weight, missing)
        self._add(coded.labels, coded)
        if coded.order not in self._orders:
            self._orders.append(coded.order)

    @property
    def labels(self) -> list[Hashable]:
        """The classes, in the order of the rows and columns."""
        if self._named is not None:
            return list(self._labels)
        return in_order(self._labels, self._orders[0] if len(self._orders) == 1 else None)

    @property
    def matrix(self) -> FloatArray:
        """The counts: ``C[i, j]`` is the number of examples of class i predicted as class j."""
        places = [self._labels.index(label) for label in self.labels]
        return self._counts[np.ix_(places, places)]

    @property
    def total(self) -> float:
        """The number of examples, or the sum of their weights."""
        return float(self._counts.sum())

    @property
    def correct(self) -> float:
        """The number of examples that are predicted correctly, or the sum of their weights."""
        return float(np.trace(self._counts))

    @property
    def errors(self) -> float:
        """The number of examples that are predicted wrongly, or the sum of their weights."""
        return float(self._counts[~np.eye(len(self._counts), dtype=np.bool_)].sum())

    columns = index = labels
    """The names by which a metric matches rows and columns, as those of a data frame."""

    def __array__(self, dtype: DTypeLike | None = None, copy: bool | None = None) -> FloatArray:
        return np.asarray(self.matrix, dtype=dtype)

    def __add__(self, other: object) -> ConfusionMatrix:
        if isinstance(other, int) and other == 0:  # the initial value of sum()
            other = ConfusionMatrix(self._named)
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        if self._named != other._named:
            raise InputError(
                f"one of the matrices has the classes {_classes(self._named)} and one {_classes(other._named)}; name "
                "the same labels for both, or for none"
            )
        both = ConfusionMatrix(self._named)
        for part in (self, other):
            rows, columns = np.indices(part._counts.shape).reshape(2, -1)
            both._add(part._labels, Coded(rows, columns, part._counts.reshape(-1), part._labels))
            both._orders += [order for order in part._orders if order not in both._orders]
        return both

    __radd__ = __add__

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ConfusionMatrix):
            return NotImplemented
        return self.labels == other.labels and bool((self.matrix == other.matrix).all())

    __hash__ = None  # type: ignore[assignment]  # mutable

    def __repr__(self) -> str:
        return (
            f"<ConfusionMatrix of {self.total:.15g} examples, {number_of(len(self._labels), 'class')}: "
            f"{listed(self.labels)}>"
        )

    def _add(self, labels: list[Hashable], pairs: Coded) -> None:
        place = {label: index for index, label in enumerate(self._labels)}
        new = [label for label in labels if label not in place]
        if new and self._named is not None:
            raise InputError(f"label {shown(new[0])} occurs and is not among labels={listed(self._named)}; name it too")
        self._labels += new
        place |= {label: index for index, label in enumerate(new, start=len(place))}
        grown = np.zeros((len(place),) * 2)
        grown[: len(self._counts), : len(self._counts)] = self._counts
        places = np.array([place[label] for label in labels], dtype=np.intp)
        np.add.at(grown, (places[pairs.true], places[pairs.predicted]), pairs.weight)
        self._counts = grown


def _classes(named: list[Hashable] | None) -> str:
    return "that occur" if named is None else listed(named)
