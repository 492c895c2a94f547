"""Other common readings of the same printed numbers: classes exchanged, percentages, means over both classes."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from symmetrics.auditing.reported import Reported
from symmetrics.auditing.search import Score, Sizes
from symmetrics.language.cells import FN, FP, TN, TP
from symmetrics.library.selections import as_metric
from symmetrics.metric import Metric


def other_readings(scores: Sequence[Score], sizes: Sizes) -> Iterator[tuple[str, Sequence[Score], Sizes]]:
    """Yield what else the numbers commonly mean: in words, and the scores and sizes to search for then."""
    swapped = Sizes(sizes.total, sizes.negatives, sizes.positives)
    if swapped != sizes:
        yield "the classes are exchanged", scores, swapped
    others = {
        "values above 1 are percentages": [replace(one, reported=one.reported.in_percent()) for one in scores],
        "every score is the mean over both classes": [replace(one, metric=_macro(one.metric)) for one in scores],
        "every score is the mean over both classes, weighted by their sizes": [
            replace(one, metric=_weighted(one.metric)) for one in scores
        ],
        "every score is of the counts of both classes added up (micro average)": [
            replace(one, metric=_micro(one.metric)) for one in scores
        ],
        "F has beta = 2": [replace(one, metric=as_metric("f2")) if one.metric.name == "f1" else one for one in scores],
        "0 is printed where a score is undefined": [
            replace(one, undefined_is_zero=0 in one.reported) for one in scores
        ],
    }
    for told, read in others.items():
        if list(map(_asked, read)) != list(map(_asked, scores)):
            yield told, read, sizes


def _asked(score: Score) -> tuple[Metric, Reported, bool]:
    return score.metric, score.reported, score.undefined_is_zero


def _macro(metric: Metric) -> Metric:
    other = metric.exchanged()
    return metric if other.expr == metric.expr else as_metric((metric.value_formula + other.value_formula) / 2)


def _weighted(metric: Metric) -> Metric:
    other = metric.exchanged()
    if other.expr == metric.expr:
        return metric
    positives, negatives = TP + FN, FP + TN
    weighted = positives * metric.value_formula + negatives * other.value_formula
    return as_metric(weighted / (positives + negatives))


def _micro(metric: Metric) -> Metric:
    both = {TP: TP + TN, FN: FN + FP, FP: FP + FN, TN: TN + TP}
    pooled = metric.value_formula.subs(both, simultaneous=True)
    return metric if pooled == metric.value_formula else as_metric(pooled)
