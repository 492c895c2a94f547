"""Scores of a file on the command line: small CSV files are read by Python, all others by DuckDB."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Final

from symmetrics.pages.datafiles.places import Place, Wanted, place_of, rereadable_place
from symmetrics.pages.label_columns import header_of, records
from symmetrics.pages.many_classes import Scoring
from symmetrics.pages.report import ScoreReport, scored
from symmetrics.pages.scoring import ClassColumns, read_classes
from symmetrics.pages.written_tables import ValueTable
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text
from symmetrics.tools.words import number_of

_SMALL: Final = 1 << 23
"""Up to this many bytes, Python reads a CSV file and errors name the line."""
_READABLE: Final = 1 << 28
"""Up to this many bytes, Python reads a CSV file that DuckDB refuses; a larger one would not fit into memory."""


def scored_file(name: str, wanted: Wanted, scoring: Scoring, *, progress: bool = False) -> ScoreReport | ValueTable:
    """Return the scores of a file: a report of all examples, or a table with a row for each group.

    What can be read once, such as standard input, is copied first.  A large CSV file is read by DuckDB if it is
    installed, by the same rules; where it refuses one that is not huge, Python reads it and says which line is wrong.

    :raises InputError: on a file, columns, labels or settings that cannot be used
    """
    if not wanted.prediction and (computed := next(iter(scoring.metrics), None)) is not None:
        raise InputError(f"{computed} is computed from predicted labels; name their column with --prediction")
    with rereadable_place(name) as place:
        is_small = place.is_plain and place.size <= _SMALL
        by_python = place.is_plain and not wanted.by and wanted.weight is None and wanted.where is None
        if by_python and is_small:
            return _by_python(place, wanted, scoring)
        from symmetrics.pages.datafiles.file_scores import score_file
        from symmetrics.pages.datafiles.opened import UnreadRowsError, is_installed

        if by_python and not is_installed():
            return _by_python(place, wanted, scoring)
        try:
            return score_file(place, wanted, scoring, progress=progress, cleaned=is_small)
        except InputError as error:
            if place.size > _READABLE or is_small or not place.is_plain:
                raise
            if by_python:
                return _by_python(place, wanted, scoring)
            if not isinstance(error, UnreadRowsError):
                raise
        return score_file(place, wanted, scoring, progress=progress, cleaned=True)


def scored_matrix(name: str, rows: str | None, scoring: Scoring) -> ScoreReport:
    """Return the scores of the confusion matrix that a file holds.

    :param rows: what its rows are, ``"truth"`` or ``"prediction"``, if the file does not say it
    :raises InputError: on a file that holds none, or does not say which way round it is, and on settings that do not
        fit
    """
    from symmetrics.pages.datafiles.matrix_files import read_matrix

    found = read_matrix(name, rows)
    sides = ("columns", "rows") if found.rows == "prediction" else ("rows", "columns")
    return scored(ClassColumns(found.source, *sides, found.classes, found.matrix, reading=found.reading), scoring)


def scored_counts(counts: Sequence[float], scoring: Scoring) -> ScoreReport:
    """Return the scores of four numbers TP, FN, FP and TN.

    :raises InputError: on numbers that cannot count examples, and on settings that do not fit
    """
    names = ("TP", "FN", "FP", "TN")
    for name, number in zip(names, counts, strict=True):
        if not 0 <= number < math.inf:
            raise InputError(f"--counts: {name} is {number:g}, and it is a number of examples; write one such as 60")
    if not any(counts):
        raise InputError("--counts: every number is 0; at least one example is needed")
    tp, fn, fp, tn = (int(number) if float(number).is_integer() else number for number in counts)
    matrix, classes = ((tn, fp), (fn, tp)), ("negative", "positive")
    return scored(ClassColumns("--counts", "rows", "columns", classes, matrix, reading="TP, FN, FP, TN"), scoring)


def _by_python(place: Place, wanted: Wanted, scoring: Scoring) -> ScoreReport:
    columns = read_classes(place.path, wanted, source=place.source)
    if wanted.frequency is None and scoring.positive is None and not scoring.measures:
        _refuse_pairs(place, columns)
    return scored(columns, scoring)


def _refuse_pairs(place: Place, columns: ClassColumns) -> None:
    """Refuse a table with a row for each pair of labels, whose numbers of examples would be left out.

    :raises InputError: saying how to name their column
    """
    pairs = list(zip(columns.true, columns.predicted, strict=True))
    if not Path(place.path).is_file() or len(set(pairs)) < len(pairs):
        return
    from symmetrics.pages.datafiles.matrix_files import asked_for_frequencies

    text = read_text(place.path, needs="")
    delimiter, header = header_of(text, [columns.truth, columns.prediction], columns.source)
    rows = [fields for _, fields in records(text, delimiter, columns.source)][1:]
    asked = asked_for_frequencies(header, rows)
    if asked is not None and {columns.truth, columns.prediction} <= set(header):
        raise InputError(
            f"{columns.source} has a row for each pair of labels, and a column of numbers; if these are numbers of "
            f"examples, write {asked}, and else leave that column out of the file"
        )


def matrix_advice(name: str, columns: Iterable[str]) -> str | None:
    """Return what to write for a file that looks like a confusion matrix, None for any other.

    :param columns: the names of columns that were asked for; a file that has all of them is no matrix
    """
    try:
        place = place_of(name)
        if not place.is_plain or not Path(place.path).is_file() or place.size > _SMALL:
            return None
        first = read_text(place.path, needs="").lstrip().splitlines()[0]
        from symmetrics.pages.datafiles.matrix_files import read_matrix

        fields = {field.strip(' "') for field in [*re.split(r"[,;\t]", first), *first.split()]}
        if set(columns) and set(columns) <= fields:
            return None
        written = f"symmetrics score --matrix {shlex.quote(name)}"
        try:
            found = read_matrix(place.path)
            told = f", in which {found.reading}"
        except InputError:
            found, told = read_matrix(place.path, "truth"), ""
            written += " --rows truth, or --rows prediction if each row is a predicted class"
    except InputError:
        return None
    return f"it looks like a confusion matrix of {number_of(len(found.classes), 'class')}{told}: write {written}"
