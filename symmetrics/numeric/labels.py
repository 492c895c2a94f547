"""Confusion matrices, and the four cells, counted from labels.

A label is anything that can be hashed and equals itself: numbers, texts, tuples.  None, NaN, NaT and pandas' NA are
missing labels, and so are texts such as ``"NA"`` unless they are kept (:mod:`symmetrics.numeric.gate`).  Labels that
Python holds equal (``1``, ``1.0`` and ``True``) are one label; ``1`` and ``"1"`` are two.
"""

from __future__ import annotations

import itertools
from collections.abc import Hashable, Iterable
from typing import Final

import numpy as np
from numpy.typing import ArrayLike

from symmetrics.numeric.coded import Coded, encode, restricted
from symmetrics.numeric.counts import Cells, FloatArray, shown
from symmetrics.numeric.encoding import checked_labels, is_hashable, listed
from symmetrics.numeric.gate import named_labels
from symmetrics.tools.errors import InputError
from symmetrics.tools.missing import Missing
from symmetrics.tools.words import number_of

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
    :param missing: what to do with missing labels: ``"refuse"``, ``"drop"`` their examples, or ``"keep"`` texts such as
        ``"NA"`` as labels
    :raises InputError: on labels and weights that cannot be meant (:func:`~symmetrics.numeric.gate.admit`), on *labels*
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
    """Return the confusion matrix of all examples, its labels, and how many of these are selected: they come first.

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
    """Return the four cells, arrays of shape (), with *pos_label* as the positive class and the other label against it.

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
        position = -1  # nothing is positive
    else:
        raise InputError(_absent_positive(found, pos_label))
    true, predicted = ((codes == position).astype(np.intp) for codes in (coded.true, coded.predicted))
    (tn, fp), (fn, tp) = coded.matrix(true, predicted, 2)
    return Cells(*(np.asarray(cell) for cell in (tp, fn, fp, tn)))


def _both_labels(named: list[Hashable], occurring: list[Hashable]) -> list[Hashable]:
    """Return the two labels that were named, having checked that no other occurs."""
    if len(named) == 1:
        raise InputError(f"labels={listed(named)} names one class; name both, as in labels=[negative, positive]")
    if len(named) == 2 and (others := [label for label in occurring if label not in dict.fromkeys(named)]):
        raise InputError(
            f"label {shown(others[0])} occurs and is not among labels={listed(named)}; leave its examples out, or "
            "pass average='macro' with the labels whose values to average, each against all others"
        )
    return named


def conventional_positive(labels: Iterable[Hashable]) -> Hashable | None:
    """Return the label of two that is positive by convention, None where there is no convention.

    >>> conventional_positive(["Yes", "No"]), conventional_positive([0, 1]), conventional_positive(["cat", "dog"])
    ('Yes', 1, None)
    """
    pair = list(labels)
    for negative, positive in itertools.permutations(pair, 2) if len(pair) == 2 else ():
        if (_word(negative), _word(positive)) in _CONVENTIONAL:
            return positive
    return None


def positive_beside(label: str) -> str | None:
    """Return what is positive by convention where a label occurs alone: itself, or what it is the negative of.

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
    # Panels say this too, and take no average.
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
