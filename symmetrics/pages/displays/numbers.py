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
from symmetrics.pages.displays.parts import fact_table, framed, grid, picture
from symmetrics.query.comparison import Comparison
from symmetrics.tools.escaping import for_html, visible
from symmetrics.tools.words import number_of

__all__ = ["comparison_html", "confusion_html", "curve_html", "interval_html", "lines_html"]

MOST_ROWS: Final = 20
"""Of a table of intervals; how many more there are is said."""
MOST_CLASSES: Final = 20
"""Of a confusion matrix; how many more there are is said."""
MOST_POINTS: Final = 400
"""Of a curve that is drawn; more are not told apart in a picture of that size."""


def lines_html(value: object) -> str:
    """Return what an object tells in lines, the first of them as a heading; columns stay below each other.

    >>> lines_html("<a>").splitlines()[1]
    '<p><b>&lt;a&gt;</b></p>'
    """
    first, *others = (value if isinstance(value, str) else repr(value)).splitlines()
    below = "\n".join(map(for_html, others))
    return framed([f"<p><b>{for_html(first)}</b></p>", *([f"<pre>{below}</pre>"] if others else [])])


def interval_html(interval: Interval) -> str:
    """Return an interval as a sentence, or the intervals of several tables as rows."""
    if isinstance(interval.low, float):
        return framed([f"<p><b>{for_html(repr(interval))}</b></p>"])
    columns = [np.ravel(np.asarray(part)) for part in (interval.estimate, interval.low, interval.high)]
    rows = [
        [str(place), *(f"{part[place]:.4g}" for part in columns)] for place in range(min(MOST_ROWS, columns[0].size))
    ]
    left = columns[0].size - len(rows)
    return framed(
        [
            f"<p>{100 * interval.level:g} % intervals, {for_html(interval.method)}</p>",
            grid(("table", "value", "low", "high"), rows),
            *([f"<p>and {left} more</p>"] if left else []),
        ]
    )


def confusion_html(counts: ConfusionMatrix) -> str:
    """Return the counts of labels as a matrix, true classes below each other; of many classes the first ones."""
    labels, matrix = counts.labels, counts.matrix
    few = min(MOST_CLASSES, len(labels))
    names = [visible(str(label)) for label in labels[:few]]
    rows = [
        [f"true {name}", *(f"{count:.6g}" for count in row[:few])] for name, row in zip(names, matrix, strict=False)
    ]
    about = f"{counts.total:.15g} examples by true and predicted class"
    left = len(labels) - few
    return framed(
        [
            f"<p><b>{for_html(about)}</b></p>",
            *([grid(("", *(f"predicted {name}" for name in names)), rows)] if rows else []),
            *([f"<p>and {number_of(left, 'more class')}</p>"] if left else []),
        ]
    )


def comparison_html(comparison: Comparison) -> str:
    """Return a comparison of two classifiers: the difference in a sentence, and what is known of it."""
    first, *others = repr(comparison).splitlines()
    facts = [(label, text.strip()) for label, _, text in (line.partition(":") for line in others)]
    return framed([f"<p><b>{for_html(first)}</b></p>", fact_table(facts)])


def curve_html(curve: RocCurve | RocBand) -> str:
    """Return a ROC curve, or one in its band, as a picture with what there is to know of it."""
    points = list(zip(_few(curve.fpr), _few(curve.tpr), strict=True))
    band: list[tuple[float, float]] = []
    if isinstance(curve, RocBand):
        kind = "simultaneous" if curve.simultaneous else "pointwise"
        told = f"ROC curve in its {100 * curve.level:g} % {kind} band ({curve.method})"
        band = list(zip(_few(curve.fpr), _few(curve.high), strict=True))
        band += list(zip(_few(curve.fpr[::-1]), _few(curve.low[::-1]), strict=True))
    else:
        told = (
            f"ROC curve of {curve.positives:g} positive and {curve.negatives:g} negative examples at {len(curve)} "
            f"threshold{'s' * (len(curve) != 1)}; the area under it is {area(curve):.4g}"
        )
    shown = picture(told, points, band, ("false positive rate", "true positive rate"))
    return framed([f"<p><b>{for_html(told)}</b></p>", shown])


def _few(values: Iterable[Any]) -> list[float]:
    """Return so many of the values, evenly spread with both ends, as a picture shows."""
    every: NDArray[np.float64] = np.asarray(values, dtype=float)
    places = np.unique(np.linspace(0, every.size - 1, MOST_POINTS).round().astype(int))
    return [float(value) for value in every[places]]
