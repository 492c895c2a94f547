"""Labels in a CSV file: the two columns of labels, the class that counts as positive, and the four counts.

A file is UTF-8 text with a header row; commas, semicolons and tabs are recognised as separators by which of them
yields the columns asked for.  Blanks around names and labels do not count, and neither do blank lines.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import Final, NamedTuple

from symmetrics.numeric.encoding import MayBeAbsent, Passed
from symmetrics.numeric.labels import binary_cells, confusion_matrix
from symmetrics.pages.label_columns import (
    check_labels,
    header_of,
    in_label_order,
    is_missing_label,
    positive_label,
    records,
    same_spellings,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text, source_name
from symmetrics.tools.words import number_of

__all__ = [
    "ClassColumns",
    "LabelledColumns",
    "against_the_other",
    "read_classes",
    "read_columns",
    "read_frequencies",
]

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
"""How a score is written; Python's own reader also takes ``1_0`` for 10."""


@dataclass(frozen=True)
class LabelledColumns:
    """What two columns of labels come to: four counts, and the settings that they depend on.

    :param source: the file, as named to the user
    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels; empty if there is none, and scores are measured
    :param positive: the label of the positive class
    :param negatives: the labels counted as negative: one, or all others where one class stands against the rest
    :param counts: the four counts, in the order TP, FN, FP, TN
    :param score: name of the column of scores, None if none was asked for
    :param is_positive: for each example, whether its true label is the positive one
    :param is_predicted: for each example, whether it is predicted to be positive
    :param scores: the score of each example, higher for more positive; None without a column of scores
    :param reading: how a table of counts was read, in words; empty for examples
    """

    source: str
    truth: str
    prediction: str
    positive: str
    negatives: tuple[str, ...]
    counts: tuple[float, float, float, float]
    score: str | None = None
    is_positive: tuple[bool, ...] = field(default=(), repr=False)
    is_predicted: tuple[bool, ...] = field(default=(), repr=False)
    scores: tuple[float, ...] | None = field(default=None, repr=False)
    reading: str = ""

    @property
    def true(self) -> tuple[bool, ...]:
        """The true label of each example, as whether it is the positive one."""
        return self.is_positive

    @property
    def predicted(self) -> tuple[bool, ...]:
        """The predicted label, likewise."""
        return self.is_predicted


@dataclass(frozen=True)
class ClassColumns:
    """What two columns of labels of any number of classes come to: a confusion matrix.

    :param source: the file, as named to the user
    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels
    :param classes: the labels in their order, numbers by size
    :param matrix: how many examples of each class, a row, are predicted as each class
    :param true: the true label of each example; empty where only numbers of examples were read
    :param predicted: the predicted one
    :param reading: how a table of counts was read, in words; empty for examples
    """

    source: str
    truth: str
    prediction: str
    classes: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    true: tuple[str, ...] = field(default=(), repr=False)
    predicted: tuple[str, ...] = field(default=(), repr=False)
    reading: str = ""


class _Columns(NamedTuple):
    """The wanted columns by name, and the line on which each of their rows starts."""

    lines: list[int]
    values: Mapping[str, list[str]]


def read_columns(
    path: str | PathLike[str],
    truth: str,
    prediction: str,
    score: str | None = None,
    positive: str | None = None,
) -> LabelledColumns:
    r"""Read a CSV file and count its labels; ``-`` is standard input.

    Labels are compared as text; where every label is a whole number, ``1.0`` and ``+1`` are the label ``1``.

    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels; empty to read scores alone, as if all labels were
        predicted right
    :param score: name of a column of numbers, higher for more positive
    :param positive: the positive class; by default the one that is so by convention, as in 0 and 1 or no and yes.
        With more than two labels it stands against all others.
    :raises InputError: if the file cannot be read or is not such a table, with the line where there is one; if it holds
        a single label; and if it does not say which class is positive

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "labels.csv"
    ...     _ = file.write_text("y,guess\nyes,yes\nyes,no\nno,no\nno,no\n")
    ...     found = read_columns(file, "y", "guess")
    >>> found.positive, found.counts
    ('yes', (1, 1, 0, 2))
    """
    source = source_name(path)
    if not prediction and score is None:
        raise InputError(f"{source}: the column of predicted labels has no name; name it")
    wanted, columns = _wanted_columns(path, truth, prediction, score)
    scores = None if score is None else _parse_scores(columns, wanted[2], source)
    truths, predictions, same = _two_columns(columns, wanted, source)
    labels = in_label_order([*truths, *predictions])
    chosen = positive_label(labels, None if positive is None else same.get(positive, positive).strip(), source)
    found = ClassColumns(
        source, wanted[0], prediction and wanted[1], tuple(labels), (), tuple(truths), tuple(predictions)
    )
    return replace(_labelled(found, labels, chosen), score=None if score is None else wanted[2], scores=scores)


def read_frequencies(path: str | PathLike[str], truth: str, prediction: str, frequency: str) -> ClassColumns:
    """Read a CSV file with a row for each pair of labels and its number of examples.

    Arguments and errors are those of :func:`read_columns`.

    :param frequency: name of the column of numbers of examples
    """
    source = source_name(path)
    wanted, columns = _wanted_columns(path, truth, prediction, frequency)
    numbers = _parse_scores(columns, wanted[2], source)
    for line, number in zip(columns.lines, numbers, strict=True):
        if number < 0:
            raise InputError(f"{source}, line {line}: {number:g} in column {wanted[2]!r} is no number of examples")
    if not any(numbers):
        raise InputError(f"{source}: every number of examples in column {wanted[2]!r} is 0; give a pair of labels some")
    truths, predictions, _ = _two_columns(columns, wanted, source)
    return _classes(source, wanted, truths, predictions, numbers)


def against_the_other(
    columns: ClassColumns, labels: Collection[str] = (), positive: str | None = None
) -> LabelledColumns:
    """Return columns of classes with one class against the rest.

    :param labels: all classes, also where one does not occur here; by default those that do
    :param positive: the one class; by default, of two classes, the one that is so by convention
    :raises InputError: if it does not occur, and if there is no convention
    """
    every = in_label_order(labels or columns.classes)
    return _labelled(columns, every, positive_label(every, positive, columns.source))


def _labelled(columns: ClassColumns, labels: list[str], positive: str) -> LabelledColumns:
    is_positive = [label == positive for label in columns.true]
    is_predicted = [label == positive for label in columns.predicted]
    if columns.true:
        cells = binary_cells(is_positive, is_predicted, labels=[False, True], pos_label=True)
        tp, fn, fp, tn = (int(cell) for cell in cells)
        counts: tuple[float, float, float, float] = (tp, fn, fp, tn)
    else:
        counts = _cells(columns, positive)
    return LabelledColumns(
        source=columns.source,
        truth=columns.truth,
        prediction=columns.prediction,
        positive=positive,
        negatives=tuple(label for label in labels if label != positive),
        counts=counts,
        is_positive=tuple(is_positive),
        is_predicted=tuple(is_predicted),
        reading=columns.reading,
    )


def _cells(columns: ClassColumns, positive: str) -> tuple[float, float, float, float]:
    """Return the four counts of one class against the rest, from the matrix: whole numbers if this has such."""
    matrix, place = columns.matrix, columns.classes.index(positive)
    tp = matrix[place][place]
    fn, fp = sum(matrix[place]) - tp, sum(row[place] for row in matrix) - tp
    return tp, fn, fp, sum(map(sum, matrix)) - tp - fn - fp


def read_classes(path: str | PathLike[str], truth: str, prediction: str) -> ClassColumns:
    """Read a CSV file of labels of any number of classes; arguments and errors are those of :func:`read_columns`."""
    source = source_name(path)
    wanted, columns = _wanted_columns(path, truth, prediction, None)
    truths, predictions, _ = _two_columns(columns, wanted, source)
    return replace(_classes(source, wanted, truths, predictions), true=tuple(truths), predicted=tuple(predictions))


def _classes(
    source: str,
    wanted: list[str],
    truths: list[str],
    predictions: list[str],
    numbers: tuple[float, ...] | None = None,
) -> ClassColumns:
    """Return the confusion matrix of labels, of whole numbers if all *numbers* of examples are whole."""
    labels = in_label_order([*truths, *predictions])
    matrix, _ = confusion_matrix(Passed(truths), Passed(predictions), labels=MayBeAbsent(labels), sample_weight=numbers)
    kind = int if numbers is None or all(number.is_integer() for number in numbers) else float
    cells = tuple(tuple(map(kind, row)) for row in matrix.tolist())
    return ClassColumns(source, wanted[0], wanted[1], tuple(labels), cells)


def _wanted_columns(
    path: str | PathLike[str], truth: str, prediction: str, score: str | None
) -> tuple[list[str], _Columns]:
    source = source_name(path)
    wanted = [name.strip() for name in (truth, prediction or truth, *([] if score is None else [score]))]
    if wanted[0] == wanted[1] and prediction:
        raise InputError(f"{source}: column {truth!r} is both truth and prediction; name two columns")
    text = read_text(path, needs="; it needs a header row and a row per example")
    return wanted, _read_table(text, wanted, source)


def _two_columns(columns: _Columns, wanted: list[str], source: str) -> tuple[list[str], list[str], dict[str, str]]:
    """Return the true and the predicted labels, and how those are spelled that have several spellings."""
    truths, predictions = (_labels(columns, name, source) for name in wanted[:2])
    same = same_spellings({*truths, *predictions})
    truths, predictions = ([same.get(label, label) for label in column] for column in (truths, predictions))
    check_labels(set(truths), set(predictions), wanted[1], source)
    return truths, predictions, same


def _read_table(text: str, wanted: list[str], source: str) -> _Columns:
    delimiter, header = header_of(text, wanted, source)
    rows = records(text, delimiter, source)
    next(rows)
    positions = {name: header.index(name) for name in wanted}
    lines: list[int] = []
    values: dict[str, list[str]] = {name: [] for name in positions}
    for line, fields in rows:
        if len(fields) != len(header):
            expected = f"the header has {len(header)}"
            raise InputError(
                f"{source}, line {line}: {number_of(len(fields), 'field')} where {expected}; give every column a field"
            )
        lines.append(line)
        for name, position in positions.items():
            values[name].append(fields[position])
    if not lines:
        raise InputError(f"{source} has a header and no rows; add a row per example")
    return _Columns(lines, values)


def _labels(columns: _Columns, name: str, source: str) -> list[str]:
    for line, label in zip(columns.lines, columns.values[name], strict=True):
        if is_missing_label(label):
            what = f"is {label!r}, a missing label" if label else "is empty"
            raise InputError(f"{source}, line {line}: column {name!r} {what}; fill in the label or remove the row")
    return columns.values[name]


def _parse_scores(columns: _Columns, name: str, source: str) -> tuple[float, ...]:
    scores = []
    for line, text in zip(columns.lines, columns.values[name], strict=True):
        score = float(text) if _NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(score):
            reason = f"{text!r} in column {name!r} is not a finite number"
            raise InputError(f"{source}, line {line}: {reason}; write it as 0.25, or leave the example out")
        scores.append(score)
    return tuple(scores)
