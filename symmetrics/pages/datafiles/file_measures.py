"""Measures of the scores of a file: exact for as many examples as fit into memory, else from a histogram."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Final

import numpy as np

from symmetrics.curves.histograms import BINS, MEASURES, ScoreBins, ScoreHistogram
from symmetrics.curves.measures import OF_POSITIVES_ALONE
from symmetrics.numeric.intervals import Question
from symmetrics.pages.datafiles.file_counts import FileCounts, examples
from symmetrics.pages.datafiles.opened import Opened, duckdb_module, fetched
from symmetrics.pages.datafiles.wanted import Wanted
from symmetrics.pages.report import Score, of_one_class
from symmetrics.pages.uncertainty import Ends

__all__ = ["MOST_IN_MEMORY", "enclosed", "ranked_examples"]

MOST_IN_MEMORY: Final = 1 << 20
"""Of more examples, scores are counted in bins where they are."""
_NO_INTERVAL: Final = Ends(math.nan, math.nan, "", "no interval: of examples that are counted in bins")


def ranked_examples(file: Opened, wanted: Wanted, counts: FileCounts, positive: str) -> tuple[Any, Any]:
    """Return which examples are positive, and their scores."""
    chosen = _with_labels(file, wanted, counts).project(_is_positive(counts, positive).alias("one"), "s")
    columns = chosen.fetchnumpy()
    return tuple(columns["one"].tolist()), tuple(columns["s"].tolist())


def enclosed(
    file: Opened,
    wanted: Wanted,
    counts: FileCounts,
    positive: str,
    measures: Iterable[str],
    question: Question | None = None,
    *,
    progress: bool = False,
) -> tuple[Score, ...]:
    """Return measures of more scores than fit into memory, with how far they may be off.

    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    """
    found = {true == positive for true, _ in counts.pairs}
    if len(found) == 1:
        return tuple(_of_one_class(name, wanted.truth, positive, found == {True}, question) for name in measures)
    histogram = _histogram(file, wanted, counts, positive, progress=progress)
    return tuple(_scored(histogram, name, question) for name in measures)


def _of_one_class(name: str, truth: str, positive: str, is_positive: bool, question: Question | None) -> Score:
    """Return a measure of the scores of one class alone, which few measures have."""
    ends = None if question is None else _NO_INTERVAL
    if is_positive and name in OF_POSITIVES_ALONE:
        return Score(name, 1.0, "", ends)
    return Score(name, math.nan, of_one_class(truth, positive, is_positive), ends)


def _scored(histogram: ScoreHistogram, name: str, question: Question | None) -> Score:
    ends = None if question is None else _NO_INTERVAL
    if name not in MEASURES:
        note = f"takes every score by itself, and these are more than {MOST_IN_MEMORY:,}, counted in {BINS:,} bins"
        return Score(name, math.nan, note, ends)
    found = MEASURES[name](histogram)
    return Score(name, found.value, f"within {_at_most(found.error)}: from {BINS:,} bins" if found.error else "", ends)


def _at_most(error: float) -> str:
    """Return a bound with one digit, rounded up: a smaller one would be none.

    >>> _at_most(3.2e-5), _at_most(0.5), _at_most(9.5e-5)
    ('4e-05', '0.5', '0.0001')
    """
    digits, exponent = f"{error:.16e}".split("e")
    return f"{float(f'{math.ceil(float(digits))}e{exponent}'):.1g}"


def _is_positive(counts: FileCounts, positive: str) -> Any:
    """Return the expression that is true for the positive label, in all its spellings."""
    duckdb = duckdb_module()
    spelled = counts.spellings.get(positive, [])
    if not spelled:
        return duckdb.ConstantExpression(False)
    return duckdb.ColumnExpression("t").cast("VARCHAR").isin(*map(duckdb.ConstantExpression, spelled))


def _with_labels(file: Opened, wanted: Wanted, counts: FileCounts) -> Any:
    """Return the examples, but for those that are left out as a label is missing."""
    duckdb = duckdb_module()
    chosen = examples(file, wanted)
    for label in map(duckdb.ColumnExpression, ("t", "p") if wanted.missing == "drop" else ()):
        chosen = chosen.filter(label.isnotnull())
        if counts.gaps:
            chosen = chosen.filter(label.cast("VARCHAR").isnotin(*map(duckdb.ConstantExpression, counts.gaps)))
    return chosen


def _histogram(file: Opened, wanted: Wanted, counts: FileCounts, positive: str, *, progress: bool) -> ScoreHistogram:
    bins = ScoreBins(*(counts.spread or (0.0, 0.0)), BINS)
    chosen = _with_labels(file, wanted, counts).project(_is_positive(counts, positive).alias("one"), "s")
    place = f"least(floor((s * 0.5 - {bins.start!r}::DOUBLE) / {bins.width!r}::DOUBLE * {BINS}), {BINS - 1})"
    binned = chosen.project(f"{place}::INTEGER AS b, one, s").aggregate(
        "b, count(*) FILTER (one) AS p, count(*) FILTER (NOT one) AS n, min(s) AS low, max(s) AS high", "b"
    )
    rows = np.array(sorted(fetched(file, binned, progress=progress)), dtype=np.float64)
    return ScoreHistogram.of(rows[:, 1], rows[:, 2], rows[:, 3] == rows[:, 4], rows[:, 4])
