"""Scores of a file on the command line: small CSV files are read by Python, all others by DuckDB."""

from __future__ import annotations

from typing import Final

from symmetrics.pages.datafiles.file_counts import Wanted
from symmetrics.pages.datafiles.file_scores import Scoring, score_file
from symmetrics.pages.datafiles.opened import is_installed
from symmetrics.pages.datafiles.places import Place, place_of
from symmetrics.pages.report import ScoreReport, score, score_classes
from symmetrics.pages.scoring import against_the_other, read_classes, read_columns
from symmetrics.pages.written_tables import ValueTable
from symmetrics.tools.errors import InputError

__all__ = ["scored_file"]

_SMALL: Final = 1 << 23
"""A CSV file of up to so many bytes is read by Python, which names the line of what is wrong with it."""
_READABLE: Final = 1 << 28
"""One of up to so many is read by Python if DuckDB refuses it; more would not fit into memory."""


def scored_file(name: str, wanted: Wanted, scoring: Scoring, *, progress: bool = False) -> ScoreReport | ValueTable:
    """Return the scores of a file: a report of all examples, or a table with a row for each group.

    A large CSV file is read by DuckDB if it is installed, by the same rules; where it refuses one that is not huge,
    Python reads it and says which line is wrong.

    :raises InputError: on a file, columns, labels or settings that cannot be used
    """
    place = place_of(name)
    if not wanted.prediction and (computed := next(iter(scoring.metrics), None)) is not None:
        raise InputError(f"{computed} is computed from predicted labels; name their column with --prediction")
    is_simple = not wanted.by and wanted.weight is None and wanted.where is None
    if place.path == "-" and not is_simple:
        raise InputError("standard input is read once, without --by, --weight and --where; name a file")
    if not (is_simple and place.is_plain):
        return score_file(place, wanted, scoring, progress=progress)
    if place.size <= _SMALL or not is_installed():
        return _by_python(place, wanted, scoring)
    try:
        return score_file(place, wanted, scoring, progress=progress)
    except InputError:
        if place.size > _READABLE:
            raise
        return _by_python(place, wanted, scoring)


def _by_python(place: Place, wanted: Wanted, scoring: Scoring) -> ScoreReport:
    if scoring.positive is None and not scoring.measures:
        classes = read_classes(place.path, wanted.truth, wanted.prediction)
        if scoring.takes_all(classes.classes, classes.source):
            return score_classes(classes, scoring.lines, scoring.average, scoring.question)
        return score(against_the_other(classes, classes.classes), scoring.metrics, (), scoring.question)
    columns = read_columns(place.path, wanted.truth, wanted.prediction, wanted.score, scoring.positive)
    return score(columns, scoring.metrics, scoring.measures, scoring.question)
