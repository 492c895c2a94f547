"""Score reports of one confusion matrix, with reasons for undefined values and missing intervals."""

from __future__ import annotations

import math
import re
import shlex
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from symmetrics.data.encoding import listed
from symmetrics.data.label_files import ClassColumns, LabelledColumns, read_classes
from symmetrics.data.places import Place, Wanted, place_of, rereadable_place
from symmetrics.data.spelling import header_of, records
from symmetrics.metric import Metric
from symmetrics.pages.lines import AnyMetric, Line, Scoring, ends_at_counts, value_at_counts
from symmetrics.pages.uncertainty import COLUMNS, Ends, ends_of, require_any, why_not_finite
from symmetrics.pages.value_tables import ValueTable
from symmetrics.tools.documents import Grid, Paragraph, lines, texts
from symmetrics.tools.documents.data import json_text
from symmetrics.tools.documents.text import text_blocks
from symmetrics.tools.errors import InputError
from symmetrics.tools.files import read_text
from symmetrics.tools.texts import number_of

if TYPE_CHECKING:
    from symmetrics.statistics.intervals import Interval, Question


NAMED: Final = 3
"""Up to this many negative labels are listed by name, so that a label such as NA is noticed."""


@dataclass(frozen=True)
class Score:
    """One metric at one table, or one measure of the scores.

    :param metric: its name
    :param value: its value, nan where it is undefined
    :param note: why the value is undefined or infinite, or why there is no interval, else empty
    :param ends: its interval, if one was asked for
    :param kind: of more than two classes, whether it is of the whole matrix, or which average over the classes
    """

    metric: str
    value: float
    note: str = ""
    ends: Ends | None = None
    kind: str = ""


@dataclass(frozen=True)
class ScoreReport:
    """The metrics of one file of predictions.

    :param average: the one over the classes that was asked for, if any
    :param question: requested interval settings, if any
    """

    columns: LabelledColumns | ClassColumns
    scores: tuple[Score, ...]
    average: str | None = None
    question: Question | None = None

    def to_text(self) -> str:
        """Return the counts and a table of the scores, as text."""
        rows = tuple(texts([s.metric, *map(_figure, _numbers(s)), *_words(s)]) for s in self.scores)
        names = () if self.question is None else ("metric", "value", *COLUMNS, *self._words[:-1], "")
        ends = "" if self.question is None else "rrl"
        grid = Grid(texts(names), rows, f"lr{ends}{'l' * len(self._words)}")
        return text_blocks((Paragraph(lines(self._settings())), grid))

    def _settings(self) -> tuple[str, ...]:
        asked = [] if self.question is None else [asked_words(self.question)]
        return (*self._counted(), *asked, *left_out_words(self.columns.left_out))

    def _counted(self) -> list[str]:
        c = self.columns
        told = c.reading or f"truth {c.truth!r}"
        predicted = f"prediction {c.prediction!r}, " if c.prediction and not c.reading else ""
        if isinstance(c, ClassColumns):
            averaged = "" if self.average is None else f", {self.average} average of the metrics of each class"
            return [
                f"{c.source}: {examples_of(sum(map(sum, c.matrix)))}, {told}, {predicted}"
                f"{number_of(len(c.classes), 'class')} ({listed(c.classes)}){averaged}"
            ]
        tp, fn, fp, tn = c.counts
        absent = ", which no example has," if c.prediction and not any(c.counts[:3]) else ""
        against = f"{absent} against {_listed(c.negatives)}" if c.negatives else ", the only class"
        scored = "" if c.score is None else f"score {c.score!r}, "
        counted = f"TP = {tp:.15g}, FN = {fn:.15g}, FP = {fp:.15g}, TN = {tn:.15g}"
        examples = examples_of(sum(c.counts))
        return [
            f"{c.source}: {examples}, {told}, {predicted}{scored}positive {c.positive!r}{against}",
            counted if c.prediction else f"{tp:.15g} positive, {tn:.15g} negative",
        ]

    def to_csv(self) -> str:
        """Return the scores as CSV, with the level of intervals; undefined values are empty."""
        return self.to_table().to_csv()

    def to_json(self) -> str:
        """Return counts and scores as JSON; values that are not finite are null, with a note why."""
        data: dict[str, Any] = {"source": self.columns.source}
        if self.columns.reading:
            data["reading"] = self.columns.reading
        if isinstance(self.columns, ClassColumns):
            data |= {"average": self.average, "classes": self.columns.classes, "matrix": self.columns.matrix}
        else:
            tp, fn, fp, tn = self.columns.counts
            counts = {"tp": tp, "fn": fn, "fp": fp, "tn": tn} if self.columns.prediction else {"p": tp, "n": tn}
            data |= {"positive": self.columns.positive, "counts": counts}
        data |= left_out_facts(self.columns.left_out)
        if self.question is not None:
            data["interval"] = asked_facts(self.question)
        data["scores"] = [
            dict(zip(self._names, (s.metric, *_numbers(s), *_words(s)), strict=True)) for s in self.scores
        ]
        return json_text(data)

    def to_table(self) -> ValueTable:
        """Return the scores as a table of values, a row for each."""
        rows = tuple((s.metric, *_numbers(s), *_words(s)) for s in self.scores)
        types = dict.fromkeys(("metric", "method", "kind", "note", "reading"), "VARCHAR")
        return ValueTable(self._settings(), self._names, types, rows, shared=self._shared())

    @property
    def _names(self) -> tuple[str, ...]:
        """The names of the columns."""
        return ("metric", "value", *(() if self.question is None else COLUMNS), *self._words)

    @property
    def _words(self) -> tuple[str, ...]:
        """Names of the columns with the kind of value and the notes."""
        return ("kind", "note") if isinstance(self.columns, ClassColumns) else ("note",)

    def _shared(self) -> dict[str, float | str]:
        """Return the notes common to all rows, to end each row of a table without a title; columns stay in place."""
        shared: dict[str, float | str] = {"reading": self.columns.reading} if self.columns.reading else {}
        shared |= left_out_facts(self.columns.left_out)
        return shared if self.question is None else {**shared, "level": self.question.level}

    def to_format(self, name: str) -> str | bytes:
        """Return the report as ``text``, ``csv``, ``json``, ``md``, ``html`` or ``parquet``.

        :raises InputError: on any other name
        """
        writers = {"text": self.to_text, "csv": self.to_csv, "json": self.to_json}
        return writers[name]() if name in writers else self.to_table().to_format(name)


def _listed(labels: tuple[str, ...]) -> str:
    """List labels by name, or count them if they are many."""
    if not 0 < len(labels) <= NAMED:
        return f"the other {number_of(len(labels), 'class')}"
    *others, last = map(repr, labels)
    return f"{', '.join(others)} and {last}" if others else last


def score(
    columns: LabelledColumns,
    metrics: Iterable[Metric] | Mapping[str, AnyMetric],
    measures: Iterable[str] = (),
    question: Question | None = None,
) -> ScoreReport:
    """Compute metrics from the counts of a file of predictions, and ranking measures of its scores.

    :param metrics: the metrics, or by the names under which they are listed
    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    :param question: for intervals beside the values
    :raises InputError: if measures are asked for and the file was read without scores, or these have one class only;
        if metrics are asked for and it was read without predictions; and if an interval is asked for that none of the
        metrics has
    """
    named: Mapping[str, AnyMetric] = (
        metrics if isinstance(metrics, Mapping) else {metric.name: metric for metric in metrics}
    )
    if named and not columns.prediction:
        raise InputError(f"{next(iter(named))} is computed from predicted labels; name their column")
    counted = tuple(_score(name, metric, columns.counts, question) for name, metric in named.items())
    scores = counted + tuple(_measured(name, columns, question) for name in measures)
    return _checked(ScoreReport(columns, scores, question=question))


def score_classes(
    columns: ClassColumns, lines: Mapping[str, Line], average: str | None, question: Question | None = None
) -> ScoreReport:
    """Compute metrics of the whole confusion matrix of a file of predictions, and averages over its classes.

    :param lines: the lines, by display name
    :param average: the requested average, if any
    :param question: for intervals beside the values
    :raises InputError: on an unknown average, and if an interval is asked for that none of the metrics has
    """
    scores = []
    for name, line in lines.items():
        value = line.value(columns.matrix)
        ends = None if question is None else line.ends(columns.matrix, question)
        order = f"order of the classes: {listed(columns.classes)}" if line.orders_classes else ""
        note = "; ".join(filter(None, (why_not_finite(value), order)))
        scores.append(_noted(Score(name, value, note, ends, line.kind)))
    return _checked(ScoreReport(columns, tuple(scores), average, question))


def scored(columns: ClassColumns, scoring: Scoring) -> ScoreReport:
    """Compute the requested scores of labels or example counts: all classes together, or one against the rest.

    :raises InputError: on an interval where numbers of examples are not whole, and as :func:`score`
    """
    broken = next((number for row in columns.matrix for number in row if not isinstance(number, int)), None)
    if scoring.question is not None and broken is not None:
        raise InputError(
            f"{columns.source}: an interval is of numbers of examples, which are whole, and {broken:g} is not; leave "
            "--interval out, or give the numbers before they were weighted or divided"
        )
    if scoring.takes_all(columns.classes, columns.source):
        return score_classes(columns.counted(), scoring.lines, scoring.average, scoring.question)
    one = columns.against_the_rest(positive=scoring.positive)
    return score(one, scoring.metrics, scoring.measures, scoring.question)


def examples_of(total: float) -> str:
    """Return the number of examples, or their total weight, which is never an integer type.

    >>> examples_of(1), examples_of(2.0)
    ('1 example', 'examples of weight 2')
    """
    return number_of(total, "example") if isinstance(total, int) else f"examples of weight {total:.15g}"


def left_out_words(left_out: int | None) -> list[str]:
    """Remark on the examples left out for missing labels; empty if none were.

    >>> left_out_words(2), left_out_words(0), left_out_words(None)
    (['2 examples left out: a label is missing'], [], [])
    """
    return [f"{number_of(left_out, 'example')} left out: a label is missing"] if left_out else []


def left_out_facts(left_out: int | None) -> dict[str, float]:
    """Return the number left out, by name; empty unless leaving out was requested."""
    return {} if left_out is None else {"left_out": left_out}


def asked_words(question: Question) -> str:
    """Describe the requested intervals, for a title."""
    return f"intervals of level {question.level:g}, {question.sampling} sampling"


def asked_facts(question: Question) -> dict[str, Any]:
    """Return the requested intervals as JSON values."""
    return {"level": question.level, "sampling": question.sampling}


def _checked(report: ScoreReport) -> ScoreReport:
    require_any(score.ends for score in report.scores if score.ends is not None)
    return report


def _measured(name: str, columns: LabelledColumns, question: Question | None) -> Score:
    if columns.scores is None:
        raise InputError(f"{name} is computed from scores; name their column with --score")
    from symmetrics.curves.measures import OF_POSITIVES_ALONE, SCORE_MEASURES

    is_positive = columns.is_positive[0]
    if len(set(columns.is_positive)) == 1 and not (is_positive and name in OF_POSITIVES_ALONE):
        note = of_one_class(columns.truth, columns.positive, is_positive)
        return Score(name, math.nan, note, None if question is None else Ends(math.nan, math.nan, "", note))
    value = SCORE_MEASURES[name](columns.is_positive, columns.scores)
    if question is None:
        return Score(name, value)
    ask = partial(_score_interval, columns.is_positive, columns.scores, name)
    return _noted(Score(name, value, "", ends_of(ask, question=question)))


def of_one_class(truth: str, positive: str, is_positive: bool) -> str:
    """Return why ranking measures are undefined where all examples have the same class."""
    told = f"{'' if is_positive else 'not '}{positive!r}"
    return f"takes examples of both classes: every label in column {truth!r} is {told}"


def _score_interval(
    truth: tuple[bool, ...], scores: tuple[float, ...], measure: str, *, draws: int, prior: float, **asked: Any
) -> Interval:
    """Return the interval of a ranking measure, which has its own number of draws and no prior."""
    from symmetrics.curves.uncertainty import score_interval

    del draws, prior
    return score_interval(truth, scores, measure, pos_label=True, **asked)


def _score(name: str, metric: AnyMetric, counts: tuple[float, float, float, float], question: Question | None) -> Score:
    value = float(value_at_counts(metric, counts))
    ends = None if question is None else ends_at_counts(metric, counts, question)
    of_counts = metric if isinstance(metric, Metric) else None
    return _noted(Score(name, value, why_not_finite(value, of_counts, counts), ends))


def _noted(score: Score) -> Score:
    """Add the notes about the interval to a score."""
    return score if score.ends is None else replace(score, note=score.ends.noted(score.note))


def _numbers(score: Score) -> list[float]:
    return [score.value, *([] if score.ends is None else score.ends[:2])]


def _words(score: Score) -> list[str]:
    return [*([] if score.ends is None else [score.ends.method]), *([score.kind] if score.kind else []), score.note]


def _figure(number: float) -> str:
    return "undefined" if math.isnan(number) else f"{number:.6f}"


# -- Scores of a file on the command line: small CSV files are read by Python, all others by DuckDB --------------------


_SMALL: Final = 1 << 23
"""Up to this size in bytes, Python reads a CSV file, and errors name the line."""
_READABLE: Final = 1 << 28
"""Up to this size in bytes, Python reads a CSV file that DuckDB refuses; a larger one would not fit into memory."""


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
        from symmetrics.data.opened import UnreadRowsError, is_installed
        from symmetrics.pages.file_scores import score_file

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
    """Return the scores of a confusion matrix read from a file.

    :param rows: what its rows are, ``"truth"`` or ``"prediction"``, if the file does not say it
    :raises InputError: on a file that holds none, or does not say which way round it is, and on settings that do not
        fit
    """
    from symmetrics.data.matrix_files import read_matrix

    found = read_matrix(name, rows)
    sides = ("columns", "rows") if found.rows == "prediction" else ("rows", "columns")
    return scored(ClassColumns(found.source, *sides, found.classes, found.matrix, reading=found.reading), scoring)


def scored_counts(counts: Sequence[float], scoring: Scoring) -> ScoreReport:
    """Return the scores of four counts TP, FN, FP and TN.

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
    """Refuse a table of label pairs with frequencies, whose frequencies would be ignored.

    :raises InputError: saying how to name their column
    """
    pairs = list(zip(columns.true, columns.predicted, strict=True))
    if not Path(place.path).is_file() or len(set(pairs)) < len(pairs):
        return
    from symmetrics.data.matrix_files import asked_for_frequencies

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
    """Return advice for a file that looks like a confusion matrix, None for others.

    :param columns: the names of columns that were asked for; a file that has all of them is no matrix
    """
    try:
        place = place_of(name)
        if not place.is_plain or not Path(place.path).is_file() or place.size > _SMALL:
            return None
        first = read_text(place.path, needs="").lstrip().splitlines()[0]
        from symmetrics.data.matrix_files import read_matrix

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
