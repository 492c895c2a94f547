"""ConfusionMatrix: counts of true and predicted labels that grow as batches of examples come, and add up."""

from __future__ import annotations

from collections.abc import Hashable, Iterable
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from symmetrics.numeric.coded import Coded, encode
from symmetrics.numeric.counts import FloatArray, shown
from symmetrics.numeric.encoding import checked_labels, in_order, listed
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.settings import advising
from symmetrics.tools.words import number_of


class ConfusionMatrix:
    """The (weighted) counts of examples by true and predicted label, of any number of classes.

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
        """Add a batch of examples; if something is wrong with it, nothing of it is added.

        :param sample_weight: a non-negative weight per example, 1 by default; one of weight 0 does not count
        :param missing: what to do with missing labels: ``"refuse"``, ``"drop"`` their examples, or ``"keep"`` texts
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
        """The counts: ``C[i, j]`` examples of class i are predicted to be of class j."""
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
        if isinstance(other, int) and other == 0:  # where sum() starts
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

    __hash__ = None  # type: ignore[assignment]  # it changes

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
