"""Scores of one table of counts, with the reason wherever a metric has no finite value."""

from __future__ import annotations

import csv
import io
import json
import math
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass

from symmetrics.algebra.limits.extension import extension_of
from symmetrics.curves.measures import SCORE_MEASURES
from symmetrics.language.formula import formula_text
from symmetrics.metric import Metric
from symmetrics.pages.scoring import LabelledColumns
from symmetrics.tools.errors import InputError
from symmetrics.tools.escaping import for_csv, visible

__all__ = ["Score", "ScoreReport", "score"]


@dataclass(frozen=True)
class Score:
    """One metric at one table, or one measure of the scores.

    :param metric: its name
    :param value: its value, nan where it is undefined
    :param note: why the value is undefined or infinite, else empty
    """

    metric: str
    value: float
    note: str = ""


@dataclass(frozen=True)
class ScoreReport:
    """The metrics of one file of predictions."""

    columns: LabelledColumns
    scores: tuple[Score, ...]

    def to_text(self) -> str:
        """Return the counts and a table of the scores for a terminal."""
        from tabulate import tabulate

        rows = [
            (visible(s.metric), "undefined" if math.isnan(s.value) else f"{s.value:.6f}", s.note) for s in self.scores
        ]
        table = tabulate(rows, tablefmt="plain", disable_numparse=True, colalign=("left", "right", "left"))
        return f"{self._settings()}\n\n{table}"

    def _settings(self) -> str:
        c = self.columns
        tp, fn, fp, tn = c.counts
        against = repr(c.negatives[0]) if len(c.negatives) == 1 else f"the other {len(c.negatives)} classes"
        scored = "" if c.score is None else f"score {c.score!r}, "
        return (
            f"{c.source}: {sum(c.counts)} examples, truth {c.truth!r}, prediction {c.prediction!r}, {scored}"
            f"positive {c.positive!r} against {against}\nTP = {tp}, FN = {fn}, FP = {fp}, TN = {tn}"
        )

    def to_csv(self) -> str:
        """Return the scores as comma-separated values; an undefined value is an empty field."""
        text = io.StringIO()
        writer = csv.writer(text, lineterminator="\n")
        writer.writerow(("metric", "value", "note"))
        writer.writerows((for_csv(s.metric), "" if math.isnan(s.value) else repr(s.value), s.note) for s in self.scores)
        return text.getvalue().rstrip("\n")

    def to_json(self) -> str:
        """Return counts and scores as JSON; what is not finite is null, and its note says why."""
        tp, fn, fp, tn = self.columns.counts
        scores = [asdict(s) | {"value": s.value if math.isfinite(s.value) else None} for s in self.scores]
        data = {
            "source": self.columns.source,
            "positive": self.columns.positive,
            "counts": {"tp": tp, "fn": fn, "fp": fp, "tn": tn},
            "scores": scores,
        }
        return json.dumps(data, indent=1, ensure_ascii=False)

    def to_format(self, name: str) -> str:
        """Return the report as ``text``, ``csv`` or ``json``.

        :raises InputError: on any other name
        """
        writers = {"text": self.to_text, "csv": self.to_csv, "json": self.to_json}
        if name not in writers:
            raise InputError(f"unknown format {name!r}: choose text, csv or json")
        return writers[name]()


def score(
    columns: LabelledColumns, metrics: Iterable[Metric] | Mapping[str, Metric], measures: Iterable[str] = ()
) -> ScoreReport:
    """Compute metrics at the counts of a file of predictions, and measures of its scores.

    :param metrics: the metrics, or by the names under which they are listed
    :param measures: names of :data:`symmetrics.curves.measures.SCORE_MEASURES`
    :raises InputError: if measures are asked for and the file was read without scores, or these have one class only
    """
    named = metrics if isinstance(metrics, Mapping) else {metric.name: metric for metric in metrics}
    counted = tuple(_score(name, metric, columns.counts) for name, metric in named.items())
    return ScoreReport(columns, counted + tuple(_measured(name, columns) for name in measures))


def _measured(name: str, columns: LabelledColumns) -> Score:
    if columns.scores is None:
        raise InputError(f"{name} is computed from scores; name their column with --score")
    if len(set(columns.is_positive)) == 1:
        side = "is" if columns.is_positive[0] else "is not"
        reason = f"every label in column {columns.truth!r} {side} {columns.positive!r}"
        raise InputError(f"{columns.source}: {reason}; {name} takes examples of both classes")
    return Score(name, SCORE_MEASURES[name](columns.is_positive, columns.scores))


def _score(name: str, metric: Metric, counts: tuple[int, int, int, int]) -> Score:
    value = metric.from_counts(*counts)
    number = float(value)
    return Score(name, number, "" if math.isfinite(number) else _reason(metric, counts, number))


def _reason(metric: Metric, counts: tuple[int, int, int, int], value: float) -> str:
    zeros = extension_of(metric.at_defaults()).vanishing(*counts)
    listed = " and ".join(f"{formula_text(zero)} = 0" for zero in zeros)
    what = "no limit" if math.isnan(value) else "grows without bound" if value > 0 else "falls without bound"
    return f"{what}: {listed}" if listed else f"{what} at these counts"
