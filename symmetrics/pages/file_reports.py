"""Scores of a file on the command line: small CSV files are read by Python, all others by DuckDB."""

from __future__ import annotations

from typing import Any, Final

from symmetrics.pages.datafiles.file_scores import Scoring, score_file
from symmetrics.pages.datafiles.opened import UnreadRowsError, is_installed
from symmetrics.pages.datafiles.places import Place, rereadable_place
from symmetrics.pages.datafiles.wanted import Wanted
from symmetrics.pages.report import ScoreReport, score, score_classes
from symmetrics.pages.scoring import read_classes, read_columns
from symmetrics.pages.written_tables import ValueTable
from symmetrics.tools.errors import InputError

__all__ = ["scored_file"]

_SMALL: Final = 1 << 23
"""A CSV file of up to so many bytes is read by Python, which names the line of what is wrong with it."""
_READABLE: Final = 1 << 28
"""One of up to so many is read by Python if DuckDB refuses it; more would not fit into memory."""


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
        if by_python and (is_small or not is_installed()):
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


def _by_python(place: Place, wanted: Wanted, scoring: Scoring) -> ScoreReport:
    asked: dict[str, Any] = {"missing": wanted.missing, "source": place.source}
    if scoring.average is not None:
        classes = read_classes(place.path, wanted.truth, wanted.prediction, **asked)
        return score_classes(classes, scoring.metrics, scoring.average, scoring.question)
    columns = read_columns(place.path, wanted.truth, wanted.prediction, wanted.score, scoring.positive, **asked)
    return score(columns, scoring.metrics, scoring.measures, scoring.question)
