"""Labels in a CSV file: the two columns of labels, the class that counts as positive, and the four counts.

A file is UTF-8 text with a header row; commas, semicolons and tabs are recognised as separators by which of them
yields the columns asked for.  Blanks around names and labels do not count, and neither do blank lines.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from typing import NamedTuple

from symmetrics.numeric.encoding import MayBeAbsent, Passed
from symmetrics.numeric.labels import binary_cells, confusion_matrix
from symmetrics.pages.label_columns import (
    NUMBER,
    Spelling,
    check_labels,
    header_of,
    in_label_order,
    is_left_out,
    missing_label,
    nothing_left,
    positive_label,
    records,
    rows_below,
    spelling_of,
)
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text, source_name
from symmetrics.tools.missing import Missing


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
    :param left_out: how many examples were left out as a label is missing; None unless that was asked for
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
    left_out: int | None = None
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
    :param left_out: how many examples were left out as a label is missing; None unless that was asked for
    :param reading: how a table of counts was read, in words; empty for examples
    """

    source: str
    truth: str
    prediction: str
    classes: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    true: tuple[str, ...] = field(default=(), repr=False)
    predicted: tuple[str, ...] = field(default=(), repr=False)
    left_out: int | None = None
    reading: str = ""


class _Columns(NamedTuple):
    """The wanted columns by name, the line on which each of their rows starts, and how many rows were left out."""

    lines: list[int]
    values: Mapping[str, list[str]]
    left_out: int | None = None


def read_columns(
    path: str | PathLike[str],
    truth: str,
    prediction: str,
    score: str | None = None,
    positive: str | None = None,
    *,
    missing: Missing = "refuse",
    without: Collection[int] = (),
    source: str | None = None,
) -> LabelledColumns:
    r"""Read a CSV file and count its labels; ``-`` is standard input.

    Labels are compared as text; where every label is a number, equal numbers are one label, such as ``1``, ``1.0`` and
    ``+1``.

    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels; empty to read scores alone, as if all labels were
        predicted right
    :param score: name of a column of numbers, higher for more positive
    :param positive: the positive class; by default the one that is so by convention, as in 0 and 1 or no and yes.
        With more than two labels it stands against all others.
    :param missing: what to do with examples that lack a label
    :param without: the places of further examples that are left out with these, the first being 0
    :param source: what errors and reports call the file, if not by its path
    :raises InputError: if the file cannot be read or is not such a table, with the line where there is one; on missing
        labels that are not to be left out; and if it does not say which class is positive

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "labels.csv"
    ...     _ = file.write_text("y,guess\nyes,yes\nyes,no\nno,no\nno,no\nNA,no\n")
    ...     found = read_columns(file, "y", "guess", missing="drop")
    >>> found.positive, found.counts, found.left_out
    ('yes', (1, 1, 0, 2), 1)
    """
    source = source_name(path) if source is None else source
    if not prediction and score is None:
        raise InputError(f"{source}: the column of predicted labels has no name; name it")
    wanted, columns = _wanted_columns(path, truth, prediction, score, source)
    columns = _with_labels(columns, wanted[:2], missing, source, without)
    scores = None if score is None else _parse_scores(columns, wanted[2], source)
    truths, predictions, spelling = _two_columns(columns, wanted, source)
    labels = in_label_order([*truths, *predictions])
    chosen = positive_label(labels, None if positive is None else spelling(positive.strip()), source)
    names = (source, wanted[0], prediction and wanted[1])
    found = ClassColumns(*names, tuple(labels), (), tuple(truths), tuple(predictions), columns.left_out)
    return replace(_labelled(found, labels, chosen), score=None if score is None else wanted[2], scores=scores)


def read_frequencies(
    path: str | PathLike[str],
    truth: str,
    prediction: str,
    frequency: str,
    *,
    missing: Missing = "refuse",
    source: str | None = None,
) -> ClassColumns:
    """Read a CSV file with a row for each pair of labels and its number of examples, which may be 0.

    Arguments and errors are those of :func:`read_columns`.

    :param frequency: name of the column of numbers of examples
    """
    source = source_name(path) if source is None else source
    wanted, columns = _wanted_columns(path, truth, prediction, frequency, source)
    columns = _with_labels(columns, wanted[:2], missing, source, ())
    numbers = _parse_scores(columns, wanted[2], source)
    for line, number in zip(columns.lines, numbers, strict=True):
        if number < 0:
            raise InputError(f"{source}, line {line}: {number:g} in column {wanted[2]!r} is no number of examples")
    if not any(numbers):
        raise InputError(f"{source}: every number of examples in column {wanted[2]!r} is 0; give a pair of labels some")
    truths, predictions, _ = _two_columns(columns, wanted, source)
    return _classes(source, wanted, truths, predictions, columns.left_out, numbers)


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
        left_out=columns.left_out,
        reading=columns.reading,
    )


def _cells(columns: ClassColumns, positive: str) -> tuple[float, float, float, float]:
    """Return the four counts of one class against the rest, from the matrix: whole numbers if this has such."""
    matrix, place = columns.matrix, columns.classes.index(positive)
    tp = matrix[place][place]
    fn, fp = sum(matrix[place]) - tp, sum(row[place] for row in matrix) - tp
    return tp, fn, fp, sum(map(sum, matrix)) - tp - fn - fp


def read_classes(
    path: str | PathLike[str],
    truth: str,
    prediction: str,
    *,
    missing: Missing = "refuse",
    without: Collection[int] = (),
    source: str | None = None,
) -> ClassColumns:
    """Read a CSV file of labels of any number of classes; arguments and errors are those of :func:`read_columns`."""
    source = source_name(path) if source is None else source
    wanted, columns = _wanted_columns(path, truth, prediction, None, source)
    columns = _with_labels(columns, wanted, missing, source, without)
    truths, predictions, _ = _two_columns(columns, wanted, source)
    found = _classes(source, wanted, truths, predictions, columns.left_out)
    return replace(found, true=tuple(truths), predicted=tuple(predictions))


def _classes(
    source: str,
    wanted: list[str],
    truths: list[str],
    predictions: list[str],
    left_out: int | None,
    numbers: tuple[float, ...] | None = None,
) -> ClassColumns:
    """Return the confusion matrix of labels, of whole numbers if all *numbers* of examples are whole."""
    labels = in_label_order([*truths, *predictions])
    matrix, _ = confusion_matrix(Passed(truths), Passed(predictions), labels=MayBeAbsent(labels), sample_weight=numbers)
    kind = int if numbers is None or all(number.is_integer() for number in numbers) else float
    cells = tuple(tuple(map(kind, row)) for row in matrix.tolist())
    return ClassColumns(source, wanted[0], wanted[1], tuple(labels), cells, left_out=left_out)


def rows_lacking_labels(path: str | PathLike[str], truth: str, prediction: str) -> set[int]:
    """Return the places of the examples of a CSV file that lack a label, the first being 0."""
    wanted, columns = _wanted_columns(path, truth, prediction, None, source_name(path))
    pairs = zip(*(columns.values[name] for name in wanted), strict=True)
    return {place for place, pair in enumerate(pairs) if any(is_left_out(label, "drop") for label in pair)}


def _wanted_columns(
    path: str | PathLike[str], truth: str, prediction: str, score: str | None, source: str
) -> tuple[list[str], _Columns]:
    wanted = [name.strip() for name in (truth, prediction or truth, *([] if score is None else [score]))]
    if wanted[0] == wanted[1] and prediction:
        raise InputError(f"{source}: column {truth!r} is both truth and prediction; name two columns")
    text = read_text(path, needs="; it needs a header row and a row per example", source=source)
    return wanted, _read_table(text, wanted, source)


def _read_table(text: str, wanted: list[str], source: str) -> _Columns:
    delimiter, header = header_of(text, wanted, source)
    positions = {name: header.index(name) for name in wanted}
    lines: list[int] = []
    values: dict[str, list[str]] = {name: [] for name in positions}
    for line, fields in rows_below(header, itertools.islice(records(text, delimiter, source), 1, None), source):
        lines.append(line)
        for name, position in positions.items():
            values[name].append(fields[position])
    if not lines:
        raise InputError(f"{source} has a header and no rows; add a row per example")
    return _Columns(lines, values)


def _with_labels(
    columns: _Columns, of_labels: list[str], missing: Missing, source: str, without: Collection[int]
) -> _Columns:
    """Return the rows that lack no label.

    :raises InputError: on the first one that does, unless such rows are to be left out, and if none remains
    """
    labels = {name: columns.values[name] for name in of_labels}
    gaps = {label for column in labels.values() for label in set(column) if is_left_out(label, missing)}
    if missing != "drop":
        for name, column in labels.items() if gaps else ():
            place = next((place for place, label in enumerate(column) if label in gaps), None)
            if place is not None:
                raise missing_label(column[place], name, f"{source}, line {columns.lines[place]}")
        return columns
    pairs = enumerate(zip(*labels.values(), strict=True))
    kept = [place not in without and gaps.isdisjoint(pair) for place, pair in pairs]
    values = {name: list(itertools.compress(column, kept)) for name, column in columns.values.items()}
    return _Columns(list(itertools.compress(columns.lines, kept)), values, kept.count(False))


def _two_columns(columns: _Columns, wanted: list[str], source: str) -> tuple[list[str], list[str], Spelling]:
    """Return the true and the predicted labels, and how those are spelled that have several spellings."""
    if not columns.lines:
        raise nothing_left(source)
    truths, predictions = (columns.values[name] for name in wanted[:2])
    spelling = spelling_of({*truths, *predictions})
    truths, predictions = ([spelling(text) for text in column] for column in (truths, predictions))
    check_labels(set(truths), set(predictions), wanted[1], source)
    return truths, predictions, spelling


def _parse_scores(columns: _Columns, name: str, source: str) -> tuple[float, ...]:
    scores = []
    for line, text in zip(columns.lines, columns.values[name], strict=True):
        score = float(text) if NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(score):
            reason = f"{text!r} in column {name!r} is not a finite number"
            raise InputError(f"{source}, line {line}: {reason}; write it as 0.25, or leave the example out")
        scores.append(score)
    return tuple(scores)
