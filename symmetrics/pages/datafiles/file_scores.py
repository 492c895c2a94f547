"""Scores of a file that DuckDB reads: of all examples, or of each group."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from symmetrics.metric import Metric
from symmetrics.numeric.counts import FloatArray
from symmetrics.pages.datafiles.file_counts import FileCounts, count_labels
from symmetrics.pages.datafiles.file_measures import MOST_IN_MEMORY, enclosed, ranked_examples
from symmetrics.pages.datafiles.opened import opened
from symmetrics.pages.datafiles.places import Place
from symmetrics.pages.datafiles.wanted import Wanted
from symmetrics.pages.group_values import GroupCounts, as_arrays, ends_of_tables
from symmetrics.pages.label_columns import positive_label
from symmetrics.pages.report import (
    ScoreReport,
    asked_facts,
    asked_words,
    examples_of,
    left_out_facts,
    left_out_words,
    score,
    score_classes,
)
from symmetrics.pages.scoring import ClassColumns, LabelledColumns
from symmetrics.pages.written_tables import ValueTable
from symmetrics.tools.errors import InputError
from symmetrics.tools.words import number_of

if TYPE_CHECKING:
    from symmetrics.numeric.intervals import Question

__all__ = ["Scoring", "score_file"]


@dataclass(frozen=True)
class Scoring:
    """What is to be computed of a file.

    :param metrics: by the names under which they are listed
    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    :param positive: the positive label, None for the one by convention
    :param average: over the classes; None for one class against the rest
    :param question: what intervals are asked for, if any
    """

    metrics: Mapping[str, Metric]
    measures: tuple[str, ...] = ()
    positive: str | None = None
    average: str | None = None
    question: Question | None = None


def score_file(
    place: Place, wanted: Wanted, scoring: Scoring, *, progress: bool = False, cleaned: bool = False
) -> ScoreReport | ValueTable:
    """Return the scores of a file: a report of all examples, or a table with a row for each group.

    :param progress: whether to show a bar on standard error
    :param cleaned: whether Python reads a CSV file first and DuckDB what it makes of it
    :raises InputError: on a file, columns, labels or settings that cannot be used
    """
    if place.kind == "csv":  # whose header is read without the blanks around names
        wanted = wanted.stripped()
    _check(wanted, scoring)
    with opened(place, wanted, cleaned=cleaned) as file:
        counts = count_labels(file, wanted, progress=progress)
        if scoring.average is not None:
            return _averages(place, wanted, counts, scoring)
        given = None if scoring.positive is None else counts.spelling(scoring.positive.strip())
        positive = positive_label(counts.labels, given, place.source)
        if wanted.by:
            return _table_of_groups(place, wanted, counts, scoring, positive)
        columns, many = _columns(place, wanted, counts, positive), sum(counts.pairs.values()) > MOST_IN_MEMORY
        if not scoring.measures or not many:
            if scoring.measures:
                ranked = ranked_examples(file, wanted, counts, positive)
                columns = replace(columns, is_positive=ranked[0], scores=ranked[1])
            return score(columns, scoring.metrics, scoring.measures, scoring.question)
        report = score(columns, scoring.metrics, (), scoring.question)
        found = enclosed(file, wanted, counts, positive, scoring.measures, scoring.question, progress=progress)
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
        advice = ", or write symmetrics.score(..., sample_weight=..., interval=True) in Python" if with_interval else ""
        raise InputError(
            f"--weight leaves sums of weights, of which {what} cannot be computed; leave one of both out{advice}"
        )
    if len(set(wanted.by)) < len(wanted.by):
        raise InputError(f"--by names a column twice: {', '.join(wanted.by)}; name each once")


def _columns(place: Place, wanted: Wanted, counts: FileCounts, positive: str) -> LabelledColumns:
    tp, fn, fp, tn = _by_group(counts).tables(positive).sum(axis=0).tolist()
    cells: Any = (tp, fn, fp, tn) if wanted.weight is not None else tuple(map(int, (tp, fn, fp, tn)))
    return LabelledColumns(
        source=place.source,
        truth=wanted.truth,
        prediction=wanted.prediction,
        positive=positive,
        negatives=tuple(label for label in counts.labels if label != positive),
        counts=cells,
        score=wanted.score,
        left_out=counts.left_out,
    )


def _by_group(counts: FileCounts) -> GroupCounts:
    """Return the counts of each group in columns."""
    place = {label: index for index, label in enumerate(counts.labels)}
    rows = [
        (group, place[true], place[predicted], number)
        for group, pairs in enumerate(counts.groups.values())
        for (true, predicted), number in pairs.items()
    ]
    group, true, predicted, number = map(np.array, zip(*rows, strict=True))
    return GroupCounts(group, true, predicted, number.astype(np.float64), list(counts.labels), len(counts.groups))


def _matrix(group: Mapping[tuple[str, str], float]) -> tuple[FloatArray, list[str]]:
    labels = sorted({label for pair in group for label in pair})
    place = {label: index for index, label in enumerate(labels)}
    matrix = np.zeros((len(labels), len(labels)))
    for (true, predicted), number in group.items():
        matrix[place[true], place[predicted]] += number
    return matrix, labels


def _averages(place: Place, wanted: Wanted, counts: FileCounts, scoring: Scoring) -> ScoreReport | ValueTable:
    average, kind = scoring.average or "", int if wanted.weight is None else float
    if not wanted.by:
        matrix, labels = _matrix(counts.pairs)
        cells = tuple(tuple(map(kind, row)) for row in matrix.tolist())
        asked = (place.source, wanted.truth, wanted.prediction, tuple(labels))
        columns = ClassColumns(*asked, cells, left_out=counts.left_out)  # type: ignore[arg-type]
        return score_classes(columns, scoring.metrics, average, scoring.question)
    if scoring.question is not None:
        raise InputError("--interval and --average leave no room for --by; leave one of them out")
    by_group = _by_group(counts)
    values = [as_arrays(by_group, metric, {"average": average}, None).values for metric in scoring.metrics.values()]
    sizes = [kind(sum(pairs.values())) for pairs in counts.groups.values()]
    rows = list(zip(*zip(*counts.groups, strict=True), sizes, *(column.tolist() for column in values), strict=True))
    title = f"{_title(place, wanted, counts)}, {average} average over the classes of each group"
    _check_names(wanted, ["examples", *scoring.metrics])
    named = (*wanted.by, "examples", *scoring.metrics)
    types = dict(zip(wanted.by, counts.types, strict=True))
    if wanted.weight is None:
        types["examples"] = "BIGINT"
    facts: dict[str, Any] = {"source": place.source, "average": average, "by": wanted.by}
    shared = left_out_facts(counts.left_out)
    return ValueTable(_remarked(title, counts), named, types, tuple(rows), facts | shared, "groups", shared)


def _table_of_groups(place: Place, wanted: Wanted, counts: FileCounts, scoring: Scoring, positive: str) -> ValueTable:
    tables = _by_group(counts).tables(positive)
    columns: dict[str, Any] = dict(zip(("tp", "fn", "fp", "tn"), tables.T.tolist(), strict=True))
    types = dict(zip(wanted.by, counts.types, strict=True))
    if wanted.weight is None:
        columns = {name: [int(number) for number in column] for name, column in columns.items()}
        types |= dict.fromkeys(columns, "BIGINT")
    for name, metric in scoring.metrics.items():
        values = np.asarray(metric.from_counts(tables))
        columns[name] = values.tolist()
        if (question := scoring.question) is not None:
            ends = ends_of_tables(metric, tables, values, question)
            columns[f"{name}_low"], columns[f"{name}_high"] = ends.low.tolist(), ends.high.tolist()
            columns[f"{name}_method"] = np.where(ends.method == "", ends.note, ends.method).tolist()
            types[f"{name}_method"] = "VARCHAR"
    shared = left_out_facts(counts.left_out)
    if scoring.question is not None:
        shared["level"] = scoring.question.level
    _check_names(wanted, [*columns, *shared])
    keys = zip(*counts.groups, strict=True)
    rows = tuple(zip(*keys, *columns.values(), strict=True))
    facts: dict[str, Any] = {"source": place.source, "positive": positive, "by": wanted.by}
    facts |= left_out_facts(counts.left_out)
    title = f"{_title(place, wanted, counts)}, positive {positive!r}"
    if scoring.question is not None:
        facts["interval"] = asked_facts(scoring.question)
        title = f"{title}\n{asked_words(scoring.question)}"
    return ValueTable(_remarked(title, counts), (*wanted.by, *columns), types, rows, facts, "groups", shared)


def _check_names(wanted: Wanted, columns: Collection[str]) -> None:
    """Refuse columns to group by that are called as one of the scores, of which one would take the place of the other.

    :raises InputError: naming the first
    """
    for name in wanted.by:
        if name in columns:
            raise InputError(f"--by names column {name!r}, which the table of scores has as well; rename the column")


def _remarked(title: str, counts: FileCounts) -> str:
    """Return a title with how many examples were left out."""
    return "\n".join([title, *left_out_words(counts.left_out)])


def _title(place: Place, wanted: Wanted, counts: FileCounts) -> str:
    total = sum(counts.pairs.values())
    size = examples_of(int(total) if wanted.weight is None else total)
    return (
        f"{place.source}: {size} in {number_of(len(counts.groups), 'group')}, truth {wanted.truth!r}, prediction "
        f"{wanted.prediction!r}"
    )
