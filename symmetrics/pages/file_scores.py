"""Scores of a file that DuckDB reads: of all examples, or of each group."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Final, NamedTuple

import numpy as np

from symmetrics.curves.histograms import BINS, MEASURES, ScoreBins, ScoreHistogram
from symmetrics.curves.measures import OF_POSITIVES_ALONE
from symmetrics.data.file_counts import FileCounts, count_labels, examples
from symmetrics.data.grouping import CELLS, GroupCounts
from symmetrics.data.label_files import ClassColumns
from symmetrics.data.opened import Opened, duckdb_module, fetched, opened
from symmetrics.data.places import Place, Wanted
from symmetrics.data.spelling import positive_label
from symmetrics.pages.lines import GroupValues, Scoring, as_arrays, values_of_tables
from symmetrics.pages.score_reports import (
    Score,
    ScoreReport,
    asked_facts,
    asked_words,
    examples_of,
    left_out_facts,
    left_out_words,
    of_one_class,
    score,
    scored,
)
from symmetrics.pages.uncertainty import Ends
from symmetrics.pages.value_tables import ValueTable
from symmetrics.statistics.intervals import Question
from symmetrics.tools.errors import InputError
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from symmetrics.statistics.intervals import Question


# -- Ranking measures of a file's scores: exact for as many examples as fit into memory, else from a histogram ---------


MOST_IN_MEMORY: Final = 1 << 20
"""For more examples, scores are counted in bins by DuckDB."""
_NO_INTERVAL: Final = Ends(math.nan, math.nan, "", "no interval: of examples that are counted in bins")


def ranked_examples(file: Opened, wanted: Wanted, counts: FileCounts, positive: str) -> tuple[Any, Any]:
    """Labels as booleans, and scores."""
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
    """Ranking measures of scores that do not fit into memory, with error bounds.

    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    """
    # A single class has no joint histogram; few measures are defined there.
    found = {true == positive for true, _ in counts.pairs}
    if len(found) == 1:
        return tuple(_of_one_class(name, wanted.truth, positive, found == {True}, question) for name in measures)
    histogram = _histogram(file, wanted, counts, positive, progress=progress)
    return tuple(_scored(histogram, name, question) for name in measures)


def _of_one_class(name: str, truth: str, positive: str, is_positive: bool, question: Question | None) -> Score:
    """Return a measure where all examples have the same class; few are defined then."""
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
    """Round an error bound up to one digit.

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
    """Return the examples without those dropped for a missing label."""
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
    # The bin of a score, computed in halves so that the width of the whole range does not overflow.
    place = f"least(floor((s * 0.5 - {bins.start!r}::DOUBLE) / {bins.width!r}::DOUBLE * {BINS}), {BINS - 1})"
    binned = chosen.project(f"{place}::INTEGER AS b, one, s").aggregate(
        "b, count(*) FILTER (one) AS p, count(*) FILTER (NOT one) AS n, min(s) AS low, max(s) AS high", "b"
    )
    rows = np.array(sorted(fetched(file, binned, progress=progress)), dtype=np.float64)
    return ScoreHistogram.of(rows[:, 1], rows[:, 2], rows[:, 3] == rows[:, 4], rows[:, 4])


# ----------------------------------------------------------------------------------------------------------------------


def score_file(
    place: Place, wanted: Wanted, scoring: Scoring, *, progress: bool = False, cleaned: bool = False
) -> ScoreReport | ValueTable:
    """Return the scores of a file: a report of all examples, or a table with a row for each group.

    :param progress: whether to show a bar on standard error
    :param cleaned: whether Python reads a CSV file first and DuckDB what it makes of it
    :raises InputError: on a file, columns, labels or settings that cannot be used
    """
    if place.kind == "csv":  # the header is read without blanks around names
        wanted = wanted.stripped()
    _check(wanted, scoring)
    with opened(place, wanted, cleaned=cleaned) as file:
        counts = count_labels(file, wanted, progress=progress)
        if scoring.question is not None and not counts.are_whole:
            raise InputError(
                f"{place.source}: an interval is of numbers of examples, which are whole, and some in column "
                f"{wanted.frequency!r} are not; leave --interval out, or name a column of such numbers"
            )
        if wanted.by:
            return _table_of_groups(place, wanted, counts, scoring)
        columns = _columns(place, wanted, counts)
        if scoring.average is not None or not scoring.measures:
            return scored(columns, scoring)
        one = columns.against_the_rest(positive=scoring.positive)
        if sum(counts.pairs.values()) <= MOST_IN_MEMORY:
            is_positive, scores = ranked_examples(file, wanted, counts, one.positive)
            one = replace(one, is_positive=is_positive, scores=scores)
            return score(one, scoring.metrics, scoring.measures, scoring.question)
        # More scores than fit into memory: metrics from the counts, measures from a histogram made by DuckDB.
        report = score(one, scoring.metrics, (), scoring.question)
        found = enclosed(file, wanted, counts, one.positive, scoring.measures, scoring.question, progress=progress)
        return replace(report, scores=(*report.scores, *found))


def _check(wanted: Wanted, scoring: Scoring) -> None:
    if scoring.measures and wanted.score is None:
        raise InputError(f"{scoring.measures[0]} is computed from scores; name their column with --score")
    if wanted.truth == wanted.prediction:
        raise InputError(f"column {wanted.truth!r} is both truth and prediction; name two columns")
    if wanted.by and scoring.measures:
        raise InputError(
            f"{scoring.measures[0]} is computed from the scores of all examples; leave --by out, and name one group "
            "with --where"
        )
    if wanted.weight is not None and (scoring.measures or scoring.question is not None):
        with_interval = scoring.question is not None
        what = "--interval" if with_interval else scoring.measures[0]
        advice = (
            f"; if column {wanted.weight!r} has numbers of examples, name it with --frequency instead; intervals of "
            "sampling weights are computed in Python, by symmetrics.score(..., sample_weight=..., interval=True)"
        )
        raise InputError(
            f"--weight leaves sums of weights, of which {what} cannot be computed; leave one of both out"
            f"{advice if with_interval else ''}"
        )
    if len(set(wanted.by)) < len(wanted.by):
        raise InputError(f"--by names a column twice: {', '.join(wanted.by)}; name each once")


def _columns(place: Place, wanted: Wanted, counts: FileCounts) -> ClassColumns:
    """Return the confusion matrix of all examples; integers if these are numbers of examples."""
    labels, kind, pairs = counts.labels, int if counts.are_whole else float, counts.pairs
    matrix = tuple(tuple(kind(pairs.get((true, predicted), 0)) for predicted in labels) for true in labels)
    names = (place.source, wanted.truth, wanted.prediction, tuple(labels))
    return ClassColumns(*names, matrix, left_out=counts.left_out, score=wanted.score)


def _by_group(counts: FileCounts) -> GroupCounts:
    """Return the counts of each group as columns."""
    place = {label: index for index, label in enumerate(counts.labels)}
    rows = [
        (group, place[true], place[predicted], number)
        for group, pairs in enumerate(counts.groups.values())
        for (true, predicted), number in pairs.items()
    ]
    group, true, predicted, number = map(np.array, zip(*rows, strict=True))
    return GroupCounts(group, true, predicted, number.astype(np.float64), list(counts.labels), len(counts.groups))


class _Groups(NamedTuple):
    """Results by group: columns of example counts, values by metric, and notes that hold for all rows."""

    sizes: dict[str, list[Any]]
    found: dict[str, GroupValues]
    title: list[str]
    facts: dict[str, Any]
    shared: dict[str, float | str]


def _of_classes(place: Place, wanted: Wanted, counts: FileCounts, scoring: Scoring) -> _Groups:
    """Return the metrics of all classes together."""
    by_group, kind = _by_group(counts), int if counts.are_whole else float
    sizes = [kind(sum(pairs.values())) for pairs in counts.groups.values()]
    found = {
        name: as_arrays(by_group, line.metric, {"average": line.average}, scoring.question)
        for name, line in scoring.lines.items()
    }
    by_kind: dict[str, list[str]] = {}
    for name, line in scoring.lines.items():
        by_kind.setdefault(line.kind, []).append(name)
    told = "; ".join(f"{kind}: {', '.join(names)}" for kind, names in by_kind.items())
    kinds = {name: line.kind for name, line in scoring.lines.items()}
    facts = {"source": place.source, "average": scoring.average, "by": wanted.by, "kinds": kinds}
    shared: dict[str, float | str] = {} if scoring.average is None else {"average": scoring.average}
    title = [_title(place, wanted, counts), f"of each group: {told}"]
    return _Groups({"examples": sizes}, found, title, facts, shared)


def _against_the_rest(place: Place, wanted: Wanted, counts: FileCounts, scoring: Scoring) -> _Groups:
    """Return the metrics of one class against the rest."""
    told = None if scoring.positive is None else counts.spelling(scoring.positive.strip())
    positive, kind = positive_label(counts.labels, told, place.source), int if counts.are_whole else float
    tables = _by_group(counts).tables(positive)
    cells = {cell: list(map(kind, column)) for cell, column in zip(CELLS, tables.T.tolist(), strict=True)}
    found = {name: values_of_tables(metric, tables, scoring.question) for name, metric in scoring.metrics.items()}
    facts = {"source": place.source, "positive": positive, "by": wanted.by}
    return _Groups(cells, found, [f"{_title(place, wanted, counts)}, positive {positive!r}"], facts, {})


def _table_of_groups(place: Place, wanted: Wanted, counts: FileCounts, scoring: Scoring) -> ValueTable:
    """Return the scores of each group, a row each: the values of the group, its size, and the metrics.

    :raises InputError: if a column to group by is called as one of the others
    """
    takes_all, question = scoring.takes_all(counts.labels, place.source), scoring.question
    computed = _of_classes if takes_all else _against_the_rest
    sizes, found, title, facts, shared = computed(place, wanted, counts, scoring)
    columns: dict[str, list[Any]] = dict(sizes)
    types = dict(zip(wanted.by, counts.types, strict=True)) | dict.fromkeys(shared, "VARCHAR")
    if counts.are_whole:
        types |= dict.fromkeys(sizes, "BIGINT")
    for name, values in found.items():
        columns[name] = values.values.tolist()
        for ends in values.sure:  # binary scores have one interval at most
            columns[f"{name}_low"], columns[f"{name}_high"] = ends.low.tolist(), ends.high.tolist()
            columns[f"{name}_method"] = np.where(ends.method == "", ends.note, ends.method).tolist()
            types[f"{name}_method"] = "VARCHAR"
    left_out = left_out_facts(counts.left_out)
    shared, facts = {**shared, **left_out}, {**facts, **left_out}
    if question is not None:
        shared["level"] = question.level
        facts["interval"] = asked_facts(question)
        title = [*title, asked_words(question)]
    _check_names(wanted, [*columns, *shared])
    rows = tuple(zip(*zip(*counts.groups, strict=True), *columns.values(), strict=True))
    title = [*title, *left_out_words(counts.left_out)]
    return ValueTable(tuple(title), (*wanted.by, *columns), types, rows, facts, "groups", shared)


def _check_names(wanted: Wanted, columns: Collection[str]) -> None:
    """Refuse a column to group by with the name of a score: one would overwrite the other.

    :raises InputError: naming the first
    """
    for name in wanted.by:
        if name in columns:
            raise InputError(f"--by names column {name!r}, which the table of scores has as well; rename the column")


def _title(place: Place, wanted: Wanted, counts: FileCounts) -> str:
    total = sum(counts.pairs.values())
    size = examples_of(int(total) if counts.are_whole else total)
    return (
        f"{place.source}: {size} in {number_of(len(counts.groups), 'group')}, truth {wanted.truth!r}, prediction "
        f"{wanted.prediction!r}"
    )
