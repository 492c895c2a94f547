"""Confusion matrices in files: as pandas, R, caret, scikit-learn and NumPy write or print them, and as JSON.

Which way round a matrix is, true classes in its rows or predicted ones, is never guessed: the file's own words say it,
or the user does.  Rows and columns are matched by name.
"""

from __future__ import annotations

import csv
import json
import re
import shlex
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import takewhile
from os import PathLike
from typing import Final, Literal, NamedTuple, TypeAlias

import numpy as np

from symmetrics.data.counts import FloatArray
from symmetrics.data.encoding import listed
from symmetrics.data.spelling import in_label_order, spelling_of
from symmetrics.tools.arguments import is_mark
from symmetrics.tools.errors import InputError, shortened
from symmetrics.tools.files import read_text, source_name
from symmetrics.tools.texts import number_of

# -- Words in tables that mark truth and prediction --------------------------------------------------------------------


_TRUTH: Final = re.compile(r"actuals?|ground ?truth|gold|observed|real|references?|targets?|true|truth|y ?true|y test")
_PREDICTION: Final = re.compile(r"classified as|guess(?:es)?|preds?|predicted|predictions?|y ?hat|y ?pred(?:icted)?")
_FREQUENCY: Final = re.compile(r"freq|frequency|frequencies|counts?|n|number|examples", re.IGNORECASE)
"""Names of a column with numbers of examples."""
_NOUNS: Final = re.compile(r" (?:class|classes|condition|label|labels|value|values)$")
_TURNED: Final = ("prediction", "truth")
_ARROWS: Final = re.compile("[←↑→↓⇒⇓↔↕]|->|<-")
_BETWEEN: Final = re.compile(r"\s*(?:[\\/|,]|\bvs?\.?\b|\bby\b)\s*", re.IGNORECASE)
_PREFIX: Final = re.compile(r"([A-Za-z]+(?:[ _]?(?:true|pred|hat|class|label))?)[\s:_.=-]+(\S.*)")


class Side(NamedTuple):
    """Truth or prediction on one side of a table, and the word in the file that says so."""

    what: Literal["truth", "prediction"]
    word: str


def side_of(text: str) -> Side | None:
    """Read a word as truth or prediction; None if it is neither.

    >>> side_of("y_true"), side_of("df$Predicted"), side_of("y")
    (Side(what='truth', word='y_true'), Side(what='prediction', word='df$Predicted'), None)
    """
    word = re.sub(r"[\s_.:-]+", " ", text.rpartition("$")[2]).strip().casefold()
    word = _NOUNS.sub("", word)
    if _TRUTH.fullmatch(word):
        return Side("truth", text.strip())
    return Side("prediction", text.strip()) if _PREDICTION.fullmatch(word) else None


def stated_sides(corner: str, above: str = "") -> dict[str, Side]:
    r"""Orientation stated by the words in a table's corner and above its columns.

    Two words in the corner are those of the rows and of the columns; beside arrows they say nothing.

    >>> {axis: side.what for axis, side in stated_sides("true \\ predicted").items()}
    {'rows': 'truth', 'columns': 'prediction'}
    >>> {axis: side.what for axis, side in stated_sides("Prediction", "Reference").items()}
    {'rows': 'prediction', 'columns': 'truth'}
    """
    if _ARROWS.search(corner) or _ARROWS.search(above):
        return {}
    parts = [corner, above]
    if not above and side_of(corner) is None:
        halves = _BETWEEN.split(corner)
        if len(halves) == 1:
            halves = corner.split()
        parts = halves if len(halves) == 2 else [corner, ""]
    found = {axis: side_of(part) for axis, part in zip(("rows", "columns"), parts, strict=True)}
    return {axis: side for axis, side in found.items() if side is not None}


def sides_of_names(names: Iterable[str]) -> Side | None:
    """Orientation stated by every row (or column) name, as in ``Predicted cat``.

    >>> sides_of_names(["Predicted cat", "Predicted dog"])
    Side(what='prediction', word='Predicted')
    """
    every = list(names)
    found = [side_of(match[1]) if (match := _PREFIX.fullmatch(name)) else None for name in every]
    return found[0] if len(set(found)) == 1 and len(set(map(without_side, every))) == len(every) else None


def without_side(name: str) -> str:
    """Return the name of a class without a leading word such as "Predicted".

    >>> without_side("Predicted: cat")
    'cat'
    """
    match = _PREFIX.fullmatch(name)
    return name if match is None else match[2]


def asked_for_frequencies(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str | None:
    """Return command-line options for reading a file of label pairs with frequencies; None for others.

    >>> asked_for_frequencies(["", "Prediction", "Reference", "Freq"], [["1", "a", "a", "5"]])
    '--truth Reference --prediction Prediction --frequency Freq'
    """
    named = [name for name in header if name]
    number = next((name for name in named if _FREQUENCY.fullmatch(name)), None)
    others = [name for name in named if name != number]
    if number is None or len(others) != 2:
        return None
    first, second = (header.index(name) for name in others)
    pairs = [(row[first], row[second]) for row in rows if len(row) == len(header)]
    if len(set(pairs)) < len(pairs) or {one for one, _ in pairs}.isdisjoint(other for _, other in pairs):
        return None
    sides = [side_of(name) for name in others]
    is_turned = any(side is not None and side.what == what for side, what in zip(sides, _TURNED, strict=True))
    truth, prediction = map(shlex.quote, others[::-1] if is_turned else others)
    known = "" if any(sides) else f", or --truth {prediction} --prediction {truth} if {prediction} is the truth"
    return f"--truth {truth} --prediction {prediction} --frequency {shlex.quote(number)}{known}"


# ----------------------------------------------------------------------------------------------------------------------


Rows: TypeAlias = Literal["truth", "prediction"]
Cells: TypeAlias = list[list[str]]

_NUMBER: Final = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_SUMS: Final = frozenset({"all", "total", "totals", "sum", "sums"})
"""Names for a row or a column of sums in pandas, R and elsewhere."""
_MOST: Final = 2000
"""Largest number of classes of a matrix."""
_FORMS: Final = (
    "a square table of numbers, with or without the names of the classes, separated by commas, semicolons, tabs or "
    "blanks, or a JSON list of lists"
)


@dataclass(frozen=True)
class MatrixFile:
    """A confusion matrix read from a file.

    :param classes: the names, in the order of the rows
    :param matrix: how many examples of each class, a row, are predicted as each class; whole numbers if all are whole
    :param rows: what the rows of the file are; empty if it does not matter
    :param reading: how the file was read, in words
    """

    source: str
    classes: tuple[str, ...]
    matrix: tuple[tuple[float, ...], ...]
    rows: str
    reading: str


class _Table(NamedTuple):
    """Numbers, row and column names if present, and all other words near them."""

    numbers: FloatArray
    rows: list[str] | None
    columns: list[str] | None
    corner: str = ""
    above: str = ""
    """What the columns are (truth or prediction), by a word above their names."""


def read_matrix(path: str | PathLike[str], rows: str | None = None) -> MatrixFile:
    r"""Read a confusion matrix from a file; ``-`` is standard input.

    :param rows: what the rows are, ``"truth"`` or ``"prediction"``; None if the file says it
    :raises InputError: on a file that holds no such matrix, one that does not say which way round it is, and on a
        *rows* that the file contradicts

    >>> import tempfile
    >>> from pathlib import Path
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     file = Path(folder) / "table.txt"
    ...     _ = file.write_text("          Reference\nPrediction  no yes\n       no   8   1\n       yes  2   9\n")
    ...     found = read_matrix(file)
    >>> found.classes, found.matrix, found.rows
    (('no', 'yes'), ((8, 2), (1, 9)), 'prediction')
    """
    source = source_name(path)
    table = _parsed(read_text(path, needs=f"; a confusion matrix is {_FORMS}"), source)
    table, sides = _with_sides(table, source)
    table = _without_sums(table, source)
    matrix, classes, told = _matched(table, source)
    _check_numbers(matrix, source)
    side, why = _orientation(matrix, sides, rows, source)
    if side == "prediction":
        matrix = matrix.T
    whole = bool((np.rint(matrix) == matrix).all())
    cells = tuple(tuple(int(number) if whole else float(number) for number in row) for row in matrix.tolist())
    return MatrixFile(source, tuple(classes), cells, side, "; ".join([why, *told]))


# -- parsing -----------------------------------------------------------------------------------------------------------


def _parsed(text: str, source: str) -> _Table:
    """Parse the table in a text of any supported form."""
    if text.lstrip().startswith(("[", "{", "array(")):
        if (found := _from_json(text[: text.rfind("]") + 1].strip().removeprefix("array("), text, source)) is not None:
            return found
        text = re.sub(r"[\[\]]", " ", text)  # NumPy's brackets
    lines = [line.strip("\r\n") for line in text.splitlines() if line.strip()]
    delimiter = next((mark for mark in "\t;," if sum(mark in line for line in lines) > len(lines) / 2), None)
    if delimiter is None:
        words = csv.reader((" ".join(line.split()) for line in lines), delimiter=" ")
        return _from_words([line for line in words if line], source)
    rows = csv.reader(lines, delimiter=delimiter, skipinitialspace=True)
    return _from_cells([[field.strip() for field in row] for row in rows if any(map(str.strip, row))], source)


def _from_json(array: str, text: str, source: str) -> _Table | None:
    try:
        data = json.loads(text if text.lstrip()[0] == "{" else array)
    except ValueError:
        if text.lstrip()[0] == "{":
            raise InputError(f"{source}: this is no JSON; a confusion matrix is {_FORMS}") from None
        return None
    names = None
    if isinstance(data, dict):
        names = next((data[key] for key in ("classes", "labels") if isinstance(data.get(key), list)), None)
        data = next((data[key] for key in ("matrix", "confusion_matrix") if key in data), None)
    if not isinstance(data, list) or not all(isinstance(row, list) for row in data):
        raise InputError(f"{source}: this JSON is no list of lists of numbers; a confusion matrix is {_FORMS}")
    named = None if names is None else list(map(str, names))
    table = _square([list(map(str, row)) for row in data], source, named)
    if named is not None and len(named) != len(data):
        rows = number_of(len(data), "row")
        raise InputError(f"{source}: {number_of(len(named), 'name')} of classes for a matrix of {rows}; name each")
    return table


def _from_words(lines: Cells, source: str) -> _Table:
    """Parse a table of words and numbers separated by blanks, as printed by R, pandas and NumPy.

    A row is a name, of any words, and its numbers; the line above the first row has the names of the columns, and
    perhaps that of what the rows are; that above it what the columns are.
    """
    width = _width(lines)
    first = next((place for place, line in enumerate(lines) if _is_row(line, width)), None)
    if first is None or width == 0:
        raise InputError(f"{source}: no table of numbers; a confusion matrix is {_FORMS}")
    # The table's rows are consecutive lines that end with the same number of numbers; the lines above name the columns.
    last = next((place for place in range(first, len(lines)) if not _is_row(lines[place], width)), len(lines))
    body = lines[first:last]
    if all(len(line) == width for line in body):
        if len(body) == width:
            return _square(body, source)
        if len(body) == width + 1:  # the first line has the column names
            return _square(body[1:], source, body[0])
        width -= 1  # the row names are numbers, too
    elif len(body[0]) == width:  # the column names are numbers, without a word before them
        first, body = first + 1, body[1:]
    rows, numbers = [" ".join(line[:-width]) for line in body], [line[-width:] for line in body]
    head = lines[first - 1] if first else []
    above = lines[first - 2] if first > 1 else []
    if len(head) == 1 and len(above) == width + 1 > 2:  # pandas: a line of its own says what the rows are
        return _square(numbers, source)._replace(rows=rows, columns=above[1:], corner=head[0], above=above[0])
    # The line above: perhaps a word for the rows, and the column names, which may contain blanks.
    named = " ".join(rows).split()
    if len(head) - width not in (0, 1) and head[-len(named) :] == named:  # names that contain blanks
        corner, columns = head[: -len(named)], list(rows)
    else:
        corner, columns = head[: len(head) - width], head[len(head) - width :]
    if len(columns) != width or len(corner) > 3:
        raise InputError(
            f"{source}: the line above the numbers does not name each of {number_of(width, 'column')}; write the table "
            "with commas between names and numbers"
        )
    told = " ".join(above) if len(above) <= 3 else ""
    return _square(numbers, source)._replace(rows=rows, columns=columns, corner=" ".join(corner), above=told)


def _width(lines: Cells) -> int:
    """Return the most frequent number of trailing numbers in consecutive lines."""
    ends = [len(list(takewhile(_is_number, reversed(line)))) for line in lines]
    widths = [end for end in ends if end > 1] or [end for end in ends if end]
    return max(widths, key=widths.count, default=0)


def _is_row(line: Sequence[str], width: int) -> bool:
    return len(line) >= width and all(map(_is_number, line[-width:]))


def _is_number(word: str) -> bool:
    return _NUMBER.fullmatch(word) is not None


def _from_cells(rows: Cells, source: str) -> _Table:
    """Parse a table of fields with separators."""
    if len(rows) > _MOST + 2:
        raise InputError(f"{source}: {number_of(len(rows), 'row')}, and {_MOST} is the most that are read")
    above = ""
    if len(rows) > 2 and sum(map(bool, rows[0])) == 1 and len(rows[0]) == len(rows[1]) > 2:
        above, rows = " ".join(rows[0]).strip(), rows[1:]  # a line of its own says what the columns are
    head, body = rows[0], rows[1:]
    if all(map(_is_number, head)) and len(rows) == len(head):
        return _square(rows, source)
    if all(head) and len(body) == len(head) and all(_is_row(row, len(head)) for row in body) and not side_of(head[0]):
        return _square(body, source, head)
    if not body:
        raise InputError(f"{source}: a single row; a confusion matrix is {_FORMS}")
    if (asked := asked_for_frequencies(head, body)) is not None:
        raise InputError(f"{source} has a row for each pair of labels; leave --matrix out, and write {asked}")
    if len(body[0]) == len(head) + 1:  # R's write.table: no name above the row names
        head = ["", *head]
    numbers, columns, corner = [row[1:] for row in body], head[1:], head[0]
    return _square(numbers, source)._replace(rows=[row[0] for row in body], columns=columns, corner=corner, above=above)


def _square(numbers: Cells, source: str, names: list[str] | None = None) -> _Table:
    """Return a table of numbers, whose rows and columns may have the same names.

    :raises InputError: on rows of several lengths, and on what is no number
    """
    widths = {len(row) for row in numbers}
    if len(widths) != 1:
        told = " and of ".join(number_of(width, "number") for width in sorted(widths))
        raise InputError(f"{source}: rows of {told}; a confusion matrix is {_FORMS}")
    for place, row in enumerate(numbers, 1):
        for word in row:
            if not _is_number(word):
                what = f"{shortened(word)!r} where a number of examples belongs" if word else "an empty field; write 0"
                raise InputError(f"{source}: row {place} has {what}; a confusion matrix is {_FORMS}")
    return _Table(np.array(numbers, dtype=np.float64), names, names)


# -- orientation -------------------------------------------------------------------------------------------------------


def _with_sides(table: _Table, source: str) -> tuple[_Table, dict[str, Side]]:
    """Strip words such as "Predicted" from class names; return what they say of rows and columns."""
    told = stated_sides(table.corner, table.above)
    named = {"rows": sides_of_names(table.rows or ()), "columns": sides_of_names(table.columns or ())}
    if named["rows"] != named["columns"]:  # the same word on both sides is part of the class names
        for axis, side in named.items():
            if side is None:
                continue
            if told.setdefault(axis, side).what != side.what:
                raise InputError(f"{source}: the words of the file contradict each other about its {axis}; rename them")
            bare = [without_side(name) for name in (table.rows if axis == "rows" else table.columns) or ()]
            table = table._replace(rows=bare) if axis == "rows" else table._replace(columns=bare)
    if "rows" in told and "columns" in told and told["rows"].what == told["columns"].what:
        raise InputError(f"{source}: its words call both rows and columns the {told['rows'].what}; rename one of both")
    return table, told


def _orientation(
    matrix: FloatArray, sides: dict[str, Side], rows: str | None, source: str
) -> tuple[Literal["truth", "prediction", ""], str]:
    """Return what the rows are (truth or prediction), and why."""
    words = " and ".join(repr(side.word) for side in sides.values())
    said: Literal["truth", "prediction"] | None = None
    if sides:
        is_truth = sides["rows"].what == "truth" if "rows" in sides else sides["columns"].what == "prediction"
        said = "truth" if is_truth else "prediction"
    if rows is not None and said is not None and rows != said:
        raise InputError(
            f"{source}: its rows are the {said}, by {words}, and --rows {rows} says the contrary; leave --rows out, or "
            "correct the file"
        )
    if said is not None:
        return said, f"rows are the {said}, by {words}"
    if rows is not None:
        return ("truth" if rows == "truth" else "prediction"), f"rows are the {rows}, by --rows"
    if (matrix == matrix.T).all():
        return "", "rows and columns have the same numbers, so that it does not matter which are the truth"
    raise InputError(
        f"{source} does not say which way round it is; add --rows truth if each row is a true class, as scikit-learn "
        "writes it, or --rows prediction if each row is a predicted class, as in R's caret"
    )


# -- counts ------------------------------------------------------------------------------------------------------------


def _without_sums(table: _Table, source: str) -> _Table:
    """Remove a row and a column of sums, if present."""
    numbers, rows, columns = table.numbers, table.rows, table.columns
    if rows is None or columns is None:
        return table
    for axis, names in enumerate((rows, columns)):
        if len(names) > 2 and names[-1].casefold() in _SUMS and numbers.shape[axis] == len(names):
            last, others = np.take(numbers, -1, axis), np.delete(numbers, -1, axis)
            if not np.allclose(others.sum(axis=axis), last, rtol=1e-9, atol=0):
                what = "row" if axis == 0 else "column"
                told = f"the {what} {names[-1]!r} is not the sum of the others"
                raise InputError(f"{source}: {told}; leave it out, or rename the class")
            numbers = others
            rows, columns = (rows[:-1], columns) if axis == 0 else (rows, columns[:-1])
    return table._replace(numbers=numbers, rows=rows, columns=columns)


def _matched(table: _Table, source: str) -> tuple[FloatArray, list[str], list[str]]:
    """Return the matrix with rows and columns in one order, its classes, and remarks on changes."""
    numbers, rows, columns = table.numbers, table.rows, table.columns
    if rows is None or columns is None:
        if numbers.shape[0] != numbers.shape[1]:
            shape = f"{number_of(numbers.shape[0], 'row')} and {number_of(numbers.shape[1], 'column')}"
            raise InputError(f"{source}: {shape} of numbers; a confusion matrix is {_FORMS}")
        named = [str(place) for place in range(len(numbers))]
        return numbers, named, [f"no class has a name: they are called 0 to {named[-1]}"]
    spelling = spelling_of({*rows, *columns})
    rows, columns = ([spelling(name) for name in names] for names in (rows, columns))
    for what, names in (("rows", rows), ("columns", columns)):
        if len(set(names)) < len(names) or not all(names):
            twice = next((name for name in names if names.count(name) > 1), "")
            fault = f"two {what} are called {twice!r}" if twice else f"one of the {what} has no name"
            raise InputError(f"{source}: {fault}; give each class a name of its own")
    if set(rows).isdisjoint(columns):
        raise InputError(
            f"{source}: the rows are {listed(rows)} and the columns {listed(columns)}; a confusion matrix has the same "
            "classes in both"
        )
    for name in (*rows, *columns):
        if is_mark(name):
            raise InputError(
                f"{source}: {name!r} stands for missing labels; leave its row and column out, or rename it"
            )
    classes = rows if set(rows) == set(columns) else in_label_order([*rows, *columns])
    # Match entries by names; classes that lack a row or a column get zeros there.
    matrix = np.zeros((len(classes), len(classes)))
    place = {name: index for index, name in enumerate(classes)}
    matrix[np.ix_([place[name] for name in rows], [place[name] for name in columns])] = numbers
    told = ["the rows have no names, and are in the order of the columns"] if table.rows is table.columns else []
    for what, names in (("row", rows), ("column", columns)):
        if lacking := [name for name in classes if name not in names]:
            told.append(f"no {what} for {listed(lacking)}, taken for zeros")
    return matrix, classes, told


def _check_numbers(matrix: FloatArray, source: str) -> None:
    if len(matrix) < 2:
        raise InputError(f"{source}: one class; metrics compare classes, so that two are needed")
    if (matrix < 0).any():
        raise InputError(f"{source}: {matrix.min():g} is negative, and these are numbers of examples; correct it")
    if not np.isfinite(matrix).all():
        raise InputError(f"{source}: a number is too large; write numbers of examples")
    if not matrix.any():
        raise InputError(f"{source}: every number is 0; a confusion matrix counts examples")
    # Shares: all rows, or all columns, sum to 1 or to 100 within the rounding of two digits.
    for axis, what in ((1, "row"), (0, "column")):
        sums = matrix.sum(axis=axis)
        for whole in (1.0, 100.0):
            is_share = (np.rint(matrix) != matrix).any() and np.isclose(sums, whole, rtol=0, atol=whole * 0.005)
            if (is_share | (sums == 0)).all():
                raise InputError(
                    f"{source}: each {what} adds up to {whole:g}, so that these are shares, in which the sizes of the "
                    "classes are lost; write numbers of examples"
                )
