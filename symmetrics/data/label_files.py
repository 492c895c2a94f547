"""Reading two label columns of a CSV file: the positive class and the four counts.

A file is UTF-8 text with a header row; commas, semicolons and tabs are recognised as separators by which of them
yields the columns asked for.  Blanks around names and labels do not count, and neither do blank lines.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, fields, replace
from os import PathLike
from typing import Any, NamedTuple, Self

from symmetrics.data.encoding import MayBeAbsent, Passed
from symmetrics.data.labels import binary_cells, confusion_matrix
from symmetrics.data.places import Wanted
from symmetrics.data.spelling import (
    NUMBER,
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
from symmetrics.tools.arguments import Missing
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text, source_name


@dataclass(frozen=True)
class _TwoColumns:
    """Common base of two columns of labels, counted in either way.

    :param source: the file, as named to the user
    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels; empty if there is none, and scores are measured
    :param score: name of the column of scores, None if none was asked for
    :param scores: the score of each example, higher for more positive; None without a column of scores
    :param left_out: how many examples were left out as a label is missing; None unless that was asked for
    :param reading: how a table of counts was read, in words; empty for examples
    """

    source: str
    truth: str
    prediction: str
    score: str | None = field(default=None, kw_only=True)
    scores: tuple[float, ...] | None = field(default=None, repr=False, kw_only=True)
    left_out: int | None = field(default=None, kw_only=True)
    reading: str = field(default="", kw_only=True)


@dataclass(frozen=True)
class LabelledColumns(_TwoColumns):
    """Two columns of labels, counted for one class against the rest: four counts.

    :param positive: the label of the positive class
    :param negatives: the labels counted as negative: one, or all others
    :param counts: the four counts, in the order TP, FN, FP, TN
    :param is_positive: for each example, whether its true label is the positive one
    :param is_predicted: for each example, whether it is predicted to be positive
    """

    positive: str
    negatives: tuple[str, ...]
    counts: tuple[float, float, float, float]
    is_positive: tuple[bool, ...] = field(default=(), repr=False)
    is_predicted: tuple[bool, ...] = field(default=(), repr=False)

    @property
    def true(self) -> tuple[bool, ...]:
        """Whether each example's true label is the positive one."""
        return self.is_positive

    @property
    def predicted(self) -> tuple[bool, ...]:
        """Whether each example's predicted label is the positive one."""
        return self.is_predicted


@dataclass(frozen=True)
class ClassColumns(_TwoColumns):
    """A confusion matrix read from two label columns.

    :param classes: the labels in their order, numbers by size
    :param matrix: how many examples of each class, a row, are predicted as each class; empty until it is asked for
    :param true: the true label of each example; empty where only numbers of examples were read
    :param predicted: the predicted one
    """

    classes: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...] = ()
    true: tuple[str, ...] = field(default=(), repr=False)
    predicted: tuple[str, ...] = field(default=(), repr=False)

    def counted(self, numbers: tuple[float, ...] | None = None) -> Self:
        """Count the examples: integers if all *numbers* of examples are."""
        if self.matrix:
            return self
        true, predicted, labels = Passed(self.true), Passed(self.predicted), MayBeAbsent(self.classes)
        matrix, _ = confusion_matrix(true, predicted, labels=labels, sample_weight=numbers)
        kind = int if numbers is None or all(number.is_integer() for number in numbers) else float
        return replace(self, matrix=tuple(tuple(map(kind, row)) for row in matrix.tolist()))

    def against_the_rest(self, labels: Collection[str] = (), positive: str | None = None) -> LabelledColumns:
        """Return the columns with one class against the rest.

        :param labels: all classes, also where one does not occur here; by default those that do
        :param positive: the one class; by default, of two classes, the one that is so by convention
        :raises InputError: if it does not occur, and if there is no convention
        """
        every = in_label_order(labels or self.classes)
        told = None if positive is None else spelling_of(every)(positive.strip())
        chosen = positive_label(every, told, self.source)
        is_positive = tuple(label == chosen for label in self.true)
        is_predicted = tuple(label == chosen for label in self.predicted)
        if self.true:
            cells = binary_cells(is_positive, is_predicted, labels=[False, True], pos_label=True)
            tp, fn, fp, tn = (int(cell) for cell in cells)
            counts: tuple[float, float, float, float] = (tp, fn, fp, tn)
        else:
            counts = self._cells(chosen)
        shared = {each.name: getattr(self, each.name) for each in fields(_TwoColumns)}
        others = tuple(label for label in every if label != chosen)
        return LabelledColumns(
            **shared,
            positive=chosen,
            negatives=others,
            counts=counts,
            is_positive=is_positive,
            is_predicted=is_predicted,
        )

    def _cells(self, positive: str) -> tuple[float, float, float, float]:
        """Return the four counts of one class against the rest, as sums of matrix entries."""
        tp = fn = fp = tn = type(self.matrix[0][0])(0)  # integers or floats
        for true, row in zip(self.classes, self.matrix, strict=True):
            for predicted, number in zip(self.classes, row, strict=True):
                if true == positive:
                    tp, fn = (tp + number, fn) if predicted == positive else (tp, fn + number)
                else:
                    fp, tn = (fp + number, tn) if predicted == positive else (fp, tn + number)
        return tp, fn, fp, tn


class _Rows(NamedTuple):
    """The requested columns by name, the first line of each row, and the number of rows left out."""

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
    r"""Read a CSV file and count its labels, one class against the rest; ``-`` is standard input.

    Labels are compared as text; where every label is a number, equal numbers are one label, such as ``1``, ``1.0`` and
    ``+1``.

    :param truth: name of the column of true labels
    :param prediction: name of the column of predicted labels; empty to read scores alone, as if all labels were
        predicted right
    :param score: name of a column of numbers, higher for more positive
    :param positive: the positive class; by default the one that is so by convention, as in 0 and 1 or no and yes.
        With more than two labels it stands against all others.
    :param missing: treatment of examples without a label
    :param without: the indices of further examples that are left out with these, the first being 0
    :param source: name of the file in error messages, by default its path
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
    wanted = Wanted(truth, prediction, score, missing=missing)
    return read_classes(path, wanted, without=without, source=source).against_the_rest(positive=positive)


def read_classes(
    path: str | PathLike[str], wanted: Wanted, *, without: Collection[int] = (), source: str | None = None
) -> ClassColumns:
    """Read a CSV file of labels of any number of classes; other arguments and errors are those of :func:`read_columns`.

    :param wanted: names of columns.  With one of numbers of examples, which may be 0, a row stands for a pair of
        labels, and no examples are kept.
    """
    source = source_name(path) if source is None else source
    if not wanted.prediction and wanted.score is None:
        raise InputError(f"{source}: the column of predicted labels has no name; name it")
    wanted = wanted.stripped()
    rows = _with_labels(_wanted_rows(path, wanted, source), wanted, source, without)
    if not rows.lines:
        raise nothing_left(source)
    scores = None if wanted.score is None else _numbers(rows, wanted.score, source)
    numbers = None if wanted.frequency is None else _frequencies(rows, wanted.frequency, source)
    truths, predictions = (rows.values[name] for name in (wanted.truth, wanted.predicted))
    spelling = spelling_of({*truths, *predictions})
    true, predicted = (tuple(spelling(text) for text in column) for column in (truths, predictions))
    check_labels(set(true), set(predicted), wanted.predicted, source)
    names, labels = (source, wanted.truth, wanted.prediction), tuple(in_label_order([*true, *predicted]))
    beside: dict[str, Any] = {"score": wanted.score, "scores": scores, "left_out": rows.left_out}
    found = ClassColumns(*names, labels, (), true, predicted, **beside)
    return found if numbers is None else replace(found.counted(numbers), true=(), predicted=())


def rows_lacking_labels(path: str | PathLike[str], truth: str, prediction: str) -> set[int]:
    """Return the indices of the examples in a CSV file that are missing a label, from 0."""
    wanted = Wanted(truth, prediction).stripped()
    values = _wanted_rows(path, wanted, source_name(path)).values
    pairs = zip(values[wanted.truth], values[wanted.prediction], strict=True)
    return {place for place, pair in enumerate(pairs) if any(is_left_out(label, "drop") for label in pair)}


def _wanted_rows(path: str | PathLike[str], wanted: Wanted, source: str) -> _Rows:
    """Return the requested columns, as texts."""
    if wanted.truth == wanted.prediction:
        raise InputError(f"{source}: column {wanted.truth!r} is both truth and prediction; name two columns")
    text = read_text(path, needs="; it needs a header row and a row per example", source=source)
    delimiter, header = header_of(text, wanted.columns, source)
    positions = {name: header.index(name) for name in wanted.columns}
    lines: list[int] = []
    values: dict[str, list[str]] = {name: [] for name in positions}
    for line, row in rows_below(header, itertools.islice(records(text, delimiter, source), 1, None), source):
        lines.append(line)
        for name, position in positions.items():
            values[name].append(row[position])
    if not lines:
        raise InputError(f"{source} has a header and no rows; add a row per example")
    return _Rows(lines, values)


def _with_labels(rows: _Rows, wanted: Wanted, source: str, without: Collection[int]) -> _Rows:
    """Return the rows without missing labels.

    :raises InputError: on the first one that does, unless such rows are to be left out
    """
    labels = {name: rows.values[name] for name in (wanted.truth, wanted.predicted)}
    gaps = {label for column in labels.values() for label in set(column) if is_left_out(label, wanted.missing)}
    if wanted.missing != "drop":
        for name, column in labels.items() if gaps else ():
            place = next((place for place, label in enumerate(column) if label in gaps), None)
            if place is not None:
                raise missing_label(column[place], name, f"{source}, line {rows.lines[place]}")
        return rows
    pairs = enumerate(zip(*labels.values(), strict=True))
    kept = [place not in without and gaps.isdisjoint(pair) for place, pair in pairs]
    values = {name: list(itertools.compress(column, kept)) for name, column in rows.values.items()}
    return _Rows(list(itertools.compress(rows.lines, kept)), values, kept.count(False))


def _numbers(rows: _Rows, name: str, source: str) -> tuple[float, ...]:
    """Return the finite numbers of a column.

    :raises InputError: on anything else, with its line
    """
    numbers = []
    for line, text in zip(rows.lines, rows.values[name], strict=True):
        number = float(text) if NUMBER.fullmatch(text) else math.nan
        if not math.isfinite(number):
            reason = f"{text!r} in column {name!r} is not a finite number"
            raise InputError(f"{source}, line {line}: {reason}; write it as 0.25, or leave the example out")
        numbers.append(number)
    return tuple(numbers)


def _frequencies(rows: _Rows, name: str, source: str) -> tuple[float, ...]:
    """Return a column of example counts."""
    numbers = _numbers(rows, name, source)
    for line, number in zip(rows.lines, numbers, strict=True):
        if number < 0:
            raise InputError(f"{source}, line {line}: {number:g} in column {name!r} is no number of examples")
    if not any(numbers):
        raise InputError(f"{source}: every number of examples in column {name!r} is 0; give a pair of labels some")
    return numbers
