"""What a notebook shows of numbers: intervals, comparisons, plans and curves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from symmetrics.curves.areas import area
from symmetrics.curves.bands import RocBand
from symmetrics.curves.roc import RocCurve
from symmetrics.numeric.confusion import ConfusionMatrix
from symmetrics.numeric.intervals.result import Interval
from symmetrics.query.comparison import Comparison
from symmetrics.tools.documents import Block, Grid, Listing, Paragraph, Plot, Strong, facts, texts
from symmetrics.tools.words import number_of

MOST_ROWS: Final = 20
"""Of a table of intervals; how many more there are is said."""
MOST_CLASSES: Final = 20
"""Of a confusion matrix; how many more there are is said."""
MOST_POINTS: Final = 400
"""Of a curve that is drawn; more are not told apart in a picture of that size."""


def line_blocks(value: object) -> list[Block]:
    """Return what an object tells in lines, the first of them as a heading; columns stay below each other."""
    first, *others = repr(value).splitlines()
    return [Paragraph((Strong(first),)), *([Listing("", "\n".join(others))] if others else [])]


def interval_blocks(interval: Interval) -> list[Block]:
    """Return an interval as a sentence, or the intervals of several tables as rows."""
    if isinstance(interval.low, float):
        return [Paragraph((Strong(repr(interval)),))]
    columns = [np.ravel(np.asarray(part)) for part in (interval.estimate, interval.low, interval.high)]
    few = min(MOST_ROWS, columns[0].size)
    rows = tuple(texts([str(place), *(f"{part[place]:.4g}" for part in columns)]) for place in range(few))
    left = columns[0].size - few
    return [
        Paragraph((f"{100 * interval.level:g} % intervals, {interval.method}",)),
        Grid(texts(("table", "value", "low", "high")), rows, "llll"),
        *([Paragraph((f"and {left} more",))] if left else []),
    ]


def confusion_blocks(counts: ConfusionMatrix) -> list[Block]:
    """Return the counts of labels as a matrix, true classes below each other; of many classes the first ones."""
    labels, matrix = counts.labels, counts.matrix
    few = min(MOST_CLASSES, len(labels))
    names = [str(label) for label in labels[:few]]
    rows = tuple(
        texts([f"true {name}", *(f"{count:.6g}" for count in row[:few])])
        for name, row in zip(names, matrix, strict=False)
    )
    head = texts(("", *(f"predicted {name}" for name in names)))
    left = len(labels) - few
    return [
        Paragraph((Strong(f"{counts.total:.15g} examples by true and predicted class"),)),
        *([Grid(head, rows, "l" * len(head))] if rows else []),
        *([Paragraph((f"and {number_of(left, 'more class')}",))] if left else []),
    ]


def comparison_blocks(comparison: Comparison) -> list[Block]:
    """Return a comparison of two classifiers: the difference in a sentence, and what is known of it."""
    return [Paragraph((Strong(comparison.about),)), facts(comparison.facts)]


def curve_blocks(curve: RocCurve | RocBand) -> list[Block]:
    """Return a ROC curve, or one in its band, as a picture with what there is to know of it."""
    points = tuple(zip(_few(curve.fpr), _few(curve.tpr), strict=True))
    band: tuple[tuple[float, float], ...] = ()
    if isinstance(curve, RocBand):
        kind = "simultaneous" if curve.simultaneous else "pointwise"
        told = f"ROC curve in its {100 * curve.level:g} % {kind} band ({curve.method})"
        upper = zip(_few(curve.fpr), _few(curve.high), strict=True)
        band = (*upper, *zip(_few(curve.fpr[::-1]), _few(curve.low[::-1]), strict=True))
    else:
        told = (
            f"ROC curve of {curve.positives:g} positive and {curve.negatives:g} negative examples at {len(curve)} "
            f"threshold{'s' * (len(curve) != 1)}; the area under it is {area(curve):.4g}"
        )
    return [Paragraph((Strong(told),)), Plot(told, points, band, ("false positive rate", "true positive rate"))]


def _few(values: Iterable[Any]) -> list[float]:
    """Return so many of the values, evenly spread with both ends, as a picture shows."""
    every: NDArray[np.float64] = np.asarray(values, dtype=float)
    places = np.unique(np.linspace(0, every.size - 1, MOST_POINTS).round().astype(int))
    return [float(value) for value in every[places]]
